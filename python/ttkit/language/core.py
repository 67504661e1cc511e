"""`tl.core`: the functions and types that build operations, as kernels and libraries of kernels name them."""

from ttkit.dialects._tt_enums import PropagateNan
from ttkit.language.aggregate import _aggregate, aggregate_replace, aggregate_type
from ttkit.language.arith import (
    _promote_bfloat16_to_float32,
    add,
    binary_op_type_legalization,
    clamp,
    maximum,
    minimum,
    mul,
    sub,
    where,
)
from ttkit.language.atomic import (
    atomic_add,
    atomic_and,
    atomic_cas,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_xchg,
    atomic_xor,
)
from ttkit.language.base import base_type, base_value
from ttkit.language.block_pointer import advance, make_block_ptr
from ttkit.language.builtin import TRITON_BUILTIN, _tensor_member_fn, builtin, extern, is_builtin, must_use_result
from ttkit.language.constants import to_tensor as _to_tensor
from ttkit.language.constexpr import CONSTEXPR_0, constexpr, constexpr_type
from ttkit.language.constexpr import unwrap as _unwrap_if_constexpr
from ttkit.language.debug import device_assert, device_print, expect_zero, static_assert, static_print
from ttkit.language.descriptor import (
    load_tensor_descriptor,
    make_tensor_descriptor,
    store_tensor_descriptor,
    tensor_descriptor,
    tensor_descriptor_base,
    tensor_descriptor_base_type,
    tensor_descriptor_type,
)
from ttkit.language.dot import dot, dot_scaled
from ttkit.language.extern import dispatch, extern_elementwise, inline_asm_elementwise
from ttkit.language.hints import assume, debug_barrier, max_constancy, max_contiguous, multiple_of
from ttkit.language.iterators import condition, range, static_range
from ttkit.language.jit_callable import JITCallable
from ttkit.language.joining import join, split
from ttkit.language.memory import load, store
from ttkit.language.ordered import atomic_load, atomic_poll, atomic_store
from ttkit.language.parameters import const
from ttkit.language.program import num_programs, program_id
from ttkit.language.reduce import _reduce_with_indices, associative_scan, gather, histogram, map_elementwise, reduce
from ttkit.language.shapes import TRITON_MAX_TENSOR_NUMEL, validate_block_shape
from ttkit.language.tensor import tensor
from ttkit.language.tuples import slice, slice_type, tuple, tuple_type
from ttkit.language.type_conversion import cast
from ttkit.language.types import (
    bfloat16,
    block_type,
    dtype,
    float8e4b8,
    float8e4b15,
    float8e4nv,
    float8e5,
    float8e5b16,
    float16,
    float32,
    float64,
    get_int_dtype,
    int1,
    int8,
    int16,
    int32,
    int64,
    pi32_t,
    pointer_type,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)
from ttkit.language.view import (
    arange,
    broadcast,
    broadcast_to,
    cat,
    expand_dims,
    full,
    item,
    permute,
    reshape,
    trans,
    view,
    wrap_axis,
)


@builtin
def to_tensor(x):  # type: ignore[no-untyped-def]
    """`x`, a number or a tensor, as a tensor: see `ttkit.language.promotion.to_tensor`.

    Example:
        >>> tl.to_tensor(3), tl.to_tensor(0.5), tl.to_tensor(True)
        (int32[] 3, fp32[] 0.5, int1[] True)
    """
    return _to_tensor(x)


def is_negative_zero(x: float) -> bool:
    """Whether `x` is -0.0."""
    import math

    return x == 0.0 and math.copysign(1.0, x) < 0


__all__ = [
    "CONSTEXPR_0", "TRITON_BUILTIN", "TRITON_MAX_TENSOR_NUMEL", "JITCallable", "PropagateNan", "_aggregate",
    "_promote_bfloat16_to_float32", "_reduce_with_indices", "_tensor_member_fn", "_to_tensor",
    "_unwrap_if_constexpr", "add", "advance", "aggregate_replace", "aggregate_type", "arange",
    "associative_scan", "assume", "atomic_add", "atomic_and", "atomic_cas", "atomic_load", "atomic_max",
    "atomic_min", "atomic_or", "atomic_poll", "atomic_store", "atomic_xchg", "atomic_xor", "base_type", "base_value",
    "bfloat16", "binary_op_type_legalization", "block_type", "broadcast", "broadcast_to", "builtin", "cast",
    "cat", "clamp", "condition", "const", "constexpr", "constexpr_type", "debug_barrier", "device_assert",
    "device_print", "dispatch", "dot", "dot_scaled", "dtype", "expand_dims", "expect_zero",
    "extern", "extern_elementwise",
    "float8e4b8", "float8e4b15", "float8e4nv", "float8e5", "float8e5b16", "float16", "float32", "float64",
    "full", "gather", "get_int_dtype", "histogram", "inline_asm_elementwise", "int1", "int8", "int16", "int32",
    "int64", "is_builtin", "is_negative_zero", "item", "join", "load", "load_tensor_descriptor",
    "make_block_ptr", "make_tensor_descriptor", "map_elementwise", "max_constancy", "max_contiguous", "maximum",
    "minimum", "mul", "multiple_of", "must_use_result", "num_programs", "permute", "pi32_t", "pointer_type",
    "program_id", "range", "reduce", "reshape", "slice", "slice_type", "split", "static_assert", "static_print",
    "static_range", "store", "store_tensor_descriptor", "sub", "tensor", "tensor_descriptor",
    "tensor_descriptor_base", "tensor_descriptor_base_type", "tensor_descriptor_type", "to_tensor", "trans",
    "tuple", "tuple_type", "uint8", "uint16", "uint32", "uint64", "validate_block_shape", "view", "void",
    "where", "wrap_axis",
]  # fmt: skip
