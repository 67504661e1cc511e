"""Buffers in shared memory: allocation, views, loads and stores.

Ops: dialects/ttg/shared_memory_ops.td, memdesc_ops.td    Interpreter: interpreter/ops/shared_memory.py
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import ttkit.layout.inference as inference
from ttkit.language.base import base_type, base_value
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type, to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.distributed import distributed
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import distributed_layout, plain_int, plain_ints, shared_layout
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.language.types import dtype, int32
from ttkit.layout.gluon.base import SharedLayout
from ttkit.layout.gluon.from_encoding import from_encoding


class shared_memory_descriptor_type(base_type):
    """The type of a buffer in shared memory, or of a view of one.

    Args:
        element_ty: type of an element.
        shape: sizes of the view.
        layout: a layout of shared memory.
        alloc_shape: sizes of the buffer that it is a view of.

    Raises:
        BadLayout: `layout` is none of shared memory, or its fields do not go together.
    """

    memory = "shared_memory"

    def __init__(self, element_ty: dtype, shape: Any, layout: Any, alloc_shape: Any) -> None:
        self.element_ty = unwrap(element_ty)
        self.shape = plain_ints("shared_memory_descriptor_type", "shape", shape)
        self.layout = self._checked_layout(layout)
        self.alloc_shape = plain_ints("shared_memory_descriptor_type", "alloc_shape", alloc_shape)

    def _checked_layout(self, layout: Any) -> SharedLayout:
        return shared_layout(layout)

    @property
    def ir(self) -> str:
        """The type in the IR.  Raises BadLayout for a layout that no attribute has."""
        try:
            layout = self.layout.text
        except ValueError as error:
            raise BadLayout(reason=str(error)) from None
        allocated = "" if self.alloc_shape == self.shape else f", {'x'.join(map(str, self.alloc_shape))}"
        block = f"{'x'.join(map(str, self.shape))}x{self.element_ty.ir}"
        space = "#ttng.tensor_memory" if self.memory == "tensor_memory" else "#ttg.shared_memory"
        return f"!ttg.memdesc<{block}, {layout}, {space}, mutable{allocated}>"

    def view(self, shape: Sequence[int], alloc_shape: Sequence[int], layout: Any = None) -> Any:
        """The type of another view of the elements."""
        return type(self)(self.element_ty, [*shape], layout or self.layout, [*alloc_shape])

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append(self.ir)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return shared_memory_descriptor.of_type(handles[cursor], self), cursor + 1

    def _key(self) -> Any:
        return type(self), self.element_ty, (*self.shape,), self.layout, (*self.alloc_shape,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, shared_memory_descriptor_type) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return f"shared_memory_descriptor<{self.element_ty}, {self.shape}, {self.layout}, {self.alloc_shape}>"

    __repr__ = __str__

    def mangle(self) -> str:
        """All of it."""
        shape = "_".join(map(str, self.shape))
        return f"MD{self.element_ty.mangle()}S{shape}SL{self.layout.mangle()}LAS{self.alloc_shape}ASMD"


class shared_memory_descriptor(base_value):
    """A buffer in shared memory, or a part or another view of one.

    Attributes:
        type: a `shared_memory_descriptor_type`.
        dtype, shape, rank, numel, layout: of its elements.
    """

    def __init__(self, handle: Any, element_ty: dtype, shape: Any, layout: Any, alloc_shape: Any) -> None:
        self.handle = handle
        self.type = shared_memory_descriptor_type(element_ty, shape, layout, alloc_shape)

    @classmethod
    def of_type(cls, handle: Any, type: Any) -> Any:
        """The descriptor of a value in the IR."""
        made = cls.__new__(cls)
        made.handle, made.type = handle, type
        return made

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
        """A layout of shared memory."""
        return self.type.layout

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__

    # --- Access ------------------------------------------------------------------------------------------------------
    @builtin
    def load(self, layout: Any) -> tensor:
        """All elements, as a tensor with this layout.

        Raises:
            BadLayout: `layout` is none of registers, or of another rank.
        """
        type = distributed(self.dtype, (*self.type.shape,), distributed_layout(layout))
        return tensor(builder().emit("ttg.local_load", (self.handle,), ir_type(type)), type)

    @builtin
    def store(self, value: tensor) -> None:
        """Writes a tensor of the same shape and element type.

        Raises:
            BadArgument: another value.
        """
        if not isinstance(value, tensor):
            raise BadArgument(function="store", reason=f"expected 'value' to be a tensor, but got a {type(value)}")
        shape = [unwrap(size) for size in value.shape]
        if shape != self.type.shape:
            reason = f"source shape {shape} and destination shape {self.type.shape} must match"
            raise BadArgument(function="store", reason=reason)
        if value.dtype != self.dtype:
            reason = f"source dtype {value.dtype} and destination dtype {self.dtype} must match"
            raise BadArgument(function="store", reason=reason)
        builder().emit_op("ttg.local_store", (value.handle, self.handle))

    # --- Views -------------------------------------------------------------------------------------------------------
    def _viewed(self, op: str, type: Any, operands: Sequence[Any] = (), **attributes: str) -> Any:
        handle = builder().emit(f"ttg.{op}", (self.handle, *operands), type.ir, attributes)
        return shared_memory_descriptor.of_type(handle, type)

    @builtin
    def slice(self, start: Any, length: Any, dim: Any = 0) -> shared_memory_descriptor:
        """The part of `length` elements from `start` on along dimension `dim`; all are constexprs.

        Raises:
            BadArgument: one is not known while compiling, or there is no such part.
        """
        start, length, dim = (
            plain_int("slice", name, value) for name, value in (("start", start), ("length", length), ("dim", dim))
        )
        if not -self.rank <= dim < self.rank:
            raise BadArgument(function="slice", reason=f"there is no dimension {dim} of {self.type.shape}")
        if not 0 <= start < start + length <= self.type.shape[dim]:
            reason = f"elements {start} to {start + length} of dimension {dim} are not all in {self.type.shape}"
            raise BadArgument(function="slice", reason=reason)
        offsets, shape = [0] * self.rank, [*self.type.shape]
        offsets[dim], shape[dim] = start, length
        type = self.type.view(shape, self.type.alloc_shape)
        return self._viewed("memdesc_subslice", type, offsets=_array(offsets))

    @builtin
    def index(self, index: Any) -> shared_memory_descriptor:
        """The part with this index, an int32, along the first dimension, which goes.

        Raises:
            BadArgument: the index is of another type.
        """
        index, shape = to_tensor(unwrap(index)), self.type.shape[1:]
        if index.type != int32:
            raise BadArgument(function="index", reason=f"expected 'index' to be int32 but got {index.type}")
        return self._viewed("memdesc_index", self.type.view(shape, shape), [index.handle])

    @builtin
    def permute(self, order: Any) -> shared_memory_descriptor:
        """The same elements, dimension `order[i]` as dimension `i`.

        Raises:
            BadArgument: not one number for each dimension.
            BadLayout: there is no layout for the result.
        """
        order, shape = plain_ints("permute", "order", order), self.type.shape
        if sorted(order) != [*range(self.rank)]:
            reason = f"source rank ({self.rank}) and order length ({len(order)}) must match"
            advice = f"found {order}; each dimension must occur once"
            raise BadArgument(function="permute", reason=reason, advice=advice)
        outer, inner = self._allocated()
        layout = self._inferred(inference.trans, (*shape,), (*order,))
        type = self.type.view([shape[dim] for dim in order], outer + [inner[dim] for dim in order], layout)
        return self._viewed("memdesc_trans", type, order=_array(order))

    @builtin
    def reshape(self, shape: Any) -> shared_memory_descriptor:
        """The same elements, counted row by row, in another shape.

        Raises:
            BadArgument: another number of elements.
            BadLayout: there is no layout for the result.
        """
        shape = plain_ints("reshape", "shape", shape)
        if prod(shape) != self.numel:
            reason = f"memdesc_reshape total elements mismatch: {self.type.shape} -> {shape}"
            raise BadArgument(function="reshape", reason=reason)
        layout = self._inferred(inference.memdesc_reshape, (*self.type.shape,), (*shape,))
        return self._viewed("memdesc_reshape", self.type.view(shape, self._allocated()[0] + shape, layout))

    @builtin
    def _reinterpret(self, dtype: Any, shape: Any, layout: Any) -> shared_memory_descriptor:
        """The same bytes, from the first one on, as elements of another type, shape and layout.

        Raises:
            BadArgument, BadLayout: no type, shape or layout.
        """
        shape = plain_ints("_reinterpret", "shape", shape)
        type = shared_memory_descriptor_type(_element("_reinterpret", dtype), shape, layout, shape)
        return self._viewed("memdesc_reinterpret", type)

    @builtin
    def _keep_alive(self) -> None:
        """Keeps the buffer until here: no other takes its bytes before."""
        builder().emit_op("ttg.local_dealloc", (self.handle,))

    def _allocated(self) -> Any:
        """The sizes of the allocation: those in front of the view's dimensions, and the others."""
        allocated = self.type.alloc_shape
        return allocated[: len(allocated) - self.rank], allocated[len(allocated) - self.rank :]

    def _inferred(self, rule: Any, *arguments: Any) -> Any:
        try:
            return from_encoding(rule(self.layout.encoding, *arguments))
        except ValueError as error:
            raise BadLayout(reason=f"{self.type}: {error}") from None


