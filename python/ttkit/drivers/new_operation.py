"""`ttkit new-op`: an operation in a checkout, from its definition to its tests.

It is a rotation under the name that was asked for, complete as it is written, as an example to change: definition,
verifier and folds, meaning, lowering for every layout, function of the language, tests, its line in the docs.
"""

from __future__ import annotations

import re
from pathlib import Path

from ttkit.drivers.scaffold_files import checkout, filled
from ttkit.drivers.user_errors import UserError

OWN_DIALECTS = ("tt", "ttg", "ttng")
"""The dialects that it adds operations to."""
_OPERATION = re.compile(rf"({'|'.join(OWN_DIALECTS)})\.([a-z][a-z0-9_]*)")


def new_op(name: str, family: str, folder: Path) -> int:
    """Writes an operation of one operand that works, and says what to do next.

    Raises:
        UserError: outside of a checkout; no such name or family; the operation is there already.
        OSError: a file can't be written.
    """
    root = checkout(folder)
    if root is None:
        raise UserError(
            "ttkit's own operations are C++, generated from td files: run this in a checkout of ttkit; or choose a "
            "dialect of your own, which is Python: ttkit new-op roll.rotate"
        )
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
    cls = "".join(word.capitalize() for word in mnemonic.split("_"))
    # Only tt's operations have the trait by which passes may change their layout.
    layouts = ", SameOperandsAndResultEncoding" if dialect == "tt" else ""
    fields = {"prefix": dialect.upper(), "cls": cls, "name": name, "mnemonic": mnemonic, "layouts": layouts}
    operation = _NewOperation(root, dialect, family, fields)
    operation.write_dialect()
    operation.write_compiler()
    if dialect == "tt":
        operation.write_language()
    operation.write_rows()
    print(_next_steps(dialect, family, fields))
    return 0


class _NewOperation:
    """The files of an operation.

    Args:
        root: the checkout.
        fields: what the templates ask for.
    """

    def __init__(self, root: Path, dialect: str, family: str, fields: dict[str, str]) -> None:
        self.root, self.dialect, self.family, self.fields = root, dialect, family, fields
        self.name, self.mnemonic = fields["name"], fields["mnemonic"]

    def write_dialect(self) -> None:
        """Definition, verifier and folds, and the lit tests of the dialect."""
        folder = self.root / "dialects" / self.dialect
        self._insert(folder / f"{self.family}_ops.td", "#endif", self._filled("definition.td").rstrip() + "\n\n")
        self._insert(folder / f"{self.family}_ops.cpp", "} // namespace", self._filled("definition.cpp"))
        tests = self.root / "test" / "lit" / "dialects" / self.dialect
        for kind, template in (("ops", "operation"), ("invalid", "invalid"), ("canonicalize", "canonicalize")):
            others = sorted(path.name for path in tests.glob(f"{kind}*.mlir"))
            self._append(tests, [f"{kind}_{self.family}.mlir", f"{kind}.mlir", *others], f"{template}_test.mlir")

    def write_compiler(self) -> None:
        """Meaning, lowering, scratch memory and proof term."""
        meanings = self.root / "python" / "ttkit" / "interpreter" / "ops"
        file = self._append(meanings, [f"{self.family}.py", "view.py"], "meaning.py")
        add_import(file, "import numpy as np")
        file = self._append(self.root / "passes" / "lower", [f"{self.family}.py", "view.py"], "lowering.py")
        for line in ("from mlir import ir", "from ttkit.passes.lower.gather import take"):
            add_import(file, line)
        self._append(self.root / "python" / "ttkit" / "analysis", ["scratch_sizes.py"], "scratch.py")
        proofs = self.root / "python" / "ttkit" / "validation" / "meanings"
        export(self._append(proofs, ["tensors.py"], "proof.py"), "ttkit.validation.integers", "remainder_unsigned")

    def write_language(self) -> None:
        """The function of `tl`, with its exports, and the test of both."""
        folder = self.root / "python" / "ttkit" / "language"
        file = self._append(folder, ["view.py"], "language.py")
        for path, module in ((folder / "core.py", file.stem), (folder / "__init__.py", "core")):
            export(path, f"ttkit.language.{module}", self.mnemonic)
            print(f"exported from {path.relative_to(self.root)}")
        test = self.root / "test" / "unit" / f"test_{self.mnemonic}.py"
        if test.exists():
            raise UserError(f"{test} is there already")
        test.write_text(self._filled("operation_test.py"))
        print(f"wrote {test.relative_to(self.root)}")

    def write_rows(self) -> None:
        """The rows that tests of all operations ask for."""
        tests = self.root / "test" / "unit"
        if self.dialect == "tt":
            text = f"{self.name} %arg0 {{axis = 0 : i32, shift = 1 : i32}}"
            row = f'    (lambda x: tt.{self.mnemonic}(x, axis=0, shift=1), [FLOATS], "{text}"),\n'
            self._insert_into(tests / "test_tt_builders.py", r"^CASES = \[$.*?(?=^\])", row)
        row = f'    "{self.name}": "no kernel of Triton has it",\n'
        self._insert_into(tests / "test_corpus_coverage.py", r"^OPERATIONS_NOT_SEEN = \{$.*?(?=^\})", row)

    def _filled(self, template: str) -> str:
        return filled(template, **self.fields)

    def _append(self, folder: Path, names: list[str], template: str) -> Path:
        """Appends a template to the first of the files that exists; gives that."""
        path = next(folder / name for name in names if (folder / name).exists())
        path.write_text(f"{path.read_text().rstrip()}\n{self._filled(template)}")
        print(f"added to {path.relative_to(self.root)}")
        return path

    def _insert(self, path: Path, before: str, text: str) -> None:
        """Inserts a text before the last occurrence of another."""
        whole = path.read_text()
        place = whole.rindex(before)
        path.write_text(f"{whole[:place].rstrip()}\n\n{text.lstrip()}{whole[place:]}")
        print(f"added to {path.relative_to(self.root)}")

    def _insert_into(self, path: Path, block: str, text: str) -> None:
        """Inserts a text at the end of what a pattern matches."""
        whole = path.read_text()
        found = re.search(block, whole, re.M | re.S)
        if found is None:
            raise UserError(f"{path} has no table where a row of {self.name} would go")
        path.write_text(whole[: found.end()] + text + whole[found.end() :])
        print(f"added to {path.relative_to(self.root)}")


