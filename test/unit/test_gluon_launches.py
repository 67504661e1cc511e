"""Kernels in Gluon are launched, cached and interpreted as others are."""

import numpy as np
import pytest

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia import hopper
from ttkit.language.gluon.nvidia.ampere import async_copy, mbarrier, mma_v2
from ttkit.runtime import driver

pytestmark = pytest.mark.usefixtures("interpreted")

LINE = gl.BlockedLayout([2], [32], [4], [0])
ROWS = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])


@gluon.jit
def transposed(src, dst, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    index = (
        gl.arange(0, M, gl.SliceLayout(1, layout))[:, None] * N + gl.arange(0, N, gl.SliceLayout(0, layout))[None, :]
    )
    buffer = gl.allocate_shared_memory(gl.float32, [M, N], gl.SwizzledSharedLayout(1, 1, 8, [1, 0]))
    buffer.store(gl.load(src + index))
    gl.thread_barrier()
    turned = buffer.permute([1, 0]).load(layout)
    place = (
        gl.arange(0, N, gl.SliceLayout(1, layout))[:, None] * M + gl.arange(0, M, gl.SliceLayout(0, layout))[None, :]
    )
    gl.store(dst + place, turned)


@gluon.jit
def doubled(src, dst, n, BLOCK: gl.constexpr):
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.CoalescedLayout())
    gl.store(dst + index, 2 * gl.load(src + index, mask=index < n), mask=index < n)


@gluon.jit
def summed(src, dst, N: gl.constexpr):
    row, column = gl.arange(0, N, gl.SliceLayout(1, ROWS)), gl.arange(0, N, gl.SliceLayout(0, ROWS))
    value = gl.load(src + row[:, None] * N + column[None, :])
    most, place = gl.max(value, axis=1, return_indices=True)
    gl.store(dst + row, gl.sum(value, axis=1) + gl.associative_scan(most, 0, plus))
    gl.store(dst + N + row, place.to(gl.float32))


@gluon.jit
def plus(a, b):
    return a + b


@gluon.jit
def kept(values, n):
    return values + n


@gluon.jit
def counted(out, buffer, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    index = gl.arange(0, 128, layout)
    total = gl.zeros([128], gl.float32, layout)
    for _ in range(n):
        total += buffer.load(layout)
    gl.store(out + index, total)


@gluon.jit
def in_roles(src, dst, n):
    index = gl.arange(0, 128, LINE)
    values = gl.load(src + index)
    buffer = gl.allocate_shared_memory(gl.float32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]), values)
    (values,) = gl.warp_specialize([(kept_in_tuple, (values, n)), (counted, (dst, buffer, n))], [2], [32])
    gl.store(dst + 128 + index, values)


@gluon.jit
def kept_in_tuple(values, n):
    return (kept(values, n),)


