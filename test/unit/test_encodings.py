"""Layouts as Python values: what they accept, their text, and that the text reads back.  No MLIR."""

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from layout_strategies import layouts

from ttkit.layout import gf2
from ttkit.layout.encodings import (
    AmdMfma,
    AmdWmma,
    Blocked,
    DotOperand,
    Linear,
    NvidiaMma,
    NvmmaShared,
    PaddedShared,
    SharedLinear,
    Slice,
    SwizzledShared,
    TensorMemory,
    TensorMemoryScales,
    parse_layout,
)

BLOCKED = Blocked((1, 4), (8, 4), (4, 1), (1, 0))
WGMMA = NvidiaMma(3, 0, (4, 1), (16, 64, 16))
MMA_SYNC = NvidiaMma(2, 0, (4, 1), (16, 8))
WMMA_3 = AmdWmma(3, (2, 4), instr_shape=(16, 16, 32))

TEXTS = [
    (
        BLOCKED,
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
    ),
    (
        Blocked([2], [32], [4], [0], [[1], [0]]),
        (
            "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], "
            "CGALayout = [[1], [0]]}>"
        ),
    ),
    (Slice(1, BLOCKED), f"#ttg.slice<{{dim = 1, parent = {BLOCKED}}}>"),
    (
        NvidiaMma(2, 0, (4, 1), (16, 8), ((1, 0),)),
        (
            "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], "
            "instrShape = [16, 8]}>"
        ),
    ),
    (DotOperand(0, BLOCKED), f"#ttg.dot_op<{{opIdx = 0, parent = {BLOCKED}}}>"),
    (DotOperand(0, WGMMA, 2), f"#ttg.dot_op<{{opIdx = 0, parent = {WGMMA}, kWidth = 2}}>"),
    (
        AmdMfma(4, (4, 1), (32, 32, 8), True, tiles_per_warp=(1, 1)),
        "#ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 8], isTransposed = true}>",
    ),
    (
        AmdMfma(4, (4, 1), (32, 32, 8), False, ((1, 0),), (2, 2), 64),
        (
            "#ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 8], isTransposed = false, "
            "CGALayout = [[1, 0]], tilesPerWarp = [2, 2], elementBitWidth = 64}>"
        ),
    ),
    (AmdWmma(1, (2, 4)), "#ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 4]}>"),
    (
        AmdWmma(3, (2, 4), True, ((1, 0),), (2, 1), (16, 16, 32)),
        (
            "#ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [2, 4], CGALayout = [[1, 0]], "
            "tilesPerWarp = [2, 1], instrShape = [16, 16, 32]}>"
        ),
    ),
    (
        Linear(((0, 1), (2, 0)), ((0, 2), (1, 0)), ()),
        "#ttg.linear<{register = [[0, 1], [2, 0]], lane = [[0, 2], [1, 0]], warp = [], block = []}>",
    ),
    (
        SwizzledShared(8, 1, 8, (1, 0)),
        "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    ),
    (
        NvmmaShared(128, False, 8, fp4_padded=True, rank=3),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true, "
            "rank = 3}>"
        ),
    ),
    (
        NvmmaShared(64, True, 16, cga_layout=((1, 0, 0),)),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16, "
            "CGALayout = [[1, 0, 0]]}>"
        ),
    ),
    (
        PaddedShared.from_order(((512, 16), (64, 4)), (1, 0), (128, 64)),
        "#ttg.padded_shared<[512:+16, 64:+4] {order = [1, 0], shape = [128, 64]}>",
    ),
    (
        PaddedShared(((4, 1),), ((0, 1), (1, 0)), ((2, 0),)),
        "#ttg.padded_shared<[4:+1] {offset = [[0, 1], [1, 0]], block = [[2, 0]]}>",
    ),
    (
        PaddedShared(((4, 1),), ((1, 0), (0, 1), (2, 0))),
        "#ttg.padded_shared<[4:+1] {offset = [[1, 0], [0, 1], [2, 0]], block = []}>",
    ),
    (
        SharedLinear(((0, 1), (1, 1)), 16),
        "#ttg.shared_linear<{offset = [[0, 1], [1, 1]]}, alignment = 16>",
    ),
    (
        SharedLinear(((0, 1),), 16, ((1, 0),)),
        "#ttg.shared_linear<{offset = [[0, 1]], block = [[1, 0]]}, alignment = 16>",
    ),
    (
        TensorMemory(128, 64, 1, cta_split_m=2, two_ctas=True),
        "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>",
    ),
    (
        TensorMemory(64, 32, 1, cga_layout=((0, 1), (1, 0))),
        "#ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1, CGALayout = [[0, 1], [1, 0]]>",
    ),
    (TensorMemoryScales(), "#ttng.tensor_memory_scales_encoding<>"),
    (
        TensorMemoryScales(cga_layout=((1, 0), (0, 1))),
        "#ttng.tensor_memory_scales_encoding<CTASplitM = 2, CTASplitN = 2>",
    ),
]

