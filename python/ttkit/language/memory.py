"""Loads and stores.

Ops: dialects/tt/memory_ops.td    Interpreter: interpreter/ops/memory.py, block_pointer_ops.py
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ttkit.dialects._tt_enums import CacheModifier, EvictionPolicy, PaddingOption
from ttkit.language.arith import not_equal, to_tensor
from ttkit.language.broadcasting import broadcast_all, broadcast_pair, broadcast_to_shape
from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import flag, ir_type
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadMask, BadPointer, UnknownOption, Unsupported
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import dtype, int1, int8, pointer_type, void
from ttkit.language.versions import since

_LOAD_CACHE = {
    ".ca": CacheModifier.CA,
    ".cg": CacheModifier.CG,
    ".cs": CacheModifier.CS,
    ".cv": CacheModifier.CV,
}
_STORE_CACHE = {".wb": CacheModifier.WB, ".cg": CacheModifier.CG, ".cs": CacheModifier.CS, ".wt": CacheModifier.WT}
_EVICTION = {"evict_last": EvictionPolicy.EVICT_LAST, "evict_first": EvictionPolicy.EVICT_FIRST}
_PADDING = {"zero": PaddingOption.PAD_ZERO, "nan": PaddingOption.PAD_NAN}


def spelled(option: str, value: Any, options: Mapping[str, Any], default: Any = None) -> Any:
    """The member that `value` spells, `default` if it is empty.

    Raises:
        UnknownOption: none.
    """
    value = unwrap(value)
    if not value:
        return default
    if value not in options:
        raise UnknownOption(option=option, value=value, expected=", ".join(map(repr, options)))
    return options[value]


def enum_attribute(member: Any) -> str:
    """The attribute of an enumeration's member: its number, as i32."""
    return f"{int(member)} : i32"


def load_options(cache_modifier: Any, eviction_policy: Any, cache: Mapping[str, Any] = _LOAD_CACHE) -> dict[str, str]:
    """The attributes `cache` and `evict`; defaults are left out.

    Raises:
        UnknownOption: an unknown spelling.
    """
    cache_modifier, eviction_policy = unwrap(cache_modifier), unwrap(eviction_policy)
    if since(3, 9):  # modifiers with or without their dot, and words for none
        bare = str(cache_modifier or "none").removeprefix(".")
        cache_modifier = "" if bare == "none" else f".{bare}"
        eviction_policy = "" if eviction_policy == "evict_normal" else eviction_policy
    modifier = spelled("Cache modifier", cache_modifier, cache)
    policy = spelled("Eviction policy", eviction_policy, _EVICTION)
    attributes = {}
    if modifier is not None:
        attributes["cache"] = enum_attribute(modifier)
    if policy is not None:
        attributes["evict"] = enum_attribute(policy)
    return attributes


def policy_attributes(policy: Any) -> dict[str, str]:
    """The attributes of an access with a `CachePolicy` of Gluon; none for None.

    Raises:
        BadArgument: it is no such policy.
    """
    policy = unwrap(policy)
    if policy is None:
        return {}
    if not hasattr(policy, "attributes"):
        raise BadArgument(function="load", reason=f"expected a CachePolicy as cache_policy, found {policy!r}")
    found: dict[str, str] = policy.attributes()
    return found


def padding_option(value: Any) -> Any:
    """The padding that "zero" or "nan" names; None for none.

    Raises:
        UnknownOption: there is no such padding.
    """
    return spelled("Padding option", value, _PADDING)


def refuse_nan_of_integers(element: dtype, padding: Any, what: str = "blocks") -> None:
    """Checks that blocks of integers are not padded with nan.

    Raises:
        BadArgument: they are.
    """
    if element.is_int() and padding == PaddingOption.PAD_NAN:
        raise BadArgument(function="padding_option", reason=f"Padding option `nan` is not supported for integer {what}")


