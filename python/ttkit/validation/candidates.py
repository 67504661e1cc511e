"""Inputs that may show a difference between two functions, the likely ones first.

Numbers are those by which programs decide: their own constants with the numbers beside them, the sizes of their
tensors, the ends of each type, and for floats NaN, infinities, zeros of both signs and denormals.  Families take
turns, so that none of them uses up the time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product, zip_longest
from typing import Any

import numpy as np

from ttkit.interpreter.check.generated_inputs import used_axes
from ttkit.interpreter.decode import Function
from ttkit.interpreter.ops.arith import constant_array
from ttkit.interpreter.values import FLOATS

SEEDS = 3
SMALL = (1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 64, 65, 100, 127, 128, 130, 200, 0, 256, 300)
TRIES = 24
MOST_CONSTANTS = 24
MOST_ALONE = 12
"""Constants that all elements of all buffers are."""
MOST_PROGRAMS = 2048
TOGETHER = (0.5, 0.1, 0.9)
"""Shares of special numbers among the elements."""
NOT_NUMBERS = (math.nan,)
SIGNS = (-0.0, 0.0, 1.0, -1.0)
ENDS = (math.inf, -math.inf, 3.4e38, -3.4e38, 65504.0, 1e10, 2.0**24 + 1, -(2.0**31))
TINY = (1e-45, -1e-45, 1e-39, 2.0**-24, -(2.0**-24), 1.17549435e-38)
TIES = (0.0, 1.0, 2.0)
WIDE = (100.0, -100.0, 1e3, -1e3, 1e4, -1e4)
"""Floats after whose exponentials something may be infinite."""
ROUNDING = ("tt.fp_to_fp", "arith.truncf")
INTEGERS = (0, 1, -1, 2, -2, 7, -7, 127, 128, -128, 255, 256, 32767, -32768, 65535, 1 << 24, (1 << 24) + 1)
LARGEST = ((1 << 31) - 1, -(1 << 31), -(1 << 31) + 1, (1 << 31) - 2, (1 << 30) + 1, 0x55555555)
SECONDS = 2.0
BYTES = 1 << 24
"""Limits of a run on inputs that may be far from what the kernel is for."""


@dataclass(frozen=True)
class Candidate:
    """Inputs for `try_inputs`.

    texts: arguments.  changes: fields of `Inputs`; None to try tamer ones if these fail.
    loose: whether numbers may differ, and only NaN may not take the place of finite ones.
    """

    seed: int
    texts: tuple[str, ...] = ()
    grid: tuple[int, int, int] | None = None
    changes: dict[str, Any] | None = None
    loose: bool = False

    @property
    def numbers(self) -> list[int]:
        """The numbers that are given as arguments."""
        return [int(text.rpartition("=")[2]) for text in self.texts]


@dataclass
class Candidates:
    """The candidates for two functions of the same arguments.

    proposed: sets of integer arguments by number, and programs by -1 - axis, to try first.
    has_specials: whether all special numbers may be in buffers; where rounding may differ, those alone that rounding
        leaves as they are.
    may_overlap: whether pointers may be into one buffer.
    """

    old: Function
    new: Function
    proposed: Sequence[dict[int, int]] = ()
    has_specials: bool = True
    may_overlap: bool = True

    def __post_init__(self) -> None:
        kinds = list(zip(self.old.argument_types, self.old.argument_attributes))
        self.integers = {
            position: max(1, int(attributes.get("tt.divisibility", 1)))
            for position, (kind, attributes) in enumerate(kinds)
            if kind.rank == 0 and kind.pointee is None and kind.element is not None and kind.element.kind == "i"
        }
        self.flags = [
            position
            for position, (kind, _) in enumerate(kinds)
            if kind.rank == 0 and kind.pointee is None and kind.element == np.bool_
        ]
        self.pointers = [
            position
            for position, (kind, _) in enumerate(kinds)
            if kind.rank == 0 and kind.pointee is not None and not kind.pointee.rank and not kind.problem
        ]
        self.axes = sorted(used_axes(self.old))
        self.whole, self.broken = constants_of(self.old, self.new)

    def __iter__(self) -> Iterator[Candidate]:
        families = [self.small(), self.special(), self.overlapping(), self.decisive(), self.grids(), self.uneven()]
        yield from self.asked_for()
        choose = random.Random(0)
        while families:
            for family in list(families):
                found = next(family, None)
                if found is None:
                    families.remove(family)
                else:
                    flags = {position: choose.randrange(2) for position in self.flags}
                    yield replace(found, texts=(*found.texts, *self.given(flags))) if flags else found

    def given(self, values: dict[int, int]) -> tuple[str, ...]:
        """Arguments as texts."""
        return tuple(f"{self.old.argument_names[position]}={value}" for position, value in values.items())

    def asked_for(self) -> Iterator[Candidate]:
        """Those that z3 proposes."""
        for proposed in self.proposed:
            texts = self.given({p: value for p, value in proposed.items() if p in self.integers})
            grid = [max(1, min(proposed.get(-1 - axis, 0) + 1, MOST_PROGRAMS)) for axis in range(3)]
            yield Candidate(0, texts, None, limits())
            if all(abs(value) <= max(SMALL) for value in proposed.values()):
                yield Candidate(0, texts)  # tamer buffers
            if max(grid) > 1:
                yield Candidate(0, texts, (grid[0], grid[1], grid[2]), limits())

    def small(self) -> Iterator[Candidate]:
        """Small numbers, which reach short loops and the ends of masks, and random ones."""
        integers = self.integers
        for value in SMALL[:4] if integers else ():
            yield Candidate(0, self.given({position: value * divisor for position, divisor in integers.items()}))
        for empty in integers:  # a loop without iterations in one with some
            values = {position: 0 if position == empty else 2 * step for position, step in integers.items()}
            yield Candidate(0, self.given(values))
        for seed in range(SEEDS):
            yield Candidate(seed)
        choose = random.Random(0)
        for seed in range(TRIES if integers else 0):
            yield Candidate(seed, self.given({p: choose.choice(SMALL) * step for p, step in integers.items()}))

    def special(self) -> Iterator[Candidate]:
        """Numbers in buffers that few inputs have."""
        if not self.pointers:
            return
        if not self.has_specials:
            yield from self.plain()
            return
        floats: list[tuple[float, ...]] = [(*NOT_NUMBERS, *SIGNS, *ENDS, *TINY), NOT_NUMBERS, SIGNS, ENDS, TINY, TIES]
        if any(op.name.startswith(("tt.dot", "ttng.warp_group_dot", "ttng.tc_gen5")) for op in self.old.operations()):
            floats = [NOT_NUMBERS, SIGNS, TINY, TIES]  # sums of large numbers overflow in one order and not in another
        floats[1:1] = [numbers for numbers in (between(self.old), self.broken) if numbers]
        whole: list[tuple[float, ...]] = [(*INTEGERS, *LARGEST), TIES, LARGEST]
        if self.whole:
            whole.insert(0, self.whole)
        for seed, share in enumerate(TOGETHER):
            for place in range(max(len(floats), len(whole))):
                numbers = {"f": floats[place % len(floats)], "i": whole[place % len(whole)]}
                yield Candidate(seed, (), None, limits(specials=numbers, share=share))
        integers, others = (tuple(dict.fromkeys((0, *numbers)))[:MOST_ALONE] for numbers in (self.whole, self.broken))
        for integer, other in zip_longest(integers, others):  # sums of zeros are zero
            alone = {kind: (value,) for kind, value in (("f", other), ("i", integer)) if value is not None}
            yield Candidate(0, (), None, limits(specials=alone, share=1.0))

    def plain(self) -> Iterator[Candidate]:
        """Floats that are compared exactly although others are rounded: small whole numbers, constants, and NaN."""
        for seed, numbers in enumerate((TIES, self.broken, (*NOT_NUMBERS, *TIES))):
            for share in TOGETHER[:2] if numbers else ():
                specials = {"f": numbers, "i": self.whole or TIES}
                yield from self.sized(seed, specials=specials, share=share)
        for share in TOGETHER:
            yield from self.sized(0, loose=True, specials={"f": WIDE}, share=share)

    def uneven(self) -> Iterator[Candidate]:
        """Equal numbers in one buffer and others elsewhere; numbers whose sums are zero."""
        zeros = {"f": (0.0,), "i": (0,)}
        large = {"f": (), "i": LARGEST} if self.has_specials else {}
        for seed in range(2 * SEEDS if self.pointers else 0):
            for position in self.pointers:
                yield from self.sized(seed, specials=zeros, share=1.0, special_at=(position,))
            yield from self.sized(seed, balanced=True, specials=large, share=TOGETHER[seed % 2])
            yield from self.sized(seed, balanced=True)

    def sized(self, seed: int, loose: bool = False, **changes: Any) -> Iterator[Candidate]:
        """Inputs with numbers of a kernel's sizes at random, and with small ones."""
        yield Candidate(seed, (), None, limits(**changes), loose)
        if self.integers:
            yield Candidate(
                seed, self.given({p: 4 * step for p, step in self.integers.items()}), None, limits(**changes), loose
            )

    def overlapping(self) -> Iterator[Candidate]:
        """Pointers to one place, and to places beside each other."""
        if not self.may_overlap:
            return
        for offset, size in product((0, 1, 2), (2, 0, 1)):
            for first, second in permutations(self.pointers, 2):
                bytes_of_element = max(1, self.old.argument_types[first].pointee.element.itemsize)
                divisor = int(self.old.argument_attributes[second].get("tt.divisibility", 1))
                if (offset and divisor > bytes_of_element) or (first > second and not offset):
                    continue
                texts = self.given({p: size * step for p, step in self.integers.items()})
                yield Candidate(0, texts, (1, 1, 1), limits(aliases={second: (first, offset * bytes_of_element)}))

    def decisive(self) -> Iterator[Candidate]:
        """Scalars near the constants of the functions, and at the ends of their types."""
        numbers = [-1, *self.whole, *LARGEST[:4], -2, -64]
        for number in numbers if self.integers else ():
            for chosen in self.integers:
                values = {p: step * (2 + n) for n, (p, step) in enumerate(self.integers.items())}
                values[chosen] = clipped(self.old, chosen, number, self.integers[chosen])
                yield Candidate(0, self.given(values), None, limits())
            if len(self.integers) > 1:
                values = {p: clipped(self.old, p, number, step) for p, step in self.integers.items()}
                yield Candidate(0, self.given(values), None, limits())

    def grids(self) -> Iterator[Candidate]:
        """Other numbers of programs, some of them larger than the constants of the functions."""
        if not self.axes:
            return
        large = [int(value) + 2 for value in self.whole if 1 < value < MOST_PROGRAMS]
        for size in (1, 2, 5, *sorted(set(large))):
            grid = [size if axis == self.axes[0] else 2 if axis in self.axes else 1 for axis in range(3)]
            yield Candidate(0, (), (grid[0], grid[1], grid[2]), limits())


