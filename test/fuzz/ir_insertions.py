"""Changes of IR that add to it: attributes, hints, loops around code, operations, conversions of layouts."""

from __future__ import annotations

import random
import re

from fuzz.ir_changes import Mutation, sub_one

LOOP_ATTRIBUTES = (
    "tt.num_stages = {0} : i32", "tt.num_stages = {1} : i32", "tt.num_stages = {2} : i32", "tt.num_stages = {3} : i32",
    "tt.loop_unroll_factor = {1} : i32", "tt.flatten", "tt.warp_specialize",
    "tt.warp_specialize", "tt.disallow_acc_multi_buffer",
    "tt.disable_licm",
)  # fmt: skip
RESULT = re.compile(r"^( +)(%[\w]+) = ([a-z]+\.[\w.]+) ([^\n]*) : ((?:tensor<[^\n]*>)|[fi]\d+|bf16)$", re.MULTILINE)
BINARY = {
    "f": ("arith.addf", "arith.subf", "arith.mulf", "arith.maxnumf", "arith.minimumf", "arith.divf"),
    "i": ("arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.andi", "arith.shli", "arith.remsi"),
}  # fmt: skip
UNARY = ("math.exp", "math.sqrt", "math.absf", "arith.negf")


def _insert(text: str, place: int, line: str) -> str:
    return text[:place] + line + text[place:]


def _fresh(text: str) -> str:
    """A name that no value has."""
    number = 0
    while f"%new{number}" in text:
        number += 1
    return f"%new{number}"


def loop_attribute(rng: random.Random, text: str) -> str:
    """An attribute that a loop's pipelining, unrolling or division among warps follows."""
    loops = list(re.finditer(r"^( *)(?:%[\w:, ]+ = )?scf\.for [^\n]*\{\n", text, re.MULTILINE))
    if not loops:
        return text
    loop = rng.choice(loops)
    attribute = rng.choice(LOOP_ATTRIBUTES).format(1, 2, 3, 4)
    end = re.compile(rf"^{loop[1]}\}}(?: \{{([^\n]*)\}})?$", re.MULTILINE).search(text, loop.end())
    if not end or (end[1] and attribute.split(" ")[0] in end[1]):
        return text
    attributes = f"{end[1]}, {attribute}" if end[1] else attribute
    return f"{text[: end.start()]}{loop[1]}}} {{{attributes}}}{text[end.end() :]}"


def argument_attribute(rng: random.Random, text: str) -> str:
    """An argument of a function that is known to be a multiple, contiguous or constant, or is not."""
    what = rng.choice(("divisibility", "divisibility", "divisibility", "contiguity", "constancy", "pointer_range"))
    attribute = f" {{tt.{what} = {rng.choice((2, 4, 8, 16, 32))} : i32}}"
    pattern = r"(%\w+: (?:!tt\.ptr<\w+>|i32|i64))( \{[^}]*\})?(?=[,)])"
    return sub_one(rng, pattern, lambda m: m[1] + rng.choice(("", attribute, attribute)), text)


def value_hint(rng: random.Random, text: str) -> str:
    """A tensor of integers or pointers whose elements are said to be multiples, contiguous or constant."""

    def hinted(match: re.Match[str]) -> str:
        rank = match[3].count("x") if "!tt" not in match[3] else match[3].split("!tt")[0].count("x")
        values = ", ".join(str(rng.choice((1, 1, 2, 4, 8, 16, 64))) for _ in range(rank))
        if rank == 0 or rng.random() < 0.1:
            return match[0]
        dense = f"dense<{f'[{values}]' if rank > 1 or rng.random() < 0.5 else values}>"
        what = rng.choice(("divisibility", "contiguity", "constancy"))
        return f"{match[1]} {{tt.{what} = {dense} : tensor<{rank}xi32>}} : {match[3]}"

    pattern = r"(= (arith\.addi|arith\.muli|tt\.addptr) %\w+, %\w+) : (tensor<[^\n>]*[^\n]*)(?=\n)"
    return sub_one(rng, pattern, hinted, text)


