"""Functions that translated kernels call: those of the tile language, with one layout for each rank.

Every tensor has `default_blocked_layout`, so operands fit; what makes another one converts it.
"""

from __future__ import annotations

from typing import Any

import ttkit.language as tl
from ttkit.language import gluon
from ttkit.language import gluon as ttgl
from ttkit.language.base import base_value
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import Unsupported
from ttkit.language.extra import libdevice
from ttkit.language.gluon.nvidia.ampere import mma_v2
from ttkit.language.gluon.nvidia.hopper import fence_async_shared, mbarrier, tma
from ttkit.language.gluon.tensor_descriptor import tensor_descriptor
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple
from ttkit.runtime.gluon_descriptor import TensorDescriptor

__all__ = [
    "convert_host_descriptor",
    "default_blocked_layout",
    "get_num_threads_per_program",
    "libdevice",
    "reset_to_default_layout",
    "tl",
    "tl_arange",
    "tl_cat",
    "tl_dot",
    "tl_dot_scaled",
    "tl_expand",
    "tl_full",
    "tl_gather",
    "tl_histogram",
    "tl_join",
    "tl_load_tensor_descriptor",
    "tl_make_tensor_descriptor",
    "tl_obj_atomic",
    "tl_obj_gather",
    "tl_obj_load",
    "tl_obj_scatter",
    "tl_obj_store",
    "tl_split",
    "tl_store_tensor_descriptor",
    "tl_trans",
    "tl_zeros",
]


@gluon.constexpr_function
def default_blocked_layout(shape: Any, num_warps: Any) -> Any:
    """The layout of every tensor of this rank: lanes along the last dimension, warps along the first."""
    rank = len(shape)
    lanes, warps = [1] * rank, [1] * rank
    lanes[-1], warps[0] = 32, num_warps
    return ttgl.BlockedLayout([1] * rank, lanes, warps, [*range(rank)][::-1])


def _default(shape: Any) -> Any:
    if unwrap(ttgl.num_ctas()) != 1:
        reason = "kernels of several CTAs are not translated"
        raise Unsupported(function="translation to Gluon", reason=reason, advice="launch it with num_ctas=1")
    return unwrap(default_blocked_layout([unwrap(size) for size in shape], unwrap(ttgl.num_warps())))


@builtin
def reset_to_default_layout(value: Any) -> Any:
    """A tensor, or each of a tuple, in the default layout; anything else as it is."""
    if is_sequence(value):
        return tuple([reset_to_default_layout(each) for each in value])
    if not isinstance(value, tensor) or not getattr(value.type, "shape", ()):
        return value
    layout = _default(value.type.shape)
    if isinstance(value.type.layout, ttgl.AutoLayout):
        return ttgl.set_auto_layout(value, layout)
    return value if value.type.layout == layout else ttgl.convert_layout(value, layout)


@builtin
def get_num_threads_per_program() -> Any:
    """Threads of the program."""
    return constexpr(32 * unwrap(ttgl.num_warps()))


# --- Tensors ----------------------------------------------------------------------------------------------------------


@builtin
def tl_arange(start: Any, end: Any) -> Any:
    """`tl.arange`."""
    return ttgl.arange(start, end, _default([1]))


@builtin
def tl_full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """`tl.full`."""
    dtype = unwrap(dtype) or value.dtype
    return ttgl.full(shape, value, dtype, _default(shape) if len(shape) else None)


@builtin
def tl_zeros(shape: Any, dtype: Any) -> Any:
    """`tl.zeros`."""
    return tl_full(shape, 0, dtype)


@builtin
def tl_expand(value: Any, *dims: Any) -> Any:
    """New dimensions of size one, `x[:, None]`; `dims` are their places in the result, in rising order."""
    for dim in map(unwrap, dims):
        if not isinstance(value, tensor) or not value.type.is_block():
            value = tl_full([1], value, value.dtype)
            continue
        shape = [unwrap(size) for size in value.type.shape]
        parent = _default([*shape[:dim], 1, *shape[dim:]])
        value = ttgl.expand_dims(ttgl.convert_layout(value, ttgl.SliceLayout(dim, parent)), dim)
    return value


