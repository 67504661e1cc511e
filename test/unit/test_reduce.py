"""tt-reduce: planted mistakes in 200 lines of IR come down to 12 operations, whatever a mistake does."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sweeps import swept

import ttkit
from ttkit.interpreter.check.random_programs import random_program
from ttkit.reduce import questions
from ttkit.reduce.python_source import PythonSource
from ttkit.reduce.reducer import NotInteresting, Reducer, reduce_ir
from ttkit.workers import Died, Workers

PLANTED = Path(__file__).parent / "planted_bugs.py"
SIZE = 22
MOST_OPERATIONS = 12

# What is asked about each.
DIFFERS, CRASHES, FAILS, SLOWER = questions.Differs, questions.Crashes, questions.Fails, questions.Slower
BUGS = {
    "planted-swap": (DIFFERS, {}),
    "planted-select": (DIFFERS, {}),
    "planted-scan": (DIFFERS, {}),
    "planted-loop": (DIFFERS, {}),
    "planted-minimum": (DIFFERS, {}),
    "planted-split": (DIFFERS, {}),
    "planted-absolute": (DIFFERS, {}),
    "planted-load": (DIFFERS, {}),
    "planted-abort": (CRASHES, {}),
    "planted-assertion": (CRASHES, {}),
    "planted-nesting": (CRASHES, {}),
    "planted-division": (CRASHES, {}),
    "planted-recursion": (CRASHES, {}),
    "planted-exit": (CRASHES, {}),
    "planted-refusal": (FAILS, {}),
    "planted-invalid": (FAILS, {}),
    "planted-mark": (questions.Contains, {"expression": "marked"}),
    "planted-duplicate": (questions.Contains, {"expression": "again"}),
    "planted-slow": (SLOWER, {"seconds": 0.15}),
    "planted-slow-root": (SLOWER, {"seconds": 0.15}),
}
QUICK = ("planted-split", "planted-assertion", "planted-invalid", "planted-mark")


@pytest.fixture(scope="module", autouse=True)
def planted(planted_passes):
    assert set(planted_passes) == set(BUGS)


def reduce_first(question):
    """The reduction of the first program of 200 lines and more that shows a mistake."""
    for seed in range(60):
        text = random_program(seed, SIZE).text
        if text.count("\n") >= 200:
            try:
                return reduce_ir(text, question())
            except NotInteresting:
                continue
    raise AssertionError("no program shows it")


@pytest.mark.parametrize("name", [one if one in QUICK else swept(one) for one in BUGS])
def test_planted_mistakes_come_down_to_a_few_operations(name):
    kind, more = BUGS[name]
    found = reduce_first(lambda: kind(pipeline=name, timeout=30.0, **more))
    assert found.operations <= MOST_OPERATIONS, found.text
    assert found.seconds < 60
    ttkit.parse(found.text, ttkit.Context())


def test_a_crash_stays_the_same_crash():
    """A pass that dies of two things is reduced for the one that the input shows."""
    found = reduce_first(lambda: CRASHES(pipeline="planted-exit,planted-assertion", timeout=30.0))
    assert found.sign == "exit code 3"
    assert "tt.join" in found.text
    assert "tt.trans" not in found.text


LOOP = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.extra = 3 : i32} {
  tt.func private @helper(%x: tensor<512xf32, #other>) -> tensor<512xf32, #other> {
    %0 = arith.negf %x : tensor<512xf32, #other>
    tt.return %0 : tensor<512xf32, #other>
  }
  tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %m: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c77 = arith.constant 77 : i32
    %one = arith.constant dense<1.500000e+00> : tensor<512xf32, #other>
    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #other>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #other>
    %ptr = tt.addptr %base, %range : tensor<512x!tt.ptr<f32>, #other>, tensor<512xi32, #other>
    %limit = tt.splat %n : i32 -> tensor<512xi32, #other>
    %mask = arith.cmpi slt, %range, %limit : tensor<512xi32, #other>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one, %k = %c77) -> (tensor<512xf32, #other>, i32) : i32 {
      %v = tt.load %ptr, %mask, %one {isVolatile = true} : tensor<512x!tt.ptr<f32>, #other>
      %s = arith.addf %acc, %v : tensor<512xf32, #other>
      %even = arith.cmpi eq, %i, %c1 : i32
      %chosen = scf.if %even -> (tensor<512xf32, #other>) {
        %w = tt.call @helper(%s) : (tensor<512xf32, #other>) -> tensor<512xf32, #other>
        scf.yield %w : tensor<512xf32, #other>
      } else {
        scf.yield %s : tensor<512xf32, #other>
      }
      %k1 = arith.addi %k, %m : i32
      scf.yield %chosen, %k1 : tensor<512xf32, #other>, i32
    }
    %c = ttg.convert_layout %r#0 : tensor<512xf32, #other> -> tensor<512xf32, #blocked>
    %d = ttg.convert_layout %c : tensor<512xf32, #blocked> -> tensor<512xf32, #other>
    tt.store %ptr, %d, %mask : tensor<512x!tt.ptr<f32>, #other>
    tt.return
  }
}
"""


