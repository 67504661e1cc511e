"""Every ttg operation built from Python, verified, printed and read back."""

import pytest
from building import build, operation_names, operations_of
from mlir import ir

from ttkit.dialects import _ttg_ops as generated
from ttkit.dialects import arith, tt, ttg
from ttkit.layout.encodings import Blocked, DotOperand, SwizzledShared

BLOCKED = Blocked((1, 4), (8, 4), (4, 1), (1, 0))
SHARED = SwizzledShared(1, 1, 1, (1, 0))
TENSOR = f"tensor<64x64xf16, {BLOCKED}>"
INDICES = f"tensor<64x64xi32, {BLOCKED}>"
POINTERS = f"tensor<64x64x!tt.ptr<f16>, {BLOCKED}>"
MASK = f"tensor<64x64xi1, {BLOCKED}>"
BYTES = f"tensor<64x64xi8, {BLOCKED}>"
BUFFER = f"!ttg.memdesc<64x64xf16, {SHARED}, #ttg.shared_memory, mutable>"
BUFFERS = f"!ttg.memdesc<2x64x64xf16, {SHARED}, #ttg.shared_memory, mutable>"
TOKEN = "!ttg.async.token"


def f16() -> ir.Type:
    return ir.F16Type.get()


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def memdesc(shape, layout=SHARED, element_type=None) -> ttg.MemDescType:
    return ttg.MemDescType.get(shape, element_type or f16(), layout, mutable=True)


CASES = [
    # layouts
    (lambda x: ttg.convert_layout(x, Blocked((1, 8), (4, 8), (4, 1), (1, 0))), [TENSOR], "ttg.convert_layout %arg0"),
    (lambda x: ttg.convert_layout(x, DotOperand(0, BLOCKED)), [TENSOR], "#ttg.dot_op<{opIdx = 0, parent = #blocked"),
    (
        lambda x: ttg.fp4_to_fp(
            ir.RankedTensorType.get([64, 128], f16(), ttg.attribute(Blocked((1, 8), (8, 4), (4, 1), (1, 0)))), x, 1
        ),
        [BYTES],
        "ttg.fp4_to_fp %arg0 {axis = 1 : i32}",
    ),
    # shared memory
    (lambda: ttg.local_dealloc(ttg.local_alloc(memdesc([64, 64]), alignment=128)), [], "ttg.local_alloc {alignment ="),
    (lambda x: ttg.local_alloc(memdesc([64, 64]), src=x), [TENSOR], "ttg.local_alloc %arg0"),
    (lambda b, x: ttg.local_store(x, b), [BUFFER, TENSOR], "ttg.local_store %arg1, %arg0"),
    (lambda b: ttg.local_load(b, BLOCKED), [BUFFER], "ttg.local_load %arg0 :"),
    (
        lambda b, t: ttg.local_load(b, ttg.attribute(BLOCKED), token=t),
        [BUFFER, TOKEN],
        "ttg.local_load %arg0 token %arg1",
    ),
    (lambda b, i: ttg.local_gather(b, i, 0), [BUFFER, INDICES], "ttg.local_gather %arg0[%arg1] {axis = 0 : i32}"),
    (
        lambda b, i, x: ttg.local_scatter(b, x, i, 1),
        [BUFFER, INDICES, TENSOR],
        "ttg.local_scatter %arg0[%arg1], %arg2 {axis = 1 : i32}",
    ),
    (
        lambda b, i, x: ttg.local_atomic_scatter_rmw(x.type, "fadd", b, x, i, 1),
        [BUFFER, INDICES, TENSOR],
        "ttg.local_atomic_scatter_rmw fadd, %arg0[%arg1], %arg2 {axis = 1 : i32}",
    ),
    (
        lambda x: ttg.inline_asm([], "nanosleep.u32 9;", "", False, []),
        [TENSOR],
        'ttg.inline_asm "nanosleep.u32 9;" {constraints = "", pure = false} : () -> ()',
    ),
    # views
    (lambda b, i: ttg.memdesc_index(b, i), [BUFFERS, "i32"], "ttg.memdesc_index %arg0[%arg1]"),
    (lambda b: ttg.memdesc_subslice(b, [32, 0], [32, 64]), [BUFFER], "mutable, 64x64>"),
    (lambda b: ttg.memdesc_trans(b, [1, 0]), [BUFFER], "ttg.memdesc_trans %arg0 {order = array<i32: 1, 0>}"),
    (lambda b: ttg.memdesc_reshape(memdesc([32, 128]), b), [BUFFER], "ttg.memdesc_reshape %arg0"),
    (lambda b: ttg.memdesc_reinterpret(memdesc([64, 64], element_type=i32()), b), [BUFFERS], "ttg.memdesc_reinterpret"),
    # asynchronous copies and barriers
    (
        lambda p, b, m: ttg.async_wait(
            [ttg.async_commit_group([ttg.async_copy_global_to_local(p, b, mask=m, cache="cg", contiguity=4)])], 0
        ),
        [POINTERS, BUFFER, MASK],
        "cacheModifier = cg",
    ),
    (lambda p, m: ttg.prefetch(p, mask=m), [POINTERS, MASK], "ttg.prefetch %arg0, %arg1"),
    (lambda: ttg.barrier("local|global_read"), [], "ttg.barrier local|global_read"),
    (lambda: ttg.barrier(ttg.AddrSpace.All), [], "ttg.barrier "),
    (lambda: ttg.local_barrier(), [], "ttg.local_barrier"),
    (
        lambda: ttg.global_scratch_alloc(tt.PointerType.get(ir.IntegerType.get_signless(8)), 128, 16),
        [],
        "alignment = 16 : i32, nbytes = 128 : i32",
    ),
    # pipelining
    (
        lambda i: ttg.predicate_stage(i, i, i, 2, 0),
        ["i32"],
        "ttg.predicate_stage %arg0, %arg0, %arg0 maxStage 2 stage 0",
    ),
    (lambda p, x: ttg.mask(p, [i32()], lambda: arith.addi(x, x)), ["i1", "i32"], '"ttg.mask"(%arg0)'),
    # warp specialization
    (
        lambda x: ttg.warp_specialize(
            [i32()],
            [x],
            lambda: x,
            [(1, lambda y: arith.addi(y, y)), (4, lambda y: None)],
            requested_registers=[24, 80],
        ),
        ["i32"],
        "partition1(%arg1: i32) num_warps(4)",
    ),
    (lambda: ttg.warp_id(), [], "ttg.warp_id"),
]


@pytest.mark.parametrize("body, arguments, text", CASES, ids=[text for _, _, text in CASES])
def test_builds(context, body, arguments, text):
    assert text in str(build(body, arguments))


def test_every_operation_is_built(context):
    built = {name for body, arguments, _ in CASES for name in operation_names(build(body, arguments))}
    assert built >= {*operations_of(generated.__name__)}
