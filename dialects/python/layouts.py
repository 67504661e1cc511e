"""Writes the text of layouts in C++, and their Python classes, from the parameters in the td files.

    python layouts.py RECORDS TEXT VALUES ATTRIBUTES...

RECORDS is what `llvm-tblgen -dump-json` says of dialects/layouts.td; ttg/layout_fields.td has the kinds of parameters.
TEXT gets the C++ parsers and printers (included by ttg/LayoutText.cpp), VALUES the fields of `ttkit.layout`'s classes
(ttkit/layout/_fields.py), ATTRIBUTES the classes of a dialect's attributes (ttkit/dialects/_ttg_attributes.py).
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent, wrap
from typing import Any

MADE_BY = "(made by dialects/python/layouts.py)"
KINDS = ("Unsigned", "Flag", "Word", "Unsigneds", "OnesIfAbsent", "Parent", "RankedCGA", "CGA", "Linear")


@dataclass
class Parameter:
    """A parameter of a layout: its name in td, which of KINDS it is, and the record that says more."""

    name: str
    kind: str
    record: dict[str, Any]

    @property
    def if_absent(self) -> str:
        """C++ for the value that text without the field means; empty if none is said."""
        return self.record["defaultValue"]


@dataclass
class Layout:
    """A layout: `class_name` in C++, its record, its parameters in td's order, the name of its Python class."""

    class_name: str
    record: dict[str, Any]
    parameters: list[Parameter]

    @property
    def name(self) -> str:
        """The Python class: AMDMfmaEncodingAttr is AmdMfma."""
        return _words_of_acronyms(self.class_name.removesuffix("EncodingAttr"))

    @property
    def dialect(self) -> str:
        """The mnemonic of the dialect, `ttg` or `ttng`."""
        return self.record["attrName"].split(".")[0]

    @property
    def base(self) -> str:
        """The Python class of layouts of its kind."""
        traits = {trait["def"] for trait in self.record["traits"]}
        bases = {"TTG_DistributedEncoding": "Distributed", "TTG_SharedEncoding": "Shared"}
        return next((base for trait, base in bases.items() if trait in traits), "TensorMemoryLayout")


def read_layouts(records: dict[str, Any]) -> list[Layout]:
    """All layouts, by name."""
    found = []
    for name in records["!instanceof"]["AttrDef"]:
        record = records[name]
        if record["cppClassName"].endswith("EncodingAttr"):
            arguments = record["parameters"]["args"]
            parameters = [_parameter(key, value["def"], records[value["def"]]) for value, key in arguments]
            found.append(Layout(record["cppClassName"], record, parameters))
    return sorted(found, key=lambda layout: layout.name)


def _parameter(name: str, definition: str, record: dict[str, Any]) -> Parameter:
    classes = {definition, *record["!superclasses"]}
    return Parameter(name, next(kind for kind in KINDS if kind in classes), record)


def _words_of_acronyms(name: str) -> str:
    return re.sub(r"([A-Z])([A-Z]+)(?=[A-Z][a-z]|$)", lambda match: match[1] + match[2].lower(), name)


