"""What kernels call."""

from typing import Any

from roll.dialect import RotateOp
from ttkit.language.core import builtin
from ttkit.language.package_functions import kernel_function

_rotate = kernel_function(RotateOp)


@builtin
def rotate(x: Any, shift: Any, axis: Any = 0) -> Any:
    """result[..., i, ...] = x[..., (i + shift) mod n, ...]; negative shifts and axes count from the end.

    Args:
        shift, axis: constexprs.
    """
    axis = int(axis) % len(x.shape)
    return _rotate(x, axis, int(shift) % int(x.shape[axis]))
