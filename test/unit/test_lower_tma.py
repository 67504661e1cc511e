"""Copies by the tensor memory accelerator: what is lowered, run warp by warp with copies that arrive at any time."""

import re
from pathlib import Path

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import Buffer, Memory
from ttkit.interpreter.lowered.launch import call
from ttkit.interpreter.lowered.tensor_maps import TensorMap
from ttkit.passes.stages import pipeline_text

IR = Path(__file__).parents[1] / "data" / "ir"
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}


def run(source: str, arrays: list, seed: int) -> list[np.ndarray]:
    """The arrays after a run of a kernel, whose arguments they are.

    arrays: numbers, arrays, and pairs (array, tensor map without address).
    """
    memory, given, found = Memory(), [], []
    for item in arrays:
        array = item[0] if isinstance(item, tuple) else item
        number = array
        if isinstance(array, np.ndarray):
            found.append(np.array(array))
            number = memory.add(Buffer("argument", found[-1])).base
        if isinstance(item, tuple):
            item[1].address = number
            memory.lowered_maps[number] = item[1]
        given.append(np.array([number]))
    given.append(np.array([memory.add(Buffer("scratch", size=1 << 14)).base]))
    with ttkit.Context():
        module = ttkit.parse(source)
        ttkit.run_passes(module, pipeline_text("ttkit-llir", "capability=90 ptx-version=87"))
        call(module, given, memory, np.random.default_rng(seed))
    return found


def tensor_map(array: np.ndarray, box: tuple[int, ...], swizzle: int) -> TensorMap:
    """Of an array as a whole; `box` has the innermost dimension last."""
    rank = array.ndim
    return TensorMap(
        element=array.dtype,
        rank=rank,
        box=dict(enumerate(reversed(box))),
        sizes=dict(enumerate(reversed(array.shape))),
        strides=dict(enumerate(reversed(array.strides[:-1]))),
        swizzle=SWIZZLES[swizzle],
    )


COPY = """
#tile = #ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = false, elementBitWidth = 32{cga}}}>
#bar = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]{bar}}}>
#smem = #ttg.shared_memory
module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.target = "cuda:90"}} {{
  tt.func public @copy(%in: !tt.tensordesc<tensor<{shape}xi32, #tile>>,
                       %out: !tt.tensordesc<tensor<{shape}xi32, #tile>>, %x: i32, %y: i32) {{
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<{shape}xi32, #tile, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    {sync}
    ttng.barrier_expect %1, {bytes}, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %in[%x, %y] %0, %1, %true {attribute}
      : !tt.tensordesc<tensor<{shape}xi32, #tile>>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
      -> !ttg.memdesc<{shape}xi32, #tile, #smem, mutable>
    ttng.wait_barrier %1, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_{store} %out[%x, %y] %0
      : !tt.tensordesc<tensor<{shape}xi32, #tile>>, !ttg.memdesc<{shape}xi32, #tile, #smem, mutable>
    ttng.async_tma_store_wait {{pendings = 0 : i32}}
    tt.return
  }}
}}"""
MEET = """ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_arrive {relaxed = false}
    ttng.cluster_wait"""


TILES = [
    # Shape of the tile, box of a message, bytes of a swizzle, which CTA has what, attribute of the copy.
    ((64, 64), (64, 32), 128, [], ""),
    ((512, 16), (256, 16), 64, [], ""),
    ((16, 64), (16, 64), 0, [], ""),
    ((64, 64), (32, 32), 128, [[1, 0]], ""),
    ((64, 64), (64, 8), 32, [[0, 1], [0, 0]], ""),
    ((64, 64), (64, 32), 128, [[0, 0]], "{multicast}"),
    ((64, 64), (32, 32), 128, [[0, 0], [1, 0]], "{multicast}"),
]
STORES = ("copy_local_to_global", "reduce add,")
TENSOR, PLACE = (600, 80), (40, 24)


def copy_source(shape, swizzle, bases, attribute, store) -> str:
    """A kernel that copies a tile from one tensor to another."""
    return COPY.format(
        shape="x".join(map(str, shape)),
        swizzle=swizzle,
        ctas=1 << len(bases),
        cga=f", CGALayout = {bases}" if bases else "",
        bar=f", CGALayout = {[[0]] * len(bases)}" if bases else "",
        bytes=int(np.prod(shape)) * 4 >> sum(any(step) for step in bases),
        attribute=attribute,
        store=store,
        sync=MEET if attribute else "",
    )


