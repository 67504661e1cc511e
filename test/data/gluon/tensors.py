"""Tensors with layouts: creation, arithmetic, views, reductions, atomics, mathematics."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
COLUMNS = gl.constexpr(gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1]))
LINE = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))


@gluon.jit
def creation(x, out, n, N: gl.constexpr, M: gl.constexpr):
    row = gl.arange(0, N, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, M, layout=gl.SliceLayout(0, ROWS))
    index = row[:, None] * M + column[None, :]
    value = gl.load(x + index, mask=index < n, other=0.0)
    value += gl.full([N, M], 1.5, gl.float32, ROWS) + gl.zeros([N, M], gl.float32, layout=ROWS)
    value *= gl.full_like(value, 2.0) - gl.zeros_like(value)
    value = gl.where(value > gl.full_like(value, n, dtype=gl.float32), value, gl.zeros_like(value, dtype=gl.float32))
    gl.store(out + index, value.to(gl.float16), mask=index < n)


@gluon.jit
def open_layouts(x, out, n, N: gl.constexpr):
    index = gl.arange(0, N)
    other = gl.arange(0, N, gl.AutoLayout()) + gl.full([N], 3, gl.int32)
    mask = index < n
    value = gl.load(gl.set_auto_layout(x + index, LINE), mask=gl.set_auto_layout(mask, LINE), other=0.0)
    gl.store(out + gl.set_auto_layout(other, LINE), value + gl.zeros([N], gl.float32), cache_modifier=".cg")


@gluon.jit
def open_loops(x, out, n, N: gl.constexpr):
    index = gl.arange(0, N)
    total = gl.zeros([N], gl.float32)
    for step in range(n):
        if step % 2 == 0:
            total = total + step
        else:
            total = total * 2.0
    total = gl.set_auto_layout(total, LINE) + gl.load(x + gl.set_auto_layout(index, LINE))
    rows = gl.arange(0, N)[:, None] + gl.arange(0, 32)[None, :]
    gl.store(out + gl.set_auto_layout(rows, ROWS), gl.convert_layout(total, gl.SliceLayout(1, ROWS))[:, None])


@gluon.jit
def coalesced_line(x, out, n, N: gl.constexpr):
    index = gl.arange(0, N, gl.CoalescedLayout())
    value = gl.load(x + index, mask=index < n, other=1.0)
    gl.store(out + index, value * 2.0 + gl.full([N], 1.0, gl.float32, gl.CoalescedLayout()))


@gluon.jit
def arithmetic(x, y, out, n, N: gl.constexpr):
    index = gl.program_id(0) * N + gl.arange(0, N, LINE)
    index = gl.multiple_of(gl.max_contiguous(index, [N]), [4])
    a = gl.load(x + index, eviction_policy="evict_first")
    b = gl.load(y + gl.max_constancy(index // 4, [4]), volatile=True)
    gl.assume(n > 0)
    c = gl.add(a, b) - gl.sub(a, 1.0) * gl.mul(b, 2.0)
    c = gl.maximum(c, 0.5) + gl.minimum(a, b) + gl.cast(n % gl.num_programs(0), gl.float32)
    c += gl.to_tensor(2.0) + gl.cdiv(n, N)
    integer = c.to(gl.int32)
    integer = (integer << 2) ^ (integer >> 1) & ~integer | 7
    bits = c.to(gl.int32, bitcast=True)
    gl.device_assert(a < b, "a is less")
    gl.device_print("value", n)
    gl.static_assert(N > 1)
    gl.static_print(N)
    left, right = gl.broadcast(c, n.to(gl.float32))
    gl.store(out + index, (left + right + bits + integer % 5).to(gl.float32))


@gluon.jit
def mathematics(x, out, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    v = gl.load(x + index)
    v = gl.exp(v) + gl.exp2(v) + gl.log(v) + gl.log2(v) + gl.cos(v) + gl.sin(v) + gl.sqrt(v) + gl.rsqrt(v)
    v += gl.sqrt_rn(v) + gl.abs(v) + gl.erf(v) + gl.floor(v) + gl.ceil(v)
    v += gl.fma(v, v, 1.0) + gl.fdiv(v, 3.0) + gl.div_rn(v, v)
    high = gl.umulhi(index, index + 1)
    gl.store(out + index, v + high)


@gluon.jit
def views(x, out, N: gl.constexpr, M: gl.constexpr):
    row = gl.arange(0, N, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, M, gl.SliceLayout(0, ROWS))
    value = gl.load(x + row[:, None] * M + gl.expand_dims(column, 0))
    turned = gl.permute(value, [1, 0])
    joined = gl.join(value, value + 1.0)
    left, right = gl.split(joined)
    cube = gl.reshape(value, [2, N // 2, M])
    turned_cube = cube.permute(2, 0, 1)
    flat = gl.ravel(turned_cube) + turned.reshape([N * M])
    line = gl.convert_layout(flat, LINE)
    index = gl.arange(0, N * M, LINE)
    gl.store(out + index, line)
    again = gl.convert_layout(gl.join(left, right), gl.BlockedLayout([1, 2, 2], [4, 8, 1], [4, 1, 1], [2, 1, 0]))
    left, right = again.split()
    gl.store(out + row[:, None] * M + column[None, :], gl.convert_layout(left - right, ROWS))


@gluon.jit
def add(a, b):
    return a + b


@gluon.jit
def larger_with_index(a, i, b, j):
    keep = (a > b) or (a == b and i < j)
    return gl.where(keep, a, b), gl.where(keep, i, j)


@gluon.jit
def reductions(x, out, N: gl.constexpr, M: gl.constexpr):
    row = gl.arange(0, N, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, M, gl.SliceLayout(0, ROWS))
    index = row[:, None] * M + column[None, :]
    value = gl.load(x + index)
    total = gl.sum(value, axis=1) + gl.max(value, 1) + gl.min(value, 1) + gl.reduce(value, 1, add)
    kept = gl.sum(value, axis=0, keep_dims=True)
    integers = value.to(gl.int32)
    mixed = gl.xor_sum(integers, axis=1) + gl.reduce_or(integers, axis=1)
    most, where = gl.reduce((value, index), 1, larger_with_index)
    running = gl.associative_scan(value, 1, add)
    back, places = gl.associative_scan((value, index), 0, larger_with_index, reverse=True)
    gl.store(out + row, total + mixed + most + where)
    gl.store(out + index, running + kept + back + places)
    gl.store(out, gl.sum(value))


@gluon.jit
def choose(a, b):
    result = a
    if b > 0:
        result = a * 2.0
    return result


@gluon.jit
def lookups(x, out, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    value = gl.load(x + index)
    mapped = gl.map_elementwise(choose, value, index)
    moved = gl.gather(mapped, (N - 1) - index, axis=0)
    bins = gl.histogram(index % 16, 16, layout=gl.BlockedLayout([1], [32], [4], [0]))
    masked = gl.histogram(index % 16, 16, mask=index < 9, layout=gl.BlockedLayout([1], [32], [4], [0]))
    assembled = gl.inline_asm_elementwise("mul.f32 $0, $1, $2;", "=f,f,f", [moved, value], gl.float32, True, 1)
    gl.store(out + index, assembled)
    gl.store(out + gl.arange(0, 16, gl.BlockedLayout([1], [32], [4], [0])), (bins + masked).to(gl.float32))


@gluon.jit
def atomics(x, lock, out, n, N: gl.constexpr):
    index = gl.arange(0, N, LINE)
    mask = index < n
    one = gl.full([N], 1, gl.int32, LINE)
    old = gl.atomic_add(x + index, one, mask=mask)
    old += gl.atomic_max(x + index, old, mask, sem="relaxed")
    old += gl.atomic_min(x + index, old)
    old += gl.atomic_and(x + index, old) + gl.atomic_or(x + index, old) + gl.atomic_xor(x + index, old)
    old += gl.atomic_xchg(x + index, old, scope="cta")
    while gl.atomic_cas(lock, 0, 1) == 1:
        pass
    gl.thread_barrier()
    gl.atomic_xchg(lock, 0)
    gl.store(out + index, old)


@gluon.jit
def products(x, y, out, N: gl.constexpr):
    row = gl.arange(0, N, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    a = gl.convert_layout(gl.load(x + index), gl.DotOperandLayout(0, ROWS, 0))
    b = gl.convert_layout(gl.load(y + index), gl.DotOperandLayout(1, ROWS, 0))
    acc = gl.dot_fma(a, b, gl.zeros([N, N], gl.float32, ROWS))
    gl.store(out + index, acc)


@gluon.jit
def small_floats(x, out, N: gl.constexpr):
    row = gl.arange(0, N, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, gl.SliceLayout(0, ROWS))
    packed = gl.load(x + row[:, None] * N + column[None, :])
    wide = gl.fp4_to_fp(packed, gl.float16, 1)
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    wide = gl.convert_layout(wide, layout)
    tall = gl.convert_layout(gl.fp4_to_fp(packed, gl.bfloat16, axis=0), ROWS)
    tall_rows = gl.arange(0, 2 * N, gl.SliceLayout(1, ROWS))
    gl.store(out + tall_rows[:, None] * N + column[None, :], tall.to(gl.float16))
    rows = gl.arange(0, N, gl.SliceLayout(1, layout))
    columns = gl.arange(0, 2 * N, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * 2 * N + columns[None, :], wide)


CASES = [
    case(creation, "*fp32 *fp16 i32", N=64, M=32),
    case(open_layouts, "*fp32 *fp32 i32", N=512),
    case(open_loops, "*fp32 *fp32 i32", N=64),
    case(coalesced_line, "*fp32 *fp32 i32:16", N=1024),
    case(coalesced_line, "*fp32 *fp32 i32", name="coalesced_by_eight_warps", options={"num_warps": 8}, N=2048),
    case(arithmetic, "*fp32 *fp32 *fp32 i32", options={"debug": True}, N=256),
    case(mathematics, "*fp32 *fp32", N=256),
    case(views, "*fp32 *fp32", N=32, M=32),
    case(reductions, "*fp32 *fp32", N=64, M=32),
    case(lookups, "*fp32 *fp32", N=256),
    case(atomics, "*i32 *i32 *i32 i32", N=256),
    case(products, "*fp32 *fp32 *fp32", N=32),
    case(small_floats, "*u8 *fp16", N=32),
]
