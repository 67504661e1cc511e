"""The tt builders written by hand: they work out result types, fill regions, and put first what people think of first.

Operands are values or single-result operations.  Where `result` is a shape, the tensor has the element type of the
source, and its layout too if the rank is the same; a type says everything itself.  All take `loc` and `ip`, as MLIR's
own builders do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mlir import ir

from ttkit.dialects import _tt_ops as ops
from ttkit.dialects._operation import Operand, create, i32, one_or_all, operation
from ttkit.dialects._result_types import (
    Body,
    ShapeOrType,
    element_type_of,
    fill_region,
    tensor_type,
    type_of,
    values_of,
    with_element_type,
)
from ttkit.dialects._tt_types import PointerType, TensorDescType

if TYPE_CHECKING:
    from ttkit.dialects._tt_enums import MemSemantic, MemSyncScope, PaddingOption


# --- Functions -------------------------------------------------------------------------------------------------------
@operation
class FuncOp(ops.FuncOp):
    __doc__ = ops.FuncOp.__doc__

    @property
    def name(self) -> str:
        """The name of the function, without `@`."""
        return self.sym_name

    @property
    def type(self) -> ir.FunctionType:
        """Types of the parameters and results."""
        return self.function_type

    @property
    def is_external(self) -> bool:
        """True for a declaration."""
        return len(self.body.blocks) == 0

    @property
    def entry_block(self) -> ir.Block:
        """The first block.  Raises IndexError for a declaration."""
        return self.body.blocks[0]

    @property
    def arguments(self) -> ir.BlockArgumentList:
        """The arguments of the entry block.  Raises IndexError for a declaration."""
        return self.entry_block.arguments


def func(
    *arguments: ir.Type,
    name: str | None = None,
    visibility: str | None = "public",
    arg_attrs: Sequence[dict[str, ir.Attribute]] | None = None,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | None = None,
) -> Callable[[Body], FuncOp]:
    """Decorator: the function whose body the decorated Python function builds.

    Args:
        arguments: types of the arguments, with which the Python function is called as values.  What it returns is
            returned by the built function, whose result types are theirs.
        name: symbol name; by default the Python function's.
        visibility: "public" for a kernel, "private" for a function that kernels call.
        arg_attrs: attributes of each argument, such as {"tt.divisibility": attribute}.

        @tt.func(tt.PointerType.get(f32), name="clear")
        def clear(pointer):
            tt.store(pointer, zero)
    """

    def build(body: Body) -> FuncOp:
        """Builds the function around what `body` builds."""

        def finish(values: list[ir.Value]) -> None:
            """Returns what the body returned, and gives the function its result types."""
            ops.return_(values)
            op.function_type = ir.FunctionType.get(list(arguments), [value.type for value in values])

        attributes = [ir.DictAttr.get(attrs) for attrs in arg_attrs] if arg_attrs else None
        op = ops.func(
            name or body.__name__,
            ir.FunctionType.get(list(arguments), []),
            sym_visibility=visibility,
            arg_attrs=ir.ArrayAttr.get(attributes) if attributes else None,
            loc=loc,
            ip=ip,
        )
        fill_region(op.body, arguments, body, finish)
        return op

    return build


def return_(*values: Operand, loc: Any = None, ip: Any = None) -> ops.ReturnOp:
    """End of a function."""
    return ops.return_(list(values), loc=loc, ip=ip)


def call(
    callee: FuncOp | str, operands: Sequence[Operand], results: Sequence[ir.Type] | None = None, **where: Any
) -> Any:
    """Call of a function, given as the operation or by name; by name `results` must be given.

    Raises:
        ValueError: `results` are missing.
    """
    if isinstance(callee, ir.OpView):
        results = callee.type.results if results is None else results
        callee = callee.name
    if results is None:
        raise ValueError(f"the result types of the call of @{callee} are needed: only its name is known")
    return one_or_all(ops.call(list(results), callee, list(operands), **where))


# --- Pointers and memory ---------------------------------------------------------------------------------------------
def addptr(ptr: Operand, offset: Operand, **where: Any) -> ir.Value:
    """`ptr + offset`, in elements."""
    return ops.addptr(type_of(ptr), ptr, offset, **where)


def advance(ptr: Operand, offsets: Sequence[Operand], **where: Any) -> ir.Value:
    """The block pointer moved by `offsets`, in elements."""
    return ops.advance(type_of(ptr), ptr, list(offsets), **where)


def int_to_ptr(src: Operand, pointer_type: ir.Type, **where: Any) -> ir.Value:
    """Addresses as pointers of type `pointer_type` (of one element)."""
    return ops.int_to_ptr(with_element_type(type_of(src), pointer_type), src, **where)


def ptr_to_int(src: Operand, element_type: ir.Type | None = None, **where: Any) -> ir.Value:
    """Pointers as integers, by default i64."""
    source = type_of(src)
    element_type = element_type or ir.IntegerType.get_signless(64, source.context)
    return ops.ptr_to_int(with_element_type(source, element_type), src, **where)


def make_tensor_ptr(
    base: Operand,
    shape: Sequence[Operand],
    strides: Sequence[Operand],
    offsets: Sequence[Operand],
    block_shape: Sequence[int],
    order: Sequence[int],
    **where: Any,
) -> ir.Value:
    """A pointer to the block of `block_shape` at `offsets` in the tensor at `base`."""
    pointer = PointerType(type_of(base))
    block = ir.RankedTensorType.get(list(block_shape), pointer.pointee_type)
    result = PointerType.get(block, pointer.address_space)
    return ops.make_tensor_ptr(result, base, list(shape), list(strides), list(offsets), list(order), **where)


def atomic_rmw(
    atomic_rmw_op: Any,
    ptr: Operand,
    val: Operand,
    *,
    mask: Operand | None = None,
    sem: MemSemantic | str = "acq_rel",
    scope: MemSyncScope | str = "gpu",
    **where: Any,
) -> ir.Value:
    """Read, combine with `val`, write; gives what was read."""
    return ops.atomic_rmw(type_of(val), atomic_rmw_op, ptr, val, sem, scope, mask=mask, **where)


def atomic_cas(
    ptr: Operand,
    cmp: Operand,
    val: Operand,
    *,
    sem: MemSemantic | str = "acq_rel",
    scope: MemSyncScope | str = "gpu",
    **where: Any,
) -> ir.Value:
    """Write `val` where `cmp` is found; gives what was found."""
    return ops.atomic_cas(type_of(val), ptr, cmp, val, sem, scope, **where)


# --- Descriptors -----------------------------------------------------------------------------------------------------
def make_tensor_descriptor(
    base: Operand,
    shape: Sequence[Operand],
    strides: Sequence[Operand],
    block_shape: Sequence[int],
    *,
    padding: PaddingOption | str | None = None,
    **where: Any,
) -> ir.Value:
    """The descriptor of the tensor at `base`, to be accessed in blocks of `block_shape`."""
    block = ir.RankedTensorType.get(list(block_shape), PointerType(type_of(base)).pointee_type)
    result = TensorDescType.get(block)
    return ops.make_tensor_descriptor(result, base, list(shape), list(strides), padding=padding, **where)


def descriptor_load(
    desc: Operand,
    indices: Sequence[Operand],
    result: ir.Type | None = None,
    *,
    cache: Any = None,
    evict: Any = None,
    **where: Any,
) -> ir.Value:
    """The block at `indices`; by default a tensor of the block's shape without a layout."""
    result = result or _plain_block(desc)
    return ops.descriptor_load(result, desc, list(indices), cache=cache, evict=evict, **where)


