"""Kernels to compile that are files of IR."""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any

from ttkit.compiler.module_metadata import FROM_MODULE, CompileError, of_kernel, of_ptx, of_ttg

if TYPE_CHECKING:
    from mlir import ir

LEVELS = ("ttir", "ttgir", "llir", "ptx")


class IRSource:
    """A file of `.ttir .ttgir .llir .ptx`; compilation goes on after the level that its suffix names.

    Args:
        path: the file.
        arch: compute capability of the GPU, which ttg must have been made for.

    Attributes:
        ext: the level.
        src: the text.
        name: of the kernel.
        known: what is known of the kernel: from the module, and for LLVM IR and PTX from the `.json` beside the file.

    Raises:
        ValueError: the suffix is not one of these.
        CompileError: the module has no kernel or several, or was made for another GPU.
        ir.MLIRError: the text is no IR, with MLIR's diagnostics.
        OSError: the file can't be read.
    """

    def __init__(self, path: str | os.PathLike[str], arch: int) -> None:
        self.path = os.fspath(path)
        self.ext = os.path.splitext(self.path)[1].removeprefix(".")
        if self.ext not in LEVELS:
            raise ValueError(f"{self.path}: the suffix says what a file is; use .{', .'.join(LEVELS)}")
        with open(self.path) as file:
            self.src = file.read()
        self.module: ir.Module | None = None
        self.known: dict[str, Any] = {}
        if self.ext in ("ttir", "ttgir"):
            self._parse(arch)
        else:
            self.known = {**_beside(self.path), **self._described()}
        self.name: str = self.known["name"]
        kinds = self.known.get("parameters") or []
        self.signature = {index: _signature_type(kind) for index, kind in enumerate(kinds)}

    def _parse(self, arch: int) -> None:
        from mlir import ir

        from ttkit.context import Context

        with Context() as context, ir.Location.unknown():
            self.module = ir.Module.parseFile(self.path, context)
            self.known = of_kernel(self.module)
            if self.ext == "ttgir":
                self.known |= of_ttg(self.module, arch)

    def _described(self) -> dict[str, Any]:
        if self.ext == "ptx":
            return of_ptx(self.src, 32)
        names = re.findall(r"^define\s+(?:\w+\s+)*ptx_kernel\s+void\s+@([\w$.]+)\(", self.src, re.MULTILINE)
        if len(names) != 1:
            raise CompileError(f"{self.path}: LLVM IR must have one ptx_kernel, found {', '.join(names) or 'none'}")
        return {"name": names[0]}

    def hash(self) -> str:
        """Identifies the text, as hexadecimal digits."""
        return hashlib.sha256(self.src.encode()).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        """Options that ttg was made with."""
        names = ("num_warps", "num_ctas") if self.ext == "ttgir" else ()
        return {name: self.known[name] for name in names if name in self.known}

    def make_ir(self, *arguments: Any, context: Any = None) -> Any:
        """The module, or the text of LLVM IR and PTX."""
        return self.src if self.module is None else self.module


def _beside(path: str) -> dict[str, Any]:
    """What the metadata beside LLVM IR or PTX know of the kernel; nothing if there are none."""
    try:
        with open(os.path.splitext(path)[0] + ".json") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return {name: value for name, value in found.items() if name in FROM_MODULE} if isinstance(found, dict) else {}


def _signature_type(kind: str) -> str:
    """How a signature spells a type of the IR: `*fp32` for `!tt.ptr<f32>`."""
    pointee = re.fullmatch(r"!tt\.ptr<([^,]+)(?:,.*)?>", kind)
    if pointee:
        return f"*{_signature_type(pointee[1])}"
    return {"f16": "fp16", "f32": "fp32", "f64": "fp64", "i1": "u1"}.get(kind, kind)
