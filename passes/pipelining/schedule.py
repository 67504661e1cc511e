"""The schedule of a loop: a stage and a cluster for each operation of its body.

    %x = tt.load %p {loop.stage = 0 : i32, loop.cluster = 2 : i32}         // for the newest iteration
    %d = tt.dot %x, %y, %acc {loop.stage = 2 : i32, loop.cluster = 0 : i32}   // two iterations before

An iteration of the pipelined loop runs operations of several iterations of the original loop: those of stage s belong
to the iteration that started s iterations ago.  It runs them cluster by cluster.  Within a cluster they keep their
order.  So here the dot runs before the load, which then overwrites a tile that has been read.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mlir import ir

from ttkit.inspection import address_of
from ttkit.options import MAX_STAGES
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.loop_attributes import CLUSTER, SCHEDULED_MAX_STAGE, STAGE
from ttkit.passes.infra.loops import body_operations, carried_source
from ttkit.passes.infra.nesting import defining_in, nested_operands, operations_in
from ttkit.passes.infra.operation_attributes import integer, set_integer

MOST_CLUSTERS = 1 << 16
"""The largest range of a loop's cluster numbers: empty clusters are stored too."""


class Cluster:
    """A position in a `Clusters` list; it keeps its identity when clusters are added before it.

    Attributes:
        index: the current number of clusters before it.
    """

    __slots__ = ("index",)

    def __init__(self) -> None:
        self.index = 0


class Clusters:
    """An ordered list of clusters; new ones can be added at any position."""

    def __init__(self) -> None:
        self._order: list[Cluster] = []

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self._order)

    def __getitem__(self, index: int) -> Cluster:
        return self._order[index]

    def add_last(self) -> Cluster:
        """A new cluster after all others."""
        return self._insert(len(self._order))

    def add_first(self) -> Cluster:
        """A new cluster before all others."""
        return self._insert(0)

    def add_before(self, cluster: Cluster) -> Cluster:
        """A new cluster right before another."""
        return self._insert(cluster.index)

    def _insert(self, index: int) -> Cluster:
        new = Cluster()
        self._order.insert(index, new)
        for number in range(index, len(self._order)):
            self._order[number].index = number
        return new


class Scheduled(NamedTuple):
    """An operation with its stage and cluster."""

    op: ir.Operation
    stage: int
    cluster: Cluster


