"""The value that kernels compute with: a tensor of numbers or pointers, or one of them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ttkit.language.base import base_value
from ttkit.language.constexpr import constexpr
from ttkit.language.errors import NotKnown
from ttkit.language.tuples import tuple
from ttkit.language.types import dtype

_SCALAR_SHAPE = tuple([])


class tensor(base_value):
    """A tensor of static shape, or a scalar (shape `()`).

    Attributes:
        shape: a tuple of constexprs.
        dtype: the type of an element.
        type: the type of the whole: `block_type` of a tensor, otherwise `dtype`.
        numel: number of elements, a constexpr.
        handle: the value in the IR.

    Operators (`ttkit.language.operators`) are elementwise, broadcast as numpy's do and promote types as
    `ttkit.language.promotion` says.  The functions of the language that take a tensor first are methods too.

    Example:
        >>> x = gl.arange(0, 4, line)
        >>> isinstance(x, gl.tensor), x.shape, x.dtype
        (True, (constexpr[4]), triton.language.int32)
        >>> x * 2 + 1
        int32[4] [1 3 5 7]
    """

    if TYPE_CHECKING:  # what `operators` and `_tensor_member_fn` give it

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, slices: Any) -> tensor: ...
        def _of_one(self) -> tensor: ...
        def _of_two(self, other: Any) -> tensor: ...

        __neg__ = __invert__ = _of_one
        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = _of_two
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _of_two
        __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __lt__ = __le__ = __gt__ = __ge__ = _of_two
        __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = _of_two

    def __init__(self, handle: Any, type: dtype) -> None:
        self.handle = handle
        self.type = type

    @property
    def dtype(self) -> dtype:
        """The type of an element; of pointers, the pointer type."""
        return self.type.scalar

    @property
    def shape(self) -> tuple:
        """Sizes of the dimensions, as constexprs; () for a scalar."""
        type: Any = self.type
        if not type.is_block():
            return _SCALAR_SHAPE
        if type._wrapped_shape is None:
            type._wrapped_shape = tuple([constexpr(size) for size in type.shape])
        return type._wrapped_shape

    @property
    def numel(self) -> Any:
        """The number of elements; 1 for a scalar."""
        type: Any = self.type
        return constexpr(type.numel if type.is_block() else 1)

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def __bool__(self) -> bool:
        """In a kernel that runs as Python, whether it is true; in one that is compiled nobody asks."""
        return bool(self._item()) if self.is_known() else True

    def __index__(self) -> int:
        return operator.index(self._item())

    def __int__(self) -> int:
        return int(self._item())

    def __float__(self) -> float:
        return float(self._item())

    def is_known(self) -> bool:
        """Whether it has numbers already: in a kernel that runs as Python."""
        return hasattr(self.handle, "item")

    def _item(self) -> Any:
        """The number, in a kernel that runs as Python.

        Raises:
            TypeError: it is not known while compiling, or not one.
        """
        if not self.is_known():
            raise NotKnown(value=self)
        if self.numel.value != 1:
            raise TypeError("Boolean value of Tensor with more than one value is ambiguous")
        return self.handle.item(self.dtype)

    def __str__(self) -> str:
        head = f"{self.dtype}[{', '.join(str(size.value) for size in self.shape)}]"
        return f"{head}{self.handle.shown(self.dtype)}" if self.is_known() else head

    def __repr__(self) -> str:
        """In a kernel that runs as Python, the type and the numbers."""
        return "void" if self.handle is None else str(self) if self.is_known() else super().__repr__()


def as_triton_prints(value: Any) -> Any:
    """A value, but of a tensor the text that Triton prints: `fp32[constexpr[16]]`."""
    if isinstance(value, tensor) and not value.is_known():
        return f"{value.dtype}[{', '.join(map(repr, value.shape))}]"
    return value


dtype._value = tensor
