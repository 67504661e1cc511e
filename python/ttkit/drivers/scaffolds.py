"""New passes: `ttkit new-pass` writes one with its test.  It works as it is written, as an example to change."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import ttkit.entry_points as entry_points
from ttkit._native import library
from ttkit.drivers.examples import write_examples
from ttkit.drivers.new_operation import OWN_DIALECTS, new_op
from ttkit.drivers.new_package import new_package
from ttkit.drivers.scaffold_files import checkout, filled, write_new
from ttkit.drivers.user_errors import UserError
from ttkit.passes.registry import PASSES

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")

FIELDS = """\
Input:  tt.      Output: tt, same result types.
Order:  before and after what, and why.
Skips:  factors other than two.
Test:   test/lit/passes/{stem}.mlir
"""
OUTSIDE = """\
    tt-opt --load-pass={stem}.py --{name} kernel.ttir

Test:   {stem}.mlir, which `lit {stem}.mlir` runs.
"""


def add_scaffolds(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`ttkit examples`, `ttkit new-pass` and `ttkit new-op`."""
    parser = subjects.add_parser("examples", help="write the files that the documentation uses into a folder")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default="examples", help="where to (examples)")
    parser.set_defaults(run=lambda options: write_examples(Path(options.folder)))
    parser = subjects.add_parser("new-pass", help="write a pass with its test, to change")
    parser.add_argument("name", metavar="NAME", help="as pipelines will name it: strength-reduction")
    parser.add_argument("--into", metavar="FOLDER", default=".", help="where to; by default here")
    parser.set_defaults(run=lambda options: new_pass(options.name, Path(options.into)))
    parser = subjects.add_parser("new-op", help="write an operation that works, to change: in a package, or in ttkit")
    parser.add_argument(
        "name", metavar="DIALECT.NAME", help="roll.rotate: a package; tt.rotate: in a checkout of ttkit"
    )
    parser.add_argument("family", metavar="FAMILY", nargs="?", help="in ttkit, the operations that it belongs to: view")
    parser.add_argument(
        "--into", metavar="FOLDER", help="where a package goes; by default a folder named by the dialect"
    )
    parser.set_defaults(run=_new_op)


def _new_op(options: argparse.Namespace) -> int:
    dialect = options.name.partition(".")[0]
    if dialect not in OWN_DIALECTS:
        if options.family and "." in options.name:
            raise UserError(f"only ttkit's own dialects have families, such as '{options.family}': leave it out")
        return new_package(options.name, Path(options.into or dialect))
    if not options.family:
        raise UserError(f"say which operations {options.name} belongs to, such as: ttkit new-op {options.name} view")
    return new_op(options.name, options.family, Path.cwd())


# --- Passes ----------------------------------------------------------------------------------------------------------
def new_pass(name: str, folder: Path) -> int:
    """Writes a pass and its test: into a checkout of ttkit with its row in the registry, else into a folder with lit's
    configuration, and an entry point if a package is there.

    Raises:
        UserError: the name is none, or taken; a file is there already.
        OSError: a file can't be written.
    """
    if not _NAME.fullmatch(name):
        raise UserError(f"'{name}' can't name a pass: letters, digits and hyphens, such as strength-reduction")
    if name in PASSES or _is_mlirs(name):
        raise UserError(f"there is a pass '{name}' already: {PASSES.get(name, 'of MLIR')}")
    stem = name.replace("-", "_").lower()
    cls = "".join(part[:1].upper() + part[1:] for part in name.split("-"))
    root = checkout(folder)
    if root is not None:
        files = [root / "passes" / f"{stem}.py", root / "test" / "lit" / "passes" / f"{stem}.mlir"]
        fields, load = FIELDS.format(stem=stem), ""
    else:
        files = [folder / f"{stem}.py", folder / f"{stem}.mlir"]
        fields, load = OUTSIDE.format(stem=stem, name=name), f"--load-pass=%S/{stem}.py "
    write_new(files[0], filled("pass.py", fields=fields, cls=cls, name=name))
    write_new(files[1], filled("pass_test.mlir", load=load, name=name))
    if root is not None:
        _add_row(root / "passes" / "registry.py", name, f"ttkit.passes.{stem}:{cls}")
        print(f"run it:   lit {files[1]}")
        print(
            "then say what it does, in its docstring too: Input, Order, Skips; and give it a place in passes/stages.py"
        )
        return 0
    if not any((parent / "lit.cfg.py").exists() for parent in (folder.resolve(), *folder.resolve().parents)):
        write_new(folder / "lit.cfg.py", filled("lit.cfg.py"))
    _add_entry_point(folder.resolve(), stem, name, cls)
    print(f"run it:   tt-opt --load-pass={files[0]} --{name} FILE")
    print(f"test it:  lit {files[1]}")
    print(f'use it:   with ttkit.pipelines.insert_after("triton-combine", "{files[0]}"): kernel[grid](...)')
    return 0


def _is_mlirs(name: str) -> bool:
    """Whether MLIR has a pass of that name."""
    return bool(library().ttkitIsPassRegistered(name.encode()))


def _add_row(registry: Path, name: str, target: str) -> None:
    """Adds a pass to the table, which is sorted."""
    lines = registry.read_text().splitlines(keepends=True)
    start = next(place for place, line in enumerate(lines) if line.startswith("PASSES = {"))
    end = next(place for place in range(start, len(lines)) if lines[place].startswith("}"))
    rows = range(start + 1, end)
    place = next((row for row in rows if (found := re.match(r'    "([^"]+)":', lines[row])) and found[1] > name), end)
    lines.insert(place, f'    "{name}": "{target}",\n')
    registry.write_text("".join(lines))
    print(f"added its row to {registry}")


def _add_entry_point(folder: Path, stem: str, name: str, cls: str) -> None:
    """Adds a pass to the entry points of the package that a folder is in, if it is in one."""
    project = next((parent for parent in (folder, *folder.parents) if (parent / "pyproject.toml").exists()), None)
    if project is None or "[project]" not in (text := (project / "pyproject.toml").read_text()):
        return
    parts = folder.relative_to(project).parts
    module = ".".join([*(parts[1:] if parts[:1] == ("src",) else parts), stem])
    header, row = f'[project.entry-points."{entry_points.PASSES}"]', f'{name} = "{module}:{cls}"'
    known = header in text
    added = text.replace(header, f"{header}\n{row}", 1) if known else f"{text.rstrip()}\n\n{header}\n{row}\n"
    file = project / "pyproject.toml"
    file.write_text(added)
    print(f"added an entry point to {file}: once the package is installed, every tt-opt knows --{name}")