@gluon.jit
def multiplied(a_ptr, b_ptr, dst, N: gl.constexpr):
    row, column = gl.arange(0, N, gl.SliceLayout(1, ROWS)), gl.arange(0, N, gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    a = gl.convert_layout(gl.load(a_ptr + index), gl.DotOperandLayout(0, ROWS, 0))
    b = gl.convert_layout(gl.load(b_ptr + index), gl.DotOperandLayout(1, ROWS, 0))
    gl.store(dst + index, gl.dot_fma(a, b, gl.zeros([N, N], gl.float32, ROWS)))


@gluon.jit
def copied(src, dst, n, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    index = gl.arange(0, N, layout)
    buffers = gl.allocate_shared_memory(gl.float32, [2, N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    for slot in gl.static_range(2):
        async_copy.async_copy_global_to_shared(buffers.index(slot), src + slot * N + index, mask=index < n)
        async_copy.commit_group()
    async_copy.wait_group(1)
    gl.store(dst + index, buffers.index(0).load(layout))
    async_copy.wait_group(0)
    gl.store(dst + N + index, buffers.index(1).load(layout))


@gluon.jit
def arrived(src, dst, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    index = gl.arange(0, N, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    for step in range(4):
        async_copy.async_copy_global_to_shared(buffer, src + step * N + index)
        async_copy.mbarrier_arrive(ready)
        mbarrier.arrive(ready)
        mbarrier.wait(ready, step & 1, deps=[buffer])
        gl.store(dst + step * N + index, buffer.load(layout))
        gl.thread_barrier()
    mbarrier.invalidate(ready)


@gluon.jit
def multiplied_by_mma(a_ptr, b_ptr, dst, N: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8])
    row, column = gl.arange(0, N, gl.SliceLayout(1, ROWS)), gl.arange(0, N, gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    a = gl.convert_layout(gl.load(a_ptr + index), gl.DotOperandLayout(0, mma, 2))
    b = gl.convert_layout(gl.load(b_ptr + index), gl.DotOperandLayout(1, mma, 2))
    acc = mma_v2(a, b, gl.full([N, N], 1.0, gl.float32, mma))
    gl.store(dst + index, gl.convert_layout(acc, ROWS))


@gluon.jit
def moved(source, target, bar_bytes: gl.constexpr):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    hopper.mbarrier.expect(bar, bar_bytes)
    hopper.tma.async_copy_global_to_shared(source, [source.shape[0] - 8, 0], bar, tile)
    mbarrier.wait(bar, 0)
    hopper.tma.async_copy_shared_to_global(target, [0, 0], tile)
    hopper.tma.store_wait(0)


@gluon.jit
def described(source, target, rows, columns, M: gl.constexpr, N: gl.constexpr):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, N], gl.float32)
    from_desc = hopper.tma.make_tensor_descriptor(
        source, [rows, columns], [columns, 1], [M, N], layout, padding_option="nan"
    )
    to_desc = hopper.tma.make_tensor_descriptor(target, [M, N], [N, 1], [M, N], layout)
    tile = gl.allocate_shared_memory(gl.float32, [M, N], layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    hopper.mbarrier.expect(bar, M * N * 4)
    hopper.tma.async_copy_global_to_shared(from_desc, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    hopper.tma.async_copy_shared_to_global(to_desc, [0, 0], tile)
    hopper.tma.store_wait(0)


def numbers(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_shared_memory():
    source, result = numbers(32, 64), np.zeros((64, 32), np.float32)
    compiled = transposed[(1,)](source, result, 32, 64, ROWS)
    assert (result == source.T).all()
    assert [level for level in compiled.asm if level != "source"] == ["ttgir", "llir", "ptx", "cubin"]
    other = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    assert transposed[(1,)](source, result, 32, 64, ROWS) is compiled
    assert transposed[(1,)](source, result, 32, 64, other) is not compiled and (result == source.T).all()


def test_coalesced_layout_and_masks():
    source, result = numbers(1000), np.zeros(1024, np.float32)
    doubled[(2,)](source, result, 1000, BLOCK=512)
    assert (result[:1000] == 2 * source).all() and (result[1000:] == 0).all()


def test_reductions_with_indices_and_scans():
    source, result = numbers(32, 32), np.zeros((2, 32), np.float32)
    summed[(1,)](source, result, 32)
    assert np.allclose(result[0], source.sum(1) + np.cumsum(source.max(1)), atol=1e-4)
    assert (result[1] == source.argmax(1)).all()


def test_warps_with_roles():
    source, result = numbers(128), np.zeros((2, 128), np.float32)
    in_roles[(1,)](source, result, 3)
    assert np.allclose(result, [3 * source, source + 3])


def test_products_without_tensor_cores():
    a, b, result = numbers(32, 32).round(1), numbers(32, 32).round(), np.zeros((32, 32), np.float32)
    multiplied[(1,)](a, b, result, 32)
    assert np.allclose(result, a @ b, atol=0.02)  # the interpreter cuts factors to tf32, as tensor cores do


def test_copies_in_the_background():
    source, result = numbers(2, 512), np.zeros((2, 512), np.float32)
    copied[(1,)](source, result, 500, 512)
    assert (result[:, :500] == source[:, :500]).all() and (result[:, 500:] == 0).all()


def test_copies_at_a_barrier():
    source, result = numbers(4, 512), np.zeros((4, 512), np.float32)
    arrived[(1,)](source, result, 512)
    assert (result == source).all()


def test_products_by_mma():
    a, b = (numbers(64, 64).astype(np.float16) for _ in range(2))
    result = np.zeros((64, 64), np.float32)
    multiplied_by_mma[(1,)](a, b, result, 64)
    assert np.allclose(result, a.astype(np.float32) @ b.astype(np.float32) + 1, atol=1e-2)


def test_descriptors_are_arguments():
    source = numbers(20, 32)
    for padding, outside in (("zero", 0), ("nan", np.nan)):
        compiled = []
        for layout in (gl.NVMMASharedLayout(128, 32), gl.NVMMASharedLayout(64, 32), gl.NVMMASharedLayout(128, 32)):
            result = np.ones((16, 32), np.float32)
            arguments = [hopper.TensorDescriptor.from_tensor(source, [16, 32], layout, padding)]
            arguments += [hopper.TensorDescriptor(result, result.shape, (32, 1), [16, 32], layout)]
            compiled.append(moved[(1,)](*arguments, 16 * 32 * 4))
            wanted = np.concatenate([source[12:], np.full((8, 32), outside, np.float32)])
            assert np.array_equal(result, wanted, equal_nan=True)
        assert compiled[0] is compiled[2] is not compiled[1]
    assert "NVMMASharedLayout(swizzle_byte_width=128" in compiled[0].src.signature["source"]


def test_descriptors_are_made_in_a_kernel():
    source, result = numbers(12, 32), np.zeros((16, 32), np.float32)
    described[(1,)](source, result, 12, 32, 16, 32)
    assert (result[:12] == source).all() and np.isnan(result[12:]).all()


def test_descriptors_that_are_refused():
    array, layout = numbers(16, 32), gl.NVMMASharedLayout(128, 32)
    for fields, message in (
        ((array, (16, 32), (32, 1), [16, 32], gl.SwizzledSharedLayout(1, 1, 1, [1, 0])), "must be NVMMASharedLayout"),
        ((array, (16, 32), (32, 1), [16, 32], gl.NVMMASharedLayout(128, 32, 3)), "layout must have rank 2"),
        ((array, (16, 32), (32, 2), [16, 32], layout), "Last dimension must be contiguous"),
        ((array, (16, 32), (32, 1), [16, 24], layout), "must be a power of 2"),
        ((array.view(np.int32), (16, 32), (32, 1), [16, 32], layout, "nan"), "only supported for floating point"),
    ):
        with pytest.raises(AssertionError, match=message):
            hopper.TensorDescriptor(*fields)


def test_same_source_in_both_languages_is_two_kernels():
    def fill(out, N: gl.constexpr):
        gl.store(out + gl.arange(0, N, gl.CoalescedLayout()), 1.0)

    source, other = gluon.jit(fill), ttkit.jit(fill)
    signature = {"out": "*fp32", "N": "constexpr"}
    hashes = {ttkit.ASTSource(each, signature, {"N": 64}).hash() for each in (source, other)}
    assert len(hashes) == 2


# --- TRITON_INTERPRET: launches run on the CPU, by their ttg ----------------------------------------------------------


@pytest.fixture
def without_gpu(tmp_path, monkeypatch):
    """No driver stands in for a GPU, and there is none."""
    for name in ("TTKIT_DEVICE", "TRITON_OVERRIDE_ARCH", "TTKIT_SANITIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))

    def missing(*_):
        raise driver.DriverMissing("there is none")

    # Not the default one, which another test's knobs may have chosen, nor a libcuda that another test has loaded.
    driver.set_active(driver.CudaDriver())
    monkeypatch.setattr(driver.CudaDriver, "is_active", staticmethod(lambda: False))
    monkeypatch.setattr(driver.CudaDriver, "get_current_device", missing)
    yield
    driver.reset_active()


def test_a_kernel_decorated_under_triton_interpret_runs_on_the_cpu(without_gpu, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        kernel, called = gluon.jit(doubled.fn), gluon.jit(plus.fn)
    assert kernel.is_gluon() and kernel.is_interpreted and called.is_interpreted
    src, dst = numbers(100), np.zeros(100, np.float32)
    compiled = kernel[(4,)](src, dst, 100, BLOCK=32, num_warps=1)
    assert np.array_equal(dst, 2 * src) and compiled.metadata.target.arch == 90
    assert kernel.warmup(src, dst, 100, BLOCK=32, grid=(1,), num_warps=1) is compiled
    with pytest.raises(KeyError, match="num_warp"):
        kernel[(4,)](src, dst, 100, BLOCK=32, num_warp=1)


def test_interpret_mode_holds_for_kernels_decorated_before(without_gpu, monkeypatch):
    from ttkit.language import interpret_mode

    called, kernel = [], gluon.jit(doubled.fn)
    kernel.add_pre_run_hook(lambda *_, **options: called.append(options["BLOCK"]))
    monkeypatch.setattr(interpret_mode.mode, "is_on", True)
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm100")
    src, dst = numbers(8), np.zeros(8, np.float32)
    assert kernel[(1,)](src, dst, 8, BLOCK=8).metadata.target.arch == 100
    assert np.array_equal(dst, 2 * src) and called == [8]
    interpret_mode.set_interpret_mode(False)
    monkeypatch.delenv("TRITON_OVERRIDE_ARCH")
    with pytest.raises(driver.DriverMissing):
        kernel[(1,)](src, dst, 8, BLOCK=8)


def test_what_is_out_of_bounds_is_found(without_gpu, monkeypatch):
    from ttkit.interpreter.errors import InterpreterError

    with monkeypatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        kernel = gluon.jit(doubled.fn)
    with pytest.raises(InterpreterError, match="at offset 32 of buffer 'src', which has 32 bytes"):
        kernel[(1,)](numbers(8), np.zeros(8, np.float32), 16, BLOCK=16)


def test_a_gpu_that_is_there_says_what_to_compile_for(without_gpu, monkeypatch):
    from ttkit.runtime.stand_in import StandInDriver
    from ttkit.target import GPUTarget

    driver.set_active(
        StandInDriver(GPUTarget("cuda", 80, 32), interprets=False)
    )  # compiles only, as a GPU that is busy
    with monkeypatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        kernel = gluon.jit(doubled.fn)
    src, dst = numbers(8), np.zeros(8, np.float32)
    assert kernel[(1,)](src, dst, 8, BLOCK=8).metadata.target.arch == 80
    assert np.array_equal(dst, 2 * src)
    gluon.jit(doubled.fn)[(1,)](src, dst := np.zeros(8, np.float32), 8, BLOCK=8)  # which only compiles
    assert not dst.any()
