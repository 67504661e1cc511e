"""ttkit fuzz: random programs for a pass; what it finds is made small, and kept as a test that fails for as long."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands
from sweeps import swept

from ttkit.context import Context, parse_text
from ttkit.fuzzing.campaign import Campaign, Result
from ttkit.fuzzing.growth import grow
from ttkit.fuzzing.kinds import Kinds
from ttkit.fuzzing.material import in_stages, program
from ttkit.fuzzing.phrases import phrases_of
from ttkit.inspection import collect
from ttkit.interpreter.check.random_programs import random_program
from ttkit.passes.infra.pass_files import classes_of_file

PLANTED = Path(__file__).parent / "planted_bugs.py"


@pytest.fixture(scope="module", autouse=True)
def planted(planted_passes):
    """Known to this process, and to the workers that it forks."""


@pytest.mark.parametrize(
    ("name", "verdict", "most"),
    [
        swept(("planted-select", "differs", 12)),
        swept(("planted-abort", "crashes", 6)),
        ("planted-division", "crashes", 5),
        ("planted-invalid", "fails", 4),
    ],
)
def test_mistakes_are_found_reduced_and_kept(name, verdict, most, tmp_path):
    campaign = Campaign(name, corpus=str(tmp_path), load_pass=[str(PLANTED)])
    found = next(campaign.run(range(100), say=lambda text: None))
    assert found.verdict == verdict
    assert found.operations <= most
    # The RUN line fails while the mistake is there.
    command = re.search("// RUN: (.*)", Path(found.path).read_text())[1]
    command = command.replace("tt-opt", f"{sys.executable} -m ttkit.drivers.opt").replace("%s", found.path)
    command = command.replace("ttkit fuzz", f"{sys.executable} -m ttkit fuzz")
    if "tt-opt" in Path(found.path).read_text():
        assert [one.verdict for one in campaign.replay()] == [verdict]
    command = command.replace("%t", str(tmp_path / "out"))
    assert subprocess.run(command, shell=True, capture_output=True).returncode != 0


@pytest.mark.parametrize(
    ("name", "verdict", "programs"), [swept(("planted-select", "differs", 55)), ("planted-division", "crashes", 30)]
)
def test_one_bug_of_a_kind_is_reduced_and_others_are_counted(name, verdict, programs, tmp_path):
    campaign = Campaign(name, corpus=str(tmp_path), load_pass=[str(PLANTED)])
    assert len(list(campaign.run(range(programs), say=lambda text: None))) == 1
    (kind,) = campaign.kinds.found
    assert kind.others == campaign.counts[verdict] - 1 > 0
    again = Campaign(name, corpus=str(tmp_path), load_pass=[str(PLANTED)])
    assert len(list(again.replay())) == 1
    assert not list(again.run(range(programs), say=lambda text: None))


def test_a_bug_in_a_lit_test_of_the_pass_is_kept(tmp_path):
    """Random programs have no quotients of 7.0 and 3.0."""
    (tmp_path / "rare.py").write_text(RARE)
    (tmp_path / "rare.mlir").write_text(
        "tt.func @f(%p: !tt.ptr<f32>) {\n  %a = arith.constant 7.0 : f32\n  %b = tt.load %p : !tt.ptr<f32>\n"
        "  %c = arith.divf %b, %a : f32\n  tt.store %p, %c : !tt.ptr<f32>\n  tt.return\n}\n"
    )
    options = "--load-pass rare.py --pass rare --programs 1 --size 1 -j 1"
    done = warm_commands.ttkit(tmp_path, "fuzz", *options.split())
    assert done.returncode == 1 and "module 1 of rare.mlir: differs" in done.stdout, done.stdout + done.stderr
    (kept,) = (tmp_path / "fuzz-corpus").iterdir()
    assert kept.name == "rare.module-1.mlir" and f"kept as fuzz-corpus/{kept.name}" in done.stdout
    assert kept.read_text().startswith("// Module 1 of its lit tests: differs") and "--check-passes" in kept.read_text()


RARE = """
from ttkit.dialects import arith
from ttkit.passes.infra import Pass
from ttkit.inspection import collect

class Rare(Pass):
    \"""Swap operands of quotients\"""
    name = "rare"
    def run(self, op):
        for one in collect(op, ["arith.divf"]):
            one.operands[0], one.operands[1] = one.operands[1], one.operands[0]
"""


