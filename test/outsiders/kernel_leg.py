"""The leg of kernels, in a worker: calls of `test/gpu/public_packages`, each launch in them noted and timed again.

A call runs once.  Its launches are noted with their arguments, and each launch that differs from those before becomes
a timer: the kernel's name, with `#2` and so on for further ones of the name.  Host code of packages, and what they
compute by torch, is not timed.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

PACKAGES = Path(__file__).resolve().parent.parent / "gpu" / "public_packages"
LAUNCHES = 8  # in a turn
TIMERS = 12  # of a call; later launches are not timed
FLUSHED_BYTES = 256 << 20  # more than any L2 cache
AHEAD_CYCLES = 400_000  # that the GPU waits before a launch, so that no time of the host is measured: 0.2 ms


@triton.jit
def first(out):
    """The first kernel of a process, with which a compiler does what it does once."""
    tl.store(out, 1)


def text_of(value: Any) -> str:
    """What a launch's argument means for the code and its time: shapes and types of tensors, values of the rest."""
    if torch.is_tensor(value):
        return f"{value.dtype}{list(value.shape)}{list(value.stride())}"
    return repr(value) if isinstance(value, (int, float, str, bool, type(None))) else type(value).__name__


def switches() -> list[str]:
    """The mechanisms of ttkit that are turned off: those that OUTSIDERS_SWITCHES names, or all; Triton has none."""
    if "ttkit.compat" not in sys.modules:
        return []
    from ttkit.tuning import SWITCHES

    asked = os.environ.get("OUTSIDERS_SWITCHES")
    return asked.split(",") if asked else sorted(SWITCHES)


