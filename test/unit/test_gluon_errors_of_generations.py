"""Errors in kernels for Hopper, for Blackwell and for AMD's GPUs: the line, what was found, what to do."""

import pytest

import ttkit
from ttkit.frontend.errors import CompilationError
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.errors import OtherGPU
from ttkit.language.gluon import amd
from ttkit.language.gluon.nvidia import blackwell, hopper
from ttkit.language.gluon.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout
from ttkit.language.gluon.nvidia.hopper import mbarrier, tma

TILE = "tensordesc<fp16[64, 64],NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)>"
SWIZZLED = gl.NVMMASharedLayout(128, 16, 2)
LINE = gl.BlockedLayout([1], [32], [4], [0])
ROWS = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
MMA = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
BLOCK = TensorMemoryLayout((128, 64), 1)
MFMA = amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2])


@gluon.jit
def no_descriptor(x):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    tma.async_copy_shared_to_global(x, [0, 0], buffer)


@gluon.jit
def coordinates(tile):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    tma.async_copy_shared_to_global(tile, [0], buffer)


@gluon.jit
def wide_coordinates(tile):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    tma.async_copy_shared_to_global(tile, [gl.program_id(0).to(gl.int64), 0], buffer)


@gluon.jit
def size_of_a_buffer(tile):
    buffer = gl.allocate_shared_memory(gl.float16, [32, 64], SWIZZLED)
    tma.async_copy_shared_to_global(tile, [0, 0], buffer)


@gluon.jit
def layout_of_a_buffer(tile):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(64, 16, 2))
    tma.async_copy_shared_to_global(tile, [0, 0], buffer)


@gluon.jit
def bytes_of_a_barrier(x, n):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.expect(bar, n)


@gluon.jit
def layout_of_a_descriptor(x, n):
    tma.make_tensor_descriptor(x, [n, 64], [64, 1], [16, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))


@gluon.jit
def strides_of_a_descriptor(x, n):
    tma.make_tensor_descriptor(x, [n, 64], [64, 2], [16, 64], gl.NVMMASharedLayout(128, 32, 2))


@gluon.jit
def right_operand(x):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    hopper.warpgroup_mma(a, gl.zeros([64, 64], gl.float16, ROWS), gl.zeros([64, 64], gl.float32, MMA))


@gluon.jit
def left_operand(x):
    b = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    hopper.warpgroup_mma(gl.zeros([64, 64], gl.float16, ROWS), b, gl.zeros([64, 64], gl.float32, MMA))


@gluon.jit
def result_of_wgmma(x):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    hopper.warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, ROWS))


@gluon.jit
def imprecise_sums(x):
    a = gl.allocate_shared_memory(gl.float8e5, [64, 64], gl.NVMMASharedLayout(64, 8, 2))
    hopper.warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, MMA), max_num_imprecise_acc=128)


@gluon.jit
def unknown_precision(x):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    hopper.warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, MMA), precision="tf64")


@gluon.jit
def wait_for_nothing(x):
    hopper.warpgroup_mma_wait(0)


@gluon.jit
def wait_for_a_number(x):
    hopper.warpgroup_mma_wait(0, deps=[1])


@gluon.jit
def layout_of_tensor_memory(x):
    blackwell.allocate_tensor_memory(gl.float32, [128, 64], SWIZZLED)


@gluon.jit
def columns_of_tensor_memory(x):
    blackwell.allocate_tensor_memory(gl.float32, [128, 64], BLOCK).slice(48, 32)


@gluon.jit
def slice_of_scales(x):
    blackwell.allocate_tensor_memory(gl.int8, [128, 4], TensorMemoryScalesLayout()).slice(0, 2)


@gluon.jit
def stored_shape(x):
    blackwell.allocate_tensor_memory(gl.float32, [128, 64], BLOCK).store(gl.zeros([64, 64], gl.float32, ROWS))


@gluon.jit
def accumulator_in_shared_memory(x):
    a = gl.allocate_shared_memory(gl.float16, [128, 128], SWIZZLED)
    blackwell.tcgen05_mma(a, a, a)


@gluon.jit
def conditions_without_barriers(x):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], SWIZZLED)
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 64], BLOCK)
    blackwell.tcgen05_mma(a, a, acc, mbarrier_preds=[True])


@gluon.jit
def format_of_scaled_operands(x):
    a = gl.allocate_shared_memory(gl.float8e5, [128, 64], gl.NVMMASharedLayout(64, 8, 2))
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 64], BLOCK)
    scale = blackwell.allocate_tensor_memory(gl.int8, [128, 2], TensorMemoryScalesLayout())
    blackwell.tcgen05_mma_scaled(a, a, acc, scale, scale, "e5m2", "e3m4")


@gluon.jit
def variant_of_registers(x):
    blackwell.get_tmem_reg_layout(gl.float32, (128, 64), BLOCK, 4, "16x32b")


@gluon.jit
def registers_of_two_warps(x):
    blackwell.get_tmem_reg_layout(gl.float32, (128, 64), BLOCK, 2)


@gluon.jit
def rows_without_a_layout(tile, n):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], SWIZZLED)
    blackwell.tma.async_scatter(tile, n, 0, buffer)


@gluon.jit
def function_for_amd(x):
    amd.cdna3.buffer_load(x, gl.arange(0, 128, LINE))


@gluon.jit
def layout_for_amd(x):
    gl.zeros([64, 64], gl.float32, MFMA)


