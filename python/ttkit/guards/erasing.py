"""Erasures by Python, while users' code is at work: of operations and block arguments, also during a walk.

MLIR's bindings end the process, or leave objects for what is gone, where these functions raise or tell `erased.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from mlir import ir
from mlir.passmanager import PassManager
from mlir.rewrite import PatternRewriter

from ttkit._native import handle, library, operation_handle
from ttkit.guards.erased import SET_ASIDE, erasures, watched_instances

_OPERATION_BASE = ir.Operation.__mro__[1]
_IN_USE = "an operation with used results can't be erased: replace its results first"


def watch_erase() -> None:
    """Has what the bindings erase operations with check them, and tell of what is gone.  Once."""
    if hasattr(_OPERATION_BASE.erase, "__wrapped__"):
        return
    for cls, name, function in (
        (_OPERATION_BASE, "erase", _erase),
        (_OPERATION_BASE, "walk", _walk),
        (_OPERATION_BASE, "clone", _clone),
        (PatternRewriter, "erase_op", _erase_by_rewriter),
        (PatternRewriter, "replace_op", _replace_by_rewriter),
        (ir.Block, "erase_argument", _erase_argument),
        (PassManager, "run", _run),
    ):
        original = cls.__dict__[name]
        checked = functools.wraps(original, ("__doc__", "__name__", "__qualname__"))(_given(function, original))
        setattr(cls, name, checked)


def _given(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """A method that hands what it replaces to a function."""

    def method(*arguments: Any, **named: Any) -> Any:
        """Calls it."""
        return function(original, *arguments, **named)

    return method


def _run(run: Callable[..., Any], manager: PassManager, operation: Any) -> None:
    """Runs passes; what they erase is no more to be used afterwards."""
    with erasures(operation.operation):
        run(manager, operation)


def _clone(clone: Callable[..., Any], operation: Any, ip: ir.InsertionPoint | None = None) -> ir.OpView:
    """Clones, unless the operation is erased."""
    _ = operation.attached  # which the bindings check, and not here
    return clone(operation, ip)


# --- Operations ------------------------------------------------------------------------------------------------------
def _erase(erase: Callable[..., Any], operation: Any) -> None:
    """Erases, and ends all Python objects for what goes.

    Raises:
        ValueError: its results are in use, or it was erased.
    """
    _erase_watched(erase, (operation,), operation)


def _erase_by_rewriter(erase: Callable[..., Any], rewriter: PatternRewriter, op: Any) -> None:
    """As `_erase`, by a pattern."""
    _erase_watched(erase, (rewriter, op), op, rewriter)


def _replace_by_rewriter(replace: Callable[..., Any], rewriter: PatternRewriter, op: Any, values: Any) -> None:
    """Replaces the results and erases, as `_erase`.

    Raises:
        ValueError: there is not one value for each result, or the operation was erased.
    """
    if isinstance(values, _OPERATION_BASE):
        values = values.results
    values, operation = list(values), op.operation
    if len(values) != len(operation.results):
        raise ValueError(
            f"replace_op: {operation.name} has {_counted(len(operation.results), 'result')}, but"
            f" got {_counted(len(values), 'value')}: pass one value for each result"
        )
    _erase_watched(replace, (rewriter, op, values), op, rewriter, values)


def _counted(count: int, noun: str) -> str:
    """Such as "1 result" and "2 results"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _erase_watched(
    original: Callable[..., Any],
    arguments: tuple[Any, ...],
    operation: Any,
    rewriter: PatternRewriter | None = None,
    values: list[ir.Value] | None = None,
) -> None:
    instances = watched_instances()
    if instances is None:
        original(*arguments)
        return
    native = operation_handle(operation.operation)
    if SET_ASIDE.has(native.pointer):
        raise ValueError("the operation was erased already")
    if values is None and library().ttkitHasUses(native):
        raise ValueError(_IN_USE)
    if SET_ASIDE.add(instances, operation, rewriter, values or ()):
        return
    contents = library().ttkitContents(native)
    try:
        original(*arguments)
        instances.end_all(contents)
    finally:
        library().ttkitFreeContents(contents)


# --- Arguments -------------------------------------------------------------------------------------------------------
def _erase_argument(erase: Callable[..., Any], block: ir.Block, index: int) -> None:
    """Erases an argument, and ends all Python objects for it, and lists of arguments that would change.

    Raises:
        ValueError: there is no such argument, or it is in use.
    """
    instances = watched_instances()
    if instances is None:
        erase(block, index)
        return
    native = handle(block, "Block")  # `arguments` would ask for the operation that the block was in at first
    count = library().ttkitCountArguments(native)
    if not 0 <= index < count:
        raise ValueError(f"a block with {count} arguments has no argument {index} that could be erased")
    if library().ttkitArgumentHasUses(native, index):
        raise ValueError("a block argument with uses can't be erased: replace its uses first")
    contents = library().ttkitArgumentContents(native, index)
    try:
        erase(block, index)
        instances.end_argument(contents, count - 1)
    finally:
        library().ttkitFreeContents(contents)


# --- Walks -----------------------------------------------------------------------------------------------------------
def _walk(
    walk: Callable[..., Any],
    root: Any,
    callback: Callable[[ir.Operation], ir.WalkResult],
    walk_order: ir.WalkOrder = ir.WalkOrder.POST_ORDER,
) -> None:
    """Visits the operations that are there at the start, without those that were erased meanwhile."""
    if watched_instances() is None:
        walk(root, callback, walk_order)
        return
    found: list[ir.Operation] = []

    def collect(op: ir.Operation) -> ir.WalkResult:
        """Appends an operation."""
        found.append(op)
        return ir.WalkResult.ADVANCE

    walk(root, collect, walk_order)
    skipped = 0
    for op in found:
        if _is_gone(op) or (skipped and skipped in _and_above(op)):
            continue
        result = callback(op)
        if not isinstance(result, ir.WalkResult):
            raise TypeError(f"the function of a walk returns an ir.WalkResult; found {result!r}")
        if result == ir.WalkResult.INTERRUPT:
            return
        skipped = operation_handle(op).pointer if result == ir.WalkResult.SKIP and not _is_gone(op) else 0


def _is_gone(op: ir.Operation) -> bool:
    try:
        _ = op.attached
        return len(SET_ASIDE) > 0 and any(map(SET_ASIDE.has, _and_above(op)))
    except RuntimeError:  # of the bindings: it was invalidated
        return True


def _and_above(op: Any) -> Iterator[int]:
    """The addresses of an operation, and of all around it."""
    while op is not None:
        yield operation_handle(op.operation).pointer
        op = op.parent
