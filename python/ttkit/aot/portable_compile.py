"""Compilations as tasks for other processes and machines: described here, compiled there.

A task is a list of one launch (`launch_list.py`), so the kernel is found by its module's name, or the text of its file
travels with it.  The worker needs the same ttkit, and the packages that the file imports; no GPU.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import Any

import ttkit.knobs as knobs
from ttkit.aot.launch_list import LaunchList, Variant
from ttkit.aot.listed_modules import LaunchListError, ListedModules
from ttkit.options import CompileOptions
from ttkit.runtime.bundle_answers import left_aside
from ttkit.runtime.compile import compile
from ttkit.runtime.variants import generalized
from ttkit.target import GPUTarget

FUNCTION = "ttkit.aot.portable_compile:compile_described"
"""Compiles a task, as `ttkit.executors` names functions."""

_MODULES: dict[str, ListedModules] = {}  # of the files that this process has run


def describe(source: Any, options: CompileOptions, capability: int) -> dict[str, Any] | None:
    """A compilation as a task; None for one that means something here alone: a kernel that is defined in a function, a
    file, a changed pipeline."""
    if options.pipeline or options.ir_override or knobs.compilation.override:
        return None
    launches = LaunchList()
    launches.record(source, options)
    if launches.left_out:
        return None
    return task_of(launches, launches.launches[0], capability)


def task_of(
    launches: LaunchList, launch: dict[str, Any], capability: int, *, general: bool = False, only_served: bool = False
) -> dict[str, Any]:
    """A launch of a list as a task.

    Args:
        general: without what it assumes of its arguments' values.
        only_served: only the files that launches need.
    """
    contents = launches.contents()
    if "file" in launch:  # the texts of others are for others
        mine = launch["function"].partition(":")[0]
        contents["files"] = {name: text for name, text in launches.files.items() if name == mine}
    return {
        "list": {**contents, "launches": [launch]},
        "folder": os.path.abspath(launches.folder),
        "capability": capability,
        "general": general,
        "only_served": only_served,
        "variables": knobs.cache_invalidating_variables(),
        "triton": "triton" in sys.modules,
    }


def compile_described(task: dict[str, Any]) -> dict[str, bytes]:
    """Compiles a task, and gives the kernel's files: levels and metadata, by name.

    Raises:
        LaunchListError: the worker does not find its function, or not with the same source.
        Exception: as `ttkit.compile`.
    """
    if task["triton"]:
        import_module("ttkit.compat").install()
    for name in knobs.INVALIDATING:  # they are a part of the key
        os.environ.pop(name, None)
    os.environ.update(task["variables"])
    found = task["list"]
    known = json.dumps([found["files"], found["path"], task["folder"]])
    path = [task["folder"], *found["path"]]
    modules = _MODULES.setdefault(known, ListedModules(found["files"], path))
    (variant,) = LaunchList.of_contents(found, task["folder"], modules).variants()
    if isinstance(variant, LaunchListError):
        raise variant
    if task["general"]:
        variant = variant._replace(source=generalized(variant.source))
    files = compile_variant(variant, task["capability"])
    return served(files) if task["only_served"] else files


def compile_variant(variant: Variant, capability: int) -> dict[str, bytes]:
    """Compiles a launch of a list, and gives the kernel's files.

    Raises:
        Exception: as `ttkit.compile`.
    """
    target = GPUTarget("cuda", capability, 32)
    with left_aside():
        return compile(variant.source, target, variant.options_for(capability)).files()


def served(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files that launches need."""
    return {name: data for name, data in files.items() if name.endswith((".cubin", ".json"))}
