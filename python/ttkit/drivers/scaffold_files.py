"""The checkout that new passes and operations are written to, and the templates that they are made of."""

from __future__ import annotations

from pathlib import Path
from string import Template

from ttkit.drivers.user_errors import UserError


def filled(template: str, **fields: str) -> str:
    """A file of `templates/` with its fields filled in."""
    text = (Path(__file__).with_name("templates") / f"{template}.template").read_text(encoding="utf-8")
    return Template(text).substitute(fields)


def checkout(folder: Path) -> Path | None:
    """The checkout of ttkit that a folder is in; None outside."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        if (parent / "passes" / "registry.py").exists() and (parent / "dialects" / "tt.td").exists():
            return parent
    return None


def write_new(path: Path, text: str) -> None:
    """Writes a file and says so.  Raises UserError if it is there already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already") from None
    print(f"wrote {path}")
