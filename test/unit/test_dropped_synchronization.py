"""Barriers, waits and fences that are left out of lowered kernels are named by the interpreter."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sweeps import every

from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.wgmma import Registers

TEST = Path(__file__).parents[1]
sys.path[:0] = [str(TEST), str(TEST / "oracle")]
from dropped_synchronization import (  # noqa: E402
    MANY_TILES,
    OTHER_SIZES,
    Place,
    check,
    class_of,
    covering,
    needed_together,
    places,
    runs,
    without,
)


@pytest.fixture(autouse=True)
def stand_ins():
    """The kernels' files import a stand-in for Triton, which no other test should find."""
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "triton"]:
        del sys.modules[name]


# What is left out, the number of those that there are before, and what is said.
NAMED = {
    ("matmul_f16", 90): [
        ("nvvm.barrier0", 1, "a product reads what another warp stored: no barrier"),
        ("nvvm.barrier0", 2, "cp.async overwrites what another warp accesses: no barrier"),
        ("wgmma.fence", 0, "with no wgmma.fence between"),
        ("wgmma.wait_group", 0, "overwrites what is still under way"),
    ],
    ("matmul_f16", 100): [
        ("tcgen05.wait::ld", 0, "registers are not loaded yet"),
        ("tcgen05.wait::st", 0, "no tcgen05.wait::st stands between"),
    ],
    ("descriptor_matmul", 90): [
        ("fence.proxy.tensormap", 0, "with no fence.proxy.tensormap between"),
        ("fence.proxy.async", 0, "overwrites what threads stored, with no fence.proxy.async between"),
        ("nvvm.barrier0", 3, "an mbarrier that another warp initialized"),
        ("nvvm.barrier0", 4, "a copy from global memory overwrites what another warp accesses: no barrier"),
        ("nvvm.bar.warp.sync", 0, "another lane wrote: no bar.warp.sync"),
        ("nvvm.cp.async.bulk.commit.group", 0, "the kernel ends while a copy to global memory may still read"),
    ],
    ("specialized_matmul", 90): [
        ("nvvm.barrier", 7, "ends while a warp may still wait for the last one"),
        ("nvvm.barrier", 8, "ends while a warp may still wait for the last one"),
    ],
    ("specialized_matmul", 100): [
        ("fence.proxy.async", 1, "overwrites what threads stored, with no fence.proxy.async between"),
        ("nvvm.barrier", 14, "ends while a warp may still wait for the last one"),
    ],
}


@pytest.mark.parametrize(("kernel", "target"), NAMED)
def test_what_is_left_out_is_named(kernel, target):
    with runs(kernel, target) as (text, judged):
        for name, before, said in NAMED[kernel, target]:
            place = [place for place in places(text) if place.what.startswith(name)][before]
            kind, why = judged(without(text, place))
            assert kind == "error", name
            assert said in why, name


# What can be left out, and by its kind and number what covers it, which may be needed for more.
COVERED_BY = [
    ("matmul_f16", 100, "nvvm.barrier0", 1, "nvvm.barrier0", 2),
    ("scaled_matmul", 100, "nvvm.barrier0", 2, "nvvm.barrier0", 1),
    ("descriptor_matmul", 100, "nvvm.barrier0", 9, "nvvm.barrier0", 10),
    ("descriptor_attention", 90, "mbarrier.try_wait", 1, "mbarrier.try_wait", 2),
    ("attention", 100, "tcgen05.wait::st.sync.aligned", 1, "tcgen05.wait::st.sync.aligned", 2),
    ("attention", 100, "nvvm.barrier0", 7, "nvvm.barrier0", 8),
    ("chained_matmul", 90, "nvvm.barrier0", 2, "wgmma.commit_group.sync.aligned", 0),
]


@pytest.mark.parametrize(("kernel", "target", "what", "number", "by", "its_number"), every(6, COVERED_BY))
def test_what_covers_another_is_found(kernel, target, what, number, by, its_number):
    with runs(kernel, target) as (text, judged):
        one, other = (
            [place for place in places(text) if place.what == kind][at]
            for kind, at in ((what, number), (by, its_number))
        )
        alone = {place: judged(without(text, place))[1] for place in (one, other)}
        assert alone[one] == ""
        assert covering(text, one, alone, judged) == other


def test_what_several_cover_is_needed_when_they_are_gone():
    first, second, third, fourth = found = [Place(line, "nvvm.barrier0") for line in range(4)]
    text = "\n".join("abcd")

    def judged(left):
        """One of the first three is needed."""
        return ("missed", "") if set("abc") & set(left) else ("error", "no barrier orders them")

    assert needed_together(text, found, judged) == {third: (first, second)}
    assert needed_together(text, found[::-1], judged) == {first: (fourth, third, second)}


def test_what_programs_do_twice_needs_as_many_tiles():
    with runs("persistent_matmul", 90, OTHER_SIZES | MANY_TILES["persistent_matmul"]) as (text, judged):
        place = [place for place in places(text) if place.what == "cp.async.bulk.wait_group.read"][-2]
        assert "nobody has waited for it" in judged(without(text, place))[1]


def test_everything_that_is_left_out_is_named():
    rows = check("axis_reductions", 80)
    assert Counter(row["outcome"] for row in rows) == {"error": 9}


def test_what_is_not_named_has_a_class():
    lines = ['"nvvm.cp.async.shared.global"(%0) : () -> ()', '"nvvm.cp.async.commit.group"() : () -> ()']
    assert class_of("\n".join(lines), 1, "nvvm.cp.async.commit.group") == "group of copies"


@pytest.mark.sweep
def test_what_is_not_named_of_a_kernel_has_a_class():
    rows = check("matmul_f16", 90)
    assert Counter(row["outcome"] for row in rows) == {"error": 20, "missed": 3}
    assert [(row["dropped"], row["why"]) for row in rows if row["outcome"] == "missed"] == [
        ("nvvm.cp.async.commit.group", "group of copies"),
        ("nvvm.barrier0", "part of a ring"),
        ("nvvm.cp.async.wait.group", "other sizes"),
    ]


def test_sums_are_there_behind_a_wait_alone():
    """Sums that threads read without are others, where no memory tells that nobody has waited."""
    registers, sums = Registers(None), np.arange(256, dtype=np.uint32).reshape(128, 2)
    numbers = registers.start(0, sums)
    first = np.full(128, numbers[0])
    assert (registers.value(0, first, True) == first).all()
    assert (registers.value(0, first, False) == sums[:, 0]).all()
    registers.end(numbers.tolist())
    assert (registers.value(0, first, True) == sums[:, 0]).all()


def test_a_product_goes_on_without_a_fence_with_its_own_sums_alone():
    registers, sums = Registers(None), np.arange(256, dtype=np.uint32).reshape(128, 2)
    registers.start(0, sums)
    registers.check_fence(0, sums)
    for before in (sums + 1, None):
        with pytest.raises(InterpreterError, match="no wgmma\\.fence between"):
            registers.check_fence(0, before)
    registers.fenced.add(0)
    registers.check_fence(0, None)
