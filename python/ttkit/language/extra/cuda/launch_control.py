"""Programmatic dependent launch (sm_90 and later): a kernel that begins before the one in front of it has ended.

PTX: griddepcontrol.
"""

from __future__ import annotations

from ttkit.language.building import builder
from ttkit.language.builtin import extern
from ttkit.language.extern import inline_asm_elementwise
from ttkit.language.types import int32
from ttkit.language.versions import since


def _instruction(name: str) -> None:
    if since(3, 9):
        builder().emit_op(f"tt.grid_dependency_{name}", ())
        return
    inline_asm_elementwise(f"griddepcontrol.{name}; // dummy $0", "=r", [], dtype=int32, is_pure=False, pack=1)


@extern
def gdc_wait() -> None:
    """Waits until the kernels in front have ended and what they wrote can be seen; nothing without dependent launch.

    Example:
        >>> tl.extra.cuda.gdc_wait()
    """
    _instruction("wait")


@extern
def gdc_launch_dependents() -> None:
    """The next kernel may begin once every program has called this or ended; nothing without dependent launch.

    Example:
        >>> tl.extra.cuda.gdc_launch_dependents()
    """
    _instruction("launch_dependents")