@pytest.mark.parametrize(
    ("expression", "gone", "most"),
    [
        ("tt.load", ("scf", "convert_layout", "isVolatile", "%m", "helper", "divisibility", "extra", "512"), 3),
        (r"scf\.for", ("scf.if", "tt.load", "77", "iter_args", "512"), 5),
        (r"arith\.negf", ("scf", "tt.load", "kernel"), 3),
        (r"ttg\.convert_layout", ("scf", "tt.load", "512", "helper"), 3),
    ],
)
def test_every_part_of_a_module_goes(expression, gone, most):
    found = reduce_ir(LOOP, questions.Contains(pipeline="", expression=expression, timeout=30.0))
    assert not [one for one in gone if one in found.text], found.text
    assert found.operations <= most, found.text


def test_blocks_and_branches_go():
    text = """
    tt.func public @f(%c: i1, %p: !tt.ptr<i32>, %a: i32) {
      cf.cond_br %c, ^one(%a : i32), ^two
    ^one(%x: i32):
      %y = arith.muli %x, %x : i32
      tt.store %p, %y : !tt.ptr<i32>
      cf.br ^three
    ^two:
      tt.store %p, %a : !tt.ptr<i32>
      cf.br ^three
    ^three:
      tt.return
    }
    """
    found = reduce_ir(text, questions.Contains(pipeline="", expression="arith.muli", timeout=30.0))
    assert "cf." not in found.text
    assert found.operations == 3


def test_what_shows_nothing_is_refused():
    question = questions.Crashes(pipeline="canonicalize", timeout=30.0)
    with pytest.raises(NotInteresting, match="the passes succeed"):
        reduce_ir(LOOP, question)
    with pytest.raises(NotInteresting, match="expected"):
        reduce_ir("tt.func @f(", question)
    with pytest.raises(NotInteresting, match="no pass changes a result"):
        reduce_ir(LOOP, questions.Differs(pipeline="cse", timeout=30.0))


KERNEL = '''
import ttkit.language as tl
from ttkit import jit

# A comment.
@jit
def kernel(x, y, n: tl.constexpr, flag):
    """What it does."""
    offsets = tl.arange(0, n)
    a = tl.load(x + offsets, mask=offsets < 100, other=0.0)
    b = a * 2 + 1
    for i in range(4):
        if flag:
            b += tl.exp(a)
        else:
            b -= tl.log(a + 1)
    total = tl.sum(b)
    tl.store(y + offsets, b, mask=offsets < 100)


def main():
    print("begins")
    for value in [1, 2, 3]:
        if value == 2:
            print("needle", max(value, 7) // 1)


main()
'''


def test_scripts_lose_statements_and_parts_of_expressions(tmp_path):
    source = tmp_path / "script.py"
    source.write_text(KERNEL)
    question = questions.Command(command=f"{sys.executable} {{}}", suffix=".py", expression="^needle", timeout=30.0)
    found = Reducer(question, 2, PythonSource()).reduce(KERNEL)
    assert found.text.split() == ["print('needle')"]


def test_a_kernel_in_a_script_stays_a_kernel():
    source = textwrap.dedent(KERNEL).replace("main()\n'''", "'''")
    program = (
        "import sys; text = open(sys.argv[1]).read(); compile(text, 'k', 'exec'); "
        "sys.exit(not ('tl.exp' in text and 'jit' in text and 'def kernel' in text))"
    )
    question = questions.Command(command=f'{sys.executable} -c "{program}"', suffix=".py", timeout=30.0)
    found = Reducer(question, 2, PythonSource()).reduce(source)
    assert found.operations <= 4, found.text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--test-pass", "planted-exit", "--crash", "--load-pass", str(PLANTED)], 0, "exit code 3"),
        (["--test", "grep -q tt.join"], 0, "exit code 0"),
        (["--test", "false"], 1, "it does not show what is looked for: the command ends with exit code 1"),
        (["--test-pass", "no-such-pass", "--crash"], 1, "no-such-pass"),
        (["--test-pass", "cse"], 2, "--test-pass needs a condition"),
        ([], 2, "no condition was given"),
        (["--test", "true", "--differs"], 2, "--test can be combined with --contains only"),
        (["--test-pass", "cse", "--contains", "("], 2, "--contains takes a regular expression"),
        (["--test-pass", "cse", "--slower-than", "soon"], 2, "is not a time"),
        (["--test-pass", "cse", "--crash", "--load-pass", "missing.py"], 1, "--load-pass: "),
    ],
)
def test_the_command(arguments, code, said, tmp_path):
    source, output = tmp_path / "in.mlir", tmp_path / "out.mlir"
    text = next(text for seed in range(60) if "tt.join" in (text := random_program(seed, SIZE).text))
    source.write_text(text)
    command = [sys.executable, "-m", "ttkit.drivers.reduce", str(source), "-o", str(output), "-j", "2", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == code, ended.stderr
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert output.exists() == (code == 0)
    if not code:
        assert output.read_text().count("\n") <= 7


def test_workers_that_die_or_hang_are_replaced():
    def answer(job, reached):
        reached(job + 1)
        if job % 3 == 0:
            os.abort()
        while job % 3 == 1:
            pass
        return job * 2

    with Workers(2, answer, timeout=0.5) as workers:
        replies = dict(workers.each(range(6)))
    assert replies[2] == 4
    assert replies[5] == 10
    for number in (0, 3):
        assert isinstance(replies[number], Died)
        assert (replies[number].how, replies[number].reached) == ("SIGABRT", number + 1)
    assert replies[1].how == "too long"
