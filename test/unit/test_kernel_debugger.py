"""pdb at work in kernels that run as Python, typed at a terminal."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

KERNEL = """\
import numpy as np
import ttkit
import ttkit.language as tl


@ttkit.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements and offsets >= 0
    x = tl.load(x_ptr + offsets, mask=mask)
    {stop}
    y = tl.load(y_ptr + offsets, mask=mask)
    output = x + y
    tl.store(output_ptr + offsets, output, mask=mask)


x, y, out = np.arange(6, dtype=np.float32), np.full(6, 10, np.float32), np.zeros(6, np.float32)
add_kernel[(2,)](x, y, out, 6, BLOCK_SIZE=4)
print("result", out)
"""
PROMPT = "(Pdb) "


class Terminal:
    """A script that runs at a terminal."""

    def __init__(self, *command, **environment):
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "TRITON_INTERPRET": "1", **environment}
        environment.pop("PYTHONBREAKPOINT", None)
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)

    def read(self, until: str, seconds: float = 60) -> str:
        """What is printed, up to and with `until`, or to the end."""
        text, end = "", time.monotonic() + seconds
        while not text.endswith(until) or not until:
            if not select.select([self.ours], [], [], end - time.monotonic())[0]:
                raise TimeoutError(text)
            try:
                text += os.read(self.ours, 4096).decode()
            except OSError:  # the process has ended
                break
        return text.replace("\r\n", "\n")

    def answer(self, command: str) -> str:
        """Types a command; what is printed until the next prompt, without the command's echo."""
        os.write(self.ours, (command + "\n").encode())
        return self.read(PROMPT).partition("\n")[2].removesuffix(PROMPT)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(60)
        os.close(self.ours)


@pytest.fixture
def session(tmp_path):
    opened = []

    def start(stop, *options):
        script = tmp_path / "add_kernel.py"
        script.write_text(KERNEL.format(stop=stop))
        opened.append(Terminal(sys.executable, *options, str(script)))
        return opened[-1]

    yield start
    for terminal in opened:
        terminal.close()


@pytest.mark.parametrize("stop", ["import pdb; pdb.set_trace()", "breakpoint()"])
def test_stepping_through_a_kernel(session, stop):
    terminal = session(stop)
    stopped = terminal.read(PROMPT)
    assert "add_kernel.py(" in stopped
    while "-> y = tl.load" not in stopped:  # Python 3.13 stops at the call itself
        stopped = terminal.answer("n")
    assert "int32[4] [0 1 2 3]" in terminal.answer("print(offsets)")
    assert "int1[4] [ True  True  True  True]" in terminal.answer("print(mask)")
    assert "fp32[4] [0. 1. 2. 3.]" in terminal.answer("p x")
    assert "-> output = x + y" in terminal.answer("n")
    assert "-> tl.store(output_ptr + offsets, output, mask=mask)" in terminal.answer("n")
    assert "[10. 11. 12. 13.]" in terminal.answer("p output")
    assert "[20. 21. 22. 23.]" in terminal.answer("p output + 10")
    assert "1" in terminal.answer("p int(pid) + 1")
    assert "14  " in terminal.answer("l")
    assert "add_kernel()" in terminal.answer("w")
    # The next program stops at the same place.
    assert "add_kernel.py(" in terminal.answer("c")
    terminal.answer("n")
    assert "int32[4] [4 5 6 7]" in terminal.answer("print(offsets)")
    assert "[ True  True False False]" in terminal.answer("print(mask)")
    assert "result [10. 11. 12. 13. 14. 15.]" in terminal.answer("c")
    assert terminal.process.wait(60) == 0


def test_a_breakpoint_set_from_outside(session):
    terminal = session("pass", "-m", "pdb")
    terminal.read(PROMPT)
    assert "Breakpoint 1" in terminal.answer(f"b {terminal.process.args[-1]}:15")
    for loaded in ("[0. 1. 2. 3.]", "[4. 5. 0. 0.]"):
        assert "-> output = x + y" in terminal.answer("c")
        assert loaded in terminal.answer("p x")
