"""The runtime without a GPU: a driver that only writes down what it is asked for."""

import ctypes
import json
import struct
import threading

import numpy as np
import pytest

from ttkit.cuda import libcuda
from ttkit.cuda.device import _device, synchronize
from ttkit.runtime import ArgumentError, CompiledKernel, DeviceArray, DriverMissing, global_scratch
from ttkit.runtime.arguments import Packer, pointer

METADATA = {
    "name": "add",
    "num_warps": 4,
    "num_ctas": 1,
    "shared": 0,
    "parameters": ["!tt.ptr<f32>", "i32", "f32"],
    "target": {"backend": "cuda", "arch": 90, "warp_size": 32},
}


class FakeDriver:
    """Does what libcuda does, as far as this goes, on memory of the host."""

    def __init__(self):
        self.calls, self.codes, self.memory, self.launches = [], {}, {}, []
        self.attributes = {75: 9, 76: 0, 97: 227 * 1024}

    def __getattr__(self, name):
        if not name.startswith("cu"):
            raise AttributeError(name)

        def call(*arguments):
            self.calls.append(name)
            code = self.codes.get(name, 0)
            return code or getattr(self, f"do_{name}", lambda *_: None)(*arguments) or 0

        return call

    def do_cuCtxGetCurrent(self, out):
        out._obj.value = 77

    def do_cuDeviceGetAttribute(self, out, attribute, device):
        out._obj.value = self.attributes.get(attribute, 1)

    def do_cuPointerGetAttribute(self, out, attribute, address):
        return 1  # of the host

    def do_cuFuncGetAttribute(self, out, attribute, function):
        out._obj.value = 1024

    def do_cuModuleLoadData(self, out, data):
        out._obj.value = 5

    def do_cuModuleGetFunction(self, out, module, name):
        out._obj.value = 6

    def do_cuMemAlloc_v2(self, out, size):
        buffer = ctypes.create_string_buffer(size)
        self.memory[ctypes.addressof(buffer)] = buffer
        out._obj.value = ctypes.addressof(buffer)

    def do_cuMemFree_v2(self, address):
        del self.memory[address]

    def do_cuMemcpyHtoD_v2(self, target, source, size):
        ctypes.memmove(target, source, size)

    def do_cuMemcpyDtoH_v2(self, target, source, size):
        ctypes.memmove(target, source, size)

    def do_cuGetErrorName(self, code, out):
        out._obj.value = f"CUDA_ERROR_{code}".encode()

    def do_cuGetErrorString(self, code, out):
        out._obj.value = b"a reason"

    def do_cuLaunchKernel(self, function, *rest):
        *shape, stream, addresses, _ = rest
        self.launches.append((tuple(shape), stream, [ctypes.string_at(address, 8) for address in addresses]))

    def do_cuLaunchKernelEx(self, config, function, addresses, extra):
        found = config._obj
        attributes = {found.attributes[i].id: list(found.attributes[i].value)[:3] for i in range(found.attribute_count)}
        self.launches.append(((*found.grid, *found.block, found.shared), found.stream, attributes))


@pytest.fixture
def fake(monkeypatch):
    lib = FakeDriver()
    monkeypatch.setattr(libcuda, "library", lambda: lib)
    libcuda.RECENT.clear()
    _device.cache_clear()
    for allocator in global_scratch._defaults:
        monkeypatch.setattr(allocator, "_buffers", {})  # of this driver, which goes with the test
    yield lib
    _device.cache_clear()
    libcuda.RECENT.clear()


def read(place, code):
    """What lies at an address, or starts some bytes."""
    data = place if isinstance(place, bytes) else ctypes.string_at(place, 8)
    return struct.unpack_from(code, data)[0]


def test_a_launch_passes_grid_threads_and_arguments(fake):
    array = DeviceArray(np.arange(4, dtype=np.float32))
    CompiledKernel.from_cubin(b"ELF", METADATA)[(3, 2)](array, 7, 0.5, stream=99)
    ((shape, stream, passed),) = fake.launches
    assert shape == (3, 2, 1, 128, 1, 1, 0) and stream == 99
    assert [read(p, c) for p, c in zip(passed, "QifQQ")] == [array.data_ptr(), 7, 0.5, 0, 0]
    np.testing.assert_array_equal(array.numpy(), [0, 1, 2, 3])


def test_a_kernel_is_loaded_once(fake):
    kernel = CompiledKernel.from_cubin(b"ELF", METADATA)
    for _ in range(3):
        kernel[1](0, 1, 2.0)
    assert fake.calls.count("cuModuleLoadData") == 1 and len(fake.launches) == 3


