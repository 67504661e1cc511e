"""Whether operations arrive in classes of their own, as `tt.LoadOp`, or as plain `ir.OpView`s.

The bindings import the module of a dialect, with a class for each operation, when they first show an operation of it.
That is what those who write passes want, and costs 70 ms for the dialects of a kernel (x86-64, 2026-11): the compiler
does without.  A plain view answers for operands, attributes and regions by the same names, from a table that is made
of the same descriptions:

    op.mask     # of a tt.load: the operand, or None

Only enumerations differ: a plain view has the IntegerAttr where the class has the member.

A process begins without classes and loads them for good when it first asks for a `ttkit.Context`, or for a pass that is
none of ours: from then on there is code that may look at operations in its own way.
"""

from __future__ import annotations

import sys

from ttkit._native import bindings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

# Dialects whose operations compilation meets -> what must be imported anyway: their types.
TYPES = {
    "builtin": None,
    "arith": None,
    "cf": None,
    "gpu": None,
    "llvm": None,
    "math": None,
    "nvvm": None,
    "scf": None,
    "ub": None,
    "tt": "ttkit.dialects._tt_types",
    "ttg": "ttkit.dialects._ttg_types",
    "ttng": None,
}
# What MLIR's classes have besides what is generated.
MORE_ACCESSORS = {
    "scf.for": {
        "body": "self.regions[0].blocks[0]",
        "induction_variable": "self.regions[0].blocks[0].arguments[0]",
        "inner_iter_args": "self.regions[0].blocks[0].arguments[1:]",
    },
    "scf.if": {
        "then_block": "self.regions[0].blocks[0]",
        "else_block": "self.regions[1].blocks[0] if len(self.regions[1].blocks) else None",
    },
}
PLACE = f"{__name__}."
WITH_CLASSES = ["mlir.dialects", "ttkit.dialects"]

_without_classes: set[str] = set()
_state = {"classes": False, "plain": False}
_accessors: dict[tuple[str, str], Callable[[Any], Any]] = {}

__path__: list[str] = []  # so that modules "below" this one can be imported, from the finder


class _PlainDialects:
    """A finder of modules with nothing in them: what the bindings import instead of a dialect's classes."""

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        dialect = name.removeprefix(PLACE)
        if dialect == name or dialect not in TYPES:
            return None
        from importlib.machinery import ModuleSpec

        _without_classes.add(dialect)
        return ModuleSpec(name, cls)  # type: ignore[arg-type]

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        return None

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        types = TYPES[module.__name__.removeprefix(PLACE)]
        if types is not None:
            __import__(types)


def use_plain_views() -> None:
    """Has the operations of dialects that are not loaded yet arrive as plain views; unless classes were asked for."""
    if _state["classes"] or _state["plain"]:
        return
    from mlir import ir

    _state["plain"] = True
    sys.meta_path.insert(0, _PlainDialects)
    bindings().globals.dialect_search_modules = [__name__, *WITH_CLASSES]
    ir.OpView.__getattr__ = part


def use_classes() -> None:
    """Has operations arrive in their classes from now on."""
    if _state["classes"]:
        return
    _state["classes"] = True
    if _state["plain"]:
        from importlib import import_module

        bindings().globals.dialect_search_modules = WITH_CLASSES
        sys.meta_path.remove(_PlainDialects)
        for dialect in sorted(_without_classes):
            import_module(("ttkit.dialects." if dialect.startswith("tt") else "mlir.dialects.") + dialect)


def part(view: Any, name: str) -> Any:
    """What an operation has by a name of its description; also by "result", which an `ir.OpView` takes for its own.

    Raises:
        AttributeError: it has nothing of that name.
    """
    operation = view.operation.name
    read = _accessors.get((operation, name))
    if read is None:
        read = _accessors[operation, name] = _accessor(operation, name)
    return read(view)


def _accessor(operation: str, name: str) -> Callable[[Any], Any]:
    from ttkit.dialects._accessors_gen import ACCESSORS

    if name == "OPERATION_NAME":
        return lambda view: operation
    text = ACCESSORS.get(operation, {}).get(name) or MORE_ACCESSORS.get(operation, {}).get(name)
    if text is None:
        raise AttributeError(f"'{operation}' has no '{name}'")
    read: Callable[[Any], Any] = eval(f"lambda self: {text}", dict(_HELPERS))
    return read


def _segmented(elements: Any, sizes: Any, index: int) -> Any:
    """The elements of a group, given the sizes of all."""
    start = sum(sizes[i] for i in range(index))
    return elements[start : start + sizes[index]]


def _equally_sized(elements: Any, single: int, groups: int, single_before: int, groups_before: int) -> tuple[int, int]:
    """Where a group begins, and how many elements it has: as many as each other of `groups`."""
    size = (len(elements) - single) // groups
    return single_before + groups_before * size, size


_HELPERS = {"_ods_segmented_accessor": _segmented, "_ods_equally_sized_accessor": _equally_sized}
