"""Random pipelined loops as kernels: loads of every kind, and every use of what they load."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fuzz.loop_values import EXACT, EXACT_OPERANDS, LOADED, NAMES, Scope, Value, cast, elementwise, turned

DIMENSIONS = [(64,)] * 16 + [(32,)] * 5 + [(16,)] * 3 + [(64, 32)] * 4 + [(64, 16)] * 3 + [(32, 16), (128,), (128, 32), (16, 128)]
KINDS = [("fp16",)] * 6 + [("bf16",)] * 2 + [("fp32",)] * 3 + [("fp8e5",), ("fp8e4nv",), ("i8",), ("i8",)]
KINDS += [("fp16", "fp32"), ("fp16", "i8"), ("fp16", "fp8e5"), ("bf16", "fp32"), ("fp16", "bf16")]
FEATURES = ("indirect", "mask", "load_carried", "load_rows", "load_descriptor", "turn", "register", "same", "known")
FEATURES += ("product", "compute", "reduce", "write", "branch", "assign")
"""What a kernel has more or less of than others: so each also meets others of its kind, and is alone at times."""
TRIPS = 5
"""Most iterations of a loop."""
INNER = 3
"""The same of a loop in a loop."""


@dataclass
class Loop:
    """A loop around a place of the kernel.

    variable: its variable.
    index: the expression for the number of its iteration.
    total: the same, unique among iterations of all loops around.
    most: iterations, with those of loops around.
    """

    variable: str
    index: str
    total: str
    most: int
    total_most: int


class Writer:
    """Writes one kernel."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.prelude: list[str] = []
        self.parameters: dict[str, str] = {}
        self.indent = 1
        self.loops: list[Loop] = []
        self.scope = Scope()
        self.count = 0
        self.weights = {feature: rng.choice((0.2, 1, 1, 4)) for feature in FEATURES}
        self.dimensions = rng.choice(DIMENSIONS)
        self.kinds = rng.choice(KINDS)
        self.ranges: set[int] = set()
        self.tails: list[list[str]] = []
        self.heads: list[int] = []
        self.loads: list[Callable[[], Value]] = []
        self.products = 0
        self.has_inner = False
        self.carried: list[Value] = []

    # Text.

    def chance(self, share: float, feature: str = "") -> bool:
        return self.rng.random() < min(0.9, share * self.weights.get(feature, 1))

    def one_of(self, ways: dict[Callable[..., Any], float]) -> Callable[..., Any]:
        """A way, more often those of features that this kernel has many of."""
        shares = [share * self.weights.get(way.__name__, 1) for way, share in ways.items()]
        return self.rng.choices(list(ways), shares)[0]

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def before_loop(self, line: str) -> None:
        """Emits a line in front of the loop around."""
        position = self.heads[-1]
        self.lines.insert(position, "    " * (self.indent_of_loop()) + line)
        self.heads = [at + (at >= position) for at in self.heads]

    def indent_of_loop(self) -> int:
        at = self.heads[-1]
        line = self.lines[at]
        return (len(line) - len(line.lstrip())) // 4

    def named(self, value: Value, stem: str = "x") -> Value:
        """The value under a name."""
        if value.text.isidentifier():
            return value
        name = self.name(stem)
        self.emit(f"{name} = {value.text}")
        made = Value(name, value.shape, value.kind, value.bound)
        self.scope.values.append(made)
        return made

    def span(self, size: int, axis: int = -1, rank: int = 1) -> str:
        self.ranges.add(size)
        return f"r{size}" if rank == 1 else f"r{size}[:, None]" if axis == 0 else f"r{size}[None, :]"

    def offsets(self, shape: tuple[int, ...], by_column: bool = False) -> str:
        if len(shape) == 1:
            return self.span(shape[0])
        rows, columns = self.span(shape[0], 0, 2), self.span(shape[1], 1, 2)
        return f"{rows} + {columns} * {shape[0]}" if by_column else f"{rows} * {shape[1]} + {columns}"

    def array(self, stem: str, kind: str, elements: int, below: int = 0) -> str:
        name = self.name(stem)
        self.parameters[name] = f"# {name}: *{kind} {elements}" + (f" below {below}" if below else "")
        return name

    # Loads.

    def position(self) -> tuple[str, int]:
        """An expression for which tile is loaded, and how many there are."""
        loop = self.loops[-1]
        made = [(loop.total, loop.total_most)] * 6 + [(loop.index, loop.most)] * 2 + [(f"({loop.index} + 1)", loop.most + 1)]
        if len(self.loops) > 1:
            made.append((self.loops[0].index, self.loops[0].most))
        if self.chance(0.2, "indirect"):
            return self.indirect(loop)
        return self.rng.choice(made)

    def indirect(self, loop: Loop) -> tuple[str, int]:
        """A position from memory, by one index or by two."""
        rows = 6
        name = self.name("j")
        self.emit(f"{name} = tl.load({self.array('index', 'i32', loop.total_most, rows)} + {loop.total})")
        if self.chance(0.35):
            second = self.name("j")
            self.emit(f"{second} = tl.load({self.array('index', 'i32', rows, rows)} + {name})")
            name = second
        return name, rows

    def mask(self, shape: tuple[int, ...]) -> str:
        """A mask for a tile, or nothing."""
        if not self.chance(0.25, "mask"):
            return ""
        loop = self.loops[-1]
        last = self.span(shape[-1], 1, len(shape))
        first = self.span(shape[0], 0, len(shape))
        return self.rng.choice([
            f"{last} < {shape[-1] - self.rng.choice([1, 3, 8])}",
            f"{first} < n * 7",
            f"{loop.index} * {shape[0]} + {first} < n * {shape[0]} - 5",
            f"({last} < n * 9) & ({loop.index} < 2)",
            f"{last} < k",
        ])  # fmt: skip

    def load(self, shape: tuple[int, ...], kind: str) -> Value:
        """A value that is loaded here."""
        ways = {self.load_direct: 5.0, self.load_carried: 2.0}
        if len(shape) == 2:
            ways |= {self.load_rows: 0.7, self.load_descriptor: 3.0}
        return self.one_of(ways)(shape, kind)

    def masked(self, shape: tuple[int, ...], kind: str, pointers: str) -> Value:
        mask = self.mask(shape)
        if not mask:
            return self.named(Value(f"tl.load({pointers})", shape, kind))
        if kind.startswith("fp8") or self.chance(0.6):
            other = "0" if kind[0] == "i" else "0.0" if kind.startswith("fp8") else self.rng.choice(["0.0", "0.0", "1.0"])
            return self.named(Value(f"tl.load({pointers}, mask={mask}, other={other})", shape, kind))
        loaded = self.named(Value(f"tl.load({pointers}, mask={mask})", shape, kind))
        self.scope.values.pop()
        return self.named(Value(f"tl.where({mask}, {loaded.text}, 0)", shape, kind))

    def load_direct(self, shape: tuple[int, ...], kind: str) -> Value:
        where, count = self.position()
        size = volume(shape)
        base = self.array("a", kind, size * count)
        by_column = self.chance(0.25)
        if self.chance(0.5):
            pointers = self.name("p")
            self.prelude.append(f"{pointers} = {base} + {self.offsets(shape, by_column)}")
            return self.masked(shape, kind, f"{pointers} + {where} * {size}")
        return self.masked(shape, kind, f"{base} + {where} * {size} + {self.offsets(shape, by_column)}")

    def load_rows(self, shape: tuple[int, ...], kind: str) -> Value:
        """Rows that a loaded vector of indices names."""
        loop, rows = self.loops[-1], 24
        index = self.array("index", "i32", loop.total_most * shape[0], rows)
        vector = self.named(Value(f"tl.load({index} + {loop.total} * {shape[0]} + {self.span(shape[0])})", shape[:1], "i32", rows), "j")
        base = self.array("a", kind, rows * shape[1])
        return self.masked(shape, kind, f"{base} + {vector.text}[:, None] * {shape[1]} + {self.span(shape[1], 1, 2)}")

    def load_carried(self, shape: tuple[int, ...], kind: str) -> Value:
        """By pointers that the loop carries."""
        if len(self.loops) != self.indent - 1:  # within a branch
            return self.load_direct(shape, kind)
        loop, size = self.loops[-1], volume(shape)
        count = loop.total_most + 1
        pointers, base = self.name("q"), self.array("a", kind, size * count)
        way = self.rng.randrange(5)
        offsets = self.offsets(shape)
        if way == 0:
            self.before_loop(f"{pointers} = {base} + {offsets}")
            self.tails[-1].append(f"{pointers} += {size}")
            return self.masked(shape, kind, pointers)
        if way == 1:  # a carried address of the whole tile
            self.before_loop(f"{pointers} = {base}")
            self.tails[-1].append(f"{pointers} += {size}")
            return self.masked(shape, kind, f"{pointers} + {offsets}")
        second = self.array("a", kind, size * count)
        if way == 2:  # from elsewhere at first
            self.before_loop(f"{pointers} = {second} + {offsets}")
            where = f"{loop.total} * {size} + " if self.chance(0.7) else ""
            self.tails[-1].append(f"{pointers} = {base} + {where}{offsets}")
            return self.masked(shape, kind, pointers)
        other = self.name("q")
        self.before_loop(f"{pointers} = {base} + {offsets}")
        self.before_loop(f"{other} = {second} + {offsets}")
        if way == 3:
            self.tails[-1].append(f"{pointers}, {other} = {other}, {pointers}")
            return self.masked(shape, kind, pointers)
        self.tails[-1].append(f"{pointers}, {other} = {other}, {pointers} + {size}")
        return self.masked(shape, kind, pointers)

    def load_descriptor(self, shape: tuple[int, ...], kind: str) -> Value:
        where, count = self.position()
        rows, columns = count * shape[0], shape[1]
        if columns * (1 if kind in ("i8", "fp8e5", "fp8e4nv") else 2) < 16:
            return self.load_direct(shape, kind)
        cut = self.rng.choice([0, 0, 0, 5])
        name = self.descriptor(shape, kind, rows - cut, columns, "d")
        return self.named(Value(f"{name}.load([{where} * {shape[0]}, 0])", shape, kind))

    def descriptor(self, shape: tuple[int, ...], kind: str, rows: int, columns: int, stem: str) -> str:
        block = f"[{shape[0]}, {shape[1]}]"
        if self.chance(0.6):
            name = self.name(stem)
            self.parameters[name] = f"# {name}: tensordesc<{kind}{block}> {rows} {columns}"
            return name
        base = self.array("a" if stem == "d" else "o", kind, rows * columns)
        name = self.name("t")
        self.prelude.append(f"{name} = tl.make_tensor_descriptor({base}, [{rows}, {columns}], [{columns}, 1], {block})")
        return name

    # Values.

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
        if kind.startswith("fp8"):
            return Value(f"tl.zeros({list(shape)}, {NAMES[kind]})", shape, kind, 0)
        number = self.rng.choice([0, 0, 1])
        return Value(f"tl.full({list(shape)}, {number}, {NAMES[kind]})", shape, kind, number)

    def shape(self) -> tuple[int, int]:
        return self.rng.choice(self.dimensions), self.rng.choice(self.dimensions)

    def kind(self) -> str:
        return self.rng.choice(self.kinds)

    # Statements.

    def product(self) -> None:
        """A product, with or without an accumulator."""
        kind = self.kind()
        total = "i32" if kind == "i8" else "fp32"
        rows, columns = self.shape()
        accumulators = [one for one in self.carried if one.kind == total and len(one.shape) == 2]
        accumulator = self.rng.choice(accumulators) if accumulators and self.chance(0.75) else None
        if accumulator:
            rows, columns = accumulator.shape
        inner = self.rng.choice(self.dimensions)
        if kind in ("i8", "fp8e5", "fp8e4nv"):
            inner = max(inner, 32)
        a = self.tile((rows, inner), kind, 8)
        b = turned_if_same(self, a, self.tile((inner, columns), kind, 8))
        more = ""
        if kind == "fp32":
            more = self.rng.choice(["", "", ', input_precision="ieee"'])
        if kind == "i8":
            more = ", out_dtype=tl.int32"
        bound = inner * a.bound * b.bound
        if accumulator:
            text = f"tl.dot({a.text}, {b.text}, {accumulator.text}{more})"
            if self.chance(0.15):
                text = f"{accumulator.text} + tl.dot({a.text}, {b.text}{more})"
            self.emit(f"{accumulator.text} = {text}")
        else:
            self.named(Value(f"tl.dot({a.text}, {b.text}{more})", (rows, columns), total, bound), "y")
        self.products += 1

    def compute(self) -> None:
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
        if candidates and self.chance(0.8):
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
        size = volume(value.shape)
        roll = self.rng.random()
        if len(value.shape) == 2 and roll < 0.2 and value.shape[1] >= 16:
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
        loop = self.loops[-1]
        made = [f"{loop.index} % 2 == 0", f"{loop.index} % 2 == 1", f"{loop.index} == n - 1", f"{loop.index} > 0", "k > 4"]
        made += [f"{loop.index} % k == 0", f"{loop.index} == 1"]
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
            return self.write()
        target = self.rng.choice(self.carried)
        if self.chance(0.6):
            value = self.constant(target.shape, target.kind)
            if value.text.startswith("tl.full"):
                value = Value(f"tl.zeros({list(target.shape)}, {NAMES[target.kind]})", target.shape, target.kind, 0)
        else:
            value = self.tile(target.shape, target.kind, min(LOADED * 2, EXACT[target.kind]))
        self.emit(f"{target.text} = {value.text}")

    def statement(self) -> None:
        ways = {self.product: 9.0, self.compute: 2, self.reduce: 2, self.write: 2, self.branch: 5, self.assign: 1}
        if self.products >= 4:
            del ways[self.product]
        self.one_of(ways)()

    # Loops.

    def begin_carried(self) -> None:
        """Values that the next loop carries."""
        for number in range(self.rng.choice([0, 1, 1, 1, 1, 2, 2, 3])):
            kind = self.kind()
            roll = self.rng.random() * (1 if number else 0.8)
            if roll < 0.65:
                value = Value("", self.shape(), "i32" if kind == "i8" else "fp32", 1 << 18)
                text = f"tl.zeros({list(value.shape)}, {NAMES[value.kind]})"
            elif roll < 0.85:
                value = Value("", (self.rng.choice(self.dimensions),), "i32" if kind == "i8" else "fp32", 1 << 18)
                text = f"tl.zeros({list(value.shape)}, {NAMES[value.kind]})"
            else:
                shape = self.shape()
                text = self.constant(shape, kind).text
                if self.chance(0.4):
                    base = self.array("a", kind, volume(shape))
                    text = f"tl.load({base} + {self.offsets(shape)})"
                value = Value("", shape, kind, 4)
            name = self.name("acc" if value.bound > 4 else "c")
            self.emit(f"{name} = {text}")
            made = Value(name, value.shape, value.kind, value.bound)
            self.carried.append(made)
            self.scope.values.append(made)

    def options(self, outer: bool) -> str:
        found = []
        if self.chance(0.75):
            found.append(f"num_stages={self.rng.choice([1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5])}")
        if outer and self.chance(0.4):
            found.append("flatten=True")
        if self.chance(0.07) and not outer:
            found.append("disallow_acc_multi_buffer=True")
        if self.chance(0.06):
            found.append("warp_specialize=True")
        if self.chance(0.04):
            found.append("loop_unroll_factor=2")
        return "".join(f", {one}" for one in found)

    def loop(self, depth: int = 0) -> None:
        """A loop, and perhaps one within."""
        inner = depth == 0 and not self.has_inner and self.chance(0.18)
        variable = "ijuv"[depth * 2 + (self.indent > 1 and depth == 0)]
        count, most = ("n", TRIPS) if depth == 0 else self.rng.choice([("m", INNER), ("m", INNER), ("2", 2), (f"{variable_of(self)} + 1", TRIPS)])
        options = self.options(inner)
        index = variable
        roll = self.rng.random()
        head = f"for {variable} in tl.range(0, {count}{options}):"
        if roll < 0.12 and count in "nm":
            head, index = f"for {variable} in tl.range(0, {count} * 16, 16{options}):", f"({variable} // 16)"
        elif roll < 0.2 and count in "nm":
            head, most = f"for {variable} in tl.range(1, {count}{options}):", most
        elif roll < 0.3 and not options:
            head = f"for {variable} in range({count}):"
        around = self.loops[-1] if self.loops else None
        total = f"({around.total} * {most} + {index})" if around else index
        total_most = around.total_most * most if around else most
        outside, carried = list(self.scope.values), list(self.carried)
        self.begin_carried() if depth == 0 or self.chance(0.5) else None
        kept = list(self.scope.values) if depth == 0 else outside + [v for v in self.scope.values if v not in outside]
        self.heads.append(len(self.lines))
        self.emit(head)
        self.indent += 1
        self.loops.append(Loop(variable, index, total, most, total_most))
        self.tails.append([])
        first = len(self.lines)
        self.body(inner)
        self.use_all(first)
        rotate = [v for v in self.carried if v.bound == 4]
        for target in rotate:
            if self.chance(0.75):
                found = [v for v in self.scope.of(target.shape, target.kind) if v.bound <= 4 and v != target]
                value = self.rng.choice(found) if found else self.tile(target.shape, target.kind, 4)
                self.tails[-1].append(f"{target.text} = {value.text}")
        for line in self.tails.pop():
            self.emit(line)
        if len(self.lines) == first:
            self.emit("pass")
        self.loops.pop()
        self.heads.pop()
        self.indent -= 1
        self.scope.values = kept
        self.carried = carried + [value for value in self.carried if value in kept and value not in carried]

    def body(self, inner: bool) -> None:
        if not inner:
            if self.chance(0.6):
                self.load(self.shape(), self.kind())
            for _ in range(self.rng.choice([1, 1, 2, 2, 3, 3, 4])):
                self.statement()
            return
        self.has_inner = True
        for _ in range(self.rng.choice([0, 0, 1])):
            self.statement()
        self.loop(1)
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.rng.choice([self.write, self.write, self.assign, self.compute, self.branch])()

    def use_all(self, first: int) -> None:
        """Uses values of the loop's body that nothing has used yet: others would be no part of the kernel."""
        body = "\n".join(self.lines[first:] + self.tails[-1])
        for value in list(self.scope.values):
            if len(re.findall(rf"\b{value.text}\b", body)) != 1 or value in self.carried or self.chance(0.15):
                continue
            sums = [v for v in self.carried if v.shape == value.shape and v.bound > 4 and v.is_float == value.is_float]
            if sums and self.chance(0.6):
                target = self.rng.choice(sums)
                self.emit(f"{target.text} += {cast(value, target.kind, 2048).text}")
            else:
                self.write(value)

    def kernel(self) -> str:
        """The kernel with its comments."""
        for _ in range(self.rng.choice([1, 1, 1, 1, 2])):
            self.products = 0
            self.loop()
        for value in self.carried:
            self.write(value)
        options = f"# num_warps={self.rng.choice([4, 4, 4, 8])} num_stages={self.rng.choice([1, 2, 2, 3, 3, 3, 3, 4, 4, 5])}"
        options += f" lowered={int(self.chance(0.3))}"
        counts = [self.rng.choice([0, 1, 1, 2]), self.rng.choice([3, 4, 5])]
        runs = []
        for count in counts:
            more = f" m={self.rng.randrange(INNER + 1)}" if self.has_inner else ""
            runs.append(f"# n={count}{more} k={self.rng.choice([2, 3, 5, 9])}")
        ranges = [f"r{size} = tl.arange(0, {size})" for size in sorted(self.ranges)]
        names = [*self.parameters, "n", *(["m"] if self.has_inner else []), "k"]
        head = ["@triton.jit", f"def kernel({', '.join(names)}):"]
        body = ["    " + line for line in ranges + self.prelude] + self.lines
        return "\n".join([options, *runs, *self.parameters.values(), *head, *body]) + "\n"


def variable_of(writer: Writer) -> str:
    return writer.loops[-1].index


def turned_if_same(writer: Writer, first: Value, second: Value) -> Value:
    """The second operand; now and then the first one's own tile, as it is or transposed."""
    if first.shape == first.shape[::-1] == second.shape and writer.chance(0.15, "same"):
        return first if writer.chance(0.6) else turned(first)
    return second


def kind_fits(kind: str, wanted: str) -> bool:
    """Whether values of a type may be cast to another."""
    return (kind[0] == "i") == (wanted[0] == "i")


def volume(shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def random_kernel(rng: random.Random) -> str:
    """The text of a kernel with loops, see `loop_texts.py`."""
    return Writer(rng).kernel()
