"""Random kernel sources, to compare frontends on: combinations of types, shapes and statements that nobody writes.

    python test/oracle/random_kernels.py FOLDER [--count N] [--seed N]
    python test/oracle/compare_language.py --oracle ORACLE/bin/python FOLDER

Many are wrong (types that do not go together, variables that change their type in a loop): then both must refuse them.
"""

import argparse
import linecache
import pathlib
import random
import tempfile

TYPES = "i1 i8 u8 i16 u16 i32 u32 i64 u64 fp16 bf16 fp32 fp64".split()
CASTS = "int1 int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64".split()
NUMBERS = "0 1 2 3 -1 7 100 255 -128 70000 3000000000 5000000000 True False 0.5 -1.0 2.0 1e-3 1e40 float('inf')".split()
BINARY = "+ - * / // % & | ^ << >> < <= > >= == !=".split()
HEADER = '''"""Random kernels, seed {seed}."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def first(a, b):
    return a + b


@triton.jit
def choose(a, b, FLAG: tl.constexpr = True):
    if FLAG:
        return a
    else:
        return b


@triton.jit
def both(a, b=1):
    return a * b, a


'''


class Writer:
    """Writes one kernel."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []
        self.types = [rng.choice(TYPES) for _ in range(5)]
        self.names = ["s0", "s1", "t0", "t1", "N", "M"]
        self.count = 0

    def kernel(self):
        self.line(1, "i = tl.arange(0, N)")
        self.line(1, "t0 = tl.load(p0 + i)")
        self.line(
            1, "t1 = tl.load(p1 + i)" if self.rng.random() < 0.7 else "t1 = tl.load(p1 + i)[:, None] + i[None, :]"
        )
        self.block(1, self.rng.randint(3, 7))
        for name in [name for name in self.names if name not in ("N", "M")][-3:]:
            self.line(1, f"tl.device_print('x', {name})")
        head = f"@triton.jit\ndef {self.name}(p0, p1, s0, s1, N: tl.constexpr, M: tl.constexpr):\n"
        return head + "\n".join(self.lines) + "\n\n\n"

    def case(self):
        types = [f"*{self.types[0]}", f"*{self.types[1]}", self.types[2], self.types[3]]
        constants = f"N={self.rng.choice((4, 16, 32))}, M={self.rng.choice(('2', '-3', '0.5', 'True', 'None', '16'))}"
        debug = ", options=dict(debug=True)" if self.rng.random() < 0.15 else ""
        return f"    case({self.name}, {' '.join(types)!r}, archs=[90], {constants}{debug}),\n"

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    def block(self, depth, count):
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth):
        rng = self.rng
        kind = rng.random()
        if kind < 0.5 or depth > 3:
            target = (
                self.fresh() if rng.random() < 0.6 else rng.choice([name for name in self.names if name not in "NM"])
            )
            self.line(depth, f"{target} = {self.expression(2)}")
            self.add(target)
        elif kind < 0.58:
            target = rng.choice([name for name in self.names if name not in "NM"])
            self.line(depth, f"{target} {rng.choice(('+', '-', '*', '&', '|', '//'))}= {self.expression(1)}")
        elif kind < 0.7:
            known = list(self.names)
            self.line(depth, f"if {self.condition()}:")
            self.block(depth + 1, rng.randint(1, 2))
            then, self.names = self.names, list(known)
            if rng.random() < 0.6:
                self.line(depth, "else:")
                self.block(depth + 1, rng.randint(1, 2))
                self.names = [name for name in self.names if name in then]
        elif kind < 0.84:
            known = list(self.names)
            variable = self.fresh()
            self.line(depth, f"for {variable} in {self.range()}:")
            self.names.append(variable)
            self.block(depth + 1, rng.randint(1, 3))
            self.names = known
        elif kind < 0.9:
            left, right = self.fresh(), self.fresh()
            source = rng.choice(
                (
                    f"both({self.expression(1)}, {self.expression(0)})",
                    f"both({self.expression(1)})",
                    f"({self.expression(1)}, {self.expression(1)})",
                )
            )
            self.line(depth, f"{left}, {right} = {source}")
            self.add(left)
            self.add(right)
        elif kind < 0.95:
            known = list(self.names)
            variable = self.fresh()
            self.line(depth, f"{variable} = {rng.choice(('0', 's0', '10'))}")
            self.line(depth, f"while {variable} < {rng.choice(('s1', '5', 'N'))}:")
            self.names.append(variable)
            self.block(depth + 1, 1)
            self.line(depth + 1, f"{variable} += 1")
            self.names = known
        else:
            target = self.fresh()
            self.line(
                depth, f"{target}: tl.constexpr = {rng.choice(('N * 2', 'N // 2', 'N + 1', 'N == 16', 'N / 4', '-N'))}"
            )
            self.add(target)

    def add(self, name):
        if name not in self.names:
            self.names.append(name)

    def range(self):
        rng = self.rng
        bounds = [str(self.rng.choice(("s0", "s1", "3", "10", "N"))) for _ in range(rng.randint(1, 2))]
        if len(bounds) == 2 and rng.random() < 0.5:
            bounds.append(rng.choice(("2", "-1", "N", "s0")))
        return f"{rng.choice(('range', 'range', 'tl.range', 'tl.static_range'))}({', '.join(bounds)})"

    def condition(self):
        rng = self.rng
        scalar = rng.choice(("s0", "s1", "N", "tl.sum(t0)", "tl.max(t1)"))
        text = f"{scalar} {rng.choice(('<', '>', '==', '!='))} {rng.choice(('3', '0', 's1', '1.5'))}"
        return rng.choice((text, text, text, f"not {text}", f"{text} and s0 > 1", f"s1 == 0 or {text}", "N > 8", "s0"))

    def expression(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return rng.choice(self.names) if rng.random() < 0.75 else rng.choice(NUMBERS)
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        return rng.choice(
            [
                *[f"({one} {rng.choice(BINARY)} {two})"] * 8,
                f"({rng.choice('-~')}{one})",
                f"(not {one})",
                *[f"tl.cast({one}, tl.{rng.choice(CASTS)})"] * 2,
                f"({one} if {self.condition()} else {two})",
                f"tl.where({one} > 0, {one}, {two})",
                f"tl.minimum({one}, {two})",
                f"tl.maximum({one}, {two})",
                f"max({one}, {two})",
                f"tl.sum(t0 + {one})",
                "tl.max(t0, 0)",
                "tl.cumsum(t0, 0)",
                f"tl.abs({one})",
                f"tl.cdiv({one}, {two})",
                f"first({one}, {two})",
                f"choose({one}, {two}, {rng.choice(('True', 'False', 'N > 8'))})",
                f"both({one})[{rng.choice('01')}]",
                f"(t0 + {one}).to(tl.{rng.choice(CASTS)})",
                f"tl.load(p0 + {one})",
                f"tl.load(p1 + i, mask=t0 > {one}, other={two})",
                f"tl.full([N], {one}, tl.{rng.choice(CASTS)})",
                f"t0[:, None] * {one}",
                f"({one} and {two})",
                f"tl.zeros_like(t0) + {one}",
                f"tl.atomic_add(p0 + i, {one})",
            ]
        )


def repaired(header, kernels, cases):
    """The kernels without the statements that ttkit refuses."""
    import kernel_sources

    from ttkit.frontend import CompilationError

    kernel_sources.stand_in_for_triton()
    kept = []
    folder = pathlib.Path(tempfile.mkdtemp())
    for index, (kernel, case) in enumerate(zip(kernels.split("@triton.jit\n")[1:], cases.splitlines())):
        lines = kernel.rstrip().split("\n")
        for _ in range(100):
            path = folder / f"kernel_{index}.py"
            path.write_text(f"{header}@triton.jit\n" + "\n".join(lines) + f"\n\n\nCASES = [{case.strip()}]\n")
            linecache.checkcache()
            (only,) = kernel_sources.load_cases(folder)
            path.unlink()
            try:
                kernel_sources.prepared_ttkit(only, 90)()
                break
            except CompilationError as error:
                drop(lines, getattr(error.node, "lineno", len(lines)) - 1)
        kept.append("@triton.jit\n" + "\n".join(lines) + "\n\n\n")
    return "".join(kept)


def drop(lines, index):
    """Removes the statement in that line, with the blocks that belong to it."""
    if index == 0:
        index = len(lines) - 1
    depth = len(lines[index]) - len(lines[index].lstrip())
    end = index + 1
    while end < len(lines) and (len(lines[end]) - len(lines[end].lstrip()) > depth or lines[end].strip() == "else:"):
        end += 1
    lines[index:end] = [" " * depth + "pass"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repair", action="store_true", help="drop statements that ttkit refuses")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    writers = [Writer(rng, f"random_{arguments.seed}_{index}") for index in range(arguments.count)]
    kernels = "".join(writer.kernel() for writer in writers)
    cases = "".join(writer.case() for writer in writers)
    if arguments.repair:
        kernels = repaired(HEADER.format(seed=arguments.seed), kernels, cases)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    text = f"{HEADER.format(seed=arguments.seed)}{kernels}CASES = [\n{cases}]\n"
    (arguments.folder / f"random_{arguments.seed}.py").write_text(text)


if __name__ == "__main__":
    main()