def access_option(rng: random.Random, text: str) -> str:
    """Another cache modifier or eviction policy of a load or store, or a volatile load."""

    def changed(match: re.Match[str]) -> str:
        load = match[1] == "load"
        option = rng.choice(
            (
                f" cacheModifier = {rng.choice(('ca', 'cg', 'cv') if load else ('wb', 'cs', 'wt', 'cg'))}",
                f" evictionPolicy = {rng.choice(('evict_first', 'evict_last'))}",
                " {isVolatile = true}" if load else "",
            )
        )
        kept = re.sub(rf"{option.split(' = ')[0]} = \w+| \{{isVolatile = true\}}", "", match[2]) if option else match[2]
        return f"tt.{match[1]}{kept}{option} :"

    return sub_one(rng, r"tt\.(load|store)( %[^\n:{]*?(?: \{isVolatile = true\})?) :", changed, text)


def wrapped(rng: random.Random, text: str) -> str:
    """A function's body, or its end, in a loop, a branch or both."""
    bodies = list(
        re.finditer(r"^( *)tt\.func (?:public )?@[^\n]*\{\n(.*?)^( *)tt\.return\n", text, re.MULTILINE | re.DOTALL)
    )
    bodies = [body for body in bodies if "^bb" not in body[2]]
    if not bodies:
        return text
    body = rng.choice(bodies)
    lines = body[2].splitlines(keepends=True)
    outer = [n for n, line in enumerate(lines) if re.match(rf"{body[1]}  [%a-z]", line)]
    if not outer:
        return text
    first = rng.choice(outer) if rng.random() < 0.6 else outer[0]
    begin = body.start(2) + sum(map(len, lines[:first]))
    inside = "".join(lines[first:])
    count = rng.choice((1, 2, 3, 4, 7))
    name = _fresh(text)
    attribute = f" {{{rng.choice(LOOP_ATTRIBUTES).format(1, 2, 3, 4)}}}" if rng.random() < 0.5 else ""
    numbers = "".join(f"{name}_{n} = arith.constant {n} : i32\n" for n in {0, 1, count})
    around = {
        "for": (f"{numbers}scf.for {name} = {name}_0 to {name}_{count} step {name}_1 : i32 {{\n", f"}}{attribute}\n"),
        "runtime": (
            f"{numbers}{name}_n = tt.get_num_programs x : i32\n"
            f"scf.for {name} = {name}_0 to {name}_n step {name}_1 : i32 {{\n",
            f"}}{attribute}\n",
        ),
        "if": (
            f"{numbers}{name}_p = tt.get_program_id y : i32\n"
            f"{name} = arith.cmpi slt, {name}_p, {name}_{count} : i32\nscf.if {name} {{\n",
            "}\n",
        ),
        "while": (
            f"{numbers}{name}_p = tt.get_program_id y : i32\n"
            f"{name}_r = scf.while ({name} = {name}_p) : (i32) -> i32 {{\n"
            f"{name}_c = arith.cmpi slt, {name}, {name}_{count} : i32\n"
            f"scf.condition({name}_c) {name} : i32\n}} do {{\n^bb0({name}_i: i32):\n",
            f"{name}_k = arith.addi {name}_i, {name}_1 : i32\nscf.yield {name}_k : i32\n}}\n",
        ),
    }[rng.choice(("for", "runtime", "runtime", "if", "while"))]
    return text[:begin] + around[0] + inside + around[1] + text[body.end(2) :]


def another_operation(rng: random.Random, text: str) -> str:
    """An operation on a value and itself or another of its type, whose result one later use gets."""
    found = list(RESULT.finditer(text))
    if not found:
        return text
    value = rng.choice(found)
    kind = value[5]
    if (
        "->" in value[4]
        or "->" in kind
        or "!tt" in kind
        or value[3].startswith(("tt.load", "arith.cmp", "arith.select"))
    ):
        return text
    element = re.sub(r"tensor<(?:\d+x)*", "", kind)
    same = [other[2] for other in found if other[5] == kind and other.end() < value.end()]
    other = rng.choice([*same, value[2]])
    name = _fresh(text)
    if element[0] in "bf" and rng.random() < 0.4:
        line = f"{value[1]}{name} = {rng.choice(UNARY)} {value[2]} : {kind}"
    elif element[0] in "bfi":
        line = (
            f"{value[1]}{name} = {rng.choice(BINARY['i' if element[0] == 'i' else 'f'])} {value[2]}, {other} : {kind}"
        )
    else:
        return text
    return _used(rng, _insert(text, value.end(), "\n" + line), value.end() + len(line) + 1, value[2], name)


