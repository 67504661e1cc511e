"""Writes what takes the place of a dialect's Python classes where they would take too long to load.

    python light_tables.py FOLDER MODULE...

The modules are those that mlir-tblgen generates, ours and MLIR's.  Of those with operations, classes with a property
for each operand and so on, `_accessors_gen.py` gets the expressions:

    ACCESSORS["tt.splat"]["src"] is "self.operation.operands[0]"

Of those with enumerations, `_numbers_gen.py` gets the numbers, as attributes of a class for each.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path


class Inlined(ast.NodeTransformer):
    """Puts expressions in the place of variables."""

    def __init__(self, variables: dict[str, ast.expr]) -> None:
        self.variables = variables

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.variables.get(node.id, node)


def expression(accessor: ast.FunctionDef) -> str:
    """What an accessor returns, as one expression of `self`.

    Raises:
        ValueError: it is written as no accessor was so far.
    """
    variables: dict[str, ast.expr] = {}
    absent: ast.expr | None = None
    for statement in accessor.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                variables[name] = value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                for index, name in enumerate(names):
                    variables[name.id] = ast.Subscript(value, ast.Constant(index))
            case ast.If(test=test, body=[ast.Return()]):
                absent = test
            case ast.Return(value=value):
                whole = Inlined(variables).visit(value)
                if absent is not None:
                    whole = ast.IfExp(absent, ast.Constant(None), whole)
                return ast.unparse(whole)
    raise ValueError(f"can't read the accessor {accessor.name}")


def accessors(module: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The operations of a module, and the expressions of their accessors by name."""
    for node in ast.parse(module.read_text()).body:
        if not isinstance(node, ast.ClassDef):
            continue
        operation, found = None, {}
        for item in node.body:
            match item:
                case ast.Assign(targets=[ast.Name(id="OPERATION_NAME")], value=ast.Constant(value=operation)):
                    pass
                case ast.FunctionDef(decorator_list=[ast.Attribute(attr="property")]):
                    found[item.name] = expression(item)
        if operation is not None:
            yield operation, found


def numbers(module: Path) -> Iterator[str]:
    """The enumerations of a module as classes of numbers."""
    for node in ast.parse(module.read_text()).body:
        match node:
            case ast.ClassDef(bases=[ast.Name(id="IntEnum" | "IntFlag")]):
                values = [ast.unparse(item) for item in node.body if isinstance(item, ast.Assign)]
                yield "\n    ".join([f"class {node.name}:", *values])


def main() -> None:
    folder, *modules = map(Path, sys.argv[1:])
    operations = [module for module in modules if module.stem.endswith("_ops_gen")]
    enumerations = [module for module in modules if module.stem.endswith("_enum_gen")]
    rows = [f"    {operation!r}: {found!r}," for module in operations for operation, found in accessors(module)]
    about = '"""{} (dialects/light_tables.py)."""\n\n'
    table = "\n".join(["ACCESSORS = {", *rows, "}", ""])
    (folder / "_accessors_gen.py").write_text(about.format("How operations are asked for their parts") + table)
    classes = "\n\n\n".join(text for module in enumerations for text in numbers(module))
    (folder / "_numbers_gen.py").write_text(about.format("The numbers of enumerations") + classes + "\n")


if __name__ == "__main__":
    main()
