"""Types of numbers by the names that PTX and NVVM's intrinsics have for them."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ttkit.interpreter.numerics.rounding import cut_to_tf32

NUMBERS: dict[str, np.dtype] = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "tf32": np.dtype(np.float32),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "s8": np.dtype(np.int8),
    "u8": np.dtype(np.uint8),
    "s32": np.dtype(np.int32),
}


def bytes_of(values: np.ndarray) -> np.ndarray:
    """The bytes of numbers, one or several a thread: uint8 [P, bytes]."""
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)


def numbers_of(data: np.ndarray, name: str) -> np.ndarray:
    """Bytes as numbers; of tf32 the low bits are not looked at."""
    numbers: np.ndarray = np.ascontiguousarray(data).view(NUMBERS[name])
    return cut_to_tf32(numbers) if name == "tf32" else numbers
