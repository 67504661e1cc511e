"""Make mbarriers of asynchronous references: buffers that one partition fills and others read.

    %a = nvws.aref.create %buffer                          %empty, %full = mbarriers, one for each slot of the buffer
    %b, %t = nvws.aref.put.enter %a             =>         ttng.wait_barrier %empty[%stage], %phase
    nvws.descriptor_load %d[%i] 8192 %b                    ttng.barrier_expect %full[%stage], 8192
    nvws.aref.put.exit %a, %t [tma_load]                   ttng.async_tma_copy_global_to_local ..., %full[%stage]
    %c, %u = nvws.aref.get.enter %a                        ttng.wait_barrier %full[%stage], %phase
    ttng.tc_gen5_mma %c, ...                               ttng.tc_gen5_mma ... {is_async}
    nvws.aref.get.exit %a, %u [tc5mma]                     ttng.tc_gen5_commit %empty[%stage]

Before that, loads with the same first user are merged into one reference, and loaded buffers get `num-stages` slots.

Input:  ttg with nvws references.      Output: ttg and ttng.
Order:  after references are inserted, before partition-loops.
Skips:  modules without references.
Test:   test/lit/passes/lower_aref.mlir
"""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.dialects import arith, nvws, ttg, ttng, ub
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.inspection import address_of, collect, defining, has_uses
from ttkit.operation_sets import AREF_EXITS, MEMDESC_VIEWS, TCGEN5_MMAS, TMEM_ALLOC
from ttkit.passes.assign_stage_phase import GET, PUT, AssignStagePhase, depth_of
from ttkit.passes.infra import Pass, PassError, option
from ttkit.passes.infra.loop_attributes import specialized_loops
from ttkit.passes.infra.mbarriers import allocate_barriers
from ttkit.passes.infra.nesting import ancestor_in, first_of, last_of, places_in
from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.infra.preconditions import unknown_operations
from ttkit.passes.infra.rewriting import erase_dead
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.layouts.gather import divided_as
from ttkit.passes.partitioning.partitions import DEFAULT, has_partition, ids_of, place_of
from ttkit.passes.partitioning.reference_slots import Transfers, create_reference, multi_buffer, slots_held
from ttkit.records import dataclass

CREATE, BUFFER = "nvws.aref.create", "nvws.aref.buffer"
PUT_EXIT, GET_EXIT = AREF_EXITS
CLC, ANSWER_BYTES = "nvws.clc_try_cancel", 16
LOADS = ("nvws.descriptor_load", "nvws.descriptor_gather", CLC)
# Work that arrives at a barrier by itself, or by a commit of mmas.
BY_HARDWARE, BY_COMMIT = {"tma_load", "clc"}, ("tc5mma", "tmem_copy")
AFTER_LOADS = ("tma_load", "cp_async")
LOCAL_ALLOC, SCALED = "ttg.local_alloc", "ttng.tc_gen5_mma_scaled"


@dataclass(frozen=True)
class LowerAref(Pass):
    """Make mbarriers of asynchronous references"""

    name = "nvws-lower-aref"
    dependent_dialects = ("arith", "scf", "ttg", "ttng", "ub")
    num_stages: int = option(3, "parts of the buffers that are loaded")

    def run(self, op: ir.Operation) -> None:
        """Combines arefs, buffers loaded ones several times, numbers their phases, then replaces them by barriers.

        Raises:
            PassError: an unknown operation takes a reference.
        """
        refuse_unknown_users(op)
        for loop in specialized_loops(op):
            for inner in (loop, *collect(loop, ["scf.for"])):
                combine(inner)
        references = collect(op, [CREATE])
        transfers = Transfers(references)
        held = [max(slots_held(users_of(one, PUT, GET)), transfers.slots_ahead(one)) for one in references]
        for reference, needed in zip(references, held):
            slots = max(self.num_stages if is_loaded(reference) else 1, needed)
            if slots > 1:
                multi_buffer(reference, slots)
        AssignStagePhase().run(op)
        for reference in reversed(collect(op, [CREATE])):  # as Triton: the first one's barriers are destroyed first
            _Lowering(reference).run()
        erase_dead(op)
        for function in collect(op, ["tt.func"]):
            for poison in collect(function, ["ub.poison"]):
                poison.move_before(next(iter(function.regions[0].blocks[0].operations)).operation)


def refuse_unknown_users(root: ir.Operation) -> None:
    """Raises PassError at an unknown operation that takes a reference, or a result of its accesses."""
    for op in unknown_operations(root):
        if any(str(operand.type).startswith(("!nvws.aref", "!ttg.async.token")) for operand in op.operands):
            raise PassError(op, f"found '{op.name}', which can't take part in the accesses of an nvws.aref")


