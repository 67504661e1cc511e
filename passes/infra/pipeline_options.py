"""Options of passes in pipeline text, checked before MLIR reads them: its own errors name neither pass nor options.

my-pass{factr=2}      ->  pass 'my-pass' has no option 'factr'; it has factor=<int>; did you mean 'factor'?
my-pass{factor=x}     ->  pass 'my-pass': option 'factor' takes an int of 64 bits, found 'x'
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator

from mlir.passmanager import PassManager

from ttkit.passes.infra import bridge
from ttkit.passes.infra.description import OptionDescription
from ttkit.passes.registry import PIPELINES, UPSTREAM
from ttkit.patterns import pattern
from ttkit.suggestions import suggestion

_ON_MODULE = "builtin.module("
_RESTRICTED = pattern(r"restricted to '([\w.]+)' on a PassManager.*\nfailed to add `([^`]+)`")
_OPTION = pattern(r"([\w.-]+)(?:=((?:\"[^\"]*\"|'[^']*'|\{[^}]*\}|[^\s\"'{}]+)*))?")
_MLIRS_KINDS = {"int": "an int", "uint": "an int", "long": "an int", "ulong": "an int", "llong": "an int"}
_NAME_BEFORE = pattern(r"([A-Za-z_][\w.-]*)\s*$")


def options_complaint(pipeline: str) -> str:
    """The first wrong option of a pass written in Python, or a missing bracket, as a sentence; empty if none."""
    if complaint := brackets_complaint(pipeline):
        return complaint
    if "{" not in pipeline:
        return ""
    return next(filter(None, (pass_complaint(name, text) for name, text in _with_options(pipeline))), "")


def brackets_complaint(pipeline: str) -> str:
    """A complaint about the brackets of a pipeline; empty if each is closed."""
    opened: list[str] = []
    closing = {"(": ")", "{": "}"}
    for position, character in enumerate(re.sub(r"\"[^\"]*\"|'[^']*'", lambda text: "_" * len(text[0]), pipeline)):
        if character in closing:
            opened.append(closing[character])
        elif character in closing.values() and opened[-1:] != [character]:
            found = f"where '{opened[-1]}' is missing" if opened else "that closes nothing"
            return f"the pipeline has a '{character}' {found}: '{pipeline[: position + 1]}'"
        elif character in closing.values():
            opened.pop()
    return f"the pipeline '{pipeline}' lacks '{''.join(reversed(opened))}' at its end" if opened else ""


def split(text: str) -> list[str]:
    """The text of each pass of a pipeline; nested passes stay together."""
    found, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "{(") - (character in "})")
        if character == "," and depth == 0:
            found.append(text[start:position])
            start = position + 1
    return [part.strip() for part in (*found, text[start:]) if part.strip()]


def parse_pipeline(pipeline: str) -> PassManager:
    """A pass manager; passes of MLIR for one kind of operation run on those of a module, as by the flags of tt-opt.

    Raises:
        ValueError: it is not a pipeline.
    """
    while True:
        try:
            return PassManager.parse(pipeline)
        except ValueError as error:
            found = _RESTRICTED.search(str(error))
            if found is None or not pipeline.startswith(_ON_MODULE):
                raise
            kind, name = found[1], found[2]
            parts = split(pipeline.removeprefix(_ON_MODULE).rstrip().removesuffix(")"))
            nested = [f"{kind}({part})" if part.partition("{")[0].strip() == name else part for part in parts]
            if nested == parts:
                raise
            pipeline = f"{_ON_MODULE}{','.join(nested)})"


def pass_complaint(name: str, text: str) -> str:
    """A complaint about the options `text` of a pass or a stage; empty if nothing is, or if MLIR wrote the pass."""
    if name in PIPELINES:
        return _stage_complaint(name, text)
    if name not in bridge.REGISTERED.targets:
        return ""
    try:
        known = {option.name: option for option in bridge.description_of(name).options}
    except Exception:  # a pass that can't be loaded, which MLIR reports
        return ""
    for key, value in _OPTION.findall(text):
        if key not in known:
            listed = ", ".join(f"{one.name}=<{one.type}>" for one in known.values())
            return f"pass '{name}' has no option '{key}'; it has {listed or 'none'}{suggestion(key, known)}"
        if not _fits(value, known[key]):
            return f"pass '{name}': option '{key}' takes {_kind(known[key].type)}, found '{value}'"
    return ""


def _stage_complaint(name: str, text: str) -> str:
    from ttkit.passes.stages import parse_options

    try:
        parse_options(text)
    except ValueError as error:
        return f"pipeline '{name}': {error}"
    return ""


def upstream_complaint(pipeline: str) -> str:
    """A complaint of MLIR about the options of its own passes in a pipeline; empty if it takes them.

    MLIR writes a part of it to the process's standard error, which is read meanwhile.
    """
    for name, text in _with_options(pipeline):
        if name in UPSTREAM and (complaint := _mlirs_complaint(name, text)):
            return complaint
    return ""


def _mlirs_complaint(name: str, text: str) -> str:
    from ttkit.context import Context  # which is for errors only

    with tempfile.TemporaryFile() as said, Context():
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            PassManager.parse(f"any({name}{{{text}}})")
        except ValueError as error:
            message = str(error)
        else:
            return ""
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        said.seek(0)
        message += said.read().decode(errors="replace")
    see = f"`tt-opt --help` lists the options of '{name}'"
    if found := re.search(r"no such option (\S+)", message):
        known = _mlirs_options(name)
        listed = f"it has {', '.join(known)}" if known else see
        return f"pass '{name}' has no option '{found[1]}'; {listed}{suggestion(found[1], known)}"
    if found := re.search(r"for the --(\S+) option: '([^']*)' value invalid for (\w+)", message):
        kind = _MLIRS_KINDS.get(found[3], f"a {found[3]}")
        return f"pass '{name}': option '{found[1]}' takes {kind}, found '{found[2]}': {see}"
    return f"pass '{name}' does not take the options '{text}': {see}"


def _mlirs_options(name: str) -> list[str]:
    """The options of a pass of MLIR, but for lists that are empty, which MLIR does not print."""
    from ttkit.context import Context

    with Context():
        return re.findall(r"([\w-]+)=", str(PassManager.parse(f"any({name})")))


def _with_options(pipeline: str) -> Iterator[tuple[str, str]]:
    """The passes of a pipeline that have options, and these."""
    at = pipeline.find("{")
    while at >= 0:
        depth, end = 1, at + 1
        while end < len(pipeline) and depth:
            depth += (pipeline[end] == "{") - (pipeline[end] == "}")
            end += 1
        name = _NAME_BEFORE.search(pipeline[:at])
        if name is not None:
            yield name[1], pipeline[at + 1 : end - 1]
        at = pipeline.find("{", end)


def _kind(kind: str) -> str:
    words = {"int": "an int of 64 bits", "bool": "true or false", "float": "a float", "str": "a text"}
    return words.get(kind) or f"{kind.removeprefix('list[')[:-1]}s separated by commas"


def int_of_64_bits(text: str) -> int:
    """The number that a text is, as MLIR reads options.

    Raises:
        ValueError: it is none, or needs more bits.
    """
    number = int(text, 0)
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{number} needs more than 64 bits")
    return number


def _fits(value: str, option: OptionDescription) -> bool:
    kind = option.type
    if kind in ("str", "list[str]"):
        return True
    if kind == "bool":
        return value in ("", "true", "false", "True", "False", "TRUE", "FALSE", "1", "0")
    parts = value.strip("\"'{}").split(",") if kind == "list[int]" else [value]
    convert = float if kind == "float" else int_of_64_bits
    try:
        return all(convert(part) is not None for part in parts if part or kind != "list[int]")
    except ValueError:
        return False
