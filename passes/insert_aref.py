"""Send values that one partition makes and others use through asynchronous references in shared memory.

    %x = tt.descriptor_load %d[%i] {2}           %b, %t = nvws.aref.put.enter %a {2}
    %y = ttg.local_alloc %x {2}                  nvws.descriptor_load %d[%i] 16384 %b {2}
                                           =>    nvws.aref.put.exit %a, %t [tma_load] {2}
                                                 %c, %u = nvws.aref.get.enter %a {1}
    ttng.tc_gen5_mma %y, ... {1}                 ttng.tc_gen5_mma %c, ... {1}
                                                 nvws.aref.get.exit %a, %u [tc5mma] {1}

Tensors go by local_store and local_load, scalars as tensors of one element.  Values that a loop carries are sent when
an iteration begins.

Input:  ttg with partitions.      Output: the same; partitions use each other's results through references alone.
Order:  after partition-scheduling, before nvws-insert-tmem-aref, which is about tensor memory.
Skips:  loops without partitions.
Test:   test/lit/passes/insert_aref.mlir
"""

from dataclasses import field
from typing import Any

from mlir import ir

from ttkit.dialects import nvws, tt, ttg
from ttkit.dialects._layouts import attribute
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.inspection import address_of, collect, defining
from ttkit.layout.encodings import Blocked
from ttkit.operation_sets import DESCRIPTOR_LOADS, TCGEN5_MMAS, TMEM_ALLOC, TMEM_STORE, WGMMA
from ttkit.passes.infra import Pass, PassError
from ttkit.passes.infra.loop_attributes import SCHEDULED_MAX_STAGE, specialized_loops
from ttkit.passes.infra.loops import body_of, yielded
from ttkit.passes.infra.nesting import ancestor_in, comes_before, first_of, holder_of, last_of, operations_in, places_in
from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.layouts.load_buffers import buffer_layout, bytes_of, plain_layout
from ttkit.passes.layouts.thread_counts import num_warps, threads_per_warp
from ttkit.passes.partitioning.buffer_uses import replace_memory, top_users
from ttkit.passes.partitioning.partitions import Ids, Place, has_partition, ids_of, outputs_of, place_of, set_ids
from ttkit.passes.partitioning.reference_slots import create_reference
from ttkit.records import dataclass

# Operations whose results pass through tensor memory.
OF_TENSOR_MEMORY = (*TCGEN5_MMAS, TMEM_ALLOC, TMEM_STORE)
Uses = set[tuple[int, int]]
"""Users, by their addresses, and numbers of operands."""


class InsertAref(Pass):
    """Send values that one partition makes and others use through references in shared memory"""

    name = "nvws-insert-aref"
    dependent_dialects = ("ttg", "nvws")

    def run(self, op: ir.Operation) -> None:
        """Does so in each loop that is to be specialized and has partitions."""
        for loop in specialized_loops(op):
            if has_partition(loop):
                _Insertion(loop).run()


@dataclass
class Produced:
    """A value, and the partitions that make it."""

    value: ir.Value
    ids: Ids


@dataclass
class Consumed:
    """A value as one partition uses it: the value, or the tensor loaded for it, and the uses."""

    values: list[ir.Value] = field(default_factory=list)
    uses: list[tuple[ir.Operation, int]] = field(default_factory=list)


def ids_of_use(use: ir.OpOperand) -> Ids:
    """The partitions that use a value: of a loop's or a yield's operand those that get it."""
    user, number = use.owner.operation, use.operand_number
    if user.name == "scf.yield":
        outputs = outputs_of(user.parent.operation)
        return outputs[number] if number < len(outputs) else ()
    if user.name == "scf.for" and number >= 3:
        outputs = outputs_of(user)
        return outputs[number - 3] if number - 3 < len(outputs) else ()
    return ids_of(user)


def load_for(value: ir.Value) -> ir.Operation | None:
    """The TMA load that fills a buffer, if the same partitions do both, and others need it only where the buffer is."""
    alloc = defining(value)
    if alloc is None or alloc.operation.name != "ttg.local_alloc" or alloc.src is None:
        return None
    load = defining(alloc.src)
    if load is None or load.operation.name not in DESCRIPTOR_LOADS or ids_of(load.operation) != ids_of(alloc.operation):
        return None
    is_elsewhere = load.operation.block != alloc.operation.block
    return None if is_elsewhere and len(list(load.operation.result.uses)) > 1 else load.operation


