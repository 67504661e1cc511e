"""Layouts of tensors held in shared memory and in tensor memory.  `encodings` explains the terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ttkit.layout.encoding_base import (
    Bases,
    Ints,
    Shared,
    TensorMemoryLayout,
    Value,
    bits_per_dimension,
    cga_entry,
    entries_text,
    is_power_of_two,
    is_surjective,
)


@dataclass(frozen=True)
class _PhasedShared(Shared):
    vec: int
    per_phase: int
    max_phase: int
    order: Ints
    cga_layout: Bases = ()

    def __post_init__(self) -> None:
        self._check_int("vec", "per_phase", "max_phase")
        for field in ("vec", "per_phase", "max_phase"):
            if not is_power_of_two(getattr(self, field)) or getattr(self, field) > 2**20:
                raise self._error(f"{field} must be a power of two of at most 2**20, got {getattr(self, field)}")
        self._check_ints("order")
        self._check_order(self.order)
        self._check_cga_layout()

    @property
    def rank(self) -> int:
        return len(self.order)

    def entries(self) -> dict[str, Value]:
        return {
            "vec": self.vec,
            "perPhase": self.per_phase,
            "maxPhase": self.max_phase,
            "order": self.order,
            **cga_entry(self.cga_layout),
        }


@dataclass(frozen=True)
class SwizzledShared(_PhasedShared):
    """Rows stored one after the other, vectors within a row permuted: column c of row r lies at column
    `((c / vec) ^ (r / per_phase % max_phase)) * vec + c % vec`.

    vec: elements that stay together.  per_phase: rows with the same permutation.  max_phase: number of permutations.
    """

    mnemonic: ClassVar[str] = "swizzled_shared"


@dataclass(frozen=True)
class AmdRotatingShared(_PhasedShared):
    """As SwizzledShared, except that the permutation also changes from one block of `max_phase` phases to the next."""

    mnemonic: ClassVar[str] = "amd_rotating_shared"


@dataclass(frozen=True)
class NvmmaShared(Shared):
    """The shared-memory tiles that NVIDIA's wgmma, tcgen05 and TMA read and write.

    swizzling_byte_width: bytes of a row over which 16-byte vectors are permuted: 0 (none), 32, 64 or 128.
    transposed: the first of the two innermost dimensions is the contiguous one.
    element_bit_width: bits of an element.  fp4_padded: 8 bytes of fp4 values are followed by 8 bytes of padding.
    rank: number of dimensions; 0 takes it from `cga_layout`, and 2 if that is empty.
    """

    swizzling_byte_width: int
    transposed: bool
    element_bit_width: int
    fp4_padded: bool = False
    rank: int = 0
    cga_layout: Bases = ()
    mnemonic: ClassVar[str] = "nvmma_shared"

    def __post_init__(self) -> None:
        if self.rank == 0:
            self._set("rank", len(self.cga_layout[0]) if self.cga_layout else 2)
        self._check_int("swizzling_byte_width", "element_bit_width", "rank")
        if self.swizzling_byte_width not in (0, 32, 64, 128):
            raise self._error(f"swizzling_byte_width must be 0, 32, 64 or 128, got {self.swizzling_byte_width}")
        if not is_power_of_two(self.element_bit_width) or self.element_bit_width > 128:
            raise self._error(f"element_bit_width must be a power of two of at most 128, got {self.element_bit_width}")
        if not 1 <= self.rank <= 16:
            raise self._error(f"rank must be 1 to 16, got {self.rank}")
        self._set("transposed", bool(self.transposed))
        self._set("fp4_padded", bool(self.fp4_padded))
        self._check_cga_layout()

    def entries(self) -> dict[str, Value]:
        return {
            "swizzlingByteWidth": self.swizzling_byte_width,
            "transposed": self.transposed,
            "elementBitWidth": self.element_bit_width,
            **({"fp4Padded": True} if self.fp4_padded else {}),
            **({"rank": self.rank} if self.rank != 2 and not self.cga_layout else {}),
            **cga_entry(self.cga_layout),
        }


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

    def __post_init__(self) -> None:
        self._check_int("rank")
        self._check_bases("pads", "offset", "block")
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

        Raises ValueError if `order` is no permutation of the dimensions of `shape`.
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


@dataclass(frozen=True)
class SharedLinear(Shared):
    """Any placement in shared memory, by the bases of the element's offset and of the CTA index (`block`).

    A zero basis is a bit of the index on which the element does not depend.
    alignment: bytes, a power of two, to which the buffer is aligned.
    """

    offset: Bases
    alignment: int
    block: Bases = ()
    mnemonic: ClassVar[str] = "shared_linear"

    def __post_init__(self) -> None:
        self._check_int("alignment")
        self._check_bases("offset", "block")
        bases = self.offset + self.block
        self._check_linear(bases)
        moving = [basis for basis in bases if any(basis)]
        if len(moving) != sum(bits_per_dimension(moving, self.rank)):
            raise self._error(f"without its zero bases the layout must be bijective, got {bases}")
        if not is_power_of_two(self.alignment):
            raise self._error(f"alignment must be a power of two, got {self.alignment}")

    @property
    def rank(self) -> int:
        return len((self.offset + self.block)[0])

    def entries(self) -> dict[str, Value]:
        return {"offset": self.offset, **({"block": self.block} if self.block else {})}

    def __str__(self) -> str:
        return f"#ttg.{self.mnemonic}<{{{entries_text(self.entries())}}}, alignment = {self.alignment}>"


# --- Tensor memory ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class TensorMemory(TensorMemoryLayout):
    """Blocks of `block_m` x `block_n` elements of an accumulator or a left operand.

    col_stride: distance of neighbours within a row, in elements.
    cta_split_m, cta_split_n: parts that different CTAs hold.
    two_ctas: two CTAs compute the product together.
    """

    block_m: int
    block_n: int
    col_stride: int
    cta_split_m: int = 1
    cta_split_n: int = 1
    two_ctas: bool = False
    mnemonic: ClassVar[str] = "tensor_memory_encoding"

    def __post_init__(self) -> None:
        self._check_int("block_m", "block_n", "col_stride", "cta_split_m", "cta_split_n")
        self._set("two_ctas", bool(self.two_ctas))

    def entries(self) -> dict[str, Value]:
        return {
            "blockM": self.block_m,
            "blockN": self.block_n,
            "colStride": self.col_stride,
            **_cta_split_entries(self.cta_split_m, self.cta_split_n),
            **({"twoCTAs": True} if self.two_ctas else {}),
        }

    def __str__(self) -> str:
        return f"#ttng.{self.mnemonic}<{entries_text(self.entries())}>"


@dataclass(frozen=True)
class TensorMemoryScales(TensorMemoryLayout):
    """The block scales of a scaled product.  cta_split_m, cta_split_n: parts that different CTAs hold."""

    cta_split_m: int = 1
    cta_split_n: int = 1
    mnemonic: ClassVar[str] = "tensor_memory_scales_encoding"

    def __post_init__(self) -> None:
        self._check_int("cta_split_m", "cta_split_n")

    def entries(self) -> dict[str, Value]:
        return _cta_split_entries(self.cta_split_m, self.cta_split_n)

    def __str__(self) -> str:
        return f"#ttng.{self.mnemonic}<{entries_text(self.entries())}>"


def _cta_split_entries(split_m: int, split_n: int) -> dict[str, Value]:
    split = {"CTASplitM": split_m, "CTASplitN": split_n}
    return {key: parts for key, parts in split.items() if parts != 1}
