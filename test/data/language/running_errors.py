"""Errors that show when a kernel runs as Python: statements, and a part of the text of the error that each gives.

A statement stands in a kernel with pointers `x` (fp32, 16 elements), `y` (int32, 8 elements) and `table` (int64), the
scalar `n` = 5, the constexpr N = 16, and tensors `i` (0 to N) and `v` (loaded from `x`; 0 to N).
"""

HEADER = """import ttkit
import ttkit.language as tl


@ttkit.jit
def helper(pointer, index):
    return tl.load(pointer + index)
"""

KERNEL = """

@ttkit.jit(interpret=True, debug=True)
def kernel_{index}(x, y, table, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    {statement}
"""

ERRORS = [
    # Memory
    ("tl.store(x + i + n, v)", "writes 4 bytes at offset 64 of buffer 'x', which has 64 bytes"),
    ("a = tl.load(x + i - n, mask=i < 10)", "reads 4 bytes at offset -20 of buffer 'x'"),
    ("a = tl.load(y + i, mask=i <= 8)", "reads 4 bytes at offset 32 of buffer 'y', which has 32 bytes"),
    ("a = helper(y, i)", "called from"),
    ("a = tl.load(tl.make_block_ptr(y, (8,), (1,), (4,), (8,), (0,)))", "offset 32 of buffer 'y'"),
    (
        "a = tl.load((x.to(tl.pointer_type(tl.int8)) + 2).to(tl.pointer_type(tl.float32)))",
        "at offset 2 of buffer 'x', which is not a multiple of 4",
    ),
    ("a = tl.load(tl.load(table).to(tl.pointer_type(tl.float32)))", "which is in no known array"),
    ("tl.atomic_add(y + i, 1)", "updates 4 bytes at offset 32 of buffer 'y'"),
    # Promises
    ('tl.device_assert(v < 10.0, "small values")', "small values"),
    ('assert n < 3, "few"', "few"),
    ("tl.assume(n > 10)", "the assumption is false"),
    # Language
    ("a = v + tl.arange(0, 8)", "incompatible dimensions at index 0"),
    ("a = tl.arange(0, 12)", "must be a power of 2"),
    ("a = tl.dot(v, v)", "dot"),
    (
        'a = tl.inline_asm_elementwise("ex2.approx.f32 $0, $1;", "=f,f", [v], tl.float32, True, 1)',
        "inline assembly has no meaning here: ex2.approx.f32",
    ),
]


def source():
    """The text of a Python file with a kernel for each error: `kernel_<index>`."""
    return HEADER + "".join(KERNEL.format(index=index, statement=text) for index, (text, _) in enumerate(ERRORS))


def arguments(np):
    """What the kernels are called with."""
    return np.arange(16, dtype=np.float32), np.zeros(8, np.int32), np.array([4096]), 5, 16
