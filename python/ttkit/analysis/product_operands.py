"""Operands that products read from shared memory themselves, as the attribute ttg.read_by_products says.

A product without tensor cores needs whole rows and columns: more than a thread has registers for.  So a ttg.local_load
with this attribute loads nothing where it stands; it only says where the operand is, and each tt.dot that uses it reads
the memory.  ttkit-place-dot-operands decides, and states it; barriers and the lowering go by the attribute.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.inspection import defining

LOAD = "ttg.local_load"
READ_BY_PRODUCTS = "ttg.read_by_products"
TAKES_REGISTERS = "ttkit.takes_registers"
"""Attribute of a ttng.warp_group_dot that drops its accumulator, but whose result takes the registers of that."""
PING_PONG = "ttkit.in_turn"
"""Attribute of a ttng.warp_group_dot of two warp groups that the first one starts first: the number of a barrier of the
hardware by which the second one knows."""


def is_read_by_products(load: Any) -> bool:
    """Whether the products that use a ttg.local_load read the memory, instead of it."""
    return READ_BY_PRODUCTS in load.operation.attributes


def memory_operands(product: ir.Operation) -> list[ir.Value]:
    """The views of shared memory that a tt.dot reads itself."""
    loads = [defining(value) for value in (product.opview.a, product.opview.b)]
    return [
        load.src for load in loads if load is not None and load.operation.name == LOAD and is_read_by_products(load)
    ]
