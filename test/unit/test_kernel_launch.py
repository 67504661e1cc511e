"""`kernel[grid](...)` without a GPU: what the driver is asked for."""

import ctypes
import gc
import inspect
import json
import re
import struct
import sys
import threading
import types

import launched_kernels as kernels
import numpy as np
import pytest
from launched_kernels import Tensor, add, applied, calls_double, copy_blocks, fill, numbers, scaled

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.cuda import libcuda
from ttkit.cuda.device import forget_driver
from ttkit.notices import NOTICES
from ttkit.runtime import (
    ArgumentError,
    DriverMissing,
    KernelFault,
    MockTensor,
    OutOfResources,
    TensorDescriptor,
    WrongArchitecture,
    driver,
    native,
    reinterpret,
    set_allocator,
)
from ttkit.runtime.parameters import descriptor_values


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def forget_kernels():
    """Other tests launched them on GPUs that are gone."""
    for kernel in KERNELS:
        kernel.device_caches.clear()


@pytest.fixture(params=["native", "python"])
def way(request, monkeypatch):
    """Launches from the native dispatcher, or in Python alone."""
    if request.param == "native":
        if native.extension() is None:
            pytest.skip("the launcher was not built")
    else:
        for kernel in KERNELS:
            launches = kernel.launches
            monkeypatch.setattr(launches, "bind", launches._bind)
            monkeypatch.setattr(launches, "launch", launches._launch_in_python)
    return request.param


def twice(launch):
    """Launches compiled just now, and found again: by the native dispatcher, if it is in use."""
    launch()
    return launch()


KERNELS = (add, fill, copy_blocks, numbers, applied, calls_double, scaled)


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
    other = add[(1,)](Tensor(address=4), Tensor(), Tensor(), 48, BLOCK=16)
    assert other is not first and len(gpu.launches) == 3
    assert gpu.loads == len({first.asm["cubin"], other.asm["cubin"]})


def test_tuples_defaults_and_annotated_types(gpu, way):
    gpu.expect(8, 4, 1, 4, 8, 2)
    twice(lambda: fill[(1,)](Tensor(), 5.5, True, (3, (1 << 40, 1))))
    for launch in gpu.launches:
        assert struct.unpack("<Qf?xxxiqe", pad(launch.arguments)) == (4096, 5.5, True, 3, 1 << 40, 2.0)


def pad(arguments):
    """With the three bytes between a bool and an int that a struct has."""
    return arguments[:13] + bytes(3) + arguments[13:]


NUMBERS = [
    (-128, 65535, -(1 << 63), (1 << 64) - 1, 65504.0, 3.0, 1e300),
    (127, 0, (1 << 63) - 1, 0, 2.0**-24, -1.0, -0.0),
    (-1, 1, 1, 1, 1, 2, 3),
    (True, False, True, 1 << 63, 1.0009765625, 1.00390625, np.float32(0.1)),
    (np.int8(-3), np.int64(7), np.uint8(9), np.uint64(1 << 63), np.float16(2), np.float64(0.3), np.int32(5)),
]


@pytest.mark.parametrize("values", NUMBERS)
def test_numbers(gpu, way, values):
    import ml_dtypes

    gpu.expect(8, 1, 2, 8, 8, 2, 2, 8)
    twice(lambda: numbers[(1,)](Tensor(), *values))
    kinds = (np.int8, np.uint16, np.int64, np.uint64, np.float16, ml_dtypes.bfloat16, np.float64)
    expected = b"".join(np.array(value).astype(kind).tobytes() for value, kind in zip(values, kinds))
    for launch in gpu.launches:
        assert launch.arguments[8:] == expected


