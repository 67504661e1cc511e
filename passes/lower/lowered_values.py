"""The lowered form of the values and blocks of the source."""

from collections.abc import Iterable
from typing import Any

from mlir import ir

from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.types import Fragment, TypeConverter


class LoweredValues:
    """Lowered values and blocks of the current function.

    Attributes:
        known: what each value of tt or ttg became.
        blocks: the lowered block of each block.
    """

    def __init__(self, emit: Emitter, types: TypeConverter) -> None:
        self.emit, self.types = emit, types
        self.known: dict[ir.Value, Any] = {}
        self.blocks: dict[ir.Block, ir.Block] = {}
        self._vectors: dict[Any, ir.Value] = {}

    def forget(self) -> None:
        """Lets go of the source, which is about to be erased."""
        self.known.clear()
        self._vectors.clear()
        self.blocks.clear()

    def of(self, value: ir.Value) -> Any:
        """Lowered form of a value of the source; a tensor as a vector of registers."""
        return self.plain(self.known[value])

    def plain(self, lowered: Any) -> Any:
        """Form that most handlers take: a fragment packed to a vector, anything else unchanged."""
        if not isinstance(lowered, Fragment):
            return lowered
        assert self.emit.place is not None
        # Once in each block: other blocks may not see what this one makes.
        key = (self.emit.place.block, lowered.registers[0], len(lowered.registers))
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors[key] = self.types.as_vector(lowered)
        return found

    def set(self, values: Iterable[ir.Value], parts: Iterable[ir.Value]) -> None:
        """Notes what values of tt or ttg became: the parts of all of them, one after the other; others may follow."""
        rest = iter(parts)
        for value in values:
            count = len(self.types.parts(value.type))
            self.known[value] = self.types.join(value.type, [next(rest) for _ in range(count)])

    def block(self, block: ir.Block) -> ir.Block:
        """Lowered block of a block of the current function."""
        return self.blocks[block]

    def parts(self, values: Iterable[ir.Value]) -> list[ir.Value]:
        """The parts of all values, as a branch or call passes them on."""
        return [part for value in values for part in self.types.flatten(value.type, self.known[value])]