class _Insertion:
    """Inserts the references of a specialized loop."""

    def __init__(self, loop: ir.Operation) -> None:
        self.loop = loop
        loops = [loop, *collect(loop, ["scf.for"])]
        self.scheduled = next((one for one in loops if SCHEDULED_MAX_STAGE in one.attributes), None)
        self._erased: set[int] = set()

    def run(self) -> None:
        """Passes values to other partitions that use them: loop-carried values, then buffers, then other results."""
        for loop in [op for op in operations_in(self.loop) if op.name == "scf.for"]:
            for number, argument in enumerate(list(body_of(loop).arguments)[1:]):
                if isinstance(argument.type, (ir.RankedTensorType, ir.FloatType, ir.IntegerType)):
                    produced = Produced(argument, outputs_of(loop)[number])
                    self._send(produced, body_of(loop), ir.InsertionPoint.at_block_begin(body_of(loop)))
        inside = [(address_of(op), op) for op in operations_in(self.loop)[:-1]]
        for address, op in inside:
            if address not in self._erased and op.name == "ttg.local_alloc":
                for produced in results_of(op):
                    self._send(produced, op.block, ir.InsertionPoint(op))
        for address, op in inside:
            if address not in self._erased and op.name not in OF_TENSOR_MEMORY:
                for produced in results_of(op):
                    self._send(produced, op.block, ir.InsertionPoint.after(op))

    def _send(self, produced: Produced, block: ir.Block, at: ir.InsertionPoint) -> None:
        """Sends a value to the partitions that use it and don't make it."""
        consumed: dict[int, Consumed] = {}
        load = load_for(produced.value)
        for value in [produced.value, *([load.result] if load is not None else [])]:
            for use in value.uses:
                if has_partition(use.owner.operation):
                    for one in set(ids_of_use(use)) - set(produced.ids):
                        of_one = consumed.setdefault(one, Consumed())
                        if value not in of_one.values:
                            of_one.values.append(value)
                        of_one.uses.append((use.owner.operation, use.operand_number))
        if not consumed:
            return
        reference = self._create(produced.value)
        sent = {(address_of(user), number) for one in consumed.values() for user, number in one.uses}
        stale = self._put(produced, reference, at, sent)
        for one in sorted(consumed, key=lambda one: one * 37 % 64):  # the order of Triton's table
            self._get(reference, consumed[one], one, block)
        for op in stale:
            self._erased.add(address_of(op))
            op.erase()

    # --- Making one ---------------------------------------------------------------------------------------------------
    def _create(self, value: ir.Value) -> ir.Operation:
        type: Any = value.type
        made = defining(value)
        if made is not None and made.operation.name == "ttg.local_alloc":
            encoding: Any = type.encoding
        else:
            type = self._tensor_type(value)
            is_made = made is not None and isinstance(value.type, ir.RankedTensorType)
            encoding = buffer_layout(ir.OpResult(value)) if is_made else plain_layout(type)
        buffer = MemDescType.get([1, *type.shape], type.element_type, encoding, mutable=True)
        location = location_of(value)
        with location, ir.InsertionPoint(self.loop):
            memory = ttg.local_alloc(buffer)
        return create_reference([memory], self.loop, location)

    def _tensor_type(self, value: ir.Value) -> Any:
        """The type of a tensor, or of one element for a number."""
        type = value.type
        if isinstance(type, ir.RankedTensorType):
            return type
        if not isinstance(type, (ir.FloatType, ir.IntegerType)):
            raise PassError(self.loop, f"a value of type {type} can't be sent from one partition to another")
        layout = Blocked((1,), (threads_per_warp(self.loop),), (num_warps(self.loop),), (0,))
        with location_of(value):
            return ir.RankedTensorType.get([1], type, attribute(layout, self.loop.context))

    # --- Filling it ---------------------------------------------------------------------------------------------------
    def _put(
        self, produced: Produced, reference: ir.Operation, at: ir.InsertionPoint, sent: Uses
    ) -> list[ir.Operation]:
        """Sends a value to the uses `sent`; returns the operations that are no longer needed.

        TMA loads fill the reference, unless the partition that loads also uses the tensor itself, such as one that
        the loop carries.
        """
        value, load = produced.value, load_for(produced.value)
        made = None if (maker := defining(value)) is None else maker.operation
        source = made if load is None else load
        # A value that the loop carries is sent when its readers get it: sent later, it could wait for one of these.
        schedule = place_of(source).schedule if source is not None else self._schedule_of_carried(value)
        place = Place(produced.ids[:1], None, schedule)
        build = PlacedBuilder(at, location_of(value), place)
        memory, token = self._enter(build, nvws.aref_put_enter, reference, True)
        alloc = made if made is not None and made.name == "ttg.local_alloc" else None
        kind, unneeded = "none", [] if alloc is None or is_used(alloc, sent, []) else [alloc]
        if source is not None and source.name in DESCRIPTOR_LOADS and not is_used(source, sent, unneeded):
            self._load(source, memory, build)
            kind, unneeded = "tma_load", [*unneeded, source]
        elif alloc is not None:
            build(ttg.local_store, alloc.opview.src, memory)
        else:
            if not isinstance(value.type, ir.RankedTensorType):
                value = build(tt.splat, value, self._tensor_type(value))
            build(ttg.local_store, value, memory)
        build(nvws.aref_put_exit, reference.result, token, kinds_attribute([kind], reference.context))
        return unneeded

    def _enter(self, build: PlacedBuilder, enter: Any, reference: ir.Operation, mutable: bool) -> list[ir.Value]:
        whole: Any = reference.opview.buffers[0].type
        shape = list(whole.shape)
        view = MemDescType.get(shape[1:], whole.element_type, whole.encoding, whole.memory_space, mutable, shape)
        made = build(enter, [view], AsyncTokenType.get(reference.context), reference.result)
        return list(made[0].owner.operation.results)

    def _load(self, load: ir.Operation, memory: ir.Value, build: PlacedBuilder) -> None:
        descriptor, *indices = load.operands
        if load.name == "tt.descriptor_load":
            op = build(nvws.descriptor_load, descriptor, indices, bytes_of(load), memory)
        else:
            op = build(nvws.descriptor_gather, descriptor, *indices, bytes_of(load), memory)
        for name in load.attributes:
            if name not in ("operandSegmentSizes",):
                op.operation.attributes[name] = load.attributes[name]
        set_ids(op.operation, build.place.ids or ())

    # --- Reading it ---------------------------------------------------------------------------------------------------
    def _get(self, reference: ir.Operation, consumed: Consumed, partition: int, block: ir.Block) -> None:
        first, last = self._schedule(consumed, partition)
        earliest = first_of(places_in(block, (user for user, _ in consumed.uses)))
        location = location_of(consumed.values[0])
        build = PlacedBuilder(ir.InsertionPoint(earliest), location, Place((partition,), None, first))
        consumers = [one for value in consumed.values for one in self._consumers(value, partition, block)]
        memory, token = self._enter(build, nvws.aref_get_enter, reference, False)
        after: ir.Operation | None = None
        unused: list[ir.Operation] = []
        for value in consumed.values:
            made = defining(value)
            if made is not None and made.operation.name == "ttg.local_alloc":
                unused += replace_memory(value, memory, partition)
                continue
            read = build(ttg.local_load, memory, self._tensor_type(value))
            load = read.owner.operation
            if not isinstance(value.type, ir.RankedTensorType):
                read = build(tt.unsplat, read)
            for user, number in consumed.uses:
                if user.operands[number] == value:
                    user.operands[number] = read
            if len(list(memory.uses)) == 1:
                after = load
        places, kinds = places_in(earliest.block, consumers), consumer_kinds(consumers)
        if not places or not kinds:  # nobody would say that it has been read
            fix = "give views of memory the partition of what reads them"
            raise PassError(consumed.uses[0][0], f"nothing of partition {partition} reads what it views; {fix}")
        after = last_of(places) if after is None else after
        end = PlacedBuilder(ir.InsertionPoint.after(after), location, Place((partition,), None, last))
        end(nvws.aref_get_exit, reference.result, token, kinds_attribute(kinds, reference.context))
        for op in unused:
            self._erased.add(address_of(op))
            op.erase()

    def _schedule(self, consumed: Consumed, partition: int) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Stage and cluster of the first and the last use in the scheduled loop."""
        if self.scheduled is None:
            return None, None
        body = body_of(self.scheduled)
        inside = [each for each in consumed.values if is_in(each, body)]
        tops = [op for each in inside for op in top_users(each, body, partition)]
        times = {address_of(op): (place_of(op).schedule, op) for op in tops}
        timed = [(schedule, op) for schedule, op in times.values() if schedule is not None]
        if not timed:
            return None, None
        first, last = timed[0], timed[0]
        for one in timed[1:]:
            first = one if is_earlier(one, first) else first
            last = one if is_earlier(last, one) else last
        return first[0], last[0]

    def _schedule_of_carried(self, value: ir.Value) -> tuple[int, int] | None:
        """Stage and cluster of the operation that makes what a loop passes on as an argument of its body."""
        made = defining(yielded(body_of(holder_of(value)), ir.BlockArgument(value).arg_number - 1))
        return None if made is None else place_of(made.operation).schedule

    def _consumers(self, value: ir.Value, partition: int, block: ir.Block) -> list[ir.Operation]:
        """Operations of a partition that use a value, through views; and the loops that hold them.

        An allocation that copies a tensor is such an operation, whoever uses the copy.
        """
        found: list[ir.Operation] = []
        is_buffer = isinstance(value.type, MemDescType)
        for use in value.uses:
            user = use.owner.operation
            if is_buffer and any(isinstance(result.type, MemDescType) for result in user.results):
                for result in user.results:
                    found += self._consumers(result, partition, block)
            elif partition in ids_of_use(use):
                found.append(user)
                top = ancestor_in(block, user)
                if defining(value) is not None and top is not None:
                    found.append(top)
        return found


def is_used(op: ir.Operation, sent: Uses, unneeded: list[ir.Operation]) -> bool:
    """Whether an operation's results have uses besides those `sent` and those by `unneeded` operations."""
    ignored = {address_of(each) for each in unneeded}
    uses = [(address_of(use.owner.operation), use.operand_number) for result in op.results for use in result.uses]
    return any(use not in sent and use[0] not in ignored for use in uses)


