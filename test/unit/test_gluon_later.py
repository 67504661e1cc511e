"""Kernels in Gluon with what Triton 3.7 to 3.9 added become the ttgir that Triton 3.9 makes of them, and PTX.

test/data/gluon_later/ttgir has Triton's, written by test/oracle/compare_gluon.py --later.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from gluon_comparison import loaded_cases
from sweeps import every

import ttkit
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.sources import IRSource
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.nvidia import ampere, blackwell, hopper
from ttkit.language.gluon.nvidia.hopper import mbarrier
from ttkit.options import CompileOptions

TEST = Path(__file__).parents[1]
FOLDER = TEST / "data" / "gluon_later"
EXPECTED = {path.stem: path for path in sorted((FOLDER / "ttgir").glob("*.ttgir"))}
NAMES = """
    CachePolicy FractionalEvictionPolicy add2 aggregate_replace allocate_mbarrier async_atomic_add async_atomic_and
    async_atomic_max async_atomic_min async_atomic_or async_atomic_xor async_load async_store atomic_load
    atomic_scatter_add atomic_scatter_and atomic_scatter_max atomic_scatter_min atomic_scatter_or atomic_scatter_xchg
    atomic_scatter_xor atomic_store barrier clamp expect_zero fma2 gather inline_asm is_canceled load_result max2 min2
    mul2 nbytes_per_cta program_id scatter sub2 try_cancel
