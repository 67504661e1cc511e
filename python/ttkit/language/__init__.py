"""The language that kernels are written in, `tl`: functions and types that a jitted function may use."""

from typing import TYPE_CHECKING

from ttkit.dialects._tt_enums import PropagateNan
from ttkit.language import core, operators
from ttkit.language.core import (
    TRITON_MAX_TENSOR_NUMEL,
    add,
    advance,
    arange,
    associative_scan,
    assume,
    atomic_add,
    atomic_and,
    atomic_cas,
    atomic_max,
    atomic_min,
    atomic_or,
    atomic_xchg,
    atomic_xor,
    bfloat16,
    block_type,
    broadcast,
    broadcast_to,
    cast,
    cat,
    clamp,
    condition,
    const,
    constexpr,
    constexpr_type,
    debug_barrier,
    device_assert,
    device_print,
    dot,
    dot_scaled,
    dtype,
    expand_dims,
    float8e4b8,
    float8e4b15,
    float8e4nv,
    float8e5,
    float8e5b16,
    float16,
    float32,
    float64,
    full,
    gather,
    histogram,
    inline_asm_elementwise,
    int1,
    int8,
    int16,
    int32,
    int64,
    join,
    load,
    load_tensor_descriptor,
    make_block_ptr,
    make_tensor_descriptor,
    map_elementwise,
    max_constancy,
    max_contiguous,
    maximum,
    minimum,
    mul,
    multiple_of,
    must_use_result,
    num_programs,
    permute,
    pi32_t,
    pointer_type,
    program_id,
    range,
    reduce,
    reshape,
    slice,
    split,
    static_assert,
    static_print,
    static_range,
    store,
    store_tensor_descriptor,
    sub,
    tensor,
    tensor_descriptor,
    tensor_descriptor_type,
    to_tensor,
    trans,
    tuple,
    tuple_type,
    uint8,
    uint16,
    uint32,
    uint64,
    view,
    void,
    where,
)
from ttkit.language.math import (
    abs,
    ceil,
    cos,
    div_rn,
    erf,
    exp,
    exp2,
    fdiv,
    floor,
    fma,
    log,
    log2,
    rsqrt,
    sin,
    sqrt,
    sqrt_rn,
    umulhi,
)
from ttkit.language.standard import (
    argmax,
    argmin,
    bitonic_merge,
    cdiv,
    cumprod,
    cumsum,
    flip,
    interleave,
    max,
    min,
    ravel,
    reduce_or,
    sigmoid,
    softmax,
    sort,
    sum,
    swizzle2d,
    topk,
    xor_sum,
    zeros,
    zeros_like,
)

# isort: split
from ttkit.language import extra, math, random, semantic, standard, target_info
from ttkit.language.aggregate import aggregate_replace
from ttkit.language.newer import atomic_load, atomic_poll, atomic_store, expect_zero, squeeze, unsqueeze
from ttkit.language.random import (
    pair_uniform_to_normal,
    philox,
    philox_impl,
    rand,
    rand4x,
    randint,
    randint4x,
    randn,
    randn4x,
    uint_to_uniform_float,
)
from ttkit.language.signatures import str_to_ty

__all__ = [name for name in dir() if not name.startswith("_") and name not in ("TYPE_CHECKING", "core", "operators")]

if not TYPE_CHECKING:

    def _in_libdevice(name: str) -> str:
        """The end of an error about a function that is not in `tl`, and is in libdevice; empty if it is in neither."""
        from ttkit.language.extra import libdevice

        found = getattr(libdevice, name, None) is not None
        return f"; use libdevice.{name}, from triton.language.extra import libdevice" if found else ""

    def __getattr__(name: str) -> object:
        from ttkit.suggestions import suggestion

        near = "" if name.startswith("_") else _in_libdevice(name) or suggestion(name, __all__)
        raise AttributeError(f"module 'ttkit.language' has no attribute '{name}'{near}")
