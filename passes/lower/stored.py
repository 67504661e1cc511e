"""Elements as they are in memory: a predicate takes a byte, all others are as in registers."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.unsupported import CannotLower


def stored_type(low: Lowering, element: ir.Type) -> ir.Type:
    """Type as which an element is stored in memory: i8 for i1, else its own.

    Raises:
        CannotLower: its bits don't fill bytes, so that its neighbours have no address.
    """
    if element == low.emit.i1:
        return low.emit.i8
    if isinstance(element, (ir.IntegerType, ir.FloatType)) and element.width % 8:
        raise CannotLower(f"found elements of type {element} in memory, which are not whole bytes; store them as i8")
    return element


def to_stored(low: Lowering, value: ir.Value) -> ir.Value:
    """A scalar or vector as it is stored."""
    element = element_type(value)
    stored = stored_type(low, element)
    return value if stored == element else low.emit.cast("zext", value, stored)


def from_stored(low: Lowering, value: ir.Value, element: ir.Type) -> ir.Value:
    """A scalar or vector that was loaded, with elements of the type `element` again."""
    return value if element_type(value) == element else low.emit.cast("trunc", value, element)


def element_type(value: ir.Value) -> ir.Type:
    """The type of a scalar, or of the elements of a vector."""
    return value.type.element_type if isinstance(value.type, ir.VectorType) else value.type


def store_each(
    low: Lowering,
    base: ir.Value,
    places: Sequence[ir.Value],
    vector: ir.Value,
    owner: ir.Value | None = None,
    copies: int = 0,
) -> None:
    """Stores each register to its place in shared memory, counted in elements from `base`.

    owner: whether this thread stores; None for all.  copies: the bits of a register's number that only reach copies.
    """
    for register, place in enumerate(places):
        if not register & copies:
            where = low.emit.gep(base, place, vector.type.element_type)
            low.shared.store(where, low.emit.slice(vector, register, 1), owner)


def load_each(
    low: Lowering, base: ir.Value | Sequence[ir.Value], places: Sequence[ir.Value], element: ir.Type
) -> ir.Value:
    """A vector of the elements at places in shared memory, counted from `base`, one for all or one for each."""
    bases = [base] * len(places) if isinstance(base, ir.Value) else base
    one = low.emit.vector(1, element)
    pointers = (low.emit.gep(each, place, element) for each, place in zip(bases, places, strict=True))
    return low.emit.concat([low.shared.load(pointer, one) for pointer in pointers])


def scratch_areas(low: Lowering, op: ir.OpView, parts: Sequence[ir.Value], count: int) -> list[ir.Value]:
    """Pointers to scratch memory of `op` for `count` elements of each of the parts, which are as they are stored.

    Large elements come first, so that each part is aligned to vectors of its elements.
    """
    sizes = [element_bits(part.type.element_type) // 8 * count for part in parts]
    base = low.shared.scratch(op, sum(sizes))
    found: dict[int, ir.Value] = {}
    for index in sorted(range(len(parts)), key=lambda i: -sizes[i]):
        found[index] = base
        base = low.emit.gep(base, count, parts[index].type.element_type)
    return [found[index] for index in range(len(parts))]
