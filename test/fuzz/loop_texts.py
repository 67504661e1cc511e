"""Kernels with loops as text, and how they are launched; also for a Python that has no ttkit.

The text is a kernel, and above it comments which say how it is launched:

    # num_warps=4 num_stages=3 lowered=1     and target=90, if it is only for one
    # n=3 m=2                                a line for each run: the numbers that it takes
    # a: *fp16 4096                          small integers, as many
    # j: *i32 64 below 5                     from 0 to 4
    # d: tensordesc<fp16[64, 64]> 256 64
    # o: *fp32 4096                          whose name begins with o: all the same number
"""

from __future__ import annotations

import linecache
import re
import types
import zlib
from dataclasses import dataclass, field
from typing import Any

KINDS = ("fp16", "bf16", "fp32", "fp8e4nv", "fp8e5", "i8", "i32")
ARGUMENT = re.compile(r"# (\w+): (\*|tensordesc<)(\w+)(?:\[([\d, ]+)\]>)? ([\d ]+)(?: below (\d+))?$")
NUMBERS = re.compile(r"(\w+)=(-?\d+)")


class BadText(ValueError):
    """The text is no kernel with comments that say how it is launched."""


@dataclass
class Argument:
    """kind: "*" or "tensordesc<"; shape: of the array; block: of the descriptor; below: limit of indices, or 0."""

    name: str
    kind: str
    element: str
    shape: tuple[int, ...]
    block: str
    below: int

    @property
    def type(self) -> str:
        return f"*{self.element}" if self.kind == "*" else f"tensordesc<{self.element}[{self.block}]>"


@dataclass
class Program:
    """A kernel and how it is launched.

    options: those of its compilation.
    runs: the numbers that it takes in each run.
    target: the only one that it is for; None for all.
    is_lowered: whether it is run lowered, too.
    """

    text: str
    kernel: Any = None
    options: dict[str, int] = field(default_factory=dict)
    runs: list[dict[str, int]] = field(default_factory=list)
    arguments: dict[str, Argument] = field(default_factory=dict)
    target: int | None = None
    is_lowered: bool = False

    def signature(self) -> tuple[dict[str, str], dict[tuple[int], list[list[Any]]]]:
        """Types by names, and what is known of arguments by their positions."""
        signature, attributes = {}, {}
        for index, name in enumerate(self.kernel.arg_names):
            given = self.arguments.get(name)
            signature[name] = given.type if given else "i32"
            if given and given.kind == "*":
                attributes[(index,)] = [["tt.divisibility", 16]]
        return signature, attributes


def read(text: str, jit: Any, language: Any) -> Program:
    """A program from its text.

    Args:
        jit: the decorator of kernels.
        language: the module `tl`.

    Raises:
        BadText: it is none.
    """
    program = Program(text)
    for line in text.splitlines():
        if match := ARGUMENT.match(line):
            name, kind, element, block, sizes, below = match.groups()
            shape = tuple(map(int, sizes.split()))
            if element not in KINDS or (block is None) != (kind == "*") or not shape:
                raise BadText(line)
            program.arguments[name] = Argument(name, kind, element, shape, block or "", int(below or 0))
        elif line.startswith("# num_"):
            program.options = {name: int(value) for name, value in NUMBERS.findall(line)}
            program.target = program.options.pop("target", None)
            program.is_lowered = bool(program.options.pop("lowered", 0))
        elif line.startswith("# ") and (found := NUMBERS.findall(line)):
            program.runs.append({name: int(value) for name, value in found})
    program.kernel = defined(text, jit, language)
    return program


def defined(text: str, jit: Any, language: Any) -> Any:
    """The kernel that a text defines.

    Raises:
        BadText: it defines none.
    """
    name = f"<kernel {zlib.crc32(text.encode()):08x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"triton": types.SimpleNamespace(jit=jit), "tl": language, "__name__": "loops"}
    try:
        exec(compile(text, name, "exec"), names)
        kernel = names["kernel"]
        kernel.arg_names  # noqa: B018 -- functions that are no kernels have none
    except Exception as error:
        raise BadText(str(error)) from error
    return kernel
