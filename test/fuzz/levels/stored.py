"""What other processes have written: entries of the cache, and answers of a remote one, damaged."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

import ttkit
from fuzz.level import ACCEPTED, Level
from fuzz.levels.settings import kernel
from ttkit.cache.remote import RemoteCacheBackend
from ttkit.frontend import ASTSource
from ttkit.target import GPUTarget

HOWS = ("cut", "flip", "insert", "zero", "empty", "delete", "swap", "json")
TEXTS = ("null", "[]", "{}", "1", '"x"', "NaN", '{"child_paths": null}', '{"child_paths": {"a": 1}}', "[" * 2000,
         '{"child_paths": {"../../x": "/etc/passwd"}}', '{"name": 1}', '{"target": []}', "\ud800", "")  # fmt: skip
SUFFIXES = ("source", "ttir", "ttgir", "llir", "ptx", "cubin", "json", "group")
REMOTE: dict[str, dict[str, bytes]] = {}


class Backend(RemoteCacheBackend):
    """A remote cache in this process."""

    def __init__(self, key: str) -> None:
        self.files = REMOTE.setdefault(key, {})

    def get(self, filenames: list[str]) -> dict[str, bytes]:
        return {name: self.files[name] for name in filenames if name in self.files}

    def put(self, filename: str, data: bytes) -> None:
        self.files[filename] = data


def compiled() -> dict[str, object]:
    """The kernel's code, from the cache if that has it."""
    types = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
    made = ttkit.compile(ASTSource(kernel, types, {"BLOCK": 128}), GPUTarget("cuda", 90, 32))
    found = {name: made.asm[name] for name in ("ttir", "ttgir", "llir", "ptx", "cubin")}
    return {**found, "shared": made.metadata.shared, "name": made.metadata.name, "warps": made.metadata.num_warps}


def damaged(files: dict[str, bytes], lines: list[str]) -> dict[str, bytes]:
    """Files by name with the damages `how suffix number` done."""
    files = dict(files)
    for line in lines:
        how, suffix, number = line.split()
        name = next((n for n in sorted(files) if n.startswith("__grp__") == (suffix == "group") and
                     (suffix == "group" or n.endswith(f".{suffix}"))), None)  # fmt: skip
        if name is None:
            continue
        data, at = bytearray(files[name]), int(number) % (len(files[name]) + 1)
        if how == "cut":
            data = data[:at]
        elif how == "flip" and at < len(data):
            data[at] ^= 1 << int(number) % 8
        elif how == "insert":
            data[at:at] = bytes([int(number) % 256]) * 3
        elif how == "zero":
            data[at : at + 16] = bytes(len(data[at : at + 16]))
        elif how == "empty":
            data = bytearray()
        elif how == "swap":
            other = sorted(files)[int(number) % len(files)]
            files[other], data = bytes(data), bytearray(files[other])
        elif how == "json":
            data = bytearray(TEXTS[int(number) % len(TEXTS)].encode(errors="surrogatepass"))
        if how == "delete":
            del files[name]
        else:
            files[name] = bytes(data)
    return files


class Cache(Level):
    """Files of an entry damaged: the kernel must be what it was, found or compiled again.

    Digests find what happens by accident.  Whoever can write the cache may write digests, too: what he then stores is
    taken (docs/security.md), and not made here.
    """

    name = "cache"
    seconds = 60.0

    def make(self, rng: random.Random) -> str:
        count = rng.choice((1, 1, 2, 3))
        return "".join(f"{rng.choice(HOWS)} {rng.choice(SUFFIXES)} {rng.randrange(1 << 20)}\n" for _ in range(count))

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.environ["TRITON_CACHE_DIR"] = self.folder.name
        self.whole = compiled()
        (group,) = Path(self.folder.name).rglob("__grp__*")
        self.entry = group.parent
        self.files = {path.name: path.read_bytes() for path in self.entry.iterdir()}

    def check(self, text: str) -> str:
        shutil.rmtree(self.entry, ignore_errors=True)
        self.entry.mkdir()
        for name, data in damaged(self.files, text.splitlines()).items():
            (self.entry / name).write_bytes(data)
        return ACCEPTED if compiled() == self.whole else "a damaged cache gives another kernel"


class Remote(Cache):
    """The same with the answers of a remote cache."""

    name = "remote"

    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.environ["TRITON_CACHE_DIR"] = self.folder.name
        os.environ["TRITON_CACHE_MANAGER"] = "ttkit.cache.remote:RemoteCacheManager"
        os.environ["TRITON_REMOTE_CACHE_BACKEND"] = f"{__name__}:Backend"
        self.whole = compiled()
        (self.key,) = REMOTE
        self.files = dict(REMOTE[self.key])

    def check(self, text: str) -> str:
        REMOTE[self.key] = damaged(self.files, text.splitlines())
        return ACCEPTED if compiled() == self.whole else "a damaged answer gives another kernel"
