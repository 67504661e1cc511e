"""Every tt operation built from Python, verified, printed and read back."""

import pytest
from building import build, operation_names, operations_of, types
from mlir import ir

from ttkit.dialects import _tt_ops as generated
from ttkit.dialects import arith, tt

PTR, F32, I32, I64 = types("!tt.ptr<f32>", "f32", "i32", "i64")
PTRS, FLOATS, INTS, BOOLS = types("tensor<64x!tt.ptr<f32>>", "tensor<64xf32>", "tensor<64xi32>", "tensor<64xi1>")
MATRIX, HALVES = types("tensor<32x32xf32>", "tensor<32x32xf16>")
DESC, ROWS = types("!tt.tensordesc<tensor<32x32xf32>>", "!tt.tensordesc<tensor<1x32xf32>>")
LAID_OUT = types(
    "tensor<64x32xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
    "order = [1, 0]}>>"
)[0]


def f16() -> ir.Type:
    return ir.F16Type.get()


def f32() -> ir.Type:
    return ir.F32Type.get()


def i32() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def branchy_minimum(a, b):
    return arith.minsi(a, b)


# What is built, the types of the arguments, and a piece of the text that it must give.
CASES = [
    # pointers and memory
    (lambda p, i: tt.addptr(p, i), [PTRS, INTS], "tt.addptr %arg0, %arg1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>"),
    (lambda p: tt.ptr_to_int(p), [PTRS], "tt.ptr_to_int %arg0 : tensor<64x!tt.ptr<f32>> -> tensor<64xi64>"),
    (lambda i: tt.int_to_ptr(i, tt.PointerType.get(f32())), [I64], "tt.int_to_ptr %arg0 : i64 -> !tt.ptr<f32>"),
    (lambda p: tt.load(p), [PTR], "tt.load %arg0 : !tt.ptr<f32>"),
    (
        lambda p, m, o: tt.load(p, mask=m, other=o, cache="cg", evict=tt.EvictionPolicy.EVICT_FIRST, is_volatile=True),
        [PTRS, BOOLS, FLOATS],
        "tt.load %arg0, %arg1, %arg2 cacheModifier = cg evictionPolicy = evict_first {isVolatile = true}",
    ),
    (lambda p, x: tt.store(p, x), [PTR, F32], "tt.store %arg0, %arg1"),
    (lambda p, x, m: tt.store(p, x, mask=m, cache="wb"), [PTRS, FLOATS, BOOLS], "tt.store %arg0, %arg1, %arg2 cache"),
    (
        lambda p, n, o: tt.load(
            tt.advance(tt.make_tensor_ptr(p, [n, n], [n, n], [o, o], [16, 16], [1, 0]), [o, o]),
            boundary_check=[0, 1],
            padding="nan",
        ),
        [PTR, I64, I32],
        "boundaryCheck = array<i32: 0, 1>, padding = 2",
    ),
    (lambda p, x: tt.atomic_rmw("fadd", p, x), [PTR, F32], "tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %arg1"),
    (
        lambda p, x, m: tt.atomic_rmw(tt.RMWOp.XCHG, p, x, mask=m, sem="relaxed", scope="sys"),
        [PTRS, FLOATS, BOOLS],
        "tt.atomic_rmw exch, relaxed, sys, %arg0, %arg1, %arg2",
    ),
    (lambda p, x: tt.atomic_cas(p, x, x, scope="cta"), [PTR, F32], "tt.atomic_cas acq_rel, cta, %arg0, %arg1, %arg1"),
    (
        lambda p, x: tt.atomic_load(x.type, "acquire", "gpu", p),
        [PTR, F32],
        "tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<f32>) -> f32",
    ),
    (lambda p, x: tt.atomic_store("release", "sys", p, x), [PTR, F32], "tt.atomic_store release, sys, %arg0, %arg1"),
    (
        lambda p, x, t: tt.atomic_poll("relaxed", "gpu", p, x, timeout=t),
        [PTR, F32, I64],
        "tt.atomic_poll relaxed, gpu, %arg0, %arg1 timeout %arg2 : !tt.ptr<f32>, f32 -> i1",
    ),
    # descriptors
    (
        lambda p, n, s: tt.make_tensor_descriptor(p, [n, n], [s, s], [32, 32], padding="nan"),
        [PTR, I32, I64],
        "tt.make_tensor_descriptor %arg0, [%arg1, %arg1], [%arg2, %arg2] {padding = 2 : i32}",
    ),
    (lambda d, i: tt.descriptor_load(d, [i, i], cache="ca"), [DESC, I32], "tt.descriptor_load %arg0[%arg1, %arg1]"),
    (lambda d, i, x: tt.descriptor_store(d, x, [i, i]), [DESC, I32, MATRIX], "tt.descriptor_store %arg0[%arg1, %arg1]"),
    (lambda d, i, x: tt.descriptor_reduce("min", d, x, [i, i]), [DESC, I32, MATRIX], "tt.descriptor_reduce min, %arg0"),
    (
        lambda d, x, y: tt.descriptor_gather(d, x, y),
        [ROWS, types("tensor<32xi32>")[0], I32],
        "-> tensor<32x32xf32>",
    ),
    (
        lambda d, x, y, v: tt.descriptor_scatter(d, x, y, v),
        [ROWS, types("tensor<32xi32>")[0], I32, MATRIX],
        "tt.descriptor_scatter %arg0[%arg1, %arg2]",
    ),
    # indices and views
    (lambda: tt.get_program_id("y"), [], "tt.get_program_id y : i32"),
    (lambda: tt.get_num_programs(tt.ProgramIDDim.Z), [], "tt.get_num_programs z : i32"),
    (lambda: tt.grid_dependency_wait(), [], "tt.grid_dependency_wait"),
    (lambda: tt.grid_dependency_launch_dependents(), [], "tt.grid_dependency_launch_dependents"),
    (lambda: tt.make_range(0, 64), [], "tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>"),
    (lambda x: tt.splat(x, [8, 8]), [F32], "tt.splat %arg0 : f32 -> tensor<8x8xf32>"),
    (lambda x: tt.unsplat(x), [types("tensor<1xf32>")[0]], "tt.unsplat %arg0 : tensor<1xf32>"),
    (lambda x: tt.expand_dims(x, 1), [FLOATS], "tt.expand_dims %arg0 {axis = 1 : i32} : tensor<64xf32>"),
    (lambda x: tt.broadcast(x, [32, 64]), [types("tensor<1x64xf32>")[0]], "-> tensor<32x64xf32>"),
    (lambda x: tt.reshape(x, [16, 4], allow_reorder=True), [FLOATS], "tt.reshape %arg0 allow_reorder : tensor<64xf32>"),
    (lambda x: tt.trans(x, [1, 0]), [MATRIX], "tt.trans %arg0 {order = array<i32: 1, 0>}"),
    (lambda x: tt.cat(x, x), [FLOATS], "tt.cat %arg0, %arg0 : tensor<64xf32> -> tensor<128xf32>"),
    (lambda x: tt.split(tt.join(x, x)), [FLOATS], "tt.split %0 : tensor<64x2xf32> -> tensor<64xf32>"),
    (lambda x, i: tt.gather(x, i, 0), [FLOATS, INTS], "tt.gather %arg0[%arg1] {axis = 0 : i32}"),
    (lambda i, m: tt.histogram(i, [16], mask=m), [INTS, BOOLS], "-> tensor<16xi32>"),
    # arithmetic
    (lambda x: tt.bitcast(x, i32()), [FLOATS], "tt.bitcast %arg0 : tensor<64xf32> -> tensor<64xi32>"),
    (lambda x: tt.fp_to_fp(x, f16(), rounding="rtne"), [FLOATS], "tt.fp_to_fp %arg0, rounding = rtne"),
    (lambda x: tt.clampf(x, x, x, "all"), [FLOATS], "tt.clampf %arg0, %arg0, %arg0, propagateNan = all"),
    (lambda x: tt.precise_sqrt(tt.precise_divf(x, x)), [FLOATS], "tt.precise_divf %arg0, %arg0"),
    (lambda x: tt.approx_divf(x, x), [FLOATS], "tt.approx_divf %arg0, %arg0"),
    (lambda x: tt.mulhiui(x, x), [INTS], "tt.mulhiui %arg0, %arg0 : tensor<64xi32>"),
    (lambda a, c: tt.dot(a, a, c), [HALVES, MATRIX], "tt.dot %arg0, %arg0, %arg1"),
    (lambda a: tt.dot(a, a, a, input_precision="tf32x3"), [MATRIX], "inputPrecision = tf32x3"),
    (
        lambda a, b, c, s: tt.dot_scaled(a, b, c, "e4m3", tt.ScaleDotElemType.E5M2, a_scale=s, fast_math=True),
        [*types("tensor<32x64xi8>", "tensor<64x32xi8>"), MATRIX, types("tensor<32x2xi8>")[0]],
        "lhs = e4m3 rhs = e5m2 {fastMath = true}",
    ),
    # code inside
    (lambda x: tt.reduce(x, 0, arith.addf), [FLOATS], '"tt.reduce"(%arg0) <{axis = 0 : i32}>'),
    (lambda x: tt.reduce(x, 1, arith.addf), [LAID_OUT], "-> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>"),
    (
        lambda x, i: tt.reduce([x, i], 0, lambda a, i, b, j: (arith.maxnumf(a, b), arith.maxsi(i, j))),
        [FLOATS, INTS],
        "(tensor<64xf32>, tensor<64xi32>) -> (f32, i32)",
    ),
    (
        lambda x: tt.scan(x, 0, arith.addf, reverse=True),
        [FLOATS],
        '"tt.scan"(%arg0) <{axis = 0 : i32, reverse = true}>',
    ),
    (lambda x: tt.map_elementwise([x, x], [i32()], branchy_minimum), [INTS], "tt.map_elementwise.return %"),
    (
        lambda x: tt.map_elementwise(x, [i32()], lambda a, b: [b, a], pack=2),
        [INTS],
        '"tt.map_elementwise"(%arg0) <{pack = 2 : i32}>',
    ),
    (lambda x: tt.extern_elementwise("__nv_expf", [x]), [FLOATS], 'libname = "libdevice"'),
    (
        lambda x: tt.elementwise_inline_asm("mov.b32 $0, $1;", "=r,r", [x], [x.type]),
        [FLOATS],
        'tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true}',
    ),
    # debugging
    (lambda m: tt.assert_(m, "no"), [BOOLS], 'tt.assert %arg0, "no" : tensor<64xi1>'),
    (
        lambda x: tt.print_("x: ", x, hex=True),
        [FLOATS],
        'tt.print "x: " {hex = true, isSigned = array<i32: 0>} : %arg0',
    ),
]


