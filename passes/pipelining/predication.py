"""Operations that happen only if a condition holds: in iterations of a pipelined loop that a stage does not have."""

from collections.abc import Callable

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.building import arith
from ttkit.passes.infra.masks import mask_of
from ttkit.passes.infra.transforms import set_operands

# What may happen once too often: it waits for what has happened, or touches memory that is the loop's own.
HARMLESS = frozenset(
    {
        *("ttg.async_commit_group", "ttg.async_wait", "ttg.local_load", "ttg.local_store", "ttg.local_alloc"),
        *("ttng.warp_group_dot", "ttng.warp_group_dot_wait", "ttng.async_tma_store_wait", "ttng.fence_async_shared"),
        *("ttng.tensormap_create", "ttng.tensormap_fenceproxy_acquire", "ttng.tmem_alloc"),
    }
)


def needs_predicate(op: ir.Operation) -> bool:
    """Whether an operation must not happen when its iteration does not."""
    return op.name not in HARMLESS and not library().ttkitIsMemoryEffectFree(operation_handle(op))


def predicate(op: ir.Operation, condition: ir.Value) -> None:
    """Has an operation happen only if a condition (i1) holds too.

    Raises:
        PassError: nobody knows how, for this operation.
    """
    rule = RULES.get(op.name)
    if rule is None:
        raise PassError(op, f"a pipelined loop can't hold '{op.name}' in a stage but the last; give it that one")
    with op.location, ir.InsertionPoint(op):
        rule(op, condition)


def _masked(pointer: int, mask: int, groups: int) -> Callable[[ir.Operation, ir.Value], None]:
    """The rule for accesses with an optional mask, at place `mask` among `groups` groups of operands."""

    def rule(op: ir.Operation, condition: ir.Value) -> None:
        sizes = list(op.attributes["operandSegmentSizes"]) if "operandSegmentSizes" in op.attributes else None
        operands = list(op.operands)
        at = sum(sizes[:mask]) if sizes else mask
        present = sizes[mask] == 1 if sizes else len(operands) > mask
        new = mask_of(condition, operands[pointer].type, operands[at] if present else None)
        if present:
            op.operands[at] = new
            return
        set_operands(op, [*operands[:at], new, *operands[at:]])
        if sizes:
            sizes[mask] = 1
            op.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)

    return rule


def _conditional(position: int) -> Callable[[ir.Operation, ir.Value], None]:
    """The rule for operations with a condition of their own as operand number `position`, from behind if negative."""

    def rule(op: ir.Operation, condition: ir.Value) -> None:
        at = position % len(op.operands)
        op.operands[at] = arith.andi(condition, op.operands[at])

    return rule


RULES: dict[str, Callable[[ir.Operation, ir.Value], None]] = {
    "scf.if": _conditional(0),
    "ttg.async_copy_global_to_local": _masked(0, 2, 4),
    "tt.load": _masked(0, 1, 3),
    "tt.store": _masked(0, 2, 3),
    "tt.atomic_rmw": _masked(0, 2, 3),
    "ttng.async_tma_copy_global_to_local": _conditional(-1),
    "ttng.async_tma_gather": _conditional(-1),
    "ttng.barrier_expect": _conditional(-1),
}
