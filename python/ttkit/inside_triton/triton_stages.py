"""Triton's stages with other passes between their own.

A stage of Triton's is a Python function that fills pass managers and runs them: `passes.ttgpuir.add_coalesce(pm)`, ...,
`pm.run(module, ...)`.  Here it runs with other globals: in place of Triton's bindings it finds objects that look the
same, whose pass manager only notes what is added.  When it is run, Triton's pass managers get the passes up to the next
place where one of ttkit's stands; there the module becomes text, and a new module after it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

from mlir import ir

from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.suggestions import suggestion

STAGES = ("ttir", "ttgir", "llir")


@dataclass(frozen=True)
class Place:
    """A pass that Triton runs.

    stage: "ttir", "ttgir" or "llir".
    name: as in pipelines.
    """

    stage: str
    name: str


def with_changes(backend: Any, stages: MutableMapping[str, Any], in_force: Sequence[Any]) -> None:
    """Puts functions that make the changes in the place of the stages of a compilation."""
    compilation = Compilation(backend, in_force)
    present = [name for name in STAGES if name in stages]
    for name in present:
        stages[name] = compilation.stage(name, stages[name], is_last=name == present[-1])


class Compilation:
    """One compilation of Triton's.

    in_force: what changes and watches it, `ttkit.inside_triton.InForce`.
    """

    def __init__(self, backend: Any, in_force: Sequence[Any]) -> None:
        self.backend, self.in_force = backend, in_force
        self.seen: list[str] = []  # names of Triton's passes

    def stage(self, name: str, made: Any, is_last: bool) -> Callable[..., Any]:
        """A stage's function with the changes."""

        def run(source: Any, metadata: Any) -> Any:
            """The stage between the passes that are inserted before and after it."""
            module = Module(source)
            kernel = source.get_entry_func_name()
            mine = [one for one in self.in_force if one.kernel in (None, kernel)]
            stage = Stage(name, kernel, mine, self.seen)
            stage.at_border("insert_before", module)
            # The stage's passes are added by a method of the backend, which the function finds in its closure.
            result = rebound(made, stage, self.backend)(module, metadata)
            stage.at_border("insert_after", module)
            if is_last:
                self._complain(mine)
            return module.native if result is module else result

        return run

    def _complain(self, in_force: Sequence[Any]) -> None:
        for one in in_force:
            if hasattr(one, "where") and not one.used:
                hint = suggestion(one.where, self.seen)
                raise ValueError(f"{one.kind}: Triton runs no pass '{one.where}' in this compilation{hint}")


class Module:
    """A module of Triton's, which another may replace: `native` is the one."""

    def __init__(self, native: Any) -> None:
        self.native = native

    def __getattr__(self, name: str) -> Any:
        return getattr(self.native, name)

    def __str__(self) -> str:
        return str(self.native)


class Stage:
    """A stage that is run, by pass managers of its own.

    name: "ttgir", for instance.
    kernel: the name of the kernel.
    in_force: what changes and watches it.
    seen: gets the names of the passes.
    """

    def __init__(self, name: str, kernel: str, in_force: Sequence[Any], seen: list[str]) -> None:
        self.name, self.kernel, self.seen = name, kernel, seen
        self.changes = [one for one in in_force if hasattr(one, "where") and one.stage in (None, name)]
        self.watches = [one for one in in_force if hasattr(one, "told")]
        self.ir = import_module("triton._C.libtriton").ir

    def at_border(self, kind: str, module: Module) -> None:
        """Runs the passes before, or after, the whole stage."""
        for change in self.changes:
            if change.where == self.name and change.kind == kind:
                self.run_given(change, module)

    def run(self, manager: PassManager, module: Module, *rest: Any) -> None:
        """Runs the passes that were added to a manager, with those of the changes between them."""
        names = [self.pass_name(manager, add) for add in manager.added]
        self.seen += names
        places = [(change, change.places(names)) for change in self.changes]
        waiting: list[Callable[[Any], None]] = []

        def flush() -> None:
            """Runs the passes of Triton that wait."""
            if waiting:
                native = manager.native(waiting)
                native.run(module.native, *rest)
                waiting.clear()

        for index, (name, add) in enumerate(zip(names, manager.added)):
            here = [change for change, found in places if index in found]
            for change in here:
                if change.kind != "insert_after":
                    flush()
                    self.run_given(change, module)
            if not any(change.kind == "replace" for change in here):
                before = self._text_for_watches(module, flush)
                waiting.append(add)
                self._tell(name, before, module, flush)
            for change in here:
                if change.kind == "insert_after":
                    flush()
                    self.run_given(change, module)
        flush()

    def _text_for_watches(self, module: Module, flush: Callable[[], None]) -> str:
        if not self.watches:
            return ""
        flush()
        return str(module)

    def _tell(self, name: str, before: str, module: Module, flush: Callable[[], None]) -> None:
        if self.watches:
            flush()
            for watch in self.watches:
                watch.told(self.kernel, Place(self.name, name), before, str(module))

    def run_given(self, change: Any, module: Module) -> None:
        """Runs passes of ttkit on Triton's module: as text, in a context of their own.

        Raises:
            ValueError: one of both can't read what the other has written.
            PassError, ir.MLIRError: a pass fails; with diagnostics.
        """
        change.used = True
        with Context() as context:
            try:
                read = parse_text(str(module), context)
            except ir.MLIRError as error:
                raise ValueError(f"{change.kind} {change.where}: ttkit can't read Triton's module: {error}") from error
            before = read.operation.get_asm(enable_debug_info=True)
            run_passes(read, change.given.text, kernel=self.kernel, stage=self.name)
            after = read.operation.get_asm(enable_debug_info=True)
        if after != before:
            module.native = self._parsed(after, module.native.context, change)

    def _parsed(self, text: str, context: Any, change: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"{self.kernel}.mlir")
            path.write_text(text, encoding="utf-8")
            try:
                made = self.ir.parse_mlir_module(str(path), context)
            except RuntimeError as error:
                given = change.given.own_text
                raise ValueError(
                    f"{change.kind} {change.where}: Triton can't read what {given} made: {error}"
                ) from error
        made.context = context
        return made

    def pass_name(self, manager: PassManager, add: Callable[[Any], None]) -> str:
        """The name that a pass has in pipelines: Triton's own text says it."""
        alone = self.ir.pass_manager(manager.context)
        add(alone)
        text: str = alone.get_pipeline_str()
        return text[text.index("(") + 1 : -1].partition("{")[0].partition("(")[0]


