"""Programs of the CUDA toolkit that a knob may point to."""

from __future__ import annotations

import functools
import os

from ttkit.cuda_toolkit import toolkit_file
from ttkit.knobs.variables import Variable
from ttkit.notices import say_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class NvidiaTool:
    """A program and its version, such as "13.0"."""

    def __init__(self, path: str, version: str) -> None:
        self.path, self.version = path, version

    def __repr__(self) -> str:
        return f"NvidiaTool(path={self.path!r}, version={self.version!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NvidiaTool) and (self.path, self.version) == (other.path, other.version)

    def __hash__(self) -> int:
        return hash((self.path, self.version))

    @staticmethod
    def from_path(path: str) -> NvidiaTool | None:
        """The program at `path`; None if it does not run, or is not one of NVIDIA's tools."""
        try:
            found = os.stat(path)
        except OSError:
            return None
        return _ask(path, found.st_mtime_ns, found.st_size)


@functools.cache
def _ask(path: str, changed: int, size: int) -> NvidiaTool | None:
    """Runs the program; once for each time of change and size of its file."""
    import re
    import subprocess

    try:
        text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    except (subprocess.CalledProcessError, OSError, UnicodeDecodeError):
        return None
    version = re.search(r"release (\d+\.\d+)", text)
    return NvidiaTool(path, version[1]) if version else None


class MissingTool(FileNotFoundError, RuntimeError):
    """A program that is not installed."""


class Tool(Variable):
    """A program: of the variable, else of NVIDIA's wheel, else of the search path.

    Raises, when it is read:
        MissingTool: there is none that runs.
    """

    def __init__(self, binary: str, wheel: str = "") -> None:
        name = binary.upper().replace("-", "_")
        super().__init__(f"TRITON_{name}_PATH", help=f"the program {binary}")
        self.binary, self.wheel = binary, wheel or f"nvidia-cuda-{binary}"

    if TYPE_CHECKING:

        def __get__(self, group: Any, owner: type | None = None) -> NvidiaTool: ...

    def read(self) -> NvidiaTool:
        """The program that the environment asks for now."""
        return self.transform(os.environ.get(self.key))

    def transform(self, path: Any) -> NvidiaTool:
        """The first candidate that runs.  Raises MissingTool: none does."""
        for candidate in self.candidates(path):
            if found := NvidiaTool.from_path(candidate):
                self._say_what_is_passed_over(path, candidate)
                return found
        raise MissingTool(f"Cannot find {self.binary}: pip install {self.wheel}, or set {self.key}")

    def _say_what_is_passed_over(self, given: str | None, found: str) -> None:
        if given and given != found:
            say_once(f"{self.key}: {given} is not a program that runs; {found} is used")

    def listed(self, group: Any) -> NvidiaTool | None:
        """The program; None where there is none."""
        try:
            return self.__get__(group)
        except MissingTool:
            return None

    def candidates(self, given: str | None) -> Iterator[str]:
        """Paths at which the program may be, the best first."""
        if given:
            yield given
        name = self.binary.removesuffix("-blackwell")  # one ptxas serves all
        if (found := toolkit_file("bin", name)) is not None:
            yield found
        from shutil import which

        if (found := which(name)) is not None:
            yield found

    def path(self, group: Any) -> str:
        """The path of the program, which is not run.

        Raises:
            MissingTool: there is no such file.
        """
        given = group.__dict__.get(self.name) or os.environ.get(self.key)
        for path in self.candidates(given):
            if os.path.isfile(path) and os.access(path, os.X_OK):
                self._say_what_is_passed_over(given, path)
                return path
        raise MissingTool(f"Cannot find {self.binary}: pip install {self.wheel}, or set {self.key}")
