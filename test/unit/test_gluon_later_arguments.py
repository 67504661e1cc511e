"""Later arguments and names of Gluon: results, PTX and errors; test_gluon_later.py compares ttgir with Triton's."""

import importlib
import re

import ml_dtypes
import numpy as np
import pytest
from gluon_comparison import TEST, loaded_cases

import ttkit
from ttkit import knobs
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.errors import OtherGPU
from ttkit.language.gluon.nvidia import ampere, blackwell, hopper
from ttkit.language.gluon.nvidia.hopper import TensorDescriptor, mbarrier, tma
from ttkit.passes.stages import pipeline_text
from ttkit.runtime import driver

LINE = gl.BlockedLayout([1], [32], [1], [0])
BLOCKS = gl.NVMMASharedLayout(128, 32, 2)


@pytest.fixture(scope="module")
def comparison():
    """The module that loads the kernels, while `import triton` leads to ttkit, as Triton 3.9."""
    with loaded_cases("3.9", folder=TEST / "data" / "gluon_later") as (compare_gluon, cases):
        compare_gluon.later = cases
        yield compare_gluon


def inputs(name):
    x = np.arange({"padded_halves": 2048, "arrivals_for_others": 256}.get(name, 1024), dtype=np.float32)
    if name == "cached_blocks":
        return x[:512].reshape(16, 32), lambda a: TensorDescriptor.from_tensor(a, [8, 32], BLOCKS), ()
    return x, lambda a: a, (900,) if name == "cached_copies" else (32, 64) if name == "padded_halves" else ()


@pytest.mark.parametrize("name", ["cached_blocks", "cached_copies", "arrivals_for_others", "padded_halves"])
def test_copies(name, comparison, interpreted):
    case, _ = comparison.later[f"{name}.90"]
    x, given, rest = inputs(name)
    out = np.zeros_like(x)
    case.kernel[(1,)](given(x), given(out), *rest, **case.options)
    assert (out == (np.where(x < 900, x, 0) if name == "cached_copies" else x)).all()


def test_combined(comparison, interpreted):
    def run(name, grid, *arguments):
        case, _ = comparison.later[f"{name}.90"]
        case.kernel[(grid,)](*arguments, *case.constants.values(), **case.options)

    random = np.random.default_rng(0)
    a, b = random.standard_normal((128, 256)).astype(np.float16), random.standard_normal((256, 64)).astype(np.float16)
    c, x = np.zeros((128, 64), np.float32), random.integers(0, 128, 256).astype(np.int32)
    of_each, of_both = (gl.NVMMASharedLayout(128, 16, 2, cga_layout=[[row, 0]]) for row in (1, 0))
    left, right = (
        TensorDescriptor.from_tensor(a, [128, 64], of_each),
        TensorDescriptor.from_tensor(b, [64, 64], of_both),
    )
    run("cluster_product", 1, left, right, c, 4)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), atol=0.1)
    out, counts = np.zeros(128, np.int32), np.bincount(x, minlength=128)
    run("counts_by_roles", 1, x, out)
    assert (out == np.cumsum(counts) + counts[np.arange(128) * 7 % 128]).all()
    tile, turned = a[:64, :64].copy(), np.zeros((64, 64), np.float32)
    run("transposed_tiles", 1, tile, turned)
    np.testing.assert_allclose(turned, np.clip((tile[::-1] + tile.T)[::-1].astype(np.float32), -1, 1))
    flags, sums, rows = np.zeros(4, np.int32), np.zeros((4, 128), np.int32), np.tile(x, 2).reshape(4, 128)
    run("one_after_the_other", 4, rows, flags, sums)
    assert (sums == np.cumsum(rows, 0)).all() and flags.all()


@pytest.mark.parametrize("name", ["arrivals_for_others", "cached_blocks", "padded_halves"])
def test_lowered_code_does_the_same(name, comparison):
    skipped = []
    checker = Checker(Settings(1), lambda _, text: skipped.append(text))
    with ttkit.Context():
        module = ttkit.parse(comparison.ttkit_text(*comparison.later[f"{name}.90"]))
        ttkit.run_passes(module, pipeline_text("ttkit-llir", "capability=90"), subscribers=[PassChecks(checker)])
    assert checker.found is None and not skipped and "convert-triton-gpu-to-llvm" in checker.checked


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("cached_blocks", r"createpolicy\.fractional\.L2::evict_last\S*\.b64 %rd\d+, 0\.5;"),
        ("cached_blocks", r"complete_tx::bytes\.L2::cache_hint \["),
        ("cached_blocks", r"bulk_group\.L2::cache_hint \[%rd\d+, {%r\d+, %r\d+}\], \[%r\d+\], %rd\d+;"),
        ("cached_copies", r"cp\.async\.ca\.shared\.global\.L2::128B \["),
        ("arrivals_for_others", r"mbarrier\.arrive\.release\.cluster\.shared::cluster\.b64 _, \[%rd\d+\], 2;"),
        ("arrivals_for_others", r"mbarrier\.arrive\.expect_tx\.release\.cluster\.shared::cluster\.b64 _"),
    ],
)
def test_instructions(name, wanted, comparison):
    case, _ = comparison.later[f"{name}.90"]
    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    made = ttkit.compile(source, ttkit.GPUTarget("cuda", 90, 32), dict(case.options))
    assert re.search(wanted, made.asm["ptx"])


