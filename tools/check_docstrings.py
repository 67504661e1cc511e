"""Checks docstrings: every public function has one, which begins with a verb or a noun and names the errors it raises.

Functions inside of functions need docstrings too.  Errors need not be named by methods that subclasses have to write,
and by visitors of trees.  The errors of operations' meanings are the interpreter's, and those of commands are printed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("python/ttkit", "passes", "dialects", "launcher")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_docstring(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and fault of each public function without a docstring, and of each docstring that begins as a question."""
    for node in ast.walk(module):
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            continue
        text = ast.get_docstring(node)
        if text is None and isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
            yield node.lineno, f"{node.name} has no docstring"
        if re.match(r"(What|How|Where)\b", text or ""):
            yield getattr(node, "lineno", 1), f"the docstring begins with '{(text or '').split()[0]}'"


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


def without_errors(module: ast.Module, interpreter: bool) -> Iterator[tuple[int, str]]:
    """Line and fault of each public function that raises an error of which its docstring says nothing."""
    for node in public_functions(module):
        if node.name.startswith("visit_") or (node.decorator_list and (interpreter or node.name == "main")):
            continue
        raised = {one for one in raised_by(node) if not one.startswith("NotImplementedError")}
        if raised and not re.search("[Rr]aise|errors as", ast.get_docstring(node) or ""):
            yield node.lineno, f"{node.name} raises {', '.join(sorted(raised))}, and its docstring does not say so"


def faults() -> Iterator[str]:
    """A line for each fault of the sources."""
    for path in sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for line, fault in (*without_docstring(module), *without_errors(module, "interpreter" in path.parts)):
            yield f"{path.relative_to(ROOT)}:{line}: {fault}"


if __name__ == "__main__":
    found = list(faults())
    print(*found, sep="\n") if found else print("docstrings: ok")
    sys.exit(1 if found else 0)
