"""`_semantic` of builtins that kernels in Gluon call: the functions of the language by Triton's names and parameters.

`_semantic.full(shape, 0, ttgl.int32, layout)` is `ttgl.full(...)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.language.broadcasting import splat_to
from ttkit.language.builtin import use_semantic
from ttkit.language.constexpr import unwrap
from ttkit.language.distributed import distributed
from ttkit.language.errors import BadArgument
from ttkit.language.gluon import creation, layouts, operations, shared_memory, warp_specialization
from ttkit.language.gluon.checks import distributed_layout
from ttkit.language.reduce import gather
from ttkit.language.semantic import TritonSemantic, method_of
from ttkit.language.tensor import tensor
from ttkit.language.view import reshape_to, tensor_of


class GluonSemantic(TritonSemantic):
    """The functions of Gluon as methods (`METHODS`), and those of the tile language that have no layouts.

    Raises:
        CompilationError: as the functions do.
    """


def _of(name: str) -> Callable[..., Any]:
    """A member of a buffer as a function of it."""
    return lambda memory, *values: getattr(memory, name)(*values)


def _splat(value: tensor, shape: Any, layout: Any) -> tensor:
    sizes = tuple(unwrap(size) for size in shape)
    return splat_to(value, distributed(value.dtype, sizes, distributed_layout(layout))) if sizes else value


def _wrap(x: Any, scalar_ty: Any, ret_shape: Any, layout: Any) -> tensor:
    sizes = tuple(unwrap(size) for size in ret_shape)
    return tensor(x, distributed(scalar_ty, sizes, distributed_layout(layout)) if sizes else scalar_ty)


def _reshape(input: tensor, dst_shape: Any, can_reorder: Any) -> tensor:
    if unwrap(can_reorder):
        raise BadArgument(function="reshape", reason="can_reorder is not supported in gluon")
    return reshape_to(input, [unwrap(size) for size in dst_shape])


def _cat(lhs: tensor, rhs: tensor, can_reorder: Any, layout: Any) -> tensor:
    """Both tensors after each other, elements in any order."""
    if unwrap(layout) is None or not unwrap(can_reorder):
        reason = "cat requires a destination layout, and may always reorder elements"
        raise BadArgument(function="cat", reason=reason)
    type = distributed(lhs.type.scalar, (lhs.type.shape[0] + rhs.type.shape[0],), distributed_layout(layout))
    return tensor_of("tt.cat", (lhs, rhs), type)


METHODS: dict[str, tuple[Callable[..., Any], str]] = {
    "arange": (creation.arange, "start end layout"),
    "full": (creation.full, "shape value dtype layout"),
    "splat": (_splat, "value shape layout"),
    "wrap_tensor": (_wrap, "x scalar_ty ret_shape layout"),
    "reshape": (_reshape, "input dst_shape can_reorder"),
    "cat": (_cat, "lhs rhs can_reorder layout"),
    "gather": (gather, "src index axis"),
    "histogram": (operations.histogram, "input num_bins mask layout"),
    "fp4_to_fp": (operations.fp4_to_fp, "src elem_type axis"),
    "convert_layout": (layouts.convert_layout, "value layout assert_trivial="),
    "set_auto_layout": (layouts.set_auto_layout, "value layout"),
    "to_linear_layout": (layouts.to_linear_layout, "layout shape"),
    "bank_conflicts": (layouts.bank_conflicts, "distr_ty shared_ty"),
    "allocate_shared": (shared_memory.allocate_shared_memory, "element_ty shape layout value"),
    "shared_load": (_of("load"), "mem_desc layout"),
    "shared_store": (_of("store"), "mem_desc value"),
    "shared_dealloc": (_of("_keep_alive"), "mem_desc"),
    "memdesc_slice": (_of("slice"), "mem_desc start length dim"),
    "memdesc_index": (_of("index"), "mem_desc index"),
    "memdesc_trans": (_of("permute"), "mem_desc order"),
    "memdesc_reshape": (_of("reshape"), "mem_desc shape"),
    "memdesc_reinterpret": (_of("_reinterpret"), "mem_desc dtype shape layout"),
    "num_ctas": (warp_specialization.num_ctas, ""),
    "num_warps": (lambda generator: warp_specialization.num_warps(), "generator"),
    "warp_specialize": (
        lambda functions, warps, registers, generator: warp_specialization.warp_specialize(functions, warps, registers),
        "functions_and_args worker_num_warps worker_num_regs generator",
    ),
}
"""As `ttkit.language.semantic.METHODS`."""

for _name, (_function, _names) in METHODS.items():
    setattr(GluonSemantic, _name, method_of(_name, _function, _names))

use_semantic(GluonSemantic(), is_gluon=True)
