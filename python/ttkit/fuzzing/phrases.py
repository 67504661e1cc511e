"""Phrases: the few operations that a pass looks for, as its lit tests, its docstring and its file name them.

A phrase is a list of steps, each an operation on values by name.  In the docstring

    %1 = math.exp %0
    %2 = math.log %1   =>   %0

the phrase is [exp of %0, log of %1]; what follows the arrow is left out.  An operation that a file only names, such as
`collect(op, ["math.erf"])` or `{tt.RotateOp: fold}`, is a phrase of one step whose operands are not known.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlir import ir

from ttkit.context import parse_text
from ttkit.passes.infra.effects import memory_effects

_STATEMENT = re.compile(
    r"^\s*%([\w#]+)\s*=\s*\"?([a-z_0-9]+\.[\w.]+)\"?\s*\(?((?:%[\w#]+(?:\s*,\s*)?)*)\)?[^{]*(\{[^}]*\})?"
)
_NAMED = re.compile(r"[\"'`]([a-z][a-z_0-9]*\.[a-z][\w.]*)[\"'`]|\b([a-z]\w*)\.([A-Z]\w*Op)\b|\b([a-z]+\.[a-z]\w+)\b")
_ARROW = re.compile(r"=>|-->|⇒")
LONGEST = 8
"""Steps of a phrase from a test: the operations that lead to a value, the nearest ones."""


@dataclass(frozen=True)
class Step:
    """An operation of a phrase.

    result: the name of its first result.
    operation: its name.
    operands: names of values; None where they are not known.
    attributes: names and texts.
    types: of the results in the test that it comes from; empty for a text without types.
    """

    result: str
    operation: str
    operands: tuple[str, ...] | None
    attributes: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """Steps, and the types of the values that they begin with, {name: type}, where these are known."""

    steps: tuple[Step, ...]
    leaves: tuple[tuple[str, str], ...] = ()


def phrases_of(cls: Any, tests: Sequence[Path], context: ir.Context) -> list[Phrase]:
    """The phrases of a pass, without repetitions: those of its tests, of its docstrings, of the rest of its file.

    Args:
        cls: its class; None for one that is not written in Python.
    """
    found = [phrase for path in tests for phrase in _of_test(path.read_text(encoding="utf-8"), context)]
    source = _source(cls)
    found += _of_text(source)
    found += [Phrase((Step("0", name, None),)) for name in _names(source)]
    return list(dict.fromkeys(found))


def _source(cls: Any) -> str:
    """The text of the file that a class is in; empty if there is none."""
    try:
        return Path(inspect.getfile(cls)).read_text(encoding="utf-8")
    except (TypeError, OSError, UnicodeDecodeError):
        return ""


def _of_text(text: str) -> Iterator[Phrase]:
    """Phrases of consecutive lines that look like operations, as docstrings have them."""
    steps: list[Step] = []
    for line in [*text.splitlines(), ""]:
        left, *after = _ARROW.split(line)
        if found := _STATEMENT.match(left):
            operands = tuple(re.findall(r"%([\w#]+)", found[3]))
            attributes = tuple(re.findall(r"([\w.]+)\s*=\s*([^,}]+)", found[4] or ""))
            steps.append(Step(found[1], found[2], operands, attributes))
        if steps and (after or not found):
            yield Phrase(tuple(steps))
            steps = []


def _names(text: str) -> list[str]:
    """Operations that a text names, by their names or their classes."""
    found = dict.fromkeys(quoted or plain for quoted, _, _, plain in _NAMED.findall(text) if quoted or plain)
    for _, dialect, name, _ in _NAMED.findall(text):
        try:
            cls = getattr(importlib.import_module(f"ttkit.dialects.{dialect}"), name)
            found[cls.OPERATION_NAME] = None
        except (ImportError, AttributeError):
            continue
    return [name for name in found if ir.Context.current.is_registered_operation(name)]


def _of_test(text: str, context: ir.Context) -> Iterator[Phrase]:
    """Phrases of the modules of a lit test: for each value, the operations of its block that lead to it."""
    for part in re.split(r"^// -----.*$", text, flags=re.M):
        try:
            module = parse_text(part, context)
        except Exception:
            continue  # a test of an error, or IR of another dialect
        blocks: list[ir.Block] = []

        def gather(op: ir.Operation, blocks: list[ir.Block] = blocks) -> ir.WalkResult:
            """Keeps the blocks of an operation."""
            blocks.extend(block for region in op.regions for block in region)
            return ir.WalkResult.ADVANCE

        module.operation.walk(gather)
        for block in blocks:
            yield from _of_block(block)


def _of_block(block: ir.Block) -> Iterator[Phrase]:
    plain = [op.operation for op in block.operations if len(op.operation.results) and not len(op.operation.regions)]
    plain = [op for op in plain if memory_effects(op) == []]
    names = {result: f"{number}#{at}" for number, op in enumerate(plain) for at, result in enumerate(op.results)}
    for last in (number for number, op in enumerate(plain) if len(op.operands)):
        chosen, missing = {last}, {names[value] for value in plain[last].operands if value in names}
        for number in range(last - 1, -1, -1):
            if len(chosen) < LONGEST and any(name.startswith(f"{number}#") for name in missing):
                chosen.add(number)
                missing |= {names[value] for value in plain[number].operands if value in names}
        leaves: dict[ir.Value, str] = {}
        steps = []
        for number in sorted(chosen):
            op, operands = plain[number], []
            for value in op.operands:
                name = names.get(value, "")
                if not name or int(name.partition("#")[0]) not in chosen:
                    name = leaves.setdefault(value, f"leaf{len(leaves)}")
                operands.append(name)
            attributes = tuple((name, str(op.attributes[name])) for name in op.attributes)
            types = tuple(str(result.type) for result in op.results)
            steps.append(Step(str(number), op.name, tuple(operands), attributes, types))
        yield Phrase(tuple(steps), tuple((name, str(value.type)) for value, name in leaves.items()))