def results_of(op: ir.Operation) -> list[Produced]:
    """The values that an operation of some partitions makes, tokens aside."""
    if not has_partition(op):
        return []
    outputs = outputs_of(op) if len(op.regions) else [ids_of(op)] * len(op.results)
    return [
        Produced(result, ids)
        for result, ids in zip(op.results, outputs)
        if not isinstance(result.type, AsyncTokenType) and ids
    ]


def is_in(value: ir.Value, body: ir.Block) -> bool:
    """Whether a value is made in the body of a loop, or is an argument of it or of something in it."""
    made = defining(value)
    if made is None:
        return value.owner == body or ancestor_in(body, holder_of(value)) is not None
    return ancestor_in(body, made.operation) is not None


def location_of(value: ir.Value) -> ir.Location:
    """The place in the source that a value comes from."""
    made = defining(value)
    return value.location if made is None else made.operation.location


def kinds_attribute(kinds: list[str], context: ir.Context) -> ir.ArrayAttr:
    """The attribute for kinds of asynchronous operations."""
    return ir.ArrayAttr.get([ir.Attribute.parse(f"#nvws.async_op<{kind}>", context) for kind in kinds], context)


def consumer_kinds(consumers: list[ir.Operation]) -> list[str]:
    """The readers of a buffer: asynchronous mmas, or the threads."""
    kinds: dict[str, None] = {}
    for op in consumers:
        if op.name == "scf.for" and len({address_of(one) for one in consumers}) > 1:
            continue
        kinds["wgmma" if op.name == WGMMA else "tc5mma" if op.name in TCGEN5_MMAS else "none"] = None
    return list(kinds)


def is_earlier(a: tuple[tuple[int, int], ir.Operation], b: tuple[tuple[int, int], ir.Operation]) -> bool:
    """Whether an operation at a stage and cluster runs before another."""
    return a[0] < b[0] or (a[0] == b[0] and comes_before(a[1], b[1]))
