"""Choose loops on Hopper that warp groups divide among themselves: two compute, one loads.

    scf.for ... {                                   scf.for ... {
      %k = tt.descriptor_load ...                     ...
      %s = tt.dot %q, %k, %zero                     } {tt.warp_specialize}
      %p = softmax(%s)                        =>
      %v = tt.descriptor_load ...                   module attributes {ttkit.group-warps = 4}
      %o = tt.dot %p, %v, %acc
    }

If all warps run such a loop, the tensor cores are idle while threads compute the softmax.  Groups that alternate keep
them busy, if the tensor cores are the unit that takes longest.  Where exponentials take as long, several programs at
once do as well, and a divided program leaves no room for a second one.  So the pass compares the cycles that both units
need for an iteration (`python/ttkit/tuning/passes.py`).

A kernel of 8 warps has the same number of warps that compute; one of 4 has twice as many, as with
`tl.range(warp_specialize=True)`.

If the results of a loop's dot operations do not fit into the registers of 4 warps, the pass divides all loops that it
can: twice as many threads hold them.  Gradients of attention with D = 128 are an example.

Input:  tt.      Output: tt; loops to divide have the attribute, and the module the number of warps of a group.
Order:  before convert-triton-to-tritongpu, which gives tensors the layouts of a group.
Skips:  functions with other loops or dot operations; loops whose results fit, without exactly two dot operations, of
        which the second's left operand depends on the first; loops that load other matrices than operands, or in small
        pieces; kernels that ask for warp specialization; what nvgpu-warp-specialization can't divide; buffers that do
        not fit with two slots each.
Test:   test/lit/passes/choose_warp_groups.mlir, choose_warp_groups_for_registers.mlir
"""

from __future__ import annotations

from typing import NamedTuple

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.unit_cycles import dot_cycles
from ttkit.analysis.vector_width import alignment, mask_alignment
from ttkit.inspection import collect, defining, element_bits
from ttkit.layout.hardware import GROUP_WARPS, WGMMA_ROWS
from ttkit.module_attributes import WARPS_OF_GROUPS
from ttkit.operation_sets import BLOCK_LOADS, EXPONENTIALS, LOADS
from ttkit.passes.infra import Pass, option, remark
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.loop_attributes import NUM_STAGES, WARP_SPECIALIZE_LOOP, num_stages
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.infra.tensor_bytes import bytes_of, elements_of, fit_in_registers, registers
from ttkit.passes.layouts.load_buffers import has_other_values
from ttkit.passes.partitioning.divided_bytes import divided_bytes, loads_in
from ttkit.records import dataclass
from ttkit.target import Rates, Target
from ttkit.tuning.passes import DIVIDED_COLUMNS, DIVIDED_REGISTERS, TENSOR_SHARE

GROUPS = 2
COPIED_BYTES = 16
"""Bytes of a copy by cp.async, at least: the group that loads has half as many threads as those that compute."""


@dataclass(frozen=True)
class ChooseWarpGroups(Pass):
    """Divide loops with dot operations among two warp groups that compute and one that loads"""

    name = "ttkit-choose-warp-groups"

    capability: int = option(90, "the compute capability")
    num_warps: int = option(4, "warps in a CTA")
    num_stages: int = option(3, "slots of a buffer in loops that do not say")

    def run(self, op: ir.Operation) -> None:
        """Marks the loops of a module with one function, if all can be divided and gain by it."""
        functions = collect(op, ["tt.func"])
        if len(functions) != 1 or self.num_warps not in (GROUP_WARPS, GROUPS * GROUP_WARPS):
            return
        (function,) = functions
        loops = multiplying_loops(function)
        costs = [cost_of(loop, Target(self.capability).rates) for loop in loops]
        # Groups have the registers of twice as many threads.
        spills = self.num_warps == GROUP_WARPS and any(cost.spills(self.num_warps) for cost in costs)
        spills = spills and all(num_stages(loop, self.num_stages) > 1 for loop in loops)
        if not loops or not (spills or take_turns(loops, costs)) or not is_divisible(function):
            return
        stages = slots_that_fit(function, loops, self.num_stages, Target(self.capability))
        if stages is None:
            return
        for loop, cost, slots in zip(loops, costs, stages):
            loop.attributes[WARP_SPECIALIZE_LOOP] = ir.BoolAttr.get(True, op.context)
            if slots < num_stages(loop, self.num_stages):
                loop.attributes[NUM_STAGES] = i32_attribute(slots)
            remark(loop, f"divided among two warp groups that compute and one that loads: {cost}")
        op.attributes[WARPS_OF_GROUPS] = i32_attribute(GROUP_WARPS)


