"""Give every tensor a layout: which thread holds which element.

    %r = tt.make_range {end = 64, start = 0} : tensor<64xi32>
    %e = tt.expand_dims %r {axis = 0} : tensor<64xi32> -> tensor<1x64xi32>
    %b = tt.broadcast %e : tensor<1x64xi32> -> tensor<32x64xi32>
  =>
    %r = tt.make_range {end = 64, start = 0} : tensor<64xi32, #blocked>
    %s = ttg.convert_layout %r : tensor<64xi32, #blocked> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %e = tt.expand_dims %s {axis = 0} : ... -> tensor<1x64xi32, #blocked1>
    %c = ttg.convert_layout %e : tensor<1x64xi32, #blocked1> -> tensor<1x64xi32, #blocked2>
    %b = tt.broadcast %c : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>

Every tensor has one element a thread along its last dimension; operations that need another layout get conversions
before and after them.  Later passes choose better layouts and remove the conversions.

Input:  tt.      Output: ttg: each tensor has a layout, the module says for how many warps.
Order:  first of the ttg stage; expects the tt stage to have canonicalized.
Skips:  tensors that have a layout; operations of dialects that know no layouts keep their types.
Test:   test/lit/passes/convert_triton_to_tritongpu.mlir
"""

import re

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit.inspection import collect
from ttkit.layout import inference
from ttkit.layout.blocked import default_dot_blocked
from ttkit.layout.encodings import Blocked, DotOperand, Ints, Slice
from ttkit.module_attributes import NUM_CTAS, NUM_WARPS, TARGET, THREADS_PER_WARP, WARPS_OF_GROUPS, module_number
from ttkit.passes.infra import Pass, PassError, option
from ttkit.passes.infra.constants import i32_attribute
from ttkit.passes.infra.layout_inference import has_result_rule
from ttkit.passes.infra.preconditions import refuse_invalid
from ttkit.passes.infra.retyping import operation_names
from ttkit.passes.layouts.assignment import (
    Layouts,
    assign_layouts,
    convert_operand,
    elements_per_thread,
    set_result_type,
    tensor_layout,
    with_layout,
)
from ttkit.passes.layouts.gather import convert_gather_indices
from ttkit.records import dataclass


@dataclass(frozen=True)
class ConvertTritonToTritonGPU(Pass):
    """Give every tensor a layout, and say for how many warps and CTAs"""

    name = "convert-triton-to-tritongpu"
    dependent_dialects = ("ttg",)
    may_change = "the rounding of products, which fused multiply-adds compute until tensor cores do"

    target: str = option("", "the GPU to compile for, such as cuda:90 or hip:gfx942")
    num_warps: int = option(4, "warps in a CTA")
    threads_per_warp: int = option(32, "threads in a warp")
    num_ctas: int = option(1, "CTAs in a cluster")
    enable_source_remat: bool = option(False, "cast tensors back for operations that know no layouts")

    def run(self, op: ir.Operation) -> None:
        """Notes target, warps, threads and CTAs on the module, then gives each tensor its default layout.

        Raises:
            PassError: no target, a number that is no power of two, or a module made for other warps.
        """
        if not self.target:
            raise PassError(op, f"'{self.name}' requires 'target' option to be set, such as target=cuda:90")
        if re.fullmatch(r"cuda:\d+|hip:gfx\w+", self.target) is None:
            raise PassError(op, f"target is '{self.target}'; write a GPU such as cuda:90 or hip:gfx942")
        for name, count in (("warps", self.num_warps), ("threads", self.threads_per_warp), ("CTAs", self.num_ctas)):
            if count < 1 or count & (count - 1):
                raise PassError(op, f"found {count} {name}; use a power of two")
        made_for = module_number(op, NUM_WARPS)
        asked = ((NUM_WARPS, "warps", self.num_warps), (THREADS_PER_WARP, "threads in a warp", self.threads_per_warp))
        for attribute, name, count in asked if made_for is not None else ():
            noted = module_number(op, attribute)
            if noted is not None and noted != count:
                found = f"the module is ttg for {noted} {name} already, not for {count}"
                raise PassError(op, f"{found}: pass the same number")
        self.note_machine(op)
        if made_for is None:
            check_operations_of_ttg(op)
        self.assign(op)

    def note_machine(self, op: ir.Operation) -> None:
        """Notes target, warps, threads and CTAs on the module; the warps are those of a group, if it has groups."""
        groups = module_number(op, WARPS_OF_GROUPS)
        op.attributes[NUM_WARPS] = i32_attribute(self.num_warps if groups is None else groups)
        op.attributes[THREADS_PER_WARP] = i32_attribute(self.threads_per_warp)
        op.attributes[NUM_CTAS] = i32_attribute(self.num_ctas)
        op.attributes[TARGET] = ir.StringAttr.get(self.target)

    def assign(self, op: ir.Operation) -> None:
        """Gives each tensor of a module its default layout for the machine that is noted on it.

        Raises:
            PassError: an operation can't take tensors with layouts, or a shape has no layout.
        """
        layouts = Layouts(op)
        of_packages = {name: infer_result for name in defined.OPERATIONS if has_result_rule(name)}
        assign_layouts(layouts, HANDLERS | of_packages, keep_types_of_others=self.enable_source_remat)