class PassManager:
    """The pass manager for a stage of Triton's.

    added: for each pass a function that adds it to a native manager.
    """

    def __init__(self, stage: Stage, context: Any) -> None:
        self.stage, self.context, self.added = stage, context, list[Callable[[Any], None]]()
        self.debug = False

    def enable_debug(self) -> Any:
        """Whether Triton's pass managers print, which this one's will be told too."""
        self.debug = True
        return self.native(()).enable_debug()

    def run(self, module: Any, *rest: Any) -> None:
        """Runs the passes that were added, ours among Triton's, on a module of Triton's."""
        self.stage.run(self, module, *rest)

    def get_pipeline_str(self) -> str:
        """The passes that were added, as pipeline text."""
        text: str = self.native(self.added).get_pipeline_str()
        return text

    def native(self, passes: Sequence[Callable[[Any], None]]) -> Any:
        """Triton's pass manager with passes."""
        made = self.stage.ir.pass_manager(self.context)
        if self.debug and passes:
            made.enable_debug()
        for add in passes:
            add(made)
        return made


class Bindings:
    """A module of Triton's bindings for a stage: calls with its pass manager are noted, others reach Triton."""

    def __init__(self, native: Any, stage: Stage) -> None:
        self._native, self._stage = native, stage

    def __getattr__(self, name: str) -> Any:
        found, stage = getattr(self._native, name), self._stage
        if isinstance(found, ModuleType):
            return Bindings(found, stage)
        if name == "pass_manager":
            return lambda context: PassManager(stage, context)
        if not callable(found):
            return found

        def call(*arguments: Any, **options: Any) -> Any:
            """Puts off what adds a pass to a manager; calls anything else."""
            if arguments and isinstance(arguments[0], PassManager):
                manager, rest = arguments[0], arguments[1:]
                return manager.added.append(lambda native: found(native, *rest, **options))
            return found(*(one.native if isinstance(one, Module) else one for one in arguments), **options)

        return call


class Backend:
    """A backend of Triton's whose methods find the bindings of a stage."""

    def __init__(self, native: Any, stage: Stage) -> None:
        self._native, self._stage = native, stage

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._native, name)
        if isinstance(found, FunctionType):
            return rebound(found, self._stage, self._native)
        function = getattr(found, "__func__", None)
        if isinstance(function, FunctionType):
            made = rebound(function, self._stage, self._native)
            return lambda *arguments, **options: made(self, *arguments, **options)
        return found


def rebound(function: Any, stage: Stage, backend: Any) -> Any:
    """The same function where Triton's bindings, and the backend in its closure, are those of a stage."""
    if not isinstance(function, FunctionType):
        return lambda module, metadata: function(module.native, metadata)
    names = {
        name: Bindings(value, stage)
        for name, value in function.__globals__.items()
        if isinstance(value, ModuleType) and value.__name__.startswith("triton._C.libtriton")
    }
    cells = tuple(
        CellType(Backend(backend, stage)) if _holds(cell, backend) else cell for cell in function.__closure__ or ()
    )
    made = FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__, cells
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _holds(cell: CellType, value: Any) -> bool:
    try:
        return cell.cell_contents is value
    except ValueError:  # not filled yet
        return False
