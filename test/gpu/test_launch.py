"""Launching: pointers of other packages, streams, grids, resources; faults name the kernel."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from compiling import ADD, compile_kernel, source_of

from ttkit.runtime import CompiledKernel, Device, DeviceArray, WrongArchitecture

HERE = Path(__file__).parent


def numbers():
    return np.arange(256, dtype=np.float32), np.full(256, 2, np.float32)


def test_arrays_of_our_own(capability):
    x, y = numbers()
    out = DeviceArray(np.zeros(256, np.float32))
    compile_kernel(ADD, capability)[4](DeviceArray(x), DeviceArray(y), out, 250)
    np.testing.assert_array_equal(out.numpy(), np.where(np.arange(256) < 250, x + y, 0))


def test_tensors_of_torch_and_streams(capability):
    torch = pytest.importorskip("torch")
    x, y = (torch.from_numpy(array).cuda() for array in numbers())
    kernel = compile_kernel(ADD, capability)
    for stream in (None, torch.cuda.Stream()):
        out = torch.zeros_like(x)
        torch.cuda.synchronize()
        kernel[4](x, y, out, 256, stream=stream)
        torch.cuda.synchronize()
        assert torch.equal(out, x + y)


def test_the_current_stream_of_torch_is_used_in_graphs(capability):
    torch = pytest.importorskip("torch")
    x, y = (torch.from_numpy(array).cuda() for array in numbers())
    out, kernel = torch.zeros_like(x), compile_kernel(ADD, capability)
    kernel[4](x, y, out, 256)
    out.zero_()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kernel[4](x, y, out, 256)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, x + y)


def test_dlpack_of_torch(capability):
    torch = pytest.importorskip("torch")

    class Packed:
        def __init__(self, tensor):
            self.__dlpack__, self.__dlpack_device__ = tensor.__dlpack__, tensor.__dlpack_device__

    x, y = (torch.from_numpy(array).cuda() for array in numbers())
    out = torch.zeros_like(x)
    compile_kernel(ADD, capability)[4](Packed(x), Packed(y), Packed(out), 256)
    torch.cuda.synchronize()
    assert torch.equal(out, x + y)


def test_a_grid_of_three_dimensions(capability):
    source, warps = source_of("scalar_only")
    kernel = compile_kernel(source, capability, num_warps=warps)
    values, out = np.zeros(32, np.int32), DeviceArray(np.zeros(1, np.int32))
    values[13] = 99
    kernel[4, 3, 2](DeviceArray(values), out, 4)
    assert out.numpy()[0] == 99


def test_pdl_and_cooperative_launches(capability):
    x, y = numbers()
    for option in ("launch_pdl", "launch_cooperative_grid"):
        if option == "launch_pdl" and capability < 90:
            continue
        out = DeviceArray(np.zeros(256, np.float32))
        compile_kernel(ADD, capability, **{option: True})[4](DeviceArray(x), DeviceArray(y), out, 256)
        np.testing.assert_array_equal(out.numpy(), x + y)


def test_clusters(capability):
    if capability < 90:
        pytest.skip("clusters are of sm_90")
    x, y = numbers()
    out = DeviceArray(np.zeros(256, np.float32))
    compile_kernel(ADD, capability, num_ctas=2)[4](DeviceArray(x), DeviceArray(y), out, 256)
    np.testing.assert_array_equal(out.numpy(), x + y)


def test_resources(capability):
    found = compile_kernel(ADD, capability).resources()
    assert 0 < found["registers"] < 64 and found["local"] == 0 and found["shared"] == 0
    assert found["max_threads"] >= 128 and found["programs_per_multiprocessor"] > 0
    assert Device.current().properties["warpSize"] == 32


def test_a_kernel_for_another_gpu(capability):
    other = 80 if capability != 80 else 90
    kernel = compile_kernel(ADD, other)
    with pytest.raises(WrongArchitecture, match=f"add was compiled for sm_{other}"):
        kernel[1](0, 0, 0, 0)
    target = {"backend": "cuda", "arch": capability, "warp_size": 32}  # the driver itself refuses it
    kernel = CompiledKernel.from_cubin(kernel.kernel, {**kernel.metadata._asdict(), "target": target})
    with pytest.raises(WrongArchitecture, match="add: the GPU can't run this code"):
        kernel[1](0, 0, 0, 0)


def test_an_illegal_address_names_the_kernel(capability):
    program = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from compiling import ADD, compile_kernel
from ttkit.runtime import KernelFault
kernel = compile_kernel(ADD, {capability})
kernel[4](64, 64, 64, 256)
try:
    kernel.synchronize()
except KernelFault as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "kernel add accessed memory out of bounds" in done.stdout, done.stderr


def test_tt_run_on_the_gpu_compares_with_the_interpreter(tmp_path):
    (tmp_path / "add.ttir").write_text(ADD)
    arguments = "--grid 4 --arg rand:256 --arg rand:256 --arg zeros:256 --arg 250 --device cuda --compare".split()
    command = [sys.executable, "-m", "ttkit.drivers.run", str(tmp_path / "add.ttir"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "out: equal" in done.stdout