def descriptor_gather(
    desc: Operand, x_offsets: Operand, y_offset: Operand, result: ir.Type | None = None, **where: Any
) -> ir.Value:
    """The rows `x_offsets`, from column `y_offset`; by default a tensor without a layout."""
    if result is None:
        block = _plain_block(desc)
        result = ir.RankedTensorType.get([type_of(x_offsets).shape[0], block.shape[1]], block.element_type)
    return ops.descriptor_gather(result, desc, x_offsets, y_offset, **where)


def _plain_block(desc: Operand) -> ir.RankedTensorType:
    block = TensorDescType(type_of(desc)).block_type
    element_type = block.element_type
    if isinstance(element_type, ir.IntegerType):
        element_type = ir.IntegerType.get_signless(element_type.width, element_type.context)
    return ir.RankedTensorType.get(block.shape, element_type)


# --- Views and conversions -------------------------------------------------------------------------------------------
def make_range(start: int, end: int, result: ir.Type | None = None, **where: Any) -> ir.Value:
    """`[start, start + 1, ..., end - 1]`; by default a tensor of i32 without a layout."""
    result = result or ir.RankedTensorType.get([end - start], ir.IntegerType.get_signless(32))
    return ops.make_range(result, start, end, **where)


def splat(src: Operand, result: ShapeOrType, **where: Any) -> ir.Value:
    """A tensor all of whose elements are `src`."""
    return ops.splat(tensor_type(result, type_of(src)), src, **where)


def broadcast(src: Operand, result: ShapeOrType, **where: Any) -> ir.Value:
    """`src` with its dimensions of size one repeated."""
    return ops.broadcast(tensor_type(result, type_of(src)), src, **where)


def reshape(
    src: Operand,
    result: ShapeOrType,
    *,
    allow_reorder: bool | None = None,
    efficient_layout: bool | None = None,
    **where: Any,
) -> ir.Value:
    """The elements of `src` in another shape."""
    flags = {"allow_reorder": allow_reorder, "efficient_layout": efficient_layout}
    return ops.reshape(tensor_type(result, type_of(src)), src, **flags, **where)


def cat(lhs: Operand, rhs: Operand, result: ir.Type | None = None, **where: Any) -> ir.Value:
    """The elements of both along the first dimension, in any order."""
    left, right = type_of(lhs), type_of(rhs)
    shape = [left.shape[0] + right.shape[0], *left.shape[1:]]
    return ops.cat(result or tensor_type(shape, left), lhs, rhs, **where)


