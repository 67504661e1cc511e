"""Accesses to tensor memory that are ordered by tokens."""

from typing import Any

from mlir import ir

from ttkit.dialects import ttng
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import defining, name_of
from ttkit.operation_sets import ACCUMULATOR_ACCESSES, TMEM_STORE
from ttkit.passes.infra.loops import body_of, carried_number


def token_of(op: ir.Operation) -> ir.Value | None:
    """The token that an access to tensor memory produces; None if it has no token, or for any other operation."""
    if op.name not in ACCUMULATOR_ACCESSES:
        return None
    last = list(op.results)[-1:]
    return last[0] if last and isinstance(last[0].type, AsyncTokenType) else None


def made_by(value: ir.Value | None, name: str) -> Any:
    """The access named `name` that defines a value, if it has a token; else None."""
    op = None if value is None else defining(value)
    return op if op is not None and name_of(op) == name and op.token is not None else None


def load_after(access: Any, token: ir.Value, type: ir.Type) -> Any:
    """Builds a load of the buffer that an access uses, at the current insertion point and location.

    Args:
        access: a load or a store.
        token: of the access before the new load.
        type: of the loaded tensor.
    """
    buffer = access.dst if access.operation.name == TMEM_STORE else access.src
    return ttng.tmem_load(type, AsyncTokenType.get(), buffer, dep=token)


def argument_number(value: ir.Value | None, loop: ir.Operation) -> int | None:
    """The number, among the values that a loop carries, of the one whose body argument is `value`; None for others."""
    return None if value is None else carried_number(value, body_of(loop))