REJECTED = [
    (lambda: Blocked((1, 3), (8, 4), (4, 1), (1, 0)), "size_per_thread must be a power of two"),
    (lambda: Blocked((1, 4), (8,), (4, 1), (1, 0)), "must have the same rank"),
    (lambda: Blocked((1, 4), (8, 4), (4, 1), (1, 1)), "order must be a permutation of 0..1"),
    (lambda: Blocked((1, 4), (8, 4), (4, 1), (1, 0), ((1,),)), "must have the layout's rank 2"),
    (lambda: Blocked((1, 4), (8, 4), (4, 1), (1, 0), ((2, 0),)), "cga_layout must reach every coordinate"),
    (lambda: Blocked((1, -4), (8, 4), (4, 1), (1, 0)), "integers from 0"),
    (lambda: Blocked((1, True), (8, 4), (4, 1), (1, 0)), "integers from 0"),
    (lambda: Blocked(4, (8, 4), (4, 1), (1, 0)), "size_per_thread must be a list or tuple, got 4"),
    (lambda: Slice(2, BLOCKED), "dim must be less than the parent's rank 2, got 2"),
    (lambda: Slice(0, Slice(0, BLOCKED)), "rank >= 2, got rank 1"),
    (lambda: Slice(0, SwizzledShared(1, 1, 1, (1, 0))), "parent must be a distributed layout"),
    (lambda: DotOperand(2, BLOCKED), "op_idx must be 0 or 1, got 2"),
    (lambda: DotOperand(0, BLOCKED, 2), "k_width must be 0"),
    (lambda: DotOperand(0, MMA_SYNC), "k_width must be positive"),
    (lambda: DotOperand(1, WGMMA, 2), "wgmma reads b from memory"),
    (lambda: DotOperand(0, AmdMfma(3, (4, 1), (32, 32, 8))), "k_width must be positive for an amd_mfma parent"),
    (lambda: DotOperand(0, AmdWmma(2, (2, 4)), 2), "k_width must be one of (4, 8, 16)"),
    (lambda: DotOperand(0, WMMA_3), "k_width must be one of"),
    (lambda: DotOperand(0, MMA_SYNC, 3), "k_width must be 0 or a power of two"),
    (lambda: DotOperand(0, Blocked((1,), (32,), (4,), (0,))), "parent must have rank >= 2, got rank 1"),
    (lambda: NvidiaMma(4, 0, (4, 1), (16, 8)), "version_major must be 1, 2 or 3, got 4"),
    (lambda: NvidiaMma(2, 0, (4,), (16,)), "warps_per_cta must have 2 or 3 elements"),
    (lambda: NvidiaMma(2, 0, (4, 1), (16, 8, 16)), "instr_shape must have 2 elements"),
    (lambda: NvidiaMma(3, 0, (4, 1), (16, 64)), "version 3 needs instr_shape (m, n, k)"),
    (lambda: NvidiaMma(2, 0, (3, 1), (16, 8)), "warps_per_cta must be a power of two"),
    (lambda: NvidiaMma(2, 0, (4, 1), (16, 0)), "instr_shape must be between 1 and 1024"),
    (lambda: AmdMfma(3, (4, 1), (32, 32, 8), tiles_per_warp=(2,)), "must have 2 elements"),
    (lambda: Blocked((2**20,), (2**10,), (2**10,), (0,)), "2**40 elements"),
    (lambda: Blocked((1,), (1,), (1,), (0,), ((0,),) * 11), "at most 10 bases, got 11"),
    (lambda: Linear(tuple((1 << bit, 0) for bit in range(31)), ((0, 1),), ()), "more than 2**31 elements"),
    (lambda: Linear(((2**31,),), (), ()), "coordinates at most 2**30"),
    (lambda: SwizzledShared(3, 1, 1, (0,)), "vec must be a power of two"),
    (lambda: NvmmaShared(16, False, 16), "swizzling_byte_width must be 0, 32, 64 or 128, got 16"),
    (lambda: NvmmaShared(64, False, 24), "element_bit_width must be a power of two"),
    (lambda: NvmmaShared(64, False, 16, rank=17), "rank must be 1 to 16, got 17"),
    (lambda: DotOperand(0, Slice(0, BLOCKED)), "parent must be a blocked"),
    (lambda: AmdMfma(5, (4, 1), (32, 32, 8)), "version must be 0 to 4, got 5"),
    (lambda: AmdMfma(3, (4, 1), (32, 16, 8)), "instr_shape must start with"),
    (lambda: AmdMfma(3, (4, 1), (32, 32, 8), element_bit_width=16), "element_bit_width must be 32 or 64, got 16"),
    (lambda: AmdWmma(4, (4, 1)), "version must be 1 to 3, got 4"),
    (lambda: AmdWmma(3, (4, 1)), "instr_shape of version 3 must be one of"),
    (lambda: Linear((), (), ()), "at least one basis is needed"),
    (lambda: Linear(((0, 1), (1,)), (), ()), "the same rank"),
    (lambda: Linear(((0, 3),), (), ()), "must reach every coordinate"),
    (lambda: Linear(((1, 1), (0, 1)), (), ()), "at most one dimension"),
    (lambda: NvmmaShared(128, False, 16, cga_layout=((1, 0, 0),), rank=2), "rank 2"),
    (lambda: PaddedShared(((3, 1),), ((1,),)), "powers of two"),
    (lambda: PaddedShared((), ((1,),)), "at least one"),
    (lambda: PaddedShared(((4, 1), (4, 2)), ((1,),)), "intervals must differ"),
    (lambda: PaddedShared(((4, 1),), ((1,), (1,))), "exactly once"),
    (lambda: PaddedShared(((4, 1),), ((0, 1), (1, 1))), "at most one dimension"),
    (lambda: PaddedShared(((4, 1),), ((1,), (3,))), "0 or a power of two"),
    (lambda: PaddedShared.from_order(((4, 1),), (0, 0), (4, 4)), "must permute the dimensions"),
    (lambda: SharedLinear(((1,), (1,)), 16), "bijective"),
    (lambda: SharedLinear(((1,),), 15), "alignment must be a power of two, got 15"),
    (lambda: parse_layout("#ttg.nothing<{}>"), "unknown layout '#ttg.nothing'"),
    (lambda: parse_layout("#ttg.slice<{dim = 0}>"), "missing a required argument: 'parent'"),
    (lambda: parse_layout("#ttg.slice<{dim 0}>"), "expected '=', found '0'"),
    (lambda: parse_layout("#ttg.swizzled_shared<{vec = ?}>"), "unexpected '?'"),
    (lambda: parse_layout(f"{BLOCKED} x"), "expected 'the end', found 'x'"),
    (lambda: parse_layout(f"{BLOCKED}"[:-1]), "found 'the end'"),
]


