"""A product in tensor memory by two CTAs, as Gluon of Triton 3.9 has it: each has half of the rows of A and of the
columns of B, one of them multiplies, and tells both.  Also that each CTA loads its part by TMA."""

import numpy as np
import pytest
from test_lower_tma import tensor_map

import ttkit
from ttkit.interpreter import TensorDescriptor
from ttkit.interpreter.errors import Race
from ttkit.interpreter.lowered.launch import call
from ttkit.interpreter.memory.global_memory import Buffer, Memory
from ttkit.passes.stages import parse_options, stage_passes

M, N, K = 256, 32, 64
ORDER = 10
"""A seed of turns of warps in which the second CTA's copies are the last to end."""
HEAD = """
#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#c = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = [[128, 0]]}>
#sa = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#sb = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tm = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
#smem = #ttg.shared_memory
!ma = !ttg.memdesc<256x64xf16, #sa, #smem, mutable>
!mb = !ttg.memdesc<64x32xf16, #sb, #smem, mutable>
!acc = !ttg.memdesc<256x32xf32, #tm, #ttng.tensor_memory, mutable>
!full = !ttg.memdesc<1xi64, #one, #smem, mutable>
!done = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
"""  # noqa: E501
POINTERS = (
    "%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>",
    "%a = tt.load {a} : tensor<256x64x!tt.ptr<f16>, #a>\n%b = tt.load {b} : tensor<64x32x!tt.ptr<f16>, #b>\n"
    "%ma = ttg.local_alloc %a : (tensor<256x64xf16, #a>) -> !ma\n"
    "%mb = ttg.local_alloc %b : (tensor<64x32xf16, #b>) -> !mb",
    "",
)
DESCRIPTORS = (
    "%da: !tt.tensordesc<256x64xf16, #sa>, %db: !tt.tensordesc<64x32xf16, #sb>",
    "%ma = ttg.local_alloc : () -> !ma\n%mb = ttg.local_alloc : () -> !mb\n%full = ttg.local_alloc : () -> !full\n"
    "ttng.init_barrier %full, 1 : !full",
    "ttng.barrier_expect %full, 18432, %true : !full\n"
    "ttng.async_tma_copy_global_to_local %da[%0, %0] %ma, %full, %true "
    ": !tt.tensordesc<256x64xf16, #sa>, !full -> !ma\n"
    "ttng.async_tma_copy_global_to_local %db[%0, %0] %mb, %full, %true "
    ": !tt.tensordesc<64x32xf16, #sb>, !full -> !mb\n"
    "ttng.wait_barrier %full, %0, %true deps %ma, %mb : !full, !ma, !mb\nttng.inval_barrier %full : !full",
)


def places(pointer: str, element: str, rows: int, columns: int, layout: str) -> tuple[str, str]:
    """Operations that make a matrix of pointers, and its name."""
    matrix, name = f"{rows}x{columns}", f"%{pointer}s"
    down, across = (f"#ttg.slice<{{dim = {dim}, parent = {layout}}}>" for dim in (1, 0))
    kinds = {part: f"tensor<{part}xi32, {layout}>" for part in (f"{rows}x1", f"1x{columns}", matrix)}
    first, second, whole = kinds.values()
    lines = [
        f"{name}0 = tt.make_range {{start = 0 : i32, end = {rows} : i32}} : tensor<{rows}xi32, {down}>",
        f"{name}1 = tt.expand_dims {name}0 {{axis = 1 : i32}} : tensor<{rows}xi32, {down}> -> {first}",
        f"{name}2 = arith.constant dense<{columns}> : {first}",
        f"{name}3 = arith.muli {name}1, {name}2 : {first}",
        f"{name}4 = tt.broadcast {name}3 : {first} -> {whole}",
        f"{name}5 = tt.make_range {{start = 0 : i32, end = {columns} : i32}} : tensor<{columns}xi32, {across}>",
        f"{name}6 = tt.expand_dims {name}5 {{axis = 0 : i32}} : tensor<{columns}xi32, {across}> -> {second}",
        f"{name}7 = tt.broadcast {name}6 : {second} -> {whole}",
        f"{name}8 = arith.addi {name}4, {name}7 : {whole}",
        f"{name}9 = tt.splat %{pointer} : !tt.ptr<{element}> -> tensor<{matrix}x!tt.ptr<{element}>, {layout}>",
        f"{name} = tt.addptr {name}9, {name}8 : tensor<{matrix}x!tt.ptr<{element}>, {layout}>, {whole}",
    ]
    return "\n".join(lines), name