class Cost(NamedTuple):
    """The cycles of an iteration in each unit of a multiprocessor, and what its results need.

    tensor, exponential: cycles.
    results: bytes of the results of all dot operations; held: with the left operands that are computed.
    columns: those of the narrowest result.
    """

    tensor: float
    exponential: float
    results: int
    held: int
    columns: int

    def spills(self, num_warps: int) -> bool:
        """Whether threads of `num_warps` warps can't hold the results."""
        return not fit_in_registers(self.results, num_warps)

    def gains(self) -> bool:
        """Whether groups gain by alternating, which keeps the tensor cores busy, and have registers enough."""
        is_bound = self.exponential > 0 and self.tensor >= TENSOR_SHARE * self.exponential
        fits = registers(self.held, GROUPS * GROUP_WARPS) <= DIVIDED_REGISTERS
        return is_bound and fits and self.columns >= DIVIDED_COLUMNS

    def __str__(self) -> str:
        return f"an iteration takes {self.tensor:.0f} cycles of tensor cores, {self.exponential:.0f} for exponentials"


# --- Finding loops ----------------------------------------------------------------------------------------------------
def multiplying_loops(function: ir.Operation) -> list[ir.Operation]:
    """The loops of a function, if all multiply, nothing else does, and groups can have the rows; else none."""
    dots, loops = collect(function, ["tt.dot"]), collect(function, ["scf.for"])
    inside = [dots_of(loop) for loop in loops]
    outermost = all(loop.parent.operation == function for loop in loops)
    asked = any(WARP_SPECIALIZE_LOOP in loop.attributes for loop in loops)
    if not all(inside) or len(dots) != sum(map(len, inside)) or not outermost or asked:
        return []
    return loops if all(has_rows_for_groups(dot) for dot in dots) and all(map(loads_apart, loops)) else []


def take_turns(loops: list[ir.Operation], costs: list[Cost]) -> bool:
    """Whether all loops are attention's, and groups that compute it gain by alternating at the tensor cores."""
    return all(is_attention(loop) and cost.gains() for loop, cost in zip(loops, costs))


def dots_of(loop: ir.Operation) -> list[ir.Operation]:
    """The dot operations of a loop's body, without those of branches."""
    body = body_of(loop)
    return [dot for dot in collect(loop, ["tt.dot"]) if dot.block == body]


def has_rows_for_groups(dot: ir.Operation) -> bool:
    """Whether each group gets the rows of as many wgmmas."""
    type = dot.result.type
    return type.rank == 2 and type.shape[0] % (GROUPS * WGMMA_ROWS) == 0


def is_attention(loop: ir.Operation) -> bool:
    """Whether a loop has two dot operations, one wgmma a group each, of which the second depends on the first.

    Their right operands are all that it loads but for numbers, such as those of blocks.
    """
    dots = dots_of(loop)
    if len(dots) != 2 or any(dot.result.type.shape[0] != GROUPS * WGMMA_ROWS for dot in dots):
        return False
    first, second = dots
    left = defining(second.opview.a)
    if left is None or first not in [
        left.operation,
        *backward_slice(left.operation, lambda op: op.block == left.operation.block),
    ]:
        return False
    sources = [source for dot in dots if (source := loaded_as(dot.opview.b)) is not None]
    return all(load in sources for load in collect(loop, LOADS) if is_tensor(load.result))


