"""Tensor descriptors: a tensor in memory that is accessed in blocks, by TMA where there is one.

Ops: dialects/tt/descriptor_ops.td    Interpreter: interpreter/ops/descriptor.py
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ttkit.dialects._tt_enums import DescriptorReduceKind
from ttkit.language.alignment_checks import assert_aligned_tensor
from ttkit.language.base import base_type, base_value
from ttkit.language.block_pointer import index_operands
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument, BadPointer, Unsupported
from ttkit.language.memory import enum_attribute, refuse_nan_of_integers
from ttkit.language.memory import padding_option as spelled_padding
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import (
    bfloat16,
    block_type,
    dtype,
    float16,
    float32,
    int32,
    int64,
    tensor_type,
    uint32,
    uint64,
    void,
)
from ttkit.language.view import make_scalar, plain_shape


def descriptor_ir(block: block_type, layout: str = "", is_im2col: bool = False) -> str:
    """The type in the IR, where integers say whether they are signed.

    Args:
        layout: attribute of the blocks' layout in shared memory, if they have one.
        is_im2col: whether it is the descriptor of images.
    """
    element = block.element_ty
    ir = ir_type(block)
    if element.is_int():
        sign = "s" if element.is_int_signed() else "u"
        ir = f"{ir[: ir.rindex('x') + 1]}{sign}{element.ir}>"
    if layout:
        ir = f"{ir[:-1]}, {layout}>"
    return f"!tt.tensordesc<{ir}{', im2col' if is_im2col else ''}>"


class tensor_descriptor_base_type(base_type):
    """The type of a descriptor of blocks of `block_type`."""

    def __init__(self, block_type: block_type) -> None:
        self.block_type = block_type

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.block_type == other.block_type

    def __hash__(self) -> int:
        return hash(self.block_type)

    def __str__(self) -> str:
        return f"tensor_descriptor<{self.block_type}>"

    def mangle(self) -> str:
        """`TD`, and the block's text."""
        return f"TD{self.block_type.mangle()}"

    @property
    def ir(self) -> str:
        """The type in the IR."""
        return descriptor_ir(self.block_type)

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append(self.ir)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return tensor_descriptor_base(handles[cursor], self.block_type), cursor + 1


