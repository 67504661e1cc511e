"""Pieces of inline PTX of several instructions, with many operands."""

from collections.abc import Sequence
from dataclasses import field

from mlir import ir

from ttkit.passes.lower.emitter import Emitter
from ttkit.records import dataclass


@dataclass
class Assembly:
    """Operands of a piece of assembly, after its results and the operands tied to them.

    results: how many; tied: whether as many operands are tied to them; repeats: whether a value that comes again is
    another operand.
    """

    results: int = 0
    tied: bool = False
    repeats: bool = False
    operands: list[ir.Value] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    _names: dict[ir.Value, str] = field(default_factory=dict)

    def operand(self, value: ir.Value, kind: str) -> str:
        """The name of an operand; the same again for the same value, unless it `repeats`."""
        if self.repeats or value not in self._names:
            self._names[value] = f"${self.results * (1 + self.tied) + len(self.operands)}"
            self.operands.append(value)
            self.kinds.append(kind)
        return self._names[value]


def braced(names: Sequence[str]) -> str:
    """Names of registers as one operand of PTX."""
    return names[0] if len(names) == 1 else f"{{ {', '.join(names)} }}"


def in_assembly(
    emit: Emitter,
    text: str,
    tied: Sequence[ir.Value],
    operands: Sequence[ir.Value],
    kinds: Sequence[str],
    types: Sequence[ir.Type] = (),
) -> list[ir.Value]:
    """Inline PTX whose results are registers that it changes: `tied`, if there are any, then `operands`.

    types: of the results; left out, those of `tied`.
    """
    types = types or [value.type for value in tied]
    results = ["=f" if type == emit.f32 else "=r" for type in types]
    constraints = ",".join([*results, *(str(number) for number in range(len(tied))), *kinds])
    if not types:
        emit.inline_asm(text, constraints, None, *operands)
        return []
    return assembled(emit, text, constraints, types, [*tied, *operands])


def assembled(
    emit: Emitter,
    text: str,
    constraints: str,
    types: Sequence[ir.Type],
    operands: Sequence[ir.Value],
    effects: bool = True,
) -> list[ir.Value]:
    """Inline PTX with a result of each type; at least one type."""
    struct = types[0] if len(types) == 1 else emit.struct(types)
    found = emit.inline_asm(text, constraints, struct, *operands, effects=effects)
    assert found is not None
    return [found] if len(types) == 1 else [emit.field(found, number, type) for number, type in enumerate(types)]