def loads_apart(loop: ir.Operation) -> bool:
    """Whether the right operands of a loop's dot operations are loaded, and another group can load them.

    It loads through descriptors, or by cp.async, 16 bytes at once.  Vectors, and what is loaded through pointers before
    the loop, the groups that compute load themselves.
    """
    dots = dots_of(loop)
    operands = [operand for dot in dots for operand in (dot.opview.b, dot.opview.a)]
    sources = [source for operand in operands if (source := loaded_as(operand)) is not None]
    loads = loads_in(loop)
    if any(loaded_as(dot.opview.b) is None for dot in dots) or any(load not in sources for load in loads):
        return False
    analysis = AxisInfoAnalysis()
    return all(load.name != "tt.load" or copied_bytes(load, analysis) >= COPIED_BYTES for load in loads)


def loaded_as(value: ir.Value) -> ir.Operation | None:
    """The load of a tile in the block of its user, which may use it transposed; None if it is no such load."""
    source = defining(value)
    while source is not None and source.operation.name == "tt.trans":
        source = defining(source.operation.opview.src)
    return source.operation if source is not None and source.operation.name in BLOCK_LOADS else None


def copied_bytes(load: ir.Operation, analysis: AxisInfoAnalysis) -> int:
    """Bytes that a thread can copy at once by cp.async in the best layout; 0 if it fills in other values than zero."""
    pointer, mask = load.opview.ptr, access_mask(load)
    if has_other_values(load) or not is_tensor(pointer):
        return 0
    widths = [alignment(analysis, pointer, d) for d in range(pointer.type.rank)]
    if mask is not None:
        widths = [min(width, mask_alignment(analysis, mask, d)) for d, width in enumerate(widths)]
    return max(widths) * element_bits(load.result.type.element_type) // 8


def is_divisible(function: ir.Operation) -> bool:
    """Whether the rows of all dot operations of a function can be cut for the groups, as the pass will do in ttg."""
    from ttkit.passes.partitioning.slice_dimensions import SliceDimensions
    from ttkit.passes.partitioning.tasks import NotDivisible
    from ttkit.passes.warp_specialization import check_effects, has_else

    if len(function.regions[0].blocks) != 1 or any(map(has_else, collect(function, ["scf.if"]))):
        return False
    cut = SliceDimensions(GROUPS)
    try:
        check_effects(function)
        for dot in collect(function, ["tt.dot"]):
            if dot.result not in cut.dimensions:
                cut.cut_dot(dot, 0)
        cut.check_arguments()
    except NotDivisible:
        return False
    return True


# --- Costs ------------------------------------------------------------------------------------------------------------
def slots_that_fit(function: ir.Operation, loops: list[ir.Operation], stages: int, target: Target) -> list[int] | None:
    """Slots of the buffers of each loop: as many as it asks for, or fewer, at least two, if memory is short; or None.

    stages: those of loops that do not say.
    """
    asked = [num_stages(loop, stages) for loop in loops]
    for most in range(max(asked), min(2, *asked) - 1, -1):
        slots = [min(most, one) for one in asked]
        if divided_bytes(function, loops, slots, GROUPS) <= target.shared_bytes:
            return slots
    return None


def cost_of(loop: ir.Operation, rates: Rates) -> Cost:
    """The cost of an iteration of a loop with dot operations."""
    dots = dots_of(loop)
    results = [dot.result for dot in dots]
    computed = [dot.opview.a for dot in dots if is_computed_in(loop, dot.opview.a)]
    return Cost(
        sum(dot_cycles(dot, rates) for dot in dots),
        sum(elements_of(op.result) for op in collect(loop, EXPONENTIALS)) / rates.special,
        sum(map(bytes_of, results)),
        sum(map(bytes_of, [*results, *computed])),
        min(int(result.type.shape[1]) for result in results),
    )


def is_computed_in(loop: ir.Operation, value: ir.Value) -> bool:
    """Whether an iteration computes a value, in registers; not what it loads."""
    return not is_above(value, loop) and loaded_as(value) is None


def is_tensor(value: ir.Value) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value.type, ir.RankedTensorType)
