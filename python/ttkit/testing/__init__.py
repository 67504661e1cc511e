"""Timing kernels, comparing their results, and reports of both: `triton.testing`.

`timing.py` times, `reports.py` makes tables and plots, `tolerance.py` compares, `peaks.py` says what a GPU can do,
`nvidia_tools.py` runs NVIDIA's tools.  Only a GPU's driver is needed: torch, pandas and matplotlib are used where they
are installed.
"""

from ttkit.runtime.timing import cuda_graph_without_gc, do_bench, do_bench_cudagraph
from ttkit.testing.nvidia_tools import cuda_memcheck, nvsmi, set_gpu_clock
from ttkit.testing.peaks import get_dram_gbps, get_max_simd_tflops, get_max_tensorcore_tflops
from ttkit.testing.reports import Benchmark, Mark, perf_report
from ttkit.testing.tolerance import assert_close

__all__ = [
    "Benchmark", "Mark", "assert_close", "cuda_graph_without_gc", "cuda_memcheck", "do_bench",
    "do_bench_cudagraph", "get_dram_gbps", "get_max_simd_tflops", "get_max_tensorcore_tflops", "nvsmi",
    "perf_report", "set_gpu_clock",
]  # fmt: skip
