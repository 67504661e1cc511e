"""Straight-line operations that a pass writes once and then copies, natively, wherever it needs them.

A copied operation costs a seventh of one built from Python (x86-64, 2026-11).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import TracebackType
from typing import TypeAlias

from mlir import ir

from ttkit._native import Handle, handle, library, operation_from_pointer, operation_handle

Build: TypeAlias = Callable[..., Sequence[ir.Value]]


class Templates:
    """The templates of a pass, each made when it is first needed.  They live as long as the `with` block.

    with Templates() as templates:
        square = templates.get(("square", i32), [i32], lambda x: [arith.muli(x, x)])
        (result,) = square.copy(before=op, arguments=[op.operands[0]])
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Template] = {}

    def __enter__(self) -> Templates:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Not left to the garbage collector: the context may be gone by then.
        for template in self._made.values():
            template.erase()
        self._made.clear()

    def get(self, key: Hashable, arguments: Sequence[ir.Type], build: Build) -> Template:
        """The template of that key.

        Args:
            key: what the operations depend on.
            arguments: types of the template's arguments.
            build: builds the operations, called with the arguments; gives the results.
        """
        if key not in self._made:
            self._made[key] = Template(arguments, build)
        return self._made[key]


class Template:
    """Operations with arguments and results, but no place yet; see `Templates`."""

    def __init__(self, arguments: Sequence[ir.Type], build: Build) -> None:
        unknown = ir.Location.unknown()
        # Any operation with a region can hold the block; this one is never verified.
        self._owner = ir.Operation.create("builtin.module", regions=1, loc=unknown)
        block = self._owner.regions[0].blocks.append(*arguments, arg_locs=[unknown] * len(arguments))
        try:
            with ir.InsertionPoint(block), unknown:
                results = build(*block.arguments)
        except BaseException:
            self.erase()
            raise
        operations = [op.operation for op in block.operations]
        self._operations = (Handle * len(operations))(*map(operation_handle, operations))
        self._arguments = (Handle * len(arguments))(*(handle(value, "Value") for value in block.arguments))
        self._results = [self._position(operations, value) for value in results]

    def erase(self) -> None:
        self._owner.erase()

    @staticmethod
    def _position(operations: list[ir.Operation], value: ir.Value) -> tuple[int | None, int]:
        """(index of the operation, or None for the arguments; index among its results or the arguments)."""
        if isinstance(value.owner, ir.Block):
            return None, ir.BlockArgument(value).arg_number
        return operations.index(value.owner.operation), ir.OpResult(value).result_number

    def copy(self, before: ir.Operation, arguments: Sequence[ir.Value]) -> list[ir.Value]:
        """Copies the operations in front of `before`, whose location they get.

        Args:
            before: an operation in a block.
            arguments: what stands for the template's arguments, of the same types.

        Returns:
            What stands for the template's results.
        """
        lib = library()
        count = len(self._operations)
        clones = (Handle * count)()
        given = (Handle * len(arguments))(*(handle(value, "Value") for value in arguments))
        block, place = handle(before.block, "Block"), operation_handle(before)
        lib.ttkitCloneOperations(self._operations, count, self._arguments, given, len(arguments), block, place, clones)
        lib.ttkitSetLocations(clones, count, handle(before.location, "Location"))
        return [
            arguments[number] if index is None else operation_from_pointer(clones[index].pointer).results[number]
            for index, number in self._results
        ]
