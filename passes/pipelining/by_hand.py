"""Schedules of loops that a kernel pipelines by hand: copies fill a ring of buffers, which products read later.

How much later is found by counting: the scalars of a loop are computed for its first iterations, so that each copy and
each read has a slot.  A read belongs to the last copy into its slot.  Conditions of copies are taken to hold.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from mlir import ir

from ttkit.inspection import collect, enclosing, holders
from ttkit.operation_sets import (
    ALL_DOTS,
    BUFFER_VIEWS,
    COPIES_TO_SHARED,
    LOOPS,
    PARTITIONS,
    TMA_STORES,
    WARP_SPECIALIZE,
)
from ttkit.passes.infra.loops import body_of
from ttkit.passes.pipelining.described import STORES, kind_of, text_of, title_of, units_of, variable_of
from ttkit.timeline.loop_schedule import Kind, LoopSchedule, Scheduled

ITERATIONS = 48
"""Computed of each loop: some times round a ring of buffers."""
_ENDS = (*STORES, *TMA_STORES)
_READS = (*ALL_DOTS, "ttg.local_load", *TMA_STORES)
_OPERATORS: dict[str, Callable[..., int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
    "arith.divsi": lambda a, b: abs(a) // abs(b) * (1 if a * b >= 0 else -1),
    "arith.remsi": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "arith.divui": operator.floordiv,
    "arith.remui": operator.mod,
    **dict.fromkeys(("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast"), operator.pos),
}
_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge) * 2

Slot = tuple[ir.Value, tuple[int | None, ...]]
"""A buffer, and the indices of a part of it; None is not known."""


def by_hand(module: ir.Module) -> Iterator[LoopSchedule]:
    """The schedules of loops with asynchronous copies, or with products of buffers that copies fill elsewhere.

    A loop that reads what another group of warps copies is shown with these copies.  They are as far ahead as the slots
    allow: all but the one that is read may be on their way.
    """
    loops = {loop: _shown(loop) for loop in collect(module.operation, ["scf.for"])}
    copies = [op for shown in loops.values() for op in shown if op.name in COPIES_TO_SHARED]
    rings = {loop: _filled(shown) | _read(shown) for loop, shown in loops.items() if not collect(loop, LOOPS)}
    for loop, shown in loops.items():
        mine, read = _filled(shown), _read(shown)
        given = [op for op in copies if _root(_target(op)) in read - mine]
        if mine or read:
            yield replace(_described(loop, shown, given), units=units_of(*_together(loop, rings)))


def _filled(shown: list[ir.Operation]) -> set[ir.Value]:
    """The buffers that the copies of a loop fill."""
    return {_root(_target(op)) for op in shown if op.name in COPIES_TO_SHARED}


def _read(shown: list[ir.Operation]) -> set[ir.Value]:
    """The buffers of several slots that a loop works with."""
    works = [op for op in shown if op.name not in _ENDS]
    return {_root(value) for op in works for value in _slots_read(op) if _ring(value)}


def _together(loop: ir.Operation, rings: Mapping[ir.Operation, set[ir.Value]]) -> list[ir.Operation]:
    """The loops that run the same iterations of a program: `loop`, and those of other groups of warps that share rings.

    Empty if that is not known: it has loops inside, or groups have several loops, not as many each.

    rings: the buffers that each loop without loops inside fills or reads.
    """
    if loop not in rings:
        return []
    sharing: dict[str, list[ir.Operation]] = {}
    for other in rings:
        if rings[other] & rings[loop]:
            sharing.setdefault(group_of(other), []).append(other)
    of_group = sharing[group_of(loop)]
    if any(len(one) != len(of_group) for one in sharing.values()):
        return []
    return [one[of_group.index(loop)] for one in sharing.values()]


def _shown(loop: ir.Operation) -> list[ir.Operation]:
    """The copies, reads and stores of a loop that are in no loop inside."""
    return [op for op in collect(loop, [*COPIES_TO_SHARED, *_READS, *STORES]) if enclosing(op, "scf.for") == loop]


def _described(loop: ir.Operation, shown: list[ir.Operation], given: list[ir.Operation]) -> LoopSchedule:
    distances, feeds = _counted(loop, shown)
    for number, op in enumerate(shown):
        for value in _slots_read(op):
            for copy in (place for place, each in enumerate(given) if _root(_target(each)) == _root(value)):
                feeds[copy - len(given)] = number
                distances[number] = (_ring(value) or 1) - 1
    last = max(distances.values(), default=0)
    stages = [
        0 if op.name in COPIES_TO_SHARED else distances.get(number, last if op.name in _ENDS else 0)
        for number, op in enumerate(shown)
    ]
    operations = [
        Scheduled(
            text_of(op),
            _kind(op),
            stages[number] if number >= 0 else 0,
            number + len(given),
            used=(stages[feeds[number]], feeds[number] + len(given)) if number in feeds else None,
            variable=variable_of(op),
        )
        for number, op in enumerate([*given, *shown], -len(given))
    ]
    rings = [int(size) for op in shown for value in _buffers(op) if (size := _ring(value)) is not None]
    slots = f", {max(rings)} slots" if rings else ""
    slots += " that other warps fill" if given else ""
    how = f"in warp group {group}" if (group := group_of(loop)) else "by hand"
    return LoopSchedule(f"{title_of(loop)}, {how}{slots}", last + 1, tuple(operations))


def group_of(loop: ir.Operation) -> str:
    """The group of warps that runs a loop, by its name in the text; empty if all warps do."""
    inside = loop
    for holder in holders(loop):
        if holder.name == PARTITIONS:
            return f"partition{list(holder.regions).index(inside.block.region)}"
        if holder.name == WARP_SPECIALIZE:
            return "default"
        inside = holder
    return ""


def _counted(loop: ir.Operation, shown: list[ir.Operation]) -> tuple[dict[int, int], dict[int, int]]:
    """Number of an operation that reads -> iterations since the copy; number of a copy -> that of its reader."""
    distances: dict[int, int] = {}
    feeds: dict[int, int] = {}
    filled: dict[Slot, tuple[int, int]] = {}  # -> iteration and number of the last copy
    for iteration, scalars in enumerate(_iterations(loop)):
        for number, op in enumerate(shown):
            if op.name in COPIES_TO_SHARED:
                filled[_slot(_target(op), scalars)] = iteration, number
            for slot in (_slot(value, scalars) for value in _slots_read(op)):
                if slot in filled and None not in slot[1]:
                    begun, copy = filled[slot]
                    distances[number], feeds[copy] = iteration - begun, number
    return distances, feeds


def _kind(op: ir.Operation) -> Kind:
    return Kind.STORE if op.name in TMA_STORES else kind_of(op)


# --- Buffers ----------------------------------------------------------------------------------------------------------


def _target(copy: ir.Operation) -> ir.Value:
    """The buffer that a copy fills: of TMA the one that is no barrier."""
    buffers = [value for value in copy.operands if _is_buffer(value)]
    return next((value for value in buffers if "xi64," not in str(value.type).partition("#")[0]), buffers[0])


def _slots_read(op: ir.Operation) -> list[ir.Value]:
    return [value for value in op.operands if _is_buffer(value)] if op.name in _READS else []


def _buffers(op: ir.Operation) -> list[ir.Value]:
    return [_target(op)] if op.name in COPIES_TO_SHARED else _slots_read(op)


def _is_buffer(value: ir.Value) -> bool:
    return str(value.type).startswith("!ttg.memdesc<")


def _views(value: ir.Value) -> Iterator[ir.Operation]:
    """The views that lead to a descriptor, the last first."""
    while not isinstance(value.owner, ir.Block) and value.owner.name in BUFFER_VIEWS:
        yield value.owner
        value = value.owner.opview.src


def _root(value: ir.Value) -> ir.Value:
    """The buffer of a descriptor; of groups of warps the one that they were given."""
    views = list(_views(value))
    root = views[-1].opview.src if views else value
    if isinstance(root.owner, ir.Block) and (holder := root.owner.owner).name == PARTITIONS:
        given = holder.operation.parent.operation.operands
        return _root(given[list(root.owner.arguments).index(root)])
    return root


def _slot(value: ir.Value, scalars: _Scalars) -> Slot:
    indices = [scalars(view.opview.index) for view in _views(value) if view.name == "ttg.memdesc_index"]
    return _root(value), tuple(indices)


def _ring(value: ir.Value) -> int | None:
    """The number of slots of a buffer, if the descriptor is one of them."""
    index = next((view for view in _views(value) if view.name == "ttg.memdesc_index"), None)
    return None if index is None else index.opview.src.type.shape[0]


# --- Scalars ----------------------------------------------------------------------------------------------------------


class _Scalars:
    """Integers in an iteration of a loop.

    Args:
        known: of the arguments of the loop's body; None is not known.
    """

    def __init__(self, known: dict[ir.Value, int | None]) -> None:
        self._known = dict(known)

    def __call__(self, value: ir.Value) -> int | None:
        """The number; None if it is not known."""
        if value not in self._known:
            self._known[value] = self._computed(value)
        return self._known[value]

    def _computed(self, value: ir.Value) -> int | None:
        op = value.owner
        if isinstance(op, ir.Block):
            return self._of_outer_loop(value, op)
        if op.name == "arith.constant" and isinstance(op.attributes["value"], ir.IntegerAttr | ir.BoolAttr):
            return int(op.attributes["value"].value)
        if op.name == "scf.if":
            chosen = self(op.operands[0])
            number = list(op.results).index(value)
            return (
                None if chosen is None else self(list(op.regions[1 - chosen].blocks[0].operations)[-1].operands[number])
            )
        given = [self(each) for each in op.operands] if op.name.startswith("arith.") else [None]
        if op.name == "arith.select" and given[0] is not None:
            return given[1] if given[0] else given[2]
        if None in given:
            return None
        if op.name == "arith.cmpi":
            return int(_COMPARISONS[ir.IntegerAttr(op.attributes["predicate"]).value](*given))
        return _OPERATORS[op.name](*given) if op.name in _OPERATORS else None

    def _of_outer_loop(self, value: ir.Value, block: ir.Block) -> int | None:
        """The first value in a loop around this one."""
        loop = block.owner.operation
        if loop.name != "scf.for":
            return None
        number = list(block.arguments).index(value)
        return self(loop.operands[number + 2 if number else 0])


def _iterations(loop: ir.Operation) -> Iterator[_Scalars]:
    """The scalars of the first iterations; a lower bound that is not known counts as zero."""
    lower, _, step, *initial = loop.operands
    index, *carried = body_of(loop).arguments
    outside = _Scalars({})
    numbers = [outside(value) for value in initial]
    first, each = outside(lower) or 0, outside(step) or 1
    for iteration in range(ITERATIONS):
        scalars = _Scalars({index: first + iteration * each, **dict(zip(carried, numbers))})
        yield scalars
        numbers = [scalars(value) for value in list(body_of(loop).operations)[-1].operands]
