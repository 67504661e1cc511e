"""Attention whose groups take turns computes the same; a turn that is not given or not taken is named."""

import re

import numpy as np
import pytest
from specialized_loops import Loop, attention, persistent_attention
from sweeps import every
from test_overlap_products import cache, result, text_of  # noqa: F401  (a fixture)

import ttkit
from ttkit.inspection import count
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes import ping_pong

PASSES = "ttkit-overlap-products,ttkit-ping-pong"
BARRIERS = ["ttng.wait_barrier_named", "ttng.arrive_barrier_named"]
LOOPS = [
    Loop("full", attention, (256,), 3, {"D": 128, "N": 128}),
    Loop("causal", attention, (256,), 3, {"D": 128, "N": 128, "CAUSAL": True}),
    Loop("persistent", persistent_attention, (384,), 3, {"D": 128, "N": 128, "CAUSAL": True}),
    Loop("one_iteration", attention, (128,), 3, {"D": 128, "N": 128}),
]


def with_turns(text: str) -> tuple[str, int]:
    """What the passes make of it, and how many barriers there are then."""
    with ttkit.Context():
        module = ttkit.parse(text)
        ttkit.run_passes(module, PASSES)
        return str(module), count(module.operation, BARRIERS)


@pytest.mark.parametrize("loop", every(2, LOOPS), ids=str)
def test_results_are_the_same(loop: Loop):
    text = text_of(loop)
    changed, barriers = with_turns(text)
    # Two of each of two groups in a loop, one before the first turn, and one after the last.
    assert barriers == 2 * 2 * loop.loops + 2
    np.testing.assert_array_equal(result(changed, loop), result(text, loop))


@pytest.mark.parametrize(
    "loop",
    [
        Loop("one_group", attention, (128,), 2, {"M": 64, "D": 128}),
        Loop("small_products", attention, (128,), 3),
        Loop("few_columns_ahead", attention, (256,), 3, {"D": 128}),
    ],
    ids=str,
)
def test_no_turns(loop: Loop):
    assert with_turns(text_of(loop))[1] == 0


def test_barriers_that_partitions_may_take_are_left_alone(monkeypatch):
    monkeypatch.setattr(ping_pong, "NUMBERS", ping_pong.FIRST_PARTITION_BARRIER + 3)
    assert with_turns(text_of(LOOPS[0]))[1] == 0


def test_what_is_left_out_is_named():
    loop = Loop("four_iterations", attention, (512,), 3, {"D": 128, "N": 128})
    text, _ = with_turns(text_of(loop))
    places = list(re.finditer(r"^ *ttng\.(wait|arrive)_barrier_named .*\n", text, re.MULTILINE))
    assert len(places) == 6
    for place in places:
        with pytest.raises(InterpreterError, match=r"again before all|deadlock|still wait at barrier"):
            result(text[: place.start()] + text[place.end() :], loop)
