"""Compares products of matrices under the profiler, in scopes with their operations and bytes."""

import torch
import triton
import triton.language as tl
import triton.profiler as proton
import triton.profiler.viewer as proton_viewer


def described(grid, metadata, arguments):
    M, N, K = arguments["M"], arguments["N"], arguments["K"]
    width = arguments["a"].element_size()
    return {
        "name": f"{metadata.name} [M={M}, N={N}, K={K}]",
        f"flops{8 * width}": 2.0 * M * N * K,
        "bytes": width * (M * K + N * K + M * N),
    }


@triton.jit(launch_metadata=described)
def matmul_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        y = tl.load(b + columns[None, :] * K + (k + inner)[:, None])
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


def metrics_of(a, b):
    (M, K), (N, _) = a.shape, b.shape
    width = a.element_size()
    return {"bytes": width * (M * K + N * K + M * N), f"flops{8 * width}": 2.0 * M * N * K}


def torch_matmul(a, b):
    (M, K), (N, _) = a.shape, b.shape
    with proton.scope(f"torch [M={M}, N={N}, K={K}]", metrics_of(a, b)):
        return torch.matmul(a, b.T)


def triton_matmul(a, b):
    (M, K), (N, _) = a.shape, b.shape
    c = torch.empty((M, N), device=a.device, dtype=a.dtype)
    matmul_kernel[(M // 128, N // 128)](a, b, c, M, N, K, BM=128, BN=128, BK=64, num_warps=8)
    return c


def bench_fn(label, reps, fn, *args):
    fn(*args)
    with proton.scope(label):
        for _ in range(reps):
            fn(*args)


def main():
    a = torch.randn((1024, 512), device="cuda", dtype=torch.float16)
    b = torch.randn((1024, 512), device="cuda", dtype=torch.float16)
    triton_matmul(a, b)
    proton.start("matmul", hook="triton")
    bench_fn("torch", 10, torch_matmul, a, b)
    bench_fn("triton", 10, triton_matmul, a, b)
    proton.finalize()
    for names in (["tflop16/s", "time/us"], ["util", "gbyte/s"]):
        tree, metrics = proton_viewer.parse(names, "matmul.hatchet")
        proton_viewer.print_tree(tree, metrics)


if __name__ == "__main__":
    main()
