"""Loops that are compiled wrongly, or not at all: each is to fail, until what it needs is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.options import CompileOptions

BF16 = np.dtype(ml_dtypes.bfloat16)


@ttkit.jit
def unrolled(rows, host, index, added, out, n):
    """A tile of a descriptor is read although the loop has no iteration: from a buffer that nothing has filled."""
    tiles = tl.make_tensor_descriptor(rows, shape=[1024, 64], strides=[64, 1], block_shape=[64, 64])
    total = tl.zeros((64, 64), tl.float32)
    place = tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :]
    for i in tl.range(1, n, 1, loop_unroll_factor=2, disallow_acc_multi_buffer=True):
        left = host.load([tl.load(index + i) * 64, 0])
        right = tiles.load([i // 2 * 64, 0])
        total = total + tl.dot(left, right + right)
        tl.atomic_add(added + i * 4096 + place, right.to(tl.float32))
    tl.store(out + place, total)


@ttkit.jit
def gathered_rows(host, index, rows, squares, products, n):
    """A group of warps uses addresses that another computes."""
    square = tl.zeros((128, 128), tl.float32)
    result = tl.zeros((32, 32), tl.float32)
    for i in tl.range(0, n, 1, warp_specialize=True):
        tile = host.load([0, tl.load(index + i) * 64])
        chosen = tl.load(index + i + tl.arange(0, 128))
        taken = tl.load(rows + i * 8192 + chosen[:, None] % 128 * 64 + tl.arange(0, 64)[None, :])
        square = tl.dot(taken, tl.trans(taken))
        result = tl.dot(tile, tl.where((tl.arange(0, 64)[:, None] + i) % 2 == 0, tile.T, 0.0))
    tl.store(squares + tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :], square)
    tl.store(products + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :], result)


@ttkit.jit
def both_squares(index, rows, first, second, m):
    """A warp stores to shared memory that a product of another group still reads, once lowered."""
    place = tl.arange(0, 128)[:, None] * 64 + tl.arange(0, 64)[None, :]
    left = tl.zeros((128, 128), tl.float32)
    right = tl.zeros((64, 64), tl.float32)
    for i in tl.range(0, m, warp_specialize=True):
        for j in tl.range(0, tl.load(index + i + 10)):
            tile = tl.load(rows + (tl.load(index + j + 16) * 8192 + place))
            left = tl.dot(tile, tile.T, left, input_precision="ieee")
            right = tl.dot(tl.trans(tile), tile, right)
    tl.store(first + tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :], left)
    tl.store(second + tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :], right)


@ttkit.jit
def two_divided(one, index, rows, two, first, second, n):
    """Two divided loops leave a group 16 registers, fewer than ptxas takes."""
    ones = tl.make_tensor_descriptor(one, shape=[64, 1024], strides=[1024, 1], block_shape=[64, 64])
    twos = tl.make_tensor_descriptor(two, shape=[64, 2048], strides=[2048, 1], block_shape=[64, 128])
    square = tl.zeros((64, 64), tl.float32)
    result = tl.zeros((128, 128), tl.float32)
    for i in tl.range(0, n, 1, warp_specialize=True):
        tile = ones.load([0, tl.load(index + i + 32) * 64])
        square = tl.dot(tile, tl.trans(tile), square)
    for i in tl.range(0, 5, 2, warp_specialize=True):
        chosen = tl.load(index + i + tl.arange(0, 128))
        taken = tl.load(rows + i * 8192 + chosen[:, None] % 128 * 64 + tl.arange(0, 64)[None, :])
        result = tl.dot(taken, twos.load([0, tl.load(index + i + 32) * 128]))
    tl.store(first + tl.arange(0, 64)[:, None] * 64 + tl.arange(0, 64)[None, :], square)
    tl.store(second + tl.arange(0, 128)[:, None] * 128 + tl.arange(0, 128)[None, :], result)


@dataclass(frozen=True)
class Open:
    """A kernel, its arguments (shapes with types, and numbers), the target, and what it fails with."""

    kernel: Any
    arguments: tuple[Any, ...]
    capability: int
    fails: str
    lowered: bool = False


INDEX, F32, F16 = (1024, np.int32), np.float32, np.float16
OPEN = [
    Open(unrolled, ((65536, BF16), ((1019, 64), BF16), INDEX, (65536, F32), (4096, F32), 0), 100, "nothing has"),
    Open(
        gathered_rows,
        (((32, 1024), F16), INDEX, (131072, F16), (16384, F32), (1024, F32), 0),
        90,
        "which it does not compute",
    ),
    Open(both_squares, (INDEX, (131072, F32), (16384, F32), (4096, F32), 1), 90, "may still read", lowered=True),
    Open(
        two_divided,
        ((65536, F32), INDEX, (131072, F32), (131072, F32), (4096, F32), (16384, F32), 0),
        100,
        "found 16 registers",
        lowered=True,
    ),
]
SPELLED = {BF16: "bf16", np.dtype(F16): "fp16", np.dtype(F32): "fp32", np.dtype(np.int32): "i32"}


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case.kernel.__name__)
def test_what_is_open_still_fails(case: Open) -> None:
    generator = np.random.default_rng(0)
    signature, given = {}, []
    for name, argument in zip(case.kernel.arg_names, case.arguments, strict=True):
        if isinstance(argument, int):
            signature[name] = "i32"
            given.append(argument)
            continue
        shape, kind = argument
        spelled = SPELLED[np.dtype(kind)]
        is_tile = isinstance(shape, tuple)
        signature[name] = f"tensordesc<{spelled}[{min(shape[0], 64)},64]>" if is_tile else f"*{spelled}"
        low, high = (0, 14) if np.dtype(kind) == np.int32 else (-3, 4)
        given.append(generator.integers(low, high, shape).astype(kind))
    attributes = {(i,): [["tt.divisibility", 16]] for i, one in enumerate(case.arguments) if not isinstance(one, int)}
    with ttkit.Context(), pytest.raises(Exception, match=case.fails):
        options = CompileOptions.for_capability(case.capability, num_warps=4, num_stages=3)
        source = ttkit.ASTSource(case.kernel, signature, {}, attributes)
        module = source.make_ir(ttkit.GPUTarget("cuda", case.capability, 32), options)
        target = f"capability={case.capability}"
        ttkit.run_passes(module, f"ttkit-ttir{{{target}}}")
        ttkit.run_passes(module, f"ttkit-ttgir{{{target} num-warps=4 num-stages=3}}")
        if case.lowered:
            ttkit.run_passes(module, f"ttkit-llir{{{target}}}")
        ttkit.interpret(module, 1, given, race="groups,fences")
