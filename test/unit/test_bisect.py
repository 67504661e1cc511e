"""ttkit bisect: the kernel, pass and pattern that make a result wrong."""

import re
import subprocess
import sys
import textwrap

import pytest
import warm_commands
from sweeps import every, swept

import ttkit
from ttkit.bisection.applications import Limit, first_wrong
from ttkit.passes.manager import run_passes

SCRIPT = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def first(x, n: tl.constexpr):
    i = tl.arange(0, n)
    tl.store(x + i, tl.load(x + i) * 2)

@ttkit.jit
def second(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    a = tl.load(x + i, mask=mask)
    b = tl.load(y + i, mask=mask)
    small = b - a
    c = (a - small) * 2
    c = tl.where(c > 0, c, -c)
    d = c - a
    tl.store(out + i, d, mask=mask)

x, y, out = np.arange(100, dtype=np.float32), np.ones(100, np.float32), np.zeros(100, np.float32)
first[(1,)](np.ones(32, np.float32), n=32)
try:
    second[(4,)](x, y, out, 100, BLOCK=32)
except Exception:
    pass
"""


def test_a_script_that_checks_its_passes_itself(tmp_path):
    """`pipelines.checked()` in the script leaves launches to the command, which names the pass."""
    (tmp_path / "swap.py").write_text(SWAP)
    insert = 'pipelines.insert_after("triton-combine", "swap.py"), pipelines.checked()'
    script = SCRIPT.replace("try:\n    second", f"from ttkit import pipelines\nwith {insert}:\n    second")
    (tmp_path / "script.py").write_text(script.replace("except Exception:\n    pass\n", ""))
    done = warm_commands.ttkit(tmp_path, "bisect", "script.py")
    assert "greedy-swap" in done.stdout and "Traceback" not in done.stderr, done.stdout + done.stderr


SWAP = """
from mlir import ir
from ttkit.passes.infra import MATCHED, NO_MATCH, Pass, apply_greedily

class Swap(Pass):
    '''a - b becomes b - a, where a is selected.'''

    name = "greedy-swap"

    def run(self, op):
        def swap(found, rewriter):
            a, b = found.operands
            if "done" in found.attributes or getattr(a.owner, "name", "") != "arith.select":
                return NO_MATCH
            with rewriter.ip:
                done = {"done": ir.UnitAttr.get(found.context)}
                new = ir.Operation.create("arith.subf", [found.result.type], [b, a], done, loc=found.location)
            rewriter.replace_op(found.operation, new)
            return MATCHED

        apply_greedily(op, {"arith.subf": swap})
"""
CHANGE = """
from ttkit import pipelines

pipelines.insert_after("triton-combine", "greedy-swap")
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in (("script.py", SCRIPT), ("swap.py", SWAP), ("change.py", CHANGE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder, *arguments, device="interpret:sm_90"):
    return warm_commands.ttkit(folder, *arguments, TTKIT_DEVICE=device)


def test_the_kernel_the_pass_and_the_pattern_are_found(folder):
    ended = run(folder, "bisect", "--load-pass", "swap.py", "--pipeline-file", "change.py", "script.py")
    assert ended.returncode == 0, ended.stderr
    assert "launch 2, kernel second: pass 'greedy-swap' changes what @second does: out[" in ended.stdout
    assert "makes it wrong: pattern for arith.subf\n  on %" in ended.stdout
    assert re.search(r"^  at script\.py:20:\d+$", ended.stdout, re.M)  # the column of an editor
    file = folder / "second.greedy-swap.mlir"
    assert f"reproducer (5 operations): ./{file.name}" in ended.stdout
    # The command that is printed shows the mistake, and so does the RUN line.
    command = ended.stdout.strip().splitlines()[-1].strip()
    shown = subprocess.run(
        command.replace("tt-opt", f"{sys.executable} -m ttkit.drivers.opt", 1),
        shell=True,
        capture_output=True,
        text=True,
        cwd=folder,
    )
    assert shown.returncode == 1
    assert "pass 'greedy-swap' changes what @second does" in shown.stderr
    assert file.read_text().startswith(
        "// RUN: not tt-opt %s --load-pass=swap.py '--pass-pipeline=builtin.module(greedy-swap)'"
    )


@pytest.mark.sweep
def test_with_and_without_a_pass(folder):
    arguments = ("--load-pass", "swap.py", "--pipeline-file", "change.py", "--skip", "greedy-swap", "script.py")
    ended = run(folder, "bisect", *arguments)
    assert ended.returncode == 0, ended.stderr
    assert "launch 2, kernel second: with greedy-swap there is a change" in ended.stdout
    assert "--pass-pipeline=builtin.module(greedy-swap)'" in ended.stdout
    assert "--pass-pipeline=builtin.module()'" in ended.stdout


# What code generation or a GPU would do: a launch leaves something else than the kernel does.
SPOIL = {
    "a hook": "launch_exit_hook.add(spoil)",
    "a chain of the script's own": "launch_exit_hook = Chain(spoil)",
    "a function": "launch_exit_hook = spoil",
}


@pytest.mark.parametrize("by", every(3, SPOIL.values()), ids=SPOIL)
def test_launches_are_compared_with_the_interpreter(folder, by):
    text = (folder / "script.py").read_text()
    spoiled = "import ttkit.knobs\nspoil = lambda _: out.__setitem__(7, 1234.0)\n"
    spoiled += "def Chain(call):\n    made = ttkit.knobs.HookChain()\n    made.add(call)\n    return made\n"
    spoiled += f"ttkit.knobs.runtime.{by}\n"
    (folder / "script.py").write_text(text.replace("first[(1,)]", f"{spoiled}first[(1,)]"))
    ended = run(folder, "bisect", "script.py")
    assert ended.returncode == 0, ended.stderr
    assert "launch 2, kernel second: @second computes something else than the interpreter: out[7] is" in ended.stdout
    assert "by the interpreter and 1234.0 by the launch (1 of 100 elements differ)" in ended.stdout
    assert "no pass changes the result down to llvm" in ended.stdout
    assert "tt-run ./second.launch.mlir --grid=4,1,1 --arg=@./second.launch.x.npy" in ended.stdout
    assert ended.stdout.strip().endswith("--device=cuda --compare")
    # The command without the GPU runs.
    command = ended.stdout.strip().splitlines()[-1].strip().removesuffix(" --device=cuda --compare")
    command = command.replace("tt-run", f"{sys.executable} -m ttkit.drivers.run")
    assert subprocess.run(command, shell=True, cwd=folder, capture_output=True).returncode == 0


def test_a_pass_that_no_kernel_ran_was_not_checked(folder):
    found = run(folder, "bisect", "--load-pass", "swap.py", "script.py")
    assert found.returncode == 1
    assert "not checked: pass 'greedy-swap' ran in no kernel; --pipeline-file inserts it" in found.stderr
    after = run(folder, "bisect", "--load-pass", "swap.py", "script.py", "--pipeline-file=change.py")
    assert "note: --pipeline-file stands after script.py, which gets it; ttkit bisect takes options" in after.stderr
    explicit = run(folder, "bisect", "script.py", "--", "--pipeline-file=change.py")
    assert "note:" not in explicit.stderr


def test_where_nothing_is_wrong(folder):
    ended = run(folder, "bisect", "script.py")
    assert (ended.returncode, ended.stdout) == (
        1,
        "2 launches: no pass changes a result, and the launches' results are right\n",
    )
    ended = run(folder, "bisect", "--kernel", "first", "--skip", "triton-combine", "script.py")
    assert ended.stdout == "1 launch: the results are the same with and without triton-combine\n"
    ended = run(folder, "bisect", "--kernel", "none", "script.py")
    assert (ended.stdout, ended.stderr) == ("", "no kernel none was launched, so nothing was checked\n")
    ended = run(folder, "bisect", "--skip", "no-such-pass", "script.py")
    told = "no kernel with such a pass was launched, so nothing was checked\n"
    assert not ended.stdout and ended.stderr.endswith(told)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name the script"),
        (("nothing.py",), "no such file: nothing.py"),
        (("--load-pass", "nothing.py", "script.py"), "nothing.py"),
        (("-o", "nowhere", "script.py"), "no such folder: nowhere"),
        (("--programs", "0", "script.py"), "--programs must be at least 1, found 0"),
    ],
)
def test_command_lines_that_can_not_be(folder, arguments, said):
    ended = run(folder, "bisect", *arguments)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


