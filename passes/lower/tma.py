"""Lower copies of tiles between global and shared memory by the tensor memory accelerator (TMA, sm_90).

A copy is cut into messages of the box that the descriptor has: at most 256 elements along each dimension, and as many
bytes along the innermost one as the swizzle spans.  One thread of the CTA starts them all.

Ops: dialects/ttng/tma_ops.td    Test: test/lit/lower/tma.mlir
"""

import itertools
from collections.abc import Iterator, Sequence

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import LinearLayout
from ttkit.layout.encodings import NvmmaShared
from ttkit.operation_views import part
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.mbarrier import leader
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shared_memory import first_element, memory_layout, view_offset
from ttkit.passes.lower.types import SharedView

MAX_BOX = 256  # elements along a dimension
MAP_BYTES = 128
ROW_BYTES = 16  # what a swizzle permutes
WHAT = "copies by the tensor memory accelerator"
REDUCTIONS = {1: "add", 2: "min", 3: "max", 4: "inc", 5: "dec", 6: "and", 7: "or", 8: "xor"}


# --- Copies -----------------------------------------------------------------------------------------------------------
@lowers("ttng.async_tma_copy_global_to_local")
def async_tma_copy_global_to_local(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: object) -> None:
    """result = the tile at `coord`; its bytes count at the barrier."""
    low.require(90, WHAT)
    emit = low.emit
    *coordinates, barrier, view, condition = rest
    assert isinstance(barrier, SharedView) and isinstance(view, SharedView) and isinstance(condition, ir.Value)
    chosen = leader(low, condition)
    signal = first_element(low, barrier, op.barrier.type)
    offsets = [c for c in coordinates if isinstance(c, ir.Value)]
    for pointer, place in messages(low, part(op, "result").type, view, offsets):
        rank = len(place)
        names = ", ".join(f"${i + 3}" for i in range(rank))
        text = (
            f"@$0 cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes "
            f"[$1], [$2, {{{names}}}], [${rank + 3}];"
        )
        emit.inline_asm(
            text, ",".join(["b,r,l", *["r"] * rank, "r"]), None, chosen, pointer, descriptor, *place, signal
        )


@lowers("ttng.async_tma_copy_local_to_global")
def async_tma_copy_local_to_global(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: object) -> None:
    """The tile at `coord` = src."""
    store(low, op, "cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group", descriptor, *rest)


@lowers("ttng.async_tma_reduce")
def async_tma_reduce(low: Lowering, op: ir.OpView, descriptor: ir.Value, *rest: object) -> None:
    """The tile at `coord` = f(the tile, src), element by element."""
    kind = REDUCTIONS[op.operation.attributes["kind"].value]
    text = f"cp.reduce.async.bulk.tensor.{{rank}}d.global.shared::cta.{kind}.bulk_group"
    store(low, op, text, descriptor, *rest)


def store(low: Lowering, op: ir.OpView, name: str, descriptor: ir.Value, *rest: object) -> None:
    """Starts the messages of a copy to global memory as a group."""
    low.require(90, WHAT)
    emit = low.emit
    *coordinates, view = rest
    assert isinstance(view, SharedView)
    for pointer, place in messages(low, op.src.type, view, [c for c in coordinates if isinstance(c, ir.Value)]):
        rank = len(place)
        names = ", ".join(f"${i + 2}" for i in range(rank))
        text = f"@$0 {name.format(rank=rank)} [$1, {{{names}}}], [${rank + 2}];"
        emit.inline_asm(text, ",".join(["b,l", *["r"] * rank, "r"]), None, leader(low), descriptor, *place, pointer)
    emit.effect("nvvm.cp.async.bulk.commit.group")


@lowers("ttng.async_tma_store_wait")
def async_tma_store_wait(low: Lowering, op: ir.OpView) -> None:
    """All but the last `pendings` groups have read their shared memory."""
    low.require(90, WHAT)
    pending = op.operation.attributes["pendings"].value
    low.emit.inline_asm(f"cp.async.bulk.wait_group.read {pending};", "", None)