@builtin
def tl_split(value: Any) -> Any:
    """`tl.split`, of a layout where a thread has both elements."""
    rank = len(value.type.shape)
    if rank == 1:
        return tuple([each.item() for each in tl_split(tl_expand(value, 0))])
    sizes, lanes, warps = [1] * rank, [1] * rank, [1] * rank
    sizes[-1], lanes[-2], warps[0] = 2, 32, unwrap(ttgl.num_warps())
    layout = ttgl.BlockedLayout(sizes, lanes, warps, [*range(rank)][::-1])
    return reset_to_default_layout(ttgl.split(ttgl.convert_layout(value, layout)))


@builtin
def tl_join(a: Any, b: Any) -> Any:
    """`tl.join`."""
    if a.type.is_block() or b.type.is_block():
        return reset_to_default_layout(ttgl.join(a, b))
    pair = ttgl.join(*(tl_full([1], each, each.dtype) for each in (a, b)))
    return reset_to_default_layout(ttgl.reshape(pair, [2]))


@builtin
def tl_cat(input: Any, other: Any, can_reorder: Any = False, dim: Any = 0) -> Any:
    """`tl.cat`."""
    return reset_to_default_layout(tl.cat(input, other, can_reorder, dim))


@builtin
def tl_trans(input: Any, *dims: Any) -> Any:
    """`tl.trans`."""
    return reset_to_default_layout(tl.trans(input, *dims))


@builtin
def tl_gather(src: Any, index: Any, axis: Any) -> Any:
    """`tl.gather`."""
    return reset_to_default_layout(ttgl.gather(src, index, axis))


@builtin
def tl_histogram(input: Any, num_bins: Any, mask: Any = None) -> Any:
    """`tl.histogram`."""
    return ttgl.histogram(input, num_bins, mask=mask, layout=_default([num_bins]))


# --- Products ---------------------------------------------------------------------------------------------------------


