"""mbarriers and copies by TMA, where loops are followed one iteration after the other.

A barrier is (arrivals of a phase, arrivals that are missing, bytes that are missing, phases that waits have seen end,
phases that end), of numbers.  What a copy brings is in flight until a wait finds the copy's phase over.  Work in the
background may end later than it is followed here: a wait is for the first phase that no wait has seen end.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.ops.mbarrier import arrivals_at_each
from ttkit.interpreter.ops.tma import cta_split
from ttkit.validation.happens_before import touched
from ttkit.validation.integers import number
from ttkit.validation.meanings.asynchronous import ended, in_background, landed
from ttkit.validation.meanings.buffers import held, put
from ttkit.validation.meanings.memory import combine, described, read_block, read_rows, rows_of, write
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, make
from ttkit.validation.values import Buffer, Descriptor, NotModelled, View, parts_of

MULTICAST = "that other CTAs get the same"
Barrier = tuple[int, int, int, int, int]
Place = tuple[Buffer, tuple[int, ...]]


def known(op: Instruction, term: Term) -> int:
    """A number that must be known.

    Raises:
        NotModelled: it is not.
    """
    if not term.is_const:
        raise NotModelled("its predicate, phase or slot is not known", op)
    return term.attr


def place_of(op: Instruction, view: View) -> Place:
    """Which barrier a view is."""
    zero = number(0, "i32")
    return view.buffer, tuple(known(op, at) for at in view.places([zero] * len(view.shape)))


def barrier_at(walk: Any, op: Instruction, view: View) -> tuple[Place, Barrier]:
    """A barrier and what it is.

    Raises:
        NotModelled: there is none.
    """
    place = place_of(op, view)
    if place not in walk.state.barriers:
        raise NotModelled("no mbarrier has been initialized here", op)
    touched(walk, view, False)
    return place, walk.state.barriers[place]


def settled(barrier: Barrier) -> Barrier:
    """The barrier in the next phase, if nothing is missing in this one."""
    count, pending, size, seen, phase = barrier
    return (count, count, 0, seen, phase + 1) if pending == 0 and size == 0 else barrier


def arrive(walk: Any, op: Instruction, view: View, count: int, size: int) -> None:
    """Arrivals, and more bytes to wait for.

    Raises:
        NotModelled: the phase waits for fewer.
    """
    place, (all_of, pending, missing, seen, phase) = barrier_at(walk, op, view)
    if pending < count:
        raise NotModelled("more arrivals at a barrier than its phase waits for", op)
    changed(walk, place, (all_of, pending - count, missing + size, seen, phase))


def arrive_now(walk: Any, op: Instruction, view: View, count: int, size: int) -> None:
    """Arrivals of threads, and more bytes to wait for.

    Raises:
        NotModelled: the phase waits for fewer, or work in the background may not have ended the phase before.
    """
    place, (all_of, _, _, seen, phase) = barrier_at(walk, op, view)
    if walk.order is None and seen != phase:
        raise NotModelled("nothing says that the phase before has ended when it arrives", op)
    arrive(walk, op, view, count, size)
    if count == all_of and not size:  # nobody else has a part in this phase
        seen_end(walk, place, phase + 1)


def seen_end(walk: Any, place: Place, phases: int) -> None:
    """So many phases are known to have ended."""
    *others, _, over = walk.state.barriers[place]
    walk.state.barriers[place] = (*others, phases, over)


def changed(walk: Any, place: Place, barrier: Barrier) -> None:
    """Arrivals or bytes have come to a barrier."""
    walk.state.barriers[place] = now = settled(barrier)
    if walk.order is not None:
        walk.order.arrives(walk, place, barrier[-1], walk.order.now(walk))
        if now[-1] != barrier[-1]:
            walk.order.ends(walk, place, barrier[-1])


@means("ttng.init_barrier")
def init_barrier(walk: Any, op: Instruction, view: View) -> tuple:
    """Phase 0 ends after `count` arrivals."""
    count = op.attributes["count"]
    place = place_of(op, view)
    touched(walk, view, True)
    walk.state.barriers[place] = (count, count, 0, 0, 0)
    if walk.order is not None:
        walk.order.begins(place)
    return ()


@means("ttng.inval_barrier")
def inval_barrier(walk: Any, op: Instruction, view: View) -> tuple:
    """There is no barrier any more."""
    place, _ = barrier_at(walk, op, view)
    touched(walk, view, True)
    del walk.state.barriers[place]
    return ()


@means("ttng.barrier_expect")
def barrier_expect(walk: Any, op: Instruction, view: View, predicate: Term) -> tuple:
    """Arrives once, and adds bytes to those that the phase waits for."""
    if known(op, predicate):
        arrive_now(walk, op, view, 1, op.attributes["size"])
    return ()


@means("ttng.arrive_barrier")
def arrive_barrier(walk: Any, op: Instruction, view: View, predicate: Term | None = None) -> tuple:
    """Arrives `count` times, or so often for each CTA that arrives there."""
    if predicate is None or known(op, predicate):
        arrive_now(walk, op, view, arrivals_at_each(op), 0)
    return ()


@means("ttng.wait_barrier")
def wait_barrier(walk: Any, op: Instruction, view: View, phase: Term, *rest: Any) -> tuple:
    """Waits until a phase of that parity is over; what its copies brought has arrived.

    Raises:
        NotModelled: it never is, or another phase may be over when it ends.
    """
    if op.attributes["operandSegmentSizes"][2] and not known(op, rest[0]):
        return ()
    place, (*_, over, last) = barrier_at(walk, op, view)
    if walk.order is not None:
        over = ended_phases(walk, op, place, known(op, phase))
    else:
        over += over & 1 == known(op, phase) & 1
        if over > last:
            reason = "a barrier whose phase does not end: a deadlock, or a wait for another group of warps"
            raise NotModelled(reason, op)
        if over < last:
            raise NotModelled("a wait that may end before or after another phase of its barrier", op)
        seen_end(walk, place, over)
    landed(walk, lambda tag: isinstance(tag, tuple) and tag[0] == place and tag[1] < over)
    for one, other, serial in walk.state.arrivals:
        if one == place and other < over:
            landed(walk, lambda tag, last=serial: isinstance(tag, tuple) and tag[0] == "tensor core" and tag[1] <= last)
            ended(walk, lambda number, last=serial: number <= last)
    return ()


def ended_phases(walk: Any, op: Instruction, place: Place, parity: int) -> int:
    """The phases that are over when a wait ends, where groups of warps run at the same time.

    Raises:
        NotModelled: it does not end, or others go on before it does.
    """
    phase = walk.order.next_phase(walk, place, parity)

    def ready(barriers: dict[Place, Barrier]) -> bool:
        """Whether the phase has ended."""
        return place in barriers and barriers[place][-1] > phase

    if not ready(walk.state.barriers) and not (walk.together is not None and walk.together.wait(walk, ready)):
        raise NotModelled("a phase that does not end: a deadlock", op)
    if walk.state.barriers[place][-1] > phase + 1:
        raise NotModelled("another phase of the barrier ends before this wait", op)
    walk.order.waited(walk, place, phase)
    return phase + 1


# --- TMA


@means("ttng.async_tma_copy_global_to_local")
def copy_in(walk: Any, op: Instruction, descriptor: Descriptor, *rest: Any) -> tuple:
    """The view holds the block when the barrier's phase is over.

    Raises:
        NotModelled: the block is of images.
    """
    *coordinates, barrier, view, predicate = rest
    if op.operand_types[0].text.endswith(", im2col>"):
        raise NotModelled("a copy of pixels of an image", op)
    if op.attributes.get("multicast"):
        walk.promises.setdefault((op.name, MULTICAST, ()), op)
    if known(op, predicate):
        if op.attributes.get("isVolatile"):
            walk.effect(op, "volatile", *parts_of(descriptor), *coordinates)
        block = replace(descriptor, block=replace(descriptor.block, shape=view.shape))
        with of_a_copy(walk):
            value = read_block(walk, block, tuple(coordinates))
            brought(walk, op, barrier, view, value, op.operand_types[-2].text)
    return ()


def brought(walk: Any, op: Instruction, barrier: View, view: View, value: Term, kind: str) -> None:
    """The elements that a copy brings to a view are in flight, and their bytes count at the barrier."""
    place, (count, pending, missing, seen, phase) = barrier_at(walk, op, barrier)
    put(walk, view, make("in flight", (value,), (place, phase), value.sort))
    size = math.prod(view.shape) * op.operand_types[0].pointee.element.itemsize // cta_split(kind)
    changed(walk, place, (count, pending, missing - size, seen, phase))


def of_a_copy(walk: Any) -> AbstractContextManager[None]:
    """Accesses inside are those of a copy that begins now."""
    return walk.order.during(walk.order.copy(walk)) if walk.order is not None else nullcontext()


@means("ttng.async_tma_gather")
def gather_in(
    walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term, barrier: View, view: View, on: Term
) -> tuple:
    """The view holds the rows when the barrier's phase is over."""
    if known(op, on):
        with of_a_copy(walk):
            value = read_rows(walk, descriptor, rows, column, view.shape)
            brought(walk, op, barrier, view, value, op.operand_types[4].text)
    return ()