def source(parameters: str, buffers: str, loads: str) -> str:
    """The kernel."""
    made = [places("pc", "f32", M, N, "#c")]
    if "{a}" in buffers:
        made += [places("pa", "f16", M, K, "#a"), places("pb", "f16", K, N, "#b")]
        buffers = buffers.replace("{a}", "%pas").replace("{b}", "%pbs")
    return f"""{HEAD}
    tt.func public @product({parameters}, %pc: !tt.ptr<f32>) {{
      %0 = arith.constant 0 : i32
      %false = arith.constant false
      %true = arith.constant true
      {"".join(text for text, _ in made)}
      {buffers}
      %acc = ttng.tmem_alloc : () -> !acc
      %done = ttg.local_alloc : () -> !done
      ttng.init_barrier %done, 1 : !done
      ttng.fence_async_shared {{bCluster = true}}
      {loads}
      %t = ttng.tc_gen5_mma %ma, %mb, %acc[], %false, %true, %done[%true] {{is_async, multicast, two_ctas}}
          : !ma, !mb, !acc, !done
      ttng.wait_barrier %done, %0, %true deps %ma, %mb : !done, !ma, !mb
      ttng.inval_barrier %done : !done
      %d = ttng.tmem_load %acc : !acc -> tensor<256x32xf32, #c>
      tt.store {made[0][1]}, %d : tensor<256x32x!tt.ptr<f32>, #c>
      tt.return
    }}
    }}"""


def in_groups(text: str) -> str:
    """The same kernel, in which a group of one warp copies and multiplies, while the others wait."""
    constants = {"%0": "%zero_", "%true": "%true_", "%false": "%false_"}
    buffers = ("da", "db", "ma", "mb", "full", "acc", "done")
    types = [f"!tt.tensordesc<{shape}>" for shape in ("256x64xf16, #sa", "64x32xf16, #sb")]
    types += ["!ma", "!mb", "!full", "!acc", "!done"]
    before, rest = text.split("ttng.barrier_expect", 1)
    work, after = rest.split("ttng.wait_barrier %done", 1)
    inner = "ttng.barrier_expect" + work
    for name, own in constants.items():
        inner = inner.replace(name, own)
    for name in buffers:
        inner = (
            inner.replace(f"%{name}[", f"%{name}_[")
            .replace(f"%{name},", f"%{name}_,")
            .replace(f"%{name} ", f"%{name}_ ")
        )
    arguments = ", ".join(f"%{name}_: {type}" for name, type in zip(buffers, types))
    return f"""{before}
      ttg.warp_specialize({", ".join(f"%{name}" for name in buffers)})
      default {{
        ttng.wait_barrier %done, %0, %true deps %ma, %mb : !done, !ma, !mb
        ttg.warp_yield
      }}
      partition0({arguments}) num_warps(1) {{
        %zero_ = arith.constant 0 : i32
        %false_ = arith.constant false
        %true_ = arith.constant true
        {inner}
        ttg.warp_return
      }} : ({", ".join(types)}) -> ()
      {after.split("!mb", 1)[1]}"""


def matrices() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, shape).astype(np.float16) for shape in ((M, K), (K, N)))
    return a, b, np.zeros((M, N), np.float32)


@pytest.mark.parametrize("kind", [POINTERS, DESCRIPTORS], ids=["pointers", "descriptors"])
def test_interpreted(kind, context):
    a, b, c = matrices()
    given = [a, b] if kind is POINTERS else [TensorDescriptor(a), TensorDescriptor(b)]
    module = ttkit.parse(source(*kind), context)
    ttkit.interpret(ttkit.parse(str(module), context), 1, [*given, c])
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def run_lowered(kind, context, text: str, seed: int = 1, left_out: str = "") -> tuple[np.ndarray, ...]:
    """Runs the lowered kernel with turns of warps of a seed, without one pass; the three matrices."""
    arrays, memory = matrices(), Memory()
    given = [np.array([memory.add(Buffer("argument", array)).base]) for array in arrays]
    if kind is DESCRIPTORS:
        for place, array, box, swizzle in ((0, arrays[0], (128, 64), 128), (1, arrays[1], (64, 16), 32)):
            made = tensor_map(array, box, swizzle)
            made.address = int(given[place][0])
            memory.lowered_maps[made.address] = made
    given.append(np.array([memory.add(Buffer("scratch", size=1 << 14)).base]))
    module = ttkit.parse(text, context)
    passes = stage_passes("ttkit-llir", parse_options("capability=100 ptx-version=87"), module)
    ttkit.run_passes(module, ",".join(each for each in passes if each != left_out))
    assert "tcgen05.mma.cta_group::2.kind::f16" in str(module)
    call(module, given, memory, np.random.default_rng(seed))
    return arrays


@pytest.mark.parametrize(
    ("kind", "groups"),
    [(POINTERS, False), (DESCRIPTORS, False), (DESCRIPTORS, True)],
    ids=["pointers", "descriptors", "groups"],
)
def test_lowered(kind, groups, context):
    text = in_groups(source(*kind)) if groups else source(*kind)
    for seed in (1, ORDER) if groups else (1,):
        a, b, c = run_lowered(kind, context, text, seed)
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.parametrize("left_out", ["ttkit-cluster-barriers-of-groups", "ttkit-cluster-barrier-insertion"])
def test_without_barriers_of_the_cluster_groups_race(left_out, context):
    with pytest.raises(Race):
        run_lowered(DESCRIPTORS, context, in_groups(source(*DESCRIPTORS)), ORDER, left_out)
