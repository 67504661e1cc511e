"""Global memory: reads are functions of what has been done to memory before; writes and atomics are done to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ttkit.validation.floats as floats
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.ops.block_pointer import PAD_NAN
from ttkit.interpreter.values import DTYPES
from ttkit.operation_sets import ASSERTIONS
from ttkit.validation.booleans import both, choose, negation, truth
from ttkit.validation.comparisons import less, resized
from ttkit.validation.happens_before import GLOBAL, touched
from ttkit.validation.integers import add, multiply, number, scaled
from ttkit.validation.meanings.elementwise import key_of
from ttkit.validation.registry import means
from ttkit.validation.tensors_apart import may_read, memory_at, tensor_of, written_at
from ttkit.validation.terms import MEMORY, Term, indices, make
from ttkit.validation.values import BlockPointer, Buffer, Descriptor, NotModelled, sort_of

APART = "that what it writes is not what a copy in the background reads"
RELAXED = 1
"""The memory order of an atomic update that orders nothing else."""
HINTS = ("cache", "evict", "boundaryCheck", "padding", "operandSegmentSizes", "isVolatile", "blockIOAttr")


def element_bytes(op: Instruction, kind: Any) -> int:
    """Bytes of what a pointer type points to.

    Raises:
        NotModelled: they are not known.
    """
    if kind.pointee is None or kind.pointee.element is None:
        raise NotModelled(f"pointers of type {kind.text}", op)
    return kind.pointee.element.itemsize


@means("tt.addptr")
def addptr(walk: Any, op: Instruction, pointer: Term, offset: Term) -> Term:
    """pointer + offset * size of an element, in 64 bits."""
    size = element_bytes(op, op.result_types[0])
    return add(pointer, scaled(resized(offset, "i64", signed=True), size))


# --- accesses


def read(walk: Any, address: Term, mask: Term, other: Term | None, sort: str) -> Term:
    """mask ? *address : other, and the read is noted."""
    walk.note_read(mask, address, int(DTYPES[sort].itemsize))
    touched(walk, GLOBAL, False, address)
    found = make("read", (memory_at(walk, address), address), None, sort)
    if other is None:
        other = make("undefined", (found,), "masked off", sort)
    return choose(mask, found, other)


def write(walk: Any, address: Term, mask: Term, value: Term) -> None:
    """*address = value where mask."""
    if mask.is_const and not mask.attr:
        return
    touched(walk, GLOBAL, True, address)
    note_overlap(walk, address)
    written_at(walk, address, "store", (address, mask, value), None)


def note_overlap(walk: Any, address: Term) -> None:
    """Notes a write while copies read global memory in the background: they must not overlap.

    Where groups of warps are followed, `happens_before.py` looks at that.
    """
    tensor = tensor_of(walk, address)
    if walk.order is None and any(has_copies(walk, term, tensor) for term in walk.state.contents.values()):
        walk.promises.setdefault((walk.current.name, APART, ()), walk.current)


def has_copies(walk: Any, root: Term, tensor: Buffer | None) -> bool:
    """Whether a part of a buffer's contents is a copy in flight that may read a tensor, or any memory if it is None."""
    stack, seen = [root], set()
    while stack:
        term = stack.pop()
        if not term.waits or term in seen:
            continue
        seen.add(term)
        is_copy = term.head == "in flight" and not (isinstance(term.attr, tuple) and term.attr[0] == "tensor core")
        if is_copy and may_read(walk, term.args[0], tensor):
            return True
        stack.extend(term.args)
    return False


@means("tt.load")
def load(walk: Any, op: Instruction, pointer: Any, *rest: Term) -> Term:
    """mask ? *pointer : other"""
    counts = op.attributes["operandSegmentSizes"]
    mask = rest[0] if counts[1] else truth(True)
    other = rest[-1] if counts[2] else None
    sort = sort_of(op.result_types[0])
    if isinstance(pointer, BlockPointer):
        address, mask = block_elements(op, pointer)
        other = padding(sort, op.attributes["padding"] == PAD_NAN) if "padding" in op.attributes else None
        pointer = address
    if op.attributes.get("isVolatile"):
        walk.effect(op, "volatile", pointer, mask)
    return read(walk, pointer, mask, other, sort)


@means("tt.store")
def store(walk: Any, op: Instruction, pointer: Any, value: Term, mask: Term | None = None) -> tuple:
    """*pointer = value where mask."""
    if isinstance(pointer, BlockPointer):
        pointer, mask = block_elements(op, pointer)
    write(walk, pointer, mask if mask is not None else truth(True), value)
    return ()