@gluon.jit
def operand_for_amd(x):
    gl.zeros([64, 64], gl.float16, gl.DotOperandLayout(0, MFMA, 8))


ERRORS = {
    no_descriptor: (3, ["takes a tensor descriptor, found pointer<fp32>", "tma.make_tensor_descriptor"]),
    coordinates: (3, ["expected 2 coordinates for blocks of shape [64, 64], found 1"]),
    wide_coordinates: (3, ["only support 32 bit `offsets/block_shape`"]),
    size_of_a_buffer: (3, ["fp16 of shape [64, 64], has 8192 bytes; the buffer, fp16 of shape [32, 64], has 4096"]),
    layout_of_a_buffer: (3, ["found a buffer in NVMMASharedLayout(swizzle_byte_width=64", "descriptor's `layout`"]),
    bytes_of_a_barrier: (3, ["bytes of expect must be a constant integer"]),
    layout_of_a_descriptor: (2, ["Expected layout to be a NVMMASharedLayout, found SwizzledSharedLayout"]),
    strides_of_a_descriptor: (2, ["Tensor descriptor last dim must be 1 but got 2"]),
    right_operand: (3, ["warpgroup_mma takes a buffer in shared memory, found <[64, 64], fp16"]),
    left_operand: (3, ["must be in shared memory or have the layout DotOperandLayout(operand_index=0", "convert it"]),
    result_of_wgmma: (3, ["must have an NVMMADistributedLayout of version [3, 0], found BlockedLayout"]),
    imprecise_sums: (3, ["max_num_imprecise_acc (128) must be <= K (64)"]),
    unknown_precision: (3, ["Got tf64"]),
    wait_for_nothing: (2, ["warpgroup_mma_wait deps must be given"]),
    wait_for_a_number: (2, ["deps of warpgroup_mma_wait must be results of products or buffers"]),
    layout_of_tensor_memory: (2, ["to be a TensorMemoryLayout or TensorMemoryScalesLayout but got NVMMASharedLayout"]),
    columns_of_tensor_memory: (2, ["columns 48 to 80 are not all in [128, 64]"]),
    slice_of_scales: (2, ["slice takes a buffer with a TensorMemoryLayout"]),
    stored_shape: (2, ["source shape [64, 64] and destination shape [128, 64] must match"]),
    accumulator_in_shared_memory: (3, ["takes a buffer in tensor memory", "allocate_tensor_memory makes one"]),
    conditions_without_barriers: (4, ["mbarrier_preds are conditions of mbarriers"]),
    format_of_scaled_operands: (5, ["Unsupported rhs_format: e3m4", "e2m1, e4m3, e5m2"]),
    variant_of_registers: (2, ["unknown instr_variant: 16x32b; expected one of 32x32b, 16x256b"]),
    registers_of_two_warps: (2, ["num_warps must be a power of two and >= 4, found 2"]),
    rows_without_a_layout: (3, ["expected async_scatter input to be a distributed_type"]),
    function_for_amd: (2, ["cdna3.buffer_load is for AMD's GPUs, but kernels are compiled for NVIDIA's"]),
    layout_for_amd: (2, ["AMDMFMALayout is a layout of AMD's GPUs, but kernels are compiled for NVIDIA's"]),
    operand_for_amd: (2, ["AMDMFMALayout is a layout of AMD's GPUs"]),
}
TYPES = {"x": "*fp32", "tile": TILE}


@pytest.mark.parametrize("kernel", ERRORS, ids=lambda kernel: kernel.__name__)
def test_error(kernel):
    line, parts = ERRORS[kernel]
    types = {name: TYPES.get(name, "i32") for name in kernel.arg_names}
    with pytest.raises(CompilationError) as caught:
        ttkit.compile(ttkit.ASTSource(kernel, types), ttkit.GPUTarget("cuda", 100, 32))
    text = str(caught.value)
    assert text.startswith(f"at {line}:") and "^" in text, text
    assert not [part for part in parts if part not in text], text


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (
            "SwizzledSharedLayout(1, 1, 1, [1, 0])",
            "TMA reads and writes blocks in an NVMMASharedLayout, found Swizzled",
        ),
        ("NVMMASharedLayout(100, 16, 2)", "swizzle_byte_width must be 0, 32, 64 or 128, found 100"),
        ("NVMMASharedLayout(128)", "missing a required argument"),
        ("NVMMASharedLayout(open('f'), 16)", "malformed node or string"),
        ("128", "expected one of NVMMASharedLayout, PaddedSharedLayout"),
        ("(", "expected one of NVMMASharedLayout, PaddedSharedLayout"),
    ],
)
def test_types_of_descriptors(layout, message):
    with pytest.raises(ValueError, match=r".*") as caught:
        ttkit.language.str_to_ty(f"tensordesc<fp16[64, 64],{layout}>")
    assert message in str(caught.value)


def test_functions_for_amd_outside_of_a_kernel():
    with pytest.raises(OtherGPU, match=r"cdna4.get_mfma_scale_layout is for AMD's GPUs"):
        amd.cdna4.get_mfma_scale_layout(gl.DotOperandLayout(0, MFMA, 8), [32, 4])
    with pytest.raises(OtherGPU, match=r"gfx1250.TensorDescriptor is for AMD's GPUs"):
        amd.gfx1250.TensorDescriptor(None, [1], [1], [1], None)
