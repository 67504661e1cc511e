"""Comparisons of values of one type and shape.

Ops: arith.cmpf, arith.cmpi.    Interpreter: interpreter/ops/arith.py
"""

from __future__ import annotations

from ttkit.language.building import builder
from ttkit.language.tensor import tensor
from ttkit.language.types import int1

_FLOAT_PREDICATES = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}  # arith.cmpf: ordered, but `une`
_INTEGER_PREDICATES = {"eq": 0, "ne": 1, "lt": 2, "le": 3, "gt": 4, "ge": 5}  # arith.cmpi: signed; unsigned are 4 more


def compare(name: str, x: tensor, y: tensor) -> tensor:
    """`x` and `y` compared element by element, as bools.

    Args:
        name: one of eq, ne, lt, le, gt, ge.
        x, y: of one type and shape.
    """
    scalar = x.type.scalar
    if scalar.is_floating():
        op, predicate = "arith.cmpf", _FLOAT_PREDICATES[name]
    else:
        op, predicate = "arith.cmpi", _INTEGER_PREDICATES[name]
        if predicate > 1 and not scalar.is_int_signed():
            predicate += 4
    type = x.type.with_element_ty(int1)
    return tensor(builder().emit(op, (x.handle, y.handle), type.ir, {"predicate": f"{predicate} : i64"}), type)
