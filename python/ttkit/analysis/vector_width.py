"""The vector width of an access, in elements, from the axis facts of its pointers and its mask."""

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.analysis.axis_info import AxisInfo


def aligned_elements(info: AxisInfo, d: int, pointee_bytes: int = 0) -> int:
    """The number of contiguous elements along d, the first of them at a multiple of that number.

    Args:
        info: the facts of pointers or offsets.
        d: the dimension.
        pointee_bytes: the bytes of a pointee, at least 1; 0 for offsets, which count elements.
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
    """The number of elements along d that an access through `value` moves at once.

    Args:
        per_thread: the number of neighbours along d in a thread.
    """
    return min(alignment(analysis, value, d), per_thread) if analysis.value_type(value.type).is_tensor else 1


def mask_alignment(analysis: AxisInfoAnalysis, mask: ir.Value, d: int) -> int:
    """The number of equal neighbouring elements of a mask along d; 1 for a scalar."""
    return max(analysis.info(mask).constancy[d], 1) if analysis.value_type(mask.type).is_tensor else 1
