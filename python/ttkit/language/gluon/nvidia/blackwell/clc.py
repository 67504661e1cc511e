"""Cluster launch control: a running program takes over the work of one that is still waiting (sm_100).

Ops: dialects/ttng/clc_ops.td    Interpreter: interpreter/ops/clc.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, Unsupported
from ttkit.language.gluon.shared_memory import descriptor
from ttkit.language.tensor import tensor
from ttkit.language.types import int1, int32
from ttkit.options import CompileOptions

__all__ = ["clc_result", "clc_result_type", "load_result", "try_cancel"]


class clc_result_type(base_type):
    """The type of an answer, see `load_result`.

    Example:
        >>> blackwell.clc.clc_result_type() == blackwell.clc.clc_result_type()
        True
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, clc_result_type)

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return "clc_result"

    __repr__ = __str__

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append("i128")

    def _unflatten_ir(self, handles: Any, cursor: int) -> Any:
        return clc_result(handles[cursor]), cursor + 1

    def mangle(self) -> str:
        """A name for parts of symbols."""
        return "CLC"


class clc_result(base_value):
    """The answer to a request, see `load_result`.

    Example:
        >>> blackwell.clc.clc_result(None)
        clc_result
    """

    def __init__(self, handle: Any) -> None:
        self.handle, self.type = handle, clc_result_type()

    def _flatten_ir(self, handles: list[Any]) -> None:
        handles.append(self.handle)

    def __str__(self) -> str:
        return str(self.type)

    __repr__ = __str__

    @builtin
    def is_canceled(self) -> tensor:
        """Whether a program was waiting, which then does not run: its work is this program's."""
        return tensor(builder().emit("ttng.clc_is_canceled", (self.handle,), "i1"), int1)

    @builtin
    def program_id(self, dim: Any) -> tensor:
        """The place of that program in the grid along axis 0, 1 or 2; only of an answer that names one.

        Raises:
            BadArgument: another axis.
        """
        if unwrap(dim) not in (0, 1, 2):
            raise BadArgument(function="program_id", reason=f"expected axis 0, 1 or 2, got {unwrap(dim)!r}")
        attributes = {"dim": attribute_of_32_bits("program_id", "dim", unwrap(dim))}
        return tensor(builder().emit("ttng.clc_get_program_id", (self.handle,), "i32", attributes), int32)


def _require(function: str) -> None:
    target = CompileOptions.for_capability(int(builder().unit.target.arch)).target
    if not target.has_cluster_launch_control:
        reason = f"sm_{target.capability} has no cluster launch control, which begins with sm_100"
        advice = "let each program make tiles from program_id on, num_programs apart"
        raise Unsupported(function=function, reason=reason, advice=advice)


@builtin
def try_cancel(result: Any, barrier: Any) -> None:
    """Asks for the work of a program that is still waiting; the answer's 16 bytes are counted at a barrier.

    Args:
        result: where the answer goes, a buffer of 16 bytes, such as int64[2].
        barrier: which expects 16 bytes.

    Raises:
        Unsupported: the GPU is older than sm_100.
        BadArgument: they are no such buffers.

    Example:
        >>> @gluon.jit
        ... def ask(out):
        ...     answer = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        ...     bar = mbarrier.allocate_mbarrier()
        ...     mbarrier.init(bar, count=1)
        ...     mbarrier.expect(bar, 16)
        ...     blackwell.clc.try_cancel(answer, bar)
        ...     mbarrier.wait(bar, 0)
        ...     found = blackwell.clc.load_result(answer)
        ...     if found.is_canceled():
        ...         gl.store(out, found.program_id(0))
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(ask, {"out": "*i32"}).make_ir(ttkit.GPUTarget("cuda", 100, 32))
        ...     print(str(made).count("ttng.clc_"))
        4
    """
    _require("try_cancel")
    places = [descriptor("try_cancel", each).handle for each in (result, barrier)]
    builder().emit_op("ttng.clc_try_cancel", places)


@builtin
def load_result(src: Any) -> clc_result:
    """The answer to `try_cancel`, once its bytes have arrived.

    Raises:
        Unsupported: the GPU is older than sm_100.
        BadArgument: `src` is no buffer.

    Example:
        >>> @gluon.jit
        ... def has_more(out):
        ...     answer = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
        ...     gl.store(out, blackwell.clc.load_result(answer).is_canceled().to(gl.int32))
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(has_more, {"out": "*i32"}).make_ir(ttkit.GPUTarget("cuda", 100, 32))
        ...     print(str(made).count("ttng.clc_load_result"))
        1
    """
    _require("load_result")
    return clc_result(builder().emit("ttng.clc_load_result", (descriptor("load_result", src).handle,), "i128"))
