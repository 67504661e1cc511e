"""Give each partition as few warps as it needs.

    ttg.warp_specialize(%p) attributes {}            ttg.warp_specialize(%p) attributes {requestedRegisters =
      default { ... }                                    array<i32: 24, 88>}
      partition0(%q) num_warps(4) {                    default { ... }
        ttng.wait_barrier ...                          partition0(%q) num_warps(1) { ttng.wait_barrier ... }
      }                                         =>     partition1(%q) num_warps(2) {
      partition1(%q) num_warps(4) {                      %x = tt.load %a : tensor<256x!tt.ptr<f32>, #blocked1>
        %x = tt.load %a : tensor<256x..., #blocked>      ...
        ...                                            }
      }

The warps of a partition are halved while its largest tensor, counted twice, fits into registers if all warps get the
same share.  Partitions that copy by TMA keep two warps, for throughput; those that access tensor memory keep four, to
access all of it.  If a partition that computes tensors gets fewer warps, it needs new layouts: it becomes a function in
a module of its own, on which the passes that choose layouts run.

Differs from Triton: a partition that copies by TMA after an access to tensor memory keeps four warps; Triton gives it
two, finds no layout for the access, and aborts.

Input:  ttg.      Output: ttg; every partition asks for registers.
Order:  after tritongpu-pipeline, which changes partitions; before tritongpu-allocate-warp-groups.
Skips:  modules without ttg.warp_specialize.
Test:   test/lit/passes/optimize_partition_warps.mlir
"""

from math import prod

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.control_flow import partitions
from ttkit.inspection import element_bits
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.module_attributes import NUM_WARPS, module_target
from ttkit.operation_sets import CONVERT_LAYOUT, TMA_LOADS, TMEM_ACCESSES, WARP_SPECIALIZE, WGMMA
from ttkit.passes.accelerate_matmul import AccelerateMatmul
from ttkit.passes.coalesce import Coalesce, hints_of, note_argument_facts
from ttkit.passes.convert_triton_to_tritongpu import ConvertTritonToTritonGPU
from ttkit.passes.infra import Pass, PassError, collect, option, replace_by
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.preconditions import operations
from ttkit.passes.infra.retyping import replace_types, value_types
from ttkit.passes.layouts.assignment import Layouts, convert_operand, is_bare, with_layout
from ttkit.passes.layouts.thread_counts import num_ctas, num_warps, threads_per_warp
from ttkit.passes.optimize_thread_locality import OptimizeThreadLocality
from ttkit.passes.relayout_tritongpu import RelayoutTritonGPU
from ttkit.passes.remove_layout_conversions import RemoveLayoutConversions
from ttkit.records import dataclass
from ttkit.target import REGISTERS

COPIES = (*TMA_LOADS, "ttng.async_tma_scatter")
COPYING_WARPS = 2

COMPUTING_REGISTERS, OTHER_REGISTERS = 88, 24
"""Registers a thread that partitions with and without tensors ask for."""


@dataclass(frozen=True)
class OptimizePartitionWarps(Pass):
    """Give each partition as few warps as it needs"""

    name = "tritongpu-optimize-partition-warps"

    count_masks: bool = option(False, "as of tritongpu-coalesce, for partitions with new layouts")
    by_stride: bool = option(False, "likewise")
    scans: bool = option(False, "likewise")

    def run(self, op: ir.Operation) -> None:
        """Chooses the warps of each ttg.warp_specialize."""
        found = collect(op, [WARP_SPECIALIZE])
        facts = AxisInfoAnalysis()
        if found:
            note_argument_facts(op, facts)
        for specialization in found:
            choose_warps(op, specialization, facts, Coalesce(self.count_masks, self.by_stride, self.scans))


def choose_warps(
    module: ir.Operation, specialization: ir.Operation, facts: AxisInfoAnalysis, coalesce: Coalesce
) -> None:
    """Sets the warps of the partitions of one ttg.warp_specialize, and the registers that they ask for.

    coalesce: the pass that chooses new layouts of accesses.
    """
    regions = partitions(specialization.opview)
    before = list(specialization.attributes["partitionNumWarps"])
    needs = [2 * largest_tensor(region) for region in regions]
    least = [least_warps(region, count) for region, count in zip(regions, before)]
    after = fewest_warps(before, least, needs, num_warps(specialization), threads_per_warp(module))
    changed = [index for index, need in enumerate(needs) if need and after[index] != before[index]]
    hints = [hints_of(facts.info(value)) for value in specialization.operands] if changed else []
    for index in changed:
        assign_new_layouts(module, regions[index], hints, before[index], after[index], coalesce)
    asked = [COMPUTING_REGISTERS if need else OTHER_REGISTERS for need in needs]
    specialization.attributes["requestedRegisters"] = ir.DenseI32ArrayAttr.get(asked, specialization.context)
    specialization.attributes["partitionNumWarps"] = ir.DenseI32ArrayAttr.get(after, specialization.context)


def fewest_warps(counts: list[int], least: list[int], needs: list[int], others: int, lanes: int) -> list[int]:
    """Warps of each partition, halved one after the other as long as their tensors fit.

    Args:
        counts: their numbers of warps; least: the numbers that they must keep.
        needs: the registers for all threads of each partition.
        others: the number of warps of the default region; lanes: the threads of a warp.
    """
    counts = list(counts)

    def fits(index: int) -> bool:
        """Whether the partition's values fit into its registers with half as many warps."""
        half = counts[index] // 2
        return needs[index] // lanes // half <= REGISTERS // lanes // (others + sum(counts) - half)

    while found := [index for index, count in enumerate(counts) if count > least[index] and fits(index)]:
        counts[found[0]] //= 2
    return counts