@gluon.jit
def both_ways(x, numbers, again):
    i = gl.arange(0, 32, LINE)
    embedded = gl.fpsan.embed(gl.load(x + i))
    gl.store(numbers + i, embedded)
    gl.store(again + i, gl.fpsan.unembed(embedded, again.dtype.element_ty))


@pytest.mark.parametrize(
    ("dtype", "mantissa", "one"),  # `one`: the factor in Triton's code
    [
        (np.float16, 10, 4535),
        (ml_dtypes.bfloat16, 7, 20039),
        (np.float32, 23, 199934151),
        (np.float64, 52, 5180577728837391687),
        (ml_dtypes.float8_e5m2, 2, 19),
        (ml_dtypes.float8_e4m3fn, 3, 71),
    ],
)
def test_floats_as_integers(dtype, mantissa, one, interpreted):
    bits = np.dtype(dtype).itemsize * 8
    x = np.random.default_rng(1).integers(0, 256, 32 * bits // 8).astype(np.uint8).view(dtype)
    x[:3] = [1, -1, 0]
    half, wanted = 1 << (bits - 1), []
    for each in map(int, x.view(f"u{bits // 8}")):
        mixed = each * 14940041 % half
        mixed = (mixed ^ mixed >> mantissa) * (one if each < half else half - one) % half
        wanted.append(mixed | each & half)
    numbers, again = np.zeros(32, f"i{bits // 8}"), np.zeros(32, dtype)
    both_ways[(1,)](x, numbers, again, num_warps=1)
    assert numbers.view(f"u{bits // 8}").tolist() == wanted and numbers[:3].tolist() == [1, -1, 0]
    assert (again.view(numbers.dtype) == x.view(numbers.dtype)).all()


@gluon.jit
def by_fma(a, b, c):
    rows: gl.constexpr = gl.BlockedLayout([2, 2], [8, 4], [2, 2], [1, 0])
    left: gl.constexpr = gl.DotOperandLayout(0, rows, 0)
    right: gl.constexpr = gl.DotOperandLayout(1, rows, 0)
    i, k = gl.arange(0, 32, gl.SliceLayout(1, left)), gl.arange(0, 32, gl.SliceLayout(0, left))
    x = gl.load(a + i[:, None] * 32 + k[None, :])
    k, j = gl.arange(0, 32, gl.SliceLayout(1, right)), gl.arange(0, 32, gl.SliceLayout(0, right))
    y = gl.load(b + k[:, None] * 32 + j[None, :])
    acc = gl.dot_fma(x, y, gl.zeros([32, 32], gl.float32, rows))
    i, j = gl.arange(0, 32, gl.SliceLayout(1, rows)), gl.arange(0, 32, gl.SliceLayout(0, rows))
    gl.store(c + i[:, None] * 32 + j[None, :], acc)


def test_products_without_tensor_cores_are_not_rounded_to_tf32(interpreted):
    a, b = np.random.default_rng(2).standard_normal((2, 32, 32)).astype(np.float32)
    c = np.zeros_like(a)
    by_fma[(1,)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)


@gluon.jit
def wrong(target, KIND: gl.constexpr):
    tile = gl.allocate_shared_memory(target.dtype, target.block_shape, target.layout)
    bar = mbarrier.allocate_mbarrier()
    if KIND == "l1":
        tma.async_load(target, [0, 0], bar, tile, cache_policy=ampere.CachePolicy(l1="evict_last"))
    elif KIND == "word":
        tma.async_store(target, [0, 0], tile, cache_policy="evict_last")
    elif KIND == "modifier":
        tma.async_store(target, [0, 0], tile, cache_policy=gl.CachePolicy(cache_modifier=".cg"))
    elif KIND == "mask":
        mbarrier.arrive(bar, from_cta=1)
    elif KIND == "two names":
        mbarrier.expect(bar, 8, bytes_per_cta=16)
    elif KIND == "slice":
        acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], blackwell.TensorMemoryLayout((128, 32), 1))
        acc.slice(0, 64, dim=0)
    else:
        blackwell.tcgen05_commit(bar, descs=[1])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("l1", "policies of the second-level cache alone, found l1='evict_last'"),
        ("word", "expected a CachePolicy as cache_policy, found 'evict_last'"),
        ("modifier", "found cache_modifier='cg'"),
        ("mask", "from_cta is a mask from 0 to 0, of bits of the numbers of 1 CTAs, found 1"),
        ("two names", "bytes and bytes_per_cta are two names of one number"),
        ("slice", "rows 0 to 64 are not whole blocks"),
        ("descs", "tcgen05_commit takes a buffer in shared memory"),
    ],
)
def test_errors_say_what_was_found(kind, text):
    signature = {"target": "tensordesc<fp32[8,32],NVMMASharedLayout(128,32)>", "KIND": "constexpr"}
    with ttkit.Context(), pytest.raises(ttkit.CompilationError, match=re.escape(text)) as caught:
        ttkit.ASTSource(wrong, signature, {"KIND": kind}).make_ir(ttkit.GPUTarget("cuda", 100, 32))
    assert "^" in str(caught.value)