class Launches:
    """Notes the launches of kernels while it is entered; works by the public interface that both compilers have."""

    def __init__(self) -> None:
        self.timers: dict[str, tuple[Any, Any, tuple, dict]] = {}
        self.seconds: dict[str, float] = {}
        self.known: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.compiled = False

    def __enter__(self) -> Launches:
        self.kind = triton.runtime.jit.JITFunction
        self.originals = {name: vars(self.kind).get(name) for name in ("run", "__getitem__")}
        run, note = self.kind.run, self.note

        def noted(kernel: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
            if warmup:
                return run(kernel, *args, grid=grid, warmup=warmup, **kwargs)
            return note(kernel, grid, args, kwargs, lambda: run(kernel, *args, grid=grid, warmup=False, **kwargs))

        self.kind.run = noted
        self.kind.__getitem__ = lambda kernel, grid: (
            lambda *args, **kwargs: kernel.run(*args, grid=grid, warmup=False, **kwargs)
        )
        triton.knobs.compilation.listener = self.listener
        return self

    def __exit__(self, *_: object) -> None:
        for name, original in self.originals.items():
            if original is None:
                delattr(self.kind, name)
            else:
                setattr(self.kind, name, original)
        triton.knobs.compilation.listener = None

    def listener(self, *_: Any, cache_hit: bool = False, **__: Any) -> None:
        self.compiled = self.compiled or not cache_hit

    def note(self, kernel: Any, grid: Any, args: tuple, kwargs: dict, launch: Any) -> Any:
        """Launches, and keeps what it takes to launch again; the seconds of a launch that compiled are its compilation.

        What the launch before left for the GPU to do is waited for: some kernels wait while they are loaded.
        """
        name = kernel.__name__
        torch.cuda.synchronize()
        self.compiled, start = False, time.perf_counter()
        result = launch()
        seconds = time.perf_counter() - start
        key = f"{name} {grid if isinstance(grid, tuple) else ''} " + " ".join(
            itertools.chain(map(text_of, args), (f"{k}={text_of(v)}" for k, v in sorted(kwargs.items())))
        )
        if key not in self.known:
            number = self.numbers[name] = self.numbers.get(name, 0) + 1
            self.known[key] = name if number == 1 else f"{name}#{number}"
            if len(self.timers) < TIMERS:
                self.timers[self.known[key]] = (kernel, grid, args, kwargs)
        if self.compiled:
            title = self.known[key]
            self.seconds[title] = self.seconds.get(title, 0.0) + seconds
        return result


class Kernels:
    """The leg: `prepare` runs a call, `time` one of its kernels."""

    def __init__(self, folder: str) -> None:
        sys.path.insert(0, str(PACKAGES))
        from catalogue import all_calls, first_configuration_only

        first_configuration_only()
        self.calls, self.folder = all_calls(), folder
        self.launches = Launches()
        self.variants: dict[str, dict[str, Any]] = {}
        self.program = ""
        self.flushed = torch.empty(FLUSHED_BYTES // 4, dtype=torch.int32, device="cuda")
        first[(1,)](self.flushed)

    def prepare(self, program: dict[str, str]) -> dict[str, Any]:
        self.drop()
        self.program = ".".join(program[name] for name in ("package", "program", "variant"))
        with self.launches:
            results = self.calls[program["package"]][program["program"]]()
            torch.cuda.synchronize()
        path = os.path.join(self.folder, "results.pt")
        torch.save({"results": [result.detach().cpu() for result in results]}, path)
        return {"results": path, "timers": list(self.launches.timers), "seconds": self.launches.seconds}

    def time(self, timer: str) -> list[float]:
        """Microseconds of each of some launches, with a cache that holds nothing of theirs."""
        kernel, grid, args, kwargs = self.launches.timers[timer]
        launch = kernel[grid]
        launch(*args, **kwargs)
        events = []
        for _ in range(LAUNCHES):
            self.flushed.zero_()
            torch.cuda._sleep(AHEAD_CYCLES)
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            launch(*args, **kwargs)
            end.record()
            events.append((start, end))
        torch.cuda.synchronize()
        return [start.elapsed_time(end) * 1e3 for start, end in events]

    def build(self, timer: str) -> dict[str, Any]:
        """{name: its kernel} of the timer's kernel, "all" as it is; others lack a mechanism, and are other code."""
        kernel, grid, args, kwargs = self.launches.timers[timer]
        if timer not in self.variants:
            found: dict[str, Any] = {}
            for name in ("all", *switches()):
                os.environ["TTKIT_TUNING_OFF"] = name if name != "all" else ""
                kernel.device_caches.clear()
                compiled = kernel[grid](*args, **kwargs)
                torch.cuda.synchronize()
                if name == "all" or compiled.asm["cubin"] != found["all"].asm["cubin"]:
                    found[name] = compiled
            self.variants[timer] = found
            self.keep(timer, found["all"])
        return self.variants[timer]

    def keep(self, timer: str, compiled: Any) -> None:
        """Writes the kernel's code at each stage into the folder that OUTSIDERS_CODE names, if it names one."""
        if folder := os.environ.get("OUTSIDERS_CODE"):
            compiler = "ttkit" if "ttkit.compat" in sys.modules else "triton"
            for stage in ("ttir", "ttgir", "ptx"):
                title = f"{self.program}.{timer}@{compiled.metadata.num_warps}.{compiler}.{stage}"
                Path(folder, title).write_text(compiled.asm[stage])

    def time_variants(self, timer: str) -> dict[str, dict[str, Any]]:
        """{name: microseconds of launches, registers, spilled and shared bytes} of what `build` found, in two turns."""
        compiled = self.build(timer)
        times: dict[str, list[float]] = {name: [] for name in compiled}
        for name in random.sample(list(compiled) * 2, 2 * len(compiled)):
            os.environ["TTKIT_TUNING_OFF"] = name if name != "all" else ""
            self.launches.timers[timer][0].device_caches.clear()
            times[name] += self.time(timer)
        os.environ["TTKIT_TUNING_OFF"] = ""
        return {
            name: {
                "microseconds": times[name],
                "registers": one.n_regs,
                "spilled": one.n_spills,
                "shared": one.metadata.shared,
            }
            for name, one in compiled.items()
        }

    def profile(self) -> dict[str, float]:
        return {}

    def drop(self) -> None:
        self.launches, self.variants = Launches(), {}
        torch.cuda.empty_cache()


def load(folder: str) -> Kernels:
    return Kernels(folder)
