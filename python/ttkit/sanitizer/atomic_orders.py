"""Which atomic operations order programs, in tt and in lowered code.

A release makes what its program did before visible to an acquire from the same place, unless the scope of one of them
is a CTA.  A fence beside a relaxed operation does the same, wherever it is.
"""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction, Module
from ttkit.patterns import pattern

ACQUIRES, RELEASES = (2, 4), (3, 4)
"""Numbers of MemSemantic."""
ACQUIRE_RELEASE = 4
_CTA = 2
"""Number of the MemSyncScope."""
_OF_PTX = {"relaxed": 1, "acquire": 2, "release": 3, "acq_rel": 4}
_OF_LLVM = {2: 1, 4: 2, 5: 3, 6: 4, 7: 4}
"""Number of LLVM's AtomicOrdering -> that of MemSemantic."""
_ATOMIC = pattern(r"\b(?:atom|red|ld)((?:\.\w+)+)")
_FENCE = pattern(r"\bmembar\.|\bfence\.(?:acq_rel|sc|acquire|release)\b")


def order_of(op: Instruction) -> int:
    """The number of its MemSemantic; 0 for an operation that only its own program takes part in."""
    given = op.attributes
    if op.name in ("llvm.atomicrmw", "llvm.cmpxchg"):
        ordering = given["ordering" if op.name == "llvm.atomicrmw" else "success_ordering"]
        return 0 if given.get("syncscope") == "block" else _OF_LLVM.get(ordering, ACQUIRE_RELEASE)
    if op.name == "llvm.inline_asm":
        return _order_in_ptx(given["asm_string"])
    return 0 if given.get("scope") == _CTA else given.get("sem", ACQUIRE_RELEASE)


def _order_in_ptx(text: str) -> int:
    """That of the first atomic instruction, or load with an order.  An atomic instruction without is relaxed."""
    for found in _ATOMIC.finditer(text):
        words = found[1].split(".")
        orders = [number for word, number in _OF_PTX.items() if word in words]
        if orders or not found[0].startswith("ld"):
            return 0 if "cta" in words else orders[0] if orders else _OF_PTX["relaxed"]
    return ACQUIRE_RELEASE


def has_fences(module: Module) -> bool:
    """Whether there are fences in it, which order programs by relaxed operations too."""
    return any(_is_fence(op) for function in module.functions.values() for op in function.operations())


def _is_fence(op: Instruction) -> bool:
    text: Any = op.attributes.get("asm_string", "")
    return op.name in ("llvm.fence", "nvvm.memory.barrier") or (bool(text) and _FENCE.search(text) is not None)
