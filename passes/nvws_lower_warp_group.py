"""Lower nvws.warp_group to ttg.warp_specialize, whose regions take captured values as arguments.

    %r = nvws.warp_group                          %r = ttg.warp_specialize(%p)
    partition0 num_warps(4) {                     default {
      nvws.warp_group.yield %x : i32                ttg.warp_yield %x : i32
    }                                       =>    }
    partition1 num_warps(2) {                     partition0(%q: !tt.ptr<i32>) num_warps(2) {
      tt.store %p, %c5                              %c = arith.constant 5 : i32
      nvws.warp_group.return                        tt.store %q, %c
    }                                               ttg.warp_return
                                                  } : (!tt.ptr<i32>) -> i32

The first group becomes the default region if it has as many warps as the kernel; otherwise that is empty.  Constants
are rebuilt where they are used.  So are tensors, which can't be passed in, if the operations that compute them have no
effects.

Input:  ttg with nvws.warp_group.      Output: ttg.
Order:  after asynchronous references are lowered.
Skips:  modules without groups of warps.
Test:   test/lit/passes/nvws_lower_warp_group.mlir
"""

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.inspection import address_of, defining, enclosing, name_of
from ttkit.operation_sets import CONSTANTS, PARTITIONS, WARP_SPECIALIZE
from ttkit.passes.infra import MATCHED, Match, Pass, PassError, apply_greedily, canonicalize_ops, replace_each
from ttkit.passes.infra.nesting import block_of, nested_operands, operations_in
from ttkit.passes.infra.preconditions import refuse_invalid
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.layouts.thread_counts import num_warps


class NVWSLowerWarpGroup(Pass):
    """Make warp specializations of warp groups"""

    name = "nvws-lower-warp-group"
    dependent_dialects = ("ttg",)

    def run(self, op: ir.Operation) -> None:
        """Specializes each group once equal constants are one, then folds.

        Raises:
            PassError: a group can't be specialized, or has layouts for other warps.
        """

        def specialized(group: Any, rewriter: PatternRewriter) -> Match:
            """nvws.warp_group -> ttg.warp_specialize"""
            made = specialize(group.operation, num_warps(op), rewriter.erase_op)
            refuse_invalid(made, made, "a region is not for its warps")
            return MATCHED

        apply_greedily(op, {"nvws.warp_group": specialized})
        canonicalize_ops(op, ())  # constants that only partitions used


Erase = Callable[[ir.Operation], None]


def specialize(group: ir.Operation, kernel_warps: int, erase: Erase = ir.Operation.erase) -> ir.Operation:
    """Replaces a group by a ttg.warp_specialize with the code of its regions, which it gives.

    Raises:
        PassError: it has results, but its first region has another number of warps; or a number is not a power of two.
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
    captures, repeated = captured(group, partitions)
    for region in partitions:
        repeat(repeated, region)
    location, context = group.location, group.context
    with location, ir.InsertionPoint(group):
        made = ir.Operation.create(
            WARP_SPECIALIZE,
            [result.type for result in group.results],
            captures,
            {"partitionNumWarps": ir.DenseI32ArrayAttr.get(counts[len(regions) - len(partitions) :], context)},
            regions=2,
        )
        if has_default:
            regions[0].blocks[0].append_to(made.regions[0])
            end(made.regions[0].blocks[0], "ttg.warp_yield", erase)
        else:
            with ir.InsertionPoint(made.regions[0].blocks.append()):
                ir.Operation.create("ttg.warp_yield")
        with ir.InsertionPoint(made.regions[1].blocks.append()):
            holder = ir.Operation.create(PARTITIONS, regions=len(partitions))
    for region, target in zip(partitions, holder.regions):
        region.blocks[0].append_to(target)
        block = target.blocks[0]
        end(block, "ttg.warp_return", erase)
        arguments = [block.add_argument(value.type, location) for value in captures]
        for value, argument in reversed(list(zip(captures, arguments))):
            replace_inside(target, value, argument)
    replace_each(group.results, made.results)
    erase(group)
    return made


def end(block: ir.Block, name: str, erase: Erase) -> None:
    """Replaces the terminator of a block by operation `name` with the same operands."""
    last = block.operations[len(block.operations) - 1].operation
    values = list(last.operands) if name == "ttg.warp_yield" else []
    ir.Operation.create(name, operands=values, loc=last.location, ip=ir.InsertionPoint(last))
    erase(last)


def captured(group: ir.Operation, partitions: Sequence[ir.Region]) -> tuple[list[ir.Value], list[ir.Operation]]:
    """Values from outside of partitions that are passed in, in the order of their uses, and operations to repeat there.

    Constants and pure operations on tensors, with their operands, are repeated.  As in Triton, an operand of several of
    them is passed once for each, and the last is used.
    """
    found: dict[ir.Value, None] = {}
    for region in partitions:
        used = [value for op in region.blocks[0].operations for value in nested_operands(op.operation)]
        found.update((value, None) for value in used if not is_within(block_of(value), region))
    queue, repeated = list(found), set()
    for value in queue:
        op = defining(value)
        can_repeat = op is not None and isinstance(value.type, ir.RankedTensorType) and is_pure(op)
        if op is None or not (can_repeat or name_of(op) in CONSTANTS):
            continue
        queue += [] if value in repeated else nested_operands(op.operation)
        repeated.add(value)
    root = enclosing(group, "tt.func") or enclosing(group, "builtin.module") or group
    makers = {address_of(value.owner.operation) for value in repeated}
    operations = [op for op in operations_in(root) if address_of(op) in makers]
    return [value for value in queue if value not in repeated], operations


def repeat(operations: Sequence[ir.Operation], region: ir.Region) -> None:
    """Clones operations to the beginning of a partition, which then uses the clones."""
    first = region.blocks[0].operations[0].operation
    clones = [op.clone(ip=ir.InsertionPoint(first)) for op in operations]
    for op, clone in zip(operations, clones):
        for old, new in zip(op.results, clone.results):
            replace_inside(region, old, new)


def replace_inside(region: ir.Region, old: ir.Value, new: ir.Value) -> None:
    """Replaces the uses of a value in a region."""
    replace_uses(old, new, lambda user: is_within(user.block, region))


def is_within(block: ir.Block, region: ir.Region) -> bool:
    """Whether a block is one of a region, or of one inside of it."""
    while block.region != region:
        above = block.owner.operation
        if above.parent is None:
            return False
        block = above.block
    return True
