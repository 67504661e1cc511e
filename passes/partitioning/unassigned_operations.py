"""Assigning operations without a partition to one of the partitions that they are computed from or used by."""

from collections.abc import Callable, Iterator
from dataclasses import field
from itertools import chain

from mlir import ir

from ttkit.inspection import address_of, defining
from ttkit.passes.infra import clone_operations
from ttkit.passes.infra.loops import body_of, carried_number, carried_source, yielded
from ttkit.passes.infra.nesting import ancestor_in, defining_in, operations_in
from ttkit.passes.infra.slices import closure
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.partitioning.partitions import has_partition, ids_of, set_ids
from ttkit.records import dataclass


class Partition:
    """A partition of a loop.

    Attributes:
        index: its number.
        stage: its delay after the first partitions, in iterations.
        ops: its operations, in the order in which they were added.
    """

    def __init__(self, index: int, stage: int) -> None:
        self.index, self.stage = index, stage
        self.ops: list[ir.Operation] = []

    def take(self, op: ir.Operation) -> None:
        """Assigns an operation to this partition only."""
        set_ids(op, [self.index])
        if op not in self.ops:
            self.ops.append(op)

    def try_take(self, op: ir.Operation) -> bool:
        """Assigns an operation without a partition to this one; whether it had none."""
        if has_partition(op):
            return False
        self.take(op)
        return True


class Partitions:
    """The partitions of a loop."""

    def __init__(self, loop: ir.Operation) -> None:
        self.loop, self.body = loop, body_of(loop)
        self.all: list[Partition] = []

    def add(self, stage: int) -> Partition:
        """Adds a partition, the last one."""
        self.all.append(Partition(len(self.all), stage))
        return self.all[-1]

    def top(self, op: ir.Operation) -> ir.Operation | None:
        """The operation of the loop's body that is or contains `op`; None if there is none."""
        return ancestor_in(self.body, op)

    def definition(self, value: ir.Value) -> ir.Operation | None:
        """The operation of the body that defines a value, perhaps in an earlier iteration."""
        return defining_in(self.body, carried_source(value, self.body))

    def definitions(self, op: ir.Operation) -> Iterator[ir.Operation]:
        """The operations of the body that define the operands of an operation and of those in it."""
        for value in nested_operands(op):
            if (found := self.definition(value)) is not None:
                yield found

    def users(self, op: ir.Operation) -> Iterator[ir.Operation]:
        """The operations of the body that use results of `op`, perhaps in later iterations."""
        return self._followed([use for result in op.results for use in result.uses])

    def depends_on_one(self, op: ir.Operation) -> bool:
        """Whether an operation depends on an operation of some but not all partitions, or is one."""
        made_from = chain([op], closure(op, self.definitions))
        return any(has_partition(each) and len(ids_of(each)) != len(self.all) for each in made_from)

    # --- The first operations of partitions ---------------------------------------------------------------------------
    def take_sources(self, partition: Partition, op: ir.Operation, is_wanted: Callable[[ir.Value], bool]) -> None:
        """Assigns the operations that `op` is computed from to a partition, up to those that have one.

        Args:
            partition: gets the operations.
            op: the operation to start from, which stays.
            is_wanted: whether the definition of an operand of `op` is assigned.
        """
        waiting = [value for value in nested_operands(op) if is_wanted(value)]
        while waiting:
            value = waiting.pop()
            made = defining(value)
            if made is not None:
                top = self.top(made.operation)
                if top is not None and self.depends_on_one(top) and partition.try_take(top):
                    waiting += nested_operands(top)
            elif (number := carried_number(value, self.body)) is not None:
                waiting.append(yielded(self.body, number))

    def take_users(self, partition: Partition, op: ir.Operation) -> None:
        """Assigns the operations computed from `op` to a partition, up to those that have one."""
        waiting = [use for result in op.results for use in result.uses]
        for user in self._followed(waiting):
            if partition.try_take(user):
                waiting += [use for result in user.results for use in result.uses]

    def inputs_of(self, partition: Partition) -> Iterator[ir.Operation]:
        """The definitions of the values that a partition uses and doesn't define in the same iteration."""
        for op in partition.ops:
            for value in nested_operands(op):
                made = defining(value)
                is_own = made is not None and partition.index in ids_of(made.operation)
                if not is_own and (found := self.definition(value)) is not None:
                    yield found

    def outputs_of(self, partition: Partition) -> Iterator[ir.OpOperand]:
        """The uses of a partition's results by other partitions, or in later iterations (by the yield)."""
        for op in partition.ops:
            for result in op.results:
                for use in result.uses:
                    user = self.top(use.owner.operation)
                    if user is not None and (user.name == "scf.yield" or partition.index not in ids_of(user)):
                        yield use

    def users_of(self, partition: Partition) -> Iterator[ir.Operation]:
        """The operations of the body that use a partition's results in other partitions or in later iterations."""
        return self._followed(list(self.outputs_of(partition)))

    def _followed(self, waiting: list[ir.OpOperand]) -> Iterator[ir.Operation]:
        """The operations of the body that use values, perhaps in later iterations, once for each use.

        Args:
            waiting: uses to follow; the caller may add more meanwhile.
        """
        seen: set[int] = set()
        while waiting:
            use = waiting.pop()
            user = self.top(use.owner.operation)
            if user is None:
                continue
            if user.name != "scf.yield":
                yield user
            elif use.operand_number not in seen:
                seen.add(use.operand_number)
                waiting += self.body.arguments[use.operand_number + 1].uses