@means("ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")
def copy_out(walk: Any, op: Instruction, descriptor: Descriptor, *rest: Any) -> tuple:
    """The block in memory becomes the view, or is combined with it, which must stay until it has been waited for."""
    *coordinates, view = rest
    with in_background(walk, "store"):
        value = held(walk, view)
    block = replace(descriptor, block=replace(descriptor.block, shape=view.shape))
    if op.name == "ttng.async_tma_reduce":
        combine(walk, op.attributes["kind"], block, value, tuple(coordinates))
    else:
        write(walk, *described(block, tuple(coordinates)), value)
    walk.state.stores = (*walk.state.stores, view)
    return ()


@means("ttng.async_tma_scatter")
def scatter_out(walk: Any, op: Instruction, descriptor: Descriptor, rows: Term, column: Term, view: View) -> tuple:
    """The rows in memory become the view, which must stay until it has been waited for."""
    with in_background(walk, "store"):
        value = held(walk, view)
    write(walk, *rows_of(descriptor, rows, column, view.shape), value)
    walk.state.stores = (*walk.state.stores, view)
    return ()


@means("ttng.async_tma_store_wait")
def store_wait(walk: Any, op: Instruction) -> tuple:
    """All stores but the newest ones have read their views; a wait for writes is an effect that no pass may lose."""
    pending = op.attributes["pendings"]
    if not op.attributes.get("read_only", True):
        walk.effect(op, "written")
    if walk.order is not None:
        walk.order.finish(walk, "store", pending)
    walk.state.stores = walk.state.stores[-pending:] if pending else ()
    return ()


@means("ttng.fence_mbarrier_init_release_cluster")
def nothing(walk: Any, op: Instruction, *operands: Any) -> tuple:
    """Orders what is in order here."""
    return ()
