"""Passes of the kernels that a process compiles are proved: TTKIT_PROVE_PASSES."""

from __future__ import annotations

import sys
import threading
from typing import Any

from ttkit.compiler.pipeline_identity import EVERYWHERE
from ttkit.interpreter.check.check_passes import PassChangedResult
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.validation.functions import PROVED, REFUTED
from ttkit.validation.proofs import PassProofs, PassVerdict, summary


class LiveProofs(PassSubscriber):
    """Proves the passes of kernels, and says on stderr what is not proved; each thread has proofs of its own.

    A refuted pass ends the compilation with `PassChangedResult`.
    """

    finds_changes = True
    token = ""

    def __init__(self) -> None:
        self._own = threading.local()

    @property
    def subscriber(self) -> PassSubscriber:
        """Who is told of passes."""
        return self

    @property
    def proofs(self) -> PassProofs:
        """Those of this thread."""
        if not hasattr(self._own, "proofs"):
            self._own.proofs = PassProofs(tell)
        return self._own.proofs

    def before(self, event: PassEvent) -> None:
        """Keeps the IR."""
        self.proofs.before(event)

    def after(self, event: PassEvent) -> None:
        """Proves what the pass did.

        Raises:
            PassChangedResult: it is refuted.
        """
        self.proofs.after(event)

    def of(self, event: PassEvent) -> str:
        """See `PassProofs.of`."""
        return self.proofs.of(event)

    def compiled(self, compilation: Any, error: BaseException | None) -> None:
        """Says how many passes of a kernel are proved."""
        if self.proofs.verdicts:
            print(f"TTKIT_PROVE_PASSES: {compilation.name}: {summary(self.proofs.verdicts)}", file=sys.stderr)
        del self._own.proofs

    def checked(self, *arguments: Any) -> None:
        """Passes were checked on a launch: nothing is left to do."""


def tell(verdict: PassVerdict, event: PassEvent) -> None:
    """Says what is not proved.

    Raises:
        PassChangedResult: it is refuted.
    """
    said = verdict.verdict
    if said.outcome != PROVED:
        print(f"TTKIT_PROVE_PASSES: {verdict.kernel}: {verdict}", file=sys.stderr)
    if said.outcome == REFUTED:
        message = f"pass '{verdict.pass_name}' is {said}"
        raise PassChangedResult(verdict.pass_name, said.function, message, verdict.before, verdict.after)


PROOFS = LiveProofs()


def follow_environment() -> None:
    """Has this process prove passes, before pages are told of them."""
    if PROOFS not in EVERYWHERE:
        EVERYWHERE.insert(0, PROOFS)


def leave_environment() -> None:
    """Ends that."""
    if PROOFS in EVERYWHERE:
        EVERYWHERE.remove(PROOFS)
