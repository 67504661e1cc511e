"""Loops divided among groups of warps, compiled for sm_90 and and run by the interpreter of ttg."""

import re

import numpy as np
import pytest
from specialized_loops import LOOPS, Loop
from sweeps import every

import ttkit
import ttkit.language as tl
from ttkit import GPUTarget
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import InterpreterError
from ttkit.runtime import driver


@pytest.fixture(autouse=True)
def device(interpreted):
    yield
    for loop in LOOPS:
        loop.kernel.device_caches.clear()


@pytest.mark.parametrize("loop", every(3, LOOPS), ids=str)
def test_results(loop: Loop):
    found, wanted, compiled = loop.run()
    tolerance = 0 if len(loop.sizes) == 3 else 2e-3
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    assert len(re.findall(r"^ *partition\d+\(", compiled.asm["ttgir"], re.MULTILINE)) == loop.groups - 1


# Loops with others in them stay whole on Blackwell.
ON_BLACKWELL = [
    loop for loop in LOOPS if loop.name in ("rows", "edges", "no_iteration", "pointers", "branch", "sums", "attention")
]


@pytest.mark.parametrize("loop", ON_BLACKWELL, ids=str)
def test_results_on_blackwell(loop: Loop, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    found, wanted, compiled = loop.run()
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)
    assert "ttg.warp_specialize" in compiled.asm["ttgir"]
    assert "partition0(" in compiled.asm["ttgir"]


