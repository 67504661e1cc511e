"""Loads, stores, atomics, block pointers, descriptors, with every option."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def load_options(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    inside = i < n
    tl.store(out + i, tl.load(x + i))
    tl.store(out + i, tl.load(x + i, inside), inside)
    tl.store(out + i, tl.load(x + i, mask=inside, other=0), mask=inside)
    tl.store(out + i, tl.load(x + i, mask=inside, other=1.5))
    tl.store(out + i, tl.load(x + i, mask=inside, other=i))
    tl.store(out + i, tl.load(x + i, mask=n > 3))
    tl.store(out + i, tl.load(x + i, mask=True, other=0.0))
    tl.store(out + i, tl.load(x + i, mask=None, other=None))
    tl.store(out + i, tl.load(x + i, cache_modifier=".ca"), cache_modifier=".wb")
    tl.store(out + i, tl.load(x + i, cache_modifier=".cg"), cache_modifier=".cg")
    tl.store(out + i, tl.load(x + i, cache_modifier=".cv"), cache_modifier=".cs")
    tl.store(out + i, tl.load(x + i, eviction_policy="evict_first"), cache_modifier=".wt")
    tl.store(out + i, tl.load(x + i, eviction_policy="evict_last"), eviction_policy="evict_last")
    tl.store(out + i, tl.load(x + i, volatile=True), eviction_policy="evict_first")
    tl.store(out, tl.load(x))
    tl.store(out, tl.load(x, mask=n > 2, other=3), mask=n < 9)
    tl.store(out + i, tl.load(x))
    tl.store(out + i, n, mask=inside)
    tl.store(out + i[:, None] + i[None, :], tl.load(x + i[:, None] + i, mask=inside[:, None], other=i[None, :]))
    tl.store(out + i[:, None] + i[None, :], tl.load(x + i)[None, :], mask=inside[:, None] & inside[None, :])


@triton.jit
def constant_pointer(x: tl.const, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i))


@triton.jit
def atomic_updates(p, x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.atomic_add(p + i, v)
    tl.atomic_add(p, 1)
    tl.atomic_add(p + i, 1, mask=i < n, sem="relaxed", scope="cta")
    old = tl.atomic_add(p + i, v, sem="acquire", scope="sys")
    tl.store(out + i, old)


@triton.jit
def exchanges(p, x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.atomic_xchg(p + i, v, sem="release"))
    tl.store(out, tl.atomic_xchg(p, 2, sem="acq_rel", scope="gpu"))


@triton.jit
def atomic_extremes(p, x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.atomic_max(p + i, v, mask=i < n))
    tl.store(out + i, tl.atomic_min(p + i, v))
    tl.store(out, tl.atomic_max(p, tl.load(x)))
    tl.store(out, tl.atomic_min(p, tl.load(x), mask=n > 2, sem="relaxed"))


@triton.jit
def atomic_bits(p, x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, tl.atomic_and(p + i, v))
    tl.store(out + i, tl.atomic_or(p + i, v, mask=i < n))
    tl.store(out + i, tl.atomic_xor(p + i, v, scope="sys"))
    tl.store(out + i, tl.atomic_cas(p + i, v, v + 1))
    tl.store(out, tl.atomic_cas(p, tl.load(x), tl.load(x + 1), sem="relaxed", scope="cta"))
    while tl.atomic_cas(p, tl.load(x), tl.load(x)) == 1:
        pass


@triton.jit
def block_pointers(x, out, m, n, stride, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_block_ptr(
        base=x, shape=(m, n), strides=(stride, 1), offsets=(tl.program_id(0) * M, 0), block_shape=(M, N), order=(1, 0)
    )
    target = tl.make_block_ptr(out, (m, n), (n, 1), (0, 0), (M, N), (1, 0))
    acc = tl.zeros((M, N), tl.float32)
    for _ in range(0, n, N):
        acc += tl.load(source, boundary_check=(0, 1), padding_option="zero")
        acc += tl.load(source, boundary_check=(1,))
        acc += tl.load(source, padding_option="nan", boundary_check=[0], cache_modifier=".cg")
        acc += tl.load(source)
        source = tl.advance(source, (0, N))
    tl.store(target, acc.to(out.dtype.element_ty), boundary_check=(0, 1))
    target = tl.advance(target, [M, 0])
    tl.store(target, acc.to(out.dtype.element_ty), eviction_policy="evict_first")
    tl.store(target.advance((0, N)), acc.to(tl.float16), boundary_check=(0,))
    line = tl.make_block_ptr(x, shape=[n], strides=[1], offsets=[8], block_shape=[N], order=[0])
    tl.store(out + tl.arange(0, N), tl.load(line))


@triton.jit
def block_pointer_of_bools(x, out, n, N: tl.constexpr):
    source = tl.make_block_ptr(x, (n,), (1,), (0,), (N,), (0,))
    tl.store(out + tl.arange(0, N), tl.load(source, boundary_check=(0,)))


@triton.jit
def descriptors(x, out, m, n, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [M, N], padding_option="zero")
    row = tl.program_id(0) * M
    tile = source.load([row, 0])
    target.store([row, 0], tile + 1)
    tl.store_tensor_descriptor(target, [0, row], tl.load_tensor_descriptor(source, [row, 16]))
    for k in range(0, n, N):
        target.atomic_add([row, k], source.load([row, k]).to(target.dtype))
    tl.store(out, source.shape[0] + source.strides[0].to(tl.int32))
    tl.store(out, source.dtype.primitive_bitwidth + source.block_shape[0])


@triton.jit
def descriptor_updates(x, p, m, n, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [M, N])
    target = tl.make_tensor_descriptor(p, [m, n], [n, 1], [M, N])
    tile = source.load([0, 0])
    target.atomic_min([0, 0], tile)
    target.atomic_max([0, 0], tile)
    target.atomic_and([0, 0], tile)
    target.atomic_or([0, 0], tile)
    target.atomic_xor([0, 0], tile)


@triton.jit
def descriptor_rows(x, rows, out, m, n, R: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [1, N])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [1, N])
    index = tl.load(rows + tl.arange(0, R))
    tile = source.gather(index, 8)
    target.scatter(tile, index, n - N)


@triton.jit
def given_descriptors(source, target, n, N: tl.constexpr):
    for k in range(0, n, N):
        target.store([k, 0], source.load([k, 0]))


@triton.jit
def descriptor_choice(x, out, m, n, flag, M: tl.constexpr, N: tl.constexpr):
    first = tl.make_tensor_descriptor(x, [m, n], [n, 1], [M, N], padding_option="nan")
    if flag:
        first = tl.make_tensor_descriptor(x, [n, m], [m, 1], [M, N])
    for k in range(n):
        tile = first.load([k, 0])
        tl.store(out + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], tile)


@triton.jit
def programs(out, N: tl.constexpr):
    tl.store(out, tl.program_id(0) + tl.program_id(1) * 2 + tl.program_id(axis=2))
    tl.store(out, tl.num_programs(0) + tl.num_programs(1) + tl.num_programs(axis=2))


@triton.jit
def hints(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    i = tl.max_contiguous(tl.multiple_of(i, N), N)
    n = tl.multiple_of(n, 8)
    j = tl.max_constancy(i + n, [4])
    two = tl.multiple_of(i[:, None] + n, [8, 1])
    two = tl.max_contiguous(two, [1, 1])
    tl.assume(n > 0)
    tl.assume(True)
    tl.debug_barrier()
    tl.store(out + j, tl.load(x + i))
    tl.store(out + two, 1)


@triton.jit
def debugging(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.device_print("v", v)
    tl.device_print("v: ", v, n)
    tl.device_print("hex", v, hex=True)
    tl.device_print("done")
    tl.device_print("", v)
    print("pid", tl.program_id(0), 3, 1.5)
    tl.device_assert(v > 0, "positive")
    tl.device_assert(v > 0, 'masked "quoted" \\ é', mask=i < n)
    tl.device_assert(n > 0)
    assert n > 1, "more than one"
    assert n < 100
    tl.store(out + i, v * 2)


CASES = [
    *[
        case(load_options, f"*{t} *fp32 i32", name=f"load_options_{t}", archs=[90], N=64)
        for t in "fp32 bf16 i8 i1".split()
    ],
    case(constant_pointer, "*kfp32 *fp32", archs=[90], N=64),
    *[
        case(atomic_updates, f"*{t} *{t} *{t} i32", name=f"atomic_updates_{t}", archs=[90], N=64)
        for t in "fp32 i32 u64 fp16 fp64".split()
    ],
    *[
        case(atomic_extremes, f"*{t} *{t} *{t} i32", name=f"atomic_extremes_{t}", archs=[90], N=64)
        for t in "fp32 i32 u32 i64 fp64".split()
    ],
    *[
        case(atomic_bits, f"*{t} *{t} *{t} i32", name=f"atomic_bits_{t}", archs=[90], N=64)
        for t in "i32 u32 i64".split()
    ],
    case(block_pointers, "*fp32 *fp16 i32 i32 i64", archs=[90], M=16, N=32),
    *[case(exchanges, f"*{t} *{t} *{t}", name=f"exchanges_{t}", archs=[90], N=64) for t in "fp32 i32 u64 fp64".split()],
    case(block_pointer_of_bools, "*i1 *i8 i32", archs=[90], N=32),
    case(descriptors, "*fp16 *fp32 i32 i32", archs=[90], M=16, N=32),
    case(descriptors, "*bf16 *bf16 i32 i32:16", name="descriptors_bf16", archs=[90], M=16, N=32),
    case(descriptor_updates, "*i64 *i64 i32 i32", archs=[90], M=16, N=32),
    case(descriptor_updates, "*u32 *u32 i32 i32", name="descriptor_updates_unsigned", archs=[90], M=16, N=32),
    case(descriptor_rows, "*fp16 *i32 *fp16 i32 i32", archs=[100], R=32, N=32),
    case(given_descriptors, "tensordesc<fp16[16,64]> tensordesc<fp16[16,64]> i32", archs=[90], N=16),
    case(
        given_descriptors,
        "tensordesc<i8[16,64]> tensordesc<u8[16,64]> i32",
        name="given_descriptors_i8",
        archs=[90],
        N=16,
    ),
    case(descriptor_choice, "*fp16 *fp16 i32 i32 i1", archs=[90], M=16, N=32),
    case(programs, "*i32", archs=[90], N=1),
    case(hints, "*fp32 *fp32 i32", archs=[90], N=64),
    case(debugging, "*i32 *i32 i32", archs=[90], N=64),
    case(debugging, "*i16 *i32 i32", name="debugging_on", archs=[90], options=dict(debug=True), N=64),
]
