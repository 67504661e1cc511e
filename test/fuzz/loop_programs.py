"""Random pipelined loops as kernels: one or two in a row, or one in another."""

from __future__ import annotations

import math
import random
import re

from fuzz.loop_in_place import InPlace
from fuzz.loop_values import NAMES, Value, cast
from fuzz.loop_writer import Loop

TRIPS = 5
"""Most iterations of a loop."""
INNER = 3
"""The same of a loop in a loop."""
CARRIED = 4
"""Bound of carried tiles that are no sums."""
SUMS = 1 << 18
"""Bound of those that are."""


class Kernel(InPlace):
    """Writes loops, and the kernel around them."""

    has_inner = False

    def begin_carried(self) -> None:
        """Values that the next loop carries."""
        for number in range(self.rng.choice([0, 1, 1, 1, 1, 2, 2, 3])):
            kind, shape = self.kind(), self.shape()
            roll = self.rng.random() * (1 if number else 0.8)
            if roll < 0.85:
                total = "i32" if kind == "i8" else "fp32"
                value = Value("", shape if roll < 0.65 else shape[:1], total, SUMS)
                text = f"tl.zeros({list(value.shape)}, {NAMES[total]})"
            else:
                value, text = Value("", shape, kind, CARRIED), self.constant(shape, kind).text
                if self.chance(0.4):
                    text = f"tl.load({self.array('a', kind, math.prod(shape))} + {self.offsets(shape)})"
            name = self.name("acc" if value.bound == SUMS else "c")
            self.emit(f"{name} = {text}")
            self.carried.append(Value(name, value.shape, value.kind, value.bound))
            self.scope.values.append(self.carried[-1])

    def options(self, outer: bool) -> str:
        found = []
        if self.chance(0.75):
            found.append(f"num_stages={self.rng.choice([1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5])}")
        if outer and self.chance(0.4):
            found.append("flatten=True")
        if self.chance(0.07) and not outer:
            found.append("disallow_acc_multi_buffer=True")
        if self.chance(0.1):
            found.append("warp_specialize=True")
        if self.chance(0.04):
            found.append("loop_unroll_factor=2")
        return "".join(f", {one}" for one in found)

    def head(self, depth: int, has_inner: bool) -> tuple[str, Loop]:
        """The line that begins a loop, and what is known of it; a loop within another has depth 1."""
        variable = "iu"[depth]
        count, most = "n", TRIPS
        around = self.loops[-1] if self.loops else None
        if around is not None:
            count, most = self.rng.choice([("m", INNER), ("m", INNER), ("2", 2), (f"{around.index} + 1", TRIPS)])
        options, index = self.options(has_inner), variable
        bounds, roll = f"0, {count}", self.rng.random()
        if roll < 0.12 and count in "nm":
            step = self.rng.choice(["16", "16", "k"])
            bounds, index = f"0, {count} * {step}, {step}", f"({variable} // {step})"
        elif roll < 0.2 and count in "nm":
            bounds = f"1, {count}"
        elif roll < 0.25 and count in "nm":
            bounds = f"0, {count}, {self.rng.choice(['2', 'k'])}"
        elif roll < 0.33:
            bounds = f"{count} - 1, -1, -1"
        elif roll < 0.37 and count in "nm":
            bounds, index = f"({count} - 1) * 16, -1, -16", f"({variable} // 16)"
        is_plain = not options and self.chance(0.3)
        head = f"for {variable} in {'range' if is_plain else 'tl.range'}({bounds}{options}):"
        total = index if around is None else f"({around.total} * {most} + {index})"
        return head, Loop(variable, index, total, most, most * (1 if around is None else around.total_most))

    def loop(self, depth: int = 0) -> None:
        """A loop, and perhaps one within."""
        has_inner = depth == 0 and not self.has_inner and self.chance(0.18)
        carried = list(self.carried)
        if depth == 0 or self.chance(0.5):
            self.begin_carried()
        kept = list(self.scope.values)
        head, loop = self.head(depth, has_inner)
        self.heads.append(len(self.lines))
        self.emit(head)
        self.indent += 1
        self.loops.append(loop)
        self.tails.append([])
        self.results.append([])
        self.body(has_inner)
        self.use_all()
        self.rotate()
        for line in self.tails.pop():
            self.emit(line)
        if self.lines[-1].endswith(":"):
            self.emit("pass")
        self.loops.pop()
        self.heads.pop()
        self.indent -= 1
        self.scope.values = kept
        self.use_results()
        self.carried = carried + [value for value in self.carried if value in kept and value not in carried]

    def rotate(self) -> None:
        """Gives carried tiles what the next iteration finds in them."""
        for target in self.carried:
            if target.bound <= CARRIED and self.chance(0.75):
                found = self.scope.of(target.shape, target.kind)
                found = [one for one in found if one.bound <= CARRIED and one != target]
                value = self.rng.choice(found) if found else self.tile(target.shape, target.kind, CARRIED)
                self.tails[-1].append(f"{target.text} = {value.text}")

    def body(self, has_inner: bool) -> None:
        """Statements of a loop."""
        if not has_inner:
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

    def use_all(self) -> None:
        """Uses values of the loop's body that nothing has used yet: others would be no part of the kernel."""
        body = "\n".join(self.lines[self.heads[-1] :] + self.tails[-1])
        for value in list(self.scope.values):
            if len(re.findall(rf"\b{value.text}\b", body)) != 1 or value in self.carried or self.chance(0.15):
                continue
            alike = [one for one in self.carried if one.shape == value.shape and one.is_float == value.is_float]
            sums = [one for one in alike if one.bound > CARRIED]
            if sums and self.chance(0.6):
                target = self.rng.choice(sums)
                self.emit(f"{target.text} += {cast(value, target.kind, 2048).text}")
            else:
                self.write(value)

    def repeated(self) -> None:
        """A loop in a while; both write what they carry, since names of its body end with it."""
        self.emit("v = 0")
        self.emit("while v < 2:")
        self.indent += 1
        self.loops.append(Loop("v", "v", "v", 2, 2))
        self.has_inner = True  # its number of iterations is one of the inner loops'
        self.loop(1)
        for value in self.carried:
            self.write(value)
        self.emit("v += 1")
        self.loops.pop()
        self.indent -= 1
        self.carried, self.scope.values = [], []

    def machine(self) -> str:
        """The target, if it is only for one: a rare one, or one with clusters."""
        if self.chance(0.1, "clusters"):
            return f" num_ctas={self.rng.choice([2, 2, 4])} target={self.rng.choice([90, 90, 100, 120])}"
        return " target=120" if self.chance(0.05) else ""

    def kernel(self) -> str:
        """The kernel with its comments."""
        if self.chance(0.08):
            self.repeated()
        for _ in range(self.rng.choice([1, 1, 1, 1, 2]) - self.has_inner):
            self.products = 0
            self.loop()
        for value in self.carried:
            self.write(value)
        stages = self.rng.choice([1, 2, 2, 3, 3, 3, 3, 4, 4, 5])
        is_small = max(self.dimensions) < 128  # threads of large tiles take long
        lowered = is_small and not self.is_in_place and self.chance(0.3)
        warps, machine = self.rng.choice([1, 2, 4, 4, 4, 4, 8]), self.machine()
        if "num_ctas" in machine and any("warp_specialize=True" in line for line in self.lines):
            lowered = False  # CTAs can't synchronize while warps are specialized
        options = f"# num_warps={warps} num_stages={stages} lowered={int(lowered)}{machine}"
        counts = [self.rng.choice([0, 1, 1, 2]), self.rng.choice([3, 4, 5])]
        runs = []
        for count in counts:
            more = f" m={self.rng.randrange(INNER + 1)}" if self.has_inner else ""
            runs.append(f"# n={count}{more} k={self.rng.choice([2, 3, 5, 9])}")
        ranges = [f"r{size} = tl.arange(0, {size})" for size in sorted(self.ranges)]
        names = [*self.parameters, "n", *(["m"] if self.has_inner else []), "k"]
        head = ["@triton.jit", f"def kernel({', '.join(names)}):"]
        body = ["    " + line for line in ranges + self.prelude] + self.lines
        return "\n".join([options, *runs, *self.parameters.values(), *self.functions, *head, *body]) + "\n"


def random_kernel(rng: random.Random) -> str:
    """The text of a kernel with loops, see `loop_texts.py`."""
    return Kernel(rng).kernel()