def test_layouts_of_clusters():
    by_parts = gl.PaddedSharedLayout([[64, 4]], [[0, 1], [0, 2], [1, 0]], [[1, 0]], [4, 4])
    assert by_parts.block_bases == [[2, 0]] and by_parts.cga_layout == [[1, 0]]
    assert by_parts == gl.PaddedSharedLayout([[64, 4]], [[0, 1], [0, 2], [1, 0]], [[2, 0]], [4, 4])
    by_parts.verify()
    pair = blackwell.TensorMemoryLayout((128, 64), 1, [[1, 0], [0, 1]])
    assert pair.cta_split_num == (2, 2)
    assert pair == blackwell.TensorMemoryLayout((128, 64), 1, cga_layout=[[1, 0], [0, 1]])
    assert blackwell.TensorMemoryScalesLayout([[1, 0]]).cta_split_num == (2, 1)
    with pytest.raises(ValueError, match="fp4_padded needs col_stride = 1, found 2"):
        blackwell.TensorMemoryLayout((128, 64), 2, fp4_padded=True)
    padded = blackwell.TensorMemoryLayout((128, 64), 1, fp4_padded=True)
    assert str(padded.encoding).endswith("colStride = 1, fp4Padded = true>") and padded.mangle() == "TL128x64C1FP4PTL"
    halves = blackwell.TensorMemoryLayout((128, 64), 1, [[1, 0], [0, 0]])
    assert "CGALayout = [[1, 0], [0, 0]]" in str(halves.encoding) and halves.cta_split_num == (2, 1)


def test_arrivals_for_products_of_several_ctas():
    class Operand:
        def __init__(self, *bases):
            self.layout = gl.NVMMASharedLayout(128, 16, 2, cga_layout=list(bases))

    rows, columns = Operand([1, 0], [0, 0]), Operand([0, 0], [0, 1])
    count = blackwell.tcgen05_mma_barrier_count
    assert [count([rows, columns], *flags) for flags in ((False, False), (True, False), (True, True))] == [1, 3, 2]
    with pytest.raises(ValueError, match="of one cluster"):
        count([rows, Operand([1, 0])], True, False)


@gluon.jit
def spelled(x, KIND: gl.constexpr):
    i = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
    if KIND == 0:
        gl.store(x + i, gl.load(x + i, cache_policy=gl.CachePolicy("none", "evict_normal")))
    else:
        gl.store(x + i, gl.load(x + i, cache_modifier="cg", eviction_policy="evict_normal"), cache_modifier="none")


@pytest.mark.parametrize(("kind", "wanted"), [(0, "tt.load %"), (1, "cacheModifier = cg")])
def test_spellings_of_policies(kind, wanted, monkeypatch):
    monkeypatch.setattr(knobs.language, "triton_version", "3.9")
    source = ttkit.ASTSource(spelled, {"x": "*fp32", "KIND": "constexpr"}, {"KIND": kind})
    with ttkit.Context():
        text = str(source.make_ir(ttkit.GPUTarget("cuda", 90, 32)))
    assert wanted in text and "evict" not in text and text.count("cacheModifier") == kind


def test_policies_compare_by_meaning():
    assert gl.CachePolicy() == gl.CachePolicy("none", "evict_normal") and gl.CachePolicy(".cg") == gl.CachePolicy("cg")
    with pytest.raises(ValueError, match="eviction_policy must be one of evict_normal"):
        gl.CachePolicy(eviction_policy="evict_soon")
    assert gl.pointer_type(gl.float32, "global") == gl.pointer_type(gl.float32)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("language.amd", "warp_pipeline_stage"),
        ("language.amd.warp_pipeline", "warp_pipeline_stage"),
        ("language.amd.slice", "slice"),
        ("language.amd.hint", "sched_barrier"),
        ("language.amd.cdna5", "load_shared_fp4_repacked"),
        ("language.amd.cdna5.cluster", "arrive"),
        ("language.amd.cdna5.tdm", "async_gather"),
        ("language.amd.cdna4", "scaled_upcast"),
        ("amd.cdna5", "TensorDescriptor"),
    ],
)
def test_later_names_for_amd_are_refused(module, name, comparison):
    found = getattr(importlib.import_module(f"triton.experimental.gluon.{module}"), name)
    with pytest.raises(OtherGPU, match="is for AMD's GPUs"):
        found()


