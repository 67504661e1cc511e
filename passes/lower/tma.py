"""Lower copies of tiles between global and shared memory by the tensor memory accelerator (TMA, sm_90).

A copy is divided into messages (ttkit.layout.tma_messages), which one thread of each warp starts.  In a cluster each
CTA copies its own part.  If several CTAs have the same part, each loads it.  With the attribute `multicast` one CTA
loads it for all, and the barrier of each counts the bytes.  Only one CTA stores such a part.

Ops: dialects/ttng/tma_ops.td    Test: test/lit/lower/tma.mlir
"""

from collections.abc import Iterator, Sequence
from typing import Any

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import LinearLayout
from ttkit.layout.encodings import NvmmaShared
from ttkit.layout.hardware import TENSOR_MAP_BYTES
from ttkit.layout.holders import copies_among
from ttkit.layout.tma_messages import plan_messages
from ttkit.module_attributes import USES_TWO_CTAS
from ttkit.passes.infra.mbarriers import MULTICAST
from ttkit.passes.lower.assembly import Assembly
from ttkit.passes.lower.buffer_places import first_element, memory_layout, view_offset
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.mbarrier import leader
from ttkit.passes.lower.memory import cache_policy
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import uniform_warp
from ttkit.passes.lower.thread_index import linear_sum
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower

WHAT = "copies by the tensor memory accelerator"


# --- Copies of tiles --------------------------------------------------------------------------------------------------
@lowers("ttng.async_tma_copy_global_to_local")
def async_tma_copy_global_to_local(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: Any) -> None:
    """result = the tile at `coord`; its bytes count at the barrier."""
    low.require("has_tma", WHAT)
    *places, barrier, view, condition = rest
    is_im2col = op.desc.type.is_im2col
    coordinates = [each for each in places if each.type.width == 32]
    offsets = places[len(coordinates) :][::-1]  # innermost first, as coordinates
    type = op.result.type
    signal = first_element(low, barrier, op.barrier.type)
    condition, extra = for_all_copies(low, op, condition)
    suffix = ".multicast::cluster" if extra else ""
    hint, policy = cache_hint(low, op)
    mode = ".im2col" if is_im2col else ""
    space = "cta" if low.target.has_copies_to_own_cta and not extra else "cluster"
    to = f"shared::{space}.global{mode}.mbarrier::complete_tx::bytes{suffix}{hint}"
    for chosen, pointer, place in messages(low, type, view, coordinates, condition, is_im2col):
        name = f"cp.async.bulk.tensor.{len(place)}d.{to}"
        given = [[pointer], [descriptor, place], [signal], *([offsets] if offsets else []), *extra, *policy]
        message(low, name, chosen, given)


@lowers("ttng.async_tma_copy_local_to_global")
def async_tma_copy_local_to_global(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: Any) -> None:
    """The tile at `coord` = src."""
    store(low, op, "cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group", descriptor, *rest)


@lowers("ttng.async_tma_reduce")
def async_tma_reduce(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: Any) -> None:
    """The tile at `coord` = f(the tile, src), element by element."""
    kind = str(op.kind)
    store(low, op, f"cp.reduce.async.bulk.tensor.{{rank}}d.global.shared::cta.{kind}.bulk_group", descriptor, *rest)


def store(low: Lowering, op: ir.OpView, name: str, descriptor: ir.Value, *rest: Any) -> None:
    """Starts the messages of a copy to global memory as a group.

    Raises:
        CannotLower: the descriptor is of images.
    """
    low.require("has_tma", WHAT)
    if op.desc.type.is_im2col:
        raise CannotLower("found a store by a descriptor of images; store by a descriptor of blocks")
    *coordinates, view = rest
    hint, policy = cache_hint(low, op)
    for chosen, pointer, place in messages(low, op.src.type, view, coordinates, stores_part(low, op.src.type)):
        message(low, name.format(rank=len(place)) + hint, chosen, [[descriptor, place], [pointer], *policy])
    low.emit.effect("nvvm.cp.async.bulk.commit.group")


