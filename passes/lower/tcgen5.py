"""Lower products that accumulate in tensor memory (tcgen05), copies that go before them, and commits.

One thread of the first warp issues all instructions of a product, which then runs in the background.  The instructions
and the arrivals at barriers after them stand in one piece of assembly; what they read is worked out by
`ttkit.layout.tcgen5` and `ttkit.layout.matrix_descriptor`.

    if warp == 0 and pred {
      if elect { tcgen05.mma d, a, b, ...  for all tiles;  tcgen05.commit barrier }
    }

Ops: dialects/ttng/tcgen5_ops.td    Test: test/lit/lower/sm_100/tcgen5.mlir
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.layout import LinearLayout
from ttkit.layout.encodings import TensorMemory, TensorMemoryScales
from ttkit.layout.matrix_descriptor import K_BYTES, plan_descriptor
from ttkit.layout.tcgen5 import (
    KINDS,
    MIXED,
    SCALES_IN_WORD,
    choose_scaling,
    descriptor_bits,
    instruction_descriptor,
    scaled_descriptor,
)
from ttkit.layout.tensor_memory_copy import BLOCKS, SCALES, plan_copies
from ttkit.passes.infra.mbarriers import MULTICAST
from ttkit.passes.lower.assembly import Assembly, in_assembly
from ttkit.passes.lower.buffer_places import first_element, memory_layout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.matrix_descriptor import UNIT_BITS, InMemory, with_address
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp
from ttkit.passes.lower.tensor_memory import address_in, buffer_layout, moved
from ttkit.passes.lower.tensor_memory_columns import cta_group, synchronize_pair, uses_two_ctas
from ttkit.passes.lower.tensor_memory_order import may_be_read
from ttkit.passes.lower.tma import cta_copies
from ttkit.passes.lower.types import SharedView, TensorView, is_in_tensor_memory
from ttkit.passes.lower.unsupported import CannotLower, require_f32_accumulator
from ttkit.records import dataclass

# Element type -> its name in the instruction descriptor.
OPERANDS = {"f16": "f16", "bf16": "bf16", "f32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "i8": "s8"}
SCALED = {Formats.E4M3: "e4m3", Formats.E5M2: "e5m2", Formats.E2M3: "e2m3", Formats.E3M2: "e3m2", Formats.E2M1: "e2m1"}
# Elements whose rows may be contiguous in shared memory.
TURNED = (8, 16)
PACKED = 2
"""Elements of fp4 in a byte."""


# --- Operands ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tile:
    """Operands of one instruction: first row, column and element along K, and the address of its result, relative to
    the buffer's."""

    row: int
    column: int
    k: int
    address: int


@dataclass(frozen=True)
class Tiles:
    """The instructions of a product.

    m, n, k: of one instruction, in one CTA.  ctas: that share one.
    each: in the order in which they are issued.
    """

    m: int
    n: int
    k: int
    ctas: int
    each: tuple[Tile, ...]

    @classmethod
    def of(cls, type: MemDescType, k: int, k_size: int, two_ctas: bool) -> "Tiles":
        """The instructions for a result of `type`, with `k` of `k_size` elements along K each.

        Raises CannotLower if the operands are smaller.
        """
        layout = layout_of(type)
        assert isinstance(layout, TensorMemory), "the verifier asks for it"
        rows, columns = type.shape[0] // layout.cta_split_m, type.shape[1] // layout.cta_split_n
        m, n = layout.block_m, min(layout.block_n, columns)
        if k_size % k or rows % m:
            raise CannotLower(f"found {rows} rows and {k_size} elements along K; an instruction takes {m} and {k}")
        places = buffer_layout(type).pseudo_inverse()
        each = tuple(
            Tile(row, column, step, address_in(places, type, row, column))
            for row in range(0, rows, m)
            for column in range(0, columns, n)
            for step in range(0, k_size, k)
        )
        return cls(m, n, k, 2 if two_ctas else 1, each)


