"""Shared memory by index, copies for several CTAs, work of programs that wait: Gluon since Triton 3.7 and 3.8."""

import re

import numpy as np
import pytest

import ttkit
from ttkit.compiler.compilation import Compilation
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.errors import BadArgument, Unsupported
from ttkit.language.gluon.nvidia import blackwell, hopper
from ttkit.language.gluon.nvidia.ampere import mbarrier
from ttkit.language.gluon.nvidia.hopper import tma
from ttkit.options import CompileOptions
from ttkit.runtime import driver
from ttkit.runtime.gluon_descriptor import TensorDescriptor

pytestmark = pytest.mark.usefixtures("interpreted")

LINE = gl.BlockedLayout([1], [32], [4], [0])
ROWS = gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0])
PLAIN = gl.SwizzledSharedLayout(1, 1, 1, [0])


def lowered(kernel, signature, constants, capability, **options):
    """The kernel's PTX."""
    options = CompileOptions.for_capability(capability, **options)
    source = ttkit.ASTSource(kernel, signature, constants)
    return Compilation(source, ttkit.GPUTarget("cuda", capability, 32), options, until="ptx").run().asm["ptx"]


@gluon.jit
def by_index(src, where, dst, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    table = gl.allocate_shared_memory(gl.float32, [N], PLAIN, gl.load(src + index))
    places = gl.load(where + index)
    gl.store(dst + index, table.gather(places, axis=0))
    bins = gl.allocate_shared_memory(gl.float32, [N], PLAIN)
    bins.scatter(gl.load(src + index), places, axis=-1)
    gl.store(dst + N + index, bins.load(LINE))


def test_gather_and_scatter():
    random = np.random.default_rng(5)
    src, where = random.standard_normal(256).astype(np.float32), random.permutation(256).astype(np.int32)
    dst, scattered = np.zeros((2, 256), np.float32), np.zeros(256, np.float32)
    by_index[(1,)](src, where, dst, 256)
    scattered[where] = src
    assert (dst[0] == src[where]).all() and (dst[1] == scattered).all()
    for capability in (80, 90, 100):
        assert lowered(by_index, {"src": "*fp32", "where": "*i32", "dst": "*fp32"}, {"N": 256}, capability)


@gluon.jit
def rows_by_index(src, dst, AXIS: gl.constexpr):
    row, column = gl.arange(0, 16, gl.SliceLayout(1, ROWS)), gl.arange(0, 16, gl.SliceLayout(0, ROWS))
    at = row[:, None] * 16 + column[None, :]
    table = gl.allocate_shared_memory(gl.int32, [16, 16], gl.SwizzledSharedLayout(1, 1, 8, [1, 0]), gl.load(src + at))
    gl.store(dst + at, table.gather((row[:, None] + column[None, :]) % 16, AXIS))


@pytest.mark.parametrize("axis", [0, 1])
def test_gather_along_an_axis(axis):
    src, dst = np.arange(256, dtype=np.int32).reshape(16, 16), np.zeros((16, 16), np.int32)
    rows_by_index[(1,)](src, dst, axis)
    places = (np.arange(16)[:, None] + np.arange(16)) % 16
    assert (dst == np.take_along_axis(src, places, axis)).all()


@gluon.jit
def wrong_index(src, kind: gl.constexpr):
    index = gl.arange(0, 128, LINE)
    table = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    if kind == "axis":
        table.gather(index, axis=1)
    elif kind == "indices":
        table.gather(gl.load(src + index), axis=0)
    else:
        table.scatter(index, index, axis=0)


@pytest.mark.parametrize(
    ("kind", "said"), [("axis", "has no dimension 1"), ("indices", "expected indices"), ("values", "expected values")]
)
def test_what_is_no_index(kind, said):
    with pytest.raises(ttkit.CompilationError) as caught:
        wrong_index[(1,)](np.zeros(128, np.float32), kind)
    assert isinstance(caught.value.__cause__, BadArgument) and said in str(caught.value)


BOTH = gl.NVMMASharedLayout(32, 32, 2, cga_layout=[[0, 0]])
BOTH_ROWS = gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0], [[0, 0]])


