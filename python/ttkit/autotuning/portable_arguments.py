"""Arguments of a launch as plain data, for a process or machine that times it.

A tensor travels as its size, type and contents: those of integers whole, since kernels index by them, and those of
large tensors of floating point numbers as their first bytes, which are repeated.  Times of a kernel seldom depend on
the others; what does depends on them must be timed where they are.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any

from ttkit.cuda import libcuda
from ttkit.cuda.device import DeviceArray, DeviceMemory
from ttkit.runtime.pointers import element_type, is_array, pointer_value
from ttkit.runtime.tensor_descriptor import DescribedTensor, element_bytes

SAMPLE = 1 << 16
"""Bytes of a tensor of floating point numbers that travel."""
ALIGNMENT = 256  # of the driver's memory


class NotPortable(Exception):
    """An argument that can't be given to another process."""


@dataclass(frozen=True)
class TensorImage:
    """A tensor.

    dtype: of its elements, as signatures spell it.
    nbytes: from its first element to the end of its last.
    offset: of its address from a multiple of 256.
    contents: the first bytes, or all; the others repeat them.
    """

    dtype: str
    nbytes: int
    offset: int
    contents: bytes


@dataclass(frozen=True)
class DescriptorImage:
    """A tensor descriptor: its class as `module:name`, its tensor, and its other fields."""

    kind: str
    base: TensorImage
    fields: dict[str, Any]


@dataclass(frozen=True)
class Same:
    """The tensor of an earlier argument."""

    place: int


def to_images(values: Sequence[Any], kinds: Sequence[Any]) -> list[Any]:
    """Arguments as plain data.

    Args:
        kinds: their types, as a signature has them; constants are left out.

    Raises:
        NotPortable: one can't be.
    """
    known: dict[tuple[int, int], int] = {}
    found = []
    for place, (value, kind) in enumerate(zip(values, kinds)):
        image = None if kind == "constexpr" else _image(value)
        if isinstance(image, TensorImage):
            first = known.setdefault((pointer_value(value), image.nbytes), place)
            image = image if first == place else Same(first)
        found.append(image)
    return found


def _image(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, tuple):
        return tuple(_image(item) for item in value)
    if isinstance(value, DescribedTensor) and is_dataclass(value):
        others = {field.name: getattr(value, field.name) for field in fields(value) if field.name != "base"}
        kind = type(value)
        return DescriptorImage(f"{kind.__module__}:{kind.__qualname__}", _tensor_image(value.base), others)
    if is_array(value):
        return _tensor_image(value)
    raise NotPortable(f"a value of type {type(value).__name__}")


def _tensor_image(value: Any) -> TensorImage:
    dtype, torch, numpy = element_type(value), sys.modules.get("torch"), sys.modules.get("numpy")
    is_float = dtype.startswith(("fp", "bf"))
    if torch is not None and isinstance(value, torch.Tensor):
        size = value.element_size()
        span = 1 + sum((count - 1) * step for count, step in zip(value.shape, value.stride())) if value.numel() else 0
        kept = min(span, SAMPLE // size) if is_float else span
        flat = torch.as_strided(value.detach(), (kept,), (1,)).view(torch.uint8).cpu().numpy().tobytes()
        return TensorImage(dtype, span * size, value.data_ptr() % ALIGNMENT, flat)
    if isinstance(value, DeviceArray):
        nbytes = math.prod(value.shape) * value.itemsize
        contents = value.first_bytes(SAMPLE if is_float else nbytes)
    elif numpy is not None and isinstance(value, numpy.ndarray) and value.flags["C_CONTIGUOUS"]:
        nbytes = value.nbytes
        contents = value.reshape(-1).view(numpy.uint8)[: SAMPLE if is_float else nbytes].tobytes()
    else:
        raise NotPortable(f"a tensor of type {type(value).__name__}")
    return TensorImage(dtype, nbytes, pointer_value(value) % ALIGNMENT, contents)


# --- on the other side ------------------------------------------------------------------------------------------------


class Rebuilt:
    """A tensor that was made of an image.

    dtype: of its elements, as signatures spell it.
    """

    def __init__(self, image: TensorImage) -> None:
        self.dtype, self._image = image.dtype, image
        self._memory = DeviceMemory(max(image.nbytes, 1) + ALIGNMENT)
        self.fill(image.contents)

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._memory.data_ptr() + self._image.offset

    def fill(self, contents: bytes) -> None:
        """Writes bytes over and over until the tensor is full; nothing where there are none."""
        nbytes = self._image.nbytes
        if nbytes and contents:
            whole = (contents * math.ceil(nbytes / len(contents)))[:nbytes]
            libcuda.call("cuMemcpyHtoD_v2", self.data_ptr(), whole, nbytes)

    def zero_(self) -> None:
        """Makes all elements zero."""
        self.fill(bytes(element_bytes(self.dtype)))

    def restore(self) -> None:
        """Writes what it was made with."""
        self.fill(self._image.contents)


def from_images(images: Sequence[Any]) -> list[Any]:
    """The arguments of images, with tensors on the current GPU.

    Raises:
        DriverError: there is not enough memory.
    """
    found: list[Any] = []
    for image in images:
        found.append(found[image.place] if isinstance(image, Same) else _rebuilt(image))
    return found


def _rebuilt(image: Any) -> Any:
    if isinstance(image, TensorImage):
        return Rebuilt(image)
    if isinstance(image, DescriptorImage):
        module, _, name = image.kind.partition(":")
        return getattr(import_module(module), name)(base=Rebuilt(image.base), **image.fields)
    return tuple(map(_rebuilt, image)) if isinstance(image, tuple) else image