def check_operations_of_ttg(module: ir.Operation) -> None:
    """Verifies operations of ttg that tt code already contains for the module's number of warps.

    Raises:
        PassError: an operation does not suit that number.
    """
    names = [name for name in operation_names(module) if name.startswith(("ttg.", "ttng.", "nvws."))]
    for op in collect(module, names):
        refuse_invalid(op, op, f"not for {module.attributes['ttg.num-warps'].value} warps")


def expand_dims(op: ir.Operation, layouts: Layouts) -> None:
    """The operand becomes a slice of a layout with one more dimension, in which the first dimension is the fastest.

    Raises:
        PassError: the operand's layout is not blocked.
    """
    source, axis = op.opview.src.type, op.attributes["axis"].value
    if not isinstance(tensor_layout(source), Blocked):
        raise PassError(op, f"can't expand a tensor of layout {tensor_layout(source)}; only of a blocked one")
    slice_type, result_type = layouts.once(expanded, source, op.result.type, axis)
    convert_operand(op, 0, slice_type, op.location)
    set_result_type(op.result, result_type)


def expanded(source: ir.RankedTensorType, result: ir.RankedTensorType, axis: int) -> tuple[ir.Type, ir.Type]:
    """The types of operand and result of an expand_dims."""

    def with_one(sizes: Ints) -> Ints:
        """Sizes with 1 at the new axis."""
        return (*sizes[:axis], 1, *sizes[axis:])

    layout = tensor_layout(source)
    assert isinstance(layout, Blocked)
    parent = Blocked(
        with_one(layout.size_per_thread),
        with_one(layout.threads_per_warp),
        with_one(layout.warps_per_cta),
        tuple(range(layout.rank + 1)),
        tuple((*basis[:axis], 0, *basis[axis:]) for basis in layout.cga_layout),
    )
    return with_layout(source, Slice(axis, parent)), with_layout(result, parent)


def broadcast(op: ir.Operation, layouts: Layouts) -> None:
    """The result has the operand's layout."""
    result = op.result
    set_result_type(result, layouts.once(with_layout, result.type, op.opview.src.type.encoding))


def reduce(op: ir.Operation, layouts: Layouts) -> None:
    """The results have the operands' layout without the axis; of a vector only a scalar is left."""
    axis = op.attributes["axis"].value
    for operand, result in zip(op.operands, op.results):
        if isinstance(result.type, ir.RankedTensorType):
            set_result_type(result, layouts.once(reduced, operand.type, result.type, axis))


def reduced(source: ir.RankedTensorType, result: ir.RankedTensorType, axis: int) -> ir.Type:
    """The result of a reduction: the source's layout without the axis."""
    return with_layout(result, Slice(axis, tensor_layout(source)))


