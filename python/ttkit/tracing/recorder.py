"""Who is told of the passes of kernels, and keeps what they did."""

from __future__ import annotations

import atexit
import difflib
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mlir import ir

from ttkit.analysis.ledger import count_layouts
from ttkit.compiler.pipeline_identity import EVERYWHERE
from ttkit.inspection import collect
from ttkit.passes.changes import IN_FORCE
from ttkit.passes.infra.events import PassEvent, PassRun, PassSubscriber
from ttkit.passes.infra.loop_attributes import SCHEDULED_MAX_STAGE
from ttkit.passes.pipelining.described import described
from ttkit.timeline.svg import svg
from ttkit.tracing.ncu import read
from ttkit.tracing.records import KernelRecord, PassRecord, StageRecord
from ttkit.tracing.trace_page import write_page

if TYPE_CHECKING:
    from ttkit.compiler.compilation import Compilation
    from ttkit.interpreter.check.check_passes import PassChangedResult

_numbers = itertools.count(1)


class Recorder(PassSubscriber):
    """Keeps what passes do, of one pipeline or of many kernels, in any threads.

    Args:
        checks: who checks the passes, told of them before this; its `verdict(pipeline)` says what it found.
        proofs: who proves them, told before this; its `of(event)` says what it found.  By default that of
            TTKIT_PROVE_PASSES.

    Attributes:
        kernels: those that are compiled, in the order in which they were done.
    """

    def __init__(self, checks: Any = None, proofs: Any = None) -> None:
        self.kernels: list[KernelRecord] = []
        self._checks, self._proofs = checks, proofs
        self._lock = threading.Lock()
        # By thread; by run, which so stays alive and can't be taken for a later one, and pipeline.
        self._open: dict[int, dict[tuple[PassRun, int], StageRecord]] = {}
        self._texts: dict[int, str] = {}  # by identity of stages: the newest
        self._names: dict[int, str] = {}
        self._kept: dict[str, list[str]] = {}  # by kernel, until it is compiled
        self._handlers: dict[int, tuple[Any, list[tuple[str, str, str]]]] = {}

    def before(self, event: PassEvent) -> None:
        """Begins the stage with its input, and listens for remarks."""
        stage = self._stage_of(event)
        remarks: list[tuple[str, str, str]] = []

        def handle(diagnostic: ir.Diagnostic) -> bool:
            """Keeps a remark: severity, place and message."""
            severity = diagnostic.severity.name.lower()
            remarks.append((severity, str(diagnostic.location)[4:-1].replace('"', ""), diagnostic.message))
            return False  # others are told too

        handler = event.operation.context.attach_diagnostic_handler(handle)
        self._handlers[id(stage)] = handler, remarks

    def after(self, event: PassEvent) -> None:
        """Adds the IR that the pass has left."""
        self._add(event, "valid")

    def failed(self, event: PassEvent) -> None:
        """Adds the IR at which the pass failed."""
        self._add(event, "failed")

    def _stage_of(self, event: PassEvent) -> StageRecord:
        with self._lock:
            stages = self._open.setdefault(threading.get_ident(), {})
            key = event.run, event.pipeline
            if key not in stages:
                text = event.text(locations=True, names=True)
                stages[key] = StageRecord(event.run.stage or "pipeline", text, layouts=_layouts(event, text))
                self._texts[id(stages[key])] = text
                self._names[id(stages[key])] = event.run.kernel or _first_function(event.module)
            return stages[key]

    def _add(self, event: PassEvent, verdict: str) -> None:
        stage = self._stage_of(event)
        handler, remarks = self._handlers.pop(id(stage), (None, []))
        if handler is not None:
            handler.detach()
        on = event.operation
        name = on.attributes["sym_name"].value if "sym_name" in on.attributes and on.parent is not None else ""
        record = PassRecord(event.pass_name, event.arguments, name, event.seconds, verdict=verdict, remarks=remarks)
        record.statistics = event.statistics
        try:
            text = event.text(locations=True, names=True)
        except Exception as error:  # what a pass that failed has left may be beyond printing
            remarks.append(("note", "", f"the IR can't be printed: {error}"))
            text = self._texts[id(stage)]
        if text != self._texts[id(stage)]:
            if SCHEDULED_MAX_STAGE in text and SCHEDULED_MAX_STAGE not in self._texts[id(stage)]:
                record.schedules = _schedules(event.module)
            self._texts[id(stage)] = record.text = text
            record.layouts = _layouts(event, text) if verdict == "valid" else {}
        if self._checks is not None and verdict == "valid":
            record.check = self._checks.verdict(event.pipeline) or "same results"
        live = sys.modules.get("ttkit.compiler.live_proofs")
        proofs = self._proofs or (live.PROOFS if live is not None and live.PROOFS in EVERYWHERE else None)
        if proofs is not None and verdict == "valid":
            record.proof = proofs.of(event)
        stage.passes.append(record)

    def compiled(self, compilation: Compilation, error: BaseException | None) -> None:
        """A compilation of this thread has ended: the passes since the one before were its own."""
        stages = self._take()
        files = {name.rpartition(".")[2]: data for name, data in compilation.files.items() if not name.endswith("json")}
        target = compilation.backend.target
        about = {"target": f"{target.backend}:{target.arch}", **_told(compilation.options)}
        seconds = dict(compilation.seconds)
        said = f"{type(error).__name__}: {error}" if error is not None else ""
        with self._lock:
            kept = self._kept.pop(compilation.name, None)
            _add_verdicts(stages, kept or [])
            self.kernels.append(KernelRecord(compilation.name, stages, files, seconds, about, said))

    def checked(self, kernel: str, kept: list[str], found: PassChangedResult | None) -> None:
        """The passes of a kernel were checked on a launch, before it is compiled.

        Args:
            kept: passes that changed the IR and not the result, in order.
            found: the first one that changed the result.
        """
        with self._lock:
            if found is None:
                self._kept[kernel] = kept
                return
            wrong = PassRecord(found.pass_name, found.pipeline, text=found.after, check=found.message)
            stage = StageRecord("checked on a launch", found.before, [wrong])
            self.kernels.append(KernelRecord(kernel, [stage], error=found.message))

    def finish(self) -> list[KernelRecord]:
        """All kernels; pipelines that belong to no compilation are one each."""
        with self._lock:
            waiting = [stage for stages in self._open.values() for stage in stages.values()]
            self._open.clear()
            for stage in waiting:
                self.kernels.append(KernelRecord(self._names[id(stage)], [stage]))
        return self.kernels

    def _take(self) -> list[StageRecord]:
        with self._lock:
            return list(self._open.pop(threading.get_ident(), {}).values())