def between(function: Function) -> tuple[float, ...]:
    """Numbers of the narrowest type to which a function rounds floats, and those halfway between two of them."""
    targets = {
        op.result_types[0].element
        for op in function.operations()
        if op.name in ROUNDING and op.result_types[0].element.itemsize < op.operand_types[0].element.itemsize
    }
    if not targets:
        return ()
    narrow = min(targets, key=lambda element: (element.itemsize, str(element)))
    patterns = np.arange(1 << 8, dtype=np.uint64) << np.uint64(8 * narrow.itemsize - 8)
    spread = np.concatenate([patterns, patterns + np.uint64(1)]) if narrow.itemsize > 1 else patterns
    with np.errstate(all="ignore"):
        found = np.unique(spread.astype(f"u{narrow.itemsize}").view(narrow).astype(np.float64))
    found = found[np.isfinite(found)]
    bits = found.astype(narrow).view(f"u{narrow.itemsize}")
    after = (bits + np.array(1, bits.dtype)).astype(bits.dtype).view(narrow).astype(np.float64)
    halves = (found + after) / 2
    return tuple(np.concatenate([found, halves[np.isfinite(halves)]]).tolist())


def limits(**changes: Any) -> dict[str, Any]:
    """Changes of inputs that may be far from what the kernel is for."""
    return {"seconds": SECONDS, "most_bytes": BYTES, **changes}


