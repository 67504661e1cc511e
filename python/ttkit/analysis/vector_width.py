"""How many neighbouring elements one access can move: what the axis facts of its pointers and its mask allow."""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.axis_info import AxisInfo


def aligned_elements(info: AxisInfo, d: int, pointee_bytes: int = 0) -> int:
    """How many elements along d lie side by side, the first of them at a multiple of that many.

    Args:
        info: of pointers or offsets.
        d: the dimension.
        pointee_bytes: bytes of what a pointer points to, at least 1; 0 for offsets, which count elements.
    """
    multiple = info.divisibility[d]
    if pointee_bytes:
        multiple = max(multiple // pointee_bytes, 1)
    return min(multiple, info.contiguity[d])


def alignment(analysis: AxisInfoAnalysis, value: ir.Value, d: int) -> int:
    """`aligned_elements` of a tensor of pointers or offsets; 1 for a scalar."""
    found = analysis.value_type(value.type)
    return aligned_elements(analysis.info(value), d, found.pointee_bytes) if found.is_tensor else 1


def vector_elements(analysis: AxisInfoAnalysis, value: ir.Value, d: int, per_thread: int) -> int:
    """How many elements along d an access through `value` can move at once, if a thread has `per_thread` neighbours."""
    return min(alignment(analysis, value, d), per_thread) if analysis.value_type(value.type).is_tensor else 1


def mask_alignment(analysis: AxisInfoAnalysis, mask: ir.Value, d: int) -> int:
    """How many neighbouring elements of a mask along d are equal; 1 for a scalar."""
    return max(analysis.info(mask).constancy[d], 1) if analysis.value_type(mask.type).is_tensor else 1
