"""Compares what Triton and ttkit say of operations that are wrong in one way: a type, an attribute, a number of values.

    python operation_verifiers.py [--oracle-python PYTHON] [--only REGEX] [--seconds 400] [--each 2]

Begins with the operations in test/lit/dialects/*/ops*.mlir, in MLIR's generic form.  One attribute at a time is left
out or gets other values; one operand or result gets another shape, element, layout or kind of type, is left out or
repeated.  What differs is printed by its kind: who refuses what, and first errors that lack Triton's text.
"""

import argparse
import collections
import itertools
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compare  # noqa: E402
from mutated_verifiers import Verdicts  # noqa: E402

FOLDER = HERE.parent / "lit" / "dialects"
COMPARED = ("tt", "ttg", "ttng", "nvws", "gluon")
HEAD = re.compile(r'(\s*)(?:(%\w+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)')
ELEMENTS = ("i1", "i8", "i32", "i64", "bf16", "f32", "f64", "f8E5M2", "!tt.ptr<f32>", "index")
KINDS = ("i1", "i32", "i64", "f32", "!tt.ptr<f16>", "!tt.ptr<tensor<32x32xf16>>", "!ttg.async.token")
LAYOUTS = tuple(
    f"#ttg.{text}"
    for text in (
        "blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>",
        "blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>",
        "nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
        "nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>",
        "swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
        "nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>",
    )
)
SHAPED = re.compile(r"(?<=[<])((?:\d+x)+)([^,<>]+(?:<[^<>]*>)?)")


def depths(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, brackets open behind it) of all that stands in no string."""
    depth, is_quoted = 0, False
    for position, char in enumerate(text):
        if char == '"':
            is_quoted = not is_quoted
        if is_quoted:
            continue
        is_arrow = char == ">" and text[position - 1 : position] == "-"
        depth += (char in "<([{") - (char in "])}>" and not is_arrow)
        yield position, char, depth


def split(text: str) -> list[str]:
    """The items between the commas that no bracket or string encloses."""
    commas = [position for position, char, depth in depths(text) if char == "," and depth == 0]
    items = [text[start + 1 : end].strip() for start, end in itertools.pairwise([-1, *commas, len(text)])]
    return items if items[-1] else items[:-1]


def end_of(text: str, start: int) -> int:
    """Where the bracket in front of `start` is closed."""
    return next((start + position for position, _, depth in depths(text[start:]) if depth < 0), len(text))


def other_types(old: str) -> Iterator[str]:
    """Types in the place of one."""
    yield from (kind for kind in KINDS if kind != old)
    match = SHAPED.search(old)
    if not match:
        return
    sizes, element = match[1].split("x")[:-1], match[2]

    def put(shape: list[str], element: str = element) -> str:
        return old[: match.start()] + "x".join([*shape, element]) + old[match.end() :]

    for axis, size in enumerate(sizes):
        yield put([*sizes[:axis], str(2 * int(size)), *sizes[axis + 1 :]])
        if int(size) > 1:
            yield put([*sizes[:axis], str(int(size) // 2), *sizes[axis + 1 :]])
    yield from (put(shape) for shape in ([*sizes, "2"], ["1", *sizes], sizes[1:], sizes[::-1], ["3", *sizes[1:]]))
    yield from (put(sizes, other) for other in ELEMENTS if other != element)
    yield element
    if ", #" in old:
        yield re.sub(r", #.*", "", old) + ">" * (1 + old.startswith("!tt.tensordesc"))
        yield from (re.sub(r", #ttn?g\.\w+<\{.*?\}>", f", {layout}", old, count=1) for layout in LAYOUTS)
        yield old.replace(", mutable", "")
        yield old.replace("#ttg.shared_memory", "#ttng.tensor_memory")
    elif old.startswith("tensor"):
        yield from (f"{old[:-1]}, {layout}>" for layout in LAYOUTS)


def other_attributes(items: list[str]) -> Iterator[list[str]]:
    """The attributes, one left out or of another value."""
    for number, item in enumerate(items):
        before, after = items[:number], items[number + 1 :]
        yield before + after
        key, _, value = item.partition(" = ")
        made = ['"text"', "unit", "[1]", "1.5 : f32"]
        if match := re.fullmatch(r"-?\d+ : (i\d+)", value):
            made += [f"{x} : {match[1]}" for x in (0, -1, 1, 2, 3, 99)] + [f"1 : i{width}" for width in (8, 16, 32, 64)]
        elif match := re.match(r"array<(\w+)", value):
            values = ("", ": 0", ": -1", ": 1, 1", ": 0, 1", ": 1, 0, 2", ": 5, 0")
            made += [f"array<{match[1]}{x}>" for x in values] + ["array<i32: 0, 1>", "array<i64: 0, 1>"]
        elif value in ("true", "false"):
            made += ["0 : i32", "true", "false"]
        yield from ([*before, f"{key} = {x}", *after] for x in made if x != value)


def other_signatures(operands: list[str], results: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The types of operands and results, one changed, left out or repeated."""
    for number, old in enumerate(operands):
        before, after = operands[:number], operands[number + 1 :]
        yield from (([*before, new, *after], results) for new in dict.fromkeys(other_types(old)))
    for number, old in enumerate(results):
        before, after = results[:number], results[number + 1 :]
        yield from ((operands, [*before, new, *after]) for new in dict.fromkeys(other_types(old)))
    yield from ((operands[:-1], results), (operands + operands[-1:], results))
    yield from ((operands, results[:-1]), (operands, [*results, "i32"]))


