"""Writes the classes, builders and enumerations of a dialect's operations, with their stubs.

    python generate.py FOLDER MODULE...

The modules are those that mlir-tblgen writes, ours and MLIR's: `_<dialect>_ops_gen.py` and `_<dialect>_enum_gen.py`.
FOLDER gets for each dialect `_<dialect>_enums.py`, which imports no MLIR, `_<dialect>_ops.py` and `_<dialect>_ops.pyi`.
`ttkit.dialects._operation` is what they are made of.
"""

import ast
import sys
from pathlib import Path

from read_bindings import AttributeKind, Enum, Operation, Part, read_enums, read_operations

BY_HAND = Path(__file__).resolve().parents[2] / "python" / "ttkit" / "dialects"
MADE_BY = "(made by dialects/python/generate.py)"

# Names of kinds of attributes in MLIR's td files -> those of `ttkit.dialects._attributes`, and types of their values.
KINDS = {
    "AnyAttr": ("any_attribute", "ir.Attribute"),
    "ArrayAttr": ("array", "ir.ArrayAttr"),
    "BoolAttr": ("boolean", "bool"),
    "DenseI32ArrayAttr": ("i32_array", "Sequence[int]"),
    "DenseI64ArrayAttr": ("i64_array", "Sequence[int]"),
    "F64Attr": ("f64", "float"),
    "FlatSymbolRefAttr": ("symbol", "str"),
    "I1Attr": ("boolean", "bool"),
    "I8Attr": ("i8", "int"),
    "I16Attr": ("i16", "int"),
    "I32Attr": ("i32", "int"),
    "I64Attr": ("i64", "int"),
    "IndexAttr": ("index", "int"),
    "StrAttr": ("string", "str"),
    "SymbolNameAttr": ("string", "str"),
    "TypeAttr": ("type_", "ir.Type"),
}


class Enums:
    """All enumerations, and the kinds of attributes that keep them."""

    def __init__(self) -> None:
        self.by_dialect: dict[str, list[Enum]] = {}
        self.kinds: dict[str, tuple[str, AttributeKind]] = {}

    def read(self, dialect: str, module: Path) -> None:
        """Adds the enumerations of a dialect, from the module that mlir-tblgen made of them."""
        self.by_dialect[dialect], kinds = read_enums(module)
        self.kinds |= {name: (dialect, kind) for name, kind in kinds.items() if kind.enum}

    def kind(self, name: str) -> str:
        """The kind of that name, as an expression."""
        if name in KINDS:
            return f"_a.{KINDS[name][0]}"
        return f"_{name}"

    def definition(self, name: str) -> str:
        """The Python expression for a kind."""
        if name not in self.kinds:
            return f"_a.named({name!r})"
        dialect, kind = self.kinds[name]
        enum = f"{dialect}.{kind.enum.name}"
        return f"_a.spelled({enum!r}, {kind.text!r})" if kind.text else f"_a.number({enum!r}, {kind.bits})"

    def type(self, name: str) -> str:
        """The type of the Python values of a kind."""
        if name in KINDS:
            return KINDS[name][1]
        if name in self.kinds:
            dialect, kind = self.kinds[name]
            return f"_{dialect}.{kind.enum.name}"
        return "ir.Attribute"


# --- Enumerations ----------------------------------------------------------------------------------------------------
def enum_module(dialect: str, enums: list[Enum]) -> str:
    """`_<dialect>_enums.py`."""
    lines = [
        f'"""The enumerations of {dialect} {MADE_BY}."""',
        "",
        "from ttkit.dialects._enums import Enumeration, Flags",
    ]
    for enum in enums:
        lines += ["", "", f"class {enum.name}({'Flags' if enum.separator else 'Enumeration'}):"]
        lines += [f'    """{enum.doc}"""', ""] if enum.doc else []
        lines += [f"    {name} = {number}, {spelling!r}" for name, number, spelling in enum.members]
        if enum.separator:
            lines += ["", "", f"{enum.name}.separator = {enum.separator.strip()!r}"]
    return "\n".join([*lines, ""])


