"""Groups of warps: each is compared with its region of the kernel by itself.

What a group finds where it waits depends on what the others have done until then, and they go on where it arrives.  So
after each signal buffers that all groups know hold what was received, the same on both sides and another thing than
before: if each group makes the same signals in the same order and copies the same tiles to the same bytes, both
programs do the same.  It is taken to hold that the kernel's own protocol is right: the proof of the passes before looks
at that.

Lowered code begins and ends groups at barriers of all warps, where each group must synchronize as often:

    1   the first group has stored, for each other warp, the number of its region
    2   all have read that; the regions begin
    3   the regions have ended
    4   the first group has stored that there is nothing more to do

Programs that leave before groups begin have the first barrier alone, before which the first group has stored that there
is nothing to do (`early_leave.py`).

Between these barriers no group touches what another one writes, but for the buffers of all in the regions.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ttkit.interpreter.decode import Block, Instruction, Region
from ttkit.target import MOST_REGISTERS
from ttkit.validation.booleans import truth
from ttkit.validation.lowered.bits import bytes_of
from ttkit.validation.lowered.buffers import bytes_in, check, elements_in, hold
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.registers import Register, uniform
from ttkit.validation.lowered.shared_memory import NOBODY, WARP, Cell, SharedMemory, unknown
from ttkit.validation.terms import MEMORY, Term, make
from ttkit.validation.values import Buffer, NotModelled

MEETINGS, OF_LEAVING = 4, 1
REGIONS = 2
"""The barrier of all warps after which the regions run."""
DISPATCHES = (1, 4)
"""The barriers of all warps after which the others read what they are to do."""
NOTHING = -1
"""What ends the warps of the other groups."""


@dataclass
class Meetings:
    """Facts that groups of lowered code tell each other.

    snapshots: shared memory of the first group at a barrier of all; those before groups begin have negative numbers.
    maps: tensor maps of the first group then.
    names: which group uses which barrier.
    logs: what each group has touched in shared memory.
    count: barriers of all warps.
    """

    snapshots: dict[int, SharedMemory] = field(default_factory=dict)
    maps: dict[Term, Any] = field(default_factory=dict)
    names: dict[int, int] = field(default_factory=lambda: {1: NOTHING})
    logs: dict[int, Any] = field(default_factory=dict)
    count: int = MEETINGS


def region_of(region: Region, number: int, meetings: int) -> Region:
    """The blocks of lowered code that a group goes through, in its order: what leads elsewhere ends in no block.

    meetings: barriers of all warps.

    Raises:
        NotModelled: warps are not told in one block what they are to do.
    """
    dispatches = [n for n, one in enumerate(region.blocks) if one.instructions[-1].name == "llvm.switch"]
    if len(dispatches) != 1 or dispatches[0] not in region.blocks[0].instructions[-1].successors:
        raise NotModelled("groups of warps that are begun in another way")
    [dispatch] = dispatches
    nowhere = Block((), [Instruction("no way of this group", (), (), (), (), {}, "unknown")])
    made: list[Block] = [nowhere, nowhere]
    places = {(0, 0): 0}
    in_turn = [NOTHING] if meetings == OF_LEAVING else [number - 1, NOTHING]
    wanted = dict(enumerate(in_turn, 1)) if number else {}

    def place(turn: int, block: int) -> int:
        """The place of a block in a turn; turn 0 comes before warps are told what to do."""
        turn += block == dispatch
        if turn > len(wanted) or (number and not turn):
            return 1
        if (turn, block) not in places:
            places[turn, block] = len(made)
            made.append(nowhere)
            made[places[turn, block]] = follow(turn, block)
        return places[turn, block]

    def follow(turn: int, number_: int) -> Block:
        """A block whose successors are those of the group."""
        block = region.blocks[number_]
        *others, last = block.instructions
        targets = [place(turn, one) for one in last.successors] if number_ != dispatch else [1] * len(last.successors)
        if number_ == dispatch:
            cases = list(map(int, last.attributes["case_values"]))
            # Groups with one copy of the code have the number of the first of them.
            told = max((case for case in cases if NOTHING < case <= wanted[turn]), default=wanted[turn])
            if told in cases:
                case = cases.index(told) + 1
                targets[case] = place(turn, last.successors[case])
        return Block(block.arguments, [*others, replace(last, successors=tuple(targets))], block.uses, block.makes)

    made[0] = follow(0, 0)
    return Region(made)


def gather(machine: Any, op: Instruction) -> None:
    """All warps synchronize before they are told what to do: the others know what the first group has done.

    Raises:
        NotModelled: groups have begun, or only some threads reach the barrier.
    """
    group, snapshots = machine.group, machine.meetings.snapshots
    machine.all_here("a barrier of all warps")
    machine.gathered += 1
    if machine.met or machine.path is not truth(True):
        raise NotModelled("a barrier of some threads", op)
    if not group.number:
        snapshots[-machine.gathered] = machine.state.shared.copy()
    elif -machine.gathered not in snapshots:
        raise NotModelled("a barrier of all warps that the first group does not reach", op)
    else:
        log = machine.state.shared.log
        machine.state.shared = snapshots[-machine.gathered].copy()
        machine.state.shared.log = log
    machine.state.shared.log.turn = -machine.gathered
    machine.state.shared.synchronize()


def meet(machine: Any, op: Instruction, name: Register) -> tuple:
    """A barrier of all warps.

    Raises:
        NotModelled: only some threads of the group reach it, or not all that they must have done is done.
    """
    group, shared = machine.group, machine.state.shared
    if group is None or uniform(name) is not make("const", (), 1, "i32"):
        raise NotModelled("a barrier with a name", op)
    machine.all_here("a barrier of all warps")
    groups = machine.source.groups
    machine.met += 1
    if machine.path is not (group.path if machine.met > REGIONS else truth(True)):
        raise NotModelled("a barrier of all warps under a condition", op)
    at, is_first = machine.met, group.number == 0
    busy = [shared.products.pending, shared.stores.pending, *shared.flights.values()]
    if any(busy) or (shared.tiles and at != REGIONS + 1) or at > machine.meetings.count:
        raise NotModelled("a barrier of all warps with work in the background, or one too many", op)
    check_registers(machine, op, group.registers if at in (REGIONS, REGIONS + 1) else machine.source.registers)
    if at == 1 and min([0, *machine.meetings.snapshots]) != -machine.gathered:
        raise NotModelled("a group that is not at all barriers of all warps before groups begin", op)
    if is_first and at in DISPATCHES:
        if at == 1 and machine.state.memory is not groups.before:
            raise NotModelled("groups begin before what comes before them is done", op)
        machine.meetings.snapshots[at], machine.meetings.maps = shared.copy(), dict(machine.state.maps)
    elif at in DISPATCHES:
        if at not in machine.meetings.snapshots:
            raise NotModelled("a barrier of all warps that the first group does not reach", op)
        machine.state.shared = machine.meetings.snapshots[at].copy()
        machine.state.shared.log, machine.state.maps = shared.log, dict(machine.meetings.maps)
    elif at == REGIONS:
        machine.context = (*machine.context, ("group", group.number))
        machine.state.memory, shared.since = group.start, set()
        for buffer in group.hidden:
            for address in bytes_in(machine.source.buffers[buffer]):
                machine.state.shared.cells.pop(address, None)
    else:
        if at == REGIONS + 1:
            check_released(machine, {})
        if machine.state.memory is not group.end:
            raise NotModelled("a region that ends before all is done", op)
        machine.context = machine.context[:-1]
        ended = make("memory", (), ("ended", group.number), MEMORY)
        machine.state.memory = groups.after if is_first else ended
        shared.forget(False)
        if is_first:
            hold_after(machine)
    machine.state.shared.log.turn = at
    machine.state.shared.synchronize()
    return ()


def hold_after(machine: Any) -> None:
    """Memory has what buffers of all groups hold after them."""
    for buffer, held in machine.source.groups.kept.items():
        hold(machine.state.shared, machine.source.buffers[buffer], buffer, held, {}, {})


def named(machine: Any, op: Instruction, name: Register, count: Register) -> None:
    """Raises NotModelled unless a barrier is of all threads of the group, and of none of another one."""
    group, (number, size) = machine.group, (uniform(one) for one in (name, count))
    if group is None or not (number.is_const and size.is_const and 0 <= number.attr < 16):
        raise NotModelled("a barrier with a name", op)
    if size.attr != machine.threads or machine.meetings.names.setdefault(number.attr, group.number) != group.number:
        raise NotModelled(f"barrier {number.attr} for {size.attr} threads, in a group of {machine.threads}", op)


@means("nvvm.setmaxregister")
def set_registers(machine: Any, op: Instruction) -> tuple:
    """Threads ask for registers; `meet` looks at how many they have.

    Raises:
        NotModelled: the request goes the other way, or only some threads make it.
    """
    machine.all_here("a request for registers")
    wanted, has = int(op.attributes["regCount"]), machine.registers
    way = "increase" if has is None or wanted > has else "decrease"
    if machine.group is None or has is None or f"<action {way}>" not in str(op.attributes["action"]):
        raise NotModelled(f"a request for {wanted} registers by threads that have {has}", op)
    machine.registers = wanted
    return ()


def check_registers(machine: Any, op: Instruction, wanted: int | None) -> None:
    """Raises NotModelled unless the threads of a group have as many registers as the kernel's have."""
    wanted = None if wanted is None else min(wanted, MOST_REGISTERS)
    if machine.registers != wanted:
        raise NotModelled(f"a group whose threads have {machine.registers} registers, not {wanted}", op)


