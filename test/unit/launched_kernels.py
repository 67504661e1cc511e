"""Kernels that tests launch, and tensors that only have an address."""

import ttkit
import ttkit.language as tl


class Tensor:
    """As much of a tensor of torch as a launch looks at; its memory is nobody's."""

    is_cuda, data, device, shape = True, None, "cuda", (1,)

    def __init__(self, dtype="torch.float32", address=4096):
        self.dtype, self.address = dtype, address

    def data_ptr(self):
        return self.address


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@ttkit.jit
def copy_blocks(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]))


@ttkit.jit
def numbers(out, a: tl.int8, b: tl.uint16, c: tl.int64, d: tl.uint64, e: tl.float16, f: tl.bfloat16, g: tl.float64):
    tl.store(out, a + b + c + d + (e + f + g).to(tl.int64))


@ttkit.jit
def applied(out, function: tl.constexpr, dtype: tl.constexpr, extra):
    tl.store(out, function(tl.program_id(0)).to(dtype))


@ttkit.jit
def double(x):
    return x * 2


@ttkit.jit
def triple(x):
    return x * 3


@ttkit.jit
def calls_double(out, n):
    tl.store(out, double(n))


SCALE = tl.constexpr(3)


@ttkit.jit
def scaled(out, n, do_not: tl.constexpr = 1):
    tl.store(out, n * SCALE)


@ttkit.jit
def fill(out, value, flag, offsets, scale: tl.float16 = 2.0):
    first, rest = offsets
    tl.store(out + first + rest[0], value)
    if flag:
        tl.store(out + rest[1], scale)
