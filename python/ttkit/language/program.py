"""Which program of the grid this is.

Ops: dialects/tt/program_ops.td    Interpreter: interpreter/ops/program.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadProgramAxis
from ttkit.language.tensor import tensor
from ttkit.language.types import int32


def _query(function: str, axis: Any) -> tensor:
    axis = unwrap(axis)
    if not isinstance(axis, int) or axis not in (0, 1, 2):
        raise BadProgramAxis(function=function, axis=axis)
    return tensor(builder().emit(f"tt.get_{function}", (), "i32", {"axis": f"{axis:d} : i32"}), int32)


@builtin
def program_id(axis: Any) -> tensor:
    """The index of this program along `axis` (0, 1 or 2) of the grid, int32.

    Example:
        >>> tl.program_id(0)
        int32[] 2
    """
    return _query("program_id", axis)


@builtin
def num_programs(axis: Any) -> tensor:
    """The number of programs along `axis` (0, 1 or 2) of the grid, int32.

    Example:
        >>> tl.num_programs(axis=0)
        int32[] 4
    """
    return _query("num_programs", axis)