@lowers("ttng.async_tma_store_wait")
def async_tma_store_wait(low: Lowering, op: ir.OpView) -> None:
    """Waits until all but the last `pendings` groups have read their shared memory, or also written if asked."""
    low.require("has_tma", WHAT)
    attributes = op.operation.attributes
    if "read_only" in attributes:
        reads = str(attributes["read_only"]) != "false"
    else:  # Triton 3.9, whose ttg has ttng.two-ctas from the beginning, leaves it out where writes are waited for.
        reads = USES_TWO_CTAS not in low.module.operation.attributes
    low.emit.inline_asm(f"cp.async.bulk.wait_group{'.read' if reads else ''} {op.pendings};", "", None)


def cache_hint(low: Lowering, op: ir.OpView) -> tuple[str, list[ir.Value]]:
    """The suffix of a copy with a policy of the second-level cache, and the policy; empty for one without."""
    policy = cache_policy(low, op)
    return ("", []) if policy is None else (".L2::cache_hint", [policy])


def message(low: Lowering, name: str, chosen: ir.Value, operands: Sequence[Any]) -> None:
    """Builds an instruction, run where `chosen` holds.

    A list is an address, and a list in it has the coordinates; a list of 16-bit numbers has offsets.
    """
    given = Assembly(repeats=True)
    guard = given.operand(chosen, "b")

    text = f"@{guard} {name} {', '.join(operand_text(operand, given) for operand in operands)};"
    low.emit.inline_asm(text, ",".join(given.kinds), None, *given.operands)


def operand_text(operand: Any, given: Assembly) -> str:
    """An operand of assembly, `$n`, or a nested list of them."""
    if not isinstance(operand, list):
        return given.operand(operand, constraint(operand))
    texts = [operand_text(one, given) for one in operand]
    if is_offsets(operand):
        return f"{{{', '.join(texts)}}}"
    inner = (f"{{{text[1:-1]}}}" if isinstance(one, list) else text for one, text in zip(operand, texts))
    return f"[{', '.join(inner)}]"


def is_offsets(operands: Sequence[Any]) -> bool:
    """Whether a list has the 16-bit offsets of a copy of images."""
    return all(isinstance(one, ir.Value) and str(one.type) == "i16" for one in operands)


def constraint(value: ir.Value) -> str:
    """The kind of register that holds a value: 16, 32 or 64 bits."""
    type = value.type
    if isinstance(type, ir.IntegerType):
        return {16: "h", 32: "r", 64: "l"}[type.width]
    return "r" if str(type) == "!llvm.ptr<3>" else "l"


def messages(
    low: Lowering,
    type: MemDescType,
    view: SharedView,
    coordinates: Sequence[ir.Value],
    condition: ir.Value | None,
    is_im2col: bool = False,
) -> Iterator[tuple[ir.Value, ir.Value, list[ir.Value]]]:
    """For each message of a warp: whether this thread starts it, its pointer to shared memory, and its coordinates.

    The coordinates in the tensor are innermost first.
    """
    emit = low.emit
    memory, encoding = buffer_of(low, type)
    plan = plan_messages(encoding, list(type.shape), memory, is_im2col)
    element = low.types.element(type.element_type)
    begin = view_offset(low, view, type)
    at_once = min(plan.count, low.num_warps)
    chosen = elected(low, at_once, condition)
    bits = at_once.bit_length() - 1
    for first in range(0, plan.count, at_once):
        offset = moved_by(low, plan.offsets, bits, first, ())
        if begin is not None:
            offset = begin if offset is None else emit.xor(offset, begin)
        pointer = view.base if offset is None else emit.gep(view.base, offset, element)
        # Coordinates of the descriptor may have leading dimensions of size 1 that the buffer lacks.
        missing = len(coordinates) - len(plan.box)
        place = list(coordinates[:missing])
        for coordinate, steps, of_ctas in zip(coordinates[missing:], plan.coordinates, plan.of_ctas, strict=True):
            step = moved_by(low, steps, bits, first, of_ctas)
            place.append(coordinate if step is None else emit.add(coordinate, step))
        yield chosen, pointer, place[::-1]


