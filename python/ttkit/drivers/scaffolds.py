"""New passes and operations: `ttkit new-pass` and `ttkit new-op` write the files that every one of them needs.

A pass works and is tested as it is written, as an example to change.  An operation's definition builds, and what it
still needs is listed, with the file and the place.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from string import Template

import ttkit.entry_points as entry_points
from ttkit._native import library
from ttkit.drivers.user_errors import UserError
from ttkit.passes.registry import PASSES

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_OPERATION = re.compile(r"(tt|ttg|ttng)\.([a-z][a-z0-9_]*)")

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


def filled(template: str, **fields: str) -> str:
    """A file of `templates/` with its fields filled in."""
    text = (Path(__file__).with_name("templates") / f"{template}.template").read_text(encoding="utf-8")
    return Template(text).substitute(fields)


def add_scaffolds(subjects: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The two commands of `ttkit`."""
    parser = subjects.add_parser("new-pass", help="write a pass with its test, to change")
    parser.add_argument("name", metavar="NAME", help="as pipelines will name it: strength-reduction")
    parser.add_argument("--into", metavar="FOLDER", default=".", help="where to; by default here")
    parser.set_defaults(run=lambda options: new_pass(options.name, Path(options.into)))
    parser = subjects.add_parser("new-op", help="write an operation's definition, tests and meaning: in a checkout")
    parser.add_argument("name", metavar="DIALECT.NAME", help="tt.rotate")
    parser.add_argument("family", metavar="FAMILY", help="the operations that it belongs to: view")
    parser.set_defaults(run=lambda options: new_op(options.name, options.family, Path.cwd()))


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
    _write(files[0], filled("pass.py", fields=fields, cls=cls, name=name))
    _write(files[1], filled("pass_test.mlir", load=load, name=name))
    if root is not None:
        _add_row(root / "passes" / "registry.py", name, f"ttkit.passes.{stem}:{cls}")
        print(f"run it:   lit {files[1]}")
        print(
            "then say what it does, in its docstring too: Input, Order, Skips; and give it a place in passes/stages.py"
        )
        return 0
    if not any((parent / "lit.cfg.py").exists() for parent in (folder.resolve(), *folder.resolve().parents)):
        _write(folder / "lit.cfg.py", filled("lit.cfg.py"))
    _add_entry_point(folder.resolve(), stem, name, cls)
    print(f"run it:   tt-opt --load-pass={files[0]} --{name} FILE")
    print(f"test it:  lit {files[1]}")
    print(f'use it:   with ttkit.pipelines.insert_after("triton-combine", "{files[0]}"): kernel[grid](...)')
    return 0


def _is_mlirs(name: str) -> bool:
    """Whether MLIR has a pass of that name."""
    return bool(library().ttkitIsPassRegistered(name.encode()))


def checkout(folder: Path) -> Path | None:
    """The checkout of ttkit that a folder is in; None outside."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        if (parent / "passes" / "registry.py").exists() and (parent / "dialects" / "tt.td").exists():
            return parent
    return None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already") from None
    print(f"wrote {path}")


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


# --- Operations ------------------------------------------------------------------------------------------------------
def new_op(name: str, family: str, folder: Path) -> int:
    """Writes an operation: its definition, tests of the dialect, meaning and lowering; and says what is left.

    Raises:
        UserError: outside of a checkout; no such name or family; the operation is there already.
        OSError: a file can't be written.
    """
    root = checkout(folder)
    if root is None:
        raise UserError("operations are C++, generated from td files: run this in a checkout of ttkit")
    found = _OPERATION.fullmatch(name)
    if found is None:
        raise UserError(f"'{name}' can't name an operation: tt.rotate, ttg.rotate or ttng.rotate")
    dialect, mnemonic = found.groups()
    td = root / "dialects" / dialect / f"{family}_ops.td"
    if not td.exists():
        families = sorted(path.stem.removesuffix("_ops") for path in td.parent.glob("*_ops.td"))
        raise UserError(f"{dialect} has no family '{family}'; it has {', '.join(families)}")
    if any(f'"{mnemonic}"' in path.read_text() for path in td.parent.glob("*_ops.td")):
        raise UserError(f"there is an operation {name} already")
    words = mnemonic.split("_")
    fields = {
        "prefix": dialect.upper(),
        "cls": "".join(word.capitalize() for word in words),
        "name": name,
        "mnemonic": mnemonic,
        "summary": f"What {' '.join(words)} gives, as a phrase",
    }
    text = td.read_text()
    end = text.rindex("#endif")
    td.write_text(f"{text[:end].rstrip()}\n{filled('definition.td', **fields)}\n{text[end:]}")
    print(f"wrote its definition to {td.relative_to(root)}: change summary, description, arguments, traits")
    tests = root / "test" / "lit" / "dialects" / dialect
    _append(root, tests, f"ops_{family}.mlir", "ops.mlir", filled("operation_test.mlir", **fields))
    _append(root, tests, f"invalid_{family}.mlir", "invalid.mlir", filled("invalid_test.mlir", **fields))
    meanings = root / "python" / "ttkit" / "interpreter" / "ops"
    _append(root, meanings, f"{family}.py", "view.py", filled("meaning.py", **fields))
    _append(root, root / "passes" / "lower", f"{family}.py", "view.py", filled("lowering.py", **fields))
    print(_left(dialect, family, fields))
    return 0


def _append(root: Path, folder: Path, name: str, otherwise: str, text: str) -> None:
    path = folder / name if (folder / name).exists() else folder / otherwise
    path.write_text(f"{path.read_text().rstrip()}\n{text}")
    print(f"added to {path.relative_to(root)}")


def _left(dialect: str, family: str, fields: dict[str, str]) -> str:
    """The steps that a new operation still needs, in the order in which to do it."""
    name, mnemonic = fields["name"], fields["mnemonic"]
    steps = [
        f"dialects/{dialect}/{family}_ops.cpp: verifier and folds, with `let hasVerifier = 1` and `let hasFolder = 1`",
        "make build",
        f"test/unit/test_{dialect}_builders.py: a row in CASES that builds it from Python",
        f"python/ttkit/interpreter/ops/{family}.py: its meaning, with a test in test/unit/test_interpreter_*.py; or a "
        f"reason in WITHOUT_MEANING (registry.py beside it) for {name}",
        f"passes/lower/{family}.py: the same registers, changed",
        f"test/lit/lower/{family}.mlir: what it is lowered to; or a reason in WITHOUT_LOWERING "
        "(passes/lower/registry.py)",
        f'test/unit/test_corpus_coverage.py: "{name}" in OPERATIONS_NOT_SEEN, since no kernel of Triton has it',
        "python/ttkit/language/: a function, if kernels shall write it; test/data/language/ has a kernel for each",
        "make docs test",
    ]
    lines = (f"  {number}. {step}" for number, step in enumerate(steps, 1))
    return "\n".join([f"what {mnemonic} still needs (docs/add_an_op.md explains each):", *lines])
