"""Statements of random loops: products, computations, reductions, stores and branches."""

from __future__ import annotations

import math

from fuzz.loop_loads import Loads
from fuzz.loop_values import EXACT, EXACT_OPERANDS, LOADED, NAMES, Value, cast, elementwise, has_descriptors, turned

OF_A_BYTE = ("i8", "fp8e5", "fp8e4nv")
OPERANDS = 8
"""Bound of operands: 15 products of 128 such elements are exact sums."""


class Statements(Loads):
    """Writes statements, and the values that they use."""

    products = 0

    def tile(self, shape: tuple[int, ...], kind: str, limit: int | None = None) -> Value:
        """A value of a shape and type: one that is there, or a new load."""
        limit = EXACT_OPERANDS[kind] if limit is None else limit
        found = self.scope.of(shape, kind)
        reversed_ = self.scope.of(shape[::-1], kind) if len(shape) == 2 else []
        if reversed_ and self.chance(0.25, "turn"):
            value = turned(self.rng.choice(reversed_))
            if self.chance(0.3):
                value = self.named(value)
        elif found and self.chance(0.65, "known"):
            value = self.rng.choice(found)
        elif self.chance(0.2) and (others := [one for one in self.scope.of(shape) if kind_fits(one.kind, kind)]):
            value = cast(self.rng.choice(others), kind, limit)
        elif self.loops:
            value = self.load(shape, kind)
            if len(shape) == 2 and shape[0] == shape[1] and self.chance(0.2, "turn"):
                value = turned(value)
        else:
            value = self.constant(shape, kind)
        if self.chance(0.2, "register"):
            same = [one for one in self.scope.of(shape, kind) if one.text != value.text]
            value = elementwise(self.rng, value, self.rng.choice(same) if same else None)
            if self.chance(0.4):
                value = self.named(value)
        return cast(value, kind, limit)

    def constant(self, shape: tuple[int, ...], kind: str) -> Value:
        """Zeros, or ones."""
        if kind.startswith("fp8"):
            return Value(f"tl.zeros({list(shape)}, {NAMES[kind]})", shape, kind, 0)
        number = self.rng.choice([0, 0, 1])
        return Value(f"tl.full({list(shape)}, {number}, {NAMES[kind]})", shape, kind, number)

    def product(self) -> None:
        """A product, with or without an accumulator."""
        kind = self.kind()
        total = "i32" if kind == "i8" else "fp32"
        accumulators = [one for one in self.carried if one.kind == total and len(one.shape) == 2]
        accumulator = self.rng.choice(accumulators) if accumulators and self.chance(0.75) else None
        rows, columns = accumulator.shape if accumulator else self.shape()
        inner = max(self.rng.choice(self.dimensions), 32 if kind in OF_A_BYTE else 16)
        a = self.tile((rows, inner), kind, OPERANDS)
        b = self.second(a, self.tile((inner, columns), kind, OPERANDS))
        more = ', input_precision="ieee"' if kind == "fp32" and self.chance(0.3) else ""
        more += ", out_dtype=tl.int32" if kind == "i8" else ""
        self.products += 1
        if not accumulator:
            text, bound = f"tl.dot({a.text}, {b.text}{more})", inner * a.bound * b.bound
            self.named(Value(text, (rows, columns), total, bound), "y")
        elif self.chance(0.15):
            self.emit(f"{accumulator.text} = {accumulator.text} + tl.dot({a.text}, {b.text}{more})")
        else:
            self.emit(f"{accumulator.text} = tl.dot({a.text}, {b.text}, {accumulator.text}{more})")

    def second(self, first: Value, other: Value) -> Value:
        """The second operand; now and then the first one's own tile, as it is or transposed."""
        if first.shape == first.shape[::-1] == other.shape and self.chance(0.15, "same"):
            return first if self.chance(0.6) else turned(first)
        return other

    def compute(self) -> None:
        """Some value in registers."""
        shape, kind = self.shape(), self.kind()
        value = self.tile(shape, kind)
        if self.chance(0.6):
            value = elementwise(self.rng, value, None)
        self.named(value)

    def reduce(self) -> None:
        """A sum or maximum of a tile, added to what is carried or stored."""
        value = self.tile(self.shape(), self.kind())
        if value.is_fp8 or value.kind in ("fp16", "bf16", "i8"):
            value = cast(value, "fp32" if value.is_float else "i32")
        axis = self.rng.randrange(2)
        shape = (value.shape[1 - axis],)
        if self.chance(0.7):
            made = Value(f"tl.sum({value.text}, {axis})", shape, value.kind, value.bound * value.shape[axis])
        else:
            made = Value(f"tl.max({value.text}, {axis})", shape, value.kind, value.bound)
        sums = [one for one in self.carried if one.shape == shape and one.kind == made.kind]
        if sums and self.chance(0.7):
            target = self.rng.choice(sums)
            self.emit(f"{target.text} += {made.text}")
        else:
            made = self.named(made, "s")
            if self.chance(0.5):
                self.write(made)

    def pick(self) -> Value:
        """Some value to write."""
        candidates = [one for one in self.scope.values if one.kind != "i1"]
        if self.carried and self.chance(0.35, "sums"):
            value = self.rng.choice(self.carried)
        elif candidates and self.chance(0.8):
            value = self.rng.choice(candidates)
        else:
            value = self.tile(self.shape(), self.kind())
        if self.chance(0.2):
            value = elementwise(self.rng, value, None)
        if len(value.shape) == 2 and self.chance(0.15):
            value = turned(value)
        return value

    def write(self, value: Value | None = None) -> None:
        """A store or an atomic update of some value."""
        value = value or self.pick()
        loop = self.loops[-1] if self.loops else None
        where, most = (loop.total, loop.total_most) if loop else ("0", 1)
        size = math.prod(value.shape)
        roll = self.rng.random()
        if roll < 0.2 and has_descriptors(value.shape, value.kind):
            name = self.descriptor(value.shape, value.kind, most * value.shape[0], value.shape[1], "o")
            update = value.kind in ("fp32", "i32") and value.bound * most < EXACT[value.kind] and self.chance(0.3)
            self.emit(f"{name}.{'atomic_add' if update else 'store'}([{where} * {value.shape[0]}, 0], {value.text})")
        elif roll < 0.35 and value.kind in ("fp32", "i32"):
            name = self.array("o", value.kind, size)
            call = self.rng.choice(["atomic_add", "atomic_add", "atomic_max"]) if value.kind == "i32" else "atomic_add"
            self.emit(f"tl.{call}({name} + {self.offsets(value.shape)}, {value.text})")
        else:
            name = self.array("o", value.kind, size * most)
            offsets = self.offsets(value.shape, self.chance(0.15))
            self.emit(f"tl.store({name} + {where} * {size} + {offsets}, {value.text})")

    def condition(self) -> str:
        """Of a branch: the iteration, an argument, or a number from memory."""
        loop = self.loops[-1]
        tests = ("% 2 == 0", "% 2 == 1", "== n - 1", "> 0", "% k == 0", "== 1")
        made = [f"{loop.index} {test}" for test in tests] + ["k > 4"]
        if self.chance(0.1):
            name, _ = self.indirect(loop)
            return f"{name} > 2"
        return self.rng.choice(made)

    def branch(self) -> None:
        """A branch on the iteration, whose statements use what is loaded outside of it, and load themselves."""
        self.emit(f"if {self.condition()}:")
        for side in range(2 if self.chance(0.25) else 1):
            if side:
                self.emit("else:")
            values = list(self.scope.values)
            self.indent += 1
            for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
                self.one_of({self.write: 5, self.product: 3, self.assign: 3, self.reduce: 1, self.compute: 1})()
            if not self.lines[-1].startswith("    " * self.indent):
                self.emit("pass")
            self.indent -= 1
            self.scope.values = values

    def assign(self) -> None:
        """A carried value is set anew."""
        if not self.carried:
            self.write()
            return
        target = self.rng.choice(self.carried)
        if self.chance(0.6):
            value = self.constant(target.shape, target.kind)
            if value.text.startswith("tl.full"):
                value = Value(f"tl.zeros({list(target.shape)}, {NAMES[target.kind]})", target.shape, target.kind, 0)
        else:
            value = self.tile(target.shape, target.kind, min(LOADED * 2, EXACT[target.kind]))
        self.emit(f"{target.text} = {value.text}")

    def statement(self) -> None:
        """Some statement of a loop."""
        ways = {self.product: 9.0, self.compute: 2, self.reduce: 2, self.write: 2, self.branch: 5, self.assign: 1}
        if self.products >= 4:
            del ways[self.product]
        self.one_of(ways)()


def kind_fits(kind: str, wanted: str) -> bool:
    """Whether values of a type may be cast to another."""
    return (kind[0] == "i") == (wanted[0] == "i")
