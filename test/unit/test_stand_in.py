"""TTKIT_DEVICE: launches without a GPU, which compile a kernel, and run what it is compiled to."""

import subprocess
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit import knobs
from ttkit.interpreter.errors import OutOfBounds
from ttkit.interpreter.numerics.rounding import round_to_tf32
from ttkit.interpreter.python_mode.kernel import InterpretedFunction
from ttkit.notices import NOTICES
from ttkit.runtime import ArgumentError, OutOfResources, TensorDescriptor, driver
from ttkit.runtime.stand_in import registers_of


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "stand_in"))


@pytest.fixture
def device(monkeypatch):
    """Sets TTKIT_DEVICE."""

    def use(text: str) -> None:
        monkeypatch.setenv("TTKIT_DEVICE", text)
        driver.reset_active()
        for kernel in KERNELS:
            kernel.device_caches.clear()

    yield use
    monkeypatch.delenv("TTKIT_DEVICE", raising=False)
    driver.reset_active()


@ttkit.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets, mask=inside) + tl.load(y_ptr + offsets, mask=inside), inside)


@ttkit.jit
def scalars(out_ptr, whole, wide, real, flag, pair, nothing, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    first, second = pair
    value = whole + wide + real + flag + second
    if nothing is None:
        value += 1
    tl.store(out_ptr + offsets, value + tl.load(first + offsets))


@ttkit.jit
def multiply(a, b, out_ptr, SIZE: tl.constexpr):
    product = tl.dot(a.load([0, 0]), b.load([0, 0]))
    rows, columns = tl.arange(0, SIZE)[:, None], tl.arange(0, SIZE)[None, :]
    tl.store(out_ptr + rows * SIZE + columns, product)


@ttkit.autotune([ttkit.Config({"BLOCK": 64}), ttkit.Config({"BLOCK": 128})], key=["n"])
@ttkit.jit
def double(x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(x_ptr + offsets + n, 2 * value, mask=offsets < n)


@ttkit.jit
def reversed_copy(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + (BLOCK - 1 - offsets), tl.load(x_ptr + offsets))


KERNELS = (add, scalars, multiply, double.fn, reversed_copy)


def arrays(count: int = 1000) -> tuple[np.ndarray, ...]:
    x = np.arange(count, dtype=np.float32)
    return x, 2 * x, np.zeros_like(x)


def test_compiles_and_runs_nothing(device, capsys):
    device("sm_90")
    NOTICES.forget()
    x, y, out = arrays()
    kernel = add[(1,)](x, y, out, 1000, BLOCK=1024)
    add[(1,)](x, y, out, 1000, BLOCK=1024)
    assert not out.any() and kernel.metadata.target.arch == 90 and "cubin" in kernel.asm
    assert 8 <= kernel.n_regs <= 255
    kernel.synchronize()  # has nothing to wait for
    said = capsys.readouterr().err
    assert said.count("kernels are compiled but do not run") == 1 and "TTKIT_DEVICE=interpret:sm_90" in said


@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_90"])
def test_runs_what_was_compiled(device, target):
    device(f"interpret:{target}")
    x, y, out = arrays()
    add[lambda meta: (ttkit.cdiv(1000, meta["BLOCK"]),)](x, y, out, 1000, BLOCK=256)
    np.testing.assert_array_equal(out, x + y)
    add[(1,)](out, out, out, 1000, BLOCK=1024)  # the same array thrice
    np.testing.assert_array_equal(out, 2 * (x + y))


def test_views_reach_what_they_reach_on_a_gpu(device):
    device("interpret:sm_90")
    whole = np.arange(256, dtype=np.int32)
    reversed_copy[(1,)](whole[128:], whole, BLOCK=128)
    np.testing.assert_array_equal(whole[:128], np.arange(255, 127, -1))


def test_arguments_of_all_kinds(device):
    device("interpret:sm_90")
    x, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    scalars[(1,)](out, -3, 2**40, 0.5, True, (x, 1), None, BLOCK=16)
    np.testing.assert_allclose(out, np.float32(-3 + 2**40 + 0.5 + 1 + 1 + 1) + x)


@pytest.mark.parametrize("target", ["sm_80", "sm_90"])
def test_tensor_descriptors(device, target):
    """As tensor maps on sm_90, as pointers before."""
    device(f"interpret:{target}")
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 4, (32, 32)).astype(np.float16) for _ in range(2))
    out = np.zeros((32, 32), np.float32)
    described = (TensorDescriptor(one, [32, 32], [32, 1], [32, 32]) for one in (a, b))
    multiply[(1,)](*described, out, SIZE=32)
    np.testing.assert_array_equal(out, a.astype(np.float32) @ b.astype(np.float32))