def users_of(reference: ir.Operation, *names: str) -> list[ir.Operation]:
    """The accesses of some kinds to a reference."""
    return [op for use in reference.result.uses if (op := use.owner.operation).name in names]


def kinds_of(op: ir.Operation) -> list[str]:
    """The work that an exit waits for, by the names of nvws.async_op."""
    return [str(each).partition("<")[2].rstrip(">") for each in ir.ArrayAttr(op.attributes["async_ops"])]


def is_loaded(reference: ir.Operation) -> bool:
    """Whether TMA fills its buffer."""
    entered = [value for op in users_of(reference, PUT) for value in op.results]
    return any(use.owner.operation.name in LOADS for value in entered for use in value.uses)


def bytes_of(load: ir.Operation) -> int:
    """The bytes that come to a buffer."""
    return ANSWER_BYTES if load.name == CLC else int(ir.IntegerAttr(load.attributes["txCount"]).value)


# --- References that are filled together ------------------------------------------------------------------------------
def combine(loop: ir.Operation) -> None:
    """Makes one reference of those in a loop's body whose data one operation of one partition is the first to need.

    They are filled in one stage: one that a later stage completes could wait for what waits for it.  Triton combines
    others, too.
    """
    body = loop.regions[0].blocks[0]
    groups: dict[tuple[int, int, int], list[ir.Operation]] = {}
    for op in [each.operation for each in body.operations]:
        if op.name == GET and (first := first_reader(op, body)) is not None:
            made = defining(op.opview.aref)
            puts = [] if made is None else users_of(made.operation, PUT)
            stages = [place_of(put).schedule for put in puts]
            stage = max((place[0] for place in stages if place is not None), default=0)
            groups.setdefault((address_of(first), ids_of(op)[0], stage), []).append(op)
    for entered in groups.values():
        if len(entered) > 1:
            _combine_group(entered)


def first_reader(enter: ir.Operation, body: ir.Block) -> ir.Operation | None:
    """The first operation of a loop's body that reads an entered buffer, itself or in its regions."""
    readers = places_in(body, memory_readers(enter.opview.buffers[0]))
    return first_of(readers) if readers else None


def memory_readers(value: ir.Value) -> list[ir.Operation]:
    """Mmas and loads that read a buffer, through views."""
    found = []
    for use in value.uses:
        user = use.owner.operation
        if user.name in (*TCGEN5_MMAS, "ttg.local_load"):
            found.append(user)
        elif user.name in MEMDESC_VIEWS:
            found += memory_readers(user.result)
    return found


def _combine_group(entered: list[ir.Operation]) -> None:
    references = [op.opview.aref.owner.operation for op in entered]
    puts = [one for reference in references for one in users_of(reference, PUT)]
    put_exits = [one for reference in references for one in users_of(reference, PUT_EXIT)]
    get_exits = [one for reference in references for one in users_of(reference, GET_EXIT)]
    if len({ids_of(op)[:1] for op in puts}) != 1:
        return
    if sum(len(users_of(reference, GET)) for reference in references) != len(entered):
        return  # another partition reads one of them too
    if any(op.block != ops[0].block for ops in (references, puts, put_exits, get_exits) for op in ops):
        return  # one is filled elsewhere too
    if not all(ends_itself(op, PUT_EXIT) for op in puts) or not all(ends_itself(op, GET_EXIT) for op in entered):
        return  # an access ends by the token of another reference's
    last = last_of(references)
    made = create_reference([reference.opview.buffers[0] for reference in references], last, last.location)
    done = _combine_accesses(puts, put_exits, made, nvws.aref_put_enter, nvws.aref_put_exit, None)
    _combine_accesses(entered, get_exits, made, nvws.aref_get_enter, nvws.aref_get_exit, done)
    for op in [*put_exits, *puts, *get_exits, *entered, *references]:
        op.erase()


def ends_itself(enter: ir.Operation, leave: str) -> bool:
    """Whether an access's token is used by operations `leave` of the same reference alone."""
    users = [use.owner.operation for use in list(enter.results)[-1].uses]
    return all(user.name == leave and user.opview.aref == enter.opview.aref for user in users)


