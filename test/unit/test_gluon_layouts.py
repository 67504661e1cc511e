"""Layouts by Gluon's names: fields, text, equality, what they are in the IR; and Triton 3.6's answers about them."""

import pytest

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.tuples import tuple as kernel_tuple
from ttkit.layout.encodings import parse_layout
from ttkit.layout.gluon.from_encoding import from_encoding, linear_form

ROWS = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
IN_CLUSTER = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]])
MMA = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
# Layout: (its text, its part in names of functions, its cga_layout), as Triton has them.
LAYOUTS = {
    IN_CLUSTER: (
        "BlockedLayout(size_per_thread=[1, 4], threads_per_warp=[4, 8], warps_per_cta=[4, 1], order=[1, 0], "
        "cga_layout=[[1, 0]])",
        "B1_4_4_8_4_1_1_0_1~0B",
        [[1, 0]],
    ),
    gl.SliceLayout(1, IN_CLUSTER): (f"SliceLayout(dim=1, parent={IN_CLUSTER})", "SL1_B1_4_4_8_4_1_1_0_1~0BSL", [[1]]),
    gl.DotOperandLayout(0, IN_CLUSTER, 0): (
        f"DotOperandLayout(operand_index=0, parent={IN_CLUSTER}, k_width=0)",
        "DO0_B1_4_4_8_4_1_1_0_1~0B_0DO",
        [[1, 0]],
    ),
    gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]): (
        "NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16], cga_layout=[])",
        "MMA_[3, 0]_[4, 1]_[16, 64, 16]__MMA",
        [],
    ),
    gl.NVMMASharedLayout(128, 16, rank=3, transposed=True): (
        "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=3, transposed=True, fp4_padded=False, "
        "cga_layout=[])",
        "NVMMA_128_16_True_False__NVMMA",
        [],
    ),
    gl.SwizzledSharedLayout(8, 1, 8, [1, 0]): (
        "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0], cga_layout=[])",
        "SSS_8_1_8_1_0__SSS",
        [],
    ),
    gl.PaddedSharedLayout.with_identity_for([[32, 4]], [4, 16], [1, 0]): (
        "PaddedSharedLayout(interval_padding_pairs=[[32, 4]], offset_bases=[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], "
        "[2, 0]], block_bases=[], shape=[4, 16])",
        "PaddedShared_[[32, 4]]_[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]_[]_[4, 16]_PaddedShared",
        [],
    ),
    gl.SharedLinearLayout([[0, 1], [1, 0]]): (
        "SharedLinearLayout(offset_bases=[[0, 1], [1, 0]], block_bases=[], alignment=16)",
        "SharedLinear_[[0, 1], [1, 0]]_[]_16_SharedLinear",
        None,
    ),
    gl.DistributedLinearLayout([[1]], [[0]], [], [], [2]): (
        "DistributedLinearLayout(reg_bases=[[1]], lane_bases=[[0]], warp_bases=[], block_bases=[], shape=[2])",
        "DLL[[1]]_[[0]]_[]_[]_[2]DLL",
        None,
    ),
}
# Shape: {bits of an element: swizzling of the default layout, also with fp4_padded, transposed, and with both}.
SWIZZLINGS = {
    (64, 32): {8: [32, 64, 64, 128], 16: [64, 128, 128, 128], 64: [128, 128, 128, 128]},
    (32, 16): {8: [0, 32, 32, 64], 16: [32, 64, 64, 128], 64: [128, 128, 128, 128]},
    (128, 8): {8: [0, 0, 128, 128], 16: [0, 32, 128, 128], 64: [64, 128, 128, 128]},
    (4, 64): {8: [0, 0, 0, 0], 16: [0, 0, 0, 0], 64: [0, 0, 32, 64]},
    (8, 64): {8: [64, 128, 0, 0], 16: [128, 128, 0, 32], 64: [128, 128, 64, 128]},
    (2, 64, 32): {8: [32, 64, 0, 0], 16: [64, 128, 0, 0], 64: [128, 128, 0, 32]},
    (64,): {8: [0, 0, 0, 0], 16: [0, 0, 0, 0], 64: [0, 0, 0, 0]},
}
TYPES = {8: gl.int8, 16: gl.float16, 64: gl.float64}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: type(layout).__name__)
def test_text_names_and_the_attribute(layout):
    text, name, cga_layout = LAYOUTS[layout]
    assert (repr(layout), layout.mangle()) == (text, name)
    assert getattr(layout, "cga_layout", None) == cga_layout
    assert parse_layout(layout.text) == layout.encoding
    assert from_encoding(layout.encoding) == layout


