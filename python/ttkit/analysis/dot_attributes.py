"""Attributes of dots and of their operands, by which passes tell the lowering what to do.

A dot without tensor cores needs whole rows and columns, for which a thread does not have enough registers.  So a
ttg.local_load with the attribute ttg.read_by_products loads nothing: it only refers to the memory, which each tt.dot
that uses it reads.  ttkit-place-dot-operands sets it; the placement of barriers and the lowering use it.
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
"""Attribute of a ttng.warp_group_dot that the first of two warp groups starts before the second: the number of the
hardware barrier at which the second one waits."""


def is_read_by_products(load: Any) -> bool:
    """Whether the dots that use a ttg.local_load read the memory themselves."""
    return READ_BY_PRODUCTS in load.operation.attributes


def memory_operands(product: ir.Operation) -> list[ir.Value]:
    """The views of shared memory that a tt.dot reads itself."""
    loads = [defining(value) for value in (product.opview.a, product.opview.b)]
    return [
        load.src for load in loads if load is not None and load.operation.name == LOAD and is_read_by_products(load)
    ]