def python_name(key: str) -> str:
    """The Python field of a key: `twoCTAs` is `two_ctas`, `CGALayout` is `cga_layout`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", key.replace("CTAs", "Ctas")).lower()


# --- C++ -------------------------------------------------------------------------------------------------------------
def cpp_text(layouts: list[Layout]) -> str:
    """Parsers and printers of the layouts whose text is `<{field = value, ...}>`."""
    parts = [f"// Text of layouts {MADE_BY}.\n"]
    for layout in layouts:
        if layout.record.get("hasCustomAssemblyFormat") and not layout.record["hasOwnText"]:
            parts += [_cpp_parser(layout), _cpp_printer(layout)]
    return "\n".join(parts)


def _cpp_parser(layout: Layout) -> str:
    lines, reads, arguments, late = [], ["fields.parse()"], [], []
    reads += [f'fields.require("{p.name}")' for p in layout.parameters if p.record.get("required")]
    for parameter in layout.parameters:
        name, kind = parameter.name, parameter.kind
        argument = name
        if kind in ("Unsigned", "Flag"):
            zero = "0" if kind == "Unsigned" else "false"
            lines.append(f"{'unsigned' if kind == 'Unsigned' else 'bool'} {name} = {parameter.if_absent or zero};")
        elif kind in ("Unsigneds", "OnesIfAbsent"):
            lines.append(f"SmallVector<unsigned> {name}{{{parameter.if_absent}}};")
            argument = f"ArrayRef<unsigned>({name})"
        elif kind == "Parent":
            lines.append(f"{parameter.record['cppType']} {name};")
        if kind == "OnesIfAbsent":
            like = parameter.record["like"]
            late.append(f"if ({name}.empty())\n  {name}.assign({like}.size(), 1);")
        if kind in ("CGA", "RankedCGA", "Linear"):
            late += [f"FailureOr<LinearLayout> {name} = fields.{_cpp_linear(parameter)};"]
            late += [f"if (failed({name}))\n  return {{}};"]
            argument = f"*{name}"
        else:
            keys = [parameter.record.get("olderKey"), name]
            reads += [f'fields.get("{key}", {name})' for key in keys if key]
        arguments.append(argument)
    if not layout.record["ignoresUnknownFields"]:
        late.append("if (fields.finish())\n  return {};")
    conditions = " ||\n    ".join(reads)
    body = ["LayoutFields fields(parser);", *lines, f"if ({conditions})\n  return {{}};", *late]
    made = f"parser.getChecked<{layout.class_name}>(parser.getContext(), {', '.join(arguments)})"
    body.append(f"return {made};")
    return f"Attribute {layout.class_name}::parse(AsmParser &parser, Type) {{\n{indent(chr(10).join(body), '  ')}\n}}\n"


def _cpp_linear(parameter: Parameter) -> str:
    if parameter.kind == "RankedCGA":
        return "getRankedCGA()"
    if parameter.kind == "CGA":
        return f"getCGA({parameter.record['like']}.size())"
    indices = ", ".join(f"Index::{index.capitalize()}" for index in parameter.record["indices"])
    return f"getLinear({{{indices}}})"


def _cpp_printer(layout: Layout) -> str:
    lines = ["LayoutPrinter fields(printer);"]
    for parameter in layout.parameters:
        name, kind = parameter.name, parameter.kind
        value = f"get{name[0].upper()}{name[1:]}()"
        if kind in ("CGA", "RankedCGA", "Linear"):
            lines.append(f"fields.print{kind}({value});")
            continue
        condition = ""
        if kind == "OnesIfAbsent":
            condition = f"if (!llvm::all_of({value}, [](unsigned value) {{ return value == 1; }}))\n  "
        elif parameter.if_absent and not parameter.record.get("alwaysPrinted"):
            absent = f"ArrayRef<unsigned>({{{parameter.if_absent}}})" if kind == "Unsigneds" else parameter.if_absent
            condition = f"if ({value} != {absent})\n  "
        lines.append(f'{condition}fields.print("{name}", {value});')
    text = indent("\n".join(lines), "  ")
    return f"void {layout.class_name}::print(AsmPrinter &printer) const {{\n{text}\n}}\n"


# --- Python ----------------------------------------------------------------------------------------------------------
@dataclass
class Field:
    """A field of a Python class: key of the text, name, type, default ("" for none), meaning.

    Attributes:
        type: that of `ttkit.layout.encoding_base.Field`.
        printed: whether the text has the field even if it has its default.
    """

    key: str
    name: str
    type: str
    default: str
    doc: str
    printed: bool

    @property
    def declaration(self) -> str:
        """Its name, type and default, as of a parameter."""
        return f"{self.name}: {self.type.replace('Ones', 'Ints')}" + (f" = {self.default}" if self.default else "")


TYPES = {
    "Unsigned": "int",
    "Flag": "bool",
    "Word": "str",
    "Unsigneds": "Ints",
    "OnesIfAbsent": "Ones",
    "Parent": "Layout",
    "CGA": "Bases",
}


def python_fields(layout: Layout) -> list[Field]:
    """The fields in the order of the text."""
    fields = []
    for parameter in layout.parameters:
        kind, doc = parameter.kind, parameter.record["summary"]
        if kind == "Linear":
            for index in parameter.record["indices"]:
                default = "()" if index == "block" else ""
                doc = f"bases of the {'CTA' if index == 'block' else index} index"
                printed = not (default and layout.record["hasOwnText"])
                fields.append(Field(index, index, "Bases", default, doc, printed))
            continue
        if kind == "RankedCGA":
            doc_of_rank = "number of dimensions; 0 takes it from `cga_layout`, and 2 if that is empty"
            fields.append(Field("rank", "rank", "int", "0", doc_of_rank, False))
        default = parameter.if_absent
        if kind == "Flag":
            default = default.capitalize()
        elif kind == "Unsigneds" and default:
            default = f"({default})"
        elif kind in ("CGA", "RankedCGA", "OnesIfAbsent"):
            default = "()"
        name = python_name(parameter.name)
        always = not default or bool(parameter.record.get("alwaysPrinted"))
        fields.append(Field(parameter.name, name, TYPES[kind.removeprefix("Ranked")], default, doc, always))
    return fields


def _by_default(fields: list[Field]) -> list[Field]:
    """Fields as a dataclass wants them: those with a default last."""
    return sorted(fields, key=lambda field: bool(field.default))


def _doc(layout: Layout, fields: list[Field]) -> list[str]:
    description = dedent(layout.record["description"].strip("\n")).strip().replace('"""', "'''")
    lines = [f'    r"""{layout.record["summary"]}.', "", indent(description, "    "), "", "    Attributes:"]
    for field in _by_default(fields):
        lines += wrap(f"{field.name}: {field.doc}.", 112, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return [*lines, '    """', ""]


def values_module(layouts: list[Layout]) -> str:
    """Classes with the fields of the layouts; `ttkit.layout` adds what they must satisfy."""
    lines = [f'"""Fields of layouts {MADE_BY}."""', "", "from __future__ import annotations", ""]
    lines += ["from typing import ClassVar", ""]
    lines += [
        "from ttkit.layout.encoding_base import Bases, Distributed, Field, Ints, Layout, Shared, TensorMemoryLayout",
        "from ttkit.records import dataclass",
    ]
    for layout in layouts:
        if layout.name == "PaddedShared":  # its text is not that of its parameters
            continue
        fields = python_fields(layout)
        lines += [
            "",
            "",
            "@dataclass(frozen=True)",
            f"class {layout.name}Fields({layout.base}):",
            *_doc(layout, fields),
        ]
        for field in _by_default(fields):
            lines.append(f"    {field.declaration}")
        lines.append(f'    mnemonic: ClassVar[str] = "{layout.record["mnemonic"]}"')
        lines.append("    fields: ClassVar[tuple[Field, ...]] = (")
        lines += [f'        Field("{f.key}", "{f.name}", "{f.type}", {f.printed}),' for f in fields]
        lines.append("    )")
    return "\n".join([*lines, ""])


def attributes_module(dialect: str, layouts: list[Layout]) -> str:
    """Classes of a dialect's attributes: `BlockedEncodingAttr.get(...)`."""
    layouts = [layout for layout in layouts if layout.dialect == dialect]
    names = ", ".join(layout.name for layout in layouts)
    lines = [f'"""Attributes of layouts {MADE_BY}."""', "", "from mlir import ir", ""]
    lines += ["from ttkit.dialects._layouts import LayoutAttribute, field"]
    lines += [f"from ttkit.layout.encodings import Bases, Ints, Layout, {names}"]
    for layout in layouts:
        fields = _by_default(PADDED_FIELDS if layout.name == "PaddedShared" else python_fields(layout))
        lines += ["", "", f"class {layout.class_name}(LayoutAttribute):", *_doc(layout, fields)]
        parameters = ", ".join(field.declaration for field in fields)
        arguments = ", ".join(f.name for f in fields)
        lines += [f"    value_class = {layout.name}", "", "    @classmethod"]
        lines += [f"    def get(cls, {parameters}, context: ir.Context | None = None) -> {layout.class_name!r}:"]
        lines.append(
            '        """The attribute, by default in the current context.  Raises ValueError if it is not legal."""'
        )
        lines += [f"        return cls._of({layout.name}({arguments}), context)", ""]
        lines += [f"    {f.name}: {f.type.replace('Ones', 'Ints')} = field({f.name!r})" for f in fields]
    return "\n".join([*lines, ""])


PADDED_FIELDS = [
    Field("pads", "pads", "Bases", "", "pairs (interval, padding), in elements", True),
    Field("offset", "offset", "Bases", "", "bases of the element's index, padding left out", True),
    Field("block", "block", "Bases", "()", "bases of the CTA index", True),
    Field("rank", "rank", "int", "0", "number of dimensions, where there are no bases", True),
]


def main() -> None:
    """Reads the records, the first argument; writes C++, values, and a module of attributes for each other target."""
    records, *targets = map(Path, sys.argv[1:])
    layouts = read_layouts(json.loads(records.read_text()))
    texts = [cpp_text(layouts), values_module(layouts)]
    texts += [attributes_module(target.stem.split("_")[1], layouts) for target in targets[2:]]
    for target, text in zip(targets, texts, strict=True):
        if not target.exists() or target.read_text() != text:  # what includes it is compiled again only if it changed
            target.write_text(text)


if __name__ == "__main__":
    main()
