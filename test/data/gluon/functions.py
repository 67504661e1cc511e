"""Functions, classes and control flow of kernels in Gluon."""

import triton
from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.language.core import _aggregate as aggregate

WARPS = gl.constexpr(4)
OPEN = gl.constexpr(gl.AutoLayout())


@gluon.constexpr_function
def line(size, warps=4):
    return gl.BlockedLayout([max(size // (32 * warps), 1)], [32], [warps], [0])


@gluon.constexpr_function
def shared_line(dtype):
    return gl.SwizzledSharedLayout(128 // dtype.primitive_bitwidth, 1, 1, order=[0])


@gluon.must_use_result
@gluon.jit
def scaled(value, factor=2.0, layout: gl.constexpr = OPEN):
    same: gl.constexpr = isinstance(layout, gl.AutoLayout)
    if same:
        return value * factor
    else:
        return gl.convert_layout(value, layout) * factor


@aggregate
class Ring:
    slots: gl.shared_memory_descriptor
    index: gl.tensor
    count: gl.constexpr
    layout: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, slots, index, count, layout):
        self.slots = slots
        self.index = index
        self.count = gl.constexpr(count)
        self.layout = gl.constexpr(layout)

    @gluon.jit
    def create(dtype: gl.constexpr, size: gl.constexpr, count: gl.constexpr):
        slots = gl.allocate_shared_memory(dtype, [count, size], shared_line(dtype))
        return Ring(slots, gl.to_tensor(0), count, line(size))

    @gluon.jit
    def next(self):
        return Ring(self.slots, (self.index + 1) % self.count, self.count, self.layout)

    @gluon.jit
    def put(self, value):
        self.slots.index(self.index).store(value)

    @gluon.jit
    def get(self):
        return self.slots.index(self.index).load(self.layout)


@gluon.jit
def classes(src, dst, steps, N: gl.constexpr):
    ring = Ring.create(gl.float16, N, 3)
    index = gl.arange(0, N, ring.layout)
    for step in range(steps):
        ring.put(gl.load(src + step * N + index))
        ring = ring.next()
    total = gl.zeros([N], gl.float16, ring.layout)
    for _ in gl.static_range(3):
        total += ring.get()
        ring = ring.next()
    gl.store(dst + index, scaled(total).to(gl.float16))
    other: gl.constexpr = gl.BlockedLayout([1], [32], [WARPS], [0])
    gl.store(dst + gl.arange(0, N, other), scaled(total, 3.0, other).to(gl.float16))


@gluon.jit
def choices(src, dst, n, LAYOUT: gl.constexpr, N: gl.constexpr):
    index = gl.arange(0, N, LAYOUT)
    value = gl.load(src + index)
    if n > 3:
        value = value + 1.0
    elif n > 2:
        value = value * value
    else:
        value = -value
    step = 0
    while step < n:
        value = gl.where(value > step, value, value + step)
        step += 1
    pair = (value, value * 2) if LAYOUT.size_per_thread[0] == 2 else (value, value)
    for one in gl.static_range(2):
        gl.store(dst + one * N + index, pair[one])
    if LAYOUT.warps_per_cta == [4] and LAYOUT.rank == 1:
        gl.store(dst, 1.0)
    gl.store(dst + triton.cdiv(N, 2) + index, value, mask=(index < n) & (index > 2) | (index == n))


@gluon.jit(noinline=True)
def early(x, n):
    if n == 0:
        return 0.0
    return gl.load(x + n)


@gluon.jit
def calls(src, dst, n):
    gl.store(dst, early(src, n) + early(src, n + 1))


CASES = [
    case(classes, "*fp16 *fp16 i32", N=512),
    case(choices, "*fp32 *fp32 i32", LAYOUT=gl.BlockedLayout([2], [32], [4], [0]), N=256),
    case(calls, "*fp32 *fp32 i32"),
]
