"""Functions of CUDA's libdevice, by both of their names."""

import math

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def functions(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = libdevice.asin(x) + tl.extra.cuda.libdevice.pow(tl.abs(x), 1.5) + libdevice.tanh(x) + tl.math.erf(x)
    tl.store(y_ptr + offsets, y + libdevice.rint(3 * x), mask=mask)


def main():
    x = arrays.random.uniform(-0.9, 0.9, 300).astype(np.float32)
    y = arrays.zeros(300)
    functions[lambda meta: (triton.cdiv(300, meta["BLOCK"]),)](arrays.on_device(x), y, 300, BLOCK=128)
    wide = x.astype(np.float64)
    erf = np.vectorize(math.erf)(wide)
    arrays.close(y, np.arcsin(wide) + np.abs(wide) ** 1.5 + np.tanh(wide) + erf + np.rint(3 * x), 1e-5, 1e-5)


if __name__ == "__main__":
    main()
