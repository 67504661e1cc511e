#!/usr/bin/env python3
"""Feeds damaged IR to ttkit and says what broke.

    python test/fuzz.py [--inputs 5000] [--seed 0] [--jobs 2] [--only N] [--keep DIR] [--no-minimize]

Each input is a file of test/data/ir or test/lit, pretty or generic, damaged a little (test/damage.py).  It is parsed
and verified; what passes is printed, parsed back, canonicalized with CSE, printed and parsed back again.  Broken means
any of: the process dies (abort, signal), it takes longer than TIME_LIMIT, an exception other than MLIR's, a failure
without a diagnostic, a print that does not parse.

Input N of seed S is the same on every machine with the same files: `--seed S --only N` prints it.  Workers are forked,
so a crash costs one worker; the input is then reduced by deletion as long as the same failure remains.  Failures inside
MLIR itself are listed in test/data/upstream_crashes, one reduced input a file, and skipped by their signature.
"""

from __future__ import annotations

import argparse
import ast
import ctypes
import mmap
import os
import re
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from damage import TOKEN, Material, make_input

HERE = Path(__file__).parent
KNOWN_CRASHES = HERE / "data" / "upstream_crashes"
SEED_BYTES = 6_000  # longer files are left out: most of the time would go into parsing what is not damaged
TIME_LIMIT = 10  # seconds for one input; the slowest sound ones take 0.1
INPUTS_PER_CONTEXT = 400  # types and attributes live as long as their context, so it is replaced now and then


def split_sections(text: str) -> list[str]:
    return [section for section in text.split("// -----") if section.strip()]


def seed_texts() -> list[str]:
    """What the inputs are made from, in an order that does not depend on the file system."""
    corpus = sorted((HERE / "data" / "ir").glob("*.tt*ir"))
    lit = sorted((HERE / "lit").rglob("*.mlir"))
    texts = [path.read_text() for path in corpus]
    texts += [section for path in lit for section in split_sections(path.read_text())]
    return [re.sub(r"^\s*//.*\n", "", text, flags=re.MULTILINE) for text in texts if len(text) <= SEED_BYTES]


# --- One input -------------------------------------------------------------------------------------------------------


class Checker:
    """Runs inputs in this process, in a context that is replaced now and then."""

    def __init__(self) -> None:
        self.used = INPUTS_PER_CONTEXT

    def check(self, text: str) -> str | None:
        """Why the input broke an invariant, or None.  A crash does not return."""
        import ttkit

        if self.used >= INPUTS_PER_CONTEXT:
            self.context, self.used = ttkit.Context(), 0
            self.context.allow_unregistered_dialects = False
        self.used += 1
        with self.context:
            try:
                return self.check_steps(text)
            except Exception as error:  # a traceback in place of a diagnostic is a finding
                return f"{type(error).__name__}: {str(error)[:200]}"

    def check_steps(self, text: str) -> str | None:
        from mlir import ir
        from mlir.passmanager import PassManager

        import ttkit

        try:
            module = ttkit.parse(text)
        except ir.MLIRError as error:
            return None if error.error_diagnostics else "rejected without a diagnostic"
        if reason := reparse_problem(module, "as read"):
            return reason
        try:
            PassManager.parse("any(canonicalize,cse)").run(module.operation)
        except ir.MLIRError as error:
            return f"canonicalize,cse failed: {first_line(error)}"
        return reparse_problem(module, "after canonicalize,cse")


def reparse_problem(module, when: str) -> str | None:
    from mlir import ir

    import ttkit

    for generic in (False, True):
        text = module.operation.get_asm(print_generic_op_form=generic)
        try:
            again = ttkit.parse(text)
        except ir.MLIRError as error:
            return f"print {when} ({'generic' if generic else 'pretty'}) does not parse: {first_line(error)}"
        if again.operation.get_asm(print_generic_op_form=generic) != text:
            return f"print {when} ({'generic' if generic else 'pretty'}) changes when parsed and printed again"
    return None


def first_line(error) -> str:
    diagnostics = error.error_diagnostics
    return diagnostics[0].message.split("\n")[0] if diagnostics else str(error)


