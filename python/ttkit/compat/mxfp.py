"""Tensors of torch in the formats of OCP Microscaling (MX) 1.0: fp4 e2m1 elements, and e8m0 scales."""

from __future__ import annotations

import itertools
import math
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

# Magnitudes of e2m1 by their three bits, exponent above mantissa.
_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
# Where rounding goes from one magnitude to the next.  Ties go to the even one, so it depends on the bits which side
# a magnitude in the middle is on: those at an even index round up only beyond the middle.
_MIDDLES = tuple((low + high) / 2 for low, high in itertools.pairwise(_E2M1))
_BIAS, _SCALE_NAN, _LARGEST_SCALE = 127, 255, 254


class _Tensor:
    """A tensor of codes, one a byte.

    data: the codes, uint8.
    size: shape of a tensor that is to be filled.
    """

    def __init__(self, data: Any = None, size: Any = None, device: Any = None) -> None:
        """
        Args:
            data: numbers to convert, a float32 tensor.
            size: without `data`, the shape; `random` fills it.
            device: of a tensor that is made from `size`.

        Raises:
            ValueError: neither is given.
            TypeError: `data` is not a tensor.
        """
        if data is None and size is None:
            raise ValueError("Either parameter data or size must be provided")
        self.device = device
        if data is not None:
            if not isinstance(data, torch.Tensor):
                raise TypeError(f"data must be a torch tensor, got {type(data).__name__}")
            self.device = data.device
            self.data = self._from_float(data)
        else:
            self.size = size if isinstance(size, tuple) else (size,)

    def _from_float(self, values: Any) -> Any:
        raise NotImplementedError


def _require_float32(dtype: Any) -> None:
    if dtype != torch.float32:
        raise ValueError(f"codes are converted to float32 only, got {dtype}")


class MXFP4Tensor(_Tensor):
    """Elements of fp4 e2m1: a sign, two bits of exponent, one of mantissa; neither infinities nor NaN."""

    def random(self) -> MXFP4Tensor:
        """Fills it with codes drawn evenly."""
        self.data = torch.randint(0, 16, size=self.size, dtype=torch.uint8, device=self.device)
        return self

    def to(self, dtype: Any) -> Any:
        """The numbers.

        Raises:
            ValueError: another type than float32.
        """
        _require_float32(dtype)
        table = torch.tensor([*_E2M1, *(-value for value in _E2M1)], dtype=dtype, device=self.data.device)
        return table[self.data.long()]

    def _from_float(self, values: Any) -> Any:
        """Rounds to nearest, ties to even; what is too large, infinite or NaN becomes the largest magnitude."""
        magnitude = torch.nan_to_num(values.abs().float(), nan=_E2M1[-1], posinf=_E2M1[-1])
        code = torch.zeros_like(values, dtype=torch.uint8)
        for index, middle in enumerate(_MIDDLES):
            above = magnitude > middle if index % 2 == 0 else magnitude >= middle
            code += above.to(torch.uint8)
        return code | (torch.signbit(values).to(torch.uint8) << 3)

    def to_packed_tensor(self, dim: int) -> Any:
        """Two codes in each byte, the first one in the low bits, along a dimension; an odd end is filled with zero.

        Raises:
            ValueError: there is no such dimension.
        """
        data = self.data
        if not 0 <= dim < data.ndim:
            raise ValueError(f"dim is {dim}, but the tensor has {data.ndim} dimensions")
        if data.shape[dim] % 2:
            last = list(data.shape)
            last[dim] = 1
            data = torch.cat([data, torch.zeros(last, dtype=data.dtype, device=data.device)], dim)
        low, high = data.unflatten(dim, (-1, 2)).unbind(dim + 1)
        return low | (high << 4)

    def unpack_packed_tensor(self, packed_tensor: Any, dim: int, original_shape: Any) -> Any:
        """The codes, one a byte, of what `to_packed_tensor` made of a tensor of that shape."""
        pairs = torch.stack([packed_tensor & 15, packed_tensor >> 4], dim + 1)
        return pairs.flatten(dim, dim + 1).narrow(dim, 0, original_shape[dim]).to(torch.uint8)


def fp8e8m0_to_float32(scale: Any) -> Any:
    """The powers of two that bytes of e8m0 stand for, as float32 (Triton 3.9)."""
    code = scale.view(torch.uint8)
    power = torch.ldexp(torch.ones_like(code, dtype=torch.float32), code.to(torch.int32) - _BIAS)
    return torch.where(code == _SCALE_NAN, torch.full_like(power, math.nan), power)


class MXScaleTensor(_Tensor):
    """Scales of e8m0: powers of two from 2**-127 to 2**127, and NaN."""

    def random(self, low: float | None = None, high: float | None = None) -> MXScaleTensor:
        """Fills it with powers of two drawn evenly from `low` to `high`; never NaN.

        Raises:
            ValueError: `low` is above `high`.
        """
        first = 0 if low is None else max(0, int(math.log2(low)) + _BIAS)
        last = _LARGEST_SCALE if high is None else min(_LARGEST_SCALE, max(0, int(math.log2(high)) + _BIAS))
        if first > last:
            raise ValueError(f"low, {low}, must not be above high, {high}")
        self.data = torch.randint(first, last + 1, size=self.size, dtype=torch.uint8, device=self.device)
        return self

    def to(self, dtype: Any) -> Any:
        """The numbers.

        Raises:
            ValueError: another type than float32.
        """
        _require_float32(dtype)
        return fp8e8m0_to_float32(self.data)

    def _from_float(self, values: Any) -> Any:
        """The greatest power of two that is not above; NaN for what has none."""
        valid = torch.isfinite(values) & (values > 0)
        exponent = torch.floor(torch.log2(torch.where(valid, values, torch.ones_like(values)))) + _BIAS
        code = exponent.clamp(0, _LARGEST_SCALE).to(torch.uint8)
        return torch.where(valid, code, torch.full_like(code, _SCALE_NAN))
