"""Reductions and scans of any layout: what the plan combines, and what the lowered code computes."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lowered_tensors import compute, module

from ttkit.layout import LinearLayout
from ttkit.layout.packing import pack
from ttkit.layout.reduction import divided, plan_reduction

LEVELS = ("register", "lane", "warp")


@st.composite
def any_layouts(draw, sizes=(3, 5, 2), mixed_dims=True):
    """A layout of a tensor of rank 1 to 3 whose bits may move several coordinates, and hold elements several times."""
    rank = draw(st.integers(1, 3))
    outs = tuple((f"dim{i}", draw(st.integers(0, 6 // rank))) for i in range(rank))
    bits, total = sum(b for _, b in outs), sum(sizes)
    columns = draw(st.permutations([1 << i for i in range(bits)] + [0] * (total - bits)))
    masks = [(1 << bits) - 1] * total
    if not mixed_dims:
        ends = [pack([(1 << b) - 1 if j == i else 0 for j, (_, b) in enumerate(outs)], outs) for i in range(rank)]
        masks = [next((end for end in ends if end & column), draw(st.sampled_from(ends))) for column in columns]
    # A column plus others that it is independent of: the layout stays surjective.
    for i in range(total):
        for other in draw(st.lists(st.integers(0, total - 1), max_size=2)):
            if other != i and columns[other] & masks[i] and not columns[other] & ~masks[i]:
                columns[i] ^= columns[other]
    return LinearLayout(tuple(zip(LEVELS, sizes)), outs, tuple(columns))


def surjective(**options):
    return any_layouts(**options).filter(lambda layout: layout.is_surjective)


@given(surjective(), st.data())
def test_every_index_gets_the_whole_axis_once(layout, data):
    axis = data.draw(st.integers(0, len(layout.outs) - 1))
    plan = plan_reduction(layout, axis)
    shape = [1 << bits for _, bits in layout.ins]
    elements = [frozenset([value]) for value in layout]  # by index, the register fastest

    def at(register, lane, warp):
        return elements[register + shape[0] * (lane + shape[1] * warp)]

    threads = [(lane, warp) for lane in range(shape[1]) for warp in range(shape[2])]
    values = {(register, *thread): at(register, *thread) for register in range(shape[0]) for thread in threads}

    def combined(a, b):
        assert not a & b, "an element is counted twice"
        return a | b

    for kept, registers in zip(plan.registers, plan.combined, strict=True):
        assert kept == registers[0] and list(registers) == sorted(registers)
        for thread in threads:
            values[(kept, *thread)] = reduce(combined, (values[(register, *thread)] for register in registers))
    for steps in (plan, divided(plan, 2, 8)):
        totals = across_lanes(steps, values, threads, combined)
        stored = {}
        for (i, lane, warp), total in totals.items():
            place = steps.places.apply({"register": i, "lane": lane, "warp": warp})["offset"]
            assert stored.setdefault(place, total) == total
        size = layout.shape[axis]
        for i in range(len(plan.registers)):
            kept = plan.kept.apply({"register": i, "lane": 3, "warp": 1})
            number = pack(list(kept.values()), plan.kept.outs)
            total = frozenset()
            for slot in range(plan.slots):
                total = combined(total, stored[number * plan.slots + slot])
            assert len(total) == size
            assert all(e[:axis] + e[axis + 1 :] == tuple(kept.values()) for e in total)


def across_lanes(plan, values, threads, combined):
    """What lanes have after the plan's steps, by the number of their total: all of them again, if none are stored."""
    count = len(plan.registers)
    totals = {
        (i, lane, warp): values[register, lane, warp]
        for i, register in enumerate(plan.registers)
        for lane, warp in threads
    }
    for published, mask, divides in plan.butterflies:
        numbers = [plan.registers.index(register) for register in published]
        if divides is None:
            moves = {(i, lane): (i, other) for i, other in enumerate(numbers) for lane, _ in threads}
        else:
            assert numbers == list(range(count)), "each lane has the same totals"
            count //= 2
            second = {lane: count * (lane >> divides & 1) for lane, _ in threads}
            moves = {(i, lane): (i + second[lane],) * 2 for i in range(count) for lane, _ in threads}
        totals = {
            (i, lane, warp): combined(totals[own, lane, warp], totals[other, lane ^ mask, warp])
            for (i, lane), (own, other) in moves.items()
            for of_lane, warp in threads
            if of_lane == lane
        }
    if plan.slots > 1:
        return totals
    for _, mask, divides in reversed(plan.butterflies):
        if divides is not None:
            totals |= {
                (i + half, lane, warp): totals[i, lane ^ (0 if bool(half) == bool(lane >> divides & 1) else mask), warp]
                for half in (0, count)
                for i in range(count)
                for lane, warp in threads
            }
            count *= 2
    return totals


