"""Kernels to compile that are files of IR."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import ttkit.knobs as knobs
from ttkit.compiler.module_metadata import FROM_MODULE, CompileError, of_kernel, of_ptx, of_ttg
from ttkit.whole_files import read_file

if TYPE_CHECKING:
    from mlir import ir

LEVELS = ("ttir", "ttgir", "llir", "ptx")
"""Those that compilation can go on from."""


class IRSource:
    """A file of `.ttir .ttgir .llir .ptx`; compilation goes on after the level that its suffix names.

    A file `.mlir` is tt or ttg: a module with `ttg.num-warps` is ttg.

    Args:
        path: the file.
        arch: compute capability of the GPU.  For ttg made for an older GPU, the code is for the older one.
        content: what is compiled in place of what the file holds, which then need not be there: text, or a module.

    Attributes:
        ext: the level.
        src: the text.
        name: of the kernel.
        signature: {number: type} of its parameters, as jitted functions spell them.
        known: what is known of the kernel: from the module, and for LLVM IR and PTX from the `.json` beside the file.
        seconds: that reading and parsing took.

    Raises:
        ValueError: the suffix is not one of these.
        CompileError: the module has no kernel or several, or was made for a newer GPU; the file is not UTF-8 text.
        ir.MLIRError, LLVMError: the text is no IR, with diagnostics.
        OSError: the file can't be read.
    """

    def __init__(self, path: str | os.PathLike[str], arch: int, content: str | bytes | ir.Module | None = None) -> None:
        started = time.perf_counter()
        self.path = os.fspath(path)
        given = read_file(self.path) if content is None else content
        self.src = _text(given, self.path)
        self.ext = level_of(self.path, self.src)
        self.module: ir.Module | None = None
        if self.ext in ("ttir", "ttgir"):
            self.module = self._parse(content)
            self.known = of_ttg(self.module, arch, older=True) if self.ext == "ttgir" else {}
            self.known |= of_kernel(self.module)
        else:
            self.known = {**_beside(self.path), **self._described(arch)}
        self.name: str = self.known["name"]
        self.signature = signature_of(self.known.get("parameters") or [])
        self.seconds = time.perf_counter() - started

    def _parse(self, content: Any) -> ir.Module:
        from mlir import ir

        from ttkit.context import Context, parse_file, parse_text

        if isinstance(content, ir.Module):
            return content
        with Context() as context, ir.Location.unknown():
            return parse_file(self.path, context) if content is None else parse_text(content, context)

    def _described(self, arch: int) -> dict[str, Any]:
        if self.ext == "ptx":
            return of_ptx(self.src, 32)
        names = re.findall(r"^define\s+(?:\w+\s+)*ptx_kernel\s+void\s+@([\w$.]+|\"[^\"]+\")\(", self.src, re.MULTILINE)
        if len(names) != 1:
            from ttkit.compiler import isolation
            from ttkit.options import CompileOptions

            # Says where it is not LLVM IR at all.
            isolation.apart("ptx", self.src, CompileOptions.for_capability(arch), arch, self.path)
            raise CompileError(f"{self.path}: LLVM IR must have one ptx_kernel, found {', '.join(names) or 'none'}")
        return {"name": names[0].strip('"')}

    def hash(self) -> str:
        """Identifies the text, and the file where code has its lines; as hexadecimal digits."""
        text: bytes = self.src if isinstance(self.src, bytes) else self.src.encode()
        if self.module is not None and (knobs.compilation.use_ir_loc or _has_lines_of(self.module, self.path)):
            text += b"\0" + self.path.encode()
        return hashlib.sha256(text).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        """Options that ttg was made with."""
        names = ("num_warps", "num_ctas", "arch") if self.ext == "ttgir" else ()
        return {name: self.known[name] for name in names if name in self.known}

    def make_ir(self, *arguments: Any, context: Any = None) -> Any:
        """The module, or the text of LLVM IR and PTX."""
        return self.src if self.module is None else self.module


def level_of(path: str, text: str | bytes) -> str:
    """The level of a file, by its suffix; of `.mlir` by its text.

    Raises:
        ValueError: the suffix is not one of these, or the text is neither tt nor ttg.
    """
    suffix = os.path.splitext(path)[1].removeprefix(".")
    if suffix in LEVELS:
        return suffix
    if suffix != "mlir":
        raise ValueError(f"{path}: the suffix says what a file is; use .{', .'.join(LEVELS)} or .mlir")
    raw = text if isinstance(text, bytes) else text.encode()
    if b"ttg.num-warps" in raw and b"tt.func" in raw:
        return "ttgir"
    if b"tt.func" not in raw and b"llvm.func" in raw:
        raise ValueError(f"{path}: the llvm dialect; write LLVM IR first, by mlir-translate --mlir-to-llvmir")
    return "ttir"


def _has_lines_of(module: ir.Module, path: str) -> bool:
    """Whether an operation has no location of its own, but the line of the file."""
    from mlir import ir

    found = False

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Stops at the first one."""
        nonlocal found
        location = op.location
        found = location.is_a_file() and location.filename == path
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _text(content: str | bytes | ir.Module, path: str) -> Any:
    """The text; of MLIR's bytecode its bytes."""
    if not isinstance(content, bytes):
        return str(content)
    if content.startswith(b"ML\xefR"):
        return content
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise CompileError(f"'{path}' is not UTF-8 text: byte {error.start} is invalid") from None


def _beside(path: str) -> dict[str, Any]:
    """Metadata of the kernel from the file beside LLVM IR or PTX; none if there is no such file.

    Raises:
        CompileError: the file is not JSON.
    """
    beside = os.path.splitext(path)[0] + ".json"
    try:
        with open(beside) as file:
            found = json.load(file)
    except OSError:
        return {}
    except ValueError as error:
        raise CompileError(f"{beside} is not JSON: {error}") from None
    return {name: value for name, value in found.items() if name in FROM_MODULE} if isinstance(found, dict) else {}


def signature_of(parameters: list[str]) -> dict[int, str]:
    """The types of a kernel's parameters as signatures of jitted functions spell them: `*fp32` for `!tt.ptr<f32>`."""
    return {index: _signature_type(kind) for index, kind in enumerate(parameters)}


def _signature_type(kind: str) -> str:
    pointee = re.fullmatch(r"!tt\.ptr<([^,]+)(?:,.*)?>", kind)
    if pointee:
        return f"*{_signature_type(pointee[1])}"
    if kind.startswith("!tt.tensordesc"):
        return "nvTmaDesc"
    return {"f16": "fp16", "f32": "fp32", "f64": "fp64", "i1": "u1"}.get(kind, kind)
