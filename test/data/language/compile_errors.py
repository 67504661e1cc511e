"""Errors in kernels: statements, and a part of the text of the error that each gives.

A statement stands in a kernel with pointers `p` (fp32), `c` (to constants), `h` (fp16), `q` (i32), a descriptor `d` of
blocks of 16 x 32 fp16, scalars `n` (i32), `u` (u32), `w` (i64), `f` (fp32), the constexpr N = 16, and tensors `i` (0 to
N), `t` (fp32), `k` (i32), `z` (u32) of shape (16,), `m` (fp16, 16 x 16).  A `^` on a second line stands where the caret
must.
"""

HEADER = """from ttkit.frontend import jit
import ttkit.language as tl

PLAIN_GLOBAL = 3

@jit
def helper(x, y):
    return x + y

@jit
def by_keyword(x, *, y):
    return x + y

@jit
def calls_itself(x):
    return calls_itself(x)

@jit
def calls_itself_by_another(x):
    return calls_it_back(x - 1)

@jit
def calls_it_back(x):
    return calls_itself_by_another(x - 1)

@jit(noinline=True)
def kept(x):
    return x

@jit
def two_types(x):
    if x > 0:
        return 1
    return 1.0

@jit
def broken_inside(x):
    return helper(x, tl.zeros((2,), tl.int32))
"""

KERNEL = """

@jit
def kernel_{index}(p, c: tl.const, h, q, d, n, u, w, f, N: tl.constexpr):
    i = tl.arange(0, N)
    t = tl.load(p + i)
    k = tl.load(q + i)
    z = k.to(tl.uint32)
    m = tl.load(h + i[:, None] + i[None, :])
    {statement}
"""
LINE = 7  # of the statement, counted from `def`

SIGNATURE = {
    "p": "*fp32",
    "c": "*kfp32",
    "h": "*fp16",
    "q": "*i32",
    "d": "tensordesc<fp16[16,32]>",
    "n": "i32",
    "u": "u32",
    "w": "i64",
    "f": "fp32",
    "N": "constexpr",
}

