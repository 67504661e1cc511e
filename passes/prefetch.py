"""Load the first slice of a dot's operands one iteration early, so that tensor cores start without waiting.

    scf.for ... iter_args(%acc, %m, %n) {              %a0 = ttg.local_load (first columns of %m0)
      %a = ttg.local_load %m                           %b0 = ttg.local_load (first rows of %n0)
      %b = ttg.local_load %n                           scf.for ... iter_args(%acc, %m, %n, %x = %a0, %y = %b0) {
      %d = tt.dot %a, %b, %acc                    =>     %a1 = ttg.local_load (next columns of %m)
      scf.yield %d, %m1, %n1                             %b1 = ttg.local_load (next rows of %n)
    }                                                    %d0 = tt.dot %x, %y, %acc
                                                         %a2 = ttg.local_load (first columns of %m1)
                                                         %b2 = ttg.local_load (first rows of %n1)
                                                         %d = tt.dot %a1, %b1, %d0
                                                         scf.yield %d, %m1, %n1, %a2, %b2
                                                       }

A slice has the width of an instruction's operand.  Elementwise operations between load and dot apply to each slice.

Input:  ttg.      Output: ttg; conversions of layouts canonicalized.
Order:  after pipeline, whose loops carry the buffers.
Skips:  loops without a product for mma.sync or mfma, with several, or with another one; loads that wait for a token, as
        those of pipeline do; buffers that the loop does not carry.  A loop with one product loses its attributes, which
        were for passes before this one, also where nothing is loaded early.
Test:   test/lit/passes/prefetch.mlir
"""

from typing import Any, NamedTuple

from mlir import ir

from ttkit.dialects import scf, ttg
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import collect, only_user, terminator
from ttkit.layout.encodings import AmdMfma, DotOperand, NvidiaMma
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import Pass, canonicalize_ops, clone_operations, contains_any, replace_by, replace_each
from ttkit.passes.infra.loops import body_of, body_operations, carried_number
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.layouts.shared import has_slices

# A slice has 8 times as many columns as a register group, or 256 bits where the layout does not say.
GROUPS_OF_SLICE, DEFAULT_SLICE_BITS = 8, 256


class Prefetch(Pass):
    """Load the first slice of a dot's operands one iteration early"""

    name = "tritongpu-prefetch"
    may_change = "the order of floating-point sums"

    def run(self, op: ir.Operation) -> None:
        """Prefetches in each loop with one dot whose operands both can be sliced."""
        canonicalize_ops(op, [CONVERT_LAYOUT])
        if not contains_any(op, ["tt.dot"]):
            return
        for loop in collect(op, ["scf.for"]):
            product = only_product(loop)
            if product is None:
                continue
            unsigned = loop.opview.unsignedCmp
            for name in list(loop.attributes):  # all others are for passes before this one
                del loop.attributes[name]
            loop.opview.unsignedCmp = unsigned
            operands = [sliced_operand(loop, product, number) for number in (0, 1)]
            if operands[0] is not None and operands[1] is not None:
                with loop.location:
                    prefetch(loop, product, [operands[0], operands[1]])


def only_product(loop: ir.Operation) -> ir.Operation | None:
    """The tt.dot of a loop's body, if there is just one and an instruction of a warp computes it."""
    products = [op for op in body_operations(loop) if op.name == "tt.dot"]
    if len(products) != 1:
        return None
    layout = layout_of(products[0].result)
    suits = isinstance(layout, AmdMfma) or (isinstance(layout, NvidiaMma) and layout.version_major == 2)
    return products[0] if suits else None


class SlicedOperand(NamedTuple):
    """An operand of a dot that is loaded in slices.

    Attributes:
        number: 0 or 1 of the product.
        carried: number of the buffer among the values that the loop carries.
        width: columns of A, or rows of B, in a slice.
        chain: the ttg.local_load, and the elementwise operations up to the operand.
    """

    number: int
    carried: int
    width: int
    chain: list[ir.Operation]


def sliced_operand(loop: ir.Operation, product: ir.Operation, number: int) -> SlicedOperand | None:
    """Plan for slicing an operand along K; None if it is too small, or not loaded from a loop-carried buffer
    that has slices."""
    type = product.opview.a.type
    layout = layout_of(product.opview.a)
    k_width = layout.k_width if isinstance(layout, DotOperand) else 0
    width = GROUPS_OF_SLICE * k_width if k_width else DEFAULT_SLICE_BITS // type.element_type.width
    chain = load_chain(factor(product, number))
    if type.shape[-1] < width or chain is None:
        return None
    buffer = chain[0].opview.src.type
    if not has_slices(buffer, len(buffer.shape) - 1 - number, width):
        return None
    carried = carried_number(chain[0].opview.src, body_of(loop))
    return None if carried is None else SlicedOperand(number, carried, width, chain)


