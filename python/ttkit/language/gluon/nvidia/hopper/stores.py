"""Stores to the shared memory of other CTAs, in the background.

Ops: dialects/ttng/mbarrier_ops.td    Interpreter: interpreter/ops/shared_memory.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.errors import BadArgument
from ttkit.language.gluon.checks import type_with_layout
from ttkit.language.gluon.shared_memory import descriptor


@builtin
def async_store(dst: Any, value: Any, mbarrier: Any) -> None:
    """Begins to store a tensor to a buffer; the barriers of the CTAs that have its elements count the bytes.

    Args:
        dst: the buffer, in a kernel of several CTAs.
        value: a tensor of its shape and element type.
        mbarrier: one barrier for each CTA, which expects the bytes of the CTA's part.

    Raises:
        BadArgument: they do not go together, or the kernel has one CTA.

    Example:
        >>> two_lines = gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1]])
        >>> two_flat = gl.SwizzledSharedLayout(1, 1, 1, [0], cga_layout=[[1]])
        >>> @gluon.jit
        ... def handed(N: gl.constexpr):
        ...     buffer = gl.allocate_shared_memory(gl.int32, [N], two_flat)
        ...     bar = mbarrier.allocate_mbarrier()
        ...     mbarrier.init(bar, count=1)
        ...     mbarrier.expect(bar, 2 * N)
        ...     hopper.async_store(buffer, gl.arange(0, N, two_lines), bar)
        ...     mbarrier.wait(bar, 0)
        >>> from ttkit.options import CompileOptions
        >>> options = CompileOptions.for_capability(90, num_ctas=2)
        >>> with ttkit.Context():
        ...     source = ttkit.ASTSource(handed, {"N": "constexpr"}, {"N": 256})
        ...     print(str(source.make_ir(ttkit.GPUTarget("cuda", 90, 32), options)).count("ttng.async_shared_store"))
        1
    """
    buffer, barrier = descriptor("async_store", dst), descriptor("async_store", mbarrier)
    found = type_with_layout("async_store", value)
    if list(found.shape) != list(buffer.type.shape) or value.dtype != buffer.dtype:
        raise BadArgument(function="async_store", reason=f"expected a tensor like {buffer.type}, found {found}")
    if builder().unit.options.num_ctas == 1:
        reason = "it stores to the CTAs of a cluster, and the kernel has one"
        raise BadArgument(
            function="async_store", reason=reason, advice="launch with num_ctas=2, or store to the buffer"
        )
    builder().emit_op("ttng.async_shared_store", (value.handle, buffer.handle, barrier.handle))