def is_block_pointer(pointer: Any, function: str) -> bool:
    """Whether `pointer` is a block pointer.

    Raises:
        BadPointer: it is not a tensor at all.
    """
    if not isinstance(pointer, tensor):
        raise BadPointer(type=repr(pointer), function=function)
    return pointer.type.is_ptr() and pointer.type.element_ty.is_block()


def checked_dims(boundary_check: Any, rank: int) -> list[int]:
    """The dimensions that are checked, sorted.

    Raises:
        BadArgument: there is no such dimension, or it is given twice.
    """
    boundary_check = unwrap(boundary_check)
    if not boundary_check and boundary_check != 0:
        return []
    if isinstance(boundary_check, int):
        boundary_check = [boundary_check] if boundary_check else []
    dims = [unwrap(dim) for dim in boundary_check]
    advice = f"found {dims}; use different dimensions below {rank}"
    if any(not isinstance(dim, int) or not 0 <= dim < rank for dim in dims):
        raise BadArgument(function="boundary_check", reason="no such dimension in `boundary_check`", advice=advice)
    if len(set(dims)) != len(dims):
        raise BadArgument(function="boundary_check", reason="Duplicate dimension in `boundary_check`", advice=advice)
    return sorted(dims)


def _boundary(dims: Sequence[int]) -> dict[str, str]:
    return {"boundaryCheck": f"array<i32: {', '.join(f'{dim:d}' for dim in dims)}>"} if dims else {}


def _bools(mask: tensor) -> tensor:
    """A mask as it is.  In a kernel that runs as Python, integers are compared with zero, as Triton's interpreter does.

    Raises:
        BadMask: it is not bool.
    """
    if mask.type.scalar.is_bool():
        return mask
    if builder().is_eager and mask.type.scalar.is_int():
        message = f"a mask of {mask.type.scalar} is read as `mask != 0` here; compiled kernels require a mask of bools"
        warnings.warn(message, UserWarning, stacklevel=5)
        return not_equal(mask, to_tensor(0))
    raise BadMask(type=mask.type.scalar)


def as_bytes(pointer: tensor) -> tensor:
    """Bools lie in memory as bytes."""
    type: Any = pointer.type.scalar
    return cast_to(pointer, pointer_type(int8, type.address_space))


@builtin
def load(
    pointer: tensor,
    mask: Any = None,
    other: Any = None,
    boundary_check: Any = (),
    padding_option: Any = "",
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    volatile: Any = False,
    *,
    cache_policy: Any = None,
) -> tensor:
    """Loads from memory at `pointer`.

    Args:
        pointer: a pointer, for a scalar; a tensor of pointers, for a tensor of its shape; or a block pointer
            (`make_block_ptr`), for its block.
        mask: bools, broadcast to the shape of `pointer`: where false nothing is read.  Not with block pointers.
        other: what masked-off elements are, converted to the element type; undefined without it.
        boundary_check: with block pointers, the dimensions along which the block may leave the tensor.
        padding_option: what elements outside are: "zero", "nan" (floats only) or "" (undefined).
        cache_modifier: "", ".ca" (all levels), ".cg" (L2 and below), ".cs" (used once) or ".cv" (fetch again), see PTX.
        eviction_policy: "", "evict_first" or "evict_last".
        volatile: whether the load may not be merged with others or left out.
        cache_policy: in Gluon, a `CachePolicy` in place of the two above.

    Raises:
        BadPointer: `pointer` is not a pointer.
        BadMask: `mask` is not bool.
        BadArgument: arguments that do not go together.
        UnknownOption: a spelling other than the above.

    Example:
        >>> x = pointer(np.array([1.5, 2.5, 3.5], np.float32))
        >>> index = tl.arange(0, 4)
        >>> tl.load(x + index, mask=index < 3, other=0.0)
        fp32[4] [1.5 2.5 3.5 0. ]
        >>> tl.load(x)
        fp32[] 1.5
    """
    mask, other = unwrap(mask), unwrap(other)
    mask = None if mask is None else to_tensor(mask)
    other = None if other is None else to_tensor(other)
    attributes = policy_attributes(cache_policy) or load_options(cache_modifier, eviction_policy)
    padding = spelled("Padding option", padding_option, _PADDING)
    if flag("load", "volatile", volatile):
        attributes["isVolatile"] = "true"
    if is_block_pointer(pointer, "load"):
        return _load_block(pointer, mask, other, boundary_check, padding, attributes)
    if unwrap(boundary_check) or padding is not None:
        reason = (
            "`padding_option` or `boundary_check` argument is not supported for loading a tensor ofpointers or "
            "loading a scalar. Because the compiler does not know the boundary; please use block pointers (defined by "
            "`make_block_ptr`) instead"
        )
        raise BadArgument(function="load", reason=reason)
    return _load_elements(pointer, mask, other, attributes)


