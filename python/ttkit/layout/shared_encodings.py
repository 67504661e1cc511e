"""Layouts of shared and of tensor memory: what their fields must satisfy.  `encodings` explains the terms."""

from __future__ import annotations

from typing import Any, ClassVar

import ttkit.layout._fields as _fields
from ttkit.layout.encoding_base import (
    Bases,
    Field,
    Ints,
    Shared,
    Value,
    bits_per_dimension,
    entries_text,
    is_power_of_two,
    is_surjective,
)
from ttkit.records import dataclass


class _PhasedShared(Shared):
    vec: int
    per_phase: int
    max_phase: int
    order: Ints

    def _check(self) -> None:
        for field in ("vec", "per_phase", "max_phase"):
            if not is_power_of_two(getattr(self, field)) or getattr(self, field) > 2**20:
                raise self._error(f"{field} must be a power of two of at most 2**20, got {getattr(self, field)}")
        self._check_order(self.order)
        self._check_cga_layout()

    @property
    def rank(self) -> int:
        """One for each dimension of the order."""
        return len(self.order)


class SwizzledShared(_PhasedShared, _fields.SwizzledSharedFields):
    pass


class AmdRotatingShared(_PhasedShared, _fields.AmdRotatingSharedFields):
    pass


class NvmmaShared(_fields.NvmmaSharedFields):
    def _complete(self) -> None:
        if self.rank == 0:
            self._set("rank", len(self.cga_layout[0]) if self.cga_layout else 2)

    def _check(self) -> None:
        if self.swizzling_byte_width not in (0, 32, 64, 128):
            raise self._error(f"swizzling_byte_width must be 0, 32, 64 or 128, got {self.swizzling_byte_width}")
        if not is_power_of_two(self.element_bit_width) or self.element_bit_width > 128:
            raise self._error(f"element_bit_width must be a power of two of at most 128, got {self.element_bit_width}")
        if not 1 <= self.rank <= 16:
            raise self._error(f"rank must be 1 to 16, got {self.rank}")
        self._check_cga_layout()

    def _is_shown(self, field: Field, value: Any) -> bool:
        if field.name == "rank":
            return self.rank != 2 and not self.cga_layout
        return super()._is_shown(field, value)


