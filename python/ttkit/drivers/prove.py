"""ttkit prove: whether the accesses of a kernel can be out of bounds, for all sizes; whether passes keep what it does.

    ttkit prove kernel.ttir --size x=n --size out=n --grid 'cdiv(n, 256)'
    ttkit prove --passes kernel.ttir        (prove_passes.py)

A size is the number of elements of a tensor: an expression of the kernel's integer arguments, numbers, +, -, * and
cdiv(a, b).  Exit code: 1 if an access is out of bounds for some sizes, 2 if nothing is known of one.
"""

from __future__ import annotations

import argparse
import os

import ttkit
import ttkit.drivers.prove_passes as prove_passes
from ttkit.context import parse_file
from ttkit.drivers.user_errors import UserError
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes.manager import run_passes
from ttkit.sanitizer.proof import Assumptions, prove
from ttkit.sanitizer.proof.verdicts import summary

PASSES = "inline,triton-rewrite-tensor-pointer,triton-rewrite-tensor-descriptor-to-pointer,canonicalize,cse"
OUTSIDE, UNKNOWN = 1, 2


def run(options: argparse.Namespace) -> int:
    """Prints a verdict for each access, or for each pass; gives the exit code.

    Raises:
        UserError: there is no such file, no access in it, or a size is not an expression.
    """
    if options.passes:
        return prove_passes.run(options)
    if options.after:
        raise UserError("--after has no effect without --passes")
    if options.lowering:
        raise UserError("--lowering has no effect without --passes")
    if options.script_words:
        raise UserError(f"found '{options.script_words[0]}' after the file; only scripts take arguments, with --passes")
    assumptions = Assumptions(_sizes(options.size), _grid(options.grid))
    if not os.path.isfile(options.file):
        raise UserError(f"no such file: {options.file}")
    try:
        with ttkit.Context() as context:
            module = parse_file(options.file, context)
            run_passes(module, PASSES)
            verdicts = prove(module, assumptions)
    except (InterpreterError, ValueError) as error:
        raise UserError(str(error)) from None
    if not verdicts:
        raise UserError("the kernel accesses no memory, so there is nothing to prove")
    print("\n".join([*map(str, verdicts), summary(verdicts)]))
    outcomes = {each.outcome for each in verdicts}
    return OUTSIDE if "outside" in outcomes else UNKNOWN if "unknown" in outcomes else 0


def _sizes(items: list[str]) -> dict[str, str]:
    sizes = dict(item.partition("=")[::2] for item in items)
    for item in items:
        if "=" not in item:
            raise UserError(f"--size takes NAME=EXPR, such as x=n; found '{item}'")
    return sizes


def _grid(text: str) -> tuple[str | None, ...]:
    """Expressions between commas that are in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    if len(parts) > 3:
        raise UserError(f"a grid has up to three sizes, found '{text}'")
    given = [part.strip() or None for part in parts]
    return (*given, *(["1"] if text else [None]) * (3 - len(given)))
