"""Base of all layout classes: field checks, the attribute's text, and the conditions for bases to make a layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar, NamedTuple, Union

import ttkit.layout.gf2 as gf2

Ints = tuple[int, ...]
Bases = tuple[Ints, ...]
Value = Union[int, str, Ints, Bases, "Layout"]  # what one key of an attribute can hold

# Limits that keep sizes within 32 bits: on an integer, on a basis's coordinate, on the bits of an index or of all
# coordinates together, and on the bits of a CTA index.  (A cluster has far fewer CTAs than 2**10.)
_UINT32_END = 2**32
_MAX_COORDINATE = 2**30
_MAX_BITS = 31
_MAX_CGA_BITS = 10


class Field(NamedTuple):
    """A field of a layout.

    Attributes:
        key: name in the attribute's text.
        name: name in Python.
        type: "int", "bool", "str", "Ints", "Bases", "Layout", or "Ones": integers that are all one by default.
        printed: whether the text shows it even where it has its default.
    """

    key: str
    name: str
    type: str
    printed: bool


class Layout:
    """Base of all layouts.  Their fields come from the td files (dialects/python/layouts.py)."""

    dialect: ClassVar[str] = "ttg"
    mnemonic: ClassVar[str]
    __match_args__: ClassVar[tuple[str, ...]]
    """The names of the fields, in the order of `__init__`."""
    fields: ClassVar[tuple[Field, ...]]
    """In the order of the attribute's text."""

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __post_init__(self) -> None:
        self._complete()
        for field in self.fields:
            _CHECKS[field.type](self, field.name)
        self._check()

    def _complete(self) -> None:
        """Gives fields that were left out the values that others imply."""

    def _check(self) -> None:
        """Checks what the fields must satisfy together.  Raises ValueError."""

    @property
    def rank(self) -> int:
        """Number of dimensions of the tensors that this layout can be given to."""
        raise NotImplementedError

    def entries(self) -> dict[str, Value]:
        """The keys that the attribute's text shows, in order; defaults are left out."""
        return {field.key: value for field in self.fields if self._is_shown(field, value := getattr(self, field.name))}

    def _is_shown(self, field: Field, value: Any) -> bool:
        if field.type == "Ones":
            return any(size != 1 for size in value)
        return field.printed or value != getattr(type(self), field.name)

    def __str__(self) -> str:
        return f"#{self.dialect}.{self.mnemonic}<{{{entries_text(self.entries())}}}>"

    def _error(self, message: str) -> ValueError:
        return ValueError(f"{type(self).__name__}: {message}")

    def _set(self, field: str, value: object) -> None:
        object.__setattr__(self, field, value)

    def _check_bool(self, field: str) -> None:
        self._set(field, bool(getattr(self, field)))

    def _check_str(self, field: str) -> None:
        if not isinstance(getattr(self, field), str):
            raise self._error(f"{field} must be a word, got {getattr(self, field)!r}")

    def _check_layout(self, field: str) -> None:
        if not isinstance(getattr(self, field), Layout):
            raise self._error(f"{field} must be a layout, got {getattr(self, field)!r}")

    def _check_ints(self, field: str) -> None:
        self._set(field, tuple(self._int(field, value) for value in self._sequence(field, getattr(self, field))))

    def _check_ones(self, field: str) -> None:
        self._check_ints(field)
        if all(size == 1 for size in getattr(self, field)):
            self._set(field, (1,) * self.rank)

    def _check_int(self, field: str) -> None:
        self._int(field, getattr(self, field))

    def _check_bases(self, field: str) -> None:
        rows = (self._sequence(field, row) for row in self._sequence(field, getattr(self, field)))
        bases = tuple(tuple(self._int(field, value) for value in row) for row in rows)
        if len(bases) > _MAX_BITS or any(value > _MAX_COORDINATE for basis in bases for value in basis):
            raise self._error(f"{field} must hold at most {_MAX_BITS} bases, coordinates at most 2**30, got {bases}")
        self._set(field, bases)

    def _sequence(self, field: str, values: object) -> Sequence[object]:
        if not isinstance(values, (list, tuple)):
            raise self._error(f"{field} must be a list or tuple, got {values!r}")
        return values

    def _int(self, field: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _UINT32_END:
            raise self._error(f"{field} must hold integers from 0 to 2**32 - 1, got {value!r}")
        return value

    def _check_powers_of_two(self, *fields: str) -> None:
        for field in fields:
            if any(not is_power_of_two(value) for value in getattr(self, field)):
                raise self._error(f"every element of {field} must be a power of two, got {getattr(self, field)}")

    def _check_size(self, *fields: str) -> None:
        """At most 2**31 elements in the box whose sides are the products of these fields."""
        sizes = [value for field in fields for value in getattr(self, field)]
        bits = sum(value.bit_length() - 1 for value in sizes)
        if bits > _MAX_BITS:
            raise self._error(f"the layout's tile has 2**{bits} elements, at most 2**{_MAX_BITS} are supported")

    def _check_order(self, order: Ints) -> None:
        if sorted(order) != list(range(len(order))):
            raise self._error(f"order must be a permutation of 0..{len(order) - 1}, got {order}")

    def _check_linear(self, bases: Bases) -> None:
        if not bases:
            raise self._error("at least one basis is needed: without any the rank is unknown")
        if not bases[0] or any(len(basis) != len(bases[0]) for basis in bases):
            raise self._error(f"all bases must have the same rank of at least 1, got {bases}")
        if not is_surjective(bases):
            raise self._error(f"the bases must reach every coordinate, got {bases}")
        self._check_bits(bases)

    def _check_bits(self, bases: Bases) -> None:
        if bases and sum(bits_per_dimension(bases, len(bases[0]))) > _MAX_BITS:
            raise self._error(f"the bases span more than 2**{_MAX_BITS} elements: {bases}")

    def _check_cga_layout(self) -> None:
        bases: Bases = self.cga_layout
        if any(len(basis) != self.rank for basis in bases):
            raise self._error(f"each basis of cga_layout must have the layout's rank {self.rank}, got {bases}")
        if len(bases) > _MAX_CGA_BITS:
            raise self._error(f"cga_layout must have at most {_MAX_CGA_BITS} bases, got {len(bases)}")
        if not is_surjective(bases):
            raise self._error(f"cga_layout must reach every coordinate, got {bases}")


_CHECKS = {
    "int": Layout._check_int,
    "bool": Layout._check_bool,
    "str": Layout._check_str,
    "Ints": Layout._check_ints,
    "Ones": Layout._check_ones,
    "Bases": Layout._check_bases,
    "Layout": Layout._check_layout,
}


class Distributed(Layout):
    """A layout of tensors held in registers."""


class Shared(Layout):
    """A layout of tensors held in shared memory."""


class TensorMemoryLayout(Layout):
    """A layout of matrices held in the tensor memory of Blackwell GPUs."""

    dialect: ClassVar[str] = "ttng"
    cta_split_m: int
    cta_split_n: int
    cga_layout: Bases

    @property
    def ctas(self) -> Bases:
        """The part of the matrix that each CTA of the cluster holds: rows and columns in parts, for each bit."""
        return self.cga_layout or _split_bases(self.cta_split_m, self.cta_split_n)

    def _check(self) -> None:
        self._check_cga_layout()
        if not self.cga_layout:
            return
        split_m, split_n = (1 << bits for bits in bits_per_dimension(self.cga_layout, self.rank))
        if (self.cta_split_m, self.cta_split_n) not in ((1, 1), (split_m, split_n)):
            raise self._error(f"cga_layout splits rows in {split_m} and columns in {split_n} parts")
        self._set("cta_split_m", split_m)
        self._set("cta_split_n", split_n)
        if self.cga_layout == _split_bases(split_m, split_n):
            self._set("cga_layout", ())

    def _is_shown(self, field: Field, value: Any) -> bool:
        return super()._is_shown(field, value) and not (self.cga_layout and field.key.startswith("CTASplit"))

    @property
    def rank(self) -> int:
        """Rows and columns."""
        return 2

    def __str__(self) -> str:
        return f"#ttng.{self.mnemonic}<{entries_text(self.entries())}>"


# --- Text ------------------------------------------------------------------------------------------------------------
def value_text(value: Value) -> str:
    """`value` as the attribute syntax writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(value_text, value))}]"
    return str(value)


def entries_text(entries: dict[str, Value]) -> str:
    """`key = value, ...` as the attribute syntax writes it."""
    return ", ".join(f"{key} = {value_text(value)}" for key, value in entries.items())


# --- Bases -----------------------------------------------------------------------------------------------------------
def _split_bases(split_m: int, split_n: int) -> Bases:
    """The CTAs that hold so many parts of a matrix, those along the rows counted first."""
    rows = ((1 << bit, 0) for bit in range(split_m.bit_length() - 1))
    return (*rows, *((0, 1 << bit) for bit in range(split_n.bit_length() - 1)))


def is_power_of_two(value: int) -> bool:
    """Whether an integer is 1, 2, 4, 8, and so on."""
    return value > 0 and value & (value - 1) == 0


def bits_per_dimension(bases: Sequence[Ints], rank: int) -> Ints:
    """Number of bits of the coordinates that `bases` reach, for each dimension."""
    return tuple(max((basis[dim].bit_length() for basis in bases), default=0) for dim in range(rank))


def flattened(bases: Iterable[Ints], bits: Ints) -> list[int]:
    """Each basis as one integer, its coordinates side by side."""
    flat = []
    for basis in bases:
        value = 0
        for coordinate, width in zip(basis, bits):
            value = value << width | coordinate
        flat.append(value)
    return flat


def is_surjective(bases: Bases) -> bool:
    """Whether the XORs of `bases` reach every coordinate below the powers of two that the bases span."""
    if not bases:
        return True
    bits = bits_per_dimension(bases, len(bases[0]))
    return gf2.rank(flattened(bases, bits)) == sum(bits)
