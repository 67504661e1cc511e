"""Loads of tensor memory, and computations on them, in parts, if a thread lacks registers for all of it at once.

    %x = ttng.tmem_load %d           // 128 registers a thread      tcgen05.ld.x64, and the wait for it
    %s = arith.mulf %x, %scales                                =>   half of %s, and of %r
    %r = arith.addf %sums, %s        // 128 registers more          tcgen05.ld.x64, and the wait for it
                                                                    the other half of %s, and of %r

A store to the loaded memory is divided too: for example, a partition with few registers that scales an accumulator.
Without parts, ptxas spilled to local memory; with them it does not (ptxas 13.0, 2026-11):

- 448 bytes for a block-scaled dot of 128x256 with eight warps, 624 for one of 64x256 with four
- 656 bytes for a scaled accumulator of 128 elements a thread in 88 registers
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from mlir import ir

from ttkit.inspection import element_bits, memory_effects, next_operation, users_of
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.operation_sets import TMEM_STORE
from ttkit.passes.layouts.elementwise_chain import elementwise_users, fits
from ttkit.passes.lower.arith import DIVISIONS, SAME
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import handler_of
from ttkit.records import dataclass
from ttkit.target import NAMED_REGISTERS

COMBINING = frozenset(f"arith.{name}" for name in SAME.keys() - DIVISIONS)
"""Operations whose handlers compute vectors of any length."""


@dataclass
class Chain:
    """Elementwise operations on a loaded tensor.

    combining: the operations, one after the other.
    store: the store of their result to the loaded memory, or None.
    lowered: the operands of each operation after the lowering.
    """

    load: ir.OpView
    combining: list[ir.Operation]
    store: ir.Operation | None
    lowered: dict[ir.Operation, Sequence[ir.Value]] = field(default_factory=dict)

    @property
    def last(self) -> ir.Operation:
        """The last operation, whose handler computes all parts."""
        return self.store or self.combining[-1]

    def part(self, low: Lowering, loaded: ir.Value, registers: Sequence[int]) -> ir.Value:
        """The result's elements in some registers, in their order, computed from the loaded ones."""
        emit, known = low.emit, {self.load.result: loaded}
        for op in self.combining:
            given = zip(op.operands, self.lowered[op], strict=True)
            parts = [known[value] if value in known else emit.pick(whole, registers) for value, whole in given]
            handler = handler_of(op.name)
            assert handler is not None
            emit.location = op.location
            known[op.result] = handler(low, op.opview, *parts)
        return known[self.combining[-1].result]


def chain_of(load: ir.OpView, registers: int) -> Chain | None:
    """Elementwise operations on a load that need more than `registers` registers; None if they fit."""
    type = load.result.type
    if len(load.operation.operands) > 1 or element_bits(type.element_type) != REGISTER_BITS:
        return None  # ordered by a token, or packed
    combining = elementwise_users(load.result)
    if not combining or any(op.name not in COMBINING for op in combining):
        return None
    if fits([load.operation, *combining], min(registers, NAMED_REGISTERS)):
        return None
    users = users_of(combining[-1].result)
    stores = [user for user in users if user.name == TMEM_STORE and stores_back(user, load)]
    chain = Chain(load, combining, stores[0] if len(users) == len(stores) == 1 else None)
    following = next_operation(load.operation)
    while following is not None and following != chain.last:
        effects = memory_effects(following)
        if effects is None or any(kind != "read" for kind, *_ in effects):
            return None
        following = next_operation(following)
    return chain if following is not None else None


def stores_back(store: ir.Operation, load: ir.OpView) -> bool:
    """Whether a store overwrites the loaded memory, in the same block and without tokens."""
    op = store.opview
    return op.dst == load.src and store.block == load.operation.block and len(store.operands) == 3
