"""Messages to and from tensor memory: each register of each thread is where the instruction takes it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ttkit
from ttkit.language import float16, float32
from ttkit.layout import UnsuitableLayout, to_linear_layout
from ttkit.layout.encodings import Linear, TensorMemory, TensorMemoryScales
from ttkit.layout.gluon.tensor_memory_layouts import TensorMemoryLayout, tensor_memory_registers
from ttkit.layout.linear import LinearLayout
from ttkit.layout.tensor_memory_access import plan_messages
from ttkit.layout.tensor_memory_to_linear import extent
from ttkit.passes.layouts.tmem_access_layouts import access_layout, is_accessible

LANES = 32


def place_in_shape(shape: str, lane: int, word: int) -> tuple[int, int]:
    """Row and column of a lane's word (PTX ISA, "Matrix fragments" of tcgen05.ld)."""
    if shape == "32x32b":
        return lane, word
    if shape == "16x32bx2":
        return lane % 16, word
    if shape == "16x64b":
        return lane // 4 + 8 * (lane % 2), lane // 2 % 2 + 2 * word
    if shape == "16x128b":
        return lane // 4 + 8 * (word % 2), lane % 4 + 4 * (word // 2)
    assert shape == "16x256b"
    return lane // 4 + 8 * (word // 2 % 2), 2 * (lane % 4) + word % 2 + 8 * (word // 4)


def check(registers: LinearLayout, memory: LinearLayout, bits: int, most: int = 128) -> None:
    """Every register of every thread is where tensor memory has its element."""
    plan = plan_messages(registers, memory, bits, most)
    warps = registers.in_size("warp")
    per_word = 32 // bits
    seen = set()
    for words, address in zip(plan.words, plan.addresses, strict=True):
        assert len(words) <= most
        for number, of_word in enumerate(words):
            seen |= set(of_word)
            for lane in (0, 1, 2, 4, 7, 8, 16, 21, 31):
                for warp in range(warps):
                    row, column = place_in_shape(plan.shape, lane, number)
                    start = address + (warp % 4 << 21)
                    for bit, moved in enumerate(plan.warps):
                        start += moved if warp >> bit + 2 & 1 else 0
                    if plan.shape == "16x32bx2" and lane >= 16:
                        start += plan.second or 0
                    row, column = row + (start >> 16), column * (2 if plan.spread else 1) + (start & 0xFFFF)
                    for index, register in enumerate(of_word):
                        # Where an element is, counted in elements.
                        place = (column + index) * per_word if plan.spread else column * per_word + index
                        found = memory.apply({"row": row, "col": place})
                        wanted = registers.apply({"register": register, "lane": lane, "warp": warp})
                        assert {dim: int(found[dim]) for dim in wanted} == wanted
    distinct = [1 << bit for bit, column in enumerate(registers.columns_of("register")) if column]
    assert len(seen) == 1 << len(distinct)


SHAPES = [(128, 64, 64), (128, 128, 32), (64, 128, 128), (64, 64, 32), (128, 32, 32), (256, 64, 64), (64, 16, 16)]


