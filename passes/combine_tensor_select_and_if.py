"""Let an scf.if yield what an arith.select of the same condition chooses: one branch instead of a choice per element.

    %s = arith.select %c, %x, %y : tensor<64xf32>          %r = scf.if %c -> (tensor<64xf32>) {
    scf.if %c {                                              tt.store %p, %x
      tt.store %p, %s                               =>       scf.yield %x
    }                                                      } else {
    %z = arith.addf %s, %s                                   scf.yield %y
                                                           }
                                                           %z = arith.addf %r, %r

Input:  tt or ttg.      Output: the same level.
Order:  after canonicalize, which has removed selects that choose nothing; before loops are pipelined.
Skips:  selects of scalars, which cost one instruction; selects that are used in front of the if, or follow it.
Test:   test/lit/passes/combine_tensor_select_and_if.mlir
"""

from mlir import ir
from mlir.dialects import arith, scf

from ttkit.passes.infra import Pass, collect, contains_any
from ttkit.passes.infra.nesting import ancestor_in


class CombineTensorSelectAndIf(Pass):
    """Let an scf.if yield what an arith.select of the same condition chooses"""

    name = "tritongpu-combine-tensor-select-and-if"

    def run(self, op: ir.Operation) -> None:
        if not contains_any(op, [scf.IfOp]):
            return
        ifs: dict[ir.Value, list[ir.Operation]] = {}
        selects = collect(op, [arith.SelectOp])
        for select in selects:
            condition = select.operands[0]
            if condition not in ifs:
                users = (use.owner.operation for use in condition.uses)
                ifs[condition] = [user for user in users if user.name == "scf.if"]
            for target in ifs[condition]:
                replace_uses_inside(select, target)
        chosen: dict[ir.Operation, list[ir.Operation]] = {}
        for select in selects:
            target = first_after(select, ifs[select.operands[0]])
            if target is not None and can_move_into(select, target):
                chosen.setdefault(target, []).append(select)
        for target, moved in chosen.items():
            yield_selects(target, moved)


def replace_uses_inside(select: ir.Operation, target: ir.Operation) -> None:
    """Replaces the select, inside of an if of the same condition, by the value that it chooses there."""
    for use in list(select.results[0].uses):
        user = use.owner.operation
        for branch, region in enumerate(target.regions):
            if len(region.blocks) and ancestor_in(region.blocks[0], user) is not None:
                user.operands[use.operand_number] = select.operands[1 + branch]


def first_after(select: ir.Operation, ifs: list[ir.Operation]) -> ir.Operation | None:
    """The first of the ifs that follows a select of tensors in its block."""
    if not ifs or not isinstance(select.results[0].type, ir.RankedTensorType):
        return None
    following = [op for op in ifs if op.block == select.block and select.is_before_in_block(op)]
    first = following[0] if following else None
    for op in following[1:]:
        if op.is_before_in_block(first):
            first = op
    return first


def can_move_into(select: ir.Operation, target: ir.Operation) -> bool:
    """Whether all uses of the select are behind the if."""
    for use in select.results[0].uses:
        user = ancestor_in(select.block, use.owner.operation)
        # A user in another block is behind all of this one.
        if user is not None and not target.is_before_in_block(user):
            return False
    return True


def yield_selects(target: ir.Operation, selects: list[ir.Operation]) -> None:
    """Replaces the if by one with a further result for each select."""
    location = target.location
    types = [result.type for result in [*target.results, *(select.results[0] for select in selects)]]
    with location, ir.InsertionPoint(target):
        merged = ir.Operation.create("scf.if", results=types, operands=[target.operands[0]], regions=2)
    for branch, (old, new) in enumerate(zip(target.regions, merged.regions)):
        if len(old.blocks):
            old.blocks[0].append_to(new)
            old_yield = new.blocks[0].operations[len(new.blocks[0].operations) - 1]
            values = list(old_yield.operands)
            old_yield.erase()
        else:
            new.blocks.append()
            values = []
        values += [select.operands[1 + branch] for select in selects]
        with location, ir.InsertionPoint(new.blocks[0]):
            scf.yield_(values)
    for old, new in zip([*target.results, *(select.results[0] for select in selects)], merged.results):
        old.replace_all_uses_with(new)
    for op in (*selects, target):
        op.erase()
