"""Facts about kernels for a page: times, rates, what they were compiled to, and what limits each."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ttkit.knobs as knobs
from ttkit.autotuning.autotuner import Autotuner
from ttkit.cuda import libcuda
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.resources import KernelResources, resources_of
from ttkit.profiler.roofs import Roofs
from ttkit.profiler.sessions import Session
from ttkit.runtime.cuda_utils import function_attribute

ENOUGH = 0.6
"""The share of a roof from which it is what limits a kernel."""
SHORT = 5_000
"""ns: what is shorter ends about as soon as it begins."""
_WIDTHS = (8, 16, 32, 64)


@dataclass
class KernelRow:
    """A kernel of the page.

    nanoseconds, count: of all its runs.
    flops: operations of all runs, all widths; bytes: the same.
    registers, spilled: of a thread, spilled in bytes; None where nobody knows.
    compiling: seconds; None for kernels of others.
    resources: what is known without a run, where there is no GPU.
    """

    name: str
    nanoseconds: int
    count: int
    flops: float | None = None
    bytes: float | None = None
    registers: int | None = None
    spilled: int | None = None
    compiling: float | None = None
    limit: str = ""
    resources: KernelResources | None = None

    @property
    def average(self) -> float:
        """ns of a run."""
        return self.nanoseconds / self.count if self.count else 0.0

    def rate(self, amount: float | None) -> float | None:
        """`amount` a second."""
        return amount / self.nanoseconds * 1e9 if amount is not None and self.nanoseconds else None


@dataclass
class Report:
    """A page's contents.

    kernels: the one that took the most time first.
    seconds: of the whole script; compiling, tuning: of that.
    gpu_facts: clocks and power, names and texts.
    """

    kernels: list[KernelRow]
    seconds: float
    compiling: float
    tuning: float
    device: dict[str, Any]
    roofs: Roofs | None
    gpu_facts: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Watch(Hook):
    """Keeps what is compiled and loaded while a script runs.

    compiled: {name: seconds}; loaded: {name: (registers, bytes that a thread spills)}; resources: {name: those of a
    kernel that no GPU runs}.
    """

    compiled: dict[str, float] = field(default_factory=dict)
    loaded: dict[str, tuple[int, int]] = field(default_factory=dict)
    resources: dict[str, KernelResources] = field(default_factory=dict)

    __hash__ = object.__hash__

    def wants(self, kernel: Any) -> bool:
        """Whether launches are to be described: not for this."""
        return False

    def init_handle(self, module: Any, function: Any, name: str, metadata_group: dict[str, str], hash: str) -> None:
        """Notes registers and bytes of the stack of a kernel that is loaded."""
        try:
            registers = function_attribute(function, libcuda.REGISTERS, name)
            self.loaded[name] = registers, function_attribute(function, libcuda.LOCAL_BYTES, name)
        except libcuda.DriverError:
            pass  # there is no GPU

    def _keep_resources(self, metadata: dict[str, Any], files: dict[str, str]) -> None:
        """Keeps what the files of a compiled kernel say of it."""
        by_suffix = {os.path.splitext(path)[1]: path for path in files.values()}
        if not {".ptx", ".cubin"} <= set(by_suffix):
            return
        ptx = Path(by_suffix[".ptx"]).read_text(encoding="utf-8")
        capability = int(metadata["target"].arch)
        found = resources_of(ptx, Path(by_suffix[".cubin"]).read_bytes(), metadata, capability)
        self.resources[metadata["name"]] = found

    def listener(self, before: Callable[..., Any] | None) -> Callable[..., None]:
        """A `knobs.compilation.listener` that keeps times, and calls another."""

        def listen(**told: Any) -> None:
            """Adds the seconds that a kernel took to compile; then calls the listener from before."""
            if knobs.runtime.device:
                self._keep_resources(told["metadata"], told["metadata_group"])
            if not told["cache_hit"]:
                name = told["metadata"]["name"]
                self.compiled[name] = self.compiled.get(name, 0.0) + told["times"].total / 1e6
            if before is not None:
                before(**told)

        return listen


def report(session: Session, watch: Watch, seconds: float, roofs: Roofs | None) -> Report:
    """The page's contents, of a session that has ended."""
    rows: dict[str, KernelRow] = {}
    for kernel, (runs, nanoseconds) in session.table.kernels.items():
        place = kernel.captured or kernel.context
        name = place.name if place.is_operation else kernel.name
        row = rows.setdefault(name, KernelRow(name, 0, 0))
        row.nanoseconds += nanoseconds
        row.count += runs
        own = kernel.name
        row.registers, row.spilled = watch.loaded.get(own, (row.registers, row.spilled))
        row.compiling = watch.compiled.get(own, row.compiling)
        if (known := watch.resources.get(own)) is not None:
            row.resources, row.registers, row.spilled = known, known.registers, known.stack
    for context, values in session.table.values.items():
        if context.is_operation and (found := rows.get(context.name)) is not None:
            operations = [values[key] for key in ("flops", *(f"flops{width}" for width in _WIDTHS)) if key in values]
            if operations:
                found.flops = (found.flops or 0) + sum(operations)
            if "bytes" in values:
                found.bytes = (found.bytes or 0) + values["bytes"]
    for row in rows.values():
        row.limit = limit(row, roofs)
    devices = session.backend.devices() if session.table.kernels else {}
    return Report(
        sorted(rows.values(), key=lambda row: -row.nanoseconds),
        seconds,
        sum(watch.compiled.values()),
        Autotuner.seconds_of_tuning,
        next(iter(devices.values()), {}),
        roofs,
    )


def limit(row: KernelRow, roofs: Roofs | None) -> str:
    """The limit of a kernel, as far as is known."""
    if not row.nanoseconds or roofs is None:
        return "not measured"
    shares = {
        "bytes": (row.rate(row.bytes) or 0.0) / roofs.bandwidth,
        "operations": (row.rate(row.flops) or 0.0) / roofs.products,
    }
    largest = max(shares, key=lambda name: shares[name])
    if shares[largest] >= ENOUGH:
        return largest
    if row.average < SHORT:
        return "launch"
    if row.flops is None and row.bytes is None:
        return "unknown"
    return "latency"
