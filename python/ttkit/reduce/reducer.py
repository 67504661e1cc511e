"""Delta debugging: makes an input smaller for as long as it shows what is looked for.

    found = reduce_ir(text, Differs(pipeline="canonicalize,my-pass"))
    found.text, found.operations

Edits of one kind are tried on all places at once, then on halves, quarters, down to single ones.  (Zeller and
Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002.)  Several candidates run in parallel.  Then comes
the next kind, until none makes progress.  A worker makes a candidate from the text, verifies it, and asks the
question.  No MLIR runs in this process, so a crash of a candidate does not end the reduction.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ttkit.reduce import edits, function_edits, text_edits
from ttkit.reduce.questions import Question, is_interesting, silently
from ttkit.workers import Died, Workers

PASSES = tuple("strip-debuginfo inline symbol-dce canonicalize cse sccp remove-dead-values triton-combine".split())
"""What may make a module smaller by itself."""

KINDS: tuple[Callable[..., Any], ...] = (
    edits.top_level_operations,
    edits.unused_operations,
    edits.operations_for_arguments,
    edits.unused_operations,
    edits.bodies,
    edits.operations_for_operands,
    edits.operations_for_constants,
    edits.unused_operations,
    edits.carried_values,
    function_edits.branches,
    function_edits.unreachable_blocks,
    function_edits.merged_blocks,
    function_edits.returned_values,
    edits.optional_operands,
    function_edits.merged_arguments,
    function_edits.unused_arguments,
    edits.attributes,
    edits.constants,
    text_edits.sizes,
    text_edits.element_types,
    text_edits.layouts,
)
MOST_ROUNDS = 12


class NotInteresting(Exception):
    """The input itself does not show what is looked for."""


@dataclass(frozen=True)
class Reduction:
    """The state that a reduction has reached.

    text: the smallest module, or source, found.
    sign: what it shows.
    operations: in it; of a source its statements.
    before: how many there were.
    candidates: how many were tried.
    seconds: wall time.
    """

    text: str
    sign: str
    operations: int
    before: int
    candidates: int
    seconds: float


@dataclass(frozen=True)
class Job:
    """A candidate: the text to edit, the kind of edit, which of its edits, a pass of PASSES to run instead."""

    text: str
    kind: int
    start: int = 0
    stop: int = 0
    run: str = ""


@dataclass(frozen=True)
class Reply:
    """places: edits of that kind that the text has.  candidate: the text after the edits; None if it is none.
    operations: in it.  sign: what it shows."""

    places: int
    candidate: str | None = None
    operations: int = 0
    sign: str = ""


class Language:
    """The language of what is reduced: how candidates come about.

    kinds: kinds of edits, by number.
    passes: what else may make it smaller.
    """

    kinds: tuple[Callable[..., Any], ...] = KINDS
    passes: tuple[str, ...] = PASSES

    def candidate(self, job: Job) -> Reply:
        """The candidate of a job, not yet asked about.

        Raises:
            Exception: there is none, or it is not valid.
        """
        from ttkit.context import Context, parse_text
        from ttkit.passes.manager import run_passes

        kind = self.kinds[job.kind]
        of_text = kind.__module__ == text_edits.__name__
        with Context() as context:
            module = parse_text(job.text, context)
            if job.run:
                run_passes(module, job.run)
                places = 1
            else:
                found = kind(job.text) if of_text else kind(module)
                places, chosen = len(found), found[job.start : job.stop]
                if not chosen:
                    return Reply(places)
                if of_text:
                    text = job.text
                    for edit in chosen:
                        text = edit(text)
                    module = parse_text(text, context)
                else:
                    for edit in chosen:
                        edit()
                    module.operation.verify()
            text = str(module)
            parse_text(text, context)  # what can't be read again is of no use
            return Reply(places, text, len(edits.operations(module)))

    def normalized(self, text: str) -> tuple[str, int]:
        """The input as candidates are printed, and its operations.

        Raises:
            ir.MLIRError: it is not valid.
        """
        from ttkit.context import Context, parse_text

        with Context() as context:
            module = parse_text(text, context)
            return str(module), len(edits.operations(module))


class Reducer:
    """One reduction.

    Args:
        question: what candidates are asked.
        jobs: how many are asked about at the same time.
        language: what is reduced.
        progress: told of each step: the operations left, and what made them fewer.
        seconds: after which it stops with what it has.
    """

    def __init__(
        self,
        question: Question,
        jobs: int = 2,
        language: Language | None = None,
        progress: Callable[[int, str], None] = lambda operations, kind: None,
        seconds: float = float("inf"),
    ) -> None:
        self.question = question
        self.language = language or Language()
        self.progress = progress
        self.workers = Workers(jobs, self._answer, question.timeout)
        self.jobs = jobs
        self.candidates = 0
        self.deadline = time.monotonic() + seconds
        self._known: set[int] = set()

    def reduce(self, text: str) -> Reduction:
        """The smallest input found.

        Raises:
            NotInteresting: the input does not show what is looked for.
        """
        start = time.monotonic()
        with self.workers:
            first = self.workers.one(("first", text))
            if isinstance(first, Died) and first.reached is None:
                raise NotInteresting(f"it can't be read: the process ended ({first.how})")
            if isinstance(first, str):
                raise NotInteresting(first)
            text, before, sign, reason = (*self._reached(first), "") if isinstance(first, Died) else first
            if not sign:
                raise NotInteresting(f"it does not show what is looked for: {reason}".removesuffix(": "))
            self.question.sign = sign
            self.workers.end()  # the next ones know the sign
            self.text, self.operations = text, before
            for _ in range(MOST_ROUNDS):
                known = self.text
                self._round()
                if self.text == known or time.monotonic() > self.deadline:
                    break
        return Reduction(self.text, sign, self.operations, before, self.candidates, time.monotonic() - start)

    def _reached(self, died: Died) -> tuple[str, int, str]:
        """The answer of a worker that died while it was asked: what it had said before, and the sign of that."""
        text, operations = died.reached
        return text, operations, self.question.died(died)

    def _round(self) -> None:
        """Every kind of edit once."""
        for number, kind in enumerate(self.language.kinds):
            if number == 1:
                self._run_passes()
            self._edit(number, kind.__name__.replace("_", " "))

    def _run_passes(self) -> None:
        for name in self.language.passes:
            for _, reply in self._asked([Job(self.text, 0, run=name)]):
                if reply.operations < self.operations or name == "strip-debuginfo":
                    self._take(reply, name)

    def _edit(self, kind: int, name: str) -> None:
        """Edits of one kind: all, halves, quarters..."""
        places = self.workers.one(("candidate", Job(self.text, kind)))
        places = 0 if isinstance(places, Died) else places.places
        size = places
        while size >= 1:
            start = 0
            while start < places and time.monotonic() < self.deadline:
                taken = self._first_of(kind, start, size, places)
                if taken is None:
                    break
                start, reply = taken
                if reply.candidate == self.text:
                    start += size
                    continue
                self._take(reply, name)
                left = self.workers.one(("candidate", Job(self.text, kind)))
                left = 0 if isinstance(left, Died) else left.places
                if left >= places:
                    start += size
                places = left
            size = min(size, places) // 2 if size > 1 else 0

    def _first_of(self, kind: int, start: int, size: int, places: int) -> tuple[int, Reply] | None:
        """The first chunk of interest from a place on, with where it begins."""
        starts = range(start, places, size)
        jobs = [Job(self.text, kind, one, one + size) for one in starts]
        for number, reply in self._asked(jobs):
            return starts[number], reply
        return None

    def _asked(self, jobs: list[Job]) -> Iterator[tuple[int, Reply]]:
        """Candidates of interest, as they come."""
        for number, reply in self.workers.each(("ask", job) for job in jobs):
            self.candidates += 1
            if isinstance(reply, Died):
                if reply.reached is None:
                    continue  # the edits killed it
                text, operations, sign = self._reached(reply)
                reply = Reply(0, text, operations, sign)
            if reply.candidate is None:
                continue
            if is_interesting(self.question, reply.sign):
                yield number, reply

    def _take(self, reply: Reply, name: str) -> None:
        assert reply.candidate is not None
        self.text, self.operations = reply.candidate, reply.operations
        self.progress(self.operations, name)

    def _answer(self, job: tuple[str, Any], reached: Callable[[Any], None]) -> Any:
        """In a worker."""
        what, content = job
        if what == "first":
            try:
                text, operations = self.language.normalized(content)
            except Exception as error:
                return str(error)
            reached((text, operations))
            return text, operations, silently(self.question, text), self.question.reason
        try:
            reply = self.language.candidate(content)
        except Exception:
            return Reply(0)
        if what == "candidate" or reply.candidate is None or reply.candidate == content.text:
            return Reply(reply.places)
        known = hash(reply.candidate)
        if known in self._known:
            return Reply(reply.places)
        reached((reply.candidate, reply.operations))
        sign = silently(self.question, reply.candidate)
        if not is_interesting(self.question, sign):
            self._known.add(known)
        return Reply(reply.places, reply.candidate, reply.operations, sign)


def reduce_ir(text: str, question: Question, jobs: int = 2, **options: Any) -> Reduction:
    """The smallest module found that still shows what is looked for; see `Reducer`.

    Raises:
        NotInteresting: the input does not show it, or is not valid.
    """
    return Reducer(question, jobs, **options).reduce(text)
