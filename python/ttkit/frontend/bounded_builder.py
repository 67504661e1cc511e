"""A builder that refuses kernels too large to compile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.frontend.errors import TooManyOperations
from ttkit.language.record import NO_ATTRIBUTES, Attributes, Block, Builder, Operation, Value

MOST_OPERATIONS = 1 << 17
"""Operations of a kernel and the functions it calls, with those recorded only to find out what loops carry: each
level doubles them.  So many are recorded in 3 s.  For a fifth of them in one block, ptxas takes minutes (x86-64,
2026-11)."""


class BoundedBuilder(Builder):
    """Counts the operations of its translation unit.

    Raises, from `emit` and `emit_op`:
        TooManyOperations: there are more than MOST_OPERATIONS.
    """

    __slots__ = ()

    def emit(self, name: str, operands: Sequence[Value], type: str, attributes: Attributes = NO_ATTRIBUTES) -> Value:
        """Appends an operation of one result, which it gives."""
        self._count()
        return super().emit(name, operands, type, attributes)

    def emit_op(
        self,
        name: str,
        operands: Sequence[Value] = (),
        types: Sequence[str] = (),
        attributes: Attributes = NO_ATTRIBUTES,
        regions: Sequence[list[Block]] = (),
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Appends an operation of any number of results."""
        self._count()
        return super().emit_op(name, operands, types, attributes, regions, successors)

    def _count(self) -> None:
        unit: Any = self.unit
        unit.recorded += 1
        if unit.recorded > MOST_OPERATIONS:
            raise TooManyOperations(most=MOST_OPERATIONS)
