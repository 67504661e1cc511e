"""`ttkit examples`: the files that the pages of the documentation use, for installations without a checkout."""

from __future__ import annotations

from pathlib import Path

from ttkit.drivers.user_errors import UserError
from ttkit.installation import FOLDER, folders

_NOT_COPIED = ("__pycache__", "Output")
"""What running the examples leaves in their folder."""


def write_examples(folder: Path) -> int:
    """Copies the examples into `folder`, which is made if it is not there.  Files there that are the same stay.

    Raises:
        UserError: a file there has other contents, and nothing is written; or all are there.
        OSError: a file can't be written.
    """
    source = _source()
    files = [path.relative_to(source) for path in sorted(source.rglob("*")) if path.is_file()]
    files = [file for file in files if not any(part in _NOT_COPIED for part in file.parts)]
    missing = []
    for file in files:
        if not (folder / file).exists():
            missing.append(file)
        elif (folder / file).read_bytes() != (source / file).read_bytes():
            raise UserError(f"{folder / file} is there already, with other contents: name another folder")
    if not missing:
        raise UserError(f"{folder} has all examples already")
    for file in missing:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes((source / file).read_bytes())
    there = f"; {len(files) - len(missing)} were there" if len(missing) < len(files) else ""
    print(f"wrote {len(missing)} files to {folder}{there}")
    print(f"try one:  python {folder / 'vector_add.py'}")
    return 0


def _source() -> Path:
    """The folder of the examples: in the package as wheels install it, or at the root of a checkout.

    Raises:
        UserError: neither has one, as in a copy of parts of ttkit.
    """
    places = [*(Path(folder) / "examples" for folder in folders()), Path(FOLDER).parents[1] / "examples"]
    for place in places:
        if (place / "vector_add.py").exists():
            return place
    raise UserError("this installation of ttkit has no examples: install ttkit from its wheel")