def generic_forms(texts: list[str]) -> list[str]:
    """The sound ones among `texts` in generic form: damage there reaches verifiers that custom parsers shield."""
    from mlir import ir

    import ttkit

    forms = []
    with ttkit.Context():
        for text in texts:
            try:
                forms.append(ttkit.parse(text).operation.get_asm(print_generic_op_form=True, use_local_scope=True))
            except ir.MLIRError:
                continue
    return [form for form in forms if len(form) <= 2 * SEED_BYTES]


# --- Processes -------------------------------------------------------------------------------------------------------


@dataclass
class Failure:
    index: int
    reason: str
    text: str


class Worker:
    """A forked process that checks the inputs `start, start + step, ...` and notes where it is in shared memory."""

    def __init__(self, start: int, stop: int, step: int, text_of: Callable[[int], str]) -> None:
        self.stop, self.step, self.text_of = stop, step, text_of
        self.progress = mmap.mmap(-1, 8)
        self.report = tempfile.TemporaryFile("w+")  # noqa: SIM115 -- lives as long as the worker
        self.errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self.crashes: list[Failure] = []
        self.start(start)

    def start(self, start: int) -> None:
        self.progress[:] = struct.pack("q", start)
        self.errors.seek(0)
        self.errors.truncate()
        self.pid = os.fork()
        if self.pid == 0:
            self.run(start)

    def run(self, start: int) -> None:
        """The child: never returns."""
        os.dup2(self.errors.fileno(), 2)
        os.dup2(self.errors.fileno(), 1)
        for number in (signal.SIGALRM, signal.SIGINT, signal.SIGABRT, signal.SIGSEGV):
            signal.signal(number, signal.SIG_DFL)
        name_frames_on_crash()
        checker = Checker()
        for index in range(start, self.stop, self.step):
            self.progress[:] = struct.pack("q", index)
            text = self.text_of(index)
            signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT)
            reason = checker.check(text)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if reason:
                os.write(self.report.fileno(), f"{index} {reason!r}\n".encode())
        os._exit(0)

    def poll(self) -> list[Failure] | None:
        """None while it runs; the failures found once it is done.  After a crash it goes on with the next input."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        if status != 0:
            (index,) = struct.unpack("q", self.progress[:])
            self.errors.seek(0)
            self.crashes.append(Failure(index, death_reason(status, self.errors.read()), self.text_of(index)))
            if index + self.step < self.stop:
                self.start(index + self.step)
                return None
        self.report.seek(0)
        told = (line.rstrip("\n").partition(" ") for line in self.report)
        return self.crashes + [Failure(int(i), ast.literal_eval(why), self.text_of(int(i))) for i, _, why in told]


def finish(workers: list[Worker]) -> list[Failure]:
    """Waits until all are done."""
    failures, running = [], list(workers)
    while running:
        for worker in list(running):
            if (found := worker.poll()) is not None:
                failures += found
                running.remove(worker)
        time.sleep(0.002)
    return failures


def name_frames_on_crash() -> None:
    """Has LLVM's own handler write a stack trace when this process dies; failing that, only the assertion is known."""
    import mlir

    os.environ["LLVM_DISABLE_SYMBOLIZATION"] = "1"  # exported names only: the same with and without llvm-symbolizer
    for library in Path(mlir.__path__[0], "_mlir_libs").glob("libMLIRPythonCAPI.*"):
        install = getattr(ctypes.CDLL(str(library)), "_ZN4llvm3sys28PrintStackTraceOnErrorSignalENS_9StringRefEb", None)
        if install:
            install(ctypes.c_char_p(b""), ctypes.c_size_t(0), ctypes.c_bool(True))


