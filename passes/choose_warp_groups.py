"""Choose loops on Hopper that warp groups divide among themselves: two compute, one loads.

    scf.for ... {                                   scf.for ... {
      %k = tt.descriptor_load ...                     ...
      %s = tt.dot %q, %k, %zero                     } {tt.warp_specialize}
      %p = softmax(%s)                        =>
      %v = tt.descriptor_load ...                   module attributes {ttkit.group-warps = 4}
      %o = tt.dot %p, %v, %acc
    }

If all warps run such a loop, the tensor cores are idle while threads compute the softmax.  Groups that take turns keep
them busy, if the tensor cores are the unit that takes longest.  Where exponentials take as long, several programs at
once do as well, and a divided program leaves no room for a second one.  So the pass compares the cycles that both units
need for an iteration (`python/ttkit/tuning.py`).

A kernel of 8 warps has the same number of warps that compute; one of 4 has twice as many, as with
`tl.range(warp_specialize=True)`.  Where threads copy, by cp.async, those of 8 warps gain only if each iteration
computes addresses by products of 64 bits, which the group that loads takes over.

Input:  tt.      Output: tt; loops to divide have the attribute, and the module the number of warps of a group.
Order:  before convert-triton-to-tritongpu, which gives tensors the layouts of a group.
Skips:  functions with other loops or dot operations; loops without exactly two dot operations, of which the second's
        left operand depends on the first; loops that load other tiles than right operands, or in small pieces; kernels
        that ask for warp specialization; what nvgpu-warp-specialization can't divide; buffers that do not fit.
Test:   test/lit/passes/choose_warp_groups.mlir
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.vector_width import alignment, mask_alignment
from ttkit.inspection import collect, defining, element_bits
from ttkit.layout.hardware import GROUP_WARPS, WGMMA_ROWS
from ttkit.module_attributes import WARPS_OF_GROUPS
from ttkit.operation_sets import BLOCK_LOADS, DESCRIPTOR_STORES, EXPONENTIALS, LOADS
from ttkit.passes.infra import Pass, option, remark
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.loop_attributes import WARP_SPECIALIZE_LOOP, num_stages
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layouts.load_buffers import has_other_values
from ttkit.target import EXPONENTIALS_PER_CYCLE, TENSOR_BITS_PER_CYCLE, Target
from ttkit.tuning import DIVIDED_COLUMNS, DIVIDED_REGISTERS, TENSOR_SHARE

GROUPS = 2
BARRIER_BYTES = 1 << 10
"""Bytes for the mbarriers of all buffers, more than they take."""
COPIED_BYTES = 16
"""Bytes of a copy by cp.async, at least: the group that loads has half as many threads as those that compute."""


@dataclass(frozen=True)
class ChooseWarpGroups(Pass):
    """Divide loops of attention among two warp groups that compute and one that loads"""

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
        loops = attention_loops(function)
        costs = [cost_of(loop) for loop in loops]
        if not loops or not all(cost.is_bound_by_tensor_cores and cost.fits_registers for cost in costs):
            return
        by_threads = [load for loop in loops for load in loads_in(loop) if load.name == "tt.load"]
        # One group would copy what two do now, which pays if it takes over much arithmetic.
        if self.num_warps > GROUP_WARPS and not all(map(computes_wide_addresses, by_threads)):
            return
        bytes_needed = shared_bytes(function, loops, self.num_stages)
        if bytes_needed > Target(self.capability).shared_bytes or not is_divisible(function):
            return
        for loop, cost in zip(loops, costs):
            loop.attributes[WARP_SPECIALIZE_LOOP] = ir.BoolAttr.get(True, op.context)
            remark(loop, f"divided among two warp groups that compute and one that loads: {cost}")
        op.attributes[WARPS_OF_GROUPS] = i32_attribute(GROUP_WARPS)


class Cost(NamedTuple):
    """The cycles of an iteration in each unit of a multiprocessor, and the registers of a group.

    tensor, exponential: cycles.
    registers: of a thread, for the results of both dot operations and the left operand of the second.
    """

    tensor: float
    exponential: float
    registers: int

    @property
    def is_bound_by_tensor_cores(self) -> bool:
        """Whether groups that take turns gain by keeping the tensor cores busy."""
        return self.exponential > 0 and self.tensor >= TENSOR_SHARE * self.exponential

    @property
    def fits_registers(self) -> bool:
        """Whether the threads of a group have registers enough."""
        return self.registers <= DIVIDED_REGISTERS

    def __str__(self) -> str:
        return f"an iteration takes {self.tensor:.0f} cycles of tensor cores, {self.exponential:.0f} for exponentials"


# --- Finding loops ----------------------------------------------------------------------------------------------------
def attention_loops(function: ir.Operation) -> list[ir.Operation]:
    """The loops of a function that have its dot operations, if each is one of attention; else none."""
    dots, loops = collect(function, ["tt.dot"]), collect(function, ["scf.for"])
    found = [loop for loop in loops if pair_of(loop) is not None]
    outermost = all(loop.parent.operation == function for loop in loops)
    asked = any(WARP_SPECIALIZE_LOOP in loop.attributes for loop in loops)
    return found if len(found) == len(loops) and len(dots) == 2 * len(loops) and outermost and not asked else []


def pair_of(loop: ir.Operation) -> tuple[ir.Operation, ir.Operation] | None:
    """The two dot operations of a loop, of which the second one's left operand depends on the first one."""
    body = body_of(loop)
    dots = [dot for dot in collect(loop, ["tt.dot"]) if dot.block == body]
    if len(dots) != 2 or any(not is_a_wgmma_each(dot) for dot in dots):
        return None
    first, second = dots
    left = defining(second.opview.a)
    if left is None or first not in [left.operation, *backward_slice(left.operation, lambda op: op.block == body)]:
        return None
    return (first, second) if loads_apart(dots, loop) else None


