"""The kernels that the page shows, and those that edits make of them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from dataclasses import fields
from typing import Any

from ttkit.explorer.worker import Interpretation, Job, Passes
from ttkit.interpreter.check.generated_inputs import Inputs
from ttkit.options import CompileOptions
from ttkit.tracing.contents import contents
from ttkit.tracing.records import KernelRecord, StageRecord

SECONDS = 120
"""That a worker may take."""


class WorkFailed(RuntimeError):
    """A worker ended without a reply; the text says how."""


class Workbench:
    """Kernels, and the processes that run edits of them.

    Args:
        title: of the page.
        kernels: the first ones.
        capability: of the GPU, for kernels that name none.

    Attributes:
        launches: what the script has launched its kernels on, by their names.
    """

    def __init__(self, title: str, kernels: list[KernelRecord], capability: int = 90) -> None:
        self.title, self.kernels, self.capability = title, kernels, capability
        self.launches: dict[str, Inputs] = {}
        self._busy = threading.Lock()

    def add_file(self, text: str, name: str, pipeline: str = "") -> KernelRecord:
        """Adds the kernel of IR in tt or ttg, run through all stages that follow, or through a pipeline.

        Raises:
            WorkFailed: the worker ended without a reply.
        """
        stages: list[tuple[str, list[str] | None]] = [("pipeline", [pipeline])]
        if not pipeline:
            is_ttg = "ttg." in text or "triton_gpu." in text
            stages = [(stage, None) for stage in (("llir",) if is_ttg else ("ttir", "ttgir", "llir"))]
        made = self._run(Passes(text, stages, name, {}, self.capability))
        made.about = {"target": f"cuda:{self.capability}"}
        self.kernels.append(made)
        return made

    def contents(self) -> dict[str, Any]:
        """All that the page shows."""
        return contents(self.kernels, self.title)

    def run(self, kernel: int, stage: int, place: int, side: str, text: str | None, pipeline: str, check: bool) -> int:
        """Runs the passes after a place of a kernel, edited or not, and adds the resulting kernel.

        Args:
            place: of a pass in its stage.
            side: "before" or "after" the pass.
            text: the IR; None for the one there.
            pipeline: what to run, as `rest` gives it.
            check: whether each pass is checked on the interpreter.

        Returns:
            the new kernel's number.

        Raises:
            ValueError, IndexError: there is no such place, or stage of the pipeline.
            WorkFailed: the worker ended without a reply.
        """
        old = self.kernels[kernel]
        text = self.text(kernel, stage, place, side) if text is None else text
        name = old.name.partition(" (")[0]
        options, capability = _options(old, self.capability)
        made = self._run(Passes(text, read_pipeline(pipeline), name, options, capability, check))
        of = old.stages[stage]
        made.name = f"{name} (edit {sum(one.name.startswith(f'{name} (edit ') for one in self.kernels) + 1})"
        made.about = {**old.about, "edited": f"{of.name}, {side} {of.passes[place].name}"}
        self.kernels.append(made)
        return len(self.kernels) - 1

    def interpret(
        self, text: str, grid: str, arguments: list[str], before: str, kernel: int | None = None
    ) -> list[str]:
        """Runs IR on the interpreter.  Returns lines about the run.

        Args:
            before: IR to compare with; empty for none.
            kernel: the kernel that the IR is of: what it was launched on stands in for arguments that are not given.

        Raises:
            WorkFailed: the worker ended without a reply.
        """
        name = "" if kernel is None else self.kernels[kernel].name.partition(" (")[0]
        return self._run(Interpretation(text, grid, arguments, before, self.launches.get(name)))

    def text(self, kernel: int, stage: int, place: int, side: str) -> str:
        """The IR before or after a pass, with locations."""
        of = self.kernels[kernel].stages[stage]
        last = place if side == "before" else place + 1
        return next((one.text for one in reversed(of.passes[:last]) if one.text is not None), of.text)

    def rest(self, kernel: int, stage: int, place: int, side: str) -> str:
        """The passes that follow a place: a line each, stages as lines `// ttgir`."""
        stages = self.kernels[kernel].stages
        lines = []
        for number, of in enumerate(stages[stage:]):
            passes = of.passes[(place + (side == "after")) if number == 0 else 0 :]
            lines += [f"// {of.name}", *_once(of, [one.arguments or one.name for one in passes])]
        return "\n".join(lines)

    def _run(self, work: Passes | Interpretation) -> Any:
        with self._busy, tempfile.TemporaryDirectory(prefix="ttkit-explore-") as folder:
            reply = os.path.join(folder, "reply")
            command = [sys.executable, "-c", "from ttkit.explorer.worker import main; main()"]
            given = pickle.dumps(Job(work, reply))
            around = {**os.environ, "PYTHONSAFEPATH": "1"}  # modules of the current folder are not its business
            try:
                done = subprocess.run(
                    command, input=given, capture_output=True, timeout=SECONDS, check=False, env=around
                )
            except subprocess.TimeoutExpired:
                raise WorkFailed(f"it took more than {SECONDS} s, and was ended") from None
            if not os.path.exists(reply):
                told = done.stderr.decode(errors="replace").strip()[-2000:]
                raise WorkFailed(f"the process ended with code {done.returncode}: {told}")
            with open(reply, "rb") as file:
                return pickle.load(file)


def _once(of: StageRecord, passes: list[str]) -> list[str]:
    """Passes of a stage; one that ran on each function stands there once."""
    on = {one.arguments or one.name for one in of.passes if one.on}
    found: list[str] = []
    for text in passes:
        written = f"any({text})" if text in on else text
        if text not in on or found[-1:] != [written]:
            found.append(written)
    return found


def read_pipeline(text: str) -> list[tuple[str, list[str] | None]]:
    """Stages and their passes, from lines as `Workbench.rest` gives them.

    Raises:
        ValueError: a pass stands before the first stage.
    """
    stages: list[tuple[str, list[str] | None]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("//"):
            stages.append((line.removeprefix("//").strip() or "pipeline", []))
        elif not stages:
            raise ValueError(f"'{line}' is in no stage; begin with a line '// ttgir'")
        else:
            passes = stages[-1][1]
            assert passes is not None
            passes.append(line)
    return stages


def _options(kernel: KernelRecord, capability: int) -> tuple[dict[str, Any], int]:
    """The options that a kernel was compiled with, and the GPU."""
    arch = str(kernel.about.get("target", "")).rpartition(":")[2]
    known = {one.name for one in fields(CompileOptions)}
    return {name: value for name, value in kernel.about.items() if name in known}, int(arch) if arch else capability
