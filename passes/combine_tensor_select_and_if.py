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
Skips:  selects of scalars, which cost one instruction; selects that are used before the if, or follow it.
Test:   test/lit/passes/combine_tensor_select_and_if.mlir
"""

from bisect import bisect_left
from typing import TypeAlias

from mlir import ir

from ttkit.passes.infra import Pass, collect, contains_any
from ttkit.passes.infra.loops import branch_with_more, yield_more
from ttkit.passes.infra.nesting import ancestor_in
from ttkit.passes.infra.transforms import replace_by, replace_use

# Numbers of the ifs of one condition in a block, in order.
IfsOfBlock: TypeAlias = tuple[ir.Block, list[int]]


class CombineTensorSelectAndIf(Pass):
    """Let an scf.if yield what an arith.select of the same condition chooses"""

    name = "tritongpu-combine-tensor-select-and-if"

    def run(self, op: ir.Operation) -> None:
        """Pairs each select with the next scf.if of its condition, then moves all selects of an scf.if at once."""
        if not contains_any(op, ["scf.if"]):
            return
        selects = collect(op, ["arith.select"])
        ifs = collect(op, ["scf.if"])
        by_condition: dict[ir.Value, list[IfsOfBlock]] = {}
        for number, target in enumerate(ifs):
            group = by_condition.setdefault(target.opview.condition, [])
            same_block = next((numbers for block, numbers in group if block == target.block), None)
            if same_block is None:
                group.append((target.block, [number]))
            else:
                same_block.append(number)
        selects = [select for select in selects if select.opview.condition in by_condition]
        for select in selects:
            replace_uses_inside_ifs(select)
        chosen: dict[int, list[ir.Operation]] = {}
        for select in selects:
            first = first_after(select, ifs, by_condition[select.opview.condition])
            if first is not None and can_move_into(select, ifs[first]):
                chosen.setdefault(first, []).append(select)
        for number, moved in chosen.items():
            yield_selects(ifs[number], moved)


def replace_uses_inside_ifs(select: ir.Operation) -> None:
    """Replaces the select, inside of ifs of the same condition, by the value that it chooses there."""
    for use in list(select.result.uses):
        op = use.owner.operation
        while (parent := op.parent) is not None:
            outer = parent.operation
            if outer.name == "scf.if" and outer.opview.condition == select.opview.condition:
                is_then = op.block == outer.regions[0].blocks[0]
                value = select.opview.true_value if is_then else select.opview.false_value
                replace_use(use, value)
                break
            op = outer


def first_after(select: ir.Operation, ifs: list[ir.Operation], groups: list[IfsOfBlock]) -> int | None:
    """Which of the ifs of its condition is the first that follows a select of tensors in its block."""
    if not isinstance(select.result.type, ir.RankedTensorType):
        return None
    block = select.block
    numbers = next((numbers for other, numbers in groups if other == block), [])
    found = bisect_left(numbers, True, key=lambda number: select.is_before_in_block(ifs[number]))
    return numbers[found] if found < len(numbers) else None


def can_move_into(select: ir.Operation, target: ir.Operation) -> bool:
    """Whether all uses of the select come after the if."""
    for use in select.result.uses:
        user = ancestor_in(select.block, use.owner.operation)
        # A user in another block comes after all of this block.
        if user is not None and not target.is_before_in_block(user):
            return False
    return True


def yield_selects(target: ir.Operation, selects: list[ir.Operation]) -> None:
    """Replaces the if by one with a further result for each select."""
    merged = branch_with_more(target, [select.result.type for select in selects])
    then, otherwise = merged.regions
    yield_more(then.blocks[0], [select.opview.true_value for select in selects])
    yield_more(otherwise.blocks[0], [select.opview.false_value for select in selects])
    for select, result in zip(selects, list(merged.results)[-len(selects) :], strict=True):
        replace_by(select, [result])
