"""The pass `ttkit-instrument-memory`: what instrumented kernels note and leave out, in the interpreter."""

import ctypes
from itertools import zip_longest

import launched_kernels
import numpy as np
import pytest
from interpreter_kernels import CASES
from launched_kernels import Tensor, add
from sweeps import every
from test_interpreter_kernels import FILES

import ttkit
import ttkit.language as tl
from ttkit.dialects.tt import TensorDescType
from ttkit.interpreter import TensorDescriptor, interpret
from ttkit.options import CompileOptions
from ttkit.passes.infra import collect
from ttkit.passes.instrument_memory import OFFSET_BITS, is_kernel, pointer_arguments, sites
from ttkit.runtime import native
from ttkit.sanitizer import checking
from ttkit.sanitizer.device import InstrumentedCompilation

NOTHING = -1
KERNEL = """
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %start: i32) {
    %c128 = arith.constant 128 : i32
    %id = tt.get_program_id x : i32
    %first = arith.muli %id, %c128 : i32
    %from = arith.addi %first, %start : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %1 = tt.splat %from : i32 -> tensor<128xi32, #b>
    %2 = arith.addi %0, %1 : tensor<128xi32, #b>
    %3 = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %4 = tt.addptr %3, %2 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
    %5 = tt.load %4 : tensor<128x!tt.ptr<f32>, #b>
    %6 = tt.splat %first : i32 -> tensor<128xi32, #b>
    %7 = arith.addi %0, %6 : tensor<128xi32, #b>
    %8 = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %9 = tt.addptr %8, %7 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
    tt.store %9, %5 : tensor<128x!tt.ptr<f32>, #b>
    tt.return
  }
}
"""


def instrumented(text):
    """The module, and the number of pointers and of places."""
    module = ttkit.parse(text)
    (kernel,) = [function for function in collect(module.operation, ["tt.func"]) if is_kernel(function)]
    counts = len(pointer_arguments(kernel)), len(sites(kernel))
    ttkit.run_passes(module, "ttkit-instrument-memory")
    return module, counts


def descriptors(module):
    """Which pointers of a kernel are tensor descriptors."""
    (kernel,) = [function for function in collect(module.operation, ["tt.func"]) if is_kernel(function)]
    kinds = [argument.type for argument in kernel.regions[0].blocks[0].arguments]
    return [isinstance(kinds[number], TensorDescType) for number in pointer_arguments(kernel)]


def table(arrays, places, by_descriptor=()):
    """The bounds of arrays at the addresses that the interpreter gives them, and room for what is noted."""
    first = (1 << 20) + 1
    rows = [((first + n << 40) + (1 << 39), array.nbytes) for n, array in enumerate(arrays)]
    rows = [(0 if by else base, size) for (base, size), by in zip_longest(rows, by_descriptor[: len(rows)])]
    return np.array([*sum(rows, ()), *[NOTHING] * places], np.int64)


def test_the_first_program_and_offset_are_noted():
    x, out = np.arange(1000, dtype=np.float32), np.zeros(1000, np.float32)
    with ttkit.Context():
        module, (pointers, places) = instrumented(KERNEL)
        noted = table([x, out], places)
        interpret(module, 8, [x, out, -1, noted])
    load, store = noted[2 * pointers :]
    middle = 1 << (OFFSET_BITS - 1)
    assert (load >> OFFSET_BITS, (load & (2 * middle - 1)) - middle) == (0, -4)
    assert (store >> OFFSET_BITS, (store & (2 * middle - 1)) - middle) == (7, 4000)
    assert (out[1:] == x[:-1]).all()
    assert out[0] == 0


NAMES = sorted({path.name.split(".")[0] for path in FILES if path.suffix == ".ttgir"})


@pytest.mark.parametrize("name", every(4, NAMES))
def test_correct_kernels_note_nothing_and_have_the_same_results(name):
    path = next(path for path in FILES if path.suffix == ".ttgir" and path.name.split(".")[0] == name)
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context():
        module, (pointers, places) = instrumented(path.read_text())
        held = [one.data if isinstance(one, TensorDescriptor) else one for one in case.args]
        arrays = [one for one in held if isinstance(one, np.ndarray)]
        assert len(arrays) == pointers
        noted = table(arrays, places, descriptors(module))
        interpret(module, case.grid, [*case.args, noted], **case.options)
    assert (noted[2 * pointers :] == NOTHING).all()
    for position, wanted in case.wanted.items():
        found = np.asarray(held[position]).astype(float)
        wanted = np.asarray(wanted).astype(float).reshape(found.shape)
        np.testing.assert_allclose(found, wanted, case.tolerance, case.tolerance)


def test_a_launch_passes_bounds_and_reads_what_was_noted(gpu):
    """On a driver that runs nothing, with what a kernel would have noted."""
    x, y = (np.zeros((10, 100), np.float32) for _ in range(2))
    with checking("asan,device=cuda", prints=False) as found:
        kernel = add[(4,)](x, y[:, :50], Tensor(address=1 << 20), 1000, BLOCK=256)
        ((memory, _),) = kernel.run.tables.values()
        numbers = (ctypes.c_int64 * 9).from_address(memory.data_ptr())
        assert [numbers[1], numbers[3], numbers[4], numbers[5]] == [4000, 3800, 1 << 20, 1 << 20]
        assert list(numbers[6:]) == [NOTHING] * 3
        numbers[6] = (3 << OFFSET_BITS) + (1 << (OFFSET_BITS - 1)) + 4000
    (finding,) = found.found.values()
    assert (finding.kind, finding.argument, finding.shape) == ("out-of-bounds", "x", (10, 100))
    assert finding.program == (3, 0, 0)
    assert finding.message == "reads x at element 1000, past the last: it has 1000 elements"
    assert finding.site[0].file == launched_kernels.__file__
    (launch,) = gpu.launches
    assert launch.grid == (4, 1, 1)


