"""Gluon's layouts of tensors held in shared memory."""

from __future__ import annotations

from dataclasses import field
from math import prod
from typing import Any

from ttkit.layout.encoding_base import is_power_of_two
from ttkit.layout.gluon.base import SharedLayout, frozen, joined, joined_bases, plain
from ttkit.layout.shared_encodings import NvmmaShared, PaddedShared, SharedLinear, SwizzledShared
from ttkit.records import dataclass


@dataclass(frozen=True, eq=False)
class NVMMASharedLayout(SharedLayout):
    """The layout that wgmma, tcgen05 and the tensor memory accelerator read and write.

    Args:
        swizzle_byte_width: bytes of a row over which 16-byte groups are permuted: 0, 32, 64 or 128.
        element_bitwidth: bits of an element: 8, 16, 32 or 64.
        rank: number of dimensions.
        transposed: whether the first dimension is the contiguous one.
        fp4_padded: whether 8 bytes of fp4 values are followed by 8 bytes of padding.
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Raises:
        ValueError: a width that no such layout has, or bases of another rank.

    Example:
        >>> gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16).swizzle_byte_width
        128
        >>> gl.NVMMASharedLayout.get_default_for([64, 16], gl.float16).swizzle_byte_width
        32
    """

    swizzle_byte_width: int
    element_bitwidth: int
    rank: int = 2
    transposed: bool = False
    fp4_padded: bool = False
    cga_layout: list[list[int]] = field(default_factory=list)

    def _check(self) -> None:
        object.__setattr__(self, "cga_layout", self.cga_layout or [])
        if self.element_bitwidth not in (8, 16, 32, 64):
            self._refuse(f"element_bitwidth must be 8, 16, 32 or 64, found {self.element_bitwidth}")
        if self.swizzle_byte_width not in (0, 32, 64, 128):
            self._refuse(f"swizzle_byte_width must be 0, 32, 64 or 128, found {self.swizzle_byte_width}")
        self._check_ranks(self.rank, cga_layout=self.cga_layout)

    def _make_encoding(self) -> NvmmaShared:
        return NvmmaShared(
            self.swizzle_byte_width,
            self.transposed,
            self.element_bitwidth,
            self.fp4_padded,
            self.rank,
            frozen(self.cga_layout),
        )

    @staticmethod
    def get_default_for(
        block_shape: Any, dtype: Any, transposed: Any = False, fp4_padded: Any = False, cga_layout: Any = None
    ) -> NVMMASharedLayout:
        """The layout of a block with the widest swizzling that fits: fewest messages of TMA, fewest instructions.

        Args:
            block_shape: sizes of the block.
            dtype: type of an element.
            transposed, fp4_padded, cga_layout: as of the class.
        """
        block_shape, transposed, fp4_padded, cga_layout = map(plain, (block_shape, transposed, fp4_padded, cga_layout))
        bits = plain(dtype).primitive_bitwidth
        shape = _shape_per_cta(block_shape, cga_layout or [])
        if transposed:
            shape = shape[1:] + shape[:1]
        row = shape[-1] * (2 if fp4_padded else 1) * bits // 8
        swizzle = next((width for width in (128, 64, 32) if row >= width and row % width == 0), 0)
        if len(block_shape) < 2 or prod(shape[:-1]) < 8:
            swizzle = 0
        return NVMMASharedLayout(swizzle, bits, len(block_shape), transposed, fp4_padded, cga_layout or [])

    def mangle(self) -> str:
        """All fields."""
        flags = f"{self.transposed}_{self.fp4_padded}"
        return f"NVMMA_{self.swizzle_byte_width}_{self.element_bitwidth}_{flags}_{joined_bases(self.cga_layout)}_NVMMA"


