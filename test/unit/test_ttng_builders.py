"""Every ttng operation built from Python, verified, printed and read back."""

import pytest
from building import build, operation_names, operations_of
from mlir import ir

from ttkit.dialects import _ttng_ops as generated
from ttkit.dialects import tt, ttg, ttng
from ttkit.layout.encodings import (
    Blocked,
    NvidiaMma,
    NvmmaShared,
    Slice,
    SwizzledShared,
    TensorMemory,
    TensorMemoryScales,
)

BLOCKED = Blocked((1, 4), (8, 4), (4, 1), (1, 0))
ROW = Blocked((1, 64), (32, 1), (4, 1), (0, 1))
TILE, BYTES, WORDS = (NvmmaShared(128, False, bits) for bits in (16, 8, 32))
PLAIN = SwizzledShared(1, 1, 1, (0,))
TMEM, SCALES = TensorMemory(128, 64, 1), TensorMemoryScales()
MMA = NvidiaMma(3, 0, (4, 1), (16, 64, 16))


def shared(shape: str, layout, mutable: str = ", mutable") -> str:
    return f"!ttg.memdesc<{shape}, {layout}, #ttg.shared_memory{mutable}>"


def in_tensor_memory(shape: str, layout, mutable: str = ", mutable") -> str:
    return f"!ttg.memdesc<{shape}, {layout}, #ttng.tensor_memory{mutable}>"


BARRIER = shared("1xi64", PLAIN)
ANSWER = shared("2xi64", PLAIN)
A, B = shared("128x64xf16", TILE), shared("64x64xf16", TILE)
A8, B8 = shared("128x128xf8E4M3FN", BYTES), shared("128x64xf8E4M3FN", BYTES)
D = in_tensor_memory("128x64xf32", TMEM)
A_SCALE, B_SCALE = in_tensor_memory("128x4xi8", SCALES), in_tensor_memory("64x4xi8", SCALES)
DESC = f"!tt.tensordesc<tensor<64x64xf16, {TILE}>>"
ROWS = f"!tt.tensordesc<tensor<1x64xf16, {TILE}>>"
X_OFFSETS = f"tensor<32xi32, {Slice(0, BLOCKED)}>"
GATHERED = shared("32x64xf16", TILE)
MATRIX = f"tensor<128x64xf32, {ROW}>"
ACCUMULATOR = f"tensor<64x64xf32, {MMA}>"
TOKEN = "!ttg.async.token"


def parsed(text: str) -> ir.Type:
    return ir.Type.parse(text)