def moved_by(
    low: Lowering, columns: Sequence[int], warp_bits: int, first: int, of_ctas: Sequence[int]
) -> ir.Value | None:
    """The offset of a message by `columns`, i32; None for 0.  The message's number is the warp, above it `first`."""
    emit = low.emit
    fixed = 0
    for bit, column in enumerate(columns):
        fixed ^= column if first >> bit & 1 else 0
    terms = [(columns[:warp_bits], lambda: uniform_warp(low)), (of_ctas, low.index.block)]
    used = [(index(), moved) for moved, index in terms if any(moved)]
    if not used:
        return emit.i32_constant(fixed) if fixed else None
    total = linear_sum(emit, used)
    return emit.flip(total, fixed)


def elected(low: Lowering, warps: int, condition: ir.Value | None) -> ir.Value:
    """An i1 that holds in one thread of each of the first `warps` warps, if the condition holds."""
    emit = low.emit
    chosen = emit.op("nvvm.elect.sync", emit.i1)
    if condition is not None:
        chosen = emit.and_(chosen, condition)
    if warps < low.num_warps:
        limit = emit.i32_constant(warps * low.threads_per_warp)
        chosen = emit.and_(chosen, emit.compare("ult", low.index.thread(), limit))
    return chosen


def buffer_of(low: Lowering, type: MemDescType) -> tuple[LinearLayout, NvmmaShared]:
    """The layout of a buffer that messages fill.

    Raises CannotLower if they can't.
    """
    encoding, shape = layout_of(type), list(type.shape)
    if not isinstance(encoding, NvmmaShared):
        raise CannotLower(f"found a buffer of layout {encoding}; this copy takes #ttg.nvmma_shared only")
    memory = memory_layout(low, type)
    if low.num_ctas > 1 and shape != list(type.alloc_shape[-len(shape) :]):
        raise CannotLower("found a part of a buffer that is divided among CTAs; copy the whole buffer")
    return memory, encoding


# --- CTAs -------------------------------------------------------------------------------------------------------------
def cta_copies(low: Lowering, type: MemDescType) -> int:
    """The bits in which the numbers of CTAs with the same part of a buffer differ.

    Raises:
        CannotLower: the numbers of these CTAs do not differ by a group of bits.
    """
    if low.num_ctas == 1:
        return 0
    memory = memory_layout(low, type)
    bits = [vector for vector in copies_among(memory) if vector & vector - 1 == 0]
    if len(bits) != len(copies_among(memory)):
        raise CannotLower(
            "found CTAs that hold the same part of a buffer, in an order of their numbers that copies can't describe"
        )
    return sum(bits)


def stores_part(low: Lowering, type: MemDescType) -> ir.Value | None:
    """An i1 on whether this CTA stores its part of a buffer; None if no other CTA has the same part."""
    return is_first_copy(low, copies) if (copies := cta_copies(low, type)) else None


def for_all_copies(low: Lowering, op: ir.OpView, condition: ir.Value) -> tuple[ir.Value, list[ir.Value]]:
    """When this CTA copies to `op.result`, and for a copy for several CTAs the mask of these, or no mask."""
    if MULTICAST not in op.operation.attributes or not (copies := cta_copies(low, op.result.type)):
        return condition, []
    return low.emit.and_(condition, is_first_copy(low, copies)), [cta_mask(low, copies)]


def is_first_copy(low: Lowering, copies: int) -> ir.Value:
    """An i1 on whether this is the first CTA with its part."""
    emit = low.emit
    return emit.compare("eq", emit.and_(low.index.block(), emit.i32_constant(copies)), emit.i32_constant(0))


def cta_mask(low: Lowering, copies: int) -> ir.Value:
    """An i16 with a bit for each CTA with the same part as this one, the first of them."""
    emit = low.emit
    ctas = sum(1 << cta for cta in range(low.num_ctas) if not cta & ~copies)
    return emit.cast("trunc", emit.same("llvm.shl", emit.i32_constant(ctas), low.index.block()), emit.i16)


