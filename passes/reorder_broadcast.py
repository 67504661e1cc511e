"""Compute before repeating: move splat and broadcast after elementwise operations.

    %0 = tt.splat %a : f32 -> tensor<64xf32>            %0 = arith.addf %a, %b : f32
    %1 = tt.splat %b : f32 -> tensor<64xf32>      =>    %1 = tt.splat %0 : f32 -> tensor<64xf32>
    %2 = arith.addf %0, %1 : tensor<64xf32>

    %0 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>    %0 = math.exp %x : tensor<64x1xf32>
    %1 = math.exp %0 : tensor<64x32xf32>                      =>    %1 = tt.broadcast %0 : ... -> tensor<64x32xf32>

Input:  tt.      Output: tt, same result types.
Order:  after combine, whose patterns look for broadcasts before a product.
Skips:  operations with memory effects or regions; broadcasts of different shapes; assembly over several elements.
Test:   test/lit/passes/reorder_broadcast.mlir
"""

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.inspection import collect_elementwise
from ttkit.passes.infra import (
    Pass,
    canonicalize_ops,
    constant_splat_attribute,
    defining_op,
    is_memory_effect_free,
    replace_by,
)
from ttkit.passes.infra.rewriting import MAX_ROUNDS, NOT_CONVERGED
from ttkit.passes.infra.transforms import recreate

REPEATS = ["tt.splat", "tt.broadcast", "arith.constant"]


class ReorderBroadcast(Pass):
    """Move splat and broadcast after elementwise operations"""

    name = "triton-reorder-broadcast"

    def run(self, op: ir.Operation) -> None:
        """Moves operations before broadcasts until there is nothing to move."""
        move_all(op)
        # Bringing broadcasts together, and expand_dims before them, may give more to move.
        while canonicalize_ops(op, ["tt.broadcast", "tt.expand_dims"]) and move_all(op):
            pass


def move_all(root: ir.Operation) -> bool:
    """Moves splats and broadcasts after operations until none has only such operands; returns whether any moved.

    Raises:
        RuntimeError: it does not come to an end.
    """
    # A moved operation may be the operand of another: look again.  Backwards, as rewrite drivers do.
    for past_rounds in range(MAX_ROUNDS):
        if not [op for op in reversed(collect_elementwise(root, REPEATS)) if move_after(op.opview)]:
            return past_rounds > 0
    raise RuntimeError(NOT_CONVERGED)  # values that depend on themselves, in code that nothing reaches


def move_after(op: ir.OpView) -> bool:
    """Applies the rule for the operation's operands, if there is one."""
    return is_movable(op) and (move_splat_after(op) or move_broadcast_after(op))


def move_splat_after(op: ir.OpView) -> bool:
    """f(splat(a), splat(b), ...) -> splat(f(a, b, ...))."""
    if not all(is_splat(operand) for operand in op.operands):
        return False
    with ir.InsertionPoint(op), op.location:
        scalars = [scalar_of(operand) for operand in op.operands]
        moved = recreate(op.operation, [result.type.element_type for result in op.results], scalars)
        replace_by(op, [tt.splat(new, old.type) for old, new in zip(op.results, moved.results)])
    return True


def move_broadcast_after(op: ir.OpView) -> bool:
    """f(broadcast(x), broadcast(y), splat(a), ...) -> broadcast(f(x, y, splat(a), ...)), for x and y of one shape."""
    broadcasts = [defining_op(operand, "tt.broadcast") for operand in op.operands]
    sources = [broadcast.src.type for broadcast in broadcasts if broadcast]
    if not sources or any(source.shape != sources[0].shape for source in sources):
        return False
    if not all(broadcast or is_splat(operand) for broadcast, operand in zip(broadcasts, op.operands)):
        return False
    shape, encoding = sources[0].shape, sources[0].encoding
    with ir.InsertionPoint(op), op.location:
        operands = [
            broadcast.src if broadcast else resized_splat(operand, shape, encoding)
            for broadcast, operand in zip(broadcasts, op.operands)
        ]
        moved = recreate(op.operation, [resized(result.type, shape, encoding) for result in op.results], operands)
        replace_by(op, [tt.broadcast(new, old.type) for old, new in zip(op.results, moved.results)])
    return True


def is_movable(op: ir.OpView) -> bool:
    """Whether `op` acts on tensors alone and gives the same on fewer elements."""
    if len(op.regions) or not is_memory_effect_free(op):
        return False
    # Assembly that packs several elements has no meaning for one.
    packed = op.attributes["packed_element"].value if "packed_element" in op.attributes else 1
    return packed == 1 and all(isinstance(result.type, ir.RankedTensorType) for result in op.results)


def is_splat(value: ir.Value) -> bool:
    """Whether all elements are one value: of a tt.splat or a constant."""
    return defining_op(value, "tt.splat") is not None or constant_splat_attribute(value) is not None


def scalar_of(value: ir.Value) -> ir.Value:
    """The value that a splat repeats."""
    if splat := defining_op(value, "tt.splat"):
        return splat.src
    constant = constant_splat_attribute(value)
    assert constant is not None, "callers check is_splat"
    return arith.constant(constant.type, constant)


def resized(type: ir.RankedTensorType, shape: list[int], encoding: ir.Attribute | None) -> ir.Type:
    """A tensor type with another shape and layout."""
    return ir.RankedTensorType.get(shape, type.element_type, encoding)


def resized_splat(value: ir.Value, shape: list[int], encoding: ir.Attribute | None) -> ir.Value:
    """The splat `value`, for another shape and layout."""
    type = resized(value.type, shape, encoding)
    if splat := defining_op(value, "tt.splat"):
        return tt.splat(splat.src, type)
    return arith.constant(type, constant_splat_attribute(value))
