"""Between MLIR's pass manager and passes written in Python: registration, and the callbacks that libttkit makes.

A callback never lets an exception through, since there is C++ above it: exceptions become diagnostics, and are kept in
`raised` for whoever started the pass manager.
"""

import importlib
import importlib.util
import os
import sys
import traceback
from typing import Any

from ttkit._native import (
    DescribeCallback,
    ExpandCallback,
    Handle,
    OptionCallback,
    PassCallbacks,
    RunCallback,
    adopt_context,
    library,
    operation_from_pointer,
    operation_handle,
)
from ttkit.passes.infra.bug_report import blamed, write_report
from ttkit.passes.registry import ENTRY_POINT_GROUP, PASSES, PIPELINES, some_package_adds_passes

# Pass name -> "module:Class", or the class itself for one loaded from a file, or a pass.
_targets: dict[str, Any] = {}
_classes: dict[str, tuple[Any, Any]] = {}
_help_only = False

raised: list[BaseException] = []
"""Exceptions that passes raised, oldest first; `run_passes` and tt-opt look at it and clear it."""


def register_passes(for_help: bool = False) -> None:
    """Tells MLIR the names of all passes: ours and those of installed packages.  Later calls do nothing.

    Args:
        for_help: also describe them (summary, options), from their source text.
    """
    global _help_only
    if _targets:
        return
    lib = library()
    lib.ttkitSetPassCallbacks(_CALLBACKS)
    _help_only = for_help
    if for_help:
        lib.ttkitDescribePassesEagerly()
    for name, target in PASSES.items():
        _register(name, target)
    for name, summary in PIPELINES.items():
        lib.ttkitRegisterPipeline(name.encode(), summary.encode(), _expand)
    if some_package_adds_passes():
        from importlib.metadata import entry_points

        for entry in entry_points(group=ENTRY_POINT_GROUP):
            _register(entry.name, entry.value)


def _register(name: str, target: Any) -> None:
    lib = library()
    if lib.ttkitIsPassRegistered(name.encode()):
        raise ValueError(f"a pass or pipeline named '{name}' exists already; choose another name")
    _targets[name] = target
    lib.ttkitRegisterPass(name.encode())


def load_pass_file(path: str) -> list[str]:
    """Runs a Python file and registers each Pass subclass that it defines; gives their names.

    Raises:
        OSError: the file can't be read.
        ValueError: it defines no pass, or one whose name is taken.
        Exception: whatever the file raises.
    """
    classes = classes_of_file(path)
    for cls in classes:
        register_pass(cls)
    return [cls.name for cls in classes]


# Path -> its contents, and the classes of these.
_files: dict[str, tuple[bytes, list[Any]]] = {}


def classes_of_file(path: str) -> list[Any]:
    """Runs a Python file, again only if it has changed, and gives the Pass subclasses that it defines, in order.

    Raises:
        OSError: the file can't be read.
        ValueError: it defines no pass.
        Exception: whatever the file raises.
    """
    from pathlib import Path

    from ttkit.passes.infra.base import Pass

    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    contents = file.read_bytes()
    if str(file) in _files and _files[str(file)][0] == contents:
        return _files[str(file)][1]
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Pass)
        and value.__module__ == file.stem
        and hasattr(value, "name")
    ]
    if not classes:
        raise ValueError(f"{path} defines no pass: a subclass of ttkit.Pass with a name")
    _files[str(file)] = contents, classes
    return classes


def register_pass(cls: type) -> None:
    """Registers a Pass subclass under its name.

    Raises:
        ValueError: the name is taken.
    """
    register_passes()
    _register(cls.name, cls)


def register_as(name: str, target: Any) -> str:
    """Registers a Pass subclass, or a Pass, under a name; if something else has the name, a number is added.

    Returns: the name that it has.
    """
    register_passes()
    chosen, number = name, 2
    while library().ttkitIsPassRegistered(chosen.encode()):
        if _targets.get(chosen) is target:
            return chosen
        chosen, number = f"{name}-{number}", number + 1
    _register(chosen, target)
    return chosen


def known_names() -> list[str]:
    """Names of the passes and pipelines that are not MLIR's own."""
    register_passes()
    return sorted([*_targets, *PIPELINES])


