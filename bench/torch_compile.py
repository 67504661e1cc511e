"""A model compiled by torch.compile, whose kernels go through ttkit: MLP with layer norm and softmax, beside eager.

    python -m ttkit.compat bench/torch_compile.py            # IMPL=triton python bench/torch_compile.py: by Triton
    python -m ttkit.compat bench/torch_compile.py --cpu      # no GPU: the kernels as Python

Forward and backward, in f32 and with autocast to bf16; then a kernel of our own called inside of a compiled function.
Prints the greatest difference to eager, milliseconds of both, and the names of the kernels that ran.
"""

import argparse
import os
import re
import tempfile
import time

import torch
import triton
import triton.language as tl
from torch import nn


class Model(nn.Module):
    """An MLP with norm and softmax."""

    def __init__(self, width, classes):
        super().__init__()
        self.first, self.second = nn.Linear(width, 4 * width), nn.Linear(4 * width, classes)
        self.norm = nn.LayerNorm(4 * width)

    def forward(self, x):
        return torch.softmax(self.second(self.norm(nn.functional.gelu(self.first(x)))), dim=-1)


@triton.jit
def scale_rows(x, factors, out, n, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    value = tl.load(x + row * n + at, mask=at < n) * tl.load(factors + row)
    tl.store(out + row * n + at, value, mask=at < n)


def own_kernel(x, factors):
    """A function of torch with a kernel of one's own in it."""
    out = torch.empty_like(x)
    scale_rows[(x.shape[0],)](x * 2, factors, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return torch.relu(out) + 1


def cpu_as_triton():
    """Lets inductor write Triton kernels for the CPU, which the interpreter runs."""
    import ttkit.compat

    ttkit.compat.inductor_on_cpu()


def milliseconds(call, device):
    """Milliseconds of a call, the mean of 20 on a GPU."""

    def wait():
        if device == "cuda":
            torch.cuda.synchronize()

    call()
    wait()
    start = time.perf_counter()
    for _ in range(20 if device == "cuda" else 1):
        call()
    wait()
    return (time.perf_counter() - start) * 1e3 / (20 if device == "cuda" else 1)


def step(model, x, autocast, device):
    """The output and all gradients."""
    model.zero_grad()
    with torch.autocast(device, dtype=torch.bfloat16, enabled=autocast):
        out = model(x)
    (out.float() ** 2).sum().backward()
    return [out, *(parameter.grad.clone() for parameter in model.parameters())]


def compare(name, eager, compiled, tolerance, device):
    """Prints times and the largest relative difference; whether that is small enough."""
    expected, start = eager(), time.perf_counter()
    found = compiled()
    first = time.perf_counter() - start
    worst = max(
        float((a.float() - b.float()).abs().max() / (1e-6 + b.float().abs().max())) for a, b in zip(found, expected)
    )
    times = f"compiled {milliseconds(compiled, device):.3f} ms, eager {milliseconds(eager, device):.3f} ms"
    verdict = "ok" if worst <= tolerance else "WRONG"
    print(f"{name}: {verdict}, relative difference {worst:.1e}; first call {first:.1f} s, {times}", flush=True)
    return worst <= tolerance


def kernels(folder):
    """Names of the kernels that inductor wrote."""
    found = set()
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(where, name)) as file:
                    found.update(re.findall(r"def (triton_\w+)\(", file.read()))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    device = "cpu" if options.cpu else "cuda"
    folder = os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp(prefix="inductor-"))
    if options.cpu:
        cpu_as_triton()
    print(
        f"triton {triton.__version__} is {triton.jit.__module__.partition('.')[0]}; torch {torch.__version__}, {device}"
    )
    torch.manual_seed(0)
    width, rows = (16, 8) if options.cpu else (1024, 4096)
    model, x = Model(width, 100).to(device), torch.randn(rows, width, device=device)
    good = []
    for autocast, tolerance in ((False, 2e-3), (True, 3e-2)):
        torch._dynamo.reset()
        compiled = torch.compile(model)
        name = "MLP with norm and softmax, " + ("bf16" if autocast else "f32")

        def eager(autocast=autocast):
            return step(model, x, autocast, device)

        def fast(autocast=autocast, compiled=compiled):
            return step(compiled, x, autocast, device)

        good.append(compare(name, eager, fast, tolerance, device))
    if not options.cpu:
        factors = torch.randn(rows, device=device)
        fused = torch.compile(own_kernel)
        good.append(
            compare("own kernel inside", lambda: [own_kernel(x, factors)], lambda: [fused(x, factors)], 1e-5, device)
        )
    print("kernels:", *kernels(folder), sep="\n  ")
    return 0 if all(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())
