"""Programs of several CTAs, and of specialized warps, on the GPU: the kernels of the tests that evaluate them."""

import interpreter_kernels_memory  # noqa: F401, declares more cases
import interpreter_kernels_structure  # noqa: F401
import numpy as np
import pytest
import test_lower_tma as tiles
import test_lower_warp_specialize as specialized
from compiling import compile_kernel, source_of
from interpreter_kernels import CASES
from test_kernels import assert_same, in_one_order, tolerance_of

from ttkit.interpreter import TensorDescriptor
from ttkit.passes.lower.lowering import Unsupported
from ttkit.runtime import DeviceArray

pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.usefixtures("has_clusters")]


OF_ONE_CTA = {"barrier_between": "its barrier, of the threads of one CTA, orders what other CTAs read too little"}


@pytest.mark.parametrize("num_ctas", [2, 4])
@pytest.mark.parametrize("name", CASES)
def test_kernel_of_several_ctas(name, num_ctas, capability):
    source, warps = source_of(name)
    if source is None:
        pytest.skip("no tt of this kernel for a GPU up to Hopper")
    if name in OF_ONE_CTA:
        pytest.skip(OF_ONE_CTA[name])
    case = CASES[name](np.random.default_rng(20), name)
    if any(isinstance(argument, TensorDescriptor) for argument in case.args):
        pytest.skip("a descriptor of the host")
    try:
        kernel = compile_kernel(source, capability, check=True, num_warps=warps, num_ctas=num_ctas)
    except Unsupported as error:
        pytest.skip(str(error))
    passed = [DeviceArray(argument) if isinstance(argument, np.ndarray) else argument for argument in case.args]
    kernel[case.grid](*passed)
    for position, wanted in case.wanted.items():
        found, wanted = in_one_order(name, passed[position].numpy(), np.asarray(wanted))
        assert_same(found, wanted, tolerance_of(name, case), f"argument {position}")


@pytest.mark.parametrize("name", ["LOOP", "RING"])
def test_specialized_warps(name, capability):
    if capability not in (90, 100, 103):
        pytest.skip("registers are handed over between warps from sm_90 on, in its family and that of sm_100")
    text = (specialized.LAYOUTS + getattr(specialized, name)).replace("cuda:90", f"cuda:{capability}")
    values = np.random.default_rng(8).integers(0, 1 << 20, (64, 128), dtype=np.uint32)
    given_values, out = DeviceArray(values), DeviceArray(np.zeros_like(values))
    compile_kernel(text, capability, "ttgir", check=True)[1](given_values, out, len(values))
    wanted = values
    if name == "LOOP":
        wanted = values.sum(1, dtype=np.uint32)[:, None] + np.arange(128, dtype=np.uint32) + 3 * values[:, :1]
    np.testing.assert_array_equal(out.numpy(), wanted)


@pytest.mark.parametrize("store", tiles.STORES)
@pytest.mark.parametrize(("shape", "box", "swizzle", "bases", "attribute"), tiles.TILES)
def test_tiles(shape, box, swizzle, bases, attribute, store, capability):
    """Copies by the tensor memory accelerator, in clusters too, by maps that the kernel makes."""
    values, out, wanted = tiles.tiles_and_result(shape, store)
    source = tiles.with_own_maps(tiles.copy_source(shape, swizzle, bases, attribute, store), shape, box, swizzle)
    source = source.replace("cuda:90", f"cuda:{capability}")
    given, found = DeviceArray(values.view(np.int32)), DeviceArray(out.view(np.int32))
    compile_kernel(source, capability, "ttgir", check=True, num_ctas=1 << len(bases))[1](given, found, *tiles.PLACE)
    np.testing.assert_array_equal(found.numpy().view(np.uint32), wanted)
