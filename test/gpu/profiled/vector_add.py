"""Profiles a vector addition, as a guide for Triton has it: the profiler around the code, then the viewer."""

import torch
import triton
import triton.language as tl
import triton.profiler as proton
import triton.profiler.viewer as proton_viewer


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(output_ptr + offsets, x + y, mask=mask)


def add(x, y):
    n_elements = x.numel()
    output = torch.empty_like(x)
    BLOCK_SIZE = 1024
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]),)
    add_kernel[grid](x, y, output, n_elements, BLOCK_SIZE)
    return output


def main():
    proton.start("vec_add_analysis", hook="triton")

    DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    size = 98432
    x = torch.rand(size, device=DEVICE)
    y = torch.rand(size, device=DEVICE)
    output_torch = x + y
    output_triton = add(x, y)
    print(f"largest difference: {torch.max(torch.abs(output_torch - output_triton))}")

    proton.finalize()

    metric_names = ["tflops/s", "time/ms"]
    tree, metrics = proton_viewer.parse(metric_names, "vec_add_analysis.hatchet")
    proton_viewer.print_tree(tree, metrics)


if __name__ == "__main__":
    main()
