"""A finding as a file: reduced IR with the command that shows it."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ttkit.bisection.launch_watch import Finding, made, without
from ttkit.context import Context, parse_text
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.decode import decode_module
from ttkit.passes.infra.steps import pass_name
from ttkit.reduce.questions import Differs, Fails
from ttkit.reduce.reducer import NotInteresting, Reducer


class DiffersWith(Differs):
    """Does the kernel compute something else with passes than without them?

    skipped: their names.
    """

    skipped: tuple[str, ...] = ()

    def ask(self, text: str) -> str:
        """Whether the result with all passes differs from that without the skipped ones."""
        passes = self.pipeline.split("\n")
        checker = Checker(Settings(self.runs, self.seed), lambda function, said: None)
        checker.before(made(text, without(passes, self.skipped)))
        checker.after("", made(text, passes))
        return "another result" if checker.found is not None else ""


SEEDS = 3
"""Sets of generated inputs that are tried in place of the launch's."""


@dataclass(frozen=True)
class Reproducer:
    """path: of the file.  command: shows the bug.  operations: how many the file has; None if it is not reduced."""

    path: str
    command: str
    operations: int | None


def write(finding: Finding, folder: str, load_pass: list[str], jobs: int = 2, seconds: float = 120.0) -> Reproducer:
    """Writes the file, KERNEL.PASS.mlir, and inputs beside it if generated ones do not show the bug.

    Args:
        load_pass: files of passes that the command must load.
        jobs, seconds: of the reduction.
    """
    if not finding.passes:
        return _of_launch(finding, folder)
    if finding.skipped:
        return _with_and_without(finding, folder, load_pass, jobs, seconds)
    if finding.failed:
        return _of_failure(finding, folder, load_pass, jobs, seconds)
    name = re.sub(r"[^\w.-]", "_", f"{finding.kernel}.{finding.pass_name}")
    path = os.path.join(folder, f"{name}.mlir")
    pipeline = f"builtin.module({','.join(finding.passes)})"
    options = [f"--load-pass={os.path.relpath(one, folder or '.')}" for one in load_pass]
    options += [f"--pass-pipeline={pipeline}", "--check-passes"]
    for seed in range(SEEDS):
        question = Differs(pipeline=",".join(finding.passes), seed=seed, timeout=60.0)
        question.sign = f"pass '{finding.pass_name}' changes a result"
        try:
            found = Reducer(question, jobs, seconds=seconds).reduce(finding.text)
        except NotInteresting:
            continue
        options += ["--check-runs=1", *([f"--check-seed={seed}"] if seed else [])]
        return _written(path, found.text, options, finding, found.operations)
    arguments = _saved(finding, os.path.join(folder, name))
    grid = ",".join(map(str, finding.inputs[0].grid))
    options += ["--check-runs=1", f"--check-grid={grid}", *(f"--check-arg={one}" for one in arguments)]
    return _written(path, finding.text, options, finding, None)


def _of_failure(finding: Finding, folder: str, load_pass: list[str], jobs: int, seconds: float) -> Reproducer:
    """The IR on which a pass fails, reduced."""
    path = os.path.join(folder, re.sub(r"[^\w.-]", "_", f"{finding.kernel}.{finding.pass_name}") + ".mlir")
    text, operations = finding.text, None
    with contextlib.suppress(NotInteresting):
        found = Reducer(Fails(pipeline=",".join(finding.passes), timeout=60.0), jobs, seconds=seconds).reduce(text)
        text, operations = found.text, found.operations
    options = [f"--load-pass={os.path.relpath(one, folder or '.')}" for one in load_pass]
    options.append(f"--pass-pipeline=builtin.module({','.join(finding.passes)})")
    return _written(path, text, options, finding, operations)


def _of_launch(finding: Finding, folder: str) -> Reproducer:
    """The kernel's tt and the inputs of the launch, to be run on a GPU and interpreted."""
    prefix = os.path.join(folder, re.sub(r"[^\w.-]", "_", f"{finding.kernel}.launch"))
    path = f"{prefix}.mlir"
    grid = ",".join(map(str, finding.inputs[0].grid))
    # By position: the names are in locations, which are left out.
    arguments = [one.partition("=")[2] for one in _saved(finding, prefix)]
    options = [f"--grid={grid}", *(f"--arg={one}" for one in arguments), "--device=cuda", "--compare"]
    with Context() as context:
        text = str(parse_text(finding.text, context))
    Path(path).write_text("".join(f"// {line}\n" for line in finding.message.split("\n")) + "\n" + text)
    return Reproducer(path, f"tt-run {shlex.quote(path)} " + " ".join(map(shlex.quote, options)), None)


def _with_and_without(finding: Finding, folder: str, load_pass: list[str], jobs: int, seconds: float) -> Reproducer:
    """The IR that the first of the skipped passes gets, and two commands whose results differ."""
    names = [pass_name(one) for one in finding.passes]
    first = min(names.index(one) for one in finding.skipped)
    text = made(finding.text, finding.passes[:first]) if first else finding.text
    last = max(place for place, one in enumerate(names) if one in finding.skipped)
    operations = None
    # The passes after them make no difference, most of the time.
    for rest, seed in itertools.product((finding.passes[first : last + 1], finding.passes[first:]), range(SEEDS)):
        question = DiffersWith(pipeline="\n".join(rest), seed=seed, timeout=60.0)
        question.skipped = finding.skipped
        try:
            found = Reducer(question, jobs, seconds=seconds).reduce(text)
        except NotInteresting:
            continue
        text, operations = found.text, found.operations
        break
    path = os.path.join(folder, re.sub(r"[^\w.-]", "_", f"{finding.kernel}.{finding.skipped[0]}") + ".mlir")
    load = [f"--load-pass={os.path.relpath(one, folder or '.')}" for one in load_pass]
    commands = []
    for passes in (rest, without(rest, finding.skipped)):
        options = [*load, f"--pass-pipeline=builtin.module({','.join(passes)})"]
        commands.append(f"tt-opt {shlex.quote(path)} " + " ".join(map(shlex.quote, options)))
    Path(path).write_text("".join(f"// {one}\n" for one in (*finding.message.split("\n"), *commands)) + "\n" + text)
    return Reproducer(path, "\n  ".join(commands), operations)


def _written(path: str, text: str, options: list[str], finding: Finding, operations: int | None) -> Reproducer:
    quoted = " ".join(map(shlex.quote, options))
    head = f"// RUN: not tt-opt %s {quoted}\n//\n"
    head += "".join(f"// {line}\n" for line in finding.message.split("\n"))
    Path(path).write_text(f"{head}\n{text}")
    return Reproducer(path, f"tt-opt {shlex.quote(path)} {quoted}", operations)


def _saved(finding: Finding, prefix: str) -> list[str]:
    """The inputs of the launch as --check-arg has them; arrays go to files."""
    inputs = finding.inputs[0]
    found = []
    with Context() as context:
        function = decode_module(parse_text(finding.text, context)).functions[finding.kernel]
    for place, name in enumerate(function.argument_names):
        given = inputs.given.get(place)
        if given is not None and given.array is not None:
            file = f"{prefix}.{name}.npy"
            np.save(file, given.array)
            found.append(f"{name}=@{file}")
        elif given is not None:
            found.append(f"{name}={given.value}")
        elif place in inputs.scalars:
            found.append(f"{name}={inputs.scalars[place]}")
    return found