def test_a_kernel_that_is_made_again_is_not_loaded_again(fake):
    """Modules stay until the process ends, so those of a cache that is cleared again and again would fill the GPU."""
    for code in (b"ELF", b"ELF", b"another"):
        CompiledKernel.from_cubin(code, METADATA)[1](0, 1, 2.0)
    assert fake.calls.count("cuModuleLoadData") == 2 and len(fake.launches) == 3


def test_an_empty_grid_launches_nothing(fake):
    CompiledKernel.from_cubin(b"ELF", METADATA)[(0, 4)](0, 1, 2.0)
    assert not fake.launches


def test_clusters_pdl_and_cooperation_are_launch_attributes(fake):
    options = {"num_ctas": 2, "launch_pdl": True, "launch_cooperative_grid": True}
    CompiledKernel.from_cubin(b"ELF", {**METADATA, **options})[(3,)](0, 1, 2.0)
    ((shape, _, attributes),) = fake.launches
    assert shape[:3] == (6, 1, 1)
    assert attributes[libcuda.CLUSTER_DIMENSION] == [2, 1, 1] and attributes[libcuda.CLUSTER_SCHEDULING][0] == 1
    assert attributes[libcuda.PROGRAMMATIC_SERIALIZATION][0] == 1 and attributes[libcuda.COOPERATIVE][0] == 1


def test_scratch_memory_grows_with_the_grid(fake):
    kernel = CompiledKernel.from_cubin(b"ELF", {**METADATA, "global_scratch_size": 256})
    for grid in (2, 8, 4):
        kernel[grid](0, 1, 2.0)
    assert [len(buffer) for buffer in fake.memory.values()] == [8 * 256]
    pointers = [read(passed[3], "Q") for _, _, passed in fake.launches]
    assert pointers[-1] in fake.memory


def test_shared_memory_above_48_kb_is_asked_for(fake):
    CompiledKernel.from_cubin(b"ELF", {**METADATA, "shared": 48 * 1024})[1](0, 1, 2.0)
    assert "cuFuncSetAttribute" not in fake.calls
    CompiledKernel.from_cubin(b"ELF", {**METADATA, "shared": 49 * 1024})[1](0, 1, 2.0)
    assert "cuFuncSetAttribute" in fake.calls


def test_too_much_shared_memory(fake):
    with pytest.raises(
        libcuda.OutOfResources, match="out of resource: shared memory, Required: 262144, Hardware limit"
    ):
        CompiledKernel.from_cubin(b"ELF", {**METADATA, "shared": 256 * 1024})[1](0, 1, 2.0)


def test_another_architecture(fake):
    fake.attributes[75] = 8
    with pytest.raises(libcuda.WrongArchitecture, match=r"kernel add was compiled for sm_90; .* is sm_80"):
        CompiledKernel.from_cubin(b"ELF", METADATA)[1](0, 1, 2.0)
    fake.attributes[75] = 9
    _device.cache_clear()
    fake.codes["cuModuleLoadData"] = 209
    with pytest.raises(libcuda.WrongArchitecture, match="kernel add: the GPU can't run this code"):
        CompiledKernel.from_cubin(b"ELF", METADATA)[1](0, 1, 2.0)


def test_a_fault_names_the_kernels_since_the_last_wait(fake):
    kernel, other = (
        CompiledKernel.from_cubin(b"ELF", METADATA),
        CompiledKernel.from_cubin(b"ELF", {**METADATA, "name": "other"}),
    )
    other[1](0, 1, 2.0)
    synchronize()
    kernel[1](0, 1, 2.0)
    fake.codes["cuCtxSynchronize"] = 700
    with pytest.raises(libcuda.KernelFault, match=r"^kernel add accessed memory out of bounds"):
        synchronize()
    other[1](0, 1, 2.0)
    with pytest.raises(libcuda.KernelFault, match="one of the kernels other, add"):
        synchronize()


def test_other_errors_of_a_launch(fake):
    for code, error, message in [
        (2, libcuda.DriverError, "kernel add: the GPU is out of memory"),
        (701, libcuda.DriverError, "kernel add: needs more registers"),
        (1, libcuda.DriverError, "kernel add: cuLaunchKernel: CUDA_ERROR_1, a reason"),
        (716, libcuda.KernelFault, "misaligned"),
    ]:
        fake.codes["cuLaunchKernel"] = code
        with pytest.raises(error, match=message):
            CompiledKernel.from_cubin(b"ELF", METADATA)[1](0, 1, 2.0)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((0, 1), "takes 3 arguments, found 2"),
        ((0, 1.5, 2.0), "argument 1 is a i32, found 1.5"),
        ((0, 2**32, 2.0), "argument 1 is a i32, which can't hold 4294967296"),
        (("x", 1, 2.0), "is a tensor on the GPU"),
    ],
)
def test_arguments_that_do_not_fit(fake, arguments, message):
    with pytest.raises(ArgumentError, match=f"kernel add: .*{message}"):
        CompiledKernel.from_cubin(b"ELF", METADATA)[1](*arguments)


