"""Reductions and scans by a region of several operations, in the order in which threads combine elements.

Such a reduction may combine its elements in any order.  The layout says which order lowered code takes: registers,
lanes, warps.  The region is applied in that order to the kernel's own terms, and what comes out stands for the result.

    combined[reduction, elements, place](a)     what a reduction makes of some of its elements, in whatever order

Lanes of a pair have it of the same elements, each its own first, and it is one term.  The kernel has such a term only
as the result of a reduction, so a term of lowered code that becomes one is equal to nothing else.  Whatever the layout
says, each is a tree over its elements; where lowered code combines otherwise, terms are not equal.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ttkit.analysis.scan_totals import scanned_by_lanes
from ttkit.context import Context
from ttkit.dialects._layouts import linear_layout_of
from ttkit.interpreter.decode import Instruction
from ttkit.layout.reduction import Reduction, plan_reduction
from ttkit.layout.scanning import lanes_at_once, plan_scan
from ttkit.validation.lowered.places import elements
from ttkit.validation.lowered.reductions import operation_of
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.terms import Term, at_place, make
from ttkit.validation.values import NotModelled

Values = tuple[Term, ...]
Combine = Callable[[Values], Values]
"""A region: takes two sets of elements."""


@dataclass
class Combined:
    """A reduction or a scan of the kernel.

    op: the operation.
    sources: its operands, as tensors.
    results: its results.
    combine: its region.
    """

    op: Instruction
    sources: Values
    results: Values
    combine: Combine


@dataclass
class Totals:
    """The terms to which elements of one reduction combine.

    serial: a number of the reduction.
    orders: what lowered code may have, and the term that stands for it.
    known: by the set of elements, as bits, the term of each operand.
    """

    serial: int
    combine: Combine
    orders: dict[Term, Term]
    known: dict[int, Values] = field(default_factory=dict)
    leaves: set[Term] = field(default_factory=set)

    def begin(self, place: int, values: Values) -> None:
        """An element."""
        self.known[1 << place] = values
        self.leaves.update(values)

    def of(self, first: int, second: int) -> int:
        """The elements of two sets, combined in this order.

        Raises:
            NotModelled: an element is in both.
        """
        if first & second:
            raise NotModelled("a reduction that takes an element twice")
        union = first | second
        made = self.combine((*self.known[first], *self.known[second]))
        if union not in self.known:
            self.known[union] = tuple(self._named(term, union, place) for place, term in enumerate(made))
        for term, one in zip(made, self.known[union]):
            if one.head == "combined" and not self._is_plain(term):
                self.orders[term] = one
        return union

    def _is_plain(self, term: Term) -> bool:
        return term.is_const or term in self.leaves or term.head == "combined"

    def _named(self, term: Term, union: int, place: int) -> Term:
        return term if self._is_plain(term) else make("combined", (term,), (self.serial, union, place), term.sort)


def reduced(
    one: Combined, leaf: Callable[[Term], Term], threads: int, serial: int, orders: dict[Term, Term]
) -> dict[Term, Term]:
    """The elements of a reduction's results, as threads combine them.

    Args:
        leaf: an element of the kernel as lowered code has it.
        serial: a number of the reduction.
        orders: gets terms of lowered code, and what stands for each.

    Raises:
        NotModelled: lowered code combines otherwise than is known here.
    """
    kind, axis = one.op.operand_types[0], one.op.attributes["axis"]
    plan = plan_reduction(_layout(kind.text), axis)
    totals = Totals(serial, one.combine, orders)
    rest = (*kind.shape[:axis], *kind.shape[axis + 1 :])
    places: dict[Any, int] = {}
    whole: dict[Any, int] = {}
    for place, (index, terms) in enumerate(elements(kind.shape, *one.sources)):
        places[index] = 1 << place
        totals.begin(place, tuple(leaf(term) for term in terms))
        others = (*index[:axis], *index[axis + 1 :])
        whole[others] = whole.get(others, 0) | 1 << place
    by_thread = _in_threads(plan, kind.text, places, totals, threads)
    _over_warps(plan, by_thread, totals)
    found: dict[Term, Term] = {}
    for index, terms in elements(rest, *one.results):
        values = totals.known.get(whole[index])
        if values is not None:
            found.update(zip(terms, values))
    return found


def _in_threads(plan: Reduction, text: str, places: dict[Any, int], totals: Totals, threads: int) -> list[list[int]]:
    """The elements that each thread has combined within its warp, for each of the plan's registers."""
    layout = _layout(text)

    def element(register: int, thread: int) -> int:
        """The element in a register."""
        at = layout.apply({"register": register, "lane": thread % WARP, "warp": thread // WARP})
        return places[tuple(int(at[name]) for name in layout.out_dims)]

    found = []
    for thread in range(threads):
        row = []
        for first, *others in plan.combined:
            union = element(first, thread)
            for register in others:
                union = totals.of(union, element(register, thread))
            row.append(union)
        found.append(row)
    for step in plan.butterflies:
        picks = [plan.registers.index(register) for register in step.published]
        found = [
            [totals.of(own, found[thread ^ step.mask][pick]) for own, pick in zip(found[thread], picks)]
            for thread in range(threads)
        ]
    return found


def _over_warps(plan: Reduction, by_thread: list[list[int]], totals: Totals) -> None:
    """Combines what warps have found, the first half with the second, and so on."""
    if plan.slots == 1:
        return
    slots: dict[int, dict[int, int]] = {}
    for thread, row in enumerate(by_thread):
        for register, union in enumerate(row):
            at = plan.places.apply({"register": register, "lane": thread % WARP, "warp": thread // WARP})
            place = int(at["offset"])
            slots.setdefault(place // plan.slots, {})[place % plan.slots] = union
    for of_element in slots.values():
        row = [of_element[slot] for slot in range(plan.slots)]
        while len(row) > 1:
            half = len(row) // 2
            pairs = list(zip(row[:half], row[half:]))
            row = [totals.of(*pair) for pair in pairs]
            for first, second in pairs:
                totals.of(second, first)


def all_combined(
    found: list[Combined], leaf: Callable[[Term], Term], threads: int
) -> Iterator[tuple[dict[Term, Term], dict[Term, Term]]]:
    """For each reduction or scan: what its results are, and terms of lowered code with what stands for each.

    Those of which nothing is known here are left out.
    """
    for serial, one in enumerate(found):
        head = one.results[0]
        if head.head not in ("reduce", "scan") or operation_of(head.args[0]):
            continue  # one operation has a form of its own
        orders: dict[Term, Term] = {}
        with contextlib.suppress(NotModelled):
            made = reduced(one, leaf, threads, serial, orders) if one.op.name == "tt.reduce" else scanned(one, leaf)
            yield made, orders


def scanned(one: Combined, leaf: Callable[[Term], Term]) -> dict[Term, Term]:
    """The elements of a scan's results, as threads combine them."""
    kind, axis = one.op.operand_types[0], one.op.attributes["axis"]
    is_reversed = bool(one.op.attributes["reverse"])
    plan = plan_scan(_layout(kind.text), axis)
    steps = plan.steps if plan.bits is None else len(plan.bits)
    run = range(steps, steps) if plan.bits is None else lanes_at_once(plan.bits)
    size = kind.shape[axis]
    found: dict[Term, Term] = {}
    for rest in _without(kind.shape, axis):
        index = dict(enumerate((*rest[:axis], None, *rest[axis:])))

        def at(term: Term, place: int, index: dict[int, Any] = index) -> Term:
            """An element along the axis."""
            return at_place(term, ((d, place if i is None else i) for d, i in index.items()))

        values = [tuple(leaf(at(source, n)) for source in one.sources) for n in range(size)]
        values = _by_bits(values, range(run.start), is_reversed, one.combine)
        values = _by_totals(values, run, is_reversed, one.combine)
        values = _by_bits(values, range(run.stop, steps), is_reversed, one.combine)
        if plan.blocks is not None and scanned_by_lanes(plan.blocks):
            values = _by_totals(values, range(steps, plan.steps), is_reversed, one.combine)
        else:
            values = _over_blocks(values, steps, is_reversed, one.combine)
        for place, made in enumerate(values):
            found.update((at(result, place), value) for result, value in zip(one.results, made))
    return found


def _by_bits(values: list[Values], steps: range, is_reversed: bool, combine: Combine) -> list[Values]:
    """The scans of blocks of twice as many elements after each step."""
    for step in steps:
        bit, lower = 1 << step, (1 << step) - 1
        set_bits, clear_bits = (bit, lower) if is_reversed else (lower, bit)
        values = [
            combine((*values[(n | set_bits) & ~clear_bits], *value)) if bool(n & bit) != is_reversed else value
            for n, value in enumerate(values)
        ]
    return values


def _by_totals(values: list[Values], run: range, is_reversed: bool, combine: Combine) -> list[Values]:
    """The same steps for the last element of each block alone; then all take the scan of the block before.

    So do lanes that have one element, and lanes that have the totals of many blocks.
    """
    if not run:
        return values
    size, count = 1 << run.start, 1 << len(run)
    first = 0 if is_reversed else size - 1
    totals = _by_bits(values[first::size], range(len(run)), is_reversed, combine)
    found = []
    for n, value in enumerate(values):
        block = n // size
        is_first = block % count == (count - 1 if is_reversed else 0)
        found.append(value if is_first else combine((*totals[block + (1 if is_reversed else -1)], *value)))
    return found


def _over_blocks(values: list[Values], steps: int, is_reversed: bool, combine: Combine) -> list[Values]:
    """The scan of all of them: what comes before a block, one after the other, with each of its elements."""
    blocks = [values[n : n + (1 << steps)] for n in range(0, len(values), 1 << steps)]
    if is_reversed:
        blocks = blocks[::-1]
    before = None
    found = []
    for block in blocks:
        found.append(block if before is None else [combine((*before, *value)) for value in block])
        last = block[0] if is_reversed else block[-1]
        before = last if before is None else combine((*before, *last))
    return [value for block in (found[::-1] if is_reversed else found) for value in block]


def _without(shape: tuple[int, ...], axis: int) -> Iterator[tuple[int, ...]]:
    """The indices along other dimensions."""
    for index, _ in elements((*shape[:axis], *shape[axis + 1 :])):
        yield index


def _layout(text: str) -> Any:
    """The layout of a tensor type."""
    with Context() as context:
        return linear_layout_of(ir.Type.parse(text, context))