class tensor_descriptor_base(base_value):
    """A descriptor; `offsets` are in elements, one per dimension of `block_shape`."""

    def __init__(self, handle: Any, block_type: block_type) -> None:
        self.handle = handle
        self.type = tensor_descriptor_base_type(block_type)

    @property
    def block_type(self) -> block_type:
        """Shape and element type of the blocks that it loads and stores."""
        return self.type.block_type

    @property
    def block_shape(self) -> Any:
        """Sizes of a block, in elements, as constexprs."""
        return tuple([constexpr(size) for size in self.type.block_type.shape])

    @property
    def dtype(self) -> dtype:
        """The type of an element."""
        return self.type.block_type.element_ty

    def __str__(self) -> str:
        return str(self.type)

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def _indices(self, offsets: Any) -> list[Any]:
        if len(offsets) != len(self.block_shape):
            reason = f"expected {len(self.block_shape)} offsets, but got {len(offsets)}"
            raise Unsupported(function="tensor descriptor", reason=reason)
        return index_operands(offsets, wide=False)

    def _check_block(self, value: tensor) -> None:
        shape = value.type.shape if value.type.is_block() else ()
        if shape != self.type.block_type.shape:
            reason = f"expected a block of shape {self.type.block_type.shape}, got {value}"
            raise Unsupported(function="tensor descriptor", reason=reason)

    def load(self, offsets: Any, _semantic: Any = None) -> tensor:
        """The block at `offsets`; zeros (or NaN, see `make_tensor_descriptor`) outside of the tensor."""
        operands = [self.handle, *self._indices(offsets)]
        return tensor(builder().emit("tt.descriptor_load", operands, ir_type(self.block_type)), self.block_type)

    def store(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """Writes the block `value`, converted to the element type, at `offsets`; not outside of the tensor."""
        self._check_block(value)
        value = cast_to(value, self.dtype)
        indices = self._indices(offsets)
        builder().emit_op("tt.descriptor_store", [self.handle, value.handle, *indices])
        return tensor(None, void)

    def _reduce(self, kind: str, offsets: Any, value: tensor, allowed: Any) -> tensor:
        self._check_block(value)
        if self.dtype not in allowed:
            advice = f"found {self.dtype}; expected one of {', '.join(map(str, allowed))}"
            raise Unsupported(function=f"atomic_{kind}", reason="Unsupported dtype", advice=advice)
        indices = self._indices(offsets)
        attributes = {"kind": enum_attribute(getattr(DescriptorReduceKind, kind.upper()))}
        builder().emit_op("tt.descriptor_reduce", [self.handle, value.handle, *indices], (), attributes)
        return tensor(None, void)

    def atomic_add(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """Adds the block `value` to memory, atomically by element."""
        return self._reduce("add", offsets, value, (uint32, int32, uint64, float32, float16, bfloat16))

    def atomic_min(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """The minimum with the block `value`, atomically by element."""
        return self._reduce("min", offsets, value, self._ordered())

    def atomic_max(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """The maximum with the block `value`, atomically by element."""
        return self._reduce("max", offsets, value, self._ordered())

    def _ordered(self) -> Any:
        has_tma = builder().unit.options.target.has_tma
        return (uint32, int32, uint64, int64, *((float16, bfloat16) if has_tma else ()))

    def atomic_and(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """Bitwise and with the block `value`, atomically by element."""
        return self._reduce("and", offsets, value, (uint32, int32, uint64, int64))

    def atomic_or(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """Bitwise or with the block `value`, atomically by element."""
        return self._reduce("or", offsets, value, (uint32, int32, uint64, int64))

    def atomic_xor(self, offsets: Any, value: tensor, _semantic: Any = None) -> tensor:
        """Bitwise exclusive or with the block `value`, atomically by element."""
        return self._reduce("xor", offsets, value, (uint32, int32, uint64, int64))

    def _check_rows(self, function: str, x_offsets: tensor) -> None:
        shape = self.type.block_type.shape
        columns = 32 // self.dtype.primitive_bitwidth * 8
        rows = x_offsets.type.shape
        if len(shape) != 2:
            reason = f"descriptor must be 2D, but got {shape}"
        elif shape[0] != 1:
            reason = f"descriptor block must have 1 row, but got {shape}"
        elif len(rows) != 1:
            reason = f"x offsets must be 1D, but got {rows}"
        elif rows[0] < 8:
            reason = f"descriptor {function} must have at least 8 rows, but got {rows}"
        elif shape[1] < columns:
            reason = f"descriptor {function} of {self.dtype} must have at least {columns} columns, but got {shape[1]}"
        else:
            return
        raise Unsupported(function=function, reason=reason)

    def gather(self, *args: Any, _semantic: Any = None) -> tensor:
        """`gather(x_offsets, y_offset)`: the rows `x_offsets`, from column `y_offset` on, as wide as the block."""
        x_offsets, y_offset = _two(args, "gather")
        self._check_rows("gather", x_offsets)
        type = tensor_type(self.dtype, (x_offsets.type.shape[0], self.type.block_type.shape[1]))
        (column,) = index_operands((y_offset,), wide=False)
        return tensor(
            builder().emit("tt.descriptor_gather", [self.handle, x_offsets.handle, column], ir_type(type)), type
        )

    def scatter(self, value: tensor, *args: Any, _semantic: Any = None) -> tensor:
        """`scatter(value, x_offsets, y_offset)`: writes the rows of `value`; the inverse of `gather`."""
        x_offsets, y_offset = _two(args, "scatter")
        self._check_rows("scatter", x_offsets)
        (column,) = index_operands((y_offset,), wide=False)
        builder().emit_op("tt.descriptor_scatter", [self.handle, x_offsets.handle, column, value.handle])
        return tensor(None, void)


def _two(args: Any, function: str) -> Any:
    if len(args) != 2:
        raise Unsupported(
            function=function, reason=f"descriptor {function} only supports 2D indexing, but got {len(args)}"
        )
    return args


for _name in "load store atomic_add atomic_min atomic_max atomic_and atomic_or atomic_xor gather scatter".split():
    vars(tensor_descriptor_base)[_name].__triton_builtin__ = True


class tensor_descriptor_type(tensor_descriptor_base_type):
    """The type of a descriptor with known types of shape and strides."""

    def __init__(self, block_type: block_type, shape_type: Any, strides_type: Any) -> None:
        self.block_type = block_type
        self.shape_type = shape_type
        self.strides_type = strides_type

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, tensor_descriptor_type)
            and super().__eq__(other)
            and self.shape_type == other.shape_type
            and self.strides_type == other.strides_type
        )

    def __hash__(self) -> int:
        return hash(self.block_type)

    def _flatten_ir_types(self, out: list[str]) -> None:
        super()._flatten_ir_types(out)
        self.shape_type._flatten_ir_types(out)
        self.strides_type._flatten_ir_types(out)

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        handle = handles[cursor]
        shape, cursor = self.shape_type._unflatten_ir(handles, cursor + 1)
        strides, cursor = self.strides_type._unflatten_ir(handles, cursor)
        return tensor_descriptor(handle, shape.values, strides.values, self.block_type), cursor


class tensor_descriptor(tensor_descriptor_base):
    """A descriptor that carries the tensor's `shape` and `strides`, in elements.

    Example:
        >>> x = tl.make_tensor_descriptor(pointer(np.zeros((8, 16), np.float16)), (8, 16), (16, 1), (4, 8))
        >>> x.shape[0], x.strides[0], x.block_shape, x.dtype
        (int32[] 8, int64[] 16, (constexpr[4], constexpr[8]), triton.language.float16)
    """

    def __init__(self, handle: Any, shape: Any, strides: Any, block_type: block_type) -> None:
        self.handle = handle
        self.shape = tuple(shape)
        self.strides = tuple(strides)
        self.type = tensor_descriptor_type(block_type, self.shape.type, self.strides.type)

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)
        self.shape._flatten_ir(handles)
        self.strides._flatten_ir(handles)


@builtin
def make_tensor_descriptor(
    base: Any, shape: Any, strides: Any, block_shape: Any, padding_option: Any = "zero"
) -> tensor_descriptor:
    """A descriptor of the tensor at `base`.

    Args:
        base: pointer to its first element, aligned to 16 bytes.
        shape: one to five sizes, in elements.
        strides: elements from one index to the next, by dimension; the last is the constexpr 1, the others are
            multiples of 16 bytes.
        block_shape: sizes of the blocks, constexprs; the last is at least 16 bytes.
        padding_option: "zero" or "nan" (floats only), what `load` gives outside of the tensor.

    Raises:
        BadArgument: the arguments do not fit.

    Example:
        >>> x = pointer(np.arange(128, dtype=np.float16).reshape(8, 16))
        >>> tile = tl.make_tensor_descriptor(x, (8, 16), (16, 1), (2, 8))
        >>> tile.load([7, 8])
        fp16[2, 8]
        [[120. 121. 122. 123. 124. 125. 126. 127.]
         [  0.   0.   0.   0.   0.   0.   0.   0.]]
    """
    parts = described_tensor(base, shape, strides, block_shape, padding_option)
    handle = builder().emit("tt.make_tensor_descriptor", parts.operands, descriptor_ir(parts.block), parts.attributes)
    return tensor_descriptor(handle, parts.shape, parts.strides, parts.block)


class DescribedTensor(NamedTuple):
    """Checked arguments of `make_tensor_descriptor`: scalars, the type of a block, and what the operation takes."""

    shape: list[tensor]
    strides: list[tensor]
    block: block_type
    operands: list[Any]
    attributes: dict[str, str]


def described_tensor(
    base: Any, shape: Any, strides: Any, block_shape: Any, padding_option: Any = "zero"
) -> DescribedTensor:
    """Checks the arguments of `make_tensor_descriptor`.  Raises BadArgument and BadPointer."""
    padding = spelled_padding(padding_option)
    rank = len(shape)
    if not isinstance(base, tensor) or not base.type.is_ptr() or base.type.element_ty.is_block():
        raise BadPointer(type=repr(getattr(base, "type", base)), function="make_tensor_descriptor")
    if not 1 <= rank <= 5:
        raise _bad(f"Expected 1 <= ndim <= 5 but got {rank} dimensions")
    if len(strides) != rank:
        raise _bad(f"Expected {rank} strides but got {len(strides)}")
    if len(block_shape) != rank:
        raise _bad(f"Expected block_shape to have {rank} dimensions but got {len(block_shape)}")
    element = base.type.element_ty
    sizes = plain_shape(block_shape)
    last, size = sizes[-1], element.primitive_bitwidth // 8
    if last * size < 16:
        found = f"{last} * {size} = {last * size} bytes"
        raise _bad(f"Descriptor block shape must have at least 16 bytes in the last dimension, but got {found}")
    if unwrap(strides[-1]) != 1:
        raise _bad(f"Tensor descriptor last dim must be 1 but got {unwrap(strides[-1])}")
    for name, numbers in (("sizes", shape), ("strides", strides)):
        if negative := [number for number in map(unwrap, numbers) if isinstance(number, int) and number < 0]:
            raise _bad(f"{name} of a tensor descriptor must not be negative, found {negative[0]}")
    shape = [make_scalar(unwrap(size), int32) for size in shape]
    given, strides = strides, [make_scalar(unwrap(stride), int64) for stride in strides]
    assert_aligned_tensor(base, strides, given)
    block = block_type(element, sizes)
    refuse_nan_of_integers(element, padding)
    operands = [base.handle, *(size.handle for size in shape), *(stride.handle for stride in strides)]
    attributes = {} if padding is None else {"padding": enum_attribute(padding)}
    return DescribedTensor(shape, strides, block, operands, attributes)


def _bad(reason: str) -> BadArgument:
    return BadArgument(function="make_tensor_descriptor", reason=reason)


@builtin
def load_tensor_descriptor(desc: tensor_descriptor_base, offsets: Any) -> tensor:
    """`desc.load(offsets)`.

    Example:
        >>> x = pointer(np.arange(16, dtype=np.float32))
        >>> tl.load_tensor_descriptor(tl.make_tensor_descriptor(x, (16,), (1,), (4,)), [8])
        fp32[4] [ 8.  9. 10. 11.]
    """
    return desc.load(offsets)


@builtin
def store_tensor_descriptor(desc: tensor_descriptor_base, offsets: Any, value: tensor) -> tensor:
    """`desc.store(offsets, value)`.

    Example:
        >>> out = np.zeros(8, np.float32)
        >>> tile = tl.make_tensor_descriptor(pointer(out), (6,), (1,), (4,))
        >>> tl.store_tensor_descriptor(tile, [4], tl.full((4,), 1.0, tl.float32))
        void
        >>> out
        array([0., 0., 0., 0., 1., 1., 0., 0.], dtype=float32)
    """
    return desc.store(offsets, value)