def factor(product: ir.Operation, number: int) -> ir.Value:
    """Operand 0, A, or 1, B, of a dot."""
    dot: Any = product.opview
    return dot.b if number else dot.a


def load_chain(value: ir.Value) -> list[ir.Operation] | None:
    """A ttg.local_load and the operations from it to a value, each used by the next alone; None if there is none."""
    chain: list[ir.Operation] = []
    while not isinstance(value.owner, ir.Block):
        op = value.owner.operation
        if len(op.operands) != 1 or only_user(value) is None:
            return None
        chain.insert(0, op)
        if op.name == "ttg.local_load":
            return chain if isinstance(layout_of(op.result), DotOperand) else None
        (value,) = op.operands
    return None


def load_slice(
    operand: SlicedOperand, buffer: ir.Value, product: ir.Operation, start: int, at: ir.InsertionPoint
) -> ir.Value:
    """Loads one slice of a buffer, with the elementwise operations of the chain.

    Args:
        start: the first column of A or row of B.
    """
    shape = list(buffer.type.shape)
    axis = len(shape) - 1 - operand.number
    shape[axis] = operand.width
    offsets = [start if dimension == axis else 0 for dimension in range(len(shape))]
    location = factor(product, operand.number).location
    parent = layout_of(product.result)
    assert parent is not None
    layout = DotOperand(operand.number, parent, operand.width // GROUPS_OF_SLICE)
    view = ttg.memdesc_subslice(buffer, offsets, shape, loc=location, ip=at)
    value = ttg.local_load(view, layout, loc=location, ip=at)
    for op in operand.chain[1:]:
        (source,) = op.operands
        (clone,) = clone_operations([op], [(source, value)], at)
        result = clone.result
        result.set_type(ir.RankedTensorType.get(shape, result.type.element_type, value.type.encoding))
        value = result
    return value


def prefetch(loop: ir.Operation, product: ir.Operation, operands: list[SlicedOperand]) -> None:
    """Replaces a loop by one that carries the first slices."""
    initial = list(loop.opview.initArgs)
    before = ir.InsertionPoint(loop)
    first = [load_slice(operand, initial[operand.carried], product, 0, before) for operand in operands]
    bounds = loop.opview.lowerBound, loop.opview.upperBound, loop.opview.step
    unsigned = loop.opview.unsignedCmp
    new = scf.for_(*bounds, [*initial, *first], unsigned_cmp=unsigned, loc=loop.location, ip=before)
    body = body_operations(loop)
    last = terminator(body_of(loop)).operation
    for op in (*body, last):
        new.body.append(op)
    replace_each(body_of(loop).arguments, new.body.arguments)
    carried = list(new.inner_iter_args)
    slices = carried[len(initial) :]
    late = split_product(product, operands, carried, slices)
    # The last dot comes after the following operations, except its users and control flow.
    following = [op for op in body[body.index(product) + 1 :] if len(op.regions) or uses(op, product)]
    late.move_before(following[0] if following else last)
    product.result.replace_all_uses_with(late.result)
    at = ir.InsertionPoint(last if following else late)
    yielded = list(last.operands)
    yielded += [load_slice(operand, yielded[operand.carried], product, 0, at) for operand in operands]
    scf.yield_(yielded, loc=last.location, ip=ir.InsertionPoint(last))
    last.erase()
    replace_by(loop, new.operation.results)


def uses(op: ir.Operation, product: ir.Operation) -> bool:
    """Whether an operand of `op` is a result of `product`."""
    return any(value in (result for result in product.results) for value in op.operands)


def split_product(
    product: ir.Operation, operands: list[SlicedOperand], carried: list[ir.Value], slices: list[ir.Value]
) -> ir.Operation:
    """Puts dot operations of slices after a tt.dot, and returns the last one.

    Args:
        carried: the values that the new loop carries.
        slices: the first of each operand.
    """
    size, width = product.opview.a.type.shape[-1], operands[0].width
    after = ir.InsertionPoint.after(product)
    last = clone_with(product, [*slices, product.opview.c], after)
    for start in range(width, size, width):
        at = ir.InsertionPoint(last)
        loaded = [load_slice(operand, carried[operand.carried], product, start, at) for operand in operands]
        last = clone_with(product, [*loaded, last.result], ir.InsertionPoint.after(last))
    return last


def clone_with(product: ir.Operation, operands: list[ir.Value], at: ir.InsertionPoint) -> ir.Operation:
    """A copy of a dot with other operands."""
    (clone,) = clone_operations([product], [], at)
    set_operands(clone, [*operands, *list(clone.operands)[len(operands) :]])
    return clone
