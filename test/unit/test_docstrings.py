"""Every public function says what it does, in words that begin with a verb or a noun."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("python/ttkit", "passes", "dialects", "launcher")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@pytest.mark.parametrize("folder", SOURCES)
def test_public_functions_have_docstrings(folder: str) -> None:
    """Functions inside of functions too; those whose names begin with _ need none."""
    missing = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) else ""
            if text is None and isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
                missing.append(f"{path}:{node.lineno}: {node.name} has no docstring")
            if re.match(r"(What|How|Where)\b", text or ""):
                missing.append(f"{path}:{getattr(node, 'lineno', 1)}: begins with '{text.split()[0]}'")
    assert not missing, "\n".join(missing)


def public_functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    """The public functions of a module, and methods of its public classes."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, (*FUNCTIONS, ast.ClassDef)) and not one.name.startswith("_"):
            yield from public_functions(one) if isinstance(one, ast.ClassDef) else [one]


def raised_by(node: ast.AST) -> set[str]:
    """The exceptions of the `raise` statements of a function itself, not of those inside of it."""
    found = {ast.unparse(node.exc)} if isinstance(node, ast.Raise) and node.exc is not None else set()
    inner = (one for one in ast.iter_child_nodes(node) if not isinstance(one, (*FUNCTIONS, ast.ClassDef, ast.Lambda)))
    return found.union(*map(raised_by, inner))


@pytest.mark.parametrize("folder", SOURCES)
def test_public_functions_say_what_they_raise(folder: str) -> None:
    """But methods that subclasses have to write, those by which trees are walked, the meanings of operations, whose
    errors are those of the interpreter, and commands."""
    missing = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in public_functions(ast.parse(path.read_text(encoding="utf-8"))):
            if node.name.startswith("visit_") or (
                node.decorator_list and ("interpreter" in path.parts or node.name == "main")
            ):
                continue
            raised = {one for one in raised_by(node) if not one.startswith("NotImplementedError")}
            if raised and not re.search("[Rr]aise|errors as", ast.get_docstring(node) or ""):
                missing.append(f"{path}:{node.lineno}: {node.name} raises {', '.join(sorted(raised))}")
    assert not missing, "\n".join(missing)
