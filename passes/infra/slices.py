"""Slices: the operations that depend on others."""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence

from mlir import ir

from ttkit._native import addresses_of, array_type, library, operation_handle
from ttkit.inspection import address_of, defining

Keep = Callable[[ir.Operation], bool]
Neighbours = Callable[[ir.Operation], Iterable[ir.Operation]]


def connected_slices(root: ir.Operation, ops: Sequence[ir.Operation]) -> tuple[list[int], list[list[int]]]:
    """Groups operations that are connected by definitions and uses, but not through block arguments.

    Returns:
        The number of each operation's slice; and for each slice its own number and those of the slices in the regions
        of its operations, at any depth.
    """
    count = len(ops)
    slices, reaches = array_type(ctypes.c_size_t, count)(), array_type(ctypes.c_bool, count * count)()
    total = library().ttkitSlices(operation_handle(root), addresses_of(ops), count, slices, reaches)
    inside = [[b for b in range(total) if reaches[a * count + b]] for a in range(total)]
    return list(slices), inside


def backward_slice(op: ir.Operation, keep: Keep) -> list[ir.Operation]:
    """The operations on which `op` depends, directly or not, without `op`; not through block arguments.

    Args:
        keep: whether an operation belongs to the slice; the slice stops at others.
    """
    return list(closure(op, _sources, keep))


def forward_slice(op: ir.Operation, keep: Keep = lambda _: True) -> Iterator[ir.Operation]:
    """The operations that depend on `op`, directly or not, and those in their regions, without `op`; lazily.

    Args:
        keep: whether an operation belongs to the slice; the slice stops at others.
    """
    return closure(op, _users, keep)


def connected(op: ir.Operation, keep: Keep) -> Iterator[ir.Operation]:
    """The operations connected with `op` by definitions and uses in any direction, without `op`; lazily.

    Args:
        keep: as for slices.
    """
    return closure(op, lambda inner: (*_sources(inner), *_users(inner)), keep)


def closure(op: ir.Operation, neighbours: Neighbours, keep: Keep = lambda _: True) -> Iterator[ir.Operation]:
    """The transitive neighbours of `op`, without `op`; lazily.

    Args:
        keep: whether an operation belongs to them; the search stops at others.
    """
    seen, waiting = {address_of(op)}, [op]
    while waiting:
        for other in neighbours(waiting.pop()):
            address = address_of(other)
            if address not in seen:
                seen.add(address)
                if keep(other):
                    waiting.append(other)
                    yield other


def each_once(waiting: list[ir.Value], seen: set[ir.Value] | None = None) -> Iterator[ir.Value]:
    """Takes values from the end of a worklist, each once; the caller may add more meanwhile.

    Args:
        seen: the values that were taken before; the others are added.
    """
    seen = set() if seen is None else seen
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            yield value


def _sources(op: ir.Operation) -> Iterator[ir.Operation]:
    for operand in op.operands:
        source = defining(operand)
        if source is not None:
            yield source.operation


def _users(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
    for result in op.results:
        for use in result.uses:
            yield use.owner.operation