# --- Operations ------------------------------------------------------------------------------------------------------
def operations_module(dialect: str, operations: list[Operation], enums: Enums) -> str:
    """`_<dialect>_ops.py`."""
    kinds = sorted({kind for op in operations for _, _, kind, _ in op.attributes if kind} - {*KINDS})
    lines = [f'"""The operations of {dialect}: classes and builders {MADE_BY}."""', ""]
    lines += ["from ttkit.dialects import _attributes as _a", "from ttkit.dialects import _operation as _o"]
    classes = {op.cls for op in operations}
    builders = [name for name in _public_names(dialect, operations) if name not in classes]
    lines += ["", f"__all__ = {builders!r}", ""]
    lines += ["_classes = _o.Classes(__name__)", "__getattr__, __dir__ = _classes.get, _classes.names", ""]
    lines += [f"_{kind} = {enums.definition(kind)}" for kind in kinds]
    for op in operations:
        parts = ", ".join(f"{part.name!r}: _o.{_accessor(part, enums)}" for part in op.parts)
        lines += ["", "", f"@_classes.on_demand({op.cls!r}, {op.name!r})", "def _():", *_doc(op)]
        lines += [f"    return {{{parts}}}", "", "", *_builder(op, enums)]
    return "\n".join([*lines, ""])