def join(lhs: Operand, rhs: Operand, result: ir.Type | None = None, **where: Any) -> ir.Value:
    """Both along a new last dimension; `result` must be given if they have a layout."""
    return ops.join(result or tensor_type([*type_of(lhs).shape, 2], type_of(lhs)), lhs, rhs, **where)


def histogram(src: Operand, result: ShapeOrType, *, mask: Operand | None = None, **where: Any) -> ir.Value:
    """Count how often each number occurs; `result` is `[bins]` or a tensor type."""
    if not isinstance(result, ir.Type):
        result = ir.RankedTensorType.get(list(result), ir.IntegerType.get_signless(32))
    return ops.histogram(result, src, mask=mask, **where)


def bitcast(src: Operand, element_type: ir.Type, **where: Any) -> ir.Value:
    """The bits of each element as `element_type`."""
    return ops.bitcast(with_element_type(type_of(src), element_type), src, **where)


def fp_to_fp(src: Operand, element_type: ir.Type, *, rounding: Any = None, **where: Any) -> ir.Value:
    """Each element as a float of another type."""
    return ops.fp_to_fp(with_element_type(type_of(src), element_type), src, rounding=rounding, **where)


# --- Operations with code inside -------------------------------------------------------------------------------------
def reduce(srcs: Operand | Sequence[Operand], axis: int, combine: Body, **where: Any) -> Any:
    """All elements along `axis` combined; one value for one operand, else a list.

    Args:
        combine: called with the left scalars, one an operand, then the right ones; gives their combination.

        total = tt.reduce(values, 0, arith.addf)
    """
    op = create("tt.reduce", operands := values_of(srcs), {"axis": i32(axis)}, regions=1, **where)
    _fill_combine(op, operands, combine, ops.reduce_return)
    return one_or_all(op.results)


def scan(srcs: Operand | Sequence[Operand], axis: int, combine: Body, *, reverse: bool = False, **where: Any) -> Any:
    """Each element combined with all before it along `axis`; `combine` as for `reduce`."""
    operands = values_of(srcs)
    op = ops.scan([value.type for value in operands], operands, axis, reverse, **where)
    _fill_combine(op, operands, combine, ops.scan_return)
    return one_or_all(op.results)


def _fill_combine(op: ir.OpView, operands: list[ir.Value], combine: Body, terminator: Callable[..., Any]) -> None:
    scalars = [element_type_of(value.type) for value in operands]
    with op.location:
        fill_region(op.regions[0], scalars * 2, combine, terminator)


def map_elementwise(
    srcs: Operand | Sequence[Operand], element_types: Sequence[ir.Type], body: Body, *, pack: int = 1, **where: Any
) -> Any:
    """Scalar code run for each group of `pack` elements; results have the shape of `srcs` and `element_types`."""
    operands = values_of(srcs)
    types = [with_element_type(operands[0].type, element_type) for element_type in element_types]
    op = ops.map_elementwise(types, operands, pack, **where)
    scalars = [element_type_of(value.type) for value in operands for _ in range(pack)]
    with op.location:
        fill_region(op.regions[0], scalars, body, ops.map_elementwise_return)
    return one_or_all(op.results)


def extern_elementwise(
    symbol: str,
    srcs: Sequence[Operand],
    result: ir.Type | None = None,
    *,
    libname: str = "libdevice",
    libpath: str = "",
    pure: bool = True,
    **where: Any,
) -> ir.Value:
    """The library function `symbol` applied to each element; by default the result has the first operand's type."""
    return ops.extern_elementwise(result or type_of(srcs[0]), list(srcs), libname, libpath, symbol, pure, **where)


def elementwise_inline_asm(
    asm_string: str,
    constraints: str,
    args: Sequence[Operand],
    results: Sequence[ir.Type],
    *,
    pure: bool = True,
    packed_element: int = 1,
    **where: Any,
) -> Any:
    """Inline assembly applied to groups of `packed_element` elements."""
    operands = list(args)
    made = ops.elementwise_inline_asm(list(results), asm_string, constraints, pure, packed_element, operands, **where)
    return one_or_all(made)


def dot_scaled(
    a: Operand,
    b: Operand,
    c: Operand,
    a_elem_type: Any,
    b_elem_type: Any,
    *,
    a_scale: Operand | None = None,
    b_scale: Operand | None = None,
    fast_math: bool = False,
    lhs_k_pack: bool | None = None,
    rhs_k_pack: bool | None = None,
    **where: Any,
) -> ir.Value:
    """`a * b + c` with block scales; the element formats are `ScaleDotElemType`s."""
    options = {"a_scale": a_scale, "b_scale": b_scale, "lhs_k_pack": lhs_k_pack, "rhs_k_pack": rhs_k_pack}
    return ops.dot_scaled(type_of(c), a, b, c, a_elem_type, b_elem_type, fast_math, **options, **where)


def print_(
    prefix: str, *args: Operand, hex: bool = False, is_signed: Sequence[int] | None = None, **where: Any
) -> ops.PrintOp:
    """Prints each element; `is_signed` says of each operand whether its integers are signed (1) or not (0)."""
    signed = [0] * len(args) if is_signed is None else list(is_signed)
    return ops.print_(prefix, hex, list(args), signed, **where)
