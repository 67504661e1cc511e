"""Executors by the texts that commands and variables take."""

from __future__ import annotations

import functools
import os
import queue
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib import import_module
from typing import Any

from ttkit.executors import FORMS, isolated
from ttkit.executors.on_dask import dask_executor
from ttkit.executors.on_ray import RayExecutor


class ExecutorError(ValueError):
    """A text that names no executor, or one that can't be made."""


@functools.cache
def named_executor(text: str) -> Executor:
    """The executor of a text, the same one in a process.

        processes:4             four processes of this machine
        gpus:0,1                a process for each of these GPUs
        dask:tcp://host:8786    the workers of a Dask scheduler; dask:FILE.json as it writes it
        ray:auto                the workers of the Ray cluster; ray:local starts one here
        jobs:executor           an attribute of a module: an executor, or a function that returns one

    Raises:
        ExecutorError: there is none.
    """
    kind, _, rest = text.partition(":")
    try:
        if kind == "processes":
            return ThreadPoolExecutor(_count(rest), thread_name_prefix="ttkit-task")
        if kind == "gpus":
            return _one_for_each_gpu([_number(item) for item in rest.split(",")])
        if kind == "dask" and rest:
            return dask_executor(rest)
        if kind == "ray":
            return RayExecutor(None if rest in ("", "local") else rest)
    except ImportError as error:
        raise ExecutorError(f"{text}: {error}: install ttkit[{kind}]") from None
    except (ValueError, OSError, ConnectionError) as error:
        raise ExecutorError(f"'{text}' is not an executor: {error}; write {FORMS}") from None
    return _of_module(text, kind, rest)


def executor_of(given: Any) -> Executor | None:
    """An executor that is given as such, or as a text; None for nothing.

    Raises:
        ExecutorError: a text names none.
        TypeError: it has no method submit.
    """
    if isinstance(given, str):
        return named_executor(given) if given else None
    if given is not None and not callable(getattr(given, "submit", None)):
        raise TypeError(f"an executor has a method submit, as concurrent.futures.Executor has; found {given!r}")
    found: Executor | None = given
    return found


def _of_module(text: str, module: str, attribute: str) -> Executor:
    if not module or not attribute:
        raise ExecutorError(f"'{text}' is not an executor: write {FORMS}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
        if not callable(getattr(found, "submit", None)) or isinstance(found, type):
            found = found()
    except Exception as error:
        raise ExecutorError(f"'{text}' is not an executor: {type(error).__name__}: {error}") from None
    if not callable(getattr(found, "submit", None)):
        raise ExecutorError(f"'{text}' is not an executor, but {found!r}")
    executor: Executor = found
    return executor


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"'{text}' is not a number")
    return int(text)


def _count(text: str) -> int:
    if (found := _number(text)) < 1:
        raise ValueError(f"{text} processes run nothing")
    return found


def _one_for_each_gpu(numbers: list[int]) -> Executor:
    """Threads, the tasks of each of which run in a process that sees one GPU."""
    gpus: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in numbers:
        gpus.put(number)

    def take() -> None:
        """Gives this thread a GPU."""
        isolated.OF_THREAD.environment = {"CUDA_VISIBLE_DEVICES": str(gpus.get())}

    return ThreadPoolExecutor(len(numbers), thread_name_prefix="ttkit-gpu", initializer=take)
