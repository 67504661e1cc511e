"""Groups of warps of the kernel: what each does in its region, and what the others know of it (`groups.py`)."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Instruction, Region
from ttkit.validation.booleans import truth
from ttkit.validation.lowered.kernel_loops import has_barriers
from ttkit.validation.lowered.shared_memory import WARP, unknown
from ttkit.validation.meanings.groups import groups_of
from ttkit.validation.terms import MEMORY, Term, indices, make
from ttkit.validation.values import Buffer, NotModelled, View

SIGNALS = ("ttng.wait_barrier", "ttng.arrive_barrier", "ttng.barrier_expect")
PRODUCTS = ("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled", "ttng.tc_gen5_commit")
"""What notes its writes itself, because it also signals."""
STORES = ("ttg.local_store", "ttng.tmem_store")
"""Stores of threads, which the next signal makes known."""
TILES = ("ttng.async_tma_copy_global_to_local", "ttng.async_tma_gather", *SIGNALS, *PRODUCTS)
"""What changes buffers of all groups in their regions, as events."""


@dataclass
class Group:
    """One group.

    first: its first thread; threads: how many it has.
    start, end: memory where its region begins and ends.
    path: the condition under which it ends: that its loops have.
    registers: what each of its threads asks for.
    hidden: buffers of all groups that it does not use, and may not touch.
    written: those that its threads and products write.
    """

    number: int
    first: int
    threads: int
    start: Term
    end: Term
    path: Term
    registers: int
    hidden: tuple[Buffer, ...]
    written: frozenset[Buffer]


@dataclass
class Groups:
    """The groups of a kernel.

    shared: buffers that all of them know; used: those of them that the current one uses.
    last: its last signal; accessed: whether it may have accessed buffers since then.
    changed: buffers that it has written since then; written: at all.
    before, after: memory on both sides of them; kept: what buffers hold after them.
    context: where the kernel begins them.
    """

    shared: tuple[Buffer, ...]
    before: Term
    context: Any
    used: tuple[Buffer, ...] = ()
    last: Any = None
    accessed: bool = False
    changed: set[Buffer] = field(default_factory=set)
    written: set[Buffer] = field(default_factory=set)
    each: list[Group] = field(default_factory=list)
    after: Term | None = None
    kept: dict[Buffer, Term] = field(default_factory=dict)


def specialized(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The results of the default region, after all regions.

    Raises:
        NotModelled: groups in a branch or a loop, or twice.
    """
    if walk.groups is not None or len(walk.context) != 1 or walk.path is not truth(True):
        raise NotModelled("groups of warps in a loop or a branch, or several times", op)
    base, threads, context = walk.state.copy(), walk.threads, walk.context
    walk.groups = Groups(tuple(base.contents), base.memory, context)
    sizes = [threads // WARP, *op.attributes.get("partitionNumWarps", ())]
    starts = [0, *op.attributes.get("warpGroupStartIds", ())]
    registers = op.attributes.get("actualRegisters", ())
    if not len(sizes) == len(starts) == len(registers):
        raise NotModelled("groups of which it is not known which warps they have", op)
    found: list[Any] = []
    for number, (region, given) in enumerate(groups_of(op, frame)):
        start = make("effect", (base.memory,), (("group", number), (), ()), MEMORY)
        walk.state, walk.threads = base.copy(), WARP * sizes[number]
        walk.state.memory, walk.context, walk.path = start, (*context, ("group", number)), truth(True)
        walk.groups.used = used_in(region, {**frame, **dict(zip(region.blocks[0].arguments, given))}, base.contents)
        walk.groups.last, walk.groups.changed, walk.groups.written = None, set(), set()
        results = walk.region(region, frame, given)
        found.append((results, walk.state))
        size, end = walk.threads, walk.state.memory
        hidden = tuple(one for one, held in base.contents.items()
                       if one not in walk.groups.used and not has_barriers(held))  # fmt: skip
        walk.groups.each.append(
            Group(
                number,
                WARP * starts[number],
                size,
                start,
                end,
                walk.path,
                registers[number],
                hidden,
                frozenset(walk.groups.written),
            )
        )
    walk.threads, walk.context, walk.path = threads, context, walk.groups.each[0].path
    walk.state = found[0][1]
    walk.state.memory = walk.groups.after = make("groups", [state.memory for _, state in found], None, MEMORY)
    for place, buffer in enumerate(base.contents):
        walk.state.contents[buffer] = base.contents[buffer]
        if not has_barriers(base.contents[buffer]):
            walk.state.contents[buffer] = make("call", indices(buffer.shape), ("after groups", place), buffer.sort)
        walk.groups.kept[buffer] = walk.state.contents[buffer]
    return found[0][0]


def used_in(region: Region, frame: dict[int, Any], buffers: Container[Buffer]) -> tuple[Buffer, ...]:
    """Those of some buffers of which the operations of a region take a view."""
    slots = dict.fromkeys(slot for op in region.operations() for slot in op.operands)
    views = [view for slot in slots if isinstance(view := frame.get(slot), View) and view.buffer in buffers]
    return tuple(dict.fromkeys(view.buffer for view in views))


def in_region(walk: Any) -> bool:
    """Whether the kernel is in a region of a group."""
    return walk.groups is not None and walk.groups.after is None


def data_of(walk: Any) -> list[Buffer]:
    """The buffers of all groups that hold no barriers, and that this one uses."""
    return [one for one, held in walk.state.contents.items() if one in walk.groups.used and not has_barriers(held)]


def receive(walk: Any) -> None:
    """Gives buffers of all groups new contents, which hold after a signal.

    Raises:
        NotModelled: the signal has a condition.
    """
    if not in_region(walk):
        return
    signal = walk.signals.get(walk.state.memory)
    if signal is None or signal.condition is not truth(True):
        raise NotModelled("a signal of a group under a condition")
    if not walk.groups.accessed and walk.groups.last is not None:
        walk.groups.last.received = dict.fromkeys(walk.groups.last.received, unknown())  # which nobody reads
    walk.groups.last, walk.groups.accessed = signal, False
    signal.released = released(walk)
    for buffer in data_of(walk):
        name = ("received", walk.state.memory.number, walk.groups.shared.index(buffer))
        signal.received[buffer] = walk.state.contents[buffer] = make("call", indices(buffer.shape), name, buffer.sort)


def released(walk: Any) -> dict[Buffer, Term]:
    """The contents of buffers of all groups that this one has written since its last signal."""
    found = {one: walk.state.contents[one] for one in walk.groups.changed}
    walk.groups.changed = set()
    return found


def note_write(walk: Any, buffer: Buffer) -> None:
    """A group writes to a buffer."""
    if in_region(walk):
        walk.groups.accessed = True
        if buffer in walk.groups.shared:
            walk.groups.changed.add(buffer)
            walk.groups.written.add(buffer)


def note_writes(walk: Any, op: Instruction, before: dict[Buffer, Term]) -> None:
    """Notes what threads of a group have written to buffers of all.

    Raises:
        NotModelled: it is done in the background, or to barriers.
    """
    after = walk.state.contents
    changed = [one for one in walk.groups.shared if after.get(one) is not before.get(one)]
    if op.name in TILES or not changed:
        return
    if op.name not in STORES or any(has_barriers(before[one]) for one in changed):
        raise NotModelled("threads of a group that store to a buffer of all groups", op)
    for one in changed:
        note_write(walk, one)


def check_known(walk: Any) -> None:
    """Raises NotModelled if a block ends before a signal makes known what its group has written."""
    if walk.groups.changed:
        raise NotModelled("a group that writes to a buffer of all groups, and signals that in another block")


def note_access(walk: Any, op: Instruction) -> None:
    """Notes that an operation may access buffers: it takes a view, and neither makes one nor is a signal."""
    if op.name not in SIGNALS and not op.name.startswith("ttg.memdesc_"):
        walk.groups.accessed |= any(kind.text.startswith("!ttg.memdesc") for kind in op.operand_types)