@pytest.mark.parametrize("capability", [90, 100])
def test_loops_in_loops_stay_whole_on_blackwell(capability: int, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", f"interpret:sm_{capability}")
    driver.reset_active()
    (loop,) = [loop for loop in LOOPS if loop.name == "persistent"]
    found, wanted, compiled = loop.run()
    np.testing.assert_array_equal(found, wanted)
    assert ("partition0(" in compiled.asm["ttgir"]) == (capability == 90)


@pytest.mark.parametrize("capability", [90, 100])
@pytest.mark.parametrize("loop", every(4, LOOPS), ids=str)
def test_ptxas_accepts_them(loop: Loop, capability: int):
    compiled = ttkit.compile(loop.source(), GPUTarget("cuda", capability, 32), {"num_warps": loop.warps})
    assert compiled.asm["cubin"]
    assert capability == 100 or ("partition" in compiled.asm["ttgir"]) == (loop.groups > 1)


def test_a_limit_of_registers_keeps_a_loop_whole():
    (loop,) = [loop for loop in LOOPS if loop.name == "chosen"]
    options = {"num_warps": loop.warps, "num_stages": 2}
    for limit, divided in ((None, True), (128, False)):
        compiled = ttkit.compile(loop.source(), GPUTarget("cuda", 90, 32), {**options, "maxnreg": limit})
        assert ("partition0(" in compiled.asm["ttgir"]) == divided


# --- Loops in which something is left out -----------------------------------------------------------------------------

SMALL = Loop("small", LOOPS[0].kernel, (128, 128, 320), 3)
EARLY = r"reads .* before the|overwrites .* while the|writes byte|reads byte|nothing has written"
NEVER = "deadlock: phase . of the barrier never ends"
WAIT, ARRIVE, EXPECT = (rf"^ *ttng\.{name} .*\n" for name in ("wait_barrier", "arrive_barrier", "barrier_expect"))
PHASE = r"arith\.xori( %\w+, %\w+)( :| \{)"
# GPU, what is changed into what, the message, and which of such places may be left out: what they wait for follows from
# another wait, or nobody waits any more.
MISTAKES = [
    (90, WAIT, "", EARLY, (1, 3)),
    (90, ARRIVE, "", NEVER, ()),
    (90, EXPECT, "", NEVER, ()),
    (100, WAIT, "", EARLY, (0,)),
    (100, EXPECT, "", NEVER, ()),
    (100, r"^ *ttng\.tc_gen5_commit .*\n", "", NEVER, ()),
    (100, PHASE, r"arith.ori\1\2", f"{EARLY}|{NEVER}", ()),
]


def interpreted(text: str) -> np.ndarray:
    m, n, k = SMALL.sizes
    out, ones = np.zeros((m, n), np.float32), np.ones((m, k), np.float16)
    with ttkit.Context():
        interpret(ttkit.parse(text), (1, 1), [ones, ones, out, m, n, k], race="groups")
    return out


@pytest.mark.parametrize(("capability", "pattern", "other", "message", "needless"), MISTAKES)
def test_what_is_left_out_is_named(capability, pattern, other, message, needless):
    text = ttkit.compile(SMALL.source(), GPUTarget("cuda", capability, 32), {"num_warps": 4}).asm["ttgir"]
    places = list(re.finditer(pattern, text, re.MULTILINE))
    assert len(places) > len(needless)
    for number, place in enumerate(places):
        changed = text[: place.start()] + place.expand(other) + text[place.end() :]
        if number in needless:
            np.testing.assert_array_equal(interpreted(changed), SMALL.sizes[2])
            continue
        with pytest.raises(InterpreterError, match=message):
            interpreted(changed)


@pytest.mark.parametrize("capability", [90, 100])
def test_a_part_of_the_buffer_that_is_in_use(capability):
    """Loads that go to the first part each time."""
    text = ttkit.compile(SMALL.source(), GPUTarget("cuda", capability, 32), {"num_warps": 4}).asm["ttgir"]
    copies = re.findall(r"async_tma_copy_global_to_local .*?\] (%\w+), ", text)
    assert copies
    for buffer in copies:
        part = re.search(rf"{buffer} = ttg\.memdesc_index %\w+\[(%[\w#]+)\]", text)
        changed = text[: part.start(1)] + "%first" + text[part.end(1) :]
        line = text.rindex("\n", 0, part.start()) + 1
        changed = changed[:line] + "%first = arith.constant 0 : i32\n" + changed[line:]
        with pytest.raises(InterpreterError, match=f"{EARLY}|{NEVER}"):
            interpreted(changed)


# --- Clusters ---------------------------------------------------------------------------------------------------------


@ttkit.jit
def product_with_row_sums(a, b, c, N, K, SIZE: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [SIZE, K], [K, 1], [SIZE, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [SIZE, BK])
    total, sums = tl.zeros((SIZE, SIZE), tl.float32), tl.zeros((SIZE,), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=True):
        total = tl.dot(left.load([0, k]), right.load([0, k]).T, total)
        sums += tl.sum(total, 1)
    i = tl.arange(0, SIZE)
    tl.store(c + i[:, None] * SIZE + i[None, :], total + sums[:, None])


@pytest.mark.parametrize(("capability", "ctas"), [(90, 2), (100, 1), (100, 2)])
def test_a_sum_over_several_ctas_keeps_a_loop_whole_on_blackwell(capability, ctas, monkeypatch):
    """The barrier of a cluster counts all threads, of which those of other partitions would not come."""
    monkeypatch.setenv("TTKIT_DEVICE", f"interpret:sm_{capability}")
    driver.reset_active()
    product_with_row_sums.device_caches.clear()
    generator = np.random.default_rng(0)
    a, b = (generator.integers(-2, 3, (128, 256)).astype(np.float16) for _ in range(2))
    c = np.zeros((128, 128), np.float32)
    compiled = product_with_row_sums[(1,)](a, b, c, 128, 256, SIZE=128, BK=64, num_ctas=ctas)
    parts = [a[:, :k].astype(np.float32) @ b[:, :k].T.astype(np.float32) for k in range(64, 257, 64)]
    np.testing.assert_array_equal(c, parts[-1] + sum(part.sum(1) for part in parts)[:, None])
    assert ("partition0(" in compiled.asm["ttgir"]) == (ctas == 1)
