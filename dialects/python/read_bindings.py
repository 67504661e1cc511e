"""Reads the Python modules that mlir-tblgen writes: which operations and enumerations a dialect has, with their parts.

They come from the td files and are regular: the few shapes of statements below are all that there are.  Any other one
is an error at build time.
"""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Enum:
    """An enumeration: its members with their numbers and spellings in the IR; `separator` joins those of flags."""

    name: str
    doc: str
    members: list[tuple[str, int, str]]
    separator: str | None


@dataclass
class AttributeKind:
    """Form of an enumeration under a name of MLIR: an integer of `bits`, or an attribute with a text."""

    enum: Enum | None
    bits: int = 0
    text: str = ""


@dataclass
class Part:
    """An operand, result, attribute or region of an operation.

    Attributes:
        accessor: call of one of the functions of `ttkit.dialects._operation`.
        type: what it gives, as an annotation.
        settable: whether it is an attribute.
    """

    name: str
    accessor: str
    type: str
    settable: bool = False


@dataclass
class Operation:
    """An operation and its builder.

    Attributes:
        arguments: names of the builder's arguments with their defaults (None: there is none); those after "*" are
            given by name.
        operands, results: expressions of groups: "x" one value, "*x" several, "?x" one or None.
        segments: "operand" or "result", where an attribute has the sizes of the groups.
        attributes: name in the IR, argument, kind (a name of MLIR, "" for a unit), whether it may be None.
        gives: "result" if there is one, "results" if their number varies, "opview" if there is none or a region.
        regions: how many, as an expression.
    """

    name: str
    cls: str
    doc: str
    builder: str = ""
    arguments: list[tuple[str, str | None]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    results: list[str] | None = field(default_factory=list)
    segments: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str, str, bool]] = field(default_factory=list)
    successors: list[str] = field(default_factory=list)
    regions: str = "0"
    gives: str = "opview"


def read_operations(module: Path) -> list[Operation]:
    """The operations of `_<dialect>_ops_gen.py`, in its order."""
    nodes = ast.parse(module.read_text()).body
    found = {}
    for node in nodes:
        if isinstance(node, ast.ClassDef) and (name := _constant(node, "OPERATION_NAME")) is not None:
            found[node.name] = _operation(node, name)
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and (call := _class_call(node)) is not None:
            _read_builder(found[call.func.id], node, call)
    return list(found.values())


# --- Classes ---------------------------------------------------------------------------------------------------------
def _constant(cls: ast.ClassDef, name: str):
    for node in cls.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    return None


