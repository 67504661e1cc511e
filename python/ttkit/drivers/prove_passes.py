"""ttkit prove --passes, and tt-opt --prove-passes: a verdict for each pass that changes a kernel.

    ttkit prove --passes kernel.ttir --capability 80 --lowering
    ttkit prove --passes script.py ARGS
    ttkit prove --passes before.ttgir --after after.ttgir
    tt-opt --prove-passes --my-pass kernel.ttir

Exit code: 1 if a pass is refuted; 2, of `ttkit prove`, if one is open.  With `tt-opt
--prove-passes=all` open ones are errors too.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from mlir import ir

import ttkit
from ttkit._native import library, operation_handle
from ttkit.context import parse_file
from ttkit.drivers.scripts import on_any_machine
from ttkit.drivers.user_errors import UserError
from ttkit.drivers.user_files import load_passes
from ttkit.interpreter.decode import Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes.infra.events import PassEvent
from ttkit.passes.infra.pass_files import file_of_pass
from ttkit.passes.manager import run_passes
from ttkit.user_scripts import run_script
from ttkit.validation import PassProofs, PassVerdict
from ttkit.validation.proofs import note_promises, summary, verdicts

STAGES = "ttkit-ttir{{capability={0}}},ttkit-ttgir{{capability={0}}}"
LOWERING = ",ttkit-llir{{capability={0}}}"
REFUTED, OPEN = 1, 2
FIELDS = "pass", "arguments", "kernel", "function", "outcome", "reason", "rounding", "trips", "apart", "seconds"
"""The names of what a verdict in JSON says."""


def run(options: argparse.Namespace) -> int:
    """Prints a verdict for each pass; gives the exit code.

    Raises:
        UserError: there is no such file, or it is not IR.
    """
    for file in (options.file, options.after):
        if file is not None and not os.path.isfile(file):
            raise UserError(f"no such file: {file}")
    load_passes(options.load_pass)
    proofs = PassProofs(lambda verdict, event: print(_shown(verdict, options.json), flush=True))
    code = 0
    if options.after is not None:
        _compare(proofs, options)
    elif options.file.endswith(".py"):
        code = _run_script(proofs, options.file, options.script_words)
    else:
        try:
            with ttkit.Context() as context:
                module = parse_file(options.file, context)
                stages = (STAGES + LOWERING if options.lowering else STAGES).format(options.capability)
                run_passes(module, options.pipeline or stages, subscribers=[proofs])
        except ValueError as error:
            raise UserError(str(error)) from None
    if not proofs.verdicts and not proofs.has_run and not code:
        raise UserError(f"{options.file} has no kernel that a pass was run on, so nothing was proved")
    if not options.json:
        print(summary(proofs.verdicts))
    elif proofs.has_run and not proofs.verdicts:
        print(json.dumps(dict.fromkeys(FIELDS) | {"outcome": "unchanged", "reason": "no pass changed a kernel"}))
    outcomes = {one.verdict.outcome for one in proofs.verdicts}
    return REFUTED if "refuted" in outcomes else code or (OPEN if "open" in outcomes else 0)


def _compare(proofs: PassProofs, options: argparse.Namespace) -> None:
    """Proves what lies between two files, which any compiler may have written.

    Raises:
        UserError: one is not IR, the first has no kernel, or a pipeline is given.
    """
    if options.pipeline:
        raise UserError("--after takes the place of passes; found --pipeline too")
    try:
        with ttkit.Context() as context:
            old, new = (read_module(file, context) for file in (options.file, options.after))
    except (InterpreterError, ValueError) as error:
        raise UserError(str(error)) from None
    name = os.path.basename(options.after)
    for verdict in verdicts(old, new):
        proofs.verdicts.append(PassVerdict(name, name, verdict))
        print(_shown(proofs.verdicts[-1], options.json), flush=True)
    if not proofs.verdicts:
        raise UserError(f"{options.file} has no kernel in tt or ttg")


def read_module(file: str, context: ir.Context) -> Module:
    """The module of a file, for proofs.

    Raises:
        InterpreterError, ValueError: it is not IR.
    """
    module = decode_module(parse_file(file, context))
    note_promises(module, Path(file).read_text(encoding="utf-8", errors="replace"))
    return module


def _shown(verdict: PassVerdict, as_json: bool) -> str:
    if not as_json:
        return f"{verdict.kernel}: {verdict}" if verdict.kernel else str(verdict)
    said = verdict.verdict
    of_pass = {"pass": verdict.pass_name, "arguments": verdict.arguments, "kernel": verdict.kernel}
    return json.dumps({name: of_pass[name] if name in of_pass else getattr(said, name) for name in FIELDS})


class _Watching:
    """Stands among those who watch compilations: all kernels are compiled again to be seen."""

    token = "proved"

    def __init__(self, proofs: PassProofs) -> None:
        self.subscriber = proofs

    def compiled(self, *arguments: Any) -> None:
        """A compilation has ended: nothing is left to do."""

    checked = compiled


def _run_script(proofs: PassProofs, script: str, arguments: list[str]) -> int:
    """Runs a script whose kernels' passes are proved; gives its exit code."""
    from ttkit.compiler.pipeline_identity import EVERYWHERE
    from ttkit.passes.changes import IN_FORCE

    watching = _Watching(proofs)
    EVERYWHERE.append(watching)
    IN_FORCE.append(watching)
    try:
        with on_any_machine():
            return run_script(script, arguments)
    finally:
        IN_FORCE.remove(watching)
        EVERYWHERE.remove(watching)


