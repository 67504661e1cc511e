"""Tensor memory: matrices that products accumulate in, beside registers and shared memory.

Ops: dialects/ttng/tensor_memory_ops.td    Interpreter: interpreter/ops/tensor_memory.py
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ttkit.dialects._tt_enums import PropagateNan
from ttkit.language.arith import maximum, minimum
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag, ir_type, to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.distributed import distributed
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import distributed_layout, plain_int, plain_ints
from ttkit.language.gluon.memory_descriptor import element_type, memory_descriptor, memory_descriptor_type
from ttkit.language.gluon.warp_specialization import num_warps as num_warps_here
from ttkit.language.jit_function import constexpr_function, jit
from ttkit.language.math import abs as absolute
from ttkit.language.reduce import reduce
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple as group
from ttkit.language.types import dtype, float32
from ttkit.layout import to_linear_layout
from ttkit.layout.gluon.distributed_layouts import AutoLayout, SliceLayout
from ttkit.layout.gluon.tensor_memory_layouts import (
    TensorMemoryLayout,
    TensorMemoryScalesLayout,
    tensor_memory_registers,
)

_registers = builtin(tensor_memory_registers)


@constexpr_function
def get_tmem_reg_layout(
    element_ty: Any, shape: Any, layout: Any, num_warps: Any, instr_variant: Any = "32x32b", cga_layout: Any = ()
) -> Any:
    """The layout of registers for `load` and `store`, see `layout.gluon.tensor_memory_layouts.tensor_memory_registers`.

    Raises:
        ValueError: there is no such layout.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> blackwell.get_tmem_reg_layout(gl.float32, (128, 32), layout, 4).lane_bases
        [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]
    """
    return _registers(element_ty, shape, layout, num_warps, instr_variant, cga_layout)


class tensor_memory_descriptor_type(memory_descriptor_type):
    """The type of a buffer in tensor memory, or of a view of one; arguments and errors as of its base.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
        >>> acc.type == blackwell.tensor_memory_descriptor_type(gl.float32, [128, 32], layout, [128, 32])
        True
    """

    memory = "#ttng.tensor_memory"

    def get_reg_layout(self, num_warps: Any = None, instr_variant: Any = "32x32b") -> Any:
        """`tensor_memory_descriptor.get_reg_layout` by the type.  Raises ValueError: there is no such layout."""
        return _registers(self.element_ty, tuple(self.shape), self.layout, num_warps, instr_variant)

    def _checked_layout(self, layout: Any) -> Any:
        found = unwrap(layout)
        if not isinstance(found, (TensorMemoryLayout, TensorMemoryScalesLayout)):
            reason = f"expected 'layout' to be a TensorMemoryLayout or TensorMemoryScalesLayout but got {found}"
            raise BadLayout(reason=reason)
        return found


class tensor_memory_descriptor(memory_descriptor):
    """A matrix, or several, in tensor memory, or a part or another view.

    Attributes:
        type: a `tensor_memory_descriptor_type`.
        dtype, shape, rank, numel, layout: of its elements.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
        >>> acc.store(gl.full([128, 32], 0.5, gl.float32, acc.get_reg_layout()))
        >>> gl.sum(acc.slice(0, 16).load(), 1).shape
        (constexpr[128])
    """

    def __init__(self, handle: Any, element_ty: dtype, shape: Any, layout: Any, alloc_shape: Any) -> None:
        self.handle = handle
        self.type = tensor_memory_descriptor_type(element_ty, shape, layout, alloc_shape)

    @builtin
    def get_reg_layout(self, num_warps: Any = None, instr_variant: Any = "32x32b") -> Any:
        """The layout of registers for `load` and `store` by so many warps, by default those that run the function.

        Raises:
            ValueError: there is no such layout.
        """
        warps = num_warps_here() if unwrap(num_warps) is None else num_warps
        return _registers(self.dtype, tuple(self.type.shape), self.layout, warps, instr_variant)

    @builtin
    def load(self, layout: Any = None) -> tensor:
        """The matrix, as a tensor with this layout; by default that of `get_reg_layout`.

        Raises:
            BadLayout: `layout` is not a layout of registers, or has another rank.
        """
        chosen = self.get_reg_layout() if unwrap(layout) is None else layout
        type = distributed(self.dtype, (*self.type.shape,), distributed_layout(chosen))
        return tensor(builder().emit("ttng.tmem_load", (self.handle,), ir_type(type)), type)

    @builtin
    def load_max(self, layout: Any = None, abs: Any = False, propagate_nan: Any = PropagateNan.NONE) -> Any:
        """The matrix as by `load`, and the largest element of each row.

        Args:
            abs: compare without signs.
            propagate_nan: tl.PropagateNan.ALL: NaN for a row with one; NONE: as if it were not there.

        Raises:
            BadArgument: the elements are not fp32.

        Example:
            >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
            >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
            >>> acc.store(gl.full([128, 32], -2.0, gl.float32, acc.get_reg_layout()))
            >>> gl.max(acc.load_max()[1], 0), gl.min(acc.load_max(abs=True)[1], 0)
            (fp32[] -2.0, fp32[] 2.0)
        """
        return self._load_and_reduce("load_max", layout, abs, propagate_nan)

    @builtin
    def load_min(self, layout: Any = None, abs: Any = False, propagate_nan: Any = PropagateNan.NONE) -> Any:
        """The matrix, and the smallest element of each row; as `load_max`."""
        return self._load_and_reduce("load_min", layout, abs, propagate_nan)

    def _load_and_reduce(self, function: str, layout: Any, without_sign: Any, propagate_nan: Any) -> Any:
        if self.dtype != float32:
            raise BadArgument(function=function, reason=f"expected a buffer of fp32, found {self.dtype}")
        absolutely, keeps_nan = flag(function, "abs", without_sign), PropagateNan(unwrap(propagate_nan))
        chosen = distributed_layout(self.get_reg_layout() if unwrap(layout) is None else layout)
        shape = (*self.type.shape,)
        if not _has_whole_rows(chosen, shape):
            found = self.load(chosen)
            compared = absolute(found) if absolutely else found
            return group([found, reduce(compared, 1, _COMBINED[function, keeps_nan])])
        types = distributed(float32, shape, chosen), distributed(float32, shape[:1], SliceLayout(1, chosen))
        attributes = {"redOp": f"#ttng.redOp<{function.removeprefix('load_')}>"}
        attributes |= {"abs": "true"} if absolutely else {}
        attributes |= {"NaN": "true"} if keeps_nan is PropagateNan.ALL else {}
        made = builder().emit_op("ttng.tmem_load", (self.handle,), [*map(ir_type, types)], attributes)
        return group([tensor(value, type) for value, type in zip(made.results, types)])

    @builtin
    def store(self, value: tensor, pred: Any = True) -> None:
        """Writes a tensor of the same shape and element type.

        Args:
            pred: whether to write at all.

        Raises:
            BadArgument: another value.
        """
        operands = (self.handle, self._stored(value), to_tensor(pred).handle)
        builder().emit_op("ttng.tmem_store", operands)

    @builtin
    def slice(self, start: Any, length: Any, dim: Any = None) -> tensor_memory_descriptor:
        """The columns from `start` on, `length` of them, or the rows; all three are constexprs.

        Args:
            dim: of the columns, which is the last, by default; 0 for rows of a buffer without slots, in whole blocks.

        Raises:
            BadArgument: one is not known while compiling, or there are no such columns or rows.
            BadLayout: it holds block scales.
        """
        start, length = plain_int("slice", "start", start), plain_int("slice", "length", length)
        layout, shape = self.layout, list(self.type.shape)
        last = len(shape) - 1
        dim = last if unwrap(dim) is None else plain_int("slice", "dim", dim)
        if dim != last and (dim, last) != (0, 1):
            raise BadArgument(
                function="slice", reason=f"dim is {dim}; use {last} for columns, or 0 for rows of a matrix"
            )
        of_rows, whole, shape[dim] = dim != last, shape[dim], length
        if not isinstance(layout, TensorMemoryLayout):
            raise BadLayout(reason=f"slice takes a buffer with a TensorMemoryLayout, found {layout}")
        if not 0 <= start < start + length <= whole:
            reason = f"{'rows' if of_rows else 'columns'} {start} to {start + length} are not all in {self.type.shape}"
            raise BadArgument(function="slice", reason=reason)
        if of_rows and (start % layout.block[0] or length % layout.block[0]):
            reason = f"rows {start} to {start + length} are not whole blocks of {layout.block[0]}"
            raise BadArgument(function="slice", reason=reason)
        rows, columns = layout.block
        block = (rows, columns if of_rows else min(columns, length))
        part = replace(layout, block=block)
        attributes = {"dim": "0 : i32"} if of_rows else {}
        type = self.type.view(shape, self.type.alloc_shape, part)
        return self._viewed("ttng.tmem_subslice", type, N=f"{start} : i32", **attributes)


def _has_whole_rows(layout: Any, shape: Any) -> bool:
    """Whether threads have whole rows of a matrix, which a load can reduce.  Raises BadLayout: it has no such shape."""
    if isinstance(layout, AutoLayout):
        return False
    linear = to_linear_layout(shape, layout.encoding)
    return not any(basis[1] for name in ("lane", "warp", "block") for basis in linear.bases(name))


_ALL = constexpr(PropagateNan.ALL)


@jit
def _larger(a: Any, b: Any) -> Any:
    return maximum(a, b)


@jit
def _smaller(a: Any, b: Any) -> Any:
    return minimum(a, b)


@jit
def _larger_or_nan(a: Any, b: Any) -> Any:
    return maximum(a, b, propagate_nan=_ALL)


@jit
def _smaller_or_nan(a: Any, b: Any) -> Any:
    return minimum(a, b, propagate_nan=_ALL)


_COMBINED = {
    ("load_max", PropagateNan.NONE): _larger,
    ("load_min", PropagateNan.NONE): _smaller,
    ("load_max", PropagateNan.ALL): _larger_or_nan,
    ("load_min", PropagateNan.ALL): _smaller_or_nan,
}
tensor_memory_descriptor_type.descriptor = tensor_memory_descriptor


def tensor_memory(function: str, value: Any) -> tensor_memory_descriptor:
    """A buffer in tensor memory, as an argument of `function`.  Raises BadArgument for anything else."""
    found = unwrap(value)
    if not isinstance(found, tensor_memory_descriptor):
        reason = f"{function} takes a buffer in tensor memory, found {getattr(found, 'type', found)!r}"
        raise BadArgument(function=function, reason=reason, advice="allocate_tensor_memory makes one")
    return found


@builtin
def allocate_tensor_memory(element_ty: Any, shape: Any, layout: Any, value: Any = None) -> tensor_memory_descriptor:
    """A buffer in tensor memory.

    Args:
        element_ty: type of an element.
        shape: rows and columns; with a pipeline's slots in front, three sizes.
        layout: a `TensorMemoryLayout` or `TensorMemoryScalesLayout`.
        value: a tensor that it holds at first.

    Raises:
        BadArgument, BadLayout: no type, shape or layout of tensor memory.

    Example:
        >>> layout = blackwell.TensorMemoryLayout((128, 32), col_stride=1)
        >>> acc = blackwell.allocate_tensor_memory(gl.float32, [128, 32], layout)
        >>> acc.store(gl.full([128, 32], 0.5, gl.float32, acc.get_reg_layout()))
        >>> gl.max(gl.max(acc.load(), 1), 0)
        fp32[] 0.5
    """
    sizes = plain_ints("allocate_tensor_memory", "shape", shape)
    type = tensor_memory_descriptor_type(element_type("allocate_tensor_memory", element_ty), sizes, layout, sizes)
    value = unwrap(value)
    made: tensor_memory_descriptor = type.of(
        builder().emit("ttng.tmem_alloc", () if value is None else (value.handle,), type.ir)
    )
    return made
