"""A matrix product: tuned, with programs in groups that share rows."""

import arrays
import numpy as np
import triton
import triton.language as tl


def small_enough(configs, named_args, **kwargs):
    return [config for config in configs if config.kwargs["BM"] <= named_args["M"]]


@triton.autotune(
    configs=[
        triton.Config({"BM": 32, "BN": 32, "BK": 32, "GROUP": 4}, num_warps=4, num_stages=3),
        triton.Config({"BM": 64, "BN": 32, "BK": 32, "GROUP": 4}, num_warps=4, num_stages=2),
        triton.Config({"BM": 128, "BN": 64, "BK": 32, "GROUP": 4}, num_warps=8),
    ],
    key=["M", "N", "K"],
    prune_configs_by={"early_config_prune": small_enough},
)
@triton.jit
def matmul_kernel(
    a_ptr,
    b_ptr,
    c_ptr,
    M,
    N,
    K,
    stride_am,
    stride_ak,
    stride_bk,
    stride_bn,
    stride_cm,
    stride_cn,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    GROUP: tl.constexpr,
    ACTIVATION: tl.constexpr = "",
):
    pid = tl.program_id(axis=0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * columns
    first = pid // in_group * GROUP
    size = min(rows - first, GROUP)
    row = first + (pid % in_group) % size
    column = (pid % in_group) // size
    tl.assume(row >= 0)
    offs_m = (row * BM + tl.arange(0, BM)) % M
    offs_n = (column * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    if ACTIVATION == "leaky_relu":
        accumulator = leaky_relu(accumulator)
    offs_cm = row * BM + tl.arange(0, BM)
    offs_cn = column * BN + tl.arange(0, BN)
    mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, accumulator.to(tl.float16), mask=mask)


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


def main():
    M, N, K = 70, 50, 90
    a, b = arrays.normal(M, K, dtype=np.float16), arrays.normal(K, N, dtype=np.float16)
    for activation in ("", "leaky_relu"):
        c = arrays.zeros(M, N, dtype=np.float16)
        grid = lambda META: (triton.cdiv(M, META["BM"]) * triton.cdiv(N, META["BN"]),)
        matmul_kernel[grid](
            arrays.on_device(a), arrays.on_device(b), c, M, N, K, K, 1, N, 1, N, 1, ACTIVATION=activation
        )
        product = a.astype(np.float32) @ b.astype(np.float32)
        arrays.close(c, np.where(product >= 0, product, 0.01 * product) if activation else product, 5e-2, 5e-3)
    assert matmul_kernel.best_config.kwargs["BM"] <= M


if __name__ == "__main__":
    main()
