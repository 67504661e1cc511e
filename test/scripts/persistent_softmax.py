"""Softmax by as many programs as the GPU runs at once; each takes every n-th row."""

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.runtime import driver


@triton.jit
def softmax_kernel(
    output_ptr, input_ptr, input_stride, output_stride, n_rows, n_cols, BLOCK: tl.constexpr, num_stages: tl.constexpr
):
    for row in tl.range(tl.program_id(0), n_rows, tl.num_programs(0), num_stages=num_stages):
        columns = tl.arange(0, BLOCK)
        mask = columns < n_cols
        x = tl.load(input_ptr + row * input_stride + columns, mask=mask, other=-float("inf"))
        numerator = tl.exp(x - tl.max(x, axis=0))
        tl.store(output_ptr + row * output_stride + columns, numerator / tl.sum(numerator, axis=0), mask=mask)


def programs(arguments, block):
    """As many as fit."""
    if not arrays.ON_GPU:
        return 4
    kernel = softmax_kernel.warmup(*arguments, BLOCK=block, num_stages=2, num_warps=8, grid=(1,))
    kernel._init_handles()
    properties = driver.active.utils.get_device_properties(driver.active.get_current_device())
    warps = properties["max_num_regs"] // (max(kernel.n_regs, 1) * properties["warpSize"] * 8)
    if kernel.metadata.shared:
        warps = min(warps, properties["max_shared_mem"] // kernel.metadata.shared)
    return properties["multiprocessor_count"] * max(warps, 1)


def main():
    x = arrays.normal(11, 130)
    y = arrays.zeros(11, 130)
    arguments = (y, arrays.on_device(x), 130, 130, 11, 130)
    block = triton.next_power_of_2(130)
    count = min(programs(arguments, block), 11)
    softmax_kernel[(count, 1, 1)](*arguments, BLOCK=block, num_stages=2, num_warps=8)
    exponential = np.exp(x - x.max(1, keepdims=True))
    arrays.close(y, exponential / exponential.sum(1, keepdims=True))


if __name__ == "__main__":
    main()
