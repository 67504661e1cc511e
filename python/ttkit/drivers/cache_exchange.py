"""ttkit cache export, import and warm: kernels from one cache to another, as entries without paths."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from ttkit import knobs
from ttkit.cache.byte_stores import SUFFIX, ByteStore, FolderStore, is_name, store_of
from ttkit.cache.entries import Entry, amount, entries
from ttkit.cache.manager import DamagedEntry, FileCacheManager
from ttkit.cache.packed_entry import pack, unpack
from ttkit.drivers.user_errors import UserError, check_output
from ttkit.whole_files import write_files

_LAUNCHED = (".cubin", ".json")
_DATE = (1980, 1, 1, 0, 0, 0)  # of all files, so that equal kernels make equal files


def export(options: argparse.Namespace) -> int:
    """Copies kernels of the cache to a file or a layer; gives 1 if there are none, or one is damaged.

    Raises:
        UserError: there is no such cache, or the layer can't be used.
        OSError: the file can't be written.
    """
    found, problems = _packed(_directory(options), options.kernel, _LAUNCHED if options.launch_only else "")
    for problem in problems:
        print(f"left out: {problem}", file=sys.stderr)
    if not found:
        raise UserError(f"{_directory(options)} has no kernel to export")
    if options.output.endswith(".zip"):
        check_output(options.output)
        data = io.BytesIO()
        with ZipFile(data, "w", ZIP_DEFLATED) as archive:
            for name, contents in found.items():
                archive.writestr(ZipInfo(name + SUFFIX, _DATE), contents, ZIP_DEFLATED)
        write_files({options.output: data.getvalue()})
        size = data.tell()
    else:
        layer, size = _layer(options.output), sum(map(len, found.values()))
        if not layer.writable:
            raise UserError(f"{options.output} is only read: name a layer that may be written")
        for name, contents in found.items():
            _asked(options.output, lambda name=name, contents=contents: layer.put(name, contents))
    print(f"{len(found)} kernel{'s' * (len(found) != 1)} to {options.output}, {amount(size)}", file=sys.stderr)
    return int(bool(problems))


def import_files(options: argparse.Namespace) -> int:
    """Adds the kernels of files to the cache; gives 1 if none is new, or one is damaged.

    Raises:
        UserError: a file is not one of `export`.
        OSError: a file can't be read, or the cache can't be written.
    """
    return _add(_directory(options), (pair for path in options.files for pair in _of_file(path)), options.files)


def warm(options: argparse.Namespace) -> int:
    """Adds the kernels of layers to the cache; gives 1 if none is new, or one is damaged.

    Raises:
        UserError: no layer is named, or one can't be used.
        OSError: the cache can't be written.
    """
    texts = options.layers or list(knobs.cache.layers)
    if not texts:
        raise UserError(
            "no layer is named: name one, such as /mnt/cache or s3://bucket/cache, or set TTKIT_CACHE_LAYERS"
        )
    return _add(_directory(options), (pair for text in texts for pair in _of_layer(text)), texts)


def _directory(options: argparse.Namespace) -> str:
    found: str = options.dir or knobs.cache.dir
    return found


def _packed(directory: str, kernels: list[str], suffixes: str | tuple[str, ...]) -> tuple[dict[str, bytes], list[str]]:
    """The whole kernels of a cache as entries, by name; and what is wrong with others.

    suffixes: of the files that are taken.
    """
    found: dict[str, bytes] = {}
    problems: list[str] = []
    for entry in _entries(directory):
        if kernels and entry.metadata().get("name") not in kernels:
            continue
        if wrong := entry.problems():
            problems.append(wrong[0])
            continue
        for group in entry.groups:
            loaded = _manager(directory, entry.key).load(group)
            if loaded is not None:
                files = {name: data for name, data in loaded[0].items() if name.endswith(suffixes)}
                found[f"{entry.key}/{group}"] = pack(f"{entry.key}/{group}", files)
    return found, problems


def _entries(directory: str) -> list[Entry]:
    try:
        return list(entries(directory))
    except FileNotFoundError:
        raise UserError(f"no such folder: {directory}") from None


def _manager(directory: str, key: str) -> FileCacheManager:
    manager = FileCacheManager(key)
    manager.directory, manager.cache_dir = directory, os.path.join(directory, key)
    return manager


def _of_file(path: str) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(path) as archive:
            for name in archive.namelist():
                yield name.removesuffix(SUFFIX), archive.read(name)
    except BadZipFile as error:
        raise UserError(f"{path} is not a file of `ttkit cache export`: {error}") from None


def _layer(text: str) -> ByteStore:
    try:
        return store_of(text)
    except Exception as error:  # of a class of the user's
        raise UserError(f"{text} is not a layer: {error}") from None


def _of_layer(text: str) -> Iterator[tuple[str, bytes]]:
    layer = _layer(text)
    if isinstance(layer, FolderStore) and not os.path.isdir(layer.folder):
        raise UserError(f"no such folder: {layer.folder}")
    for name in _asked(text, lambda: list(layer.names())):
        if (data := _asked(text, lambda name=name: layer.get(name))) is not None:
            yield name, data


def _asked(text: str, ask):  # type: ignore[no-untyped-def]
    try:
        return ask()
    except Exception as error:  # of a file system elsewhere
        raise UserError(f"{text}: {error}") from None


def _add(directory: str, found: Iterable[tuple[str, bytes]], places: list[str]) -> int:
    """Puts entries into the cache."""
    added = known = damaged = 0
    for name, data in found:
        if not is_name(name):
            damaged += 1
            print(f"left out: '{name}' is not the name of an entry", file=sys.stderr)
            continue
        key, _, file = name.partition("/")
        manager = _manager(directory, key)
        try:
            if manager.get_group(file) is not None:
                known += 1
                continue
            files = unpack(name, data)
            if file not in files:
                raise DamagedEntry(f"{name} does not have its metadata")
        except DamagedEntry as error:
            damaged += 1
            print(f"left out: {error}", file=sys.stderr)
            continue
        manager.store(file, files)
        added += 1
    if not added and not known and not damaged:
        raise UserError(f"{', '.join(places)} has no kernel")
    print(
        f"{added} kernel{'s' * (added != 1)} added to {directory}, {known} were there, {damaged} damaged",
        file=sys.stderr,
    )
    return int(bool(damaged) or not added)
