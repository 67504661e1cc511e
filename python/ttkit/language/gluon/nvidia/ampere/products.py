"""Products of tensors in registers by mma.sync.

Ops: dialects/tt/dot_ops.td
"""

from __future__ import annotations

from typing import Any

from ttkit.language.builtin import builtin
from ttkit.language.dot import dot
from ttkit.language.errors import BadLayout
from ttkit.language.gluon.checks import operand_layouts, type_with_layout
from ttkit.language.tensor import tensor
from ttkit.layout.gluon.distributed_layouts import NVMMADistributedLayout


@builtin
def mma_v2(a: tensor, b: tensor, acc: tensor, input_precision: Any = None) -> tensor:
    """`a @ b + acc`.

    Args:
        a, b: in the layouts `DotOperandLayout(0, layout, k_width)` and `DotOperandLayout(1, layout, k_width)`, where
            `k_width` elements have 32 bits.
        acc: in an `NVMMADistributedLayout` of version [2, 0], `layout` above.
        input_precision: as of `tl.dot`.

    Raises:
        BadLayout: other layouts.
        Unsupported, BadArgument: shapes, types or options that do not go together.

    Example:
        >>> mma = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
        >>> a = gl.full([64, 32], 2.0, gl.float16, gl.DotOperandLayout(0, mma, 2))
        >>> b = gl.full([32, 16], 3.0, gl.float16, gl.DotOperandLayout(1, mma, 2))
        >>> gl.max(gl.max(ampere.mma_v2(a, b, gl.zeros([64, 16], gl.float32, mma)), 1), 0)
        fp32[] 192.0
    """
    layout = type_with_layout("mma_v2", acc).layout
    if not isinstance(layout, NVMMADistributedLayout) or layout.version != [2, 0]:
        reason = f"acc of mma_v2 must have an NVMMADistributedLayout of version [2, 0], found {layout}"
        raise BadLayout(reason=reason)
    operand_layouts("mma_v2", layout, a, b)
    return dot(a, b, acc, input_precision=input_precision, out_dtype=acc.dtype)
