"""Runs passes of ttkit and of Triton on the same IR and compares the results, structurally.

    python compare.py --oracle-python PYTHON PASSES FILE_OR_FOLDER...

`PASSES` is what stands inside of `builtin.module(...)`: `triton-combine,cse` or `tritongpu-pipeline{num-stages=4}`.
PYTHON has Triton 3.6 (default: the variable TTKIT_ORACLE_PYTHON); it needs neither ttkit nor a GPU.  Files are IR (from
folders: *.ttir, *.ttgir, *.mlir), and may hold several modules separated by `// -----`.

Each module is reported as `equal` (names of values, aliases of attributes, locations and the order of constants at the
beginning of functions and partitions do not count), `different` (with a unified diff from Triton's to ours),
`other order` (of operations without effects), `both
refuse`, `ttkit fails` or `Triton fails`; or `known difference` where it is not equal and a comment in the module says
why: `// Differs from Triton: ...`.  Ends with 1 unless all are equal, refused by both or known.
"""

import argparse
import collections
import difflib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structure

HERE = Path(__file__).resolve().parent
SUFFIXES = (".ttir", ".ttgir", ".mlir")
CONTEXT_USES = 100  # modules that are read in one context
Pass = tuple[str, dict[str, str]]

EQUAL, DIFFERENT, BOTH_REFUSE = "equal", "different", "both refuse"
TTKIT_FAILS, TRITON_FAILS, KNOWN = "ttkit fails", "Triton fails", "known difference"
REORDERED = "other order"
INVALID, UNREAD, UNREAD_BY_TRITON = (
    "both refuse the input",
    "only ttkit refuses the input",
    "only Triton refuses the input",
)


def parse_pipeline(text: str) -> list[Pass]:
    """`a,b{x=1 y=2}` -> [("a", {}), ("b", {"x": "1", "y": "2"})]."""
    found = re.findall(r"([\w-]+)(?:\{([^}]*)\})?", text)
    return [(name, dict(item.split("=", 1) for item in options.split())) for name, options in found]


def pipeline_text(passes: list[Pass]) -> str:
    """The inverse of `parse_pipeline`."""
    spelled = [(name, " ".join(f"{key}={value}" for key, value in options.items())) for name, options in passes]
    return ",".join(f"{name}{{{options}}}" if options else name for name, options in spelled)


def single_passes(passes: list[Pass]) -> list[Pass]:
    """The passes with ttkit's stages, such as ttkit-ttir, spelled out, without passes that only ttkit has."""
    from ttkit.passes.stages import STAGES
    from ttkit.passes.stages import pipeline_text as stage_text

    return [
        single
        for name, options in passes
        for single in (
            parse_pipeline(stage_text(name, " ".join(f"{key}={value}" for key, value in options.items())))
            if name in STAGES
            else [(name, options)]
        )
        if not single[0].startswith("ttkit-")
    ]


def modules_of(path: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of each module in a file, or in the files below a folder."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in SUFFIXES:
                yield from modules_of(file)
        return
    parts = re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)
    for number, text in enumerate(parts):
        if text.strip():
            yield (f"{path}#{number}" if len(parts) > 1 else str(path)), text


