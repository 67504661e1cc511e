"""Views whose layout does not follow from their operand's, as the language infers it: passes chose it."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.dialects import ttg
from ttkit.inspection import collect
from ttkit.language.distributed import VIEWS
from ttkit.layout import to_linear_layout
from ttkit.layout.encoding_parser import parse_layout
from ttkit.layout.gluon.from_encoding import from_encoding
from ttkit.lift.values import is_tensor, refuse

_ARGUMENTS: dict[str, Any] = {
    "tt.trans": lambda op: (tuple(ir.DenseI32ArrayAttr(op.attributes["order"])),),
    "tt.reshape": lambda op: (tuple(op.results[0].type.shape),),
    "tt.join": lambda op: (),
    "tt.split": lambda op: (),
    "tt.expand_dims": lambda op: (ir.IntegerAttr(op.attributes["axis"]).value,),
    "ttg.fp4_to_fp": lambda op: (ir.IntegerAttr(op.attributes["axis"]).value,),
    "tt.reduce": lambda op: (ir.IntegerAttr(op.attributes["axis"]).value,),
}


def convert_views(module: ir.Module) -> None:
    """Gives views the layout that the language infers, and converts it: to another name of the same places."""
    for op in collect(module.operation, list(_ARGUMENTS)):
        if not is_tensor(op.results[0]) or "allow_reorder" in op.attributes:
            continue
        try:
            inferred, found = _inferred(op), _layout_of(op.results[0].type)
        except ValueError:
            continue
        shape = tuple(op.results[0].type.shape)
        if inferred == found or to_linear_layout(shape, inferred.encoding) != to_linear_layout(shape, found.encoding):
            continue
        for result in op.results:
            wanted = result.type
            with op.location, ir.InsertionPoint.after(op):
                encoding = ir.Attribute.parse(inferred.text)
                result.set_type(ir.RankedTensorType.get(wanted.shape, wanted.element_type, encoding))
                converted = ttg.convert_layout(result, wanted)
            result.replace_all_uses_except(converted, converted.owner.operation)


def _inferred(op: ir.Operation) -> Any:
    """The layout that the language infers for a view.  Raises ValueError: none."""
    source = op.operands[0].type
    rule = VIEWS[op.name.partition(".")[2]]
    return rule(_layout_of(source), tuple(source.shape), *_ARGUMENTS[op.name](op))


def _layout_of(type: ir.Type) -> Any:
    return from_encoding(parse_layout(str(type.encoding)))


def check_inferred(op: ir.Operation) -> None:
    """Checks that a view's result has the layout that the language infers.

    Raises:
        LiftError: it has another one.
    """
    if op.name not in _ARGUMENTS or not is_tensor(op.results[0]) or "allow_reorder" in op.attributes:
        return
    found = _layout_of(op.results[0].type)
    try:
        inferred = _inferred(op)
    except ValueError as error:
        refuse(op, str(error))
    if inferred != found:
        refuse(op, f"its result has the layout {found}, where {inferred} follows from the operand")
