"""Stand-ins for tensors in a call: for compiling without one, or with another element type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.runtime.pointers import adapter_of, is_array, pointer_value


class MockTensor:
    """A tensor without memory, for `warmup`: `kernel.warmup(MockTensor(torch.float32), ..., grid=(1,))`.

    Args:
        dtype: of torch, numpy or the language.
        shape: by default [1].
    """

    def __init__(self, dtype: Any, shape: Sequence[int] | None = None) -> None:
        self.dtype = dtype
        self.shape = [1] if shape is None else shape

    @staticmethod
    def wrap_dtype(arg: Any) -> Any:
        """A dtype of torch as a tensor of it; anything else as it is."""
        kind = type(arg)
        return MockTensor(arg) if kind.__name__ == "dtype" and kind.__module__ == "torch" else arg

    def stride(self) -> tuple[int, ...]:
        """The strides of a contiguous tensor, in elements."""
        strides = [1]
        for size in reversed(self.shape[1:]):
            strides.append(strides[-1] * size)
        return tuple(reversed(strides))

    @staticmethod
    def data_ptr() -> int:
        """An address that is divisible by everything."""
        return 0  # divisible by 16, as most are

    @staticmethod
    def ptr_range() -> int:
        """Bytes that it takes: none."""
        return 0


class TensorWrapper:
    """A tensor whose elements a kernel takes for another type."""

    def __init__(self, base: Any, dtype: Any) -> None:
        self.dtype = dtype
        self.base = base
        self.data = getattr(base, "data", None)
        self.device = getattr(base, "device", None)
        self.shape = base.shape

    @property
    def is_cuda(self) -> bool:
        """Whether the tensor is on a GPU."""
        adapter = adapter_of(self.base)
        return adapter is None or not adapter.on_host(self.base)

    def data_ptr(self) -> int:
        """The address of the first element."""
        return pointer_value(self.base)

    def stride(self, *args: Any) -> Any:
        """Elements from one to the next along a dimension, or along each."""
        return self.base.stride(*args)

    def element_size(self) -> int:
        """In bytes."""
        return self.base.element_size()

    def cpu(self) -> TensorWrapper:
        """A copy on the host, with the same element type."""
        return TensorWrapper(self.base.cpu(), self.dtype)

    def copy_(self, other: TensorWrapper) -> None:
        """Overwrites the elements with those of another."""
        self.base.copy_(other.base)

    def clone(self) -> TensorWrapper:
        """A copy, with the same element type."""
        return TensorWrapper(self.base.clone(), self.dtype)

    def to(self, device: Any) -> TensorWrapper:
        """The tensor on a device, with the same element type."""
        return TensorWrapper(self.base.to(device), self.dtype)

    def new_empty(self, sizes: Any) -> TensorWrapper:
        """A tensor of other sizes on the same device, with the same element type; its elements are undefined."""
        return TensorWrapper(self.base.new_empty(sizes), self.dtype)

    def __str__(self) -> str:
        return f"TensorWrapper[{self.dtype}]({self.base})"


def reinterpret(tensor: Any, dtype: Any) -> Any:
    """`tensor` with elements of `dtype`, which a kernel sees; nothing is converted.

    tensor: of any framework whose tensors kernels take, numpy's arrays for kernels on the CPU included.

    Raises:
        TypeError: it is not a tensor.
    """
    if isinstance(tensor, TensorWrapper):
        base = tensor.base
        return base if dtype == base.dtype else TensorWrapper(base, dtype)
    if is_array(tensor):
        return TensorWrapper(tensor, dtype)
    raise TypeError(f"Cannot reinterpret a {type(tensor)}.")
