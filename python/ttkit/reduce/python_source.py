"""Edits of Python sources: fewer statements, simpler expressions.

The text is what Python's own `ast.unparse` makes of the tree, so comments go at the first edit.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ttkit.reduce.reducer import Job, Language, Reply

Edit = Callable[[], None]
_BLOCKS = ("body", "orelse", "finalbody")


def blocks(tree: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Every list of statements, with where it stands; inner ones first, last ones first."""
    for node in reversed(list(ast.walk(tree))):
        for name in _BLOCKS:
            found = getattr(node, name, None)
            if isinstance(found, list) and found:
                yield node, name, found


def remove(items: list[Any], item: Any) -> None:
    """Removes one item: itself, not one that equals it."""
    items[:] = [one for one in items if one is not item]


def statements(tree: ast.Module) -> list[Edit]:
    """Statements that may go; `pass` stays where a block would be empty."""
    found: list[Edit] = []
    for _, _, block in blocks(tree):
        found += [partial(remove, block, one) for one in reversed(block) if not isinstance(one, ast.Pass)]
    return found


def nested_blocks(tree: ast.Module) -> list[Edit]:
    """Loops and branches in whose place one of their blocks may stand."""

    def edit(block: list[ast.stmt], statement: ast.stmt, inner: list[ast.stmt]) -> None:
        """Puts the statements of an inner block in the place of a statement that still stands."""
        place = next((n for n, one in enumerate(block) if one is statement), None)
        if place is not None:
            block[place : place + 1] = inner

    found: list[Edit] = []
    for _, _, block in blocks(tree):
        for statement in reversed(block):
            if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                inner = [getattr(statement, name, None) for name in _BLOCKS]
                found += [partial(edit, block, statement, one) for one in inner if one]
    return found


def called_functions(tree: ast.Module) -> list[Edit]:
    """Functions without parameters, whose body may stand where they are called as a statement."""

    def edit(block: list[ast.stmt], function: ast.FunctionDef) -> None:
        """Removes a function, and puts its body, without `return`s, wherever it is called as a statement."""
        block[:] = [one for one in block if one is not function]
        body = [one for one in function.body if not isinstance(one, ast.Return)]
        for _, _, other in list(blocks(tree)):
            places = [n for n, one in enumerate(other) if ast.unparse(one) == f"{function.name}()"]
            for place in reversed(places):
                other[place : place + 1] = body

    found: list[Edit] = []
    for _, _, block in blocks(tree):
        functions = [one for one in block if isinstance(one, ast.FunctionDef)]
        found += [partial(edit, block, one) for one in functions if not ast.unparse(one.args)]
    return found


def expressions(tree: ast.Module) -> list[Edit]:
    """Expressions in whose place a part of them may stand: an operand, an argument of a call."""

    def edit(parent: ast.AST, field: str, place: int | None, part: ast.expr) -> None:
        """Puts an expression into a field of its parent, at a place of it if the field is a list."""
        if place is None:
            setattr(parent, field, part)
        else:
            getattr(parent, field)[place] = part

    return [
        partial(edit, parent, field, place, part)
        for parent, field, place, node in _expressions(tree)
        for part in parts(node)
    ]


def _expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Expressions and where they stand, inner ones first."""
    for node in reversed(list(ast.walk(tree))):
        for field, value in ast.iter_fields(node):
            if field in ("decorator_list", "func", "annotation"):
                continue
            if isinstance(value, ast.expr):
                yield node, field, None, value
            elif isinstance(value, list):
                for place, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        yield node, field, place, item


def parts(node: ast.expr) -> list[ast.expr]:
    """Operands and arguments of an expression."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return list(node.values)
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Call):
        return [one for one in node.args if not isinstance(one, ast.Starred)]
    return []


def arguments(tree: ast.Module) -> list[Edit]:
    """Arguments of calls, decorators but the last."""
    found: list[Edit] = []
    for node in reversed(list(ast.walk(tree))):
        if isinstance(node, ast.Call):
            found += [partial(remove, node.keywords, one) for one in reversed(node.keywords)]
            found += [partial(remove, node.args, one) for one in reversed(node.args)]
        if isinstance(node, ast.FunctionDef):
            found += [partial(remove, node.decorator_list, one) for one in node.decorator_list[:-1]]
    return found


def integers(tree: ast.Module) -> list[Edit]:
    """Integers above 2, which are halved."""

    def edit(node: ast.Constant) -> None:
        """Halves a constant, rounded down."""
        node.value = _large(node) // 2

    return [partial(edit, node) for node in ast.walk(tree) if isinstance(node, ast.Constant) and _large(node)]


def _large(node: ast.Constant) -> int:
    """An integer above 2; else 0."""
    return node.value if isinstance(node.value, int) and node.value > 2 else 0


def count(tree: ast.AST) -> int:
    """Statements."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree))


class PythonSource(Language):
    """Statements and expressions of a Python file."""

    kinds = (statements, nested_blocks, called_functions, statements, expressions, arguments, statements, integers)
    passes = ()

    def candidate(self, job: Job) -> Reply:
        """The script with some edits made, and how large it is."""
        tree = ast.parse(job.text)
        found = self.kinds[job.kind](tree)
        for edit in found[job.start : job.stop]:
            edit()
        for node, name, block in list(blocks(tree)):
            if name != "body" and [*map(type, block)] == [ast.Pass]:
                setattr(node, name, [])
        for node in ast.walk(tree):
            if not isinstance(node, ast.Module) and getattr(node, "body", None) == []:
                node.body = [ast.Pass()]
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile(text, "<candidate>", "exec")
        return Reply(len(found), text if job.stop else None, count(tree))

    def normalized(self, text: str) -> tuple[str, int]:
        """The script as it is, and how large it is."""
        return text, count(ast.parse(text))
