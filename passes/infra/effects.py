"""Memory effects of operations."""

from typing import NamedTuple

from mlir import ir

from ttkit._native import Handle, library, operation_handle
from ttkit._signatures import EffectCallback


class Effect(NamedTuple):
    """An effect on memory: `kind` is read, write, allocate or free; `resource` is a name such as `<SharedMemory>`."""

    kind: str
    resource: str


def memory_effects(op: ir.Operation) -> list[Effect] | None:
    """Memory effects of an operation and its regions; None if unknown."""
    found: list[Effect] = []
    known = True

    @EffectCallback
    def add(kind: bytes, resource: bytes, value: Handle) -> None:
        """Records one effect, without its value."""
        found.append(Effect(kind.decode(), resource.decode()))

    def visit(inner: ir.Operation) -> ir.WalkResult:
        """Stops at the first operation with unknown effects."""
        nonlocal known
        known = library().ttkitMemoryEffects(operation_handle(inner.operation), add)
        return ir.WalkResult.ADVANCE if known else ir.WalkResult.INTERRUPT

    op.walk(visit)
    return found if known else None


def may_write(op: ir.Operation, resource: str | None = None) -> bool:
    """Whether an operation or its regions may write memory; with `resource`, only that memory counts."""
    effects = memory_effects(op)
    if effects is None:
        return True
    return any(effect.kind == "write" and resource in (None, effect.resource) for effect in effects)
