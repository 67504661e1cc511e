"""Views of tensors, and what combines elements along an axis: reductions, scans, dots, gathers."""

from __future__ import annotations

from typing import Any

import ttkit.validation.floats as floats
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.ops.dot import IEEE, TF32, is_by_threads
from ttkit.validation.booleans import both, choose, negation
from ttkit.validation.comparisons import equal, less
from ttkit.validation.integers import add, exact_interval, number
from ttkit.validation.meanings.elementwise import function, key_of
from ttkit.validation.registry import means
from ttkit.validation.rounding import BY_THREADS
from ttkit.validation.terms import MEMORY, Term, at_index, indices, make
from ttkit.validation.values import (
    NotModelled,
    reordered,
    row_major,
    sort_of,
    transposed,
    with_dimension,
    without_dimension,
)


@means("ttg.convert_layout", "tt.splat", "tt.broadcast", "tt.int_to_ptr", "tt.ptr_to_int", "tt.unsplat", "tensor.cast")
def same(walk: Any, op: Instruction, source: Term) -> Term:
    """The same term: layouts, and dimensions along which it is equal, do not matter."""
    return source


@means("tt.make_range")
def make_range(walk: Any, op: Instruction) -> Term:
    """start + i"""
    return add(indices(op.result_types[0].shape)[0], number(op.attributes["start"], "i32"))


@means("tt.expand_dims")
def expand_dims(walk: Any, op: Instruction, source: Term) -> Term:
    """One more dimension of size 1."""
    return with_dimension(source, op.attributes["axis"], op.result_types[0].shape)


@means("tt.reshape")
def reshape(walk: Any, op: Instruction, source: Term) -> Term:
    """In row-major order; with allow_reorder in one that is the same for all shapes of the result."""
    shape = op.result_types[0].shape
    if op.attributes.get("allow_reorder"):
        walk.reorderings, walk.reorders = walk.reorderings + 1, op
        [place] = row_major(indices(shape), shape, (op.result_types[0].size,))
        moved = make("call", (place,), (op.name, op.result_types[0].size), "i32")  # another index
        return at_index(
            source, dict(enumerate(row_major([moved], (op.result_types[0].size,), op.operand_types[0].shape)))
        )
    return reordered(source, op.operand_types[0].shape, op.result_types[0].shape)


def closed_over(source: Term, op: Instruction) -> Term:
    """A tensor as an operand of a function of whole tensors."""
    return make("closed", (source,), op.operand_types[0].shape, source.sort)


@means("tt.trans")
def trans(walk: Any, op: Instruction, source: Term) -> Term:
    """Dimensions in another order."""
    return transposed(source, op.attributes["order"], op.result_types[0].shape)


