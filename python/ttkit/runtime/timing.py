"""Timing of functions on the GPU."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import ttkit.garbage_collection as garbage_collection

_SUMMARIES: dict[str, Any] = {"min": min, "max": max, "mean": statistics.mean, "median": statistics.median}
_MODES = (*_SUMMARIES, "all")
# Runs from which the time of one is estimated, and runs where they are too short to tell.
_ESTIMATE, _SHORTEST = 5, 1000
REPLAYS = 10


def do_bench(
    fn: Callable[[], Any],
    warmup: float = 25,
    rep: float = 100,
    grad_to_none: Iterable[Any] | None = None,
    quantiles: Sequence[float] | None = None,
    return_mode: str = "mean",
) -> Any:
    """Times a function by events on the GPU; its last-level cache is flushed before each run.

    Args:
        fn: starts work on the GPU.
        warmup: milliseconds (no count) to run it for before.
        rep: milliseconds (no count) to time it for.
        grad_to_none: tensors whose gradients are dropped before each run.
        quantiles: which quantiles of the times to give, from 0 to 1; without, `return_mode` decides.
        return_mode: "min", "max", "mean" or "median" of the times, or "all" of them in a list.

    Returns:
        milliseconds: a list for several quantiles or for "all", else one number.

    Raises:
        ValueError: no such mode or quantile.
        DriverMissing: there is no GPU.
    """
    check_summary(quantiles, return_mode)
    device, flush, count = warm_up(fn, warmup, rep)
    events = [_events(device) for _ in range(count)]
    for start, end in events:
        for tensor in grad_to_none or ():
            tensor.grad = None
        flush()
        start.record()
        fn()
        end.record()
    device.synchronize()
    return summarize([start.elapsed_time(end) for start, end in events], quantiles, return_mode)


def warm_up(fn: Callable[[], Any], warmup: float, rep: float) -> tuple[Any, Callable[[], None], int]:
    """Runs a function for `warmup` milliseconds.

    Returns:
        the interface of the device; what flushes its cache; how many runs take `rep` milliseconds.
    """
    from ttkit.runtime.driver import driver

    device = driver.active.get_device_interface()
    fn()
    device.synchronize()
    flush = flush_of_cache()
    estimate = milliseconds(device, lambda: (flush(), fn()))
    for _ in range(count_of(warmup, estimate)):
        fn()
    return device, flush, count_of(rep, estimate)


def flush_of_cache() -> Callable[[], None]:
    """A function that flushes the last-level cache of the device; it keeps memory for that."""
    from ttkit.runtime.driver import driver

    return partial(driver.active.clear_cache, driver.active.get_empty_cache_for_benchmark())


def first_in_graph(torch: Any, fn: Callable[[], Any], rep: float, grad_to_none: Iterable[Any] | None) -> int:
    """Runs a function before a graph has it; gives how many runs take `rep` milliseconds."""
    fn()
    for tensor in grad_to_none or ():
        tensor.detach_()
        tensor.requires_grad_(True)
        tensor.grad = None
    return count_of(rep, milliseconds(torch.cuda, fn))


def do_bench_cudagraph(
    fn: Callable[[], Any],
    rep: float = 20,
    grad_to_none: Iterable[Any] | None = None,
    quantiles: Sequence[float] | None = None,
    return_mode: str = "mean",
) -> Any:
    """Times a function as part of a CUDA graph that runs it over and over: without the host's time to start it.

    Needs torch, which captures graphs.  Caches are not flushed.

    Args:
        fn: starts work on torch's current stream.
        rep: milliseconds (no count) that one run of the graph takes.
        grad_to_none, quantiles, return_mode: as for `do_bench`.

    Returns:
        milliseconds, as `do_bench`.

    Raises:
        ValueError: no such mode or quantile.
        RuntimeError: torch is not installed.
    """
    check_summary(quantiles, return_mode)
    torch = torch_for_graphs("do_bench_cudagraph")
    with torch.cuda.stream(torch.cuda.Stream()):
        repeats = first_in_graph(torch, fn, rep, grad_to_none)
        graph = torch.cuda.CUDAGraph()
        with cuda_graph_without_gc(graph):
            for _ in range(repeats):
                for tensor in grad_to_none or ():
                    tensor.grad = None
                fn()
        torch.cuda.synchronize()
        times = [milliseconds(torch.cuda, graph.replay, 1) / repeats for _ in range(REPLAYS)]
    return summarize(times, quantiles, return_mode)


def torch_for_graphs(function: str) -> Any:
    """torch, which captures graphs.

    Raises:
        RuntimeError: it is not installed.
    """
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise RuntimeError(
            f"{function} needs torch to capture graphs, and torch is not installed: use do_bench"
        ) from None
    return torch


@contextmanager
def cuda_graph_without_gc(*args: Any, **options: Any) -> Iterator[Any]:
    """`torch.cuda.graph` without collections of garbage meanwhile: a kernel that is collected unloads its module, which
    ends a capture."""
    torch = torch_for_graphs("cuda_graph_without_gc")
    with garbage_collection.paused(), torch.cuda.graph(*args, **options) as graph:
        yield graph


def summarize(times: list[float], quantiles: Sequence[float] | None, return_mode: str) -> Any:
    """The summary that `do_bench` returns of its times.

    Quantiles are interpolated: that of q lies q of the way between the least time and the greatest, by rank.
    """
    if quantiles is not None:
        ordered = sorted(times)
        found = [_quantile(ordered, q) for q in quantiles]
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times
    summary: Callable[[list[float]], float] = _SUMMARIES[return_mode]
    return summary(times)


def _quantile(ordered: Sequence[float], q: float) -> float:
    place = q * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def check_summary(quantiles: Sequence[float] | None, return_mode: str) -> None:
    """Refuses what `summarize` does not know.

    Raises:
        ValueError: no such mode or quantile.
    """
    if return_mode not in _MODES:
        raise ValueError(f"return_mode must be one of {', '.join(_MODES)}; got {return_mode!r}")
    for q in quantiles or ():
        if not 0 <= q <= 1:
            raise ValueError(f"quantiles must be from 0 to 1; got {q}")


def _events(device: Any) -> tuple[Any, Any]:
    return device.Event(enable_timing=True), device.Event(enable_timing=True)


def milliseconds(device: Any, fn: Callable[[], Any], runs: int = _ESTIMATE) -> float:
    """The milliseconds of one run, measured over several."""
    start, end = _events(device)
    start.record()
    for _ in range(runs):
        fn()
    end.record()
    device.synchronize()
    return start.elapsed_time(end) / runs


def count_of(duration: float, of_one: float) -> int:
    """The number of runs that take that long; both in milliseconds."""
    return max(1, int(duration / of_one)) if of_one > 0 else _SHORTEST
