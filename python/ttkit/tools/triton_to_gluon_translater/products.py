"""Products of translated kernels: by mma.sync, or by single multiplications."""

from __future__ import annotations

from typing import Any

import ttkit.language as tl
from ttkit.language import gluon
from ttkit.language import gluon as ttgl
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.gluon.nvidia.ampere import mma_v2
from ttkit.tools.triton_to_gluon_translater.default_layouts import default, reset_to_default_layout, same_in_all_ctas
from ttkit.tools.triton_to_gluon_translater.tensors import tl_expand, tl_full, tl_join, tl_zeros


@gluon.constexpr_function
def tl_dot_mma_sync_layout(shape: Any, num_warps: Any) -> Any:
    """The layout of the accumulator of a product by mma.sync, or of a batch of them: warps along the first dimension.

    Raises:
        ValueError: a shape of other than two or three dimensions.
    """
    rank = len(shape)
    if rank not in (2, 3):
        raise ValueError(f"a product has two dimensions, or three with batches; found the shape {list(shape)}")
    warps = [num_warps, *[1] * (rank - 1)]
    return ttgl.NVMMADistributedLayout([2, 0], warps, [*[1] * (rank - 2), 16, 8], same_in_all_ctas(rank))


@gluon.constexpr_function
def tl_dot_mma_sync_k_width(a_ty: Any, b_ty: Any) -> Any:
    """Elements of an operand of mma.sync in 32 bits."""
    return max(1, 32 // min(each.element_ty.primitive_bitwidth for each in (a_ty, b_ty)))


@builtin
def tl_dot_mma_sync(
    a: Any, b: Any, acc_init: Any = None, input_precision: Any = None, out_dtype: Any = tl.float32
) -> Any:
    """`a @ b + acc_init` by mma.sync, in the layout of `acc_init`, or of the instruction."""
    shape = _shape_of_product(a, b)
    mma = unwrap(tl_dot_mma_sync_layout(shape, unwrap(ttgl.num_warps())))
    left, right = _sides(a, b, mma, unwrap(tl_dot_mma_sync_k_width(a.type, b.type)))
    if unwrap(acc_init) is None:
        return mma_v2(left, right, ttgl.full(shape, 0, unwrap(out_dtype), mma), input_precision)
    made = mma_v2(left, right, ttgl.convert_layout(acc_init, mma), input_precision)
    return ttgl.convert_layout(made, acc_init.type.layout)


@builtin
def tl_dot(
    a: Any, b: Any, acc: Any = None, input_precision: Any = None, allow_tf32: Any = None,
    max_num_imprecise_acc: Any = None, out_dtype: Any = tl.float32,
) -> Any:  # fmt: skip
    """`tl.dot` by mma.sync; in full precision, or where K is small, by single multiplications."""
    is_int, bits = a.dtype.is_int(), a.dtype.primitive_bitwidth
    dtype, wide = (tl.int32, tl.int32) if is_int else (unwrap(out_dtype), tl.float64 if bits == 64 else tl.float32)
    shape = _shape_of_product(a, b)
    total = tl_zeros(shape, wide) if unwrap(acc) is None else acc.to(wide)
    if bits == 8 and not is_int:
        a, b, bits = a.to(tl.float16), b.to(tl.float16), 16
    precision = unwrap(input_precision) or ("tf32" if unwrap(allow_tf32) is not False else "ieee")
    is_small = unwrap(a.type.shape[-1]) < 256 // bits
    if bits > 32 or is_small or (bits == 32 and not is_int and precision != "tf32"):
        left, right = _sides(a.to(wide), b.to(wide), default(shape), 0)
        return reset_to_default_layout(ttgl.dot_fma(left, right, total).to(dtype))
    return reset_to_default_layout(tl_dot_mma_sync(a, b, total).to(dtype))


tl_dot_blackwell = tl_dot


@gluon.constexpr_function
def tl_dot_mmav5_supported(*types_and_options: Any) -> Any:
    """Whether a product is one by tcgen05: no, products of translated kernels are by mma.sync on every GPU."""
    return False


tl_dot_scaled_mmav5_supported = tl_dot_mmav3_supported = tl_dot_mmav5_supported


def _shape_of_product(a: Any, b: Any) -> list[int]:
    return [*(unwrap(size) for size in a.type.shape[:-1]), unwrap(b.type.shape[-1])]


@builtin
def tl_dot_scaled(
    lhs: Any, lhs_scale: Any, lhs_format: Any, rhs: Any, rhs_scale: Any, rhs_format: Any, acc: Any = None,
    fast_math: Any = False, lhs_k_pack: Any = True, rhs_k_pack: Any = True, out_dtype: Any = tl.float32,
) -> Any:  # fmt: skip
    """`tl.dot_scaled`: a product of the scaled operands, as bf16, or as tf32 where one is fp16."""
    formats = [unwrap(lhs_format), unwrap(rhs_format)]
    dtype = tl.float32 if "fp16" in formats else tl.bfloat16
    a = _scaled(lhs, lhs_scale, formats[0], 1 if unwrap(lhs_k_pack) else 0, 1, unwrap(fast_math))
    if unwrap(rhs_scale) is not None:
        rhs_scale = reset_to_default_layout(ttgl.permute(rhs_scale, [1, 0]))
    b = _scaled(rhs, rhs_scale, formats[1], 0 if unwrap(rhs_k_pack) else 1, 0, unwrap(fast_math))
    return tl_dot(a.to(dtype), b.to(dtype), acc, out_dtype=out_dtype)


tl_dot_scaled_blackwell = tl_dot_scaled


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