def clipped(function: Function, position: int, value: float, divisor: int) -> int:
    """A number as a value of an argument's type, and as divisible as it must be."""
    element = function.argument_types[position].element
    assert element is not None
    least, most = np.iinfo(element).min, np.iinfo(element).max
    return max(int(least), min(int(most), int(value))) // divisor * divisor


def constants_of(*functions: Function) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Integers and floats in functions with those beside them, the ones that only one side has first."""
    whole: list[dict[float, None]] = []
    broken: list[dict[float, None]] = []
    for function in functions:
        found: tuple[dict[float, None], dict[float, None]] = ({}, {})
        for op in function.operations():
            if op.name == "arith.constant" and op.result_types[0].element is not None and "value" in op.attributes:
                array = constant_array(op).reshape(-1)[:4]
                is_float = array.dtype in FLOATS
                for value in np.unique(array.astype(np.float64)) if is_float else array.tolist():
                    found[is_float][float(value) if is_float else int(value)] = None
            for kind in op.result_types:
                for size in kind.shape if kind.pointee is None else ():
                    found[0][size] = None
        whole.append(found[0])
        broken.append(found[1])
    return beside(whole, lambda value: (value, value - 1, value + 1, -value)), beside(broken, around)


def beside(sides: list[dict[float, None]], others: Any) -> tuple[float, ...]:
    """Numbers of both sides with others beside each."""
    found: dict[float, None] = {}
    one, other = (set(side) for side in sides)
    for value in sorted({*one, *other}, key=lambda value: (value in one and value in other, -abs(value))):
        if len(found) < 4 * MOST_CONSTANTS:
            found.update(dict.fromkeys(others(value)))
    return tuple(found)


def around(value: float) -> tuple[float, ...]:
    """A float and numbers near it."""
    if not math.isfinite(value):
        return (value,)
    more = abs(value) * 2.0**-9 or 2.0**-20
    return value, value - more, value + more, value + 0.5, -value
