"""tt-layout: prints and draws what layouts mean.

    tt-layout FILE                       the values of an IR file that have a layout
    tt-layout FILE --value %12           facts about a value's layout, and about the operations that change it
    tt-layout -l ATTRIBUTE -t TYPE       the layout of a tensor, as Triton's triton-tensor-layout prints it
    tt-layout -i FILE -t TYPE            the same for the layouts that the file defines as aliases

TYPE is `tensor<64x32xf16>`; it may contain the layout, and then needs no -l.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlir import ir

from ttkit.analysis.value_layouts import Subject, accesses, subject_of_type
from ttkit.analysis.value_names import NamedValue, named_values, without_locations
from ttkit.context import Context, parse, parse_text, refuse_aborts
from ttkit.dialects import ttg
from ttkit.drivers.user_errors import UserError, command, ir_text_of
from ttkit.installation import VERSION
from ttkit.layout import UnsuitableShape, to_linear_layout
from ttkit.layout.drawing.html import html
from ttkit.layout.drawing.picture import picture_of
from ttkit.layout.drawing.svg import svg
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.linear import LinearLayout
from ttkit.layout.report import access_facts, facts, report_text
from ttkit.whole_files import write_files

WIDTH = 100
"""Columns of the list of values."""
_ALIAS = re.compile(r"^#([\w$.-]+)\s*=\s*(.*)$", re.MULTILINE)


@command(UnsuitableShape, ValueError, TypeError)
def main(arguments: list[str]) -> None:
    """Runs tt-layout and ends the process: exit code 0, 1 after a diagnostic, 2 for a malformed command line."""
    options = command_line().parse_args(arguments)
    write(run(options), options.output)


def command_line() -> argparse.ArgumentParser:
    """The arguments of tt-layout."""
    parser = argparse.ArgumentParser(
        prog="tt-layout", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="ttg IR; - for stdin")
    parser.add_argument("--value", action="append", default=[], metavar="NAME", help="a value of FILE: %%12 or %%12#1")
    parser.add_argument("--function", metavar="NAME", help="the function of FILE to look in (default: all)")
    parser.add_argument("-l", "--layout", metavar="ATTRIBUTE", help="a layout attribute")
    parser.add_argument("-i", "--input", metavar="FILE", help="a file that defines layouts as aliases, #name = ...")
    parser.add_argument(
        "-alias-names",
        "--alias-names",
        default="",
        metavar="A,B",
        help="aliases of -i to show, without # (default: all)",
    )
    parser.add_argument("-t", "--type", metavar="TYPE", help="the tensor: shape and element type")
    parser.add_argument("--shared", metavar="ATTRIBUTE", help="count bank conflicts with this shared layout")
    parser.add_argument(
        "-use-hw-view",
        "--use-hw-view",
        action="store_true",
        help="show the elements of each thread, or offset",
    )
    parser.add_argument("--facts", action="store_true", help="show notations, the owners of elements, memory accesses")
    parser.add_argument("--table", action="store_true", help="show the table of elements (the default with -l and -i)")
    parser.add_argument("--format", choices=["text", "svg", "html"], help="default: by the suffix of -o, else text")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to write (default: stdout)")
    parser.add_argument("--version", action="version", version=f"tt-layout (ttkit {VERSION})")
    return parser


def run(options: argparse.Namespace) -> str:
    """Text that the command line asks for.  Raises UserError for an attribute without a type."""
    with Context():
        if options.file is not None:
            return of_text(_text(options.file), options)
        if options.type is None:
            raise UserError("Must specify the tensor type argument: -t 'tensor<64x32xf16>', or give an IR file")
        type = _read(ir.Type, options.type)
        if options.layout is None and options.input is None:
            subjects = [subject_of_type(options.type, type)]
        else:
            subjects = _of_attributes(options, type)
        return _shown(subjects, options, [[] for _ in subjects])


def _read(kind: Any, text: str) -> Any:
    """A type or an attribute of the command line."""
    refuse_aborts(text, ir.Context.current)
    return kind.parse(text)


# --- What is asked for -----------------------------------------------------------------------------------------------
def _of_attributes(options: argparse.Namespace, type: ir.Type) -> list[Subject]:
    """The layouts of -i and of -l for tensors of `type`."""
    if not isinstance(type, (ir.RankedTensorType, ir.UnrankedTensorType)):
        raise UserError(f"Invalid tensor type argument: {options.type}")
    if not isinstance(type, ir.RankedTensorType):
        raise UserError(f"the tensor needs a shape: {options.type}")
    named: list[tuple[str, ir.Attribute]] = []
    if options.input is not None:
        named += _aliases(_text(options.input), [name for name in options.alias_names.split(",") if name])
    if options.layout is not None:
        named.append(("", _read(ir.Attribute, options.layout)))
    subjects = []
    for name, attribute in named:
        if not str(attribute).startswith(("#ttg.", "#ttng.")):
            raise UserError(f"Unsupported tensor layout attribute: {attribute}")
        heading = "Print layout attribute: " + (f"#{name} = {attribute}" if name else str(attribute))
        layout = ttg.layout_of(attribute)
        assert layout is not None
        end = "\n" if name and options.alias_names else ""
        subjects.append(Subject(heading, layout, tuple(type.shape), type.element_type, end))
    return subjects


def _aliases(text: str, names: Sequence[str]) -> list[tuple[str, ir.Attribute]]:
    """The layouts that `text` defines, in order; or those of `names`."""
    parse_text(text, ir.Context.current)  # for its diagnostics
    found: dict[str, ir.Attribute] = {}
    for name, attribute in _defined(text).items():
        try:
            ttg.layout_of(attribute)
        except ValueError:
            continue  # a memory space
        found[name] = attribute
    for name in names:
        if name not in found:
            known = ", ".join(found) or "none"
            raise UserError(f"Can't find the layout attribute: {name} (the file defines: {known})")
    return [(name, found[name]) for name in names or found]


def _defined(text: str) -> dict[str, ir.Attribute]:
    """The attributes of ttg and ttng that IR defines as aliases, by name, in order."""
    found: dict[str, ir.Attribute] = {}
    texts: dict[str, str] = {}
    for match in _ALIAS.finditer(without_locations(text)):
        name, value = match[1], match[2].split("//")[0].strip()
        texts[name] = re.sub(r"#([\w$-]+)(?![\w$.-])", lambda used: texts.get(used[1], used[0]), value)
        if texts[name].startswith(("#ttg.", "#ttng.", "#triton_gpu.", "#triton_nvidia_gpu.")):
            found[name] = _read(ir.Attribute, texts[name])
    return found


def of_text(text: str, options: argparse.Namespace) -> str:
    """Text that the options ask for, of IR in the current context; `options.file` is its name.

    Raises:
        UserError: there is no such value or function, or nothing has a layout.
        ir.MLIRError: the text is no IR.
    """
    text = without_locations(text)
    module = parse(text)
    values = [value for value in named_values(module, text) if options.function in (None, value.function)]
    if options.function is not None and not values:
        raise UserError(f"no function '{options.function}' with values in {options.file}")
    if not options.value:
        _refuse_without_value(options)
        return _listing(values, _short_names(module, text))
    names = {value.value: value.name for value in values}
    subjects, extra = [], []
    for name in options.value:
        found = _find(values, name)
        subjects.append(subject_of_type(f"{found.name}: {found.value.type}", found.value.type))
        extra.append(accesses(found, names))
    if not (options.table or options.use_hw_view):
        options.facts = True
    return _shown(subjects, options, extra)


def _refuse_without_value(options: argparse.Namespace) -> None:
    """Raises UserError for an option that shows one layout: the list of all values would ignore it."""
    asked = {
        "--facts": options.facts,
        "--table": options.table,
        "--shared": options.shared is not None,
        "-use-hw-view": options.use_hw_view,
        f"an output of {_kind_of(options)}": _kind_of(options) != "text",
    }
    name = next((name for name, given in asked.items() if given), "")
    if name:
        raise UserError(f"{name} is about the layout of one value; choose it with --value, as in --value %0")


def _kind_of(options: argparse.Namespace) -> str:
    """`text`, `svg` or `html`."""
    return options.format or {".svg": "svg", ".html": "html", ".htm": "html"}.get(Path(options.output).suffix, "text")


def _find(values: Sequence[NamedValue], name: str) -> NamedValue:
    name = name if name.startswith("%") else f"%{name}"
    found = [value for value in values if value.name in (name, f"{name}#0")]
    if not found:
        raise UserError(f"no value {name} in the file; without --value, tt-layout lists those that have a layout")
    functions = sorted({value.function for value in found})
    if len(functions) > 1:
        raise UserError(f"{name} is in several functions; choose with --function: {', '.join(functions)}")
    return found[0]


def _short_names(module: ir.Module, text: str) -> dict[str, str]:
    """{text of an attribute: its alias}, as the file names it, else as MLIR does; long ones first."""
    found = {str(attribute): f"#{name}" for name, attribute in _defined(text).items()}
    for name, attribute in _defined(module.operation.get_asm()).items():
        if str(attribute) not in found and f"#{name}" not in found.values():
            found[str(attribute)] = f"#{name}"
    return dict(sorted(found.items(), key=lambda one: -len(one[0])))


def _listing(values: Sequence[NamedValue], names: dict[str, str]) -> str:
    """The layouts by name, then every value with a layout, by function; wrapped for terminals."""

    def short(text: str, but: str = "") -> str:
        """A text with the names of attributes other than one."""
        for attribute, name in names.items():
            text = text if attribute == but else text.replace(attribute, name)
        return text

    lines, function = [], None
    for value in values:
        try:
            layout = ttg.layout_of(value.value)
        except TypeError:
            continue
        if layout is None:
            continue
        if value.function != function:
            function = value.function
            lines.append(f"@{function}")
        lines.append(f"  {value.name}: {short(str(value.value.type))}")
    if not lines:
        raise UserError("no value in the file has a layout: tt-layout reads ttg IR")
    used = set(re.findall(r"#[\w$-]+", " ".join([*lines, *map(short, names), *[short(one, one) for one in names]])))
    aliases = [f"{name} = {short(text, text)}" for text, name in names.items() if name in used]
    return "\n".join(map(_wrapped, [*sorted(aliases), *lines])) + "\n"


def _wrapped(line: str) -> str:
    """A line in several, where it is too long: between fields of an attribute, and where a field is too long in it."""
    begin = " " * (len(line) - len(line.lstrip()))
    text = line.lstrip()
    fill = textwrap.TextWrapper(WIDTH, begin, begin + "    ", break_long_words=False, break_on_hyphens=False).fill
    kept = re.sub(r" (?!\w+ = )", "\0", text)  # spaces that are not before a field
    shown = fill(kept)
    if max(map(len, shown.split("\n"))) > WIDTH:
        shown = fill(text)
    return shown.replace("\0", " ")


# --- Showing it ------------------------------------------------------------------------------------------------------
def _shown(subjects: Sequence[Subject], options: argparse.Namespace, extra: list[list[tuple[str, str]]]) -> str:
    kind = _kind_of(options)
    linear = [to_linear_layout(subject.shape, subject.layout) for subject in subjects]
    lines = [facts(layout, subject.accessed_bits) for layout, subject in zip(linear, subjects)]
    if options.shared is not None:
        for subject, layout, found in zip(subjects, linear, lines):
            found += _with_shared(options.shared, subject, layout)
    for found, more in zip(lines, extra):
        found += more
    pictures = [
        picture_of(layout, subject.title, subject.stored_bits, options.use_hw_view, _tile(subject.layout))
        for subject, layout in zip(subjects, linear)
        if kind != "text"
    ]
    if kind == "html":
        return html("Layouts", [(s.title, found, [picture]) for s, found, picture in zip(subjects, lines, pictures)])
    if kind == "svg":
        if len(pictures) != 1:
            raise UserError(f"an SVG file shows one layout, found {len(pictures)}; choose one, or use --format html")
        return svg(pictures[0])
    return "".join(_text_of(*item, options) for item in zip(subjects, linear, lines))


def _text_of(subject: Subject, layout: LinearLayout, found: list[tuple[str, str]], options: argparse.Namespace) -> str:
    with_facts = options.facts or options.shared is not None
    text = f"{subject.heading}\n"
    if options.table or options.use_hw_view or not with_facts:
        if not (layout.has_in_dim("lane") or layout.has_in_dim("offset")):
            raise UserError(f"Unsupported tensor layout attribute: {subject.layout}")
        text += layout_text(layout, options.use_hw_view)
    if with_facts:
        text += report_text(found)
    return text + subject.end


def _tile(layout: Any) -> tuple[int, int] | None:
    """Rows and columns that one instruction makes, where the layout is that of a product."""
    shape = tuple(getattr(layout, "instr_shape", ()))
    if len(shape) == len(getattr(layout, "warps_per_cta", ())):  # the tile alone, without the length of the products
        shape = shape[-2:]
    return (int(shape[0]), int(shape[1])) if len(shape) >= 2 else None


def _with_shared(text: str, subject: Subject, layout: LinearLayout) -> list[tuple[str, str]]:
    """The access of a distributed layout to the shared layout `text`."""
    memory = ttg.layout_of(_read(ir.Attribute, text))
    if memory is None or not layout.has_in_dim("lane"):
        raise UserError("--shared counts how a distributed layout accesses a shared one")
    pads = getattr(memory, "pads", ())
    return access_facts(layout, to_linear_layout(subject.shape, memory), subject.stored_bits, pads)


# --- Files -----------------------------------------------------------------------------------------------------------
def _text(path: str) -> str:
    try:
        return ir_text_of(path)
    except OSError as error:
        advice = f"; a layout is given by -l '{path}'" if path.startswith("#") else ""
        raise UserError(f"Could not open input file: {error.strerror}: '{path}'{advice}") from None


def write(text: str, path: str) -> None:
    """To stdout, or to a file that appears under its name only when it is complete.

    Raises:
        UserError: the file can't be written.
    """
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        write_files({path: text})
    except OSError as error:
        raise UserError(f"cannot write '{path}': {error.strerror}") from None


if __name__ == "__main__":
    main()