def is_a_wgmma_each(dot: ir.Operation) -> bool:
    """Whether each group gets the rows of one wgmma, with columns enough to be worth an iteration of its own."""
    rows, *columns = dot.result.type.shape
    return rows == GROUPS * WGMMA_ROWS and len(columns) == 1 and columns[0] >= DIVIDED_COLUMNS


def loads_apart(dots: list[ir.Operation], loop: ir.Operation) -> bool:
    """Whether the right operands of dot operations are all that a loop loads, and another group can load them.

    It loads through descriptors, or by cp.async, 16 bytes at once.  What is loaded through pointers before the loop,
    the groups that compute load themselves.
    """
    sources = [source for dot in dots if (source := loaded_as(dot.opview.b)) is not None]
    others = [op for op in collect(loop, LOADS) if op not in sources]
    if len(sources) < len(dots) or others:
        return False
    analysis = AxisInfoAnalysis()
    return all(load.name != "tt.load" or copied_bytes(load, analysis) >= COPIED_BYTES for load in sources)


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


def computes_wide_addresses(load: ir.Operation) -> bool:
    """Whether each iteration computes the addresses of a load by products of 64 bits, as those of block pointers."""
    made = defining(load.opview.ptr)
    if made is None:
        return False
    ops = [made.operation, *backward_slice(made.operation, lambda op: op.block == load.block)]
    products = [op.result for op in ops if op.name == "arith.muli" and is_tensor(op.result)]
    return any(element_bits(product.type.element_type) == 64 for product in products)


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
def cost_of(loop: ir.Operation) -> Cost:
    """The cost of an iteration of a loop with two dot operations."""
    dots = collect(loop, ["tt.dot"])
    tensor = sum(
        multiply_adds(dot) / (TENSOR_BITS_PER_CYCLE / element_bits(dot.opview.a.type.element_type)) for dot in dots
    )
    exponentials = sum(math.prod(op.result.type.shape) for op in collect(loop, EXPONENTIALS) if is_tensor(op.result))
    held = [dots[0].result, dots[1].result, dots[1].opview.a]
    threads = 32 * GROUP_WARPS * GROUPS
    registers = 8 * sum(map(bytes_of, held)) // 32 // threads
    return Cost(tensor, exponentials / EXPONENTIALS_PER_CYCLE, registers)


def multiply_adds(dot: ir.Operation) -> int:
    """The products that a dot operation adds up."""
    return math.prod(dot.result.type.shape) * int(dot.opview.a.type.shape[-1])


def is_tensor(value: ir.Value) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value.type, ir.RankedTensorType)


def shared_bytes(function: ir.Operation, loops: Iterable[ir.Operation], stages: int) -> int:
    """An upper bound of the shared memory of a divided kernel, in bytes.

    Loops with the same tiles share buffers (`partitioning/buffer_owners.py`).  What is stored passes through memory of
    its own, or through that of a tile that is loaded once (`partitioning/staged_stores.py`).
    """
    rings = {(*map(tile_bytes, loads_in(loop)), num_stages(loop, stages)) for loop in loops}
    inside = sum(sum(tiles) * slots for *tiles, slots in rings)
    once = [load.result for load in loads_in(function) if load.parent.operation == function]
    return inside + sum(map(bytes_of, once)) + staging_bytes(function, [str(one.type) for one in once]) + BARRIER_BYTES


def staging_bytes(function: ir.Operation, free: list[str]) -> int:
    """Bytes that stores pass through, without those that find the memory of a tile that is read no more.

    free: the types of such tiles.
    """
    total = 0
    for store in collect(function, [*DESCRIPTOR_STORES, "tt.store"]):
        value = store.opview.value if store.name == "tt.store" else store.opview.src
        if store.name == "tt.descriptor_store" and str(value.type) in free:
            free.remove(str(value.type))
        else:
            total += bytes_of(value)
    return total


def loads_in(root: ir.Operation) -> list[ir.Operation]:
    """The loads of tiles, of which buffers hold the data."""
    return [load for load in collect(root, BLOCK_LOADS) if is_tensor(load.result) and load.result.type.rank > 1]


def tile_bytes(load: ir.Operation) -> int:
    """Bytes of the tile that a load loads."""
    return bytes_of(load.result)


def bytes_of(value: ir.Value) -> int:
    """Bytes of a tensor; 0 of other values."""
    type: Any = value.type
    return math.prod(type.shape) * element_bits(type.element_type) // 8 if is_tensor(value) else 0