class Strided(Tensor):
    """A tensor of torch, of floats: what a launch asks for its bounds."""

    itemsize = 4

    def __init__(self, address, shape):
        super().__init__(address=address)
        self.shape = shape

    def stride(self):
        return tuple(int(np.prod(self.shape[axis + 1 :])) for axis in range(len(self.shape)))


def test_launches_of_what_was_launched_before_are_native(gpu):
    gpu.expect(8, 8, 8, 4, 8, 8, 8)  # x, y, out, n, the table, two scratch buffers
    x, y = Strided(4096, (10, 100)), Strided(8192, (1000,))
    with checking("asan,device=cuda", prints=False) as found:
        for _ in range(5):
            kernel = add[(4,)](x, y, y, 1000, BLOCK=256)
        (first,) = kernel.run.tables
        add[(2, 2)](x, x, y, 1000, BLOCK=256)
        add[(2, 2)](x, Strided(16, (7,)), y, 1000, BLOCK=256)
    assert found.launches == 7
    assert found.programs == 28
    assert first == ((0, 0), ((4096, 4000), (8192, 4000), (8192, 4000)))
    assert [(sides, bounds[1]) for sides, bounds in kernel.run.tables][1:] == [
        ((2, 0), (4096, 4000)),
        ((2, 0), (16, 28)),
    ]
    tables = [memory.data_ptr() for memory, _ in kernel.run.tables.values()]
    passed = [int.from_bytes(launch.arguments[28:36], "little") for launch in gpu.launches]
    assert passed == [tables[0]] * 5 + tables[1:]
    if native.extension() is not None:
        assert add.launches._dispatcher.count() == 1


@ttkit.jit
def copy(x, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))


def compiled(kernel, types, constants):
    aligned = {(place,): [("tt.divisibility", 16)] for place, kind in enumerate(types.values()) if kind != "constexpr"}
    source = ttkit.ASTSource(kernel, types, constants, aligned)
    return InstrumentedCompilation(source, ttkit.GPUTarget("cuda", 90, 32), CompileOptions.for_capability(90)).run()


def test_accesses_without_masks_stay_as_wide():
    made = compiled(copy, {"x": "*fp16", "out": "*fp16", "BLOCK": "constexpr"}, {"BLOCK": 1024})
    assert made.asm["ptx"].count("ld.global.v4.b32") == 1
    assert made.asm["ptx"].count("st.global.v4.b32") == 1


def test_accesses_stay_as_wide():
    types = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    made = compiled(add, types, {"BLOCK": 1024})
    assert made.asm["ptx"].count("ld.global.v4.b32") == 4
    assert made.asm["ptx"].count("st.global.v4.b32") == 2
    assert [op for _, op, _ in made.sites] == ["tt.load", "tt.load", "tt.store"]


@ttkit.jit
def copy_blocks(x, out, m, n, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [B, B])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [B, B])
    for column in range(0, n, B):
        block = source.load([tl.program_id(0) * B, column])  # a line of its own
        target.store([tl.program_id(0) * B, column], block)


@ttkit.jit
def copy_described(source, target, n, B: tl.constexpr):
    for column in range(0, n, B):
        block = source.load([tl.program_id(0) * B, column])
        target.store([tl.program_id(0) * B, column], block)


BLOCK = "tensordesc<fp32[32,32]>"
BY_DESCRIPTOR = {
    "made by the kernel": (copy_blocks, {"x": "*fp32", "out": "*fp32", "m": "i32", "n": "i32", "B": "constexpr"}),
    "made on the host": (copy_described, {"source": BLOCK, "target": BLOCK, "n": "i32", "B": "constexpr"}),
}


@pytest.mark.parametrize("kernel", BY_DESCRIPTOR)
@pytest.mark.parametrize("rows", [64, 50])
def test_blocks_by_descriptor_are_checked_for_what_the_tensor_has(kernel, rows):
    """A descriptor of 64 rows, of a tensor that has as many, or 50: blocks with rows that it does not have are
    noted and left out, and columns behind the shape are none of its."""
    function, types = BY_DESCRIPTOR[kernel]
    made = compiled(function, types, {"B": 32})
    x, out = np.ones((64, 72), np.float32), np.zeros((64, 72), np.float32)
    held = [x[:rows], out[:rows]]
    with ttkit.Context():
        module = ttkit.parse(made.asm["ttgir"])
        noted = table(held, len(made.sites), descriptors(module))
        arrays = [x, out, 64, 72] if kernel == "made by the kernel" else [
            TensorDescriptor(x, x.shape, (72, 1)), TensorDescriptor(out, out.shape, (72, 1)), 72
        ]  # fmt: skip
        interpret(module, 2, [*arrays, noted])
    assert [op.partition("async_tma_copy_")[2] for _, op, _ in made.sites] == ["global_to_local", "local_to_global"]
    assert made.sites[0][0][0].line == made.sites[1][0][0].line - 1
    middle = 1 << (OFFSET_BITS - 1)
    if rows == 64:
        assert (noted[4:] == NOTHING).all()
        assert (out == 1).all()
    else:  # the least: the first block, whose last element is that of row 63 and column 31
        assert [(n >> OFFSET_BITS, (n & (2 * middle - 1)) - middle) for n in noted[4:]] == [(1, (63 * 72 + 31) * 4)] * 2
        assert (out[:32] == 1).all()
        assert (out[32:] == 0).all()