@means("tt.atomic_rmw", "tt.atomic_cas")
def atomic(walk: Any, op: Instruction, pointer: Term, value: Term, third: Term | None = None) -> Term:
    """The old elements; memory changes by it.  Where it is masked off, the result is undefined."""
    mask = third if third is not None and op.name == "tt.atomic_rmw" else truth(True)
    values = (value,) if op.name == "tt.atomic_rmw" else (value, third)
    touched(walk, GLOBAL, True)
    note_overlap(walk, pointer)
    shape = op.operand_types[0].shape
    if not (mask.is_const and not mask.attr):
        orders = None if op.attributes["sem"] != RELAXED else pointer
        args = (pointer, mask, *(one for one in values if one is not None))
        written_at(walk, orders, "atomic", args, (op.name, key_of(op), shape))
    old = make("call", (make("closed", (walk.state.memory,), None, MEMORY), *indices(shape)), "old", value.sort)
    return choose(mask, old, make("undefined", (old,), "masked off", value.sort))


# --- block pointers


def padding(sort: str, nan: bool) -> Term:
    """The value that is read outside of a tensor."""
    if sort[0] == "i":
        return number(0, sort)
    return floats.constant(float("nan") if nan else 0.0, sort)


def elements_at(
    base: Term, positions: list[Term], strides: tuple[Term, ...], shape: tuple[Term, ...], checked: Any, size: int
) -> tuple[Term, Term]:
    """Address of the element at positions, 64 bits each; whether these are inside along the checked dimensions."""
    address, inside = base, truth(True)
    for position, stride in zip(positions, strides):
        address = add(address, multiply(position, scaled(resized(stride, "i64", signed=True), size)))
    for d in checked:
        bound = resized(shape[d], "i64", signed=True)
        inside = both(inside, negation(less(positions[d], number(0, "i64"))), less(positions[d], bound))
    return address, inside


def block_elements(op: Instruction, pointer: BlockPointer) -> tuple[Term, Term]:
    """Addresses of a block's elements, and which of them an access touches."""
    index = indices(pointer.block.shape)
    positions = [add(offset, resized(i, "i64", True)) for offset, i in zip(pointer.offsets, index)]
    checked = op.attributes.get("boundaryCheck", ())
    size = pointer.block.element.itemsize
    return elements_at(pointer.base, positions, pointer.strides, pointer.shape, checked, size)


@means("tt.make_tensor_ptr")
def make_tensor_ptr(walk: Any, op: Instruction, base: Term, *rest: Term) -> BlockPointer:
    """The block at offsets of a tensor with a shape and strides, in elements."""
    block = op.result_types[0].pointee
    rank = block.rank
    offsets = tuple(resized(offset, "i64", signed=True) for offset in rest[2 * rank :])
    return BlockPointer(base, rest[:rank], rest[rank : 2 * rank], offsets, block)


@means("tt.advance")
def advance(walk: Any, op: Instruction, pointer: BlockPointer, *offsets: Term) -> BlockPointer:
    """The block that many elements further; offsets do not wrap."""
    moved = [add(old, resized(more, "i64", signed=True)) for old, more in zip(pointer.offsets, offsets)]
    return replace(pointer, offsets=tuple(moved))


# --- descriptors


@means("tt.make_tensor_descriptor")
def make_tensor_descriptor(walk: Any, op: Instruction, base: Term, *rest: Term) -> Descriptor:
    """A tensor with a shape and strides, in elements."""
    block = op.result_types[0].pointee
    nan = truth(op.attributes.get("padding") == PAD_NAN)
    return Descriptor(base, rest[: block.rank], rest[block.rank :], nan, block)


def described(descriptor: Descriptor, offsets: tuple[Term, ...]) -> tuple[Term, Term]:
    """Addresses of the block at offsets, and which of them are inside."""
    shape = descriptor.block.shape
    places = [add(resized(o, "i64", True), resized(i, "i64", True)) for o, i in zip(offsets, indices(shape))]
    size = descriptor.block.element.itemsize
    return elements_at(descriptor.base, places, descriptor.strides, descriptor.shape, range(len(shape)), size)


def same_rank(op: Instruction, descriptor: Descriptor, shape: tuple[int, ...]) -> None:
    """Raises NotModelled where an access leaves out dimensions of the block."""
    if tuple(shape) != tuple(descriptor.block.shape):
        raise NotModelled("a block of another rank than its descriptor's", op)


@means("tt.descriptor_load")
def descriptor_load(walk: Any, op: Instruction, descriptor: Descriptor, *offsets: Term) -> Term:
    """The block at offsets, padding outside."""
    same_rank(op, descriptor, op.result_types[0].shape)
    return read_block(walk, descriptor, offsets)


