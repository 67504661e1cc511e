"""Arrays that nobody has written yet.

`np.empty`, `torch.empty` and their kind fill what they give with a pattern.  Where a block of it is still there at a
launch, the host has written nothing; what kernels write is noted byte by byte.
"""

from __future__ import annotations

import functools
import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ttkit.interpreter.python_mode.host_arrays import bytes_at, extent

PATTERN = np.frombuffer(bytes.fromhex("a9f1c65be70d3b92d4e8167fb35aac61"), np.uint8)
"""Random: no data looks so by chance."""
SHORTEST = 3
"""Bytes of the pattern at the end of an array that say anything."""
NUMPY = ("empty", "empty_like")
TORCH = ("empty", "empty_like", "empty_strided")


class Fresh:
    """The arrays that came without contents: address -> size, and which bytes kernels have written."""

    def __init__(self) -> None:
        self.arrays: dict[int, tuple[int, np.ndarray | None]] = {}

    def add(self, value: Any) -> None:
        """Fills an array with the pattern."""
        low, high = extent(value)
        if high > low:
            found = bytes_at(low, high - low)
            whole = found.size // PATTERN.size * PATTERN.size
            found[:whole].reshape(-1, PATTERN.size)[:] = PATTERN
            found[whole:] = PATTERN[: found.size - whole]
            self.arrays[low] = (found.size, None)

    def written(self, address: int, contents: np.ndarray) -> np.ndarray | None:
        """Which bytes of an allocation are written, bool; None for all.  Kernels note in it what they write."""
        size, by_kernels = self.arrays.get(address, (0, None))
        if size != contents.size:
            return None
        whole = size // PATTERN.size * PATTERN.size
        by_host = (contents[:whole].reshape(-1, PATTERN.size) != PATTERN).any(axis=1).repeat(PATTERN.size)
        tail = contents[whole:]
        changed = tail.size < SHORTEST or bool((tail != PATTERN[: tail.size]).any())
        written = np.concatenate([by_host, np.full(tail.size, changed)])
        if by_kernels is not None:
            written |= by_kernels
        self.arrays[address] = (size, written)
        return None if written.all() else written


def watch(fresh: Fresh) -> Callable[[], None]:
    """Makes numpy's and torch's functions that give arrays without contents tell of them; gives what ends that."""
    undo: list[Callable[[], None]] = []
    _wrap(np, NUMPY, fresh, undo)

    def watch_torch(torch: Any) -> None:
        """Wraps torch's functions."""
        _wrap(torch, TORCH, fresh, undo)
        _wrap(torch.Tensor, ("new_empty",), fresh, undo)

    if "torch" in sys.modules:
        watch_torch(sys.modules["torch"])
    else:
        finder = _AfterImport("torch", watch_torch)
        sys.meta_path.insert(0, finder)
        undo.append(finder.remove)

    def end() -> None:
        """Puts the functions back."""
        for step in undo:
            step()

    return end


def _wrap(owner: Any, names: Sequence[str], fresh: Fresh, undo: list[Callable[[], None]]) -> None:
    for name in names:
        original = getattr(owner, name)
        setattr(owner, name, _telling(original, fresh))
        undo.append(functools.partial(setattr, owner, name, original))


def _telling(function: Callable[..., Any], fresh: Fresh) -> Callable[..., Any]:
    @functools.wraps(function)
    def made(*args: Any, **kwargs: Any) -> Any:
        """Calls the function, and tells of an array on the CPU that holds no Python objects."""
        value = function(*args, **kwargs)
        kind = getattr(value, "dtype", None)
        if getattr(getattr(value, "device", None), "type", "cpu") in ("cpu", None) and not getattr(
            kind, "hasobject", False
        ):
            fresh.add(value)
        return value

    return made


class _AfterImport:
    """Calls a function with a module once it is imported."""

    def __init__(self, name: str, function: Callable[[ModuleType], None]) -> None:
        self.name, self.function = name, function

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """The spec that the other finders give, with a loader that calls the function."""
        if name != self.name:
            return None
        self.remove()  # once
        for spec in self._specs(name, path, target):
            loader: Any = spec.loader
            run = loader.exec_module

            def exec_module(module: ModuleType, run: Any = run) -> None:
                """Executes the module, then calls the function with it."""
                run(module)
                self.function(module)

            loader.exec_module = exec_module
            return spec
        return None

    def remove(self) -> None:
        """Takes it off the list of finders."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    @staticmethod
    def _specs(name: str, path: Any, target: Any) -> Iterator[importlib.machinery.ModuleSpec]:
        for finder in sys.meta_path:
            if (find := getattr(finder, "find_spec", None)) is not None:
                spec = find(name, path, target)
                if spec is not None and hasattr(spec.loader, "exec_module"):
                    yield spec
