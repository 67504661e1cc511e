"""Python's `min` and `max` of constexprs and scalars in a kernel."""

from __future__ import annotations

import builtins
import math
from typing import Any

from ttkit.dialects._tt_enums import PropagateNan
from ttkit.language.arith import maximum, minimum
from ttkit.language.base import base_value
from ttkit.language.building import warn
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import Unsupported


def _builtin_extreme(name: str, elementwise: Any, python: Any, args: Any, propagate_nan: Any) -> Any:
    values = [unwrap(arg) for arg in args]
    if not any(isinstance(value, base_value) for value in values):
        flat = values[0] if len(values) == 1 else values
        if any(value != value or (value == 0.0 and math.copysign(1.0, value) < 0) for value in flat):
            raise Unsupported(function=name, reason=f"neither NaN nor -0.0 may be among constants, got {flat}")
        return constexpr(python(flat))
    if len(values) < 2:
        raise Unsupported(function=name, reason=f"{name} requires at least 2 values; use tl.{name} to reduce a tensor")
    result = values[0]
    for value in values[1:]:
        result = elementwise(result, value, propagate_nan=propagate_nan)
    if result.type.is_block():
        message = f"builtin {name} on non-scalar tensor values is deprecated, use tl.{name}imum instead"
        warn(message, DeprecationWarning)
    return result


@builtin
def builtin_max(*args: Any, propagate_nan: Any = PropagateNan.NONE) -> Any:
    """Python's `max` of constexprs and scalars."""
    return _builtin_extreme("max", maximum, builtins.max, args, propagate_nan)


@builtin
def builtin_min(*args: Any, propagate_nan: Any = PropagateNan.NONE) -> Any:
    """Python's `min` of constexprs and scalars."""
    return _builtin_extreme("min", minimum, builtins.min, args, propagate_nan)