@dataclass(frozen=True)
class InShared:
    """An operand in shared memory.  per_place: elements along K that count as one in its buffer."""

    buffer: InMemory
    per_place: int

    @property
    def is_turned(self) -> bool:
        """Whether its rows are contiguous."""
        return not self.buffer.k_contiguous

    def tile(self, assembly: Assembly, row: int, k: int) -> str:
        """The text of a tile as an operand."""
        return assembly.operand(self.buffer.tile(row, k // self.per_place), "l")


@dataclass(frozen=True)
class InTensorMemory:
    """The first operand in tensor memory.

    places: of the elements of its buffer, of the given type.  per_place: elements along K that count as one.
    """

    address: ir.Value
    type: MemDescType
    places: LinearLayout
    per_place: int
    is_turned = False

    def tile(self, assembly: Assembly, row: int, k: int) -> str:
        """The text of a tile as an operand."""
        return at(assembly, self.address, address_in(self.places, self.type, row, k // self.per_place))


def operand_of(
    low: Lowering, value: ir.Value, k_dim: int, rows: int, is_fp4: bool = False, is_padded: bool = False
) -> InShared | InTensorMemory:
    """An operand of a product.

    Args:
        rows: of a tile.
        is_fp4: whether a byte is two elements; is_padded: also, whether there is one of them for each byte of memory.

    Raises UnsuitableLayout if instructions can't read it.
    """
    type, view = value.type, low.values.of(value)
    dense = PACKED if is_fp4 and not is_padded else 1
    if isinstance(view, TensorView):
        return InTensorMemory(view.address, type, buffer_layout(type).pseudo_inverse(), PACKED if is_fp4 else 1)
    memory = memory_layout(low, type)
    plan = plan_descriptor(memory, k_dim, rows, type.element_type.width, TURNED, is_padded)
    packed = contiguous_dim(memory) if is_padded else None
    return InShared(InMemory.of(low, view, k_dim, plan, descriptor_bits(plan), packed=packed), dense)


def contiguous_dim(memory: LinearLayout) -> int:
    """The dimension along which elements are neighbours in memory."""
    return next(dim for dim, step in enumerate(memory.bases("offset")[0]) if step)


def is_turned(low: Lowering, value: ir.Value, k_dim: int) -> bool:
    """Whether an operand's rows are contiguous, not the elements along K."""
    if is_in_tensor_memory(value.type):
        return False
    return contiguous_dim(memory_layout(low, value.type)) != k_dim


# --- Products ---------------------------------------------------------------------------------------------------------
@lowers("ttng.tc_gen5_mma")
def tc_gen5_mma(low: Lowering, op: ir.OpView, *operands: Any) -> object:
    """If pred holds, d[m, n] = (useD ? d[m, n] : 0) + the sum over k of a[m, k] * b[k, n].

    Raises:
        CannotLower: types of elements that tcgen05 can't multiply.
    """
    types = [value.type for value in (op.a, op.b, op.d)]
    a_name, b_name = (OPERANDS.get(str(type.element_type)) for type in types[:2])
    result, integers = str(types[2].element_type), (a_name, b_name).count("s8")
    if op.is_unsigned and integers == 2:
        a_name = b_name = "u8"
    fits = integers == 2 and low.target.has_i8_products_in_tensor_memory if result == "i32" else integers == 0
    if a_name is None or b_name is None or not fits:
        raise CannotLower(
            f"found {types[0].element_type} times {types[1].element_type} in {result}, which tcgen05 of "
            f"{low.target.arch} can't multiply"
        )
    tiles = Tiles.of(types[2], 8 * K_BYTES // types[0].element_type.width, types[0].shape[1], op.two_ctas)
    a, b = operand_of(low, op.a, 1, tiles.m), operand_of(low, op.b, 0, tiles.n // tiles.ctas)
    turned = a.is_turned, b.is_turned
    what = instruction_descriptor(a_name, b_name, result, tiles.m * tiles.ctas, tiles.n, turned)
    name = f"tcgen05.mma.{cta_group(low, tiles.ctas)}.kind::{KINDS[a_name]}"

    def write(assembly: Assembly, tile: Tile) -> str:
        """The instruction of one tile, without what all of them end with."""
        kind = assembly.operand(low.emit.i32_constant(what), "r")
        sides = a.tile(assembly, tile.row, tile.k), b.tile(assembly, tile.column // tiles.ctas, tile.k)
        return f"{name} {at(assembly, low.values.of(op.d).address, tile.address)}, {', '.join(sides)}, {kind}"

    return issue_product(low, op, tiles, write)


@lowers("ttng.tc_gen5_mma_scaled")
def tc_gen5_mma_scaled(low: Lowering, op: ir.OpView, *operands: Any) -> object:
    """As tc_gen5_mma, of operands whose blocks along K have scales.

    Raises:
        CannotLower: formats of elements that tcgen05 can't scale, or a result that is not in f32.
    """
    require_f32_accumulator(op.d.type)
    a_name, b_name = (SCALED.get(format) for format in (op.a_type, op.b_type))
    if a_name is None or b_name is None:
        raise CannotLower(f"found {op.a_type} times {op.b_type}; tcgen05 scales {', '.join(SCALED.values())}")
    scales = [
        (low.values.of(scale), scale.type, buffer_layout(scale.type).pseudo_inverse())
        for scale in (op.a_scale, op.b_scale)
    ]
    by_fp8 = all(str(type.element_type) == "f8E4M3FN" for _, type, _ in scales)
    turned = is_turned(low, op.a, 1), is_turned(low, op.b, 0)
    scaling = choose_scaling(a_name, b_name, by_fp8, any(turned))
    k_size = op.a.type.shape[1] * (PACKED if a_name == "e2m1" and not turned[0] else 1)
    tiles = Tiles.of(op.d.type, scaling.k, k_size, uses_two_ctas(low))
    a, b = (
        operand_of(low, value, k_dim, rows, name == "e2m1", name == "e2m1" and scaling is MIXED)
        for value, k_dim, rows, name in ((op.a, 1, tiles.m, a_name), (op.b, 0, tiles.n // tiles.ctas, b_name))
    )
    name = f"tcgen05.mma.{cta_group(low, tiles.ctas)}.kind::{scaling.name}"

    def scale_of(assembly: Assembly, side: int, row: int, step: int) -> str:
        """The address of a tile's scales; side 0 is a, 1 is b."""
        view, type, places = scales[side]
        address = address_in(places, type, row, SCALES_IN_WORD * scaling.word(step))
        return f"[{assembly.operand(moved(low, view, address).address, 'r')}]"

    def write(assembly: Assembly, tile: Tile) -> str:
        """The instruction of one tile, without what all of them end with."""
        step, m = tile.k // tiles.k, tiles.m * tiles.ctas
        what = scaled_descriptor(scaling, a_name, b_name, by_fp8, m, tiles.n, turned, step)
        parts = (
            at(assembly, low.values.of(op.d).address, tile.address),
            *(a.tile(assembly, tile.row, tile.k), b.tile(assembly, tile.column // tiles.ctas, tile.k)),
            assembly.operand(low.emit.i32_constant(what), "r"),
            *(scale_of(assembly, 0, tile.row, step), scale_of(assembly, 1, tile.column, step)),
        )
        return f"{name} {', '.join(parts)}"

    return issue_product(low, op, tiles, write)


def issue_product(
    low: Lowering, op: ir.OpView, tiles: Tiles, write: Callable[["Assembly", Tile], str]
) -> ir.Value | None:
    """The instructions of a product where its predicate holds, and its arrivals at barriers.

    write: the text of the instruction for a tile, up to whether it adds to what is there.
    """
    low.require("has_tensor_memory", "products in tensor memory")
    emit = low.emit
    uses = low.values.of(op.useD)
    shared = []
    if MULTICAST in op.operation.attributes:
        shared = [side for side in (op.a, op.b) if not is_in_tensor_memory(side.type)]
    if low.num_warps > 1 and may_be_read(op.operation):
        low.warps.synchronize()
    if tiles.ctas > 1:
        synchronize_pair(low)  # Each reads what the other has stored.
    with by_one_thread(low, low.values.of(op.pred), tiles.ctas) as elected:
        assembly = Assembly()
        chosen = assembly.operand(elected, "b")
        lines = []
        for tile in tiles.each:
            keeps = emit.constant(emit.i1, 1) if tile.k else uses
            lines.append(f"@{chosen} {write(assembly, tile)}, {assembly.operand(keeps, 'b')};")
        in_assembly(low.emit, "\n\t".join(lines), [], assembly.operands, assembly.kinds)
        for barrier, predicate in zip(op.barriers, op.barrier_preds, strict=True):
            commit(low, barrier, emit.and_(low.values.of(predicate), elected), tiles.ctas, shared)
    return emit.i32_constant(0) if len(op.operation.results) else None


def at(assembly: Assembly, base: ir.Value, offset: int) -> str:
    """The text of an address in tensor memory."""
    return f"[ {assembly.operand(base, 'r')} + {offset} ]"


@contextmanager
def by_one_thread(low: Lowering, condition: ir.Value | None, ctas: int) -> Iterator[ir.Value]:
    """Code for one thread of the first warp, of the first of `ctas` CTAs that work together, where an i1 holds.

    Gives an i1: whether this is the thread.  All threads of the warp come here: ptxas sees by the election, and by
    nothing else, that one of them goes on.
    """
    emit = low.emit
    conditions = [] if condition is None else [condition]
    if low.num_warps > 1:
        first = low.index.once("first warp", lambda: emit.compare("eq", uniform_warp(low), emit.i32_constant(0)))
        conditions.append(first)
    if ctas > 1:
        odd = emit.and_(low.index.block(), emit.i32_constant(ctas - 1))
        conditions.append(emit.compare("eq", odd, emit.i32_constant(0)))
    together = functools.reduce(emit.and_, conditions) if conditions else emit.constant(emit.i1, 1)
    after = low.emit.begin_if(together)
    yield emit.op("nvvm.elect.sync", emit.i1)
    low.emit.end_if(after)


# --- Copies -----------------------------------------------------------------------------------------------------------
@lowers("ttng.tmem_copy")
def tmem_copy(low: Lowering, op: ir.OpView, source: SharedView, view: TensorView, *barrier: SharedView) -> None:
    """dst = src, in the order of products; then an arrival at the barrier."""
    low.require("has_tensor_memory", "buffers in tensor memory")
    emit, type = low.emit, op.dst.type
    shape = SCALES if isinstance(layout_of(type), TensorMemoryScales) else BLOCKS
    memory = memory_layout(low, op.src.type)
    plan = plan_copies(memory, buffer_layout(type), type.element_type.width, shape)
    start = emit.cast("ptrtoint", first_element(low, source, op.src.type), emit.i32)
    matrix = with_address(low, start, descriptor_bits(plan.descriptor))
    group = cta_group(low, 1)
    with by_one_thread(low, None, 1) as elected:
        assembly = Assembly()
        chosen, lines = assembly.operand(elected, "b"), []
        for column, place in plan.places:
            units = emit.constant(emit.i64, place >> UNIT_BITS)
            descriptor = assembly.operand(emit.add(matrix, units) if place else matrix, "l")
            lines.append(
                f"@{chosen} tcgen05.cp.{group}.{plan.shape} {at(assembly, view.address, column)}, {descriptor};"
            )
        in_assembly(low.emit, "\n\t".join(lines), [], assembly.operands, assembly.kinds)
        if barrier:
            commit(low, op.barrier, elected, 1)


# --- Commits ----------------------------------------------------------------------------------------------------------
@lowers("ttng.tc_gen5_commit")
def tc_gen5_commit(low: Lowering, op: ir.OpView, barrier: SharedView, *rest: Any) -> None:
    """If pred holds, an arrival once all products and copies so far are done."""
    low.require("has_tensor_memory", "products in tensor memory")
    ctas = 2 if op.two_ctas else 1
    with by_one_thread(low, rest[0] if op.pred is not None else None, ctas) as elected:
        commit(low, op.barrier, elected, ctas, op.descs)


def commit(low: Lowering, barrier: ir.Value, predicate: ir.Value, ctas: int, shared: Sequence[ir.Value] = ()) -> None:
    """An arrival at a barrier once all that was issued so far is done, where an i1 holds.

    ctas: that multiply together, all of which get it.
    shared: operands; the CTAs with the same part of one of them get it too.
    """
    emit = low.emit
    pointer = first_element(low, low.values.of(barrier), barrier.type)
    name = f"tcgen05.commit.{cta_group(low, ctas)}.mbarrier::arrive::one"
    # The bits in which the numbers of CTAs that get it may differ from this one's: any of these groups.
    groups = {cta_copies(low, operand.type) | ctas - 1 for operand in shared} or {ctas - 1}
    if groups == {0}:
        emit.inline_asm(f"@$0 {name}.b64 [$1];", "b,l", None, predicate, emit.cast("ptrtoint", pointer, emit.i64))
        return
    largest = [bits for bits in sorted(groups) if not any(bits != other and not bits & ~other for other in groups)]
    masks = [ctas_of(low, bits) for bits in largest]
    mask = emit.cast("trunc", functools.reduce(emit.or_, masks), emit.i16)
    text = f"@$0 {name}.shared::cluster.multicast::cluster.b64 [$1], $2;"
    emit.inline_asm(text, "b,r,h", None, predicate, pointer, mask)


def ctas_of(low: Lowering, bits: int) -> ir.Value:
    """An i32 with a bit for each CTA whose number differs from this one's in some of these bits, or in none."""
    emit = low.emit
    ctas = sum(1 << cta for cta in range(low.num_ctas) if not cta & ~bits)
    first = emit.and_(low.index.block(), emit.i32_constant(~bits))
    return emit.same("llvm.shl", emit.i32_constant(ctas), first)
