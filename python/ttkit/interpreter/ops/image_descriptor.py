"""Tensor descriptors of images: TMA copies pixels of a box, one after the other, with some channels of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.ops.descriptor import Descriptor
from ttkit.interpreter.values import align_rank


@dataclass(frozen=True)
class ImageDescriptor(Descriptor):
    """A tensor of N, dimensions of space, and C; `block` has pixels and channels.

    lower, upper: of each dimension of space, the first and the last coordinate of the box of pixels.
    steps: of each dimension of space, from one pixel to the next.
    """

    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] = ()
    steps: tuple[int, ...] = ()

    @classmethod
    def of(cls, plain: Descriptor, value: Any) -> ImageDescriptor:
        """The descriptor of a `TensorDescriptorIm2Col` whose other fields `plain` has."""
        space = [int(size) for size in value.shape][1:-1]
        lower = tuple(int(corner) for corner in value.pixel_box_lower_corner)
        upper = tuple(size - 1 + int(corner) for size, corner in zip(space, value.pixel_box_upper_corner))
        steps = tuple(int(step) for step in (value.element_strides or [1] * len(value.shape)))[1:-1]
        fields = plain.base, plain.shape, plain.strides, plain.block, plain.nan, plain.tf32
        return cls(*fields, lower, upper, steps)

    def elements(self, offsets: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Not of images.  Raises InterpreterError."""
        raise InterpreterError("a descriptor of images is read by copies with offsets (im2col) alone")

    def pixels(self, op: Instruction, coordinates: Sequence[np.ndarray], offsets: Sequence[np.ndarray]) -> Any:
        """Addresses of a block, int64 [P, pixels, channels], and which of them are inside of the tensor.

        Args:
            coordinates: of the first pixel and channel, integers [P].
            offsets: that are added to each pixel, integers [P].

        Raises:
            InterpreterError: the descriptor has another number of dimensions.
        """
        if len(coordinates) != len(self.shape):
            reason = f"{len(coordinates)} coordinates for a tensor of {len(self.shape)} dimensions"
            raise InterpreterError(reason, op)
        count, channels = self.block.shape
        walked = self._walked([each.astype(np.int64) for each in coordinates[:-1]], count)
        places = [walked[0], *(place + offset.astype(np.int64)[:, None] for place, offset in zip(walked[1:], offsets))]
        channel = align_rank(coordinates[-1].astype(np.int64), 2) + np.arange(channels, dtype=np.int64)
        return self.at([*(place[:, :, None] for place in places), channel])

    def at(self, positions: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Addresses of elements at positions [P, pixels, channels], and which of these are inside of the tensor."""
        addresses, inside = align_rank(self.base, 2), np.array(True)
        for position, size, stride in zip(positions, self.shape, self.strides):
            addresses = addresses + position * align_rank(stride.astype(np.int64) * self.block.element.itemsize, 2)
            inside = inside & (position >= 0) & (position < align_rank(size, 2))
        return addresses, np.broadcast_to(inside, addresses.shape)

    def _walked(self, start: Sequence[np.ndarray], count: int) -> list[np.ndarray]:
        """The coordinates [P, pixels] of pixels from `start` on: of N, and of each dimension of space.

        At the end of the box a dimension begins anew, and the one before it goes on.
        """
        lanes = max(each.size for each in start)
        here = [np.broadcast_to(each, (lanes,)).copy() for each in start]
        found = [np.empty((lanes, count), np.int64) for _ in here]
        for pixel in range(count):
            for place, now in zip(found, here):
                place[:, pixel] = now
            moves = np.ones(lanes, bool)
            for dimension in range(len(here) - 1, 0, -1):
                low, high, step = (each[dimension - 1] for each in (self.lower, self.upper, self.steps))
                here[dimension] = here[dimension] + step * moves
                ends = moves & (here[dimension] > high)
                here[dimension] = np.where(ends, low, here[dimension])
                moves = ends
            here[0] = here[0] + moves
        return found