def test_proofs_refute_what_the_inputs_of_programs_do_not_show(tmp_path):
    (tmp_path / "seldom.py").write_text(SELDOM)
    options = "--load-pass seldom.py --pass seldom --programs 10 -j 1"
    done = warm_commands.ttkit(tmp_path, "fuzz", *options.split())
    assert done.returncode == 0 and re.search(r"\d+ fine", done.stdout), done.stdout + done.stderr
    done = warm_commands.ttkit(tmp_path, "fuzz", *options.split(), "--prove")
    assert done.returncode == 1 and "refuted: @random: " in done.stdout, done.stdout + done.stderr
    [kept] = (tmp_path / "fuzz-corpus").iterdir()
    assert "--prove-passes" in kept.read_text()
    options = "--pass triton-combine --programs 10 -j 1 --prove"
    done = warm_commands.ttkit(tmp_path, "fuzz", *options.split())
    assert done.returncode == 0 and re.search(r"\d+ proved, \d+ unchanged", done.stdout), done.stdout + done.stderr


SELDOM = """
from mlir import ir
from ttkit.passes.infra import Pass
from ttkit.inspection import collect

class Seldom(Pass):
    \"""Store 0 where a number is 123456\"""
    name = "seldom"
    def run(self, op):
        for store in collect(op, ["tt.store"]):
            value = store.operands[1]
            if str(value.type) != "i32" and "xi32" not in str(value.type):
                continue
            with ir.InsertionPoint(store), store.location:
                def constant(number):
                    element = ir.IntegerType.get_signless(32)
                    one = ir.IntegerAttr.get(element, number)
                    of = one if value.type == element else ir.DenseElementsAttr.get_splat(value.type, one)
                    return ir.Operation.create("arith.constant", [value.type], [], {"value": of}).result
                flag = ir.IntegerType.get_signless(1)
                flags = flag if "tensor" not in str(value.type) else ir.RankedTensorType.get(value.type.shape, flag)
                is_seldom = ir.Operation.create("arith.cmpi", [flags], [value, constant(123456)],
                                                {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)})
                store.operands[1] = ir.Operation.create(
                    "arith.select", [value.type], [is_seldom.result, constant(0), value]).result
"""


SELECTED = """
tt.func @f(%a: i32, %b: i32, %p: !tt.ptr<i32>) {{
  %c = arith.cmpi slt, %a, %b : i32
  %0 = arith.select %c, %a, %b : i32
  %1 = {operation} : i32
  %2 = arith.muli %0, %1 : i32
  tt.store %p, %2 : !tt.ptr<i32>
  tt.return
}}
"""


def test_changes_tell_kinds_apart():
    kinds = Kinds("planted-select", 60.0)
    text = SELECTED.format(operation="arith.addi %a, %b")
    kinds.add("x.mlir", "differs", "changes", text)
    assert kinds.found[0].changes == {"arith.select"}
    assert kinds.like("differs", "other words", SELECTED.format(operation="arith.subi %a, %b"))
    assert not kinds.like("differs", "changes", text.replace("arith.select %c, %a, %b", "arith.addi %a, %b"))
    assert not kinds.like("crashes", "changes", text)
    assert kinds.found[0].others == 1


def test_what_only_the_programs_inputs_show_is_kept_as_the_program(tmp_path):
    campaign = Campaign("planted-select", corpus=str(tmp_path), load_pass=[str(PLANTED)])
    result = Result(4, "differs", "changes", "module {\n}\n")
    text = Path(campaign._keep(result, result.text, None)).read_text()
    assert f"// RUN: ttkit fuzz {shlex.quote(f'--load-pass={PLANTED}')} --pass=planted-select" in text
    assert "--pass=planted-select --seed=4 --size=12 --programs=1 --corpus=%t" in text


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("inline", 0),
        ("triton-combine", 3),
        ("tritongpu-coalesce", 10),
        ("tritongpu-reorder-instructions", 30),
        ("convert-triton-gpu-to-llvm", 40),
        ("my-own-pass", 0),
    ],
)
def test_programs_are_of_the_level_that_a_pass_takes(name, before):
    passes, _ = in_stages(name)
    assert len(passes) >= before
    assert (not before) == (not passes)


def test_levels_are_chosen():
    assert in_stages("mine", "tt")[0] == []
    assert in_stages("mine", "ttg")[0][-1].startswith("convert-triton-to-tritongpu")
    assert in_stages("mine", "llvm")[0][-1].startswith("convert-triton-gpu-to-llvm")
    with pytest.raises(ValueError, match="level must be one of tt, ttg, llvm"):
        in_stages("mine", "ptx")


