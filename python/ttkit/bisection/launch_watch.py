"""Watches the launches of a script until one goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ttkit.bisection.applications import Limit
from ttkit.bisection.results import Expected, Results, launches_compute
from ttkit.compiler.checked_launch import Launch, check_launch, inputs_of, module_of, passes_of
from ttkit.compiler.launch_check import Checking
from ttkit.context import Context, parse_text
from ttkit.interpreter.check.check_passes import Checker, PassChangedResult, Settings
from ttkit.interpreter.check.generated_inputs import Inputs
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.manager import run_passes


@dataclass(frozen=True)
class Finding:
    """One thing that went wrong at a launch.

    launch: its number, from 1 on.
    kernel, pass_name: which.
    passes: the pass with its options; or those of all stages, where some of them are skipped; none if no pass is to
        blame.
    message: the first difference, and the inputs; or how the pass failed.
    text: the IR that the pipeline runs on.
    inputs: what the kernel was launched on; empty if the pass failed.
    skipped: the passes without which the result is another; empty if the pass was found by itself.
    """

    launch: int
    kernel: str
    pass_name: str
    passes: tuple[str, ...]
    message: str
    text: str
    inputs: list[Inputs]
    skipped: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the pass raised an exception, ended with a diagnostic or made invalid IR."""
        return bool(self.passes) and not self.inputs

    def is_wrong(self, limit: Limit) -> bool:
        """Whether the pass fails, or the result is wrong, when the passes run under a limit."""
        if self.failed:
            try:
                made(self.text, self.passes, limit)
            except Exception:
                return True
            return False
        checker = Checker(Settings(inputs=lambda function: self.inputs), lambda function, text: None)
        checker.before(made(self.text, without(self.passes, self.skipped)) if self.skipped else self.text)
        checker.after(self.pass_name, made(self.text, self.passes, limit))
        return checker.found is not None


def made(text: str, passes: Sequence[str], *subscribers: Limit) -> str:
    """The IR after passes, as a checker reads it."""
    pipeline = ",".join(passes)

    with Context() as context:
        context.allow_unregistered_dialects = True
        module = parse_text(text, context)
        try:
            run_passes(module, pipeline, subscribers=subscribers)
        except ValueError:  # a pass for functions
            run_passes(module, f"any({pipeline})", subscribers=subscribers)
        return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)


def without(passes: Sequence[str], names: tuple[str, ...]) -> list[str]:
    """Passes other than those of these names."""
    return [one for one in passes if pass_name(one) not in names]


class Stop(BaseException):
    """Ends the script, through handlers of exceptions too: what was looked for is found."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


class FailedPass(PassSubscriber):
    """The pass that failed in a run, or whose result is invalid.

    Args:
        ran: gets the names of the passes that have run.

    Attributes:
        name: of the pass; empty if none has failed.
        pipeline: the pass with its options, as in a pipeline.
        text: the module before the pass with locations, in the generic form.
    """

    name, pipeline, text = "", "", ""

    def __init__(self, ran: set[str]) -> None:
        self.ran = ran

    def before(self, event: PassEvent) -> None:
        """Keeps the IR that the first pass is given."""
        self.ran.add(event.pass_name)
        self.text = self.text or event.text(locations=True, generic=True)

    def after(self, event: PassEvent) -> None:
        """Keeps the IR that the next pass is given."""
        if event.changed is not False:
            self.text = event.text(locations=True, generic=True)

    def failed(self, event: PassEvent) -> None:
        """Keeps the pass."""
        self.name, self.pipeline = event.pass_name, event.arguments


def how_it_failed(name: str, error: BaseException) -> str:
    """The message for a pass that failed: its first diagnostic, which names the exception if it raised one."""
    diagnosed = error if isinstance(error, ir.MLIRError) else error.__cause__
    said = str(diagnosed.error_diagnostics[0].message) if isinstance(diagnosed, ir.MLIRError) else str(error)
    return said if said.startswith("pass '") else f"pass '{name}' fails, or makes invalid IR: {said}"


class Hunt(Checking):
    """Looks at each launch.

    Args:
        programs: how many programs of each run; None for all.
        skipped: passes to compare with and without, in place of each with what was before it.
        kernel: the only one that is looked at.

    Attributes:
        ran: the names of the passes that have run.
    """

    stays = True

    def __init__(self, programs: int | None = None, skipped: tuple[str, ...] = (), kernel: str | None = None) -> None:
        super().__init__(programs)
        self.skipped, self.kernel = skipped, kernel
        self.count = self.checked = 0
        self.results = Results(self.differs)
        self.unchecked: dict[str, None] = {}
        self.ran: set[str] = set()

    def differs(self, launched: Expected, difference: str) -> None:
        """Raises Stop at a launch that has computed something else than the interpreter."""
        name = launched.launch.source.name
        message = f"@{name} computes something else than the interpreter: {difference}"
        message += f"\n  inputs   {launched.inputs.describe(launched.function)}"
        raise Stop(Finding(self.count, name, "launch", (), message, launched.text, [launched.inputs]))

    def check(self, launch: Launch) -> None:
        """Raises Stop at a launch that goes wrong."""
        self.count += 1
        self.results.waiting = None  # of a launch that has failed
        if self.kernel is not None and launch.source.name != self.kernel:
            return
        self.checked += 1
        if self.skipped:
            self._compare(launch)
            return
        failure = FailedPass(self.ran)
        try:
            report = check_launch(launch, self.programs, [failure])
        except PassChangedResult as error:
            raise Stop(
                Finding(
                    self.count,
                    error.function,
                    error.pass_name,
                    (error.pipeline,),
                    error.message,
                    error.located_before,
                    error.inputs,
                )
            ) from None
        except Exception as error:
            if not failure.name:
                raise
            message = how_it_failed(failure.name, error)
            passes, text = (failure.pipeline,), failure.text
            finding = Finding(self.count, launch.source.name, failure.name, passes, message, text, [])
            raise Stop(finding) from None
        self.launches.append(report)
        self.unchecked.update(dict.fromkeys(report.skipped))
        if self.programs is None and launches_compute() and (reason := self.results.expect(launch)):
            self.unchecked[reason] = None

    def launched(self) -> None:
        """Compares what the launch has left in memory."""
        self.results.ended()

    def _compare(self, launch: Launch) -> None:
        """With and without the passes, both down to ttg."""
        passes = passes_of(launch, lowered=False)
        name = ", ".join(self.skipped)
        if missing := set(self.skipped) - {pass_name(one) for one in passes}:
            self.unchecked[f"{launch.source.name} is compiled without {', '.join(sorted(missing))}"] = None
            if missing == set(self.skipped):
                self.checked -= 1
                return
        text = module_of(launch)
        inputs: list[Inputs] = []

        def given(function: Any) -> list[Inputs]:
            """The inputs, kept for the report."""
            inputs[:] = inputs_of(launch, function, self.programs)
            return inputs

        checker = Checker(Settings(inputs=given), lambda function, said: self.unchecked.update({said: None}))
        checker.before(made(text, without(passes, self.skipped)))
        checker.after(name, made(text, passes))
        if checker.found is not None:
            message = checker.found.message.replace(f"pass '{name}' changes", f"with {name} there is a change in", 1)
            found = (launch.source.name, name, tuple(passes), message, text, inputs, self.skipped)
            raise Stop(Finding(self.count, *found))
