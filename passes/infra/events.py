"""Runs of pipelines: the exceptions of their passes, and subscribers to the beginning, end or failure of passes.

    class Times(PassSubscriber):
        def after(self, event: PassEvent) -> None:
            print(event.pass_name, event.seconds)

    run_passes(module, "canonicalize,cse", subscribers=[Times()])

A subscriber may observe several runs, one after the other or in several threads; it owns its state.  There is no state
of the process: the native pass manager passes the run to each callback.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, ClassVar

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, context_from_pointer, library, operation_from_pointer, pass_manager_handle
from ttkit._signatures import PassEvent as PassEventFields
from ttkit._signatures import PassEventCallback, PassObserver
from ttkit.inspection import outermost
from ttkit.records import dataclass

BEGINS, ENDED, FAILED, NESTED, CHANGES, PATTERNS = 1, 2, 4, 8, 16, 32  # TtkitPassEventKind
KINDS = {BEGINS: "before", ENDED: "after", FAILED: "failed", PATTERNS: "pattern"}


class PassEvent:
    """A pass that begins, has ended or has failed, or a pattern that it is about to try.

    The IR is available only during the call of the subscriber.

    Attributes:
        kind: "before", "after", "failed" or "pattern": the method of subscribers that receives it.
        run: the run of the pipeline.
        pipeline: the number of the pass manager; tt-opt has one for each part of a split input.
        depth: the number of passes around this one; 0 unless the subscriber asks for nested ones.
        pass_name: the pass's argument, such as `tritongpu-coalesce`; the name of its class if it has none.
        class_name: the name of its class.
        arguments: the pass with its options, as in a pipeline; for a pattern, its name.
        seconds: wall time since the pass began; 0.0 if it begins.
        statistics: name -> count of the pass's statistics; those that are 0 are left out.
        changed: whether the pass has changed the operation; None if it begins, or if no subscriber `finds_changes`.
    """

    def __init__(self, run: PassRun, fields: PassEventFields) -> None:
        self.kind = KINDS[fields.kind]
        self.run = run
        self.pipeline: int = fields.pipeline
        self.depth: int = fields.depth
        self.pass_name: str = fields.pass_name.decode()
        self.class_name: str = fields.class_name.decode()
        self.arguments: str = fields.arguments.decode()
        self.seconds: float = fields.seconds
        self.changed = None if fields.changed < 0 else bool(fields.changed)
        lines = (fields.statistics or b"").decode().splitlines()
        self.statistics = {name: int(count) for name, _, count in (line.rpartition("=") for line in lines)}
        self._pointer: int | None = fields.operation.pointer
        self._texts: dict[tuple[bool, bool, bool], str] = {}

    @property
    def operation(self) -> ir.Operation:
        """The operation of the pass, the module or a function in it; or that of the pattern.

        Raises:
            ValueError: the event is over.
        """
        if self._pointer is None:
            raise ValueError(f"the IR {self.kind} pass '{self.pass_name}' is gone; ask for it during the event")
        self.run.context_of(Handle(self._pointer))
        return operation_from_pointer(self._pointer)

    @property
    def module(self) -> ir.Operation:
        """The outermost operation around it."""
        return outermost(self.operation)

    def text(self, locations: bool = False, generic: bool = False, names: bool = False) -> str:
        """The module as text, printed when a subscriber first asks for it.

        Args:
            locations: whether to print them.
            generic: whether to print operations in their generic form, which can always be parsed: MLIR 22 can't parse
                nvvm.barrier with a location.
            names: whether to give values the names of the source's variables, as far as their locations have them.
        """
        form = locations, generic, names
        if form not in self._texts:
            self._texts[form] = self.module.get_asm(
                enable_debug_info=locations, print_generic_op_form=generic, use_name_loc_as_prefix=names
            )
        return self._texts[form]

    def _end(self) -> None:
        self._pointer = None


@dataclass(frozen=True)
class LevelEvent:
    """A finished level of a compilation: the kernel's name, the level, and the wall time of its stage in seconds.

    The level `parse` is the IR of the source, `store` the files of the cache.
    """

    kernel: str
    level: str
    seconds: float


class PassSubscriber:
    """An observer of passes and of levels of compilations: a subclass overrides some of the methods.

    An exception of a subscriber ends its subscription; `run_passes` raises it at the end.
    """

    nested: ClassVar[bool] = False
    """Whether it also observes passes that run inside of others, such as the inliner's canonicalizer."""

    finds_changes: ClassVar[bool] = False
    """Whether to find out `PassEvent.changed`, by fingerprints of the operation before and after."""

    def before(self, event: PassEvent) -> None:
        """A pass begins."""

    def after(self, event: PassEvent) -> None:
        """A pass has ended with valid IR."""

    def failed(self, event: PassEvent) -> None:
        """A pass has failed, or left invalid IR."""

    def pattern(self, event: PassEvent) -> bool:
        """A rewrite driver of MLIR, in C++ or Python, is about to try a pattern; returns whether it may."""
        return True

    def made(self, event: LevelEvent) -> None:
        """A level of a compilation is finished; `Compilation` calls it, not runs of pipelines."""

    def wanted(self) -> int:
        """The bits of the events that it observes."""
        cls, plain = type(self), PassSubscriber
        bits = NESTED * self.nested | CHANGES * self.finds_changes
        bits |= BEGINS * (cls.before is not plain.before) | ENDED * (cls.after is not plain.after)
        return bits | FAILED * (cls.failed is not plain.failed) | PATTERNS * (cls.pattern is not plain.pattern)


