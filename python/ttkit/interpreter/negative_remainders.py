"""Negative remainders in addresses: `%` has the sign of its left operand in a kernel, as in C, and not as in Python."""

from __future__ import annotations

from ttkit.interpreter.decode import Function, Instruction, Module

_REMAINDERS = ("arith.remsi", "llvm.srem")
_READS = ("tt.load", "tt.descriptor_load", "ttg.local_load", "llvm.load", "tt.atomic_rmw", "tt.atomic_cas")


def sign_advice(module: Module | None, op: Instruction) -> str:
    """Advice where an address is before its buffer, and a signed remainder is part of it; empty without one.

    Args:
        module: which the access is in; None where kernels run as Python.
        op: the access.
    """
    if module is None:
        return ""
    function = next((one for one in module.functions.values() if any(each is op for each in one.operations())), None)
    if function is None or not _has_remainder(function, op):
        return ""
    return (
        "a negative value stays negative: in a kernel, as in C, -128 % 1024 is -128, where Python has 896; "
        "add a multiple of the divisor before, or write (x % n + n) % n"
    )


def _has_remainder(function: Function, op: Instruction) -> bool:
    """Whether a signed remainder leads to an operand, without a read of memory in between."""
    made = {slot: one for one in function.operations() for slot in one.results}
    seen: set[int] = set()
    waiting = list(op.operands)
    while waiting:
        slot = waiting.pop()
        found = made.get(slot)
        if slot in seen or found is None or found.name in _READS:
            continue
        seen.add(slot)
        if found.name in _REMAINDERS:
            return True
        waiting += found.operands
    return False