def messages(
    low: Lowering, type: MemDescType, view: SharedView, coordinates: Sequence[ir.Value]
) -> Iterator[tuple[ir.Value, list[ir.Value]]]:
    """For each message where it is in shared memory, and its coordinates in the tensor, innermost first."""
    emit = low.emit
    encoding, shape = layout_of(type), list(type.shape)
    if low.num_ctas > 1:
        raise ValueError("found a kernel of several CTAs per program, whose copies have no lowering; choose num_ctas=1")
    if not isinstance(encoding, NvmmaShared) or encoding.fp4_padded or (encoding.transposed and len(shape) > 1):
        raise ValueError(f"found a buffer of layout {encoding}; this copy takes a plain #ttg.nvmma_shared only")
    box = box_shape(encoding, shape)
    memory = memory_layout(low, type)
    check_box(memory, encoding, box)
    element = low.types.element(type.element_type)
    begin = view_offset(low, view, type)
    # Coordinates of the descriptor may have leading dimensions of size 1 that the buffer lacks.
    missing = len(coordinates) - len(shape)
    for index in itertools.product(*(range(size // step) for size, step in zip(shape, box))):
        steps = [number * step for number, step in zip(index, box)]
        offset = place_of(memory, steps)
        where = emit.i32_constant(offset)
        pointer = emit.gep(view.base, offset, element)
        if begin is not None:
            pointer = emit.gep(view.base, emit.xor(begin, where) if offset else begin, element)
        place = [
            emit.add(coordinate, emit.i32_constant(step)) if step else coordinate
            for coordinate, step in zip(coordinates, [*[0] * missing, *steps])
        ]
        yield pointer, place[::-1]


def box_shape(encoding: NvmmaShared, shape: Sequence[int]) -> list[int]:
    """Elements of one message along each dimension."""
    box = [min(size, MAX_BOX) for size in shape]
    if encoding.swizzling_byte_width:
        box[-1] = min(box[-1], encoding.swizzling_byte_width * 8 // encoding.element_bit_width)
    return box


def place_of(memory: LinearLayout, coordinates: Sequence[int]) -> int:
    """The offset of an element in memory, in elements."""
    packed, shift = 0, 0
    for (_, bits), coordinate in zip(memory.outs, coordinates):
        packed |= coordinate << shift
        shift += bits
    return memory.place_of(packed) & memory.in_size("offset") - 1


def check_box(memory: LinearLayout, encoding: NvmmaShared, box: Sequence[int]) -> None:
    """Raises ValueError if the layout is not what a message writes: rows one after the other, swizzled."""
    bytes_of = encoding.element_bit_width // 8
    stride = 1
    for dim in reversed(range(len(box))):
        for bit in range(box[dim].bit_length() - 1):
            coordinates = [1 << bit if d == dim else 0 for d in range(len(box))]
            address = (stride << bit) * bytes_of
            if width := encoding.swizzling_byte_width:
                address ^= (address // 128 % 8 % (8 if width == 128 else 4 if width == 64 else 2)) * ROW_BYTES
            if place_of(memory, coordinates) * bytes_of != address:
                raise ValueError(f"the buffer's layout {encoding} is not that of a message of {list(box)} elements")
        stride *= box[dim]


# --- Descriptors ------------------------------------------------------------------------------------------------------
@lowers("ttng.reinterpret_tensor_descriptor")
def reinterpret_tensor_descriptor(low: Lowering, op: ir.OpView, pointer: ir.Value) -> ir.Value:
    """A pointer to a tensor map as a descriptor: a generic pointer."""
    return low.emit.op("llvm.addrspacecast", low.emit.pointers[0], pointer)


@lowers("ttng.tensormap_create")
def tensormap_create(low: Lowering, op: ir.OpView, *operands: ir.Value) -> None:
    """The first warp makes the map in shared memory and copies it to its place."""
    low.require(90, WHAT)
    emit, attributes = low.emit, op.operation.attributes
    target, base, *numbers = operands
    rank = len(op.box_dim)
    box, rest = numbers[:rank], numbers[rank:]
    sizes, rest = rest[:rank], rest[rank:]
    strides, element_strides = rest[: rank - 1], rest[rank - 1 :]
    scratch = low.scratch_pointer(op, MAP_BYTES)
    thread = low.index.thread()
    in_warp = emit.compare("ult", thread, emit.i32_constant(low.threads_per_warp))
    word = emit.gep(scratch, thread, emit.i32)
    low.store_shared(word, emit.constant(emit.vector(1, emit.i32), 0), in_warp)
    low.warp_barrier()
    first = leader(low)

    def replace(field: str, bits: int, value: ir.Value | int, position: int | None = None) -> None:
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
        f"[ $0 + 0 ], [ $1 + 0 ], 0x{MAP_BYTES:x};",
        "l,l,b",
        None,
        target,
        address,
        in_warp,
    )


@lowers("ttng.tensormap_fenceproxy_acquire")
def tensormap_fenceproxy_acquire(low: Lowering, op: ir.OpView, pointer: ir.Value) -> None:
    """Copies after it see the map; all threads wait until it does."""
    low.require(90, WHAT)
    emit = low.emit
    in_warp = emit.compare("ult", low.index.thread(), emit.i32_constant(low.threads_per_warp))
    text = (
        f"@$1 fence.proxy.tensormap::generic.acquire.gpu [ $0 + 0 ], 0x{MAP_BYTES:x};\n\t"
        "@$1 cp.async.bulk.commit_group;\n\t@$1 cp.async.bulk.wait_group.read 0;"
    )
    emit.inline_asm(text, "l,b", None, pointer, in_warp)
    low.barrier()
