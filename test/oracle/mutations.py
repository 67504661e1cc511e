"""Compares passes and verifiers with Triton's on thousands of modules, made by changing those of the corpus.

    python mutations.py --oracle-python PYTHON [--inputs 1000] [--seed 0] [--keep DIR] PASSES [FILE_OR_FOLDER...]

Each input is a module of the corpus (default: test/data/ir and the modules of test/lit), changed in one to three ways
that keep its syntax: another number of warps, another target, a dimension of another size, another element type,
another field of a layout, other options of loads, one layout for another (`MUTATIONS`).  What Triton refuses as input
is left out.  `PASSES` is written as for compare.py; of a list separated by `;`, each is compared by itself.

With `--verify` no pass runs.  Inputs are changed also in ways that break them (test/damage.py), and compared is who
accepts them: a module that one reads and the other refuses is a difference; so is, with `--messages`, another text of
the error.

Input N of seed S is the same everywhere: `--seed S --only N`.  Differences are printed, one of each kind (the first
line of a refusal, or the operations that differ), with how often it was seen; `--keep DIR` writes the inputs there.
"""

import argparse
import collections
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compare  # noqa: E402
from damage import Material, damage_line, damage_number, damage_span, rename_value  # noqa: E402

DEFAULT_CORPUS = (HERE.parent / "data" / "ir", HERE.parent / "lit")
LARGEST = 12_000  # bytes of a module; most of the time would go into parsing larger ones
ELEMENTS = ("i1", "i8", "i16", "i32", "i64", "f8E5M2", "f8E4M3FN", "bf16", "f16", "f32", "f64")
FIELDS = ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order", "instrShape", "warpsPerCTA", "CTAsPerCGA")
FLAGS = {
    "evict_normal": ("evict_first", "evict_last"),
    "evictionPolicy = 1 : i32": ("evictionPolicy = 2 : i32", "evictionPolicy = 3 : i32"),
    "cacheModifier = 1 : i32": ("cacheModifier = 2 : i32", "cacheModifier = 3 : i32"),
    "acq_rel": ("relaxed", "acquire", "release"),
    "inputPrecision = tf32": ("inputPrecision = ieee", "inputPrecision = tf32x3", "inputPrecision = bf16x3"),
    "fadd": ("max", "min", "exch"),
    "slt": ("sle", "ult", "ne", "eq", "sge"),
    "addf": ("mulf", "maxnumf", "subf"),
    "addi": ("muli", "subi", "andi", "xori", "maxsi"),
    "addptr": ("addptr",),
    "true": ("false",),
    "mutable": ("",),
    "= 0 : i32": ("= 1 : i32", "= 4 : i32", "= 16 : i32"),
    "16 : i32": ("1 : i32", "8 : i32", "32 : i32"),
}
Mutation = Callable[[random.Random, str], str]