def test_a_pass_has_the_options_of_its_stage():
    assert in_stages("convert-triton-to-tritongpu")[1].startswith("convert-triton-to-tritongpu{target=cuda:90")
    assert Campaign("convert-triton-to-tritongpu").pipeline == in_stages("convert-triton-to-tritongpu")[1]
    given = "convert-triton-to-tritongpu{target=cuda:80}"
    assert Campaign(given).pipeline == given


def test_programs_are_the_same_for_the_same_numbers():
    assert program(3, 10).text == program(3, 10).text
    assert "tensordesc" in program(3, 10).text
    assert "tensordesc" not in program(3, 10, ["triton-nvidia-tma-lowering"]).text


@pytest.mark.parametrize("name", ["triton-combine", "convert-triton-to-tritongpu", "tritongpu-coalesce"])
def test_correct_passes_do_nothing_wrong(name, tmp_path):
    campaign = Campaign(name, corpus=str(tmp_path))
    assert not list(campaign.run(range(12)))
    assert campaign.counts["fine"] >= 1


def run(folder, *arguments):
    return warm_commands.ttkit(folder, "fuzz", *arguments)


def test_the_command(tmp_path):
    ended = run(tmp_path, "--pass", "planted-exit", "--load-pass", str(PLANTED), "--programs", "12", "--size", "20")
    assert ended.returncode == 1
    assert "crashes: exit code 3\n  kept as fuzz-corpus/planted-exit." in ended.stdout
    assert re.search(r"12 programs in .* s: .*\d crashes", ended.stdout)
    again = run(tmp_path, "--pass", "planted-exit", "--load-pass", str(PLANTED), "--programs", "1", "--seed", "0")
    assert "still: fuzz-corpus/planted-exit." in again.stdout
    ended = run(tmp_path, "--pass", "cse", "--programs", "2")
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pass", "no-such-pass"), "no-such-pass"),
        (("--pass", "cse{"), "error: "),
        (("--pass", "cse", "--programs", "0"), "--programs must be at least 1, found 0"),
        (("--pass", "cse", "--load-pass", "nothing.py"), "nothing.py"),
    ],
)
def test_command_lines_that_can_not_be(tmp_path, arguments, said):
    ended = run(tmp_path, *arguments)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


NO_MATCH = """
from ttkit.passes.infra import {}, Pass, apply_greedily

class Erf(Pass):
    '''Acts on math.erf, which random programs do not have.'''

    name = "{}"

    def run(self, op):
        def match(found, rewriter):
            {}

        apply_greedily(op, {{"math.erf": match}})
"""
ERF_TEST = """
tt.func @erf(%x: tensor<32xf32>, %p: tensor<32x!tt.ptr<f32>>) {
  %0 = math.erf %x : tensor<32xf32>
  tt.store %p, %0 : tensor<32x!tt.ptr<f32>>
  tt.return
}
// -----
tt.func @none() {
  tt.return
}
"""
ACTIONS = {
    "nothing": ("NO_MATCH", "return NO_MATCH", 1, "modules of the pass's lit tests: 1 unchanged", "changed nothing"),
    "wrong": (
        "MATCHED",
        "rewriter.replace_op(found.operation, [found.operand])\n            return MATCHED",
        1,
        "modules of the pass's lit tests: 1 differs, 1 unchanged",
        "",
    ),
}


@pytest.mark.parametrize("which", ACTIONS)
def test_a_pass_whose_pattern_no_program_has_is_tried_on_its_tests(which, tmp_path):
    name, body, code, said, complaint = ACTIONS[which]
    (tmp_path / "erf.py").write_text(NO_MATCH.format(name, f"erf-{which}", body))
    (tmp_path / "erf.mlir").write_text(ERF_TEST if which == "wrong" else "module {\n}\n")
    # Small programs, since each that grows a bug is reduced.
    sizes = ("--programs", "5", "--size", "4")
    ended = run(tmp_path, "--load-pass", "erf.py", "--pass", f"erf-{which}", *sizes)
    assert ended.returncode == code
    assert "5 unchanged" in ended.stdout
    assert said in ended.stdout
    assert complaint in ended.stderr


DOUBLES = """
from mlir import ir

from ttkit.dialects import arith
from ttkit.passes.infra import Pass, collect, defining_op


class Doubles(Pass):
    '''Double what a logarithm of an exponential gives

        %1 = math.exp %0
        %2 = math.log %1   =>   %2 = arith.addf %0, %0
    '''

    name = "doubles"

    def run(self, op):
        for log in collect(op, [self.outer]):
            inner = log.operands[0].owner
            if getattr(inner, "name", "") == self.inner:
                with ir.InsertionPoint(log), log.location:
                    twice = arith.addf(inner.operands[0], inner.operands[0])
                log.results[0].replace_all_uses_with(twice)

    outer, inner = (f"math.{name}" for name in ("log", "exp"))
"""


