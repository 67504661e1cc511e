"""Vector addition: programs, blocks, masks.

A kernel is run by many programs.  Each handles a block of the vectors: `tl.arange` gives the offsets of all of its
elements at once, and the mask keeps the last program from reading and writing past the end.
"""

import numpy as np
from showing import check, run

import ttkit
import ttkit.language as tl


@ttkit.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    x = tl.load(x_ptr + offsets, mask=inside)
    y = tl.load(y_ptr + offsets, mask=inside)
    tl.store(out_ptr + offsets, x + y, mask=inside)


def main():
    n, block = 100_000, 1024
    rng = np.random.default_rng(0)
    x, y = rng.random(n, np.float32), rng.random(n, np.float32)
    out = np.zeros(n, np.float32)
    run(
        vector_add,
        grid=(ttkit.cdiv(n, block),),
        arguments=(x, y, out, n),
        constants={"BLOCK": block},
        excerpts={"ttir": "addf", "ttgir": "addf", "llir": "fadd", "ptx": r"add\.\w*f32"},
    )
    check("x + y", out, x + y)


if __name__ == "__main__":
    main()
