"""From the name of an operation to the function that lowers it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import ttkit.dialects.defined as defined
from ttkit.declarations import declares
from ttkit.operation_sets import PARTITIONS

Handler = Callable[..., Any]
"""Takes (lowering, op, *operands): the operation as its class, and what its operands became.  Returns what the result
becomes, a list of that if there are several results, or None if there is none."""

Function = TypeVar("Function", bound=Handler)

HANDLERS: dict[str, Handler] = {}
TYPES: dict[str, Callable[..., Any]] = {}
_FRESH: set[str] = set()
"""Declared by modules that may still be on their way in, imported by another thread."""

FAMILIES = tuple(
    """
    function program arith index view pointer memory control_flow layout math type_conversion reduce shared_memory dot
    poison wgmma async_copy fence mbarrier tma tma_rows atomic scan gather histogram debug extern pipeline cluster
    tcgen5 tensor_memory clc packed shared_atomics async_store warp_specialize proton lowered_code
    """.split()
)
"""Modules with handlers, those that most kernels need first."""

_ELSEWHERE = "no kernel of the language has it; write it with other operations"
_PART = "part of the operation around it, which lowers it"
_TENSOR_POINTER = "run triton-rewrite-tensor-pointer first"
_DESCRIPTOR = "run triton-nvidia-tma-lowering, or triton-rewrite-tensor-descriptor-to-pointer, first"

WITHOUT_LOWERING = {
    "arith.scaling_extf": "kernels have tt.dot_scaled instead",
    "arith.scaling_truncf": "kernels have tt.dot_scaled instead",
    "math.fpowi": _ELSEWHERE,
    "math.ipowi": _ELSEWHERE,
    "math.isnormal": _ELSEWHERE,
    "math.sincos": _ELSEWHERE,
    "tt.advance": _TENSOR_POINTER,
    "tt.descriptor_gather": _DESCRIPTOR,
    "tt.descriptor_load": _DESCRIPTOR,
    "tt.descriptor_reduce": _DESCRIPTOR,
    "tt.descriptor_scatter": _DESCRIPTOR,
    "tt.descriptor_store": _DESCRIPTOR,
    "tt.func": "the pass itself replaces it",
    "tt.make_tensor_descriptor": _DESCRIPTOR,
    "tt.make_tensor_ptr": _TENSOR_POINTER,
    "tt.reduce.return": _PART,
    "tt.scan.return": _PART,
    "ttng.clc_try_cancel_sync": "triton-nvidia-gpu-lower-clc replaces it",
    PARTITIONS: _PART,
}
"""Operations of the dialects that kernels are written in which have no handler, and why, or what to do."""


def lowers(*names: str) -> Callable[[Function], Function]:
    """Declares a function to lower operations."""
    _FRESH.update(names)
    return declares(HANDLERS, names)


def lowers_type(*names: str) -> Callable[[Function], Function]:
    """Declares a function to give the types of LLVM of a type of another package, by its name without `!`.

    It takes (types.TypeConverter, type).  Values of the type are lowered to a tuple, with a value for each.
    """
    return declares(TYPES, names)


def types_of(name: str) -> Callable[..., Any] | None:
    """The function that is declared for a type of another package; None if there is none."""
    defined.load_part(name, "lowering")
    return TYPES.get(name)


def handler_of(name: str) -> Handler | None:
    """The handler of an operation; imports one family after the other until it is declared."""
    if name in HANDLERS and name not in _FRESH and name.partition(".")[0] not in defined.DIALECTS:
        return HANDLERS[name]
    defined.load_part(name, "lowering")
    for family in FAMILIES:
        if name in HANDLERS:
            break
        import_module(f"ttkit.passes.lower.{family}")
    if name in _FRESH:
        # Its module has more to define than this handler: this waits for it.
        import_module(HANDLERS[name].__module__)
        _FRESH.discard(name)
    if name not in HANDLERS and "." in name:
        return handler_of(name.partition(".")[0])  # of a whole dialect
    return HANDLERS.get(name)


def handlers() -> dict[str, Handler]:
    """All handlers: imports the families, which declare them."""
    for family in FAMILIES:
        import_module(f"ttkit.passes.lower.{family}")
    return HANDLERS
