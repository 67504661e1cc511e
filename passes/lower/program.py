"""Lower what a program asks of its launch: its index in the grid, the grid's size, its warps, its scratch memory.

Ops: dialects/tt/program_ops.td, dialects/ttg/warp_specialize_ops.td    Test: test/lit/lower/program.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp

AXES = "xyz"


@lowers("tt.get_program_id")
def get_program_id(low: Lowering, op: ir.OpView) -> ir.Value:
    """The index of the program along an axis of the grid."""
    return program_id(low, op.axis)


def program_id(low: Lowering, axis: int) -> ir.Value:
    """The index of the CTA, or of its cluster where a program has several."""
    register = "ctaid" if low.num_ctas == 1 else "clusterid"
    return low.emit.op(f"nvvm.read.ptx.sreg.{register}.{AXES[axis]}", low.emit.i32)


@lowers("tt.get_num_programs")
def get_num_programs(low: Lowering, op: ir.OpView) -> ir.Value:
    """The number of CTAs, or of clusters, along an axis of the grid."""
    register = "nctaid" if low.num_ctas == 1 else "nclusterid"
    return low.emit.op(f"nvvm.read.ptx.sreg.{register}.{AXES[op.axis]}", low.emit.i32)


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
