"""Channels: values that one task loads and others use, and what is needed to send them.

TMA loads can be sent from anywhere.  Loads through pointers are sent from loops, if cp.async can copy them.
"""

from dataclasses import field

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.control_flow import outgoing_values
from ttkit.inspection import address_of, collect, defining, enclosing, users_of
from ttkit.operation_sets import BLOCK_LOADS, CARRYING, MEMDESC_VIEWS, WGMMA
from ttkit.passes.infra.loop_attributes import num_stages
from ttkit.passes.infra.nesting import ancestor_in, first_of, last_of, places_in
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layouts.load_buffers import early_load, has_other_values
from ttkit.passes.partitioning.tasks import NotDivisible, Tasks, tasks_of
from ttkit.records import dataclass

PRODUCERS = (*BLOCK_LOADS, WGMMA)


@dataclass
class Channel:
    """A value that one task produces and others use.

    Attributes:
        source: the operation that produces the value.
        task: the task of `source`.
        consumers: the tasks that use the value.
        slots: slots of its buffer, one for each iteration in flight; 1 outside of loops.
        stages: iterations in flight, also outside of loops.
        width: elements that a thread copies at once by cp.async; 0 for TMA.
    """

    source: ir.Operation
    task: int
    consumers: Tasks
    slots: int
    stages: int
    width: int = 0

    @property
    def region(self) -> ir.Operation:
        """The operation in whose body the value is produced and used."""
        return self.source.parent.operation

    @property
    def users(self) -> list[ir.Operation]:
        """Operations of the block of `source` that are or contain the value's users, in order.

        They are found anew each time: counters of slots replace loops and branches.
        """
        receivers = [user for user in users_of(self.source.result) if is_receiver(user, self.task)]
        places = places_in(self.source.block, receivers)
        if len(places) < 2:
            return places
        order = {address_of(each.operation): place for place, each in enumerate(self.source.block.operations)}
        return sorted(places, key=lambda place: order[address_of(place)])


def is_receiver(user: ir.Operation, task: int) -> bool:
    """Whether an operation uses a value of a task in others: as a whole, not by passing it on."""
    return bool(set(tasks_of(user)) - {task}) and user.name not in CARRYING


@dataclass
class Group:
    """Channels that share mbarriers: with sources in one block, and the same users or the same reading tasks."""

    channels: list[Channel] = field(default_factory=list)

    @property
    def task(self) -> int:
        """The task that sends."""
        return self.channels[0].task

    @property
    def consumers(self) -> Tasks:
        """The tasks that receive, in order."""
        return tuple(sorted({task for channel in self.channels for task in channel.consumers}))

    @property
    def by_threads(self) -> bool:
        """Whether threads copy the values, by cp.async; else TMA does."""
        return self.channels[0].width > 0

    @property
    def first_source(self) -> ir.Operation:
        """The first operation that produces a value of the group."""
        return first_of(channel.source for channel in self.channels)

    @property
    def first_user(self) -> ir.Operation:
        """The first operation that uses a value of the group."""
        return first_of(channel.users[0] for channel in self.channels)

    def last_use(self, task: int) -> ir.Operation:
        """The last operation of a task, in the block of the sources, that reads the buffers."""
        readers = [reader for channel in self.channels for user in channel.users for reader in actual_users(user)]
        places = places_in(self.first_source.block, (op for op in readers if task in tasks_of(op)))
        return last_of(places or [user for channel in self.channels for user in channel.users])


def collect_channels(function: ir.Operation, stages: int) -> list[Channel]:
    """The channels of a function, in the order of their sources.

    Args:
        function: a function with tasks.
        stages: iterations in flight in loops without the attribute.

    Raises:
        NotDivisible: a value can't be sent.
    """
    channels, analysis = [], AxisInfoAnalysis()
    for op in collect(function, PRODUCERS):
        tasks = tasks_of(op)
        if len(tasks) == 1 and (channel := _channel(op, tasks[0], stages)) is not None:
            if op.name != "tt.descriptor_load":
                channel.width = width_of_copies(op, analysis)
            channels.append(channel)
    return channels


def width_of_copies(op: ir.Operation, analysis: AxisInfoAnalysis) -> int:
    """The elements that a thread copies at once of a load through pointers that is sent.

    Raises:
        NotDivisible: cp.async can't copy what it loads, or would in small pieces.
    """
    if op.name != "tt.load" or enclosing(op, "scf.for") is None:
        raise NotDivisible(op, "only loads in loops, and those by TMA, can be sent to other tasks")
    load = early_load(op, analysis)
    if load is None or has_other_values(op) or not isinstance(op.result.type, ir.RankedTensorType):
        raise NotDivisible(op, "cp.async can't copy what it loads, so it can't be sent to other tasks")
    return load.contiguity


