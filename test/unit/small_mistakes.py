"""Small kernels, each with one mistake: `test/data/planted/*.mlir` has the parts in which both sides differ, as
[[right||wrong]].  A line `// --- TYPE: KIND` begins one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "planted"
CHOICE = re.compile(r"\[\[(.*?)\|\|(.*?)\]\]", re.DOTALL)
HEADER = re.compile(r"// --- (\w+): (.*)\n")

NUMBERS = {"i32": ("0", "1", "7"), "f32": ("0.0", "1.0", "7.0")}
KERNEL = """
tt.func public @k(%x: !tt.ptr<TYPE>, %y: !tt.ptr<TYPE>, %out: !tt.ptr<TYPE>, %n: i32, %m: i32) {
"""
CONSTANTS = """
  %zero = arith.constant dense<ZERO> : tensor<64xTYPE>
  %one = arith.constant dense<ONE> : tensor<64xTYPE>
  %seven = arith.constant dense<SEVEN> : tensor<64xTYPE>
"""
POINTERS = """
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %ones = arith.constant dense<1> : tensor<64xi32>
  %all = arith.constant dense<true> : tensor<64xi1>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<TYPE> -> tensor<64x!tt.ptr<TYPE>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<TYPE>>, tensor<64xi32>
  %ys = tt.splat %y : !tt.ptr<TYPE> -> tensor<64x!tt.ptr<TYPE>>
  %yp = tt.addptr %ys, %i : tensor<64x!tt.ptr<TYPE>>, tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<TYPE> -> tensor<64x!tt.ptr<TYPE>>
  %outp = tt.addptr %outs, %i : tensor<64x!tt.ptr<TYPE>>, tensor<64xi32>
"""
ELEMENTS = (
    KERNEL
    + CONSTANTS
    + POINTERS
    + """
  %a = tt.load %xp : tensor<64x!tt.ptr<TYPE>>
  %b = tt.load %yp : tensor<64x!tt.ptr<TYPE>>
BODY
  tt.store %outp, %c : tensor<64x!tt.ptr<TYPE>>
  tt.return
}
"""
)
MEMORY = KERNEL + CONSTANTS + POINTERS + "BODY\n  tt.return\n}"
LOOPS = (
    KERNEL
    + """
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
BODY
  tt.return
}
"""
)
LAYOUTS = """
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [2, 16, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
"""  # noqa: E501
TENSORS = (
    LAYOUTS
    + """
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %r0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %r1 = tt.expand_dims %r0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %c0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %sixteen = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %r2 = arith.muli %r1, %sixteen : tensor<16x1xi32, #blocked>
  %r3 = tt.broadcast %r2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %c2 = tt.broadcast %c1 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %place = arith.addi %r3, %c2 : tensor<16x16xi32, #blocked>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %xp = tt.addptr %xs, %place : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %a = tt.load %xp : tensor<16x16x!tt.ptr<f32>, #blocked>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %yp = tt.addptr %ys, %place : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %b = tt.load %yp : tensor<16x16x!tt.ptr<f32>, #blocked>
BODY
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %outp = tt.addptr %outs, %place : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  tt.store %outp, %c : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
"""  # noqa: E501
)
STAGES = (
    LAYOUTS
    + """
tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ahead = arith.constant AHEAD : i32
  %slots = arith.constant SLOTS : i32
  %takes = arith.constant TAKES : i32
  %start = arith.constant START : i32
  %tile = arith.constant 64 : i32
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #row>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %outp = tt.addptr %outs, %i : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  %tiles = tt.splat %tile : i32 -> tensor<64xi32, #row>
  %m = ttg.local_alloc : () -> !ttg.memdesc<3x64xf32, #shared1, #smem, mutable>
  %ok0 = arith.cmpi slt, %zero, FIRST : i32
  %mask0 = tt.splat %ok0 : i1 -> tensor<64xi1, #row>
  %s0 = ttg.memdesc_index %m[%zero] : !ttg.memdesc<3x64xf32, #shared1, #smem, mutable> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
  ttg.async_copy_global_to_local %xp, %s0 mask %mask0 : tensor<64x!tt.ptr<f32>, #row> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
  ttg.async_commit_group
  %ok1 = arith.cmpi slt, %one, %n : i32
  %mask1 = tt.splat %ok1 : i1 -> tensor<64xi1, #row>
  %s1 = ttg.memdesc_index %m[%one] : !ttg.memdesc<3x64xf32, #shared1, #smem, mutable> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
  %x1 = tt.addptr %xp, %tiles : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  ttg.async_copy_global_to_local %x1, %s1 mask %mask1 : tensor<64x!tt.ptr<f32>, #row> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
  ttg.async_commit_group
  scf.for %k = %zero to %n step %one : i32 {
    WAIT
    %k0 = arith.addi %k, %start : i32
    %slot = arith.remsi %k0, %takes : i32
    %v = ttg.memdesc_index %m[%slot] : !ttg.memdesc<3x64xf32, #shared1, #smem, mutable> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
    %l = ttg.local_load %v : !ttg.memdesc<64xf32, #shared1, #smem, mutable> -> tensor<64xf32, #row>
    %d = arith.muli %k, %tile : i32
    %ds = tt.splat %d : i32 -> tensor<64xi32, #row>
    %q = tt.addptr %outp, %ds : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
    tt.store %q, %l : tensor<64x!tt.ptr<f32>, #row>
    %two = arith.addi %one, %one : i32
    %k2 = arith.addi %k, %two : i32
    %ok2 = arith.cmpi slt, %k2, %n : i32
    %ok = tt.splat %ok2 : i1 -> tensor<64xi1, #row>
    %next = arith.remsi %k2, %slots : i32
    %w = ttg.memdesc_index %m[%next] : !ttg.memdesc<3x64xf32, #shared1, #smem, mutable> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
    %kd = arith.addi %k, %ahead : i32
    %d2 = arith.muli %kd, %tile : i32
    %d2s = tt.splat %d2 : i32 -> tensor<64xi32, #row>
    %p = tt.addptr %xp, %d2s : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
    ttg.async_copy_global_to_local %p, %w MASK : tensor<64x!tt.ptr<f32>, #row> -> !ttg.memdesc<64xf32, #shared1, #smem, mutable>
    COMMIT
  }
  ttg.async_wait {num = 0 : i32}
  tt.return
}
}
"""  # noqa: E501
)
DEFAULTS = {
    "AHEAD": "2", "SLOTS": "3", "TAKES": "3", "START": "0", "FIRST": "%n", "W0": "1", "MASK": " mask %ok",
    "COMMIT": "ttg.async_commit_group", "WAIT": "ttg.async_wait {num = W0 : i32}",
}  # fmt: skip
FAMILIES = {"elements": ELEMENTS, "memory": MEMORY, "loops": LOOPS, "tensors": TENSORS, "stages": STAGES}


@dataclass(frozen=True)
class Planted:
    """A kernel with a mistake.

    family: the file that it is from.  kind: the mistake in words.  before, after: IR.
    """

    family: str
    kind: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """The family and the kind."""
        return f"{self.family}: {self.kind}"


def side(family: str, element: str, body: str) -> str:
    """The kernel around a body."""
    text = FAMILIES[family]
    if family == "stages":
        name, _, value = body.partition(" = ")
        for key, given in (DEFAULTS | {name.strip(): value.strip()}).items():
            text = re.sub(rf"\b{key}\b", given, text)
        return re.sub(r"\bW0\b", DEFAULTS["W0"] if name.strip() != "W0" else value.strip(), text)
    zero, one, seven = NUMBERS[element]
    text = text.replace("BODY", body)
    for key, given in (("ZERO", zero), ("ONE", one), ("SEVEN", seven), ("TYPE", element)):
        text = re.sub(rf"\b{key}\b|(?<=64x){key}\b", given, text)
    return text


def planted(families: tuple[str, ...] = tuple(FAMILIES)) -> Iterator[Planted]:
    """All kernels with a mistake."""
    for family in families:
        parts = HEADER.split((FOLDER / f"{family}.mlir").read_text())[1:]
        for element, kind, body in zip(parts[::3], parts[1::3], parts[2::3]):
            sides = (side(family, element, CHOICE.sub(lambda found, n=n: found[n], body)) for n in (1, 2))
            yield Planted(family, kind, *sides)