def _operation(cls: ast.ClassDef, name: str) -> Operation:
    operation = Operation(name, cls.name, ast.get_docstring(cls) or "")
    operation.regions = str(_constant(cls, "_ODS_REGIONS")[0])
    for kind in ("operand", "result"):
        if _constant(cls, f"_ODS_{kind.upper()}_SEGMENTS") is not None:
            operation.segments.add(kind)
    functions = [node for node in cls.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        if function.name == "__init__":
            _read_constructor(operation, function)
    annotations = {function.name: ast.unparse(function.returns) for function in functions if function.returns}
    operation.attributes = [
        (name, argument, _kind(kind, annotations.get(name, "")), optional)
        for name, argument, kind, optional in operation.attributes
    ]
    kinds = {name: kind for name, _, kind, _ in operation.attributes}
    for function in functions:
        if any(ast.unparse(decorator) == "builtins.property" for decorator in function.decorator_list):
            operation.parts.append(_part(function, kinds))
    return operation


def _kind(name: str, annotation: str) -> str:
    """The name of a kind of attribute; one that is nameless in the td file is as general as its accessor says."""
    if not name.startswith("anonymous_"):
        return name
    return next((kind for kind in ("TypeAttr", "ArrayAttr") if kind in annotation), "AnyAttr")


# "self.operation." is left out of all.
_ELEMENT = re.compile(r"return (operand|result)s\[(\d+)\]$")
_ATTRIBUTE = re.compile(r".*return attributes\['([^']+)'\]$", re.DOTALL)
_FLAG = re.compile(r"return '([^']+)' in attributes$")
_REGION = re.compile(r"return self\.regions\[(\d+)(:?)\]$")
_LAST = re.compile(r"return None if len\((operand|result)s\) < \d+ else \w+\[(\d+)\]$")
_VARIADIC = re.compile(
    r"_ods_variadic_group_length = len\((operand|result)s\) - (\d+) \+ 1\n"
    r"return \w+\[(\d+)( \+ _ods_variadic_group_length - 1|:\d+ \+ _ods_variadic_group_length)\]$"
)
_GROUP = re.compile(
    r"(operand|result)_range = _ods_segmented_accessor\(\w+, attributes\['\w+'\], (\d+)\)\n"
    r"return \w+(\[0\])?( if len\(\w+\) > 0 else None)?$"
)
_EQUAL = re.compile(
    r"start, elements_per_group = _ods_equally_sized_accessor\(operands, (\d+), (\d+), (\d+), (\d+)\)\n"
    r"return operands\[(start|start:start \+ elements_per_group)\]$"
)


def _part(function: ast.FunctionDef, kinds: dict[str, str]) -> Part:
    """The part that an accessor of mlir-tblgen reads.

    Raises:
        ValueError: it is written as no accessor was so far.
    """
    name, text = function.name, "\n".join(map(ast.unparse, function.body)).replace("self.operation.", "")
    if match := _ELEMENT.match(text):
        return Part(name, f"{match[1]}({match[2]})", "ir.Value")
    if match := _ATTRIBUTE.match(text):
        optional = " | None" if text.startswith("if ") else ""
        return Part(name, f"attribute({match[1]!r}, {{{kinds.get(match[1], 'AnyAttr')}}})", optional, settable=True)
    if match := _FLAG.match(text):
        return Part(name, f"flag({match[1]!r})", "bool", settable=True)
    if match := _REGION.match(text):
        several = bool(match[2])
        return Part(name, f"region{'s' * several}({match[1]})", "ir.RegionSequence" if several else "ir.Region")
    if match := _LAST.match(text):
        return Part(name, f"optional_{match[1]}({match[2]})", "ir.Value | None")
    if match := _VARIADIC.match(text):
        kind, others, index = match[1], int(match[2]) - 1, int(match[3])
        if match[4].startswith(":"):
            return Part(name, f"{kind}s({index}, {others - index})", "Sequence[ir.Value]")
        return Part(name, f"{kind}({index - others - 1})", "ir.Value")
    if match := _GROUP.match(text):
        of = "" if match[1] == "operand" else ', "results"'
        if match[4]:
            return Part(name, f"optional_in_group({match[2]}{of})", "ir.Value | None")
        type = "ir.Value" if match[3] else "Sequence[ir.Value]"
        return Part(name, f"{'one_in_' if match[3] else ''}group({match[2]}{of})", type)
    if match := _EQUAL.match(text):
        single, groups, single_before, groups_before = map(int, match.groups()[:4])
        if match[5] == "start" and groups_before == 0:
            return Part(name, f"operand({single_before})", "ir.Value")
        if match[5] != "start" and single == single_before:
            return Part(name, f"equal_group({groups_before}, {groups}, {single})", "Sequence[ir.Value]")
    raise ValueError(f"can't read the accessor {name}:\n{text}")


# --- Constructors and builders ---------------------------------------------------------------------------------------
_IGNORED = re.compile(
    r"(operands|results|_ods_successors) = \[\]$|attributes = \{\}$|regions = None$|_ods_successors = None$"
    r"|_ods_context = |super\(\)\.__init__|if results is None:\n"
)
_OPERAND = re.compile(
    r"(if (?P<optional>\w+) is not None:\n    )?(?P<of>operands|results)\.(?P<how>append|extend)"
    r"\((?P<several>_get_op_results_or_values\()?(?P<name>\w+)\)+$"
)
_SUCCESSOR = re.compile(r"_ods_successors\.(append|extend)\((\w+)\)$")
_REGIONS = re.compile(r"regions = (\d+ \+ \w+)$")
_UNIT = re.compile(r"if bool\((\w+)\):\n    attributes\['([^']+)'\] = _ods_ir\.UnitAttr")
_VALUE = re.compile(
    r"(?P<optional>if \w+ is not None:\n    )?"
    r"attributes\['(?P<name>[^']+)'\] = (?P<argument>\w+) if .*contains\('(?P<kind>\w+)'\)"
)


def _read_constructor(operation: Operation, init: ast.FunctionDef) -> None:
    """Fills in what the builder makes of its arguments.

    Raises:
        ValueError: a statement is as none was so far.
    """
    arguments = {argument.arg for argument in init.args.args + init.args.kwonlyargs}
    if "results" in arguments:
        operation.results = None  # inferred
    for statement in init.body:
        text = ast.unparse(statement)
        if _IGNORED.match(text):
            continue
        if match := _OPERAND.match(text):
            several = match["how"] == "extend" or match["several"]
            group = ("*" if several else "?" if match["optional"] else "") + match["name"]
            groups = operation.operands if match["of"] == "operands" else operation.results
            groups.append(group)
        elif match := _SUCCESSOR.match(text):
            operation.successors.append(("*" if match[1] == "extend" else "") + match[2])
        elif match := _REGIONS.match(text):
            operation.regions = match[1]
        elif match := _UNIT.match(text):
            operation.attributes.append((match[2], match[1], "", True))
        elif match := _VALUE.match(text):
            operation.attributes.append((match["name"], match["argument"], match["kind"], bool(match["optional"])))
        else:
            raise ValueError(f"can't read the constructor of {operation.name}:\n{text}")


def _class_call(function: ast.FunctionDef) -> ast.Call | None:
    """The call of a class in a builder."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id != "len":
            return node
    return None


def _read_builder(operation: Operation, function: ast.FunctionDef, call: ast.Call) -> None:
    """Fills in the builder's name and arguments; in what is known so far its names take the place of the class's."""
    operation.builder = function.name
    names = {keyword.arg: keyword.value.id for keyword in call.keywords}
    arguments = function.args
    assert not arguments.defaults
    operation.arguments = [(argument.arg, None) for argument in arguments.args]
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        operation.arguments.append((f"*{argument.arg}", None if default is None else ast.unparse(default)))

    def renamed(group: str) -> str:
        """The builder's name for a group; `*` and `?` stay in front."""
        mark = group[0] if group[0] in "*?" else ""
        return mark + names[group[len(mark) :]]

    operation.operands = list(map(renamed, operation.operands))
    operation.results = operation.results and list(map(renamed, operation.results))
    operation.successors = list(map(renamed, operation.successors))
    operation.attributes = [(name, names[argument], *rest) for name, argument, *rest in operation.attributes]
    operation.regions = re.sub(r"[a-z_]\w*", lambda match: names[match[0]], operation.regions)
    returned = ast.unparse(function.returns)
    gives = {"_ods_ir.OpResult": "result", operation.cls: "opview"}
    operation.gives = "opview" if operation.regions != "0" else gives.get(returned, "results")


# --- Enumerations ----------------------------------------------------------------------------------------------------
def read_enums(module: Path) -> tuple[list[Enum], dict[str, AttributeKind]]:
    """The enumerations of `_<dialect>_enum_gen.py`, and how they are kept, by names of MLIR."""
    enums: dict[str, Enum] = {}
    kinds: dict[str, AttributeKind] = {}
    last = None
    for node in ast.parse(module.read_text()).body:
        if isinstance(node, ast.ClassDef):
            last = enums[node.name] = _enum(node)
        elif isinstance(node, ast.FunctionDef):
            name = node.decorator_list[0].args[0].value
            text = ast.unparse(node.body[0])
            if match := re.search(r"get_signless\((\d+)", text):
                kinds[name] = AttributeKind(last, bits=int(match[1]))
            elif match := re.search(r"parse\(f'(.*)\{str\(x\)\}(.*)'", text):
                kinds[name] = AttributeKind(_enum_of(name, enums), text=f"{match[1]}{{}}{match[2]}")
    return list(enums.values()), kinds


def _enum_of(kind: str, enums: dict[str, Enum]) -> Enum | None:
    """The enumeration of a kind of attribute, which mlir-tblgen names after it."""
    name = re.sub(r"^[A-Za-z]+_", "", kind).removesuffix("Attr")
    return next((enums[name + end] for end in ("", "Flags", "Kind") if name + end in enums), None)


def _enum(cls: ast.ClassDef) -> Enum:
    flags = ast.unparse(cls.bases[0]) == "IntFlag"
    text = ast.unparse(cls)
    spellings = dict(re.findall(rf"if self is {cls.name}\.(\w+):\n\s+return '([^']*)'", text))
    separator = re.search(r"return '([^']*)'\.join", text)
    members = []
    for node in cls.body:
        if isinstance(node, ast.Assign):
            name = node.targets[0].id
            following = members[-1][1] + 1 if members else 1  # what auto() gives
            number = following if isinstance(node.value, ast.Call) else ast.literal_eval(node.value)
            members.append((name, number, spellings[name]))
    doc = re.sub(r"; allowed (\d+-bit )?.*", "", ast.get_docstring(cls) or "")
    return Enum(cls.name, doc, members, separator[1] if flags and separator else "|" if flags else None)
