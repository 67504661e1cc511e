"""The tensors in global memory that operations read and write, by the values that their addresses come from.

    %p = tt.addptr %out, %i           // comes from %out
    %q = arith.select %c, %p, %a      // comes from %out or %a
    %r = tt.int_to_ptr %n             // comes from the value that %n was loaded with, or from %n itself

Pointers that come from different arguments of a function point to different tensors: Triton and users rely on that.
So two accesses can only touch the same memory if their addresses may come from the same value.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from mlir import ir

from ttkit.analysis.control_flow import incoming_values
from ttkit.dialects._tt_types import PointerType, TensorDescType
from ttkit.inspection import defining, memory_effects
from ttkit.operation_sets import ATOMICS, COPIES_TO_SHARED, LOADS

Origin: TypeAlias = tuple[ir.Value, int]
"""A value, and how many times memory is read on the way from it to an address: 1 for pointers in a tensor."""


class Touched(NamedTuple):
    """The tensors that an operation may read and write."""

    read: frozenset[Origin]
    written: frozenset[Origin]

    def conflicts_with(self, other: "Touched") -> bool:
        """Whether two operations may touch the same tensor, and one of them writes it."""
        return not (
            self.written.isdisjoint(other.written)
            and self.written.isdisjoint(other.read)
            and self.read.isdisjoint(other.written)
        )


class GlobalAccesses:
    """The tensors that operations touch; it keeps what it has found, so the program must not change meanwhile."""

    def __init__(self) -> None:
        self._origins: dict[ir.Value, frozenset[Origin]] = {}

    def touched(self, op: ir.Operation) -> Touched:
        """The tensors that an operation touches itself, without the operations in its regions."""
        nothing: frozenset[Origin] = frozenset()
        addresses = [value for value in op.operands if is_address(value.type)] if not len(op.regions) else []
        if not addresses or memory_effects(op) == []:
            return Touched(nothing, nothing)
        found = nothing.union(*map(self.origins, addresses))
        return Touched(found, nothing) if op.name in (*LOADS, *COPIES_TO_SHARED) else Touched(found, found)

    def touched_in(self, op: ir.Operation) -> Touched:
        """The tensors that an operation and those in its regions touch."""
        if not len(op.regions):
            return self.touched(op)
        found: list[Touched] = []

        def note(inner: ir.Operation) -> ir.WalkResult:
            """Adds what an operation touches."""
            found.append(self.touched(inner))
            return ir.WalkResult.ADVANCE

        op.walk(note)
        return Touched(
            frozenset().union(*(one.read for one in found)), frozenset().union(*(one.written for one in found))
        )

    def origins(self, address: ir.Value) -> frozenset[Origin]:
        """The values from which an address may come."""
        if address not in self._origins:
            self._origins[address] = frozenset(self._search(address))
        return self._origins[address]

    def _search(self, address: ir.Value) -> Iterator[Origin]:
        waiting: list[Origin] = [(address, 0)]
        seen = set(waiting)
        while waiting:
            value, reads = waiting.pop()
            sources = list(_sources(value, reads))
            if not sources:
                yield value, reads
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)


def is_address(type: ir.Type) -> bool:
    """Whether values of a type are pointers, tensors of pointers or descriptors."""
    element = type.element_type if isinstance(type, ir.RankedTensorType) else type
    return isinstance(element, (PointerType, TensorDescType))


def _sources(value: ir.Value, reads: int) -> Iterable[Origin]:
    """The values from which `value` comes in one step; none for an origin."""
    passed = incoming_values(value)
    if passed is not None:
        return [(source, reads) for source in passed]
    made = defining(value)
    if made is None:
        return []
    op = made.operation
    if op.name in (*LOADS, *ATOMICS):
        return [(source, reads + 1) for source in op.operands if is_address(source.type)]
    addresses = [source for source in op.operands if is_address(source.type)]
    if addresses or not (op.name == "tt.int_to_ptr" or _carries_address(op)):
        return [(source, reads) for source in addresses]
    return [(source, reads) for source in op.operands if _may_hold_address(source)]


def _carries_address(op: ir.Operation) -> bool:
    """Whether an operation computes integers of 64 bits from others, which may be addresses."""
    return memory_effects(op) == [] and any(_is_wide(result.type) for result in op.results)


def _is_wide(type: ir.Type) -> bool:
    element = type.element_type if isinstance(type, ir.RankedTensorType) else type
    return isinstance(element, ir.IntegerType) and element.width == 64


def _may_hold_address(value: ir.Value) -> bool:
    made = defining(value)
    return _is_wide(value.type) and (made is None or made.operation.name not in ("arith.constant", "arith.extsi"))