def _channel(op: ir.Operation, task: int, stages: int) -> Channel | None:
    consumers = set[int]()
    for value in forwarded_values(op.result):
        for user in users_of(value):
            if not is_receiver(user, task):
                continue
            if ancestor_in(op.block, user) is None or value != op.result:
                raise NotDivisible(op, "a loop-carried value or a branch passes its result to another task")
            consumers |= set(tasks_of(user)) - {task}
    if not consumers:
        return None
    loop = enclosing(op, "scf.for")
    asked = stages if loop is None else max(1, num_stages(loop, stages))  # of 0 and 1 stages: a buffer with one slot
    return Channel(op, task, tuple(sorted(consumers)), 1 if loop is None else asked, asked)


def forwarded_values(value: ir.Value) -> list[ir.Value]:
    """A value, and the arguments and results of loops and branches that pass it on."""
    found = [value]
    for one in found:
        for use in one.uses:
            user = use.owner.operation
            follow = outgoing_values(user, use.operand_number) if user.name in CARRYING else ()
            found += [each for each in follow if each not in found]
    return found


def actual_users(user: ir.Operation) -> list[ir.Operation]:
    """The readers, through views, of a buffer that will replace a copy to shared memory; otherwise the user itself."""
    if user.name not in ("ttg.local_alloc", *MEMDESC_VIEWS):
        return [user]
    found = [reader for use in user.result.uses for reader in actual_users(use.owner.operation)]
    return found or [user]


def sink_copies(function: ir.Operation) -> None:
    """Moves copies of loaded tiles to shared memory, and their views, down to their first readers.

    What receives a tile waits for it there: a wait for V after the softmax leaves the order of the dot operations free.
    """
    for copy in collect(function, ["ttg.local_alloc"]):
        source = None if copy.opview.src is None else defining(copy.opview.src)
        if source is not None and source.operation.name in BLOCK_LOADS and tasks_of(source.operation) != tasks_of(copy):
            _sink(copy)


def _sink(op: ir.Operation) -> None:
    for user in users_of(op.result):
        if user.name in MEMDESC_VIEWS and user.block == op.block:
            _sink(user)
    places = places_in(op.block, users_of(op.result))
    if places:
        op.move_before(first_of(places))


def group_channels(channels: list[Channel]) -> list[Group]:
    """Groups channels that share barriers: those with the same tasks and the same reader."""
    groups: list[Group] = []
    for channel in channels:
        for group in groups:
            if _may_join(channel, group.channels[0]):
                group.channels.append(channel)
                break
        else:
            groups.append(Group([channel]))
    return groups


def _may_join(channel: Channel, other: Channel) -> bool:
    if channel.source.block != other.source.block or (channel.task, channel.slots) != (other.task, other.slots):
        return False
    if bool(channel.width) != bool(other.width):
        return False
    if [address_of(op) for op in channel.users] == [address_of(op) for op in other.users]:
        return True
    if channel.consumers != other.consumers:
        return False
    mine, theirs = _only_reader(channel), _only_reader(other)
    return mine is not None and theirs is not None and mine == theirs and mine.block == channel.source.block


def _only_reader(channel: Channel) -> ir.Operation | None:
    readers = {address_of(op): op for user in channel.users for op in actual_users(user)}
    return next(iter(readers.values())) if len(readers) == 1 else None


def reorder_producers(channels: list[Channel]) -> None:
    """Sorts loads, with their operands, by their first consumer, and those of one consumer before shared ones.

    Does nothing unless all are in one block and their first consumers differ.
    """
    by_first: dict[int, list[Channel]] = {}
    for channel in channels:
        by_first.setdefault(channel.consumers[0], []).append(channel)
    if len(by_first) < 2 or any(channel.source.block != channels[0].source.block for channel in channels):
        return
    ordered = [channel for _, group in sorted(by_first.items()) for channel in sorted(group, key=_number_of_consumers)]
    block = channels[0].source.block
    places = {address_of(each.operation): place for place, each in enumerate(block.operations)}
    after = channels[0].source
    for channel in ordered:
        if channel.source != after:
            channel.source.move_after(after)
            after = channel.source
    for channel in reversed(ordered):
        needed = [op for op in backward_slice(channel.source, lambda _: True) if op.block == block]
        # In the order from before: what several loads need may be after some of its users now.
        _gather_before(channel.source, sorted(needed, key=lambda op: places[address_of(op)]))


def _gather_before(op: ir.Operation, needed: list[ir.Operation]) -> None:
    """Moves what an operation needs right before it, in the given order; what others use above it stays where it is."""
    for one in reversed(needed):
        users = (user for result in one.results for user in users_of(result))
        if op.is_before_in_block(one) or not any(each.is_before_in_block(op) for each in places_in(one.block, users)):
            one.move_before(op)
            op = one


def _number_of_consumers(channel: Channel) -> int:
    return len(channel.consumers)
