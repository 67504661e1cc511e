"""Costs of layouts in ttg: each conversion, and each access to shared memory with bank conflicts, with its line."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir

from ttkit.analysis.ledger import access_conflicts, conversion_cost, target_of
from ttkit.inspection import collect, enclosing
from ttkit.operation_sets import CONVERT_LAYOUT, SHARED_ACCESSES


@dataclass(frozen=True)
class LayoutCost:
    """The cost of an operation because of layouts.

    kind: no_ops, registers, shuffles or shared, for a conversion; the operation's name for an access.
    conflicts: additional wavefronts of a warp.
    location: as text.
    in_loop: whether a loop repeats it.
    """

    kind: str
    conflicts: int
    location: str
    in_loop: bool


def layout_costs(module: ir.Operation) -> list[LayoutCost]:
    """The costs of all conversions that move data, and of all accesses that have bank conflicts."""
    target, found = target_of(module), []
    for op in collect(module, [CONVERT_LAYOUT, *SHARED_ACCESSES]):
        if op.name == CONVERT_LAYOUT:
            kind, conflicts = conversion_cost(op.opview.src.type, op.result.type, target)
        else:
            kind, conflicts = op.name, access_conflicts(op)
        if kind in ("shuffles", "shared") or conflicts:
            in_loop = enclosing(op, "scf.for", "scf.while") is not None
            found.append(LayoutCost(kind, conflicts, str(op.location), in_loop))
    return found
