"""`kernel[grid](...)` on a GPU: arguments of every kind, streams, threads, graphs, descriptors, faults."""

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.runtime import DeviceArray, MockTensor, TensorDescriptor, driver, native, reinterpret


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@ttkit.jit
def numbers(out, a: tl.int8, b: tl.uint16, c: tl.int64, d: tl.uint64, e: tl.float16, f: tl.bfloat16, g, flag, pair):
    tl.store(out, a.to(tl.float64))
    tl.store(out + 1, b.to(tl.float64))
    tl.store(out + 2, c.to(tl.float64))
    tl.store(out + 3, d.to(tl.float64))
    tl.store(out + 4, e.to(tl.float64))
    tl.store(out + 5, f.to(tl.float64))
    tl.store(out + 6, g)
    tl.store(out + 7, flag.to(tl.float64))
    tl.store(out + 8, (pair[0] + pair[1][0]).to(tl.float64))


@ttkit.jit
def copy_blocks(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]) + 1)


def values(size=1000):
    return np.arange(size, dtype=np.float32), np.full(size, 2, np.float32)


def test_the_launcher_is_there(capability):
    assert native.extension() is not None


def test_arrays_of_our_own(capability):
    x, y = values()
    out = DeviceArray(np.zeros_like(x))
    for _ in range(3):
        kernel = add[(8,)](DeviceArray(x), DeviceArray(y), out, 1000, BLOCK=128)
    np.testing.assert_array_equal(out.numpy(), x + y)
    assert kernel.n_regs > 0 and kernel.n_spills == 0 and kernel.n_max_threads >= 128
    assert kernel.resources()["programs_per_multiprocessor"] > 0


def test_numpy_arrays(capability):
    x, y = values()
    for _ in range(2):
        out = np.zeros(1000, np.float32)
        add[(8,)](x, y, out, 1000, BLOCK=128)
        np.testing.assert_array_equal(out, x + y)
    strided = np.zeros(2000, np.float32)
    add[(4,)](x, y, strided[1000:], 500, BLOCK=128)  # a view
    np.testing.assert_array_equal(strided[1000:1500], (x + y)[:500])
    assert not strided[:1000].any() and not strided[1500:].any()


def test_tensors_of_torch(capability):
    torch = pytest.importorskip("torch")
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.int8, torch.uint8, torch.float64):
        x = torch.arange(64, device="cuda").to(dtype)
        out = torch.zeros_like(x)
        for shift in (0, 1, 2):  # other alignments are other kernels
            add[lambda meta: (ttkit.cdiv(meta["n"], meta["BLOCK"]),)](x[shift:], x[shift:], out, 64 - shift, BLOCK=16)
            assert torch.equal(out[: 64 - shift], (x + x)[shift:])
    half = torch.full((64,), 0x3C00, dtype=torch.int16, device="cuda")
    out = torch.zeros(64, dtype=torch.float16, device="cuda")
    add[(1,)](reinterpret(half, tl.float16), reinterpret(half, tl.float16), out, 64, BLOCK=64)
    assert (out == 2).all()


def test_arrays_of_cupy(capability):
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(64, dtype=cupy.float32)
    out = cupy.zeros_like(x)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        add[(4,)](x, x, out, 64, BLOCK=16)
    stream.synchronize()
    assert (out == x + x).all()


def test_numbers(capability):
    out = DeviceArray(np.zeros(9))
    given = (-3, 65535, -(1 << 40), 1 << 63, 0.1, 0.1, 2.5, True, (1 << 35, (7,)))
    for _ in range(2):
        numbers[(1,)](out, *given)
    found = out.numpy()
    assert list(found[:4]) == [-3, 65535, -(2.0**40), 2.0**63]
    assert found[4] == np.float16(0.1) and abs(found[5] - 0.1) < 0.001
    assert list(found[6:]) == [2.5, 1, 2.0**35 + 7]


def test_descriptors(capability):
    torch = pytest.importorskip("torch")
    x = torch.randn(100, 256, device="cuda", dtype=torch.float16)
    out = torch.zeros_like(x)
    for _ in range(2):
        source, target = (TensorDescriptor.from_tensor(tensor, [32, 64]) for tensor in (x, out))
        copy_blocks[(4, 4)](source, target, ROWS=32, COLUMNS=64)
    assert torch.equal(out, x + 1)


def test_streams_and_graphs(capability):
    torch = pytest.importorskip("torch")
    x, y = (torch.from_numpy(array).cuda() for array in values())
    out = torch.zeros_like(x)
    add[(8,)](x, y, out, 1000, BLOCK=128)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(10_000_000)
        out.zero_()
        add[(8,)](x, y, out, 1000, BLOCK=128)
    stream.synchronize()
    assert torch.equal(out, x + y)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        add[(8,)](x, y, out, 1000, BLOCK=128)
    out.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, x + y)


def test_threads(capability):
    torch = pytest.importorskip("torch")
    wrong = []

    def run(number):
        x = torch.full((256,), float(number), device="cuda")
        out = torch.zeros_like(x)
        for index in range(200):
            add[(2,)](x, x, out, 256, BLOCK=128)
            if index % 50 == 0 and not (out == 2 * number).all():
                wrong.append(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_devices(capability):
    torch = pytest.importorskip("torch")
    if torch.cuda.device_count() < 2:
        pytest.skip("one GPU")
    for device in (0, 1, 0):
        with torch.cuda.device(device):
            x = torch.ones(64, device="cuda")
            out = torch.zeros_like(x)
            add[(1,)](x, x, out, 64, BLOCK=64)
            assert (out == 2).all() and driver.active.get_current_device() == device


def test_memory_of_the_host(capability):
    torch = pytest.importorskip("torch")
    x = torch.ones(64, device="cuda")
    for _ in range(2):
        with pytest.raises(
            ValueError, match=r"Pointer argument \(at 1\) cannot be accessed from Triton \(cpu tensor\?\)"
        ):
            add[(1,)](x, torch.ones(64), x, 64, BLOCK=64)
    out = torch.zeros(64).pin_memory()  # which a GPU can reach
    add[(1,)](x, x, out, 64, BLOCK=64)
    torch.cuda.synchronize()
    assert (out == 2).all()


def test_warmup(capability):
    kernel = add.warmup(
        MockTensor("torch.float32"), MockTensor("torch.float32"), MockTensor("torch.float32"), 64, BLOCK=64, grid=(1,)
    )
    assert "cubin" in kernel.asm


def test_a_fault_names_the_kernel(capability, tmp_path):
    script = tmp_path / "fault.py"
    script.write_text(
        textwrap.dedent(
            """
            import ttkit, ttkit.language as tl
            from ttkit.runtime import synchronize

            @ttkit.jit
            def innocent(out):
                pass

            @ttkit.jit
            def guilty(out):
                tl.store(out, 1.0)

            class Nowhere:
                dtype = "float32"
                def data_ptr(self):
                    return 0

            guilty[(1,)](Nowhere())
            synchronize()
            """
        )
    )
    found = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert "KernelFault: kernel guilty accessed memory out of bounds" in found.stderr