class Operation:
    """One in a module of the generic form: `lines[first]` to `lines[last]`."""

    def __init__(self, lines: list[str], first: int) -> None:
        self.lines, self.first = lines, first
        match = HEAD.match(lines[first])
        assert match
        self.indent, self.result, self.name, operands = match.groups()
        self.operands, self.head = split(operands), match.end()
        self.last = first
        if "({" in lines[first][self.head :]:  # its regions
            self.last = next(i for i in range(first + 1, len(lines)) if lines[i].startswith(self.indent + "})"))
        self.attributes: list[str] = []
        rest = lines[first][self.head :]
        start = rest.find("<{")
        self.span = (0, 0)
        if start >= 0 and rest[:start].strip() == "":
            self.span = (start, start + 2 + end_of(rest[start + 2 :], 0) + 2)
            self.attributes = split(rest[start + 2 : self.span[1] - 2])
        tail = lines[self.last]
        self.colon = tail.rindex(" : (")
        end = end_of(tail, self.colon + 4)
        self.types = split(tail[self.colon + 4 : end])
        made = tail[end + 1 :].removeprefix(" -> ")
        self.results = split(made[1:-1]) if made.startswith("(") else [made]

    @property
    def key(self) -> tuple[object, ...]:
        """Like operations have the same."""
        kinds = [re.split(r"[<\d]", kind)[0] for kind in [*self.types, "", *self.results]]
        return (self.name, *kinds, *(item.partition(" = ")[0] for item in self.attributes))

    def with_attributes(self, items: list[str]) -> str:
        """The module with these attributes instead."""
        line = self.lines[self.first]
        head, rest = line[: self.head], line[self.head :]
        made = f" <{{{', '.join(items)}}}>" if items else ""
        return self._module([head + made + rest[self.span[1] :]], self.first, self.first)

    def with_types(self, types: list[str], results: list[str]) -> str:
        """The module with operands and results of these types: casts stand between the operation and its neighbours."""
        names, before, after = [], [], []
        for number, kind in enumerate(types):
            if number < len(self.types) and kind == self.types[number]:
                names.append(self.operands[number])
                continue
            names.append(f"%changed_{number}")
            before.append(f'{names[-1]} = "builtin.unrealized_conversion_cast"() : () -> {kind}')
        lines = self.lines[self.first : self.last + 1]
        result = self.result
        if results != self.results and result:
            count = f":{len(self.results)}" if len(self.results) > 1 else ""
            listed = f"({', '.join(self.results)})"
            after.append(f'{result}{count} = "builtin.unrealized_conversion_cast"() : () -> {listed}')
            result = "%changed"
        left = f"{result}{f':{len(results)}' if len(results) > 1 else ''} = " if result and results else ""
        lines[0] = f'{left}"{self.name}"({", ".join(names)}){lines[0][self.head :]}'
        colon = lines[-1].rindex(" : (")
        lines[-1] = f"{lines[-1][:colon]} : ({', '.join(types)}) -> ({', '.join(results)})"
        return self._module([*before, *lines, *after], self.first, self.last)

    def _module(self, lines: list[str], first: int, last: int) -> str:
        return "\n".join([*self.lines[:first], *lines, *self.lines[last + 1 :]])

    def variants(self) -> Iterator[tuple[str, str]]:
        """(what is changed, module) of each way to change it."""
        for items in other_attributes(self.attributes):
            yield f"<{{{', '.join(items)}}}>", self.with_attributes(items)
        for types, results in other_signatures(self.types, self.results if self.result else []):
            yield f"({', '.join(types)}) -> ({', '.join(results)})", self.with_types(types, results)


def generic_modules(triton: compare.Worker) -> Iterator[str]:
    """The generic form of the modules that both read, function by function where Triton refuses one of them."""
    import ttkit

    for path in sorted(FOLDER.glob("*/ops*.mlir")):
        for _, text in compare.modules_of(path):
            with ttkit.Context() as context:
                context.allow_unregistered_dialects = True
                try:
                    made = ttkit.parse(text).operation.get_asm(print_generic_op_form=True, use_local_scope=True)
                except Exception:  # a part that is for another test
                    continue
            for part in [made] if "error" not in triton.run(made, []) else functions_of(made):
                if "error" not in triton.run(part, []):
                    yield part


def functions_of(module: str) -> Iterator[str]:
    """A module for each function."""
    lines = module.rstrip().split("\n")
    starts = [number for number, line in enumerate(lines) if re.match(r'  "', line)] + [len(lines) - 1]
    for first, end in itertools.pairwise(starts):
        yield "\n".join([*lines[: starts[0]], *lines[first:end], lines[-1]])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--only", default="", metavar="REGEX", help="operations")
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--each", type=int, default=1, help="like operations that are changed")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    verdicts = Verdicts(options.oracle_python, True)
    until = time.time() + options.seconds
    seen: collections.Counter[tuple[object, ...]] = collections.Counter()
    for text in generic_modules(verdicts.workers[1]):
        lines = text.rstrip().split("\n")
        for number, line in enumerate(lines):
            match = HEAD.match(line)
            if not match or match[3].partition(".")[0] not in COMPARED or not re.search(options.only, match[3]):
                continue
            operation = Operation(lines, number)
            seen[operation.key] += 1
            if operation.name == "tt.func" or seen[operation.key] > options.each or time.time() > until:
                continue
            for what, module in operation.variants():
                verdicts.ask(f"{operation.name}{what}", module)
    print(f"{len(seen)} operations: ", end="")
    verdicts.report()


if __name__ == "__main__":
    main()