@pytest.mark.parametrize("warps", [4, 8])
@pytest.mark.parametrize("bits", [32, 16, 8])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_layouts_that_products_choose(shape, bits, warps):
    rows, columns, block = shape
    for stride in {1, 32 // bits if bits == 16 else 1}:
        encoding = TensorMemory(min(rows, 128), block, stride)
        element = {32: "f32", 16: "f16", 8: "i8"}[bits]
        with ttkit.Context():
            text = f"!ttg.memdesc<{rows}x{columns}x{element}, {encoding}, #ttng.tensor_memory, mutable>"
            layout = access_layout(parse_type(text), warps, ())
        registers = to_linear_layout((rows, columns), layout)
        check(registers, to_linear_layout((rows, columns), encoding), bits)
        check(registers, to_linear_layout((rows, columns), encoding), bits, most=8)


def parse_type(text: str):
    from mlir import ir

    return ir.Type.parse(text)


@pytest.mark.parametrize("rows", [32, 64, 128, 256])
def test_scales(rows):
    encoding = TensorMemoryScales()
    with ttkit.Context():
        text = f"!ttg.memdesc<{rows}x8xi8, {encoding}, #ttng.tensor_memory, mutable>"
        layout = access_layout(parse_type(text), 4, ())
    check(to_linear_layout((rows, 8), layout), to_linear_layout((rows, 8), encoding), 8)


@st.composite
def fragments(draw) -> tuple[Linear, TensorMemory, int]:
    """Layouts made of a shape's pattern, and others that are like them but do not fit."""
    rows, columns = 128, 1 << draw(st.integers(3, 6))
    bits = [(1 << i, 0) for i in range(5)], [(0, 1 << i) for i in range(columns.bit_length() - 1)]
    row, column = list(bits[0]), list(bits[1])
    kind = draw(st.sampled_from(["32x32b", "16x64b", "16x128b", "16x256b", "other"]))
    if kind == "32x32b":
        lane, register = row, column
    elif kind == "16x64b":
        lane, register = [row[3], column[0], *row[:3]], [*column[1:], row[4]]
    elif kind == "16x128b":
        lane, register = [column[0], column[1], *row[:3]], [row[3], *column[2:], row[4]]
    elif kind == "16x256b":
        lane, register = [column[1], column[2], *row[:3]], [column[0], row[3], *column[3:], row[4]]
    else:
        everything = draw(st.permutations([*row, *column]))
        lane, register = everything[:5], everything[5:]
    register = draw(st.permutations(register))
    if draw(st.booleans()):
        register = [*register, (0, 0)]
    warp = [(32, 0), (64, 0)]
    if draw(st.booleans()) and register:
        warp.append(register[-1])
        register = register[:-1]
    layout = Linear(tuple(register), tuple(lane), tuple(warp), ())
    return layout, TensorMemory(rows, columns, 1), columns


@settings(max_examples=150, deadline=None, derandomize=True)
@given(case=fragments(), element=st.sampled_from(["f32", "f16", "i8"]))
def test_there_are_messages_where_the_verifier_says_so(case, element):
    layout, encoding, columns = case
    bits = {"f32": 32, "f16": 16, "i8": 8}[element]
    with ttkit.Context():
        buffer = parse_type(f"!ttg.memdesc<128x{columns}x{element}, {encoding}, #ttng.tensor_memory, mutable>")
        tensor = parse_type(f"tensor<128x{columns}x{element}, {layout}>")
        fits = is_accessible(tensor, buffer)
    registers, memory = to_linear_layout((128, columns), layout), to_linear_layout((128, columns), encoding)
    if not fits:
        with pytest.raises(UnsuitableLayout):
            plan_messages(registers, memory, bits)
        return
    check(registers, memory, bits)


def test_extents():
    assert extent(TensorMemory(128, 64, 1), (128, 128), 32) == (128, 128)
    assert extent(TensorMemory(64, 64, 1), (64, 64), 32) == (64, 64)
    assert extent(TensorMemory(64, 64, 1), (128, 64), 32) == (128, 64)
    assert extent(TensorMemory(128, 64, 2), (128, 64), 16) == (128, 64)
    assert extent(TensorMemory(128, 64, 1), (128, 64), 16) == (128, 32)
    assert extent(TensorMemory(128, 64, 1, 2), (256, 64), 32) == (128, 64)
    assert extent(TensorMemoryScales(), (128, 4), 8) == (128, 4)
    assert extent(TensorMemoryScales(), (256, 8), 8) == (128, 16)


@pytest.mark.parametrize("variant", ["32x32b", "16x64b", "16x128b", "16x256b", "32x32b_splitn"])
@pytest.mark.parametrize("warps", [4, 8])
@pytest.mark.parametrize("bits", [32, 16])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_layouts_for_one_instruction(shape, bits, warps, variant):
    rows, columns, block = shape
    memory = TensorMemoryLayout((min(rows, 128), block), 1)
    layout = tensor_memory_registers(float32 if bits == 32 else float16, (rows, columns), memory, warps, variant)
    registers = to_linear_layout((rows, columns), layout.encoding)
    check(registers, to_linear_layout((rows, columns), memory.encoding), bits)
    plan = plan_messages(registers, to_linear_layout((rows, columns), memory.encoding), bits)
    if variant == "32x32b_splitn":
        assert layout.reg_bases[-1] == [0, columns // 2]
    else:
        assert plan.shape in (variant, "16x32bx2" if variant == "32x32b" else variant)


def test_layouts_without_an_instruction():
    memory = TensorMemoryLayout((64, 8), 1)
    for variant, shape, warps, message in (
        ("16x256b", (128, 4), 4, "unsupported for shape"),
        ("16x32bx2", (64, 8), 4, "unknown instr_variant: 16x32bx2"),
        ("32x32b", (64, 8), 6, "power of two and >= 4"),
        ("32x32b", (64, 8, 2), 4, "expected a 2D tensor"),
    ):
        with pytest.raises(ValueError, match=message):
            tensor_memory_registers(float32, shape, memory, warps, variant)
