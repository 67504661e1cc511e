"""Kernels in Gluon with one bug each, in the line that says BUG."""

import numpy as np

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.ampere import async_copy, mbarrier, mma_v2

LINE = gl.BlockedLayout([4], [32], [4], [0])
SHARED = gl.SwizzledSharedLayout(1, 1, 1, [0])


@gluon.jit
def missing_wait(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    async_copy.async_copy_global_to_shared(b, src + i)
    async_copy.commit_group()
    gl.store(dst + i, b.load(LINE))  # BUG


@gluon.jit
def too_few_waits(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [2, 512], SHARED)
    for s in gl.static_range(2):
        async_copy.async_copy_global_to_shared(b.index(s), src + i)
        async_copy.commit_group()
    async_copy.wait_group(1)
    gl.store(dst + i, b.index(1).load(LINE))  # BUG


@gluon.jit
def no_commit(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    async_copy.async_copy_global_to_shared(b, src + i)
    async_copy.wait_group(0)
    gl.store(dst + i, b.load(LINE))  # BUG


@gluon.jit
def reused_too_early(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    async_copy.async_copy_global_to_shared(b, src + i)
    async_copy.commit_group()
    b.store(gl.zeros([512], gl.float32, LINE))  # BUG
    async_copy.wait_group(0)
    gl.store(dst + i, b.load(LINE))


@gluon.jit
def never_initialized(src, dst):
    b = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.arrive(b)  # BUG
    mbarrier.wait(b, 0)


@gluon.jit
def wrong_phase(src, dst):
    b = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(b, count=1)
    mbarrier.arrive(b)
    mbarrier.wait(b, 0)
    mbarrier.wait(b, 0)
    mbarrier.arrive(b)
    mbarrier.wait(b, 0)  # BUG


@gluon.jit
def deadlock(src, dst):
    b = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(b, count=2)
    mbarrier.arrive(b)
    mbarrier.wait(b, 0)  # BUG


@gluon.jit
def used_after_invalidate(src, dst):
    b = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(b, count=1)
    mbarrier.invalidate(b)
    mbarrier.arrive(b)  # BUG


@gluon.jit
def phase_too_early(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    r = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(r, count=1)
    async_copy.async_copy_global_to_shared(b, src + i)
    async_copy.mbarrier_arrive(r)
    mbarrier.arrive(r)
    mbarrier.wait(r, 1)  # BUG
    gl.store(dst + i, b.load(LINE))


@gluon.jit
def uninitialized(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    gl.store(dst + i, b.load(LINE))  # BUG


@gluon.jit
def out_of_bounds(src, dst):
    i = gl.arange(0, 512, LINE)
    gl.store(dst + i, gl.load(src + i + 1))  # BUG


@gluon.jit
def slot_out(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [2, 512], SHARED)
    s = gl.load(src).to(gl.int32) + 2
    b.index(s).store(gl.load(src + i))  # BUG


@gluon.jit
def reader(dst, b, r):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    gl.store(dst + gl.arange(0, 512, layout), b.load(layout))  # BUG


@gluon.jit
def writer(src, b, r):
    b.store(gl.load(src + gl.arange(0, 512, LINE)))


@gluon.jit
def roles_without_barrier(src, dst):
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    r = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(r, count=1)
    gl.warp_specialize([(writer, (src, b, r)), (reader, (dst, b, r))], [4], [32])


@gluon.jit
def never_arriving(r):
    gl.thread_barrier()


@gluon.jit
def waiting(r):
    mbarrier.wait(r, 0)  # BUG


@gluon.jit
def divergent_barrier(src, dst):
    r = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(r, count=1)
    gl.warp_specialize([(never_arriving, (r,)), (waiting, (r,))], [4], [32])


@gluon.jit
def racing_programs(src, dst):
    i = gl.arange(0, 512, LINE)
    gl.store(dst + i, gl.load(src + i) + gl.program_id(0))  # BUG


@gluon.jit
def slot_of_this_iteration(src, dst):
    i = gl.arange(0, 512, LINE)
    b = gl.allocate_shared_memory(gl.float32, [2, 512], SHARED)
    async_copy.async_copy_global_to_shared(b.index(0), src + i)
    async_copy.commit_group()
    for k in range(2):
        async_copy.async_copy_global_to_shared(b.index((k + 1) % 2), src + i)
        async_copy.commit_group()
        async_copy.wait_group(1)
        gl.store(dst + i, b.index((k + 1) % 2).load(LINE))  # BUG


@gluon.jit
def wrong_layout(src, dst):
    i = gl.arange(0, 512, LINE)
    other: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    gl.store(dst + i, gl.load(src + i) + gl.zeros([512], gl.float32, other))  # BUG


@gluon.jit
def wrong_operand(src, dst):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    acc = gl.zeros([64, 64], gl.float32, mma)
    a = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(1, mma, 2))
    mma_v2(a, a, acc)  # BUG


@gluon.jit
def wrong_accumulator(src, dst):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    acc = gl.zeros([64, 64], gl.float32, rows)
    mma_v2(acc, acc, acc)  # BUG


@gluon.jit
def wrong_shape(src, dst):
    b = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    b.store(gl.zeros([256], gl.float32, LINE))  # BUG


def arguments():
    return np.ones(512, np.float32), np.zeros(512, np.float32)


BUGS = {
    "undefined": (
        missing_wait,
        too_few_waits,
        no_commit,
        reused_too_early,
        never_initialized,
        wrong_phase,
        deadlock,
        used_after_invalidate,
        phase_too_early,
        uninitialized,
        slot_out,
        divergent_barrier,
        slot_of_this_iteration,
    ),
    "out-of-bounds": (out_of_bounds,),
    "race": (roles_without_barrier, racing_programs),
    "error": (wrong_layout, wrong_operand, wrong_accumulator, wrong_shape),
}
CAPABILITIES = {}
