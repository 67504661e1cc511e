"""Valid IR that the interpreter can't run: an error at the operation or argument, no traceback, no memory taken."""

import re
import resource

import numpy as np
import pytest

import ttkit
from ttkit.interpreter.check.generated_inputs import NoInputs, find_inputs
from ttkit.interpreter.decode import decode_module
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.machine import call_handler
from ttkit.sanitizer import check

HEAD = """
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
"""
LOWERED_ONLY = "operations of lowered code run in an llvm.func only"
REFUSED = {
    "a pack that does not divide": (
        """%a = tt.make_range {start = 0 : i32, end = 1 : i32} : tensor<1xi32>
        %r = "tt.map_elementwise"(%a) <{pack = 2 : i32}> ({ ^bb0(%u: i32, %v: i32):
          tt.map_elementwise.return %u, %v : i32, i32 }) : (tensor<1xi32>) -> tensor<1xi32>""",
        "tt.map_elementwise: pack = 2, but 1 elements are not a multiple of 2",
    ),
    "an operation of lowered code": ("%a = nvg.warp_id", f"nvg.warp_id: {LOWERED_ONLY}"),
    "a register of a thread": ("%a = nvvm.read.ptx.sreg.tid.x : i32", f"nvvm.read.ptx.sreg.tid.x: {LOWERED_ONLY}"),
    "elements that have no values": (
        "%a = ttg.local_alloc : () -> !ttg.memdesc<4xtf32, #s, #smem, mutable>",
        "the interpreter has no values of the element type of !ttg.memdesc<4xtf32",
    ),
    "a number that has no values": ("%a = ub.poison : i128", "the interpreter has no values of type i128"),
    "a tensor that has no values": (
        "%a = ub.poison : tensor<4xf80>",
        "the interpreter has no values of the element type of tensor<4xf80>",
    ),
    "an attribute that can not be read": (
        "%a = arith.constant {tasks = array<i128: 1>} 1 : i32",
        "arith.constant: attribute 'tasks' has elements of a type that is not supported",
    ),
    "an empty buffer": (
        """%a = ttg.local_alloc : () -> !ttg.memdesc<0xi64, #s, #smem, mutable>
        ttng.init_barrier %a, 1 : !ttg.memdesc<0xi64, #s, #smem, mutable>""",
        "!ttg.memdesc<0xi64, .* has no elements",
    ),
    "a buffer of 64 GiB": (
        "%a = ttg.local_alloc : () -> !ttg.memdesc<17179869184xi32, #s, #smem, mutable>",
        "!ttg.memdesc<17179869184xi32, .* has 68719476736 bytes; the interpreter takes 16777216 at most",
    ),
    "a tensor of 4 TiB": (
        """%a = arith.constant dense<0> : tensor<1048576x1048576xi32>
        %b = arith.addi %a, %a : tensor<1048576x1048576xi32>""",
        "tensor<1048576x1048576xi32> has 4398046511104 bytes; the interpreter takes 67108864 at most",
    ),
    "a descriptor that nothing has made": (
        """%z = arith.constant 0 : i32
        %a = ub.poison : !tt.tensordesc<tensor<8xf32>>
        %b = tt.descriptor_load %a[%z] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>""",
        "tt.descriptor_load: uses a value that nothing has defined .ub.poison., of type !tt.tensordesc",
    ),
    "a buffer that nothing has made": (
        "%a = ub.poison : !ttg.memdesc<1xi64, #s, #smem, mutable>\n"
        "ttng.init_barrier %a, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>",
        "ttng.init_barrier: uses a value that nothing has defined .ub.poison., of type !ttg.memdesc<1xi64",
    ),
    "a block pointer that nothing has made": (
        "%a = ub.poison : !tt.ptr<tensor<8xf32>>\n%b = tt.load %a : !tt.ptr<tensor<8xf32>>",
        "tt.load: uses a value that nothing has defined .ub.poison., of type !tt.ptr<tensor<8xf32>>",
    ),
    "a buffer that one branch has not made": (
        """%one = arith.constant 1 : i64
        %c = arith.cmpi eq, %n, %one : i64
        %a = scf.if %c -> (!ttg.memdesc<1xi64, #s, #smem, mutable>) {
          %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
          scf.yield %b : !ttg.memdesc<1xi64, #s, #smem, mutable>
        } else {
          %b = ub.poison : !ttg.memdesc<1xi64, #s, #smem, mutable>
          scf.yield %b : !ttg.memdesc<1xi64, #s, #smem, mutable>
        }
        ttng.init_barrier %a, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>""",
        "ttng.init_barrier: uses a value that nothing has defined .ub.poison., of type !ttg.memdesc<1xi64",
    ),
    "assembly without operands": (
        """%a = arith.constant 1 : i32
        %b = tt.elementwise_inline_asm "mov.b32"
          {constraints = "=r,r", packed_element = 1 : i32, pure = true} %a : i32 -> i32""",
        "tt.elementwise_inline_asm: mov.b32 does not take 0 operands",
    ),
    "pointers to what has no values": (
        "%a = tt.int_to_ptr %n : i64 -> !tt.ptr<i128>\n%b = tt.addptr %a, %n : !tt.ptr<i128>, i64",
        "the interpreter has no values of type i128",
    ),
}