def sub_one(rng: random.Random, pattern: str, replace: Callable[[re.Match[str]], str], text: str) -> str:
    """`text` with one match of `pattern`, any of them, replaced."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + replace(match) + text[match.end() :]


def other_size(rng: random.Random, text: str) -> str:
    """One size of dimensions, everywhere, twice or half as large; ranges too."""
    sizes = sorted(set(re.findall(r"(?<![\w#@%])(\d+)x", text)), key=int)
    if not sizes:
        return text
    old = rng.choice(sizes)
    new = str(max(1, int(old) * 2 if rng.random() < 0.5 else int(old) // rng.choice((2, 4))))
    text = re.sub(rf"(?<![\w.]){old}x|(?<=x){old}x", new + "x", text)
    return re.sub(rf"end = {old} :", f"end = {new} :", text)


def other_warps(rng: random.Random, text: str) -> str:
    """Another number of warps: in the module, and in every layout along one dimension."""
    match = re.search(r'"ttg.num-warps" = (\d+)', text)
    factor = rng.choice((2, 2, 4))
    if not match or int(match[1]) * factor > 32:
        return text

    def widened(field: re.Match[str]) -> str:
        warps = [int(item) for item in field[2].split(",")]
        warps[0 if fixed or rng.random() < 0.7 else rng.randrange(len(warps))] *= factor
        return f"{field[1]}[{', '.join(map(str, warps))}]"

    fixed = rng.random() < 0.6
    text = re.sub(r'("ttg.num-warps" = )\d+', rf"\g<1>{int(match[1]) * factor}", text)
    return re.sub(r"(warpsPerCTA = )\[([\d, ]+)\]", widened, text)


def other_target(rng: random.Random, text: str) -> str:
    return re.sub(r"cuda:\d+", f"cuda:{rng.choice((75, 80, 89, 90, 100, 103, 120))}", text)


def other_element(rng: random.Random, text: str) -> str:
    """One element type for another, everywhere."""
    present = [element for element in ELEMENTS if re.search(rf"(?:x|<|: ){element}\b", text)]
    if not present:
        return text
    old = rng.choice(present)
    same = [element for element in ELEMENTS if (element[0] == "i") == (old[0] == "i") and element != old]
    return re.sub(rf"(?<=[x<]){old}\b", rng.choice(same if rng.random() < 0.9 else ELEMENTS), text)


def other_layout_field(rng: random.Random, text: str) -> str:
    """A field of one layout: numbers swapped, reversed, moved from one to the next, doubled or halved."""

    def changed(match: re.Match[str]) -> str:
        values = [int(item) for item in match[2].split(",")]
        if len(values) > 1:
            i, j = rng.sample(range(len(values)), 2)
            if "order" in match[1] or rng.random() < 0.4:
                values[i], values[j] = values[j], values[i]
            elif rng.random() < 0.5 and values[i] % 2 == 0:
                values[i], values[j] = values[i] // 2, values[j] * 2
            elif "sizePerThread" in match[1]:
                values[i] = values[i] * 2 if rng.random() < 0.5 else max(1, values[i] // 2)
        elif "sizePerThread" in match[1]:
            values[0] = values[0] * 2 if rng.random() < 0.5 else max(1, values[0] // 2)
        return f"{match[1]}[{', '.join(map(str, values))}]"

    return sub_one(rng, rf"((?:{'|'.join(FIELDS)}) = )\[([\d, ]+)\]", changed, text)


def other_shared_field(rng: random.Random, text: str) -> str:
    pattern = (
        r"(vec|perPhase|maxPhase|swizzlingByteWidth|kWidth|dim|opIdx|elementBitWidth|blockM|blockN|colStride) = (\d+)"
    )
    return sub_one(
        rng, pattern, lambda m: f"{m[1]} = {rng.choice((int(m[2]) * 2, int(m[2]) // 2, 0, 1, 2, 4, 8, 32, 64))}", text
    )


def other_layout(rng: random.Random, text: str) -> str:
    """One use of a layout for another one of the module."""
    names = sorted(set(re.findall(r"^(#\w+) =", text, flags=re.MULTILINE)))
    if len(names) < 2:
        return text
    old, new = rng.sample(names, 2)
    if rng.random() < 0.7:  # the two change places
        return re.sub(rf"{old}(?!\w)|{new}(?!\w)", lambda m: new if m[0] == old else old, text)
    return sub_one(rng, rf"(?<=, ){old}(?=>)", lambda _: new, text)


def other_flag(rng: random.Random, text: str) -> str:
    present = [flag for flag in FLAGS if flag in text]
    if not present:
        return text
    flag = rng.choice(present)
    return sub_one(rng, re.escape(flag), lambda _: rng.choice(FLAGS[flag]), text)


def other_number(rng: random.Random, text: str) -> str:
    """A constant or an attribute of another value."""
    return sub_one(
        rng,
        r"(= |constant |dense<)(\d+)(?= : i|>)",
        lambda m: m[1] + rng.choice(("0", "1", "2", "3", "4", "16", "128", str(2 * int(m[2])))),
        text,
    )


def other_argument(rng: random.Random, text: str) -> str:
    """An argument of a function with another divisibility, or none."""
    return sub_one(
        rng, r" \{tt\.divisibility = \d+ : i32\}", lambda _: rng.choice(("", " {tt.divisibility = 4 : i32}")), text
    )


def without_line(rng: random.Random, text: str) -> str:
    """Without one operation that has no result."""
    return sub_one(
        rng, r"\n +(?:tt\.store|ttg\.local_\w+|ttng\.\w+|ttg\.async_\w+|gpu\.\w+) [^\n]*(?=\n)", lambda _: "", text
    )


MUTATIONS: tuple[Mutation, ...] = (
    other_size, other_size, other_warps, other_target, other_element, other_layout_field, other_layout_field,
    other_shared_field, other_layout, other_flag, other_number, other_argument, without_line,
)  # fmt: skip


def mutate(rng: random.Random, text: str, damage: Material | None = None) -> str:
    """A module changed in one to three ways; with `damage` perhaps broken."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        if damage and rng.random() < 0.6:
            how = rng.choice((damage_number, damage_number, damage_span, damage_span, damage_line, rename_value))
            text = how(rng, text, damage)
        else:
            text = rng.choice(MUTATIONS)(rng, text)
    return text


def corpus(paths: list[Path]) -> list[tuple[str, str]]:
    """(name, text) of the modules to begin with, without comments, in an order of their own."""
    found = []
    for path in paths:
        for name, text in compare.modules_of(path):
            text = re.sub(r"^\s*//.*\n", "", text, flags=re.MULTILINE)
            if len(text) <= LARGEST and "loc(" not in text and "{{" not in text:
                found.append((name, text))
    return found


