"""wgmmas with A in registers, split along K into wgmmas of one instruction each.

    %d = ttng.warp_group_dot %a, %b, %c : tensor<64x32xf16, #dot_op> * !ttg.memdesc<32x64xf16>
  =>
    %d0 = ttng.warp_group_dot %a0, %b0, %c : tensor<64x16xf16, #dot_op> * !ttg.memdesc<16x64xf16>
    %d = ttng.warp_group_dot %a1, %b1, %d0, %true

The registers of `%a0` are free after the first wgmma, while the second still runs.
"""

from mlir import ir

from ttkit.dialects import arith, tt, ttg
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import inference
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.infra import replace_by
from ttkit.passes.infra.transforms import recreate
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.shared import has_slices


def split_wgmma(dot: ir.Operation) -> list[ir.Operation]:
    """Splits a wgmma if its A is in registers; returns the wgmmas that replace it, in order.

    It is not split if the CTAs of a cluster share B, whose buffer then has no subviews, or if B has no such slices.
    """
    a, b, c, *use_c = dot.operands
    if not isinstance(a.type, ir.RankedTensorType):
        return [dot]
    layout = layout_of(dot.result)
    assert isinstance(layout, NvidiaMma)
    size = layout.instr_shape[2]
    count = a.type.shape[1] // size
    if count <= 1 or not has_slices(b.type, 0, size):
        return [dot]
    wgmmas = []
    with dot.location, ir.InsertionPoint(dot):
        for a_part, b_part in zip(columns(a, size), rows(b, size)):
            wgmmas.append(recreate(dot, [dot.result.type], [a_part, b_part, c, *use_c]))
            c = wgmmas[-1].result
            use_c = [arith.true()]
    replace_by(dot, [c])
    return wgmmas


def columns(tensor: ir.Value, size: int) -> list[ir.Value]:
    """A matrix split into matrices of `size` columns, in its layout; moves no data between threads."""
    type = tensor.type
    height, width = type.shape
    halvings = (width // size).bit_length() - 1
    parts = [_with_halves_last(tensor, [height, *[2] * halvings, size])]
    for _ in range(halvings):
        parts = [half for part in parts for half in tt.split(part)]
    wanted = with_layout(ir.RankedTensorType.get([height, size], type.element_type), type.encoding)
    return [ttg.convert_layout(part, wanted) for part in parts]


def _with_halves_last(tensor: ir.Value, shape: list[int]) -> ir.Value:
    """A matrix as a tensor of `shape`, whose inner dimensions then go to the end, the outermost of them last."""
    layout = inference.reshape(tensor_layout(tensor.type), tuple(tensor.type.shape), tuple(shape))
    reshaped = tt.reshape(tensor, ir.RankedTensorType.get(shape, tensor.type.element_type, attribute(layout)))
    rank = len(shape)
    return tt.trans(reshaped, [0, rank - 1, *range(rank - 2, 0, -1)])


def rows(buffer: ir.Value, size: int) -> list[ir.Value]:
    """Views of a buffer, of `size` rows each."""
    type = buffer.type
    height, width = type.shape
    part = MemDescType.get([size, width], type.element_type, type.encoding, type.memory_space, False, type.alloc_shape)
    return [ttg.memdesc_subslice(buffer, [first, 0], part) for first in range(0, height, size)]
