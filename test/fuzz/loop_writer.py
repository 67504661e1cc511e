"""What writes random kernels with loops: lines, names, arguments, and the loops around a place."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fuzz.loop_values import Scope, Value

SQUARES = {64: 16, 32: 5, 16: 3, 128: 1}
"""Sizes of tiles in kernels that have one size -> how often."""
MIXED = {(64, 32): 4, (64, 16): 3, (32, 16): 1, (128, 32): 1, (16, 128): 1}
"""The same of kernels that have two."""
KINDS = [("fp16",)] * 6 + [("bf16",)] * 2 + [("fp32",)] * 3 + [("fp8e5",), ("fp8e4nv",), ("i8",), ("i8",)]
KINDS += [("fp16", "fp32"), ("fp16", "i8"), ("fp16", "fp8e5"), ("bf16", "fp32"), ("fp16", "bf16")]
FEATURES = ("indirect", "mask", "load_carried", "load_rows", "load_descriptor", "turn", "register", "same", "known")
FEATURES += ("descriptors_made", "sums", "product", "compute", "reduce", "write", "branch", "assign", "in_place")
FEATURES += ("leading", "shapes", "structures", "clusters")
"""What a kernel has more or less of than others: so each also meets others of its kind, and is alone at times."""


@dataclass
class Loop:
    """A loop around a place of the kernel.

    variable: its variable.
    index: the expression for the number of its iteration.
    total: the same, unique among iterations of all loops around.
    most: iterations; total_most: with those of loops around.
    """

    variable: str
    index: str
    total: str
    most: int
    total_most: int


class Writer:
    """Writes one kernel.

    lines: of the body; prelude: those in front of them.
    parameters: names -> the comments that say what they are.
    loops: those around the place that is written; heads: where in `lines` each begins; tails: what each ends with.
    scope: what may be used by name; carried: those of it that loops may assign.
    ranges: sizes of `tl.arange` that are used.
    functions: the texts above the kernel.
    results: for each loop around, what it carries beside `carried`.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.prelude: list[str] = []
        self.parameters: dict[str, str] = {}
        self.indent = 1
        self.count = 0
        self.loops: list[Loop] = []
        self.heads: list[int] = []
        self.tails: list[list[str]] = []
        self.scope = Scope()
        self.carried: list[Value] = []
        self.ranges: set[int] = set()
        self.functions: list[str] = []
        self.results: list[list[Value]] = []
        sizes = {**{(size,): often for size, often in SQUARES.items()}, **MIXED}
        self.dimensions = rng.choices(list(sizes), list(sizes.values()))[0]
        self.kinds = rng.choice(KINDS)
        self.weights = {feature: rng.choice((0.2, 1, 1, 4)) for feature in FEATURES}

    def chance(self, share: float, feature: str = "") -> bool:
        """Whether something is done that a share of kernels does, or more of those that have much of a feature."""
        return self.rng.random() < min(0.9, share * self.weights.get(feature, 1))

    def one_of(self, ways: dict[Callable[..., Any], float]) -> Callable[..., Any]:
        """A way, more often those of features that this kernel has many of."""
        shares = [share * self.weights.get(way.__name__, 1) for way, share in ways.items()]
        return self.rng.choices(list(ways), shares)[0]

    def shape(self) -> tuple[int, int]:
        """Of some tile."""
        return self.rng.choice(self.dimensions), self.rng.choice(self.dimensions)

    def kind(self) -> str:
        """Type of some tile's elements."""
        return self.rng.choice(self.kinds)

    def name(self, stem: str) -> str:
        """A new name."""
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, line: str) -> None:
        """Adds a line at the place that is written."""
        self.lines.append("    " * self.indent + line)

    def before_loop(self, line: str) -> None:
        """Emits a line in front of the loop around."""
        position = self.heads[-1]
        head = self.lines[position]
        self.lines.insert(position, head[: len(head) - len(head.lstrip())] + line)
        self.heads = [at + (at >= position) for at in self.heads]

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
        """0 to `size`, along an axis of a tile."""
        self.ranges.add(size)
        return f"r{size}" if rank == 1 else f"r{size}[:, None]" if axis == 0 else f"r{size}[None, :]"

    def offsets(self, shape: tuple[int, ...], by_column: bool = False) -> str:
        """Of a tile's elements in memory, row by row."""
        if len(shape) == 1:
            return self.span(shape[0])
        rows, columns = self.span(shape[0], 0, 2), self.span(shape[1], 1, 2)
        return f"{rows} + {columns} * {shape[0]}" if by_column else f"{rows} * {shape[1]} + {columns}"

    def array(self, stem: str, kind: str, elements: int, below: int = 0) -> str:
        """A new argument for a pointer."""
        name = self.name(stem)
        self.parameters[name] = f"# {name}: *{kind} {elements}" + (f" below {below}" if below else "")
        return name

    def descriptor(self, shape: tuple[int, ...], kind: str, rows: int, columns: int, stem: str) -> str:
        """A descriptor as an argument, or made in front of the loops; `stem` is "d" or, of outputs, "o"."""
        block = f"[{shape[0]}, {shape[1]}]"
        if self.chance(0.6):
            name = self.name(stem)
            self.parameters[name] = f"# {name}: tensordesc<{kind}{block}> {rows} {columns}"
            return name
        base = self.array("a" if stem == "d" else "o", kind, rows * columns)
        name = self.name("t")
        self.prelude.append(f"{name} = tl.make_tensor_descriptor({base}, [{rows}, {columns}], [{columns}, 1], {block})")
        return name
