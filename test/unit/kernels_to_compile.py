"""Kernels for the tests of `ttkit.compile` and the cache."""

import ttkit
import ttkit.language as tl

TARGET = ttkit.GPUTarget("cuda", 90, 32)
SCALE = tl.constexpr(3)
PLAIN = 5


@ttkit.jit
def scaled(x):
    return x * SCALE


@ttkit.jit
def copy(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y + i, scaled(tl.load(x + i)))


@ttkit.jit
def reads_plain(x):
    tl.store(x, PLAIN)


@ttkit.jit
def product(x, y, z, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(z + i, tl.dot(tl.load(x + i), tl.load(y + i)))


def source(block=64, **attributes):
    signature = {"x": "*fp32", "y": "*fp32", "BLOCK": "constexpr"}
    return ttkit.ASTSource(copy, signature, {"BLOCK": block}, **attributes)
