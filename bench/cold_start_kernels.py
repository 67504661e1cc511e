"""What bench/cold_start.py runs in processes of its own: kernels in Triton or ttkit, and the times of compiling them.

python cold_start_kernels.py {ttkit,triton} KERNEL [KERNEL]     writes JSON to stdout
"""

import sys

from clocks import clock, since

START = clock()
if sys.argv[1] == "ttkit":
    import ttkit as compiler
    import ttkit.language as tl
    from ttkit import ASTSource, GPUTarget, knobs
else:
    import triton as compiler
    import triton.language as tl
    from triton import knobs
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
IMPORT = since(START)


@compiler.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(x_ptr + offsets, mask=mask) + tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, total, mask=mask)


@compiler.jit
def softmax(x_ptr, out_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * stride + offsets, mask=mask, other=-float("inf"))
    numerator = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


@compiler.jit
def layer_norm(x_ptr, w_ptr, b_ptr, out_ptr, stride, columns, eps, BLOCK: tl.constexpr):
    x_ptr += tl.program_id(0) * stride
    out_ptr += tl.program_id(0) * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < columns, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total, axis=0) / columns
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns - mean * mean + eps)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0).to(tl.float32)
        y = (x - mean) * scale * tl.load(w_ptr + offsets, mask=mask) + tl.load(b_ptr + offsets, mask=mask)
        tl.store(out_ptr + offsets, y, mask=mask)


@compiler.jit
def reductions(x_ptr, low_ptr, high_ptr, where_ptr, stride, M: tl.constexpr, N: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    x = tl.load(x_ptr + rows[:, None] * stride + tl.arange(0, N)[None, :])
    tl.store(low_ptr + rows, tl.min(x, axis=1))
    tl.store(high_ptr + rows, tl.max(x, axis=1))
    tl.store(where_ptr + rows, tl.argmax(x, axis=1))


@compiler.jit
def attention_row(q_ptr, k_ptr, v_ptr, out_ptr, stride, length, scale, N: tl.constexpr, D: tl.constexpr):
    """One row of attention, its products as sums: no tensor cores."""
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + tl.program_id(0) * stride + columns)
    highest, norm = -float("inf"), 0.0
    result = tl.zeros([D], dtype=tl.float32)
    for start in range(0, length, N):
        rows = start + tl.arange(0, N)
        places = rows[:, None] * stride + columns[None, :]
        inside = rows[:, None] < length
        k = tl.load(k_ptr + places, mask=inside, other=0.0)
        score = tl.where(rows < length, tl.sum(q[None, :] * k, axis=1) * scale, -float("inf"))
        higher = tl.maximum(highest, tl.max(score, axis=0))
        weight = tl.exp(score - higher)
        factor = tl.exp(highest - higher)
        v = tl.load(v_ptr + places, mask=inside, other=0.0)
        result = result * factor + tl.sum(weight[:, None] * v, axis=0)
        norm = norm * factor + tl.sum(weight, axis=0)
        highest = higher
    tl.store(out_ptr + tl.program_id(0) * stride + columns, result / norm)


@compiler.jit
def matmul(a_ptr, b_ptr, c_ptr, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    depth = tl.arange(0, K)
    total = tl.zeros([M, N], dtype=tl.float32)
    for start in range(0, k, K):
        a = tl.load(a_ptr + rows[:, None] * k + start + depth[None, :])
        b = tl.load(b_ptr + (start + depth)[:, None] * n + columns[None, :])
        total = tl.dot(a, b, total)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total)


F32, I32, F16 = "*fp32", "i32", "*fp16"


def types(kernel, kinds, **constants):
    """The signature and the constants of a kernel whose constants come last."""
    names = [*kernel.arg_names]
    return {**dict(zip(names, kinds)), **dict.fromkeys(constants, "constexpr")}, constants


KERNELS = {
    "vector_add": (vector_add, *types(vector_add, [F32, F32, F32, I32], BLOCK=1024)),
    "softmax": (softmax, *types(softmax, [F32, F32, I32, I32], BLOCK=2048)),
    "layer_norm": (layer_norm, *types(layer_norm, [F16, F16, F16, F16, I32, I32, "fp32"], BLOCK=1024)),
    "reductions": (reductions, *types(reductions, [F32, F32, F32, "*i32", I32], M=32, N=128)),
    "attention_row": (attention_row, *types(attention_row, [F32, F32, F32, F32, I32, I32, "fp32"], N=128, D=64)),
    "matmul": (matmul, *types(matmul, [F16, F16, F32, I32, I32, I32], M=64, N=64, K=32)),
}


def main() -> None:
    found: dict = {"import": IMPORT}
    stages: list = []
    knobs.compilation.listener = lambda **about: stages.append(about["times"])
    for key, kernel in zip(("first", "second"), sys.argv[2:]):
        function, signature, constants = KERNELS[kernel]
        start = clock()
        compiler.compile(ASTSource(function, signature, constants), target=GPUTarget("cuda", 90, 32))
        found[key] = since(start)
        levels = {level: microseconds / 1e3 for level, microseconds in stages[-1].lowering_stages}
        found[f"{key}_stages"] = {"initialization": stages[-1].ir_initialization / 1e3, **levels}

    import json

    print(json.dumps(found))


if __name__ == "__main__":
    main()
