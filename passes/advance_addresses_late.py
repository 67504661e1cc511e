"""Advance the addresses of copies behind these, for the next iteration, not in front of them.

    scf.for ... iter_args(%p = %first) {             %second = tt.addptr %first, %step
      ttng.warp_group_dot ...                        scf.for ... iter_args(%q = %second) {
      %q = tt.addptr %p, %step                =>       ttng.warp_group_dot ...
      ttg.async_copy_global_to_local %q, ...           ttg.async_copy_global_to_local %q, ...
      scf.yield %q                                     %r = tt.addptr %q, %step
    }                                                  scf.yield %r
                                                     }

Pipelined loops carry the addresses of the last copies.  ptxas makes a sum right in front of a copy a part of the copy,
so that both addresses live at once.  Where LLVM's strength reduction leaves addresses alone, as in products of bytes
whose operands are both stored along K, a copy then waited until the one before had read its address from the same
registers: eight such products on an H200 take 0.97 to 1.00 of the time (2026-11).

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined.
Skips:  addresses that the loop gives, that it uses before they are advanced, or that advance by something else in each
        iteration; loops with several products, of which some gain and some lose the registers that more programs need;
        loops with masks of rows and columns, which take the predicates that sums of 64 bits carry in (1 % more time).
Test:   test/lit/passes/advance_addresses_late.mlir
"""

from mlir import ir

from ttkit.dialects import tt
from ttkit.inspection import collect, defining, has_uses, only_user, terminator, users_of
from ttkit.operation_sets import ASYNC_COPY, WGMMA
from ttkit.passes.infra import Pass
from ttkit.passes.infra.loops import body_of
from ttkit.passes.infra.masks import access_mask
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.transforms import replace_uses

ADVANCE = "tt.addptr"


class AdvanceAddressesLate(Pass):
    """Advance the addresses of copies behind these, for the next iteration"""

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
    yielded = last.operands[index] == advance.result and users.count(last) == 1
    copies = [user for user in users if user != last]
    copied = copies and all(user.name == ASYNC_COPY for user in copies)
    return advance if yielded and copied and is_above(advance.opview.offset, loop) else None


def advance_late(loop: ir.Operation, index: int, advance: ir.Operation) -> None:
    """Has a loop carry the address that is copied from, and advances it at the end of an iteration."""
    body, place = body_of(loop), len(loop.operands) - len(loop.results) + index
    first, step = loop.operands[place], advance.opview.offset
    loop.operands[place] = tt.addptr(first, step, loc=advance.location, ip=ir.InsertionPoint(loop))
    last = terminator(body).operation
    replace_uses(advance.result, body.arguments[index + 1], lambda user: user != last)
    advance.move_before(last)