def descriptor(function: str, value: Any) -> shared_memory_descriptor:
    """A buffer in shared memory, as an argument of `function`.  Raises BadArgument for anything else."""
    found = unwrap(value)
    if not isinstance(found, shared_memory_descriptor):
        reason = f"{function} takes a buffer in shared memory, found {getattr(found, 'type', found)!r}"
        raise BadArgument(function=function, reason=reason, advice="ttgl.allocate_shared_memory makes one")
    return found


def _array(numbers: Sequence[int]) -> str:
    return f"array<i32: {', '.join(map(str, numbers))}>"


def _element(function: str, element: Any) -> Any:
    element = unwrap(element)
    if not isinstance(element, dtype):
        raise BadArgument(function=function, reason=f"expected 'element_ty' to be a dtype but got {element}")
    return element


@builtin
def allocate_shared_memory(element_ty: Any, shape: Any, layout: Any, value: Any = None) -> shared_memory_descriptor:
    """A buffer in shared memory.

    Args:
        element_ty: type of an element.
        shape: sizes; with a pipeline's slots in front, one dimension more than the layout has.
        layout: a layout of shared memory.
        value: a tensor that it holds at first.

    Raises:
        BadArgument, BadLayout: no type, shape or layout of shared memory.
    """
    sizes = plain_ints("allocate_shared_memory", "shape", shape)
    type = shared_memory_descriptor_type(_element("allocate_shared_memory", element_ty), sizes, layout, sizes)
    value = unwrap(value)
    handle = builder().emit("ttg.local_alloc", () if value is None else (value.handle,), type.ir)
    return shared_memory_descriptor.of_type(handle, type)
