"""Values through control flow: loops, branches, blocks and the regions of specialized warps."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.inspection import terminator
from ttkit.operation_sets import CFG_BRANCHES, YIELDING

Sources = Sequence[ir.Value] | None
"""The values that a value may be; None if control flow does not pass it on."""


def incoming_values(value: ir.Value) -> Sources:
    """The values that `value` may be, if control flow passes it on as a result or argument."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return _of_argument(owner, ir.BlockArgument(value).arg_number)
    return _of_result(owner, ir.OpResult(value).result_number)


def _of_result(op: Any, number: int) -> Sources:
    name = op.operation.name
    if name == "scf.for":
        return [op.initArgs[number], region_terminator(op.regions[0]).operands[number]]
    if name == "scf.while":
        return [region_terminator(op.regions[0]).operands[1 + number]]
    if name in YIELDING:
        return [end.operands[number] for region in op.regions for end in terminators(region, "scf.yield")]
    if name == "ttg.warp_specialize":
        return [end.operands[number] for end in terminators(op.regions[0], "ttg.warp_yield")]
    return None


def _of_argument(block: ir.Block, number: int) -> Sources:
    op = block.owner
    if block != block.region.blocks[0]:
        return _of_branches(block, number)
    name = op.operation.name
    if name == "scf.for" and number > 0:
        return [op.initArgs[number - 1], region_terminator(op.regions[0]).operands[number - 1]]
    if name == "scf.while":
        if block.region == op.regions[0]:
            return [op.operands[number], region_terminator(op.regions[1]).operands[number]]
        return [region_terminator(op.regions[0]).operands[1 + number]]
    if name == "ttg.warp_specialize.partitions":
        captures = op.operation.parent.operands
        return [captures[number]] if number < len(captures) else None  # else it tells which partition runs the code
    return None


def _of_branches(block: ir.Block, number: int) -> Sources:
    sources: list[ir.Value] = []
    for predecessor in block.predecessors:
        branch = terminator(predecessor)
        for target, operands in zip(branch.successors, successor_operands(branch), strict=True):
            if target == block:
                sources.append(operands[number])
    return sources


def successor_operands(branch: Any) -> list[Sequence[ir.Value]]:
    """The operands that a branch passes to each of its successors.

    Raises:
        NotImplementedError: the branch is not one of cf.
    """
    name = branch.operation.name
    if name == "cf.br":
        return [branch.operands]
    if name == "cf.cond_br":
        return [branch.trueDestOperands, branch.falseDestOperands]
    if name == "cf.switch":
        rest, cases = list(branch.caseOperands), []
        for size in branch.attributes["case_operand_segments"]:
            cases.append(rest[:size])
            rest = rest[size:]
        return [branch.defaultOperands, *cases]
    raise NotImplementedError(f"the branch '{name}' is unknown; lower it to cf first")


def region_terminator(region: ir.Region) -> Any:
    """The terminator of a region of one block."""
    return terminator(region.blocks[0])


def terminators(region: ir.Region, name: str) -> list[Any]:
    """The terminators of a region's blocks that are `name`."""
    return [end for end in map(terminator, region.blocks) if end.operation.name == name]


def outgoing_values(op: Any, number: int) -> list[ir.Value]:
    """The results and arguments to which control flow passes operand `number` of `op`; inverse of incoming_values."""
    name = op.operation.name
    if name == "scf.for" and number >= 3:
        return [op.regions[0].blocks[0].arguments[number - 2], op.results[number - 3]]
    if name == "scf.while":
        return [op.regions[0].blocks[0].arguments[number]]
    if name == "scf.condition" and number >= 1:
        loop = op.operation.parent
        return [loop.regions[1].blocks[0].arguments[number - 1], loop.results[number - 1]]
    if name == "scf.yield":
        parent = op.operation.parent
        outer = parent.operation.name
        if outer == "scf.for":
            return [parent.results[number], parent.regions[0].blocks[0].arguments[number + 1]]
        return [parent.regions[0].blocks[0].arguments[number] if outer == "scf.while" else parent.results[number]]
    if name == "ttg.warp_specialize":
        return [region.blocks[0].arguments[number] for region in partitions(op)]
    if name == "ttg.warp_yield":
        return [op.operation.parent.results[number]]
    if name in CFG_BRANCHES:
        return _into_successors(op, op.operands[number])
    return []


def _into_successors(branch: Any, value: ir.Value) -> list[ir.Value]:
    found: list[ir.Value] = []
    for block, operands in zip(branch.successors, successor_operands(branch), strict=True):
        found += [argument for argument, operand in zip(block.arguments, operands, strict=True) if operand == value]
    return found


def partitions(warp_specialize: Any) -> list[ir.Region]:
    """The regions that additional warps run concurrently with the default region."""
    return list(warp_specialize.regions[1].blocks[0].operations[0].regions)