@pytest.mark.parametrize("shape", SWIZZLINGS)
def test_default_layouts_for_tensor_cores(shape):
    for bits, widths in SWIZZLINGS[shape].items():
        options = [(transposed, padded) for transposed in (False, True) for padded in (False, True)]
        found = [gl.NVMMASharedLayout.get_default_for([*shape], TYPES[bits], *each) for each in options]
        assert [each.swizzle_byte_width for each in found] == widths
        assert {(each.rank, each.element_bitwidth) for each in found} == {(len(shape), bits)}
    in_cluster = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16, cga_layout=[[1, 0], [0, 1]])
    assert (in_cluster.swizzle_byte_width, in_cluster.cga_layout) == (64, [[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="can't be divided among the CTAs"):
        gl.NVMMASharedLayout.get_default_for([1, 64], gl.float16, cga_layout=[[1, 0]])


def test_values_of_kernels_become_numbers():
    four = gl.constexpr(4)
    sizes = kernel_tuple([gl.constexpr(1), four])
    layout = gl.BlockedLayout(sizes, (gl.constexpr(4), 8), gl.constexpr([4, 1]), [1, 0])
    assert layout == ROWS and hash(layout) == hash(ROWS) and layout.size_per_thread == [1, 4]
    assert gl.SliceLayout(gl.constexpr(1), gl.constexpr(layout)) == gl.SliceLayout(1, ROWS) != ROWS


def test_open_layouts():
    assert gl.AutoLayout() == gl.AutoLayout() != gl.CoalescedLayout()
    assert (repr(gl.AutoLayout()), gl.CoalescedLayout().mangle()) == ("AutoLayout()", "CL")
    with pytest.raises(ValueError, match="AutoLayout has no rank"):
        _ = gl.AutoLayout().rank
    with pytest.raises(ValueError, match="CoalescedLayout is open"):
        _ = gl.CoalescedLayout().encoding


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: gl.DistributedLinearLayout([[1, 0]], [], [], [], [2]), "reg_bases must have 1 coordinates, found"),
        (lambda: gl.NVMMASharedLayout(16, 16), "swizzle_byte_width must be 0, 32, 64 or 128, found 16"),
        (lambda: gl.NVMMASharedLayout(32, 4), "element_bitwidth must be 8, 16, 32 or 64, found 4"),
        (lambda: gl.PaddedSharedLayout([], [[1]], [], [2]), "at least one"),
        (lambda: gl.PaddedSharedLayout([[3, 1]], [[1]], [], [2]), "must be powers of two"),
        (lambda: gl.PaddedSharedLayout([[4, 1], [4, 2]], [[1]], [], [2]), "intervals must differ"),
        (lambda: gl.SharedLinearLayout([]), "offset_bases must not be empty"),
        (lambda: gl.SharedLinearLayout([[1]], alignment=3), "alignment must be a power of two, found 3"),
        (lambda: gl.DotOperandLayout(0, MMA, 0).encoding, "k_width must be positive"),
    ],
)
def test_fields_that_there_can_not_be(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@gluon.jit
def conflicts(N: gl.constexpr, LAYOUT: gl.constexpr, SHARED: gl.constexpr):
    value = gl.full([N, N], 1.0, gl.float32, LAYOUT)
    buffer = gl.allocate_shared_memory(gl.float32, [N, N], SHARED)
    gl.static_print(gl.bank_conflicts(value.type, buffer.type))


@pytest.mark.parametrize(
    "layout, shared, expected",
    [
        (gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]), gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), 0),
        (gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1]), gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), 31),
        (gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1]), gl.SwizzledSharedLayout(1, 1, 32, [1, 0]), 0),
    ],
)
def test_bank_conflicts(layout, shared, expected, capsys):
    constants = {"N": 32, "LAYOUT": layout, "SHARED": shared}
    source = ttkit.ASTSource(conflicts, dict.fromkeys(constants, "constexpr"), constants)
    source.make_ir(ttkit.GPUTarget("cuda", 90, 32), context=ttkit.Context())
    assert capsys.readouterr().out == f"{expected}\n"


def test_linear_forms():
    assert linear_form(gl.SwizzledSharedLayout(1, 1, 2, [1, 0]), (2, 2)) == gl.SharedLinearLayout([[0, 1], [1, 1]])
    found = linear_form(gl.SliceLayout(1, ROWS), (16,))
    assert found == gl.DistributedLinearLayout([], [[0], [0], [0], [1], [2]], [[4], [8]], [], [16])