def test_later_names_are_in_their_modules():
    assert tma.CachePolicy is hopper.CachePolicy and blackwell.cluster is hopper.cluster


@gluon.jit
def copies_columns(source, out, column):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.nbytes_per_cta)
    tma.async_load(source, [0, column], bar, tile)
    mbarrier.wait(bar, 0)
    row, place = gl.arange(0, 8, gl.SliceLayout(1, layout)), gl.arange(0, 32, gl.SliceLayout(0, layout))
    gl.store(out + row[:, None] * 32 + place[None, :], tile.load(layout))


def test_columns_that_are_not_aligned_are_found(monkeypatch, interpreted):
    monkeypatch.setenv("TRITON_INSTRUMENTATION_MODE", "iisan")
    x, out = np.arange(512, dtype=np.float32).reshape(8, 64), np.zeros((8, 32), np.float32)
    copies_columns[(1,)](TensorDescriptor.from_tensor(x, [8, 32], BLOCKS), out, 4)
    assert (out == x[:, 4:36]).all()
    with pytest.raises(
        Exception, match=r"async_load innermost coordinate must be 16-byte aligned, i.e. a multiple of 4"
    ):
        copies_columns[(1,)](TensorDescriptor.from_tensor(x, [8, 32], BLOCKS), out, 5)


FP8_TILE = gl.NVMMASharedLayout(128, 8, 2)
ONE_BYTE_EACH = blackwell.TensorMemoryLayout((128, 128), 1)
PADDED = blackwell.TensorMemoryLayout((128, 64), 1, fp4_padded=True)
SCALES = blackwell.TensorMemoryScalesLayout()
SUMS = blackwell.TensorMemoryLayout((128, 128), 1)


@gluon.jit
def product_of_padded_fp4(a, b, out, shift):
    stored: gl.constexpr = blackwell.get_tmem_reg_layout(gl.int8, (128, 128), ONE_BYTE_EACH, 4)
    i, k = gl.arange(0, 128, gl.SliceLayout(1, stored)), gl.arange(0, 128, gl.SliceLayout(0, stored))
    codes = gl.load(a + i[:, None] * 128 + k[None, :]) << shift
    left = blackwell.allocate_tensor_memory(gl.int8, [128, 128], ONE_BYTE_EACH, codes.to(gl.int8))
    rows: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [4, 1], [1, 0])
    j, k = gl.arange(0, 128, gl.SliceLayout(1, rows)), gl.arange(0, 128, gl.SliceLayout(0, rows))
    at = j[:, None] * 128 + k[None, :]
    right = gl.allocate_shared_memory(gl.float8e4nv, [128, 128], FP8_TILE, gl.load(b + at).to(gl.float8e4nv))
    held: gl.constexpr = blackwell.get_tmem_reg_layout(gl.int8, (128, 4), SCALES, 4)
    scales = blackwell.allocate_tensor_memory(gl.int8, [128, 4], SCALES, gl.full([128, 4], 126, gl.int8, held))
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 128], SUMS)
    bar = ampere.mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    hopper.fence_async_shared()
    packed = left._reinterpret(gl.int8, [128, 64], PADDED)
    blackwell.tcgen05_mma_scaled(
        packed, right.permute([1, 0]), acc, scales, scales, "e2m1", "e4m3", use_acc=False, mbarriers=[bar]
    )
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = blackwell.get_tmem_reg_layout(gl.float32, (128, 128), SUMS, 4)
    i, j = gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.arange(0, 128, gl.SliceLayout(0, layout))
    gl.store(out + i[:, None] * 128 + j[None, :], acc.load(layout))


def test_products_of_padded_fp4(monkeypatch, interpreted):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    rng = np.random.default_rng(0)
    codes, b = rng.integers(0, 16, (128, 128)).astype(np.int32), rng.integers(-3, 4, (128, 128)).astype(np.float32)
    out = np.zeros((128, 128), np.float32)
    product_of_padded_fp4[(1,)](codes, b, out, 2)
    numbers = codes.astype(np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float32)
    np.testing.assert_array_equal(out, numbers @ b.T / 4)
    with pytest.raises(Exception, match="an fp4 is in bits 2 to 5, the others are 0: store the numbers shifted left"):
        product_of_padded_fp4[(1,)](codes, b, out, 0)
