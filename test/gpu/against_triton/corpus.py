"""The kernels that both compilers run: one source, executed twice, with `tl` bound to either language.

`kernels/NAME` are those of test/data/kernels, whose results test/unit/interpreter_kernels*.py knows.  `language/NAME`
are those of test/data/language, which use each function of the language on each kind of operand.  They were written to
be compared as IR and store everything to the same place: here each store gets a place of its own (`spread`).
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

TEST = Path(__file__).resolve().parents[2]
DATA = TEST / "data"
FOLDERS = ("kernels", "language")
PLACE = 4096
"""Elements between the places of two stores."""
STORED_TO = ("out",)
STORED_TO_OTHERS = {"scalars": ("x",), "wide_numbers": ("x", "y")}

for folder in (TEST / "unit", TEST / "oracle", DATA / "kernels"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


@contextmanager
def bound_to(compiler: str) -> Iterator[None]:
    """Within, `import triton` gives "triton", or "ttkit" in its place."""
    if compiler == "triton":
        yield
        return
    from kernel_sources import stand_in_for_triton

    hidden = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "triton"}
    for name in hidden:
        del sys.modules[name]
    try:
        stand_in_for_triton()
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "triton"]:
            del sys.modules[name]
        sys.modules.update(hidden)


def load(compiler: str, scratch: Path) -> dict[str, Any]:
    """Every case by its name, its kernel in the language of `compiler`.

    Args:
        scratch: a folder for rewritten sources, which must live as long as the kernels.
    """
    found: dict[str, Any] = {}
    with bound_to(compiler):
        for folder in FOLDERS:
            for path in sorted((DATA / folder).glob("*.py")):
                text = path.read_text()
                if "\nCASES = " not in text or "gluon" in text:
                    continue
                if folder == "language":
                    path = _spread_file(path, scratch)
                for case in _execute(path).CASES:
                    found[f"{folder}/{case.name}"] = case
    return found


def _execute(path: Path) -> ModuleType:
    # Not kept in sys.modules: the files have common names.
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def places(path: Path) -> int:
    """How many stores a file of test/data/language has: its outputs need so many places."""
    spreading = _Spread()
    spreading.visit(ast.parse(path.read_text()))
    return spreading.count


def _spread_file(path: Path, scratch: Path) -> Path:
    target = scratch / path.name
    text = spread(path.read_text())
    if not target.exists() or target.read_text() != text:  # one for both languages
        scratch.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return target


def spread(source: str) -> str:
    """The source with each store moved to a place of its own: `out + i` becomes `(out + 3 * PLACE) + i`."""
    return ast.unparse(_Spread().visit(ast.parse(source)))


class _Spread(ast.NodeTransformer):
    def __init__(self) -> None:
        self.count = 0
        self.names: tuple[str, ...] = ()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        outer = self.names
        parameters = {argument.arg for argument in node.args.args}
        self.names = STORED_TO_OTHERS.get(node.name, tuple(name for name in STORED_TO if name in parameters))
        self.generic_visit(node)
        self.names = outer
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in ("store", "atomic_add"):
            return node
        if isinstance(function.value, ast.Name) and function.value.id == "tl":
            node.args[0] = self._moved(node.args[0])
        else:
            function.value = self._moved(function.value)
        return node

    def _moved(self, pointer: ast.expr) -> ast.expr:
        move = _Move(self.names, self.count * PLACE)
        moved = move.visit(pointer)
        self.count += move.done
        return moved


class _Move(ast.NodeTransformer):
    """Adds an offset to the first of some names."""

    def __init__(self, names: tuple[str, ...], offset: int) -> None:
        self.names, self.offset, self.done = names, offset, 0

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names or self.done:
            return node
        self.done = 1
        return ast.BinOp(node, ast.Add(), ast.Constant(self.offset))
