"""Lower what a program asks of its launch: its index in the grid, the grid's size, its warps, its scratch memory.

Ops: dialects/tt/program_ops.td, dialects/ttg/warp_specialize_ops.td    Test: test/lit/lower/program.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.analysis.program_order import LARGEST, ProgramOrder
from ttkit.passes.lower.arith import SAME
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp

AXES = "xyz"


@lowers("tt.get_program_id")
def get_program_id(low: Lowering, op: ir.OpView) -> ir.Value:
    """The index of the program along an axis of the grid."""
    return program_id(low, op.axis)


def program_id(low: Lowering, axis: int) -> ir.Value:
    """The place of the program along an axis of the grid, by the module's order of programs."""
    order = ProgramOrder.of(low.module)
    if order is None or axis not in order.axes:
        return cta_id(low, axis)
    ids, counts = ([number(low, along) for along in range(len(AXES))] for number in (cta_id, num_programs))
    return order.places(ids, counts, Numbers(low))[axis]


def cta_id(low: Lowering, axis: int) -> ir.Value:
    """The index of the CTA, or of its cluster where a program has several."""
    register = "ctaid" if low.num_ctas == 1 else "clusterid"
    return low.emit.op(f"nvvm.read.ptx.sreg.{register}.{AXES[axis]}", low.emit.i32)


@lowers("tt.get_num_programs")
def get_num_programs(low: Lowering, op: ir.OpView) -> ir.Value:
    """The number of programs along an axis of the grid."""
    return num_programs(low, op.axis)


def num_programs(low: Lowering, axis: int) -> ir.Value:
    """The number of CTAs, or of clusters, along an axis of the grid."""
    register = "nctaid" if low.num_ctas == 1 else "nclusterid"
    return low.emit.op(f"nvvm.read.ptx.sreg.{register}.{AXES[axis]}", low.emit.i32)


class Numbers:
    """Arithmetic of `ProgramOrder` in the llvm dialect."""

    def __init__(self, low: Lowering) -> None:
        self.emit = low.emit

    def number(self, value: int) -> ir.Value:
        """A constant."""
        return self.emit.i32_constant(value)

    def compute(self, name: str, a: ir.Value, b: ir.Value) -> ir.Value:
        """An operation of arith by its name there."""
        return self.emit.same(f"llvm.{SAME[name]}", a, b)

    def product_is_small(self, factors: Sequence[ir.Value]) -> ir.Value:
        """Whether the product is at most LARGEST."""
        product, *others = (self.emit.cast("zext", factor, self.emit.i64) for factor in factors)
        for factor in others:
            product = self.emit.mul(product, factor)
        return self.emit.compare("ule", product, self.emit.constant(self.emit.i64, LARGEST))

    def is_less(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """Whether an unsigned number is less than another one."""
        return self.emit.compare("ult", a, b)

    def select(self, condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> ir.Value:
        """One of two values."""
        return self.emit.select(condition, then, otherwise)


@lowers("tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents")
def grid_dependency(low: Lowering, op: ir.OpView) -> None:
    """Dependent launches are an instruction, which does nothing in other launches.

    Raises CannotLower before sm_90.
    """
    low.require("has_clusters", "dependent launches")
    _, _, action = op.operation.name.partition("grid_dependency_")
    low.emit.inline_asm(f"griddepcontrol.{action};", "~{memory}", None)


@lowers("ttg.warp_id")
def warp_id(low: Lowering, op: ir.OpView) -> ir.Value:
    """The warp in its CTA."""
    return low.index.warp() if "omitUniformHint" in op.operation.attributes else uniform_warp(low)


@lowers("ttg.global_scratch_alloc")
def global_scratch_alloc(low: Lowering, op: ir.OpView) -> ir.Value:
    """The program's part of what the launch provides."""
    return low.parameters.global_scratch(op)
