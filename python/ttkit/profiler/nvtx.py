"""NVTX ranges as scopes: those that libraries mark, `torch.cuda.nvtx.range("name")` for example.

NVTX loads what NVTX_INJECTION64_PATH names, at a library's first range: while a session lasts, that is the launcher.
"""

from __future__ import annotations

import atexit
import itertools
import os
import threading
from ctypes import CFUNCTYPE, c_char_p, c_void_p, cast

import ttkit.knobs as knobs
import ttkit.profiler.contexts as contexts
import ttkit.profiler.sessions as sessions
from ttkit.profiler.scope import enter_scope, exit_scope
from ttkit.runtime import native

_PATH = "NVTX_INJECTION64_PATH"


class _Ranges(threading.local):
    """The ranges that a thread is in: the numbers of their scopes, None for those without."""

    def __init__(self) -> None:
        self.scopes: list[int | None] = []


_ranges = _Ranges()


@CFUNCTYPE(None, c_char_p)
def _push(name: bytes | None) -> None:
    _ranges.scopes.append(enter_scope((name or b"").decode(errors="replace")))


@CFUNCTYPE(None)
def _pop() -> None:
    number = _ranges.scopes.pop() if _ranges.scopes else None
    if number is not None:
        _leave(number)


def _leave(number: int) -> None:
    """Ends a scope, which need not be the innermost: ranges and scopes may cross."""
    scopes = contexts.thread.scopes
    if scopes and scopes[-1].number == number:
        exit_scope()
        return
    for ended, inside in itertools.pairwise(scopes):
        if ended.number == number:
            inside.before = ended.before
            scopes.remove(ended)
            return


def listen() -> None:
    """Has ranges be scopes from now on, unless TRITON_ENABLE_NVTX=0.

    Libraries that have marked a range before, and processes whose NVTX another tool listens to, keep theirs.
    """
    module = native.extension()
    if module is None:
        return
    if not knobs.proton.enable_nvtx:
        _leave_alone()
        return
    module.watch_ranges(*(cast(function, c_void_p).value for function in (_push, _pop)))
    atexit.unregister(_leave_alone)
    atexit.register(_leave_alone)  # threads may outlive Python
    os.environ.setdefault(_PATH, module.__file__)


def _leave_alone() -> None:
    native.extension().watch_ranges(0, 0)


@sessions.ON_LAST.append
def forget() -> None:
    """Has libraries that mark their first range later not look here."""
    module = native.extension()
    if module is not None and os.environ.get(_PATH) == module.__file__:
        del os.environ[_PATH]