class Worker:
    """A process that answers requests, a JSON object a line each way.  Started again after it died.

    Args:
        command: how to start it.
        limit: seconds after which it is killed if it has not answered.
    """

    def __init__(self, command: list[str], limit: float = 300) -> None:
        self.command, self.limit = command, limit
        self.process: subprocess.Popen[str] | None = None

    def run(self, text: str, passes: list[Pass], repeat: int = 1, expected: str | None = None) -> dict[str, Any]:
        """{"text", "seconds"} of `passes` on a module, or {"error"}; "died", too, is there where the process did.

        Args:
            text: a module.
            expected: of ttkit's worker, Triton's result: {"equal": True} or both texts normalized, "text" and
                "expected", with "reordered"; {"unread": diagnostics} if ttkit does not read it.
        """
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self.process = subprocess.Popen(self.command, text=True, start_new_session=True, **pipes)
        assert self.process.stdin is not None and self.process.stdout is not None
        timer = threading.Timer(self.limit, self.close)
        timer.start()
        try:
            request = {"text": text, "passes": passes, "repeat": repeat, "expected": expected}
            print(json.dumps(request), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            timer.cancel()
        if answer:
            made = json.loads(answer)
            return {"error": made["died"], **made} if "died" in made else made
        code, self.process = self.process.wait(), None
        return {"error": f"the process died with exit code {code} (-9: it was killed after {self.limit} s)"}

    def close(self) -> None:
        """Ends the process, and those that it forked."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)


def ttkit_worker() -> Worker:
    """A process that runs ttkit's passes."""
    return Worker([sys.executable, str(HERE / "compare.py"), "--serve"])


def triton_worker(python: str) -> Worker:
    """A process of another Python that runs Triton's."""
    return Worker([python, str(HERE / "triton_passes.py")])


def run_here(text: str, passes: list[Pass], repeat: int = 1) -> tuple[str, list[float]]:
    """Parses `text` in this process and runs ttkit's passes one at a time.

    Returns:
        The result, normalized: no locations or aliases, values numbered, constants sorted; and the least CPU time of
        each pass in seconds.

    Raises:
        InvalidModule, mlir.ir.MLIRError, ttkit.PassError: the text is refused, or a pass fails.
    """
    import ttkit

    with ttkit.Context():
        module, best = transformed(text, passes, repeat)
        return normalized(module), best


def transformed(text: str, passes: list[Pass], repeat: int = 1) -> tuple[Any, list[float]]:
    """The module that `passes` make in the current context, and the least CPU time of each in seconds.

    Raises:
        InvalidModule: the text is refused.
    """
    from mlir import ir

    import ttkit

    best = [float("inf")] * len(passes)
    for _ in range(repeat):
        try:
            module = ttkit.parse(text)
        except ir.MLIRError as error:
            raise InvalidModule(diagnostics(error)) from error
        for index, item in enumerate(passes):
            start = time.process_time()
            ttkit.run_passes(module, pipeline_text([item]))
            best[index] = min(best[index], time.process_time() - start)
    return module, best


class InvalidModule(ValueError):
    """What is no module for ttkit."""


def diagnostics(error: Any) -> str:
    """The messages of an MLIRError, a line each."""
    return "\n".join(f"{d.location}: {d.message}" for d in error.error_diagnostics)


def normalized(module: Any) -> str:
    """The module's text without locations and aliases, its values numbered and its first constants sorted."""
    sort_constants(module.operation)
    return module.operation.get_asm(use_local_scope=True)


def sort_constants(module: Any) -> None:
    """Puts the constants that begin functions and partitions in an order of their own: theirs is that of folding."""
    from ttkit.inspection import collect

    def key(op: Any) -> tuple[str, str, str]:
        return op.name, str(op.results[0].type), str(op.attributes["value"]) if "value" in op.attributes else ""

    holders = collect(module, ["tt.func", "ttg.warp_specialize.partitions"])
    for region in [region for holder in holders for region in holder.regions]:
        operations = [op.operation for block in list(region.blocks)[:1] for op in block.operations]
        others = (number for number, op in enumerate(operations) if op.name not in ("arith.constant", "ub.poison"))
        count = next(others, 0)
        for op in sorted(operations[:count], key=key):
            op.move_before(operations[count])


def serve() -> None:
    """Answers requests as triton_passes.py does, with ttkit's passes, and compares with Triton's result."""
    import importlib

    import fork_server

    import ttkit
    from ttkit.passes.registry import PASSES

    for place in PASSES.values():
        importlib.import_module(place.partition(":")[0])
    contexts: list[Any] = []

    def answer(request: dict[str, Any], printed: Callable[[], str]) -> dict[str, Any]:
        if len(contexts) % CONTEXT_USES == 0:
            contexts[:] = [ttkit.Context()]
        else:
            contexts.append(contexts[0])
        with contexts[0]:
            return answer_in_context(request)

    fork_server.serve(answer)


def answer_in_context(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request of `Worker.run`."""
    from mlir import ir

    import ttkit

    try:
        module, seconds = transformed(request["text"], request["passes"], request["repeat"])
    except InvalidModule as error:
        return {"error": str(error), "invalid": True}
    except ir.MLIRError as error:
        return {"error": diagnostics(error)}
    except Exception as error:  # whatever a pass raised
        return {"error": f"{type(error).__name__}: {error}"}
    expected = request["expected"]
    if expected is None:
        return {"text": normalized(module), "seconds": seconds}
    if str(module) == expected:
        return {"equal": True, "seconds": seconds}
    try:
        other = ttkit.parse(expected)
    except ir.MLIRError as error:
        return {"unread": diagnostics(error)}
    texts = normalized(module), normalized(other)
    if texts[0] == texts[1]:
        return {"equal": True, "seconds": seconds}
    reordered = structure.fingerprint(module) == structure.fingerprint(other)
    return {"text": texts[0], "expected": texts[1], "reordered": reordered, "seconds": seconds}


@dataclass
class Outcome:
    """What came of one module under some passes; `changed`: they changed it in Triton."""

    status: str
    detail: str = ""
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    triton_text: str = ""
    changed: bool = False


def compare(text: str, passes: list[Pass], ttkit: Worker, triton: Worker, repeat: int = 1) -> Outcome:
    """Compares what `passes` make of a module here and in Triton."""
    theirs = triton.run(text, single_passes(passes), repeat)
    ours = ttkit.run(text, passes, repeat, theirs.get("text"))
    if "invalid" in ours and "invalid" in theirs:
        return Outcome(INVALID, f"ttkit: {ours['error']}\nTriton: {theirs['error']}")
    if "invalid" in ours:
        return Outcome(UNREAD, ours["error"], triton_text=theirs.get("text", ""))
    if "invalid" in theirs:
        return Outcome(UNREAD_BY_TRITON, theirs["error"])
    if "error" in ours and "error" in theirs:
        return Outcome(BOTH_REFUSE, f"ttkit: {ours['error']}\nTriton: {theirs['error']}")
    if "error" in ours:
        return Outcome(TTKIT_FAILS, ours["error"], triton_text=theirs["text"])
    if "error" in theirs:
        return Outcome(TRITON_FAILS, theirs["error"])
    if "unread" in ours:
        return Outcome(TTKIT_FAILS, f"does not parse Triton's result: {ours['unread']}")
    changed = theirs["text"] != theirs["read"]
    details = (ours["seconds"], theirs["seconds"], theirs["text"], changed)
    if "equal" in ours:
        return Outcome(EQUAL, "", *details)
    status = REORDERED if ours["reordered"] else DIFFERENT
    lines = (ours["expected"].splitlines(), ours["text"].splitlines())
    return Outcome(status, "\n".join(difflib.unified_diff(*lines, "Triton", "ttkit", lineterm="")), *details)


def compare_each(text: str, passes: list[Pass], *workers: Worker, repeat: int = 1) -> Iterator[tuple[Pass, Outcome]]:
    """Compares pass by pass, each on what Triton's earlier passes made, until Triton fails."""
    for item in passes:
        outcome = compare(text, [item], *workers, repeat=repeat)
        yield item, outcome
        if not outcome.triton_text:
            return
        text = outcome.triton_text


class Report:
    """Prints outcomes as they come, then counts and times."""

    def __init__(self, diff_lines: int, show_equal: bool) -> None:
        self.diff_lines, self.show_equal = diff_lines, show_equal
        self.counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        self.times: dict[str, list[float]] = collections.defaultdict(lambda: [0.0, 0.0])

    def add(self, name: str, text: str, passes: list[Pass], outcome: Outcome) -> None:
        reason = re.search(r"// Differs from Triton: (.*)", text)
        if reason and outcome.status in (DIFFERENT, TRITON_FAILS):
            outcome.status, outcome.detail = KNOWN, reason[1]
        self.counts[pipeline_text(passes)][outcome.status] += 1
        rows = [(pipeline_text([item]), *times) for item, *times in zip(passes, outcome.ours, outcome.theirs)]
        if len(outcome.ours) != len(outcome.theirs):  # a stage here is several passes in Triton
            rows = [(pipeline_text(passes), sum(outcome.ours), sum(outcome.theirs))]
        for row_name, ours, theirs in rows:
            total = self.times[row_name]
            total[0] += ours
            total[1] += theirs
        if outcome.status != EQUAL or self.show_equal:
            print(f"{outcome.status}: {name}: {pipeline_text(passes)}", flush=True)
            for line in outcome.detail.splitlines()[: self.diff_lines]:
                print(f"    {line}")

    def finish(self, timing: bool) -> int:
        """Prints the totals; the exit code."""
        for passes, counts in self.counts.items():
            print(f"{passes}: " + ", ".join(f"{number} {status}" for status, number in sorted(counts.items())))
        if timing:
            print(f"{'ttkit':>12} {'Triton':>12} {'ratio':>7}")
            for passes, (ours, theirs) in self.times.items():
                print(f"{ours * 1e3:9.3f} ms {theirs * 1e3:9.3f} ms {ours / max(theirs, 1e-9):7.2f}  {passes}")
        statuses = {status for counts in self.counts.values() for status in counts}
        return int(not statuses <= {EQUAL, BOTH_REFUSE, INVALID, KNOWN})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passes", metavar="PASSES")
    parser.add_argument("paths", metavar="FILE_OR_FOLDER", nargs="+", type=Path)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--prepare", default="", metavar="PASSES", help="passes of Triton to run on the input first")
    parser.add_argument("--each", action="store_true", help="compare after each pass, starting from Triton's result")
    parser.add_argument("--only", metavar="REGEX", help="only modules whose name or text matches")
    parser.add_argument("--timing", action="store_true", help="print the time of each pass")
    parser.add_argument("--repeat", type=int, default=3, help="with --timing: best of so many runs (3)")
    parser.add_argument("--diff-lines", type=int, default=40, help="lines of detail for each module (40)")
    parser.add_argument("--show-equal", action="store_true", help="list equal modules too")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    ttkit, triton = ttkit_worker(), triton_worker(options.oracle_python)
    passes, prepare = parse_pipeline(options.passes), parse_pipeline(options.prepare)
    report = Report(options.diff_lines, options.show_equal)
    repeat = options.repeat if options.timing else 1
    for name, text in (module for path in options.paths for module in modules_of(path)):
        if options.only and not re.search(options.only, f"{name}\n{text}"):
            continue
        if prepare:
            prepared = triton.run(text, prepare)
            if "error" in prepared:
                report.add(name, text, prepare, Outcome(TRITON_FAILS, prepared["error"]))
                continue
            text = prepared["text"]
        if options.each:
            for item, outcome in compare_each(text, passes, ttkit, triton, repeat=repeat):
                report.add(name, text, [item], outcome)
        else:
            report.add(name, text, passes, compare(text, passes, ttkit, triton, repeat))
    ttkit.close()
    triton.close()
    return report.finish(options.timing)


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