def infer_result(op: ir.Operation, layouts: Layouts) -> None:
    """The result has the layout that follows from the operands': trans, join.  Raises PassError if none follows."""
    given = next(iter(op.operands)).type.encoding
    encoding = layouts.inference.result_layout(op.opview, given)
    if encoding is None:
        raise PassError(op, f"found no layout for the result if operands have {given}")
    result = op.result
    set_result_type(result, layouts.once(with_layout, result.type, encoding))


def split(op: ir.Operation, layouts: Layouts) -> None:
    """Both halves of a pair must be in one thread: the last dimension is the fastest, and 2 elements a thread."""
    source = op.opview.src.type
    pair_type, half_type = layouts.once(halved, source, op.opview.outLHS.type, layouts)
    if pair_type != source:
        convert_operand(op, 0, pair_type, op.location)
    for result in op.results:
        set_result_type(result, half_type)


def halved(source: ir.RankedTensorType, result: ir.RankedTensorType, layouts: Layouts) -> tuple[ir.Type, ir.Type]:
    """The types of operand and results of a split."""
    layout = tensor_layout(source)
    if isinstance(layout, Blocked) and layout.size_per_thread[-1] == 2 and layout.order[0] == layout.rank - 1:
        half = without_last(layout)
    else:
        half = layouts.default_layout(result.shape)
        layout = inference.join(half, tuple(result.shape))
    return with_layout(source, layout), with_layout(result, half)


def without_last(layout: Blocked) -> Blocked:
    """Blocked layout without its last dimension: the inverse of `inference.join`."""
    return Blocked(
        layout.size_per_thread[:-1],
        layout.threads_per_warp[:-1],
        layout.warps_per_cta[:-1],
        layout.order[1:],
        tuple(basis[:-1] for basis in layout.cga_layout),
    )


def cat(op: ir.Operation, layouts: Layouts) -> None:
    """The layout in which a thread keeps its elements of both operands, rounded up to a power of two."""
    left, right = op.operands
    set_result_type(op.result, layouts.once(concatenated, left.type, right.type, op.result.type))


def concatenated(left: ir.RankedTensorType, right: ir.RankedTensorType, result: ir.RankedTensorType) -> ir.Type:
    """The layout of the result of tt.cat: a thread keeps its elements of both operands."""
    layout = tensor_layout(result)
    assert isinstance(layout, Blocked)
    have = elements_per_thread(left) + elements_per_thread(right)
    factor = (1 << (have - 1).bit_length()) // elements_per_thread(result)
    sizes = list(layout.size_per_thread)
    sizes[layout.order[0]] *= factor
    wider = Blocked(tuple(sizes), layout.threads_per_warp, layout.warps_per_cta, layout.order, layout.cga_layout)
    return with_layout(result, wider)


def dot(op: ir.Operation, layouts: Layouts) -> None:
    """The result gets a blocked layout; the operands get its dot operand layouts."""
    result_type = layouts.once(dot_result, op.result.type, layouts)
    for i, operand in enumerate((op.opview.a, op.opview.b)):
        source = operand.type
        if not isinstance(tensor_layout(source), DotOperand):
            convert_operand(op, i, layouts.once(dot_operand, source, i, result_type))
    convert_operand(op, 2, result_type)
    set_result_type(op.result, result_type)


def dot_result(type: ir.RankedTensorType, layouts: Layouts) -> ir.RankedTensorType:
    """The result of a dot operation: up to 4 x 4 elements a thread."""
    layout = default_dot_blocked(type.shape, *layouts.machine)
    return with_layout(type, layout)


def dot_operand(source: ir.RankedTensorType, index: int, result: ir.RankedTensorType) -> ir.Type:
    """An operand of a dot operation, in the layout that its result requires."""
    return with_layout(source, DotOperand(index, tensor_layout(result)))


# Other operations work on any layout that all of their tensors share.
HANDLERS = {
    "tt.broadcast": broadcast,
    "tt.cat": cat,
    "tt.descriptor_gather": convert_gather_indices,
    "tt.descriptor_scatter": convert_gather_indices,
    "tt.dot": dot,
    "tt.expand_dims": expand_dims,
    "tt.join": infer_result,
    "tt.reduce": reduce,
    "tt.split": split,
    "tt.trans": infer_result,
}