""".split()
LINE = gl.BlockedLayout([1], [32], [4], [0])
PAIRS = gl.BlockedLayout([2], [32], [4], [0])
FLAT = gl.SwizzledSharedLayout(1, 1, 1, [0])
TWO_LINES = gl.BlockedLayout([1], [32], [4], [0], [[1]])
HALF = hopper.CachePolicy(l2=hopper.FractionalEvictionPolicy("evict_first", 0.5))
TWO_FLAT = gl.SwizzledSharedLayout(1, 1, 1, [0], [[1]])


@pytest.fixture(scope="module")
def comparison():
    """The module that loads the kernels, while `import triton` leads to ttkit, as Triton 3.9."""
    with loaded_cases("3.9", folder=FOLDER) as (compare_gluon, cases):
        compare_gluon.later = cases
        yield compare_gluon


@pytest.mark.parametrize("name", EXPECTED)
def test_same_ttgir_as_triton(name, comparison):
    ours = comparison.ttkit_text(*comparison.later[name])
    assert comparison.normalized(ours) == comparison.normalized(EXPECTED[name].read_text())


@pytest.mark.parametrize("name", EXPECTED)
def test_kernels_become_ptx(name, comparison):
    case, arch = comparison.later[name]
    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    options = CompileOptions.for_capability(arch, **case.options)
    made = Compilation(source, ttkit.GPUTarget("cuda", arch, 32), options, until="ptx").run()
    assert f".entry {case.kernel.__name__}" in made.asm["ptx"]


@pytest.mark.parametrize("name", every(3, EXPECTED))
def test_tritons_text_becomes_ptx(name):
    arch = int(name.rpartition(".")[2])
    source = IRSource(EXPECTED[name], arch)
    options = CompileOptions.for_capability(arch, **source.parse_options())
    made = Compilation(source, ttkit.GPUTarget("cuda", arch, 32), options, until="ptx").run()
    assert ".entry" in made.asm["ptx"]


def test_every_kernel_was_compared_and_every_name_is_in_one(comparison):
    assert set(EXPECTED) == set(comparison.later)
    text = "\n".join(path.read_text() for path in FOLDER.glob("*.py"))
    assert [name for name in NAMES if not re.search(rf"\.{name}\b", text)] == []


# --- Results ---


@gluon.jit
def histogram(x, counts, before, N: gl.constexpr, BINS: gl.constexpr):
    i = gl.arange(0, N, LINE)
    bins = gl.allocate_shared_memory(gl.int32, [BINS], FLAT, gl.zeros([BINS], gl.int32, LINE))
    old = bins.atomic_scatter_add(1, gl.load(x + i), axis=0, mask=i >= 16)
    gl.store(before + i, old)
    gl.barrier()
    b = gl.arange(0, BINS, LINE)
    gl.store(counts + b, bins.load(LINE))


def test_atomics_on_shared_memory_add_up(interpreted):
    x = np.random.default_rng(1).integers(0, 32, 512, dtype=np.int32)
    counts, before = np.zeros(32, np.int32), np.zeros(512, np.int32)
    histogram[(1,)](x, counts, before, 512, 32)
    assert (counts == np.bincount(x[16:], minlength=32)).all()
    for value in range(32):
        chosen = before[16:][x[16:] == value]
        assert sorted(chosen) == list(range(len(chosen)))


@gluon.jit
def updates(x, out, N: gl.constexpr, KIND: gl.constexpr):
    i = gl.arange(0, N, LINE)
    v = gl.load(x + i)
    buffer = gl.allocate_shared_memory(x.dtype.element_ty, [N], FLAT, v)
    if KIND == 0:
        buffer.atomic_scatter_max(v, i // 2, axis=0)
    elif KIND == 1:
        buffer.atomic_scatter_min(v, i // 2, axis=0)
    elif KIND == 2:
        buffer.atomic_scatter_xor(v, i, axis=0)
    else:
        buffer.atomic_scatter_xchg(v, N - 1 - i, axis=0)
    gl.barrier()
    gl.store(out + i, buffer.load(LINE))


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64])
@pytest.mark.parametrize("kind", range(4))
def test_updates_of_shared_memory(interpreted, kind, dtype):
    x = np.random.default_rng(2).integers(0, 2**32, 128).astype(dtype)
    out = np.zeros_like(x)
    updates[(1,)](x, out, 128, kind)
    pairs, wanted = x.reshape(64, 2), x.copy()
    extreme = np.maximum if kind == 0 else np.minimum
    if kind < 2:
        wanted[:64] = extreme(extreme(pairs[:, 0], pairs[:, 1]), x[:64])
    else:
        wanted = np.zeros_like(x) if kind == 2 else x[::-1]
    assert (out == wanted).all()


@gluon.jit
def of_pairs(x, out, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    v = gl.load(x + i)
    half = v.to(gl.float16)
    gl.store(out + i, blackwell.fma2(blackwell.add2(v, 1.0), blackwell.sub2(v, 2.0), blackwell.mul2(v, v)))
    gl.store(out + N + i, blackwell.max2(half, blackwell.min2(half, 0.5) + 1).to(gl.float32))


def test_arithmetic_of_pairs(interpreted):
    x, out = np.linspace(-2, 2, 256, dtype=np.float32), np.zeros((2, 256), np.float32)
    of_pairs[(1,)](x, out, 256)
    half = x.astype(np.float16)
    np.testing.assert_allclose(out[0], (x + 1) * (x - 2) + x * x, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(out[1], np.maximum(half, np.minimum(half, np.float16(0.5)) + np.float16(1)))


@gluon.jit
def handed(x, out, N: gl.constexpr):
    i = gl.arange(0, N, TWO_LINES)
    buffer = gl.allocate_shared_memory(gl.int32, [N], TWO_FLAT)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    gl.barrier(cluster=True)
    mbarrier.expect(bar, N * 2)
    hopper.async_store(buffer, gl.load(x + i) + 1, bar)
    mbarrier.wait(bar, 0)
    gl.store(out + i, buffer.load(TWO_LINES))


def test_stores_between_ctas(interpreted):
    x, out = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    handed[(1,)](x, out, 256, num_ctas=2)
    assert (out == x + 1).all()


@gluon.jit
def with_policy(x, out, N: gl.constexpr, POLICY: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    gl.store(out + i, gl.load(x + i, cache_policy=POLICY))


def ptx_of(kernel, signature, constants, arch=90, **options):
    signature |= dict.fromkeys(constants, "constexpr")
    source = ttkit.ASTSource(kernel, signature, constants, {(0,): [["tt.divisibility", 16]]})
    target = ttkit.GPUTarget("cuda", arch, 32)
    return Compilation(source, target, CompileOptions.for_capability(arch, **options), until="ptx").run().asm["ptx"]


@gluon.jit
def first_part(x):
    gl.store(x, 1)


@gluon.jit
def second_part(x):
    gl.store(x + 1, 2)


@gluon.jit
def in_groups(x):
    gl.warp_specialize([(first_part, (x,)), (second_part, (x,))], [1])


def test_workers_keep_their_registers():
    """Without `worker_num_regs`, as since Triton 3.7."""
    assert "setmaxnreg" not in ptx_of(in_groups, {"x": "*i32"}, {})


@gluon.jit
def copied_by_pointers(x, out, POLICY: gl.constexpr):
    i = gl.arange(0, 256, PAIRS)
    tile = gl.allocate_shared_memory(gl.float32, [256], FLAT)
    ampere.async_copy.async_load(tile, x + i, cache_policy=POLICY)
    ampere.async_copy.commit_group()
    ampere.async_copy.wait_group(0)
    gl.store(out + i, tile.load(PAIRS))


@pytest.mark.parametrize("policy", [None, gl.CachePolicy(cache_modifier=".ca"), HALF])
def test_copies_by_pointers_take_a_policy(policy):
    assert "cp.async.ca.shared.global" in ptx_of(copied_by_pointers, {"x": "*fp32", "out": "*fp32"}, {"POLICY": policy})


def test_copies_by_pointers_take_no_other_word():
    with pytest.raises(ttkit.CompilationError, match="expected a CachePolicy as cache_policy, found 7"):
        ptx_of(copied_by_pointers, {"x": "*fp32", "out": "*fp32"}, {"POLICY": 7})


@gluon.jit
def copied_with_policies(source, target, LOAD: gl.constexpr, STORE: gl.constexpr):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.nbytes_per_cta)
    hopper.tma.async_load(source, [0, 0], bar, tile, cache_policy=LOAD)
    mbarrier.wait(bar, 0)
    hopper.tma.async_store(target, [0, 0], tile, cache_policy=STORE)
    hopper.tma.store_wait(0)


TILE = f"tensordesc<fp16[64, 64],{gl.NVMMASharedLayout(128, 16, 2)!r}>"


def test_copies_by_tma_with_policies():
    """Of the second-level cache; a policy for every GPU is one, too."""
    constants = {"LOAD": HALF, "STORE": gl.CachePolicy(eviction_policy="evict_last")}
    ptx = ptx_of(copied_with_policies, {"source": TILE, "target": TILE}, constants)
    assert re.search(r"createpolicy\.fractional\.L2::evict_first\.L2::evict_unchanged\.b64 %rd\d+, 0\.5;", ptx)
    assert re.search(r"createpolicy\.fractional\.L2::evict_last\.b64 %rd\d+, 1\.0;", ptx)
    assert re.search(r"global\.mbarrier::complete_tx::bytes\.L2::cache_hint .*, %rd\d+;", ptx)
    assert re.search(r"global\.shared::cta\.bulk_group\.L2::cache_hint .*, %rd\d+;", ptx)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (ampere.CachePolicy(l1="evict_last", l2=HALF.l2), "found l1='evict_last'"),
        (gl.CachePolicy(cache_modifier=".cg"), "found cache_modifier='cg'"),
        (7, "expected a CachePolicy as cache_policy, found 7"),
    ],
)
def test_policies_that_copies_by_tma_do_not_have(policy, said):
    with pytest.raises(ttkit.CompilationError, match=said):
        ptx_of(copied_with_policies, {"source": TILE, "target": TILE}, {"LOAD": policy, "STORE": None})


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        (ampere.CachePolicy(l1="no_allocate"), r"ld\.global\.L1::no_allocate\.v2\.b32"),
        (ampere.CachePolicy(cache_modifier=".cg", l2_prefetch_size=256), r"ld\.global\.cg\.L2::256B\.v2\.b32"),
        (
            ampere.CachePolicy(l2=ampere.FractionalEvictionPolicy("evict_last", 0.1, "evict_first")),
            r"createpolicy\.fractional\.L2::evict_last\.L2::evict_first\.b64 %rd\d+, 0\.1;",
        ),
        (gl.CachePolicy(cache_modifier=".cg", eviction_policy=None), r"ld\.global\.cg\.v2\.b32"),
    ],
)
def test_cache_policies_in_ptx(policy, wanted):
    assert re.search(wanted, ptx_of(with_policy, {"x": "*fp32", "out": "*fp32"}, {"N": 256, "POLICY": policy}))


def test_wrong_policies_are_refused():
    with pytest.raises(ValueError, match="not both"):
        ampere.CachePolicy(cache_modifier="ca", l1="evict_last")
    with pytest.raises(ValueError, match="one of evict_normal"):
        ampere.FractionalEvictionPolicy("evict_soon", 0.5)
    with pytest.raises(ValueError, match="64, 128 or 256"):
        ampere.CachePolicy(l2_prefetch_size=96)
    with pytest.raises(ValueError, match="needs a cache_modifier"):
        hopper.CachePolicy()


@gluon.jit
def written(target, FLAG: gl.constexpr):
    tile = gl.allocate_shared_memory(target.dtype, target.block_shape, target.layout)
    tile.store(gl.zeros([8, 32], gl.float32, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])))
    hopper.fence_async_shared()
    hopper.tma.async_store(target, [0, 0], tile)
    hopper.tma.store_wait(0, read_only=FLAG)


@pytest.mark.parametrize(("flag", "wanted"), [(True, "wait_group.read 0;"), (False, "wait_group 0;")])
def test_waits_for_copies_to_global_memory(flag, wanted):
    signature = {"target": "tensordesc<fp32[8,32],NVMMASharedLayout(128,32)>", "FLAG": "constexpr"}
    source = ttkit.ASTSource(written, signature, {"FLAG": flag})
    made = Compilation(source, ttkit.GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90), until="ptx").run()
    assert f"cp.async.bulk.{wanted}" in made.asm["ptx"]


@gluon.jit
def wrong(x, KIND: gl.constexpr):
    i = gl.arange(0, 128, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [128], FLAT, gl.zeros([128], gl.float32, LINE))
    if KIND == 0:
        buffer.atomic_scatter_max(1.0, i, axis=0)
    elif KIND == 1:
        buffer.atomic_scatter_add(i, i, axis=0)
    elif KIND == 2:
        blackwell.add2(i, i)
    elif KIND == 3:
        blackwell.max2(buffer.load(LINE), 1.0)
    else:
        hopper.async_store(buffer, buffer.load(LINE), mbarrier.allocate_mbarrier())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (0, "expected a buffer of integers, found fp32"),
        (1, "expected values of fp32, found int32"),
        (2, "expected a tensor of floats"),
        (3, "it computes in fp16 or bf16, found fp32"),
        (4, "the kernel has one"),
    ],
)
def test_errors_say_what_was_found(kind, text):
    with pytest.raises((ttkit.CompilationError, BadArgument), match=re.escape(text)):
        ptx_of(wrong, {"x": "*fp32"}, {"KIND": kind})
