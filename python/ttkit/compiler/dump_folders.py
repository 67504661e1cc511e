"""The folders of TRITON_KERNEL_DUMP: one for each configuration and GPU of a kernel.

The first configuration has the folder that Triton uses, named after the source's hash.  Configurations of the same
source have folders beside it, whose names say what is different: `<hash>.num_stages=2`, `<hash>.sm80.num_warps=8`.
The file `.options.json` in a folder says whose it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from typing import Any

from ttkit.cache.manager import CacheManager, base32, get_dump_manager
from ttkit.options import CompileOptions
from ttkit.whole_files import read_file

MARKER = ".options.json"
_OF_ARCH = ("supported_fp8_dtypes", "deprecated_fp8_dot_operand_dtypes", "max_num_imprecise_acc_default")
_LONGEST = 80  # characters in the part of a folder's name for its options


def dump_manager(source: Any, options: CompileOptions) -> CacheManager:
    """The manager of the folder for a source and options: the source's own, unless another configuration has that.

    Raises:
        OSError: the folder can't be written.
    """
    key, described = source.hash(), _described(options)
    manager = get_dump_manager(key)
    holder = _claim(manager, described)
    if holder == described:
        return manager
    manager = get_dump_manager(key, _difference(holder, described))
    _claim(manager, described)
    return manager


def folder_in(directory: str, source: Any, options: CompileOptions) -> str:
    """The folder for a source and options in a copy of the dump directory; the source's own if there is none."""
    plain, described = os.path.join(directory, base32(source.hash())), _described(options)
    with contextlib.suppress(OSError, ValueError):
        holder = json.loads(read_file(os.path.join(plain, MARKER)))
        other = plain + _difference(holder, described)
        if holder != described and os.path.isdir(other):
            return other
    return plain


def _described(options: CompileOptions) -> dict[str, Any]:
    """The options as JSON gives them back."""
    described: dict[str, Any] = json.loads(json.dumps(options.as_dict(), default=str))
    return described


def _claim(manager: CacheManager, described: dict[str, Any]) -> dict[str, Any]:
    """The options whose folder this is; the given ones if it was nobody's.  One of several processes succeeds."""
    text = json.dumps(described)
    if isinstance(folder := getattr(manager, "cache_dir", None), str):
        path = os.path.join(folder, MARKER)
        if not os.path.exists(path):
            mine = manager.put(text, f"{MARKER}.{os.getpid()}.{os.urandom(4).hex()}")
            try:
                with contextlib.suppress(FileExistsError):
                    os.link(mine, path)
            finally:
                os.unlink(mine)
        found: str | None = path
    else:
        found = manager.get_file(MARKER) or manager.put(text, MARKER)
    with contextlib.suppress(OSError, ValueError, TypeError):
        holder = json.loads(read_file(str(found)))
        if isinstance(holder, dict):
            return holder
    return described


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    """The options that differ in the second, as the end of a folder's name."""
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    if "arch" in names:
        names = ["arch", *(name for name in names if name not in ("arch", *_OF_ARCH))]
    parts = [str(other["arch"]) if name == "arch" else f"{name}={other.get(name)}" for name in names]
    text = "." + ".".join(parts)
    if len(text) > _LONGEST or re.search(r"[^\w.=+-]", text):
        text = "." + hashlib.sha256(text.encode()).hexdigest()[:12]
    return text
