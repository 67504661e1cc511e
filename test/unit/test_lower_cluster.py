"""Operations whose elements are spread over the CTAs of a cluster: what is lowered, run thread by thread."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from mlir import ir

import ttkit
from ttkit.dialects import ttg
from ttkit.interpreter import Buffer, InterpreterError, Memory, interpret
from ttkit.interpreter.lowered.launch import call
from ttkit.layout import LinearLayout, gf2, to_linear_layout
from ttkit.layout.holders import holders, is_own
from ttkit.passes.lower.unsupported import Unsupported

MODULE = """
{aliases}
module attributes {{
    "ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = {warps} : i32, "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func public @f({parameters}) {{
    {body}
    tt.return
  }}
}}"""
EXAMPLES = 3
PASSES = (
    "allocate-shared-memory-nv{compute-capability=90 ptx-version=87},"
    "convert-triton-gpu-to-llvm{compute-capability=90 ptx-version=87}"
)


def places(layout: LinearLayout, cta: int, threads: np.ndarray) -> np.ndarray:
    """(threads, registers): the packed coordinates of what each thread holds."""
    lane, warp = threads % 32, threads // 32
    found = np.array(layout.values("register"))[None] ^ np.array(layout.values("lane"))[lane][:, None]
    return found ^ np.array(layout.values("warp"))[warp][:, None] ^ layout.values("block")[cta]


def unpacked(layout: LinearLayout, packed: np.ndarray) -> tuple[np.ndarray, ...]:
    found, shift = [], 0
    for _, bits in layout.outs:
        found.append(packed >> shift & (1 << bits) - 1)
        shift += bits
    return tuple(found)


def run(
    aliases: str,
    types: list[str],
    results: list[str],
    body: str,
    arrays: list[np.ndarray],
    ctas: int,
    warps: int,
    seed=0,
) -> list[np.ndarray]:
    """The tensors that `body` stores by `results`: %p0, %p1... are pointers of tensors, %a, %b... values of `types`."""
    pointers = [f"%p{i}: {result}" for i, result in enumerate(results)]
    parameters = ", ".join([*(f"%{name}: {type}" for name, type in zip("abcd", types)), *pointers])
    with ttkit.Context():
        module = ttkit.parse(MODULE.format(aliases=aliases, parameters=parameters, body=body, ctas=ctas, warps=warps))
        inputs = module.body.operations[0].operation.attributes["function_type"].value.inputs
        layouts = [to_linear_layout(tuple(type.shape), ttg.layout_of(type)) for type in inputs]
        sizes = [bytes_of(type) for type in inputs]
        ttkit.run_passes(module, PASSES)
        memory, threads = Memory(), np.arange(32 * warps)
        stored = [
            np.zeros(1 << layout.out_bits, f"u{size}")
            for layout, size in zip(layouts[len(types) :], sizes[len(types) :])
        ]
        begins = [memory.add(Buffer("stored", array)).base for array in stored]

        def of_all(layout: LinearLayout) -> np.ndarray:
            """places() of all CTAs."""
            return np.concatenate([places(layout, cta, threads) for cta in range(ctas)])

        given = [array[unpacked(layout, of_all(layout))] for layout, array in zip(layouts, arrays)]
        for layout, array, begin in zip(layouts[len(types) :], stored, begins):
            given.append(begin + array.itemsize * of_all(layout))
        call(module, given, memory, np.random.default_rng(seed))
    found = []
    for layout, array in zip(layouts[len(types) :], stored):
        shape = [1 << bits for _, bits in layout.outs]
        found.append(array[packed_of(layout, shape)])
    return found


def packed_of(layout: LinearLayout, shape: list[int]) -> np.ndarray:
    """For each coordinate its packed number."""
    packed, shift = np.zeros(shape, int), 0
    for dim, (_, bits) in enumerate(layout.outs):
        packed |= np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))]) << shift
        shift += bits
    return packed


def bytes_of(type: ir.Type) -> int:
    element = type.element_type
    if hasattr(element, "pointee_type"):
        element = element.pointee_type
    return max(8, element.width) // 8


# --- Layouts ----------------------------------------------------------------------------------------------------------
@st.composite
def linear_layouts(draw, shape: tuple[int, ...], ctas: int, warps: int) -> str:
    """Any #ttg.linear of a tensor: bits of the coordinates dealt out to registers, lanes, warps, CTAs; copies too."""
    basis = [
        [1 << bit if d == dim else 0 for d in range(len(shape))]
        for dim, size in enumerate(shape)
        for bit in range(size.bit_length() - 1)
    ]
    order = draw(st.permutations(basis))
    counts = {"block": ctas.bit_length() - 1, "warp": warps.bit_length() - 1, "lane": 5}
    fields: dict[str, list[list[int]]] = {}
    left = list(order)
    for name, count in counts.items():
        fields[name] = []
        for _ in range(count):
            is_copy = not left or draw(st.integers(0, 5)) == 5
            fields[name].append([0] * len(shape) if is_copy else left.pop())
    fields["register"] = left
    text = ", ".join(f"{name} = {fields[name]}" for name in ("register", "lane", "warp", "block"))
    return f"#ttg.linear<{{{text}}}>"


