"""Views whose layout does not follow from their operand's, as the language infers it: passes chose it."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.language.distributed import VIEWS
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


def check_inferred(op: ir.Operation) -> None:
    """Checks that a view's result has the layout that the language infers.

    Raises:
        LiftError: it has another one.
    """
    if op.name not in _ARGUMENTS or not is_tensor(op.results[0]) or "allow_reorder" in op.attributes:
        return
    source, found = op.operands[0].type, from_encoding(parse_layout(str(op.results[0].type.encoding)))
    layout = from_encoding(parse_layout(str(source.encoding)))
    try:
        inferred = VIEWS[op.name.partition(".")[2]](layout, tuple(source.shape), *_ARGUMENTS[op.name](op))
    except ValueError as error:
        refuse(op, str(error))
    if inferred != found:
        refuse(op, f"its result has the layout {found}, where {inferred} follows from the operand")
