"""Runs of pipelines: what their passes raise, and who is told when a pass begins, ends or fails.

    class Times(PassSubscriber):
        def after(self, event: PassEvent) -> None:
            print(event.pass_name, event.seconds)

    run_passes(module, "canonicalize,cse", subscribers=[Times()])

A subscriber is told of the passes of one run, or of several one after the other or in several threads; what it keeps
belongs to it.  Nothing is kept for the process: the native pass manager carries the run to each callback.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, context_from_pointer, library, operation_from_pointer, pass_manager_handle
from ttkit._signatures import PassEvent as PassEventFields
from ttkit._signatures import PassEventCallback, PassObserver
from ttkit.inspection import outermost

BEGINS, ENDED, FAILED, NESTED, CHANGES, PATTERNS = 1, 2, 4, 8, 16, 32  # TtkitPassEventKind
KINDS = {BEGINS: "before", ENDED: "after", FAILED: "failed", PATTERNS: "pattern"}


class PassEvent:
    """A pass that begins, has ended or has failed, or a pattern that it is about to try.  The IR can be asked for only
    while subscribers are told of it.

    Attributes:
        kind: "before", "after", "failed" or "pattern": the method of subscribers that gets it.
        run: the run of the pipeline.
        pipeline: the number of the pass manager; tt-opt has one for each part of a split input.
        depth: how many passes run this one inside of them; 0 unless the subscriber asks for nested ones.
        pass_name: the pass's argument, `tritongpu-coalesce`; the name of its class if it has none.
        class_name: its class.
        arguments: the pass with its options, as in a pipeline; of a pattern its name.
        seconds: wall time since the pass began; 0.0 if it begins.
        statistics: what the pass has counted, by name; without those that are 0.
        changed: whether the pass has changed the operation; None if it begins, or no subscriber `finds_changes`.
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
        self._texts: dict[tuple[bool, bool], str] = {}

    @property
    def operation(self) -> ir.Operation:
        """The operation that the pass works on, the module or a function in it; or on which the pattern is tried.

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

    def text(self, locations: bool = False, generic: bool = False) -> str:
        """The module as text, which is made when a subscriber first asks for it.

        Args:
            locations: print them too.
            generic: print operations in their generic form, which can always be read again: MLIR 22 can't read
                nvvm.barrier with a location.
        """
        if (locations, generic) not in self._texts:
            made = self.module.get_asm(enable_debug_info=locations, print_generic_op_form=generic)
            self._texts[locations, generic] = made
        return self._texts[locations, generic]

    def _end(self) -> None:
        self._pointer = None


@dataclass(frozen=True)
class LevelEvent:
    """A level of a compilation that is made: the kernel's name, the level, and the wall time of its stage in seconds.

    The level `parse` is the IR of the source, `store` the files of the cache.
    """

    kernel: str
    level: str
    seconds: float


class PassSubscriber:
    """Who is told of passes, and of the levels that they lead to: a subclass has some of the methods.

    What one raises ends its subscription, and is raised by `run_passes` at the end.
    """

    nested: ClassVar[bool] = False
    """Whether it is told also of passes that others run inside of them: the inliner's canonicalizer."""

    finds_changes: ClassVar[bool] = False
    """Whether `PassEvent.changed` shall be known, by fingerprints of the operation before and after."""

    def before(self, event: PassEvent) -> None:
        """A pass begins."""

    def after(self, event: PassEvent) -> None:
        """A pass has ended, and what it made is valid."""

    def failed(self, event: PassEvent) -> None:
        """A pass has failed, or what it made is invalid."""

    def pattern(self, event: PassEvent) -> bool:
        """A pattern is about to be tried by a rewrite driver of MLIR's, in C++ or Python: whether it shall be."""
        return True

    def made(self, event: LevelEvent) -> None:
        """A level of a compilation is made: told by `Compilation`, not by runs of pipelines."""

    def wanted(self) -> int:
        """The bits of what it is to be told of."""
        cls, plain = type(self), PassSubscriber
        bits = NESTED * self.nested | CHANGES * self.finds_changes
        bits |= BEGINS * (cls.before is not plain.before) | ENDED * (cls.after is not plain.after)
        return bits | FAILED * (cls.failed is not plain.failed) | PATTERNS * (cls.pattern is not plain.pattern)


class PassRun:
    """One run of a pipeline, or all those of a tt-opt.

    Args:
        subscribers: who is told of its passes.
        context: of the module; None if C++ makes the contexts, and keeps them alive until the run ends.
        kernel, stage: what is compiled, for subscribers: the kernel's name, and "ttgir" for instance.

    Attributes:
        errors: what passes raised, oldest first.
        failures: what subscribers raised.
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
        """The run that a callback of C++ is given; None for a pass manager that nobody observes."""
        return None if pointer is None else ctypes.cast(pointer, ctypes.py_object).value

    def observer(self, verifies: bool = True) -> PassObserver:
        """The run as C++ carries it; it must live as long as the pass manager runs.

        verifies: whether that verifies after each pass that changed something.
        """
        wanted = 0
        for subscriber in self._subscribers:
            wanted |= subscriber.wanted()
        return PassObserver(id(self), _tell if wanted else PassEventCallback(), wanted, verifies)

    def observe(self, manager: PassManager, verifies: bool) -> None:
        """Makes it the run of a pass manager that is about to begin, and `verifies` after each pass or not."""
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
        """Has tt-opt end with an error and without output, when the pipeline has ended."""
        self.is_fine = False

    def tell(self, event: PassEvent) -> bool:
        """Tells the subscribers; whether none of them is against it, if it is a pattern."""
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
    """Never lets an exception through: there is C++ above."""
    run: PassRun = ctypes.cast(pointer, ctypes.py_object).value
    event = PassEvent(run, fields.contents)
    agreed = run.tell(event)
    return agreed if event.kind == KINDS[PATTERNS] else run.is_fine


class ModuleAfterEach(PassSubscriber):
    """Sees the module before the first pass and after each."""

    def __init__(self) -> None:
        self._begun: set[int] = set()

    def before(self, event: PassEvent) -> None:
        """Shows the module before the first pass of a pipeline, as `INPUT`."""
        if event.pipeline not in self._begun:
            self._begun.add(event.pipeline)
            self.see(INPUT, event)

    def after(self, event: PassEvent) -> None:
        """Shows the module after a pass."""
        self.see(event.pass_name, event)

    def see(self, pass_name: str, event: PassEvent) -> None:
        """The module after a pass, or before the first, which has the name INPUT."""
        raise NotImplementedError


INPUT = "(input)"
