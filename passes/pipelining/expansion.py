"""Expansion of a scheduled loop: a prologue that fills the pipeline, and a loop that runs all stages at once.

    scf.for %i = %lb to %ub step %s {         use(load(%lb)) would come too late, so:
      %x = load(%i)        // stage 0    =>   %x0 = load(%lb)                     // if lb < ub
      use(%x)              // stage 1         scf.for %i = %lb to %ub step %s iter_args(%x = %x0) {
    }                                           use(%x)
                                                %x1 = load(%i + %s)               // if i < ub - s
                                                scf.yield %x1
                                              }

With n stages, step k of the prologue runs stages 0 to k, for iterations k, k - 1 ... 0.  After n - 1 steps the loop
starts.  In each of its iterations, stage s runs for the iteration that is n - 1 - s ahead of that of the last stage.
The loop carries values that a later stage or the next iteration reads.  There is no epilogue: predicates switch off
the stages whose iteration does not exist.

There is one exception: if the last stage waits for a tcgen05.mma, the last iteration runs after the loop, with only
that stage.  The stage before it then needs no predicate.
"""

from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith, scf, ub
from ttkit.inspection import address_of, enclosing, has_uses, terminator
from ttkit.operation_sets import TCGEN5_MMAS, WAIT_BARRIER, WARP_SPECIALIZE
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.loop_attributes import KEEP_PREDICATES
from ttkit.passes.infra.loops import body_of, body_operations, carried_number
from ttkit.passes.infra.nesting import defining_in
from ttkit.passes.infra.peeling import peel_last_iteration
from ttkit.passes.infra.transforms import recreate
from ttkit.passes.pipelining.expanded_body import Kernel, folded, times
from ttkit.passes.pipelining.predication import predicate
from ttkit.passes.pipelining.runs import Run, reads_of
from ttkit.passes.pipelining.schedule import Scheduled
from ttkit.records import dataclass


class Origin(NamedTuple):
    """The definition of a value that an operation reads.

    Attributes:
        stage, position: those of the operation that defines it, in the order of the new loop.
        distance: the number of iterations between the definition and the read.
    """

    stage: int
    distance: int
    position: int


@dataclass
class CrossStageValue:
    """A value that is read in a later stage than the one that defines it.

    Attributes:
        made: the stage that defines it; for a loop-carried value, in the previous iteration.
        read: the last stage that reads it.
        first: the number of the loop's argument for its oldest version; the newer ones follow.
    """

    made: int
    read: int
    first: int = 0


def expand(loop: ir.Operation, order: list[Scheduled]) -> ir.Operation | None:
    """Expands a loop.

    Args:
        loop: erased if it can be expanded.
        order: the operations of its body with their stages, in the order in which the new loop runs them.

    Returns:
        The pipelined loop; None, with nothing changed, if the schedule does not allow one.
    """
    expansion = Expansion(loop, order)
    return expansion.run() if expansion.is_possible() else None


def waits_for_mma(order: list[Scheduled]) -> bool:
    """Whether the last stage of a schedule waits at a barrier, in a loop with a tcgen05.mma."""
    last = max((stage for _, stage, _ in order), default=0)
    has_wait = any(op.name == WAIT_BARRIER and stage == last for op, stage, _ in order)
    return has_wait and any(op.name in TCGEN5_MMAS for op, _, _ in order)


