"""The clocks of benchmarks: wall and CPU time of a process with those that it starts."""

import resource
import time


def clock() -> tuple[float, float]:
    """Wall and CPU seconds; the latter of this process and of those it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), time.process_time() + children.ru_utime + children.ru_stime


def cpu_clock() -> float:
    """CPU seconds of this process and of those it has waited for."""
    return clock()[1]


def since(start: tuple[float, float]) -> dict[str, float]:
    """Milliseconds since a pair of clocks was read, wall and CPU."""
    return {name: 1e3 * (end - begin) for name, begin, end in zip(("wall", "cpu"), start, clock())}
