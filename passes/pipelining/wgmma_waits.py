"""Waits for wgmma, with the values and buffers that each wait holds.

    %d = ttng.warp_group_dot %a, %b, %c {isAsync = true}
    %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32}
    use(%w#0)

The result of a wgmma may be used after a wait that has it as an operand, in the form of that wait's result.  The
buffers that the wgmma reads are operands too: their memory must not be reused before the wait.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import ttng
from ttkit.inspection import address_of
from ttkit.operation_sets import WGMMA
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.buffers_and_barriers import is_buffer
from ttkit.passes.infra.nesting import runs_after
from ttkit.passes.infra.transforms import replace_uses


def build_wait(
    point: ir.InsertionPoint,
    location: ir.Location,
    pendings: int,
    values: Sequence[ir.Value],
    wgmmas: Sequence[ir.Operation] | None = None,
) -> ir.Operation:
    """A wait until at most `pendings` wgmmas are unfinished; later users of the values use its results.

    Args:
        wgmmas: those that define the values; by default the ones found from the values within the block.
    """
    return _replace_wait(None, point, location, pendings, values, wgmmas)


def hold_too(wait: ir.Operation, values: Sequence[ir.Value]) -> ir.Operation:
    """Has a wait hold more values; returns the wait that replaces it."""
    return _replace_wait(wait, ir.InsertionPoint(wait), wait.location, wait.attributes["pendings"].value, values)


def _replace_wait(
    old: ir.Operation | None,
    point: ir.InsertionPoint,
    location: ir.Location,
    pendings: int,
    values: Sequence[ir.Value],
    wgmmas: Sequence[ir.Operation] | None = None,
) -> ir.Operation:
    held = list(old.operands) if old is not None else []
    count = len(held)
    if wgmmas is None:
        wgmmas = wgmmas_of(values, point.block)
    read = [operand for dot in wgmmas for operand in dot.operands if is_buffer(operand)]
    held = list(dict.fromkeys([*held, *values, *read]))
    with location:
        new = ttng.warp_group_dot_wait(held, pendings, ip=point)[0].owner.operation
    if old is not None:
        replace_by(old, new.results)
    for value, result in list(zip(held, new.results))[count:]:
        if not is_buffer(value):
            replace_uses(value, result, lambda user: runs_after(user, new))
    return new


def wgmmas_of(values: Sequence[ir.Value], block: ir.Block) -> list[ir.Operation]:
    """The wgmmas on whose results values depend, within a block."""
    found: dict[int, ir.Operation] = {}
    seen: set[int] = set()
    pending = list(values)[::-1]
    while pending:
        owner = pending.pop().owner
        if isinstance(owner, ir.Block):
            continue
        op = owner.operation
        address = address_of(op)
        if address in seen:
            continue
        seen.add(address)
        if op.name == WGMMA:
            found[address] = op  # and not what its operands depend on
        elif op.block == block:
            pending += list(op.operands)[::-1]
    return list(found.values())
