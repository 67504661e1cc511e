"""Gradients of attention in one loop, with all passes and with some of them off."""

import numpy as np
import pytest
from gradient_kernels import DEPTHS, QUERIES, arguments, expected, gradients, sizes_of

from ttkit.runtime import DeviceArray, TensorDescriptor

PASSES = ("ttkit-start-next-product", "ttkit-start-copies-early")


@pytest.mark.parametrize("tokens", [64, 128, 704])
@pytest.mark.parametrize("stages", [1, 2, 3, 4])
@pytest.mark.parametrize("off", ["", *PASSES, ",".join(PASSES)])
@pytest.mark.parametrize(("by", "warps"), [("store", 4), ("update", 4), ("descriptor", 4), ("update", 8)])
def test_gradients(by: str, warps: int, off: str, stages: int, tokens: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TTKIT_TUNING_OFF", off)
    given = arguments(tokens, warps)
    arrays = [DeviceArray(one) for one in given[:9]]
    found = arrays[6]
    if by == "descriptor":
        arrays[6] = TensorDescriptor.from_tensor(found, [QUERIES, DEPTHS[warps]])
    gradients[(1,)](*arrays, tokens, **sizes_of(by, warps), num_warps=warps, num_stages=stages)
    for result, right in zip((found, *arrays[7:9]), expected(given), strict=True):
        np.testing.assert_allclose(result.numpy(), right, rtol=2e-3, atol=2e-2)
