"""Lower atomic updates of shared memory, at places that are computed.

Ops: dialects/ttg/shared_memory_ops.td    Test: test/lit/lower/shared_atomics.mlir
"""

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.passes.lower.atomic import OPERATIONS, Instruction, act, ptx_type
from ttkit.passes.lower.gather import as_i32
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shared_memory import computed_places
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower


@lowers("ttg.local_atomic_scatter_rmw")
def local_atomic_scatter_rmw(
    low: Lowering, op: ir.OpView, view: SharedView, values: ir.Value, indices: ir.Value, *mask: ir.Value
) -> ir.Value:
    """result[..., i, ...] = dst[..., k, ...]; dst[..., k, ...] = f(result[..., i, ...], values[..., i, ...])

    Raises:
        CannotLower: several CTAs; an update that the hardware does not have.
    """
    if low.num_ctas > 1:
        raise CannotLower(
            "found a cluster of several CTAs; only the threads of one CTA update shared memory atomically"
        )
    element = low.element_type(op.values)
    name, kind = OPERATIONS[op.atomic_rmw_op]
    if str(element) == "bf16" and kind == "f" and not low.target.has_bf16_atomic_sums:
        raise CannotLower(f"sm_{low.target.capability} has no atomic sums of bf16; add f32 numbers")
    pointers = low.emit.pack(computed_places(low, op, [view.base], view, op.dst.type, as_i32(low, indices)))
    rounding = ".noftz" if kind == "f" and element_bits(element) == 16 else ""
    text = f"atom.shared.relaxed.cta.{name}{rounding}.{ptx_type(low, element, kind)}"
    run = Instruction(low, pointers, [values], text, address="r")
    return act(low, op, pointers, mask[0] if mask else None, 1, run, op.values)
