"""Recording what a run uses: each kernel that is compiled, or taken from the cache or a bundle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import ttkit.knobs as knobs
from ttkit.options import CompileOptions
from ttkit.runtime.bundle import Exported
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.variants import key_of

_RECORDERS: list[dict[str, Exported]] = []


def tell(source: Any, options: CompileOptions, kernel: CompiledKernel) -> CompiledKernel:
    """Tells those that record of a kernel; gives it back."""
    for recorder in _RECORDERS:
        recorder[f"{key_of(source, options)}-{kernel.metadata.target.arch}"] = Exported(source, options, kernel)
    if folder := knobs.runtime.record_launches:
        with suppress(ModuleNotFoundError):  # the package without a compiler lists nothing
            import_module("ttkit.aot.launches_of_processes").note(folder, source, options)
    return kernel


@contextmanager
def recording() -> Iterator[dict[str, Exported]]:
    """Within the block, each kernel that is compiled, or taken from the cache or a bundle, joins what this gives."""
    found: dict[str, Exported] = {}
    _RECORDERS.append(found)
    try:
        yield found
    finally:
        _RECORDERS.remove(found)
