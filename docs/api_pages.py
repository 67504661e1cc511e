"""Pages about the Python API and the commands: from docstrings, and from the parsers of the commands."""

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from language_pages import docstring_markdown

from ttkit.drivers.manual import Command, Option, commands

DOCS = Path(__file__).resolve().parent
# What users import, in the order of first use; `__all__` or `_NAMES` says what is public in each.
MODULES = (
    "ttkit",
    "ttkit.runtime",
    "ttkit.testing",
    "ttkit.autotuning",
    "ttkit.pipelines",
    "ttkit.inside_triton",
    "ttkit.passes.infra",
    "ttkit.layout",
    "ttkit.aot.sources",
    "ttkit.aot.launch_list",
    "ttkit.aot.bundle_builder",
    "ttkit.runtime.bundle",
    "ttkit.runtime.bundle_answers",
    "ttkit.display",
)


def api_page() -> str:
    """The public functions and classes of the modules that users import."""
    parts = ["# The Python API", "The kernel language has a page of its own, [language](language.md)."]
    for name in MODULES:
        module = importlib.import_module(name)
        parts += [f"## {name}", docstring_markdown(inspect.cleandoc(module.__doc__ or ""))]
        parts += [_entry(public, value) for public, value in _public(module)]
    return "\n\n".join(parts) + "\n"


def _public(module: ModuleType) -> list[tuple[str, Any]]:
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    found = [(name, getattr(module, name)) for name in names if not name.startswith("_")]
    found = [(name, value) for name, value in found if getattr(value, "__module__", "") != "builtins"]  # an alias
    return [(name, value) for name, value in found if inspect.isclass(value) or inspect.isroutine(value)]


def _entry(name: str, value: Any) -> str:
    text = f"### `{name}{_signature(value)}`\n\n{_docstring(value)}"
    if not inspect.isclass(value) or issubclass(value, BaseException):
        return text.rstrip()
    members = []
    for member, each in vars(value).items():
        function = each.__func__ if isinstance(each, (classmethod, staticmethod)) else each
        if member.startswith("_") or not inspect.isroutine(function) or not function.__doc__:
            continue
        members.append(f"#### `{name}.{member}{_signature(function)}`\n\n{_docstring(function)}".rstrip())
    return "\n\n".join([text.rstrip(), *members])


def _signature(value: Any) -> str:
    try:
        signature = inspect.signature(value if inspect.isclass(value) else getattr(value, "fn", value))
    except (TypeError, ValueError):
        return ""
    kept = [
        one.replace(annotation=inspect.Parameter.empty) for name, one in signature.parameters.items() if name != "self"
    ]
    try:
        return str(signature.replace(parameters=kept, return_annotation=inspect.Signature.empty))
    except ValueError:
        return "(...)"


def _docstring(value: Any) -> str:
    return docstring_markdown(inspect.getdoc(value) or "")


def commands_page() -> str:
    """All commands with their options."""
    parts = ["# Commands", "`ttkit man FOLDER` writes the same as manual pages, `ttkit completion bash` completions."]
    return "\n\n".join([*parts, *map(_command, commands())]) + "\n"


def _command(command: Command) -> str:
    name = " ".join(command.words)
    level = "##" if len(command.words) == 1 else "###"
    summary, _, rest = command.description.strip().partition("\n")
    parts = [f"{level} {name}", summary.removeprefix(f"{command.words[-1]}: ")]
    if rest.strip():
        parts.append(f"```text\n{rest.strip(chr(10))}\n```")
    rows = [_row(option) for option in (*command.arguments, *command.options)]
    if rows:
        parts.append("\n".join(["| option | what it does |", "| --- | --- |", *rows]))
    return "\n\n".join(parts)


def _row(option: Option) -> str:
    spelled = ", ".join(option.spellings) or option.value
    value = f" {option.value}" if option.spellings and option.value else ""
    text = option.help.replace("|", "\\|").replace("<", "\\<").replace("\n", "<br>")
    return f"| `{spelled}{value}`".replace("|", "\\|").replace("\\|", "|", 1) + f" | {text} |"


def gallery_page() -> str:
    """The pictures of all pages, with links to these."""
    parts = ["# Gallery", "`tt-layout`, `ttkit schedule` and `ttkit trace` draw such pictures of your kernels."]
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        for caption, picture in re.findall(r"!\[(.*?)\]\((pictures/\S+)\)", text):
            parts.append(
                f"{caption[:1].upper()}{caption[1:]} ([{title}](../{page.name})):\n\n![{caption}](../{picture})"
            )
    return "\n\n".join(parts) + "\n"
