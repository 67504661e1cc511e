"""A loop that is split where its mask begins or ceases to keep all elements computes the same, bit by bit."""

import itertools

import numpy as np
import pytest
from sweeps import every

import ttkit
import ttkit.language as tl
from ttkit import GPUTarget
from ttkit.frontend.source import ASTSource
from ttkit.inspection import count
from ttkit.interpreter import interpret
from ttkit.interpreter.decode import decode_module

PASS = "ttkit-split-masked-loops"


@ttkit.jit
def masked(out, first, end, place, n, STEP: tl.constexpr, KIND: tl.constexpr):
    rows, columns = place + tl.arange(0, 16), tl.arange(0, 16)
    total, ones = tl.zeros((16, 16), tl.float32), tl.full((16, 16), 1.0, tl.float16)
    for i in range(first, end, STEP):
        scores = tl.dot(ones, ones) * i
        index = i + columns[None, :]
        if KIND == "causal":
            scores = tl.where(rows[:, None] >= index, scores, -1.0)
        elif KIND == "strict":
            scores = tl.where(rows[:, None] > index, scores, -1.0)
        elif KIND == "swapped":
            scores = tl.where(index <= rows[:, None], scores, -1.0)
        elif KIND == "from":
            scores = tl.where(i + tl.arange(0, 16)[:, None] >= place + columns[None, :], scores, -1.0)
        elif KIND == "below":
            scores = tl.where((rows[:, None] - 3 < index) & (columns[None, :] < 12), scores, -1.0)
        elif KIND == "bounds":
            scores = tl.where(i + columns < n, scores, -1.0)
        elif KIND == "two":
            scores = tl.where((rows[:, None] >= index) & (index < n), scores, -1.0)
        elif KIND == "window":
            scores = tl.where((rows[:, None] >= index) & (index > rows[:, None] - 40), scores, -1.0)
        elif KIND == "added":
            scores += tl.where(rows[:, None] >= index, 0.0, -1.0e6)
        elif KIND == "not":
            scores = tl.where(rows[:, None] < index, -1.0, scores)
        elif KIND == "or":
            scores = tl.where((rows[:, None] < index) | (index >= n), -1.0, scores)
        elif KIND == "equal":
            scores = tl.where(rows[:, None] == index, scores, -1.0)
        elif KIND == "twice":
            scores = tl.where(rows[:, None] >= 2 * i + columns[None, :], scores, -1.0)
        else:
            scores = tl.where(rows[:, None] * columns[None, :] >= i, scores, -1.0)
        total = total * 0.5 + tl.exp2(scores * 0.01)
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + columns[None, :], total)


def ir_of(kind: str, step: int) -> tuple[str, str]:
    """The kernel in tt before and after the pass."""
    signature = {"out": "*fp32", "first": "i32", "end": "i32", "place": "i32", "n": "i32"}
    source = ASTSource(masked, signature, {"STEP": step, "KIND": kind})
    before = ttkit.compile(source, GPUTarget("cuda", 90, 32)).asm["ttir"]
    with ttkit.Context():
        module = ttkit.parse(before)
        ttkit.run_passes(module, f"{PASS},canonicalize")
        return before, str(module)


def loops_in(text: str) -> int:
    with ttkit.Context():
        return count(ttkit.parse(text).operation, ["scf.for"])


def results(module, *numbers: int) -> np.ndarray:
    """What the kernel stores."""
    out = np.zeros((16, 16), np.float32)
    interpret(module, 1, [out, *numbers])
    return out


SPLIT = ("causal", "strict", "swapped", "from", "below", "bounds", "two", "window", "added", "not", "or")
RANGES = ((0, 96), (7, 64), (-40, 50), (20, 0))
PLACES = (-(2**30), -33, 0, 15, 16, 17, 47, 80, 200, 2**30)


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(("kind", "step"), [(kind, 16) for kind in SPLIT] + every(4, [(kind, 5) for kind in SPLIT]))
def test_two_loops_compute_what_one_did(kind, step):
    before, after = ir_of(kind, step)
    assert (loops_in(before), loops_in(after)) == (1, 2)
    with ttkit.Context():
        old, new = decode_module(ttkit.parse(before)), decode_module(ttkit.parse(after))
        for number, ((first, end), place) in enumerate(itertools.product(RANGES, PLACES)):
            numbers = (first, end, place, (17, 60, 2**31 - 1, -5)[number % 4])
            np.testing.assert_array_equal(results(new, *numbers), results(old, *numbers), str(numbers))


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("kind", ["equal", "twice", "else"])
def test_other_masks_stay(kind):
    before, after = ir_of(kind, 16)
    assert loops_in(after) == loops_in(before) == 1


@ttkit.jit
def diagonal(out, start, STEP: tl.constexpr, FROM: tl.constexpr):
    rows, columns = start * 32 + tl.arange(0, 32), tl.arange(0, 16)
    total, ones = tl.zeros((32, 16), tl.float32), tl.full((32, 16), 1.0, tl.float16)
    for i in range(start * 32, (start + 1) * 32, STEP):
        scores = tl.dot(ones, tl.full((16, 16), 1.0, tl.float16)) * i
        if FROM:
            total += tl.exp2(tl.where(i + columns[None, :] >= rows[:, None], scores, -1.0))
        else:
            total += tl.exp2(tl.where(rows[:, None] >= i + columns[None, :], scores, -1.0))
    tl.store(out + tl.arange(0, 32)[:, None] * 16 + columns[None, :], total)


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("is_suffix", [False, True])
@pytest.mark.parametrize("step", [16, 32])
def test_a_loop_on_the_diagonal_stays(is_suffix, step):
    constants = {"STEP": step, "FROM": is_suffix}
    source = ASTSource(diagonal, {"out": "*fp32", "start": "i32"}, constants)
    text = ttkit.compile(source, GPUTarget("cuda", 90, 32)).asm["ttir"]
    with ttkit.Context():
        module = ttkit.parse(text)
        ttkit.run_passes(module, PASS)
        # The last 16 rows of 32 keep all of the first 16 columns; no tile of columns after the first one has more.
        assert count(module.operation, ["scf.for"]) == 1


@pytest.mark.usefixtures("own_cache")
def test_one_of_both_loops_has_no_comparison():
    for kind, first in (("causal", True), ("from", False)):
        _, after = ir_of(kind, 16)
        loops = after.split("scf.for")[1:]
        assert ["arith.cmpi" in loop for loop in loops] == [not first, first]
