"""The C compiler of this machine, which compiles what was written once: a program's build should not be the first."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ttkit.cuda_toolkit import toolkit_file

_USUAL = ("cc", "gcc", "clang")


class CCompilerError(ValueError):
    """A source that the C compiler refuses: the compiler's first error."""


def compile_once(files: Mapping[str, str]) -> None:
    """Compiles the sources in C, without output.  Does nothing where there is no compiler, or no cuda.h.

    Args:
        files: {name: text}, with the headers that they include.

    Raises:
        CCompilerError: the compiler reports an error.
    """
    header, command = toolkit_file("include", "cuda.h"), _compiler()
    if header is None or not command:
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        for name in files:
            if name.endswith(".c"):
                _compile([*command, "-fsyntax-only", "-I", os.path.dirname(header), name], folder, name)


def _compiler() -> list[str]:
    """The command of the C compiler, that of the variable CC first; empty if there is none."""
    if command := shlex.split(os.environ.get("CC", "")):
        return command if shutil.which(command[0]) else []
    return [found] if (found := next(filter(None, map(shutil.which, _USUAL)), None)) else []


def _compile(command: list[str], folder: str, name: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.splitlines()
        error = next((line for line in lines if "error" in line), lines[0] if lines else "no message")
        raise CCompilerError(f"{os.path.basename(command[0])} does not compile {name}: {error}")
