"""Attention whose second product is one iteration late computes the same, and waits for all that it needs."""

import re

import numpy as np
import pytest
from specialized_loops import Loop, attention
from test_warp_specialization import EARLY, NEVER

import ttkit
from ttkit import GPUTarget
from ttkit.inspection import count
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import InterpreterError

PASS = "ttkit-overlap-products"
WAIT = "ttng.warp_group_dot_wait"
LOOPS = [
    Loop("full", attention, (256,), 3),
    Loop("causal", attention, (256,), 3, {"CAUSAL": True}),
    Loop("one_group", attention, (128,), 2, {"M": 64}),
    Loop("one_iteration", attention, (64,), 2, {"M": 64}),
    Loop("wide", attention, (256,), 3, {"D": 128, "N": 128}),
]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "overlapped"))
        yield


def text_of(loop: Loop) -> str:
    """The ttgir of a loop."""
    return ttkit.compile(loop.source(), GPUTarget("cuda", 90, 32), {"num_warps": 4, "num_stages": 2}).asm["ttgir"]


def overlapped(text: str) -> tuple[str, int]:
    """What the pass makes of it, and how many waits for products there are then."""
    with ttkit.Context():
        module = ttkit.parse(text)
        ttkit.run_passes(module, PASS)
        return str(module), count(module.operation, [WAIT])


def result(text: str, loop: Loop) -> np.ndarray:
    """What a loop computes, checked for races between groups of warps."""
    (length,) = loop.sizes
    rows, d = loop.options.get("M", 128), loop.options.get("D", 64)
    rng = np.random.default_rng(2)
    q, k, v = (rng.standard_normal((length, d)).astype(np.float16) for _ in range(3))
    out = np.zeros((length, d), np.float32)
    with ttkit.Context():
        interpret(ttkit.parse(text), (loop.programs(length // rows), 1), [q, k, v, out, length], race="groups")
    return out


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_results_are_the_same(loop: Loop):
    text = text_of(loop)
    changed, waits = overlapped(text)
    assert waits == 2 * loop.loops * (loop.groups - 1)
    np.testing.assert_array_equal(result(changed, loop), result(text, loop))


UNFINISHED = "uses the result of the ttng.warp_group_dot"
# What is changed into what, the message, and how many of the last such places may be left out: nobody waits any more.
MISTAKES = [
    (r"^ *ttng\.wait_barrier .*\n", "", f"{EARLY}|{NEVER}", 0),
    (r"^ *ttng\.arrive_barrier .*\n", "", NEVER, 2),
    (r"(ttng\.warp_group_dot_wait .*pendings = )1", r"\g<1>2", UNFINISHED, 0),
    (r"(ttng\.warp_group_dot_wait .*pendings = )0", r"\g<1>1", UNFINISHED, 0),
]


@pytest.mark.parametrize(("pattern", "other", "message", "needless"), MISTAKES)
def test_what_is_left_out_is_named(pattern, other, message, needless):
    loop = Loop("four_iterations", attention, (256,), 2, {"M": 64})
    text, _ = overlapped(text_of(loop))
    start, end = text.index("partition0("), text.index("ttg.warp_return")
    places = [place for place in re.finditer(pattern, text, re.MULTILINE) if start < place.start() < end]
    assert len(places) > needless
    for place in places[: len(places) - needless]:
        changed = text[: place.start()] + place.expand(other) + text[place.end() :]
        with pytest.raises(InterpreterError, match=message):
            result(changed, loop)
