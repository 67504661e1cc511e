"""`kernel[grid](...)` without a GPU: what the driver is asked for."""

import struct

import pytest
from launched_kernels import Tensor, add, fill

import ttkit
from ttkit.runtime import DriverMissing
from ttkit.runtime.device import forget_driver


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def test_launch(gpu):
    gpu.expect(8, 8, 8, 4, 8, 8)
    kernel = add[(3, 2)](Tensor(), Tensor(address=8192), out=Tensor(address=12288), n=300, BLOCK=128, num_warps=8)
    (launch,) = gpu.launches
    assert launch.grid == (3, 2, 1) and launch.block == (256, 1, 1) and not launch.attributes
    assert struct.unpack("<QQQi", launch.arguments[:28]) == (4096, 8192, 12288, 300)
    assert launch.arguments[28:] == bytes(16)  # no scratch memory
    assert launch.function == kernel.function
    assert (kernel.n_regs, kernel.n_spills, kernel.n_max_threads) == (32, 0, 1024)
    assert kernel.metadata.num_warps == 8 and set(kernel.asm) >= {"ttir", "ttgir", "llir", "ptx", "cubin"}
    assert kernel.resources()["programs_per_multiprocessor"] == 4


def test_grid_of_arguments(gpu):
    add[lambda meta: (ttkit.cdiv(meta["n"], meta["BLOCK"]),)](Tensor(), Tensor(), Tensor(), 1000, BLOCK=256)
    assert gpu.launches[0].grid == (4, 1, 1)


def test_one_compilation_for_like_arguments(gpu):
    first = add[(1,)](Tensor(), Tensor(), Tensor(), 48, BLOCK=16)
    assert add[(7,)](Tensor(), Tensor(), Tensor(), 4800, BLOCK=16) is first
    assert add[(1,)](Tensor(address=4), Tensor(), Tensor(), 48, BLOCK=16) is not first
    assert gpu.loads == 2 and len(gpu.launches) == 3


def test_tuples_defaults_and_annotated_types(gpu):
    gpu.expect(8, 4, 1, 4, 8, 2)
    fill[(1,)](Tensor(), 5.5, True, (3, (1 << 40, 1)))
    arguments = gpu.launches[0].arguments
    assert struct.unpack("<Qf?iqe", arguments) == (4096, 5.5, True, 3, 1 << 40, 2.0)


def test_unknown_keyword(gpu):
    with pytest.raises(KeyError, match="Keyword argument BLOKC was specified but unrecognised"):
        add[(1,)](Tensor(), Tensor(), Tensor(), 48, BLOCK=16, BLOKC=32)
    with pytest.raises(TypeError, match=r"add\(\) missing 1 required positional argument: 'n'"):
        add[(1,)](Tensor(), Tensor(), Tensor(), BLOCK=16)


def test_without_a_driver(monkeypatch):
    monkeypatch.setenv("TRITON_LIBCUDA_PATH", "/nowhere")
    forget_driver()
    with pytest.raises(DriverMissing, match=r"no NVIDIA driver: .* TRITON_INTERPRET=1"):
        add[(1,)](Tensor(), Tensor(), Tensor(), 48, BLOCK=16)
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm80")
    assert add.warmup(Tensor(), Tensor(), Tensor(), 48, BLOCK=16, grid=(1,)).metadata.target.arch == 80
