"""Arrays for the scripts: tensors of torch where it has a GPU, else numpy's, for the interpreter."""

import numpy as np

try:
    import torch

    ON_GPU = torch.cuda.is_available()
except ImportError:
    ON_GPU = False

random = np.random.default_rng(0)


def on_device(array):
    """An array's values where kernels can get at them."""
    return torch.tensor(array, device="cuda") if ON_GPU else np.ascontiguousarray(array)


def normal(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def zeros(*shape, dtype=np.float32):
    return on_device(np.zeros(shape, dtype))


def values(array):
    """The values as numpy has them."""
    return array.cpu().numpy() if hasattr(array, "cpu") else np.asarray(array)


def address(array):
    return array.data_ptr() if hasattr(array, "data_ptr") else array.ctypes.data


def close(found, expected, atol=1e-4, rtol=1e-4):
    np.testing.assert_allclose(values(found).astype(np.float64), np.asarray(expected, np.float64), atol=atol, rtol=rtol)
