"""Which instructions are which atomic updates of the kernel."""

from __future__ import annotations

from ttkit.interpreter.decode import Instruction

KINDS = {
    1: ("and", "bu"), 2: ("or", "bu"), 3: ("xor", "bu"), 4: ("add", "us"), 5: ("add", "fb"), 6: ("max", "s"),
    7: ("min", "s"), 8: ("max", "u"), 9: ("min", "u"), 10: ("exch", "bu"),
}  # fmt: skip
"""By the number of tt.atomic_rmw's operation: the instruction's, and letters of the types that it may have."""
ORDERS = {1: "relaxed", 2: "acquire", 3: "release", 4: "acq_rel"}
SCOPES = {1: "gpu", 2: "cta", 3: "sys"}


def fits_kind(op: Instruction, words: tuple[str, ...]) -> bool:
    """Whether an instruction is an update of the kernel: operation, order, scope and type."""
    order, scope = ORDERS.get(op.attributes["sem"]), SCOPES.get(op.attributes["scope"])
    if order is None or scope is None:
        return False
    name, letters = ("cas", "b") if op.name == "tt.atomic_cas" else KINDS.get(op.attributes["atomic_rmw_op"], ("", ""))
    rest = [word for word in words[1:-1] if word not in ("global", "noftz")]
    if sorted(rest) != sorted((scope, order, name)):
        return False
    is_float = words[-1].startswith(("f", "bf"))
    return words[-1][0] in letters and is_float == (name == "add" and letters == "fb")
