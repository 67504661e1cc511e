"""Commands of ttkit in processes that start warm: forked from one that has imported what commands import.

    done = run([sys.executable, "-m", "ttkit", "prove", path], cwd=folder)

Half of the time of a small command is imports.  A command that is run so has its own process, working folder,
environment and standard streams; only its modules are there already.  Tests of imports, of start-up, of other programs
and of scripts start processes as usual.
"""

from __future__ import annotations

import array
import atexit
import functools
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

STREAMS = 3
NUMBER, REQUEST = 4, 1 << 20  # bytes of a number, most of a request
READ_AT_START = ("PYTHON", "LD_", "GLIBC_", "MALLOC_", "OMP_", "OPENBLAS_", "LC_", "LANG")
"""What variables begin with that a process reads when it starts, before it could be forked."""
COLD = ("tt-opt", "mlir-opt")
"""Commands that register MLIR's passes before anything is imported."""


def run(
    words: Sequence[str | os.PathLike[str]],
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    is_read: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m MODULE ...` or a command from the folder of this Python, with nothing on standard input.

    Args:
        is_read: whether standard output is read; else its reader is gone before the command starts.

    Raises:
        TimeoutExpired: it took longer, and was killed.
    """
    words, environment = [os.fspath(word) for word in words], dict(os.environ if env is None else env)
    if not is_command(words) or at_start(environment) != at_start(started(os.getpid())[1]):
        end, writing_end = output_pipe(is_read)
        with open(end), open(writing_end, "wb") as unread:
            out = subprocess.PIPE if is_read else unread
            streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": subprocess.PIPE}
            return subprocess.run(words, cwd=cwd, env=environment, timeout=timeout, text=True, check=False, **streams)
    request = {"words": words, "cwd": os.path.abspath(cwd or os.getcwd()), "environment": environment}
    (out, out_end), (error, error_end) = output_pipe(is_read), os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    with server() as asked:
        ends = (nothing, out_end, error_end)
        asked.sendmsg([json.dumps(request).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", ends))])
        for end in ends:
            os.close(end)
        process = read_number(asked)
        try:
            texts = read_all((out, error), time.monotonic() + timeout)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            raise subprocess.TimeoutExpired(words, timeout) from None
        finally:
            code = os.waitstatus_to_exitcode(read_number(asked))
    return subprocess.CompletedProcess(words, code, *texts)


def output_pipe(is_read: bool) -> tuple[int, int]:
    """A pipe for standard output; without a reader, the end for reading is that of another pipe, which is empty."""
    end, writing_end = os.pipe()
    if not is_read:
        os.close(end)
        end, other = os.pipe()
        os.close(other)
    return end, writing_end


def ttkit(folder: Path, *words: str | os.PathLike[str], **variables: str | None) -> subprocess.CompletedProcess[str]:
    """Runs `ttkit WORDS` in a folder, with a cache of its own there, and variables; None removes one."""
    environment = {**os.environ, "TRITON_CACHE_DIR": os.path.join(folder, "cache"), **variables}
    given = {name: value for name, value in environment.items() if value is not None}
    return run([sys.executable, "-m", "ttkit", *words], cwd=folder, env=given)


def is_command(words: Sequence[str]) -> bool:
    """Whether it is a module of this Python, or a script beside it, which may begin warm."""
    if words[0] == sys.executable:
        return words[1:2] == ["-m"]
    path = Path(words[0])
    return (
        path.name not in COLD
        and path.parent == Path(sys.executable).parent
        and path.is_file()
        and path.read_bytes()[:2] == b"#!"
    )


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that a process reads when it starts."""
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def read_all(pipes: Sequence[int], deadline: float) -> list[str]:
    """What is written to pipes until all their ends are closed, as text; closes them.

    Raises:
        TimeoutError: at the deadline.
    """
    found = {pipe: bytearray() for pipe in pipes}
    try:
        with selectors.DefaultSelector() as selector:
            for pipe in pipes:
                selector.register(pipe, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(deadline - time.monotonic(), 0))
                if not ready:
                    raise TimeoutError
                for key, _ in ready:
                    data = os.read(key.fd, 1 << 16)
                    found[key.fd] += data
                    if not data:
                        selector.unregister(key.fd)
    finally:
        for pipe in pipes:
            os.close(pipe)
    return [data.decode().replace("\r\n", "\n") for data in found.values()]


class server:
    """The connection to this process's server, which starts when first asked."""

    def __enter__(self) -> socket.socket:
        return started(os.getpid())[0]

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None and not issubclass(kind, subprocess.TimeoutExpired):  # it may be between two answers
            started.cache_clear()


@functools.cache
def started(process: int) -> tuple[socket.socket, dict[str, str]]:
    """The connection to a server of a process, which ends when that is closed, and the environment that it began with.

    process: a forked one needs a server of its own.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, REQUEST)
    command = [sys.executable, __file__, str(theirs.fileno())]
    child = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    theirs.close()
    atexit.register(lambda: (ours.close(), child.wait()))
    return ours, dict(os.environ)


def read_number(connection: socket.socket) -> int:
    """A number that the server tells.

    Raises:
        EOFError: it has ended.
    """
    told = connection.recv(NUMBER)
    if len(told) < NUMBER:
        raise EOFError("the server of commands has ended")
    return int.from_bytes(told, "little", signed=True)


# --- The server -------------------------------------------------------------------------------------------------------


def serve(connection: socket.socket) -> dict[str, object]:
    """Forks a process for each request; returns in that process, with the request."""
    while True:
        text, rights, _, _ = connection.recvmsg(REQUEST, socket.CMSG_LEN(STREAMS * NUMBER))
        if not text:
            os._exit(0)
        ends = array.array("i", rights[0][2])
        process = os.fork()
        if process == 0:
            connection.close()
            for number, end in enumerate(ends):
                os.dup2(end, number)
                os.close(end)
            return json.loads(text)
        for end in ends:
            os.close(end)
        connection.send(process.to_bytes(NUMBER, "little"))
        connection.send(os.waitpid(process, 0)[1].to_bytes(NUMBER, "little"))


def import_commands() -> None:
    """Imports what commands import."""
    import importlib
    import pkgutil

    import numpy  # noqa: F401

    import ttkit.drivers
    import ttkit.interpreter
    from ttkit.passes.registry import PASSES

    for module in pkgutil.iter_modules(ttkit.drivers.__path__, "ttkit.drivers."):
        importlib.import_module(module.name)
    for place in PASSES.values():
        importlib.import_module(place.partition(":")[0])
    for name in ("compiler.compilation", "runtime", "validation", "reduce.reducer", "fuzzing.campaign"):
        importlib.import_module(f"ttkit.{name}")


def become(request: dict[str, object]) -> None:
    """Runs a command as if this process had been started for it."""
    words = request["words"]
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environment"])
    if words[0] == sys.executable:
        sys.argv, sys.path[0] = words[2:], os.getcwd()
        if not hasattr(sys.modules.get(words[2]), "__path__"):
            sys.modules.pop(words[2], None)  # else runpy warns that it is there already
        runpy.run_module(words[2], run_name="__main__", alter_sys=True)
    else:
        sys.argv, sys.path[0] = words, os.path.dirname(words[0])
        runpy.run_path(words[0], run_name="__main__")


def end(ended: SystemExit) -> None:
    """Ends the process as Python does, but frees nothing: that would copy the pages of all modules."""
    if not isinstance(ended.code, (int, type(None))):  # which Python prints
        raise ended
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        raise ended from None
    os._exit((ended.code or 0) & 0xFF)


if __name__ == "__main__":
    import gc

    import_commands()
    gc.freeze()  # a collection in a fork would copy all pages of what is imported
    try:
        become(serve(socket.socket(fileno=int(sys.argv[1]))))
    except SystemExit as ended:
        end(ended)
    end(SystemExit())