CASES = [
    # wgmma
    (
        lambda b, c: ttng.warp_group_dot_wait([ttng.warp_group_dot(b, b, c, input_precision="tf32", is_async=True)], 0),
        [B, ACCUMULATOR],
        "ttng.warp_group_dot %arg0, %arg0, %arg1",
    ),
    # mbarriers
    (lambda b: ttng.init_barrier(b, 1), [BARRIER], "ttng.init_barrier %arg0, 1"),
    (lambda b: ttng.inval_barrier(b), [BARRIER], "ttng.inval_barrier %arg0"),
    (lambda b, p: ttng.barrier_expect(b, 8192, p), [BARRIER, "i1"], "ttng.barrier_expect %arg0, 8192, %arg1"),
    (
        lambda b, i, p, x: ttng.wait_barrier(b, i, [x], pred=p),
        [BARRIER, "i32", "i1", B],
        "%arg0, %arg1, %arg2 deps %arg3",
    ),
    (lambda b, p: ttng.arrive_barrier(b, 2, pred=p), [BARRIER, "i1"], "ttng.arrive_barrier %arg0, 2, %arg1"),
    (lambda b: ttng.async_copy_mbarrier_arrive(b, no_increment=True), [BARRIER], "{noIncrement}"),
    (
        lambda x, d, b: ttng.async_shared_store(x, d, b),
        [f"tensor<128x64xf16, {BLOCKED}>", A, BARRIER],
        "ttng.async_shared_store %arg0, %arg1, %arg2",
    ),
    (
        lambda x: ttng.packed_arith("fma", [x, x, x], results=[x.type]),
        [f"tensor<128x64xf16, {BLOCKED}>"],
        "ttng.packed_arith fma %arg0, %arg0, %arg0",
    ),
    # fences
    (lambda: ttng.fence_async_shared(False), [], "ttng.fence_async_shared {bCluster = false}"),
    (lambda: ttng.cluster_arrive(True), [], "ttng.cluster_arrive {relaxed = true}"),
    (lambda: ttng.cluster_wait(), [], "ttng.cluster_wait"),
    (lambda: ttng.cluster_barrier(), [], "ttng.cluster_barrier"),
    (lambda i: ttng.arrive_barrier_named(i, i), ["i32"], "ttng.arrive_barrier_named %arg0, %arg0 : i32, i32"),
    (lambda i: ttng.wait_barrier_named(i, i), ["i32"], "ttng.wait_barrier_named %arg0, %arg0 : i32, i32"),
    (lambda: ttng.tmem_wait("load"), [], "ttng.tmem_wait load"),
    # TMA
    (
        lambda d, i, b, x, p: ttng.async_tma_copy_global_to_local(d, [i, i], b, x, p, cache="cg"),
        [DESC, "i32", BARRIER, B, "i1"],
        "ttng.async_tma_copy_global_to_local %arg0[%arg1, %arg1] %arg3, %arg2, %arg4 cacheModifier = cg",
    ),
    (
        lambda d, i, x: ttng.async_tma_copy_local_to_global(d, [i, i], x),
        [DESC, "i32", B],
        "ttng.async_tma_copy_local_to_global %arg0[%arg1, %arg1] %arg2",
    ),
    (
        lambda d, i, x: ttng.async_tma_reduce("add", d, [i, i], x),
        [f"!tt.tensordesc<tensor<64x32xf32, {WORDS}>>", "i32", shared("64x32xf32", WORDS)],
        "ttng.async_tma_reduce add, %arg0[%arg1, %arg1] %arg2",
    ),
    (
        lambda d, x, y, b, r, p: ttng.async_tma_gather(d, x, y, b, r, p),
        [ROWS, X_OFFSETS, "i32", BARRIER, GATHERED, "i1"],
        "ttng.async_tma_gather %arg0[%arg1, %arg2] %arg4, %arg3, %arg5",
    ),
    (
        lambda d, x, y, r: ttng.async_tma_scatter(d, x, y, r),
        [ROWS, X_OFFSETS, "i32", GATHERED],
        "ttng.async_tma_scatter %arg0[%arg1, %arg2] %arg3",
    ),
    (lambda: ttng.async_tma_store_wait(0), [], "ttng.async_tma_store_wait {pendings = 0 : i32}"),
    (
        lambda p: ttng.reinterpret_tensor_descriptor(parsed("!tt.tensordesc<tensor<64x64xf16>>"), p),
        ["!tt.ptr<i8>"],
        "ttng.reinterpret_tensor_descriptor %arg0",
    ),
    (
        lambda p, i, s: ttng.tensormap_create(p, p, [i, i], [i, i], [s], [i, i], 6, 0, 3, 0),
        ["!tt.ptr<i8>", "i32", "i64"],
        "ttng.tensormap_create %arg0, %arg0, [%arg1, %arg1], [%arg1, %arg1], [%arg2], [%arg1, %arg1]",
    ),
    (lambda p: ttng.tensormap_fenceproxy_acquire(p), ["!tt.ptr<i8>"], "ttng.tensormap_fenceproxy_acquire %arg0"),
    # tensor memory
    (lambda: ttng.tmem_alloc(parsed(D), ttg.AsyncTokenType.get()), [], "ttng.tmem_alloc : () -> (!ttg.memdesc"),
    (lambda x: ttng.tmem_alloc(parsed(D), None, src=x), [MATRIX], "ttng.tmem_alloc %arg0"),
    (
        lambda d: ttng.tmem_subslice(
            ttg.MemDescType.get([128, 32], ir.F32Type.get(), TensorMemory(128, 32, 1), None, True, [128, 64]), d, 32
        ),
        [D],
        "ttng.tmem_subslice %arg0 {N = 32 : i32}",
    ),
    (lambda d, t: ttng.tmem_load(parsed(MATRIX), t.type, d, dep=t), [D, TOKEN], "ttng.tmem_load %arg0[%arg1]"),
    (lambda d, x, p: ttng.tmem_store(None, d, x, p), [D, MATRIX, "i1"], "ttng.tmem_store %arg1, %arg0, %arg2"),
    (
        lambda s, d: ttng.tmem_copy(s, d),
        [shared("128x4xi8", NvmmaShared(0, False, 8), ""), A_SCALE],
        "ttng.tmem_copy %arg0, %arg1",
    ),
    # tcgen05
    (
        lambda a, b, d, p, r: ttng.tc_gen5_mma(None, a, b, d, p, p, [r], [p], is_async=True),
        [A, B, D, "i1", BARRIER],
        "ttng.tc_gen5_mma %arg0, %arg1, %arg2, %arg3, %arg3, %arg4[%arg3] {is_async}",
    ),
    (
        lambda a, b, d, s, t, p: ttng.tc_gen5_mma_scaled(None, a, b, d, s, t, "e4m3", "e4m3", p, p, [], []),
        [A8, B8, D, A_SCALE, B_SCALE, "i1"],
        "lhs = e4m3 rhs = e4m3",
    ),
    (lambda b, p: ttng.tc_gen5_commit(b, pred=p), [BARRIER, "i1"], "ttng.tc_gen5_commit %arg0, %arg1"),
    # cluster launch control
    (lambda: ttng.clc_try_cancel_sync(ir.Type.parse("tensor<2xi64>")), [], "ttng.clc_try_cancel_sync : tensor<2xi64>"),
    (lambda a, b: ttng.clc_try_cancel(a, b), [ANSWER, BARRIER], "ttng.clc_try_cancel %arg0, %arg1"),
    (
        lambda a: ttng.clc_get_program_id(ttng.clc_load_result(a), tt.ProgramIDDim.Y),
        [ANSWER],
        "ttng.clc_get_program_id %0, y : i128 -> i32",
    ),
    (lambda a: ttng.clc_is_canceled(a), ["i128"], "ttng.clc_is_canceled %arg0"),
]


@pytest.mark.parametrize("body, arguments, text", CASES, ids=[text for _, _, text in CASES])
def test_builds(context, body, arguments, text):
    assert text in str(build(body, arguments))


def test_fence_of_a_cluster(context):
    module = build(ttng.fence_mbarrier_init_release_cluster, [], ctas=2)
    assert "ttng.fence_mbarrier_init_release_cluster" in str(module)


def test_every_operation_is_built(context):
    built = {name for body, arguments, _ in CASES for name in operation_names(build(body, arguments))}
    assert {*built, "ttng.fence_mbarrier_init_release_cluster"} >= {*operations_of(generated.__name__)}
