"""Divide products that are scaled before they are added up, where product and sums don't fit into registers together.

    %d = ttng.warp_group_dot %a, %b, %zero {isAsync = true}      // 128x128, 128 registers a thread
    %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0}
    %s = arith.mulf %w#0, %scales
    %r = arith.addf %sums, %s                                    // 128 registers more
  =>
    %d0 = ttng.warp_group_dot %a[0:64], %b, %zero {isAsync = true}
    %w0:3 = ttng.warp_group_dot_wait %d0, %a, %b {pendings = 0}
    %s0 = arith.mulf %w0#0, %scales[0:64]
    %r0 = arith.addf %sums[0:64], %s0
    %f0 = ttng.warp_group_dot_wait %r0 {pendings = 0}            // %r0 is computed before the second product starts
    %d1 = ttng.warp_group_dot %a[64:128], %b, %w0#0, %false {isAsync = true, ttkit.takes_registers}
    ...                                                          // in the registers of %w0, whose values it drops
    %r = the rows of %f0 and of %r1

A thread has 255 registers: ptxas would keep a part of the sums in local memory, which each iteration reads and writes.
Rows are divided, or columns where one instruction computes all rows of a warp; what is divided are registers, so that
nothing moves.  On an H200 a product of 4096 in fp8 with scales of 1x128 and 128x128, in tiles of 128x128 by four
warps, takes 0.34 of the time.

    %x = ttng.tmem_load %d                                       // sm_100: the product is in tensor memory
    %s = arith.mulf %x, %scales
    %r = arith.addf %sums, %s
  =>
    %x0 = ttng.tmem_load (ttng.tmem_subslice %d {N = 0})
    %s0 = arith.mulf %x0, %scales[:, 0:64]
    %r0 = arith.addf %sums[:, 0:64], %s0
    %f0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" %r0        // %r0 is computed before the second load
    ...                                                          // the other half
    %r = the columns of %f0 and of %r1

There ptxas spilled 564 bytes of the same product, and none of the halves (ptxas 13.0).

Input:  ttg.      Output: ttg; slices and joins of tensors within threads.
Order:  late, when loops are pipelined: nothing that looks for products has to know their parts.
Skips:  products that fit, whose left operand is in registers, or whose result is used in another way than elementwise;
        in tensor memory those of other than 128 rows, and halves of which a thread does not have an equal part.
Test:   test/lit/passes/divide_large_products.mlir
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir import ir

from ttkit.analysis.product_operands import TAKES_REGISTERS
from ttkit.dialects import arith, tt, ttg, ttng
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import collect, defining, element_bits, memory_effects, name_of, next_operation, users_of
from ttkit.layout import inference, to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import NvidiaMma, NvmmaShared, TensorMemory
from ttkit.passes.infra import Pass
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.layout_inference import has_trait
from ttkit.passes.layouts.assignment import elements_per_thread, tensor_layout
from ttkit.passes.layouts.machine import num_warps
from ttkit.passes.layouts.tensor_memory import access_layout
from ttkit.passes.pipelining.wgmma_waits import DOT, WAIT
from ttkit.passes.products.instruction import GROUP_WARPS

REGISTERS = 255  # of a thread
REGISTER_BITS = 32
INSTRUCTION_ROWS = 16  # of each warp
LOAD, TENSOR_ROWS = "ttng.tmem_load", 128
STAY = "mov.b32 $0, $1;"
"""What has effects stays in its order, and what it takes is computed before."""


class DivideLargeProducts(Pass):
    """Divide products that are scaled before they are added up and don't fit into registers beside the sums"""

    name = "ttkit-divide-large-products"
    dependent_dialects = ("arith", "tt", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Cuts each product whose result, with what it is combined with, does not fit, if that can move ahead."""
        for product in collect(op, [DOT]):
            chain = users_in_a_chain(product)
            if not chain or fits(chain):
                continue
            with product.location:
                cut = cut_of(product.opview)
            if cut is not None and moves_ahead(product, chain):
                divide(product.opview, chain, cut)
        for load in collect(op, [LOAD]):
            chain = [load, *elementwise_users(load.results[0])]
            if len(chain) == 1 or fits(chain):
                continue
            with load.location:
                cut = cut_of_load(load.opview)
            if cut is not None and moves_ahead(load, chain):
                divide_load(load.opview, chain, cut)


@dataclass(frozen=True)
class Cut:
    """A cut of a tensor into halves.

    dim: the dimension.  half: the type of each half.
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
        """The tensor, of this type, with these halves."""
        shape = tuple(self.half.shape)
        layout = attribute(inference.join(tensor_layout(self.half), shape))
        both = tt.join(first, second, ir.RankedTensorType.get([*shape, 2], type.element_type, layout))
        order = [0, 1]
        order.insert(self.dim, 2)
        return ttg.convert_layout(reshaped(tt.trans(both, order), type.shape), type)

    def operand(self, buffer: ir.Value, number: int, dim: int) -> ir.Value:
        """The part of an operand that half `number` is computed from; `dim` is that of the result which it has."""
        if dim != self.dim:
            return buffer
        shape, offsets = list(buffer.type.shape), [0, 0]
        shape[dim] //= 2
        offsets[dim] = number * shape[dim]
        return ttg.memdesc_subslice(buffer, offsets, shape)


def users_in_a_chain(product: ir.Operation) -> list[ir.Operation]:
    """The wait for a product that starts at zero, and the elementwise operations from there on, one after the other.

    Empty if there are no such, or something else may run beside the product.
    """
    wait, dot = next_operation(product), product.opview
    if wait is None or wait.name != WAIT or wait.opview.pendings != 0 or not dot.isAsync or dot.useC is not None:
        return []
    if users_of(dot.result) != [wait] or wait.operands[0] != dot.result or constant_splat(dot.c) != 0:
        return []
    if not all(isinstance(value.type, MemDescType) for value in [dot.a, *list(wait.operands)[1:]]):
        return []
    combining = elementwise_users(wait.results[0])
    return [wait, *combining] if combining else []


def elementwise_users(value: ir.Value) -> list[ir.Operation]:
    """The elementwise operations that are the only users of a value, and each of the one before, in its block."""
    found: list[ir.Operation] = []
    block = value.owner.operation.block
    while len(users := users_of(value)) == 1 and users[0].block == block and is_elementwise(users[0], value.type):
        found.append(users[0])
        value = users[0].results[0]
    return found


def is_elementwise(op: ir.Operation, type: ir.Type) -> bool:
    """Whether an operation computes each element of its only result, of this type, from operands of this type."""
    if any(value.type != type for value in (*op.operands, *op.results)) or len(op.results) != 1:
        return False
    return has_trait(op.opview, b"Elementwise") and memory_effects(op) == []


def fits(chain: Sequence[ir.Operation]) -> bool:
    """Whether a thread has registers for the product and, beside it, what it is combined with."""
    type = chain[0].results[0].type
    size = elements_per_thread(type) * element_bits(type.element_type) // REGISTER_BITS
    return size * (1 + sum(not repeats(value) for value in other_operands(chain))) <= REGISTERS


def other_operands(chain: Sequence[ir.Operation]) -> list[ir.Value]:
    """The values that a product is combined with, each once."""
    results = [op.results[0] for op in chain]
    found: list[ir.Value] = []
    for op in chain[1:]:
        found += [operand for operand in op.operands if operand not in results and operand not in found]
    return found


def repeats(value: ir.Value) -> bool:
    """Whether few registers hold all elements of a tensor."""
    source = defining(value)
    return constant_splat(value) is not None or (source is not None and name_of(source) in ("tt.splat", "tt.broadcast"))


def cut_of(product: ir.OpView) -> Cut | None:
    """The cut of a product by which each half has registers of its own; None if there is none."""
    type = product.result.type
    layout = layout_of(type)
    if not isinstance(layout, NvidiaMma) or type.rank != 2 or layout.warps_per_cta[0] % GROUP_WARPS:
        return None
    (rows, columns), (warps, warps_along_columns) = type.shape, layout.warps_per_cta
    width = layout.instr_shape[1]
    if rows >= 2 * INSTRUCTION_ROWS * warps and cuts_between_tiles(product.a.type, 0):
        return Cut(0, ir.RankedTensorType.get([rows // 2, columns], type.element_type, type.encoding))
    if warps_along_columns > 1 or width % 16 or not cuts_between_tiles(product.b.type, 1):
        return None
    if columns == width:
        layout = replace(layout, instr_shape=(layout.instr_shape[0], width // 2, *layout.instr_shape[2:]))
    return Cut(1, ir.RankedTensorType.get([rows, columns // 2], type.element_type, attribute(layout)))


def cut_of_load(load: ir.OpView) -> Cut | None:
    """The cut of what is loaded into left and right columns, of which each thread has half of its registers; None if
    there is none.
    """
    type, memory = load.result.type, layout_of(load.src)
    if len(load.operation.operands) > 1 or element_bits(type.element_type) != REGISTER_BITS:
        return None  # ordered by a token, or packed
    if type.rank != 2 or not isinstance(memory, TensorMemory) or [type.shape[0], memory.block_m] != [TENSOR_ROWS] * 2:
        return None
    half, layout = half_of(load.src), tensor_layout(type)
    half_layout = access_layout(half, num_warps(load.operation), cga_layout(layout))
    whole, part = (to_linear_layout(of.shape, its) for of, its in ((type, layout), (half, half_layout)))
    last = TENSOR_ROWS * half.shape[1]
    if [*whole.columns_of("register")] != [*part.columns_of("register"), last]:
        return None
    if any(whole.columns_of(dim) != part.columns_of(dim) for dim in ("lane", "warp")) or whole.columns_of("block"):
        return None
    return Cut(1, ir.RankedTensorType.get(half.shape, type.element_type, attribute(half_layout)))


def half_of(buffer: ir.Value) -> MemDescType:
    """The type of a half of the columns of a buffer in tensor memory."""
    type, layout = buffer.type, layout_of(buffer)
    assert isinstance(layout, TensorMemory)
    shape = [type.shape[0], type.shape[1] // 2]
    layout = replace(layout, block_n=min(layout.block_n, shape[1]))
    return MemDescType.get(shape, type.element_type, layout, type.memory_space, type.mutable, type.alloc_shape)


def cuts_between_tiles(buffer: MemDescType, dim: int) -> bool:
    """Whether the halves of a buffer along a dimension are whole tiles of its swizzling, as all of it is."""
    layout = layout_of(buffer)
    if not isinstance(layout, NvmmaShared) or layout.cga_layout:
        return False
    contiguous = 0 if layout.transposed else 1
    tile = [8, 8]
    tile[contiguous] = 8 * layout.swizzling_byte_width // layout.element_bit_width
    is_whole = all(size and extent % size == 0 for extent, size in zip(buffer.shape, tile))
    return is_whole and buffer.shape[dim] // 2 % tile[dim] == 0


def moves_ahead(product: ir.Operation, chain: Sequence[ir.Operation]) -> bool:
    """Moves what the chain needs besides the product in front of it; whether that was possible."""
    needed: list[ir.Operation] = []
    values = other_operands(chain)
    while values:
        source = defining(values.pop())
        if source is None or source.operation in needed or source.operation.block != product.block:
            continue
        if source.operation.is_before_in_block(product):
            continue
        if source.operation in chain or memory_effects(source.operation) != [] or source.operation.regions:
            return False
        needed.append(source.operation)
        values += source.operands
    following = next_operation(product)
    while following is not None:
        op, following = following, next_operation(following)
        if op in needed:
            op.move_before(product)
    return True


def divide(product: ir.OpView, chain: Sequence[ir.Operation], cut: Cut) -> None:
    """Computes one half after the other, the second product in the registers of the first."""
    wait, *combining = chain
    buffers = list(wait.operands)[1:]
    with ir.InsertionPoint(product.operation), product.location:
        others = [(value, cut.parts(value)) for value in other_operands(chain)]
        first = part_of(product, buffers, cut, 0, None)
        values = {wait.results[0]: first[0]} | {value: parts[0] for value, parts in others}
        upper = ttng.warp_group_dot_wait([repeated(combining, values, cut.half)], 0)[0]
        second = part_of(product, buffers, cut, 1, first[0])
        values = {wait.results[0]: second[0]} | {value: parts[1] for value, parts in others}
        lower = repeated(combining, values, cut.half)
        whole = cut.whole(upper, lower, product.result.type)
    combining[-1].results[0].replace_all_uses_with(whole)
    for old, new in zip(list(wait.results)[1:], list(second)[1:], strict=True):
        old.replace_all_uses_with(new)
    for op in [*reversed(chain), product.operation]:
        op.erase()


def divide_load(load: ir.OpView, chain: Sequence[ir.Operation], cut: Cut) -> None:
    """Loads and combines one half after the other."""
    combining, type = chain[1:], half_of(load.src)
    with ir.InsertionPoint(load.operation), load.location:
        others = [(value, cut.parts(value)) for value in other_operands(chain)]
        halves = []
        for number in range(2):
            (loaded,) = ttng.tmem_load(cut.half, None, ttng.tmem_subslice(type, load.src, number * type.shape[1]))
            values = {load.result: loaded} | {value: parts[number] for value, parts in others}
            halves.append(repeated(combining, values, cut.half))
            if number == 0:
                halves = [tt.elementwise_inline_asm(STAY, "=r,r", halves, [cut.half], pure=False)]
        whole = cut.whole(halves[0], halves[1], load.result.type)
    combining[-1].results[0].replace_all_uses_with(whole)
    for op in reversed(chain):
        op.erase()


def part_of(
    product: ir.OpView, buffers: Sequence[ir.Value], cut: Cut, number: int, before: ir.Value | None
) -> Sequence[ir.Value]:
    """Half `number` of a product and the wait for it: its results.

    before: what is in the registers that it takes; None if it takes others.
    """
    use_c = None if before is None else arith.constant(ir.IntegerType.get_signless(1), 0)
    part = ttng.warp_group_dot(
        cut.operand(product.a, number, 0),
        cut.operand(product.b, number, 1),
        arith.constant(cut.half, 0) if before is None else before,
        use_c=use_c,
        input_precision=product.inputPrecision,
        max_num_imprecise_acc=product.maxNumImpreciseAcc,
        is_async=True,
    )
    if before is not None:
        part.owner.attributes[TAKES_REGISTERS] = ir.UnitAttr.get()
    results: Sequence[ir.Value] = ttng.warp_group_dot_wait([part, *buffers], 0)
    return results


def repeated(ops: Sequence[ir.Operation], known: dict[ir.Value, ir.Value], type: ir.Type) -> ir.Value:
    """The result of elementwise operations on other values, whose type is this one.

    known: for each value that they use the one that takes its place; their results join it.
    """
    for op in ops:
        operands = [known[operand] for operand in op.operands]
        made = ir.Operation.create(op.name, [type], operands, dict(op.attributes), loc=op.location)
        known[op.results[0]] = made.results[0]
    return known[ops[-1].results[0]]


def reshaped(value: ir.Value, shape: Sequence[int]) -> ir.Value:
    """The same elements in another shape, in the registers in which they are."""
    layout = inference.reshape(tensor_layout(value.type), tuple(value.type.shape), tuple(shape))
    return tt.reshape(value, ir.RankedTensorType.get(list(shape), value.type.element_type, attribute(layout)))
