"""Divide wgmmas whose results are scaled before they are added, if result and sums do not fit into registers.

    %d = ttng.warp_group_dot %a, %b, %zero {isAsync = true}      // 128x128, 128 registers a thread
    %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0}
    %s = arith.mulf %w#0, %scales
    %r = arith.addf %sums, %s                                    // 128 registers more
  =>
    %d0 = ttng.warp_group_dot %a[0:64], %b, %zero {isAsync = true}
    %w0:3 = ttng.warp_group_dot_wait %d0, %a, %b {pendings = 0}
    %s0 = arith.mulf %w0#0, %scales[0:64]
    %r0 = arith.addf %sums[0:64], %s0
    %f0 = ttng.warp_group_dot_wait %r0 {pendings = 0}            // %r0 is computed before the second wgmma starts
    %d1 = ttng.warp_group_dot %a[64:128], %b, %w0#0, %false {isAsync = true, ttkit.takes_registers}
    ...                                                          // in the registers of %w0, whose values it drops
    %r = the rows of %f0 and of %r1

A thread has 255 registers: without the pass, ptxas would spill a part of the sums to local memory, which each iteration
reads and writes.  The pass divides the rows, or the columns if one instruction computes all rows of a warp.  It divides
tensors within threads, so that no data moves.  On an H200 a dot of 4096 in fp8 with scales of 1x128 and 128x128, in
tiles of 128x128 by four warps, is 2.9 times as fast.

Input:  ttg.      Output: ttg; slices and joins of tensors within threads.
Order:  late, after loops are pipelined: other passes that look for wgmmas do not know the halves.
Skips:  wgmmas that fit, with A in registers, or with other than elementwise users; tcgen05.mma, which the lowering
        divides (passes/lower/tensor_memory_parts.py).
Test:   test/lit/passes/divide_large_products.mlir
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.dot_attributes import TAKES_REGISTERS
from ttkit.dialects import arith, tt, ttg, ttng
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, defining, memory_effects, next_operation, users_of
from ttkit.layout import inference
from ttkit.layout.encodings import NvidiaMma, NvmmaShared
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import WGMMA, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.elementwise_chain import elementwise_users, fits, other_operands

INSTRUCTION_ROWS = 16  # of a warp


class DivideLargeProducts(Pass):
    """Divide wgmmas whose results are scaled before they are added, if result and sums do not fit into registers"""

    name = "ttkit-divide-large-products"
    dependent_dialects = ("arith", "tt", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Divides each wgmma that does not fit together with its users' operands, if these can move before it."""
        for wgmma in collect(op, [WGMMA]):
            chain = users_in_a_chain(wgmma)
            if not chain or fits(chain):
                continue
            with wgmma.location:
                cut = cut_of(wgmma.opview)
            if cut is not None and moves_ahead(wgmma, chain):
                divide(wgmma.opview, chain, cut)


class Cut(NamedTuple):
    """A division of a tensor into halves.

    dim: the divided dimension.  half: the type of each half.
    """

    dim: int
    half: ir.RankedTensorType

    def parts(self, value: ir.Value) -> list[ir.Value]:
        """The halves of a tensor."""
        shape = list(self.half.shape)
        shape.insert(self.dim, 2)
        order = [dim for dim in range(3) if dim != self.dim]
        parts = tt.split(tt.trans(reshaped(value, shape), [*order, self.dim]))
        return [ttg.convert_layout(part, self.half) for part in parts]

    def whole(self, first: ir.Value, second: ir.Value, type: ir.RankedTensorType) -> ir.Value:
        """The tensor of type `type` with these halves."""
        shape = tuple(self.half.shape)
        layout = attribute(inference.join(tensor_layout(self.half), shape))
        both = tt.join(first, second, ir.RankedTensorType.get([*shape, 2], type.element_type, layout))
        order = [0, 1]
        order.insert(self.dim, 2)
        return ttg.convert_layout(reshaped(tt.trans(both, order), type.shape), type)

    def operand(self, buffer: ir.Value, number: int, dim: int) -> ir.Value:
        """The part of an operand for half `number`; `dim` is the dimension of the result that the operand has."""
        if dim != self.dim:
            return buffer
        shape, offsets = list(buffer.type.shape), [0, 0]
        shape[dim] //= 2
        offsets[dim] = number * shape[dim]
        return ttg.memdesc_subslice(buffer, offsets, shape)


def users_in_a_chain(wgmma: ir.Operation) -> list[ir.Operation]:
    """The wait for a wgmma with a zero accumulator, and the elementwise operations on its result, in order.

    Empty if there are none, or if another wgmma may run at the same time.
    """
    wait, dot = next_operation(wgmma), wgmma.opview
    if wait is None or wait.name != WGMMA_WAIT or wait.opview.pendings != 0 or not dot.isAsync or dot.useC is not None:
        return []
    if users_of(dot.result) != [wait] or wait.opview.inputs[0] != dot.result or constant_splat(dot.c) != 0:
        return []
    if not all(isinstance(value.type, MemDescType) for value in [dot.a, *list(wait.operands)[1:]]):
        return []
    combining = elementwise_users(wait.opview.outputs[0])
    return [wait, *combining] if combining else []


