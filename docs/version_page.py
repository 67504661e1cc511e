"""The page of names that Triton has got since 3.6, from test/data/surfaces, and whether ttkit has each."""

import json
from importlib import import_module
from pathlib import Path

from ttkit import compat
from ttkit.compat.missing import reason_missing
from ttkit.compat.missing_later import later_reason

FOLDER = Path(__file__).resolve().parent.parent / "test" / "data" / "surfaces"
_INTRODUCTION = """# Names of Triton since 3.6

Names of Triton's public modules, by the version that brought them, and whether ttkit has them; parameters and members
that a version added to older names are in parentheses. test/oracle/record_surface.py recorded them, by the installed
packages of 3.7.1, 3.8.0 and 3.9.0. Left out are AMD's parts and Triton's own tests.
"""


def version_page() -> str:
    """A table for each version."""
    compat.install(children=False)
    try:
        parts, known = [_INTRODUCTION], set()
        for path in sorted(FOLDER.glob("*.json")):
            parts.append(f"## {path.stem}\n\n| module | name | here |\n| --- | --- | --- |")
            surface = json.loads(path.read_text(encoding="utf-8"))
            for module, names in surface.items():
                rows = dict(_rows(module, names))
                parts += [
                    f"| `{module}` | {name} | {here} |" for name, here in rows.items() if (module, name) not in known
                ]
                known |= {(module, name) for name in rows}
    finally:
        compat.uninstall()
    return "\n\n".join(parts[:2]) + "\n" + "\n".join(parts[2:]).replace("\n## ", "\n\n## ") + "\n"


def _rows(module, names):
    for name, row in sorted(names.items()):
        if row is None:
            yield f"`{name}`, removed", "still" if _is_there(module, name) else "no"
        elif len(row) == 3:
            yield f"`{name}`", _here(module, name)
        else:
            if row[1] is not None:
                yield f"`{name}` (`{row[1]}`)", "yes"
            for member in sorted(key for key, value in row[2].items() if value != "removed"):
                yield f"`{name}` (`{member}`)", _here(module, name, member)


def _is_there(module, name, member=""):
    try:
        value = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        return False
    return not member or hasattr(value, member) or member in getattr(value, "__annotations__", ())


def _here(module, name, member=""):
    if _is_there(module, name, member):
        return "yes"
    return f"no: {later_reason(module, name, member) or reason_missing(f'{module}.{name}') or 'missing'}"