def _load_block(
    pointer: Any, mask: Any, other: Any, boundary_check: Any, padding: Any, attributes: dict[str, str]
) -> tensor:
    if mask is not None or other is not None:
        reason = "`mask` and `other` arguments cannot be specified for loading block pointers"
        raise BadArgument(function="load", reason=reason, advice="use boundary_check")
    type = pointer.type.element_ty
    refuse_nan_of_integers(type.element_ty, padding, "block pointers")
    attributes |= _boundary(checked_dims(boundary_check, len(type.shape)))
    if padding is not None:
        attributes["padding"] = enum_attribute(padding)
    attributes["operandSegmentSizes"] = "array<i32: 1, 0, 0>"
    return tensor(builder().emit("tt.load", (pointer.handle,), ir_type(type), attributes), type)


def _load_elements(pointer: Any, mask: Any, other: Any, attributes: dict[str, str]) -> tensor:
    if not pointer.type.scalar.is_ptr():
        raise BadPointer(type=repr(pointer.type), function="load")
    if mask is None and other is not None:
        raise BadArgument(function="load", reason="`other` cannot be provided without `mask`")
    if pointer.type.is_block():
        if mask is not None:
            pointer, mask = broadcast_pair(pointer, mask)
        if other is not None:
            wide, other = broadcast_pair(pointer, other)
            if wide.type != pointer.type:
                reason = f"`other`, {other}, can't have more elements than the pointer and mask, {pointer.type.shape}"
                raise BadArgument(function="load", reason=reason)
    else:
        for what, value in (("Mask", mask), ("Other", other)):
            if value is not None and value.type.is_block():
                reason = f"{what} argument cannot be block type if pointer argument is not a block"
                raise BadArgument(function="load", reason=reason)
    if mask is not None:
        mask = _bools(mask)
    element = pointer.type.scalar.element_ty
    is_bool = element == int1
    if is_bool:
        element, pointer = int8, as_bytes(pointer)
    operands = [pointer.handle]
    if mask is not None:
        operands.append(mask.handle)
    if other is not None:
        operands.append(cast_to(other, element).handle)
    attributes["operandSegmentSizes"] = f"array<i32: 1, {int(mask is not None)}, {int(other is not None)}>"
    type = pointer.type.with_element_ty(element)
    loaded = tensor(builder().emit("tt.load", operands, ir_type(type), attributes), type)
    return cast_to(loaded, int1) if is_bool else loaded