# --- tt-opt


def report(verdict: PassVerdict, event: PassEvent) -> None:
    """A verdict as an error at the function, with which tt-opt ends."""
    message = f"pass '{verdict.pass_name}' is {verdict.verdict}"
    library().ttkitReport(operation_handle(event.module), verdict.verdict.function.encode(), True, message.encode())
    event.run.fail()


def proofs_of_refutations() -> PassProofs:
    """Who proves the passes of tt-opt under TTKIT_PROVE_PASSES: only those that are refuted are reported."""
    return PassProofs(lambda verdict, event: report(verdict, event) if verdict.verdict.outcome == "refuted" else None)


def command_that_reduces(dump: str, verdict: PassVerdict) -> str:
    """A comment for the file of IR before a pass that was refuted; empty for another verdict."""
    if verdict.verdict.outcome != "refuted":
        return ""
    arguments = verdict.arguments or verdict.pass_name
    file = file_of_pass(verdict.pass_name)
    load = f" --load-pass={shlex.quote(file)}" if file else ""
    return f"// Reduce it: tt-reduce {dump}.before.mlir{load} --test-pass '{arguments}' --refuted\n"


def is_of_proofs(argument: str) -> bool:
    """Whether an argument of tt-opt is one of ours."""
    return argument.startswith("-") and argument.lstrip("-").partition("=")[0] in ("prove-passes", "prove-dump")


def take_proofs(arguments: list[str]) -> tuple[list[str], PassProofs]:
    """The command line of tt-opt without the options of proofs, which MLIR does not know, and who proves the passes.

    Raises:
        ValueError: an option has no sensible value.
    """
    values = dict(one.lstrip("-").partition("=")[::2] for one in arguments if is_of_proofs(one))
    if values.get("prove-passes", "") not in ("", "all"):
        raise ValueError(f"--prove-passes takes nothing or 'all', found '{values['prove-passes']}'")
    if "prove-passes" not in values:
        raise ValueError("--prove-dump has no effect without --prove-passes")
    dump, fails = values.get("prove-dump"), ("refuted", "open") if values["prove-passes"] else ("refuted",)

    def tell(verdict: PassVerdict, event: PassEvent) -> None:
        """Reports a verdict; one that fails as an error at the function."""
        print(f"prove-passes: {verdict}", file=sys.stderr, flush=True)
        if verdict.verdict.outcome not in fails:
            return
        report(verdict, event)
        if dump is not None and verdict.before:
            for side, text in (("before", verdict.before), ("after", verdict.after)):
                with open(f"{dump}.{side}.mlir", "w", encoding="utf-8") as file:
                    file.write(command_that_reduces(dump, verdict) if side == "before" else "")
                    file.write(text)

    return [one for one in arguments if not is_of_proofs(one)], PassProofs(tell)
