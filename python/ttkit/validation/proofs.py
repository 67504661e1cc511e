"""Proofs of the passes of pipelines: a verdict for each pass that changed a function."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ttkit.context import Context, parse_text
from ttkit.interpreter.decode import Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.validation.functions import OPEN, PROVED, REFUTED, Verdict, validate
from ttkit.validation.lowered.proof import PROMISES


@dataclass(frozen=True)
class PassVerdict:
    """The verdict on what a pass did to a function.

    pass_name: the pass; arguments: the same with its options, as in a pipeline.
    kernel: what is compiled, where it is known.
    before, after: the module on both sides; empty unless they are kept.
    """

    pass_name: str
    arguments: str
    verdict: Verdict
    kernel: str = ""
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        return f"{self.pass_name}: @{self.verdict.function}: {self.verdict} ({self.verdict.seconds * 1000:.0f} ms)"


class PassProofs(PassSubscriber):
    """Proves the passes of pipelines that it is told of, or refutes them.

    The module crosses as text: it is read in a context of its own, so that nothing here can touch what the pipeline
    works on.  Passes that change nothing need no proof.

    Args:
        tell: is called with each verdict.
        searches: whether to look for counterexamples.
        keeps: outcomes of which the IR is kept.

    Attributes:
        verdicts: of all passes that changed something, in order.
        has_run: whether a pass has been given a function to prove something of.
        newest: verdicts on the pass of each pipeline that ended last.
    """

    finds_changes = True

    def __init__(
        self,
        tell: Callable[[PassVerdict, PassEvent], None] = lambda verdict, event: None,
        searches: bool = True,
        keeps: tuple[str, ...] = (REFUTED,),
    ) -> None:
        self.tell, self.searches, self.keeps = tell, searches, keeps
        self.verdicts: list[PassVerdict] = []
        self.has_run = False
        self.newest: dict[Any, list[Verdict]] = {}
        self._before: dict[Any, tuple[str, Module | str]] = {}
        self._context: ir.Context | None = None

    def before(self, event: PassEvent) -> None:
        """Keeps the IR that the first pass of a pipeline is given, or that something else has changed."""
        key = self._key(event)
        if key not in self._before:
            self._before[key] = self._read(event)
            module = self._before[key][1]
            self.has_run |= isinstance(module, str) or bool(provable(module))

    def after(self, event: PassEvent) -> None:
        """Proves what the pass did, or refutes it."""
        key = self._key(event)
        self.newest[key] = []
        if event.changed is False:
            return
        old, new = self._before.get(key), self._read(event)
        self._before[key] = new
        if old is None or old[0] == new[0]:
            return
        for verdict in verdicts(old[1], new[1], event.pass_name, self.searches):
            kept = verdict.outcome in self.keeps
            texts = (old[0], new[0]) if kept else ("", "")
            made = PassVerdict(event.pass_name, event.arguments, verdict, event.run.kernel, *texts)
            self.verdicts.append(made)
            self.newest[key].append(verdict)
            self.tell(made, event)

    def of(self, event: PassEvent) -> str:
        """The verdicts on the pass that has just ended, in words; empty if it changed nothing."""
        return "; ".join(f"@{one.function}: {one}" for one in self.newest.get(self._key(event), ()))

    def _key(self, event: PassEvent) -> Any:
        return id(event.run), event.pipeline

    def _read(self, event: PassEvent) -> tuple[str, Module | str]:
        text = event.text(locations=True, generic=True)
        if self._context is None:
            self._context = Context()
            self._context.allow_unregistered_dialects = True
        return text, decoded(text, self._context)


NO_WRAP = re.compile(r"(overflowFlags|noWrapFlags) = [1-9]|overflow<n|getelementptr (inbounds|nusw|nuw)")
"""Promises to LLVM that integers or addresses do not wrap: MLIR's bindings do not show them."""
OPERATION = re.compile(r"\b(llvm\.[\w.]+)")


def decoded(text: str, context: ir.Context) -> Module | str:
    """A module; why there is none, where it can't be read."""
    try:
        module = decode_module(parse_text(text, context))
        note_promises(module, text)
        return module
    except (ir.MLIRError, InterpreterError, ValueError) as error:
        return f"the IR can't be read again: {error}".splitlines()[0]


def note_promises(module: Module, text: str) -> None:
    """Notes the first operation of lowered code that promises LLVM not to wrap, as the module's text says."""
    found = NO_WRAP.search(text)
    line = text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())] if found else ""
    named = OPERATION.search(line)
    module.attributes[PROMISES] = named[1] if named else "an operation" if found else ""


def verdicts(old: Module | str, new: Module | str, pass_name: str = "", searches: bool = True) -> list[Verdict]:
    """The verdicts on the public functions of a module after a pass."""
    for side in (old, new):
        if isinstance(side, str):
            return [Verdict("", OPEN, side)]
    assert not isinstance(old, str)
    assert not isinstance(new, str)
    return [one(old, new, name, pass_name, searches) for name in provable(old)]


def provable(module: Module) -> list[str]:
    """The names of the functions that verdicts are about: public, with a body, and not lowered."""
    functions = module.functions.items()
    return [name for name, of in functions if not (of.body is None or of.private or of.is_lowered)]


def one(old: Module, new: Module, name: str, pass_name: str, searches: bool) -> Verdict:
    """The verdict on a function; what fails here makes it open, and the pipeline goes on."""
    try:
        return validate(old, new, name, pass_name, searches)
    except Exception as error:  # whatever this comes across: the verdict must not end a compilation
        return Verdict(name, OPEN, f"the proof failed: {type(error).__name__}: {error}")


def summary(found: list[PassVerdict]) -> str:
    """Numbers of passes that were proved, refuted and left open, as text."""
    counts = {outcome: sum(one.verdict.outcome == outcome for one in found) for outcome in (PROVED, REFUTED, OPEN)}
    seconds = sum(one.verdict.seconds for one in found)
    return f"{', '.join(f'{count} {outcome}' for outcome, count in counts.items())}; {seconds:.1f} s"
