"""What Triton's language has got since 3.6, in kernels that are compiled to PTX, and run on the CPU."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.interpreter import interpret
from ttkit.language.extra.cuda import gdc_launch_dependents, gdc_wait

HOPPER = ttkit.GPUTarget("cuda", 90, 32)
VERSIONS = ("3.6", "3.9")


@pytest.fixture(autouse=True, params=VERSIONS)
def version(request, tmp_path, monkeypatch):
    """All run by the rules of the first version, and of the last."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ttkit.knobs.language, "triton_version", request.param)
    return request.param


def ran(kernel, *arrays, types="*i32 *i32", constants=None):
    """The PTX of a kernel, whose lowered code also runs; arrays are written in place."""
    names = [name for name in kernel.arg_names if name not in (constants or {})]
    source = ttkit.ASTSource(kernel, dict(zip(names, types.split())), constants)
    asm = ttkit.compile(source, target=HOPPER).asm
    with ttkit.Context():
        interpret(source.make_ir(HOPPER), 1, [*arrays])
    return asm["ptx"]


@ttkit.jit
def shapes(x, out):
    i = tl.arange(0, 8)
    row = tl.unsqueeze(tl.load(x + i), 0)
    column = tl.unsqueeze(tl.load(x + i), -1)
    tl.store(out + i, tl.squeeze(row, 0) + tl.squeeze(column, -1))
    both = tl.cat(tl.reshape(row, (2, 4)), tl.zeros((2, 4), tl.int32) - 1, dim=1)
    tl.store(out + 8 + tl.arange(0, 2)[:, None] * 8 + i[None, :], both)
    tl.store(out + 24 + tl.arange(0, 16), tl.cat(tl.load(x + i), tl.load(x + 8 + i)))
    tall = tl.cat(tl.reshape(row, (2, 4)), tl.zeros((2, 4), tl.int32), dim=-2)
    tl.store(out + 40 + tl.arange(0, 4)[:, None] * 4 + tl.arange(0, 4)[None, :], tall)
    tl.store(out + 56, tl.to_tensor(3) + tl.to_tensor(True))


def test_shapes():
    x, out = np.arange(1, 17, dtype=np.int32), np.full(57, -9, np.int32)
    ran(shapes, x, out)
    first = x[:8].reshape(2, 4)
    wanted = [2 * x[:8], np.concatenate([first, np.full((2, 4), -1)], 1), x, np.concatenate([first, 0 * first]), [4]]
    assert np.array_equal(out, np.concatenate([np.ravel(part) for part in wanted]))


@ttkit.jit
def atomics(p, out, h):
    o = tl.arange(0, 8)
    found = tl.atomic_load(p + o, sem="acquire", scope="cta")
    (h + o).atomic_store((h + o).atomic_load(mask=o < 4) * 2, mask=o < 4, sem="relaxed", scope="sys")
    tl.atomic_store(out + o, found + 1, mask=o < 6)
    seen = tl.atomic_poll(p + o, o, timeout_ns=1000)
    tl.store(out + 8 + o, tl.expect_zero(tl.where(seen, 0, 5), seen))
    while not tl.atomic_poll(p, 0):
        tl.store(p, 0)


def test_atomics():
    p, out, h = np.arange(8, dtype=np.int32), np.full(16, -1, np.int32), np.full(8, 1.5, np.float32)
    ptx = ran(atomics, p, out, h, types="*i32 *i32 *fp32")
    assert out.tolist() == [1, 2, 3, 4, 5, 6, -1, -1, *[0] * 8] and h.tolist() == [3.0] * 4 + [1.5] * 4
    assert "ld.global.cta.acquire.b32" in ptx and "st.release" in ptx
    assert "globaltimer" in ptx


@ttkit.jit
def ordered_bytes(p, out):
    o = tl.arange(0, 8)
    tl.atomic_store(out + o, tl.atomic_load(p + o, sem="relaxed"), mask=o < 6)
    tl.atomic_store(out + 7, tl.atomic_load(p + 1))


