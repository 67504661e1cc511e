"""Chains of elementwise operations, and whether a thread has the registers for them."""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import defining, element_bits, memory_effects, name_of, users_of
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.layout_inference import has_trait
from ttkit.passes.layouts.assignment import elements_per_thread
from ttkit.target import NAMED_REGISTERS


def elementwise_users(value: ir.Value) -> list[ir.Operation]:
    """The chain of elementwise operations from a value on: each is the only user of the one before, in its block."""
    found: list[ir.Operation] = []
    block = value.owner.operation.block
    while len(users := users_of(value)) == 1 and users[0].block == block and is_elementwise(users[0], value.type):
        found.append(users[0])
        value = users[0].result
    return found


def is_elementwise(op: ir.Operation, type: ir.Type) -> bool:
    """Whether an operation computes each element of its only result, of this type, from operands of this type."""
    if any(value.type != type for value in (*op.operands, *op.results)) or len(op.results) != 1:
        return False
    return has_trait(op.opview, b"Elementwise") and memory_effects(op) == []


def fits(chain: Sequence[ir.Operation], registers: int = NAMED_REGISTERS) -> bool:
    """Whether a thread has registers for the first result of the chain and the values it is combined with.

    Args:
        chain: the operation that defines the value, and the elementwise operations after it.
    """
    type = _tensor_of(chain[0]).type
    size = elements_per_thread(type) * element_bits(type.element_type) // REGISTER_BITS
    return size * (1 + sum(not repeats(value) for value in other_operands(chain))) <= registers


def _tensor_of(op: ir.Operation) -> ir.Value:
    """The tensor that an operation of a chain computes: its first result; a load of tensor memory has a token too."""
    return next(iter(op.results))


def other_operands(chain: Sequence[ir.Operation]) -> list[ir.Value]:
    """The other values that the operations of a chain combine with the first result, each once."""
    results = [_tensor_of(op) for op in chain]
    found: list[ir.Value] = []
    for op in chain[1:]:
        found += [operand for operand in op.operands if operand not in results and operand not in found]
    return found


def repeats(value: ir.Value) -> bool:
    """Whether all elements of a tensor come from few registers."""
    source = defining(value)
    return constant_splat(value) is not None or (source is not None and name_of(source) in ("tt.splat", "tt.broadcast"))
