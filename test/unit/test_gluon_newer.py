"""Functions that Gluon has got since Triton 3.6, in kernels that are compiled, and run on the CPU."""

import numpy as np
import pytest

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.core import _aggregate
from ttkit.language.errors import BadArgument, Unsupported
from ttkit.language.gluon.nvidia import blackwell, hopper
from ttkit.language.gluon.nvidia.ampere import async_copy, mbarrier
from ttkit.language.gluon.nvidia.hopper import cluster, tma
from ttkit.runtime import driver
from ttkit.runtime.gluon_descriptor import TensorDescriptor

pytestmark = pytest.mark.usefixtures("interpreted")

LINE = gl.BlockedLayout([1], [32], [4], [0])
TILE = gl.NVMMASharedLayout.get_default_for([8, 16], gl.int32)


@_aggregate
class Bounds:
    low: gl.constexpr
    high: gl.constexpr

    def __init__(self, low, high):
        self.low = low
        self.high = high


@gluon.jit
def of_tensors(src, dst, flag, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    values = gl.load(src + index)
    bounds = gl.aggregate_replace(Bounds(1.0, 100.0), high=3.0)
    gl.store(dst + index, gl.clamp(values, bounds.low, bounds.high))
    gl.store(dst + N + index, gl.cumsum(values, 0))
    gl.store(dst + 2 * N + index, gl.cumprod(gl.clamp(values, 1.0, 2.0), 0, reverse=True))
    gl.atomic_store(flag, gl.atomic_load(flag) + 1)
    seen = gl.atomic_poll(flag, 8)
    gl.store(dst + 3 * N + index, gl.expect_zero(values - values, seen))


def test_functions_of_tensors():
    values = np.linspace(0, 4, 128, dtype=np.float32)
    found, flag = np.full((4, 128), -1, np.float32), np.array([7], np.int32)
    of_tensors[(1,)](values, found, flag, 128)
    assert (found[0] == np.clip(values, 1, 3)).all() and flag == 8
    assert np.allclose(found[1], np.cumsum(values), rtol=1e-5)
    assert np.allclose(found[2], np.cumprod(np.clip(values, 1, 2)[::-1])[::-1], rtol=1e-4)
    assert (found[3] == 0).all()


@gluon.jit
def copies(src, dst, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    barriers = mbarrier.allocate_mbarrier(batch=2)
    for slot in gl.static_range(2):
        mbarrier.init(barriers.index(slot), count=1)
    async_copy.async_load(buffer, src + index, mask=index < N - 1)
    async_copy.mbarrier_arrive(barriers.index(1))
    mbarrier.arrive(barriers.index(1))
    mbarrier.wait(barriers.index(1), 0)
    gl.store(dst + index, buffer.load(LINE))


def test_copies_that_arrive_at_one_of_several_barriers():
    values, found = np.arange(128, dtype=np.float32), np.full(128, -1, np.float32)
    copies[(1,)](values, found, 128)
    assert (found[:-1] == values[:-1]).all() and found[-1] == 0


@gluon.jit
def tiles(source, target, row, operation: gl.constexpr):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = hopper.mbarrier.allocate_mbarrier()
    hopper.mbarrier.init(bar, count=1)
    hopper.mbarrier.sync_cluster_init()
    hopper.mbarrier.expect(bar, source.block_shape[0] * source.block_shape[1] * 4)
    tma.async_load(source, [row, 0], bar, tile, multicast=False)
    hopper.mbarrier.wait(bar, 0)
    operation(target, [row, 0], tile)
    tma.store_wait(0)
    cluster.barrier()
    cluster.arrive(relaxed=True)
    cluster.wait()


UPDATES = {
    tma.async_store: lambda a, b: b,
    tma.async_atomic_add: np.add,
    tma.async_atomic_min: np.minimum,
    tma.async_atomic_max: np.maximum,
    tma.async_atomic_and: np.bitwise_and,
    tma.async_atomic_or: np.bitwise_or,
    tma.async_atomic_xor: np.bitwise_xor,
}


@pytest.mark.parametrize("operation", UPDATES, ids=lambda operation: operation.__name__)
def test_tiles(operation):
    random = np.random.default_rng(3)
    source, target = (random.integers(0, 100, (16, 16), np.int32) for _ in range(2))
    expected = target.copy()
    expected[8:] = UPDATES[operation](target, source)[8:]
    described = [TensorDescriptor.from_tensor(array, [8, 16], TILE) for array in (source, target)]
    tiles[(1,)](*described, 8, operation)
    assert (target == expected).all()


@gluon.jit
def for_several_ctas(source, multicast: gl.constexpr, two_ctas: gl.constexpr):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    tma.async_load(source, [0, 0], mbarrier.allocate_mbarrier(two_ctas=two_ctas), tile, multicast=multicast)


@pytest.mark.parametrize(("multicast", "two_ctas", "kind"), [(True, False, Unsupported), (False, True, BadArgument)])
def test_one_cta_has_no_others(multicast, two_ctas, kind):
    source = TensorDescriptor.from_tensor(np.zeros((16, 16), np.int32), [8, 16], TILE)
    with pytest.raises(ttkit.CompilationError) as caught:
        for_several_ctas[(1,)](source, multicast, two_ctas)
    assert isinstance(caught.value.__cause__, kind)


@gluon.jit
def allocates(batch: gl.constexpr, two_ctas: gl.constexpr):
    bar = mbarrier.allocate_mbarrier(batch, two_ctas)
    hopper.mbarrier.init(bar if batch is None else bar.index(0), count=1)
    hopper.mbarrier.fence_init_release_cluster()
    hopper.mbarrier.sync_cluster_init()


@pytest.mark.parametrize(
    ("num_ctas", "two_ctas", "shape"),
    [(1, False, "1xi64"), (2, False, "2xi64"), (2, True, "1xi64"), (4, True, "2xi64")],
)
@pytest.mark.parametrize("batch", [None, 3])
def test_barriers_of_a_cluster(num_ctas, two_ctas, shape, batch):
    source = ttkit.ASTSource(allocates, {}, {"batch": batch, "two_ctas": two_ctas})
    ir = ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32), options={"num_ctas": num_ctas}).asm
    wanted = f"!ttg.memdesc<{shape}" if batch is None else f"!ttg.memdesc<3x{shape}"
    assert wanted in ir["ttgir"]
    assert ("barrier.cluster" in ir["ptx"]) == (num_ctas > 1)