def parsed(body, arguments="%x: !tt.ptr<i32>, %n: i64"):
    module = (
        f'module attributes {{"ttg.num-warps" = 4 : i32}} {{ tt.func public @f({arguments}) {{\n{body}\ntt.return }} }}'
    )
    return ttkit.parse(HEAD + module)


@pytest.mark.parametrize(("body", "found"), REFUSED.values(), ids=REFUSED)
def test_operations_that_can_not_run(body, found):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ttkit.Context(), pytest.raises(InterpreterError, match=found) as raised:
        ttkit.interpret(parsed(body), 1, [np.zeros(4, np.int32), 0])
    assert re.search(r'\n  at       "-":\d+:\d+$', str(raised.value))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB


def test_they_are_refused_only_where_they_run():
    body = f"cf.br ^end\n^never:\n{REFUSED['a tensor of 4 TiB'][0]}\ncf.br ^end\n^end:"
    with ttkit.Context():
        ttkit.interpret(parsed(body), 1, [np.zeros(4, np.int32), 0])


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("tensor<i32>", np.zeros((), np.int32)),
        ("tensor<4xi32>", np.zeros(4, np.int32)),
        ("vector<4xi32>", np.zeros(4, np.int32)),
        ("!tt.ptr<tensor<4xi32>>", np.zeros(4, np.int32)),
        ("!ttg.memdesc<4xi32, #s, #smem, mutable>", np.zeros(4, np.int32)),
        ("!ttg.async.token", 0),
        ("i128", 0),
        ("f80", 0.0),
        ("complex<f32>", 0.0),
    ],
)
def test_arguments_that_no_launch_can_pass(kind, given):
    with ttkit.Context():
        module = parsed("", f"%x: {kind}")
        with pytest.raises(ValueError, match=r"which can't be passed to a kernel \(at \"-\":4:\d+\)"):
            ttkit.interpret(module, 1, [given])


def test_no_inputs_are_made_for_block_pointers():
    with ttkit.Context():
        module = decode_module(
            parsed("%a = tt.advance %x, [%o] : !tt.ptr<tensor<4xi32>>", "%x: !tt.ptr<tensor<4xi32>>, %o: i32")
        )
        with pytest.raises((NoInputs, NotInterpretable), match=r"!tt.ptr<tensor<4xi32>> can't be generated"):
            find_inputs(module, module.public_function(), 0, [])


@pytest.mark.parametrize("error", [AttributeError("x"), IndexError("x"), ValueError("x"), MemoryError("x")])
def test_failures_of_the_interpreter_name_the_operation(error):
    with ttkit.Context():
        op = decode_module(parsed("%a = arith.addi %n, %n : i64")).public_function().body.blocks[0].instructions[0]

    def failing(*_):
        raise error

    op.handler = failing
    with pytest.raises(InterpreterError, match=r"^arith.addi: ") as raised:
        call_handler(None, op, [])
    assert '"-":' in str(raised.value)
    assert raised.value.__cause__ is error


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ('"ttg.num-warps" = 1000 : i32', "CTAs of 32000 threads; they have whole warps, and 1024 threads at most"),
        ('"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1000 : i32', "clusters of 1000 CTAs; they have 16 at most"),
        ('"ttg.num-warps" = 4 : i32, "ttg.shared" = 2147483647 : i32', "CTAs of 2147483647 bytes of shared memory"),
    ],
)
def test_lowered_kernels_that_no_gpu_runs(attributes, found):
    text = f"module attributes {{{attributes}}} {{ llvm.func @f() attributes {{nvvm.kernel}} {{ llvm.return }} }}"
    with ttkit.Context(), pytest.raises(NotInterpretable, match=found):
        ttkit.interpret(ttkit.parse(text), 1, [])


def test_scratch_memory_that_nobody_has():
    body = "%b = ttg.global_scratch_alloc {nbytes = 2000000000 : i32, alignment = 128 : i32} : !tt.ptr<i8>"
    with ttkit.Context(), pytest.raises(InterpreterError, match=r"global scratch: \d+ bytes; .*\n  at "):
        ttkit.interpret(parsed(body), 1000, [np.zeros(4, np.int32), 0])


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("gpu.barrier", "gpu.barrier: operations of whole programs run in a tt.func only"),
        ("%a = tt.get_program_id x : i32", "tt.get_program_id: operations of whole programs run"),
        (
            "%a = llvm.mlir.constant(1 : i16) : i16\n%b = llvm.bitcast %a : i16 to i32",
            "llvm.bitcast: i16 has 16 bits, and i32 has 32",
        ),
    ],
)
def test_operations_that_single_threads_can_not_run(body, found):
    kernel = f"llvm.func @f() attributes {{nvvm.kernel}} {{\n{body}\nllvm.return }}"
    with ttkit.Context(), pytest.raises(InterpreterError, match=found):
        ttkit.interpret(ttkit.parse(f'module attributes {{"ttg.num-warps" = 1 : i32}} {{ {kernel} }}'), 1, [])


@pytest.mark.parametrize(
    "value", ['"x"', "1.5 : f32", "dense<1.0> : tensor<1xf32>", "dense<> : tensor<0xi32>", "unit", "[1]"]
)
def test_attributes_that_only_have_the_names_of_hints(value):
    with ttkit.Context():
        module = parsed(f"%a = arith.addi %n, %n {{tt.divisibility = {value}}} : i64")
        assert not check(module, 1, [np.zeros(4, np.int32), 1]).found
