"""The bridge between MLIR's pass manager and passes in Python: registration, and the callbacks of libttkit.

A callback raises no exceptions, since its caller is C++.  Exceptions become diagnostics, and are stored in the
`PassRun` of the pipeline, if it has one.
"""

import importlib
import os
import re
import threading
import traceback
from dataclasses import field
from typing import Any

import ttkit.entry_points as entry_points
import ttkit.locks as locks
from ttkit._native import Handle, context_from_pointer, library, operation_from_pointer, operation_handle
from ttkit._signatures import DescribeCallback, ExpandCallback, OptionCallback, PassCallbacks, RunCallback
from ttkit.guards.contexts import check_contexts
from ttkit.guards.erased import watching
from ttkit.guards.erasing import watch_erase
from ttkit.module_attributes import BadModuleAttribute
from ttkit.passes.infra.base import PassError, running
from ttkit.passes.infra.bug_report import blamed, is_library, matched_by, write_report
from ttkit.passes.infra.events import PassRun
from ttkit.passes.registry import PASSES, PIPELINES, check_name
from ttkit.records import dataclass


@dataclass
class Registrations:
    """The passes that are registered with MLIR, for the whole process.

    Attributes:
        lock: held while the other attributes change.
        is_complete: whether ttkit's own passes and those of installed packages are registered.
        for_help: whether passes are described from their source text.
        with_arguments: whether MLIR's name of a pass has its argument too: its table of times has no other column.
        targets: pass name -> "module:Class"; the class itself for one loaded from a file; or an instance.
        loaded: pass name -> the class or instance, and its description.
        of_packages: names of passes from installed packages; a file may define a newer one of that name.
        described: the passes whose description libttkit has.
        failures: pass name -> the reason why it can't be used.
        files: path of a file of passes -> its contents and its classes.
    """

    lock: threading.RLock = field(default_factory=locks.lock)
    is_complete: bool = False
    for_help: bool = False
    with_arguments: bool = False
    targets: dict[str, Any] = field(default_factory=dict)
    loaded: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    of_packages: set[str] = field(default_factory=set)
    described: set[str] = field(default_factory=set)
    failures: dict[str, Exception] = field(default_factory=dict)
    files: dict[str, tuple[bytes, list[Any]]] = field(default_factory=dict)


REGISTERED = Registrations()
_MODULE = "builtin.module"


def register_passes(for_help: bool = False, with_arguments: bool = False) -> None:
    """Registers the names of ttkit's passes and those of installed packages with MLIR.  Later calls do nothing.

    Args:
        for_help: whether to describe them too (summary, options), from their source text.
        with_arguments: whether MLIR calls them `TritonCombineOps (triton-combine)`, not `TritonCombineOps`.
    """
    if REGISTERED.is_complete:
        return
    with REGISTERED.lock:
        if REGISTERED.is_complete:
            return
        lib = library()
        lib.ttkitSetPassCallbacks(_CALLBACKS)
        REGISTERED.for_help = for_help
        REGISTERED.with_arguments = with_arguments
        if for_help:
            lib.ttkitDescribePassesEagerly()
        for name, target in PASSES.items():
            _register(name, target)
        for name, summary in PIPELINES.items():
            lib.ttkitRegisterPipeline(name.encode(), summary.encode(), _expand)
        for entry in entry_points.entries(entry_points.PASSES):
            _register(entry.name, entry.value)
            REGISTERED.of_packages.add(entry.name)
        REGISTERED.is_complete = True


def _register(name: str, target: Any) -> None:
    check_name(name)
    lib = library()
    with REGISTERED.lock:
        if lib.ttkitIsPassRegistered(name.encode()):
            raise ValueError(f"a pass or pipeline named '{name}' exists already; choose another name")
        REGISTERED.targets[name] = target
        lib.ttkitRegisterPass(name.encode())


def register_pass(cls: type) -> None:
    """Registers a Pass subclass under its name; it replaces a pass of that name from an installed package.

    Raises:
        ValueError: the name is taken.
    """
    register_passes()
    with REGISTERED.lock:
        if cls.name in REGISTERED.of_packages and cls.name not in REGISTERED.loaded:
            REGISTERED.of_packages.remove(cls.name)
            REGISTERED.targets[cls.name] = cls
        else:
            _register(cls.name, cls)


