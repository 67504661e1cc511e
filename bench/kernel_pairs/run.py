"""Step 3, on a GPU, by a Python that has torch and cuda-bindings: python run.py FOLDER RESULTS.json

Runs Triton's and ttkit's cubins of the same kernels in one process, in random order with an L2 flush before each run,
and checks the results against torch.  Prints a line per size: GB/s of both and of torch, and ttkit's ratio to Triton.
The order must be random: whichever of two comes second in a fixed order seems up to 5 % slower (H200, 2026-11).
"""

import ctypes
import json
import random
import sys
from functools import partial
from pathlib import Path

import torch
from cuda.bindings import driver as cuda

ROWS = 4096
COLUMNS = {"softmax": (256, 1024, 2048, 4096, 8192, 12672), "layer_norm": (1024, 2048, 4096, 8192, 15872)}
WARPS = (4, 8, 16)
IMPLEMENTATIONS = ("triton", "ttkit")
CTYPES = {float: ctypes.c_float, int: ctypes.c_int}


def check(result):
    if result[0] != cuda.CUresult.CUDA_SUCCESS:
        raise RuntimeError(str(result[0]))
    return result[1] if len(result) == 2 else None


class Kernel:
    """A cubin with what its launch needs."""

    def __init__(self, path: Path, implementation: str) -> None:
        launch = json.loads(path.with_suffix(f".{implementation}.json").read_text())
        self.shared, self.threads = launch["shared"], 32 * launch["warps"]
        self.module = check(cuda.cuModuleLoadData(path.with_suffix(f".{implementation}.cubin").read_bytes()))
        self.function = check(cuda.cuModuleGetFunction(self.module, launch["name"].encode()))

    def __call__(self, programs: int, *arguments) -> None:
        pairs = [
            (a.data_ptr(), ctypes.c_void_p) if isinstance(a, torch.Tensor) else (a, CTYPES[type(a)]) for a in arguments
        ]
        values, types = zip(*pairs, (0, ctypes.c_void_p), (0, ctypes.c_void_p))  # and two scratch pointers
        stream = torch.cuda.current_stream().cuda_stream
        check(
            cuda.cuLaunchKernel(
                self.function, programs, 1, 1, self.threads, 1, 1, self.shared, stream, (values, types), 0
            )
        )


def milliseconds(functions, repeat: int = 60) -> list[float]:
    """The median time of each function."""
    flushed = torch.empty(64 << 20, dtype=torch.int32, device="cuda")
    for function in functions:
        for _ in range(5):
            function()
    events = [[] for _ in functions]
    for _ in range(repeat):
        for i in random.sample(range(len(functions)), len(functions)):
            flushed.zero_()
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            functions[i]()
            end.record()
            events[i].append((start, end))
    torch.cuda.synchronize()
    return [sorted(start.elapsed_time(end) for start, end in pairs)[repeat // 2] for pairs in events]


def compare(name: str, size: int, traffic: int, configurations, reference, results: list) -> None:
    """Times (kernels of both, launch) pairs and keeps the best time of each implementation.

    Args:
        traffic: bytes read and written.
        configurations: label -> functions that run Triton's and ttkit's kernel.
        reference: torch's.
    """
    best, ratios = [float("inf")] * 2, {}
    for label, functions in configurations.items():
        times = milliseconds(functions)
        ratios[label] = round(times[0] / times[1], 3)
        best = list(map(min, best, times))
    rates = [traffic / 1e6 / time for time in (*best, *milliseconds([reference]))]
    row = dict(zip(("triton_gb_s", "ttkit_gb_s", "torch_gb_s"), (round(rate, 1) for rate in rates)))
    results.append({"kernel": name, "size": size, **row, "ratio": round(best[0] / best[1], 3), "ratios": ratios})
    print(json.dumps(results[-1]), flush=True)


def vector_add(folder: Path, results: list) -> None:
    for power in range(12, 28):
        n = 1 << power
        x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
        out = torch.empty_like(x)
        configurations = {}
        for block, warps in ((1024, 4), (2048, 8)):
            kernels = [Kernel(folder / f"vector_add_{block}_w{warps}", i) for i in IMPLEMENTATIONS]
            programs = -(-n // block)
            runs = [partial(kernel, programs, x, y, out, n) for kernel in kernels]
            for run in runs:
                out.zero_()
                run()
                assert torch.equal(out, x + y)
            configurations[f"block {block}"] = runs
        compare("vector_add", n, 12 * n, configurations, partial(torch.add, x, y, out=out), results)


def rows(name: str, folder: Path, results: list) -> None:
    dtype = torch.float32 if name == "softmax" else torch.float16
    for columns in COLUMNS[name]:
        block = 1 << (columns - 1).bit_length()
        x = torch.randn(ROWS, columns, device="cuda", dtype=dtype)
        out, weight, bias = torch.empty_like(x), torch.rand_like(x[0]), torch.rand_like(x[0])
        if name == "softmax":
            arguments = (out, x, columns, columns, columns)
            reference = partial(torch.softmax, x, 1)
            tolerance = {}
        else:
            arguments = (x, out, weight, bias, columns, columns, 1e-5)
            reference = partial(torch.nn.functional.layer_norm, x, (columns,), weight, bias, 1e-5)
            tolerance = {"atol": 2e-2, "rtol": 1e-2}
        wanted, configurations = reference(), {}
        for warps in WARPS:
            kernels = [Kernel(folder / f"{name}_{block}_w{warps}", i) for i in IMPLEMENTATIONS]
            runs = [partial(kernel, ROWS, *arguments) for kernel in kernels]
            for run in runs:
                out.zero_()
                run()
                torch.testing.assert_close(out, wanted, **tolerance)
            configurations[f"{warps} warps"] = runs
        compare(name, columns, 2 * x.nbytes, configurations, reference, results)


def main(folder: Path, output: Path) -> None:
    torch.zeros(1, device="cuda")  # makes the context
    results: list = []
    vector_add(folder, results)
    rows("softmax", folder, results)
    rows("layer_norm", folder, results)
    about = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "results": results}
    output.write_text(json.dumps(about, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
