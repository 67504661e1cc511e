"""Files that take the place of levels of a kernel: TRITON_KERNEL_OVERRIDE, and the option `ir_override`.

With TRITON_KERNEL_OVERRIDE=1, a level `<name>.<level>` of a kernel is looked for in the override directory: in the
folder where TRITON_KERNEL_DUMP writes it in the dump directory (`dump_folders.py`); in the one named after the source's
hash, for all of its configurations; in a folder named after the kernel; and in the directory itself.  What was used is
said, and so is why nothing was.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
from ttkit.cache.digests import content_digest
from ttkit.cache.manager import base32, get_override_manager
from ttkit.compiler.backend import LEVELS
from ttkit.compiler.dump_folders import MARKER, folder_in
from ttkit.options import CompileOptions
from ttkit.whole_files import read_file

if TYPE_CHECKING:
    from mlir import ir

LONGEST_NAME = 150
"""Characters in the names of a kernel's files."""


def file_name(source: Any) -> str:
    """The name of a kernel's files, without a suffix."""
    return source.name.removeprefix("@").replace(os.sep, "_")[:LONGEST_NAME]


class Replacements:
    """Files that are used in place of levels of one kernel.

    Args:
        source: of the kernel.
        name: of its files.
        options: of the kernel; `ir_override` is a file whose suffix names a level; TRITON_KERNEL_OVERRIDE turns it off.

    Attributes:
        files: by level.

    Raises:
        ValueError: `ir_override` names no level, or one that the kernel does not go through.
        OSError: a file can't be read.
    """

    def __init__(self, source: Any, name: str, options: CompileOptions) -> None:
        self.files: dict[str, str] = {}
        first = LEVELS.index(source.ext) if hasattr(source, "path") else -1
        self._possible = LEVELS[first + 1 :]
        if knobs.compilation.override:
            self._find(source, name, options)
        elif ir_override := options.ir_override:
            level = ir_override.rpartition(".")[2]
            if level not in self._possible:
                raise ValueError(f"ir_override is '{ir_override}': its suffix must be one of {self._possible}")
            self.files[level] = ir_override
        self._contents = {level: read_file(path) for level, path in self.files.items()}

    def identity(self) -> str:
        """Their part of the cache key: levels and contents."""
        return ",".join(f"{level}:{content_digest(content)}" for level, content in self._contents.items())

    def _find(self, source: Any, name: str, options: CompileOptions) -> None:
        key = source.hash()
        manager = get_override_manager(key)
        directory = knobs.cache.override_dir
        plain, own = os.path.join(directory, base32(key)), folder_in(directory, source, options)
        folders = list(dict.fromkeys([own, plain, os.path.join(directory, name), directory]))
        for level in self._possible:
            found = None if own != plain else manager.get_file(f"{name}.{level}")
            if found is None:
                paths = (os.path.join(folder, f"{name}.{level}") for folder in folders)
                found = next((path for path in paths if os.path.isfile(path)), None)
            if found is not None:
                self.files[level] = found
        if not self.files:
            _say(f"no file overrides kernel {name}: looked for {name}.{{{','.join(self._possible)}}} in {folders}")
        for path in self._unused(folders, name):
            _say(path)

    def _unused(self, folders: list[str], name: str) -> list[str]:
        """Files that may have been meant for the kernel, and why they are not used."""
        *earlier, last = self.files.values() or [""]
        reasons = [f"{path} has no effect: {last} takes the place of a level after it" for path in earlier]
        if (knobs.runtime.device or "").startswith("interpret:") and last.rpartition(".")[2] in (
            "llir",
            "ptx",
            "cubin",
        ):
            reasons.append(f"{last} changes no result: TTKIT_DEVICE={knobs.runtime.device} runs the kernel's ttgir")
        for path in _files_in(folders[0]):
            stem, _, level = os.path.basename(path).rpartition(".")
            if path not in self.files.values():
                reason = f"the kernel is {name}" if stem != name else f".{level} is none of {', '.join(self._possible)}"
                reasons.append(f"{path} is not used: {reason}")
        if not self.files:
            directory = folders[-1]
            for other in _folders_in(directory):
                if os.path.join(directory, other) not in folders:
                    found = [path for path in _files_in(os.path.join(directory, other)) if _is_level(path, name)]
                    reason = f"its folder is of another source, signature or attributes; this kernel's is {folders[0]}"
                    reasons += [f"{path} is not used: {reason}" for path in found]
        return reasons

    def replaces(self, level: str) -> bool:
        """Whether a file takes the place of a level, one of `backend.LEVELS`."""
        return level in self.files

    def load(self, level: str, context: ir.Context) -> Any:
        """Loads the file in a level's place, and says so: a module, text, or the bytes of a cubin.

        Raises:
            ir.MLIRError: it is no IR, with MLIR's diagnostics.
        """
        path, content = self.files[level], self._contents[level]
        print(f"\nOverriding kernel with file {path}")
        if level == "cubin":
            return content
        if level in ("ttir", "ttgir"):
            from ttkit.context import parse_file

            return parse_file(path, context)
        return content.decode()


def _is_level(path: str, name: str) -> bool:
    stem, _, level = os.path.basename(path).rpartition(".")
    return stem == name and level in LEVELS


def _files_in(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [path for name in names if name != MARKER and os.path.isfile(path := os.path.join(folder, name))]


def _folders_in(folder: str) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return []


def _say(text: str) -> None:
    print(f"TRITON_KERNEL_OVERRIDE: {text}", file=sys.stderr)
