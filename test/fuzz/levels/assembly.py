"""Inline assembly and names of kernels, of which LLVM takes fewer than MLIR does."""

from __future__ import annotations

import random

from fuzz.levels.ir import Pipelines

CODES = """r r r l f h d c b q i n X m o p V E F s g 0 1 2 9 99 {r1} {memory} {} * & % # ! ~ ^ ^fo @ @3foo @cc = + , | $
    é ~{memory} [o] N T Q Z < >""".split()
TEMPLATES = """$0 $1 $2 $9 $ $$ ${0} ${0:x} ${0 ${:uid} ${:nothing} $( $| $) { } ; \\0A mov.b32 add.s32 , %r1 @p \\00
    \\22 // ret; bra x: .reg trap;""".split()
TYPES = "i1 i8 i16 i32 i64 i128 f16 bf16 f32 f64 f8E5M2 !tt.ptr<f32>".split()
LETTERS = "a b Z 9 _ . @ $ % - \\22 \\00 \\0A \\FF я \\5C llvm. __nv_expf .entry WARP_SZ global_smem".split()
TEXT = """// passes: {target}
tt.func public @"{name}"(%x: !tt.ptr<i32>) {{
  {values}
  %r = tt.elementwise_inline_asm "{template}" {{
    constraints = "{constraints}", packed_element = {pack} : i32, pure = {pure}
  }} {operands} : {types} -> {result}
  {store}
  tt.return
}}
"""


class Assembly(Pipelines):
    """`// passes: capability warps CTAs`, then a kernel."""

    name = "assembly"
    share = 0.5

    def prepare(self) -> None:
        """No seeds are needed."""

    def make(self, rng: random.Random) -> str:
        shape = rng.choice(("", "128x", "8x", "1024x"))
        wrap = lambda kind: f"tensor<{shape}{kind}>" if shape else kind
        count, pack = rng.choice((0, 1, 1, 2)), rng.choice((1, 1, 1, 2, 4))
        kinds, result = rng.choices(TYPES[:-1], k=count), rng.choice(TYPES)
        values = [f"%v{i} = arith.constant {constant(kind, shape)} : {wrap(kind)}" for i, kind in enumerate(kinds)]
        some = lambda pieces, most: "".join(rng.choices(pieces, k=rng.randrange(1, most)))
        registers = {"i1": "b", "i8": "r", "i64": "l", "f64": "d", "i16": "h", "f16": "h", "bf16": "h", "f32": "f"}
        fitting = ["=" + registers.get(result, "r"), *(registers.get(kind, "r") for kind in kinds)]
        for _ in range(rng.choice((0, 1, 1, 2))):
            at = rng.randrange(len(fitting))
            fitting[at] = rng.choice((fitting[at] + some(CODES, 3), "=" * (at == 0) + some(CODES, 4), some(CODES, 3)))
        store = f"%c = arith.constant {constant('i32', shape)} : {wrap('i32')}\n  "
        if shape:
            store += f"%p = tt.splat %x : !tt.ptr<i32> -> {wrap('!tt.ptr<i32>')}\n  "
        store += f"tt.store {'%p' if shape else '%x'}, %c : {wrap('!tt.ptr<i32>')}"
        return TEXT.format(
            target=self.pipeline(rng),
            name="k" if rng.random() < 0.7 else some(LETTERS, 4),
            values="\n  ".join(values),
            template=some(TEMPLATES, 6).replace("$", " $"),
            constraints=",".join(fitting),
            pack=pack,
            pure=rng.choice(("true", "false")),
            operands=", ".join(f"%v{i}" for i in range(count)),
            types=", ".join(map(wrap, kinds)),
            result=wrap(result),
            store=store,
        )


def constant(kind: str, shape: str) -> str:
    """A constant of the type, of that shape."""
    number = "1.0" if kind.startswith(("f", "b")) else "true" if kind == "i1" else "1"
    return f"dense<{number}>" if shape else number
