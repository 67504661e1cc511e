"""Comparisons of a value that a loop counts with an invariant one, rewritten to compare elements with constants.

    first + column <= row     as in causal attention: a sum for each column
    column' <= row - first    a difference for each row, since a thread's columns have constant distances

A thread's first column b is even, and the distances c of the others have none of its bits.  So b + c never overflows.
A difference of two numbers can overflow, since it has one bit more; a difference of their halves can't:

    b + c <= a    where    c / 2       <= (a >> 1) - (b >> 1)          c even
                           (c - 1) / 2 <= ((a - 1) >> 1) - (b >> 1)    c odd

Loops of causal attention have up to 9 % fewer instructions; `ttkit.tuning.lowering.CONSTANT_COMPARISONS` has what they
gain, and why partitions of specialized warps are not rewritten.

Ops: arith.cmpi, which arith.py lowers    Test: test/lit/lower/counter_comparison.mlir
"""

from collections.abc import Sequence
from math import gcd

from mlir import ir

from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra.nesting import block_of
from ttkit.passes.lower.emitter import ICMP
from ttkit.passes.lower.lowering import Lowering
from ttkit.tuning.lowering import CONSTANT_COMPARISONS, LEAST_SHARE

SWAPPED = {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle"}
VIEWS = ("tt.broadcast", "tt.expand_dims", CONVERT_LAYOUT)


def with_constants(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value | None:
    """The result of arith.cmpi on tensors; None if no loop counts one side, or if there is no gain.

    Args:
        a, b: the registers of both sides.
    """
    predicate = ICMP[op.operation.attributes["predicate"].value]
    if not CONSTANT_COMPARISONS.on or predicate not in SWAPPED or op.operation.parent.name != "tt.func":
        return None
    kept, counted = op.lhs, op.rhs
    if is_counted(kept, op):
        kept, counted, a, b, predicate = counted, kept, b, a, SWAPPED[predicate]
    if not is_counted(counted, op) or block_of(kept) == op.operation.block:
        return None
    steps = constant_steps(low, kept, counted)
    shared = sum(1 << bit for bit in steps)
    groups = [register & ~shared for register in range(low.layout(kept).in_size("register"))]
    if 1 not in steps.values() or 1 << len(steps) < LEAST_SHARE * len(set(groups)):
        return None
    distances = [sum(steps[bit] for bit in steps if register >> bit & 1) for register in range(len(groups))]
    return compared(low, predicate, a, b, groups, distances)


def is_counted(value: ir.Value, comparison: ir.OpView) -> bool:
    """Whether a value is a sum in the block of the comparison, used by it alone."""
    while not isinstance(value.owner, ir.Block) and len(list(value.uses)) == 1:
        owner = value.owner.operation
        if owner.block != comparison.operation.block or owner.name not in ("arith.addi", *VIEWS):
            return False
        if owner.name == "arith.addi":
            return True
        value = owner.opview.src
    return False


def constant_steps(low: Lowering, kept: ir.Value, counted: ir.Value) -> dict[int, int]:
    """Bit of a register's number -> constant that it adds to `counted`, for bits that do not change `kept`.

    No other basis moves these bits of an element's coordinate; they are 0 if the bits of the register are.
    """
    layout, same, facts = low.layout(counted), low.axes.info(kept).constancy, low.axes.info(counted)
    bases = [place for name in layout.in_dims for place in layout.bases(name)]
    found = {}
    for bit, place in enumerate(layout.bases("register")):
        moved = [d for d, step in enumerate(place) if step]
        if len(moved) == 1:
            d = moved[0]
            step, group = place[d], gcd(same[d], facts.contiguity[d], facts.divisibility[d])
            if step < (group & -group) and sum(bool(other[d] & step) for other in bases) == 1:
                found[bit] = step
    return found


def compared(
    low: Lowering, predicate: str, a: ir.Value, b: ir.Value, groups: Sequence[int], distances: Sequence[int]
) -> ir.Value:
    """`a <predicate> b`, where b of each register is b of the first register of its group plus its distance."""
    emit, firsts = low.emit, sorted(set(groups))
    a, b = emit.pick(a, firsts), emit.pick(b, firsts)
    one = emit.constant(a.type, 1)
    half_a, half_b = emit.same("llvm.ashr", a, one), emit.same("llvm.ashr", b, one)
    half_below = emit.sub(emit.add(half_a, emit.and_(a, one)), one)  # (a - 1) >> 1
    differences = emit.concat([emit.sub(half_a, half_b), emit.sub(half_below, half_b)])
    # a > b + c is a >= b + (c + 1), and a < b + c the opposite of a >= b + c.
    constants = [distance + (predicate in ("sgt", "sle")) for distance in distances]
    places = [firsts.index(group) + len(firsts) * (c & 1) for group, c in zip(groups, constants, strict=True)]
    chosen = emit.pick(differences, places)
    return emit.compare(
        "sge" if predicate in ("sge", "sgt") else "slt", chosen, emit.constant(chosen.type, [c >> 1 for c in constants])
    )
