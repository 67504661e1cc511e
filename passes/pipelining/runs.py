"""Consecutive operations of one stage, which are copied together."""

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from mlir import ir

from ttkit._native import addresses_of, operation_address, operation_from_pointer
from ttkit.inspection import address_of
from ttkit.passes.infra.nesting import nested_operands
from ttkit.passes.infra.transforms import clone_all
from ttkit.passes.pipelining.predication import needs_predicate


class Run:
    """Consecutive operations of one stage, in the order of the pipelined loop.

    Attributes:
        stage: their stage.
        ops: the operations in order.
        reads: values from outside of the run that they or nested operations use.
        predicated: numbers of the operations that must not run if their iteration does not exist.
        exports: results used elsewhere, as (number of the operation, number of the result, the result).
    """

    def __init__(self, stage: int, ops: Sequence[ir.Operation], reads: Mapping[int, Sequence[ir.Value]]) -> None:
        self.stage, self.ops = stage, list(ops)
        made = {result for op in ops for result in op.results}
        read = dict.fromkeys(value for op in ops for value in reads[address_of(op)])
        self.reads = [value for value in read if value not in made]
        self.predicated = [number for number, op in enumerate(self.ops) if needs_predicate(op)]
        self.exports: list[tuple[int, int, ir.Value]] = []
        self._addresses = addresses_of(ops)

    def find_exports(self, wanted: Set[ir.Value]) -> None:
        """Fills `exports`.

        Args:
            wanted: values that operations of the loop outside of the run use.
        """
        for number, op in enumerate(self.ops):
            self.exports += [(number, index, result) for index, result in enumerate(op.results) if result in wanted]

    def copy(self, before: ir.InsertionPoint, replacement: Callable[[ir.Value], ir.Value | None]) -> "Copies":
        """Copies the operations.

        Args:
            before: where to put the copies.
            replacement: gives the replacement of a value from outside of the run; None keeps the value.
        """
        pairs = [(value, new) for value in self.reads if (new := replacement(value)) is not None]
        return Copies(clone_all(self._addresses, pairs, before))


class Copies:
    """Copies of a run's operations, each read on demand."""

    def __init__(self, clones: "ctypes.Array[Any]") -> None:
        self._clones = clones

    def __getitem__(self, index: int) -> ir.Operation:
        """The copy of operation number `index` of the run."""
        return operation_from_pointer(self._clones[index])

    def __setitem__(self, index: int, op: ir.Operation) -> None:
        """Replaces the operation that is recorded as a copy."""
        self._clones[index] = operation_address(op)

    def exports(self, run: Run) -> list[tuple[ir.Value, ir.Value]]:
        """The exported results of the run with their copies."""
        return [(result, self[number].results[index]) for number, index, result in run.exports]


def reads_of(ops: Iterable[ir.Operation]) -> dict[int, list[ir.Value]]:
    """Address of each operation -> the values from outside that it and its regions use, each once."""
    return {address_of(op): nested_operands(op) for op in ops}
