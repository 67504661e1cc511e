"""Things that lowering may write differently, as one form: functions of the hardware, and the order of reductions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import ttkit.validation.floats as floats
import ttkit.validation.lowered.scaled_products as scaled_products
from ttkit.validation.booleans import both, choose, negation
from ttkit.validation.comparison import Comparison
from ttkit.validation.comparisons import equal, less
from ttkit.validation.integers import add, multiply, number, subtract
from ttkit.validation.lowered.conversions import (
    EIGHT_BITS,
    EXACT_CONVERSIONS,
    converted,
    number_converted,
    of_eight_bits,
)
from ttkit.validation.lowered.gathers import with_gathers
from ttkit.validation.lowered.products import IN_TF32, Products, kinds_of_dot
from ttkit.validation.lowered.reductions import (
    EXACT,
    combined,
    operation_of,
    parts_of_reduction,
    reduction,
    tree_of,
)
from ttkit.validation.lowered.same_products import same_product
from ttkit.validation.lowered.small_functions import equal_for_all_values
from ttkit.validation.meanings.elementwise import RULES
from ttkit.validation.rounding import FUSION, REASSOCIATION
from ttkit.validation.terms import MEMORY, Term, at_bound, folded, make, rewritten

APPROXIMATION = "approximate functions"
COMBINED = "combined in some order"
LOG2_E = 1.4426950408889634
Change = Callable[[Term, "tuple[Term, ...]"], "Term | None"]

LIBDEVICE = {
    **{
        f"math.{name}": name
        for name in """acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc expm1 log log10 log1p log2
            sin sinh tan tanh""".split()
    },
    "math.powf": "pow",
}
HARDWARE = {"math.exp2": "ex2", "math.sqrt": "sqrt", "math.rsqrt": "rsqrt"}
PRECISE = {"tt.precise_sqrt": "precise sqrt", "tt.precise_divf": "precise division"}
DOUBLE = {"math.sqrt": "precise sqrt", "math.rsqrt": "rsqrt", "tt.approx_divf": "precise division"}
ROUNDED = ("addf", "mulf")
KINDS = {APPROXIMATION, COMBINED, FUSION}


# --- functions


def rounded_quotient(a: Term, b: Term, up: bool) -> Term:
    """a / b rounded up or down: one more, or less, than toward zero where there is a rest on that side."""
    quotient = RULES["divsi"](a, b) or make("call", (a, b), ("arith.divsi", ()), a.sort)
    rest, zero = subtract(a, multiply(quotient, b)), number(0, a.sort)
    ordered = sorted((rest, b), key=lambda one: one.number)
    unlike = less(RULES["xori"](rest, b) or make("call", ordered, ("arith.xori", ()), a.sort), zero)
    moved = both(negation(equal(rest, zero)), negation(unlike) if up else unlike)
    return add(quotient, choose(moved, number(1, a.sort), zero), 1 if up else -1)


def of_kernel(term: Term, args: tuple[Term, ...]) -> Term | None:
    """A function of the kernel, as the hardware has it."""
    if term.head != "call":
        return None
    name, sort = term.attr[0], term.sort
    if name in EXACT_CONVERSIONS and args[0].is_const:
        return number_converted(name, args[0], sort)
    if name == "tt.fp_to_fp":
        return converted(term, args)
    if name in ("tt.clampf", "math.clampf"):
        keeps = name == "math.clampf" or dict(term.attr[1]).get("propagateNan") != "0"
        larger, smaller = ("maximumf", "minimumf") if keeps else ("maxnumf", "minnumf")
        return floats.binary(smaller, floats.binary(larger, *args[:2]), args[2])
    if name in ("arith.ceildivsi", "arith.floordivsi"):
        return rounded_quotient(args[0], args[1], name == "arith.ceildivsi")
    if name == "tt.mulhiui":
        return make("call", args, ("hardware", "mulhiui"), sort)
    if name == "tt.extern_elementwise":
        symbol = dict(term.attr[1]).get("symbol", "")
        return make("call", args, ("libdevice", symbol), sort)
    if name in PRECISE:
        return make("call", args, ("hardware", PRECISE[name]), sort)
    if name == "tt.approx_divf" and sort == "f32":
        return floats.binary("divf", *args)
    if sort == "f64":
        if name in DOUBLE:
            return make("call", args, ("hardware", DOUBLE[name]), sort)
        symbol = LIBDEVICE.get(name) or {"math.exp": "exp", "math.exp2": "exp2"}.get(name)
        return make("call", args, ("libdevice", f"__nv_{symbol}"), sort) if symbol else None
    if name in LIBDEVICE or name in HARDWARE or name == "math.exp":
        return in_f32(name, args, sort)
    return None


def in_f32(name: str, args: tuple[Term, ...], sort: str) -> Term:
    """A function of f32 numbers; of narrower ones, which are widened and rounded."""
    wide = tuple(arg if sort == "f32" else make("call", (arg,), ("arith.extf", ()), "f32") for arg in args)
    if name == "math.exp":
        scaled = floats.binary("mulf", wide[0], floats.constant(LOG2_E, "f32"))
        found = make("call", (scaled,), ("hardware", "ex2"), "f32")
    elif name in HARDWARE:
        found = make("call", wide, ("hardware", HARDWARE[name]), "f32")
    else:
        found = make("call", wide, ("libdevice", f"__nv_{LIBDEVICE[name]}f"), "f32")
    return found if sort == "f32" else make("call", (found,), ("arith.truncf", ()), sort)


def unfused(term: Term, args: tuple[Term, ...]) -> Term | None:
    """A fused product and sum as two operations."""
    if term.head == "call" and term.attr[0] == "math.fma":
        return floats.binary("addf", floats.binary("mulf", *args[:2]), args[2])
    return None


def features_of(term: Term) -> set[str]:
    """Features of a term without its operands: functions that the hardware computes almost, orders of sums."""
    if term.head in ("reduce", "scan"):
        return {operation_of(term.args[0])} - {"", "sum"}
    if term.head in ("combined", "divf"):
        return {COMBINED if term.head == "combined" else APPROXIMATION}
    if (term.head == "dot" and term.sort[0] != "i") or (term.head == "call" and term.attr[0] == "scaled product"):
        return {COMBINED}
    if term.head == "call" and term.attr[0] in ("hardware", "math.fma"):
        return {FUSION if term.attr[0] == "math.fma" else APPROXIMATION}
    return set()


@cache
def trees_of(features: frozenset[str]) -> tuple[str, ...]:
    """The operations whose trees are compared in any order, by the features of the kernel's term."""
    return tuple(sorted((features - KINDS) | set(EXACT)))


