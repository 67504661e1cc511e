"""The kernels that are compared, for Triton's compiler: memory-bound ones."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    x = tl.load(x_ptr + index, mask=inside)
    y = tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + y, mask=inside)


@triton.jit
def softmax(out_ptr, x_ptr, x_stride, out_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    inside = index < columns
    x = tl.load(x_ptr + row * x_stride + index, mask=inside, other=-float("inf"))
    powers = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * out_stride + index, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def layer_norm(x_ptr, out_ptr, weight_ptr, bias_ptr, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    inside = index < columns
    x = tl.load(x_ptr + row * stride + index, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, x - tl.sum(x, axis=0) / columns, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    weight = tl.load(weight_ptr + index, mask=inside)
    bias = tl.load(bias_ptr + index, mask=inside)
    tl.store(out_ptr + row * stride + index, (centred * scale * weight + bias).to(tl.float16), mask=inside)


COLUMNS = {"softmax": (256, 1024, 2048, 4096, 8192, 12672), "layer_norm": (1024, 2048, 4096, 8192, 15872)}
WARPS = (4, 8, 16)
SIGNATURES = {
    "vector_add": {"x_ptr": "*fp32", "y_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32"},
    "softmax": {"out_ptr": "*fp32", "x_ptr": "*fp32", "x_stride": "i32", "out_stride": "i32", "columns": "i32"},
    "layer_norm": {
        "x_ptr": "*fp16",
        "out_ptr": "*fp16",
        "weight_ptr": "*fp16",
        "bias_ptr": "*fp16",
        "stride": "i32",
        "columns": "i32",
        "eps": "fp32",
    },
}


def variants():
    """(kernel name, BLOCK, warps) of everything that is measured."""
    yield from (("vector_add", 1024, 4), ("vector_add", 2048, 8))
    for name, columns in COLUMNS.items():
        for block in sorted({triton.next_power_of_2(n) for n in columns}):
            yield from ((name, block, warps) for warps in WARPS)