ERRORS = [
    # Names and Python
    ("a = missing", "missing is not defined"),
    ("a = helpr(t, t)", "did you mean 'helper'?"),
    ("a = sorted(t)", "sorted is a function of Python: a kernel can't call it"),
    ("breakpoint()", "breakpoint() needs a kernel that the interpreter runs: TRITON_INTERPRET=1"),
    ("a = tl.missing(t)", "has no attribute 'missing'"),
    ("a = t.missing", "has no attribute 'missing'"),
    ("a = PLAIN_GLOBAL", "Cannot access global variable PLAIN_GLOBAL"),
    ("a = t + PLAIN_GLOBAL\n        ^", "as constexpr (`x = "),
    ("a = b = t", "simultaneous multiple assignment is not supported"),
    ("t[0] = 1", "tl.where, or store to memory"),
    ("t.x = 1", "Attribute assignment is not supported"),
    ("a = lambda x: x", "unsupported AST node type: Lambda"),
    ("a = {1: 2}", "unsupported AST node type: Dict"),
    ("try:\n        a = 1\n    except ValueError:\n        pass", "unsupported AST node type: Try"),
    ("for x in range(n):\n        break", "unsupported AST node type: Break"),
    ("while n > 0:\n        continue", "unsupported AST node type: Continue"),
    ("import math", "unsupported AST node type: Import"),
    ("import pdb; pdb.set_trace()", "import modules outside of the kernel; pdb needs TRITON_INTERPRET=1"),
    ("del t", "unsupported AST node type: Delete"),
    ("def inner():\n        pass", "nested function definition"),
    ("global other", "unsupported AST node type: Global"),
    ("yield n", "unsupported AST node type: Yield"),
    ("a = n in (1, 2)", "comparison operator 'In' is not"),
    ("a = t @ t", "binary operator 'MatMult' is not"),
    ("a = t ** 2", "; see tl.math"),
    ("a, b = t", "cannot unpack"),
    ("a, b, e = 1, 2", "into 3 names"),
    ("a = f'{t}'", "Cannot evaluate f-string"),
    ("for x in (1, 2):\n        pass", "iterators are currently supported"),
    ("for x in range(n):\n        pass\n    else:\n        pass", "`else` of a loop"),
    ("a = [x for x in t]", "only tuple comprehensions are supported"),
    ("a = 'text'", "cannot convert text"),
    # Calls
    ("a = tl.load()", "missing 1 required positional argument"),
    ("a = tl.load(p, wrong=1)", "unexpected keyword argument 'wrong'"),
    ("a = helper()", "missing 2 required positional arguments: 'x' and 'y'"),
    ("a = by_keyword(n, n)", "by_keyword() takes 1 positional argument but 2 were given"),
    ("for a in tl.range(4, num_stages=n): pass", "used as num_stages of tl.range value is not a constexpr"),
    ("a = helper(t, t, t)", "takes 2 positional arguments but 3 were given"),
    ("a = helper(t, z=1)", "expected one of x, y"),
    ("a = helper(t, x=t, y=1)", "multiple values for argument 'x'"),
    ("a = calls_itself(n)", "calls itself"),
    ("a = kept(t)", "was called with non-scalar argument x"),
    ("tl.advance(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), (1,))", "result of tl.advance is not being used"),
    ("a = two_types(n)", "Inconsistent return types"),
    ("a = broken_inside(t)", "Cannot make_shape_compatible"),
    ("for a in tl.range(4, num_stages=2.5): pass", "num_stages of tl.range must be an integer, found 2.5"),
    (
        "for a in tl.range(4, loop_unroll_factor='2'): pass",
        "loop_unroll_factor of tl.range must be an integer",
    ),
    ("for a in tl.range(0, n, 0): pass", "the step of a loop must not be zero"),
    ("for a in range(0, n, 0): pass", "the step of a loop must not be zero"),
    ("for a in range(): pass", "range takes one to three arguments"),
    ("a = helper[(1,)](t, t)", "a kernel can't launch the function helper: call it, without a grid"),
    ("a = tl.clamp(t, 0.0, 1.0, propagate_nan=True)", "propagate_nan must be tl.PropagateNan.ALL or NONE, found True"),
    ("a = tl.zeros((0,), tl.float32)", "found 0; a tensor has at least one element"),
    ("a = tl.multiple_of(i, -4)", "values of multiple_of must not be negative, found -4"),
    ("a = not t", "`not`, `and` and `or` take conditions, such as x != 0"),
    ("a = tl.make_tensor_descriptor(p, [n, n], [n, 1], [16, n])", "Shape element 1 must have type `constexpr[int]`"),
    (
        "a = tl.make_tensor_descriptor(p, [n, -1], [n, 1], [16, 16])",
        "sizes of a tensor descriptor must not be",
    ),
    (
        "a = tl.make_tensor_descriptor(p, [n, n], [-16, 1], [16, 16])",
        "strides of a tensor descriptor must not be",
    ),
    ("a = tl.load_tensor_descriptor(d, [0, 1.5])", "found 1.5; use an integer"),
    ("a = tl.dot(m, m, acc=m.to(tl.float16))", "the accumulator must be fp32[16, 16], got fp16[16, 16]"),
    ("a = tl.arange(0, 16)(3)", "not callable"),
    # Constants
    ("a = tl.arange(0, n)", "must be of type tl.constexpr"),
    ("a = tl.arange(0, 12)", "range must be a power of 2"),
    ("a = tl.arange(8, 8)", "must be greater than the start"),
    ("a = tl.arange(0, 2**33)", "must fit in int32"),
    ("a = tl.zeros((n,), tl.float32)", "Shape element 0 must have type `constexpr[int]`"),
    ("a = tl.zeros((12,), tl.float32)", "must be a power of 2"),
    ("a = tl.zeros(helper, tl.float32)", "as its argument 'shape', found the function helper"),
    ("a = tl.zeros((4096, 4096), tl.float32)", "exceeds triton maximum tensor numel"),
    ("a = tl.full((16,), 1, None)", "dtype must be specified"),
    ("a = tl.full((16,), 0.5, tl.int32)", "0.5 is not of type int32"),
    ("N: tl.constexpr = 3", "constexpr cannot be reassigned"),
    ("for x in tl.static_range(n):\n        pass", "used as tl.static_range start value is not a constexpr"),
    ("for x in range(n):\n        N = 3", "cannot be reassigned in the loop"),
    ("tl.static_assert(N == 3, 'N must be three')", "N must be three"),
    ("tl.static_assert(n == 3)", "could not be determined at compile-time"),
    ("a = 2**70", "needs more than 64 bits"),
    ("a = t + 2**64", "needs more than 64 bits"),
    ("a = N // 0", "modulo by zero"),
    ("if 'text':\n        pass", "conditionals can only accept"),
    # Types
    ("a = p + p", "cannot add pointers together"),
    ("a = p * 2", "invalid operands of type pointer<fp32> and triton.language.int32"),
    ("a = p + f", "invalid operands"),
    ("a = t & t", "invalid operands of type triton.language.float32"),
    ("a = ~t", "wrong type argument to unary invert"),
    ("a = -p", "wrong type argument to unary minus"),
    ("a = tl.range(0, 4)", "can't be assigned to a variable: write it in the `for` statement"),
    ("a = t // 2", "takes integers; use tl.floor"),
    ("a = k // z", "different signedness"),
    ("a = z - -1", "negative scalar"),
    ("a = k.to(tl.int8) + 300", "Scalar 300 is out of range for type int8"),
    ("a = not f", "Cannot bitcast data-type of size 32 to data-type of size 1"),
    ("a = t.to(tl.float16, bitcast=True)", "found fp32 as the source and fp16 as the target"),
    ("a = k.to(tl.float32, fp_downcast_rounding='rtz')", "only for truncating fp conversions"),
    (
        "a = t.to(tl.float16, fp_downcast_rounding='up')",
        "Invalid rounding mode: up. Supported rounding modes are 'rtne' and 'rtz'.",
    ),
    ("a = t.to(tl.float8e4b8)", "not supported in this architecture"),
    ("a = k.to(tl.float8e5)", "cannot cast"),
    ("a = tl.exp(k)", "Expected dtype ['fp32', 'fp64'] but got int32"),
    ("a = tl.sqrt(m)", "Expected dtype ['fp32', 'fp64'] but got fp16"),
    ("a = tl.clamp(k, 0, 1)", "Only floating point clamp is supported"),
    ("a = tl.umulhi(t, t)", "Expected dtype ['int32', 'int64', 'uint32', 'uint64'] but got fp32"),
    ("a = tl.arange(2**31 - 16, 2**31)", "must fit in int32"),
    ("a = tl.fdiv(n, 2.0)", "must have floating scalar type"),
    ("a = tl.fdiv(k, k)", "must have floating scalar type"),
    ("a = tl.maximum(t, t, propagate_nan=3)", "Unexpected propagate_nan 3"),
    ("a = tl.cumsum(t, reverse=n)", "reverse of associative_scan must be True or False, got int32[]"),
    ("a = tl.load(p, volatile='yes')", "volatile of load must be True or False, got yes"),
    ("a = tl.multiple_of(i, 1 << 40)", "must be a constant integer, got 1099511627776"),
    ("a = None + 1", "the operator + can't take None and 1"),
    ("a = -'text'", "the operator - can't take 'text'"),
    ("a = t.to('fp16')", "needs a dtype, such as tl.float32, as its argument 'dtype', found 'fp16'"),
    ("a = (1, 2).shape", "has no attribute 'shape'"),
    ("a = n.shape[0][0]", "() has no item 0"),
    ("for x in tl.static_range(2.5):\n        pass", "found 2.5 where an integer is required"),
    # Shapes
    ("a = tl.join(t, k)", "invalid operands of type fp32 and int32"),
    ("a = tl.ravel(n)", "a scalar int32 has no shape"),
    ("a = tl.sum(t, axis=(0, 1))", "needs a constant integer as its argument 'axis', found (0, 1)"),
    ("a = t + tl.zeros((32,), tl.float32)\n    ^", "incompatible dimensions at index 0: 16 and 32"),
    ("a = t[0]", "unsupported tensor index"),
    ("a = t[:, :, None]", "invalid axis 2"),
    ("a = tl.broadcast_to(t, (16, 16))", "rank mismatch"),
    ("a = tl.broadcast_to(t, (32,))", "must match the existing size (16)"),
    ("a = tl.reshape(t, (4, 8))", "cannot change total number of elements"),
    ("a = tl.expand_dims(t, 3)", "invalid axis 3"),
    ("a = tl.expand_dims(t, (0, 0))", "duplicate axes"),
    ("a = tl.permute(m, (0, 0))", "must be a permutation"),
    ("a = tl.trans(t)", "0- or 1-dimensional"),
    ("a = tl.cat(t, m)", "tensors of the same shape"),
    ("a = tl.cat(t, t, dim=1)", "axis"),
    ("a = tl.split(m)", "must have size 2"),
    ("a = t.item()", "single-element"),
    ("a = tl.sum(t, 1)", "invalid axis 1"),
    ("a = tl.cumsum(t, 2)", "invalid axis 2"),
    ("a = tl.gather(t, k, 1)", "gather axis 1 must be < source rank (1)"),
    ("a = tl.gather(t, t, 0)", "index must be an integer"),
    ("a = tl.histogram(m, 4)", "histogram only supports 1D input"),
    ("a = tl.sort(m, 0)", "only minor dimension"),
    # Memory
    ("a = tl.load(t)", "Unsupported ptr type"),
    ("a = tl.load(3)", "Unsupported ptr type constexpr[3]"),
    ("tl.store(c, 1.0)", "Cannot store to a constant pointer"),
    ("a = tl.load(p + i, other=0.0)", "cannot be provided without `mask`"),
    ("a = tl.load(p, mask=k > 0)", "Mask argument cannot be block type"),
    ("a = tl.load(p + i, mask=k)", "Mask must have boolean scalar type"),
    ("tl.store(p, t)", "Value argument cannot be block type"),
    ("tl.store(p + i, t, mask=k)", "Mask must have boolean scalar type"),
    ("tl.store(p + i, m)", "Expected pointer argument to have shape"),
    ("a = tl.load(p, boundary_check=(0,))", "please use block pointers"),
    ("a = tl.load(p, cache_modifier='.xx')", "Cache modifier .xx not supported"),
    ("tl.store(p, f, eviction_policy='never')", "Eviction policy never not supported"),
    ("a = tl.make_block_ptr(p, (n,), (1,), (w,), (16,), (0,))", "add a `.to(tl.int32)`"),
    ("a = tl.make_block_ptr(p, (n, n), (1,), (0,), (16,), (0,))", "to have the same length"),
    ("a = tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (1,))", "permutation"),
    ("a = tl.make_block_ptr(p, (n,), (1,), (0,), (n,), (0,))", "found ["),
    ("a = tl.make_block_ptr(p, (1.5 * n,), (1,), (0,), (16,), (0,))", "Expected an integer scalar type"),
    ("a = tl.make_block_ptr(p, (k,), (1,), (0,), (16,), (0,))", "Expected a scalar in"),
    (
        "a = tl.load(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0, 0))",
        "use different dimensions below 1",
    ),
    (
        "a = tl.load(tl.make_block_ptr(q, (n,), (1,), (0,), (16,), (0,)), boundary_check=(0,), padding_option='nan')",
        "not supported for integer",
    ),
    (
        "a = tl.load(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), mask=k > 0)",
        "cannot be specified for loading block pointers",
    ),
    (
        "a = tl.load(tl.make_block_ptr(p, (n,), (1,), (0,), (16,), (0,)), boundary_check=(1,))",
        "no such dimension in `boundary_check`",
    ),
    ("a = tl.make_tensor_descriptor(p, [n, n], [n, n], [16, 16])", "last dim must be 1"),
    ("a = tl.make_tensor_descriptor(p, [n], [1], [2])", "at least 16 bytes"),
    ("a = d.load([0])", "expected 2 offsets, but got 1"),
    ("d.store([0, 0], m)", "expected a block of shape"),
    ("tl.atomic_add(q.to(tl.pointer_type(tl.int8)), 1)", "does not support int8"),
    ("tl.atomic_max(h, 1.0)", "does not support fp16"),
    ("tl.atomic_add(q, 1, sem='strong')", "Memory semantic strong not supported"),
    ("tl.atomic_cas(q.to(tl.pointer_type(tl.int8)), 1, 2)", "width {16, 32, 64}"),
    ("tl.atomic_add(q, k)", "Value argument cannot be block type"),
    ("tl.atomic_add(q + i, k, mask=1)", "found <['16'], int32>; compare"),
    ("tl.atomic_cas(q + i, 0, k)", "cmp and val of atomic_cas must have the type that"),
    ("a = tl.advance(p, (1,))", "Unsupported ptr type pointer<fp32> in `tl.advance`"),
    ("a = tl.make_tensor_descriptor(t, [n], [1], [16])", "Unsupported ptr type"),
    ("a = tl.load(p + i, mask=k > 0, other=m)", "can't have more elements than the pointer"),
    ("a = tl.program_id(3)", "axis must be 0, 1, or 2 but got 3"),
    # Matrix products
    ("a = tl.dot(m, t)", "equal ranks"),
    ("a = tl.dot(m, m.to(tl.float32))", "must be same dtype"),
    ("a = tl.dot(m, tl.zeros((32, 16), tl.float16))", "equal reduction dimensions"),
    ("a = tl.dot(tl.zeros((16, 8), tl.float16), tl.zeros((8, 16), tl.float16))", "K >= 16"),
    ("a = tl.dot(m, m, input_precision='exact')", "input_precision must be one of"),
    ("a = tl.dot(m, m, input_precision=False)", "input_precision must be one of"),
    ("a = tl.dot(m, m, out_dtype=tl.bfloat16)", "out_dtype=bfloat16 is unsupported"),
    ("a = tl.dot(m, m, acc=tl.zeros((16, 16), tl.float16))", "the accumulator must be"),
    ("a = tl.dot(m, m, acc=t)", "accumulator shape is incompatible"),
    ("a = tl.dot(m.to(tl.int16), m.to(tl.int16))", "Unsupported lhs dtype int16"),
    ("a = tl.dot_scaled(m, None, 'e3m9', m, None, 'fp16')", "Invalid float format: e3m9"),
    ("a = tl.dot_scaled(m, None, 'e2m1', m, None, 'fp16')", "must be packed as uint8"),
    # Control flow
    ("if t > 0:\n        pass", "Boolean value of Tensor with more than one value is ambiguous"),
    ("for x in range(n):\n        if n > x:\n            return", "Cannot have `return` statements inside"),
    ("for x in range(n):\n        f = t", "Loop-carried variable f has initial type fp32 but is re-assigned to"),
    ("while t > 0:\n        t -= 1", "Boolean value of Tensor with more than one value is ambiguous"),
    ("while True:\n        n += 1", "the loop never ends: its condition is True"),
    ("while N:\n        n += 1", "the loop never ends: its condition is"),
    ("while n > 0:\n        n = w", "Loop-carried variable n has initial type int32"),
    ("for x in range(f):\n        pass", "bounds and step must all be ints"),
    ("for x in range(i):\n        pass", "upper bound must be a scalar"),
    ("if n > 0:\n        f = t", "the then block redefines it"),
    ("if n > 0:\n        y = 1\n    else:\n        y = 1.0", "Mismatched type for y"),
    ("a = 1 if t > 0 else 2", "Boolean value of Tensor with more than one value is ambiguous"),
    ("a = 1 if n > 0 else 2.0", "Ternary expression with dynamic condition has inconsistent types"),
    # Others
    ("a = tl.map_elementwise(helper, t)", "missing 1 required positional argument"),
    ("tl.device_print(t)", "is not string"),
    ("tl.device_print('\\u00e9')", "is not an ascii string"),
    ("a = tl.multiple_of(t, [16, 16])", "does not match the length of values"),
    ("a = tl.extra.libdevice.atan2(t, k)", "Expect one of"),
    ("a = tl.extra.libdevice.nothing(t)", "nothing"),
    ("a = 2 ** t", "; see tl.math"),
    ("a = +t", "found a tensor "),
    ("a = calls_itself_by_another(3)", "by an `if` on constants\nRecursionError('calls_itself_by_another calls itself"),
    ("a = tl.cast(1, 'x')", "a dtype, such as tl.float32, as its argument 'dtype', found 'x'"),
    ("a = tl.sort(n)", "a scalar has no dimension\ninvalid axis -1"),
    ("a = tl.flip(n)", "a scalar has no dimension\ninvalid axis -1"),
    ("a = t (t + 1)", "may be missing before the parenthesis\nTypeError(\"'tensor' object is not callable\")"),
    ("a = tl.topk(t, 3)", "k must be a power of two, and at most the size"),
    ("a = tl.topk(t, 32)", "k must be a power of two, and at most the size"),
]


def source():
    """The text of a Python file with a kernel for each error: `kernel_<index>`."""
    statements = [text.partition("\n")[0] if "^" in text else text for text, _ in ERRORS]
    return HEADER + "".join(KERNEL.format(index=index, statement=text) for index, text in enumerate(statements))
