"""Text of IR on which MLIR's own parsers and verifiers end the process.

They do before any code of ours can look, so the text is searched before: for a few rare forms, each by what it begins
with, and only where one is found does anything else run.  The time is in proportion to the text, whatever it is.
Bytecode is not looked at.  test/fuzz/corpus/parse has an input of each form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ttkit.patterns import pattern

SUSPECT_WORDS = ("shufflevector", "cf.switch", "scf.index_switch", '"scf.for"', "{-#")
SUSPECT_FORMS = (
    pattern(r"array<\s*index"),
    pattern(r"!llvm(?:\.|<\s*)(?:func|void|metadata|label)\b"),
    pattern(r"x(?<=\d{10}x)"),
    pattern(r"#\d{7}"),
    pattern(r"\"[^\".\n]*\"\s*(?://|\(\s*[%)/])"),
)
"""With the words, what each of the forms has; ordinary IR of kernels has none, but in generic form.

Each begins with a letter or sign, which Python finds 20 times as fast as one expression finds any of them; that took
two to seven percent of a compilation from text (x86-64, 2026-11).  tt-opt looks for less, in C++.
"""
COMMENT_OR_STRING = pattern(r'//[^\n]*|("scf\.\w+"|"cf\.\w+"|"[\w$\\-]+")|"(?:\\.|[^"\\\n])*"?')
SIGNATURE = pattern(r"(?<!!)\bllvm\.func\b[^@()]{0,200}@[\w$.-]*\s*\(")
PARAMETER = pattern(r"(?:[(,]|%[\w$.-]+\s*:)\s*(![\w$-]+(?:\.|<\s*)?\w*)")
PARENTHESIS = pattern("[()]")
RESULT = pattern(r"\s*->\s*\(?\s*(![\w$-]+(?:\.|<\s*)?\w*)")
ALIAS = pattern(r"(![\w$-]+)\s*=\s*(![\w$-]+(?:(?:\.|<\s*)\w+)?)")
SWITCH = pattern(r"cf\.switch\s+%[\w$.#-]+\s*:\s*i(\d+)\s*,\s*\[([^\[\]]*)")
CASE = pattern(r"(?<!\d)(-?\d+)\s*:")
EXTREME = pattern(r"\bcase\s+(?:9223372036854775807|-9223372036854775808)\b|scf\.index_switch\"[^\n]*")
EXTREME_NUMBER = pattern("922337203685477580[78]")
SHAPE = pattern(r"(?:\bdense<[^<>]*>\s*:|![\w$-]+\s*=)\s*(?:tensor|vector)<((?:\d+x)+)")
LONG_VECTOR = pattern(r"\bvector<[\[\]\dx]*?(\d{10,})\]?x")
WITHOUT_MASK = pattern(r"llvm\.shufflevector\s+%[^\[\n]{0,100}\[\s*\]")
RESULT_NUMBER = pattern(r"%[\w$.-]+#(\d{7,})")
LOOP = pattern(r'"scf\.for"')
WHOLE_NAME = pattern(r'(?<!@)"[\w$\\-]+"\s*\(\s*[%)]')
KEYWORD = pattern(r"(?<![\w$.!#%^@-])[a-z_][\w$]*\.[\w$.]+\s*\Z")
BODY = pattern(r"\(\{\s*(\^[\w$.-]+\s*(\((?=\s*%))?)?")
METADATA_TOKEN = pattern(r'//[^\n]*|"(?:\\.|[^"\\\n])*"?|#-\}|(:)(?:[ \t\r\n\0]|//[^\n]*)*')
METADATA_VALUE = pattern(
    r'[\w\[\](){}<>=+*|?,:-]|"(?:\\(?:["\\nt]|[0-9a-fA-F]{2})|[^"\\\n\v\f])*(?P<quote>")?', re.ASCII
)

DIGITS = 1000
"""Digits of a number that Python reads at once; no number of MLIR has so many."""


def abort_in(text: str | bytes, allows_unregistered: bool = False) -> tuple[int, int, str] | None:
    """Line, column and reason of the first form in a text that MLIR would end the process on; None if there is none.

    Args:
        allows_unregistered: operations of dialects that nobody knows are read.
    """
    if isinstance(text, bytes):
        if text.startswith(b"ML\xefR"):
            return None
        text = text.decode("latin-1")  # columns are bytes, as MLIR counts them
    if not any(word in text for word in SUSPECT_WORDS) and not any(form.search(text) for form in SUSPECT_FORMS):
        return None
    plain = COMMENT_OR_STRING.sub(lambda found: found[1] or " " * len(found[0]), text)
    looks = LOOKS if allows_unregistered else (*LOOKS, operations_without_dialect)
    found = [each for look in looks for each in look(plain)] + list(values_in_metadata(text, plain))
    for position, reason in sorted(found):
        line = plain.count("\n", 0, position) + 1
        return line, position - plain.rfind("\n", 0, position), reason
    return None


def arrays_of_index(text: str) -> Iterator[tuple[int, str]]:
    """`array<index: 1>`: elements of arrays have a width."""
    for found in re.finditer(r"array<\s*index\b", text):
        yield found.start(), "an array has elements of integers or floats, not of index"


def types_of_functions(text: str) -> Iterator[tuple[int, str]]:
    """`llvm.func @f(%p: !llvm.func<void ()>)`, with void likewise, and results of no size; aliases stand for either."""
    aliases: dict[str, str] = {}
    for alias, target in ALIAS.findall(text):
        aliases[alias] = aliases.get(target, target)

    def kind(name: str) -> str:
        """The mnemonic of a type of llvm, `void` for `!llvm.void`."""
        name = aliases.get(name, name)
        return re.split(r"[.<]\s*", name)[-1] if re.match(r"!llvm[.<]", name) else ""

    end = 0
    while found := SIGNATURE.search(text, end):
        end = closing(text, found.end())
        for parameter in PARAMETER.finditer(text, found.end() - 1, end):
            if kind(parameter[1]) in ("func", "void"):
                what = "a function's type" if kind(parameter[1]) == "func" else "void"
                yield parameter.start(1), f"{what} can't be that of a parameter"
        result = RESULT.match(text, end)
        if result and kind(result[1]) in ("func", "metadata", "label"):
            yield result.start(1), f"!llvm.{kind(result[1])} can't be the type of a result"


def closing(text: str, start: int) -> int:
    """The position after the parenthesis that closes the one before `start`."""
    depth = 1
    for found in PARENTHESIS.finditer(text, start):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.end()
    return len(text)


def wide_cases(text: str) -> Iterator[tuple[int, str]]:
    """Cases of cf.switch that its flag can't have, and those of scf.index_switch by which MLIR marks free places."""
    for found in SWITCH.finditer(text):
        bound = (1 << min(int(found[1][:9]), 4 * DIGITS)) >> 1
        for case in CASE.finditer(found[2]):
            if len(case[1]) > DIGITS or not -bound <= int(case[1]) < bound:
                yield found.start(), f"case {case[1]} does not fit in i{found[1]}"
    for found in EXTREME.finditer(text):
        if EXTREME_NUMBER.search(found[0]):
            yield found.start(), "a case of scf.index_switch can't be the largest or smallest number"


