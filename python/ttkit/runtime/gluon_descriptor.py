"""Tensor descriptors made on the host for kernels in Gluon: their blocks have a layout in shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ttkit.layout.gluon.shared import NVMMASharedLayout
from ttkit.runtime.tensor_descriptor import DescribedTensor, element_strides, require


@dataclass
class TensorDescriptor(DescribedTensor):
    """A tensor on the GPU that a kernel in Gluon copies in blocks, by TMA.

    base, shape, strides, block_shape, padding: as of `ttkit.runtime.TensorDescriptor`.
    layout: of the blocks in shared memory, an `NVMMASharedLayout` of the same rank.

    Raises:
        ArgumentError: one of these does not hold.
    """

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    layout: NVMMASharedLayout
    padding: str = "zero"

    def __post_init__(self) -> None:
        self._check()
        require(isinstance(self.layout, NVMMASharedLayout), "Layout must be NVMMASharedLayout")
        found, rank = self.layout.rank, len(self.shape)
        require(found == rank, f"layout must have rank {rank}, that of the tensor, found {found}")

    @staticmethod
    def from_tensor(
        tensor: Any, block_shape: Sequence[int], layout: NVMMASharedLayout, padding: str = "zero"
    ) -> TensorDescriptor:
        """A descriptor of all of a tensor of torch, or of an array for the interpreter."""
        return TensorDescriptor(tensor, tensor.shape, element_strides(tensor), block_shape, layout, padding)
