"""Reading and writing wheels: their files as a dictionary, with a record that fits."""

from __future__ import annotations

import base64
import hashlib
import stat
import zipfile
from collections.abc import Container, Mapping
from pathlib import Path


def read(path: str | Path) -> dict[str, bytes]:
    """The files of a wheel, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def executables(path: str | Path) -> set[str]:
    """The files of a wheel that are programs."""
    with zipfile.ZipFile(path) as archive:
        return {entry.filename for entry in archive.infolist() if entry.external_attr >> 16 & 0o111}


def info_folder(files: Mapping[str, bytes]) -> str:
    """The folder of the wheel's metadata: `ttkit-0.1.0.dist-info`."""
    return next(name for name in files if name.endswith(".dist-info/METADATA")).rpartition("/")[0]


def write(path: str | Path, files: Mapping[str, bytes], programs: Container[str] = ()) -> None:
    """Writes a wheel with its record; the same bytes for the same files.

    Args:
        programs: the files that may be run.
    """
    info = info_folder(files)
    contents = {name: data for name, data in files.items() if name != f"{info}/RECORD"}
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (stat.S_IFREG | (0o755 if name in programs else 0o644)) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