@gluon.jit
def for_both(source, dst, BARRIER: gl.constexpr, layout: gl.constexpr, multicast: gl.constexpr):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [2], BARRIER)
    mbarrier.init(bar, count=1)
    hopper.mbarrier.sync_cluster_init()
    hopper.mbarrier.expect(bar, 8 * 8 * 4)
    tma.async_load(source, [8, 0], bar, tile, multicast=multicast)
    mbarrier.wait(bar, 0)
    row, column = gl.arange(0, 8, gl.SliceLayout(1, layout)), gl.arange(0, 8, gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 8 + column[None, :], tile.load(layout))
    hopper.cluster.barrier()


@pytest.mark.parametrize("multicast", [False, True])
def test_one_cta_loads_for_both(multicast):
    source, dst = np.arange(128, dtype=np.int32).reshape(16, 8), np.zeros((8, 8), np.int32)
    constants = {"BARRIER": mbarrier.MBarrierLayout([[1]]), "layout": BOTH_ROWS, "multicast": multicast}
    for_both[(1,)](TensorDescriptor.from_tensor(source, [8, 8], BOTH), dst, **constants, num_ctas=2)
    assert (dst == source[8:]).all()
    signature = {"source": f"tensordesc<i32[8, 8],{BOTH!r}>", "dst": "*i32"}
    ptx = lowered(for_both, signature, constants, 90, num_ctas=2)
    assert (".multicast::cluster" in ptx) == multicast


@gluon.jit
def one_arrives(out, layout: gl.constexpr, mask: gl.constexpr, count: gl.constexpr):
    bar = hopper.mbarrier.allocate_mbarrier()
    hopper.mbarrier.init(bar, count=count)
    hopper.mbarrier.sync_cluster_init()
    hopper.mbarrier.expect(bar, bytes_per_cta=0, from_cta=mask)
    hopper.mbarrier.arrive(bar, count=count - 1, from_cta=mask)
    hopper.mbarrier.wait(bar, 0)
    gl.store(out + gl.arange(0, 64, layout=layout), 1)
    hopper.cluster.barrier()


@pytest.mark.parametrize(("mask", "others"), [(0, True), (1, False)])
def test_one_cta_arrives_for_both(mask, others):
    layout, out = gl.BlockedLayout([1], [32], [4], [0], [[1]]), np.zeros(64, np.int32)
    one_arrives[(1,)](out, layout, mask, 3, num_ctas=2)
    assert out.all()
    ptx = lowered(one_arrives, {"out": "*i32"}, {"layout": layout, "mask": mask, "count": 3}, 90, num_ctas=2)
    assert ("arrive.expect_tx.release.cluster" in ptx) == ("arrive.release.cluster" in ptx) == others


def test_ctas_that_do_not_arrive():
    layout = gl.BlockedLayout([1], [32], [4], [0], [[1]])
    with pytest.raises(ttkit.CompilationError, match=r"from_cta is a mask from 0 to 1, .*, found 2"):
        one_arrives[(1,)](np.zeros(64, np.int32), layout, 2, 3, num_ctas=2)


def test_one_cta_has_no_others():
    source, dst = np.zeros((16, 8), np.int32), np.zeros((8, 8), np.int32)
    layout = gl.NVMMASharedLayout(32, 32, 2)
    rows = gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0])
    with pytest.raises(ttkit.CompilationError, match="the kernel has one CTA") as caught:
        for_both[(1,)](TensorDescriptor.from_tensor(source, [8, 8], layout), dst, mbarrier.MBarrierLayout(), rows, True)
    assert isinstance(caught.value.__cause__, Unsupported)


@gluon.jit
def takes_work(dst, made):
    answer = gl.allocate_shared_memory(gl.int64, [2], PLAIN)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    tile, phase, more = gl.program_id(0), 0, True
    while more:
        gl.store(dst + tile, tile * 10)
        gl.atomic_add(made, 1)
        hopper.mbarrier.expect(bar, 16)
        blackwell.clc.try_cancel(answer, bar)
        mbarrier.wait(bar, phase)
        found = blackwell.clc.load_result(answer)
        more = found.is_canceled()
        tile = found.program_id(0)
        phase ^= 1