def test_atomics_of_bytes():
    p, out = np.arange(8, dtype=np.int8) - 4, np.full(8, 9, np.int8)
    ptx = ran(ordered_bytes, p, out, types="*i8 *i8")
    assert out.tolist() == [-4, -3, -2, -1, 0, 1, 9, -3]
    assert "ld.global.gpu.relaxed.b8" in ptx and "st.release.gpu.global.b8" in ptx


@ttkit.jit
def polls(p, out):
    o = tl.arange(0, 8)
    tl.atomic_poll(p, 0)
    tl.store(out + o, tl.load(p + o))


def test_all_threads_wait_for_a_poll():
    p, out = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    ptx = ran(polls, p, out)
    assert out.tolist() == p.tolist()
    assert ptx.index("ld.acquire") < ptx.index("bar.sync") < ptx.index("ld.global.")


@ttkit.jit
def product(a, out, K: tl.constexpr):
    row, k = tl.arange(0, 16), tl.arange(0, K)
    tile = tl.load(a + row[:, None] * K + k[None, :])
    tl.store(out + row[:, None] * 16 + row[None, :], tl.dot(tile, tl.trans(tile), input_precision="ieee"))


@pytest.mark.parametrize("type, kind, k", [("fp32", np.float32, 8), ("fp64", np.float64, 4)])
def test_small_products(type, kind, k, version):
    a, out = np.arange(16 * k).reshape(16, k).astype(kind), np.zeros((16, 16), kind)
    if version == "3.6":
        with pytest.raises(ttkit.CompilationError, match="K >= 16"):
            ran(product, a, out, types=f"*{type} *{type}", constants={"K": k})
        return
    ran(product, a, out, types=f"*{type} *{type}", constants={"K": k})
    assert np.array_equal(out, a @ a.T)


@ttkit.jit
def accumulated(a, out):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tile = tl.load(a + i)
    tl.store(out + i, tl.dot(tile, tile, acc=tile))


def test_a_product_has_the_type_of_its_accumulator(version):
    a, out = np.eye(16, dtype=np.float16), np.zeros((16, 16), np.float16)
    if version == "3.6":
        with pytest.raises(ttkit.CompilationError, match="the accumulator must be"):
            ran(accumulated, a, out, types="*fp16 *fp16")
        return
    ran(accumulated, a, out, types="*fp16 *fp16")
    assert np.array_equal(out, 2 * a)


@ttkit.jit
def product_to_integers(a, out):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(out + i, tl.dot(tl.load(a + i), tl.load(a + i), out_dtype=tl.int32))


def test_products_of_halves_are_no_integers():
    with pytest.raises(ttkit.CompilationError, match="products of fp16 have no out_dtype=int32"):
        ran(product_to_integers, np.eye(16, dtype=np.float16), np.zeros((16, 16), np.int32), types="*fp16 *i32")


@ttkit.jit
def quotients(x, out):
    i = tl.arange(0, 8)
    value = tl.load(x + i)
    divisor = tl.load(x + 3)
    tl.store(out + i, tl.fdiv(value, divisor, approx=True))
    tl.store(out + 8 + i, tl.fdiv(value, divisor))


def test_approximate_quotients():
    x, out = np.arange(8, dtype=np.float32), np.zeros(16, np.float32)
    ptx = ran(quotients, x, out, types="*fp32 *fp32")
    assert np.allclose(out.reshape(2, 8), x / 3, rtol=1e-6)
    assert "div.approx" in ptx and "div.full" in ptx


@ttkit.jit
def twice_rounded(x, approx: tl.constexpr, precise: tl.constexpr):
    tl.store(x, tl.fdiv(tl.load(x), tl.load(x), precise, approx))


@pytest.mark.parametrize(
    ("kind", "precise", "reason"), [("fp32", True, "cannot both"), ("fp64", False, "requires float32")]
)
def test_quotients_that_are_refused(kind, precise, reason):
    constants = {"approx": True, "precise": precise}
    with pytest.raises(ttkit.CompilationError, match=reason):
        ran(twice_rounded, np.ones(1), types=f"*{kind}", constants=constants)


@tl.core._aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    def __init__(self, first, second):
        self.first = first
        self.second = second


