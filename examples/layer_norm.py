"""Layer norm of f16 rows: mixed precision.

Numbers are stored in f16 and computed with in f32.  Mean and variance are reductions of the row that the program holds.
"""

import numpy as np
from showing import check, run

import ttkit
import ttkit.language as tl


@ttkit.jit
def layer_norm(x_ptr, out_ptr, weight_ptr, bias_ptr, columns, epsilon, BLOCK: tl.constexpr):
    start = tl.program_id(0) * columns
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(x_ptr + start + offsets, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(inside, x - mean, 0.0)
    inverse = tl.rsqrt(tl.sum(centred * centred, axis=0) / columns + epsilon)
    weight = tl.load(weight_ptr + offsets, mask=inside)
    bias = tl.load(bias_ptr + offsets, mask=inside)
    tl.store(out_ptr + start + offsets, (centred * inverse * weight + bias).to(tl.float16), mask=inside)


def main():
    rows, columns, epsilon = 48, 1000, 1e-5
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, columns)).astype(np.float16)
    weight, bias = (rng.standard_normal(columns).astype(np.float16) for _ in range(2))
    out = np.zeros_like(x)
    run(
        layer_norm,
        grid=(rows,),
        arguments=(x, out, weight, bias, columns, epsilon),
        constants={"BLOCK": ttkit.next_power_of_2(columns)},
        excerpts={"ttir": "arith.extf", "ttgir": "arith.extf", "llir": "fpext", "ptx": r"cvt\.f32\.f16"},
        num_warps=8,
    )
    wide = x.astype(np.float32)
    centred = wide - wide.mean(axis=1, keepdims=True)
    wanted = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon) * weight + bias
    check("layer_norm(x)", out, wanted, 1e-2)


if __name__ == "__main__":
    main()
