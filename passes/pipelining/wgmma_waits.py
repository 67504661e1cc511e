"""Waits for wgmma: which values and buffers a wait holds until products are finished.

    %d = ttng.warp_group_dot %a, %b, %c {isAsync = true}
    %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32}
    use(%w#0)

What a product writes may be used after a wait that has it as an operand, as that wait's result.  The buffers that it
reads are operands too: nobody may reuse their memory before.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import ttng
from ttkit.inspection import address_of
from ttkit.operation_sets import WGMMA
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.nesting import runs_after
from ttkit.passes.infra.shared_memory import is_buffer
from ttkit.passes.infra.transforms import replace_uses


def build_wait(
    point: ir.InsertionPoint,
    location: ir.Location,
    pendings: int,
    values: Sequence[ir.Value],
    products: Sequence[ir.Operation] | None = None,
) -> ir.Operation:
    """A wait until no more than `pendings` products are unfinished; what uses the values after it uses its results.

    Args:
        products: what they come from; if not given, those wgmmas that are found from the values within the block.
    """
    return _replace_wait(None, point, location, pendings, values, products)


def hold_too(wait: ir.Operation, values: Sequence[ir.Value]) -> ir.Operation:
    """Has a wait hold more values; the wait that takes its place."""
    return _replace_wait(wait, ir.InsertionPoint(wait), wait.location, wait.attributes["pendings"].value, values)


def _replace_wait(
    old: ir.Operation | None,
    point: ir.InsertionPoint,
    location: ir.Location,
    pendings: int,
    values: Sequence[ir.Value],
    products: Sequence[ir.Operation] | None = None,
) -> ir.Operation:
    held = list(old.operands) if old is not None else []
    count = len(held)
    if products is None:
        products = products_behind(values, point.block)
    read = [operand for dot in products for operand in dot.operands if is_buffer(operand)]
    held = list(dict.fromkeys([*held, *values, *read]))
    with location:
        new = ttng.warp_group_dot_wait(held, pendings, ip=point)[0].owner.operation
    if old is not None:
        replace_by(old, new.results)
    for value, result in list(zip(held, new.results))[count:]:
        if not is_buffer(value):
            replace_uses(value, result, lambda user: runs_after(user, new))
    return new


def products_behind(values: Sequence[ir.Value], block: ir.Block) -> list[ir.Operation]:
    """The wgmmas that make values, or what these are computed from in a block."""
    found: dict[int, ir.Operation] = {}
    seen: set[int] = set()

    def visit(value: ir.Value) -> None:
        """Follows a value to wgmmas, whose own operands are not followed."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            return
        op = owner.operation
        address = address_of(op)
        if address in seen:
            return
        seen.add(address)
        if op.name == WGMMA:
            found[address] = op
        elif op.block == block:
            for operand in op.operands:
                visit(operand)

    for value in values:
        visit(value)
    return list(found.values())
