"""Helpers of the builder tests."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from mlir import ir

from ttkit.dialects import tt

# The options of a compilation for four warps, which layouts are checked against.
HEADER = (
    'module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", '
    '"ttg.threads-per-warp" = 32 : i32}} {{}}'
)


def types(*texts: str) -> list[str]:
    """Types by their text, to be parsed once there is a context."""
    return list(texts)


def build(body: Callable[..., Any], arguments: Iterable[str], ctas: int = 1) -> ir.Module:
    """A verified module whose only function has arguments of these types and the operations that `body` builds.

    It also reads back as the same text, with each operation in its own class.
    """
    module = ir.Module.parse(HEADER.format(ctas=ctas))
    with ir.InsertionPoint(module.body):

        @tt.func(*map(ir.Type.parse, arguments))
        def function(*values):
            body(*values)

    module.operation.verify()
    assert str(ir.Module.parse(str(module))) == str(module)
    return module


def operations(module: ir.Module) -> list[ir.OpView]:
    """All operations inside the module, outer ones first."""
    found: list[ir.OpView] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op.opview)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found[1:]


def operation_names(module: ir.Module) -> set[str]:
    return {op.operation.name for op in operations(module)}


def operations_of(module: str) -> list[str]:
    """The names of all operations that a module of `ttkit.dialects` defines."""
    loaded = import_module(module)
    items = (getattr(loaded, name) for name in dir(loaded))
    return sorted(item.OPERATION_NAME for item in items if isinstance(item, type) and hasattr(item, "OPERATION_NAME"))