@_tensor_member_fn
@builtin
def store(
    pointer: Any,
    value: Any,
    mask: Any = None,
    boundary_check: Any = (),
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    *,
    cache_policy: Any = None,
) -> tensor:
    """Writes `value` to memory at `pointer`.

    Args:
        pointer: as for `load`.
        value: broadcast to the shape of `pointer` and converted to its element type.
        mask: bools, broadcast to the shape of `pointer`: where false nothing is written.  Not with block pointers.
        boundary_check: with block pointers, the dimensions along which the block may leave the tensor.
        cache_modifier: "", ".wb" (write back), ".cg" (L2), ".cs" (streaming) or ".wt" (write through), as in PTX.
        eviction_policy: "", "evict_first" or "evict_last".
        cache_policy: in Gluon, a `CachePolicy` in place of these two.

    Raises:
        as `load`; BadArgument also for a pointer to constants.

    Example:
        >>> out = np.zeros(4, np.float32)
        >>> index = tl.arange(0, 4)
        >>> tl.store(pointer(out) + index, index * 2, mask=index != 1)
        void
        >>> out
        array([0., 0., 4., 6.], dtype=float32)
    """
    value, mask = to_tensor(value), unwrap(mask)
    mask = None if mask is None else to_tensor(mask)
    attributes = policy_attributes(cache_policy) or load_options(cache_modifier, eviction_policy, _STORE_CACHE)
    is_block = is_block_pointer(pointer, "store")
    if pointer.type.is_const() or pointer.type.scalar.is_const():
        raise BadArgument(function="store", reason="Cannot store to a constant pointer")
    if is_block:
        return _store_block(pointer, value, mask, boundary_check, attributes)
    return _store_elements(pointer, value, mask, boundary_check, attributes)


def _store_block(pointer: Any, value: tensor, mask: Any, boundary_check: Any, attributes: dict[str, str]) -> tensor:
    if mask is not None:
        reason = "`mask` and `other` arguments cannot be specified for loading block pointers"
        raise BadArgument(function="store", reason=reason, advice="use boundary_check")
    block = pointer.type.element_ty
    if not value.type.is_block():
        value = broadcast_to_shape(value, block.shape)
    if value.type.shape != block.shape:
        expected, found = ([str(size) for size in one.shape] for one in (block, value.type))
        raise Unsupported(function="store", reason=f"Block shape({expected}) and value shape({found}) mismatch")
    if value.type != block:
        found = value.type.element_ty
        reason = f"Block element type({block.element_ty}) and value element type({found}) mismatch"
        raise Unsupported(function="store", reason=reason)
    attributes |= _boundary(checked_dims(boundary_check, len(block.shape)))
    builder().emit_op("tt.store", (pointer.handle, value.handle), (), attributes)
    return tensor(None, void)


def _store_elements(pointer: Any, value: Any, mask: Any, boundary_check: Any, attributes: dict[str, str]) -> tensor:
    if not pointer.type.scalar.is_ptr():
        raise BadPointer(type=repr(pointer.type), function="store")
    if unwrap(boundary_check):
        reason = (
            "`boundary_check` argument is not supported for storing a tensor of pointers or storing a scalar. Because "
            "the compiler does not know the boundary; please use block pointers (defined by `make_block_ptr`) instead"
        )
        raise BadArgument(function="store", reason=reason)
    if pointer.type.is_block():
        shape = pointer.type.shape
        pointer, value, *rest = broadcast_all([pointer, value] if mask is None else [pointer, value, mask])
        mask = rest[0] if rest else None
        if pointer.type.shape != shape:
            expected, found = ([f"constexpr[{size}]" for size in one] for one in (pointer.type.shape, shape))
            reason = f"Expected pointer argument to have shape {expected} but got {found}"
            raise BadArgument(function="store", reason=reason)
    else:
        for what, given in (("Value", value), ("Mask", mask)):
            if given is not None and given.type.is_block():
                reason = f"{what} argument cannot be block type if pointer argument is not a block"
                raise BadArgument(function="store", reason=reason)
    element = pointer.type.scalar.element_ty
    if element == int1:
        if since(3, 9, "stored_bool"):  # what is stored is 0 or 1; before, the integer that was given
            value = cast_to(value, int1)
        element, pointer = int8, as_bytes(pointer)
    value = cast_to(value, element)
    operands = [pointer.handle, value.handle]
    if mask is not None:
        operands.append(_bools(mask).handle)
    builder().emit_op("tt.store", operands, (), attributes)
    return tensor(None, void)