def pass_class(name: str) -> type | None:
    """The class of a pass written in Python; None for others."""
    if name not in _targets:
        return None
    found = _load(name)[0]
    return found if isinstance(found, type) else type(found)


def users_class(name: str) -> type | None:
    """The class of a pass written in Python that is not ttkit's own; None for others."""
    return None if name in PASSES else pass_class(name)


def _load(name: str) -> tuple[Any, Any]:
    """The class of a pass, or the pass itself, and its description; imports its file the first time."""
    from ttkit.passes.infra.description import describe_class, describe_instance

    if name not in _classes:
        target = _targets[name]
        if isinstance(target, str):
            module, _, attribute = target.partition(":")
            target = getattr(importlib.import_module(module), attribute)
        _classes[name] = target, describe_class(target) if isinstance(target, type) else describe_instance(target)
    return _classes[name]


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
    from ttkit.passes.infra.description import describe_source, option_text

    lib = library()
    name = name_bytes.decode()
    try:
        target = _targets[name]
        about = describe_source(target) if _help_only and isinstance(target, str) else _load(name)[1]
    except Exception as error:  # any failure to load a user's file
        raised.append(error)
        lib.ttkitPassSetError(definition, one_line(error).encode())
        return
    lib.ttkitPassDescribe(
        definition, about.class_name.encode(), about.summary.encode(), about.anchor.encode() if about.anchor else None
    )
    for option in about.options:
        fields = (option.name, option.type, option_text(option.default), option.help)
        lib.ttkitPassAddOption(definition, *(text.encode() for text in fields))
    for statistic, text in about.statistics.items():
        lib.ttkitPassAddStatistic(definition, statistic.encode(), text.encode())
    for dialect in about.dependent_dialects:
        lib.ttkitPassAddDependentDialect(definition, dialect.encode())


@RunCallback
def _run(name_bytes: bytes, native_pass: int, pointer: Handle) -> bool:
    from ttkit.passes.infra.base import PassError, counter

    lib = library()
    name = name_bytes.decode()
    try:
        adopt_context(lib.ttkitContextOf(pointer))
        operation = operation_from_pointer(pointer.pointer)
        instance = _instantiate(name, native_pass)
        counter.add = lambda index, amount: lib.ttkitPassCount(native_pass, index, amount)
        try:
            with operation.context:
                instance.run(operation)
        finally:
            counter.add = None
        return True
    except PassError as error:
        where, text = operation_handle(error.operation), f"pass '{name}': {error.message}"
        raised.append(error)
    except BaseException as error:  # a bug in the pass, or a keyboard interrupt
        where, text = pointer, f"pass '{name}' raised {one_line(error)}"
        raised.append(error)
        if isinstance(error, Exception) and _targets[name] == PASSES.get(name):  # of our own
            if (operation := blamed(error)) is not None:
                where = operation_handle(operation)
            text = f"internal error in pass '{name}': {one_line(error)}; {write_report(name, error)}"
    lib.ttkitEmitError(where, text.encode())
    return False


def _instantiate(name: str, native_pass: int) -> Any:
    from ttkit.passes.infra.description import option_value

    cls, about = _load(name)
    if not about.options:
        return cls() if isinstance(cls, type) else cls
    texts: dict[str, str] = {}

    @OptionCallback
    def collect(key: bytes, value: bytes) -> None:
        texts[key.decode()] = value.decode()

    library().ttkitPassOptions(native_pass, collect)
    return cls(**{o.field: option_value(texts[o.name], o.type) for o in about.options})


def one_line(error: BaseException, path: str | None = None) -> str:
    """`TypeError: message (pass.py:12)`, with the innermost line of a file that is not ours or the bindings'; of `path`
    if it has one."""
    text = f"{type(error).__name__}: {error}".rstrip(": ").replace("\n", " ")
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.endswith(os.path.join("infra", "bridge.py"))
    ]
    if isinstance(error, SyntaxError) and error.filename:
        return f"{text} ({os.path.basename(error.filename)}:{error.lineno})"
    frames = [frame for frame in frames if frame.filename == path] or frames
    return f"{text} ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else text


_CALLBACKS = PassCallbacks(_describe, _run)