class PassRun:
    """One run of a pipeline, or all runs of one tt-opt.

    Args:
        subscribers: the observers of its passes.
        context: that of the module; None if C++ makes the contexts and keeps them alive until the run ends.
        kernel, stage: for subscribers, the kernel's name and the stage, for instance "ttgir".

    Attributes:
        errors: the exceptions of passes, oldest first.
        failures: the exceptions of subscribers.
    """

    def __init__(
        self,
        subscribers: Sequence[PassSubscriber] = (),
        context: ir.Context | None = None,
        kernel: str = "",
        stage: str = "",
    ) -> None:
        self.errors: list[BaseException] = []
        self.failures: list[BaseException] = []
        self.kernel, self.stage = kernel, stage
        self.is_fine = True
        self._subscribers = list(subscribers)
        self._context = context
        self._contexts: dict[int, ir.Context] = {}

    @staticmethod
    def at(pointer: int | None) -> PassRun | None:
        """The run that a C++ callback receives; None for a pass manager without observers."""
        return None if pointer is None else ctypes.cast(pointer, ctypes.py_object).value

    def observer(self, verifies: bool = True) -> PassObserver:
        """The run in the form for C++; it must live as long as the pass manager runs.

        Args:
            verifies: whether the pass manager verifies after each pass that changed the IR.
        """
        wanted = 0
        for subscriber in self._subscribers:
            wanted |= subscriber.wanted()
        return PassObserver(id(self), _tell if wanted else PassEventCallback(), wanted, verifies)

    def observe(self, manager: PassManager, verifies: bool) -> None:
        """Makes it the run of a pass manager, before that begins.

        Args:
            verifies: as for `observer`.
        """
        library().ttkitObservePasses(pass_manager_handle(manager), self.observer(verifies))

    def context_of(self, operation: Handle) -> ir.Context:
        """The bindings' context of an operation of the run."""
        if self._context is not None:
            return self._context
        pointer = library().ttkitContextOf(operation)
        if pointer not in self._contexts:
            self._contexts[pointer] = context_from_pointer(pointer)
        return self._contexts[pointer]

    def fail(self) -> None:
        """Makes tt-opt exit with an error and without output at the end of the pipeline."""
        self.is_fine = False

    def tell(self, event: PassEvent) -> bool:
        """Calls the subscribers; for a pattern, returns whether all of them allow it."""
        agreed = True
        for subscriber in list(self._subscribers):
            if event.depth and not subscriber.nested:
                continue
            try:
                with self.context_of(Handle(event._pointer)):
                    agreed &= getattr(subscriber, event.kind)(event) is not False
            except BaseException as error:
                self.failures.append(error)
                self._subscribers.remove(subscriber)
        event._end()
        return agreed


@PassEventCallback
def _tell(pointer: int, fields: Any) -> bool:
    """Calls the subscribers; raises no exceptions, since the caller is C++."""
    run: PassRun = ctypes.cast(pointer, ctypes.py_object).value
    event = PassEvent(run, fields.contents)
    agreed = run.tell(event)
    return agreed if event.kind == KINDS[PATTERNS] else run.is_fine


class ModuleAfterEach(PassSubscriber):
    """Observes the module before the first pass and after each pass."""

    def __init__(self) -> None:
        self._begun: set[int] = set()

    def before(self, event: PassEvent) -> None:
        """Calls `see` before the first pass of a pipeline, with the name `INPUT`."""
        if event.pipeline not in self._begun:
            self._begun.add(event.pipeline)
            self.see(INPUT, event)

    def after(self, event: PassEvent) -> None:
        """Calls `see` after a pass."""
        self.see(event.pass_name, event)

    def see(self, pass_name: str, event: PassEvent) -> None:
        """Receives the module after a pass, or, with the name INPUT, before the first one."""
        raise NotImplementedError


INPUT = "(input)"