def kind_of(status: str, detail: str) -> str:
    """What makes two differences the same kind."""
    if status == compare.DIFFERENT:
        changed = [line for line in detail.splitlines() if re.match(r"[+-][^+-]", line)]
        operations = sorted({f"{line[0]}{m[0]}" for line in changed if (m := re.search(r"\b[a-z]+\.[a-z_]\w+", line))})
        return " ".join(operations[:8])
    line = next((line for line in detail.splitlines() if line.strip()), "")
    line = re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", line)
    return re.sub(r"'[^']*<.*|#ttg.*|!ttg.*|tensor<.*", "...", re.sub(r"\d+", "N", line))[:140]


def refusal(error: str) -> str:
    """The message of the first error, without its place."""
    lines = [line for line in error.splitlines() if "error: " in line or "): " in line] or error.splitlines() or [""]
    return re.sub(r"^.*?(?:error: |\): (?:error: )?)", "", lines[0])


class Differences:
    """Kinds of differences, with how often each was seen and one input of it."""

    def __init__(self, keep: Path | None) -> None:
        self.keep = keep
        self.statuses: collections.Counter[str] = collections.Counter()
        self.kinds: dict[tuple[str, str], list[tuple[int, str]]] = collections.defaultdict(list)

    def add(self, number: int, text: str, status: str, detail: str) -> None:
        self.statuses[status] += 1
        if status in (compare.EQUAL, compare.BOTH_REFUSE, "not valid"):
            return
        self.kinds[status, kind_of(status, detail)].append((number, detail))
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{number}.mlir").write_text(text)

    def report(self, title: str, lines: int) -> None:
        print(f"## {title}: " + ", ".join(f"{count} {status}" for status, count in sorted(self.statuses.items())))
        for (status, kind), seen in sorted(self.kinds.items(), key=lambda item: -len(item[1])):
            print(f"{len(seen):5} {status}: {kind}   [{', '.join(str(number) for number, _ in seen[:6])}]")
            for line in seen[0][1].splitlines()[:lines]:
                print(f"        {line[:220]}")
        sys.stdout.flush()


def inputs(options: argparse.Namespace, damage: Material | None) -> Iterator[tuple[int, str]]:
    modules = corpus(options.paths or list(DEFAULT_CORPUS))
    if options.containing:
        modules = [(name, text) for name, text in modules if re.search(options.containing, name + "\n" + text)]
    if not modules:
        sys.exit("mutations.py: no modules to begin with")
    for number in [options.only] if options.only is not None else range(options.inputs):
        rng = random.Random(f"{options.seed} {number}")
        yield number, mutate(rng, rng.choice(modules)[1], damage)


def compare_verifiers(options: argparse.Namespace, workers: tuple[compare.Worker, compare.Worker]) -> Differences:
    material = Material.gather([text for _, text in corpus(options.paths or list(DEFAULT_CORPUS))])
    found = Differences(options.keep)
    for number, text in inputs(options, material):
        ours, theirs = (worker.run(text, []) for worker in workers)
        if "error" not in ours and "error" not in theirs:
            found.add(number, text, compare.EQUAL, "")
        elif "error" in ours and "error" in theirs:
            same = not options.messages or refusal(ours["error"]) == refusal(theirs["error"])
            detail = f"{refusal(theirs['error'])}\nTriton: {theirs['error']}\nttkit: {ours['error']}"
            found.add(number, text, compare.BOTH_REFUSE if same else "other text", detail)
        elif "error" in ours:
            found.add(number, text, "only ttkit refuses", ours["error"])
        else:
            found.add(number, text, "only Triton refuses", theirs["error"])
    return found


def compare_passes(
    passes: list[compare.Pass], options: argparse.Namespace, workers: tuple[compare.Worker, compare.Worker]
) -> Differences:
    found = Differences(options.keep)
    for number, text in inputs(options, None):
        if "error" in workers[1].run(text, []):
            found.add(number, text, "not valid", "")
            continue
        outcome = compare.compare(text, passes, *workers)
        found.add(number, text, outcome.status, outcome.detail)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passes", metavar="PASSES", nargs="?", default="")
    parser.add_argument("paths", metavar="FILE_OR_FOLDER", nargs="*", type=Path)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--verify", action="store_true", help="compare who accepts the input; PASSES is left out")
    parser.add_argument("--messages", action="store_true", help="with --verify: compare the texts of errors too")
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="N", help="input N alone")
    parser.add_argument("--containing", metavar="REGEX", help="begin with modules whose name or text matches")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write inputs with differences to DIR")
    parser.add_argument("--lines", type=int, default=12, help="lines of detail for each kind (12)")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    workers = compare.ttkit_worker(), compare.triton_worker(options.oracle_python)
    if options.verify:
        options.paths = ([Path(options.passes)] if options.passes else []) + options.paths
        compare_verifiers(options, workers).report("verifiers", options.lines)
        return
    for text in options.passes.split(";"):
        compare_passes(compare.parse_pipeline(text), options, workers).report(text, options.lines)


if __name__ == "__main__":
    main()
