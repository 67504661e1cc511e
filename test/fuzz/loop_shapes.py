"""Statements of random loops whose tiles change shape or order, are tiny, or have a third dimension; and atomics that
return what was there.
"""

from __future__ import annotations

import math

from fuzz.loop_runs import BEFORE
from fuzz.loop_statements import OPERANDS, Statements
from fuzz.loop_values import EXACT, LOADED, NAMES, Value, cast, has_descriptors, kind_of_sums

TINY = ((4, 8), (2, 16), (8, 8), (1, 16), (4, 32))
"""Shapes of tiles that are smaller than what hardware copies, or than a warp."""
LARGEST_FP4 = 6


class Shapes(Statements):
    """Writes these statements."""

    def statement(self) -> None:
        """Some statement of a loop."""
        if not self.chance(0.2, "shapes"):
            super().statement()
            return
        ways = (self.join, self.split, self.scan, self.order, self.count_up, self.unpack, self.batch, self.scale)
        self.rng.choice((*ways, self.exchange, self.exchange, self.tiny))()

    def join(self) -> None:
        """A tile of two halves, column by column, or one beside the other."""
        (rows, columns), kind = self.shape(), self.kind()
        a, b = (self.tile((rows, columns // 2), kind).text for _ in "ab")
        text = self.rng.choice([
            f"tl.interleave({a}, {b})",
            f"tl.join({a}, {b}).reshape({rows}, {columns})",
            f"tl.permute(tl.join({a}, {b}), (0, 2, 1)).reshape({rows}, {columns})",
        ])  # fmt: skip
        self.named(Value(text, (rows, columns), kind, EXACT[kind]))

    def split(self) -> None:
        """Both halves of a tile."""
        (rows, columns), kind = self.shape(), self.kind()
        whole = self.tile((rows, columns), kind)
        halves = [Value(self.name("x"), (rows, columns // 2), kind, whole.bound) for _ in "ab"]
        names = ", ".join(half.text for half in halves)
        self.emit(f"{names} = tl.split({whole.text}.reshape({rows}, {columns // 2}, 2))")
        self.scope.values += halves

    def summable(self, shape: tuple[int, ...]) -> Value:
        """A tile of 32-bit elements."""
        kind = self.kind()
        return cast(self.tile(shape, kind), kind_of_sums(kind), OPERANDS)

    def scan(self) -> None:
        """Sums up to each element."""
        value, axis = self.summable(self.shape()), self.rng.randrange(2)
        text = f"tl.cumsum({value.text}, {axis}, reverse={self.chance(0.4)})"
        self.named(Value(text, value.shape, value.kind, value.bound * value.shape[axis]))

    def order(self) -> None:
        """A tile sorted, turned around, or gathered by indices; or the places of the largest elements."""
        shape = (self.dimensions[0], 16)
        value, axis = self.summable(shape), self.rng.randrange(2)
        if self.chance(0.2):
            self.write(self.named(Value(f"tl.argmax({value.text}, {axis})", (shape[1 - axis],), "i32", shape[axis])))
            return
        places = cast(self.tile(shape, self.kind()), "i32").text
        text = self.rng.choice([
            f"tl.sort({value.text}, descending={self.chance(0.5)})",
            f"tl.flip({value.text}, {axis})",
            f"tl.gather({value.text}, ({places}) & {shape[axis] - 1}, {axis})",
        ])  # fmt: skip
        self.named(Value(text, shape, value.kind, value.bound))

    def count_up(self) -> None:
        """A histogram."""
        shape = self.shape()
        values = cast(self.tile(shape, self.kind()), "i32").text
        text = f"tl.histogram((({values}) & 15).reshape({math.prod(shape)}), 16)"
        self.write(self.named(Value(text, (16,), "i32", math.prod(shape))))

    def unpack(self) -> None:
        """Two numbers of each byte."""
        rows, columns = self.shape()
        packed = self.load((rows, columns // 2), "i8").text
        text = f"tl.join({packed} & 15, ({packed} >> 4) & 15).reshape({rows}, {columns}) - 8"
        self.named(cast(Value(f"({text})", (rows, columns), "i8", 8), self.rng.choice(["fp16", "bf16", "i8"])))

    def batch(self) -> None:
        """Two products at once, then their sum, or one below the other."""
        kind, rows, columns = self.rng.choice(["fp16", "bf16", "fp32", "i8"]), 16, self.rng.choice([16, 32])
        inner = 32 if kind == "i8" else self.rng.choice([16, 32])
        sizes = ((rows, inner), (inner, columns))
        a, b = (f"{self.load((2 * n, m), kind).text}.reshape(2, {n}, {m})" for n, m in sizes)
        total = kind_of_sums(kind)
        text = f"tl.dot({a}, {b}, out_dtype={NAMES[total]})"
        bound = inner * LOADED**2
        if self.chance(0.5):
            self.named(Value(f"tl.sum({text}, 0)", (rows, columns), total, 2 * bound), "y")
        else:
            self.named(Value(f"{text}.reshape({2 * rows}, {columns})", (2 * rows, columns), total, bound), "y")

    def scale(self) -> None:
        """A product of fp4 numbers and others, with scales of 1 and 2."""
        (rows, columns), inner = (max(size, 32) for size in self.shape()), 64
        a = f"{self.load((rows, inner // 2), 'i8').text}.to(tl.uint8, bitcast=True)"
        kind, spelled = self.rng.choice([("fp8e5", "e5m2"), ("fp16", "fp16"), ("bf16", "bf16")])
        b = self.tile((inner, columns), kind, 2).text
        scales = [f"(({self.load((size, inner // 32), 'i8').text} & 1) + 127).to(tl.uint8)" for size in (rows, columns)]
        if kind != "fp8e5":
            scales[1] = "None"
        text = f'tl.dot_scaled({a}, {scales[0]}, "e2m1", {b}, {scales[1]}, "{spelled}") * 2.0'
        self.named(Value(text, (rows, columns), "fp32", 2 * inner * LARGEST_FP4 * 2 * 2 * 2), "y")

    def exchange(self) -> None:
        """An atomic operation that returns what was there."""
        value = self.summable(self.rng.choice([self.shape(), self.shape()[:1]]))
        name = self.array("o", value.kind, math.prod(value.shape))
        pointers, most = f"{name} + {self.offsets(value.shape)}", self.loops[-1].total_most
        calls = ["add", "max", "min", "xchg"] + ["cas"] * (value.kind == "i32")
        call = self.rng.choice(calls)
        given = f"{value.text}, {value.text} + 1" if call == "cas" else value.text
        bound = BEFORE + (value.bound + 1) * (most if call == "add" else 1)
        found = self.named(Value(f"tl.atomic_{call}({pointers}, {given})", value.shape, value.kind, bound))
        for axis in range(2) if len(value.shape) == 2 and self.chance(0.3) else ():  # two layouts of one result
            shape = (value.shape[1 - axis],)
            self.write(self.named(Value(f"tl.sum({found.text}, {axis})", shape, value.kind, bound * value.shape[axis])))

    def tiny(self) -> None:
        """A tiny tile, by descriptor or pointers, and what is computed with it."""
        shape, kind = self.rng.choice(TINY), self.rng.choice(["fp16", "fp32", "i32"])
        by_descriptor = has_descriptors(shape, kind) and self.chance(0.5)
        value = self.load_descriptor(shape, kind) if by_descriptor else self.load(shape, kind)
        sums = kind_of_sums(kind)
        if self.chance(0.5):
            self.write(self.named(Value(f"tl.sum({cast(value, sums).text}, 1)", shape[:1], sums, LOADED * shape[1])))
        else:
            self.write(self.named(Value(f"{value.text} + {value.text}", shape, kind, 2 * LOADED)))