CHAIN = "tt.func @f(%a: i32) -> i32 {\n" + "".join(
    f"  %{n + 1} = arith.addi {'%a' if n == 0 else f'%{n}'}, %a : i32\n" for n in range(8)
)
CHAIN += "  tt.return %8 : i32\n}\n"


def test_patterns_are_counted_and_left_out(tmp_path):
    """Patterns in C++ and in Python, in the one stream of events."""
    text = "tt.func @f(%a: i32) -> i32 {\n  %c = arith.constant 3 : i32\n  %d = arith.constant 4 : i32\n"
    text += "  %e = arith.addi %a, %c : i32\n  %g = arith.addi %e, %d : i32\n  tt.return %g : i32\n}\n"

    def tried(most):
        limit = Limit(most)
        with ttkit.Context():
            module = ttkit.parse(text)
            run_passes(module, "canonicalize", subscribers=[limit])
            return limit, str(module)

    everything, result = tried(None)
    assert everything.tried > 0
    assert tried(everything.tried)[1] == result
    last = tried(1)[0].last
    assert last is not None
    assert last.number == 1
    assert "arith" in last.operation or "tt." in last.operation


def test_the_first_application_is_found(tmp_path):
    path = tmp_path / "renaming.py"
    path.write_text(
        textwrap.dedent(
            """
            from mlir import ir
            from ttkit.passes.infra import MATCHED, NO_MATCH, Pass, apply_greedily

            class Counting(Pass):
                '''Marks additions.'''
                name = "count-additions"

                def run(self, op):
                    def mark(found, rewriter):
                        if "seen" in found.attributes:
                            return NO_MATCH
                        found.attributes["seen"] = ir.UnitAttr.get(found.context)
                        return MATCHED
                    apply_greedily(op, {"arith.addi": mark})
            """
        )
    )
    ttkit.load_pass_file(str(path))

    def wrong(limit):
        with ttkit.Context():
            module = ttkit.parse(CHAIN)
            run_passes(module, "count-additions", subscribers=[limit])
            return str(module).count("seen") >= 5

    application, total = first_wrong(wrong)
    assert total >= 8
    assert application.pattern == "pattern for arith.addi"
    found = Limit(application.number - 1)
    assert not wrong(found)


