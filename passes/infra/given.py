"""Conversion of passes that users give to pipeline text: an instance, a class, a file, a function or text."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from collections.abc import Callable
from typing import Any

from ttkit.passes.infra import bridge
from ttkit.passes.infra.base import Pass
from ttkit.passes.infra.description import describe_class, option_text
from ttkit.passes.infra.pass_files import classes_of_file
from ttkit.passes.infra.pipeline_options import options_complaint, parse_pipeline, upstream_complaint
from ttkit.passes.registry import UPSTREAM, pass_names
from ttkit.records import dataclass
from ttkit.suggestions import suggestion

_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_PLAIN = re.compile(r"[\w.,:/+-]+")


@dataclass(frozen=True)
class Given:
    """Passes for a pipeline.

    text: pipeline text such as `canonicalize,my-pass{factor=2}`.
    origins: the classes, instances and functions of users for the passes in `text`.
    own_text: `text` with the passes' own names, which are the same in other processes.
    """

    text: str
    origins: tuple[Any, ...] = ()
    own_text: str = ""


def given_passes(what: Any) -> Given:
    """Registers passes, unless they are given as text, and returns their pipeline text.

    Args:
        what: a `Pass` or a subclass of it; the path of a Python file that defines some, used in their order; a function
            that takes the module's operation; pipeline text; or a list of these.

    Raises:
        TypeError: `what` is something else.
        ValueError: the text is not a pipeline, or the file defines no passes.
        OSError: a file can't be read.
    """
    if isinstance(what, (list, tuple)):
        parts = [given_passes(item) for item in what]
        origins = tuple(origin for part in parts for origin in part.origins)
        return Given(",".join(part.text for part in parts), origins, ",".join(part.own_text for part in parts))
    if isinstance(what, os.PathLike) or (isinstance(what, str) and what.endswith(".py")):
        classes = classes_of_file(os.fspath(what))
        return Given(",".join(map(_registered, classes)), tuple(classes), ",".join(cls.name for cls in classes))
    if isinstance(what, str):
        return _text(what)
    if isinstance(what, Pass):
        options = _options(what)
        name = _registered(what if options is None else type(what))
        return Given(f"{name}{options or ''}", (what,), f"{what.name}{options or ''}")
    if isinstance(what, type) and issubclass(what, Pass):
        describe_class(what)  # for its complaints
        return Given(_registered(what), (what,), what.name)
    if callable(what) and not isinstance(what, type):
        cls = _class_of_function(what)
        return Given(_registered(cls), (what,), cls.name)
    raise TypeError(
        f"a pass is a ttkit.Pass, a subclass of it, a Python file, a function on a module, or pipeline text; "
        f"found {type(what).__name__}"
    )


def _text(text: str) -> Given:
    """Pipeline text, checked."""
    from ttkit.context import Context

    bridge.register_passes()
    with Context():
        try:
            if complaint := options_complaint(text):
                raise ValueError(complaint)
            parse_pipeline(f"builtin.module({text})")
        except ValueError as error:
            complaint = upstream_complaint(text) or pipeline_complaint(str(error))
            raise ValueError(f"'{text}' is not a pipeline: {complaint}") from None
    origins = [cls for name in pass_names(text) if (cls := bridge.users_class(name)) is not None]
    return Given(text, tuple(origins), text)


def pipeline_complaint(message: str) -> str:
    """MLIR's message about a pipeline in one line, with names similar to an unknown one."""
    unknown = re.search(r"'([^']+)' does not refer to a registered pass", message)
    added = re.search(r"failed to add `([^`]+)` with options `([^`]*)`", message)
    if added is not None:
        return f"pass '{added[1]}' does not take the options '{added[2]}': see `tt-opt --help`"
    if unknown is None:
        return " ".join(message.split("\n", 1)[0].rpartition("error: ")[2].split())
    near = suggestion(unknown[1], [*bridge.known_names(), *UPSTREAM])
    return f"there is no pass '{unknown[1]}'{near or '; load the file of your own: --load-pass, ttkit.load_pass_file'}"


def _options(instance: Pass) -> str | None:
    """The options of a pass in a pipeline, such as `{factor=2}`; None if pipeline text can't express its state."""
    cls = type(instance)
    if not dataclasses.is_dataclass(cls):
        return None if vars(instance) else ""
    try:
        about = describe_class(cls)
    except TypeError:  # some fields are not options
        return None
    options = []
    for option in about.options:
        value = getattr(instance, option.field)
        if value != option.default:
            options.append(f"{option.name}={_spelled(option_text(value))}")
    return f"{{{' '.join(options)}}}" if options else ""


def _spelled(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else f'"{value}"'


def _registered(target: Any) -> str:
    """The name under which a pass is registered: its own, with a number if that is taken.

    Raises:
        ValueError: the pass has no name.
    """
    name = getattr(target, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"{target!r} has no name: a pass has one, such as name = 'my-pass'")
    return bridge.register_as(name, target)


@functools.cache
def _class_of_function(function: Callable[..., Any]) -> Any:
    """A pass that calls a function on the module's operation."""
    named = function.func if isinstance(function, functools.partial) else function
    own = getattr(named, "__name__", type(named).__name__).strip("<>_")
    name = re.sub(r"[^\w]+|_", "-", own)

    def run(self: Pass, op: Any) -> None:
        """Calls the function."""
        function(op)

    title = "".join(part.capitalize() for part in name.split("-"))
    fields = {"name": name, "run": run, "__doc__": getattr(named, "__doc__", None) or f"Call {own} on the module."}
    return type(title, (Pass,), fields)
