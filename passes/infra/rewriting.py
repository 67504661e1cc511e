"""Rewrite patterns, and small queries for them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from mlir import ir
from mlir.rewrite import GreedyRewriteConfig, PatternRewriter, RewritePatternSet, apply_patterns_and_fold_greedily

from ttkit._native import library, operation_handle
from ttkit.guards.erased import erasures
from ttkit.inspection import collect, contains_any, defining, has_uses, name_array, name_of, op_name
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra.bug_report import matched
from ttkit.passes.infra.retyping import operation_names

Match: TypeAlias = bool
"""What a pattern returns: MATCHED after it changed the IR, else NO_MATCH.  (The bindings take false for a match.)"""
MATCHED: Literal[False] = False
NO_MATCH: Literal[True] = True

Pattern = Callable[[Any, PatternRewriter], Match]


def is_memory_effect_free(op: ir.Operation | ir.OpView) -> bool:
    """Whether an operation and its regions neither read nor write memory."""
    return library().ttkitIsMemoryEffectFree(operation_handle(op.operation))


def is_pure(op: ir.Operation | ir.OpView) -> bool:
    """Whether an operation and its regions have no effects and may be executed speculatively."""
    return library().ttkitIsPure(operation_handle(op.operation))


def only_reads(op: ir.Operation | ir.OpView) -> bool:
    """Whether all memory effects of an operation and its regions are known, and are reads."""
    return library().ttkitOnlyReads(operation_handle(op.operation))


def erase_dead(root: ir.Operation) -> None:
    """Erases trivially dead operations in `root`: results without uses, and no effects on other memory than theirs."""
    for op in collect(root, operation_names(root))[::-1]:
        is_unused = len(op.results) and not any(map(has_uses, op.results))
        if is_unused and library().ttkitWouldBeTriviallyDead(operation_handle(op)):
            op.erase()


def canonicalize_ops(root: ir.Operation, names: Iterable[type | str], *, merge_constants: bool = True) -> bool:
    """Applies the canonicalization patterns of the named operations, and folds; returns whether anything changed.

    Args:
        merge_constants: whether to merge equal constants.
    """
    with erasures(root.operation):
        return library().ttkitCanonicalize(operation_handle(root), *name_array(names), merge_constants)


def defining_name(value: ir.Value) -> str | None:
    """The name of the operation that defines `value`; None for a block argument."""
    op = defining(value)
    return None if op is None else name_of(op)


def defining_op(value: ir.Value, op: type | str) -> Any:
    """The operation that defines `value`, if it is of kind `op` (an op class or name); else None."""
    owner = value.owner
    return owner if not isinstance(owner, ir.Block) and name_of(owner) == op_name(op) else None


def apply_greedily(
    root: ir.Operation, patterns: Mapping[Any, Pattern | Sequence[Pattern]], canonicalize: Sequence[str] = ()
) -> None:
    """Applies patterns and folds until nothing changes.  If `root` contains none of the operations, it only folds.

    Args:
        root: the operation whose regions are rewritten.
        patterns: op class or name -> pattern, or several in the order in which they are tried.  A pattern takes
            the op's view and a rewriter, and returns MATCHED or NO_MATCH.
        canonicalize: names of operations whose canonicalization patterns are applied too.

    Raises:
        TypeError: `root` is not an operation.
        ValueError: no dialect has the operation of a pattern.
        RuntimeError: the patterns don't converge.
        Exception: an exception of a pattern; the rewriting stops there.
    """
    if not isinstance(root, (ir.Operation, ir.OpView)):
        raise TypeError(f"apply_greedily takes an operation, such as module.operation; found {type(root).__name__}")
    if not contains_any(root, [*patterns, *canonicalize]):
        _check_names(root.context, patterns)
        canonicalize_ops(root, ())
        return
    outcome = _Outcome(root)
    with root.context:
        pattern_set = RewritePatternSet()
        for op, functions in patterns.items():
            ordered = [functions] if callable(functions) else functions
            for rank, function in enumerate(ordered):
                pattern_set.add(op_name(op), outcome.guard(function), benefit=len(ordered) - rank)
        frozen = pattern_set.freeze()
        config = GreedyRewriteConfig()
        for _ in range(MAX_ROUNDS):
            outcome.matched = False
            outcome.check(_rewrite, root, frozen, config)
            if canonicalize and canonicalize_ops(root, canonicalize):
                outcome.matched = True
            elif not outcome.matched or not canonicalize:
                return
    raise RuntimeError(f"{NOT_CONVERGED}{outcome.last_match()}")


# Far more than any real input needs; only patterns that undo each other reach it.
MAX_ROUNDS = 1000
NOT_CONVERGED = "the patterns did not converge: they keep changing the IR"


def _rewrite(root: ir.Operation, frozen: Any, config: GreedyRewriteConfig) -> None:
    with erasures(root.operation):
        apply_patterns_and_fold_greedily(root, frozen, config)


# An operation of each dialect: if it is registered, the dialect is loaded with all of its operations.
_OF_DIALECT = {
    "arith": "arith.constant",
    "scf": "scf.for",
    "tt": "tt.func",
    "ttg": CONVERT_LAYOUT,
    "ttng": "ttng.init_barrier",
}


def _check_names(context: ir.Context, names: Iterable[Any]) -> None:
    """Refuses patterns for unknown operations of loaded dialects; those of other dialects may exist.

    Raises:
        ValueError: a loaded dialect has no operation of that name.
    """
    for name in names:
        if not isinstance(name, str) or context.is_registered_operation(name):
            continue
        dialect, dot, _ = name.partition(".")
        if not dot or context.is_registered_operation(_OF_DIALECT.get(dialect, "")):
            raise ValueError(f"a pattern is for '{name}', and there is no such operation")


class _Outcome:
    """The outcome of patterns.  An exception must not cross the C++ rewrite driver, so it is stored here."""

    def __init__(self, root: ir.Operation | ir.OpView) -> None:
        self.root = root
        self.matched = False
        self.last: tuple[str, str] | None = None
        self.failure: BaseException | None = None

    def last_match(self) -> str:
        """The pattern that matched last, for an error about patterns that don't end."""
        return f"; the last was {self.last[0]}, for {self.last[1]}" if self.last else ""

    def guard(self, function: Pattern) -> Pattern:
        """A pattern that records whether `function` matched, and does nothing after a pattern has raised."""

        def guarded(op: Any, rewriter: PatternRewriter) -> Match:
            """Calls the pattern, unless one has failed: MLIR would go on with others.

            Raises:
                TypeError: it returns neither MATCHED nor NO_MATCH; stored like other exceptions.
            """
            if self.failure is not None:
                return NO_MATCH
            kind = name_of(op)  # before the pattern erases it
            try:
                result = function(op, rewriter)
                if result is MATCHED:
                    self.matched, self.last = True, (getattr(function, "__name__", "a pattern"), kind)
                elif result is not NO_MATCH:
                    raise TypeError(f"pattern {function.__name__} returned {result!r}; return MATCHED or NO_MATCH")
                return result
            except BaseException as error:
                self.failure = error
                matched(error, op, self.root)
                return NO_MATCH

        return guarded

    def check(self, rewrite: Callable[..., None], *arguments: Any) -> None:
        """Runs a rewrite driver.  Raises RuntimeError if it does not converge, or the exception of a pattern."""
        try:
            rewrite(*arguments)
        except RuntimeError as error:
            if self.failure is None:
                raise RuntimeError(f"{NOT_CONVERGED}{self.last_match()}") from error
        if self.failure is not None:
            raise self.failure
