"""The IR of a script's kernels after each pass that makes ttgir."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ttkit.compiler.pipeline_identity import watching
from ttkit.drivers.scripts import on_any_machine
from ttkit.passes.changes import in_this_thread
from ttkit.passes.infra.events import INPUT, ModuleAfterEach, PassEvent, PassSubscriber
from ttkit.user_scripts import run_script

_STAGES = ("ttgir", "gluon")
"""Stages that make ttgir, of kernels in tt and in Gluon."""


@dataclass
class Step:
    """The IR of a kernel after a pass.

    kernel, name: of the kernel, of the pass.
    variant: which compilation of the kernel it is, from 1 on.
    constants: of the variant, as `N=64, K=32`.
    """

    kernel: str
    name: str
    text: str
    variant: int = 1
    constants: str = ""


class _Watch:
    """Who is told of the passes of the script's kernels; its token makes their keys new, so that all are compiled."""

    token = "IR of scripts"

    def __init__(self, subscriber: PassSubscriber, steps: list[Step]) -> None:
        self.subscriber, self._steps = subscriber, steps
        self._seen = 0

    def compiled(self, compilation: Any, error: BaseException | None) -> None:
        """The compilation has ended: the steps since the one before are of one variant."""
        made, before = self._steps[self._seen :], self._steps[: self._seen]
        self._seen = len(self._steps)
        for step in made:
            step.variant = 1 + len({one.variant for one in before if one.kernel == step.kernel})
            step.constants = _constants_of(compilation.source)


def _constants_of(source: Any) -> str:
    """The constants of a jitted function's parameters, as `N=64, K=32`."""
    named = [(path, value) for path, value in getattr(source, "constants", {}).items() if len(path) == 1]
    return ", ".join(f"{source.fn.arg_names[path[0]]}={value}" for path, value in sorted(named))


def ir_after_passes(script: str, arguments: list[str], kernel: str | None = None) -> tuple[list[Step], int]:
    """Runs a script; gives what its kernels, or one of them, were after each pass, and its exit code."""
    found: list[Step] = []

    class Keep(ModuleAfterEach):
        def see(self, name: str, event: PassEvent) -> None:
            """Keeps the IR of the stage ttgir after a pass, with locations."""
            wanted = kernel in (None, event.run.kernel)
            if event.run.stage in _STAGES and wanted and name != INPUT:
                found.append(Step(event.run.kernel, name, event.text(locations=True)))

    with on_any_machine(), in_this_thread(watching, (*watching.get(), _Watch(Keep(), found))):
        code = run_script(script, arguments)
    return found, code
