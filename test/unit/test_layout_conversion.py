"""Layouts as linear layouts: each must be, bit by bit, what Triton makes of it.

data/linear_layouts.json has a case a line: a type, and for each hardware index (register, lane, warp, block; or offset,
block) its bases, each as the number of an element counted in row-major order.  The expected bases are Triton 3.6's own.
Both the library's conversion, in C++, and `ttkit.layout.to_linear_layout` must agree.
"""

import ctypes
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from layout_strategies import distributed, powers, shared
from mlir import ir

from ttkit.layout import UnsuitableShape, parse_layout, to_linear_layout
from ttkit.layout.encodings import PaddedShared, SharedLinear
from ttkit.layout.linear_text import short_text

CASES = json.loads((Path(__file__).parent / "data" / "linear_layouts.json").read_text())


class StringRef(ctypes.Structure):
    """MlirStringRef."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


StringCallback = ctypes.CFUNCTYPE(None, StringRef, ctypes.c_void_p)


@pytest.fixture
def linear_layout(context):
    """The linear layout of a type as text, None if there is none."""
    from mlir import ir

    from ttkit import _native

    function = _native.library().ttkitPrintLinearLayout
    function.restype, function.argtypes = ctypes.c_bool, [_native.Handle, StringCallback, ctypes.c_void_p]

    def print_layout(text: str) -> str | None:
        pieces: list[bytes] = []
        callback = StringCallback(lambda piece, _: pieces.append(ctypes.string_at(piece.data, piece.length)))
        found = function(_native.handle(ir.Type.parse(text), "Type"), callback, None)
        return b"".join(pieces).decode() if found else None

    return print_layout


def as_numbers(layout: str, shape: list[int]) -> list[list[int]]:
    """`register = [[0, 1], [1, 0]], lane = []` of a 4x8 tensor -> [[1, 8], []]."""
    strides = [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]
    indices = re.findall(r"\w+ = (\[(?:\[[^]]*\](?:, )?)*\])", layout)
    return [[sum(c * s for c, s in zip(basis, strides)) for basis in json.loads(index)] for index in indices]


def shape_of(type_text: str) -> list[int]:
    return [int(size) for size in re.search(r"<((?:\d+x)+)", type_text)[1].split("x")[:-1]]


def test_same_as_triton(linear_layout):
    different = []
    for type_text, expected in CASES:
        layout = linear_layout(type_text)
        if layout is None or as_numbers(layout, shape_of(type_text)) != expected:
            different.append((type_text, layout, expected))
    assert not different, f"{len(different)} of {len(CASES)} differ, the first: {different[0]}"


def test_python_same_as_triton():
    different = []
    for type_text, expected in CASES:
        shape = shape_of(type_text)
        attribute = re.search(r"#ttg.*}>", type_text)[0]
        layout = to_linear_layout(shape, parse_layout(attribute))
        strides = [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]
        numbers = [
            [sum(c * s for c, s in zip(basis, strides)) for basis in layout.bases(name)] for name in layout.in_dims
        ]
        if numbers != expected:
            different.append((type_text, layout, expected))
    assert not different, f"{len(different)} of {len(CASES)} differ, the first: {different[0]}"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data(), rank=st.integers(1, 3))
def test_python_same_as_the_library(linear_layout, data, rank):
    """Of any layout and shape, those that do not fit together included."""
    shape = data.draw(powers(rank, 7))
    in_memory = data.draw(st.booleans())
    layout = data.draw(shared(rank) if in_memory else distributed(rank))
    if isinstance(layout, (PaddedShared, SharedLinear)) and data.draw(st.booleans()):
        shape = tuple(
            1 << max((basis[dim].bit_length() for basis in layout.offset + layout.block), default=0)
            for dim in range(rank)
        )
    sizes = "x".join(map(str, shape))
    type_text = (
        f"!ttg.memdesc<{sizes}xi8, {layout}, #ttg.shared_memory>" if in_memory else f"tensor<{sizes}xf32, {layout}>"
    )
    try:
        expected = linear_layout(type_text)
    except ir.MLIRError:  # the type's verifier refuses the combination
        return
    try:
        found = short_text(to_linear_layout(shape, layout))
    except UnsuitableShape:
        found = None
    assert found == expected


BLOCKED = "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>"
OLD_MMA = "#ttg.nvidia_mma<{versionMajor = 1, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16]}>"


@pytest.mark.parametrize(
    "type_text",
    [
        "tensor<8x8xf32>",
        f"tensor<6x8xf32, {BLOCKED}>",
        f"tensor<8xf32, {BLOCKED}>",
        f"tensor<0x8xf32, {BLOCKED}>",
        f"tensor<?x8xf32, {BLOCKED}>",
        f"tensor<8x8xf32, {OLD_MMA}>",
        "f32",
    ],
)
def test_none_where_it_does_not_suit(linear_layout, type_text):
    """No layout, sizes that are not powers of two, another rank, an instruction that is gone."""
    assert linear_layout(type_text) is None


@pytest.mark.parametrize(
    ("shape", "attribute", "message"),
    [
        ((6, 8), BLOCKED, "powers of two"),
        ((8,), BLOCKED, "rank"),
        ((1 << 20, 1 << 20), BLOCKED, "2\\*\\*31"),
        ((8, 8), OLD_MMA, "does not suit"),
    ],
)
def test_python_refuses_what_does_not_suit(shape, attribute, message):
    with pytest.raises(UnsuitableShape, match=message):
        to_linear_layout(shape, parse_layout(attribute))