def tensor(shape: tuple[int, ...], element: str, layout: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}, {layout}>"


SHAPES = [(64, 16), (16, 128), (512,), (4, 8, 32)]


@settings(max_examples=EXAMPLES, phases=[Phase.generate], deadline=None)
@given(data=st.data())
def test_changes_of_layout(data):
    """Any layout to any other, through registers, shuffles, shared memory or other CTAs."""
    shape = data.draw(st.sampled_from(SHAPES))
    ctas, warps = data.draw(st.sampled_from([(2, 2), (4, 1), (2, 1), (4, 4)]))
    bits = data.draw(st.sampled_from([8, 16, 32, 64]))
    source, target = (data.draw(linear_layouts(shape, ctas, warps)) for _ in range(2))
    values = np.random.default_rng(1).integers(0, 1 << bits, shape, dtype=f"u{bits // 8}")
    types = [tensor(shape, f"i{bits}", "#s"), tensor(shape, f"i{bits}", "#t")]
    pointers = [tensor(shape, f"!tt.ptr<i{bits}>", "#t")]
    body = f"%r = ttg.convert_layout %a : {types[0]} -> {types[1]}\n tt.store %p0, %r : {pointers[0]}"
    aliases = f"#s = {source}\n#t = {target}"
    for seed in range(2):
        (found,) = run(aliases, types[:1], pointers, body, [values], ctas, warps, seed)
        np.testing.assert_array_equal(found, values)


@settings(max_examples=30, phases=[Phase.generate], deadline=None)
@given(data=st.data())
def test_holders(data):
    """The CTA that is named holds the element, and it is the own one where that does."""
    shape, ctas, warps = (16, 32), data.draw(st.sampled_from([1, 2, 4])), 2
    texts = [data.draw(linear_layouts(shape, ctas, warps)) for _ in range(2)]
    with ttkit.Context():
        source, target = (
            to_linear_layout(shape, ttg.layout_of(ir.Type.parse(tensor(shape, "i32", text)))) for text in texts
        )
    found = holders(source, target)
    held = {}
    inside = [column for dim in ("register", "lane", "warp") for column in source.columns_of(dim)]
    for cta in range(ctas):
        held[cta] = {value ^ source.values("block")[cta] for value in gf2.all_values(inside)}
    always_own = True
    for place in range(1 << target.in_bits):
        element, cta, own = (
            target.apply_packed(place),
            found.apply_packed(place),
            place >> target.in_bits - found.out_bits,
        )
        assert element in held[cta]
        always_own &= element in held[own]
    assert is_own(found) <= always_own


