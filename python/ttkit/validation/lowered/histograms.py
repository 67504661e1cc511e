"""Histograms: threads count elements in shared memory, each by an atomic addition at an address that its value gives.

The additions of one histogram may come in any order.  They are looked up among the elements of the kernel's histogram:
each must be counted once, under its condition, at the place of its value.  Then the bins hold the kernel's result.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import both
from ttkit.validation.comparisons import less_unsigned, resized
from ttkit.validation.integers import add, number, scaled, sum_of
from ttkit.validation.lowered.places import elements
from ttkit.validation.lowered.registers import Register, full
from ttkit.validation.terms import Term, at_place, make
from ttkit.validation.values import NotModelled

COUNT = ("red", "shared", "add", "u32")
BYTES = 4


@dataclass(eq=False)
class Histogram:
    """A histogram of the kernel.

    given: the source, and the mask if there is one.
    result: as a tensor.
    """

    op: Instruction
    given: list[Term]
    result: Term

    @property
    def bins(self) -> int:
        """Number of bins."""
        return int(self.op.result_types[0].shape[0])

    @cached_property
    def elements(self) -> Counter[tuple[Term, Term]]:
        """Number of times that an element counts: (its place after the first bin, in bytes; when it does).

        Elements of 64 bits are compared in their own width; their place is made of the lower half, as all bins are.
        """
        found: Counter[tuple[Term, Term]] = Counter()
        for _, (value, *mask) in elements(self.op.operand_types[0].shape, *self.given):
            bits = int(value.sort[1:])
            if self.bins > 1 << (min(bits, 32) - 1) or self.result.sort != "i32":
                return Counter()
            word = resized(value, "i32", signed=False)
            compared = value if bits > 32 else word
            condition = both(less_unsigned(compared, number(self.bins, compared.sort)), *mask)
            if not (condition.is_const and not condition.attr):
                found[scaled(resized(word, "i64", signed=True), BYTES), condition] += 1
        return found

    @cached_property
    def by_place(self) -> dict[tuple[Term, Term], list[tuple[int, tuple[Term, Term]]]]:
        """Elements by their place without its constant part, and their condition: that part, and the element."""
        found: dict[tuple[Term, Term], list[tuple[int, tuple[Term, Term]]]] = {}
        for place, condition in self.elements:
            begun, start = split(place)
            found.setdefault((begun, condition), []).append((start, (place, condition)))
        return found

    def bin_terms(self) -> list[Term]:
        """The result, bin by bin."""
        return [at_place(self.result, [(0, place)]) for place in range(self.bins)]


def count_elements(machine: Any, address: Register, guard: Register) -> None:
    """Adds 1 at an address of each thread, where the guard holds.

    Raises:
        NotModelled: it is none of the kernel's histograms, or its bins may not be counted in now.
    """
    machine.together()
    threads = machine.threads
    for place, condition in zip(full(address, threads), full(guard, threads)):
        if not (condition.is_const and not condition.attr):
            count_one(machine, place, condition)


def count_one(machine: Any, address: Term, condition: Term) -> None:
    """Counts one element.

    Raises:
        NotModelled: no histogram of the kernel counts it now.
    """
    shared = machine.state.shared
    begun, offset = split(address)
    for histogram in machine.source.histograms:
        for start, element in histogram.by_place.get((begun, condition), ()):
            base = offset - start
            if base not in shared.counts or shared.counts[base][0] is not histogram:
                begin(shared, base, histogram)
            left = shared.counts[base][1]
            if left[element]:
                still_counting(shared, base)
                left[element] -= 1
                if not +left:
                    del shared.counts[base]
                    shared.put_together(base, histogram.bin_terms())
                return
    raise NotModelled(f"an element that no histogram of the kernel counts, or counts no more: at {address}")


def split(address: Term) -> tuple[Term, int]:
    """An address without its constant part, and that."""
    constant = sum_of(address).get((), 0)
    return add(address, number(-constant, address.sort)), constant


def begin(shared: Any, base: int, histogram: Histogram) -> None:
    """Bins of zeros become those of a histogram.

    Raises:
        NotModelled: they are not zero, or a barrier is missing after that.
    """
    size = BYTES * histogram.bins
    for place in range(base, base + size, BYTES):
        held = shared.peek(place, BYTES)
        if held is None or not (held.is_const and held.attr == 0):
            raise NotModelled("elements are counted in bins that are not known to be zero")
    if not shared.is_untouched(range(base, base + size)):
        raise NotModelled("elements are counted in bins without a barrier after their last access")
    shared.counts[base] = histogram, Counter(histogram.elements)
    counting = make("unknown", (), "counts", "i32")
    shared.put_together(base, [counting] * histogram.bins)


def still_counting(shared: Any, base: int) -> None:
    """Raises NotModelled if something else has touched the first bin since counting began, or there was a barrier."""
    held = shared.peek(base, BYTES)
    if held is None or held.head != "unknown" or not shared.touched_in(range(base, base + 1)):
        raise NotModelled("bins are used before all elements of a histogram have been counted")