@ttkit.jit
def copied(x, out):
    tl.store(out + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], x.load([0, 0]))


def test_descriptors_that_round_to_tf32(device):
    """To nearest, ties to even, as an H200 does it."""
    device("interpret:sm_90")
    x, found = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32), []
    x[0, :2] = 1 + 2**-11, 1 + 3 * 2**-11
    for kernel in (copied, InterpretedFunction(copied.fn)):
        found.append(np.zeros_like(x))
        kernel[(1,)](TensorDescriptor.from_tensor(x, [16, 16], round_f32_to_tf32=True), found[-1])
    for out in found:
        np.testing.assert_array_equal(out, round_to_tf32(x, ties_to_even=True))
    assert found[0][0, :2].tolist() == [1, 1 + 2**-9]
    with pytest.raises(AssertionError, match="only supported for float32 tensors"):
        TensorDescriptor.from_tensor(x.astype(np.float16), [16, 16], round_f32_to_tf32=True)


def test_autotuning_chooses_and_says_that_no_gpu_was_timed(device, capsys):
    device("interpret:sm_80")
    NOTICES.forget()
    x = np.concatenate([np.arange(200, dtype=np.float32), np.zeros(200, np.float32)])
    double[lambda meta: (ttkit.cdiv(200, meta["BLOCK"]),)](x, 200)
    np.testing.assert_array_equal(x[200:], 2 * x[:200])
    assert "autotuning times runs of the interpreter, so its choice" in capsys.readouterr().err


def test_errors_show_frames_of_the_script(device, monkeypatch):
    def frames(error: type[Exception], size: int, block: int, grid: object = (1,)) -> list[str]:
        x, y, out = arrays(size)
        with pytest.raises(error) as raised:
            add[grid](x, y, out, block, BLOCK=block)
        return [frame.name for frame in traceback.extract_tb(raised.tb)]

    device("interpret:sm_90")
    for error, block in ((OutOfBounds, 128), (ttkit.CompilationError, 100)):
        assert frames(error, 50, block) == ["frames", "miss"]
    assert frames(ArgumentError, 50, 32, grid="1") == ["frames", "miss"]
    monkeypatch.setenv("TRITON_FRONT_END_DEBUGGING", "1")
    assert "make_ir" in frames(ttkit.CompilationError, 50, 100)


def test_errors_of_passes_show_the_pass(device):
    def refuses(module):
        raise LookupError("no such thing")

    device("interpret:sm_90")
    x, y, out = arrays(50)
    with (
        ttkit.pipelines.insert_after("triton-combine", refuses),
        pytest.raises(LookupError, match="no such thing") as raised,
    ):
        add[(1,)](x, y, out, 50, BLOCK=64)
    names = [frame.name for frame in traceback.extract_tb(raised.tb)]
    assert names == ["test_errors_of_passes_show_the_pass", "miss", "refuses"]


def test_errors_name_the_kernels_line(device):
    device("interpret:sm_90")
    x, y, out = arrays(100)
    with pytest.raises(
        OutOfBounds, match=r"tt.load: reads 4 bytes at offset 400 of buffer 'x_ptr'(.|\n)*test_stand_in"
    ):
        add[(1,)](x, y, out, 128, BLOCK=128)
    with pytest.raises(ArgumentError, match="argument x_ptr: a kernel takes an array for a pointer, found str"):
        add.warmup(x, y, out, 100, grid=(1,), BLOCK=128).run(
            1, 1, 1, 0, 0, None, None, None, None, "x", y, out, 100, 128
        )


