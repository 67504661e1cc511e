"""Tensor descriptors made on the host for kernels in Gluon: their blocks have a layout in shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.layout.gluon.shared_layouts import NVMMASharedLayout
from ttkit.records import dataclass
from ttkit.runtime.tensor_descriptor import DescribedTensor, require
from ttkit.runtime.tensor_descriptor import element_strides as steps_of


@dataclass
class TensorDescriptor(DescribedTensor):
    """A tensor on the GPU that a kernel in Gluon copies in blocks, by TMA.

    base, shape, strides, block_shape, padding: as of `ttkit.runtime.TensorDescriptor`.
    layout: of the blocks in shared memory, an `NVMMASharedLayout` of the same rank.
    round_f32_to_tf32: TMA rounds what is loaded to tf32.

    Raises:
        ArgumentError: one of these does not hold.
    """

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    layout: NVMMASharedLayout
    padding: str = "zero"
    round_f32_to_tf32: bool = False

    @property
    def mode(self) -> str:
        """ "tiled": blocks are boxes of the tensor."""
        return "tiled"

    def __post_init__(self) -> None:
        self._check()
        require(isinstance(self.layout, NVMMASharedLayout), "Layout must be NVMMASharedLayout")
        found, rank = self.layout.rank, len(self.shape)
        require(found == rank, f"layout must have rank {rank}, that of the tensor, found {found}")
        self._check_rounding()

    @staticmethod
    def from_tensor(
        tensor: Any,
        block_shape: Sequence[int],
        layout: NVMMASharedLayout,
        padding: str = "zero",
        round_f32_to_tf32: bool = False,
    ) -> TensorDescriptor:
        """A descriptor of all of a tensor of torch, or of an array for the interpreter."""
        return TensorDescriptor(tensor, tensor.shape, steps_of(tensor), block_shape, layout, padding, round_f32_to_tf32)


# Rank of the tensor -> the smallest and the largest number of a corner, which the hardware keeps in 16, 8 or 4 bits.
CORNERS = {3: (-(1 << 15), (1 << 15) - 1), 4: (-(1 << 7), (1 << 7) - 1), 5: (-(1 << 4), (1 << 4) - 1)}
MAX_ELEMENT_STRIDE, MAX_PIXELS, MAX_CHANNELS = 8, 1024, 256


@dataclass
class TensorDescriptorIm2Col(DescribedTensor):
    """A tensor of images that a kernel in Gluon copies pixel by pixel, by TMA: `tma.async_load_im2col`.

    A block has `block_shape[0]` pixels, one after the other in the order of the dimensions, with `block_shape[1]`
    channels of each.  The pixels are those of a box: along a dimension of space of size `n` from `lower` to
    `n - 1 + upper`, every `element_strides`-th of them.  An offset of the copy moves all of them, as a filter does.

    base, padding: as of `ttkit.runtime.TensorDescriptor`.
    shape, strides: of the tensor, N x W x C, N x H x W x C or N x D x H x W x C.
    block_shape: pixels and channels, powers of two.
    layout: of the blocks in shared memory, an `NVMMASharedLayout` of rank 2.
    round_f32_to_tf32: TMA rounds what is loaded to tf32.
    element_strides: of each dimension of the tensor, 1 to 8; those of space are the steps from pixel to pixel.
    pixel_box_lower_corner, pixel_box_upper_corner: of each dimension of space, from the first pixel and from the last.

    Raises:
        ArgumentError: one of these does not hold.
    """

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    layout: NVMMASharedLayout
    padding: str = "zero"
    round_f32_to_tf32: bool = False
    element_strides: Sequence[int] | None = None
    pixel_box_lower_corner: Sequence[int] | None = None
    pixel_box_upper_corner: Sequence[int] | None = None

    @property
    def mode(self) -> str:
        """ "im2col": blocks are pixels with channels."""
        return "im2col"

    def __post_init__(self) -> None:
        require(len(self.block_shape) == 2, "im2col: block_shape must be 2D")
        rank = len(self.shape)
        require(len(self.strides) == rank, f"rank mismatch: {rank} sizes and {len(self.strides)} strides")
        require(rank in CORNERS, f"im2col mode requires rank 3, 4, or 5, got {rank}")
        self._check_tensor()
        require(isinstance(self.layout, NVMMASharedLayout), "Layout must be NVMMASharedLayout")
        require(self.layout.rank == 2, f"layout must have rank 2, found {self.layout.rank}")
        require(not self.layout.transposed, "layout must not be transposed: pixels are rows")
        self._check_rounding()
        self._check_steps(rank)
        for side in ("lower", "upper"):
            self._check_corner(side, getattr(self, f"pixel_box_{side}_corner"), rank)
        pixels, channels = self.block_shape
        require(pixels <= MAX_PIXELS, f"block_shape[0] must be at most {MAX_PIXELS} pixels, got {pixels}")
        require(channels > 0, f"block_shape[1] must be positive, got {channels}")

    def _check_steps(self, rank: int) -> None:
        steps = self.element_strides
        if steps is None:
            return
        require(len(steps) == rank, f"element_strides length mismatch: expected {rank}, got {len(steps)}")
        for place, step in enumerate(steps):
            fits = 0 < step <= MAX_ELEMENT_STRIDE
            require(fits, f"element_strides[{place}] must be in (0, {MAX_ELEMENT_STRIDE}], got {step}")
        require(steps[-1] == 1, f"element_strides[-1] must be 1, got {steps[-1]}")

    @staticmethod
    def _check_corner(side: str, corner: Sequence[int] | None, rank: int) -> None:
        name = f"pixel_box_{side}_corner"
        require(corner is not None, f"{name} required for im2col")
        assert corner is not None
        require(len(corner) == rank - 2, f"{name} length mismatch: expected {rank - 2}, got {len(corner)}")
        low, high = CORNERS[rank]
        for place, number in enumerate(corner):
            require(low <= number <= high, f"{name}[{place}] must be in [{low}, {high}], got {number}")

    @staticmethod
    def from_tensor(
        tensor: Any,
        block_shape: Sequence[int],
        layout: NVMMASharedLayout,
        padding: str = "zero",
        round_f32_to_tf32: bool = False,
        element_strides: Sequence[int] | None = None,
        pixel_box_lower_corner: Sequence[int] | None = None,
        pixel_box_upper_corner: Sequence[int] | None = None,
    ) -> TensorDescriptorIm2Col:
        """A descriptor of all of a tensor of torch, or of an array for the interpreter."""
        return TensorDescriptorIm2Col(
            tensor,
            tensor.shape,
            steps_of(tensor),
            block_shape,
            layout,
            padding,
            round_f32_to_tf32,
            element_strides,
            pixel_box_lower_corner,
            pixel_box_upper_corner,
        )