def test_passes_without_patterns_are_said_to_be_so():
    def wrong(limit):
        with ttkit.Context():
            module = ttkit.parse(CHAIN)
            run_passes(module, "cse", subscribers=[limit])
        return True

    assert first_wrong(wrong) == (None, 0)


RAISES = 'raise RuntimeError("boom")'
SPOILS = "collect(op, ['tt.store'])[0].operands[0] = collect(op, ['tt.store'])[0].operands[1]"
FAILING = """
from ttkit.inspection import collect
from ttkit.passes.infra import Pass

class Failing(Pass):
    '''Fails.'''

    name = "failing"

    def run(self, op):
        {}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (RAISES, "pass 'failing' raised RuntimeError: boom (failing.py:11)"),
        swept((SPOILS, "pass 'failing' fails, or makes invalid IR: 'tt.store' op operand #0 must be ptr")),
    ],
    ids=["it raises", "invalid IR"],
)
def test_a_pass_that_fails_is_named(folder, body, message):
    (folder / "failing.py").write_text(FAILING.format(body))
    (folder / "change.py").write_text(CHANGE.replace("greedy-swap", "failing"))
    ended = run(folder, "bisect", "--load-pass", "failing.py", "--pipeline-file", "change.py", "script.py")
    assert ended.returncode == 0, ended.stderr
    assert f"launch 1, kernel first: {message}" in ended.stdout
    command = ended.stdout.strip().splitlines()[-1].strip()
    command = command.replace("tt-opt", f"{sys.executable} -m ttkit.drivers.opt", 1)
    shown = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=folder)
    assert shown.returncode == 1
    assert message.partition("IR: ")[2] in shown.stderr


def test_the_command_loads_passes_that_the_script_loaded(folder):
    (folder / "failing.py").write_text(FAILING.format(RAISES))
    lines = 'ttkit.load_pass_file("failing.py")\nttkit.pipelines.insert_after("triton-combine", "failing")\n'
    (folder / "script.py").write_text(SCRIPT.replace("import ttkit\n", f"import ttkit\n{lines}", 1))
    ended = run(folder, "bisect", "script.py")
    assert ended.returncode == 0, ended.stderr
    assert "--load-pass=failing.py" in ended.stdout.splitlines()[-1]


def test_the_command_says_which_pass_only_the_script_has(folder):
    lines = 'ttkit.pipelines.insert_after("triton-combine", Failing)\n'
    (folder / "script.py").write_text(FAILING.format(RAISES) + "import ttkit\n" + lines + SCRIPT)
    ended = run(folder, "bisect", "script.py")
    assert ended.returncode == 0, ended.stderr
    assert "add --load-pass=FILE.py: the script defines 'failing'" in ended.stdout.splitlines()[-1]


def test_a_script_without_launches_was_not_checked(folder):
    (folder / "script.py").write_text("pass\n")
    ended = run(folder, "bisect", "script.py")
    assert ended.returncode == 1
    assert "no kernel was launched, so nothing was checked" in ended.stderr
    assert not ended.stdout