@dataclass(frozen=True)
class PaddedShared(Shared):
    """Elements stored in the order of `offset`, with gaps: every `interval` elements are followed by `padding` unused.

    pads: pairs (interval, padding), in elements, both powers of two; the paddings of several pairs add up.
    offset, block: bases of the element's index without gaps, and of the CTA index.
    rank: number of dimensions; needed where there are no bases.
    """

    pads: Bases
    offset: Bases
    block: Bases = ()
    rank: int = 0
    mnemonic: ClassVar[str] = "padded_shared"
    fields: ClassVar[tuple[Field, ...]] = (  # written by hand: the text is not that of the parameters in td
        Field("pads", "pads", "Bases", True),
        Field("offset", "offset", "Bases", True),
        Field("block", "block", "Bases", True),
        Field("rank", "rank", "int", True),
    )

    def _check(self) -> None:
        self._check_pads()
        bases = self.offset + self.block
        self._set("rank", self.rank or (len(bases[0]) if bases else 0))
        if self.rank == 0 or any(len(basis) != self.rank for basis in bases):
            raise self._error(f"all bases must have the same rank of at least 1, got {bases}")
        nonzero = all(any(basis) for basis in bases)
        if not (nonzero and is_surjective(bases) and len(bases) == sum(bits_per_dimension(bases, self.rank))):
            raise self._error(f"the bases must reach every coordinate exactly once, got {bases}")
        if any(sum(value != 0 for value in basis) > 1 for basis in bases):
            raise self._error(f"each basis must move in at most one dimension, got {bases}")
        if any(value and not is_power_of_two(value) for basis in bases for value in basis):
            raise self._error(f"coordinates must be 0 or a power of two, got {bases}")
        self._check_bits(bases)

    def _check_pads(self) -> None:
        if not self.pads or any(len(pair) != 2 for pair in self.pads):
            raise self._error(f"pads must be pairs (interval, padding), at least one, got {self.pads}")
        if any(not is_power_of_two(value) for pair in self.pads for value in pair):
            raise self._error(f"intervals and paddings must be powers of two, got {self.pads}")
        if len({interval for interval, _ in self.pads}) != len(self.pads):
            raise self._error(f"intervals must differ, got {self.pads}")

    @classmethod
    def from_order(cls, pads: Bases, order: Ints, shape: Ints) -> PaddedShared:
        """The layout of a tensor of `shape` (powers of two) whose dimensions are stored in `order`, fastest first.

        Raises ValueError if `order` is not a permutation of the dimensions of `shape`.
        """
        return cls(pads, _ordered_bases(order, shape), (), len(shape))

    @property
    def shape(self) -> Ints:
        """Elements of one CTA per dimension."""
        return tuple(1 << bits for bits in bits_per_dimension(self.offset, self.rank))

    @property
    def order(self) -> Ints | None:
        """The dimensions, fastest first, if the elements are stored one dimension after the other; else None.

        Dimensions of size one come last, the innermost first.
        """
        moved = [next(dim for dim, value in enumerate(basis) if value) for basis in self.offset]
        order = tuple(dict.fromkeys(moved))
        order += tuple(dim for dim in reversed(range(self.rank)) if dim not in order)
        return order if self.offset == _ordered_bases(order, self.shape) else None

    def entries(self) -> dict[str, Value]:
        """The keys of its text after the paddings: order and shape where the elements lie in an order, else bases."""
        order = None if self.block else self.order
        if order is None:
            return {"offset": self.offset, "block": self.block}
        return {"order": order, "shape": self.shape}

    def __str__(self) -> str:
        pads = ", ".join(f"{interval}:+{padding}" for interval, padding in self.pads)
        return f"#ttg.{self.mnemonic}<[{pads}] {{{entries_text(self.entries())}}}>"


def _ordered_bases(order: Ints, shape: Ints) -> Bases:
    """The bases of the row-major offset of a tensor of `shape`, its dimensions in `order`."""
    rank = len(shape)
    if sorted(order) != list(range(rank)) or not all(isinstance(size, int) and is_power_of_two(size) for size in shape):
        raise ValueError(f"PaddedShared: order {order} must permute the dimensions of shape {shape}, powers of two")
    return tuple(
        tuple((1 << bit) * (dim == moved) for dim in range(rank))
        for moved in order
        for bit in range(shape[moved].bit_length() - 1)
    )


class SharedLinear(_fields.SharedLinearFields):
    def _check(self) -> None:
        bases = self.offset + self.block
        self._check_linear(bases)
        moving = [basis for basis in bases if any(basis)]
        if len(moving) != sum(bits_per_dimension(moving, self.rank)):
            raise self._error(f"without its zero bases the layout must be bijective, got {bases}")
        if not is_power_of_two(self.alignment):
            raise self._error(f"alignment must be a power of two, got {self.alignment}")

    @property
    def rank(self) -> int:
        """That of its first basis; there is one at least."""
        return len((self.offset + self.block)[0])

    def __str__(self) -> str:
        entries = self.entries()
        alignment = entries.pop("alignment")
        return f"#ttg.{self.mnemonic}<{{{entries_text(entries)}}}, alignment = {alignment}>"


class TensorMemory(_fields.TensorMemoryFields):
    def _check(self) -> None:
        super()._check()
        if self.fp4_padded and self.col_stride != 1:
            raise self._error(f"fp4_padded needs col_stride = 1, got {self.col_stride}")


class TensorMemoryScales(_fields.TensorMemoryScalesFields):
    def _check(self) -> None:
        super()._check()
        if self.block_rep_order not in ("mnThenK", "kThenMn"):
            raise self._error(f"block_rep_order must be mnThenK or kThenMn, got {self.block_rep_order}")