@means("tt.join")
def join(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """a where the last index is 0, b where it is 1."""
    return choose(equal(indices(op.result_types[0].shape)[-1], number(0, "i32")), a, b)


@means("tt.split")
def split(walk: Any, op: Instruction, source: Term) -> tuple[Term, ...]:
    """The source where the last index is 0, and where it is 1."""
    shape = op.operand_types[0].shape
    return tuple(without_dimension(source, len(shape) - 1, number(n, "i32"), shape[:-1]) for n in (0, 1))


@means("tt.cat")
def cat(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """The elements of a and b, in an order of their own."""
    walk.reorderings, walk.reorders = walk.reorderings + 1, op
    shape = op.result_types[0].shape
    return make("call", [closed_over(a, op), closed_over(b, op), *indices(shape)], (op.name, key_of(op)), a.sort)


@means("tt.gather")
def gather(walk: Any, op: Instruction, source: Term, places: Term) -> Term:
    """source[..., places[i], ...] along the axis; undefined where an index is outside, also of equal elements.

    Raises:
        NotModelled: indices are not i32.
    """
    axis = op.attributes["axis"]
    size = op.operand_types[0].shape[axis]
    if places.sort != "i32":
        raise NotModelled("indices that are not i32", op)
    index = indices(op.result_types[0].shape)
    found = at_index(source, {d: places if d == axis else i for d, i in enumerate(index)})
    low, high = exact_interval(places)
    if low >= 0 and high < size:
        return found
    inside = both(negation(less(places, number(0, "i32"))), less(places, number(size, "i32")))
    return choose(inside, found, make("undefined", (found,), "outside", found.sort))


@means("tt.histogram")
def histogram(walk: Any, op: Instruction, source: Term, *mask: Term) -> Term:
    """A function of the whole source."""
    given = [closed_over(term, op) for term in (source, *mask)]
    return make("call", [*given, *indices(op.result_types[0].shape)], op.name, sort_of(op.result_types[0]))


# --- along an axis


def level_over(*terms: Term) -> int:
    """The level of an index that runs over terms."""
    return 1 + max(term.level for term in terms)


def over_axis(terms: list[Term], axis: int, size: int, rank: int) -> list[Term]:
    """Tensors as functions of an index of its own along an axis; dimensions after it move down if it is gone."""
    level = level_over(*terms)
    place = make("bound", (), (level, size), "i32") if size != 1 else number(0, "i32")
    return [at_index(term, {axis: place}) for term in terms]


def region_key(walk: Any, op: Instruction, sources: tuple[Term, ...], sides: int, pack: int = 1) -> Term:
    """A region as a term.  Effects, as of an assertion, happen here: they are those of whole operands.

    Args:
        sides: 2 of a region that combines two sets of elements; 0 of one that takes `pack` elements of each source.
    """
    sorts = [source.sort for source in sources]
    region = walk.region_terms(op, sorts * sides if sides else [sort for sort in sorts for _ in range(pack)])
    key = make("closed", region, "region", "i32")
    if any(term.sort == MEMORY for term in region):
        walk.effect(op, op.name, key, *sources)
    return key


DEEPEST = 3
"""Reductions inside one another whose elements are each a term.  Terms of deeper ones, as in sorts, would multiply."""


@means("tt.reduce")
def reduce(walk: Any, op: Instruction, *sources: Term) -> tuple[Term, ...]:
    """A function of the region, and of the elements along the axis; of whole sources if these are deep."""
    axis, shape = op.attributes["axis"], op.operand_types[0].shape
    rest = (*shape[:axis], *shape[axis + 1 :])
    if shape[axis] == 1:
        return tuple(without_dimension(source, axis, number(0, "i32"), rest) for source in sources)
    key = region_key(walk, op, sources, 2)
    if len(sources) == 1 and sources[0].is_const and of_equal(key, sources[0]):
        return sources
    if walk.closes and level_over(*sources) > DEEPEST:
        closed, index = [make("closed", (source,), shape, source.sort) for source in sources], indices(rest)
        return tuple(
            make("call", (key, *closed, *index), ("reduce", axis, place), source.sort)
            for place, source in enumerate(sources)
        )
    bodies = over_axis(list(sources), axis, shape[axis], len(shape))
    bodies = [without_dimension(body, axis, number(0, "i32"), rest) for body in bodies]
    level = level_over(*sources)
    return tuple(
        make("reduce", [key, *bodies], (shape[axis], place, level), source.sort) for place, source in enumerate(sources)
    )


def of_equal(key: Term, number: Term) -> bool:
    """Whether a region makes of equal numbers the same one: of zeros a sum, of others a maximum or a minimum."""
    combines = key.args[0]
    if len(key.args) != 1 or {arg.head for arg in combines.args} != {"element"} or len(combines.args) != 2:
        return False
    if combines.head == "addf":
        return float(floats.value_of(number)) == 0
    return combines.head in (*floats.IDEMPOTENT, "minsi", "maxsi")


@means("tt.scan")
def scan(walk: Any, op: Instruction, *sources: Term) -> tuple[Term, ...]:
    """A function of the region, of the elements along the axis, and of the index there."""
    axis, shape = op.attributes["axis"], op.operand_types[0].shape
    if shape[axis] == 1:
        return sources
    key = region_key(walk, op, sources, 2)
    bodies = over_axis(list(sources), axis, shape[axis], len(shape))
    kind = shape[axis], bool(op.attributes["reverse"])
    here, level = indices(shape)[axis], level_over(*sources)
    return tuple(
        make("scan", [key, here, *bodies], (*kind, place, level), source.sort) for place, source in enumerate(sources)
    )


@means("tt.map_elementwise")
def map_elementwise(walk: Any, op: Instruction, *sources: Term) -> tuple[Term, ...]:
    """A function of the region and the elements."""
    pack = op.attributes.get("pack", 1)
    key = region_key(walk, op, sources, 0, pack)
    if pack != 1:
        sources = (*(closed_over(source, op) for source in sources), *indices(op.operand_types[0].shape))
    return tuple(
        make("map", [key, *sources], (pack, place), sort_of(kind)) for place, kind in enumerate(op.result_types)
    )


@means("tt.elementwise_inline_asm")
def inline_asm(walk: Any, op: Instruction, *sources: Term) -> tuple[Term, ...]:
    """A function of the elements, or of whole tensors if it takes several together; with effects, what they give."""
    given: tuple[Term, ...] = sources
    if op.attributes.get("packed_element", 1) != 1 or not op.attributes.get("pure"):
        given = (*(closed_over(source, op) for source in sources), *indices(op.result_types[0].shape))
    if not op.attributes.get("pure"):
        given = (walk.effect(op, op.name, *sources), *given)
    sources = given
    key = (op.name, key_of(op))
    return tuple(make("call", sources, (*key, n), sort_of(kind)) for n, kind in enumerate(op.result_types))


@means("tt.extern_elementwise")
def extern(walk: Any, op: Instruction, *sources: Term) -> Term:
    """A function of the elements.

    Raises:
        NotModelled: it may have effects.
    """
    if not op.attributes.get("pure"):
        raise NotModelled("a function that may have effects", op)
    return function(walk, op, *sources)


# --- dots


@means("tt.dot")
def dot(walk: Any, op: Instruction, a: Term, b: Term, c: Term) -> Term:
    """A function of the rows of a, the columns of b, and c."""
    return product(op, a, b, c, op.operand_types[0].shape)


def product(op: Instruction, a: Term, b: Term, c: Term, a_shape: tuple[int, ...]) -> Term:
    """sum over k of a[..., m, k] * b[..., k, n] + c[..., m, n], by the operation's precision.

    Products by threads are exact whatever the precision, which is kept: a later pass may use it.
    """
    rank = len(a_shape)
    size = a_shape[-1]
    level = level_over(a, b)
    place = make("bound", (), (level, size), "i32") if size != 1 else number(0, "i32")
    precision: Any = op.attributes.get("inputPrecision", TF32 if op.name == "ttng.tc_gen5_mma" else IEEE)
    if is_by_threads(op) and precision != IEEE:
        precision = BY_THREADS, precision
    kind = precision if a.sort == "f32" else None, op.attributes.get("maxNumImpreciseAcc", 0), level
    row, column = (widened_from(one) for one in (at_index(a, {rank - 1: place}), at_index(b, {rank - 2: place})))
    if c.sort[0] == "i":  # exact
        return add(make("dot", (row, column, number(0, c.sort)), (size, *kind), c.sort), c)
    return make("dot", (row, column, c), (size, *kind), c.sort)


def widened_from(term: Term) -> Term:
    """An operand of a dot before it was widened: products of 16 bits or fewer are exact in f32."""
    is_exact = term.sort in ("f16", "bf16") and term.head == "call" and term.attr[0] in ("arith.extf", "tt.fp_to_fp")
    return term.args[0] if is_exact and term.args[0].sort.startswith("f8") else term


E2M1 = 4
"""The number of the type of which two elements are in a byte."""


@means("tt.dot_scaled")
def dot_scaled(walk: Any, op: Instruction, *operands: Term) -> Term:
    """A function of whole operands, and of c."""
    (a,), (b,), (c,), a_scale, b_scale = op.segments(operands)
    kinds = tuple(
        (op.attributes[f"{side}_elem_type"], packed)
        for side, packed in (("a", op.attributes["lhs_k_pack"]), ("b", op.attributes["rhs_k_pack"]))
    )
    packed = all(along_k or kind != E2M1 for kind, along_k in kinds)
    key: tuple[Any, ...] = tuple(kind for kind, _ in kinds) if packed else kinds
    key += ("fast",) if op.attributes["fastMath"] and any((*a_scale, *b_scale)) else ()
    scales = tuple(given[0] if given else number(NO_SCALE, "i8") for given in (a_scale, b_scale))
    shapes = op.operand_types[0].shape, op.operand_types[1].shape
    return scaled_product((a, b), shapes, scales, key, c, op.result_types[0].shape)


NO_SCALE = 127
"""The exponent, with its bias, of the scale 1."""


def scaled_product(
    operands: tuple[Term, Term], shapes: Any, scales: tuple[Term, ...], key: Any, c: Term, shape: tuple[int, ...]
) -> Term:
    """sum over k of a[m, k] * a_scale[m, k / s] * b[k, n] * b_scale[n, k / s] + c[m, n]: a function of whole operands.

    Args:
        key: the types of the elements, and whatever else the function depends on.
    """
    closed = [make("closed", (term,), side, term.sort) for term, side in zip(operands, shapes)]
    closed += [make("closed", (term,), "scale", term.sort) for term in scales]
    return make("call", [c, *closed, *indices(shape)], ("scaled product", key), c.sort)
