"""Inline assembly as a list of instructions.

    @$3 ld.global.v2.b32 { $0, $1 }, [ $2 + 0 ];

is Statement(("ld", "global", "v2", "b32"), (("$0", "$1"), Address("$2")), guard="$3").  A loop that waits for an
mbarrier is one instruction here, wait.mbarrier.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

WAIT_LOOP = re.compile(
    r"(?:@!(?P<skip>\S+) bra\.uni skipWait;\s*)?\b(?P<label>\w+):\s*mbarrier\.(?:try|test)_wait\.parity\.\S+ "
    r"(?P<flag>\w+), (?P<operands>[^;]*);\s*@!(?P=flag) bra\.uni (?P=label);\s*(?:skipWait:)?"
)
DECLARATION = re.compile(r"\.reg\s+\.\w+\s+[\w, %<>]+")


@dataclass(frozen=True)
class Address:
    """[base + offset], or [base, {coordinates}]."""

    base: str
    offset: int = 0
    coordinates: tuple[str, ...] = ()


Operand = str | tuple[str, ...] | Address


@dataclass(frozen=True)
class Statement:
    """One instruction: the register that guards it, whether that must be false, the parts of its name, operands."""

    words: tuple[str, ...]
    operands: tuple[Operand, ...] = field(default=())
    guard: str = ""
    negated: bool = False

    @property
    def name(self) -> str:
        """The instruction with its suffixes."""
        return ".".join(self.words)


@lru_cache(maxsize=4096)
def statements(text: str) -> tuple[Statement, ...]:
    """The instructions of a piece of inline assembly.

    Raises:
        ValueError: it has a jump or a form that is not known; the text of the error is the statement.
    """
    text = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", " ", text, flags=re.DOTALL)
    text = WAIT_LOOP.sub(_wait, text)
    found = []
    for piece in text.split(";"):
        # Braces around statements make a scope; those around operands follow a name.
        piece = " ".join(re.sub(r"^[\s{}]+", "", piece).split())
        if piece and not DECLARATION.fullmatch(piece):
            found.append(_statement(piece))
    return tuple(found)


def _wait(found: re.Match[str]) -> str:
    guard = f"@{found['skip']} " if found["skip"] else ""
    return f"{guard}wait.mbarrier {found['operands']};"


def _statement(piece: str) -> Statement:
    found = re.fullmatch(r"(?:@(?P<not>!?)(?P<guard>\S+) )?(?P<name>[a-z][\w.:]*)(?: (?P<operands>.*))?", piece)
    if found is None or found["name"].startswith(("bra", "call", "ret")):
        raise ValueError(piece)
    words = tuple(found["name"].split("."))
    operands = tuple(_operand(one) for one in split_outside(found["operands"] or "", "[{", "]}"))
    return Statement(words, operands, found["guard"] or "", bool(found["not"]))


def split_outside(text: str, opening: str, closing: str) -> list[str]:
    """The parts between commas that are in no brackets of these kinds."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter in opening) - (letter in closing)
        if letter == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def _operand(text: str) -> Operand:
    if text.startswith("{"):
        return tuple(part.strip() for part in text.strip("{}").split(",") if part.strip())
    if not text.startswith("["):
        return text
    inside = split_outside(text[1:-1], "{", "}")
    base, _, offset = inside[0].partition("+")
    coordinates = inside[1].strip("{}").split(",") if len(inside) > 1 else []
    return Address(base.strip(), int(offset.strip() or "0", 0), tuple(part.strip() for part in coordinates))
