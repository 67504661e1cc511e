"""`ttkit new-op` outside of ttkit's own dialects: a package with a dialect, defined in Python.

It has one operation, a rotation under the name that was asked for, with all that an operation has: verifier, meaning,
lowering, a function for kernels, a pass, tests.  `examples/own_dialect` is what it writes for `roll.rotate`.
"""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import ttkit
from ttkit.dialects.defined import DIALECTS
from ttkit.drivers.scaffold_files import filled, write_new
from ttkit.drivers.user_errors import UserError

_OPERATION = re.compile(r"([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)")
FILES = (
    "pyproject.toml",
    "dialect/py.typed",
    *(
        f"dialect/{name}.py"
        for name in "__init__ dialect kernels layouts lowering meaning proof merge_mnemonic".split()
    ),
    *(f"tests/{name}" for name in "lit.cfg.py invalid.mlir lower.mlir merge_mnemonic.mlir mnemonic.mlir".split()),
    "tests/test_dialect.py",
)
"""The files of a package; `dialect` and `mnemonic` stand for the names."""


def new_package(name: str, folder: Path) -> int:
    """Writes a package for an operation into `folder`, which is made if it is not there.

    Raises:
        UserError: no such name, or one that is taken; a file is there already.
        OSError: a file can't be written.
    """
    found = _OPERATION.fullmatch(name)
    if found is None:
        raise UserError(f"'{name}' can't name an operation: a dialect and a name, such as roll.rotate or tt.rotate")
    dialect, mnemonic = found.groups()
    if taken := _taken(dialect):
        raise UserError(f"'{dialect}' is the name of {taken}: choose another, such as my_{dialect}.{mnemonic}")
    camel = ["".join(word.capitalize() for word in part.split("_")) for part in (dialect, mnemonic)]
    fields = {
        "dialect": dialect,
        "Dialect": camel[0],
        "mnemonic": mnemonic,
        "hyphened": mnemonic.replace("_", "-"),
        "cls": camel[1],
    }
    for file in FILES:
        path = folder / re.sub(r"dialect(?=/|\.py$)(?<!/dialect)|(?<=test_)dialect", dialect, file, count=1)
        path = path.with_name(path.name.replace("mnemonic", mnemonic))
        write_new(path, filled(f"package/{file.replace('/', '__')}", **fields))
    print(f"test it:     cd {folder}; lit tests")
    print("install it:  pip install .; then python -m pytest tests")
    print(f"change it:   first {folder / dialect / 'dialect.py'} (docs/own_dialects.md explains each file)")
    return 0


def _taken(dialect: str) -> str:
    """The owner of the name of a new dialect; empty if there is none, or if it is another package of users."""
    if dialect in ("ttkit", "triton"):
        return "a package"
    if dialect in sys.stdlib_module_names:
        return "a module of Python"
    with ttkit.Context() as context:
        try:
            context.get_dialect_descriptor(dialect)
        except ValueError:  # there is none
            return "an installed package" if _is_installed(dialect) else ""
    return "" if dialect in DIALECTS else "a dialect of MLIR or ttkit"


def _is_installed(package: str) -> bool:
    """Whether Python imports a package from somewhere else than the current folder."""
    spec = find_spec(package)
    places = [] if spec is None else [*(spec.submodule_search_locations or ()), *filter(None, [spec.origin])]
    return any(not Path(place).is_relative_to(Path.cwd()) for place in places)