class Schedule:
    """Stages and clusters of operations of a loop, perhaps not of all.

    Attributes:
        num_stages: one more than the highest stage.
        clusters: in the order in which an iteration of the pipelined loop runs them.
    """

    def __init__(self, num_stages: int = 0) -> None:
        self.num_stages = num_stages
        self.clusters = Clusters()
        self._scheduled: dict[int, Scheduled] = {}

    def __len__(self) -> int:
        return len(self._scheduled)

    def __contains__(self, op: ir.Operation) -> bool:
        return address_of(op) in self._scheduled

    def __getitem__(self, op: ir.Operation) -> Scheduled:
        return self._scheduled[address_of(op)]

    # --- Scheduling ---------------------------------------------------------------------------------------------------
    def insert(self, op: ir.Operation, stage: int, cluster: Cluster) -> None:
        """Schedules an operation, or moves it if it is scheduled already."""
        self.num_stages = max(self.num_stages, stage + 1)
        self._scheduled[address_of(op)] = Scheduled(op, stage, cluster)

    def insert_if_absent(self, op: ir.Operation, stage: int, cluster: Cluster) -> bool:
        """Schedules an operation if it is not scheduled yet; returns whether it did."""
        if op in self:
            return False
        self.insert(op, stage, cluster)
        return True

    def insert_if_earlier(self, op: ir.Operation, stage: int, cluster: Cluster) -> bool:
        """Schedules an operation unless it already runs at that time or before; returns whether it did."""
        old = self._scheduled.get(address_of(op))
        if old is not None and (old.stage, old.cluster.index) <= (stage, cluster.index):
            return False
        self.insert(op, stage, cluster)
        return True

    def insert_dependencies(
        self,
        op: ir.Operation,
        stage: int,
        cluster: Cluster,
        *,
        through_arguments: bool = False,
        if_earlier: bool = False,
    ) -> bool:
        """Schedules the operations of the block on which an operation depends, directly or not.

        Args:
            op: the operation; its own place does not change.
            stage, cluster: the place of the operations on which it depends.
            through_arguments: whether to follow loop-carried values to the operations that define them.
            if_earlier: whether to move operations that are scheduled later.

        Returns:
            Whether anything was scheduled.
        """
        insert = self.insert_if_earlier if if_earlier else self.insert_if_absent
        inserted = False
        waiting = [op]
        while waiting:
            user = waiting.pop()
            block = user.block
            for value in nested_operands(user):
                if through_arguments:
                    value = carried_source(value, block)
                source = defining_in(block, value)
                if source is not None and insert(source, stage, cluster):
                    inserted = True
                    waiting.append(source)
        return inserted

    def erase(self, op: ir.Operation) -> None:
        """Removes an operation from the schedule before it is erased."""
        self._scheduled.pop(address_of(op), None)

    def split_cluster_before(self, op: ir.Operation, loop: ir.Operation) -> Cluster:
        """Moves the operations before `op` in its cluster into a new one; returns the cluster of `op` and the rest."""
        cluster = self[op].cluster
        earlier: Cluster | None = None
        for other in body_operations(loop):
            if other == op:
                break
            if other in self and self[other].cluster is cluster:
                earlier = earlier or self.clusters.add_before(cluster)
                self.insert(other, self[other].stage, earlier)
        return cluster

    def is_before(self, a: ir.Operation, b: ir.Operation) -> bool:
        """Whether an operation has an earlier stage than another, or the same stage and runs before it."""
        first, second = self[a], self[b]
        if first.stage != second.stage:
            return first.stage < second.stage
        return self.runs_before(a, b)

    def runs_before(self, a: ir.Operation, b: ir.Operation) -> bool:
        """Whether an iteration of the pipelined loop runs an operation of the body before another."""
        first, second = self[a].cluster.index, self[b].cluster.index
        return first < second or (first == second and a.is_before_in_block(b))

    # --- Reading ------------------------------------------------------------------------------------------------------
    def in_order(self, loop: ir.Operation) -> list[Scheduled]:
        """The scheduled operations of a loop by cluster; within a cluster in the order of the text."""
        found = [self[op] for op in body_operations(loop) if op in self]
        return sorted(found, key=lambda scheduled: scheduled.cluster.index)

    # --- As attributes ------------------------------------------------------------------------------------------------
    def write(self, loop: ir.Operation) -> None:
        """Stores the schedule as attributes of a loop and its operations; never lowers the loop's highest stage."""
        for op, stage, cluster in self.in_order(loop):
            set_integer(op, STAGE, stage)
            set_integer(op, CLUSTER, cluster.index)
        noted = integer(loop, SCHEDULED_MAX_STAGE)
        highest = self.num_stages - 1
        set_integer(loop, SCHEDULED_MAX_STAGE, highest if noted is None else max(noted, highest))

    @classmethod
    def read(cls, loop: ir.Operation, *, normalize: bool = True) -> "Schedule | None":
        """The schedule in the attributes of a loop; None if it has none.

        Args:
            loop: an scf.for.
            normalize: whether the first cluster that occurs becomes number 0.

        As in Triton, an operation may have a stage above the loop's highest.

        Raises:
            PassError: an operation has a negative stage or one above the limit, or the clusters are too far apart.
        """
        highest = integer(loop, SCHEDULED_MAX_STAGE)
        if highest is None:
            return None
        noted = [(op, integer(op, STAGE), integer(op, CLUSTER)) for op in body_operations(loop)]
        places = [(op, stage, cluster) for op, stage, cluster in noted if stage is not None and cluster is not None]
        schedule = cls(highest + 1)
        numbers = [cluster for _, _, cluster in places] or [0]
        first = min(numbers) if normalize else min(0, *numbers)
        if max(numbers) - first > MOST_CLUSTERS:
            raise PassError(
                loop, f"found {CLUSTER}s from {first} to {max(numbers)}; at most {MOST_CLUSTERS} can be kept"
            )
        clusters = {number: schedule.clusters.add_last() for number in range(first, max(numbers) + 1)}
        for op, stage, cluster in places:
            if not 0 <= stage <= MAX_STAGES:
                raise PassError(op, f"found {STAGE} = {stage}; use a stage from 0 to {MAX_STAGES}")
            schedule.insert(op, stage, clusters[cluster])
        return schedule


def remove_schedule(root: ir.Operation) -> None:
    """Removes the attributes that `Schedule.write` sets from an operation and its regions."""
    for op in operations_in(root):
        for name in (STAGE, CLUSTER, SCHEDULED_MAX_STAGE):
            if name in op.attributes:
                del op.attributes[name]
