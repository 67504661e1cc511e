"""Findings that sources alone show: names and arguments of Triton that change."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from pathlib import Path

from ttkit.triton_versions import Version
from ttkit.upgrade.changes import CLUSTERS, Change, Finding
from ttkit.upgrade.usage import KEYWORDS, NAMES, POSITIONAL, STAGES

_OURS = {"ttkit.language.gluon": "triton.experimental.gluon.language", "ttkit": "triton"}
# What packages hand on to their own modules: `from package.utils import tl, triton`.
_HANDED_ON = {
    "triton": "triton",
    "tl": "triton.language",
    "gl": "triton.experimental.gluon.language",
    "gluon": "triton.experimental.gluon",
}
_JIT = ("triton.jit", "triton.runtime.jit.jit", "triton.experimental.gluon.jit")


def files_of(path: Path) -> list[Path]:
    """The sources in Python that a path names: itself, or all in a folder."""
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def read(path: Path, first: Version, last: Version) -> tuple[list[Finding], int]:
    """The findings of a file for an upgrade from one version to another, and the number of its kernels.

    Raises:
        SyntaxError, UnicodeDecodeError: it is not Python.
        OSError: it can't be read.
    """
    with tokenize.open(path) as file:
        tree = ast.parse(file.read(), str(path))
    reader = _Reader(tree)
    found = {(line, change) for line, change in reader.found() if first < change.since <= last}
    return [Finding(str(path), line, change) for line, change in sorted(found)], len(reader.kernels)


class _Reader:
    """One file: its names of Triton, and its kernels."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.aliases: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._name(alias.asname or alias.name.partition(".")[0], alias.name if alias.asname else None)
            elif isinstance(node, ast.ImportFrom):
                outer = "" if node.level else node.module or ""
                for alias in node.names:
                    self._name(alias.asname or alias.name, f"{outer}.{alias.name}", _HANDED_ON.get(alias.name))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self.kernels = [node for node in functions if any(self._is_jit(one) for one in node.decorator_list)]

    def _name(self, own: str, full: str | None, handed_on: str | None = None) -> None:
        full = full or own
        for ours, theirs in _OURS.items():
            if full == ours or full.startswith(f"{ours}."):
                full = theirs + full[len(ours) :]
                break
        if full == "triton" or full.startswith("triton."):
            self.aliases[own] = full
        elif handed_on is not None:
            self.aliases[own] = handed_on

    def full_name(self, node: ast.expr) -> str:
        """The name in Triton of an expression such as `tl.load`; "" for another."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, "")
        if isinstance(node, ast.Attribute) and (outer := self.full_name(node.value)):
            full = f"{outer}.{node.attr}"
            return full.replace("triton.language.core.", "triton.language.")
        return ""

    def _is_jit(self, decorator: ast.expr) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self.full_name(called) in _JIT

    def found(self) -> Iterator[tuple[int, Change]]:
        """Lines with changes, of any version."""
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Attribute, ast.Name)) and (change := NAMES.get(self.full_name(node))):
                yield node.lineno, change
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                changes = [NAMES.get(self.aliases.get(alias.asname or alias.name, "")) for alias in node.names]
                yield from ((node.lineno, change) for change in changes if change is not None)
            elif isinstance(node, ast.Call):
                yield from ((node.lineno, change) for change in self._of_call(node))
            elif isinstance(node, ast.FunctionDef) and node.name == "add_stages" and _takes(node) == 3:
                yield node.lineno, STAGES

    def _of_call(self, node: ast.Call) -> Iterator[Change]:
        name = self.full_name(node.func)
        if name in POSITIONAL and not any(isinstance(arg, ast.Starred) for arg in node.args):
            most, change = POSITIONAL[name]
            if len(node.args) > most:
                yield change
        is_launch = isinstance(node.func, ast.Subscript) or name == "triton.Config"
        for keyword in node.keywords:
            if is_launch and keyword.arg == "num_ctas" and _is_several(keyword.value):
                yield CLUSTERS
            change_of_keyword = KEYWORDS.get((name, keyword.arg or ""))
            if change_of_keyword is not None and not _is_nothing(keyword.value):
                yield change_of_keyword


def _takes(node: ast.FunctionDef) -> int:
    """The number of a method's parameters with `self`; 0 if it takes any number."""
    given = node.args
    return 0 if given.vararg or given.kwarg else len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def _is_several(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and value.value > 1


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in (False, "", None)
