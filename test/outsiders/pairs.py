"""Two processes for a program, one a compiler: prepared beside others, timed while nothing else runs.  No torch here.

A worker (`worker.py`) gets requests as lines of JSON and answers each with one.  Both of a pair stay alive while they
are timed, so that their turns come in random order: a drift of the GPU's clock hits both.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rows import COMPILERS

HERE = Path(__file__).resolve().parent
TURNS = 4  # of each compiler for a timer; the median of all their times counts


class Failed(Exception):
    """What a worker answered, or how its process ended."""


class GpuTime:
    """Many may prepare at once, or one may time; who waits to time goes before who waits to prepare."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.preparing = self.waiting = 0
        self.timing = False

    @contextlib.contextmanager
    def prepare(self) -> Iterator[None]:
        with self.changed:
            self.changed.wait_for(lambda: not self.timing and not self.waiting)
            self.preparing += 1
        try:
            yield
        finally:
            with self.changed:
                self.preparing -= 1
                self.changed.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        with self.changed:
            self.waiting += 1
            self.changed.wait_for(lambda: not self.timing and not self.preparing)
            self.waiting -= 1
            self.timing = True
        try:
            yield
        finally:
            with self.changed:
                self.timing = False
                self.changed.notify_all()


class Worker:
    """A process with one compiler as `triton`, and caches of its own that nothing has written before."""

    def __init__(self, compiler: str, leg: str, environment: dict[str, str] | None = None) -> None:
        self.compiler, self.folder = compiler, tempfile.mkdtemp(prefix=f"outsiders-{compiler}-")
        caches = ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "FLAGGEMS_CACHE_DIR")
        self.errors = open(os.path.join(self.folder, "stderr"), "w+b")  # noqa: SIM115 (closed with the worker)
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py"), compiler, leg, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=os.environ | {name: os.path.join(self.folder, name.lower()) for name in caches} | (environment or {}),
        )

    def ask(self, seconds: float, **request: Any) -> dict[str, Any]:
        """The answer to a request.  Raises Failed, after which the process may be gone, see `alive`."""
        assert self.process.stdin is not None and self.process.stdout is not None
        late = threading.Event()
        timer = threading.Timer(seconds, lambda: (late.set(), self.process.kill()))
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(json.dumps(request).encode() + b"\n")
                self.process.stdin.flush()
            line = self.process.stdout.readline()
        finally:
            timer.cancel()
        if not line:
            raise Failed(f"takes more than {seconds:.0f} s" if late.is_set() else self.how_it_ended())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def how_it_ended(self) -> str:
        code = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip().splitlines()
        return f"the process ended with {code}: {' | '.join(said[-3:])}"[:400]

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pair:
    """Both workers of a leg; one that has died is started anew for the next program."""

    def __init__(self, leg: str, environment: dict[str, str] | None = None) -> None:
        self.leg, self.environment = leg, environment
        self.workers: dict[str, Worker] = {}

    def __enter__(self) -> Pair:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers.values():
            worker.close()

    def of(self, compiler: str) -> Worker:
        worker = self.workers.get(compiler)
        if worker is None or not worker.alive:
            if worker is not None:
                worker.close()
            worker = self.workers[compiler] = Worker(compiler, self.leg, self.environment)
        return worker

    def prepare(self, program: dict[str, Any], seconds: float) -> dict[str, dict[str, Any]]:
        """What each worker answers, both at once: {"results": path, "timers": {...}}, or {"error": text}."""
        answers: dict[str, dict[str, Any]] = {}

        def ask(compiler: str) -> None:
            try:
                answers[compiler] = self.of(compiler).ask(seconds, do="prepare", program=program)
            except Failed as error:
                answers[compiler] = {"error": str(error)}

        threads = [threading.Thread(target=ask, args=(compiler,)) for compiler in COMPILERS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def time(self, timer: str, seconds: float = 60) -> dict[str, float]:
        """{compiler: the median microseconds} of a timer that both have.  Raises Failed."""
        times: dict[str, list[float]] = {compiler: [] for compiler in COMPILERS}
        for _ in range(TURNS):
            for compiler in random.sample(COMPILERS, len(COMPILERS)):
                times[compiler] += self.workers[compiler].ask(seconds, do="time", timer=timer)["microseconds"]
        return {compiler: statistics.median(found) for compiler, found in times.items()}

    def profile(self, seconds: float = 60) -> dict[str, dict[str, float]]:
        """{compiler: {kernel: microseconds}} of one run.  Raises Failed."""
        return {c: self.workers[c].ask(seconds, do="profile")["kernels"] for c in COMPILERS}

    def drop(self) -> None:
        """Both forget the program, so that its memory is free."""
        for worker in self.workers.values():
            if worker.alive:
                with contextlib.suppress(Failed):
                    worker.ask(30, do="drop")


class Deadline:
    """Seconds that are left of a run as a whole."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return self.end - time.monotonic()