@gluon.jit
def through_tensor_memory(src, dst, N: gl.constexpr):
    memory = blackwell.allocate_tensor_memory(
        gl.float32, [128, N], blackwell.TensorMemoryLayout([128, N], col_stride=1)
    )
    layout: gl.constexpr = memory.get_reg_layout()
    row, column = gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.arange(0, N, gl.SliceLayout(0, layout))
    place = row[:, None] * N + column[None, :]
    memory.store(gl.load(src + place))
    gl.store(dst + place, memory.load() * 2)


def test_registers_of_tensor_memory(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    values = np.arange(128 * 32, dtype=np.float32).reshape(128, 32)
    found = np.zeros_like(values)
    through_tensor_memory[(1,)](values, found, 32)
    assert (found == 2 * values).all()


def test_layouts_as_text():
    layout = gl.BlockedLayout([1, 2], [2, 2], [2, 1], [1, 0])
    assert layout.format_tensor_view([4, 4]).splitlines()[0] == "[[T0:0, T0:1, T1:0, T1:1]"
    assert layout.format_hardware_view([4, 4]).splitlines()[:2] == ["Warp0:", "(0,0), (0,2), (1,0), (1,2)"]
    shared = gl.SwizzledSharedLayout(1, 1, 4, [1, 0])
    assert shared.format_tensor_view(gl.tuple([gl.constexpr(4), 4])).splitlines()[1] == "[ (1:1),(1:0),(1:3),(1:2)]"
    with pytest.raises(ValueError, match="powers of two"):
        layout.format_tensor_view([3, 4])


@gluon.jit
def bytes_seen_otherwise(src, dst, sizes, images, N: gl.constexpr):
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    index = gl.arange(0, N, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [N], shared, gl.load(src + index))
    gl.store(dst + index, buffer.reinterpret(gl.int32).load(LINE).to(gl.float32))
    halves = buffer.reinterpret(gl.int16, [N // 2, 4], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    gl.static_assert(halves.dtype == gl.int16)
    gl.static_assert(halves.nbytes_per_cta == 4 * N)
    gl.static_assert(buffer.reinterpret(shape=[N // 2]).nbytes_per_cta == 2 * N)
    gl.store(sizes, buffer.nbytes_per_cta)
    gl.store(sizes + 1, images.nbytes_per_cta)


def test_buffers_seen_otherwise():
    src, dst, sizes = np.arange(128, dtype=np.float32), np.zeros(128, np.float32), np.zeros(2, np.int32)
    images = TensorDescriptor.from_tensor(np.zeros((8, 16), np.int32), [8, 16], TILE)
    bytes_seen_otherwise[(1,)](src, dst, sizes, images, 128)
    assert np.array_equal(dst, src.view(np.int32).astype(np.float32)) and sizes.tolist() == [512, 512]


@pytest.mark.parametrize(
    ("layout", "size"),
    [
        (gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), 4 * 64 * 32),
        (gl.SwizzledSharedLayout(1, 1, 1, [1, 0], [[1, 0]]), 4 * 32 * 32),
        (gl.SwizzledSharedLayout(1, 1, 1, [1, 0], [[1, 0], [2, 0]]), 4 * 16 * 32),
        (gl.NVMMASharedLayout(128, 32, 2, cga_layout=[[0, 0], [0, 1]]), 4 * 64 * 16),
        (
            gl.SharedLinearLayout(
                [[0, 1 << bit] for bit in range(5)] + [[1 << bit, 0] for bit in range(4)], [[16, 0], [32, 0]]
            ),
            4 * 16 * 32,
        ),
    ],
)
def test_bytes_of_one_cta(layout, size):
    kind = gl.shared_memory_descriptor_type(gl.float32, [64, 32], layout, [64, 32])
    assert kind.nbytes_per_cta == size


def test_shape_of_bases():
    layout = gl.SharedLinearLayout([[0, 1], [0, 2], [1, 0], [4, 0]], [[2, 0]])
    assert layout.shape == [8, 4]