def test_programs_grow_from_the_docstring_until_the_pass_changes_some(tmp_path):
    (tmp_path / "doubles.py").write_text(DOUBLES)
    arguments = ("--load-pass", "doubles.py", "--pass", "doubles", "--programs", "5", "--size", "4")
    ended = run(tmp_path, *arguments)
    assert ended.returncode == 1, ended.stdout
    assert "5 programs in" in ended.stdout and ": 5 unchanged" in ended.stdout
    assert re.search(r"program \d+: differs: pass 'doubles' changes what @random does", ended.stdout)
    assert re.search(r"5 programs grown from its lit tests, docstring and file: \d+ differs", ended.stdout)
    kept = next((tmp_path / "fuzz-corpus").glob("doubles.*.mlir")).read_text()
    assert "math.exp" in kept and "math.log" in kept


HALVES = """
from ttkit.dialects import arith
from ttkit.passes.infra import MATCHED, NO_MATCH, Pass, apply_greedily, constant_splat


class Halves(Pass):
    '''Double where a number is halved.'''

    name = "halves"

    def run(self, op):
        apply_greedily(op, {arith.DivFOp: self.double})

    def double(self, op, rewriter):
        if constant_splat(op.rhs) != 2 or constant_splat(op.lhs) is not None:
            return NO_MATCH
        with rewriter.ip, op.location:
            rewriter.replace_op(op, [arith.mulf(op.lhs, op.rhs)])
        return MATCHED
"""
HALF_TEST = """
tt.func @scalar(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = arith.divf %x, %two : f32
  tt.return %0 : f32
}
"""


def test_a_constant_of_a_test_grows_in_floats_of_all_types_and_the_kept_test_moves_along(tmp_path):
    """The test is in the folder `tests`, on numbers of f32; programs store tensors of other types, too."""
    (tmp_path / "halves.py").write_text(HALVES)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "halves.mlir").write_text(HALF_TEST)
    ended = run(tmp_path, "--load-pass", "halves.py", "--pass", "halves", "--programs", "5", "--size", "4")
    assert ended.returncode == 1, ended.stdout
    assert "modules of the pass's lit tests: 1 differs" in ended.stdout
    grown = re.search(r"5 programs grown from its lit tests, docstring and file: (\d+) differs", ended.stdout)
    assert grown and int(grown[1]) >= 2
    kept = next((tmp_path / "fuzz-corpus").glob("halves.*.mlir")).read_text()
    assert "--load-pass=%S/../halves.py" in kept


def test_phrases_are_read_from_tests_docstrings_and_names(tmp_path):
    test = tmp_path / "erf.mlir"
    test.write_text(ERF_TEST)
    (tmp_path / "phrases_of_this.py").write_text(DOUBLES + "    more = 'math.erf', 'no.such', arith.AddFOp\n")
    with Context() as context:
        cls = classes_of_file(str(tmp_path / "phrases_of_this.py"))[0]
        found = phrases_of(cls, [test], context)
    operations = [[step.operation for step in phrase.steps] for phrase in found]
    assert operations[:2] == [["math.erf"], ["math.exp", "math.log"]]
    assert found[0].leaves == (("leaf0", "tensor<32xf32>"),) and found[0].steps[0].types == ("tensor<32xf32>",)
    assert found[1].steps[1].operands == ("1",)
    assert ["arith.addf"] in operations[2:] and ["math.erf"] in operations[2:] and ["no.such"] not in operations


def test_steps_of_other_shapes_and_types_grow(tmp_path):
    """A chain with a constant, in a test on tensor<32xf32>, among values of any shape."""
    text = ERF_TEST.replace(
        "%0 = math.erf %x : tensor<32xf32>",
        "%c = arith.constant dense<2.0> : tensor<32xf32>\n  %e = math.erf %x : tensor<32xf32>\n"
        "  %0 = arith.mulf %e, %c : tensor<32xf32>",
    )
    (tmp_path / "erf.mlir").write_text(text)
    shapes = set()
    with Context() as context:
        phrases = [one for one in phrases_of(None, [tmp_path / "erf.mlir"], context) if len(one.steps) == 3]
        for seed in range(12):
            module = parse_text(random_program(seed, 8).text, context)
            grow(module, phrases, seed)
            assert module.operation.verify()
            shapes |= {str(op.results[0].type) for op in collect(module.operation, ["math.erf"])}
    assert len(shapes) > 3