def test_a_fourth_size_of_a_grid_is_1(fake):
    kernel = CompiledKernel.from_cubin(b"ELF", METADATA)
    kernel[2, 3, 4, 1](0, 1, 2.0)
    with pytest.raises(ArgumentError, match=r"found \(2, 3, 4, 5\): multiply two sizes, and divide tl.program_id"):
        kernel[2, 3, 4, 5](0, 1, 2.0)
    assert [tuple(shape[:3]) for shape, *_ in fake.launches] == [(2, 3, 4)]


@pytest.mark.parametrize("grid", [(), -1, (1, 70000), 2**31])
def test_impossible_grids(fake, grid):
    with pytest.raises(ArgumentError, match="a grid must have one to three sizes"):
        CompiledKernel.from_cubin(b"ELF", METADATA)[grid](0, 1, 2.0)


def test_every_type_of_parameter():
    packer = Packer(["i1", "bf16", "i8", "fp16", "i16", "fp64", "i32", "fp32", "i64", "*i8"])
    packer.pack([True, 3, 255, 0.5, 40000, 0.1, 2**32 - 1, 0.25, 2**64 - 1, None], 11, 12)
    codes = "BHbehdifqQQQ"
    found = [read(address, code) for address, code in zip(packer.addresses, codes)]
    assert found == [1, 0x4040, -1, 0.5, 40000 - 65536, 0.1, -1, 0.25, -1, 0, 11, 12]
    for address, code in zip(packer.addresses, codes):
        assert address % struct.calcsize(code) == 0


def test_types_that_are_not_known_come_from_the_values(fake):
    CompiledKernel.from_cubin(b"ELF", {**METADATA, "parameters": None})[1](2**40, 7, 0.5)
    ((_, _, passed),) = fake.launches
    assert [read(p, c) for p, c in zip(passed, "QifQQ")] == [2**40, 7, 0.5, 0, 0]


def test_pointers():
    class Torch:
        is_cuda = True

        def data_ptr(self):
            return 16

    class CuPy:
        __cuda_array_interface__ = {"data": (32, False)}

    class DLPack:
        def __init__(self):
            self.array = np.arange(4, dtype=np.int32)

        def __dlpack__(self, stream=None):
            return self.array.__dlpack__()

        def __dlpack_device__(self):
            return 2, 0

    packed = DLPack()
    assert [pointer(value) for value in (Torch(), CuPy(), np.int64(48), None)] == [16, 32, 48, 0]
    assert pointer(packed) == packed.array.ctypes.data


def test_launches_from_threads(fake):
    kernel = CompiledKernel.from_cubin(b"ELF", METADATA)
    seen = []
    fake.do_cuLaunchKernel = lambda f, *rest: seen.append(read(rest[-2][1], "i"))
    threads = [threading.Thread(target=lambda n=n: [kernel[1](0, n, 0.0) for _ in range(50)]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == sorted([0, 1, 2, 3] * 50)


def test_files_of_tt_compile(fake, tmp_path):
    (tmp_path / "k.cubin").write_bytes(b"ELF")
    (tmp_path / "k.json").write_text(json.dumps(METADATA))
    kernel = CompiledKernel.from_file(tmp_path / "k.cubin")
    assert (kernel.name, kernel.kernel) == ("add", b"ELF")
    assert kernel.resources()["max_threads"] == 1024


@pytest.mark.parametrize("change", [{"name": 5}, {"num_ctas": 0}, {"num_warps": None}, {"shared": -1}, {"target": {}}])
def test_a_file_with_other_metadata_is_refused(tmp_path, change):
    (tmp_path / "k.cubin").write_bytes(b"ELF")
    (tmp_path / "k.json").write_text(json.dumps({**METADATA, **change}))
    with pytest.raises(ValueError, match=rf"k.json is not the metadata of a kernel: it.*{next(iter(change))}"):
        CompiledKernel.from_file(tmp_path / "k.cubin")


def test_no_driver(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    libcuda.library.cache_clear()
    with pytest.raises(
        DriverMissing, match=r"no NVIDIA driver: .* TTKIT_DEVICE=interpret:sm_90 .* TTKIT_DEVICE=sm_90 "
    ):
        libcuda.library()
