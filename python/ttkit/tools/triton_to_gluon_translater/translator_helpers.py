"""Functions that translated kernels call, by Triton's names: those of the tile language, with one layout for each rank.

Every tensor has `default_blocked_layout`, so operands fit; what makes another one converts it.
"""

from __future__ import annotations

from typing import Any

import ttkit.language as tl
from ttkit.language import gluon
from ttkit.language import gluon as ttgl
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.extra import libdevice
from ttkit.language.target_info import current_target
from ttkit.tools.triton_to_gluon_translater.block_pointers import (
    BlockPointer,
    tl_advance,
    tl_load,
    tl_make_block_ptr,
    tl_store,
)
from ttkit.tools.triton_to_gluon_translater.default_layouts import (
    build_expand_dims_layout,
    convert_to_expand_dims_layout,
    default_blocked_layout,
    get_num_threads_per_program,
    get_num_threads_per_warp,
    get_split_src_layout,
    reset_to_default_layout,
    set_split_src_layout,
)
from ttkit.tools.triton_to_gluon_translater.descriptors import (
    convert_host_descriptor,
    tl_load_tensor_descriptor,
    tl_make_tensor_descriptor,
    tl_obj_advance,
    tl_obj_atomic,
    tl_obj_gather,
    tl_obj_load,
    tl_obj_scatter,
    tl_obj_store,
    tl_store_tensor_descriptor,
)
from ttkit.tools.triton_to_gluon_translater.products import (
    tl_dot,
    tl_dot_blackwell,
    tl_dot_mma_sync,
    tl_dot_mma_sync_k_width,
    tl_dot_mma_sync_layout,
    tl_dot_mmav3_supported,
    tl_dot_mmav5_supported,
    tl_dot_scaled,
    tl_dot_scaled_blackwell,
    tl_dot_scaled_mmav5_supported,
)
from ttkit.tools.triton_to_gluon_translater.tensors import (
    tl_arange,
    tl_cat,
    tl_expand,
    tl_full,
    tl_gather,
    tl_histogram,
    tl_join,
    tl_split,
    tl_trans,
    tl_zeros,
)

__all__ = [
    "BlockPointer", "build_expand_dims_layout", "cat", "convert_host_descriptor",
    "convert_to_expand_dims_layout", "current_target", "default_blocked_layout", "get_int_type",
    "get_num_threads_per_program", "get_num_threads_per_warp", "get_split_src_layout", "get_swizzle_byte_width",
    "libdevice", "reset_to_default_layout", "set_split_src_layout", "tl", "tl_advance", "tl_arange", "tl_cat",
    "tl_dot", "tl_dot_blackwell", "tl_dot_mma_sync", "tl_dot_mma_sync_k_width", "tl_dot_mma_sync_layout",
    "tl_dot_mmav3_supported", "tl_dot_mmav5_supported", "tl_dot_scaled", "tl_dot_scaled_blackwell",
    "tl_dot_scaled_mmav5_supported", "tl_expand", "tl_full", "tl_gather", "tl_histogram", "tl_join", "tl_load",
    "tl_load_tensor_descriptor", "tl_make_block_ptr", "tl_make_tensor_descriptor", "tl_obj_advance",
    "tl_obj_atomic", "tl_obj_gather", "tl_obj_load", "tl_obj_scatter", "tl_obj_store", "tl_split", "tl_store",
    "tl_store_tensor_descriptor", "tl_trans", "tl_zeros",
]  # fmt: skip


@builtin
def cat(input: Any, other: Any, can_reorder: Any = False, layout: Any = None) -> Any:
    """`tl.cat` of tensors of one dimension, in a layout."""
    made = tl_cat(input, other, can_reorder)
    return made if unwrap(layout) is None else ttgl.convert_layout(made, layout)


@gluon.constexpr_function
def get_int_type(bitwidth: Any) -> Any:
    """The signed integer of so many bits."""
    return getattr(tl, f"int{bitwidth}")


@gluon.constexpr_function
def get_swizzle_byte_width(bitwidth: Any) -> Any:
    """The widest swizzling, in bytes, that a number allows: itself up to 128, and 0 below 32."""
    return 0 if bitwidth < 32 else min(bitwidth, 128)
