"""Block pointers: a pointer to a block of a tensor in memory.

Ops: dialects/tt/pointer_ops.td    Interpreter: interpreter/ops/block_pointer.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin, must_use_result
from ttkit.language.constants import integer_constant, ir_type
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument, BadPointer, Unsupported
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence
from ttkit.language.type_conversion import cast_to, int_cast
from ttkit.language.types import block_type, int1, int8, int64, pointer_type


def index_operand(value: Any, wide: bool) -> Any:
    """A number or scalar of a shape, stride or offset in the IR: i64 if `wide`, else i32.

    Raises:
        Unsupported: it is no integer scalar, or does not fit.
    """
    number = unwrap(value)
    if isinstance(number, int):
        bits = 64 if wide else 32
        if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
            kind = "`shape/strides`" if wide else "`offsets/block_shape`"
            reason = f"Block pointers only support {bits} bit {kind}, got a value {number} which is out of the range"
            raise Unsupported(function="shape/strides/offsets", reason=reason)
        return integer_constant(number, f"i{bits}")
    if not isinstance(value, tensor):
        reason = f"Unsupported element type in shape/strides/offsets: {type(number)}"
        advice = f"found {number!r}; use an integer"
        raise Unsupported(function="shape/strides/offsets", reason=reason, advice=advice)
    if value.numel.value != 1 or not value.dtype.is_int():
        kind = "a scalar" if value.numel.value != 1 else "an integer scalar type"
        reason = f"Expected {kind} in shape/strides/offsets"
        raise Unsupported(function="shape/strides/offsets", reason=reason, advice=f"found {value}")
    if wide and value.dtype != int64:
        return int_cast(value, int64, value.dtype.is_int_signed()).handle
    if not wide and value.dtype == int64:
        reason = (
            "Block pointers only support 32 bit `offsets/block_shape`, add a `.to(tl.int32)` or use regular indexing "
            "for 64 bit support"
        )
        raise Unsupported(function="offsets", reason=reason)
    return value.handle


def index_operands(values: Any, wide: bool = True) -> list[Any]:
    """Handles of one index or a sequence of them, of 64 bits each, or 32 if not `wide`."""
    values = values.value if isinstance(values, constexpr) else values
    return [index_operand(value, wide) for value in (values if is_sequence(values) else [values])]


@builtin
def make_block_ptr(base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any, order: Any) -> tensor:
    """A pointer to a block of a tensor.

    Args:
        base: pointer to the tensor's first element.
        shape: its sizes, in elements.
        strides: elements from one index to the next, by dimension.
        offsets: where the block begins, in elements by dimension; at most 32 bits.
        block_shape: sizes of the block, constexprs.
        order: dimensions from the one with the smallest stride on, a hint.

    Raises:
        BadArgument: `base` is no pointer to elements.
        Unsupported: the arguments differ in length or are not integers.

    Example:
        >>> x = pointer(np.arange(64.0).reshape(8, 8))
        >>> block = tl.make_block_ptr(x, (8, 8), (8, 1), (6, 4), (4, 2), (1, 0))
        >>> tl.load(block, boundary_check=(0,), padding_option="zero")
        fp64[4, 2]
        [[52. 53.]
         [60. 61.]
         [ 0.  0.]
         [ 0.  0.]]
    """
    shape, strides = index_operands(shape), index_operands(strides)
    offsets = index_operands(offsets, wide=False)
    if not base.type.is_ptr() or base.type.element_ty.is_block():
        reason = "Expected `base` to be a pointer type (but not a block pointer type or others)"
        raise BadArgument(function="make_block_ptr", reason=reason)
    if base.type.element_ty == int1:
        base = cast_to(base, pointer_type(int8, base.type.address_space))
    block_shape, order = _constants(block_shape), _constants(order)
    if not all(isinstance(size, int) and -(2**31) <= size < 2**31 for size in block_shape):
        reason = "Expected a list of constant integers (`int32_t` range) in `block_shape`"
        raise Unsupported(function="make_block_ptr", reason=reason, advice=f"found {block_shape}")
    if sorted(order) != list(range(len(order))):
        reason = "Expected a permutation of (0, 1, ..., len(order)-1) in order"
        raise Unsupported(function="make_block_ptr", reason=reason, advice=f"found {order}")
    if not all(len(block_shape) == len(other) for other in (shape, strides, offsets, order)):
        reason = "Expected shape/strides/offsets/block_shape to have the same length"
        raise Unsupported(function="make_block_ptr", reason=reason)
    type = pointer_type(block_type(base.type.element_ty, block_shape))
    operands = [base.handle, *shape, *strides, *offsets]
    attributes = {"order": f"array<i32: {', '.join(f'{axis:d}' for axis in order)}>"}
    return tensor(builder().emit("tt.make_tensor_ptr", operands, ir_type(type), attributes), type)


def _constants(values: Any) -> list[Any]:
    values = unwrap(values)
    return [unwrap(value) for value in (values if is_sequence(values) else [values])]


@must_use_result(
    "Note that tl.advance does not have any side effects. To move the block pointer, you need to assign the result of "
    "tl.advance to a variable."
)
@_tensor_member_fn
@builtin
def advance(base: tensor, offsets: Any) -> tensor:
    """The block pointer `base` moved by `offsets`, in elements by dimension.

    Raises:
        BadPointer, BadArgument: `base` is not a block pointer, or has other dimensions.

    Example:
        >>> x = pointer(np.arange(64.0).reshape(8, 8))
        >>> block = tl.make_block_ptr(x, (8, 8), (8, 1), (0, 0), (2, 2), (1, 0))
        >>> tl.load(tl.advance(block, (1, 2)))
        fp64[2, 2]
        [[10. 11.]
         [18. 19.]]
    """
    if not isinstance(base, tensor) or not (base.type.is_ptr() and base.type.element_ty.is_block()):
        raise BadPointer(type=repr(getattr(base, "type", base)), function="advance")
    moves = index_operands(offsets, wide=False)
    rank = len(base.type.element_ty.shape)
    if len(moves) != rank:
        raise BadArgument(function="advance", reason=f"expected {rank} offsets, but got {len(moves)}")
    operands = [base.handle, *moves]
    return tensor(builder().emit("tt.advance", operands, base.type.ir), base.type)
