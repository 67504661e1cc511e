"""Timing of functions by the profiler: the GPU's own times of their kernels, without what is between them.

For short kernels, `do_bench` times the host's work too.  These times exclude it, and copies.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ttkit.profiler.data as data
import ttkit.runtime.timing as timing
from ttkit.profiler.profile import begin
from ttkit.profiler.scope import scope
from ttkit.profiler.sessions import finalize
from ttkit.profiler.tree import TIME


def do_bench_proton(
    fn: Callable[[], Any],
    warmup: float = 25,
    rep: float = 100,
    grad_to_none: Iterable[Any] | None = None,
    quantiles: Sequence[float] | None = None,
    return_mode: str = "mean",
) -> Any:
    """`do_bench` by the profiler: the sum of the times of the kernels that a run starts.

    Without CUPTI only ttkit's kernels are seen, by events.

    Args:
        fn, warmup, rep, grad_to_none, quantiles, return_mode: as for `do_bench`.

    Returns:
        milliseconds, as `do_bench`.

    Raises:
        ValueError: no such mode or quantile.
        RuntimeError: `fn` has started no kernels that are seen.
        DriverMissing: there is no GPU.
    """
    timing.check_summary(quantiles, return_mode)
    _, flush, count = timing.warm_up(fn, warmup, rep)
    with _runs() as times:
        for number in range(count):
            _one_run(number, fn, grad_to_none, flush)
    return timing.summarize(times, quantiles, return_mode)


def do_bench_cudagraph_proton(
    fn: Callable[[], Any],
    rep: float = 20,
    grad_to_none: Iterable[Any] | None = None,
    quantiles: Sequence[float] | None = None,
    return_mode: str = "mean",
) -> Any:
    """`do_bench_cudagraph` by the profiler: the times of each run's kernels in the graph; caches are flushed between.

    Args:
        fn, rep, grad_to_none, quantiles, return_mode: as for `do_bench_cudagraph`.

    Returns:
        milliseconds, as `do_bench`.

    Raises:
        ValueError: no such mode or quantile.
        RuntimeError: torch is not installed, or `fn` has started no kernels that are seen.
    """
    timing.check_summary(quantiles, return_mode)
    torch = timing.torch_for_graphs("do_bench_cudagraph_proton")
    with torch.cuda.stream(torch.cuda.Stream()):
        repeats = timing.first_in_graph(torch, fn, rep, grad_to_none)
        flush, graph = timing.flush_of_cache(), torch.cuda.CUDAGraph()
        with _runs() as times:
            with timing.cuda_graph_without_gc(graph):
                for number in range(repeats):
                    _one_run(number, fn, grad_to_none, flush)
            for _ in range(timing.REPLAYS):
                graph.replay()
    return timing.summarize([time / timing.REPLAYS for time in times], quantiles, return_mode)


def _one_run(number: int, fn: Callable[[], Any], grad_to_none: Iterable[Any] | None, flush: Callable[[], Any]) -> None:
    for tensor in grad_to_none or ():
        tensor.grad = None
    flush()
    with scope(f"{_RUN}{number:08d}"):
        fn()


_RUN = "do_bench_proton."  # names of scopes: the same again for the next function


@contextmanager
def _runs() -> Iterator[list[float]]:
    """Watches what is run meanwhile; afterwards the milliseconds of each run are in the list."""
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        number = begin(os.path.join(folder, "profile"), None, None, None, None, None)
        try:
            yield times
            found = data.get(number)[0]
        finally:
            finalize(number)
    times += [time for _, time in sorted(_of_scopes(found)) if time]
    if not times:
        raise RuntimeError("the function launched no kernels that the profiler can see")


def _of_scopes(node: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """(name, milliseconds) of the runs' scopes in a tree."""
    if node["frame"]["name"].startswith(_RUN):
        yield node["frame"]["name"], _kernels(node)
    else:
        for child in node["children"]:
            yield from _of_scopes(child)


def _kernels(node: dict[str, Any]) -> float:
    """Milliseconds of the kernels in a tree."""
    own: float = node["metrics"].get(TIME, 0) / 1e6
    return own + sum(map(_kernels, node["children"]))