def test_errors_name_the_parameter(device):
    device("sm_90")
    x, y, out = arrays(100)
    with pytest.raises(TypeError, match="failed to specialize argument of type: str; x_ptr is an array"):
        add[(1,)]("x", y, out, 100, BLOCK=128)
    with pytest.raises(TypeError, match=r"argument of type: list; n is an array .*, a number"):
        add[(1,)](x, y, out, [100], BLOCK=128)
    with pytest.raises(OverflowError, match="n: integer to be specialized too large"):
        add[(1,)](x, y, out, 2**70, BLOCK=128)


def test_too_much_shared_memory_is_found(device):
    device("sm_75")
    described = TensorDescriptor(np.zeros((256, 256), np.float16), [256, 256], [256, 1], [256, 256])
    with pytest.raises(OutOfResources, match="shared memory"):
        multiply[(1,)](described, described, np.zeros((256, 256), np.float32), SIZE=256)


def test_hooks_are_called(device, monkeypatch):
    device("interpret:sm_90")
    told = []
    with knobs.runtime.scope():
        knobs.runtime.launch_enter_hook.add(lambda found: told.append(found.get()["name"]))
        add[(1,)](*arrays(), 1000, BLOCK=1024)
    assert told == ["add"]


def test_properties_and_targets(device):
    device("interpret:sm_90")
    active = driver.active
    assert active.get_current_target().arch == 90 and active.get_device_capability() == (9, 0)
    properties = active.utils.get_device_properties(active.get_current_device())
    assert properties["max_shared_mem"] == 227 << 10 and properties["multiprocessor_count"] == 132
    pointers = dict.fromkeys(("x_ptr", "y_ptr", "out_ptr"), "*fp32")
    compiled = ttkit.compile(ttkit.ASTSource(add, {**pointers, "n": "i32"}, {"BLOCK": 64}))
    assert compiled.metadata.target.arch == 90


def test_a_gpu_that_is_none(device):
    device("interpret:sm_12")
    with pytest.raises(ValueError, match="TTKIT_DEVICE must be like sm_90 or interpret:sm_90: unknown target 'sm_12'"):
        add[(1,)](*arrays(), 1000, BLOCK=1024)


def test_registers_of_what_is_no_cubin():
    assert registers_of(b"PTX") == 0


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from test_stand_in import add, arrays
x, y, out = arrays()
add[(1,)](x, y, out, 1000, BLOCK=1024)
print("right" if (out == x + y).all() else "wrong")
"""


def test_dumps_and_checks_of_scripts(tmp_path, monkeypatch):
    """The debugging aids of scripts work on launches."""
    for name, value in {
        "TTKIT_DEVICE": "interpret:sm_90",
        "MLIR_ENABLE_DUMP": "1",
        "TTKIT_CHECK_PASSES": "1",
        "TRITON_CACHE_DIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    script = SCRIPT.format(folder=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "right\n" and "IR Dump Before" in done.stderr
    (said,) = (line for line in done.stderr.splitlines() if line.startswith("ttkit: "))
    assert said.startswith("ttkit: add: ") and said.endswith(" passes changed it, none its result")


def test_target_info_outside_of_kernels(device, monkeypatch):
    """Programs ask it on the host which of their kernels to launch."""
    from ttkit.language import target_info

    found = {}
    for arch in (80, 103):
        device(f"sm_{arch}")
        geq = [target_info.cuda_capability_geq(*least) for least in ((8,), (9,), (10, 3))]
        found[arch] = target_info.current_target().arch, target_info.is_cuda(), target_info.is_hip(), geq
    assert found == {80: (80, True, False, [True, False, False]), 103: (103, True, False, [True, True, True])}
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()
    if not driver.driver.is_active():
        assert target_info.current_target() is None and not target_info.is_cuda()


def test_another_backend_is_refused(device, monkeypatch):
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "nvidia")
    device("interpret:sm_90")
    x, y, out = arrays()
    add[(1,)](x, y, out, 1000, BLOCK=1024)
    assert (out == x + y).all()
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "amd")
    device("interpret:sm_90")
    with pytest.raises(ValueError, match="'amd', but ttkit has one backend: unset it"):
        add[(1,)](*arrays(), 1000, BLOCK=1024)
