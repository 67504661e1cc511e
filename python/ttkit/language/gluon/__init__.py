"""Gluon: the language of kernels that say where each element is, in registers and in shared memory.

`@gluon.jit` marks a function whose tensors have layouts.  Most functions are those of `ttkit.language`, and the front
end is the same; the others take layouts, or are not in that language at all.  A kernel begins at the level ttgir: the
stage `ttkit-gluon` finds the layouts that it leaves open.
"""

from ttkit.language.builtin import builtin, must_use_result
from ttkit.language.constexpr import unwrap as _unwrap_if_constexpr
from ttkit.language.core import (
    add,
    aggregate_replace,
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
    base_type,
    base_value,
    bfloat16,
    block_type,
    broadcast,
    cast,
    clamp,
    device_assert,
    device_print,
    dtype,
    expand_dims,
    expect_zero,
    float8e4b8,
    float8e4b15,
    float8e4nv,
    float8e5,
    float8e5b16,
    float16,
    float32,
    float64,
    gather,
    inline_asm_elementwise,
    int1,
    int8,
    int16,
    int32,
    int64,
    join,
    load,
    map_elementwise,
    max_constancy,
    max_contiguous,
    maximum,
    minimum,
    mul,
    multiple_of,
    num_programs,
    permute,
    pointer_type,
    program_id,
    reduce,
    reshape,
    split,
    static_assert,
    static_print,
    static_range,
    store,
    sub,
    tensor,
    to_tensor,
    tuple,
    tuple_type,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
    where,
)
from ttkit.language.core import debug_barrier as thread_barrier
from ttkit.language.distributed import distributed_type
from ttkit.language.gluon.assembly import inline_asm
from ttkit.language.gluon.cache_policy import CachePolicy
from ttkit.language.gluon.creation import arange, full, full_like, zeros, zeros_like
from ttkit.language.gluon.jit_function import GluonJITFunction, jit
from ttkit.language.gluon.layouts import bank_conflicts, convert_layout, set_auto_layout, to_linear_layout
from ttkit.language.gluon.operations import barrier, dot_fma, fp4_to_fp, histogram
from ttkit.language.gluon.shared_memory import (
    allocate_shared_memory,
    shared_memory_descriptor,
    shared_memory_descriptor_type,
)
from ttkit.language.gluon.warp_specialization import num_ctas, num_warps, warp_specialize
from ttkit.language.jit_function import constexpr_function
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
from ttkit.language.ordered import atomic_load, atomic_poll, atomic_store
from ttkit.language.standard import cdiv, cumprod, cumsum, max, min, ravel, reduce_or, sum, xor_sum
from ttkit.layout.gluon import (
    AutoLayout,
    BlockedLayout,
    CoalescedLayout,
    DistributedLayout,
    DistributedLinearLayout,
    DotOperandLayout,
    NVMMADistributedLayout,
    NVMMASharedLayout,
    PaddedSharedLayout,
    SharedLayout,
    SharedLinearLayout,
    SliceLayout,
    SwizzledSharedLayout,
)

# isort: split
import sys as _sys
from typing import TYPE_CHECKING

import ttkit.language.gluon.semantic as _semantic
import ttkit.layout.gluon as _layouts
from ttkit.language import extra
from ttkit.language.gluon import amd, fpsan, nvidia

_core = _math = _standard = _sys.modules[__name__]
"""With `_semantic` and `_layouts`: Triton's files, which other packages import from here."""

# As in `ttkit.language`.
if TYPE_CHECKING:
    from ttkit.language._any_value import constexpr
else:
    from ttkit.language.constexpr import constexpr

__all__ = [
    "AutoLayout", "BlockedLayout", "CachePolicy", "CoalescedLayout", "DistributedLayout",
    "DistributedLinearLayout", "DotOperandLayout", "GluonJITFunction", "NVMMADistributedLayout",
    "NVMMASharedLayout", "PaddedSharedLayout", "SharedLayout", "SharedLinearLayout", "SliceLayout",
    "SwizzledSharedLayout", "abs", "add", "aggregate_replace", "allocate_shared_memory", "amd", "arange",
    "associative_scan", "assume", "atomic_add", "atomic_and", "atomic_cas", "atomic_load", "atomic_max",
    "atomic_min", "atomic_or", "atomic_poll", "atomic_store", "atomic_xchg", "atomic_xor", "bank_conflicts",
    "barrier", "base_type", "base_value", "bfloat16", "block_type", "broadcast", "builtin", "cast", "cdiv",
    "ceil", "clamp", "constexpr", "constexpr_function", "convert_layout", "cos", "cumprod", "cumsum",
    "device_assert", "device_print", "distributed_type", "div_rn", "dot_fma", "dtype", "erf", "exp", "exp2",
    "expand_dims", "expect_zero", "extra", "fdiv", "float8e4b8", "float8e4b15", "float8e4nv", "float8e5",
    "float8e5b16", "float16", "float32", "float64", "floor", "fma", "fp4_to_fp", "fpsan", "full", "full_like", "gather",
    "histogram", "inline_asm", "inline_asm_elementwise", "int1", "int8", "int16", "int32", "int64", "jit",
    "join", "load", "log", "log2", "map_elementwise", "max", "max_constancy", "max_contiguous", "maximum",
    "min", "minimum", "mul", "multiple_of", "must_use_result", "num_ctas", "num_programs", "num_warps",
    "nvidia", "permute", "pointer_type", "program_id", "ravel", "reduce", "reduce_or", "reshape", "rsqrt",
    "set_auto_layout", "shared_memory_descriptor", "shared_memory_descriptor_type", "sin", "split", "sqrt",
    "sqrt_rn", "static_assert", "static_print", "static_range", "store", "sub", "sum", "tensor",
    "thread_barrier", "to_linear_layout", "to_tensor", "tuple", "tuple_type", "uint8", "uint16", "uint32",
    "uint64", "umulhi", "void", "warp_specialize", "where", "xor_sum", "zeros", "zeros_like",
]  # fmt: skip
