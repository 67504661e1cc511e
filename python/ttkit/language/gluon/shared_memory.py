"""Buffers in shared memory: allocation, views, loads and stores.

Ops: dialects/ttg/shared_memory_ops.td, memdesc_ops.td    Interpreter: interpreter/ops/shared_memory.py
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import ttkit.layout.inference as inference
from ttkit.dialects._tt_enums import RMWOp
from ttkit.language.broadcasting import broadcast_pair
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type, scalar_constant, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.distributed import distributed
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import distributed_layout, plain_int, plain_ints, shared_layout
from ttkit.language.gluon.memory_descriptor import element_type, memory_descriptor, memory_descriptor_type
from ttkit.language.memory import enum_attribute
from ttkit.language.tensor import tensor
from ttkit.language.types import dtype
from ttkit.layout.encodings import SharedLinear
from ttkit.layout.gluon.base import SharedLayout
from ttkit.layout.gluon.from_encoding import from_encoding
from ttkit.layout.tile import part_of_block


class shared_memory_descriptor_type(memory_descriptor_type):
    """The type of a buffer in shared memory, or of a view of one; arguments and errors as of its base.

    Example:
        >>> flat = gl.SwizzledSharedLayout(1, 1, 1, [0])
        >>> buffer = gl.allocate_shared_memory(gl.int32, [8], flat)
        >>> buffer.type == gl.shared_memory_descriptor_type(gl.int32, [8], flat, [8])
        True
    """

    memory = "#ttg.shared_memory"

    def _checked_layout(self, layout: Any) -> SharedLayout:
        return shared_layout(layout)

    @property
    def nbytes_per_cta(self) -> int:
        """Bytes that one CTA of a cluster holds."""
        encoding = self.layout.encoding
        bases = encoding.block if isinstance(encoding, SharedLinear) else getattr(encoding, "cga_layout", ())
        return prod(part_of_block(self.shape, bases)) * self.element_ty.primitive_bitwidth // 8


class shared_memory_descriptor(memory_descriptor):
    """A buffer in shared memory, or a part or another view of one.

    Attributes:
        type: a `shared_memory_descriptor_type`.
        dtype, shape, rank, numel, layout: of its elements.

    Example:
        >>> plain = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
        >>> buffer = gl.allocate_shared_memory(gl.int32, [2, 2, 4], plain)
        >>> buffer.index(1).store(gl.full([2, 4], 5, gl.int32, rows))
        >>> buffer.index(1).permute([1, 0]).slice(0, 2).load(rows)
        int32[2, 2]
        [[5 5]
         [5 5]]
        >>> buffer.index(1).reshape([8]).shape
        (constexpr[8])
        >>> ordered = gl.SwizzledSharedLayout(1, 1, 1, [0])
        >>> table = gl.allocate_shared_memory(gl.int32, [8], ordered, gl.arange(0, 8, line))
        >>> table.gather(7 - gl.arange(0, 4, line), axis=0)
        int32[4] [7 6 5 4]
    """

    def __init__(self, handle: Any, element_ty: dtype, shape: Any, layout: Any, alloc_shape: Any) -> None:
        self.handle = handle
        self.type = shared_memory_descriptor_type(element_ty, shape, layout, alloc_shape)

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
        builder().emit_op("ttg.local_store", (self._stored(value), self.handle))

    @builtin
    def gather(self, indices: tensor, axis: Any) -> tensor:
        """The elements at `indices` along dimension `axis`, with the shape and layout of `indices`.

        In the other dimensions an element comes from its own place.

        Raises:
            BadArgument: `indices` are not integers with a layout, or of another rank; there is no such dimension.
        """
        dim = self._checked_indices("gather", indices, axis)
        type = indices.type.with_element_ty(self.dtype)
        attributes = {"axis": f"{dim} : i32"}
        return tensor(
            builder().emit("ttg.local_gather", (self.handle, indices.handle), ir_type(type), attributes), type
        )

    @builtin
    def scatter(self, values: tensor, indices: tensor, axis: Any) -> None:
        """Writes `values` to `indices` along dimension `axis`; which of several for one place stays is not defined.

        Raises:
            BadArgument: as `gather`, or `values` have another shape, layout or element type.
        """
        dim = self._checked_indices("scatter", indices, axis)
        if values.type != indices.type.with_element_ty(self.dtype):
            reason = f"expected values of {indices.type.with_element_ty(self.dtype)}, found {values.type}"
            raise BadArgument(function="scatter", reason=reason, advice="convert them with to or convert_layout")
        builder().emit_op(
            "ttg.local_scatter", (self.handle, values.handle, indices.handle), (), {"axis": f"{dim} : i32"}
        )

    @builtin
    def atomic_scatter_add(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """Adds `values` to the elements at `indices` along dimension `axis`; several for one place are all added.

        Args:
            values: a number, or of the buffer's element type.
            indices: integers; they, `values` and `mask` are broadcast.
            mask: where to do so.

        Returns:
            the elements before; undefined where the mask does not hold.

        Raises:
            BadArgument: as `gather`, or for other types.
        """
        return self._updated("add", values, indices, axis, mask)

    @builtin
    def atomic_scatter_max(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """The larger of integers; as `atomic_scatter_add`."""
        return self._updated("max", values, indices, axis, mask)

    @builtin
    def atomic_scatter_min(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """The smaller of integers; as `atomic_scatter_add`."""
        return self._updated("min", values, indices, axis, mask)

    @builtin
    def atomic_scatter_and(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """The bits that both integers have; as `atomic_scatter_add`."""
        return self._updated("and", values, indices, axis, mask)

    @builtin
    def atomic_scatter_or(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """The bits that one of the integers has; as `atomic_scatter_add`."""
        return self._updated("or", values, indices, axis, mask)

    @builtin
    def atomic_scatter_xor(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """The bits in which integers differ; as `atomic_scatter_add`."""
        return self._updated("xor", values, indices, axis, mask)

    @builtin
    def atomic_scatter_xchg(self, values: Any, indices: tensor, axis: Any, mask: Any = None) -> tensor:
        """Replaces elements; as `atomic_scatter_add`."""
        return self._updated("xchg", values, indices, axis, mask)

    def _updated(self, kind: str, values: Any, indices: Any, axis: Any, mask: Any) -> tensor:
        function = f"atomic_scatter_{kind}"
        dim = self._checked_indices(function, indices, axis)
        values = values if isinstance(values, tensor) else scalar_constant(unwrap(values), self.dtype)
        if values.dtype != self.dtype:
            reason = f"expected values of {self.dtype}, found {values.dtype}"
            raise BadArgument(function=function, reason=reason, advice="convert them with to")
        if kind not in ("add", "xchg") and not self.dtype.is_int():
            raise BadArgument(function=function, reason=f"expected a buffer of integers, found {self.dtype}")
        indices, values = broadcast_pair(indices, values)
        operands = [self.handle, values.handle, indices.handle]
        if unwrap(mask) is not None:
            indices, chosen = broadcast_pair(indices, to_tensor(mask))
            indices, values = broadcast_pair(indices, values)
            operands = [self.handle, values.handle, indices.handle, chosen.handle]
        prefix = "f" if kind == "add" and self.dtype.is_floating() else ""
        prefix = "u" if kind in ("max", "min") and self.dtype.is_int_unsigned() else prefix
        attributes = {"atomic_rmw_op": enum_attribute(RMWOp[f"{prefix}{kind}".upper()]), "axis": f"{dim} : i32"}
        type = indices.type.with_element_ty(self.dtype)
        return tensor(builder().emit("ttg.local_atomic_scatter_rmw", operands, ir_type(type), attributes), type)

    def _checked_indices(self, function: str, indices: Any, axis: Any) -> int:
        dim, rank = unwrap(axis), unwrap(self.rank)
        if not isinstance(indices, tensor) or len(indices.type.shape) != rank or not indices.dtype.is_int():
            reason = f"expected indices of {rank} dimensions, found {getattr(indices, 'type', indices)}"
            raise BadArgument(function=function, reason=reason, advice="they are integers, with a layout")
        if not isinstance(dim, int) or not -rank <= dim < rank:
            reason = f"{self.type} has no dimension {dim!r}"
            raise BadArgument(function=function, reason=reason, advice=f"axis is from 0 to {rank - 1}")
        return dim % rank

    # --- Views -------------------------------------------------------------------------------------------------------
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
        return self._viewed("ttg.memdesc_subslice", type, offsets=_array(offsets))

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
        return self._viewed("ttg.memdesc_trans", type, order=_array(order))

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
        return self._viewed("ttg.memdesc_reshape", self.type.view(shape, self._allocated()[0] + shape, layout))

    @property
    def nbytes_per_cta(self) -> int:
        """Bytes that one CTA of a cluster holds."""
        return self.type.nbytes_per_cta

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


shared_memory_descriptor_type.descriptor = shared_memory_descriptor


def descriptor(function: str, value: Any) -> shared_memory_descriptor:
    """A buffer in shared memory, as an argument of `function`.  Raises BadArgument for anything else."""
    found = unwrap(value)
    if not isinstance(found, shared_memory_descriptor):
        reason = f"{function} takes a buffer in shared memory, found {getattr(found, 'type', found)!r}"
        raise BadArgument(function=function, reason=reason, advice="ttgl.allocate_shared_memory makes one")
    return found


def _array(numbers: Sequence[int]) -> str:
    return f"array<i32: {', '.join(map(str, numbers))}>"


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

    Example:
        >>> flat = gl.SwizzledSharedLayout(1, 1, 1, [0])
        >>> gl.allocate_shared_memory(gl.int32, [8], flat, gl.arange(0, 8, line)).load(line)
        int32[8] [0 1 2 3 4 5 6 7]
    """
    sizes = plain_ints("allocate_shared_memory", "shape", shape)
    type = shared_memory_descriptor_type(element_type("allocate_shared_memory", element_ty), sizes, layout, sizes)
    value = unwrap(value)
    handle = builder().emit("ttg.local_alloc", () if value is None else (value.handle,), type.ir)
    return type.of(handle)
