"""Regions inside of kernels, `pl`: what the backend "instrumentation" times.

    import ttkit.profiler.language as pl

    @ttkit.jit
    def kernel(x, y, BLOCK: tl.constexpr):
        with pl.scope("load"):
            value = tl.load(x + tl.arange(0, BLOCK))
        pl.enter_scope("store")
        tl.store(y + tl.arange(0, BLOCK), value)
        pl.exit_scope("store")

Without such a session they make no code.

Ops: dialects/proton/record_ops.td    Interpreter: interpreter/ops/proton.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.builtin import TRITON_BUILTIN, builder, builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.debug import string_attribute
from ttkit.language.errors import BadArgument

__all__ = ["disable_semantic", "enable_semantic", "enter_scope", "exit_scope", "record", "scope"]


def enable_semantic(semantic_name: str) -> None:
    """Lets kernels of a language have regions; those of "triton" always may.

    Raises:
        ValueError: there is no such language here.
    """
    if semantic_name != "triton":
        raise ValueError(f"there is no language {semantic_name!r} here; use 'triton'")


def disable_semantic(semantic_name: str) -> None:
    """Does nothing: where no session times regions they make no code anyway.

    Raises:
        ValueError: there is no such language here.
    """
    enable_semantic(semantic_name)


@builtin
def record(is_start: Any, scope_name: Any, semantic: Any = None) -> None:
    """Begins or ends a region.

    Args:
        is_start: whether it begins; a constant.
        scope_name: its name; a constant.
        semantic: not looked at.
    """
    _record(bool(unwrap(is_start)), scope_name, "record")


def _record(is_start: bool, name: Any, function: str) -> None:
    text = unwrap(name)
    if not isinstance(text, str) or not text:
        raise BadArgument(
            function=function, reason=f"the name of a region must be a text that is not empty, got {text!r}"
        )
    found = builder()
    if not found.unit.options.times_regions:
        return
    attributes = {"name": string_attribute(text)}
    if is_start:
        attributes["isStart"] = "unit"
    found.emit_op("proton.record", attributes=attributes)


@builtin
def enter_scope(name: Any) -> None:
    """Begins the region `name`, a constant."""
    _record(True, name, "enter_scope")


@builtin
def exit_scope(name: Any) -> None:
    """Ends the region `name`, a constant, that was begun last."""
    _record(False, name, "exit_scope")


class scope:
    """A region: `with pl.scope("name"):` in a kernel."""

    def __init__(self, name: Any, _semantic: Any = None) -> None:
        self.name = name

    def __enter__(self) -> None:
        _record(True, self.name, "scope")

    def __exit__(self, *error: object) -> None:
        _record(False, self.name, "scope")


setattr(scope, TRITON_BUILTIN, True)