def test_programs_take_the_work_of_others(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    dst, made = np.zeros(7, np.int32), np.zeros(1, np.int32)
    takes_work[(7,)](dst, made)
    assert (dst == np.arange(7) * 10).all() and made == 7
    assert "clusterlaunchcontrol.try_cancel" in lowered(takes_work, {"dst": "*i32", "made": "*i32"}, {}, 100)


def test_an_older_gpu_has_no_launch_control():
    with pytest.raises(ttkit.CompilationError, match="sm_90 has no cluster launch control, which begins with sm_100"):
        lowered(takes_work, {"dst": "*i32", "made": "*i32"}, {}, 90)


A_ROWS, B_COLUMNS = [[1, 0], [0, 0]], [[0, 0], [0, 1]]
"""Four CTAs: two have the same rows of a, and two the same columns of b."""
SHARED_A = gl.NVMMASharedLayout(128, 16, 2, cga_layout=A_ROWS)
SHARED_B = gl.NVMMASharedLayout(128, 16, 2, cga_layout=B_COLUMNS)
BLOCKS = blackwell.TensorMemoryLayout((128, 64), 1, cga_layout=[[1, 0], [0, 1]])
FOUR = mbarrier.MBarrierLayout([[1], [2]])


@gluon.jit
def product_of_four(a, b, out, KIND: gl.constexpr):
    row: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0], [[1, 0], [0, 0]])
    column: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0], [[0, 0], [0, 1]])
    i, k = gl.arange(0, 256, gl.SliceLayout(1, row)), gl.arange(0, 64, gl.SliceLayout(0, row))
    left = gl.allocate_shared_memory(gl.float16, [256, 64], SHARED_A, gl.load(a + i[:, None] * 64 + k[None, :]))
    k, j = gl.arange(0, 64, gl.SliceLayout(1, column)), gl.arange(0, 128, gl.SliceLayout(0, column))
    right = gl.allocate_shared_memory(gl.float16, [64, 128], SHARED_B, gl.load(b + k[:, None] * 128 + j[None, :]))
    acc = blackwell.allocate_tensor_memory(gl.float32, [256, 128], BLOCKS)
    bar = gl.allocate_shared_memory(gl.int64, [4], FOUR)
    mbarrier.init(bar, count=blackwell.tcgen05_mma_barrier_count([left, right], KIND != "own"))
    hopper.mbarrier.sync_cluster_init()
    hopper.fence_async_shared()
    if KIND == "commit":
        blackwell.tcgen05_mma(left, right, acc, use_acc=False, mbarriers=[])
        blackwell.tcgen05_commit(bar, descs=[left, right])
    elif KIND == "product":
        blackwell.tcgen05_mma(left, right, acc, use_acc=False, mbarriers=[bar], multicast=True)
    else:
        blackwell.tcgen05_mma(left, right, acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = blackwell.get_tmem_reg_layout(gl.float32, (256, 128), BLOCKS, 4, cga_layout=[[1, 0], [0, 1]])
    i, j = gl.arange(0, 256, gl.SliceLayout(1, layout)), gl.arange(0, 128, gl.SliceLayout(0, layout))
    gl.store(out + i[:, None] * 128 + j[None, :], acc.load(layout))
    hopper.cluster.barrier()


@pytest.mark.parametrize(("kind", "arrivals"), [("commit", 3), ("product", 3), ("own", 1)])
def test_products_arrive_at_the_barriers_of_ctas_with_the_same_operands(kind, arrivals, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    rng = np.random.default_rng(0)
    a, b = rng.integers(-3, 4, (256, 64)).astype(np.float16), rng.integers(-3, 4, (64, 128)).astype(np.float16)
    out = np.zeros((256, 128), np.float32)
    product_of_four[(1,)](a, b, out, kind, num_ctas=4)
    np.testing.assert_array_equal(out, a.astype(np.float32) @ b.astype(np.float32))
    signature = {"a": "*fp16", "b": "*fp16", "out": "*fp32"}
    ptx = lowered(product_of_four, signature, {"KIND": kind}, 100, num_ctas=4)
    assert re.search(rf"mbarrier\.init.*, {arrivals};", ptx)
    assert (".multicast::cluster" in ptx) == (kind != "own")
