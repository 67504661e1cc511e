"""Metadata of Triton for `importlib.metadata`, where ttkit takes its place."""

from __future__ import annotations

import importlib.metadata
import os
from typing import Any

from ttkit import compat


class TritonDistribution(importlib.metadata.Distribution):
    """A distribution `triton` without files: packages ask for its version before they use it."""

    def read_text(self, filename: str) -> str | None:
        """The files of the package's metadata that have name, version and entry points; None for others."""
        if filename in ("METADATA", "PKG-INFO"):
            summary = "the interface of Triton, by ttkit"
            return f"Metadata-Version: 2.1\nName: triton\nVersion: {compat.version_in_force}\nSummary: {summary}\n"
        if filename == "entry_points.txt":
            return "[triton.backends]\namd = triton.backends.amd\nnvidia = triton.backends.nvidia\n"
        return None

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        """Nothing: triton has no files here.

        Raises:
            FileNotFoundError: always.
        """
        raise FileNotFoundError(f"{path}: ttkit takes the place of triton, which has no files here")