def converted(rng: random.Random, text: str) -> str:
    """A value converted to another layout of the module, and back for one of its uses."""
    names = re.findall(r"^(#\w+) = #ttg\.(?:blocked|nvidia_mma|slice|linear)", text, re.MULTILINE)
    found = [m for m in RESULT.finditer(text) if "->" not in m[5] and re.search(r", #\w+>$", m[5])]
    if len(names) < 2 or not found:
        return text
    value = rng.choice(found)
    own = re.search(r", (#\w+)>$", value[5])
    assert own
    layout = rng.choice([name for name in names if name != own[1]] or names)
    other = value[5][: own.start()] + f", {layout}>"
    there, back = _fresh(text), _fresh(text) + "b"
    lines = f"\n{value[1]}{there} = ttg.convert_layout {value[2]} : {value[5]} -> {other}"
    if rng.random() < 0.3 and re.search(r"x(?:f16|f32|bf16|f64), #", other):
        lines += f"\n{value[1]}{there}u = {rng.choice(UNARY)} {there} : {other}"
        there += "u"
    lines += f"\n{value[1]}{back} = ttg.convert_layout {there} : {other} -> {value[5]}"
    return _used(rng, _insert(text, value.end(), lines), value.end() + len(lines), value[2], back)


def _used(rng: random.Random, text: str, start: int, old: str, new: str) -> str:
    """With `new` for one or all uses of `old` behind `start`."""
    pattern = re.compile(rf"{re.escape(old)}(?![\w#])(?! =)")
    if rng.random() < 0.4:
        return text[:start] + pattern.sub(new, text[start:])
    uses = list(pattern.finditer(text, start))
    if not uses:
        return text
    use = rng.choice(uses)
    return text[: use.start()] + new + text[use.end() :]


def another_operand(rng: random.Random, text: str) -> str:
    """Another value of the same type as an operand of an operation on values of one type."""
    found = list(RESULT.finditer(text))
    users = [m for m in found if m[3].startswith(("arith.", "math.")) and "->" not in m[5] and "%" in m[4]]
    if not users:
        return text
    user = rng.choice(users)
    others = [m[2] for m in found if m[5] == user[5] and m.end() < user.start() and m[3][:9] != "arith.cmp"]
    if not others:
        return text
    operand = rng.choice(list(re.finditer(r"%[\w#]+", user[4])))
    place = user.start(4) + operand.start()
    return text[:place] + rng.choice(others) + text[user.start(4) + operand.end() :]


def twice(rng: random.Random, text: str) -> str:
    """One operation twice, the second time at another place, with uses of its own."""
    found = list(RESULT.finditer(text))
    if not found:
        return text
    value = rng.choice(found)
    name = _fresh(text)
    line = value[0].replace(value[2] + " =", name + " =", 1)
    return _used(rng, _insert(text, value.end(), "\n" + line), value.end() + len(line) + 1, value[2], name)


def moved(rng: random.Random, text: str) -> str:
    """Two neighbouring operations that change places."""
    lines = text.splitlines(keepends=True)
    plain = [
        n
        for n in range(len(lines) - 1)
        if all(re.match(r" +(?:%\w+ = )?[a-z]+\.[\w.]+ ", line) and "{\n" not in line for line in lines[n : n + 2])
    ]
    if not plain:
        return text
    place = rng.choice(plain)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return "".join(lines)


def other_clusters(rng: random.Random, text: str) -> str:
    """A module for clusters of two or four CTAs, its layouts divided among them, mostly along one dimension."""
    if '"ttg.num-ctas" = 1 ' not in text or "CGALayout" in text:
        return text
    count, place, spread = rng.choice((1, 1, 2)), rng.random(), rng.random() < 0.2

    def divided(field: re.Match[str]) -> str:
        rank = len(field[1].split(","))
        bases = [[0] * rank for _ in range(count)]
        for number, basis in enumerate(bases):
            basis[int(place * rank) if not spread else number % rank] = 1 if spread else 1 << number
        return f"{field[0][:-1]}, CGALayout = {bases}}}"

    text = text.replace('"ttg.num-ctas" = 1 ', f'"ttg.num-ctas" = {1 << count} ')
    return re.sub(r"order = \[([\d, ]+)\]\}", divided, text)


INSERTIONS: tuple[Mutation, ...] = (
    loop_attribute, loop_attribute, argument_attribute, value_hint, access_option, wrapped, another_operation,
    another_operation, converted, converted, another_operand, another_operand, twice, moved, other_clusters,
)  # fmt: skip
