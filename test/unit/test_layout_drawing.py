"""Drawings and notations of layouts: every cell says what the layout says."""

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_strategies import distributed, linear_layouts, shapes, shared

from ttkit.layout import encodings as enc
from ttkit.layout import to_linear_layout
from ttkit.layout.cute import cute_text
from ttkit.layout.drawing.html import html
from ttkit.layout.drawing.picture import picture_of
from ttkit.layout.drawing.svg import svg
from ttkit.layout.drawing.triton_text import layout_text

distributed_layouts = linear_layouts(distributed, shapes(4))
all_layouts = linear_layouts(lambda rank: st.one_of(distributed(rank), shared(rank)), shapes(4))
MMA = enc.NvidiaMma(2, 0, (2, 2), (16, 8))


@given(all_layouts, st.booleans())
def test_pictures_are_well_formed(linear, hardware):
    if linear.in_bits > 12:
        return
    picture = picture_of(linear, 'a "title" & <tag>', 16, hardware)
    assert len(picture.cells) == len(picture.rows)
    assert all(len(row) == len(picture.columns) for row in picture.cells)
    assert all(0 <= cell.group < picture.groups for row in picture.cells for cell in row)
    drawing = ElementTree.fromstring(svg(picture))
    cells = [element for element in drawing.iter() if element.tag.endswith("title")]
    assert len(cells) == len(picture.rows) * len(picture.columns)
    page = html("x", [("a < b", [("name", "1 & 2")], [picture])])
    assert "a &lt; b" in page
    assert "1 &amp; 2" in page


def test_holders_of_elements():
    picture = picture_of(to_linear_layout((16, 8), enc.NvidiaMma(2, 0, (1, 1), (16, 8))), "", 32)
    for row, column in itertools.product(range(16), range(8)):
        thread, register = row % 8 * 4 + column // 2, row // 8 * 2 + column % 2
        assert picture.cells[row][column].label == f"T{thread}:{register}"
        assert picture.cells[row][column].group == thread


def test_banks_of_elements():
    picture = picture_of(to_linear_layout((8, 64), enc.SwizzledShared(8, 1, 8, (1, 0))), "", 16)
    for row, column in itertools.product(range(8), range(64)):
        assert picture.cells[row][column].group == (column // 8 ^ row) * 4 + column % 8 // 2


def test_tensor_memory():
    linear = to_linear_layout((64, 16), enc.TensorMemory(64, 16, 2))
    picture = picture_of(linear, "", 16)
    assert picture.cells[17][3].label == "33:6"
    assert cute_text(linear) is None


def test_large_tensors_are_cut():
    picture = picture_of(
        to_linear_layout((4, 128, 256), enc.Blocked((1, 1, 4), (1, 8, 4), (1, 4, 1), (2, 1, 0))), "", 32
    )
    assert (len(picture.rows), len(picture.columns)) == (64, 64)
    assert picture.hidden == "the first of 4 matrices; 64 of 128 rows, 64 of 256 columns"


@given(distributed_layouts)
def test_triton_text_names_every_holder(linear):
    if linear.in_bits > 11:
        return
    places = re.findall(r"(?:B(\d+):)?T(\d+):(\d+)", layout_text(linear))
    assert len(places) == 1 << linear.in_bits
    assert len(set(places)) == len(places)


def cute_apply(text: str, *coordinates: int) -> int:
    """Evaluates `Swizzle<b,m,s> o (shape):(stride)` at one index per mode."""
    swizzle = re.match(r"Swizzle<(\d+),(\d+),(\d+)> o ", text)
    shape, stride = (
        eval(part.replace(")(", "),(")) for part in text.removeprefix(swizzle[0] if swizzle else "").split(":")
    )
    total = 0
    for index, sizes, steps in zip(coordinates, shape, stride):
        sizes, steps = ((which,) if isinstance(which, int) else which for which in (sizes, steps))
        for size, step in zip(sizes, steps):
            index, digit = divmod(index, size)
            total += digit * step
        assert index == 0
    if swizzle:
        bits, base, shift = map(int, swizzle.groups())
        total ^= (total & (1 << bits) - 1 << base + shift) >> shift
    return total


@given(distributed_layouts)
def test_cute_of_distributed_layouts(linear):
    """(thread, value) -> element, counted with dimension 0 fastest."""
    if linear.in_bits > 11 or linear.bits_in("block"):
        return
    text = cute_text(linear)
    if text is None:
        return
    lanes = linear.in_size("lane")
    for thread in range(lanes * linear.in_size("warp")):
        for value in range(linear.in_size("register")):
            index = linear.pack_inputs({"register": value, "lane": thread % lanes, "warp": thread // lanes})
            assert cute_apply(text, thread, value) == linear.apply_packed(index)


@pytest.mark.parametrize(
    ("layout", "shape", "expected"),
    [
        (enc.SwizzledShared(8, 1, 8, (1, 0)), (64, 64), "Swizzle<3,3,3> o (64,64):(64,1)"),
        (enc.SwizzledShared(1, 1, 1, (0, 1)), (8, 4), "(8,4):(1,8)"),
        (enc.NvmmaShared(128, False, 16), (16, 128), "Swizzle<3,3,3> o (16,(64,2)):(64,(1,1024))"),
        (enc.NvmmaShared(32, True, 16), (16, 64), "Swizzle<1,3,3> o (16,64):(1,16)"),
        (enc.AmdRotatingShared(4, 1, 8, (1, 0)), (64, 64), None),
        (enc.Blocked((1, 4), (8, 4), (4, 1), (1, 0)), (32, 16), "((4,32),4):((128,1),32)"),
        (enc.Slice(1, MMA), (32,), "((4,8,2,2),2):((0,1,0,16),8)"),
    ],
)
def test_cute(layout, shape, expected):
    linear = to_linear_layout(shape, layout)
    text = cute_text(linear)
    assert text == expected
    if text and linear.has_in_dim("offset"):
        for row, column in itertools.product(range(shape[0]), range(shape[1])):
            assert cute_apply(text, row, column) == linear.invert().apply({"dim0": row, "dim1": column})["offset"]
