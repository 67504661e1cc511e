"""Programs with the most work start first: each place of a grid has one program, and lowered code does the same."""

import itertools
import math

import pytest
from mlir import ir
from test_lowering_proofs import context, proved, sides_of

import ttkit
from ttkit.analysis.program_order import LARGEST, LONGEST_FIRST, ProgramOrder
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.module_attributes import BadModuleAttribute
from ttkit.passes.infra import PassError
from ttkit.passes.infra.program_growth import growth_along
from ttkit.passes.stages import pipeline_text
from ttkit.tuning.passes import ONE_WAVE
from ttkit.validation.functions import PROVED

MASK = 2**32 - 1
COMPUTE = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "divui": lambda a, b: a // b,
    "minui": min,
    "maxui": max,
}


class Python:
    """Arithmetic of 32 bits; division by zero raises an error."""

    def number(self, value):
        return value

    def compute(self, name, a, b):
        return COMPUTE[name](a, b) & MASK

    def product_is_small(self, factors):
        return math.prod(factors) <= LARGEST

    def is_less(self, a, b):
        return a < b

    def select(self, condition, then, otherwise):
        return then if condition else otherwise


def in_order(order, counts):
    """The places of a grid's programs, in the order in which CTAs start."""
    for z, y, x in itertools.product(*(range(count) for count in reversed(counts))):
        ids = (x, y, z)
        found = order.places(ids, counts, Python())
        yield tuple(found.get(axis, ids[axis]) for axis in range(3))


@pytest.fixture
def any_grid(monkeypatch):
    """Grids of few programs are numbered anew, too."""
    monkeypatch.setattr("ttkit.analysis.program_order.ONE_WAVE", 0)


@pytest.mark.usefixtures("any_grid")
@pytest.mark.parametrize("together", [1, 2, 5, 7, 12, 100, LARGEST])
@pytest.mark.parametrize(
    ("axis", "axes"), [(0, (0,)), (1, (1,)), (0, (0, 1)), (1, (0, 1)), (2, (0, 2)), (1, (0, 1, 2)), (2, (0, 1, 2))]
)
@pytest.mark.parametrize("shrinks", [False, True])
def test_each_place_has_one_program(axis, axes, together, shrinks):
    order = ProgramOrder(axis, axes, together, shrinks)
    for counts in itertools.product((1, 2, 5), (1, 3, 4), (1, 2, 3)):
        found = list(in_order(order, counts))
        assert len(set(found)) == len(found) == math.prod(counts)
        assert found[0][axis] == (0 if shrinks else counts[axis] - 1)


@pytest.mark.usefixtures("any_grid")
def test_the_picture_of_the_docstring():
    found = list(in_order(ProgramOrder(0, (0, 1), 6), (3, 4, 1)))
    columns = {column: [found.index((place, column, 0)) for place in (2, 1, 0)] for column in range(4)}
    assert columns == {3: [0, 1, 2], 2: [3, 4, 5], 1: [6, 8, 10], 0: [7, 9, 11]}


def test_a_larger_grid_than_numbers_of_31_bits_count_keeps_its_places():
    order = ProgramOrder(0, (0, 1, 2), 1000)
    for counts in ((2**31 - 1, 2, 1), (2**20, 2**11, 1), (2**16, 2**16, 1), (2**31 - 1, 65535, 65535)):
        ids = tuple(count - 1 for count in counts)
        assert order.places(ids, counts, Python()) == dict(enumerate(ids))
    assert order.places((0, 0, 0), (2**31 - 1, 1, 1), Python()) == {0: 2**31 - 2, 1: 0, 2: 0}


@pytest.mark.parametrize(
    "value",
    [
        "4 : i32",
        "{}",
        "{axis = 0 : i32, axes = array<i32: 0>}",
        "{axis = 1 : i32, axes = array<i32: 0>, shrinks = false, together = 4 : i32}",
        "{axis = 0 : i32, axes = array<i32: 0, 3>, shrinks = false, together = 4 : i32}",
        "{axis = 0 : i32, axes = array<i32: 0, 0>, shrinks = false, together = 4 : i32}",
        "{axis = 0 : i32, axes = array<i32: 0>, shrinks = false, together = 0 : i32}",
        "{axis = 0.0 : f32, axes = array<i32: 0>, shrinks = false, together = 4 : i32}",
        "{axis = 0 : i32, axes = array<i32: 0>, shrinks = 1 : i32, together = 4 : i32}",
        '{axis = 0 : i32, axes = "0", shrinks = false, together = 4 : i32}',
    ],
)
def test_an_attribute_that_says_no_order_is_named(value):
    text = f'module attributes {{"ttg.num-warps" = 4 : i32, "{LONGEST_FIRST}" = {value}}} {{ {WITHOUT_LOOPS} }}'
    with ttkit.Context():
        module = ttkit.parse(text)
        with pytest.raises(BadModuleAttribute, match="it must be like"):
            ProgramOrder.of(module.operation)
        with pytest.raises((PassError, ir.MLIRError), match="it must be like"):
            ttkit.run_passes(module, "convert-triton-gpu-to-llvm{compute-capability=90}")


