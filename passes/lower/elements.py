"""Elements of lowered values: those of a vector, or a scalar as the only one."""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.passes.lower.emitter import Emitter


class Elements:
    """Takes lowered values apart, and puts them together."""

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit

    @staticmethod
    def count(value: ir.Value) -> int:
        """Number of registers that a lowered value takes: the length of a vector, 1 for a scalar."""
        return value.type.shape[0] if isinstance(value.type, ir.VectorType) else 1

    def at(self, value: ir.Value, index: int) -> ir.Value:
        """An element of a vector; a scalar itself."""
        if not isinstance(value.type, ir.VectorType):
            return value
        is_bit = value.type.element_type == self.emit.i1
        return self.emit.extract_bit(value, index) if is_bit else self.emit.extract(value, index)

    def all(self, value: ir.Value) -> list[ir.Value]:
        """The elements of a vector; of a scalar itself."""
        return self.emit.unpack(value) if isinstance(value.type, ir.VectorType) else [value]

    def slice(self, value: ir.Value, first: int, count: int) -> ir.Value:
        """`count` registers from `first` on, as a vector."""
        if not isinstance(value.type, ir.VectorType):
            return self.emit.splat(value, 1)
        return self.emit.slice(value, first, count)

    def result(self, result: ir.Value, vector: ir.Value) -> ir.Value:
        """Lowered value of `result` from a vector of its registers: that for a tensor, its element 0 for a scalar."""
        return vector if isinstance(result.type, ir.RankedTensorType) else self.emit.extract(vector, 0)

    def each(self, function: Callable[..., Any], *values: ir.Value) -> ir.Value:
        """function(a, b, ...) of scalars, for each element of vectors."""
        if not values or not isinstance(values[0].type, ir.VectorType):
            return function(*values)
        return self.emit.pack([function(*elements) for elements in zip(*map(self.emit.unpack, values), strict=True)])

    def of_length(self, value: ir.Value, length: int) -> ir.Value:
        """A scalar as a vector of `length` to compute with vectors; unchanged if `length` is 0."""
        return self.emit.splat(value, length) if length and not isinstance(value.type, ir.VectorType) else value