def test_rounding_of_narrow_floats(gpu, way):
    import ml_dtypes

    gpu.expect(8, 1, 2, 8, 8, 2, 2)
    values = [
        0.0,
        -0.0,
        1e-8,
        5.96e-8,
        2.98e-8,
        65519.0,
        65520.0,
        1e39,
        float("inf"),
        -float("inf"),
        1 / 3,
        1.00048828125,
    ]
    values += [float(x) for x in np.random.default_rng(0).standard_normal(40) * 10.0 ** np.arange(-20, 20)]
    for value in map(np.float64, values):
        numbers[(1,)](Tensor(), 1, 1, 1, 1, value, value, 1.0)
        half, brain = gpu.launches[-1].arguments[27:29], gpu.launches[-1].arguments[29:31]
        with np.errstate(over="ignore"):
            assert half == value.astype(np.float16).tobytes(), value
            assert brain == value.astype(ml_dtypes.bfloat16).tobytes(), value


@pytest.mark.parametrize(
    "values, message",
    [
        ((128 + 128, 0, 0, 0, 0.0, 0.0, 0.0), r"kernel numbers: argument 1 is a i8, which can't hold 256"),
        ((0, 0, 1.5, 0, 0.0, 0.0, 0.0), r"kernel numbers: argument 3 is a i64, found 1.5"),
        ((0, 0, 0, 0, "x", 0.0, 0.0), r"kernel numbers: argument 5 is a fp16, found 'x'"),
    ],
)
def test_numbers_that_do_not_fit(gpu, way, values, message):
    numbers[(1,)](Tensor(), 0, 0, 0, 0, 0.0, 0.0, 0.0)
    with pytest.raises(ArgumentError, match=message):
        numbers[(1,)](Tensor(), *values)


def test_unsigned_and_large_integers(gpu, way):
    gpu.expect(8, 8)
    for value in (1 << 31, -(1 << 40), (1 << 64) - 1):
        twice(lambda value=value: scaled[(1,)](Tensor(), value))
        assert {launch.arguments[8:] for launch in gpu.launches[-2:]} == {(value % (1 << 64)).to_bytes(8, "little")}


def test_constants(gpu, way):
    """Any constant: what means the same shares a kernel, what does not does not."""
    launched = [
        twice(lambda: applied[(1,)](Tensor(), kernels.double, tl.float32, None)),
        applied[(1,)](Tensor(), kernels.triple, tl.float32, None),
        applied[(1,)](Tensor(), kernels.double, tl.float16, None),
        applied[(1,)](Tensor(), kernels.double, tl.float16, 1),
        applied[(1,)](Tensor(), kernels.double, tl.float16, tl.constexpr(1)),
        applied[(1,)](Tensor(), kernels.double, tl.float16, kernels.triple),
        scaled[(1,)](Tensor(), 5, 1),
        scaled[(1,)](Tensor(), 5, True),
        scaled[(1,)](Tensor(), 5, 1.0),
        scaled[(1,)](Tensor(), 5, -0.0),
        scaled[(1,)](Tensor(), 5, 0.0),
        scaled[(1,)](Tensor(), 5, "relu"),
        scaled[(1,)](Tensor(), 5, (1, 2)),
        scaled[(1,)](Tensor(), 5, (True, 2)),
        scaled[(1,)](Tensor(), 5, tl.float32),
    ]
    assert len(set(map(id, launched))) == len(launched)
    assert scaled[(1,)](Tensor(), n=7, do_not=(1, 2)) is launched[12]
    assert scaled[(1,)](Tensor(), 7) is launched[6]


@pytest.mark.parametrize(
    "function, extra",
    [
        (kernels.double, None),
        (tl.constexpr(kernels.double), None),
        (kernels.triple, kernels.double),
        (kernels.triple, (kernels.double, 1)),
    ],
    ids=["constant", "constexpr", "argument", "tuple"],
)
def test_functions_whose_source_was_replaced(gpu, way, function, extra):
    """A kernel that gets a function is compiled anew; and not for another function with the source of before."""
    launch = lambda: applied[(1,)](Tensor(), function, tl.float32, extra)
    before, source = twice(launch), kernels.double.src
    try:
        kernels.double._unsafe_update_src(source.replace("* 2", "* 7"))
        changed = twice(launch)
        assert changed.hash != before.hash
    finally:
        kernels.double._unsafe_update_src(source)
    assert twice(launch).hash == before.hash


