"""Advance the addresses of copies after the copies, for the next iteration, rather than before them.

    scf.for ... iter_args(%p = %first) {             %second = tt.addptr %first, %step
      ttng.warp_group_dot ...                        scf.for ... iter_args(%q = %second) {
      %q = tt.addptr %p, %step                =>       ttng.warp_group_dot ...
      ttg.async_copy_global_to_local %q, ...           ttg.async_copy_global_to_local %q, ...
      scf.yield %q                                     %r = tt.addptr %q, %step
    }                                                  scf.yield %r
                                                     }

Pipelined loops carry the addresses of the last copies.  ptxas folds an addition right before a copy into the copy, so
both addresses are live at once.  LLVM's strength reduction leaves addresses alone in some loops, such as those of 8-bit
operands that are both stored along K.  There each copy waited until the previous copy had read its address from the
same registers: eight such kernels on an H200 are 1.00 to 1.03 times as fast (2026-11).

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined.
Skips:  addresses that the loop returns, uses before they are advanced, or advances by a varying offset; loops with
        several dot operations, where some kernels lose occupancy to the extra registers; loops with masks of rows and
        columns, whose predicates compete with the carries of 64-bit additions (1 % more time).
Test:   test/lit/passes/advance_addresses_late.mlir
"""

from mlir import ir

from ttkit.dialects import tt
from ttkit.inspection import collect, defining, has_uses, only_user, terminator, users_of
from ttkit.operation_sets import ASYNC_COPY, WGMMA
from ttkit.passes.infra import Pass
from ttkit.passes.infra.loops import body_of, initial_value, set_initial_value, yielded
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.transforms import replace_uses

ADVANCE = "tt.addptr"


class AdvanceAddressesLate(Pass):
    """Advance the addresses of copies after the copies, for the next iteration"""

    name = "ttkit-advance-addresses-late"
    dependent_dialects = ("tt",)

    def run(self, op: ir.Operation) -> None:
        """Moves the advance of each such address to the end of its loop."""
        for loop in collect(op, ["scf.for"]):
            masks = [access_mask(copy) for copy in collect(loop, [ASYNC_COPY])]
            if len(collect(loop, [WGMMA])) != 1 or any(mask is not None and dimensions(mask) > 1 for mask in masks):
                continue
            for index, result in enumerate(loop.results):
                advance = advance_of(loop, index)
                if advance is not None and not has_uses(result):
                    advance_late(loop, index, advance)


def dimensions(mask: ir.Value) -> int:
    """Along how many dimensions a mask was made, of which it then is the conjunction."""
    made = defining(mask)
    if made is not None and made.operation.name == "arith.andi":
        return sum(dimensions(operand) for operand in made.operands)
    return int(made is None or made.operation.name != "tt.splat")


def advance_of(loop: ir.Operation, index: int) -> ir.Operation | None:
    """The operation that advances a carried address for copies in the same iteration alone; None without one."""
    body = body_of(loop)
    advance = only_user(body.arguments[index + 1])
    if advance is None or advance.name != ADVANCE or advance.block != body:
        return None
    last, users = terminator(body).operation, users_of(advance.result)
    is_yielded = yielded(body, index) == advance.result and users.count(last) == 1
    copies = [user for user in users if user != last]
    copied = copies and all(user.name == ASYNC_COPY for user in copies)
    return advance if is_yielded and copied and is_above(advance.opview.offset, loop) else None


def advance_late(loop: ir.Operation, index: int, advance: ir.Operation) -> None:
    """Has a loop carry the address that is copied from, and advances it at the end of an iteration."""
    body, first, step = body_of(loop), initial_value(loop, index), advance.opview.offset
    set_initial_value(loop, index, tt.addptr(first, step, loc=advance.location, ip=ir.InsertionPoint(loop)))
    last = terminator(body).operation
    replace_uses(advance.result, body.arguments[index + 1], lambda user: user != last)
    advance.move_before(last)