def death_reason(status: int, errors: str) -> str:
    """The signal, what the process said, the innermost functions of MLIR, and whether they were called by libttkit."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return f"hang: more than {TIME_LIMIT} s"
    how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    said = re.findall(r"(?:Assertion .*|LLVM ERROR.*|UNREACHABLE.*|what\(\):.*)$", errors, re.MULTILINE)
    frames = re.findall(r"^\d+ +(\S+) +0x\w+(?: (?:.* )?(mlir::[\w:~]+))?", errors, re.MULTILINE)
    named = [name for _, name in frames if name][:2]
    parsing = next((i for i, (_, name) in enumerate(frames) if name.startswith("mlir::detail::Parser")), len(frames))
    ours = any(library.startswith("libttkit") for library, _ in frames[:parsing])  # below it, ours only encloses
    return (
        f"{how}: {said[-1] if said else ''} in {' < '.join(named) or '?'}, called by {'libttkit' if ours else 'MLIR'}"
    )


def signature(reason: str) -> str:
    """What stays the same between two inputs that fail in the same way."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "_", reason)


def run_one(text: str) -> str | None:
    """The reason one input fails, found in a process of its own."""
    failures = finish([Worker(0, 1, 1, lambda _: text)])
    return failures[0].reason if failures else None


def minimize(text: str, reason: str, budget: float = 60.0) -> str:
    """The input with lines, then tokens, deleted for as long as it fails in the same way."""
    wanted, stop_at = signature(reason), time.monotonic() + budget
    for split in (lambda t: t.splitlines(keepends=True), TOKEN.findall):
        pieces = split(text)
        size = max(1, len(pieces) // 2)
        while size and time.monotonic() < stop_at:
            at, shrunk = 0, False
            while at < len(pieces) and time.monotonic() < stop_at:
                trial = pieces[:at] + pieces[at + size :]
                found = run_one("".join(trial))
                if found and signature(found) == wanted:
                    pieces, shrunk = trial, True
                else:
                    at += size
            size = size // 2 if not shrunk or size > 1 else size
            if size == 1 and not shrunk:
                break
        text = "".join(pieces)
    return text


def known_signatures() -> dict[str, str]:
    """Signatures of failures that are MLIR's own -> the file that shows them."""
    known = {}
    for path in sorted(KNOWN_CRASHES.glob("*.mlir")):
        first = path.read_text().split("\n", 1)[0]
        known[first.removeprefix("// signature: ")] = path.name
    return known


def fuzz(inputs: int, seed: int, jobs: int) -> tuple[list[Failure], dict[str, int]]:
    """Checks `inputs` inputs; returns what failed, and how often each known failure of MLIR came up."""
    material = load_material()
    workers = [Worker(job, inputs, jobs, lambda index: make_input(seed, index, material)) for job in range(jobs)]
    known, skipped, failures = known_signatures(), {}, []
    for failure in finish(workers):
        name = known.get(signature(failure.reason))
        if name:
            skipped[name] = skipped.get(name, 0) + 1
        else:
            failures.append(failure)
    return sorted(failures, key=lambda failure: failure.index), skipped


def load_material() -> Material:
    seeds = seed_texts()
    return Material.gather(seeds + generic_forms(seeds))


def report(failures: list[Failure], reduce: bool, keep: Path | None) -> None:
    groups: dict[str, list[Failure]] = {}
    for failure in failures:
        groups.setdefault(signature(failure.reason), []).append(failure)
    for number, (key, group) in enumerate(groups.items()):
        smallest = min(group, key=lambda failure: len(failure.text))
        text = minimize(smallest.text, smallest.reason) if reduce else smallest.text
        print(f"--- {len(group)} inputs, first {group[0].index}: {smallest.reason}\n{text}")
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{number:02}.mlir").write_text(f"// signature: {key}\n{text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="print this input and why it fails")
    parser.add_argument("--keep", type=Path, help="write the reduced inputs to this folder")
    parser.add_argument("--no-minimize", action="store_true")
    args = parser.parse_args()
    if args.only is not None:
        text = make_input(args.seed, args.only, load_material())
        print(f"{text}\n// {run_one(text)}")
        return 0
    start = time.monotonic()
    print(f"seed {args.seed}, {args.inputs} inputs")
    failures, skipped = fuzz(args.inputs, args.seed, args.jobs)
    print(f"{len(failures)} failures in {time.monotonic() - start:.1f} s; MLIR's own: {skipped}")
    report(failures, not args.no_minimize, args.keep)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