@pytest.mark.parametrize("layout, text", TEXTS, ids=lambda value: type(value).__name__)
def test_text(layout, text):
    assert str(layout) == text
    assert parse_layout(text) == layout


@pytest.mark.parametrize("build, message", REJECTED, ids=[message for _, message in REJECTED])
def test_rejected_with_the_reason(build, message):
    with pytest.raises(ValueError) as error:
        build()
    assert message in str(error.value)


@given(layouts)
def test_text_reads_back(layout):
    assert parse_layout(str(layout)) == layout


@given(layouts)
def test_equal_layouts_hash_alike(layout):
    assert len({layout, parse_layout(str(layout))}) == 1


@pytest.mark.parametrize(
    "shape, order, canonical",
    [((128, 1), (1, 0), (0, 1)), ((1, 2, 1), (0, 2, 1), (1, 2, 0)), ((1, 1), (0, 1), (1, 0))],
)
def test_padded_order_of_dimensions_of_size_one_is_canonical(shape, order, canonical):
    layout = PaddedShared.from_order(((4, 1),), order, shape)
    assert (layout.order, layout.shape, layout.rank) == (canonical, shape, len(shape))


def test_rank():
    assert [layout.rank for layout in (BLOCKED, Slice(0, BLOCKED), DotOperand(0, WGMMA, 2))] == [2, 1, 2]


def test_gf2_rank():
    assert gf2.rank([]) == gf2.rank([0]) == 0
    assert gf2.rank([0b01, 0b10, 0b11]) == 2


def test_layouts_import_no_mlir():
    code = "import sys, ttkit.layout.encodings; sys.exit('mlir' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_layouts_are_values():
    same, other = replace(BLOCKED), replace(BLOCKED, order=(0, 1))
    assert BLOCKED == same != other and len({BLOCKED, same, other}) == 2
    assert eval(repr(BLOCKED)) == BLOCKED == pickle.loads(pickle.dumps(BLOCKED))
    for change in (lambda: setattr(same, "order", (0, 1)), lambda: delattr(same, "order")):
        with pytest.raises(FrozenInstanceError, match="order"):
            change()