def largest_tensor(region: ir.Region) -> int:
    """Registers of the largest tensor that operations of a region take or give; 0 if there is none."""
    sizes = [0]
    for op in nested(region):
        for value in (*op.operands, *op.results):
            if isinstance(value.type, ir.RankedTensorType):
                sizes.append(prod(value.type.shape) * element_bits(value.type.element_type) // 32)
    return max(sizes)


def least_warps(region: ir.Region, count: int) -> int:
    """The least number of warps of a region with `count` warps.

    All of them for wgmmas, whose tensors can't change, and where the region gets tensors, whose layout others choose.
    """
    if any(isinstance(argument.type, ir.RankedTensorType) for argument in region.blocks[0].arguments):
        return count
    least = 1
    for op in nested(region):
        if op.name == WGMMA:
            return count
        if op.name in COPIES:
            least = max(least, COPYING_WARPS)
        elif op.name in TMEM_ACCESSES:
            least = max(least, GROUP_WARPS)
    return least


def nested(region: ir.Region) -> list[ir.Operation]:
    """All operations in a region."""
    return [found for block in region.blocks for op in block.operations for found in operations(op.operation)]


# --- New layouts ------------------------------------------------------------------------------------------------------
def assign_new_layouts(
    module: ir.Operation, region: ir.Region, hints: list[dict[str, int]], before: int, after: int, coalesce: Coalesce
) -> None:
    """Gives the tensors of a partition the layouts that they would have in a kernel of `after` warps.

    Args:
        hints: the facts known about the partition's arguments.
        before: the warps that its layouts are for.
        coalesce: the pass that chooses those of accesses.

    Raises:
        PassError: the module does not name its target.
    """
    target = module_target(module)
    if not target:
        raise PassError(module, "the module has no 'ttg.target'; run convert-triton-to-tritongpu first")
    # Inside of the module, and erased: one that Python owned could outlive its context, and be destroyed after it.
    with module.location, ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]):
        attributes = {**dict(module.attributes), NUM_WARPS: i32_attribute(before)}
        own = ir.Operation.create("builtin.module", attributes=attributes, regions=1)
        function = take_into_function(own, region, hints)
    forget_layouts(own)
    machine = target, after, threads_per_warp(module), num_ctas(module)
    conversion = ConvertTritonToTritonGPU(*machine, enable_source_remat=True)
    conversion.note_machine(own)
    conversion.assign(own)
    RelayoutTritonGPU().run(own)
    for cast in collect(own, ["builtin.unrealized_conversion_cast"]):
        replace_by(cast, list(cast.operands))
    lay_out_unpacking(own)
    coalesce.run(own)
    RemoveLayoutConversions().run(own)
    OptimizeThreadLocality().run(own)
    AccelerateMatmul().run(own)
    RemoveLayoutConversions().run(own)
    move_blocks(function.regions[0], region, "tt.return", "ttg.warp_return")
    own.erase()


def lay_out_unpacking(root: ir.Operation) -> None:
    """Gives ttg.fp4_to_fp, which convert-triton-to-tritongpu leaves without layouts, a layout that its operand has."""
    layouts = Layouts(root)
    for unpacking in collect(root, ["ttg.fp4_to_fp"]):
        source, result = unpacking.opview.src, unpacking.opview.result
        if is_bare(source.type):  # of another operation without layouts, such as ttg.local_load
            convert_operand(unpacking, 0, layouts.default(source.type))
        layout = layouts.inference.result_layout(unpacking.opview, unpacking.opview.src.type.encoding)
        result.set_type(with_layout(result.type, layout))


def take_into_function(own: ir.Operation, region: ir.Region, hints: list[dict[str, int]]) -> ir.Operation:
    """The function, alone in a module, that the blocks of a region become."""
    types = [argument.type for argument in region.blocks[0].arguments]
    i64 = ir.IntegerType.get_signless(64)
    facts = [
        ir.DictAttr.get({name: ir.IntegerAttr.get(i64, value) for name, value in given.items()}) for given in hints
    ]
    with ir.InsertionPoint(own.regions[0].blocks.append()):
        function = ir.Operation.create(
            "tt.func",
            attributes={
                "sym_name": ir.StringAttr.get("partition"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
                "arg_attrs": ir.ArrayAttr.get(facts),
            },
            regions=1,
        )
    move_blocks(region, function.regions[0], "ttg.warp_return", "tt.return")
    return function


def move_blocks(source: ir.Region, target: ir.Region, old: str, new: str) -> None:
    """Moves all blocks of a region to an empty one, where they end by operation `new` in place of `old`."""
    for block in list(source.blocks):
        block.append_to(target)
    for block in target.blocks:
        last = block.operations[len(block.operations) - 1].operation
        if last.name == old:
            ir.Operation.create(new, loc=last.location, ip=ir.InsertionPoint(last))
            last.erase()


def forget_layouts(root: ir.Operation) -> None:
    """Takes the layouts from all tensors, and erases conversions; layouts of buffers and descriptors stay."""
    types = [type for type in value_types(root) if isinstance(type, ir.RankedTensorType) and type.encoding is not None]
    with root.location:
        bare = [ir.RankedTensorType.get(type.shape, type.element_type) for type in types]
    replace_types(root, dict(zip(types, bare)))
    for conversion in collect(root, [CONVERT_LAYOUT]):
        replace_by(conversion, list(conversion.operands))