def _combine_accesses(
    entered: list[ir.Operation],
    exits: list[ir.Operation],
    reference: ir.Operation,
    enter: Callable[..., Any],
    leave: Callable[..., Any],
    after: ir.Operation | None,
) -> ir.Operation:
    """Replaces accesses by one to all buffers, and returns what ends it: when all of them have ended.

    Args:
        after: the operation after which it has to be; by default it is at the first of them.
    """
    first, last = first_of(entered), last_of(exits)
    zero = PlacedBuilder(ir.InsertionPoint.after(reference), reference.location, place_of(first))(arith.i32, 0)
    at = ir.InsertionPoint(first) if after is None else ir.InsertionPoint.after(after)
    build = PlacedBuilder(at, first.location, place_of(first))
    types = [op.opview.buffers[0].type for op in entered]
    aref = reference.result
    made = build(enter, types, AsyncTokenType.get(reference.context), aref, stage=zero, phase=zero)
    combined = made[0].owner.operation
    kinds = {str(each): each for op in exits for each in ir.ArrayAttr(op.attributes["async_ops"])}
    token = combined.opview.token
    latest = max((place.schedule for one in exits if (place := place_of(one)).schedule is not None), default=None)
    finish = PlacedBuilder(ir.InsertionPoint(last), first.location, place_of(last)._replace(schedule=latest))
    ended = finish(leave, aref, token, ir.ArrayAttr.get(list(kinds.values()), reference.context), stage=zero)
    for op, buffer in zip(entered, combined.results):
        _move_users_after(op, combined)
        op.opview.buffers[0].replace_all_uses_with(buffer)
    return ended.operation


def _move_users_after(op: ir.Operation, target: ir.Operation) -> None:
    for user in [use.owner.operation for result in op.results for use in result.uses]:
        place = ancestor_in(target.block, user)
        if place is not None and place.is_before_in_block(target):
            place.move_after(target)
            _move_users_after(place, place)


