"""Damage to IR text: tokens, lines, numbers, types and values deleted, swapped, repeated or replaced, from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from fuzz.level import TOKEN

NUMBERS_TEXT = """0 1 -1 2 3 7 33 64 1024 2147483647 2147483648 -2147483648 4294967296 9223372036854775807
    -9223372036854775808 18446744073709551616 1.5 0x7FC00000 true"""
NUMBERS = NUMBERS_TEXT.split()
JUNK = (
    "\0",
    "\xff",
    "\ufffd",
    "ML\xefR",
    '"',
    "\\",
    "{",
    "}",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "#",
    "%",
    "!",
    "?x",
    "//",
    "=",
)


@dataclass
class Material:
    """Seeds, and the pieces to splice into them by kind: `type`, `attribute`, `name`, `number`, `keyword`."""

    seeds: list[str]
    pieces: dict[str, list[str]]

    @staticmethod
    def gather(seeds: list[str]) -> Material:
        pieces: dict[str, dict[str, None]] = {}
        for text in seeds:
            for token in TOKEN.findall(text):
                pieces.setdefault(token_kind(token), {})[token] = None
            for span in bracketed_spans(text):
                pieces.setdefault("span", {})[text[slice(*span)]] = None
        return Material(seeds, {kind: sorted(found) for kind, found in pieces.items()})


def token_kind(token: str) -> str:
    """The kind of a token, for others of its kind to replace it."""
    if token[0] in '%@#!^"':
        return token[0]
    if token.isspace():
        return "space"
    if re.fullmatch(r"-?\d[\w.]*", token):
        return "number"
    return "keyword" if re.match(r"[A-Za-z_]", token) else "punctuation"


def bracketed_spans(text: str) -> list[tuple[int, int]]:
    """Where types and attributes with parameters are: tensor<..>, !tt.ptr<..>, #ttg.blocked<{..}>, {..}, array<..>."""
    spans = []
    for match in re.finditer(r"(?:[#!]?[\w.]+<|\{)", text):
        opened = match.group()[-1]
        closing = {"<": ">", "{": "}"}[opened]
        depth, position = 0, match.end() - 1
        while position < len(text):
            depth += (text[position] == opened) - (text[position] == closing and text[position - 1] != "-")
            position += 1
            if depth == 0:
                break
        if depth == 0 and position - match.start() <= 300 and "\n" not in text[match.start() : position]:
            spans.append((match.start(), position))
    return spans


def damage_token(rng: random.Random, text: str, material: Material) -> str:
    """Deletes, repeats, swaps or replaces a token."""
    tokens = TOKEN.findall(text)
    places = [i for i, token in enumerate(tokens) if not token.isspace()]
    if not places:
        return text
    at, other = rng.choice(places), rng.choice(places)
    action = rng.choice(("delete", "repeat", "swap", "near swap", "replace", "replace", "junk"))
    if action == "delete":
        del tokens[at : at + rng.choice((1, 1, 1, 2, 5))]
    elif action == "repeat":
        tokens.insert(other if rng.random() < 0.3 else at, tokens[at] + " ")
    elif action == "swap":
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif action == "near swap":
        other = places[min(places.index(at) + rng.randint(1, 4), len(places) - 1)]
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif action == "replace":
        tokens[at] = rng.choice(material.pieces[token_kind(tokens[at])])
    else:
        tokens.insert(at, rng.choice(JUNK))
    return "".join(tokens)


def damage_number(rng: random.Random, text: str, _material: Material) -> str:
    """Replaces a number by one near it, or by one at the edge of a width."""
    numbers = list(re.finditer(r"(?<![\w%#@^.])-?\d+(?=\D)|(?<=x)\d+(?=x)", text))
    if not numbers:
        return text
    match = rng.choice(numbers)
    value = int(match.group())
    new = rng.choice((*NUMBERS, str(value * 2), str(value // 2), str(value + 1), str(value - 1), str(-value)))
    return text[: match.start()] + new + text[match.end() :]


def damage_span(rng: random.Random, text: str, material: Material) -> str:
    """Replaces a whole type, attribute or dictionary by another one, of this text or any."""
    spans = bracketed_spans(text)
    if not spans:
        return text
    start, end = rng.choice(spans)
    head = re.match(r"[#!]?[a-z]*|\{", text[start:end])
    same_head = [span for span in material.pieces["span"] if span.startswith(head.group())] if head else []
    if rng.random() < 0.4:
        new = text[slice(*rng.choice(spans))]
    else:
        new = rng.choice(same_head if same_head and rng.random() < 0.8 else material.pieces["span"])
    return text[:start] + new + text[end:]


def damage_line(rng: random.Random, text: str, material: Material) -> str:
    """Deletes, repeats, swaps or replaces a line."""
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.choice(("delete", "repeat", "swap", "splice"))
    if action == "delete":
        del lines[at : at + rng.choice((1, 1, 2, 4))]
    elif action == "repeat":
        lines.insert(other, lines[at])
    elif action == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = rng.choice(rng.choice(material.seeds).split("\n"))
    return "\n".join(lines)


def rename_value(rng: random.Random, text: str, _material: Material) -> str:
    """Uses another value of the same text as an operand, keeping the syntax right."""
    names = list(re.finditer(r"%[\w#]+", text))
    if not names:
        return text
    match = rng.choice(names)
    return text[: match.start()] + rng.choice(names).group() + text[match.end() :]


def cut_off(rng: random.Random, text: str, _material: Material) -> str:
    """Ends the text somewhere."""
    return text[: rng.randrange(len(text) + 1)]


def binary_junk(rng: random.Random, text: str, _material: Material) -> str:
    """Puts random characters into the text, or over it."""
    at = rng.randrange(len(text) + 1)
    junk = "".join(chr(rng.randrange(256)) for _ in range(rng.choice((1, 4, 64))))
    return text[:at] + junk + text[at + rng.choice((0, len(junk))) :]


DAMAGES: tuple[tuple[int, Callable[[random.Random, str, Material], str]], ...] = (
    (30, damage_token),
    (18, damage_number),
    (20, damage_span),
    (10, damage_line),
    (16, rename_value),
    (3, cut_off),
    (3, binary_junk),
)


def make_input(rng: random.Random, material: Material) -> str:
    """A seed with one to three damages."""
    text = rng.choice(material.seeds)
    weights, damages = zip(*DAMAGES, strict=True)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choices(damages, weights)[0](rng, text, material)
    return text
