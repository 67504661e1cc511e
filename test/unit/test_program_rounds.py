"""CTAs that run several programs one after the other: each program of a grid is run once, at all levels."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from test_program_order import Python

import ttkit
from ttkit.analysis.program_order import ProgramOrder
from ttkit.analysis.program_rounds import Rounds
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.passes.run_persistently import RunPersistently, loop_over_programs
from ttkit.passes.stages import pipeline_text

KERNELS = Path(__file__).parents[1] / "lit" / "passes" / "run_persistently.mlir"


def rounds_of(ids, counts, multiprocessors, order=None):
    """The programs of a CTA, in order."""
    rounds = Rounds(ids, counts, multiprocessors, order, Python())
    assert rounds.has_any == (rounds.count > 0)
    return [tuple(rounds.ids(round)) for round in range(rounds.count)]


def all_ids(counts):
    """CTAs in the order in which they start."""
    return [(x, y, z) for z, y, x in itertools.product(*(range(count) for count in reversed(counts)))]


ORDERS = [None, *(ProgramOrder(axis, (0, 1, 2), 1, shrinks) for axis in range(3) for shrinks in (False, True))]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("multiprocessors", [1, 2, 3, 5, 8, 132])
def test_each_program_is_run_once(multiprocessors, order):
    for counts in itertools.product((1, 2, 5, 9), (1, 3, 4), (1, 2, 3)):
        found = [rounds_of(ids, counts, multiprocessors, order) for ids in all_ids(counts)]
        assert sorted(itertools.chain(*found)) == sorted(all_ids(counts))
        lengths = [len(one) for one in found]
        working = lengths[:multiprocessors]
        assert max(working) - min(working) <= 1
        assert not any(lengths[multiprocessors:])


def test_the_picture_of_the_docstring():
    found = [[x for x, _, _ in rounds_of((x, 0, 0), (8, 1, 1), 3)] for x in range(8)]
    assert found == [[0, 5, 6], [1, 4, 7], [2, 3], [], [], [], [], []]


@pytest.mark.parametrize("multiprocessors", [78, 114, 132, 144])
@pytest.mark.parametrize("columns", [(8, 256), (8, 1024), (16, 256), (32, 64), (64, 16), (64, 64), (128, 16)])
def test_sums_of_work_are_about_equal(columns, multiprocessors):
    length, count = columns
    for shrinks in (False, True):
        order = ProgramOrder(0, (0, 1), 1, shrinks)
        sums = []
        for number in range(multiprocessors):
            places = rounds_of((number % length, number // length, 0), (length, count, 1), multiprocessors, order)
            sums.append(sum(length - x if shrinks else x + 1 for x, _, _ in places))
        assert max(sums) <= 1.04 * sum(sums) / len(sums)


@pytest.mark.parametrize("counts", [(2**31 - 1, 1, 1), (2**16, 2**15, 1), (2**16, 2**16, 1), (2**31 - 1, 65535, 65535)])
def test_ctas_of_a_larger_grid_have_the_program_of_their_number(counts):
    for ids in ((0, 0, 0), tuple(count - 1 for count in counts)):
        assert rounds_of(ids, counts, 132) == [ids]


COUNTED = """
tt.func public @kernel(%out: !tt.ptr<i32>) {
  %width = arith.constant 100 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %nx = tt.get_num_programs x : i32
  %ny = tt.get_num_programs y : i32
  %a = arith.muli %z, %ny : i32
  %b = arith.addi %a, %y : i32
  %c = arith.muli %b, %nx : i32
  %d = arith.addi %c, %x : i32
  %at = tt.addptr %out, %d : !tt.ptr<i32>, i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %at, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
"""


@pytest.mark.parametrize("order", ORDERS[:4])
@pytest.mark.parametrize("is_lowered", [False, True])
def test_kernels_run_each_program_once(order, is_lowered):
    with ttkit.Context() as context:
        for dialect in RunPersistently.dependent_dialects:
            context.get_dialect_descriptor(dialect)  # loads it
        module = ttkit.parse(COUNTED)
        kernel = module.operation.regions[0].blocks[0].operations[0].operation
        loop_over_programs(kernel, [], order)
        assert module.operation.verify()
        if is_lowered:
            stages = ("ttir", "ttgir", "llir")
            ttkit.run_passes(module, ",".join(pipeline_text(f"ttkit-{one}", "capability=90") for one in stages))
        for grid in ((1, 1, 1), (2, 1, 1), (3, 2, 1), (2, 3, 4), (7, 1, 3)):
            out = np.zeros(math.prod(grid), np.int32)
            ttkit.interpret(module, grid, [out])
            assert (out == 1).all(), grid


@pytest.mark.parametrize("name", ["attention", "sorted"])
def test_groups_of_warps_give_the_same(name):
    (text,) = [text for text in KERNELS.read_text(encoding="utf-8").split("// -----") if f"@{name}(" in text]
    checker = Checker(Settings(1), lambda _, text: None)
    with ttkit.Context():
        module = ttkit.parse(text)
        stage = pipeline_text("ttkit-ttgir", "capability=90 num-stages=2")
        ttkit.run_passes(module, stage, subscribers=[PassChecks(checker)])
        assert "nsmid" in str(module) and "ttg.warp_specialize" in str(module)
    assert checker.found is None, checker.found.message
    assert {"ttkit-run-persistently", "nvgpu-warp-specialization", "ttkit-leave-early"} <= {*checker.checked}
