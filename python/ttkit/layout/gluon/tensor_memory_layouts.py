"""Gluon's layouts of matrices held in tensor memory."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ttkit.layout.encoding_base import is_power_of_two
from ttkit.layout.gluon.base import GluonLayout, frozen, joined_bases, plain
from ttkit.layout.gluon.distributed_layouts import DistributedLinearLayout
from ttkit.layout.gluon.from_encoding import from_encoding
from ttkit.layout.shared_encodings import TensorMemory, TensorMemoryScales
from ttkit.layout.tensor_memory_registers import TILES, register_layout
from ttkit.records import dataclass

_SPLIT = "32x32b_splitn"
"""The pattern 32x32b, but with the halves of the columns in different registers."""
_VARIANTS = (*TILES, _SPLIT)


class _InTensorMemory(GluonLayout):
    cta_split_num: tuple[int, int] | None
    cga_layout: Any

    def _check(self) -> None:
        given = self.cta_split_num
        bases = given if isinstance(given, list) and all(isinstance(each, list) for each in given) else self.cga_layout
        if bases is not None:
            if any(len(basis) != 2 for basis in bases):
                self._refuse(f"each basis of cga_layout must have 2 coordinates, found {bases}")
            split = (1 << sum(basis[0] != 0 for basis in bases), 1 << sum(basis[1] != 0 for basis in bases))
            object.__setattr__(self, "cta_split_num", None if split == (1, 1) else split)
            in_order = [[1 << bit, 0] for bit in range(split[0].bit_length() - 1)]
            in_order += [[0, 1 << bit] for bit in range(split[1].bit_length() - 1)]
            object.__setattr__(self, "cga_layout", None if bases == in_order else [list(each) for each in bases])
        if self.cta_split_num is not None:
            object.__setattr__(self, "cta_split_num", tuple(self.cta_split_num))
            if len(self.cta_split_num) != 2:
                self._refuse(f"cta_split_num must have 2 entries, found {self.cta_split_num}")

    @property
    def _split(self) -> tuple[int, int]:
        return self.cta_split_num or (1, 1)

    @property
    def _bases(self) -> Any:
        return frozen(self.cga_layout or [])

    @property
    def _mangled_split(self) -> str:
        if self.cga_layout:
            return f"CGA{joined_bases(self.cga_layout)}"
        return "CS{}x{}".format(*self.cta_split_num) if self.cta_split_num else ""


@dataclass(frozen=True, eq=False)
class TensorMemoryLayout(_InTensorMemory):
    """Blocks of a matrix in tensor memory, such as an accumulator of tcgen05.mma.

    Args:
        block: rows, 64 or 128, and columns of a block.
        col_stride: elements from one column to the next: 1, or 32 / bits of an element, where each has 32 bits.
        cta_split_num: parts along rows and columns that CTAs of a cluster have; None for one CTA.
        two_ctas: whether two CTAs compute it together.
        fp4_padded: whether the buffer is a left operand of fp4, two in an int8, each of which has a byte of its own;
            `reinterpret` makes such a view, which products read.
        cga_layout: since Triton 3.8 in place of `cta_split_num`, also as third argument: bases of the CTA's number.

    Raises:
        ValueError: not two sizes, a stride that is not a power of two, or `fp4_padded` with a stride other than 1.

    Example:
        >>> accumulator = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> blackwell.allocate_tensor_memory(gl.float32, [128, 32], accumulator).shape
        (constexpr[128], constexpr[32])
    """

    block: tuple[int, int]
    col_stride: int
    cta_split_num: tuple[int, int] | None = None
    two_ctas: bool = False
    fp4_padded: bool = False
    cga_layout: Any = field(default=None, repr=False)

    def _check(self) -> None:
        super()._check()
        if self.fp4_padded and self.col_stride != 1:
            self._refuse(f"fp4_padded needs col_stride = 1, found {self.col_stride}")
        object.__setattr__(self, "block", tuple(self.block))
        if len(self.block) != 2:
            self._refuse(f"block must have 2 entries, found {self.block}")
        if not is_power_of_two(self.col_stride):
            self._refuse(f"col_stride must be a power of two, found {self.col_stride}")

    def _make_encoding(self) -> TensorMemory:
        return TensorMemory(
            *self.block, self.col_stride, *self._split, self.two_ctas, self._bases, fp4_padded=self.fp4_padded
        )

    def mangle(self) -> str:
        """All fields."""
        pair = "2CT" if self.two_ctas else ""
        padded = "FP4P" if self.fp4_padded else ""
        return f"TL{self.block[0]}x{self.block[1]}C{self.col_stride}{self._mangled_split}{pair}{padded}TL"


@dataclass(frozen=True, eq=False)
class TensorMemoryScalesLayout(_InTensorMemory):
    """Block scales of a product in tensor memory.

    Args:
        cta_split_num, cga_layout: as of `TensorMemoryLayout`.

    Raises:
        ValueError: it does not have two entries.

    Example:
        >>> blackwell.allocate_tensor_memory(gl.int8, [128, 4], blackwell.TensorMemoryScalesLayout()).shape
        (constexpr[128], constexpr[4])
    """

    cta_split_num: tuple[int, int] | None = None
    cga_layout: Any = field(default=None, repr=False)

    def _make_encoding(self) -> TensorMemoryScales:
        return TensorMemoryScales(*self._split, self._bases)

    def mangle(self) -> str:
        """The split."""
        return f"TLS{self._mangled_split}TLS"


@from_encoding.register
def _(layout: TensorMemory) -> GluonLayout:
    blocks, split = (layout.block_m, layout.block_n), (layout.cta_split_m, layout.cta_split_n)
    bases = [list(basis) for basis in layout.cga_layout] or None
    given = None if split == (1, 1) else split
    return TensorMemoryLayout(blocks, layout.col_stride, given, layout.two_ctas, layout.fp4_padded, bases)


@from_encoding.register
def _(layout: TensorMemoryScales) -> GluonLayout:
    split = (layout.cta_split_m, layout.cta_split_n)
    bases = [list(basis) for basis in layout.cga_layout] or None
    return TensorMemoryScalesLayout(None if split == (1, 1) else split, bases)


def tensor_memory_registers(
    element_ty: Any, shape: Any, layout: Any, num_warps: Any, instr_variant: Any = "32x32b", cga_layout: Any = ()
) -> DistributedLinearLayout:
    """The layout of registers in which a matrix in tensor memory is loaded and stored by one pattern of instructions.

    Args:
        element_ty: type of an element.
        shape: rows and columns of the matrix.
        layout: a `TensorMemoryLayout` or `TensorMemoryScalesLayout`.
        num_warps: at least 4, a power of two.
        instr_variant: "32x32b" (a lane has a row), "16x64b", "16x128b", "16x256b" (as results of mma), or
            "32x32b_splitn" (as "32x32b", but `split` of the halves of the columns moves nothing).
        cga_layout: bases of the CTA index in the cluster; empty for one CTA.

    Raises:
        ValueError: there is no such layout.
    """
    shape, layout, num_warps, variant, cga = map(plain, (shape, layout, num_warps, instr_variant, cga_layout))
    bits = plain(element_ty).primitive_bitwidth
    if not isinstance(variant, str):
        raise ValueError("instr_variant must be a string")
    if variant not in _VARIANTS:
        raise ValueError(f"unknown instr_variant: {variant}; expected one of {', '.join(_VARIANTS)}")
    if not isinstance(num_warps, int) or num_warps < 4 or not is_power_of_two(num_warps):
        raise ValueError(f"num_warps must be a power of two and >= 4, found {num_warps}")
    if any(not isinstance(size, int) for size in shape):
        raise ValueError(f"shape entries must be ints but got {shape}")
    if len(shape) != 2:
        raise ValueError(f"expected a 2D tensor, found the shape {shape}")
    if any(len(basis) != 2 for basis in cga):
        raise ValueError(f"cga_layout basis rank mismatch: {cga}")
    if not isinstance(layout, _InTensorMemory):
        raise ValueError(f"expected a layout of tensor memory, found {layout}")
    pattern = "32x32b" if variant == _SPLIT else variant
    blocks = tuple(tuple(basis) for basis in cga)
    found = register_layout(pattern, layout.encoding, shape, bits, num_warps, blocks)  # type: ignore[arg-type]
    if found is None:
        raise ValueError(f"TMEM layout '{pattern}' unsupported for shape {shape} and num_warps {num_warps}")
    made = from_encoding(found)
    registers, lanes, warps = made.reg_bases, made.lane_bases, made.warp_bases
    if variant == _SPLIT:
        _split_columns(registers, lanes, warps, [0, shape[1] // 2], bits)
    return DistributedLinearLayout(registers, lanes, warps, made.block_bases, shape)


def _split_columns(registers: Any, lanes: Any, warps: Any, half: list[int], bits: int) -> None:
    """Makes the last register's basis `half`, the step to the other half of the columns.  Raises ValueError."""
    if not registers:
        if lanes[-1] != half:
            raise ValueError(f"splitn with 1 register requires the last lane basis to be {half}, found {lanes[-1]}")
        registers.append(half)
        lanes[-1] = [0, 0]
    elif registers[-1] != half:
        least = 32 // bits
        if 2 ** len(registers) <= least:
            raise ValueError(
                f"To be able to `tmem.load` into `tl.split` you need to have more than {least} {bits}-bit registers, "
                'as you need to use the instruction 32x32b.x1 twice. You can always load into instr_variant="32x32b" '
                "and then convert_layout to this layout otherwise."
            )
        for bases in (registers, lanes, warps):
            if half in bases:
                place = bases.index(half)
                registers[-1], bases[place] = half, registers[-1]
                return
        raise ValueError(f"splitn requires at least one basis of {half}, found none")