def add_import(path: Path, line: str) -> None:
    """Adds an import to a Python file, if it lacks that, where sorted imports have it."""
    lines = path.read_text().splitlines(keepends=True)
    if f"{line}\n" in lines:
        return
    imports = [n for n, one in enumerate(lines) if one.startswith(("import ", "from ")) and "__future__" not in one]
    group = [n for n in imports if _is_own(lines[n]) == _is_own(line)]
    following = [n for n in group if _sort_key(lines[n]) > _sort_key(line)]
    lines.insert(following[0] if following else (group or imports)[-1] + 1, f"{line}\n")
    path.write_text("".join(lines))


def _is_own(line: str) -> bool:
    return line.split()[1].startswith("ttkit")


def _sort_key(line: str) -> tuple[bool, str]:
    """`import a` comes before `from a import b`; each kind by the module."""
    return line.startswith("from"), line.split()[1]


def export(path: Path, module: str, name: str) -> None:
    """Adds a name to what a file imports from a module, in its place by the alphabet, if it lacks that.

    Raises:
        UserError: the file imports nothing from the module.
    """
    text = path.read_text()
    line = re.search(rf"^from {re.escape(module)} import ([\w, ]+)$", text, re.M)
    if line is not None:
        names = ", ".join(sorted({*line[1].split(", "), name}))
        path.write_text(text[: line.start(1)] + names + text[line.end(1) :])
        return
    found = re.search(rf"^from {re.escape(module)} import \(\n(.*?)^\)$", text, re.M | re.S)
    if found is None:
        raise UserError(f"{path} imports nothing from {module}")
    rows = found[1].splitlines(keepends=True)
    small = [n for n, one in enumerate(rows) if one.strip()[0].islower()]
    place = next((n for n in small if rows[n].strip(" ,\n") > name), len(rows))
    rows.insert(place, f"    {name},\n")
    path.write_text(text[: found.start(1)] + "".join(rows) + text[found.end(1) :])


def _next_steps(dialect: str, family: str, fields: dict[str, str]) -> str:
    mnemonic = fields["mnemonic"]
    test = f"test/unit/test_{mnemonic}.py " if dialect == "tt" else ""
    steps = [
        "make build",
        f".venv/bin/python -m pytest -q {test}test/unit/test_{dialect}_builders.py",
        f".venv/bin/lit test/lit/dialects/{dialect}",
        f"change what it does, first in dialects/{dialect}/{family}_ops.td; `git diff` shows each place",
        "make docs test",
    ]
    if dialect != "tt":
        steps.insert(3, f"a row in CASES of test/unit/test_{dialect}_builders.py; a test of its meaning and lowering")
    lines = (f"  {number}. {step}" for number, step in enumerate(steps, 1))
    return "\n".join([f"{fields['name']} rotates tensors, until you change it (docs/add_an_op.md):", *lines])
