"""Random integer programs that keep to what axis facts assume: nothing wraps around, no dividend is negative.

The i-th value that a program computes is stored at `out + i * SLOT`, so that claims can be compared with it.
"""

import random
from dataclasses import dataclass, field

SLOT = 64
SHAPES = [(), (4,), (8,), (16,), (4, 1), (1, 8), (4, 8), (8, 4)]
LIMIT = 1 << 20


def tensor(shape: tuple[int, ...], element: str = "i32") -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>" if shape else element


@dataclass
class Known:
    name: str
    shape: tuple[int, ...]
    low: int
    high: int


@dataclass
class Writer:
    """Writes one program; `arguments` are the numbers to call it with."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    values: list[Known] = field(default_factory=list)
    conditions: list[Known] = field(default_factory=list)
    arguments: list[tuple[int, int]] = field(default_factory=list)
    count: int = 0
    depth: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str, shape: tuple[int, ...], low: int, high: int) -> Known:
        known = Known(self.fresh(), shape, low, high)
        self.lines.append(f"{known.name} = {text}")
        self.values.append(known)
        return known

    def pick(self, shape: tuple[int, ...] | None = None, low: int = -LIMIT, high: int = LIMIT) -> Known:
        """A value of that shape and range, made if there is none."""
        choices = [v for v in self.values if (shape is None or v.shape == shape) and low <= v.low and v.high <= high]
        if choices and self.rng.random() < 0.85:
            return self.rng.choice(choices)
        shape = self.rng.choice(SHAPES) if shape is None else shape
        if len(shape) == 1 and low <= 0 and high >= 2 * shape[0] and self.rng.random() < 0.6:
            start = self.rng.choice([0, shape[0], shape[0] // 2]) if high >= 3 * shape[0] else 0
            attributes = f"{{end = {start + shape[0]} : i32, start = {start} : i32}}"
            return self.emit(f"tt.make_range {attributes} : {tensor(shape)}", shape, start, start + shape[0] - 1)
        numbers = [n for n in (0, 1, 2, 3, 4, 6, 8, 12, 16, 64, -1, -8) if low <= n <= high] or [low]
        number = self.rng.choice(numbers)
        text = f"arith.constant dense<{number}> : {tensor(shape)}" if shape else f"arith.constant {number} : i32"
        return self.emit(text, shape, number, number)

    def step(self) -> None:
        kinds = [self.add, self.multiply, self.divide, self.shift, self.extremum, self.compare, self.select, self.view]
        kinds += [self.add, self.view, self.logical, self.subtract, self.cast]
        if self.depth == 0:
            kinds += [self.branch, self.loop]
        self.rng.choice(kinds)()

    def pair(self, low: int = -LIMIT // 2, high: int = LIMIT // 2) -> tuple[Known, Known, str]:
        a = self.pick(None, low, high)
        b = self.pick(a.shape, low, high)
        return a, b, f"{a.name}, {b.name} : {tensor(a.shape)}"

    def add(self) -> None:
        a, b, operands = self.pair()
        self.emit(f"arith.addi {operands}", a.shape, a.low + b.low, a.high + b.high)

    def subtract(self) -> None:
        a, b, operands = self.pair()
        self.emit(f"arith.subi {operands}", a.shape, a.low - b.high, a.high - b.low)

    def multiply(self) -> None:
        a, b, operands = self.pair(-1000, 1000)
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        self.emit(f"arith.muli {operands}", a.shape, min(corners), max(corners))

    def divide(self) -> None:
        a = self.pick(None, 0)
        b = self.pick(a.shape, 1)
        operands = f"{a.name}, {b.name} : {tensor(a.shape)}"
        sign = self.rng.choice("su")
        if self.rng.random() < 0.5:
            self.emit(f"arith.div{sign}i {operands}", a.shape, 0, a.high)
        else:
            self.emit(f"arith.rem{sign}i {operands}", a.shape, 0, min(a.high, b.high - 1))

    def shift(self) -> None:
        b = self.pick(None, 0, 6)
        a = self.pick(b.shape, 0, LIMIT >> 7)
        operands = f"{a.name}, {b.name} : {tensor(a.shape)}"
        kind = self.rng.choice(["shli", "shrsi", "shrui"])
        self.emit(f"arith.{kind} {operands}", a.shape, 0, a.high << b.high if kind == "shli" else a.high)

    def extremum(self) -> None:
        a, b, operands = self.pair()
        kind = self.rng.choice(["maxsi", "minsi"] + (["maxui", "minui"] if min(a.low, b.low) >= 0 else []))
        self.emit(f"arith.{kind} {operands}", a.shape, min(a.low, b.low), max(a.high, b.high))

    def logical(self) -> None:
        a = self.pick(None, 0, LIMIT // 2)
        b = self.pick(a.shape, 0, LIMIT // 2)
        kind = self.rng.choice(["andi", "ori", "xori"])
        operands = f"{a.name}, {b.name} : {tensor(a.shape)}"
        self.emit(f"arith.{kind} {operands}", a.shape, 0, 2 * max(a.high, b.high) + 1)

    def cast(self) -> None:
        a = self.pick(None)
        wide = self.fresh()
        sign = self.rng.choice("su") if a.low >= 0 else "s"
        self.lines.append(f"{wide} = arith.ext{sign}i {a.name} : {tensor(a.shape)} to {tensor(a.shape, 'i64')}")
        source = f"{wide} : {tensor(a.shape, 'i64')} to {tensor(a.shape)}"
        self.emit(f"arith.trunci {source}", a.shape, a.low, a.high)

    def compare(self) -> None:
        a, b, operands = self.pair()
        predicates = ["eq", "ne", "slt", "sle", "sgt", "sge"]
        if min(a.low, b.low) >= 0:
            predicates += ["ult", "ule", "ugt", "uge"]
        condition = Known(self.fresh(), a.shape, 0, 1)
        self.lines.append(f"{condition.name} = arith.cmpi {self.rng.choice(predicates)}, {operands}")
        self.conditions.append(condition)
        wide = f"arith.extui {condition.name} : {tensor(a.shape, 'i1')} to {tensor(a.shape)}"
        self.emit(wide, a.shape, 0, 1)

    def select(self) -> None:
        if not self.conditions:
            self.compare()
            return
        condition = self.rng.choice(self.conditions)
        a = self.pick(condition.shape or None)
        b = self.pick(a.shape)
        types = f"{tensor(condition.shape, 'i1')}, {tensor(a.shape)}" if condition.shape else tensor(a.shape)
        text = f"arith.select {condition.name}, {a.name}, {b.name} : {types}"
        self.emit(text, a.shape, min(a.low, b.low), max(a.high, b.high))

    def view(self) -> None:
        a = self.pick()
        if a.shape == ():
            shape = self.rng.choice(SHAPES[1:])
            text = f"tt.splat {a.name} : i32 -> {tensor(shape)}"
        elif a.shape == (4,):
            shape = (4, 1)
            text = f"tt.expand_dims {a.name} {{axis = 1 : i32}} : {tensor(a.shape)} -> {tensor(shape)}"
        elif a.shape == (8,):
            shape = (1, 8)
            text = f"tt.expand_dims {a.name} {{axis = 0 : i32}} : {tensor(a.shape)} -> {tensor(shape)}"
        elif a.shape in ((4, 1), (1, 8)):
            shape = (4, 8)
            text = f"tt.broadcast {a.name} : {tensor(a.shape)} -> {tensor(shape)}"
        elif len(a.shape) == 2:
            shape = a.shape[::-1]
            text = f"tt.trans {a.name} {{order = array<i32: 1, 0>}} : {tensor(a.shape)} -> {tensor(shape)}"
        else:
            self.add()
            return
        self.emit(text, shape, a.low, a.high)

    def nested(self, steps: int, arguments: list[Known], shape: tuple[int, ...]) -> Known:
        """A few operations that only what is inside can use, and a value of that shape."""
        values, conditions = list(self.values), list(self.conditions)
        self.values += arguments
        self.depth += 1
        for _ in range(steps):
            self.step()
        self.depth -= 1
        end = self.pick(shape)
        self.values, self.conditions = values, conditions
        return end

    def branch(self) -> None:
        scalars = [c for c in self.conditions if c.shape == ()]
        if not scalars:
            self.compare()
            return
        condition, shape = self.rng.choice(scalars), self.rng.choice(SHAPES)
        name = self.fresh()
        self.lines.append(f"{name} = scf.if {condition.name} -> ({tensor(shape)}) {{")
        ends = []
        for separator in ("} else {", "}"):
            end = self.nested(self.rng.randrange(3), [], shape)
            self.lines += [f"scf.yield {end.name} : {tensor(shape)}", separator]
            ends.append(end)
        self.values.append(Known(name, shape, min(e.low for e in ends), max(e.high for e in ends)))

    def loop(self) -> None:
        """Values that grow by something in each of a few rounds."""
        shape = self.rng.choice(SHAPES)
        first, by = self.pick(shape, 0, 1000), self.pick(shape, 0, 1000)
        other = self.pick(shape, 0, 1000)
        low, step = (self.pick((), 0, 20), self.pick((), 1, 8))
        bound = self.emit(f"arith.addi {low.name}, {self.emit_constant(step.high * 3)} : i32", (), 0, low.high + 24)
        result, index, a, b, new = (self.fresh() for _ in range(5))
        kind = tensor(shape)
        self.lines += [
            f"{result}:2 = scf.for {index} = {low.name} to {bound.name} step {step.name} "
            f"iter_args({a} = {first.name}, {b} = {other.name}) -> ({kind}, {kind}) : i32 {{",
        ]
        rounds = 24
        grown = Known(a, shape, 0, first.high + rounds * (by.high + low.high + rounds))
        swaps = self.rng.random() < 0.4
        second = Known(b, shape, 0, max(other.high, grown.high) if swaps else other.high)
        self.nested(self.rng.randrange(3), [grown, second, Known(index, (), 0, low.high + rounds)], shape)
        term = index if shape == () and self.rng.random() < 0.5 else by.name
        self.lines += [
            f"{new} = arith.addi {a}, {term} : {kind}",
            f"scf.yield {new}, {a if swaps else b} : {kind}, {kind}",
            "}",
        ]
        self.values += [Known(f"{result}#0", shape, 0, grown.high), Known(f"{result}#1", shape, 0, second.high)]

    def emit_constant(self, number: int) -> str:
        return self.emit(f"arith.constant {number} : i32", (), number, number).name

    def store_all(self) -> int:
        """Stores each value in a slot; gives how many."""
        stored = 0
        for value in list(self.values):
            if value.shape == ():
                self.lines.append(f"%s{stored} = tt.splat {value.name} : i32 -> tensor<1xi32>")
                name, shape = f"%s{stored}", (1,)
            else:
                name, shape = value.name, value.shape
            self.store(name, shape, stored)
            stored += 1
        return stored

    def store(self, name: str, shape: tuple[int, ...], slot: int) -> None:
        n = 1
        for size in shape:
            n *= size
        flat, pointers = tensor((n,)), tensor(shape, "!tt.ptr<i32>")
        prefix = f"%o{slot}"
        self.lines += [
            f"{prefix}r = tt.make_range {{end = {slot * SLOT + n} : i32, start = {slot * SLOT} : i32}} : {flat}",
            f"{prefix}i = tt.reshape {prefix}r : {flat} -> {tensor(shape)}",
            f"{prefix}p = tt.splat %out : !tt.ptr<i32> -> {pointers}",
            f"{prefix}q = tt.addptr {prefix}p, {prefix}i : {pointers}, {tensor(shape)}",
            f"tt.store {prefix}q, {name} : {pointers}",
        ]


def random_axis_program(seed: int, steps: int = 25) -> tuple[str, list[int], int]:
    """A kernel `f(out, numbers...)`, numbers to call it with, and how many slots it writes."""
    writer = Writer(random.Random(seed))
    declared = []
    for i in range(3):
        divisibility = writer.rng.choice([1, 2, 8, 16])
        number = divisibility * writer.rng.randrange(1, 8)
        writer.arguments.append((number, divisibility))
        writer.values.append(Known(f"%a{i}", (), number, number))
        declared.append(f"%a{i}: i32 {{tt.divisibility = {divisibility} : i32}}")
    for _ in range(steps):
        writer.step()
    slots = writer.store_all()
    body = "\n".join("  " + line for line in writer.lines)
    arguments = ", ".join(["%out: !tt.ptr<i32>", *declared])
    text = f"tt.func public @f({arguments}) {{\n{body}\n  tt.return\n}}\n"
    return text, [number for number, _ in writer.arguments], slots