def nested_operands(op: ir.Operation) -> list[ir.Value]:
    """The operands of an operation and of those in its regions."""
    return [value for inner in reversed(operations_in(op)) for value in inner.operands]


@dataclass(eq=False)
class Cluster:
    """Connected operations without a partition.

    Attributes:
        sources: the partitions that they are computed from, in the order found.
        sinks: the partitions that use them, in the order found.
    """

    ops: list[ir.Operation]
    sources: dict[int, None] = field(default_factory=dict)
    sinks: dict[int, None] = field(default_factory=dict)


class Clusters:
    """The clusters of a loop."""

    def __init__(self, partitions: Partitions) -> None:
        self.partitions = partitions
        self._of: dict[int, Cluster] = {}
        self._all: list[Cluster] = []

    def assign(self) -> None:
        """Assigns every operation between partitions to one of them."""
        self._begin()
        self._grow()
        for cluster in self._all:
            if cluster.ops:
                self._place(cluster)

    def _at(self, op: ir.Operation) -> Cluster:
        address = address_of(op)
        if address not in self._of:
            self._of[address] = Cluster([op])
            self._all.append(self._of[address])
        return self._of[address]

    def _begin(self) -> None:
        partitions = self.partitions
        self._waiting: list[ir.Operation] = []

        def at(op: ir.Operation) -> Cluster:
            """The cluster of an operation; a new one is put on the worklist."""
            if address_of(op) not in self._of:
                self._waiting.append(op)
            return self._at(op)

        for partition in partitions.all:
            for op in partitions.inputs_of(partition):
                if not has_partition(op) and partitions.depends_on_one(op):
                    at(op).sinks[partition.index] = None
            for op in partitions.users_of(partition):
                if not has_partition(op):
                    at(op).sources[partition.index] = None

    def _grow(self) -> None:
        partitions = self.partitions
        while self._waiting:
            op = self._waiting.pop()
            cluster = self._of[address_of(op)]
            for source in partitions.definitions(op):
                if has_partition(source):
                    cluster.sources.update(dict.fromkeys(ids_of(source)))
                elif partitions.depends_on_one(source):
                    self._join(cluster, source)
            for user in partitions.users(op):
                if has_partition(user):
                    cluster.sinks.update(dict.fromkeys(ids_of(user)))
                elif address_of(user) not in self._of:
                    self._of[address_of(user)] = cluster
                    cluster.ops.append(user)
                    self._waiting.append(user)

    def _join(self, cluster: Cluster, op: ir.Operation) -> None:
        """Adds an operation, or its whole cluster, to a cluster."""
        other = self._of.get(address_of(op))
        if other is None:
            self._of[address_of(op)] = cluster
            cluster.ops.append(op)
            self._waiting.append(op)
        elif other is not cluster:
            cluster.ops += other.ops
            cluster.sources.update(other.sources)
            cluster.sinks.update(other.sinks)
            for one in other.ops:
                self._of[address_of(one)] = cluster
            other.ops, other.sources, other.sinks = [], {}, {}

    def _place(self, cluster: Cluster) -> None:
        source = self.partitions.all[next(iter(cluster.sources))]
        path: list[ir.Operation] = []
        if cluster.sinks:
            sink = self.partitions.all[next(iter(cluster.sinks))]
            path = self._path_to(sink, cluster)
            if len(path) < len(cluster.ops):
                self._compute_again(path, sink)
        for op in cluster.ops:
            source.take(op)

    def _path_to(self, sink: Partition, cluster: Cluster) -> list[ir.Operation]:
        """The operations of a cluster that the operations of a partition are computed from."""
        inside = {address_of(op) for op in cluster.ops}
        path: dict[int, ir.Operation] = {}
        waiting = [op for op in self.partitions.inputs_of(sink) if address_of(op) in inside]
        while waiting:
            op = waiting.pop(0)
            if address_of(op) not in path:
                path[address_of(op)] = op
                waiting += [each for each in self.partitions.definitions(op) if address_of(each) in inside]
        return list(path.values())

    def _compute_again(self, path: list[ir.Operation], sink: Partition) -> None:
        """Clones operations for a partition, which then uses the clones."""
        order = [address_of(each.operation) for each in self.partitions.body.operations]
        mine = list(sink.ops)
        for op in sorted(path, key=lambda op: order.index(address_of(op)), reverse=True):
            (copy,) = clone_operations([op], [], ir.InsertionPoint(op))
            for result, again in zip(op.results, copy.results):
                replace_uses(result, again, mine.__contains__)
            mine.append(copy)
            sink.take(copy)