def _shape_per_cta(shape: list[int], cga_layout: list[list[int]]) -> list[int]:
    """The part of a block that each CTA of a cluster has.  Raises ValueError if the block can't be divided so.

    As in Triton 3.6, a cluster halves dimensions, too, that it does not divide.
    """
    if not cga_layout:
        return shape
    parts = [2 * max(1, *(basis[dim] for basis in cga_layout)) for dim in range(len(shape))]
    if any(size % count for size, count in zip(shape, parts)):
        raise ValueError(f"a block of shape {shape} can't be divided among the CTAs of cga_layout {cga_layout}")
    return [size // count for size, count in zip(shape, parts)]


@dataclass(frozen=True, eq=False)
class SwizzledSharedLayout(SharedLayout):
    """Rows whose groups of `vec` elements are permuted by exclusive or with the row.

    Args:
        vec: elements that stay together.
        per_phase: rows with the same permutation.
        max_phase: number of permutations.
        order: dimensions, contiguous first.
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Example:
        >>> swizzled = gl.SwizzledSharedLayout(vec=4, per_phase=1, max_phase=8, order=[1, 0])
        >>> buffer = gl.allocate_shared_memory(gl.float32, [32, 32], swizzled)
        >>> buffer.store(gl.full([32, 32], 2.0, gl.float32, rows))
        >>> gl.sum(buffer.load(rows), 1).shape
        (constexpr[32])
    """

    vec: int
    per_phase: int
    max_phase: int
    order: list[int]
    cga_layout: list[list[int]] = field(default_factory=list)

    def _make_encoding(self) -> SwizzledShared:
        numbers = (self.vec, self.per_phase, self.max_phase)
        return SwizzledShared(*numbers, frozen(self.order), frozen(self.cga_layout))

    @property
    def rank(self) -> int:  # type: ignore[override]
        """One for each dimension of the order."""
        return len(self.order)

    def mangle(self) -> str:
        """All fields."""
        sizes = f"{self.vec}_{self.per_phase}_{self.max_phase}_{joined(self.order)}"
        return f"SSS_{sizes}_{joined_bases(self.cga_layout)}_SSS"


@dataclass(frozen=True, eq=False)
class PaddedSharedLayout(SharedLayout):
    """Elements in the order of `offset_bases`, with gaps.

    After every `interval` elements follow `padding` unused ones; the paddings of several pairs add up.  With
    [[2, 1], [4, 2]], `p` unused, memory holds x0 x1 p x2 x3 p p p x4 x5 p x6 x7 p p p.

    Args:
        interval_padding_pairs: pairs [interval, padding], in elements, powers of two.
        offset_bases: coordinates that each bit of the offset, counted without gaps, moves to.
        block_bases: the same of the CTA index.
        cga_layout: since Triton 3.7 in place of `block_bases`, also as third argument: in parts of CTAs, not elements.
        shape: sizes of the tensor.

    Raises:
        ValueError: no such pairs, or a basis has another rank than the shape.

    Example:
        >>> padded = gl.PaddedSharedLayout.with_identity_for([[32, 4]], [8, 32], [1, 0])
        >>> gl.allocate_shared_memory(gl.float32, [8, 32], padded).shape
        (constexpr[8], constexpr[32])
    """

    interval_padding_pairs: list[list[int]]
    offset_bases: list[list[int]]
    block_bases: list[list[int]] = field(default_factory=list)
    shape: list[int] = field(default_factory=list)
    cga_layout: list[list[int]] | None = field(default=None, repr=False)

    def _check(self) -> None:
        blocks, rank = self.block_bases if self.cga_layout is None else self.cga_layout, len(self.shape)
        self._check_ranks(rank, offset_bases=self.offset_bases, block_bases=blocks)
        parts = [size >> sum(basis[axis] != 0 for basis in blocks) for axis, size in enumerate(self.shape)]
        # In elements no basis of the offset can be one of the CTA, too.
        in_parts = self.cga_layout is not None or any(basis in self.offset_bases for basis in blocks)
        by_elements = [[step * part for step, part in zip(basis, parts)] for basis in blocks] if in_parts else blocks
        by_parts = [[step // (part or 1) for step, part in zip(basis, parts)] for basis in by_elements]
        object.__setattr__(self, "block_bases", by_elements)
        object.__setattr__(self, "cga_layout", by_parts)
        pairs = self.interval_padding_pairs
        if not pairs or any(len(pair) != 2 for pair in pairs):
            self._refuse(f"interval_padding_pairs must be pairs [interval, padding], at least one, found {pairs}")
        if any(not is_power_of_two(number) for pair in pairs for number in pair):
            self._refuse(f"intervals and paddings must be powers of two, found {pairs}")
        if len({interval for interval, _ in pairs}) != len(pairs):
            self._refuse(f"intervals must differ, found {pairs}")
        if not self.shape:
            self._refuse("shape must have a dimension at least")

    def _make_encoding(self) -> PaddedShared:
        pads, offset, block = map(frozen, (self.interval_padding_pairs, self.offset_bases, self.block_bases))
        return PaddedShared(pads, offset, block, len(self.shape))

    @property
    def rank(self) -> int:  # type: ignore[override]
        """That of the shape."""
        return len(self.shape)

    @staticmethod
    def with_identity_for(
        interval_padding_pairs: Any, shape: Any, order: Any, cga_layout: Any = ()
    ) -> PaddedSharedLayout:
        """The layout of a tensor whose dimensions are stored in `order`, fastest first, apart from the gaps.

        Args:
            cga_layout: bases of the CTA index, by which CTAs of a cluster divide the tensor.

        Raises:
            ValueError: a size is not a power of two, or `order` is not one of the dimensions of `shape`.
        """
        pairs, shape, order = plain(interval_padding_pairs), plain(shape), plain(order)
        blocks = [list(basis) for basis in plain(cga_layout)]
        parts = [size >> sum(basis[axis] != 0 for basis in blocks) for axis, size in enumerate(shape)]
        bases = PaddedShared.from_order(frozen(pairs), frozen(order), frozen(parts)).offset
        return PaddedSharedLayout(pairs, [list(basis) for basis in bases], shape=shape, cga_layout=blocks)

    def verify(self) -> None:
        """Checks the pairs and ranks, as making one does.  Raises ValueError."""
        self._check()

    def mangle(self) -> str:
        """All fields."""
        fields = f"{self.interval_padding_pairs}_{self.offset_bases}_{self.block_bases}_{self.shape}"
        return f"PaddedShared_{fields}_PaddedShared"


@dataclass(frozen=True, eq=False)
class SharedLinearLayout(SharedLayout):
    """A layout by its bases: the coordinates that each bit of the offset moves to.

    Args:
        offset_bases, block_bases: of the offset in elements, and of the CTA.
        alignment: of the allocation, in bytes.

    Raises:
        ValueError: no bases, or bases of different rank; an alignment that is not a power of two.

    Example:
        >>> linear = gl.SharedLinearLayout([[1], [2], [4]])
        >>> buffer = gl.allocate_shared_memory(gl.int32, [8], linear, gl.arange(0, 8, line))
        >>> buffer.load(line)
        int32[8] [0 1 2 3 4 5 6 7]
    """

    offset_bases: list[list[int]]
    block_bases: list[list[int]] = field(default_factory=list)
    alignment: int = 16

    def _check(self) -> None:
        if not self.offset_bases or not self.offset_bases[0]:
            self._refuse("offset_bases must not be empty")
        self._check_ranks(self.rank, offset_bases=self.offset_bases, block_bases=self.block_bases)
        if not is_power_of_two(self.alignment):
            self._refuse(f"alignment must be a power of two, found {self.alignment}")

    def _make_encoding(self) -> SharedLinear:
        return SharedLinear(frozen(self.offset_bases), self.alignment, frozen(self.block_bases))

    @property
    def rank(self) -> int:  # type: ignore[override]
        """That of its first basis."""
        return len(self.offset_bases[0])

    @property
    def shape(self) -> list[int]:
        """The sizes of the buffer that the bases span."""
        bases = [*self.offset_bases, *self.block_bases]
        return [1 << max(basis[dim] for basis in bases).bit_length() for dim in range(self.rank)]

    def mangle(self) -> str:
        """All fields."""
        return f"SharedLinear_{self.offset_bases}_{self.block_bases}_{self.alignment}_SharedLinear"
