"""Places in a kernel's source: from the location of an operation to the line, with the expression to underline.

Triton's locations have the column of what the front end visited last, which lies somewhere inside of the call or the
sum that the operation is of: the syntax tree has the rest.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ttkit.installation import FOLDER

PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
LANGUAGE = os.path.join(FOLDER, "language", "")
"""The folder of functions of the language that are kernels' code themselves."""
CALLS = {
    "tt.load": ("load",),
    "tt.store": ("store",),
    "tt.atomic_rmw": tuple(f"atomic_{kind}" for kind in "add max min and or xor xchg".split()),
    "tt.atomic_cas": ("atomic_cas",),
    "llvm.load": ("load",),
    "llvm.store": ("store",),
    "tt.descriptor_load": ("load", "load_tensor_descriptor"),
    "tt.descriptor_store": ("store", "store_tensor_descriptor"),
}
"""The function in the source that an operation is of."""


@dataclass(frozen=True)
class Site:
    """A place in a file: lines from 1, columns from 0; text is the line."""

    file: str
    line: int
    column: int
    end: int
    text: str

    def __str__(self) -> str:
        """The place as compilers print it."""
        return f"{self.path}:{self.line}:{self.column + 1}"

    @property
    def path(self) -> str:
        """The file, by its path in the current folder if it is there."""
        return self.file.removeprefix(os.path.join(os.getcwd(), ""))

    def lines(self) -> list[str]:
        """The line, and carets below."""
        if not self.text.strip():
            return []
        margin = len(self.text) - len(self.text.lstrip())
        carets = " " * (self.column - margin) + "^" * max(1, min(self.end, len(self.text)) - self.column)
        return [self.text.strip(), carets]


@functools.lru_cache(maxsize=4096)
def sites(location: str, op: str = "") -> tuple[Site, ...]:
    """The places of a location's text, the innermost outside of the language's own functions first, then those that
    called it.

    Args:
        op: the name of the operation that is there.
    """
    found = [(file, int(line), int(column)) for file, line, column in PLACE.findall(location)]
    while len(found) > 1 and found[0][0].startswith(LANGUAGE):  # tl.cdiv, tl.sum: the kernel's line is what helps
        found, op = found[1:], "tt.call"
    return tuple(_site(*place, op if number == 0 else "tt.call") for number, place in enumerate(found))


def call_at(site: Site, function: str) -> Site | None:
    """The first call of a function of that name at or below a place; None if there is none."""
    calls = [node for node in _tree(site.file) or () if isinstance(node, ast.Call) and _called(node) == function]
    below = [(node.lineno, node.col_offset, node) for node in calls if node.lineno >= site.line]
    return _of_node(site.file, min(below, key=lambda item: item[:2])[2]) if below else None


def _site(file: str, line: int, column: int, op: str) -> Site:
    text = linecache.getline(file, line).rstrip("\n")
    node = _expression(file, line, column, op) if file.endswith(".py") else None
    if node is None:
        start = min(column, len(text)) if text.strip() else column
        return Site(file, line, start, start + 1, text)
    return _of_node(file, node)


def _of_node(file: str, node: ast.expr) -> Site:
    """The place of an expression; of one of several lines its first."""
    text = linecache.getline(file, node.lineno).rstrip("\n")
    start = len(text.encode()[: node.col_offset].decode(errors="replace"))
    one_line = node.end_lineno == node.lineno and node.end_col_offset is not None
    end = len(text.encode()[: node.end_col_offset].decode(errors="replace")) if one_line else len(text)
    return Site(file, node.lineno, start, end, text)


def _expression(file: str, line: int, column: int, op: str) -> ast.expr | None:
    """The expression that an operation is of: the smallest one around the column of the right kind."""
    around = [node for node in _expressions(file, line) if node.col_offset <= column < (_end(node, line))]
    around.sort(key=lambda node: _end(node, line) - node.col_offset)
    for node in around:
        if op in CALLS and isinstance(node, ast.Call) and _called(node) in CALLS[op]:
            return node
        if op.startswith("arith.") and isinstance(node, ast.BinOp):
            return node
    calls = [node for node in around if isinstance(node, ast.Call)]
    return calls[0] if calls else around[0] if around else None


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _end(node: ast.expr, line: int) -> int:
    return node.end_col_offset or 0 if node.end_lineno == line else 1 << 20


def _expressions(file: str, line: int) -> Iterator[ast.expr]:
    tree = _tree(file)
    if tree is not None:
        for node in tree:
            if node.lineno == line:
                yield node


@functools.cache
def _tree(file: str) -> list[ast.expr] | None:
    """The expressions of a file; None if it can't be read."""
    try:
        parsed = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None
    return [node for node in ast.walk(parsed) if isinstance(node, ast.expr)]
