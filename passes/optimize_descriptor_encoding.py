"""Choose the layouts in shared memory of the blocks of tensor descriptors.

    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
  =>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    // #shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

A descriptor is made for one layout, so all descriptors that loops, branches and calls connect get the same.  It is the
layout in which users keep the loaded block in shared memory, if there is only one; else the widest swizzle that a row
fills.  If loads and stores divide the block among CTAs differently, or into rows too short for TMA, each CTA has the
whole block.

Differs from Triton:

- Descriptors are followed through calls and arith.select too, where Triton's IR becomes invalid.
- Layouts of undivided blocks have all CTAs of the cluster; Triton's have one.
- Triton divides rows of 16 bytes too.

Input:  ttg.      Output: ttg.
Order:  after the passes that put operands of dots into shared memory; before tma-lowering.
Skips:  descriptors whose block already has a layout, and those that copies by TMA use.
Test:   test/lit/passes/optimize_descriptor_encoding.mlir
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mlir import ir

from ttkit.analysis.call_graph import calls_of
from ttkit.analysis.control_flow import incoming_values
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._tt_types import TensorDescType
from ttkit.inspection import terminator
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.encodings import Bases, NvmmaShared
from ttkit.operation_sets import CHOSEN_ROWS, DESCRIPTOR_LOADS, DESCRIPTOR_STORES
from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.nesting import arguments_in
from ttkit.passes.infra.retyping import operation_names, value_types
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.shared import nvmma_for, of_rank
from ttkit.passes.layouts.thread_counts import num_ctas

# TMA moves at least so much of a row; of chosen rows it moves four at a time, to a multiple of 128 bytes.
TMA_BYTES, CHOSEN_ROW_BYTES = 16, 32


class DescriptorEncoding(Pass):
    """Choose the layouts in shared memory of the blocks of tensor descriptors"""

    name = "triton-nvidia-optimize-descriptor-encoding"

    def run(self, op: ir.Operation) -> None:
        """Gives each group of joined descriptors a layout, then updates the types of functions."""
        if any(isinstance(type, TensorDescType) for type in value_types(op)):
            for group in joined_descriptors(op):
                if not settled(group):
                    assign(group, num_ctas(op))
            for function in collect(op, ["tt.func"]):
                update_signature(function)


class Wish(NamedTuple):
    """Layout and block shape that one use of a descriptor prefers.

    wanted: the layout of the loaded block in shared memory; None if it is not known.
    cga: how the CTAs of a cluster divide the block.
    shape: elements loaded or stored, in as many dimensions as the block has.
    least_bytes: of a row, for each CTA.
    """

    wanted: NvmmaShared | None
    cga: Bases
    shape: tuple[int, ...]
    least_bytes: int


def settled(group: Sequence[ir.Value]) -> bool:
    """Whether descriptors have a layout that something other than a load or store of this pass relies on."""
    if any(value.type.block_type.encoding is None for value in group):
        return False
    return any(use.owner.operation.name.startswith("ttng.") for value in group for use in value.uses)


# --- Which descriptors are one ----------------------------------------------------------------------------------------
def joined_descriptors(module: ir.Operation) -> list[list[ir.Value]]:
    """The descriptors, in groups that must have the same layout."""
    values = list(descriptors(module))
    leader = {value: value for value in values}

    def find(value: ir.Value) -> ir.Value:
        """The representative of a group; shortens paths to it."""
        while leader[value] != value:
            leader[value] = leader[leader[value]]
            value = leader[value]
        return value

    for a, b in joints(module, values):
        if a in leader and b in leader:
            leader[find(a)] = find(b)
    groups: dict[ir.Value, list[ir.Value]] = {}
    for value in values:
        groups.setdefault(find(value), []).append(value)
    return list(groups.values())


def descriptors(module: ir.Operation) -> Iterator[ir.Value]:
    """Results and block arguments that are descriptors."""
    for op in collect(module, operation_names(module)):
        for value in (*op.results, *arguments_in(op)):
            if isinstance(value.type, TensorDescType):
                yield value


def joints(module: ir.Operation, values: Sequence[ir.Value]) -> Iterator[tuple[ir.Value, ir.Value]]:
    """Pairs of values that may be the same descriptor."""
    for value in values:
        for source in incoming_values(value) or ():
            yield value, source
    for op in collect(module, ["arith.select"]):
        for operand in (op.opview.true_value, op.opview.false_value):
            yield op.result, operand
    functions = {op.attributes["sym_name"].value: op for op in collect(module, ["tt.func"])}
    if any(calls_of(module).values()):
        for call in collect(module, ["tt.call"]):
            callee = functions[call.attributes["callee"].value]
            yield from zip(call.operands, callee.regions[0].blocks[0].arguments)
            for block in callee.regions[0].blocks:
                if terminator(block).operation.name == "tt.return":
                    yield from zip(call.results, terminator(block).operands)


# --- Which layout -----------------------------------------------------------------------------------------------------
def assign(group: Sequence[ir.Value], ctas: int) -> None:
    """Gives all descriptors of a group the layout that is chosen for them."""
    block = group[0].type.block_type
    wishes = [wish for value in group for use in value.uses if (wish := wish_of(use.owner.operation, block.rank))]
    encoding = attribute(chosen(block, wishes, ctas), block.context)
    with ir.Location.unknown(block.context):
        described = ir.RankedTensorType.get(block.shape, block.element_type, encoding)
        type = TensorDescType.get(described, group[0].type.is_im2col)
    for value in group:
        value.set_type(type)


def wish_of(op: ir.Operation, rank: int) -> Wish | None:
    """Preference of a load or store for a descriptor whose block has `rank` dimensions; None for another operation."""
    if op.name in DESCRIPTOR_LOADS:
        tensor, wanted = op.result, memory_of(op)
    elif op.name in DESCRIPTOR_STORES:
        tensor, wanted = op.opview.src, None
    else:
        return None
    layout = wanted or tensor_layout(tensor.type)
    missing = (0,) * (rank - tensor.type.rank)
    cga = tuple((*missing, *basis) for basis in cga_layout(layout))
    shape = (*(1 for _ in missing), *tensor.type.shape)
    least_bytes = CHOSEN_ROW_BYTES if op.name in CHOSEN_ROWS else TMA_BYTES
    return Wish(wanted and of_rank(wanted, rank), cga, shape, least_bytes)


def memory_of(load: ir.Operation) -> NvmmaShared | None:
    """The first layout in shared memory that TMA can write and that a user of a load asks for."""
    for use in load.result.uses:
        user = use.owner.operation
        if user.name in ("ttg.local_alloc", "ttg.local_store"):
            layout = layout_of(user.result if user.name == "ttg.local_alloc" else user.opview.dst)
            if isinstance(layout, NvmmaShared) and not layout.transposed:
                return layout
    return None


def chosen(block: ir.RankedTensorType, wishes: Sequence[Wish], ctas: int) -> NvmmaShared:
    """The layout in shared memory that suits all wishes, else one by shape and element alone, whole in each CTA."""
    whole = ((0,) * block.rank,) * (ctas.bit_length() - 1)
    wanted = {wish.wanted for wish in wishes if wish.wanted is not None}
    ways = {wish.cga if wish.wanted or row_bytes(block, wish.cga) >= wish.least_bytes else whole for wish in wishes}
    if len(wanted) == 1 and len(ways) == 1:
        return replace(wanted.pop(), cga_layout=ways.pop())
    bits = block.element_type.width
    if len(wanted) > 1 or len(ways) > 1:  # no layout suits all
        return nvmma_for(block.shape, bits, whole)
    # The block of a gather is one row; the shape has all gathered rows.
    shape = [min(sizes) for sizes in zip(*(wish.shape for wish in wishes))] if wishes else block.shape
    return nvmma_for(shape, bits, ways.pop() if ways else whole)


def row_bytes(block: ir.RankedTensorType, cga: Bases) -> int:
    """Bytes of a row of the block in one CTA."""
    elements: int = block.shape[-1] // cta_splits(cga, block.rank)[-1]
    return elements * block.element_type.width // 8


def update_signature(function: ir.Operation) -> None:
    """Gives the function's type the types that its arguments and results have now."""
    blocks = list(function.regions[0].blocks)
    if not blocks:
        return
    signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    returned = [terminator(block) for block in blocks if terminator(block).operation.name == "tt.return"]
    results = [value.type for value in returned[0].operands] if returned else signature.results
    new = ir.FunctionType.get([argument.type for argument in blocks[0].arguments], results, function.context)
    if new != signature:
        function.attributes["function_type"] = ir.TypeAttr.get(new)
