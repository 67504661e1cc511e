"""Commands whose standard streams are closed or full, or read by nobody any more."""

import fcntl
import functools
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
import warm_commands
from sweeps import swept

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "examples" / "kernels" / "matmul_bias.ttir"
SCRIPTS = Path(sys.executable).parent
COMMANDS = {
    "version": ["tt-opt", "--version"],
    "help": ["tt-opt", "--help"],
    "native passes": ["tt-opt", KERNEL, "--canonicalize"],
    "our passes": ["tt-opt", KERNEL, "--ttkit-ttir"],
    "diagnostics": ["tt-opt", "no-such-file.mlir"],
    "tt-run --help": ["tt-run", "--help"],
    "tt-layout --help": ["tt-layout", "--help"],
    "tt-layout": ["tt-layout", "-l", "#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], "
                  "threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>}>", "-t", "tensor<512xf32>"],
    "tt-compile --help": ["tt-compile", "--help"],
    "ttkit": ["ttkit", "cache", "ls"],
    **{f"ttkit {words}": ["ttkit", *words.split()] for words in (
        "doctor", "completion bash", "cache verify", "--help", "aot --help", "man pages", "cache gc",
        f"schedule {ROOT / 'examples/kernels/matmul_loop.ttir'}", f"prove {KERNEL}", "fuzz --pass cse --programs 1",
        "trace loud.py", "profile loud.py", "show-access loud.py", "why loud.py", "bisect loud.py", "explore loud.py",
        "export loud.py --out bundle -t 90", "new-pass a-pass",
    )},
    **{name: words.split() for name, words in {
        "proton": "proton loud.py", "proton-viewer": "proton-viewer --help", "triton-san": "triton-san --help",
        "tt-reduce": "tt-reduce --help", "tt-lsp": "tt-lsp --help", "tt-compile": f"tt-compile {KERNEL} -o k.ptx",
        "mlir-opt": "mlir-opt --help", "tools.compile": "python -m ttkit.tools.compile --help",
        "tools.link": "python -m ttkit.tools.link --help", "compat --list": "python -m ttkit.compat --list",
        "compat --help": "python -m ttkit.compat --help",
    }.items()},
}  # fmt: skip
SAID = ("diagnostics", "ttkit profile loud.py", "proton")
"""Commands that say something on standard error."""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_reader_that_went_away(name, tmp_path):
    program, *arguments = COMMANDS[name]
    (tmp_path / "loud.py").write_text("for number in range(50_000):\n    print('line', number)\n")
    (tmp_path / "cache" / "entry").mkdir(parents=True)
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    command = [SCRIPTS / program, *arguments]
    done = warm_commands.run(command, cwd=tmp_path, env=environment, is_read=False)
    told = done.stderr
    assert done.returncode in (128 + signal.SIGPIPE, -signal.SIGPIPE, 0, 1, 2), told
    assert "Broken pipe" not in told and "Traceback" not in told and "BrokenPipe" not in told, told
    if name not in SAID:
        assert not told


def test_no_unfinished_file_stays(tmp_path):
    (tmp_path / "bad.mlir").write_text("\n// -----\n".join(["func.func @f( {"] * 400))
    command = f'"{SCRIPTS}/tt-opt" bad.mlir --split-input-file -o out.mlir 2>&1 >/dev/null | head -c 1 > /dev/null'
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.mlir"]


@pytest.mark.parametrize("closed", [swept("<&-"), ">&-", swept("2>&-"), "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["tt-opt", KERNEL, "--canonicalize", "-o", "out"],
        ["tt-opt", KERNEL, "--canonicalize"],
        ["tt-opt", "--help"],
        ["tt-run", "--help"],
        ["tt-compile", KERNEL, "-o", "out.ptx"],
        ["ttkit", "completion", "bash"],
        ["tt-lsp", "--version"],
        ["proton-viewer", "--version"],
    ],
)  # fmt: skip
def test_streams_that_are_closed_are_as_dev_null(closed, arguments, tmp_path):
    shell = f'"$@" {closed}'
    done = subprocess.run(
        ["bash", "-c", shell, "bash", SCRIPTS / arguments[0], *arguments[1:]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    for written in filter(Path.is_file, tmp_path.iterdir()):  # and what would be printed is in no file
        assert written.name != "out" or written.read_text().startswith("module")


@pytest.mark.parametrize(
    "arguments",
    [["tt-opt", "--help"], ["tt-opt", "--version"], ["tt-lsp", "--version"], ["ttkit", "completion", "bash"]],
)
def test_output_that_cannot_be_written_is_one_error(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [SCRIPTS / arguments[0], *arguments[1:]], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "error: [Errno 28] No space left on device\n")


def test_a_script_that_is_none_is_told_without_the_commands_own_frames(tmp_path):
    (tmp_path / "none.py").write_text("def (:\n")
    for command in ("trace", "show-access"):
        done = subprocess.run(
            [SCRIPTS / "ttkit", command, "none.py"], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 1
        assert "SyntaxError" in done.stderr and "ttkit/" not in done.stderr and "runpy" not in done.stderr


@pytest.mark.parametrize("arguments", [["tt-opt"], ["tt-opt", "--triton-combine"], ["tt-lsp"], ["tt-run", "-"]])
def test_an_interruption_ends_commands_that_read_standard_input(arguments):
    program = [SCRIPTS / arguments[0], *arguments[1:]]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # What a shell runs in the background, tests perhaps, ignores interruptions, and so would the command.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(program, **pipes, preexec_fn=heed) as process:
        process.stdin.write(b"x")
        process.stdin.flush()
        while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) != bytes(4):  # it has not begun to read
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (-signal.SIGINT, 1)
        assert b"Traceback" not in process.stderr.read()


def test_a_reduction_looks_first_at_where_its_result_goes(tmp_path):
    for output, found in ((tmp_path, f"'{tmp_path}' is a folder: name a file"), ("no/where", "no such folder: no")):
        command = [SCRIPTS / "tt-reduce", KERNEL, "--test", "sleep 600", "-o", output]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (1, f"error: {found}\n")


SCRIPT_WITH_A_CYCLE = """
class Log:
    def __init__(self):
        self.me = self

    def __del__(self):
        with open("log", "w") as file:
            file.write("written")

Log()
"""


@pytest.mark.parametrize(
    ("main", "frozen"), [("print('done')", "True"), ("user_scripts.run_script('script.py', [])", "False")]
)
def test_modules_alone_are_left_out_of_the_last_collection(main, frozen, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT_WITH_A_CYCLE)
    program = f"""
import atexit, gc, sys
from ttkit import standard_streams, user_scripts
atexit.register(lambda: print(gc.get_freeze_count() > 0))
standard_streams.with_standard_streams(lambda _: {main})()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True, timeout=60
    )
    assert done.stdout.split()[-1] == frozen
    if frozen == "False":
        assert (tmp_path / "log").read_text() == "written"
