"""Kernels that are tuned in other processes, and timers with trouble.

A launch on the driver of the tests (fake_driver) takes a millisecond for each warp.
"""

import os
import signal
import sys
import time

import ttkit
import ttkit.language as tl
from ttkit.cuda.libcuda import KernelFault
from ttkit.testing import do_bench


def in_worker():
    """Whether this is a process that a worker has started."""
    return any("ttkit.executors.isolated" in each for each in sys.orig_argv)  # tests may change argv


@ttkit.constexpr_function
def trouble(kind):
    """Ends, or holds up, the process that compiles."""
    if kind == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    while kind == "hang":  # computes, as a process that stands still is tried again
        pass
    return True


@ttkit.jit
def increment(x, n, BLOCK: tl.constexpr, KIND: tl.constexpr = ""):
    tl.static_assert(BLOCK != 64, "BLOCK must not be 64")
    tl.static_assert(trouble(KIND))
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


@ttkit.jit
def scaled(x, y, factor, EVEN: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) * factor)


@ttkit.jit
def copied(x, y, BLOCK: tl.constexpr):
    y.store([0, 0], x.load([0, 0]) + 1)


def quick(call, quantiles):
    return do_bench(call, warmup=1, rep=1, quantiles=quantiles)


def troubled(call, quantiles):
    """Kernels of 16 warps end their process, those of 8 hang, those of 32 fail on the GPU."""
    times = quick(call, quantiles)
    if in_worker():
        if times[0] == 16:
            os.kill(os.getpid(), signal.SIGKILL)
        while times[0] == 8:
            pass
        if times[0] == 32:
            raise KernelFault(700, "an illegal address")
    return times


def by_worker(call, quantiles):
    """Times of GPUs that differ: in workers, one warp seems slow."""
    times = quick(call, quantiles)
    return [1.5 * time if in_worker() and time == 1 else time for time in times]


def by_process(call, quantiles):
    """Times that say nothing: another order in each process."""
    call()
    time.sleep(0.01)
    return [float(os.getpid() * (1 + len(str(quantiles))) % 7 + time.perf_counter() % 1)] * len(quantiles)
