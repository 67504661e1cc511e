"""wgmmas with A in registers, split along K into wgmmas of one instruction each.

    %d = ttng.warp_group_dot %a, %b, %c : tensor<64x32xf16, #dot_op> * !ttg.memdesc<32x64xf16>
  =>
    %d0 = ttng.warp_group_dot %a0, %b0, %c : tensor<64x16xf16, #dot_op> * !ttg.memdesc<16x64xf16>
    %d = ttng.warp_group_dot %a1, %b1, %d0, %true

The registers of `%a0` are free after the first wgmma, while the second still runs.

A wgmma reads registers until a wait says that it has ended, while the next iteration may already write them.  So the
part of A for each wgmma is loaded, or computed by the last operation, right before that wgmma: after the wait that
follows the one before (`async_wgmmas`).
"""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.dialects import arith, tt, ttg
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, element_bits, has_uses, name_of
from ttkit.layout import inference
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.infra import is_memory_effect_free, replace_by
from ttkit.passes.infra.layout_inference import has_trait
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
        part_of_a = late_columns(a, size)
        for number, b_part in enumerate(rows(b, size)):
            wgmmas.append(recreate(dot, [dot.result.type], [part_of_a(number), b_part, c, *use_c]))
            c = wgmmas[-1].result
            use_c = [arith.true()]
    replace_by(dot, [c])
    if not has_uses(a):
        a.owner.operation.erase()
    return wgmmas


Parts = Callable[[int], ir.Value]
"""Builds the part of a tensor with a number, at the current insertion point."""


def late_columns(a: ir.Value, size: int) -> Parts:
    """Matrices of `size` columns of A, each loaded or computed as late as possible."""
    made = defining(a)
    if made is not None and name_of(made) == "ttg.local_load" and has_slices(made.src.type, 1, size):
        return loaded_columns(made, size)
    if made is not None and is_elementwise(made.operation):
        return computed_columns(made.operation, size)
    early = columns(a, size)
    return lambda number: early[number]


def loaded_columns(load: Any, size: int) -> Parts:
    """Those of a buffer."""
    view, wanted = load.src.type, of_columns(load.result.type, size)
    shape = [view.shape[0], size]
    part = MemDescType.get(shape, view.element_type, view.encoding, view.memory_space, view.mutable, view.alloc_shape)
    return lambda number: ttg.local_load(
        ttg.memdesc_subslice(load.src, [0, number * size], part), wanted, token=load.token
    )


def computed_columns(op: ir.Operation, size: int) -> Parts:
    """Those of the result of an elementwise operation.

    A comparison comes with it: LLVM finds maxima, for one, only if it stands beside the selection.
    """
    operands: list[Parts] = []
    for operand in op.operands:
        made = defining(operand)
        if made is not None and is_elementwise(made.operation) and element_bits(operand.type.element_type) == 1:
            operands.append(computed_columns(made.operation, size))
        else:
            operands.append(columns(operand, size).__getitem__)
    wanted = of_columns(op.result.type, size)

    def computed(number: int) -> ir.Value:
        """The operation on the parts of its operands."""
        parts = [part(number) for part in operands]
        return ir.Operation.create(op.name, [wanted], parts, dict(op.attributes), loc=op.location).result

    return computed


def is_elementwise(op: ir.Operation) -> bool:
    """Whether each element of the only result is a function of the elements at its place."""
    if len(op.results) != 1 or not has_trait(op.opview, b"Elementwise") or not is_memory_effect_free(op):
        return False
    return all(isinstance(operand.type, ir.RankedTensorType) for operand in op.operands)


def of_columns(type: Any, size: int) -> ir.RankedTensorType:
    """The type of `size` columns of a matrix, in its layout."""
    return with_layout(ir.RankedTensorType.get([type.shape[0], size], type.element_type), type.encoding)


def columns(tensor: ir.Value, size: int) -> list[ir.Value]:
    """A matrix split into matrices of `size` columns, in its layout; moves no data between threads."""
    height, width = tensor.type.shape
    halvings = (width // size).bit_length() - 1
    parts = [_with_halves_last(tensor, [height, *[2] * halvings, size])]
    for _ in range(halvings):
        parts = [half for part in parts for half in tt.split(part)]
    wanted = of_columns(tensor.type, size)
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