def alias(layout: LinearLayout) -> str:
    bases = {name: [list(basis) for basis in layout.bases(name)] for name in LEVELS}
    return "#l = #ttg.linear<{" + ", ".join(f"{name} = {of}" for name, of in bases.items()) + ", block = []}>"


def operation(name, layout, axis, types, region, extra=""):
    """A function of tensors that applies tt.reduce or tt.scan to them."""
    shape = "x".join(map(str, layout.shape))
    sources = [f"tensor<{shape}x{type}, #l>" for type in types]
    rest = "x".join(str(size) for dim, size in enumerate(layout.shape) if dim != axis)
    results = sources
    if name == "reduce":
        slice = f"#ttg.slice<{{dim = {axis}, parent = #l}}>"
        results = [f"tensor<{rest}x{type}, {slice}>" if rest else type for type in types]
    names = [f"%a{i}" for i in range(len(types))]
    arguments = ", ".join(f"{x}{i}: {type}" for x in ("%l", "%r") for i, type in enumerate(types))
    parameters = ", ".join(f"{name}: {type}" for name, type in zip(names, sources))
    given = ", ".join(f"%o#{i}" for i in range(len(types))) if len(types) > 1 else "%o"
    several = f":{len(types)}" if len(types) > 1 else ""
    return f"""tt.func public @f({parameters}) -> ({", ".join(results)}) {{
      %o{several} = "tt.{name}"({", ".join(names)}) <{{axis = {axis} : i32{extra}}}> ({{
      ^bb0({arguments}):
        {region}
      }}) : ({", ".join(sources)}) -> ({", ".join(results)})
      tt.return {given} : {", ".join(results)}
    }}"""


SUM = "%s = arith.addi %l0, %r0 : i32\ntt.{0}.return %s : i32"
# The largest number and where it is, the first of several.
LARGEST = """%gt = arith.cmpi ugt, %l0, %r0 : i8
        %eq = arith.cmpi eq, %l0, %r0 : i8
        %first = arith.cmpi ult, %l1, %r1 : i32
        %tie = arith.andi %eq, %first : i1
        %take = arith.ori %gt, %tie : i1
        %v = arith.select %take, %l0, %r0 : i8
        %i = arith.select %take, %l1, %r1 : i32
        tt.reduce.return %v, %i : i8, i32"""


@settings(max_examples=40)
@given(surjective(mixed_dims=False), st.data())
def test_reductions_of_any_layout(layout, data):
    axis = data.draw(st.integers(0, len(layout.outs) - 1))
    values = np.random.default_rng(layout.out_bits).integers(0, 99, layout.shape, np.uint32)
    text = module(operation("reduce", layout, axis, ["i32"], SUM.format("reduce")), alias(layout), 4)
    (found,) = compute(text, values)
    np.testing.assert_array_equal(found, values.sum(axis, dtype=np.uint32))


ONE_OPERATION = {"addi": np.add, "andi": np.bitwise_and, "maxui": np.maximum, "maxsi": np.maximum}


@pytest.mark.parametrize("name, combine", ONE_OPERATION.items())
@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("capability", [75, 90])
def test_reductions_by_one_operation(name, combine, bits, capability):
    layout = LinearLayout((("register", 1), ("lane", 5), ("warp", 2)), (("dim0", 8),), tuple(1 << i for i in range(8)))
    signed = np.random.default_rng(bits).integers(-(1 << bits - 1), 1 << bits - 1, 256).astype(f"i{bits // 8}")
    values = signed if name == "maxsi" else signed.view(f"u{bits // 8}")
    region = f"%s = arith.{name} %l0, %r0 : i{bits}\ntt.reduce.return %s : i{bits}"
    text = module(operation("reduce", layout, 0, [f"i{bits}"], region), alias(layout), 4)
    (found,) = compute(text, values.view(f"u{bits // 8}"), capability=capability)
    assert found.view(values.dtype) == combine.reduce(values, dtype=values.dtype)


@settings(max_examples=20)
@given(surjective(mixed_dims=False), st.data())
def test_reductions_of_several_operands(layout, data):
    axis = data.draw(st.integers(0, len(layout.outs) - 1))
    values = np.random.default_rng(layout.out_bits).integers(0, 9, layout.shape, np.uint8)
    places = np.broadcast_to(np.expand_dims(np.arange(layout.shape[axis], dtype=np.uint32),
                                            [d for d in range(values.ndim) if d != axis]), values.shape)  # fmt: skip
    text = module(operation("reduce", layout, axis, ["i8", "i32"], LARGEST), alias(layout), 4)
    largest, where = compute(text, values, places)
    np.testing.assert_array_equal(largest, values.max(axis))
    np.testing.assert_array_equal(where, values.argmax(axis))


