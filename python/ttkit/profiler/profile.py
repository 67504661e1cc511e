"""Beginning and ending profiles: `start`, `activate`, `deactivate`, `finalize`, `@profile`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ttkit.knobs as knobs
import ttkit.profiler.flags as flags
import ttkit.profiler.nvtx as nvtx
import ttkit.profiler.sessions as sessions
from ttkit.notices import say_once
from ttkit.profiler.cupti import CuptiError, library
from ttkit.profiler.cupti_backend import CuptiBackend
from ttkit.profiler.event_backend import EventBackend
from ttkit.profiler.hook_backend import CountingBackend
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.hooks.launch import LaunchHook
from ttkit.profiler.instrumentation_backend import InstrumentationBackend
from ttkit.profiler.mode import BaseMode, PCSampling, cupti_mode, instrumentation_mode
from ttkit.profiler.sessions import CONTEXTS, DATA, Backend, Session

DEFAULT_PROFILE_NAME = "proton"
BACKENDS = ("cupti", "events", "instrumentation")


def start(
    name: str | None = None,
    *,
    context: str | None = "shadow",
    data: str | None = "tree",
    backend: str | None = None,
    mode: str | BaseMode | None = None,
    hook: str | Hook | None = None,
) -> int | None:
    """Begins a session; it is active.

    Args:
        name: of the file, without what comes after the dot; "proton" without; "-" is the standard output.
        context: "shadow": the tree is of scopes; "python": of lines of Python, and scopes.
        data: "tree" or "trace", a timeline.
        backend: "cupti", the GPU's own times of all kernels; "events", events around ttkit's launches, which is what
            it is where there is no CUPTI; "instrumentation", regions inside of kernels, `ttkit.profiler.language`.
        mode: "pcsampling:interval=N" of "cupti" samples each N cycles where kernels are and what they wait for;
            "periodic_flushing:format=FORMAT" writes a file at each `data.advance_phase`; of "instrumentation" see
            `ttkit.profiler.mode`.
        hook: "triton" asks `@jit(launch_metadata=...)` for operations and bytes; or a Hook of one's own.

    Returns:
        its number; None if TRITON_PROTON_DISABLE is set, or the command `proton` runs the script.

    Raises:
        ValueError: an argument is none of these.
        DriverMissing: there is no GPU.
        CuptiError: CUPTI does not allow what is asked for.
    """
    if flags.command_line or knobs.proton.disable:
        return None
    return begin(name, context, data, backend, mode, hook)


def begin(
    name: str | None,
    context: str | None,
    data: str | None,
    backend: str | None,
    mode: str | BaseMode | None,
    hook: str | Hook | None,
) -> int:
    """`start`, whoever asks.

    Raises:
        ValueError, DriverMissing: as `start`.
    """
    context, data = context or "shadow", data or "tree"
    if context not in CONTEXTS:
        raise ValueError(f"Unknown context source: {context}; use {' or '.join(CONTEXTS)}")
    if data not in DATA:
        raise ValueError(f"Unknown data: {data}; use {' or '.join(DATA)}")
    made, chosen = _backend(backend, mode), _mode(backend, mode)
    if isinstance(chosen, PCSampling) and not isinstance(made, CuptiBackend):
        raise ValueError("mode 'pcsampling' needs a GPU and CUPTI: pip install 'ttkit[profile]'")
    session = Session(name or DEFAULT_PROFILE_NAME, context, data, made, chosen, _hooks(hook))
    sessions.add(session)
    nvtx.listen()
    return session.number


def _hooks(hook: str | Hook | None) -> list[Hook]:
    if hook is None:
        return []
    if isinstance(hook, Hook):
        return [hook]
    if hook != "triton":
        raise ValueError(f"Unknown hook: {hook}; use 'triton', or a Hook")
    return [_launch_hook()]


@functools.cache
def _launch_hook() -> LaunchHook:
    return LaunchHook()


def _mode(backend: str | None, mode: str | BaseMode | None) -> BaseMode:
    return instrumentation_mode(mode) if backend == "instrumentation" else cupti_mode(mode)


def _backend(name: str | None, mode: str | BaseMode | None) -> Backend:
    if name is not None and name not in BACKENDS:
        advice = "it is for AMD's GPUs" if name == "roctracer" else f"use {', '.join(BACKENDS)}"
        raise ValueError(f"Unknown backend: {name}; {advice}")
    if name == "instrumentation":
        return InstrumentationBackend(instrumentation_mode(mode))
    if knobs.runtime.device:
        say_once(
            f"TTKIT_DEVICE={knobs.runtime.device}: the profile counts launches without times, since there is no GPU"
        )
        return _shared(CountingBackend)
    if name == "events":
        return _shared(EventBackend)
    try:
        library()
    except CuptiError as error:
        say_once(f"times come from CUDA events around ttkit's launches; other kernels are not measured: {error}")
        return _shared(EventBackend)
    return _shared(CuptiBackend)


@functools.cache
def _shared(kind: Callable[[], Backend]) -> Backend:
    """One of a kind for all sessions."""
    return kind()


def activate(session: int | None = None) -> None:
    """Goes on measuring for a session, for all without one.

    Raises:
        ValueError: there is no such session.
    """
    if not flags.command_line:
        sessions.activate(session)


def deactivate(session: int | None = None, flushing: bool = False) -> None:
    """Stops measuring for a session, for all without one, once all that was launched has ended.

    Args:
        flushing: not looked at: what was measured is always read.

    Raises:
        ValueError: there is no such session.
    """
    if not flags.command_line:
        sessions.deactivate(session)


def finalize(session: int | None = None, output_format: str | None = "") -> None:
    """Ends a session, all without one, and writes its file.

    Args:
        output_format: "hatchet", "hatchet_msgpack" or "chrome_trace"; without, hatchet for a tree and chrome_trace for
            a timeline.  Where phases were advanced, each has a file, NAME.part_N.FORMAT.

    Raises:
        ValueError: there is no such format.
        OSError: the file can't be written.
    """
    if not flags.command_line:
        sessions.finalize(session, output_format or "")


def profile(
    func: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    context: str | None = "shadow",
    data: str | None = "tree",
    backend: str | None = None,
    mode: str | BaseMode | None = None,
    hook: str | Hook | None = None,
) -> Callable[..., Any]:
    """Profiles each call of a function, as a decorator: arguments as for `start`."""
    if func is None:
        return functools.partial(profile, name=name, context=context, data=data, backend=backend, mode=mode, hook=hook)

    @functools.wraps(func)
    def profiled(*args: Any, **kwargs: Any) -> Any:
        """Calls the function in a session of its own."""
        number = start(name, context=context, data=data, backend=backend, mode=mode, hook=hook)
        try:
            return func(*args, **kwargs)
        finally:
            if number is not None:
                finalize(number)

    return profiled
