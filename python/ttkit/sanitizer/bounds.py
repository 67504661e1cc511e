"""The places of a tensor that may be accessed: of a view, also a strided one, only its own elements."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ttkit.interpreter.python_mode.host_arrays import HostArray


@dataclass(frozen=True)
class Bounds:
    """The elements of an array in its allocation.

    low, high: the addresses of the first byte and of the byte after the last.
    dims: (size, stride in bytes), the largest stride first, without those in which nothing moves.
    run: bytes that lie together from each combination of `dims` on.
    array: what they are of.
    """

    low: int
    high: int
    dims: tuple[tuple[int, int], ...]
    run: int
    array: HostArray
    itemsize: int

    @classmethod
    def of(cls, array: HostArray, whole: bool = False) -> Bounds:
        """The bounds of an array; of all of its allocation if `whole`."""
        size = max(1, array.element.primitive_bitwidth // 8)
        if whole or not math.prod(array.shape):
            return cls(0, array.bytes.size if whole else 0, (), array.bytes.size if whole else 0, array, size)
        steps = list(zip(array.shape, array.strides))
        low = array.offset + sum(min(0, (count - 1) * step) for count, step in steps)
        high = array.offset + sum(max(0, (count - 1) * step) for count, step in steps) + size
        moving = sorted(((n, abs(step)) for n, step in steps if n > 1 and step), key=lambda dim: -dim[1])
        run = size
        dims: list[tuple[int, int]] = []
        for count, step in reversed(moving):
            if step == run and not dims:
                run *= count
            elif step >= (dims[0][0] * dims[0][1] if dims else run):
                dims.insert(0, (count, step))
            else:  # elements that overlap: all from the first to the last
                return cls(low, high, (), high - low, array, size)
        return cls(low, high, tuple(dims), run, array, size)

    def outside(self, offsets: np.ndarray, size: int) -> np.ndarray:
        """Which accesses of `size` bytes, at offsets in the allocation, leave the array."""
        rest = offsets - self.low
        bad = (rest < 0) | (offsets + size > self.high)
        for count, step in self.dims:
            position = rest // step
            bad |= position >= count
            rest = rest - position * step
        return bad | (rest + size > self.run) if self.dims else bad

    def index(self, offset: int) -> tuple[int, ...] | None:
        """The index of the element at an offset; the first size that it leaves is that of the largest stride.  None
        where that says nothing."""
        shape, strides = self.array.shape, self.array.strides
        if not shape or any(step < 0 for step in strides):
            return None
        rest, index = offset - self.array.offset, [0] * len(shape)
        order = sorted((d for d in range(len(shape)) if strides[d]), key=lambda d: -strides[d])
        for d in order:
            index[d], rest = divmod(rest, strides[d])
            if index[d] < 0:
                return None
        return tuple(index)

    def describe(self, offset: int) -> str:
        """The place of an offset that is not inside."""
        array = self.array
        linear, rest = divmod(offset - array.offset, self.itemsize)
        count = math.prod(array.shape)
        at = f"byte {offset - array.offset}" if rest else f"element {linear}"
        inside = 0 <= offset < array.bytes.size
        if offset < self.low:
            where = f"{at}, before the first"
        elif offset >= self.high:
            where = f"{at}, past the last"
        else:
            where = f"{at}, between the rows of the view"
        if inside:
            where += " but inside of the allocation that it is a view of"
        return f"{where}: it has {count} elements, {array.text}"
