"""Softmax of the rows of a matrix: reductions.

A program has a whole row in registers: it is read once and written once.  `tl.max` and `tl.sum` combine the elements of
all threads, by shuffles within a warp and through shared memory between warps.
"""

import numpy as np
from showing import check, run

import ttkit
import ttkit.language as tl


@ttkit.jit
def softmax(x_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    # Elements past the end of the row must change neither the maximum nor the sum.
    x = tl.load(x_ptr + row * stride + offsets, mask=inside, other=-float("inf"))
    power = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + offsets, power / tl.sum(power, axis=0), mask=inside)


def main():
    rows, columns = 64, 781
    x = np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)
    out = np.zeros_like(x)
    run(
        softmax,
        grid=(rows,),
        arguments=(x, out, columns, columns),
        constants={"BLOCK": ttkit.next_power_of_2(columns)},
        excerpts={"ttir": "tt.reduce", "ttgir": "tt.reduce", "llir": "shfl", "ptx": "shfl"},
    )
    power = np.exp(x - x.max(axis=1, keepdims=True))
    check("softmax(x)", out, power / power.sum(axis=1, keepdims=True), 1e-5)


if __name__ == "__main__":
    main()