def _public_names(dialect: str, operations: list[Operation]) -> list[str]:
    """Names of classes and builders but for those that are written by hand (python/ttkit/dialects)."""
    by_hand = set()
    for file in (f"{dialect}.py", f"_{dialect}_builders.py"):
        if (BY_HAND / file).exists():
            nodes = ast.parse((BY_HAND / file).read_text()).body
            by_hand |= {node.name for node in nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    return [name for op in operations for name in (op.cls, op.builder) if name not in by_hand]


def _doc(op: Operation) -> list[str]:
    lines = op.doc.replace('"""', "'''").splitlines()
    if not lines:
        return []
    return [f'    r"""{lines[0]}', *(f"    {line}".rstrip() for line in lines[1:]), '    """', ""]


def _accessor(part: Part, enums: Enums) -> str:
    start, brace, rest = part.accessor.partition("{")
    kind, _, end = rest.partition("}")
    return f"{start}{enums.kind(kind)}{end}" if brace else start


def _builder(op: Operation, enums: Enums) -> list[str]:
    lines = [f"def {op.builder}({_parameters(op)}):"]
    if any(kind for _, _, kind, _ in op.attributes):
        lines.append("    context = loc and loc.context")
    given, lines_of_optional = [], []
    for name, argument, kind, optional in op.attributes:
        if not kind:
            lines_of_optional += [f"    if {argument}:", f"        attributes[{name!r}] = _a.unit(loc and loc.context)"]
        elif optional:
            value = f"{enums.kind(kind)}({argument}, context)"
            lines_of_optional += [f"    if {argument} is not None:", f"        attributes[{name!r}] = {value}"]
        else:
            given.append(f"{name!r}: {enums.kind(kind)}({argument}, context)")
    attributes = f"{{{', '.join(given)}}}"
    operands = f"({_groups(op.operands)})"
    if op.segments or lines_of_optional:
        lines += [f"    attributes = {attributes}", *lines_of_optional]
        attributes = "attributes"
    if "operand" in op.segments:
        lines.append(f"    operands, attributes['operandSegmentSizes'] = _o.segmented({_plain(op.operands)})")
        operands = "operands"
    results = "results" if op.results is None else f"({_groups(op.results)})"
    if "result" in op.segments:
        lines.append(f"    types, attributes['resultSegmentSizes'] = _o.segmented({_plain(op.results)})")
        results = "types"
    attributes = "None" if attributes == "{}" else attributes
    successors = f"({_groups(op.successors)})" if op.successors else "None"
    call = f"_o.create({op.name!r}, {operands}, {attributes}, {results}, {op.regions}, {successors}, loc, ip)"
    return [*lines, f"    return {call}.{op.gives}"]


def _parameters(op: Operation) -> str:
    """The parameters of a builder; the first that is given by name has a star in front of it."""
    texts, star = [], False
    for name, default in op.arguments:
        if name.startswith("*") and not star:
            texts.append("*")
            star = True
        texts.append(name.removeprefix("*") + (f"={default}" if default else ""))
    return ", ".join(texts)


def _groups(groups: list[str]) -> str:
    """Groups of values as the inside of a tuple."""
    texts = [f"*_o.given({group[1:]})" if group[0] == "?" else group for group in groups]
    return ", ".join(texts) + ("," if len(texts) == 1 else "")


def _plain(groups: list[str]) -> str:
    return ", ".join(group.lstrip("*?") for group in groups)


# --- Stubs -----------------------------------------------------------------------------------------------------------
def stub(dialect: str, operations: list[Operation], enums: Enums) -> str:
    """`_<dialect>_ops.pyi`."""
    lines = ["from collections.abc import Sequence", "from typing import Any, ClassVar", "", "from mlir import ir", ""]
    lines += ["from ttkit.dialects._operation import Operand"]
    lines += [f"from ttkit.dialects import _{other}_enums as _{other}" for other in sorted(enums.by_dialect)]
    lines += ["", f"__all__ = {_public_names(dialect, operations)!r}"]
    for op in operations:
        kinds = {name: kind for name, _, kind, _ in op.attributes}
        lines += ["", f"class {op.cls}(ir.OpView):", *_doc(op), "    OPERATION_NAME: ClassVar[str]"]
        for part in op.parts:
            if part.settable:
                kind = enums.type(kinds.get(_attribute_name(part), "AnyAttr")) if part.type != "bool" else "bool"
                optional = part.type if part.type.startswith(" |") else ""
                lines.append(f"    {part.name}: {kind}{optional}")
            else:
                lines += ["    @property", f"    def {part.name}(self) -> {part.type}: ..."]
        lines += ["", f"def {op.builder}({_typed_parameters(op, enums)}) -> {_returned(op)}: ..."]
    return "\n".join([*lines, ""])


def _attribute_name(part: Part) -> str:
    return part.accessor.split("'")[1]


def _returned(op: Operation) -> str:
    return {"result": "ir.Value", "results": "Sequence[ir.Value]", "opview": op.cls}[op.gives]


def _typed_parameters(op: Operation, enums: Enums) -> str:
    types = {"loc": "ir.Location | None", "ip": "ir.InsertionPoint | None", "results": "Sequence[ir.Type] | None"}
    values = {"": "Operand", "*": "Sequence[Operand]", "?": "Operand | None"}
    result_types = {"": "ir.Type", "*": "Sequence[ir.Type]", "?": "ir.Type | None"}
    for table, groups in ((values, op.operands), (result_types, op.results or [])):
        for group in groups:
            mark = group[0] if group[0] in "*?" else ""
            types[group[len(mark) :]] = table[mark]
    for successor in op.successors:
        types[successor.lstrip("*")] = "Sequence[ir.Block]" if successor.startswith("*") else "ir.Block"
    for _, argument, kind, _ in op.attributes:
        value = enums.type(kind) if kind else "bool"
        spelled = " | str | int" if kind in enums.kinds else ""
        attribute = "" if value == "ir.Attribute" or not kind else " | ir.Attribute"
        types[argument] = "Any" if value == "ir.Attribute" else value + spelled + attribute
    texts, star = [], False
    for marked, default in op.arguments:
        if marked.startswith("*") and not star:
            texts.append("*")
            star = True
        name = marked.removeprefix("*")
        type = types.get(name, "int")
        if default == "None" and not type.endswith("None") and type != "Any":
            type += " | None"
        texts.append(f"{name}: {type}" + (f" = {default}" if default else ""))
    return ", ".join(texts)


def main() -> None:
    """Reads the modules that mlir-tblgen made, and writes ours and their stubs to the folder, the first argument."""
    folder, *modules = map(Path, sys.argv[1:])
    enums = Enums()
    operations = {}
    for module in modules:
        dialect, kind, _ = module.stem.removeprefix("_").rsplit("_", 2)
        if kind == "enum":
            enums.read(dialect, module)
        else:
            operations[dialect] = read_operations(module)
    for dialect, found in enums.by_dialect.items():
        (folder / f"_{dialect}_enums.py").write_text(enum_module(dialect, found))
    for dialect, ops in operations.items():
        (folder / f"_{dialect}_ops.py").write_text(operations_module(dialect, ops, enums))
        (folder / f"_{dialect}_ops.pyi").write_text(stub(dialect, ops, enums))


if __name__ == "__main__":
    main()