@builtin
def tl_dot(
    a: Any, b: Any, acc: Any = None, input_precision: Any = None, allow_tf32: Any = None,
    max_num_imprecise_acc: Any = None, out_dtype: Any = tl.float32,
) -> Any:  # fmt: skip
    """`tl.dot` by mma.sync; in full precision, or where K is small, by single multiplications.

    Raises:
        Unsupported: batches.
    """
    if len(a.type.shape) != 2:
        reason = "products of batches are not translated"
        raise Unsupported(function="tl_dot", reason=reason, advice="make one product in each program")
    is_int, bits = a.dtype.is_int(), a.dtype.primitive_bitwidth
    dtype, wide = (tl.int32, tl.int32) if is_int else (unwrap(out_dtype), tl.float64 if bits == 64 else tl.float32)
    shape = [unwrap(a.type.shape[0]), unwrap(b.type.shape[1])]
    total = tl_zeros(shape, wide) if unwrap(acc) is None else acc.to(wide)
    if bits == 8 and not is_int:
        a, b, bits = a.to(tl.float16), b.to(tl.float16), 16
    precision = unwrap(input_precision) or ("tf32" if unwrap(allow_tf32) is not False else "ieee")
    is_small = unwrap(a.type.shape[1]) < 256 // bits
    if bits > 32 or is_small or (bits == 32 and not is_int and precision != "tf32"):
        left, right = _sides(a.to(wide), b.to(wide), _default(shape), 0)
        return reset_to_default_layout(ttgl.dot_fma(left, right, total).to(dtype))
    mma = ttgl.NVMMADistributedLayout([2, 0], [unwrap(ttgl.num_warps()), 1], [16, 8])
    left, right = _sides(a, b, mma, max(1, 32 // bits))
    return reset_to_default_layout(mma_v2(left, right, ttgl.convert_layout(total, mma)).to(dtype))


@builtin
def tl_dot_scaled(
    lhs: Any, lhs_scale: Any, lhs_format: Any, rhs: Any, rhs_scale: Any, rhs_format: Any, acc: Any = None,
    fast_math: Any = False, lhs_k_pack: Any = True, rhs_k_pack: Any = True, out_dtype: Any = tl.float32,
) -> Any:  # fmt: skip
    """`tl.dot_scaled`: a product of bf16, or fp16 where an operand has it, of the scaled operands."""
    formats = [unwrap(lhs_format), unwrap(rhs_format)]
    dtype = tl.float16 if "fp16" in formats else tl.bfloat16
    a = _scaled(lhs, lhs_scale, formats[0], 1 if unwrap(lhs_k_pack) else 0, 1, unwrap(fast_math))
    if unwrap(rhs_scale) is not None:
        rhs_scale = reset_to_default_layout(ttgl.permute(rhs_scale, [1, 0]))
    b = _scaled(rhs, rhs_scale, formats[1], 0 if unwrap(rhs_k_pack) else 1, 0, unwrap(fast_math))
    return tl_dot(a.to(dtype), b.to(dtype), acc, out_dtype=out_dtype)


def _scaled(x: Any, scale: Any, format: str, packed: int, k: int, fast_math: bool) -> Any:
    """An operand as fp32, times its scales.

    Args:
        packed: the dimension along which "e2m1" has two elements in a byte.
        k: the dimension along which scales are for several elements.
    """
    found = _from_nibbles(x, packed) if format == "e2m1" else _from_format(x, format).to(tl.float32)
    if unwrap(scale) is None:
        return found
    if scale.dtype == tl.uint8:  # a power of two, by its exponent
        bits = scale.to(tl.int32)
        factor = (bits << 23).to(tl.float32, bitcast=True)
        scale = factor if fast_math else tl.where(bits == 255, float("nan"), factor)
    shape = [unwrap(size) for size in found.type.shape]
    groups = unwrap(scale.type.shape[k])
    every = [*shape[:k], groups, shape[k] // groups, *shape[k + 1 :]]
    spread = tl_expand(scale.to(tl.float32), k + 1) * tl_full(every, 1.0, tl.float32)
    return found * reset_to_default_layout(ttgl.reshape(spread, shape))


def _from_format(x: Any, format: str) -> Any:
    kinds = {"e4m3": tl.float8e4nv, "e5m2": tl.float8e5}
    return x.to(kinds[format], bitcast=True) if format in kinds and x.dtype == tl.uint8 else x


def _from_nibbles(x: Any, packed: int) -> Any:
    """Bytes with two numbers of a sign, two bits of exponent and one of mantissa each, as fp32."""
    shape = [unwrap(size) * (1 + (dim == packed)) for dim, size in enumerate(x.type.shape)]
    pairs = tl_join(x & 15, x >> 4)
    if packed == 0:
        pairs = reset_to_default_layout(ttgl.permute(pairs, [0, 2, 1]))
    codes = reset_to_default_layout(ttgl.reshape(pairs, shape)).to(tl.int32)
    exponent, mantissa = (codes >> 1) & 3, codes & 1
    doubled = tl.where(exponent == 0, mantissa, (mantissa | 2) << tl.maximum(exponent - 1, 0))
    size = doubled.to(tl.float32) * 0.5
    return tl.where((codes & 8) != 0, -size, size)


def _sides(a: Any, b: Any, layout: Any, k_width: int) -> list[Any]:
    return [ttgl.convert_layout(x, ttgl.DotOperandLayout(i, layout, k_width)) for i, x in enumerate((a, b))]


# --- Descriptors ------------------------------------------------------------------------------------------------------


@builtin
def tl_make_tensor_descriptor(
    base: Any, shape: Any, strides: Any, block_shape: Any, padding_option: Any = "zero"
) -> Any:
    """`tl.make_tensor_descriptor`."""
    sizes = [unwrap(size) for size in block_shape]
    layout = ttgl.NVMMASharedLayout.get_default_for(sizes, base.dtype.element_ty)
    return tma.make_tensor_descriptor(base, shape, strides, block_shape, layout, padding_option)


@builtin
def tl_obj_load(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.load(...)`: a block of a descriptor by TMA; of other values their own method."""
    if not isinstance(obj, tensor_descriptor):
        return reset_to_default_layout(obj.load(*arguments, **named))
    return tl_load_tensor_descriptor(obj, *arguments, *named.values())


@builtin
def tl_load_tensor_descriptor(obj: Any, offsets: Any) -> Any:
    """`tl.load_tensor_descriptor`."""
    tile = ttgl.allocate_shared_memory(obj.dtype, obj.block_shape, obj.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, obj.nbytes_per_cta)
    tma.async_copy_global_to_shared(obj, offsets, bar, tile)
    mbarrier.wait(bar, 0, deps=[tile])
    mbarrier.invalidate(bar)
    return tile.load(_default(obj.block_shape))


@builtin
def tl_obj_store(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.store(...)`, likewise."""
    if not isinstance(obj, tensor_descriptor):
        return obj.store(*arguments, **named)
    return tl_store_tensor_descriptor(obj, *arguments, *named.values())


@builtin
def tl_store_tensor_descriptor(obj: Any, offsets: Any, value: Any) -> Any:
    """`tl.store_tensor_descriptor`."""
    _from_tile(tma.async_copy_shared_to_global, obj, offsets, value)


@builtin
def tl_obj_atomic(method: Any, obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.atomic_add(...)` and others, likewise."""
    name = str(unwrap(method))
    if not isinstance(obj, tensor_descriptor):
        return reset_to_default_layout(getattr(obj, name)(*arguments, **named))
    offsets, value = [*arguments, *named.values()]
    _from_tile(getattr(tma, f"async_{name}"), obj, offsets, value)
    return None


def _from_tile(copy: Any, obj: Any, offsets: Any, value: Any) -> None:
    """Writes a tensor to shared memory, and from there by TMA."""
    tile = ttgl.allocate_shared_memory(obj.dtype, obj.block_shape, obj.layout, value.to(obj.dtype))
    fence_async_shared()
    copy(obj, offsets, tile)
    tma.store_wait(0)
    tile._keep_alive()


@builtin
def tl_obj_gather(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.gather(...)`: of tensors.  Raises Unsupported: of descriptors."""
    return _of_tensors("gather", obj, arguments, named)


@builtin
def tl_obj_scatter(obj: Any, *arguments: Any, **named: Any) -> Any:
    """`x.scatter(...)`.  Raises Unsupported: of descriptors."""
    return _of_tensors("scatter", obj, arguments, named)


def _of_tensors(function: str, obj: Any, arguments: Any, named: Any) -> Any:
    if isinstance(obj, tensor_descriptor) or not isinstance(obj, base_value):
        reason = "accesses of chosen rows through a descriptor are not translated"
        raise Unsupported(function=function, reason=reason, advice="load the rows by pointers")
    return reset_to_default_layout(getattr(obj, function)(*arguments, **named))


def convert_host_descriptor(desc: Any) -> TensorDescriptor:
    """A descriptor of the tile language, made on the host, as one for the translated kernel."""
    names = {"float16": "float16", "bfloat16": "bfloat16", "float32": "float32", "float64": "float64"}
    found = str(desc.base.dtype).rpartition(".")[2]
    element = getattr(tl, names.get(found, found))
    layout = ttgl.NVMMASharedLayout.get_default_for(list(desc.block_shape), element)
    return TensorDescriptor(desc.base, desc.shape, desc.strides, desc.block_shape, layout, desc.padding)
