"""Loads of random loops: by pointers, carried or not, by indices from memory, and by descriptors."""

from __future__ import annotations

import math

from fuzz.loop_values import Value, has_descriptors
from fuzz.loop_writer import Loop, Writer


class Loads(Writer):
    """Writes loads."""

    def position(self) -> tuple[str, int]:
        """An expression for which tile is loaded, and how many there are."""
        loop = self.loops[-1]
        made = [(loop.total, loop.total_most)] * 6 + [(loop.index, loop.most)] * 2
        made.append((f"({loop.index} + 1)", loop.most + 1))
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
            ways |= {self.load_rows: 0.7}
        if has_descriptors(shape, kind):
            ways |= {self.load_descriptor: 3.0}
        return self.one_of(ways)(shape, kind)

    def masked(self, shape: tuple[int, ...], kind: str, pointers: str) -> Value:
        """Loads by pointers, perhaps under a mask; without another value the masked ones are taken out again."""
        mask = self.mask(shape)
        if not mask:
            return self.named(Value(f"tl.load({pointers})", shape, kind))
        if kind.startswith("fp8") or self.chance(0.6):
            others = ["0"] if kind[0] == "i" else ["0.0"] if kind.startswith("fp8") else ["0.0", "0.0", "1.0"]
            other = self.rng.choice(others)
            return self.named(Value(f"tl.load({pointers}, mask={mask}, other={other})", shape, kind))
        loaded = self.named(Value(f"tl.load({pointers}, mask={mask})", shape, kind))
        self.scope.values.pop()
        return self.named(Value(f"tl.where({mask}, {loaded.text}, 0)", shape, kind))

    def load_direct(self, shape: tuple[int, ...], kind: str) -> Value:
        """By pointers that follow from the iteration, or from an index."""
        where, count = self.position()
        size = math.prod(shape)
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
        text = f"tl.load({index} + {loop.total} * {shape[0]} + {self.span(shape[0])})"
        vector = self.named(Value(text, shape[:1], "i32", rows), "j")
        base = self.array("a", kind, rows * shape[1])
        return self.masked(shape, kind, f"{base} + {vector.text}[:, None] * {shape[1]} + {self.span(shape[1], 1, 2)}")

    def load_carried(self, shape: tuple[int, ...], kind: str) -> Value:
        """By pointers that the loop carries."""
        if len(self.loops) != self.indent - 1:  # within a branch
            return self.load_direct(shape, kind)
        ways = [self.advanced, self.advanced_base, self.from_elsewhere, self.exchanged]
        return self.rng.choice(ways + [self.block_pointer] * (len(shape) == 2))(shape, kind)

    def carried_array(self, shape: tuple[int, ...], kind: str) -> str:
        """An array with a tile for each iteration, and one more."""
        return self.array("a", kind, math.prod(shape) * (self.loops[-1].total_most + 1))

    def advanced(self, shape: tuple[int, ...], kind: str) -> Value:
        """By pointers that go on."""
        pointers = self.name("q")
        self.before_loop(f"{pointers} = {self.carried_array(shape, kind)} + {self.offsets(shape)}")
        self.tails[-1].append(f"{pointers} += {math.prod(shape)}")
        return self.masked(shape, kind, pointers)

    def advanced_base(self, shape: tuple[int, ...], kind: str) -> Value:
        """By the address of a tile that goes on."""
        pointer = self.name("q")
        self.before_loop(f"{pointer} = {self.carried_array(shape, kind)}")
        self.tails[-1].append(f"{pointer} += {math.prod(shape)}")
        return self.masked(shape, kind, f"{pointer} + {self.offsets(shape)}")

    def from_elsewhere(self, shape: tuple[int, ...], kind: str) -> Value:
        """By pointers into one array at first, and then into another."""
        pointers = self.name("q")
        self.before_loop(f"{pointers} = {self.carried_array(shape, kind)} + {self.offsets(shape)}")
        where = f"{self.loops[-1].total} * {math.prod(shape)} + " if self.chance(0.7) else ""
        self.tails[-1].append(f"{pointers} = {self.carried_array(shape, kind)} + {where}{self.offsets(shape)}")
        return self.masked(shape, kind, pointers)

    def exchanged(self, shape: tuple[int, ...], kind: str) -> Value:
        """By two pointers that change places, and may go on."""
        pointers, others = self.name("q"), self.name("q")
        for each in (pointers, others):
            self.before_loop(f"{each} = {self.carried_array(shape, kind)} + {self.offsets(shape)}")
        more = f" + {math.prod(shape)}" if self.chance(0.5) else ""
        self.tails[-1].append(f"{pointers}, {others} = {others}, {pointers}{more}")
        value = self.masked(shape, kind, pointers)
        return value if self.chance(0.7) else self.masked(shape, kind, others)

    def block_pointer(self, shape: tuple[int, ...], kind: str) -> Value:
        """By a pointer to a block that goes on, and may reach beyond the tensor."""
        pointer, (rows, columns) = self.name("b"), shape
        cut = self.rng.choice([0, 3])
        sizes = f"({rows * self.loops[-1].total_most - cut}, {columns})"
        sizes += f", ({columns}, 1), (0, 0), ({rows}, {columns}), (1, 0)"
        self.before_loop(f"{pointer} = tl.make_block_ptr({self.carried_array(shape, kind)}, {sizes})")
        self.tails[-1].append(f"{pointer} = tl.advance({pointer}, ({rows}, 0))")
        more = ', boundary_check=(0,), padding_option="zero"' if cut else ""
        return self.named(Value(f"tl.load({pointer}{more})", shape, kind))

    def load_descriptor(self, shape: tuple[int, ...], kind: str) -> Value:
        """By a descriptor of the host, one made in front of the loops, or one made here."""
        where, count = self.position()
        rows, columns = shape
        cut = self.rng.choice([0, 0, 0, 5]) if rows > 5 else 0
        if self.chance(0.15, "descriptors_made"):
            base, name = self.array("a", kind, count * rows * columns), self.name("t")
            sizes = f"[{rows - cut}, {columns}], [{columns}, 1], [{rows}, {columns}]"
            self.emit(f"{name} = tl.make_tensor_descriptor({base} + {where} * {rows * columns}, {sizes})")
            return self.named(Value(f"{name}.load([0, 0])", shape, kind))
        if self.chance(0.2, "leading"):
            base, name = self.array("a", kind, count * rows * columns), self.name("t")
            sizes = f"[1, {count * rows - cut}, {columns}], [{count * rows * columns}, {columns}, 1]"
            self.prelude.append(f"{name} = tl.make_tensor_descriptor({base}, {sizes}, [1, {rows}, {columns}])")
            return self.named(Value(f"{name}.load([0, {where} * {rows}, 0]).reshape({rows}, {columns})", shape, kind))
        name = self.descriptor(shape, kind, count * rows - cut, columns, "d")
        return self.named(Value(f"{name}.load([{where} * {rows}, 0])", shape, kind))
