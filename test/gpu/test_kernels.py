"""Whole kernels, compiled from tt by all stages and run on the GPU, give numpy's results."""

import interpreter_kernels_memory  # noqa: F401, declares more cases
import interpreter_kernels_structure  # noqa: F401
import ml_dtypes
import numpy as np
import pytest
from compiling import compile_kernel, source_of
from interpreter_kernels import CASES

from ttkit.interpreter import TensorDescriptor
from ttkit.passes.lower.lowering import Unsupported
from ttkit.runtime import DeviceArray

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# Instructions of the GPU are approximate where numpy's are not: division, exponentials, sums in another order; of a
# narrow type, one last place.
SMALLEST_TOLERANCE = {8: 1e-12, 4: 4e-6, 2: 4e-3, 1: 0.13}
# Tensor cores of sm_90 add products of fp8 with fewer bits than f32 has, as Triton's kernels do.
FP8_SUMS, FP8_TOLERANCE = ("matmul_f8_e4m3", "matmul_f8_e5m2"), 1e-2
# Kernels with operations that may bring elements into any order.
ANY_ORDER = ("join_and_split", "permutations", "views")


DESCRIPTORS = "kernels from files take no tensor descriptors, jitted functions do"


@pytest.mark.parametrize("level", ["ttir", "ttgir"])
@pytest.mark.parametrize("name", CASES)
def test_kernel(name, level, capability):
    source, warps = source_of(name, level)
    if source is None:
        pytest.skip(f"no {level} of this kernel for a GPU up to Hopper")
    if level == "ttgir" and capability != 90:
        pytest.skip("ttg for another GPU")
    case = CASES[name](np.random.default_rng(20), name)
    if any(isinstance(argument, TensorDescriptor) for argument in case.args):
        pytest.skip(DESCRIPTORS)
    try:
        kernel = compile_kernel(source, capability, level, check=True, num_warps=warps)
    except Unsupported as error:
        pytest.skip(str(error))
    if any("tensordesc" in kind for kind in kernel.metadata.parameters):
        pytest.skip(DESCRIPTORS)
    passed = [DeviceArray(argument) if isinstance(argument, np.ndarray) else argument for argument in case.args]
    kernel[case.grid](*passed)
    for position, wanted in case.wanted.items():
        found, wanted = in_one_order(name, passed[position].numpy(), np.asarray(wanted))
        assert_same(found, wanted, tolerance_of(name, case), f"argument {position}")


def tolerance_of(name, case):
    """Relative and absolute."""
    return max(case.tolerance, FP8_TOLERANCE) if name in FP8_SUMS else case.tolerance


def in_one_order(name, found, wanted):
    """Both sorted, where the kernel is free to choose the order."""
    if name in ANY_ORDER:
        return np.sort(found, axis=None), np.sort(wanted, axis=None)
    return found, wanted


def assert_same(found, wanted, tolerance, message):
    wanted = wanted.reshape(found.shape)
    if found.dtype.kind in "iub":
        np.testing.assert_array_equal(found, wanted, err_msg=message)
        return
    bits = ml_dtypes.finfo(found.dtype).bits
    tolerance = max(tolerance, SMALLEST_TOLERANCE[bits // 8])
    np.testing.assert_allclose(found.astype(float), wanted.astype(float), tolerance, tolerance, err_msg=message)
