"""Operations whose result has a layout that an argument says, and products without tensor cores.

Ops: dialects/tt/dot_ops.td, index_ops.td, dialects/ttg/layout_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder, warn
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag
from ttkit.language.constexpr import unwrap
from ttkit.language.distributed import distributed
from ttkit.language.dot import dot
from ttkit.language.errors import BadArgument, BadLayout
from ttkit.language.gluon.checks import distributed_layout, operand_layouts, plain_int, type_with_layout
from ttkit.language.hints import debug_barrier
from ttkit.language.reduce import histogram_operands
from ttkit.language.tensor import tensor
from ttkit.language.types import int32
from ttkit.language.view import tensor_of, wrap_axis
from ttkit.layout.gluon.distributed_layouts import BlockedLayout

_LARGE_PRODUCT = 2**19
"""Multiplications of a product without tensor cores from which compiling takes long."""


@builtin
def barrier(*, cluster: Any = False) -> None:
    """Waits until all threads of the CTA are here; what they have stored is visible to all then.

    Args:
        cluster: whether all threads of the cluster are waited for.

    Raises:
        BadArgument: `cluster` is not known while compiling.

    Example:
        >>> gl.barrier()
    """
    if flag("barrier", "cluster", cluster):
        builder().emit_op("ttng.cluster_barrier", ())
    else:
        debug_barrier()


@builtin
def dot_fma(a: tensor, b: tensor, acc: tensor) -> tensor:
    """`a @ b + acc`, by multiplications and additions of single elements.

    Args:
        a, b: in the layouts `DotOperandLayout(0, layout, 0)` and `DotOperandLayout(1, layout, 0)`.
        acc: in a `BlockedLayout`, `layout` above.

    Raises:
        BadLayout: other layouts.
        Unsupported: shapes or types that do not go together.

    Example:
        >>> a = gl.full([16, 16], 2.0, gl.float32, gl.DotOperandLayout(0, rows, 0))
        >>> b = gl.full([16, 16], 3.0, gl.float32, gl.DotOperandLayout(1, rows, 0))
        >>> gl.max(gl.max(gl.dot_fma(a, b, gl.zeros([16, 16], gl.float32, rows)), 1), 0)
        fp32[] 96.0
    """
    layout = type_with_layout("dot_fma", acc).layout
    if not isinstance(layout, BlockedLayout):
        raise BadLayout(reason=f"acc of dot_fma must have a BlockedLayout, found {layout}")
    operand_layouts("dot_fma", layout, a, b)
    (m, n), k = acc.type.shape[-2:], a.type.shape[-1]
    if m * n * k > _LARGE_PRODUCT:
        warn(f"Large dot FMA instruction size {m}x{n}x{k} may have slow compile times")
    return dot(a, b, acc, out_dtype=acc.dtype)


@builtin
def fp4_to_fp(src: tensor, elem_type: Any, axis: Any) -> tensor:
    """Pairs of fp4 (e2m1) in bytes as numbers of another type, twice as many along `axis`.

    Args:
        src: int8 or uint8, the first of a pair in the lower bits.
        elem_type: type of the result, of 16 bits.
        axis: the dimension that doubles.

    Raises:
        BadLayout: `src` has no layout, or the result can't have one.
        BadArgument, BadAxis: there is no such dimension.

    Example:
        >>> packed = gl.full([1, 4], 0x42, gl.int8, rows)
        >>> gl.fp4_to_fp(packed, gl.float16, axis=1)
        fp16[1, 8]
        [[1. 2. 1. 2. 1. 2. 1. 2.]]
    """
    type, element = type_with_layout("fp4_to_fp", src), unwrap(elem_type)
    axis = wrap_axis(plain_int("fp4_to_fp", "axis", axis), len(type.shape))
    shape = (*type.shape[:axis], 2 * type.shape[axis], *type.shape[axis + 1 :])
    result = type.of_shape(shape, "fp4_to_fp", axis).with_element_ty(element)
    return tensor_of("ttg.fp4_to_fp", (src,), result, {"axis": f"{axis} : i32"})


@builtin
def histogram(input: tensor, num_bins: Any, mask: Any = None, layout: Any = None) -> tensor:
    """Counts of each of 0 ... `num_bins` - 1, as int32 of shape `(num_bins,)`.

    Args:
        input: a tensor of integers, of one dimension.
        num_bins: a constexpr.
        mask: elements that count.
        layout: of the result.

    Raises:
        BadArgument: no layout.
        Unsupported, BadMask, BadLayout: not such a tensor, mask or layout.

    Example:
        >>> gl.histogram(gl.arange(0, 8, line) // 3, 4, layout=line)
        int32[4] [3 3 2 0]
    """
    if unwrap(layout) is None:
        raise BadArgument(function="histogram", reason="histogram requires a destination layout")
    type = distributed(int32, (plain_int("histogram", "num_bins", num_bins),), distributed_layout(layout))
    return tensor_of("tt.histogram", histogram_operands(input, unwrap(mask)), type)
