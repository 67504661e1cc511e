"""Matrix products: operand types, precisions, transposes, batches, scaled formats, epilogues, loop shapes."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def matmul(a, b, c, m, n, k, stride_a, stride_b, stride_c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
           PRECISION: tl.constexpr, A_COLUMN: tl.constexpr, B_COLUMN: tl.constexpr, OUT: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    if A_COLUMN:
        a_tile = a + inner[None, :] * stride_a + rows[:, None]
    else:
        a_tile = a + rows[:, None] * stride_a + inner[None, :]
    if B_COLUMN:
        b_tile = b + columns[None, :] * stride_b + inner[:, None]
    else:
        b_tile = b + inner[:, None] * stride_b + columns[None, :]
    acc = tl.zeros((M, N), OUT)
    for step in range(0, tl.cdiv(k, K)):
        left = k - step * K
        x = tl.load(a_tile, mask=inner[None, :] < left, other=0.0)
        y = tl.load(b_tile, mask=inner[:, None] < left, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION, out_dtype=OUT)
        a_tile += K * (stride_a if A_COLUMN else 1)
        b_tile += K * (1 if B_COLUMN else stride_b)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], acc.to(c.dtype.element_ty), mask=inside)


@triton.jit
def matmul_epilogue(a, b, c, bias, n, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, M)
    columns = tl.arange(0, N)
    inner = tl.arange(0, K)
    x = tl.load(a + rows[:, None] * K + inner[None, :])
    y = tl.load(b + columns[:, None] * K + inner[None, :])
    z = tl.dot(x, tl.trans(y)) + tl.load(bias + columns)[None, :]
    z = tl.where(z > 0, z, z * 0.01)
    tl.store(c + rows[:, None] * n + columns[None, :], z.to(tl.float16))
    tl.store(bias + rows, tl.max(z, axis=1))


@triton.jit
def batched_matmul(a, b, c, G: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.arange(0, G)[:, None, None]
    row = tl.arange(0, M)[None, :, None]
    column = tl.arange(0, N)[None, None, :]
    x = tl.load(a + (batch * M + row) * K + tl.arange(0, K)[None, None, :])
    y = tl.load(b + (batch * K + tl.arange(0, K)[None, :, None]) * N + column)
    tl.store(c + (batch * M + row) * N + column, tl.dot(x, y))


@triton.jit
def scaled_matmul(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
                  A_FORMAT: tl.constexpr, B_FORMAT: tl.constexpr, STEPS: tl.constexpr):
    a_pack: tl.constexpr = 2 if A_FORMAT == "e2m1" else 1
    b_pack: tl.constexpr = 2 if B_FORMAT == "e2m1" else 1
    row = tl.arange(0, M)
    column = tl.arange(0, N)
    scale = tl.arange(0, K // 32)
    acc = tl.zeros((M, N), tl.float32)
    for step in range(STEPS):
        x = tl.load(a + row[:, None] * (K // a_pack) + tl.arange(0, K // a_pack)[None, :])
        y = tl.load(b + tl.arange(0, K // b_pack)[:, None] * N + column[None, :])
        y_scale = tl.load(b_scale + column[:, None] * (K // 32) + scale[None, :])
        if A_FORMAT == "bf16" or A_FORMAT == "fp16":
            acc = tl.dot_scaled(x, None, A_FORMAT, y, y_scale, B_FORMAT, acc)
        else:
            x_scale = tl.load(a_scale + row[:, None] * (K // 32) + scale[None, :])
            acc = tl.dot_scaled(x, x_scale, A_FORMAT, y, y_scale, B_FORMAT, acc, fast_math=True)
        a += M * K
        b += K * N
    tl.store(c + row[:, None] * N + column[None, :], acc)


@triton.jit
def scaled_matmul_packed_rows(a, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    x = tl.load(a + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :])
    y = tl.load(b + tl.arange(0, K)[:, None] * (N // 2) + tl.arange(0, N // 2)[None, :])
    y_scale = tl.load(b_scale + tl.arange(0, N)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    z = tl.dot_scaled(x, None, "fp16", y, y_scale, "e2m1", rhs_k_pack=False)
    tl.store(c + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], z)


@triton.jit
def descriptor_matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
                      SPECIALIZE: tl.constexpr, STAGES: tl.constexpr):
    a_rows = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_rows = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_rows = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row = tl.program_id(0) * M
    column = tl.program_id(1) * N
    acc = tl.zeros((M, N), tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), warp_specialize=SPECIALIZE, num_stages=STAGES,
                         disallow_acc_multi_buffer=True):
        acc = tl.dot(a_rows.load([row, step * K]), b_rows.load([column, step * K]).T, acc)
    c_rows.store([row, column], acc.to(tl.float16))


@triton.jit
def persistent_matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PROGRAMS: tl.constexpr,
                      SPECIALIZE: tl.constexpr):
    a_rows = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_rows = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_rows = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    across = tl.cdiv(n, N)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, M) * across, PROGRAMS, flatten=True,
                         warp_specialize=SPECIALIZE):
        row = tile // across * M
        column = tile % across * N
        acc = tl.zeros((M, N), tl.float32)
        for step in range(tl.cdiv(k, K)):
            acc = tl.dot(a_rows.load([row, step * K]), b_rows.load([column, step * K]).T, acc)
        c_rows.store([row, column], acc.to(tl.float16))


@triton.jit
def block_pointer_matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M
    column = tl.program_id(1) * N
    a_tile = tl.make_block_ptr(a, (m, k), (k, 1), (row, 0), (M, K), (1, 0))
    b_tile = tl.make_block_ptr(b, (k, n), (1, k), (0, column), (K, N), (0, 1))
    acc = tl.zeros((M, N), tl.float32)
    for step in range(0, k, K):
        acc += tl.dot(tl.load(a_tile, boundary_check=(1, )), tl.load(b_tile, boundary_check=(0, )))
        a_tile = tl.advance(a_tile, (0, K))
        b_tile = tl.advance(b_tile, (K, 0))
    c_tile = tl.make_block_ptr(c, (m, n), (n, 1), (row, column), (M, N), (1, 0))
    tl.store(c_tile, acc.to(c.dtype.element_ty), boundary_check=(0, 1))


@triton.jit
def chained_matmul(a, b, c, d, K: tl.constexpr, N: tl.constexpr):
    row = tl.arange(0, N)[:, None]
    column = tl.arange(0, N)[None, :]
    first = tl.load(a + row * N + column)
    second = tl.load(b + row * N + column)
    total = tl.zeros((N, N), tl.float32)
    for step in range(K):
        third = tl.load(c + (step * N + row) * N + column)
        part = tl.dot(first, third)
        if step % 4 == 3:
            part = part * 2
        total = tl.dot(part.to(tl.float16), second, total)
    tl.store(d + row * N + column, total)


STRIDED = dict(PRECISION=None, A_COLUMN=False, B_COLUMN=False, OUT=tl.float32)
SIZES = "i32:16 i32:16 i32:16 i32:16 i32:16 i32:16"


def plain(name, types, archs=(80, 90, 100), tile=(128, 128, 32), options=None, **constants):
    m, n, k = tile
    return case(matmul, f"{types} {SIZES}", name=name, archs=archs, options=options,
                constants={**STRIDED, "M": m, "N": n, "K": k, **constants})


CASES = [
    plain("matmul_f16", "*fp16 *fp16 *fp16", options=dict(num_stages=3)),
    plain("matmul_f16_warps8", "*fp16 *fp16 *fp16", archs=[90], tile=(128, 256, 64), options=dict(num_warps=8)),
    plain("matmul_bf16_transposed", "*bf16 *bf16 *fp32", archs=[80, 90], A_COLUMN=True, B_COLUMN=True),
    plain("matmul_tf32", "*fp32 *fp32 *fp32", PRECISION="tf32", tile=(64, 64, 32)),
    plain("matmul_tf32x3", "*fp32 *fp32 *fp32", archs=[80, 90], PRECISION="tf32x3", tile=(64, 64, 16)),
    plain("matmul_ieee", "*fp32 *fp32 *fp32", archs=[80, 90], PRECISION="ieee", tile=(32, 32, 16)),
    plain("matmul_bf16x3", "*fp32 *fp32 *fp32", archs=[90], PRECISION="bf16x3", tile=(64, 64, 16)),
    plain("matmul_bf16x6", "*fp32 *fp32 *fp32", archs=[80], PRECISION="bf16x6", tile=(64, 64, 16)),
    plain("matmul_f64", "*fp64 *fp64 *fp64", archs=[80, 90], tile=(32, 32, 16), OUT=tl.float64),
    plain("matmul_i8", "*i8 *i8 *i32", tile=(64, 64, 64), OUT=tl.int32),
    plain("matmul_f8_e4m3", "*fp8e4nv *fp8e4nv *fp16", archs=[90, 100], tile=(128, 64, 64)),
    plain("matmul_f8_e5m2", "*fp8e5 *fp8e5 *fp16", archs=[80, 90], tile=(64, 64, 64), B_COLUMN=True),
    plain("matmul_f16_out_f16", "*fp16 *fp16 *fp16", archs=[90], tile=(64, 64, 32), OUT=tl.float16),
    plain("matmul_small_rows", "*fp16 *fp16 *fp16", archs=[90], tile=(16, 64, 64), options=dict(num_stages=1)),
    plain("matmul_cluster", "*fp16 *fp16 *fp16", archs=[90], options=dict(num_ctas=2)),
    plain("matmul_mfma", "*fp16 *fp16 *fp16", archs=["gfx942", "gfx950"], tile=(64, 64, 32)),
    plain("matmul_wmma", "*fp16 *fp16 *fp16", archs=["gfx1100", "gfx1201"], tile=(32, 32, 32)),
    case(matmul_epilogue, "*fp16 *fp16 *fp16 *fp32 i32:16", M=64, N=128, K=64),
    case(batched_matmul, "*fp16 *fp16 *fp32", archs=[80, 90], G=2, M=32, N=32, K=32),
    case(scaled_matmul, "*fp8e5 *u8 *fp8e4nv *u8 *fp32", archs=[90, 100], M=128, N=128, K=128, A_FORMAT="e5m2",
         B_FORMAT="e4m3", STEPS=4),
    case(scaled_matmul, "*u8 *u8 *u8 *u8 *fp32", name="scaled_matmul_fp4", archs=[80, 100], M=128, N=128, K=128,
         A_FORMAT="e2m1", B_FORMAT="e2m1", STEPS=4),
    case(scaled_matmul, "*bf16 *u8 *u8 *u8 *fp32", name="scaled_matmul_bf16", archs=[90], M=64, N=64, K=64,
         A_FORMAT="bf16", B_FORMAT="e2m1", STEPS=2),
    case(scaled_matmul, "*fp8e4nv *u8 *u8 *u8 *fp32", name="scaled_matmul_mixed", archs=[100], M=128, N=128,
         K=128, A_FORMAT="e4m3", B_FORMAT="e2m1", STEPS=2),
    case(scaled_matmul_packed_rows, "*fp16 *u8 *u8 *fp32", archs=[100], M=64, N=64, K=64),
    case(descriptor_matmul, "*fp16 *fp16 *fp16 i32:16 i32:16 i32:16", archs=[80, 90, 100], M=128, N=128, K=64,
         SPECIALIZE=False, STAGES=3),
    case(descriptor_matmul, "*fp16 *fp16 *fp16 i32:16 i32:16 i32:16", name="specialized_matmul", archs=[90, 100],
         M=128, N=128, K=64, SPECIALIZE=True, STAGES=3),
    case(descriptor_matmul, "*fp16 *fp16 *fp16 i32:16 i32:16 i32:16", name="descriptor_matmul_cluster", archs=[90],
         options=dict(num_ctas=2), M=128, N=128, K=64, SPECIALIZE=False, STAGES=2),
    case(persistent_matmul, "*fp16 *fp16 *fp16 i32:16 i32:16 i32:16", archs=[90, 100], M=128, N=64, K=64,
         PROGRAMS=132, SPECIALIZE=False),
    case(persistent_matmul, "*fp16 *fp16 *fp16 i32:16 i32:16 i32:16", name="persistent_specialized_matmul",
         archs=[100], M=128, N=128, K=64, PROGRAMS=148, SPECIALIZE=True),
    case(block_pointer_matmul, "*bf16 *bf16 *bf16 i32:16 i32:16 i64:16", archs=[80, 90], M=64, N=64, K=32),
    case(chained_matmul, "*fp16 *fp16 *fp16 *fp32", archs=[80, 90, 100], K=16, N=64),
]
