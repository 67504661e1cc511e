"""Profiles without a GPU: a libcupti that says what a test has told it, and trees as plain dictionaries."""

from __future__ import annotations

import ctypes
import json
import subprocess
from pathlib import Path
from typing import Any

from fake_driver import _FLAGS, SOURCE


class FakeCupti:
    """A libcupti, compiled from fake_driver/libcupti.c."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = folder / "libcupti.so.13"
        subprocess.run(["gcc", *_FLAGS[:3], "-o", path, SOURCE.with_name("libcupti.c")], check=True)
        self.lib = ctypes.CDLL(str(path))
        self.lib.fake_cupti_kernel.argtypes = [ctypes.c_char_p, ctypes.c_int, *[ctypes.c_uint64] * 3]
        self.lib.fake_cupti_node.argtypes = [ctypes.c_uint64] * 2
        self._names: dict[str, Any] = {}
        self._now = 1000

    def kernel(self, name: str, nanoseconds: int = 100, device: int = 0, node: int = 0) -> None:
        """A kernel is launched and runs."""
        held = self._names.setdefault(name, ctypes.create_string_buffer(name.encode()))
        self.lib.fake_cupti_kernel(held, device, self._now, nanoseconds, node)
        self._now += nanoseconds

    def node(self, number: int, original: int = 0) -> None:
        """A node of a graph is made, or copied."""
        self.lib.fake_cupti_node(number, original)


def tree(path: Path) -> dict[str, Any]:
    """{name: (metrics, children)} of the root of a .hatchet file."""
    return _plain(json.loads(path.read_text())[0]["children"])


def _plain(children: list[dict[str, Any]]) -> dict[str, Any]:
    return {each["frame"]["name"]: (each["metrics"], _plain(each["children"])) for each in children}


def times(path: Path) -> dict[str, Any]:
    """{name: ns, or what is in it} of a .hatchet file."""

    def short(node: tuple[dict[str, Any], dict[str, Any]]) -> Any:
        metrics, children = node
        return {name: short(each) for name, each in children.items()} if children else metrics.get("time (ns)")

    return {name: short(node) for name, node in tree(path).items()}
