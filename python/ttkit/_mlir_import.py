"""Loading of MLIR's Python bindings: after the libraries that they link with, and without numpy.

`import ttkit` puts a finder in front of the import system, which waits for the bindings' modules:

* Before the first of them libttkit is opened, which binds functions of MLIR and LLVM when they are first called.
  Python itself would have all of them bound at once, 40 ms for 122,000 symbols (x86-64, 2026-11).
* `mlir.ir` imports numpy, 130 ms, for four builders of attributes that few programs call.  It gets a stand-in that
  imports numpy when something is asked of it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

LIBRARIES, IR, NUMPY = "mlir._mlir_libs", "mlir.ir", "numpy"


class BindingsFinder:
    """A finder of `sys.meta_path` that prepares for the bindings; it leaves when the last of them loads."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Loads libttkit before MLIR's own libraries; finds nothing itself but for the module that reads numpy."""
        if name in (LIBRARIES, IR):
            from contextlib import suppress

            from ttkit._native import library_alone

            with suppress(ImportError):  # not built: whoever needs it says so
                library_alone()
        if name == IR:
            from importlib.machinery import PathFinder

            sys.meta_path.remove(cls)
            spec = PathFinder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None and NUMPY not in sys.modules:
                spec.loader = _WithoutNumpy(spec.loader)  # type: ignore[assignment]
            return spec
        return None


class _WithoutNumpy:
    """A loader of a module whose `import numpy` gives a stand-in."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: ModuleType) -> None:
        """Executes the module while a stand-in has numpy's name, which is free again afterwards."""
        stand_in = _StandIn(NUMPY)
        sys.modules[NUMPY] = stand_in
        try:
            self._loader.exec_module(module)
        finally:
            if sys.modules.get(NUMPY) is stand_in:
                del sys.modules[NUMPY]


class _StandIn(type(sys)):  # type: ignore[misc]
    """A module that has what numpy has, which it imports when something is asked of it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what the import system asks of a module
            raise AttributeError(name)
        if isinstance(sys.modules.get(NUMPY), _StandIn):  # another thread is here while mlir.ir loads
            del sys.modules[NUMPY]
        import numpy

        return getattr(numpy, name)


def install() -> None:
    """Puts the finder in place, unless the bindings are loaded already."""
    if IR not in sys.modules:
        sys.meta_path.insert(0, BindingsFinder)