@ttkit.jit
def syntax(x, out, LIST: tl.constexpr):
    i = tl.arange(0, 8)
    pair = tl.aggregate_replace(Pair(tl.load(x + i), i), first=i * 10)
    tl.store(out + i, pair.first + pair.second)
    if (n := tl.load(x)) > 0:
        tl.store(out + 8, n)
    tl.store(out + 9, 0 < n < 2)
    tl.store(out + 16 + i, (2 <= pair.second < 5).to(tl.int32))
    kept = [value for value in LIST if value > 2]
    for place in tl.static_range(len(kept)):
        tl.store(out + 10 + place, kept[place])
    both = [one * two for one, two in ((1, 2), (3, 4))]
    tl.store(out + 12, both[0] + both[1])
    tl.store(out + 24 + i, tl.cumprod(tl.where(i < 4, i + 1, 1).to(tl.int8), dtype=tl.int64).to(tl.int32))
    tl.store(out + 32 + tl.arange(0, 2), tl.topk(tl.load(x + i), 2, descending=False))


def test_syntax():
    x, out = np.array([1, 7, 3, 9, 2, 8, 5, 6], np.int32), np.full(34, -1, np.int32)
    ran(syntax, x, out, constants={"LIST": (1, 3, 2, 4)})
    assert out[:8].tolist() == [11 * n for n in range(8)] and out[8:13].tolist() == [1, 1, 3, 4, 14]
    assert out[16:24].tolist() == [0, 0, 1, 1, 1, 0, 0, 0]
    assert out[24:32].tolist() == [1, 2, 6, 24, 24, 24, 24, 24] and out[32:].tolist() == [1, 2]


@ttkit.jit
def hinted(x, out):
    gdc_wait()
    i = tl.arange(0, 128)
    value = tl.load(x + i, cache_modifier=".cs", eviction_policy="evict_first")
    gdc_launch_dependents()
    tl.store(out + i, value, cache_modifier=".wt")
    tl.store(out + 128 + i, tl.load(x + i, cache_modifier=".cv"), cache_modifier=".cg")


def test_cache_policies_and_dependent_launches():
    x, out = np.arange(128, dtype=np.int32), np.zeros(256, np.int32)
    ptx = ran(hinted, x, out)
    assert (out.reshape(2, 128) == x).all()
    for part in ("griddepcontrol.wait", "griddepcontrol.launch_dependents", "ld.global.cs", "st.global.wt"):
        assert part in ptx.replace("volatile.", ""), part


@ttkit.jit
def block_pointers(x, out, n):
    source = tl.make_block_ptr(x, (n, 8), (8, 1), (1, 0), (4, 8), (1, 0))
    block = tl.load(source, boundary_check=(0,), padding_option="zero")
    target = tl.make_block_ptr(out, (n, 8), (8, 1), (0, 0), (4, 8), (1, 0))
    tl.store(tl.advance(target, (0, 0)), block + 1, boundary_check=(0, 1))


def test_block_pointers_work_in_every_version():
    x, out = np.arange(24, dtype=np.int32).reshape(3, 8), np.zeros((3, 8), np.int32)
    with ttkit.Context():
        source = ttkit.ASTSource(block_pointers, {"x": "*i32", "out": "*i32", "n": "i32"})
        interpret(source.make_ir(HOPPER), 1, [x, out, 3])
    assert np.array_equal(out, np.concatenate([x[1:], np.zeros((1, 8))]) + 1)
    assert ttkit.compile(source, target=HOPPER).asm["ptx"]


@ttkit.jit
def products(a, b, out):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    place = i * 16 + j
    tl.store(out + place, tl.dot(tl.load(a + place), tl.load(b + place), out_dtype=None))


def test_products_of_no_type():
    a, b = (np.random.default_rng(seed).standard_normal((16, 16)).astype(np.float16) for seed in (0, 1))
    out = np.zeros((16, 16), np.float32)
    ran(products, a, b, out, types="*fp16 *fp16 *fp32")
    assert np.allclose(out, a.astype(np.float32) @ b.astype(np.float32), atol=1e-2)
