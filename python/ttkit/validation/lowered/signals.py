"""Mbarriers and copies by TMA in the kernel: events in the order of the program, which lowered code repeats.

A copy by TMA is done at once here, as what else runs in the background (`synchronous.py`).  Initializing a barrier,
announcing bytes, arriving, waiting, a copy and a wait for stores are each an event of the memory's chain.  So lowered
code that says something else, at another barrier, in another order or not at all has no next event, and is not proved.
It is taken to hold that the kernel's own protocol is right: what waits for a copy waits for its phase.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose, truth
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import add, multiply, number, sum_of
from ttkit.validation.lowered.bits import bytes_of
from ttkit.validation.lowered.buffers import address_of, table
from ttkit.validation.lowered.kernel_groups import receive
from ttkit.validation.lowered.synchronous import at_once
from ttkit.validation.meanings.buffers import contents, put
from ttkit.validation.meanings.memory import combine, described, padding, rows_of, write
from ttkit.validation.terms import MEMORY, Term, at_place, indices, make
from ttkit.validation.values import Descriptor, NotModelled, View, sort_of

BARRIER_BYTES = 8


@dataclass
class Signal:
    """An event of the protocol.

    name: what is done.
    address: of the barrier in shared memory; -1 without one, or if it is a choice; place: the same as a term.
    held: what the kernel has at the barrier then.
    terms: what it depends on, such as a phase.
    condition: under which it is done.
    numbers: arrivals, bytes, groups.
    tile: of a copy.
    received: what buffers of all groups of warps hold after it; released: those that this one has written, before it.
    """

    name: str
    address: int = -1
    held: Term | None = None
    terms: tuple[Term, ...] = ()
    condition: Term = field(default_factory=lambda: truth(True))
    numbers: tuple[int, ...] = ()
    tile: Tile | None = None
    received: dict[Any, Term] = field(default_factory=dict)
    released: dict[Any, Term] = field(default_factory=dict)
    place: Term = field(default_factory=lambda: number(-1, "i64"))


@dataclass
class Tile:
    """A copy of a block between global and shared memory.

    descriptor: of the tensor.
    coordinates: of the block, outermost first; of a copy of chosen rows their numbers come first, as a tensor.
    value: the elements, as a function of their index.
    before: what the view held before a copy to it.
    places: by element its address in shared memory.
    sort: of elements.
    """

    descriptor: Descriptor
    coordinates: tuple[Term, ...]
    value: Term
    before: Term | None
    places: np.ndarray
    sort: str


@dataclass(frozen=True)
class Map:
    """The fields of a tensor map: innermost dimension first, strides in bytes."""

    base: Term
    box: tuple[Term, ...]
    sizes: tuple[Term, ...]
    strides: tuple[Term, ...]
    element_strides: tuple[Term, ...]
    codes: tuple[int, int, int, int]
    """Type of elements, interleaving, swizzle, fill."""


@dataclass(frozen=True)
class Encoded(Descriptor):
    """A descriptor that the kernel has written as a tensor map."""

    map: Map


def signal(walk: Any, event: Signal) -> None:
    """The next event of the kernel."""
    key = ("signal", event.name, event.address, *event.numbers)
    args = (walk.state.memory, event.condition, event.place, *event.terms)
    walk.state.memory = make("effect", args, key, MEMORY)
    walk.signals[walk.state.memory] = event


def at_barrier(walk: Any, op: Instruction, name: str, view: View, *terms: Term, numbers: tuple[int, ...] = (),
               condition: Term | None = None) -> None:  # fmt: skip
    """An event at a barrier, if its condition may hold."""
    condition = truth(True) if condition is None else condition
    if condition.is_const and not condition.attr:
        return
    signal(walk, Signal(name, **barrier_of(walk, op, view), terms=terms, condition=condition, numbers=numbers))


def barrier_of(walk: Any, op: Instruction, view: View) -> dict[str, Any]:
    """The place of a barrier, and what is there."""
    at = address_of(walk, op, view)
    held = at_place(contents(walk, view), [(d, 0) for d in range(len(view.shape))])
    return {"address": at.attr if at.is_const else -1, "place": at, "held": held}


def places_of(walk: Any, op: Instruction, view: View) -> np.ndarray:
    """By the index of an element of a view its address in shared memory; -1 where it depends on more than the index.

    Raises:
        NotModelled: it is not known where the buffer is.
    """
    made = walk.buffers.get(view.buffer)
    if made is None or "allocation.offset" not in made.attributes:
        raise NotModelled("a buffer of which it is not known where it is", op)
    grids = np.indices(view.shape)
    index = tuple(numbers_at(place, grids) for place in view.places(indices(view.shape)))
    if any(place is None for place in index):
        return np.broadcast_to(np.int64(-1), view.shape)
    size = bytes_of(view.buffer.sort)
    found = table(made.result_types[0].text)[index] * size + int(made.attributes["allocation.offset"])
    return np.broadcast_to(found, view.shape)


def numbers_at(term: Term, grids: np.ndarray) -> Any:
    """A place of a buffer for each index of a view; None if it is not a sum of indices and numbers."""
    total: Any = 0
    for key, factor in sum_of(term).items():
        if not key:
            total = total + factor
        elif len(key) == 1 and key[0].head == "x":
            total = total + factor * grids[key[0].attr[0]]
        else:
            return None
    return total


# --- mbarriers


@at_once("ttng.init_barrier")
def init_barrier(walk: Any, op: Instruction, view: View) -> tuple:
    """The barrier stands in shared memory."""
    put(walk, view, make("call", (), ("mbarrier", op.attributes["count"]), "i64"))
    at_barrier(walk, op, "init", view, numbers=(op.attributes["count"],))
    return ()


@at_once("ttng.inval_barrier")
def inval_barrier(walk: Any, op: Instruction, view: View) -> tuple:
    """Its bytes are free."""
    at_barrier(walk, op, "inval", view)
    put(walk, view, make("undefined", (), "empty", "i64"))
    return ()


@at_once("ttng.barrier_expect")
def barrier_expect(walk: Any, op: Instruction, view: View, condition: Term) -> tuple:
    """Arrives once, and adds bytes to those that the phase waits for."""
    at_barrier(walk, op, "expect", view, numbers=(op.attributes["size"],), condition=condition)
    receive(walk)
    return ()


@at_once("ttng.arrive_barrier")
def arrive_barrier(walk: Any, op: Instruction, view: View, condition: Term | None = None) -> tuple:
    """Arrives `count` times."""
    at_barrier(walk, op, "arrive", view, numbers=(op.attributes["count"],), condition=condition)
    receive(walk)
    return ()


@at_once("ttng.wait_barrier")
def wait_barrier(walk: Any, op: Instruction, view: View, phase: Term, *rest: Any) -> tuple:
    """Waits for a phase."""
    condition = rest[0] if op.attributes["operandSegmentSizes"][2] else None
    at_barrier(walk, op, "wait", view, phase, condition=condition)
    receive(walk)
    return ()


# --- copies of tiles


def tile_of(walk: Any, op: Instruction, descriptor: Descriptor, coordinates: tuple[Term, ...], view: View,
            value: Term, before: Term | None) -> Tile:  # fmt: skip
    """A copy.

    Raises:
        NotModelled: of a block with more dimensions than the buffer.
    """
    if len(coordinates) != len(view.shape) or len(descriptor.shape) != len(view.shape):
        raise NotModelled("a copy of a block of another rank than its buffer's", op)
    return Tile(descriptor, coordinates, value, before, places_of(walk, op, view), view.buffer.sort)


def block_of(descriptor: Descriptor, view: View) -> Descriptor:
    """The descriptor with the block that a view holds."""
    return replace(descriptor, block=replace(descriptor.block, shape=view.shape))


@at_once("ttng.async_tma_copy_global_to_local")
def copy_in(walk: Any, op: Instruction, descriptor: Descriptor, *rest: Any) -> tuple:
    """The view holds the block.

    Raises:
        NotModelled: the block is of images, or for several CTAs.
    """
    *coordinates, barrier, view, condition = rest
    if op.operand_types[0].text.endswith(", im2col>") or "multicast" in op.attributes:
        raise NotModelled("a copy of pixels of an image, or for several CTAs", op)
    if condition.is_const and not condition.attr:
        return ()
    elements = described(block_of(descriptor, view), tuple(coordinates))
    brought(walk, op, "load", descriptor, tuple(coordinates), elements, barrier, view, condition)
    return ()


def brought(walk: Any, op: Instruction, name: str, descriptor: Descriptor, coordinates: tuple[Term, ...],
            elements: tuple[Term, Term], barrier: View, view: View, condition: Term) -> None:  # fmt: skip
    """A copy has brought elements, by their address and whether they are inside, to a view."""
    address, inside = elements
    sort = sort_of(replace(descriptor.block, text="", pointee=None))
    other = choose(descriptor.nan, padding(sort, True), padding(sort, False))
    value = choose(inside, make("read", (walk.state.memory, address), None, sort), other)
    before = contents(walk, view)
    put(walk, view, choose(condition, value, before))
    tile = tile_of(walk, op, descriptor, coordinates, view, value, before)
    signal(walk, Signal(name, **barrier_of(walk, op, barrier), condition=condition, tile=tile))


@at_once("ttng.async_tma_gather")
def gather_in(
    walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term, barrier: View, view: View, on: Term
) -> tuple:
    """The view holds chosen rows."""
    if not (on.is_const and not on.attr):
        elements = rows_of(descriptor, rows, column, view.shape)
        brought(walk, op, "gather", descriptor, (rows, column), elements, barrier, view, on)
    return ()


@at_once("ttng.async_tma_scatter")
def scatter_out(walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term, view: View) -> tuple:
    """Chosen rows in memory become the view."""
    value = contents(walk, view)
    tile = tile_of(walk, op, descriptor, (rows, column), view, value, None)
    write(walk, *rows_of(descriptor, rows, column, view.shape), value)
    walk.signals[walk.state.memory] = Signal("scatter", tile=tile)
    return ()


@at_once("ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")
def copy_out(walk: Any, op: Instruction, descriptor: Descriptor, *rest: Any) -> tuple:
    """The block in memory becomes the view, or is combined with it."""
    *coordinates, view = rest
    value, block = contents(walk, view), block_of(descriptor, view)
    tile = tile_of(walk, op, descriptor, tuple(coordinates), view, value, None)
    if op.name == "ttng.async_tma_reduce":
        combine(walk, op.attributes["kind"], block, value, tuple(coordinates))
        name = f"reduce {op.attributes['kind']}"
    else:
        write(walk, *described(block, tuple(coordinates)), value)
        name = "store"
    walk.signals[walk.state.memory] = Signal(name, tile=tile)
    return ()


@at_once("ttng.async_tma_store_wait")
def store_wait(walk: Any, op: Instruction) -> tuple:
    """All stores but the newest ones have read their views, and are in memory where it waits for writes."""
    signal(walk, Signal("store wait", numbers=(op.attributes["pendings"], int(op.attributes.get("read_only", True)))))
    return ()


# --- tensor maps


@at_once("ttg.global_scratch_alloc")
def global_scratch_alloc(walk: Any, op: Instruction) -> Term:
    """Memory of this program alone: its part of what the launch brings.

    Raises:
        NotModelled: in a function that is called, or with no known place.
    """
    module = walk.module.attributes
    offset, size = op.attributes.get("ttg.global_scratch_memory_offset"), module.get("ttg.global_scratch_memory_size")
    if offset is None or size is None or walk.calls != 1:
        raise NotModelled("scratch memory whose place is not known", op)
    x, y, z = (make("program", (), axis, "i32") for axis in range(3))
    across, down = (make("programs", (), axis, "i32") for axis in range(2))
    linear = add(multiply(add(multiply(z, down), y), across), x)
    start = resized(multiply(linear, number(int(size), "i32")), "i64", signed=True)
    base = make("argument", (), walk.scratch_argument, "i64")
    return add(add(base, start), number(int(offset), "i64"))


@at_once("ttng.tensormap_create")
def tensormap_create(walk: Any, op: Instruction, *operands: Term) -> tuple:
    """Remembers a map at a pointer."""
    pointer, base, box, sizes, strides, steps = op.segments(operands)
    codes = tuple(int(op.attributes[n]) for n in ("elem_type", "interleave_layout", "swizzle_mode", "fill_mode"))
    walk.state.maps[pointer[0]] = Map(base[0], tuple(box), tuple(sizes), tuple(strides), tuple(steps), codes)  # type: ignore[arg-type]
    return ()


@at_once("ttng.tensormap_fenceproxy_acquire")
def acquire(walk: Any, op: Instruction, pointer: Term) -> tuple:
    """Copies see the map; all threads synchronize, which orders no effect of the kernel."""
    return ()


@at_once("ttng.reinterpret_tensor_descriptor")
def reinterpret(walk: Any, op: Instruction, pointer: Term) -> Descriptor:
    """The descriptor at a pointer.

    Raises:
        NotModelled: nothing has written one there, or it does not fit the type.
    """
    from ttkit.validation.meanings.tensor_maps import divided

    block, found = op.result_types[0].pointee, walk.state.maps.get(pointer)
    if found is None:
        raise NotModelled("a descriptor that another part of the program has written", op)
    if len(found.sizes) != block.rank or len(found.strides) != block.rank - 1:
        raise NotModelled("a descriptor of another rank", op)
    steps = [divided(op, stride, block.element.itemsize) for stride in found.strides[::-1]]
    strides = (*steps, number(1, "i64"))
    return Encoded(found.base, found.sizes[::-1], strides, truth(bool(found.codes[3])), block, found)
