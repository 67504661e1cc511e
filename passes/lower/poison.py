"""Lower poison: the variable of a loop once the loop has ended, and what pipelined loops carry before it is computed.

LLVM assumes that no poison decides where memory is accessed or where control goes, and drops the code around an access
that would.  Programs that read a loop's variable after the loop are written for a compiler that keeps it, so
poison that can get there is zero.  All other poison stays: LLVM then chooses the value that costs nothing.

Ops: MLIR's ub dialect    Test: test/lit/lower/poison.mlir
"""

from typing import Any

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit.analysis.control_flow import outgoing_values
from ttkit.operation_sets import CFG_BRANCHES, WARP_SPECIALIZE
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.slices import each_once
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers

# Pure operations whose lowering accesses shared memory at addresses from their operands, as those of packages may.
ACCESSING = ("tt.gather", "tt.histogram")
# Operation -> the number of the operand that it writes, which is not an address.
WRITTEN = {"tt.store": 1, "tt.atomic_rmw": 1, "ttg.local_store": 0, "ttg.local_alloc": 0}


@lowers("ub.poison")
def poison(low: Lowering, op: ir.OpView) -> Any:
    """Zero if it can reach an address, a mask or a condition, else poison."""
    result = op.result
    make = low.emit.zero if reaches_access(result) else low.emit.poison
    return low.types.join(result.type, [make(part) for part in low.types.parts(result.type)])


def reaches_access(value: ir.Value) -> bool:
    """Whether control flow or an operation with effects depends on a value, directly or not.

    An operand that is only written to memory does not count.
    """
    waiting = [value]
    for one in each_once(waiting):
        for use in one.uses:
            user = use.owner.operation
            if is_decisive(user, use.operand_number):
                return True
            waiting += results_of(user, use.operand_number)
    return False


def is_decisive(op: ir.Operation, number: int) -> bool:
    """Whether operand `number` is an address, a mask or a condition of control flow."""
    if op.name in CFG_BRANCHES:
        return number == 0 and op.name != "cf.br"
    if op.name in ACCESSING or op.name in defined.OPERATIONS:
        return True
    if is_pure(op) or is_inner_terminator(op):
        return False
    return WRITTEN.get(op.name) != number and holds_numbers(op.operands[number].type)


def is_inner_terminator(op: ir.Operation) -> bool:
    """Whether `op` terminates a region of another operation than a function."""
    return not op.results and op.name.endswith(("yield", ".return")) and op.parent.operation.name != "tt.func"


def results_of(op: ir.Operation, number: int) -> list[ir.Value]:
    """The values that are computed from operand `number`."""
    if op.name in CFG_BRANCHES or op.name == WARP_SPECIALIZE:
        return outgoing_values(op.opview, number)
    return list(op.parent.operation.results if is_inner_terminator(op) else op.results)


def holds_numbers(type: ir.Type) -> bool:
    """Whether addresses and masks may have the type: it is neither a float nor a token."""
    element = getattr(type, "element_type", type)
    return not isinstance(element, ir.FloatType) and "token" not in str(element)
