"""The IR of a script's kernels after each pass that makes ttgir."""

from __future__ import annotations

from typing import Any

from ttkit.compiler.pipeline_identity import watching
from ttkit.drivers.scripts import on_any_machine
from ttkit.passes.changes import in_this_thread
from ttkit.passes.infra.events import INPUT, ModuleAfterEach, PassEvent, PassSubscriber
from ttkit.user_scripts import run_script

_STAGES = ("ttgir", "gluon")
"""Stages that make ttgir, of kernels in tt and in Gluon."""
Step = tuple[str, str, str]
"""A kernel's name, a pass, and the IR after it."""


class _Watch:
    """Who is told of the passes of the script's kernels; its token makes their keys new, so that all are compiled."""

    token = "IR of scripts"

    def __init__(self, subscriber: PassSubscriber) -> None:
        self.subscriber = subscriber

    def compiled(self, compilation: Any, error: BaseException | None) -> None:
        """The compilation has ended."""


def ir_after_passes(script: str, arguments: list[str], kernel: str | None = None) -> tuple[list[Step], int]:
    """Runs a script; gives what its kernels, or one of them, were after each pass, and its exit code."""
    found: list[Step] = []

    class Keep(ModuleAfterEach):
        def see(self, name: str, event: PassEvent) -> None:
            """Keeps the IR of the stage ttgir after a pass, with locations."""
            wanted = kernel in (None, event.run.kernel)
            if event.run.stage in _STAGES and wanted and name != INPUT:
                found.append((event.run.kernel, name, event.text(locations=True)))

    with on_any_machine(), in_this_thread(watching, (*watching.get(), _Watch(Keep()))):
        code = run_script(script, arguments)
    return found, code
