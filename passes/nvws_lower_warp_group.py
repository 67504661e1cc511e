"""Make warp specializations of groups of warps, whose regions then take what they use as arguments.

    %r = nvws.warp_group                          %r = ttg.warp_specialize(%p)
    partition0 num_warps(4) {                     default {
      nvws.warp_group.yield %x : i32                ttg.warp_yield %x : i32
    }                                       =>    }
    partition1 num_warps(2) {                     partition0(%q: !tt.ptr<i32>) num_warps(2) {
      tt.store %p, %c5                              %c = arith.constant 5 : i32
      nvws.warp_group.return                        tt.store %q, %c
    }                                               ttg.warp_return
                                                  } : (!tt.ptr<i32>) -> i32

The first group becomes the default region if it has as many warps as the kernel, else that is empty.  Constants are
made again where they are used, and so are tensors, which can't be passed in, if what computes them has no effects.

Input:  ttg with nvws.warp_group.      Output: ttg.
Order:  after asynchronous references are lowered.
Skips:  modules without groups of warps.
Test:   test/lit/passes/nvws_lower_warp_group.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, PassError, canonicalize_ops, collect
from ttkit.passes.infra.preconditions import refuse_invalid
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.transforms import replace_by
from ttkit.passes.layouts.machine import num_warps

CONSTANTS = ("arith.constant", "ub.poison")


class NVWSLowerWarpGroup(Pass):
    """Make warp specializations of groups of warps"""

    name = "nvws-lower-warp-group"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        """Specializes each group, between two clean-ups: captured values become fewer by them.

        Raises:
            PassError: a group that can't be specialized, or with layouts for other warps.
        """
        groups = collect(op, ["nvws.warp_group"])
        if not groups:
            return
        canonicalize_ops(op, ())  # what nobody uses need not be passed in, nor what is a constant
        for group in collect(op, ["nvws.warp_group"]):
            made = specialize(group, num_warps(op))
            refuse_invalid(made, made, "a region is not for its warps")
        canonicalize_ops(op, ())  # constants that only partitions used


def specialize(group: ir.Operation, kernel_warps: int) -> ir.Operation:
    """Replaces a group by a ttg.warp_specialize with the code of its regions, which it gives.

    Raises:
        PassError: it has results, and its first region has other warps than the kernel; or warps are no power of two.
    """
    counts, regions = list(group.attributes["numWarps"]), list(group.regions)
    if wrong := [count for count in counts if count < 1 or count & (count - 1)]:
        raise PassError(group, f"found {wrong[0]} warps; use a power of two")
    has_default = bool(counts) and counts[0] == kernel_warps
    if not has_default and len(group.results):
        raise PassError(
            group, f"its results are those of {kernel_warps} warps, as the kernel has; the first has others"
        )
    partitions = regions[1:] if has_default else regions
    captures: list[ir.Value] = []
    for region in partitions:
        capture(region, captures)
    location, context = group.location, group.context
    with location, ir.InsertionPoint(group):
        made = ir.Operation.create(
            "ttg.warp_specialize",
            [result.type for result in group.results],
            captures,
            {"partitionNumWarps": ir.DenseI32ArrayAttr.get(counts[len(regions) - len(partitions) :], context)},
            regions=2,
        )
        if has_default:
            regions[0].blocks[0].append_to(made.regions[0])
            end(made.regions[0].blocks[0], "ttg.warp_yield")
        else:
            with ir.InsertionPoint(made.regions[0].blocks.append()):
                ir.Operation.create("ttg.warp_yield")
        with ir.InsertionPoint(made.regions[1].blocks.append()):
            holder = ir.Operation.create("ttg.warp_specialize.partitions", regions=len(partitions))
    for region, target in zip(partitions, holder.regions):
        region.blocks[0].append_to(target)
        block = target.blocks[0]
        end(block, "ttg.warp_return")
        for value in captures:
            replace_inside(target, value, block.add_argument(value.type, location))
    replace_by(group, made.results)
    return made


def end(block: ir.Block, name: str) -> None:
    """Replaces the terminator of a block by operation `name`, with what it yields."""
    last = block.operations[len(block.operations) - 1].operation
    values = list(last.operands) if name == "ttg.warp_yield" else []
    ir.Operation.create(name, operands=values, loc=last.location, ip=ir.InsertionPoint(last))
    last.erase()


def capture(region: ir.Region, captures: list[ir.Value]) -> None:
    """Adds to `captures` what a region uses from outside, in the order of its uses; makes inside again what can be."""
    inside: dict[ir.Value, ir.Value] = {}
    block = region.blocks[0]
    first = block.operations[0].operation

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Clones constants and, with operands, pure operations on tensors into the partition; captures the rest."""
        for value in op.operands:
            if value in captures or value in inside or defined_in(value, region):
                continue
            owner = value.owner
            made = None if isinstance(owner, ir.Block) else owner.operation
            if made is not None and made.name in CONSTANTS:
                clone(made, ir.InsertionPoint.at_block_begin(block))
            elif made is not None and isinstance(value.type, ir.RankedTensorType) and is_pure(made):
                made.walk(visit, ir.WalkOrder.PRE_ORDER)
                clone(made, ir.InsertionPoint(first))
            else:
                captures.append(value)
        return ir.WalkResult.ADVANCE

    def clone(op: ir.Operation, at: ir.InsertionPoint) -> None:
        """Clones an operation, and notes which results stand for which."""
        inside.update(zip(op.results, op.clone(ip=at).results))

    for op in list(block.operations):
        op.operation.walk(visit)
    for value, copy in inside.items():
        replace_inside(region, value, copy)


def defined_in(value: ir.Value, region: ir.Region) -> bool:
    """Whether an operation in the region, or an argument of its blocks, is the value."""
    owner = value.owner
    block: ir.Block | None = owner if isinstance(owner, ir.Block) else owner.operation.block
    while block is not None:
        if block.region == region:
            return True
        above = block.owner.operation
        block = above.block if above.parent is not None else None
    return False


def replace_inside(region: ir.Region, old: ir.Value, new: ir.Value) -> None:
    """Replaces the uses of a value in a region."""

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Replaces the value where it is an operand."""
        for index, value in enumerate(op.operands):
            if value == old:
                op.operands[index] = new
        return ir.WalkResult.ADVANCE

    for block in region.blocks:
        for op in block.operations:
            op.operation.walk(visit)
