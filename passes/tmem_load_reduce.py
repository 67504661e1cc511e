"""Reduce rows while they are loaded from tensor memory (tcgen05.ld.red, sm_103).

    %x = ttng.tmem_load %acc : ... -> tensor<128x64xf32, #rows>
    %m = "tt.reduce"(%x) ({ arith.maxnumf }) {axis = 1 : i32}
  =>
    %x, %m = ttng.tmem_load %acc {redOp = #ttng.redOp<max>} : ... -> tensor<128x64xf32, #rows>, tensor<128xf32, #slice>

Input:  ttg.      Output: ttg.
Order:  after optimize-tmem-layouts, which gives each thread whole rows where it can.
Skips:  other GPUs; reductions of other than f32 or along columns; rows that several threads have.
Test:   test/lit/passes/tmem_load_reduce.mlir
"""

from typing import Any

from mlir import ir

from ttkit.dialects import ttg, ttng
from ttkit.dialects._layouts import attribute, linear_layout_of
from ttkit.inspection import collect, name_of
from ttkit.layout.encodings import Slice
from ttkit.operation_sets import TMEM_LOAD
from ttkit.passes.infra import Pass, defining_op, replace_by
from ttkit.passes.infra.target import target_of
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.products.operands import without_conversions

# What combines two values -> the reduction, and whether a NaN stays.
REDUCTIONS = {
    "arith.maxnumf": ("max", False),
    "arith.maximumf": ("max", True),
    "arith.minnumf": ("min", False),
    "arith.minimumf": ("min", True),
}


class TMEMLoadReduce(Pass):
    """Reduce rows while they are loaded from tensor memory"""

    name = "triton-nvidia-tmem-load-reduce"
    dependent_dialects = ("ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Merges each reduction into its load, if the GPU has such loads."""
        reductions = collect(op, ["tt.reduce"])
        if reductions and target_of(op).has_tensor_memory_reductions:
            for reduction in reductions:
                merge(reduction)


def merge(reduction: ir.Operation) -> None:
    """reduce(load(buffer)) -> load of both, and a conversion of the second where others want another layout"""
    view, kind = reduction.opview, REDUCTIONS.get(combiner(reduction))
    if kind is None or len(view.srcs) != 1 or view.axis != 1:
        return
    load = defining_op(without_conversions(view.srcs[0]), TMEM_LOAD)
    if load is None or load.redOp is not None or not has_whole_rows(load.result.type):
        return
    result, (wanted,) = load.result.type, reduction.results
    layout = attribute(Slice(1, tensor_layout(result)), load.operation.context)
    red = ir.RankedTensorType.get([result.shape[0]], result.element_type, layout, load.operation.location)
    token = None if load.token is None else load.token.type
    attributes: dict[str, Any] = {"red_op": ir.Attribute.parse(f"#ttng.redOp<{kind[0]}>", load.operation.context)}
    attributes |= {"na_n": True} if kind[1] else {}
    with load.operation.location, ir.InsertionPoint(load):
        *values, found = ttng.tmem_load(result, token, load.src, dep=load.dep, red=red, **attributes)
    replace_by(load, values)
    with reduction.location, ir.InsertionPoint(reduction):
        replace_by(reduction, [found if found.type == wanted.type else ttg.convert_layout(found, wanted.type)])


def combiner(reduction: ir.Operation) -> str:
    """The name of the one operation that combines two values; empty for others."""
    blocks = list(reduction.regions[0].blocks)
    body = list(blocks[0].operations) if len(blocks) == 1 else []
    if len(body) != 2 or set(body[0].operands) != set(blocks[0].arguments):
        return ""
    return name_of(body[0]) if list(body[1].operands) == list(body[0].operation.results) else ""


def has_whole_rows(type: ir.RankedTensorType) -> bool:
    """Whether each thread has whole rows, of f32."""
    if not isinstance(type.element_type, ir.F32Type):
        return False
    layout = linear_layout_of(type)
    return not any(basis[1] for name in ("lane", "warp", "block") for basis in layout.bases(name))
