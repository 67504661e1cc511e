"""A kernel as compilers of graphs write them: one expression an operation, masks everywhere, helpers from a module."""

import arrays
import numpy as np
import triton
import triton.language as tl
from graph_helpers import maximum, welford_combine, welford_reduce
from triton.language import math as tl_math


@triton.jit
def triton_red_fused_native_layer_norm_relu_0(
    in_ptr0, in_ptr1, out_ptr0, out_ptr1, out_ptr2, xnumel, r0_numel, XBLOCK: tl.constexpr, R0_BLOCK: tl.constexpr
):
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    r0_base = tl.arange(0, R0_BLOCK)[None, :]
    x0 = xindex
    tmp4_mean = tl.zeros([XBLOCK, R0_BLOCK], tl.float32)
    tmp4_m2 = tl.zeros([XBLOCK, R0_BLOCK], tl.float32)
    tmp4_weight = tl.zeros([XBLOCK, R0_BLOCK], tl.float32)
    for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
        r0_1 = r0_offset + r0_base
        r0_mask = r0_1 < r0_numel
        tmp0 = tl.load(in_ptr0 + (r0_1 + r0_numel * x0), r0_mask & xmask, eviction_policy="evict_last", other=0.0).to(
            tl.float32
        )
        tmp1 = tmp0.to(tl.float32)
        tmp2 = maximum(tl.full([1, 1], 0, tl.int32), tmp1)
        tmp3 = tl.broadcast_to(tmp2, [XBLOCK, R0_BLOCK])
        tmp4_mean_next, tmp4_m2_next, tmp4_weight_next = welford_reduce(tmp3, tmp4_mean, tmp4_m2, tmp4_weight)
        tmp4_mean = tl.where(r0_mask & xmask, tmp4_mean_next, tmp4_mean)
        tmp4_m2 = tl.where(r0_mask & xmask, tmp4_m2_next, tmp4_m2)
        tmp4_weight = tl.where(r0_mask & xmask, tmp4_weight_next, tmp4_weight)
    tmp5, tmp6, tmp7 = tl.reduce((tmp4_mean, tmp4_m2, tmp4_weight), 1, welford_combine)
    tmp4 = tmp5[:, None]
    tmp8 = tmp6[:, None] / tmp7[:, None]
    tl.store(out_ptr0 + x0, tmp4, xmask)
    tmp9 = tl_math.rsqrt(tmp8 + tl.full([1, 1], 1e-05, tl.float32))
    tl.debug_barrier()
    tl.store(out_ptr1 + x0, tmp9, xmask)
    for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
        r0_1 = r0_offset + r0_base
        r0_mask = r0_1 < r0_numel
        tmp10 = tl.load(in_ptr0 + (r0_1 + r0_numel * x0), r0_mask & xmask, eviction_policy="evict_first", other=0.0)
        tmp11 = maximum(tl.full([1, 1], 0, tl.int32), tmp10.to(tl.float32))
        tmp12 = tl.load(in_ptr1 + r0_1, r0_mask, eviction_policy="evict_last", other=0.0)
        tmp13 = (tmp11 - tmp4) * tmp9 * tmp12
        tl.store(out_ptr2 + (r0_1 + r0_numel * x0), tmp13, r0_mask & xmask)


def main():
    rows, n = 6, 90
    x, w = arrays.normal(rows, n, dtype=np.float16), arrays.normal(n)
    mean, rstd, out = arrays.zeros(rows), arrays.zeros(rows), arrays.zeros(rows, n)
    device = [arrays.on_device(x), arrays.on_device(w)]
    triton_red_fused_native_layer_norm_relu_0[(triton.cdiv(rows, 4),)](
        *device, mean, rstd, out, rows, n, XBLOCK=4, R0_BLOCK=32
    )
    positive = np.maximum(x.astype(np.float32), 0)
    normal = (positive - positive.mean(1, keepdims=True)) / np.sqrt(positive.var(1, keepdims=True) + 1e-5)
    arrays.close(out, normal * w, 1e-4)


if __name__ == "__main__":
    main()