@pytest.mark.parametrize("body, arguments, text", CASES, ids=[text for _, _, text in CASES])
def test_builds(context, body, arguments, text):
    assert text in str(build(body, arguments))


def test_call(context):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):

        @tt.func(f32(), visibility="private")
        def callee(x):
            return x, x

        @tt.func(f32(), name="kernel", arg_attrs=[{"tt.contiguity": ir.IntegerAttr.get(i32(), 4)}])
        def caller(x):
            tt.call(callee, [x])
            assert tt.call("callee", [x], [f32(), f32()])[0].type == f32()

    assert module.operation.verify()
    assert (callee.name, caller.name, len(caller.arguments), caller.is_external) == ("callee", "kernel", 1, False)
    assert str(callee.type) == "(f32) -> (f32, f32)"
    assert "tt.func public @kernel(%arg0: f32 {tt.contiguity = 4 : i32})" in str(module)


def test_call_by_name_needs_result_types(context):
    with pytest.raises(ValueError, match="result types of the call of @f"):
        tt.call("f", [])


def test_every_operation_is_built(context):
    built = {name for body, arguments, _ in CASES for name in operation_names(build(body, arguments))}
    missing = {*operations_of(generated.__name__)} - {*built, "tt.call"}
    assert not missing, f"add rows that build {sorted(missing)} to CASES above"
