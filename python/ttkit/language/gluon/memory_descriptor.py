"""Base of descriptors of buffers in shared and in tensor memory: the type's text, fields and checks, and views.

Ops: dialects/ttg/memdesc_ops.td
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import plain_ints
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.language.types import dtype, int32


class memory_descriptor_type(base_type):
    """The type of a buffer, or of a view of one.

    Args:
        element_ty: type of an element.
        shape: sizes of the view.
        layout: a layout of that memory.
        alloc_shape: sizes of the buffer that it is a view of.

    Raises:
        BadLayout: `layout` is none of that memory, or its fields do not go together.
    """

    descriptor: Any
    """The class of its values."""
    memory: str
    """The attribute of the memory."""

    def __init__(self, element_ty: dtype, shape: Any, layout: Any, alloc_shape: Any) -> None:
        name = type(self).__name__
        self.element_ty = unwrap(element_ty)
        self.shape = plain_ints(name, "shape", shape)
        self.layout = self._checked_layout(layout)
        self.alloc_shape = plain_ints(name, "alloc_shape", alloc_shape)

    def _checked_layout(self, layout: Any) -> Any:
        raise NotImplementedError

    @property
    def ir(self) -> str:
        """The type in the IR.  Raises BadLayout for a layout that no attribute has."""
        try:
            layout = self.layout.text
        except ValueError as error:
            raise BadLayout(reason=str(error)) from None
        allocated = "" if self.alloc_shape == self.shape else f", {'x'.join(map(str, self.alloc_shape))}"
        block = f"{'x'.join(map(str, self.shape))}x{self.element_ty.ir}"
        return f"!ttg.memdesc<{block}, {layout}, {self.memory}, mutable{allocated}>"

    def view(self, shape: Sequence[int], alloc_shape: Sequence[int], layout: Any = None) -> Any:
        """The type of another view of the elements."""
        return type(self)(self.element_ty, [*shape], layout or self.layout, [*alloc_shape])

    def of(self, handle: Any) -> Any:
        """The descriptor of a value in the IR."""
        made = self.descriptor.__new__(self.descriptor)
        made.handle, made.type = handle, self
        return made

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append(self.ir)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return self.of(handles[cursor]), cursor + 1

    def _key(self) -> Any:
        return type(self), self.element_ty, (*self.shape,), self.layout, (*self.alloc_shape,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, memory_descriptor_type) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        name = self.descriptor.__name__
        return f"{name}<{self.element_ty}, {self.shape}, {self.layout}, {self.alloc_shape}>"

    __repr__ = __str__

    def mangle(self) -> str:
        """All of it."""
        shape = "_".join(map(str, self.shape))
        return f"MD{self.element_ty.mangle()}S{shape}SL{self.layout.mangle()}LAS{self.alloc_shape}ASMD"


class memory_descriptor(base_value):
    """A buffer, or a part or another view of one.

    Attributes:
        type: a `memory_descriptor_type`.
        dtype, shape, rank, numel, layout: of its elements.
    """

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    @property
    def dtype(self) -> Any:
        """Type of an element."""
        return self.type.element_ty

    @property
    def shape(self) -> tuple:
        """Sizes, as constexprs."""
        return tuple([constexpr(size) for size in self.type.shape])

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.type.shape)

    @property
    def numel(self) -> int:
        """Number of elements."""
        return prod(self.type.shape)

    @property
    def layout(self) -> Any:
        """A layout of that memory."""
        return self.type.layout

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__

    def _stored(self, value: Any) -> Any:
        """The handle of a tensor that is stored to the whole view.  Raises BadArgument for another value."""
        if not isinstance(value, tensor):
            raise BadArgument(function="store", reason=f"expected 'value' to be a tensor, but got a {type(value)}")
        shape = [unwrap(size) for size in value.shape]
        if shape != self.type.shape:
            reason = f"source shape {shape} and destination shape {self.type.shape} must match"
            raise BadArgument(function="store", reason=reason)
        if value.dtype != self.dtype:
            reason = f"source dtype {value.dtype} and destination dtype {self.dtype} must match"
            raise BadArgument(function="store", reason=reason)
        return value.handle

    # --- Views -------------------------------------------------------------------------------------------------------
    @builtin
    def index(self, index: Any) -> Any:
        """The part with this index, an int32, along the first dimension, which goes.

        Raises:
            BadArgument: the index is of another type.
        """
        index, shape = to_tensor(unwrap(index)), self.type.shape[1:]
        if index.type != int32:
            raise BadArgument(function="index", reason=f"expected 'index' to be int32 but got {index.type}")
        return self._viewed("ttg.memdesc_index", self.type.view(shape, shape), [index.handle])

    @builtin
    def _reinterpret(self, dtype: Any, shape: Any, layout: Any) -> Any:
        """The same memory, from its beginning on, as elements of another type, shape and layout.

        Raises:
            BadArgument, BadLayout: no type, shape or layout.
        """
        shape = plain_ints("_reinterpret", "shape", shape)
        made = type(self.type)(element_type("_reinterpret", dtype), shape, layout, shape)
        return self._viewed("ttg.memdesc_reinterpret", made)

    @builtin
    def reinterpret(self, dtype: Any = None, shape: Any = None, layout: Any = None) -> Any:
        """`_reinterpret`, by its name since Triton 3.9; what is left out stays as it is."""
        kept = (self.dtype, [*self.type.shape], self.layout)
        return self._reinterpret(
            *(old if unwrap(new) is None else new for old, new in zip(kept, (dtype, shape, layout)))
        )

    def _viewed(self, op: str, type: Any, operands: Sequence[Any] = (), **attributes: str) -> Any:
        return type.of(builder().emit(op, (self.handle, *operands), type.ir, attributes))


def element_type(function: str, element: Any) -> Any:
    """The type of a buffer's elements.  Raises BadArgument if it is none."""
    element = unwrap(element)
    if not isinstance(element, dtype):
        raise BadArgument(function=function, reason=f"expected 'element_ty' to be a dtype but got {element}")
    return element