# --- What looks along an axis -----------------------------------------------------------------------------------------
def without_axis(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


few = settings(max_examples=EXAMPLES, phases=[Phase.generate], deadline=None)
cluster_sizes = st.sampled_from([(2, 2), (4, 1), (2, 1), (4, 4)])


@few
@given(data=st.data())
def test_reductions(data):
    """Of two operands at once, by an operation that tells their elements apart."""
    shape, axis = (16, 64), data.draw(st.integers(0, 1))
    ctas, warps = data.draw(cluster_sizes)
    layout = data.draw(linear_layouts(shape, ctas, warps))
    source = [tensor(shape, kind, "#s") for kind in ("i64", "i8")]
    slices = [tensor(without_axis(shape, axis), kind, f"#ttg.slice<{{dim = {axis}, parent = #s}}>")
              for kind in ("i64", "i8", "!tt.ptr<i64>", "!tt.ptr<i8>")]  # fmt: skip
    body = f"""
    %r:2 = "tt.reduce"(%a, %b) ({{
    ^bb0(%x: i64, %y: i8, %z: i64, %w: i8):
      %sum = arith.addi %x, %z : i64
      %xor = arith.xori %y, %w : i8
      tt.reduce.return %sum, %xor : i64, i8
    }}) {{axis = {axis} : i32}} : ({source[0]}, {source[1]}) -> ({slices[0]}, {slices[1]})
    tt.store %p0, %r#0 : {slices[2]}
    tt.store %p1, %r#1 : {slices[3]}"""
    rng = np.random.default_rng(2)
    arrays = [rng.integers(0, 1 << 40, shape, dtype=np.uint64), rng.integers(0, 256, shape, dtype=np.uint8)]
    sums, xors = run(f"#s = {layout}", source, slices[2:], body, arrays, ctas, warps)
    np.testing.assert_array_equal(sums, arrays[0].sum(axis))
    np.testing.assert_array_equal(xors, np.bitwise_xor.reduce(arrays[1], axis))


@few
@given(data=st.data())
def test_scans(data):
    shape, axis, reverse = (16, 64), data.draw(st.integers(0, 1)), data.draw(st.booleans())
    ctas, warps = data.draw(cluster_sizes)
    layout = data.draw(linear_layouts(shape, ctas, warps))
    source, pointers = (tensor(shape, kind, "#s") for kind in ("i32", "!tt.ptr<i32>"))
    body = f"""
    %r = "tt.scan"(%a) <{{axis = {axis} : i32, reverse = {str(reverse).lower()}}}> ({{
    ^bb0(%x: i32, %y: i32):
      %sum = arith.addi %x, %y : i32
      tt.scan.return %sum : i32
    }}) : ({source}) -> {source}
    tt.store %p0, %r : {pointers}"""
    values = np.random.default_rng(3).integers(0, 1 << 20, shape, dtype=np.uint32)
    (found,) = run(f"#s = {layout}", [source], [pointers], body, [values], ctas, warps)
    turned = np.flip(values, axis) if reverse else values
    wanted = np.cumsum(turned, axis, dtype=np.uint32)
    np.testing.assert_array_equal(found, np.flip(wanted, axis) if reverse else wanted)


@few
@given(data=st.data())
def test_gathers(data):
    shape, axis = (4, 16), data.draw(st.integers(0, 1))
    wanted_shape = (8, 16) if axis == 0 else (4, 8)
    ctas, warps = data.draw(cluster_sizes)
    layouts = [data.draw(linear_layouts(of, ctas, warps)) for of in (shape, wanted_shape)]
    types = [tensor(shape, "i16", "#s"), tensor(wanted_shape, "i32", "#t")]
    result, pointers = (tensor(wanted_shape, kind, "#t") for kind in ("i16", "!tt.ptr<i16>"))
    body = f"""
    %r = tt.gather %a[%b] {{axis = {axis} : i32}} : ({types[0]}, {types[1]}) -> {result}
    tt.store %p0, %r : {pointers}"""
    rng = np.random.default_rng(4)
    values = rng.integers(0, 1 << 16, shape, dtype=np.uint16)
    where = rng.integers(0, shape[axis], wanted_shape, dtype=np.uint32)
    aliases = f"#s = {layouts[0]}\n#t = {layouts[1]}"
    (found,) = run(aliases, types, [pointers], body, [values, where], ctas, warps)
    np.testing.assert_array_equal(found, np.take_along_axis(values, where.astype(int), axis))


@few
@given(data=st.data())
def test_histograms(data):
    ctas, warps = data.draw(cluster_sizes)
    source, target = data.draw(linear_layouts((512,), ctas, warps)), data.draw(linear_layouts((64,), ctas, warps))
    types = [tensor((512,), "i32", "#s"), tensor((512,), "i1", "#s")]
    result, pointers = (tensor((64,), kind, "#t") for kind in ("i32", "!tt.ptr<i32>"))
    body = f"""
    %r = tt.histogram %a, %b : {types[0]} -> {result}
    tt.store %p0, %r : {pointers}"""
    rng = np.random.default_rng(5)
    values, mask = rng.integers(0, 64, 512, dtype=np.uint32), rng.integers(0, 2, 512).astype(bool)
    (found,) = run(f"#s = {source}\n#t = {target}", types, [pointers], body, [values, mask], ctas, warps)
    np.testing.assert_array_equal(found, np.bincount(values[mask], minlength=64))


@few
@given(data=st.data())
def test_atomic_sums_act_once_and_are_handed_around(data):
    """What all CTAs that hold a copy get is what one of them has found."""
    ctas, warps = data.draw(cluster_sizes)
    layout = data.draw(linear_layouts((128,), ctas, warps))
    values, pointers = tensor((128,), "i32", "#s"), tensor((128,), "!tt.ptr<i32>", "#s")
    body = f"""
    %one = arith.constant dense<1> : {values}
    %first = tt.atomic_rmw add, acq_rel, gpu, %p0, %a : ({pointers}, {values}) -> {values}
    %second = tt.atomic_rmw add, acq_rel, gpu, %p0, %one : ({pointers}, {values}) -> {values}
    tt.store %p1, %second : {pointers}"""
    given_values = np.arange(100, 228, dtype=np.uint32)
    totals, before = run(f"#s = {layout}", [values], [pointers, pointers], body, [given_values], ctas, warps)
    np.testing.assert_array_equal(totals, given_values + 1)
    np.testing.assert_array_equal(before, given_values)


# --- Buffers ----------------------------------------------------------------------------------------------------------
@st.composite
def shared_layouts(draw, shape: tuple[int, ...], ctas: int) -> str:
    """A plain or swizzled buffer, divided among CTAs or with copies in them."""
    rank = len(shape)
    basis: list[list[int]] = []
    for _ in range(ctas.bit_length() - 1):
        dim = draw(st.integers(-1, rank - 1))  # -1: both CTAs have it
        before = sum(step[dim] > 0 for step in basis)
        basis.append([1 << before if d == dim else 0 for d in range(rank)])
    order = draw(st.permutations(range(rank)))
    vec, phases = draw(st.sampled_from([(1, 1), (4, 2), (2, 4)]))
    return (
        f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = 1, maxPhase = {phases}, order = {list(order)}, "
        f"CGALayout = {basis}}}>"
    )


@few
@given(data=st.data())
def test_buffers(data):
    """Stored from any layout, loaded into any other."""
    shape = (8, 32)
    ctas, warps = data.draw(cluster_sizes)
    source, target = (data.draw(linear_layouts(shape, ctas, warps)) for _ in range(2))
    memory = data.draw(shared_layouts(shape, ctas))
    types = [tensor(shape, "i16", "#s"), tensor(shape, "i16", "#t")]
    pointers, buffer = tensor(shape, "!tt.ptr<i16>", "#t"), "!ttg.memdesc<8x32xi16, #m, #ttg.shared_memory>"
    body = f"""
    %m = ttg.local_alloc %a : ({types[0]}) -> {buffer}
    %r = ttg.local_load %m : {buffer} -> {types[1]}
    tt.store %p0, %r : {pointers}"""
    values = np.random.default_rng(6).integers(0, 1 << 16, shape, dtype=np.uint16)
    aliases = f"#s = {source}\n#t = {target}\n#m = {memory}"
    (found,) = run(aliases, types[:1], [pointers], body, [values], ctas, warps)
    np.testing.assert_array_equal(found, values)


@few
@given(data=st.data())
def test_one_of_several_buffers(data):
    """Buffers that lie one after the other in each CTA, which has its part of them only: none reaches into another."""
    shape, count = (8, 32), 3
    ctas, warps = data.draw(cluster_sizes)
    source, memory = data.draw(linear_layouts(shape, ctas, warps)), data.draw(shared_layouts(shape, ctas))
    values, pointers = tensor(shape, "i16", "#s"), tensor(shape, "!tt.ptr<i16>", "#s")
    buffers = f"!ttg.memdesc<{count}x8x32xi16, #m, #ttg.shared_memory, mutable>"
    buffer = "!ttg.memdesc<8x32xi16, #m, #ttg.shared_memory, mutable>"
    body = [f"%m = ttg.local_alloc : () -> {buffers}"]
    for number, name in enumerate("abc"):
        body.append(f"%i{number} = arith.constant {number} : i32")
        body.append(f"%b{number} = ttg.memdesc_index %m[%i{number}] : {buffers} -> {buffer}")
        body.append(f"ttg.local_store %{name}, %b{number} : {values} -> {buffer}")
    for number in range(count):
        body.append(f"%r{number} = ttg.local_load %b{number} : {buffer} -> {values}")
        body.append(f"tt.store %p{number}, %r{number} : {pointers}")
    rng = np.random.default_rng(8)
    arrays = [rng.integers(0, 1 << 16, shape, dtype=np.uint16) for _ in range(count)]
    aliases = f"#s = {source}\n#m = {memory}"
    found = run(aliases, [values] * count, [pointers] * count, "\n".join(body), arrays, ctas, warps)
    np.testing.assert_array_equal(found, arrays)


@few
@given(data=st.data())
def test_gathers_and_scatters_of_buffers(data):
    shape, axis = (4, 32), data.draw(st.integers(0, 1))
    ctas, warps = data.draw(cluster_sizes)
    layout, memory = data.draw(linear_layouts(shape, ctas, warps)), data.draw(shared_layouts(shape, ctas))
    values, where, pointers = (tensor(shape, kind, "#s") for kind in ("i16", "i32", "!tt.ptr<i16>"))
    buffer = "!ttg.memdesc<4x32xi16, #m, #ttg.shared_memory, mutable>"
    body = f"""
    %m = ttg.local_alloc %a : ({values}) -> {buffer}
    %r = ttg.local_gather %m[%b] {{axis = {axis} : i32}} : {buffer}, {where} -> {values}
    tt.store %p0, %r : {pointers}
    ttg.local_scatter %m[%b], %r {{axis = {axis} : i32}} : {buffer}, {where}, {values}
    %q = ttg.local_load %m : {buffer} -> {values}
    tt.store %p1, %q : {pointers}"""
    rng = np.random.default_rng(7)
    array = rng.integers(0, 1 << 16, shape, dtype=np.uint16)
    order = np.argsort(rng.random(shape), axis).astype(np.uint32)
    aliases = f"#s = {layout}\n#m = {memory}"
    gathered, scattered = run(aliases, [values, where], [pointers] * 2, body, [array, order], ctas, warps)
    np.testing.assert_array_equal(gathered, np.take_along_axis(array, order.astype(int), axis))
    np.testing.assert_array_equal(scattered, array)


@pytest.mark.parametrize(
    ("count", "arrival"),
    [
        (1, "ttng.arrive_barrier %bar, 1 {fromCTA = 0 : i32}"),
        (3, "ttng.arrive_barrier %bar, 3, %true {fromCTA = 2 : i32}"),
        (1, "ttng.arrive_barrier %bar, 1 {fromCTA = 3 : i32}"),
        (2, "ttng.arrive_barrier %bar, 1 {multicastCTA = 1 : i32}"),
        (4, "ttng.arrive_barrier %bar, 1 {multicastCTA = 3 : i32}"),
        (1, "ttng.barrier_expect %bar, 0 {fromCTA = 1 : i32}, %true"),
    ],
)
def test_ctas_arrive_for_others(count, arrival):
    """Each CTA gets `count` arrivals, from whichever CTA they come: one more, and its wait would not end."""
    aliases = """#s = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0],
                                    CGALayout = [[1], [2]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory"""
    barrier = "!ttg.memdesc<4xi64, #bar, #smem, mutable>"
    body = f"""
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %bar = ttg.local_alloc : () -> {barrier}
    ttng.init_barrier %bar, {count} : {barrier}
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier
    {arrival} : {barrier}
    ttng.wait_barrier %bar, %c0 : {barrier}
    ttng.cluster_barrier
    tt.store %p0, %a : tensor<128x!tt.ptr<i32>, #s>"""
    values = np.arange(128, dtype=np.uint32)
    types, pointers = ["tensor<128xi32, #s>"], ["tensor<128x!tt.ptr<i32>, #s>"]
    (found,) = run(aliases, types, pointers, body, [values], 4, 1)
    np.testing.assert_array_equal(found, values)
    text = MODULE.format(aliases=aliases, parameters="", body=body.partition("tt.store")[0], ctas=4, warps=1)
    with ttkit.Context():
        interpret(ttkit.parse(text), 1, [])  # before lowering: a cluster as one
    more = body.replace(f"init_barrier %bar, {count}", f"init_barrier %bar, {count + 1}")
    with pytest.raises(InterpreterError, match="the end of phase"):
        run(aliases, types, pointers, more, [values], 4, 1)


def test_an_arrival_has_one_mask():
    aliases = """#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory"""
    body = """
    %bar = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #bar, #smem, mutable>
    ttng.arrive_barrier %bar, 1 {fromCTA = 0 : i32, multicastCTA = 1 : i32}
        : !ttg.memdesc<2xi64, #bar, #smem, mutable>"""
    with pytest.raises(Unsupported, match="found fromCTA = 0 and multicastCTA = 1; an arrival has one of them"):
        run(aliases, [], [], body, [], 2, 1)
