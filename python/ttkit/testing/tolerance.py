"""Whether two results are the same, up to a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_DEFAULT_ATOL = 1e-2


def assert_close(
    x: Any,
    y: Any,
    atol: float | Callable[[Any], float] | None = None,
    rtol: float | Callable[[Any], float] | None = None,
    err_msg: str = "",
) -> None:
    """Checks that |x - y| <= atol + rtol * |y| in every element; NaN equals NaN within arrays of several.

    Args:
        x, y: numbers, lists, numpy arrays, or tensors of torch, CuPy or `DeviceArray`, on any device.
        atol: absolute tolerance, 0.01 by default; or a function from `x`'s dtype to one.
        rtol: relative tolerance, 0 by default; or a function as well.
        err_msg: begins the text of the error.

    Raises:
        AssertionError: they differ, in value or in shape.
    """
    import numpy as np

    absolute = _tolerance(atol, x, _DEFAULT_ATOL)
    relative = _tolerance(rtol, x, 0.0)
    left, right = _as_numpy(x), _as_numpy(y)
    if left.size > 1 or right.size > 1:
        np.testing.assert_allclose(left, right, atol=absolute, rtol=relative, equal_nan=True, err_msg=err_msg)
    elif not np.allclose(left, right, atol=absolute, rtol=relative):  # Triton's rule: one NaN equals nothing
        raise AssertionError(f"{err_msg} {left} is not close to {right} (atol={absolute}, rtol={relative})".strip())


def _tolerance(given: Any, value: Any, default: float) -> float:
    if given is None:
        return default
    return given(value.dtype if hasattr(value, "dtype") else _as_numpy(value).dtype) if callable(given) else given


def _as_numpy(value: Any) -> Any:
    """The elements on the host; those of types that numpy lacks, as f32."""
    import numpy as np

    if hasattr(value, "detach"):  # torch
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16" or "float8" in str(value.dtype):
            value = value.float()
        value = value.numpy()
    elif hasattr(value, "get") and hasattr(value, "__cuda_array_interface__"):  # CuPy
        value = value.get()
    elif hasattr(value, "numpy"):  # DeviceArray
        value = value.numpy()
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype.kind == "V" else array
