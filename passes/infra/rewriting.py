"""Rewrite patterns, and finding operations without walking them from Python."""

import ctypes
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypeVar

from mlir import ir
from mlir.rewrite import (
    GreedyRewriteConfig,
    PatternRewriter,
    RewritePatternSet,
    apply_patterns_and_fold_greedily,
)

from ttkit._native import Handle, NameCallback, library, operation_from_pointer, operation_handle

Match: TypeAlias = bool
"""What a pattern returns: MATCHED after it changed the IR, else NO_MATCH.  (The bindings take a false value for a match.)"""
MATCHED: Literal[False] = False
NO_MATCH: Literal[True] = True

Pattern = Callable[[Any, PatternRewriter], Match]
OpClass = TypeVar("OpClass")


def _name(op: type | str) -> str:
    return op if isinstance(op, str) else op.OPERATION_NAME  # type: ignore[attr-defined]


def _names(ops: Iterable[type | str]) -> Any:
    encoded = [_name(op).encode() for op in ops]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def contains_any(root: ir.Operation, ops: Iterable[type | str]) -> bool:
    """Whether any operation under `root` is one of `ops` (op classes or names)."""
    return library().ttkitContainsAny(operation_handle(root), *_names(ops))


def collect(root: ir.Operation, ops: Iterable[type | str]) -> list[ir.Operation]:
    """The operations under `root` that are one of `ops` (op classes or names), in the order of the text."""
    names, count = _names(ops)
    lib, handle = library(), operation_handle(root)
    total = lib.ttkitCollect(handle, names, count, None, 0)
    found = (Handle * total)()
    lib.ttkitCollect(handle, names, count, found, total)
    return [operation_from_pointer(item.pointer) for item in found]


def elementwise_names(root: ir.Operation) -> list[str]:
    """The names of the operations under `root` that act on each element by itself (trait Elementwise)."""
    names: list[str] = []

    @NameCallback
    def add(name: bytes) -> None:
        names.append(name.decode())

    library().ttkitElementwiseNames(operation_handle(root), add)
    return names


def is_memory_effect_free(op: ir.Operation | ir.OpView) -> bool:
    """Whether the operation, and all in its regions, neither reads nor writes memory."""
    return library().ttkitIsMemoryEffectFree(operation_handle(op.operation))


def defining_op(value: ir.Value, op_class: type[OpClass]) -> OpClass | None:
    """The operation that makes `value`, if it is an `op_class`."""
    owner = value.owner
    if not isinstance(owner, ir.Operation):
        return None
    view = owner.opview
    return view if isinstance(view, op_class) else None


def apply_greedily(root: ir.Operation, patterns: Mapping[type | str, Pattern | Iterable[Pattern]]) -> None:
    """Applies patterns, and folds, until nothing changes.  Does nothing if `root` has none of the operations.

    Args:
        root: the operation whose regions are rewritten.
        patterns: op class or name -> pattern, or several in the order in which they are tried.  A pattern takes the op's view
            and a rewriter, and returns MATCHED or NO_MATCH.

    Raises:
        RuntimeError: the patterns don't converge.
        Exception: whatever a pattern raises; the rewriting stops there.
    """
    if not contains_any(root, patterns):
        return
    failures: list[BaseException] = []
    with root.context:
        pattern_set = RewritePatternSet()
        for op, functions in patterns.items():
            ordered = [functions] if callable(functions) else list(functions)
            for rank, function in enumerate(ordered):
                pattern_set.add(_name(op), _guarded(function, failures), benefit=len(ordered) - rank)
        try:
            apply_patterns_and_fold_greedily(root, pattern_set.freeze(), GreedyRewriteConfig())
        except RuntimeError as error:
            if not failures:
                raise RuntimeError("the patterns did not converge: they keep changing the IR") from error
    if failures:
        raise failures[0]


def _guarded(function: Pattern, failures: list[BaseException]) -> Pattern:
    """`function`, but after one exception all patterns decline: exceptions must not cross the C++ rewrite driver."""

    def guarded(op: Any, rewriter: PatternRewriter) -> Match:
        if failures:
            return NO_MATCH
        try:
            result = function(op, rewriter)
            if result is not MATCHED and result is not NO_MATCH:
                raise TypeError(f"pattern {function.__name__} returned {result!r}; return MATCHED or NO_MATCH")
            return result
        except BaseException as error:
            failures.append(error)
            return NO_MATCH

    return guarded
