"""Decide which warps run the partitions of each `ttg.warp_specialize`, and how many registers each may use.

    module attributes {"ttg.num-warps" = 4 : i32}
      ttg.warp_specialize() attributes {requestedRegisters = array<i32: 40>} default ... partition0() num_warps(4) ...
 =>
    module attributes {"ttg.num-warps" = 4 : i32, ttg.maxnreg = 256 : i32, "ttg.total-num-warps" = 8 : i32}
      ttg.warp_specialize() attributes {actualRegisters = array<i32: 472, 40>, requestedRegisters = array<i32: 40>,
                                        warpGroupStartIds = array<i32: 4>} ...

Registers are handed over by whole warp groups (four warps), so every operation gets partitions that do nothing until it
has as many full groups as the largest one.  Partitions are numbered largest first, and the default region gets all
registers that the others leave.

Differs from Triton: a group whose partitions ask for fewer registers than `setmaxnreg` takes, such as one that only
returns, gets that least number; Triton writes 16, which ptxas refuses.

Input:  ttg.      Output: the same with attributes and partitions that only return.
Order:  after all passes that make partitions or change their number of warps; before shared memory is allocated.
Skips:  registers, where none are requested or too few would be left for the default region.
Test:   test/lit/passes/allocate_warp_groups.mlir
"""

from typing import Any

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import ttg
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.module_attributes import MAXNREG, TOTAL_NUM_WARPS, module_number
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.launch_needs import note_need
from ttkit.passes.layouts.thread_counts import machine_of
from ttkit.target import FEWEST_REGISTERS, MOST_REGISTERS, REGISTERS

IDLE_REGISTERS = 16
"""Registers that partitions which only return ask for.  A whole group of them gets FEWEST_REGISTERS, as any group."""


class AllocateWarpGroups(Pass):
    """Number the warps of specialized partitions and share out registers among warp groups."""

    name = "tritongpu-allocate-warp-groups"

    def run(self, op: ir.Operation) -> None:
        """Pads partitions to whole groups of four warps, then gives each its first warp and its registers per thread.

        Raises:
            PassError: the module has no number of warps, or `requestedRegisters` are not as many as partitions or
                more than there are.
        """
        default_warps, lanes, _ = machine_of(op)
        specialized = [found.opview for found in collect(op, [WARP_SPECIALIZE])]
        for found in specialized:
            requested = found.attributes.get("requestedRegisters")
            if requested is not None and len(requested) != len(warp_counts(found)):
                count = len(warp_counts(found))
                raise PassError(
                    found, f"found {len(requested)} requestedRegisters for {count} partitions; give each one"
                )
            if wrong := [count for count in requested or () if not 0 <= count <= MOST_REGISTERS]:
                raise PassError(found, f"found {wrong[0]} requestedRegisters; a thread has {MOST_REGISTERS} at most")
        groups = max((-(-sum(warp_counts(found)) // GROUP_WARPS) for found in specialized), default=0)
        registers = module_number(op, MAXNREG)
        if registers is None:
            registers = REGISTERS // (default_warps + groups * GROUP_WARPS) // lanes // 8 * 8
        for found in specialized:
            pad_partitions(found, groups)
            starts = start_warps(warp_counts(found), default_warps)
            found.attributes["warpGroupStartIds"] = ir.DenseI32ArrayAttr.get(starts)
            shares = register_shares(found, starts, registers, default_warps, lanes)
            if shares:
                found.attributes["actualRegisters"] = ir.DenseI32ArrayAttr.get(shares)
                op.attributes[MAXNREG] = i32_attribute(registers)
        note_need(op, TOTAL_NUM_WARPS, default_warps + groups * GROUP_WARPS)


def warp_counts(op: Any) -> list[int]:
    """Warps of each partition of a ttg.warp_specialize, in order."""
    return list(op.attributes["partitionNumWarps"])


def pad_partitions(op: Any, groups: int) -> None:
    """Adds partitions that return at once, of 2^k warps each, until there are `groups` full groups."""
    counts, missing = warp_counts(op), groups * GROUP_WARPS - sum(warp_counts(op))
    added: list[int] = []
    while missing:
        added.append(1 << (missing.bit_length() - 1))
        missing -= added[-1]
    old = op.regions[1].blocks[0].operations[0]
    if added:
        kept = partitions(op)
        with ir.InsertionPoint(old), old.location:
            new = ttg.warp_specialize_partitions(len(kept) + len(added))
        for source, target in zip(kept, new.regions, strict=False):
            for block in list(source.blocks):
                block.append_to(target)
        for region in list(new.regions)[len(kept) :]:
            types = [operand.type for operand in op.operands]
            block = region.blocks.append(*types, arg_locs=[op.operation.location] * len(types))
            with ir.InsertionPoint(block), op.operation.location:
                ttg.warp_return()
        old.operation.erase()
        op.attributes["partitionNumWarps"] = ir.DenseI32ArrayAttr.get(counts + added)
        if "requestedRegisters" in op.attributes:
            requested = [*op.attributes["requestedRegisters"], *[IDLE_REGISTERS] * len(added)]
            op.attributes["requestedRegisters"] = ir.DenseI32ArrayAttr.get(requested)


def start_warps(counts: list[int], first: int) -> list[int]:
    """The first warp of each partition: larger ones come first, so that groups are not split."""
    starts = [0] * len(counts)
    for index in sorted(range(len(counts)), key=lambda index: -counts[index]):
        starts[index] = first
        first += counts[index]
    return starts


def register_shares(op: Any, starts: list[int], registers: int, default_warps: int, lanes: int) -> list[int]:
    """Registers per thread of the default region and of each partition; none if there is nothing to decide."""
    counts = warp_counts(op)
    if "requestedRegisters" not in op.attributes or sum(counts) % GROUP_WARPS:
        return []
    requested = list(op.attributes["requestedRegisters"])
    groups: list[list[int]] = []
    for index in sorted(range(len(counts)), key=starts.__getitem__):
        if starts[index] % GROUP_WARPS == 0 or not groups:
            groups.append([])
        groups[-1].append(index)
    shares, budget = [0] * len(counts), registers * default_warps * lanes
    for members in groups:
        share = max(FEWEST_REGISTERS, *(-(-requested[index] // 8) * 8 for index in members))
        for index in members:
            shares[index] = share
        budget += (registers - share) * sum(counts[index] for index in members) * lanes
    left = budget // (default_warps * lanes) // 8 * 8 if budget > 0 else 0
    return [left, *shares] if left >= FEWEST_REGISTERS else []
