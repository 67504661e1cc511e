"""The operations that fix a layout, produce any layout for free, or should not run twice."""

from typing import Any

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import name_of
from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma, DotOperand, NvidiaMma
from ttkit.operation_sets import ATOMICS, CONVERT_LAYOUT, DESCRIPTOR_LOADS, DOTS, TENSOR_VIEWS, TMEM_LOAD, WGMMA
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference

_ALWAYS_ANCHORS = {*DESCRIPTOR_LOADS, *DOTS, WGMMA, TMEM_LOAD, *ATOMICS}
ANCHOR_CANDIDATES = [*_ALWAYS_ANCHORS, "tt.load", "tt.gather", "tt.reshape"]
"""The names of operations that may fix the layouts of their results."""

_FREE_IN_ANY_LAYOUT = set(
    "arith.constant tt.make_range tt.splat tt.histogram ttg.local_alloc ttg.local_load ttg.local_store".split()
)
_MMA = (NvidiaMma, AmdMfma, AmdWmma)
_ALWAYS_EXTENSIONS = {"arith.extsi", "arith.extui", "arith.extf", "tt.broadcast", "tt.expand_dims"}
EXTENSIONS = [*_ALWAYS_EXTENSIONS, "tt.fp_to_fp"]
"""The names of operations whose results may take more bytes than their operands."""


def is_mma(encoding: Encoding) -> bool:
    """Whether a layout is that of a result on tensor cores."""
    return isinstance(layout_of(encoding), _MMA)


def is_dot_operand(encoding: Encoding) -> bool:
    """Whether a layout is that of a dot's operand, on tensor cores or not."""
    return isinstance(layout_of(encoding), DotOperand)


def is_mma_operand(encoding: Encoding) -> bool:
    """Whether a layout is that of a dot's operand on tensor cores."""
    layout = layout_of(encoding)
    return isinstance(layout, DotOperand) and isinstance(layout.parent, _MMA)


def is_tensor(value: ir.Value) -> bool:
    """Whether a value is a ranked tensor."""
    return isinstance(value.type, ir.RankedTensorType)


def element_count(type: ir.RankedTensorType) -> int:
    """The number of elements of a tensor."""
    count = 1
    for size in type.shape:
        count *= size
    return count


def element_bits(type: ir.RankedTensorType) -> int:
    """Bits of an element; zero if it is not a number."""
    element: Any = type.element_type
    return element.width if isinstance(element, (ir.IntegerType, ir.FloatType)) else 0


def is_anchor(op: ir.OpView) -> bool:
    """Whether the layouts of the results of `op` are worth keeping: values computed from them get the same layout."""
    name = name_of(op)
    if name in _ALWAYS_ANCHORS:
        return True
    if name == "tt.load":
        return is_expensive_access(op)
    if name == "tt.gather":
        return "efficient_layout" in op.attributes
    # A reshape that may reorder accepts any layout and so stops propagation.  The operations after it need a layout to
    # start from; the backward step replaces it if it turns out to be a bad one.
    return name == "tt.reshape" and "allow_reorder" in op.attributes


def is_expensive_access(op: ir.OpView) -> bool:
    """Whether a load or store has at least one element for each thread, so that its layout determines coalescing."""
    type: Any = op.ptr.type
    if not isinstance(type, ir.RankedTensorType):
        return _is_tensor_pointer(type)
    count = element_count(type)
    if count == 1:
        return False
    native, handle = library(), operation_handle(op.operation)
    return count >= native.ttkitNumWarps(handle) * native.ttkitThreadsPerWarp(handle)


def _is_tensor_pointer(type: Any) -> bool:
    return isinstance(getattr(type, "pointee", None), ir.RankedTensorType)


def can_run_twice(op: ir.OpView) -> bool:
    """Whether a copy of `op` that produces another layout is allowed, and not expensive."""
    name = name_of(op)
    if name in ("tt.load", "tt.store"):
        return not is_expensive_access(op)
    if name == "tt.gather":
        return "efficient_layout" not in op.attributes
    return name not in (*ATOMICS, "tt.dot", "scf.while", "scf.condition")


def gives_any_layout(op: ir.OpView, encoding: Encoding, layouts: LayoutInference) -> bool:
    """Whether `op` can produce a result in `encoding` itself, so that a conversion to it is not needed."""
    name = name_of(op)
    if name == CONVERT_LAYOUT:
        return not is_mma(encoding) or op.src.type.encoding == encoding
    if name == "tt.cat":
        type: Any = op.result.type
        return layouts.registers_per_thread(type) <= layouts.registers_per_thread(layouts.retyped(type, encoding))
    if name == "tt.reshape":
        if "allow_reorder" not in op.attributes or "efficient_layout" in op.attributes:
            return False
        return not layouts.is_expensive_view(op.src.type, layouts.retyped(op.result.type, encoding))
    return name in _FREE_IN_ANY_LAYOUT


def is_view(op: ir.OpView) -> bool:
    """Whether an operation only renames elements and moves none of them between threads."""
    return name_of(op) in TENSOR_VIEWS


def is_extension(op: ir.OpView) -> bool:
    """Whether the result of `op` takes more bytes than its operand, so that converting the operand is cheaper."""
    name = name_of(op)
    if name == "tt.fp_to_fp":
        return element_bits(op.src.type) < element_bits(op.result.type)
    return name in _ALWAYS_EXTENSIONS