def check_waited(machine: Any, threads: list[int]) -> None:
    """Raises NotModelled if a thread arrives while others of the group may still wait: they may miss a phase."""
    warps, shared = {thread // WARP for thread in threads}, machine.state.shared
    if machine.group is not None and len(warps) * WARP < machine.threads and shared.barriers <= shared.waited:
        raise NotModelled("an arrival while other threads of the group may still wait", machine.current)


def take(machine: Any, signal: Any) -> None:
    """Shared memory has what was received, after what the group has written is what the kernel's has.

    Raises:
        NotModelled: it is something else.
    """
    shared = machine.state.shared
    if machine.met == REGIONS:
        check_released(machine, signal.released)
    if signal.name == "wait":
        shared.waited = shared.barriers
    for buffer, held in signal.received.items():
        op = machine.source.buffers[buffer]
        if held is unknown():
            for address in bytes_in(op):
                receive_byte(shared, address, held, 0)
            continue
        for address, _, element in elements_in(op, buffer, held):
            for place in range(bytes_of(element.sort)):
                receive_byte(shared, address + place, element, place)


def check_released(machine: Any, written: dict[Buffer, Term]) -> None:
    """Raises NotModelled unless buffers of all groups hold what the kernel has written there, and no others changed."""
    source, shared = machine.source, machine.state.shared
    if shared.stores_begun:
        raise NotModelled("a signal before a thread has waited for its stores to tensor memory", machine.current)
    places: set[int] = set()
    for buffer, held in written.items():
        check(shared, source.buffers[buffer], buffer, held, machine.relation.equality.same, "of groups has at a signal")
        places.update(bytes_in(source.buffers[buffer]))
    if (shared.since - places) & machine.common:
        raise NotModelled("a group that writes to a buffer of all groups where the kernel's does not", machine.current)
    shared.since = set()


def receive_byte(shared: SharedMemory, address: int, term: Term, place: int) -> None:
    """A byte of what was received stands at an address."""
    old = shared.cells.get(address)
    readers = [] if old is None else old.readers + [old.writer] * (old.writer[0] >= 0)
    shared.cells[address] = Cell(term, place, (NOBODY, 0, 0), readers, None, shared.owner)
    shared.tiles.pop(address, None)
    shared.works.reads.pop(address, None)
    shared.works.writes.pop(address, None)


def check_apart(machines: list[Any], source: Any) -> None:
    """Raises NotModelled if a group touches what another one writes, other than a buffer of all."""
    common = {place for one in source.groups.shared for place in bytes_in(source.buffers[one])}
    for machine in machines:
        if machine.met != machine.meetings.count:
            raise NotModelled("a group that is not at all barriers of all warps")
    for turn in {turn for machine in machines for turn in machine.meetings.logs[machine.group.number].turns()}:
        logs = [machine.meetings.logs[machine.group.number].of(turn) for machine in machines]
        for number, (stored, copied, _) in enumerate(logs):
            if number and turn != REGIONS and (stored or copied):
                raise NotModelled("shared memory that is written by a group outside of its region")
            group = machines[number].group
            written = {place for one in group.written for place in bytes_in(source.buffers[one])}
            if turn == REGIONS and stored & common - written:
                raise NotModelled("threads of a group that store to a buffer of all groups")
            mine = (stored | copied) - (common if turn == REGIONS else set())
            for other, touched in enumerate(logs):
                if other != number and any(mine & places for places in touched):
                    raise NotModelled("shared memory that one group writes and another one touches")
