"""The levels of a kernel, as they are stored and as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from ttkit.compiler.backend import LEVELS

_BINARY = frozenset(["cubin"])


class AsmDict(MutableMapping[str, Any]):
    """Levels of a kernel by name: "source", "ttir"... text, "cubin" bytes; "sass" is made of the cubin when asked for.

    Args:
        files: contents by file name; the suffix names the level.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        levels = {name.rpartition(".")[2]: data for name, data in files.items()}
        levels.pop("json", None)
        self._contents = levels
        self._made: dict[str, Any] = {}

    def __getitem__(self, level: str) -> Any:
        if level not in self._made:
            if level not in self._contents and level != "sass":
                raise KeyError(f"Unknown key: '{level}'; the kernel has {', '.join(self)}")
            if level == "sass" and level not in self._contents:
                from ttkit.compiler.disassembly import sass

                self._made[level] = sass(self["cubin"])
            else:
                stored = self._contents[level]
                self._made[level] = stored if level in _BINARY else stored.decode()
        return self._made[level]

    def __setitem__(self, level: str, value: Any) -> None:
        self._contents.setdefault(level, b"")
        self._made[level] = value

    def __delitem__(self, level: str) -> None:
        del self._contents[level]
        self._made.pop(level, None)

    def copy(self) -> dict[str, Any]:
        """The levels, read."""
        return dict(self)

    def __contains__(self, level: object) -> bool:
        return level in self._contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def __repr__(self) -> str:
        return f"<AsmDict: {', '.join(self)}>"


class AllLevels(AsmDict):
    """Levels of a kernel, of which those that a script asks for besides are made then."""

    def __init__(self, files: Mapping[str, bytes], make: Callable[[], AsmDict]) -> None:
        super().__init__(files)
        self._make: Callable[[], AsmDict] | None = make

    def __getitem__(self, level: str) -> Any:
        if level not in self._contents and self._make is not None and level in (*LEVELS, "sass"):
            make, self._make = self._make, None
            self._contents = {**make()._contents, **self._contents}
        return super().__getitem__(level)

    def __contains__(self, level: object) -> bool:
        return super().__contains__(level) or (self._make is not None and level in LEVELS)
