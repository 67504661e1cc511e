"""Kernels that test_aot.py compiles to C."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


@triton.jit
def numbers(
    out, stream, byte, wide, flag, half, brain, single, double, MIDDLE: tl.constexpr, last, SCALE: tl.constexpr = 0.5
):
    tl.store(out, stream + byte + wide + flag + half + brain + single + double + MIDDLE * SCALE + last)


@triton.jit
def copy_tile(source, target, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK
    target.store([row, 0], source.load([row, 0]))


@triton.jit
def clustered(out, n):
    tl.store(out + tl.arange(0, 16), tl.arange(0, 16), mask=tl.arange(0, 16) < n)


@triton.autotune([triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def tuned(out, n, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), n)