def wide_layout(warps):
    """[8, 1024]: 64 elements in each thread.  `warps` are the (row, column) of each of their bits."""
    bases = {
        "register": [(0, 1), (0, 2), (0, 64), (0, 128)],
        "lane": [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)],
        "warp": warps,
    }
    used = {basis for of_dim in bases.values() for basis in of_dim}
    every = [(1 << bit, 0) for bit in range(3)] + [(0, 1 << bit) for bit in range(10)]
    bases["register"] += [basis for basis in every if basis not in used]
    return LinearLayout.from_bases(bases, {"dim0": 8, "dim1": 1024})


WARPS = ([(2, 0), (4, 0)], [(0, 256), (2, 0)], [(0, 512), (0, 256)])


@pytest.mark.parametrize("warps", WARPS)
@pytest.mark.parametrize("axis", [0, 1])
def test_reductions_to_many_elements(warps, axis):
    layout = wide_layout(warps)
    values = np.random.default_rng(axis).integers(0, 99, layout.shape, np.uint32)
    text = module(operation("reduce", layout, axis, ["i32"], SUM.format("reduce")), alias(layout), 4)
    (found,) = compute(text, values)
    np.testing.assert_array_equal(found, values.sum(axis, dtype=np.uint32))


@pytest.mark.parametrize("warps", WARPS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
def test_scans_of_blocks(warps, axis, reverse):
    check_products(wide_layout(warps), axis, reverse)


def long_layout(warps, by_registers):
    """[2, 4096]: 64 elements in each thread; rows are in registers, or in lanes, of which 16 go along them."""
    lanes = [(0, 2), (0, 4), (0, 8), (0, 16)]
    bases = {"register": [(0, 1)], "lane": [lanes[0], (1, 0), *lanes[1:]], "warp": warps}
    if by_registers:
        bases |= {"register": [(1, 0), (0, 1)], "lane": [*lanes, (0, 32)]}
    used = {basis for of_dim in bases.values() for basis in of_dim}
    bases["register"] += [basis for basis in [(0, 1 << bit) for bit in range(12)] if basis not in used]
    return LinearLayout.from_bases(bases, {"dim0": 2, "dim1": 4096})


@pytest.mark.parametrize("warps", [[(0, 32), (0, 64)], [(0, 2048), (0, 32)], [(0, 1024), (0, 512)], [(0, 64), (0, 0)]])
@pytest.mark.parametrize("reverse", [False, True])
def test_scans_of_more_blocks_than_lanes(warps, reverse):
    check_products(long_layout(warps, by_registers=False), 1, reverse)


@pytest.mark.parametrize("warps", [[(0, 64), (0, 128)], [(0, 2048), (0, 64)]])
@pytest.mark.parametrize("reverse", [False, True])
def test_scans_of_many_blocks_of_several_rows(warps, reverse):
    check_products(long_layout(warps, by_registers=True), 1, reverse)


def check_products(layout, axis, reverse):
    """Products of matrices [[1, x], [0, y]] as y, x: the order matters, and operands are two."""
    random = np.random.default_rng(axis)
    y, x = random.integers(0, 9, layout.shape, np.uint32), random.integers(0, 9, layout.shape, np.uint32)
    region = """%y = arith.muli %l0, %r0 : i32
        %m = arith.muli %l1, %r0 : i32
        %x = arith.addi %m, %r1 : i32
        tt.scan.return %y, %x : i32, i32"""
    extra = f", reverse = {str(reverse).lower()}"
    text = module(operation("scan", layout, axis, ["i32", "i32"], region, extra), alias(layout), 4)
    found = compute(text, y, x)
    along = [np.moveaxis(np.flip(part, axis) if reverse else part, axis, 0) for part in (y, x, *found)]
    for i in range(1, layout.shape[axis]):
        np.testing.assert_array_equal(along[2][i], along[2][i - 1] * along[0][i])
        np.testing.assert_array_equal(along[3][i], along[3][i - 1] * along[0][i] + along[1][i])


@settings(max_examples=40)
@given(surjective(mixed_dims=False), st.booleans(), st.data())
def test_scans_of_any_layout(layout, reverse, data):
    axis = data.draw(st.integers(0, len(layout.outs) - 1))
    values = np.random.default_rng(layout.out_bits).integers(0, 99, layout.shape, np.uint32)
    extra = f", reverse = {str(reverse).lower()}"
    text = module(operation("scan", layout, axis, ["i32"], SUM.format("scan"), extra), alias(layout), 4)
    (found,) = compute(text, values)
    flipped = np.flip(values, axis) if reverse else values
    expected = flipped.cumsum(axis, dtype=np.uint32)
    np.testing.assert_array_equal(found, np.flip(expected, axis) if reverse else expected)
