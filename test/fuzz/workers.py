"""Processes that check inputs, and survive whatever an input does to one of them."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import mmap
import os
import re
import resource
import signal
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz.level import ACCEPTED, REFUSED, Level, leak

MEMORY = 4 << 30
"""Bytes that a worker may take beyond what it starts with."""
WAITING = 4
"""How much longer than its CPU time an input may take by the clock: on a busy machine, or with programs of its own."""
PROGRESS = struct.Struct("qqq")  # the input in work, inputs that were accepted, inputs that were refused


@dataclass
class Failure:
    """An input that is a finding, and why."""

    index: int
    reason: str
    text: str


class Worker:
    """A forked process that checks inputs one after the other, and notes where it is in shared memory.

    Args:
        numbers: of the inputs.
        text_of: an input by its number.
        until: time.monotonic() from which no input but the first is begun.
    """

    def __init__(
        self, level: Level, numbers: Sequence[int], text_of: Callable[[int], str], until: float = float("inf")
    ) -> None:
        self.level, self.numbers, self.text_of, self.until = level, numbers, text_of, until
        self.progress = mmap.mmap(-1, PROGRESS.size)
        self.report = tempfile.TemporaryFile("w+")  # noqa: SIM115 -- lives as long as the worker
        self.errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
        self.crashes: list[Failure] = []
        self.start(0)

    def start(self, first: int) -> None:
        """Forks a process for the inputs from this position on."""
        _, accepted, refused = PROGRESS.unpack(self.progress[:])
        self.progress[:] = PROGRESS.pack(first, accepted, refused)
        self.pid = os.fork()
        if self.pid == 0:
            with contextlib.suppress(BaseException):  # nothing of the parent may go on in a child
                self.run(first)
            os._exit(7)

    def run(self, first: int) -> None:
        """The child: never returns."""
        os.setsid()
        os.dup2(self.errors.fileno(), 2)
        os.dup2(self.errors.fileno(), 1)
        for number in (signal.SIGALRM, signal.SIGPROF, signal.SIGINT, signal.SIGABRT, signal.SIGSEGV):
            signal.signal(number, signal.SIG_DFL)
        name_frames_on_crash()
        self.level.start()
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + MEMORY,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, accepted, refused = PROGRESS.unpack(self.progress[:])
        for position in range(first, len(self.numbers)):
            if position > first and time.monotonic() >= self.until:
                break
            self.progress[:] = PROGRESS.pack(position, accepted, refused)
            os.truncate(self.errors.fileno(), 0)
            text = self.text_of(self.numbers[position])
            signal.setitimer(signal.ITIMER_PROF, self.level.seconds)
            signal.setitimer(signal.ITIMER_REAL, WAITING * self.level.seconds)
            try:
                outcome = self.level.check(text)
            except Exception as error:  # a traceback in place of a diagnostic
                outcome = leak(error)
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            accepted, refused = accepted + (outcome == ACCEPTED), refused + (outcome == REFUSED)
            if outcome not in (ACCEPTED, REFUSED):
                os.write(self.report.fileno(), f"{self.numbers[position]} {outcome!r}\n".encode(errors="replace"))
            self.progress[:] = PROGRESS.pack(position, accepted, refused)
        os._exit(0)

    @property
    def counts(self) -> tuple[int, int]:
        """How many inputs were accepted, and refused with a diagnostic."""
        _, accepted, refused = PROGRESS.unpack(self.progress[:])
        return accepted, refused

    def poll(self) -> list[Failure] | None:
        """None while it runs; the failures found once it is done.  After a crash it goes on with the next input."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)  # programs that it has started
        if status != 0:
            position, _, _ = PROGRESS.unpack(self.progress[:])
            self.errors.seek(0)
            reason = death_reason(status, self.errors.read(), self.level.seconds)
            number = self.numbers[position]
            self.crashes.append(Failure(number, reason, self.text_of(number)))
            if position + 1 < len(self.numbers) and time.monotonic() < self.until:
                self.start(position + 1)
                return None
        self.report.seek(0)
        told = (line.rstrip("\n").partition(" ") for line in self.report)
        return self.crashes + [Failure(int(i), ast.literal_eval(why), self.text_of(int(i))) for i, _, why in told]

    def close(self) -> None:
        self.report.close()
        self.errors.close()
        self.progress.close()


def finish(workers: list[Worker]) -> list[Failure]:
    """Waits until all are done."""
    failures, running = [], list(workers)
    while running:
        for worker in list(running):
            if (found := worker.poll()) is not None:
                failures += found
                running.remove(worker)
        time.sleep(0.002)
    return sorted(failures, key=lambda failure: failure.index)


def run_one(level: Level, text: str) -> str:
    """Why an input is a finding, or nothing; in a process of its own."""
    worker = Worker(level, [0], lambda _: text)
    failures = finish([worker])
    worker.close()
    return failures[0].reason if failures else ""


def address_space() -> int:
    """Bytes of this process's address space."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def name_frames_on_crash() -> None:
    """Has LLVM's own handler write a stack trace when this process dies; failing that, only the assertion is known."""
    import mlir

    os.environ["LLVM_DISABLE_SYMBOLIZATION"] = "1"  # exported names only: the same with and without llvm-symbolizer
    for library in Path(mlir.__path__[0], "_mlir_libs").glob("libMLIRPythonCAPI.*"):
        install = getattr(ctypes.CDLL(str(library)), "_ZN4llvm3sys28PrintStackTraceOnErrorSignalENS_9StringRefEb", None)
        if install:
            install(ctypes.c_char_p(b""), ctypes.c_size_t(0), ctypes.c_bool(True))


def death_reason(status: int, errors: str, seconds: float) -> str:
    """The signal, what the process said, the innermost functions of MLIR, and whether they were called by libttkit."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF):
        return f"hang: more than {seconds:g} s"
    how = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    said = re.findall(r"(?:Assertion .*|LLVM ERROR.*|UNREACHABLE.*|what\(\):.*)$", errors, re.MULTILINE)
    frames = re.findall(r"^\d+ +(\S+) +0x\w+(?: (?:.* )?(mlir::[\w:~]+))?", errors, re.MULTILINE)
    named = [name for _, name in frames if name]
    if not named:
        named = re.findall(r"^\d+ .* (llvm::(?!sys::)[\w:~]+)\(", errors, re.MULTILINE)
    parsing = next((i for i, (_, name) in enumerate(frames) if name.startswith("mlir::detail::Parser")), len(frames))
    ours = any(library.startswith("libttkit") for library, _ in frames[:parsing])  # below it, ours only encloses
    told = said[-1] if said else ""
    return f"{how}: {told} in {' < '.join(named[:2]) or '?'}, called by {'libttkit' if ours else 'MLIR'}"


def signature(reason: str) -> str:
    """What stays the same between two inputs that fail in the same way."""
    reason = re.sub(r"LLVM ERROR: \S+ created", "LLVM ERROR: _ created", reason)
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "_", reason)