def register_as(name: str, target: Any) -> str:
    """Registers a Pass subclass or a Pass under a name, with a number if the name is taken.

    Returns: the name under which it is registered.
    """
    register_passes()
    chosen, number = name, 2
    with REGISTERED.lock:
        while library().ttkitIsPassRegistered(chosen.encode()):
            if REGISTERED.targets.get(chosen) is target:
                return chosen
            chosen, number = f"{name}-{number}", number + 1
        _register(chosen, target)
    return chosen


def description_failure(pipeline: str) -> Exception | None:
    """The reason why a pass in a pipeline can't be used; None if all can."""
    words = set(re.findall(r"[\w.-]+", pipeline))
    return next((error for name, error in REGISTERED.failures.items() if name in words), None)


def known_names() -> list[str]:
    """The names of all passes and pipelines except MLIR's own."""
    register_passes()
    return sorted([*REGISTERED.targets, *PIPELINES])


def pass_class(name: str) -> type | None:
    """The class of a pass written in Python; None for others."""
    if name not in REGISTERED.targets:
        return None
    found = _load(name)[0]
    return found if isinstance(found, type) else type(found)


def users_class(name: str) -> type | None:
    """The class of a pass written in Python that is not ttkit's own; None for others."""
    return None if name in PASSES else pass_class(name)


def description_of(name: str) -> Any:
    """The description of a pass written in Python; imports its file the first time."""
    return _load(name)[1]


def _load(name: str) -> tuple[Any, Any]:
    """The class of a pass, or the instance, and its description; imports its file the first time."""
    found = REGISTERED.loaded.get(name)
    if found is not None:
        return found
    from ttkit.passes.infra.description import describe_class, describe_instance

    with REGISTERED.lock:
        target = REGISTERED.targets[name]
        if isinstance(target, str):
            module, _, attribute = target.partition(":")
            target = getattr(importlib.import_module(module), attribute)
        about = describe_class(target) if isinstance(target, type) else describe_instance(target)
        REGISTERED.loaded[name] = target, about
    return target, about


@ExpandCallback
def _expand(name: bytes, options: bytes, pipeline: int) -> None:
    lib = library()
    try:
        from ttkit.passes.stages import pipeline_text

        lib.ttkitPipelineSetText(pipeline, pipeline_text(name.decode(), options.decode()).encode())
    except ValueError as error:
        lib.ttkitPipelineSetError(pipeline, str(error).encode())
    except Exception as error:  # a bug, or a file that can't be loaded
        lib.ttkitPipelineSetError(pipeline, one_line(error).encode())


@DescribeCallback
def _describe(name_bytes: bytes, definition: int) -> None:
    name = name_bytes.decode()
    with REGISTERED.lock:
        if name in REGISTERED.described:  # by another thread, meanwhile
            return
        try:
            _fill_in(name, definition)
        except Exception as error:  # any failure to load a user's file
            REGISTERED.failures[name] = error
            library().ttkitPassSetError(definition, one_line(error).encode())
        REGISTERED.described.add(name)


def _fill_in(name: str, definition: int) -> None:
    """Passes the description of a pass to libttkit."""
    from ttkit.passes.infra.description import describe_source, option_text
    from ttkit.passes.infra.titles import title

    lib, target = library(), REGISTERED.targets[name]
    about = describe_source(target) if REGISTERED.for_help and isinstance(target, str) else _load(name)[1]
    # A pass on a smaller operation than a module may be placed anywhere: `_run` looks for its operations.
    anchor = about.anchor if about.anchor == _MODULE else None
    called = title(name, about.class_name) if target == PASSES.get(name) else about.class_name
    if REGISTERED.with_arguments:
        called = f"{called} ({name})"
    lib.ttkitPassDescribe(definition, called.encode(), about.summary.encode(), anchor.encode() if anchor else None)
    for option in about.options:
        default = option_text(option.default)
        # A flag that is off, and text that is empty, are what a reader expects.
        shown = option.help if default in ("", "false") else f"{option.help} (default: {default})"
        fields = (option.name, option.type, default, shown)
        lib.ttkitPassAddOption(definition, *(text.encode() for text in fields))
    for statistic, text in about.statistics.items():
        lib.ttkitPassAddStatistic(definition, statistic.encode(), text.encode())
    for dialect in about.dependent_dialects:
        lib.ttkitPassAddDependentDialect(definition, dialect.encode())