class Expansion:
    """The expansion of one loop.

    Attributes:
        last: the number of the last stage.
        peels: whether the last iteration runs after the loop.
        keeps_predicates: whether predicates of stages stay ttg.predicate_stage.
        versions: a value of the old loop -> iteration -> its value in the prologue; for a loop-carried value, the one
            with which this iteration starts.
        cross_stage: values that are read in a later stage than the one that defines them, in the order of these reads.
    """

    def __init__(self, loop: ir.Operation, order: list[Scheduled]) -> None:
        self.loop, self.order = loop, order
        self.body = body_of(loop)
        self.arguments = list(self.body.arguments)[1:]
        self.induction = self.body.arguments[0]
        self.yielded = list(terminator(self.body).operation.operands)
        self.lower, self.upper, self.step = list(loop.operands)[:3]
        self.position = {address_of(op): number for number, (op, _, _) in enumerate(order)}
        self.last = max((stage for _, stage, _ in order), default=0)
        self.keeps_predicates = KEEP_PREDICATES in loop.attributes
        is_peeled = waits_for_mma(order) and enclosing(loop, WARP_SPECIALIZE) is None
        self.peels = is_peeled and not self.keeps_predicates
        self.reads = reads_of(op for op, _, _ in order)
        # Yielded values whose results have uses: they have to come from the last iteration that exists.
        self.needed = {value for value, result in zip(self.yielded, loop.results) if has_uses(result)}
        self.versions: dict[ir.Value, dict[int, ir.Value]] = {}
        self._origins: dict[ir.Value, Origin | None] = {}

    # --- Whether the loop can be expanded -----------------------------------------------------------------------------
    def is_possible(self) -> bool:
        """Whether each operation has a stage, runs after its operands, and reads values at most one iteration old."""
        if len(self.position) != len(body_operations(self.loop)) or (self.last == 0 and not self.peels):
            return False
        for argument, value in zip(self.arguments, self.yielded):
            if isinstance(value.owner, ir.Block) and value.owner == self.body and value != argument:
                return False
        return all(
            self.comes_in_time(self.origin(value), stage, number)
            for number, (op, stage, _) in enumerate(self.order)
            for value in self.reads[address_of(op)]
        )

    def comes_in_time(self, origin: "Origin | None", stage: int, position: int) -> bool:
        """Whether a value is defined before an operation of a stage, at a position of the order, reads it."""
        if origin is None:
            return True
        early = origin.stage - origin.distance - stage
        return early < 0 or (early == 0 and origin.position <= position)

    def origin(self, value: ir.Value) -> "Origin | None":
        """The definition of a value in the loop's body; None if it is defined outside."""
        if value not in self._origins:
            self._origins[value] = self._find_origin(value)
        return self._origins[value]

    def _find_origin(self, value: ir.Value) -> "Origin | None":
        number = carried_number(value, self.body)
        made = defining_in(self.body, value if number is None else self.yielded[number])
        if made is None:
            return None
        position = self.position[address_of(made)]
        return Origin(self.order[position].stage, int(number is not None), position)

    # --- The expansion ------------------------------------------------------------------------------------------------
    def run(self) -> ir.Operation:
        """Builds prologue and loop in front of the old loop, and erases it.

        Raises:
            PassError: an operation can't be switched off.
        """
        self.runs = self._split_into_runs()
        self.cross_stage = self._find_cross_stage_values()
        with self.loop.location:
            self.build_prologue()
            return self.build_loop()

    def _split_into_runs(self) -> list[Run]:
        """The order, divided where the stage changes and where something is built between two operations."""
        runs: list[Run] = []
        pending: list[ir.Operation] = []
        pending_stage = 0

        def cut() -> None:
            """Ends the current run."""
            if pending:
                runs.append(Run(pending_stage, pending, self.reads))
                pending.clear()

        for op, stage, _ in self.order:
            uses_induction = self.induction in self.reads[address_of(op)]
            if stage != pending_stage or uses_induction:
                cut()
            pending_stage = stage
            pending.append(op)
            if uses_induction or any(result in self.needed for result in op.results):
                cut()
        cut()
        wanted = {value for run in runs for value in run.reads}.union(self.yielded)
        for run in runs:
            run.find_exports(wanted)
        return runs

    def _find_cross_stage_values(self) -> dict[ir.Value, CrossStageValue]:
        cross_stage: dict[ir.Value, CrossStageValue] = {}
        for op, stage, _ in self.order:
            for value in self.ordered_reads(op):
                origin = self.origin(value)
                if origin is None or origin.stage in (stage, stage + origin.distance):
                    continue
                live = cross_stage.setdefault(value, CrossStageValue(origin.stage, stage))
                live.read = max(live.read, stage)
        return cross_stage

    def ordered_reads(self, op: ir.Operation) -> list[ir.Value]:
        """Values read by an operation itself, followed by those read in its regions."""
        own = list(op.operands)
        return own if len(op.regions) == 0 else [*own, *self.reads[address_of(op)]]

    # --- Prologue -----------------------------------------------------------------------------------------------------
    def build_prologue(self) -> None:
        """Builds the prologue."""
        point = ir.InsertionPoint(self.loop)
        for argument, initial, following in zip(self.arguments, list(self.loop.operands)[3:], self.yielded):
            self.versions[argument] = {0: initial}
            if self.origin(following) is None:
                stays = initial if following == argument else following
                self.versions[argument].update((iteration, stays) for iteration in range(1, self.last + 1))
        predicates: list[ir.Value] = []
        for step in range(self.last):
            with point:
                induction = self.induction_at(step)
                predicates.append(arith.cmpi("slt", induction, self.upper))
                self.versions.setdefault(self.induction, {})[step] = induction
            for run in self.runs:
                if run.stage <= step:
                    self.build_prologue_run(run, step - run.stage, predicates[step - run.stage], point)

    def induction_at(self, iteration: int) -> ir.Value:
        """lb + iteration * step, at the current insertion point."""
        return folded("addi", self.lower, times(self.step, iteration))

    def build_prologue_run(self, run: Run, iteration: int, exists: ir.Value, point: ir.InsertionPoint) -> None:
        """Copies a run into the prologue, for one of the first iterations.

        Args:
            exists: an i1: whether the loop has that iteration.
        """

        def version(value: ir.Value) -> ir.Value | None:
            """The version of a value in this iteration; None for a value from outside."""
            versions = self.versions.get(value)
            return None if versions is None else versions[iteration]

        copies = run.copy(point, version)
        for index in run.predicated:
            copies[index] = predicate(copies[index], exists)
        for value, new in copies.exports(run):
            self.versions.setdefault(value, {})[iteration] = new
            for argument, result, following in zip(self.arguments, self.loop.results, self.yielded):
                if following != value:
                    continue
                if has_uses(result):
                    with point:
                        new = arith.select(exists, new, self.versions[argument][iteration])
                self.versions[argument][iteration + 1] = new

    # --- The loop -----------------------------------------------------------------------------------------------------
    def build_loop(self) -> ir.Operation:
        """Builds the loop that runs all stages, and replaces the old one by it."""
        initial = self.initial_values()
        count = len(self.arguments)
        types = [value.type for value in initial]
        new = recreate(self.loop, types, [self.lower, self.upper, self.step, *initial])
        types.insert(0, self.induction.type)
        body = new.regions[0].blocks.append(*types, arg_locs=[self.loop.location] * len(types))
        kernel = Kernel(self, body)
        for run in self.runs:
            kernel.add(run)
        with kernel.point:
            values = [kernel.final(value, number) for number, value in enumerate(self.yielded)]
            for value, live in self.cross_stage.items():
                for _ in range(live.read - live.made - 1):
                    values.append(kernel.carried[len(values) + 1])
                number = carried_number(value, self.body)
                values.append(kernel.carried[number] if number is not None else kernel.current[value])
            scf.yield_(values)
        replace_by(self.loop, list(new.results)[:count])
        if self.peels:
            peel_last_stage(new, kernel.early, kernel.predicates)
        return new

    def initial_values(self) -> list[ir.Value]:
        """Initial values of the new loop: those that the old one carries, at their stages, then `cross_stage`."""
        values = []
        for argument, following, initial in zip(self.arguments, self.yielded, list(self.loop.operands)[3:]):
            origin = self.origin(following)
            values.append(initial if origin is None else self.versions[argument][self.last - origin.stage])
        for value, live in self.cross_stage.items():
            live.first = len(values)
            oldest = self.last - live.read
            values += [self.versions[value][oldest + age] for age in range(live.read - live.made)]
        return values


def peel_last_stage(loop: ir.Operation, early: set[int], predicates: list[ir.Value]) -> None:
    """Peels off the last iteration of an expanded loop, without the stages whose iteration does not exist there.

    Args:
        early: addresses of the operations of these stages.
        predicates: values in the loop's body: whether the iterations of these stages exist.
    """
    conditions = {address_of(predicate.owner.operation) for predicate in predicates}
    body = [address_of(op) for op in body_operations(loop)]
    kinds = iter([(address in early, address in conditions) for address in body])

    def drop(op: ir.Operation, is_peeled: bool) -> None:
        """Erases an early operation of the peeled iteration, or a condition, which is false there."""
        if not is_peeled:
            return
        is_early, is_condition = next(kinds)
        if is_early or is_condition:
            with ir.InsertionPoint(op), op.location:
                for result in op.results:
                    new = arith.constant(result.type, 0) if is_condition else ub.poison(result.type)
                    result.replace_all_uses_with(new)
            op.erase()

    peel_last_iteration(loop.opview, drop)
