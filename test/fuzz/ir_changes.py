"""Changes of IR that keep its syntax, and mostly its meaning for the compiler: other sizes, types, layouts, targets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from fuzz.damage import Material, damage_line, damage_number, damage_span, rename_value

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
    """The module for another GPU."""
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
    """Another number in a field of a layout."""
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
    """Another flag in the place of one."""
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


def mutate(
    rng: random.Random, text: str, damage: Material | None = None, kinds: tuple[Mutation, ...] = MUTATIONS
) -> str:
    """A module changed in one to three of these ways; with `damage` perhaps broken."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        if damage and rng.random() < 0.6:
            how = rng.choice((damage_number, damage_number, damage_span, damage_span, damage_line, rename_value))
            text = how(rng, text, damage)
        else:
            text = rng.choice(kinds)(rng, text)
    return text
