"""Description of a pass for the pass manager: its class name, anchor, options, statistics, summary.

It is read from the class if that is imported anyway.  For `--help` it is read from the syntax tree of the file, without
an import.
"""

import ast
import dataclasses
import importlib.util
from dataclasses import field
from typing import Any

from ttkit.passes.infra.base import Pass
from ttkit.records import dataclass

# Python types of option fields -> types of the C ABI.  Annotations may be strings, so they are compared as text.
OPTION_TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "tuple[int, ...]": "list[int]",
    "tuple[str, ...]": "list[str]",
}


@dataclass
class OptionDescription:
    """An option of a pass: the field of its class, one of OPTION_TYPES, its default, a line of help."""

    field: str
    type: str
    default: Any
    help: str

    @property
    def name(self) -> str:
        """Its name in pipelines: `num-warps` for the field `num_warps`."""
        return self.field.replace("_", "-")


@dataclass
class PassDescription:
    """The description of a pass that MLIR gets before the pass is loaded."""

    class_name: str
    summary: str
    anchor: str | None = "builtin.module"
    options: list[OptionDescription] = field(default_factory=list)
    statistics: dict[str, str] = field(default_factory=dict)
    dependent_dialects: tuple[str, ...] = ()


def first_line(docstring: str | None) -> str:
    """The summary of a docstring, without its full stop."""
    return (docstring or "").strip().split("\n", 1)[0].rstrip(".")


def option_type(annotation: Any, where: str) -> str:
    """The type of option for an annotation, one of OPTION_TYPES.  Raises TypeError if there is none."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if not isinstance(annotation, (str, type)) or text == "tuple":
        text = str(annotation)
    if text not in OPTION_TYPES:
        raise TypeError(f"{where}: an option can't have type {text}; use one of {', '.join(OPTION_TYPES)}")
    return OPTION_TYPES[text]


def describe_class(cls: type) -> PassDescription:
    """Reads an imported pass class.

    Raises:
        TypeError: it is not a usable pass; the text says why.
    """
    if not (isinstance(cls, type) and issubclass(cls, Pass)):
        raise TypeError(f"{cls!r} is not a subclass of ttkit.Pass")
    if cls.run is Pass.run:
        raise TypeError(f"{cls.__name__} has no run method")
    options: list[OptionDescription] = []
    fields: tuple[Any, ...] = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    for base in cls.__mro__:
        for name, value in vars(base).items():
            if isinstance(value, dataclasses.Field):
                place = f"{base.__name__}.{name}"
                raise TypeError(f"{place} is an option: put @dataclass(frozen=True) before class {base.__name__}")
    for item in fields:
        if item.default is dataclasses.MISSING:
            raise TypeError(f"{cls.__name__}.{item.name}: an option needs a default")
        kind = option_type(item.type, f"{cls.__name__}.{item.name}")
        if not _is_of(item.default, kind):
            raise TypeError(f"{cls.__name__}.{item.name}: an option of type <{kind}> has the default {item.default!r}")
        options.append(OptionDescription(item.name, kind, item.default, item.metadata.get("help", "")))
    return PassDescription(
        cls.__name__, first_line(cls.__doc__), cls.anchor, options, dict(cls.statistics), tuple(cls.dependent_dialects)
    )


def _is_of(default: Any, kind: str) -> bool:
    """Whether a default is of the type of its option; an int is a float too, and a bool is not an int."""
    if kind.startswith("list["):
        return isinstance(default, (tuple, list)) and all(_is_of(one, kind[5:-1]) for one in default)
    types: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (float, int), "str": (str,)}
    return isinstance(default, types[kind]) and (kind == "bool" or not isinstance(default, bool))


def describe_instance(instance: Any) -> PassDescription:
    """Reads a pass instance, whose options are fixed."""
    cls = type(instance)
    return PassDescription(
        cls.__name__, first_line(cls.__doc__), cls.anchor, [], dict(cls.statistics), tuple(cls.dependent_dialects)
    )


def describe_source(target: str) -> PassDescription:
    """Reads the pass `module:Class` without importing the module.

    Raises:
        ImportError: there is no such file or class.
    """
    module, _, class_name = target.partition(":")
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ImportError(f"no module {module}")
    with open(spec.origin, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return _describe_node(node)
    raise ImportError(f"{module} has no class {class_name}")


def _describe_node(node: ast.ClassDef) -> PassDescription:
    description = PassDescription(node.name, first_line(ast.get_docstring(node)))
    for item in node.body:
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            name = item.targets[0].id
            if name in ("anchor", "statistics", "dependent_dialects"):
                setattr(description, name, ast.literal_eval(item.value))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is not None:
            annotation = ast.unparse(item.annotation)
            if annotation not in OPTION_TYPES:
                continue
            default, text = item.value, ""
            if isinstance(default, ast.Call) and getattr(default.func, "id", "") == "option":
                default, text = default.args[0], ast.literal_eval(default.args[1])
            description.options.append(
                OptionDescription(item.target.id, OPTION_TYPES[annotation], ast.literal_eval(default), text)
            )
    return description


def option_text(value: Any) -> str:
    """A default as it would be written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return str(value)


def option_value(text: str, kind: str) -> Any:
    """The inverse of `option_text`."""
    if kind == "bool":
        return text == "true"
    if kind.startswith("list"):
        convert = int if kind == "list[int]" else str
        return tuple(convert(part) for part in text.split(",")) if text else ()
    return {"int": int, "float": float, "str": str}[kind](text)
