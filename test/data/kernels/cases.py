"""How a kernel of this folder is compiled: its argument types, constants, targets and options."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    name: str
    kernel: Any
    signature: dict  # argument name -> type, as Triton spells it; "constexpr" for constants
    constants: dict
    attributes: dict  # (argument index,) -> [[attribute, value]]
    archs: tuple
    options: dict = field(default_factory=dict)


def case(kernel, types="", *, name=None, archs=(80, 90, 100), options=None, constants=None, **more_constants):
    """Declare that `kernel` is compiled with `types`, one per non-constant argument, in order.

    A type ending in `:16` is known to be a multiple of 16, as a pointer always is here.  An arch is a compute
    capability, or the name of an AMD GPU.
    """
    constants = {**(constants or {}), **more_constants}
    given = iter(types.split())
    signature, attributes = {}, {}
    for index, argument in enumerate(kernel.arg_names):
        if argument in constants:
            signature[argument] = "constexpr"
            continue
        spelled, _, multiple = next(given).partition(":")
        signature[argument] = spelled
        if multiple or spelled.startswith("*"):
            attributes[(index,)] = [["tt.divisibility", int(multiple or 16)]]
    return Case(name or kernel.__name__, kernel, signature, constants, attributes, tuple(archs), dict(options or {}))
