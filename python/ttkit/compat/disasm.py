"""`triton.tools.disasm`: the instructions of a cubin."""

from __future__ import annotations

import os
import re

from ttkit.compiler.disassembly import sass


def get_sass(cubin_asm: bytes, fun: str | None = None) -> str:
    """The instructions of a cubin as text, see `ttkit.compiler.disassembly.sass`.

    Args:
        fun: the one kernel that is wanted.

    Raises:
        RuntimeError: no disassembler is installed, or the bytes are not a cubin.
        KeyError: the cubin has no such kernel.
    """
    text = sass(cubin_asm)
    if fun is None:
        return text
    sections = re.split(r"(?m)^(?=\s*(?:\.section\s+\.text\.|Function : ))", text)
    for section in sections:
        if re.match(rf"\s*(?:\.section\s+\.text\.|Function : ){re.escape(fun)}\b", section):
            return section
    raise KeyError(fun)


def extract(file_path: str | os.PathLike[str], fun: str | None) -> str:
    """The instructions of a file of a cubin, as `get_sass` gives them.

    Raises:
        OSError: the file can't be read.
        RuntimeError, KeyError: as `get_sass`.
    """
    with open(file_path, "rb") as file:
        return get_sass(file.read(), fun)