def read_block(walk: Any, descriptor: Descriptor, offsets: tuple[Term, ...]) -> Term:
    """The result of descriptor_load."""
    address, mask = described(descriptor, offsets)
    sort = sort_of(replace(descriptor.block, text="", pointee=None))
    other = choose(descriptor.nan, padding(sort, True), padding(sort, False))
    return read(walk, address, mask, other, sort)


@means("tt.descriptor_store")
def descriptor_store(walk: Any, op: Instruction, descriptor: Descriptor, value: Term, *offsets: Term) -> tuple:
    """The block at offsets becomes the value, where inside."""
    same_rank(op, descriptor, op.operand_types[1].shape)
    write(walk, *described(descriptor, offsets), value)
    return ()


@means("tt.descriptor_reduce")
def descriptor_reduce(walk: Any, op: Instruction, descriptor: Descriptor, value: Term, *offsets: Term) -> tuple:
    """The block at offsets is combined with the value, where inside."""
    same_rank(op, descriptor, op.operand_types[1].shape)
    combine(walk, op.attributes["kind"], descriptor, value, offsets)
    return ()


def combine(walk: Any, kind: int, descriptor: Descriptor, value: Term, offsets: tuple[Term, ...]) -> None:
    """block = kind(block, value), an element after the other: a function of memory."""
    block = descriptor.block
    is_signed = "xsi" in block.text or block.text.startswith("tensor<si")
    touched(walk, GLOBAL, True)
    address, inside = described(descriptor, offsets)
    note_overlap(walk, address)
    written_at(walk, address, "atomic", (address, inside, value), ("tma", kind, is_signed, block.shape))


def rows_of(descriptor: Descriptor, rows: Term, column: Term, shape: tuple[int, ...]) -> tuple[Term, Term]:
    """Addresses of tensor[rows[i], column + j], and which of them are inside."""
    places = [resized(rows, "i64", True), add(resized(column, "i64", True), resized(indices(shape)[1], "i64", True))]
    size = descriptor.block.element.itemsize
    return elements_at(descriptor.base, places, descriptor.strides, descriptor.shape, range(2), size)


def read_rows(walk: Any, descriptor: Descriptor, rows: Term, column: Term, shape: tuple[int, ...]) -> Term:
    """The result of descriptor_gather."""
    address, mask = rows_of(descriptor, rows, column, shape)
    sort = sort_of(replace(descriptor.block, text="", pointee=None))
    other = choose(descriptor.nan, padding(sort, True), padding(sort, False))
    return read(walk, address, mask, other, sort)


@means("tt.descriptor_gather")
def descriptor_gather(walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term) -> Term:
    """result[i, j] = tensor[rows[i], column + j], padding outside."""
    return read_rows(walk, descriptor, rows, column, op.result_types[0].shape)


@means("tt.descriptor_scatter")
def descriptor_scatter(
    walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term, value: Term
) -> tuple:
    """tensor[rows[i], column + j] = value[i, j], where inside."""
    write(walk, *rows_of(descriptor, rows, column, op.operand_types[-1].shape), value)
    return ()


# --- other effects


@means(
    *("tt.print", *ASSERTIONS, "gpu.barrier", "ttg.barrier", "ttg.local_barrier"),
    *("tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents"),
)
def effect(walk: Any, op: Instruction, *operands: Term) -> tuple:
    """Done in the order of the program."""
    walk.effect(op, op.name, *operands)
    return ()


@means("llvm.intr.assume", "ttg.prefetch", "ttng.fence_async_shared")
def nothing(walk: Any, op: Instruction, *operands: Term) -> tuple:
    """A promise to the compiler, advice for caches, or a fence (`proxies.py`): it changes no value."""
    return ()


@means("tt.get_program_id", "tt.get_num_programs")
def program(walk: Any, op: Instruction) -> Term:
    """Which program this is, or how many there are."""
    axis = op.attributes["axis"]
    if op.name == "tt.get_num_programs":
        return along("programs", axis)
    return walk.places[axis] if axis in walk.places else along("program", axis)


@means("nvvm.read.ptx.sreg.nsmid")
def multiprocessors(walk: Any, op: Instruction) -> Term:
    """The number of multiprocessors: the same for all programs."""
    return make("multiprocessors", (), None, "i32")


def along(head: str, axis: int) -> Term:
    """The number of a CTA, or of all, along an axis of the grid."""
    return make(head, (), axis, "i32")