# --- Descriptors ------------------------------------------------------------------------------------------------------
@lowers("ttng.reinterpret_tensor_descriptor")
def reinterpret_tensor_descriptor(low: Lowering, op: ir.OpView, pointer: ir.Value) -> ir.Value:
    """The generic pointer to a tensor map, as a descriptor."""
    return low.emit.op("llvm.addrspacecast", low.emit.pointers[0], pointer)


@lowers("ttng.tensormap_create")
def tensormap_create(low: Lowering, op: ir.OpView, *operands: ir.Value) -> None:
    """The first warp builds the map in shared memory and copies it to global memory."""
    low.require("has_tma", WHAT)
    emit, attributes = low.emit, op.operation.attributes
    target, base, *numbers = operands
    rank = len(op.box_dim)
    box, rest = numbers[:rank], numbers[rank:]
    sizes, rest = rest[:rank], rest[rank:]
    strides, element_strides = rest[: rank - 1], rest[rank - 1 :]
    scratch = low.shared.scratch(op, TENSOR_MAP_BYTES)
    thread = low.index.thread()
    in_warp = emit.compare("ult", thread, emit.i32_constant(low.threads_per_warp))
    word = emit.gep(scratch, thread, emit.i32)
    low.shared.store(word, emit.constant(emit.vector(1, emit.i32), 0), in_warp)
    low.warps.synchronize_warp()
    first = leader(low)

    def replace(field: str, bits: int, value: ir.Value | int, position: int | None = None) -> None:
        """Replaces a field of the tensor map, by the first thread; fields of lists have a position."""
        where = "" if position is None else f" 0x{position:x},"
        text = f"tensormap.replace.tile.{field}.shared::cta.b1024.b{bits} [ $0 + 0 ],{where}"
        if isinstance(value, int):
            emit.inline_asm(f"@$1 {text} 0x{value:x};", "l,b", None, address, first)
        else:
            kind = "r" if bits == 32 else "l"
            emit.inline_asm(f"@$2 {text} $1;", f"l,{kind},b", None, address, value, first)

    address = emit.cast("zext", emit.cast("ptrtoint", scratch, emit.i32), emit.i64)
    replace("global_address", 64, base)
    replace("rank", 32, rank - 1)
    for field, bits, values in (("box_dim", 32, box), ("global_dim", 32, sizes), ("global_stride", 64, strides),
                                ("element_stride", 32, element_strides)):  # fmt: skip
        for position, value in enumerate(values):
            replace(field, bits, value, position)
    for field, name in (("elemtype", "elem_type"), ("interleave_layout", "interleave_layout"),
                        ("swizzle_mode", "swizzle_mode"), ("fill_mode", "fill_mode")):  # fmt: skip
        replace(field, 32, attributes[name].value)
    emit.inline_asm(
        "@$2 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        f"[ $0 + 0 ], [ $1 + 0 ], 0x{TENSOR_MAP_BYTES:x};",
        "l,l,b",
        None,
        target,
        address,
        in_warp,
    )


@lowers("ttng.tensormap_fenceproxy_acquire")
def tensormap_fenceproxy_acquire(low: Lowering, op: ir.OpView, pointer: ir.Value) -> None:
    """Makes the map visible to later copies; all threads wait for that."""
    low.require("has_tma", WHAT)
    emit = low.emit
    in_warp = emit.compare("ult", low.index.thread(), emit.i32_constant(low.threads_per_warp))
    text = (
        f"@$1 fence.proxy.tensormap::generic.acquire.gpu [ $0 + 0 ], 0x{TENSOR_MAP_BYTES:x};\n\t"
        "@$1 cp.async.bulk.commit_group;\n\t@$1 cp.async.bulk.wait_group.read 0;"
    )
    emit.inline_asm(text, "l,b", None, pointer, in_warp)
    low.warps.synchronize()