def with_own_maps(source: str, shape, box, swizzle) -> str:
    """The kernel with pointers to the tensors as parameters, whose maps it makes itself."""
    numbers = {"rows": TENSOR[0], "columns": TENSOR[1], "high": box[0], "wide": box[1], "one": 1}
    lines = [f"%{name} = arith.constant {number} : i32" for name, number in numbers.items()]
    lines.append(f"%stride = arith.constant {TENSOR[1] * 4} : i64")
    type = f"!tt.tensordesc<tensor<{'x'.join(map(str, shape))}xi32, #tile>>"
    pointer = "!tt.ptr<i8>"
    for name in ("in", "out"):
        lines += [
            f"%map_{name} = ttg.global_scratch_alloc {{alignment = 128 : i32, nbytes = 128 : i32}} : {pointer}",
            f"ttng.tensormap_create %map_{name}, %to_{name}, [%wide, %high], [%columns, %rows], [%stride], "
            "[%one, %one] {elem_type = 3 : i32, interleave_layout = 0 : i32, "
            f"swizzle_mode = {SWIZZLES[swizzle]} : i32, fill_mode = 0 : i32}} : "
            "(!tt.ptr<i8>, !tt.ptr<i32>, i32, i32, i32, i32, i64, i32, i32) -> ()",
            f"ttng.tensormap_fenceproxy_acquire %map_{name} : !tt.ptr<i8>",
            f"%{name} = ttng.reinterpret_tensor_descriptor %map_{name} : {pointer} to {type}",
        ]
    body = "\n    ".join(lines)
    source = re.sub(r"%(in|out): !tt.tensordesc<[^,]*, #tile>>", r"%to_\1: !tt.ptr<i32>", source)
    return source.replace("    %true = ", f"    {body}\n    %true = ")


def tiles_and_result(shape, store) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tensors to copy from and to, and the latter afterwards; a part of the tile may be outside."""
    values = np.random.default_rng(9).integers(0, 1 << 30, TENSOR, dtype=np.uint32)
    out = np.ones_like(values)
    wanted = out.copy()
    place = tuple(slice(at, at + size) for at, size in zip(PLACE, shape, strict=True))
    wanted[place] = values[place] + store.startswith("reduce")
    return values, out, wanted


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(("shape", "box", "swizzle", "bases", "attribute"), TILES)
def test_tiles(shape, box, swizzle, bases, attribute, store):
    values, out, wanted = tiles_and_result(shape, store)
    arrays = [(values, tensor_map(values, box, swizzle)), (out, tensor_map(out, box, swizzle)), *PLACE]
    _, found = run(copy_source(shape, swizzle, bases, attribute, store), arrays, seed=1)
    np.testing.assert_array_equal(found, wanted)


def test_tiles_by_maps_that_each_cta_makes():
    shape, box, swizzle, bases, attribute = TILES[3]
    values, out, wanted = tiles_and_result(shape, STORES[0])
    source = with_own_maps(copy_source(shape, swizzle, bases, attribute, STORES[0]), shape, box, swizzle)
    _, found = run(source, [values, out, *PLACE], seed=1)
    np.testing.assert_array_equal(found, wanted)


def test_maps_that_the_kernel_makes():
    """Of one and of three dimensions."""
    source = (IR / "descriptor_ranks.90.ttgir").read_text()
    rows, columns = 6, 48
    flat = np.random.default_rng(10).standard_normal(rows).astype(np.float32)
    cube = np.zeros((rows, rows, columns), np.float32)
    _, found = run(source, [flat, cube, rows, columns], seed=2)
    wanted = np.zeros_like(cube)
    padded = np.concatenate([flat[rows // 2 :], np.zeros(256, np.float32)])[:256].reshape(2, 4, 32)
    wanted[:2, :4, :32] = padded
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("seed", range(3))
def test_a_partition_that_copies(seed):
    """One warp loads tiles, the others add them up."""
    source = (IR / "warp_roles.90.ttgir").read_text()
    tiles = 4
    values = np.random.default_rng(11).integers(-8, 8, (64 * tiles, 64)).astype(np.float16)
    out = np.zeros((64, 64), np.float16)
    arrays = [(values, tensor_map(values, (64, 64), 128)), 0, 0, 0, 0, out, tiles]
    found = run(source, arrays, seed)[-1]
    np.testing.assert_array_equal(found, values.reshape(tiles, 64, 64).sum(0))


def test_a_tile_of_two_ctas():
    source = re.sub("barrier_expect %1, 16384", "barrier_expect %1, 8192", (IR / "cluster_tiles.90.ttgir").read_text())
    values = np.random.default_rng(12).standard_normal((128, 64)).astype(np.float16)
    out = np.zeros_like(values)
    arrays = [(values, tensor_map(values, (64, 64), 128)), 0, 0, 0, 0, out]
    np.testing.assert_array_equal(run(source, arrays, 3)[-1], values)
