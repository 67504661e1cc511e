"""Columns of a linear layout, and the properties that are read from them.  `linear` explains the terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import ttkit.layout.gf2 as gf2
from ttkit.layout.packing import Dims, pack, unpack
from ttkit.records import dataclass


@dataclass(frozen=True)
class LinearColumns:
    """A matrix over GF(2), whose rows and columns belong to named dimensions.

    ins, outs: name and number of bits (log2 of the size) of each dimension.
    columns: the basis of each input bit, packed: the first out-dim takes the lowest bits.
    """

    ins: Dims = ()
    outs: Dims = ()
    columns: tuple[int, ...] = ()

    # --- Reading ------------------------------------------------------------------------------------------------------
    @cached_property
    def in_dims(self) -> tuple[str, ...]:
        """Names of the in-dims, in order."""
        return tuple(name for name, _ in self.ins)

    @cached_property
    def out_dims(self) -> tuple[str, ...]:
        """Names of the out-dims, in order."""
        return tuple(name for name, _ in self.outs)

    @cached_property
    def in_bits(self) -> int:
        """Bits of all in-dims together."""
        return len(self.columns)

    @cached_property
    def out_bits(self) -> int:
        """Bits of all out-dims together."""
        return sum(bits for _, bits in self.outs)

    @cached_property
    def _in_bits_by_name(self) -> dict[str, int]:
        return dict(self.ins)

    @cached_property
    def _out_bits_by_name(self) -> dict[str, int]:
        return dict(self.outs)

    def has_in_dim(self, name: str) -> bool:
        """Whether there is an in-dim of this name, of any size."""
        return name in self._in_bits_by_name

    def has_out_dim(self, name: str) -> bool:
        """Whether there is an out-dim of this name, of any size."""
        return name in self._out_bits_by_name

    def bits_in(self, name: str) -> int:
        """Bits of in-dim `name`; 0 if there is none."""
        return self._in_bits_by_name.get(name, 0)

    def bits_out(self, name: str) -> int:
        """Bits of out-dim `name`; 0 if there is none."""
        return self._out_bits_by_name.get(name, 0)

    def in_size(self, name: str) -> int:
        """Number of values of in-dim `name`; 1 if there is none."""
        return 1 << self.bits_in(name)

    def out_size(self, name: str) -> int:
        """Number of values of out-dim `name`; 1 if there is none."""
        return 1 << self.bits_out(name)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the out-dims, in order."""
        return tuple(1 << bits for _, bits in self.outs)

    @cached_property
    def _columns_by_name(self) -> dict[str, tuple[int, ...]]:
        found, start = {}, 0
        for name, bits in self.ins:
            found[name] = self.columns[start : start + bits]
            start += bits
        return found

    def columns_of(self, in_dim: str) -> tuple[int, ...]:
        """The packed bases of `in_dim`, bit 0 first; none if there is no such dimension."""
        return self._columns_by_name.get(in_dim, ())

    def bases(self, in_dim: str) -> tuple[tuple[int, ...], ...]:
        """The bases of `in_dim`, bit 0 first, each one coordinate for each out-dim."""
        return tuple(self.unpack(column) for column in self.columns_of(in_dim))

    def all_bases(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """bases() for each in-dim."""
        return {name: self.bases(name) for name in self.in_dims}

    def unpack(self, packed: int) -> tuple[int, ...]:
        """The coordinates, one for each out-dim, of a packed number."""
        return unpack(packed, self.outs)

    def pack_inputs(self, indices: Mapping[str, int]) -> int:
        """One number for a value of each in-dim; what is not named is 0."""
        return pack([indices.get(name, 0) for name in self.in_dims], self.ins)

    @cached_property
    def span(self) -> gf2.Span:
        """The space that the columns span."""
        return gf2.Span(self.columns)

    @property
    def is_surjective(self) -> bool:
        """Whether every element is somewhere."""
        return self.span.rank == self.out_bits

    @property
    def is_injective(self) -> bool:
        """Whether no element is twice."""
        return self.span.rank == self.in_bits

    @property
    def is_invertible(self) -> bool:
        """Whether each output comes from exactly one input."""
        return self.in_bits == self.out_bits == self.span.rank

    # --- Applying -----------------------------------------------------------------------------------------------------
    def apply(self, indices: Mapping[str, Any]) -> dict[str, Any]:
        """The coordinates of `indices`: ints, or numpy integer arrays that broadcast.  In-dims not named are 0."""
        packed: Any = 0
        for name, index in indices.items():
            for bit, column in enumerate(self.columns_of(name)):
                if column:
                    packed = packed ^ (index >> bit & 1) * column
        coordinates, shift = {}, 0
        for name, bits in self.outs:
            coordinates[name] = packed >> shift & (1 << bits) - 1
            shift += bits
        return coordinates

    def apply_packed(self, packed_index: int) -> int:
        """The packed coordinates of a packed index."""
        return gf2.combine(self.columns, packed_index)

    def values(self, in_dim: str) -> list[int]:
        """Packed coordinates of each value of `in_dim`, all other indices being 0."""
        return gf2.all_values(self.columns_of(in_dim))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """The coordinates of every packed index, in order: the first in-dim counts fastest."""
        return map(self.unpack, gf2.all_values(self.columns))