def test_callers_of_functions_whose_source_was_replaced(gpu, way):
    launch = lambda: calls_double[(1,)](Tensor(), 5)
    before, source = twice(launch), kernels.double.src
    try:
        kernels.double._unsafe_update_src(source.replace("* 2", "* 7"))
        changed = twice(launch)
        assert changed is not before and "7 : i32" in changed.asm["ttir"]
        own = calls_double.src
        calls_double._unsafe_update_src(own.replace("tl.store(out", "tl.store(out + 1"))
        assert twice(launch) is not changed
        calls_double._unsafe_update_src(own)
        assert twice(launch) is changed
    finally:
        kernels.double._unsafe_update_src(source)


def test_options_are_part_of_the_key(gpu, way):
    made = [add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=32, num_warps=warps) for warps in (1, 2, 1, 2)]
    assert made[0] is made[2] is not made[1] is made[3]
    assert [launch.block[0] for launch in gpu.launches] == [32, 64, 32, 64]


def test_launch_attributes(gpu, way):
    options = {"num_ctas": 2, "launch_pdl": True, "launch_cooperative_grid": True}
    twice(lambda: add[(5,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=512, **options))
    for launch in gpu.launches:
        assert launch.grid == (10, 1, 1)
        assert launch.attributes[libcuda.CLUSTER_DIMENSION][:3] == [2, 1, 1]
        assert launch.attributes[libcuda.CLUSTER_SCHEDULING][0] == libcuda.SPREAD
        assert launch.attributes[libcuda.PROGRAMMATIC_SERIALIZATION][0] == 1
        assert launch.attributes[libcuda.COOPERATIVE][0] == 1


@pytest.mark.parametrize(
    "grid",
    [
        (3,),
        (3, 4),
        (3, 4, 5),
        [3, 4],
        7,
        np.int64(7),
        np.array([3, 4]),
        lambda meta: (meta["n"], 2),
        lambda meta: [meta["BLOCK"]],
    ],
)
def test_grids(gpu, way, grid):
    twice(lambda: add[grid](Tensor(), Tensor(), Tensor(), 9, BLOCK=16))
    sizes = grid({"n": 9, "BLOCK": 16}) if callable(grid) else np.atleast_1d(grid)
    assert {launch.grid for launch in gpu.launches} == {(*sizes, 1, 1)[:3]} and len(gpu.launches) == 2


def test_empty_and_impossible_grids(gpu, way):
    launch = lambda grid: add[grid](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    launch((1,))
    launch((0,)), launch((4, 0))
    assert len(gpu.launches) == 1
    for grid in ((-1,), (1, 65536), (1, 1, 65536), (1 << 31,), (), (1, 1, 65536, 1), (1.5,), "x", 2.0):
        with pytest.raises(ArgumentError, match="kernel add: a grid must have one to three sizes up to"):
            launch(grid)
    for grid, advice in (
        ((2.0,), "such as cdiv"),
        ((2, None), "integers$"),
        ({2: 3}, "pass a tuple"),
        ((1, 1, 1, 2), "multiply two sizes"),
    ):
        with pytest.raises(ArgumentError, match=advice):
            launch(grid)
    with pytest.raises(TypeError, match="add has no grid"):
        launch(None)


class Descriptors:
    """Tensors, as a `TensorDescriptor` wants them."""

    @staticmethod
    def make(address=4096, padding="zero"):
        base = Tensor("torch.float16", address)
        return TensorDescriptor(base, [1000, 512], [512, 1], [64, 32], padding)


def test_descriptors_as_pointers(gpu, way):
    """Before sm_90."""
    gpu.limits(capability=80)
    forget_driver()
    sizes = (8, 8, 8, 8, 8, 1, 4, 4, 8, 8)
    gpu.expect(*sizes, *sizes)
    twice(lambda: copy_blocks[(16, 16)](Descriptors.make(), Descriptors.make(8192, "nan"), ROWS=64, COLUMNS=32))
    for launch in gpu.launches:
        first, second = (struct.unpack("<QqqqqBxxxiixxxxqq", spread(launch.arguments[at : at + 65])) for at in (0, 65))
        assert first == (4096, 1000, 512, 512, 1, 0, 1000, 512, 512, 1)
        assert second == (8192, 1000, 512, 512, 1, 1, 1000, 512, 512, 1)


def spread(arguments):
    return arguments[:41] + bytes(3) + arguments[41:49] + bytes(4) + arguments[49:]


def test_descriptors_with_tensor_maps(gpu, way):
    gpu.expect(128, 4, 4, 8, 8, 128, 4, 4, 8, 8)
    twice(lambda: copy_blocks[(16, 16)](Descriptors.make(), Descriptors.make(8192, "nan"), ROWS=64, COLUMNS=32))
    assert gpu.tensor_maps == 4
    for launch in gpu.launches:
        words = struct.unpack("<16Q", launch.arguments[:128])
        assert words[1:6] == (6, 2, 4096, 2, 0) and words[6:8] == (512, 1000) and words[9:11] == (32, 64)
        assert struct.unpack("<iiqq", launch.arguments[128:152]) == (1000, 512, 512, 1)
        assert struct.unpack("<16Q", launch.arguments[152:280])[3:6] == (8192, 2, 1)


def test_descriptors_that_round_to_tf32(gpu, way, capsys):
    """A type of the tensor map; before sm_90 there is none."""
    made = TensorDescriptor(Tensor("torch.float32", 4096), [1000, 512], [512, 1], [64, 32], round_f32_to_tf32=True)
    gpu.expect(128, 4, 4, 8, 8)
    twice(lambda: copy_blocks[(16, 16)](made, made, ROWS=64, COLUMNS=32))
    assert [struct.unpack("<2Q", launch.arguments[:16])[1] for launch in gpu.launches] == [11, 11]
    NOTICES.forget()
    descriptor_values(made, None)
    assert "round_f32_to_tf32 of tensor descriptors has no effect" in capsys.readouterr().err


def test_tensors_of_other_types(gpu, way):
    gpu.expect(8, 8, 8, 4)
    half = reinterpret(Tensor("torch.int16"), "torch.float16")

    class Cupy:
        dtype = np.dtype("float16")
        data = type("Memory", (), {"ptr": 8192})()

    class Cuda:
        __cuda_array_interface__ = {"data": (12288, False), "typestr": "<f2", "shape": (3,), "version": 3}

    kernel = add[(1,)](half, Cupy(), Cuda(), 9, BLOCK=16)
    assert add[(1,)](Tensor("torch.float16"), Cupy(), Cuda(), 9, BLOCK=16) is kernel
    assert {launch.arguments for launch in gpu.launches} == {struct.pack("<QQQi", 4096, 8192, 12288, 9)}


def test_numpy_arrays(gpu, way):
    """They are on the GPU while the kernel runs: with their strides, and sharing what they share."""
    base = np.arange(1000, dtype=np.float32)
    first, second, third = base[10:500:2], base[400:20:-1], np.zeros(7, np.float32)
    constant = np.ones(3, np.float32)
    constant.flags.writeable = False
    gpu.expect(8, 8, 8, 4)
    twice(lambda: add[(1,)](first, second, third, 9, BLOCK=16))
    for launch in gpu.launches:
        x, y, out, _ = struct.unpack("<QQQi", launch.arguments)
        assert y - x == second.ctypes.data - first.ctypes.data and not x <= out < x + first.strides[0] * len(first)
        assert x % 256 == first.ctypes.data % 256 and out % 256 == third.ctypes.data % 256
    add[(1,)](constant, np.zeros(0, np.float32), third, 9, BLOCK=16)
    assert struct.unpack("<QQQi", gpu.launches[-1].arguments)[1] == 0


def test_numpy_arrays_get_what_the_kernel_wrote(gpu):
    from ttkit.runtime.host_arrays import HostArrays, byte_bounds

    base = np.arange(24, dtype=np.int16).reshape(4, 6)
    every_second, constant = base[::-1, ::2], np.arange(5)
    kept = base[:, 1::2].copy()
    arrays = HostArrays((every_second, 3, (constant,)), ("*i16", "i32", ("*ki64",)))
    (address, three, (other,)) = arrays.on_gpu((every_second, 3, (constant,)))
    low, high = byte_bounds(every_second)
    assert three == 3 and other % 256 == constant.ctypes.data % 256 and high - low == 46
    ctypes.memset(address - (every_second.ctypes.data - low), 0x11, high - low)
    ctypes.memset(other, 0x11, 40)
    arrays.copy_back(0)
    assert (every_second == 0x1111).all() and (base[:, 1::2] == kept).all() and (constant == np.arange(5)).all()


def test_memory_of_the_host(gpu, way):
    add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    gpu.lib.fake_host(1 << 20, 1 << 21)
    tensor = Tensor(address=1 << 20)
    tensor.is_cuda = False
    with pytest.raises(
        ArgumentError, match=r"kernel add: .* cannot be accessed from Triton \(cpu tensor\?\): .* \.cuda\(\)"
    ):
        add[(1,)](Tensor(), tensor, Tensor(), 9, BLOCK=16)
    assert len(gpu.launches) == 1


def test_memory_of_another_gpu(gpu, way):
    launch = lambda tensor: add[(1,)](Tensor(), tensor, Tensor(), 9, BLOCK=16)
    elsewhere = Tensor(address=1 << 20)
    elsewhere.device = types.SimpleNamespace(type="cuda", index=1)
    twice(lambda: launch(elsewhere))  # GPU 0 reaches it
    gpu.lib.fake_host(1 << 20, 1 << 21)
    with pytest.raises(
        ArgumentError, match=r"Pointer argument \(at 1\) cannot be .* GPU 0, .* is on GPU 1: .*device\(1\)"
    ):
        launch(elsewhere)
    assert len(gpu.launches) == 2


def test_hooks(gpu, way):
    told = []
    enter, leave = (lambda lazy: told.append(("enter", lazy.get()))), (lambda lazy: told.append(("exit", lazy.get())))
    launch = lambda: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    kernel = twice(launch)
    with knobs.runtime.scope():
        knobs.runtime.launch_enter_hook.add(enter)
        knobs.runtime.launch_exit_hook.add(leave)
        launch()
        knobs.runtime.launch_enter_hook.remove(enter)
        knobs.runtime.launch_exit_hook.remove(leave)
    launch()
    assert [kind for kind, _ in told] == ["enter", "exit"] and len(gpu.launches) == 4
    assert told[0][1] == {"name": "add", "function": kernel.function, "stream": 0}


def test_kernels_that_nobody_holds_are_told(gpu):
    """With the handles that loading told; the module stays."""
    loaded, gone = [], []
    gc.collect()  # those of other tests
    with knobs.runtime.scope():
        knobs.runtime.kernel_load_end_hook.add(lambda *told: loaded.append(told))
        knobs.runtime.kernel_unload_hook.add(lambda *told: gone.append(told))
        add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
        gc.collect()
        assert len(loaded) == 1 and loaded[0][2] == "add" and not gone
        add.device_caches.clear()
        gc.collect()
    assert gone == loaded


def test_pre_run_hooks(gpu, way):
    seen = []
    launch = lambda: scaled[(1,)](Tensor(), n=5)
    twice(launch)
    scaled.add_pre_run_hook(lambda *args, **kwargs: seen.append(kwargs["n"]))
    try:
        twice(launch)
    finally:
        scaled.pre_run_hooks.clear()
    launch()
    assert seen == [5, 5]


class Traced(ttkit.JITFunction):
    def run(self, *args, grid, warmup, **kwargs):
        self.seen.append((grid, warmup, sorted(kwargs)))
        return super().run(*args, grid=grid, warmup=warmup, **kwargs)


def test_another_run_is_called(gpu, way, monkeypatch):
    seen = []
    launch = lambda kernel=scaled: kernel[(1,)](Tensor(), n=5)
    expected = ((1,), False, ["n"])
    twice(launch)

    def traced(self, *args, grid, warmup, **kwargs):
        seen.append((grid, warmup, sorted(kwargs)))
        return run(self, *args, grid=grid, warmup=warmup, **kwargs)

    of_subclass = Traced(scaled.fn)
    of_subclass.seen = seen
    launch(of_subclass)
    assert seen == [expected]
    run = ttkit.JITFunction.run
    with monkeypatch.context() as patch:
        patch.setattr(ttkit.JITFunction, "run", traced)
        twice(launch)
        launch(of_subclass)
    assert seen == [expected] * 5
    scaled.run = traced.__get__(scaled)
    twice(launch)
    del scaled.run
    assert seen == [expected] * 7
    count = len(gpu.launches)
    twice(launch)
    launch(ttkit.JITFunction(scaled.fn))
    assert seen == [expected] * 7 and len(gpu.launches) == count + 3


def test_what_was_compiled_with_changes(gpu, way, monkeypatch):
    twice(lambda: scaled[(1,)](Tensor(), 5))
    monkeypatch.setattr(kernels, "SCALE", tl.constexpr(3))  # the same
    twice(lambda: scaled[(1,)](Tensor(), 5))
    monkeypatch.setattr(kernels, "SCALE", tl.constexpr(4))
    with pytest.raises(RuntimeError, match="Global variable SCALE has changed since we compiled this kernel, from"):
        scaled[(1,)](Tensor(), 5)


def test_debug_is_a_knob(gpu, way):
    launch = lambda: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    plain = twice(launch)
    with knobs.runtime.scope():
        knobs.runtime.debug = True
        assert twice(launch).metadata.debug and launch() is not plain
    assert twice(launch) is plain


def test_changed_pipeline(gpu, way):
    from ttkit import pipelines

    launch = lambda: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    plain = twice(launch)
    with pipelines.skip("tritongpu-optimize-thread-locality"):
        changed = twice(launch)
        assert changed is not plain
    assert twice(launch) is plain
    with pipelines.Plan().skip("tritongpu-optimize-thread-locality").here():
        assert twice(launch) is changed


def test_clearing_caches(gpu, way):
    launch = lambda: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    plain = twice(launch)
    add.device_caches.clear()
    assert twice(launch) is not plain
    device = driver.active.get_current_device()
    again = launch()
    add.device_caches[device][0].clear()
    assert launch() is not again


def test_devices(gpu, way):
    launch = lambda: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    first = twice(launch)
    driver.active.set_current_device(1)
    second = twice(launch)
    driver.active.set_current_device(0)
    launch()
    assert first is not second and [launch.context for launch in gpu.launches] == [
        0xC000,
        0xC000,
        0xC001,
        0xC001,
        0xC000,
    ]


def test_threads(gpu, way):
    """Each thread has a context of its own; what they launch does not mix."""
    gpu.expect(8, 8, 8, 4)
    errors = []

    def run(number):
        try:
            for index in range(50):
                address = 16 * (1000 * number + index)
                add[(number + 1,)](Tensor(address=address), Tensor(), Tensor(), 16 * index + 3, BLOCK=16)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and gpu.loads == 1
    found = sorted((launch.grid[0] - 1, *struct.unpack("<QQQi", launch.arguments)[::3]) for launch in gpu.launches)
    assert found == sorted((number, 16 * (1000 * number + i), 16 * i + 3) for number in range(8) for i in range(50))


def test_scratch_memory(gpu, way):
    kernel = add.warmup(MockTensor("torch.float32"), Tensor(), Tensor(), 9, BLOCK=16, grid=(1,))
    kernel.metadata = kernel.metadata._replace(
        global_scratch_size=64, global_scratch_align=128, profile_scratch_size=32
    )
    asked = []

    def allocate(size, alignment, stream):
        asked.append((size, alignment, stream))
        return Tensor(address=1 << 20)

    gpu.expect(8, 8, 8, 4, 8, 8)
    set_allocator(allocate)
    try:
        twice(lambda: add[(3, 2)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16))
    finally:
        set_allocator(None)
    assert asked == [(64 * 6, 128, 0)] * 2
    for launch in gpu.launches:
        scratch, profile = struct.unpack("<QQ", launch.arguments[28:])
        assert scratch == 1 << 20 and profile not in (0, scratch)


def test_cache_hooks_and_preload(gpu):
    told = []
    with knobs.runtime.scope():
        knobs.runtime.jit_cache_hook = lambda **told_of: told.append(told_of)
        knobs.runtime.jit_post_compile_hook = lambda **told_of: told.append(told_of)
        kernel = add[(1,)](Tensor(), Tensor(), Tensor(), 48, BLOCK=16)
        add.device_caches.clear()
        knobs.runtime.jit_cache_hook = lambda **_: True
        assert add.warmup(Tensor(), Tensor(), Tensor(), 48, BLOCK=16, grid=(1,)) is None
    assert len(told) == 2 and told[0]["fn"].name == "add" and not told[0]["is_manual_warmup"]
    data = told[0]["compile"]["specialization_data"]
    assert json.loads(data)["signature"] == {
        "x": "*fp32",
        "y": "*fp32",
        "out": "*fp32",
        "n": "i32",
        "BLOCK": "constexpr",
    }
    preloaded = add.preload(data)
    assert preloaded.hash == kernel.hash
    assert add[(1,)](Tensor(), Tensor(), Tensor(), 48, BLOCK=16) is preloaded
    found = json.loads(data)
    with pytest.raises(ValueError, match="an integer of 31 bits"):
        add.preload(json.dumps({**found, "constant_keys": [[1 << 70]] * len(found["constant_keys"])}))
    with pytest.raises(RuntimeError, match=r"Specialization data is for .*add but trying to preload for .*scaled"):
        scaled.preload(data)
    for damaged in ("[]", "{}", data.replace('"constant_keys": [', '"constant_keys": [5, ')):
        with pytest.raises(ValueError, match=r"must be|has no"):
            add.preload(damaged)
    for paths in ([], [[]], [[9]]):
        with pytest.raises(ValueError, match="constant_keys must have the path of a parameter"):
            add.preload(json.dumps({**found, "constant_keys": paths, "constant_vals": [16]}))


@ttkit.jit
def doubled_rows(x, out, rows, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    place = tl.arange(0, BLOCK)
    for row in tl.range(rows, num_stages=STAGES):
        tl.store(out + row * BLOCK + place, tl.load(x + row * BLOCK + place) * 2)


def test_too_many_stages(gpu):
    launch = lambda stages: doubled_rows[(1,)](Tensor(), Tensor(), 16, BLOCK=8192, STAGES=stages)
    launch(3)
    too_much = pytest.raises(
        OutOfResources, match=r"out of resource: shared memory, Required: 294912, Hardware limit: 2"
    )
    with too_much as raised:
        launch(10)
    assert raised.value.__cause__ is None and raised.value.__context__ is None  # one error, not three
    first = inspect.getsourcelines(doubled_rows.fn)[1]
    place = re.search(r"the largest part, \d+ bytes, is at .*test_kernel_launch.py:(\d+)$", str(raised.value))
    assert place is not None and first < int(place[1]) < first + 6
    compiled = doubled_rows.warmup(Tensor(), Tensor(), 16, BLOCK=8192, STAGES=10, grid=(1,))
    assert compiled.metadata.shared == 294912
    with too_much:
        compiled[(1,)](Tensor(), Tensor(), 16)


def test_errors_of_the_gpu(gpu, way):
    launch = lambda **options: add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16, **options)
    with pytest.raises(OutOfResources, match="out of resource: threads, Required: 2048, Hardware limit: 1024"):
        launch(num_warps=64)
    gpu.limits(threads=128)
    with pytest.raises(OutOfResources, match="out of resource: threads, Required: 256, Hardware limit: 128"):
        launch(num_warps=8)
    gpu.limits()
    twice(launch)
    gpu.fail("cuLaunchKernel", 700)
    with pytest.raises(KernelFault, match=r"^kernel add accessed memory out of bounds"):
        launch()
    gpu.fail("cuLaunchKernel", 701)
    with pytest.raises(RuntimeError, match="kernel add: needs more registers or threads"):
        launch()
    gpu.fail("cuModuleLoadData", 209)
    with pytest.raises(WrongArchitecture, match="kernel add: the GPU can't run this code"):
        launch(num_warps=2)


def test_kernel_of_another_gpu(gpu):
    kernel = add[(1,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    gpu.limits(capability=80)
    forget_driver()
    driver.active.set_current_device(1)
    with pytest.raises(WrongArchitecture, match="kernel add was compiled for sm_90; device 1 is sm_80"):
        kernel[(1,)](Tensor(), Tensor(), Tensor(), 9)


def test_compiled_kernels_launch_themselves(gpu):
    gpu.expect(8, 8, 8, 4)
    kernel = add.warmup(Tensor(), Tensor(), Tensor(), 9, BLOCK=16, grid=(1,))
    assert kernel.module is None
    kernel[(2,)](Tensor(), Tensor(), Tensor(), 9, 16, stream=5)
    kernel[(2,)](Tensor(), Tensor(), Tensor(), 9, stream=5)
    assert [(launch.grid, launch.stream) for launch in gpu.launches] == [((2, 1, 1), 5)] * 2
    assert len({launch.arguments for launch in gpu.launches}) == 1 and kernel.module is not None


def test_another_driver(gpu, way):
    """`driver.set_active` takes any object with the methods of Triton's drivers."""
    launched = []

    class Other(type(driver.default)):
        def launcher_cls(self, source, metadata):
            return lambda *arguments: launched.append(arguments)

    launch = lambda: add[(4,)](Tensor(), Tensor(), Tensor(), 9, BLOCK=16)
    twice(launch)
    driver.set_active(Other())
    try:
        add.device_caches.clear()
        twice(launch)
    finally:
        driver.reset_active()
    add.device_caches.clear()
    launch()
    assert len(launched) == 2 and launched[0][:3] == (4, 1, 1) and len(gpu.launches) == 3


def test_nothing_leaks(gpu):
    if native.extension() is None:
        pytest.skip("the launcher was not built")
    tensors = [Tensor() for _ in range(3)]
    launch = lambda: add[(1,)](*tensors, 9, BLOCK=16)
    kernel = twice(launch)
    for _ in range(20):  # the last few kernels are kept
        launch()
    gc.collect()
    counted = [*tensors, kernel]
    before = [sys.getrefcount(each) for each in counted]
    for _ in range(200):
        launch()
    assert [sys.getrefcount(each) for each in counted] == before


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


def test_a_forked_process_knows_that_there_is_a_gpu(gpu):
    from ttkit.cuda import libcuda
    from ttkit.runtime import driver

    gpu.fail("cuInit", libcuda.NOT_INITIALIZED)
    assert driver.active.is_active()
    with pytest.raises(libcuda.DriverForked, match="forked"):
        libcuda.library()
    gpu.reset()
