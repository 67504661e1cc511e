"""Loads and stores of one tensor in a loop: at equal addresses, at disjoint ones, and at some that overlap."""

from __future__ import annotations

import math

from fuzz.loop_structures import Structures
from fuzz.loop_values import LOADED, Value, cast, elementwise


class InPlace(Structures):
    """Writes accesses of tensors that the kernel both reads and writes.

    is_in_place: whether it has written any.  The threads of a program do not wait for each other's stores to global
        memory, so that such kernels are not run lowered.
    """

    is_in_place = False

    def statement(self) -> None:
        """Some statement of a loop."""
        if self.chance(0.06, "in_place"):
            self.in_place()
        else:
            super().statement()

    def in_place(self) -> None:
        """A load and a store of one tensor, in either order."""
        self.is_in_place = True
        shape, kind, loop = self.shape(), self.kind(), self.loops[-1]
        tiles = loop.total_most + 2
        base = self.array("w", kind, math.prod(shape) * 2 * tiles)
        read, written, unit = self.places(shape, tiles)
        if self.chance(0.3):
            self.put(base, written, unit, self.tile(shape, kind), tiles)
            self.get(base, read, unit, shape, kind, tiles)
            return
        value = self.get(base, read, unit, shape, kind, tiles)
        if self.chance(0.5):
            value = elementwise(self.rng, value, None) if self.chance(0.5) else self.tile(shape, kind)
        self.put(base, written, unit, value, tiles)

    def places(self, shape: tuple[int, int], tiles: int) -> tuple[str, str, int]:
        """Where is read and written, and the number of elements in a unit of it: a tile, an element, or two."""
        at, size = self.loops[-1].total, math.prod(shape)
        if self.chance(0.15, "indirect"):
            other, _ = self.indirect(self.loops[-1])
            return *self.rng.sample([at, other], 2), size
        return self.rng.choice([
            (at, at, size),
            (at, f"({at} + {tiles})", size),
            (f"({at} + {tiles})", at, size),
            (at, f"({at} + 1)", size),
            (f"({at} + 1)", at, size),
            (at, "0", size),
            ("0", "0", size),
            (f"{at} % 2", f"({at} + 1) % 2", size),
            (f"{at} * {size}", f"{at} * {size} + {size // 2}", 1),
            (f"{at} * {size} + {shape[1]}", f"{at} * {size}", 1),
            (f"{at} * {2 * size}", f"{at} * {2 * size} + 1", 2),
        ])  # fmt: skip

    def pointers(self, base: str, place: str, unit: int, shape: tuple[int, int]) -> str:
        """The addresses of a tile; of units of two elements it has every other one."""
        if unit == 2:
            return f"{base} + {place} + ({self.offsets(shape)}) * 2"
        return f"{base} + {place}{f' * {unit}' if unit > 1 else ''} + {self.offsets(shape)}"

    def described(self, base: str, unit: int, shape: tuple[int, int], kind: str, tiles: int) -> str:
        """A descriptor of all tiles, which is made in front of the loops; nothing if it is left to pointers."""
        if unit <= 2 or not self.chance(0.2):
            return ""
        name, (rows, columns) = self.name("t"), shape
        sizes = f"[{2 * tiles * rows}, {columns}], [{columns}, 1], [{rows}, {columns}]"
        self.prelude.append(f"{name} = tl.make_tensor_descriptor({base}, {sizes})")
        return name

    def get(self, base: str, place: str, unit: int, shape: tuple[int, int], kind: str, tiles: int) -> Value:
        """A load."""
        if name := self.described(base, unit, shape, kind, tiles):
            return self.named(Value(f"{name}.load([{place} * {shape[0]}, 0])", shape, kind))
        return self.masked(shape, kind, self.pointers(base, place, unit, shape))

    def put(self, base: str, place: str, unit: int, value: Value, tiles: int) -> None:
        """A store of a value, with magnitudes as small as those that are loaded; in a branch now and then."""
        value = cast(value, value.kind, LOADED)
        is_held = self.chance(0.25)
        if is_held:
            self.emit(f"if {self.condition()}:")
            self.indent += 1
        if name := self.described(base, unit, value.shape, value.kind, tiles):
            self.emit(f"{name}.store([{place} * {value.shape[0]}, 0], {value.text})")
        else:
            self.emit(f"tl.store({self.pointers(base, place, unit, value.shape)}, {value.text})")
        self.indent -= is_held
