"""`tl.semantic`: the functions of the language by the names and parameters that builtins of other packages use.

A builtin with a parameter `_semantic` gets a `TritonSemantic`; `_semantic.add(x, y, True)` is `tl.add(x, y)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ttkit.language import arith, atomic, constants, debug, hints, memory, program, promotion, type_conversion
from ttkit.language.block_pointer import advance, make_block_ptr
from ttkit.language.broadcasting import broadcast_all, broadcast_pair, broadcast_to_shape, splat
from ttkit.language.builtin import Semantic, use_semantic
from ttkit.language.descriptor import make_tensor_descriptor
from ttkit.language.dot import dot, dot_scaled
from ttkit.language.errors import IncompatibleTypes
from ttkit.language.joining import join, split
from ttkit.language.math import fdiv
from ttkit.language.reduce import gather, histogram
from ttkit.language.tensor import tensor
from ttkit.language.types import tensor_type
from ttkit.language.view import arange, cat, expand_dims, full, make_scalar, permute_dims, reshape_to, unsplat

IncompatibleTypeErrorImpl = IncompatibleTypes


class TritonSemantic(Semantic):
    """The code in the making, `builder`, and the language's functions as methods (`METHODS`), which take all of their
    arguments.  Made anywhere it stands for the kernel that is compiled at the moment.

    Raises:
        CompilationError: as the functions do.
    """

    tensor = tensor

    def __init__(self, builder: Any = None) -> None:
        del builder  # there is one at a time


def _of(function: Any) -> Any:
    """A member of a tensor descriptor as a function of it: `f(desc, ...)` for `desc.f(...)`."""
    return lambda desc, *values: getattr(desc, function)(*values)


def _stored(function: str) -> Any:
    """Likewise with the value before the offsets."""
    return lambda desc, value, offsets: getattr(desc, function)(offsets, value)


def _wrap(x: Any, scalar_ty: Any, ret_shape: Any) -> tensor:
    return tensor(x, tensor_type(scalar_ty, tuple(ret_shape)) if ret_shape else scalar_ty)


def _arange(start: Any, end: Any, ret_ty: Any = None) -> tensor:
    del ret_ty  # blocks have no layout here
    return arange(start, end)


_CACHE = "cache_modifier eviction_policy"

METHODS: dict[str, tuple[Callable[..., Any], str]] = {
    "program_id": (program.program_id, "axis"),
    "num_programs": (program.num_programs, "axis"),
    "integer_promote_impl": (promotion.promote_integers, "a_ty b_ty"),
    "computation_type_impl": (promotion.computation_type, "a_ty a_is_scalar b_ty b_is_scalar div_or_mod"),
    **{name: (getattr(arith, name), "input other sanitize_overflow") for name in ("add", "sub", "mul")},
    **{
        name: (getattr(arith, name), "input other")
        for name in (
            "truediv floordiv mod and_ or_ xor_ logical_and logical_or shl ashr lshr equal not_equal less_than "
            "less_equal greater_than greater_equal"
        ).split()
    },
    "fdiv": (fdiv, "input other ieee_rounding"),
    **{name: (getattr(arith, name), "x y propagate_nan") for name in ("minimum", "maximum")},
    "clamp": (arith.clamp, "x min max propagate_nan"),
    "plus": (lambda input: input, "input"),
    **{name: (getattr(arith, name), "input") for name in ("minus", "invert", "not_")},
    "where": (arith.where, "condition x y"),
    "arange": (_arange, "start end ret_ty="),
    "scalar_constant": (constants.scalar_constant, "value dtype"),
    "make_scalar": (make_scalar, "value dtype"),
    "full": (full, "shape value dtype"),
    "splat": (splat, "value shape"),
    "unsplat": (unsplat, "value"),
    "reshape": (reshape_to, "input dst_shape can_reorder"),
    "expand_dims": (expand_dims, "input axis"),
    "cat": (cat, "lhs rhs can_reorder"),
    "join": (join, "a b"),
    "split": (split, "a"),
    "permute": (permute_dims, "input dims"),
    "broadcast_impl_shape": (broadcast_to_shape, "input shape"),
    "broadcast_impl_value": (broadcast_pair, "lhs rhs"),
    "bitcast": (type_conversion.bitcast_to, "input dst_ty"),
    "cast": (type_conversion.cast_to, "input dst_ty fp_downcast_rounding="),
    "load": (memory.load, f"ptr mask other boundary_check padding_option {_CACHE} is_volatile"),
    "store": (memory.store, f"ptr val mask boundary_check {_CACHE}"),
    "descriptor_load": (lambda desc, offsets, *_: desc.load(offsets), f"desc offsets {_CACHE}"),
    "descriptor_store": (_stored("store"), "desc value offsets"),
    "validate_store_like": (lambda desc, value, offsets: desc._check_block(value), "desc value offsets"),
    **{
        f"descriptor_atomic_{kind}": (_stored(f"atomic_{kind}"), "desc value offsets")
        for kind in ("add", "and", "max", "min", "or", "xor")
    },
    "descriptor_gather": (lambda desc, x, y, *_: desc.gather(x, y), f"desc x_offsets y_offset {_CACHE}"),
    "descriptor_scatter": (_of("scatter"), "desc value x_offsets y_offset"),
    "atomic_cas": (atomic.atomic_cas, "ptr cmp val sem scope"),
    **{
        f"atomic_{kind}": (getattr(atomic, f"atomic_{kind}"), "ptr val mask sem scope")
        for kind in ("add", "and", "max", "min", "or", "xchg", "xor")
    },
    "dot": (
        lambda lhs, rhs, acc, precision, imprecise, out: dot(
            lhs, rhs, acc, input_precision=precision, max_num_imprecise_acc=imprecise, out_dtype=out
        ),
        "lhs rhs acc input_precision max_num_imprecise_acc out_dtype",
    ),
    "dot_scaled": (
        dot_scaled,
        "lhs lhs_scale lhs_format rhs rhs_scale rhs_format acc fast_math lhs_k_pack rhs_k_pack out_dtype",
    ),
    "wrap_tensor": (_wrap, "x scalar_ty ret_shape"),
    "gather": (gather, "src index axis"),
    "histogram": (histogram, "input num_bins mask"),
    **{name: (getattr(hints, name), "x values") for name in ("multiple_of", "max_contiguous", "max_constancy")},
    "assume": (hints.assume, "cond"),
    "debug_barrier": (hints.debug_barrier, ""),
    "device_print": (lambda prefix, args, hex: debug.device_print(prefix, *args, hex=hex), "prefix args hex"),
    "device_assert": (debug.device_assert, "cond msg mask"),
    "make_block_ptr": (make_block_ptr, "base shape strides offsets block_shape order"),
    "advance": (advance, "base offsets"),
    "make_tensor_descriptor": (make_tensor_descriptor, "base shape strides block_shape padding_option="),
}
"""{method: (function of its arguments in order, their names; those with = may be left out)}."""


def method_of(name: str, function: Callable[..., Any], names: str) -> Callable[..., Any]:
    """A method of a semantic, from a row of METHODS."""
    kind, absent = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    parameters = [
        inspect.Parameter(each.rstrip("="), kind, default=None if each.endswith("=") else absent)
        for each in ("self", *names.split())
    ]
    signature = inspect.Signature(parameters)

    def method(*args: Any, **kwargs: Any) -> Any:
        """Calls the function with its arguments by position."""
        _, *values = signature.bind(*args, **kwargs).arguments.values()
        return function(*values)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"`{name}` of the language."
    method.__signature__ = signature
    return method


for _name, (_function, _names) in METHODS.items():
    setattr(TritonSemantic, _name, method_of(_name, _function, _names))
# Takes any number of tensors.
TritonSemantic.broadcast_tensors = lambda self, *inputs: tuple(broadcast_all(inputs))

use_semantic(TritonSemantic())