def countless_elements(text: str) -> Iterator[tuple[int, str]]:
    """Constants of more elements than 64 bits count, and aliases of their types."""
    for found in SHAPE.finditer(text):
        sizes = found[1].split("x")[:-1]
        if len(found[1]) > 10 and len(max(sizes, key=len)) < DIGITS:
            size = 1
            for one in sizes:
                size = min(size * int(one), 1 << 64)
            if size >= 1 << 63:
                yield found.start(), f"{found[1][:-1]} are too many elements for 64 bits"


def vectors_of_llvm(text: str) -> Iterator[tuple[int, str]]:
    """`vector<4294967296xi32>`, whose elements LLVM's operations count in 32 bits, and shuffles that pick nothing."""
    for found in LONG_VECTOR.finditer(text):
        if len(found[1]) > DIGITS or int(found[1]) >= 1 << 32:
            yield found.start(), f"vectors have fewer than 2^32 elements, not {found[1][:20]}"
    for found in WITHOUT_MASK.finditer(text):
        yield found.start(), "the mask of llvm.shufflevector has no elements"


def results_without_number(text: str) -> Iterator[tuple[int, str]]:
    """`%0#2147483647`: MLIR makes room for as many results before it looks for the operation."""
    for found in RESULT_NUMBER.finditer(text):
        if found[1].strip("0"):
            yield found.start(), f"reference to invalid result number {found[1][:20]}"


def loops_without_argument(text: str) -> Iterator[tuple[int, str]]:
    """`"scf.for"(...) ({ "scf.yield"() ...`: the induction variable is missing."""
    bodies = BODY.finditer(text)
    body = next(bodies, None)
    for found in LOOP.finditer(text):
        while body is not None and body.start() < found.end():
            body = next(bodies, None)
        if body is not None and body[2] is None:
            yield found.start(), "the body of scf.for has no argument for the induction variable"


def operations_without_dialect(text: str) -> Iterator[tuple[int, str]]:
    """`"index"()`: MLIR takes an operation called as a dialect for one of it.  `emitc.call "f"()` has a string."""
    for found in WHOLE_NAME.finditer(text):
        if not KEYWORD.search(text[max(found.start() - 100, 0) : found.start()].rpartition("\n")[2]):
            yield found.start(), f"{found[0].partition('(')[0].strip()} is not an operation of a registered dialect"


def values_in_metadata(text: str, plain: str) -> Iterator[tuple[int, str]]:
    """`{-# a: { b: { c: "d` at the end of a line: a value that is not a token.  `plain` is the text without strings."""
    end = 0
    while (start := plain.find("{-#", end)) >= 0:
        end = start + 3
        while (token := METADATA_TOKEN.search(text, end)) and token[0] != "#-}":
            end = token.end()
            value = METADATA_VALUE.match(text, end)
            if token[1] and (not value or (value[0][0] == '"' and not value["quote"])):
                yield token.start(), "a value is missing in the file's metadata, or is not a token"
        end = token.end() if token else len(text)


LOOKS: tuple[Callable[[str], Iterator[tuple[int, str]]], ...] = (
    arrays_of_index,
    types_of_functions,
    wide_cases,
    countless_elements,
    vectors_of_llvm,
    loops_without_argument,
    results_without_number,
)
