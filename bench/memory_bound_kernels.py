"""The memory-bound kernels that bench/kernels.py measures, in either language: it sets `jit` and `tl`."""

# ruff: noqa: F821


@jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    x = tl.load(x_ptr + index, mask=inside)
    y = tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + y, mask=inside)


@jit
def softmax(out_ptr, x_ptr, x_stride, out_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    inside = index < columns
    x = tl.load(x_ptr + row * x_stride + index, mask=inside, other=-float("inf"))
    powers = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * out_stride + index, powers / tl.sum(powers, axis=0), mask=inside)


@jit
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
