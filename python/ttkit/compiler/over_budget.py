"""The error of a compilation that takes more than its budget: the line of the kernel that most of the code comes from.

    kernel.py:7: error: compiling k took more than 10 s (TTKIT_COMPILE_SECONDS), on the way from ptx to cubin
        x = (x * 7919 + j) // (i + 3) % 1000003
    93 % of the code at the level ptx comes from there; unroll less, ...

An operation on a tensor counts as one on each of its elements.
"""

from __future__ import annotations

import linecache
import math
from collections import Counter
from importlib import import_module

from ttkit.budget import OverBudget
from ttkit.compiler.module_metadata import CompileError
from ttkit.patterns import pattern

ADVICE = "unroll less (tl.range, not tl.static_range), take smaller blocks or more warps, or raise the limit"
_TENSOR = pattern(r"\btensor<((?:\d+x)+)")
_READERS = {"llir": "llvm_lines", "ptx": "ptx_lines"}


class BudgetError(CompileError):
    """A compilation took more time or memory than it may: what it was at, the kernel's line that causes most code."""


def budget_error(error: OverBudget, name: str, begun: str, level: str, text: str) -> BudgetError:
    """The error for users.

    Args:
        name: of the kernel.
        begun: the level that was complete, "source" if there was none; `text` is its code, with locations.
        level: the one that was being made.
    """
    said = f"compiling {name} took {error}, on the way from {begun} to {level}"
    read = getattr(import_module("ttkit.tracing.locations"), _READERS.get(begun, "mlir_lines"))  # which is above
    code = Counter[tuple[str, int]]()
    for shown, place in read(text):
        if place and place[0][1]:
            code[place[0]] += _elements(shown)
    if not code:
        return BudgetError(f"{said}; {ADVICE}")
    (file, line), count = code.most_common(1)[0]
    source = linecache.getline(file, line).strip()
    share = f"{100 * count / sum(code.values()):.0f} % of the code at the level {begun} comes from there; {ADVICE}"
    return BudgetError("\n".join([f"{file}:{line}: error: {said}", *([f"    {source}"] if source else []), share]))


def _elements(line: str) -> int:
    """The elements of the largest tensor in a line of MLIR; 1 without any."""
    return max((math.prod(map(int, sizes[:-1].split("x"))) for sizes in _TENSOR.findall(line)), default=1)
