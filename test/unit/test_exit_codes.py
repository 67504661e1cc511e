"""Exit codes of all commands: where there is nothing to do, which is never 0, and where the input is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands
from sweeps import swept

from ttkit.drivers import toolkit

ROOT = Path(__file__).parents[2]
FILES = {
    "none.py": "print('no kernel')\n",
    "empty.mlir": "module {\n}\n",
    "noop.mlir": "tt.func @noop() {\n  tt.return\n}\n",
    "bad.mlir": "not IR\n",
    "none.ll": "",
    "k.py": "import ttkit\nimport ttkit.language as tl\n\n\n@ttkit.jit\ndef k(x, n):\n    tl.store(x, n)\n",
    "three.py": "import sys\n\nsys.exit(3)\n",
    "killed.py": "import os\n\nos.kill(os.getpid(), 9)\n",
    "outside.mlir": (
        "tt.func public @outside(%p: !tt.ptr<i32>) {\n  %n = arith.constant 100000 : i32\n"
        "  %q = tt.addptr %p, %n : !tt.ptr<i32>, i32\n  tt.store %q, %n : !tt.ptr<i32>\n  tt.return\n}\n"
    ),
    "kept.txt": "",
    "launches.py": (
        "import numpy\nfrom k import k\n\n\nif __name__ == '__main__':\n    k[(1,)](numpy.zeros(1, numpy.int32), 3)\n"
    ),
    "no_times.json": '{"format": 1, "timings": [], "choices": []}\n',
    "empty.zip": "PK\5\6" + 18 * "\0",
    "no_launches.json": '{"format": 1, "launches": []}\n',
}
AOT = ["-n", "k", "-s", "*i32, i32", "-t", "90"]
COMMANDS = {
    "tt-opt": (["--check-passes", "--cse", "empty.mlir"], ["bad.mlir"]),
    "mlir-opt": (["--check-passes", "--cse", "empty.mlir"], ["bad.mlir"]),
    "tt-run": (["empty.mlir"], ["missing.mlir"]),
    "tt-layout": (["noop.mlir"], ["missing.mlir"]),
    "tt-compile": (["empty.mlir"], ["none.py"]),
    "tt-reduce": (["noop.mlir", "--test-pass", "cse", "--crash"], ["missing.mlir", "--test-pass", "cse", "--crash"]),
    "tt-lsp": ([], ["--no-such-option"]),
    "mlir-translate": (["empty.mlir"], ["--mlir-to-llvmir", "missing.mlir"]),
    "opt": (["empty.mlir"], ["missing.ll"]),
    "triton-san": (["all", "python", "none.py"], ["none", "python", "none.py"]),
    "proton": (["none.py"], ["missing.py"]),
    "proton-viewer": ([], ["none.py"]),
    "ttkit examples": ([str(ROOT / "examples")], ["none.py"]),
    "ttkit new-pass": ([], ["Not/A/Pass"]),
    "ttkit new-op": ([], ["rotate", "view"]),
    "ttkit schedule": (["noop.mlir"], ["missing.mlir"]),
    "ttkit sanitize": (["all", "python", "none.py"], ["none", "python", "none.py"]),
    "ttkit show-access": (["none.py"], ["missing.py"]),
    "ttkit prove": (["noop.mlir"], ["missing.mlir"]),
    "ttkit bisect": (["none.py"], ["missing.py"]),
    "ttkit fuzz": (["--pass", "nvws-lower-warp-group", "--programs", "2", "--size", "2"], ["--pass", "no-such-pass"]),
    "ttkit trace": (["none.py"], ["missing.py"]),
    "ttkit explore": (["none.py"], ["missing.py"]),
    "ttkit profile": (["none.py"], ["missing.py"]),
    "ttkit why": (["none.py"], ["missing.py"]),
    "ttkit upgrade-report": (["none.py"], ["missing.py"]),
    "ttkit lift": (["none.py"], ["missing.py"]),
    "ttkit aot": ([], ["k.py", *AOT, "-g", "n +"]),
    "ttkit export": (["none.py", "--out", "bundle", "-t", "90"], ["missing.py", "--out", "bundle", "-t", "90"]),
    "ttkit compile-all": (
        ["no_launches.json", "-t", "90", "-o", "b.ttkit"],
        ["missing.json", "-t", "90", "-o", "b.ttkit"],
    ),
    "ttkit tune": (["none.py"], ["missing.py"]),
    "ttkit doctor": (None, ["--no-such-option"]),
    "ttkit completion": ([], ["csh"]),
    "ttkit man": ([], ["kept.txt"]),
    "ttkit cache ls": (None, ["--dir", "missing"]),
    "ttkit cache verify": ([], ["--dir", "missing"]),
    "ttkit cache gc": (None, ["--dir", "missing"]),
    "ttkit cache export": (["kernels.zip", "--dir", "."], ["kernels.zip", "--dir", "missing"]),
    "ttkit cache import": (["empty.zip"], ["missing.zip"]),
    "ttkit cache warm": (["."], ["missing"]),
    "python -m ttkit.tools.compile": ([], ["k.py", *AOT, "-g", "n +"]),
    "python -m ttkit.tools.link": ([], ["missing.h", "-o", "linked"]),
}
STORE = ["--store", "new.sqlite"]
MODES = {
    "tt-opt --prove-passes": (["--cse", "empty.mlir"], ["bad.mlir"]),
    "ttkit prove --passes": (["none.py"], ["missing.mlir"]),
    "ttkit bisect --kernel": (["other", "launches.py"], ["other", "missing.py"]),
    "ttkit bisect --skip": (["no-such-pass", "launches.py"], ["no-such-pass", "missing.py"]),
    "ttkit lift --kernel": (["other", "launches.py"], ["other", "missing.py"]),
    "ttkit trace --compare": ([], ["missing.html", "missing.html"]),
    "ttkit profile --timeline": (None, ["missing.chrome_trace"]),
    "ttkit upgrade-report --no-run": (["none.py"], ["missing.py"]),
    "ttkit tune --show": (STORE, ["--store", "none.py"]),
    "ttkit tune --export": (["times.json", *STORE], ["times.json", "--store", "none.py"]),
    "ttkit tune --import": (["no_times.json", *STORE], ["missing.json", *STORE]),
    "ttkit cache export --kernel": (["other", "kernels.zip", "--dir", "."], ["k", "kernels.zip", "--dir", "missing"]),
    "ttkit doctor --unneeded": (None, ["--no-such-option"]),
    "ttkit doctor --trim": ([], ["--no-such-option"]),
    "python -m ttkit.compat": ([], ["missing.py"]),
}
"""Options with which a command does something else."""
ALL = COMMANDS | MODES


def table() -> dict[str, tuple[str, str]]:
    """The rows of the page: the codes for nothing to do and for wrong input."""
    text = (ROOT / "docs" / "exit_codes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|[^|]*\| (\d*) ?\|[^|]*\| (\d+) \|", text, re.M)
    return {name: (nothing, wrong) for name, nothing, wrong in rows}


def test_the_page_has_every_command():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    scripts = set(re.findall(r"^([\w-]+) =", project.partition("[project.scripts]\n")[2].partition("\n\n")[0], re.M))
    subjects = next(one for one in toolkit.command_line()._subparsers._group_actions)
    actions = subjects.choices
    cache = next(one for one in actions["cache"]._subparsers._group_actions).choices
    expected = (scripts - {"ttkit"}) | {f"ttkit {name}" for name in actions if name != "cache"}
    expected |= {f"ttkit cache {name}" for name in cache}
    expected |= {"python -m ttkit.tools.compile", "python -m ttkit.tools.link"}
    assert set(table()) == expected | set(MODES) and set(COMMANDS) == expected


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def ended(folder, command, arguments, run):
    first, *rest = command.split()
    words = [sys.executable if first == "python" else Path(sys.executable).with_name(first), *rest, *arguments]
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "TRITON_CACHE_DIR": str(folder / "cache")}
    return run(words, cwd=folder, env=environment)


def cold(words, **more):
    """Runs a command in a process that has imported nothing yet, as users do; `warm_commands.run` is faster."""
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **more)


@pytest.mark.parametrize("run", [warm_commands.run, swept(cold)], ids=["warm", "cold"])
@pytest.mark.parametrize("command", [name for name, (nothing, _) in ALL.items() if nothing is not None])
def test_nothing_done_is_not_success(command, run, folder):
    done = ended(folder, command, ALL[command][0], run)
    assert done.returncode != 0, done.stdout
    assert str(done.returncode) == table()[command][0], done.stderr
    assert done.stderr.strip() and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ALL)
def test_wrong_input_is_an_error(command, folder):
    done = ended(folder, command, ALL[command][1], warm_commands.run)
    assert str(done.returncode) == table()[command][1], done.stderr
    assert re.search("error|cannot open|can't open", done.stderr) and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    """
    triton-san_all_python proton ttkit_sanitize_all_python ttkit_show-access ttkit_prove_--passes ttkit_bisect
    ttkit_trace ttkit_explore ttkit_profile ttkit_why ttkit_upgrade-report ttkit_lift
    ttkit_export_--out_bundle_-t_90 ttkit_tune python_-m_ttkit.compat
    """.split(),
)
def test_the_code_of_a_script_that_fails(command, folder):
    done = ended(folder, command.replace("_", " "), ["three.py"], warm_commands.run)
    assert done.returncode == 3 and "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize(
    "command, arguments, code",
    [
        ("tt-opt", ["--convert-triton-to-tritongpu", "noop.mlir"], 1),
        ("tt-run", ["outside.mlir", "--arg", "zeros:i32:4"], 1),
        ("ttkit sanitize", ["all", "python", "killed.py"], 137),
        ("ttkit prove", ["outside.mlir", "--size", "arg0=4"], 1),
        ("ttkit prove", ["outside.mlir"], 2),
    ],
)
def test_other_codes(command, arguments, code, folder):
    """Those that no other test looks at; the last column of the page has all."""
    done = ended(folder, command, arguments, warm_commands.run)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
