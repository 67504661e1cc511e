"""Statements of random loops that structure kernels: device functions, tuples and aggregates that loops carry, loops
unrolled when they are compiled, loops in a `while`, flags that end the work early, and results used after their loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from fuzz.loop_shapes import Shapes
from fuzz.loop_statements import OPERANDS
from fuzz.loop_values import EXACT, LOADED, NAMES, Value, cast, kind_of_sums
from fuzz.loop_writer import Loop

DEEPEST = 3
"""Most loops in one another."""


class Structures(Shapes):
    """Writes these statements."""

    def statement(self) -> None:
        """Some statement of a loop."""
        if not self.chance(0.15, "structures"):
            super().statement()
            return
        ways: list[Callable[[], None]] = [self.pair, self.loader, self.loader, self.multiplied, self.storer]
        ways += [self.chosen, self.number]
        ways += [self.carried_tuple, self.carried_tuple, self.aggregate, self.aggregate, self.flag, self.counter]
        if len(self.loops) < DEEPEST:
            ways += [self.unrolled, self.unrolled, self.awaited, self.awaited]
        self.rng.choice(ways)()

    # --- functions ---

    def function(self, parameters: str, lines: list[str], is_called: bool = False) -> str:
        """The name of a new function; one that `is_called` does not become part of the kernel, and takes no tiles."""
        name = self.name("f")
        jit = "@triton.jit(noinline=True)" if is_called else "@triton.jit"
        self.functions.append("\n".join([jit, f"def {name}({parameters}):", *("    " + line for line in lines)]))
        return name

    def elements(self, shape: tuple[int, ...]) -> list[str]:
        """Lines of a function that say where the elements of a tile are: in `at`."""
        if len(shape) == 1:
            return [f"at = tl.arange(0, {shape[0]})"]
        rows, columns = shape
        return [f"at = tl.arange(0, {rows})[:, None] * {columns} + tl.arange(0, {columns})[None, :]"]

    def pair(self) -> None:
        """A function of two tiles with two results."""
        shape = self.shape()
        x, y = self.summable(shape), self.summable(shape)
        y = cast(y, x.kind, OPERANDS)
        name = self.function("x, y", [self.rng.choice(["return x + y, tl.maximum(x, y)", "return y - x, x"])])
        found = [Value(self.name("x"), shape, x.kind, x.bound + y.bound) for _ in "xy"]
        self.emit(f"{found[0].text}, {found[1].text} = {name}({x.text}, {y.text})")
        self.scope.values += found

    def loader(self) -> None:
        """A function that loads a tile, or the sum of two."""
        shape, kind = self.shape(), self.kind()
        where, count = self.position()
        base, size = self.array("a", kind, math.prod(shape) * (count + 1)), math.prod(shape)
        lines, bound = [*self.elements(shape), f"x = tl.load(p + i * {size} + at)"], LOADED
        if not kind.startswith("fp8") and self.chance(0.4):
            lines.append(f"x += tl.load(p + (i + 1) * {size} + at)")
            bound = 2 * LOADED
        name = self.function("p, i", [*lines, "return x"], self.chance(0.3))
        self.named(Value(f"{name}({base}, {where})", shape, kind, bound))

    def multiplied(self) -> None:
        """A function with a product."""
        kind, (rows, columns) = self.kind(), self.shape()
        inner = max(self.rng.choice(self.dimensions), 32)
        total = kind_of_sums(kind)
        sums = [one for one in self.carried if one.kind == total and one.shape == (rows, columns)]
        a, b = self.tile((rows, inner), kind, OPERANDS), self.tile((inner, columns), kind, OPERANDS)
        more = ", out_dtype=tl.int32" if kind == "i8" else ""
        self.products += 1
        if sums and self.chance(0.6):
            target = self.rng.choice(sums).text
            name = self.function("a, b, acc", [f"return tl.dot(a, b, acc{more})"])
            self.emit(f"{target} = {name}({a.text}, {b.text}, {target})")
        else:
            name = self.function("a, b", [f"return tl.dot(a, b{more})"])
            self.named(Value(f"{name}({a.text}, {b.text})", (rows, columns), total, inner * a.bound * b.bound), "y")

    def storer(self) -> None:
        """A function that stores a tile and returns nothing."""
        value, loop = self.summable(self.shape()), self.loops[-1]
        size = math.prod(value.shape)
        base = self.array("o", value.kind, size * loop.total_most)
        name = self.function("p, x, i", [*self.elements(value.shape), f"tl.store(p + i * {size} + at, x)"])
        self.emit(f"{name}({base}, {value.text}, {loop.total})")

    def chosen(self) -> None:
        """A function with a branch, or one that returns early."""
        shape = self.shape()
        x, y = self.summable(shape), self.summable(shape)
        y = cast(y, x.kind, OPERANDS)
        lines = ["if i % 2 == 0:", "    x += y", "return x"]
        if self.chance(0.4):
            lines = ["if i % 2 == 0:", "    return x + y", "return x"]
        name = self.function("x, y, i", lines)
        text = f"{name}({x.text}, {y.text}, {self.loops[-1].index})"
        self.named(Value(text, shape, x.kind, x.bound + y.bound))

    def number(self) -> None:
        """A function of numbers that returns early, and what is done where its result is odd."""
        name = self.function("i, k", ["if i > 1:", "    return i * k", "return i + 1"], self.chance(0.7))
        result = self.name("n")
        self.emit(f"{result} = {name}({self.loops[-1].index} + 0 * k, k)")
        self.write(self.spread(result))
        self.emit(f"if {result} % 2 == 1:")
        self.inside([self.write, self.product, self.reduce], 1)

    # --- what loops carry ---

    def is_at_top(self) -> bool:
        """Whether the place is the loop's own, not a branch's."""
        return len(self.loops) == self.indent - 1

    def carried_tuple(self) -> None:
        """A tuple that the loop carries, as a whole or by its parts."""
        if not self.is_at_top():
            return
        value, most = self.summable(self.shape()), self.loops[-1].total_most
        name, number = self.name("s"), self.rng.choice([0, 1])
        start = f"tl.zeros({list(value.shape)}, {NAMES[value.kind]})"
        nested = self.chance(0.3)
        self.before_loop(f"{name} = ({start}, ({number}, {start}))" if nested else f"{name} = ({start}, {number})")
        total = Value(f"{name}[0]", value.shape, value.kind, value.bound * most)
        if total.bound < EXACT["fp32"] and self.chance(0.4):
            self.scope.values.append(total)
        if nested:
            x, n, last = (self.name(stem) for stem in "xnx")
            self.emit(f"{x}, ({n}, {last}) = {name}")
            self.emit(f"{name} = ({x} + {value.text}, ({n} + 1, {value.text}))")
            self.results[-1].append(Value(f"{name}[1][1]", value.shape, value.kind, value.bound))
            number_of = f"{name}[1][0]"
        elif self.chance(0.5):
            self.emit(f"{name} = ({name}[0] + {value.text}, {name}[1] + 1)")
            number_of = f"{name}[1]"
        else:
            x, n = self.name("x"), self.name("n")
            self.emit(f"{x}, {n} = {name}")
            step = self.rng.choice(["1", self.loops[-1].index])
            self.tails[-1].append(f"{name} = ({x} + {value.text}, {n} + {step})")
            number_of = f"{name}[1]"
        self.results[-1] += [total, self.spread(number_of)]

    def aggregate(self) -> None:
        """An object that the loop carries, with a method that makes the next one."""
        if not self.is_at_top():
            return
        value, most = self.summable(self.shape()), self.loops[-1].total_most
        kind, name = self.name("S"), self.name("s")
        self.functions.append(
            f"@tl.core._aggregate\nclass {kind}:\n    total: tl.tensor\n    last: tl.tensor\n    count: tl.tensor\n"
            "    def __init__(self, total, last, count):\n"
            "        self.total = total\n        self.last = last\n        self.count = count\n"
            "    @triton.jit\n    def add(self, x, i):\n"
            f"        return {kind}(self.total + x, x, self.count + i)"
        )
        zeros = f"tl.zeros({list(value.shape)}, {NAMES[value.kind]})"
        self.before_loop(f"{name} = {kind}({zeros}, {zeros}, tl.to_tensor(0))")
        line = f"{name} = {name}.add({value.text}, {self.loops[-1].index})"
        if self.chance(0.5):
            self.emit(line)
        else:
            self.tails[-1].append(line)
        last = Value(f"{name}.last", value.shape, value.kind, value.bound)
        if self.chance(0.4):
            self.scope.values.append(last)
        total = Value(f"{name}.total", value.shape, value.kind, value.bound * most)
        self.results[-1] += [total, last, self.spread(f"{name}.count")]

    def spread(self, number: str) -> Value:
        """A number as a vector, which can be stored."""
        return Value(f"(tl.zeros([16], tl.int32) + {number})", (16,), "i32", 1 << 10)

    def counter(self) -> None:
        """Numbers that the loop carries, one in another's place."""
        if not self.is_at_top():
            return
        first, second = self.name("n"), self.name("n")
        self.before_loop(f"{first} = 0")
        self.before_loop(f"{second} = {self.rng.choice(['k', '1'])}")
        self.tails[-1].append(f"{first}, {second} = {second}, {first} + {self.rng.choice(['1', self.loops[-1].index])}")
        self.results[-1] += [self.spread(first), self.spread(second)]
        self.emit(f"if {first} % 2 == {self.rng.choice('01')}:")
        self.inside([self.write, self.assign, self.product], 1)

    def flag(self) -> None:
        """A flag that ends the work: what follows is done while it holds."""
        if not self.is_at_top():
            return
        name, loop = self.name("go"), self.loops[-1]
        self.before_loop(f"{name} = 1")
        tests = [f"{loop.index} >= 2", f"{loop.index} * 3 > k"]
        if self.chance(0.5):
            value = self.summable(self.shape())
            tests = [f"tl.sum(tl.sum({value.text}, 1), 0) > 3"]
        change = [f"if {self.rng.choice(tests)}:", f"    {name} = 0"]
        if self.chance(0.5):
            change = [f"{name} = tl.where({self.rng.choice(tests)}, 0, {name})"]
        if self.chance(0.5):
            self.tails[-1] += change
        else:
            for line in change:
                self.emit(line)
        self.results[-1].append(self.spread(name))
        if self.chance(0.3):
            kind, shape = self.kind(), self.shape()
            base, size = self.array("a", kind, math.prod(shape) * loop.total_most), math.prod(shape)
            pointers = f"{base} + {loop.total} * {size} + {self.offsets(shape)}"
            zero = "0" if kind[0] == "i" else "0.0"
            test = f"{self.span(shape[0], 0, 2)} + {name} * 0 < {name} * {shape[0]}"
            mask = f"tl.broadcast_to({test}, {list(shape)})"
            self.named(Value(f"tl.load({pointers}, mask={mask}, other={zero})", shape, kind))
            return
        self.emit(f"if {name} == 1:")
        self.inside([self.product, self.product, self.write, self.reduce, self.assign], self.rng.choice([1, 2]))

    def inside(self, ways: list[Callable[[], None]], count: int) -> None:
        """Statements of a branch, whose names end with it."""
        values = list(self.scope.values)
        self.indent += 1
        for _ in range(count):
            self.rng.choice(ways)()
        if not self.lines[-1].startswith("    " * self.indent):
            self.emit("pass")
        self.indent -= 1
        self.scope.values = values

    # --- loops ---

    def enclosed(self, head: str, loop: Loop, last: list[str]) -> None:
        """A loop with some statements, whose names end with it, and the lines that it ends with."""
        kept = list(self.scope.values)
        self.heads.append(len(self.lines))
        self.emit(head)
        self.indent += 1
        self.loops.append(loop)
        self.tails.append([])
        self.results.append([])
        for _ in range(self.rng.choice([1, 1, 2])):
            self.statement()
        for line in [*self.tails.pop(), *last]:
            self.emit(line)
        if not self.lines[-1].startswith("    " * self.indent):
            self.emit("pass")
        self.loops.pop()
        self.heads.pop()
        self.indent -= 1
        self.scope.values = kept
        self.use_results()

    def unrolled(self) -> None:
        """A loop that is unrolled when it is compiled."""
        if not self.is_at_top():
            return
        variable, most, around = self.name("u"), self.rng.choice([1, 2, 2, 3]), self.loops[-1]
        total = f"({around.total} * {most} + {variable})"
        loop = Loop(variable, variable, total, most, most * around.total_most)
        self.enclosed(f"for {variable} in tl.static_range({most}):", loop, [])

    def awaited(self) -> None:
        """A loop until a number is reached, or a flag is no longer set."""
        if not self.is_at_top():
            return
        variable, most, around = self.name("w"), 3, self.loops[-1]
        self.emit(f"{variable} = 0")
        test = self.rng.choice([f"{variable} < {around.index} % 3", f"{variable} < 2", f"{variable} * 2 < k % 5"])
        last = [f"{variable} += 1"]
        if self.chance(0.4):
            flag = self.name("go")
            self.emit(f"{flag} = 1")
            test = f"({test}) & ({flag} == 1)"
            last += [f"if {variable} + {around.index} > 2:", f"    {flag} = 0"]
        total = f"({around.total} * {most} + {variable})"
        self.enclosed(f"while {test}:", Loop(variable, variable, total, most, most * around.total_most), last)

    def use_results(self) -> None:
        """Uses what the loop that ends here carried: stores it, alone or with others."""
        found = self.results.pop()
        for value in found:
            alike = [one for one in found if one.shape == value.shape and one.kind == value.kind and one != value]
            if alike and self.chance(0.3):
                other = self.rng.choice(alike)
                value = Value(f"({value.text} + {other.text})", value.shape, value.kind, value.bound + other.bound)
            elif len(value.shape) == 2 and min(value.shape) == max(value.shape) and self.chance(0.2):
                operand = cast(value, "fp16", 2).text
                value = Value(f"tl.dot({operand}, {operand})", value.shape, "fp32", value.shape[0] * 4)
            self.write(value)
