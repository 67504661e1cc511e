"""Writes the types of MLIR's bindings where type checkers look for them, the package `mlir-stubs`.

    python binding_stubs.py BINDINGS OUTPUT

BINDINGS is the folder of the package `mlir`.  It has no `py.typed`, so mypy takes none of its types, and the stubs of
its extension module use names that no checker finds.  OUTPUT gets these stubs with names that exist, and with what
`mlir/ir.py` adds.  The package is partial (PEP 561): checkers look for other modules in `mlir`.
"""

import ast
import re
import sys
from pathlib import Path

HEADER = """# The types of mlir.{module}, of the stubs in MLIR's bindings, by ttkit's dialects/python/binding_stubs.py.
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions: https://llvm.org/LICENSE.txt
"""
ADDED_TO_IR = '''

def loc_tracebacks(*, max_depth: int | None = None) -> AbstractContextManager[None]:
    """Enables automatic traceback-based locations for MLIR operations."""

def register_attribute_builder(kind: str, replace: bool = False) -> Callable[[_F], _F]:
    """Registers a builder of attributes of a kind, for builders of operations."""

def register_type_caster(typeid: TypeID, *, replace: bool = False) -> Callable[[_F], _F]: ...
def register_value_caster(typeid: TypeID, *, replace: bool = False) -> Callable[[_F], _F]: ...
def get_dialect_registry() -> DialectRegistry: ...
def append_load_on_create_dialect(dialect: str) -> None: ...
def get_load_on_create_dialects() -> list[str]: ...

_F = TypeVar("_F", bound=Callable[..., Any])
'''
IMPORTS = {
    "Any": "from typing import Any",
    "Generic": "from typing import Generic",
    "AbstractContextManager": "from contextlib import AbstractContextManager",
    "Context": "from mlir.ir import Context",
}
"""Where the names come from that the stubs use without saying so."""


def defined(tree: ast.Module) -> set[str]:
    """The names that a module defines or imports."""
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    imports = (node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return names | {name.asname or name.name for node in imports for name in node.names}


def stub_of(module: str, text: str) -> str:
    """A stub that stands alone, of what the bindings have for a module."""
    text = re.sub(r"^import _mlir\.ir\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<![\w.])_mlir\.ir\.", "mlir.ir.", text)
    if module == "ir":
        # The class of a value's type is known at run time only, so that checkers must accept `value.type.shape`.
        text = re.sub(r"(class Value\(.*?def type\(self\) -> )Type:", r"\1Any:", text, flags=re.DOTALL)
        # So is the class of an operation, for `operation.opview.ptr`.
        text = re.sub(r"(class Operation\(.*?def opview\(self\) -> )OpView:", r"\1Any:", text, flags=re.DOTALL)
        # `ir.Value` without brackets is a value of any type, with `mypy --strict` too.
        text = re.sub(
            r'^_T = TypeVar\("_T", bound=Type\)$', '_T = TypeVar("_T", bound=Type, default=Any)', text, flags=re.M
        )
        text = re.sub(r"^(from typing import .*), TypeVar\b", r"\1", text, flags=re.M)
        text = "from typing_extensions import TypeVar\n" + text + ADDED_TO_IR
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    missing = [IMPORTS[name] for name in sorted((used & set(IMPORTS)) - defined(tree))]
    return HEADER.format(module=module) + "\n".join([*missing, "", text])


def main() -> None:
    """Writes the package."""
    bindings, output = map(Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    for module in ("ir", "rewrite", "passmanager"):
        source = bindings / "_mlir_libs" / "_mlir" / f"{module}.pyi"
        (output / f"{module}.pyi").write_text(stub_of(module, source.read_text(encoding="utf-8")), encoding="utf-8")
    (output / "__init__.pyi").write_text("", encoding="utf-8")
    (output / "py.typed").write_text("partial\n", encoding="utf-8")


if __name__ == "__main__":
    main()