@RunCallback
def _run(name_bytes: bytes, native_pass: int, pointer: Handle, run_pointer: int | None) -> bool:
    lib = library()
    name, run = name_bytes.decode(), PassRun.at(run_pointer)
    location = None
    try:
        context = run.context_of(pointer) if run else context_from_pointer(lib.ttkitContextOf(pointer))
        operation = operation_from_pointer(pointer.pointer)
        instance = _instantiate(name, native_pass)
        token = running.set(native_pass)
        try:
            is_users = REGISTERED.targets[name] != PASSES.get(name)
            if is_users:  # tt-opt does not do so itself, since most of its runs have no such passes
                watch_erase()
                check_contexts()
            with context, watching(is_users):
                for anchored in _anchored(operation, instance.anchor):
                    instance.run(anchored)
        finally:
            running.reset(token)
        return True
    except (PassError, BadModuleAttribute) as error:
        raised: BaseException = error if isinstance(error, PassError) else PassError(error.operation, error.message)
        where, text = operation_handle(error.operation), f"pass '{name}': {error.message}"
    except BaseException as error:  # a bug in the pass, or a keyboard interrupt
        raised, where, text = error, pointer, f"pass '{name}' raised {one_line(error)}"
        matched = matched_by(error)
        is_own = isinstance(error, Exception) and REGISTERED.targets[name] == PASSES.get(name)
        if is_own and (input_error := _input_error_in(operation, name)) is not None:
            input_error.__cause__ = error
            raised, where = input_error, operation_handle(input_error.operation)
            text = f"pass '{name}': {input_error.message}"
        elif is_own:
            if (found := blamed(error)) is not None:
                where = operation_handle(found)
            text = f"internal error in pass '{name}': {one_line(error)}; {write_report(name, error)}"
        elif matched is not None:
            location, matched_text = matched
            text += f", in a pattern for '{matched_text}'"
    if run is not None:
        run.errors.append(raised)
    if location is not None:
        location.emit_error(text)
    else:
        lib.ttkitEmitError(where, text.encode())
    return False


def _input_error_in(operation: Any, name: str) -> Any:
    from ttkit.passes.infra.preconditions import input_error_in

    return input_error_in(operation, name)


def _anchored(operation: Any, anchor: str | None) -> list[Any]:
    """The operations that a pass runs on: the given one, or those of the pass's kind in it."""
    if anchor in (None, _MODULE, operation.name):
        return [operation]
    return [
        found
        for region in operation.regions
        for block in region
        for inner in block.operations
        for found in _anchored(inner.operation, anchor)
    ]


def _instantiate(name: str, native_pass: int) -> Any:
    from ttkit.passes.infra.description import option_value

    cls, about = _load(name)
    if not about.options:
        return cls() if isinstance(cls, type) else cls
    texts: dict[str, str] = {}

    @OptionCallback
    def collect(key: bytes, value: bytes) -> None:
        """Records the text of one option by its key."""
        texts[key.decode()] = value.decode()

    library().ttkitPassOptions(native_pass, collect)
    return cls(**{o.field: option_value(texts[o.name], o.type) for o in about.options})


def one_line(error: BaseException, path: str | None = None) -> str:
    """An exception as `TypeError: message (pass.py:12)`, with the innermost line of a pass, or of the file `path`.

    Errors in the code that all passes share have no line.
    """
    text = f"{type(error).__name__}: {error}".rstrip(": ").replace("\n", " ")
    frames: list[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({os.path.basename(error.filename)}:{error.lineno})"
    if path is None:
        others = [frame for frame in frames if not is_library(frame.filename)]
        # Methods that dataclasses write have no file: the line that calls them is the pass's.
        others = [frame for frame in others if frame.filename != "<string>"] or others
        infra = os.path.dirname(__file__)
        frames = others or [frame for frame in frames if os.path.dirname(frame.filename) != infra]
    else:
        frames = [frame for frame in frames if os.path.abspath(frame.filename) == os.path.abspath(path)]
    return f"{text} ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else text


_CALLBACKS = PassCallbacks(_describe, _run)
