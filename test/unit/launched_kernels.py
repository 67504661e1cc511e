"""Kernels that tests launch, and tensors that only have an address."""

import ttkit
import ttkit.language as tl


class Tensor:
    """As much of a tensor of torch as a launch looks at."""

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
def fill(out, value, flag, offsets, scale: tl.float16 = 2.0):
    first, rest = offsets
    tl.store(out + first + rest[0], value)
    if flag:
        tl.store(out + rest[1], scale)