# --- Barriers ---------------------------------------------------------------------------------------------------------
class _Lowering:
    """Replaces one reference and its accesses."""

    def __init__(self, reference: ir.Operation) -> None:
        self.reference = reference
        self.buffers = list(reference.operands)
        self.accesses = users_of(reference, PUT, PUT_EXIT, GET, GET_EXIT, BUFFER)

    def run(self) -> None:
        """Replaces each access by waits and arrivals, and its token by poison, which goes if it has no users."""
        self.empty, self.full = self._make_barriers()
        products = self._background_products()
        with self.reference.location, ir.InsertionPoint(self.reference):
            poison = ub.poison(AsyncTokenType.get(self.reference.context))
        for op in self.accesses:
            if op.name == PUT:
                self._enter_put(op, products)
            elif op.name == GET:
                self._enter_get(op)
            elif op.name == BUFFER:
                self._replace(list(op.results), self._views(op, op.opview.stage, self._builder(op)))
            else:
                self._exit(op)
        for op in self.accesses:
            if op.name in (PUT, GET):
                op.opview.token.replace_all_uses_with(poison)
        for op in [*self.accesses, self.reference]:
            op.erase()
        if not has_uses(poison):
            poison.owner.operation.erase()

    def _make_barriers(self) -> tuple[ir.Value, ir.Value]:
        """Makes the empty and the full barriers of all slots, and destroys them after the last access."""
        after = last_of(places_in(self.reference.block, self.accesses) or [self.reference])
        count, end = depth_of(self.reference), ir.InsertionPoint.after(after)
        arrivals = (self._arrivals(GET_EXIT), self._arrivals(PUT_EXIT))
        empty, full = (allocate_barriers(self.reference, count, each, end) for each in arrivals)
        return empty, full

    def _arrivals(self, name: str) -> int:
        """Number of arrivals at a barrier in a phase: by each partition, once for each kind of work."""
        kinds: dict[int, int] = {}
        for op in self.accesses:
            if op.name == name and has_partition(op):
                kinds.setdefault(ids_of(op)[0], len(kinds_of(op)))
        return sum(kinds.values()) or 1

    def _background_products(self) -> list[ir.Operation]:
        """Mmas outside of the default partition that read an entered buffer."""
        enters = [op for op in self.accesses if op.name == GET and ids_of(op)[:1] != (DEFAULT,)]
        readers = [reader for op in enters for value in list(op.results)[:-1] for reader in memory_readers(value)]
        return [reader for reader in readers if reader.name in TCGEN5_MMAS]

    def _builder(self, op: ir.Operation) -> PlacedBuilder:
        """Builds after an access, where it runs."""
        place = place_of(op)
        following = ir.InsertionPoint.after(op)
        return PlacedBuilder(following, op.location, place if place.ids is not None else type(place)(None))

    def _views(self, op: ir.Operation, stage: ir.Value, build: PlacedBuilder) -> list[ir.Value]:
        views = []
        for buffer in self.buffers:
            memory: Any = buffer.type
            if "tensor_memory_scales_encoding" in str(memory.encoding):
                views.append(buffer)  # has one slot only
                continue
            part = MemDescType.get(
                list(memory.shape)[1:], memory.element_type, memory.encoding, memory.memory_space, True
            )
            views.append(build(ir.Operation.create, "ttg.memdesc_index", [part], [buffer, stage]).result)
        return views

    def _replace(self, old: list[ir.Value], views: list[ir.Value]) -> None:
        for value, view in zip(old, views):
            value.replace_all_uses_with(view)
            make_views_mutable(view)

    def _enter_put(self, op: ir.Operation, products: list[ir.Operation]) -> None:
        build = self._builder(op)
        stage, phase = op.opview.stage, op.opview.phase
        build(ttng.wait_barrier, build(ttg.memdesc_index, self.empty, stage), phase, [])
        *entered, token = op.results
        exits = [use.owner.operation for use in token.uses if use.owner.operation.name == PUT_EXIT]
        if not exits:
            return
        views = self._views(op, stage, build)
        kinds = kinds_of(exits[0])
        if not BY_HARDWARE.isdisjoint(kinds):
            self._load(op, build(ttg.memdesc_index, self.full, stage), build)
        if any(kind in AFTER_LOADS for kind in kinds):
            for product in products:
                if not fills_an_operand(product, self.reference.block):
                    product.attributes["is_async"] = ir.UnitAttr.get(op.context)
        self._replace(list(entered), views)

    def _load(self, op: ir.Operation, barrier: ir.Value, build: PlacedBuilder) -> None:
        """Replaces the loads into entered buffers."""
        entered = list(op.results)[:-1]
        loads = [user for value in entered for use in value.uses if (user := use.owner.operation).name in LOADS]
        if not loads:
            return
        yes = build(arith.true)
        build(ttng.barrier_expect, barrier, sum(map(bytes_of, loads)), yes)
        for load in loads:
            at = PlacedBuilder(ir.InsertionPoint(load), load.location, place_of(load))
            *sources, buffer = load.operands
            if load.name == CLC:
                at(ttng.clc_try_cancel, buffer, barrier)
                load.erase()
                continue
            descriptor, *rest = sources
            if load.name == "nvws.descriptor_load":
                at(ttng.async_tma_copy_global_to_local, descriptor, rest, barrier, buffer, yes)
            else:
                rows, column = rest
                layout = layout_of(buffer)
                assert layout is not None
                rows = divided_as(layout, rows, at)
                at(ttng.async_tma_gather, descriptor, rows, column, barrier, buffer, yes)
            load.erase()

    def _enter_get(self, op: ir.Operation) -> None:
        build = self._builder(op)
        stage, phase = op.opview.stage, op.opview.phase
        build(ttng.wait_barrier, build(ttg.memdesc_index, self.full, stage), phase, [])
        self._replace(list(op.results)[:-1], self._views(op, stage, build))

    def _exit(self, op: ir.Operation) -> None:
        build = self._builder(op)
        kinds = kinds_of(op)
        if "none" in kinds and self._needs_fence(op):
            build(ttng.fence_async_shared, False)
        if BY_HARDWARE.issuperset(kinds):
            return
        barriers = self.full if op.name == PUT_EXIT else self.empty
        barrier = build(ttg.memdesc_index, barriers, op.opview.stage)
        for kind in kinds:
            if kind in ("none", "wgmma"):
                build(ttng.arrive_barrier, barrier, 1)
            elif kind in BY_COMMIT:
                build(ttng.tc_gen5_commit, barrier)

    def _needs_fence(self, op: ir.Operation) -> bool:
        """Whether the other side accesses shared memory through the asynchronous proxy."""
        if op.name == PUT_EXIT:
            memory: Any = self.buffers[0].type
            is_shared = "tensor_memory" not in str(memory.memory_space)
            return is_shared and any("tc5mma" in kinds_of(one) for one in self.accesses if one.name == GET_EXIT)
        return any(not BY_HARDWARE.isdisjoint(kinds_of(one)) for one in self.accesses if one.name == PUT_EXIT)


def make_views_mutable(value: ir.Value) -> None:
    """Gives the views of a mutable buffer mutable types."""
    for use in value.uses:
        user = use.owner.operation
        if user.name in MEMDESC_VIEWS:
            type: Any = user.result.type
            user.result.set_type(MemDescType.get(type.shape, type.element_type, type.encoding, type.memory_space, True))
            make_views_mutable(user.result)


def fills_an_operand(product: ir.Operation, outside: ir.Block) -> bool:
    """Whether a product's partition fills the buffer of an operand itself, below operations of the block `outside`.

    Such a product must end before the next iteration fills the buffer: no reference waits for it.
    """
    view = product.opview
    scales = (view.a_scale, view.b_scale) if product.name == SCALED else ()
    makers = [maker for value in (view.a, view.b, *scales) if (maker := defining(viewed(value))) is not None]
    return any(
        op.name in (LOCAL_ALLOC, TMEM_ALLOC) and len(op.operands) and op.block != outside
        for op in (maker.operation for maker in makers)
    )