WITHOUT_LOOPS = """
tt.func public @kernel(%out: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  tt.store %out, %x : !tt.ptr<i32>
  tt.return
}
"""

PREFIX_SUMS = """
tt.func public @kernel(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %width = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<64xi32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %columns = tt.get_num_programs x : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %end = arith.muli %x, %width : i32
  %sum = scf.for %i = %zero to %end step %width iter_args(%acc = %none) -> (tensor<64xi32>) : i32 {
    %at = tt.addptr %in, %i : !tt.ptr<i32>, i32
    %first = tt.splat %at : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %all = tt.addptr %first, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %loaded = tt.load %all : tensor<64x!tt.ptr<i32>>
    %more = arith.addi %acc, %loaded : tensor<64xi32>
    scf.yield %more : tensor<64xi32>
  }
  %row = arith.muli %y, %columns : i32
  %place = arith.addi %row, %x : i32
  %offset = arith.muli %place, %width : i32
  %where = tt.addptr %out, %offset : !tt.ptr<i32>, i32
  %start = tt.splat %where : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %there = tt.addptr %start, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %there, %sum : tensor<64x!tt.ptr<i32>>
  tt.return
}
"""


def test_the_lowering_is_proved_for_these_places():
    before, after = sides_of(PREFIX_SUMS, 90)
    assert LONGEST_FIRST in before and "llvm.udiv" in after
    assert proved(before, after).outcome == PROVED


def test_programs_that_all_start_at_once_keep_their_places():
    for counts in ((ONE_WAVE, 1, 1), (4, 33, 1)):
        places = list(in_order(ProgramOrder(0, (0, 1), 512), counts))
        assert places == [(x, y, 0) for y in range(counts[1]) for x in range(counts[0])]
    assert next(in_order(ProgramOrder(0, (0, 1), 512), (ONE_WAVE + 1, 1, 1))) == (ONE_WAVE, 0, 0)


@pytest.mark.usefixtures("any_grid")
def test_lowered_code_writes_the_same():
    checker = Checker(Settings(2), lambda _, text: None)
    with ttkit.Context():
        module = ttkit.parse(PREFIX_SUMS)
        stages = ",".join(pipeline_text(f"ttkit-{stage}", "capability=90") for stage in ("ttir", "ttgir", "llir"))
        ttkit.run_passes(module, stages, subscribers=[PassChecks(checker)])
    assert checker.found is None, checker.found.message
    assert "convert-triton-gpu-to-llvm" in checker.checked


BOUND = """
tt.func public @kernel(%in: tensor<64x!tt.ptr<i32>>, %n: i32, %flag: i1) {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %width = arith.constant 64 : i32
  %x = tt.get_program_id x : i32
  {bound}
  scf.for %i = %zero to %end step %width : i32 {{
    %loaded = tt.load %in : tensor<64x!tt.ptr<i32>>
    tt.store %in, %loaded : tensor<64x!tt.ptr<i32>>
  }}
  tt.return
}}
"""


@pytest.mark.parametrize(
    ("bound", "iterations"),
    [
        ("%end = arith.muli %x, %width : i32", 1),
        ("%end = arith.shli %x, %three : i32", "1/8"),
        ("%a = arith.muli %x, %width : i32\n%b = arith.divsi %a, %three : i32\n%end = arith.muli %b, %three : i32", 1),
        ("%a = arith.muli %x, %width : i32\n%end = arith.maxsi %n, %a : i32", 1),
        ("%a = arith.muli %x, %width : i32\n%end = arith.select %flag, %a, %n : i32", 1),
        ("%end = arith.subi %n, %x : i32", "-1/64"),
        ("%end = arith.remui %x, %width : i32", 0),
        ("%end = arith.addi %n, %three : i32", 0),
        ("%end = arith.muli %n, %x : i32", None),
        ("%end = arith.divui %x, %n : i32", None),
        ("%end = arith.xori %x, %width : i32", None),
        ("%a = arith.extui %flag : i1 to i32\n%b = arith.muli %x, %width : i32\n%end = arith.muli %b, %a : i32", 1),
        ("%end = scf.if %flag -> i32 {\nscf.yield %x : i32\n} else {\nscf.yield %n : i32\n}", "1/64"),
        ("%end = scf.for %k = %zero to %n step %one iter_args(%c = %x) -> i32 : i32 {\nscf.yield %c : i32\n}", None),
    ],
)
def test_growth_of_a_bound(bound, iterations):
    with ttkit.Context():
        module = ttkit.parse(BOUND.format(bound=bound))
        found = growth_along(module.operation.regions[0].blocks[0].operations[0].operation, 0)
    assert (found and str(found.iterations)) == (None if iterations is None else str(iterations))
    assert found is None or found.bytes == found.iterations * 256


def test_the_context_reads_the_attribute_back():
    with context() as made:
        order = ProgramOrder(1, (0, 1), 9, True)
        module = ttkit.parse("module {}")
        module.operation.attributes[LONGEST_FIRST] = order.attribute(made)
        assert ProgramOrder.of(module.operation) == order