def _add_verdicts(stages: list[StageRecord], kept: list[str]) -> None:
    """Notes which passes were seen to keep the results.  Checks also run passes that a compilation leaves out."""
    changed = [one for stage in stages for one in stage.passes if one.text is not None]
    names = [record.name for record in changed]
    for block in difflib.SequenceMatcher(None, names, kept, autojunk=False).get_matching_blocks():
        for record in changed[block.a : block.a + block.size]:
            record.check = "same results"


def _told(options: Any) -> dict[str, Any]:
    """The options that are plain values and not their defaults' empty ones."""
    values = options.as_dict()
    return {name: value for name, value in values.items() if isinstance(value, (int, float, str)) and value != ""}


def _first_function(module: ir.Operation) -> str:
    for op in module.regions[0].blocks[0].operations if len(module.regions) else ():
        if "sym_name" in op.operation.attributes:
            return op.operation.attributes["sym_name"].value
    return "module"


def _layouts(event: PassEvent, text: str) -> dict[str, int | None]:
    if "#ttg." not in text:
        return {}
    try:
        return asdict(count_layouts(event.module))
    except Exception:  # IR that a count does not know; a page without it is better than none
        return {}


def _schedules(module: ir.Operation) -> list[tuple[str, str]]:
    found = [described(loop) for loop in collect(module, ["scf.for"])]
    return [(schedule.title, svg(schedule)) for schedule in found if schedule is not None]


# --- following compilations -------------------------------------------------------------------------------------------


class _Following:
    """Stands among those who watch compilations, in all threads.

    token: makes the keys of kernels new, so that they are compiled again; empty to take the cache's keys.
    """

    def __init__(self, recorder: Recorder, token: str) -> None:
        self.subscriber, self.token = recorder, token
        self.compiled, self.checked = recorder.compiled, recorder.checked


@contextmanager
def trace(
    path: str | os.PathLike[str], title: str = "", ncu: str | os.PathLike[str] | None = None
) -> Iterator[Recorder]:
    """Writes a page about the kernels that are compiled in a block of a `with` statement, in any thread.

    They are compiled whatever the cache has, and the cache gets nothing.  The page is written at the end, also if the
    block raises.

    Args:
        path: the page, `out.html`.
        title: its title; by default the name of the script.
        ncu: what ncu has measured of the kernels, a report or `ncu --import FILE --page source --csv`: stands beside
            the SASS.

    Raises:
        OSError: the page can't be written, or what ncu has measured can't be read.
        ValueError: ncu's file has no table of instructions.
    """
    measured = read(ncu) if ncu else []
    recorder = Recorder()
    try:
        with recording(recorder):
            yield recorder
    finally:
        write_page(path, recorder.finish(), title or _script(), measured)


@contextmanager
def recording(recorder: Recorder | None = None) -> Iterator[Recorder]:
    """Records the kernels that are compiled in a block of a `with` statement, as `trace`, and writes nothing."""
    recorder = recorder or Recorder()
    following = _Following(recorder, f"traced {next(_numbers)}")
    EVERYWHERE.append(following)
    IN_FORCE.append(following)
    try:
        yield recorder
    finally:
        IN_FORCE.remove(following)
        EVERYWHERE.remove(following)


_lock = threading.Lock()
_FOLDERS: set[str] = set()


def follow_environment(folder: str) -> None:
    """Has this process write a page into a folder when it ends: TTKIT_TRACE."""
    with _lock:
        if folder in _FOLDERS:
            return
        _FOLDERS.add(folder)
    recorder = Recorder()
    EVERYWHERE.append(_Following(recorder, ""))
    atexit.register(_write_at_exit, folder, recorder, os.getpid())


def _write_at_exit(folder: str, recorder: Recorder, process: int) -> None:
    if os.getpid() != process:  # a forked child
        return
    path = os.path.join(folder, f"{_script()}-{process}.html")
    try:
        os.makedirs(folder, exist_ok=True)
        write_page(path, recorder.finish(), _script())
    except OSError as error:
        print(f"TTKIT_TRACE: can't write '{path}': {error.strerror}", file=sys.stderr)
        return
    print(f"TTKIT_TRACE: wrote {path}", file=sys.stderr)


def _script() -> str:
    return os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] or "python"