def cut_of(wgmma: ir.OpView) -> Cut | None:
    """The division of a wgmma in which each half has its own registers; None if there is none."""
    type = wgmma.result.type
    layout = layout_of(type)
    if not isinstance(layout, NvidiaMma) or type.rank != 2 or layout.warps_per_cta[0] % GROUP_WARPS:
        return None
    (rows, columns), (warps, warps_along_columns) = type.shape, layout.warps_per_cta
    width = layout.instr_shape[1]
    if rows >= 2 * INSTRUCTION_ROWS * warps and cuts_between_tiles(wgmma.a.type, 0):
        return Cut(0, ir.RankedTensorType.get([rows // 2, columns], type.element_type, type.encoding))
    if warps_along_columns > 1 or width % 16 or not cuts_between_tiles(wgmma.b.type, 1):
        return None
    if columns == width:
        layout = replace(layout, instr_shape=(layout.instr_shape[0], width // 2, *layout.instr_shape[2:]))
    return Cut(1, ir.RankedTensorType.get([rows, columns // 2], type.element_type, attribute(layout)))


def cuts_between_tiles(buffer: MemDescType, dim: int) -> bool:
    """Whether a buffer, and its halves along a dimension, consist of whole tiles of its swizzling."""
    layout = layout_of(buffer)
    if not isinstance(layout, NvmmaShared) or layout.cga_layout:
        return False
    contiguous = 0 if layout.transposed else 1
    tile = [8, 8]
    tile[contiguous] = 8 * layout.swizzling_byte_width // layout.element_bit_width
    is_whole = all(size and extent % size == 0 for extent, size in zip(buffer.shape, tile))
    return is_whole and buffer.shape[dim] // 2 % tile[dim] == 0


def moves_ahead(wgmma: ir.Operation, chain: Sequence[ir.Operation]) -> bool:
    """Moves the other operands of the chain before the wgmma; returns whether that was possible."""
    needed: list[ir.Operation] = []
    values = other_operands(chain)
    while values:
        source = defining(values.pop())
        if source is None or source.operation in needed or source.operation.block != wgmma.block:
            continue
        if source.operation.is_before_in_block(wgmma):
            continue
        if source.operation in chain or memory_effects(source.operation) != [] or source.operation.regions:
            return False
        needed.append(source.operation)
        values += source.operands
    following = next_operation(wgmma)
    while following is not None:
        op, following = following, next_operation(following)
        if op in needed:
            op.move_before(wgmma)
    return True


def divide(wgmma: ir.OpView, chain: Sequence[ir.Operation], cut: Cut) -> None:
    """Computes one half after the other; the second wgmma uses the registers of the first."""
    wait, *combining = chain
    accumulator = wait.opview.outputs[0]
    buffers = list(wait.operands)[1:]
    with ir.InsertionPoint(wgmma.operation), wgmma.location:
        others = [(value, cut.parts(value)) for value in other_operands(chain)]
        first = part_of(wgmma, buffers, cut, 0, None)
        values = {accumulator: first[0]} | {value: parts[0] for value, parts in others}
        upper = ttng.warp_group_dot_wait([repeated(combining, values, cut.half)], 0)[0]
        second = part_of(wgmma, buffers, cut, 1, first[0])
        values = {accumulator: second[0]} | {value: parts[1] for value, parts in others}
        lower = repeated(combining, values, cut.half)
        whole = cut.whole(upper, lower, wgmma.result.type)
    combining[-1].result.replace_all_uses_with(whole)
    for old, new in zip(list(wait.results)[1:], list(second)[1:], strict=True):
        old.replace_all_uses_with(new)
    for op in [*reversed(chain), wgmma.operation]:
        op.erase()


def part_of(
    wgmma: ir.OpView, buffers: Sequence[ir.Value], cut: Cut, number: int, before: ir.Value | None
) -> Sequence[ir.Value]:
    """The results of the wait for half `number` of a wgmma.

    before: the value whose registers it reuses; None if it has its own.
    """
    use_c = None if before is None else arith.constant(ir.IntegerType.get_signless(1), 0)
    part = ttng.warp_group_dot(
        cut.operand(wgmma.a, number, 0),
        cut.operand(wgmma.b, number, 1),
        arith.constant(cut.half, 0) if before is None else before,
        use_c=use_c,
        input_precision=wgmma.inputPrecision,
        max_num_imprecise_acc=wgmma.maxNumImpreciseAcc,
        is_async=True,
    )
    if before is not None:
        part.owner.attributes[TAKES_REGISTERS] = ir.UnitAttr.get()
    results: Sequence[ir.Value] = ttng.warp_group_dot_wait([part, *buffers], 0)
    return results


def repeated(ops: Sequence[ir.Operation], known: dict[ir.Value, ir.Value], type: ir.Type) -> ir.Value:
    """The result of elementwise operations on other values, of type `type`.

    known: value that they use -> its replacement; their results are added.
    """
    for op in ops:
        operands = [known[operand] for operand in op.operands]
        made = ir.Operation.create(op.name, [type], operands, dict(op.attributes), loc=op.location)
        known[op.result] = made.result
    return known[ops[-1].result]


def reshaped(value: ir.Value, shape: Sequence[int]) -> ir.Value:
    """The same elements in another shape, in the same registers."""
    layout = inference.reshape(tensor_layout(value.type), tuple(value.type.shape), tuple(shape))
    return tt.reshape(value, ir.RankedTensorType.get(list(shape), value.type.element_type, attribute(layout)))
