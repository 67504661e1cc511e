"""Operands of dots: values that they take directly, after conversions, or computed; and copies in registers."""

from __future__ import annotations

from mlir import ir

from ttkit.inspection import defining
from ttkit.operation_sets import ALONG_AXIS, DESCRIPTOR_LOADS, DOTS, TENSOR_VIEWS

_LOADS = ("tt.load", *DESCRIPTOR_LOADS)
_ROWS, _COLUMNS = 16, 8  # of the result of one mma.sync


def leads_to_dot(value: ir.Value, depth: int = 4) -> bool:
    """Whether a dot takes a value as a matrix, perhaps after conversions and transpositions."""
    for use in value.uses:
        op = use.owner.operation
        if op.name in DOTS:
            if use.operand_number < 2:
                return True
        elif depth and len(op.results) == 1 and len(op.operands) == 1 and leads_to_dot(op.results[0], depth - 1):
            return True
    return False


def dots_after(value: ir.Value) -> list[ir.Operation]:
    """The dots that need a value for an operand, whatever is computed between, but not over iterations of a loop."""
    found: list[ir.Operation] = []
    seen, waiting = {value}, [value]
    while waiting:
        for use in waiting.pop().uses:
            op = use.owner.operation
            if op.name in DOTS and use.operand_number < 2:
                found.append(op)
            elif not len(op.regions) or op.name in ALONG_AXIS:
                fresh = [result for result in op.results if result not in seen]
                seen.update(fresh)
                waiting += fresh
    return found


def is_converted_load(value: ir.Value) -> bool:
    """Whether a value is loaded, and then changed element by element, without another value."""
    while (made := defining(value)) is not None and made.operation.name not in _LOADS:
        if len(made.operation.operands) != 1:
            return False
        value = made.operation.operands[0]
    return made is not None


def is_for_dots_alone(value: ir.Value) -> bool:
    """Whether dots take a value, or views of it, and nothing else does."""
    for use in value.uses:
        op = use.owner.operation
        is_view = op.name in TENSOR_VIEWS and is_for_dots_alone(op.results[0])
        if not is_view and (op.name not in DOTS or use.operand_number > 1):
            return False
    return True


def fragment_elements(rows: int, columns: int, inner: int, warps: int) -> int:
    """Elements of both operands that all warps have in registers for a product by mma.sync: each has the rows and the
    columns of its part of the result, so that some are there several times.

    Warps are spread as Triton does it: each doubling of their number divides the longer side of a warp's part.
    """
    down = across = 1
    while down * across < warps:
        if rows > _ROWS * down and rows // (_ROWS * down) >= columns // (2 * _COLUMNS * across):
            down *= 2
        else:
            across *= 2
    return inner * (max(rows, _ROWS * down) * across + max(columns, _COLUMNS * across) * down)