# --- comparison


def is_memory(term: Term) -> bool:
    """Whether a term is memory: both sides have it as the kernel does, in the kernel's terms."""
    return term.sort == MEMORY


@dataclass
class Equality:
    """Compares terms of the kernel with those of lowered code.

    rounding: kinds of rounding by which they differ.
    """

    rounding: set[str] = field(default_factory=set)
    comparison: Comparison = field(default_factory=Comparison)
    sight: Comparison = field(default_factory=lambda: Comparison(asks=False))
    known: dict[tuple[Term, Term], bool] = field(default_factory=dict)
    kernel: dict[Term, Term] = field(default_factory=dict)
    trees: dict[tuple[str, ...], dict[Term, Term]] = field(default_factory=dict)
    split_products: dict[Term, Term] = field(default_factory=dict)
    products: Products = field(default_factory=Products)
    sides: dict[Any, tuple[Term, ...]] = field(default_factory=dict)
    rows: dict[Any, Term] = field(default_factory=dict)
    lowered: dict[Term, Term] = field(default_factory=dict)
    of_terms: dict[Term, frozenset[str]] = field(default_factory=dict)
    small: dict[tuple[Term, Term], bool] = field(default_factory=dict)
    same_rows: dict[Any, bool] = field(default_factory=dict)

    def of_kernel(self, theirs: Term) -> Term:
        """A term of the kernel, as the hardware has it."""
        if theirs not in self.kernel:
            top = theirs.args[0] if theirs.head == "bitcast" else theirs
            chain = self._chain(top) if top.head == "dot" else None
            if chain is not None:  # without a look at the products within
                self.kernel[top] = chain
        return rewritten(theirs, self._of_kernel, is_memory, self.kernel)

    def _of_kernel(self, term: Term, args: tuple[Term, ...]) -> Term | None:
        """A part of the kernel."""
        if term.head == "dot":
            return self._dot(term)
        if term.head == "call" and term.attr[0] == "scaled product" and self.products.kinds:
            sides = scaled_products.sides_of(term, self.of_kernel, self.sides)
            return term if sides is None else self.products.joined(*sides[:2], args[0], sides[2], term.sort)
        if term.head not in ("reduce", "scan"):
            return of_kernel(term, args)
        found = parts_of_reduction(term)
        if found is None:
            return term
        return combined(operation_of(term.args[0]), [self.of_kernel(one) for one in found], term.sort)

    def _dot(self, term: Term) -> Term:
        """A product of the kernel, as lowered code adds it up."""
        size, *_, level = term.attr
        row, column, c = term.args
        if max(row.level, column.level) > level:
            return term  # it is inside of another one, which comes first
        chain = self._chain(term)
        if chain is not None:
            return chain
        kinds, c = kinds_of_dot(term), self.of_kernel(c)
        for wide in ("f16", "bf16"):  # each has all numbers of 8 bits
            if kinds not in self.products.kinds and (wide, wide) in self.products.kinds:
                sides = [of_eight_bits(side, wide) if side.sort in EIGHT_BITS else side for side in (row, column)]
                if all(side.sort == wide for side in sides):
                    (row, column), kinds = sides, (wide, wide)
        if kinds in self.products.kinds:
            first, second = (make("row", self.along(side, size, level), "all", side.sort) for side in (row, column))
            return self.products.joined(first, second, c, kinds, term.sort)
        if row.sort == column.sort == term.sort and kinds != IN_TF32:
            for pair in zip(self.along(row, size, level), self.along(column, size, level)):
                c = make("call", (*pair, c), ("math.fma", ()), term.sort)
            return c
        return term

    def _chain(self, term: Term) -> Term | None:
        """Products of one kind that are added up, with what they are added to, at once; None of a single one."""
        kinds = kinds_of_dot(term)
        if kinds not in self.products.kinds or term.sort[0] == "i":
            return None
        parts = []
        while term.head == "dot" and term not in self.kernel and kinds_of_dot(term) == kinds:
            size, *_, level = term.attr
            if max(term.args[0].level, term.args[1].level) > level:
                break
            parts.append([(side, size, level) for side in term.args[:2]])
            term = term.args[2]
        if len(parts) < 2:
            return None
        row, column = (self._joined_along(tuple(sides)) for sides in zip(*parts))
        return self.products.joined(row, column, self.of_kernel(term), kinds, term.sort)

    def _joined_along(self, sides: tuple[Any, ...]) -> Term:
        """The elements of the rows, or of the columns, of several products."""
        found = self.rows.get(sides)
        if found is None:
            elements = tuple(one for side in sides for one in self.along(*side))
            found = self.rows[sides] = make("row", elements, "all", elements[0].sort)
        return found

    def along(self, side: Term, size: int, level: int) -> tuple[Term, ...]:
        """The elements of a row or a column."""
        key = side, size, level
        if key not in self.sides:
            self.sides[key] = tuple(self.of_kernel(at_bound(side, size, level, number(n, "i32"))) for n in range(size))
        return self.sides[key]

    def same(self, theirs: Term, mine: Term) -> bool:
        """Whether a term of lowered code may stand for one of the kernel."""
        if theirs is mine or theirs.head == "undefined":
            return True
        key = theirs, mine
        if key not in self.known:
            self.known[key] = theirs.sort == mine.sort and (
                same_product(self, theirs, mine) or self._same(theirs, mine)
            )
        return self.known[key]

    def identical(self, theirs: Term, mine: Term) -> bool:
        """Whether a term of lowered code is one of the kernel as the hardware has it."""
        return theirs is mine or (self.of_kernel(theirs) is mine and self.same(theirs, mine))

    def same_at_sight(self, theirs: Term, mine: Term) -> bool:
        """Whether this is known without z3, and up to the order of sums alone."""
        if theirs is mine or theirs.head == "undefined" or self.known.get((theirs, mine)):
            return True
        if theirs.sort != mine.sort or not (same_product(self, theirs, mine) or self._forms(theirs, mine, self.sight)):
            return False
        self.known[theirs, mine] = True
        return True

    def _forms(self, theirs: Term, mine: Term, comparison: Comparison) -> bool:
        names, first, second = self._prepared(theirs, mine)
        return self._equal(theirs, first, second, names, comparison)

    def _prepared(self, theirs: Term, mine: Term) -> tuple[tuple[str, ...], Term, Term]:
        """The operations whose trees are compared in any order, and both terms as the hardware has them."""
        names = trees_of(self.features(theirs))
        if self.products.kinds:
            mine = rewritten(mine, self.products.of_lowered, is_memory, self.lowered)
        first = self.of_kernel(theirs)
        return names, first, with_gathers(first, mine)

    def _same(self, theirs: Term, mine: Term) -> bool:
        if self._forms(theirs, mine, self.comparison):
            return True
        names, first, mine = self._prepared(theirs, mine)
        if FUSION in self.features(mine) and FUSION not in self.features(first):
            parts = rewritten(mine, unfused, is_memory, self.split_products)
            if self._equal(theirs, first, parts, names, self.comparison):
                self.rounding.add(FUSION)
                return True
        return equal_for_all_values(theirs, mine, self.small)

    def _equal(self, theirs: Term, first: Term, second: Term, names: tuple[str, ...], comparison: Comparison) -> bool:
        if first is not second:
            first, second = (self._as_reductions(term, names) for term in (first, second))
        if first is not second:
            comparison.steps = 0
            comparison.difference = None
            if not comparison.same(first, second, ()):
                return False
            self.rounding |= comparison.rounding
        if any(name in ROUNDED for name in names) or COMBINED in self.features(first) | self.features(theirs):
            self.rounding.add(REASSOCIATION)
        if APPROXIMATION in self.features(first):
            self.rounding.add(APPROXIMATION)
        return True

    def features(self, root: Term) -> frozenset[str]:
        """Features of a term and its parts."""
        known = self.of_terms

        def of_term(term: Term) -> frozenset[str]:
            """Those of a term whose operands have theirs."""
            parts = {known[arg] for arg in term.args}
            mine = features_of(term)
            if mine:
                parts.add(frozenset(mine))
            return next(iter(parts)) if len(parts) == 1 else frozenset().union(*parts)

        return folded(root, of_term, known)

    def _as_reductions(self, root: Term, names: tuple[str, ...]) -> Term:
        """A term whose trees of some operations are reductions."""

        def replace(term: Term, args: tuple[Term, ...]) -> Term | None:
            """The form of a tree."""
            name = tree_of(term)
            return reduction(name, args, term.sort) if name in names else None

        return rewritten(root, replace, is_memory, self.trees.setdefault(names, {}))
