"""Attributes of modules, functions and arguments by which later passes go: a pass may not change or add them.

What a pass adds may be a promise to later passes or to LLVM, such as `llvm.noalias`, and nothing shows that it holds.
"""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction, Module
from ttkit.module_attributes import USES_TWO_CTAS
from ttkit.validation.axis_terms import FACTS
from ttkit.validation.registry import KNOWN_ATTRIBUTES
from ttkit.validation.unchanged import is_unread

HARMLESS = ("tt.nv_tma_desc", "tt.num_stages", "noinline", "sym_visibility")
"""Attributes that promise nothing: how an argument is passed, hints for passes."""


NOTES = ("\0", "tt.", "ttg.")
"""What attributes begin with that passes leave for each other."""
STORE_WAIT = "ttng.async_tma_store_wait"


def say_waits(module: Module) -> None:
    """Says of each wait for stores by TMA whether it is for reads alone: without a word a module with the attribute of
    Triton 3.9 waits for writes, too."""
    by_default = USES_TWO_CTAS not in module.attributes
    for function in module.functions.values():
        for op in function.operations() if function.body is not None else ():
            if op.name == STORE_WAIT:
                op.attributes["read_only"] = bool(op.attributes.get("read_only", by_default))


def unknown_attribute(op: Instruction) -> str:
    """An attribute that no exact meaning reads, of an operation that has one; empty without one."""
    found = (name for name in op.attributes if not (is_unread(name) or name.startswith(NOTES)))
    return next((name for name in found if name not in KNOWN_ATTRIBUTES), "")


def changed_attribute(before: Module, after: Module, name: str) -> str:
    """The first attribute that a pass has changed or added at a module or a function, in words; empty without one.

    New attributes of a module say what passes have found or chosen, such as the number of warps.
    """
    for key, value in before.attributes.items():
        if not key.startswith("\0") and not is_unread(key) and not is_same(value, after.attributes.get(key, value)):
            return f"the module's attribute {key} is {value} before the pass, and {after.attributes[key]} after it"
    old, new = before.functions[name], after.functions[name]
    if new.is_lowered:
        return ""
    for key, value in new.kept.items():
        if key not in old.kept and promises(key):
            return f"@{name} has the attribute {key} = {value}, which it did not have before the pass"
        if key in old.kept and promises(key) and not is_same(old.kept[key], value):
            return f"the attribute {key} of @{name} is {old.kept[key]} before the pass, and {value} after it"
    if len(old.argument_types) != len(new.argument_types):
        return ""
    for place, (ours, theirs) in enumerate(zip(old.argument_attributes, new.argument_attributes)):
        for fact, value in theirs.items():
            if promises(fact) and not (fact in ours and is_weaker(fact, ours[fact], value)):
                return f"argument {place} of @{name} has the fact {fact} = {value}, which is not known to hold"
    return ""


def promises(name: str) -> bool:
    """Whether an attribute may promise something."""
    return name not in HARMLESS and not is_unread(name)


def is_same(a: Any, b: Any) -> bool:
    """Whether two values of attributes are the same."""
    return type(a) is type(b) and str(a) == str(b)


def is_weaker(fact: str, known: Any, other: Any) -> bool:
    """Whether a fact follows from another of its kind: of numbers, a multiple is also a multiple of a divisor."""
    if fact in FACTS and isinstance(known, int) and isinstance(other, int) and other > 0:
        return known % other == 0
    return str(known) == str(other)
