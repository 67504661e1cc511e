"""The same kernels through Triton and ttkit, on the same inputs in the same process, and their results compared.

    python test/gpu/against_triton/run.py [--json FILE] [--how call|compiled] [--jobs 14] [NAME...]
    python test/gpu/against_triton/run.py --how compile --capability 90      (no GPU: both compile everything)
    python test/gpu/against_triton/run.py --how interpret --capability 90    (no GPU: both run kernels as Python)

Needs a Python with torch and Triton 3.6, in which `import ttkit` works.  Prints a table; exit code 1 if any result
differs, or if ttkit refuses or ends what Triton runs.  Each kernel runs in one of several processes, which are
replaced when a kernel faults or takes longer than --limit seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
GOOD = (
    *("equal", "close", "known difference", "compiles"),
    *("not launched", "both refuse", "triton refuses", "triton faults"),
)
ENDED = ("takes too long", "the process ended")
STARTING_SECONDS = 180.0


class Worker:
    """A process that runs kernels."""

    def __init__(self, command: list[str], log: Any) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self._rest = b""

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """The next line as JSON; None if the process ended.

        Raises:
            TimeoutError: nothing came in time.
        """
        assert self._process.stdout is not None
        descriptor, until = self._process.stdout.fileno(), time.monotonic() + seconds
        while b"\n" not in self._rest:
            ready, _, _ = select.select([descriptor], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            chunk = os.read(descriptor, 1 << 16)
            if not chunk:
                return None
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def ask(self, name: str, seconds: float) -> dict[str, Any] | None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"name": name}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        return self.answer(seconds)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def run(names: list[str], how: str, capability: int, jobs: int, limit: float, folder: Path) -> list[dict[str, Any]]:
    """A row for each kernel.

    Args:
        names: which; all without any.
        folder: for what the processes write: rewritten sources, caches, logs.
    """
    command = [sys.executable, str(HERE / "worker.py"), str(folder / "sources"), str(capability), how]
    log = (folder / "log").open("ab")
    first = Worker(command, log)
    begun = first.answer(STARTING_SECONDS)
    if begun is None:
        raise SystemExit(f"the first process ended:\n{(folder / 'log').read_text()[-3000:]}")
    chosen = [name for name in begun["names"] if not names or name in names or name.split("/")[1] in names]
    if missing := set(names) - set(chosen) - {name.split("/")[1] for name in chosen}:
        first.end()
        raise SystemExit(f"there is no kernel {', '.join(sorted(missing))}")
    return _served(first, chosen, jobs, limit, command, log)


def _served(
    first: Worker, names: list[str], jobs: int, limit: float, command: list[str], log: Any
) -> list[dict[str, Any]]:
    """The rows of kernels, which the processes take from one queue."""
    waiting: queue.Queue[str] = queue.Queue()
    for name in names:
        waiting.put(name)
    rows: list[dict[str, Any]] = []

    def serve(worker: Worker | None) -> None:
        while True:
            try:
                name = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                if worker is None:
                    worker = Worker(command, log)
                    worker.answer(STARTING_SECONDS)
                row = worker.ask(name, limit)
            except TimeoutError:
                row = {"name": name, "status": "takes too long", "limit": limit}
            if row is None:
                row = {"name": name, "status": "the process ended"}
            rows.append(row)
            if worker is not None and (row["status"] in ENDED or row["status"].endswith("faults")):
                worker.end()
                worker = None
        if worker is not None:
            worker.end()

    threads = [threading.Thread(target=serve, args=(first if index == 0 else None,)) for index in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(rows, key=lambda row: row["name"])


def table(rows: list[dict[str, Any]]) -> str:
    """A line for each kernel, what is wrong last, and how many there are of each kind."""
    lines = []
    for row in sorted(rows, key=lambda row: row["status"] not in GOOD):
        parts = [row.get("why"), row.get("first"), row.get("ttkit_error"), row.get("ttkit_fault")]
        parts += [row.get("triton_error"), row.get("triton_fault")]
        detail = next((part for part in parts if part), "")
        if row["status"] == "close":
            detail = f"largest difference {row['largest']:.1e}, allowed {row['tolerance']:g}"
        elif row["status"] == "differs":
            detail = f"{row['different']} of {row['elements']}, largest {row['largest']:.1e}; {detail}"
        lines.append(f"{row['status']:16} {row['name']:40} {' '.join(detail.split())[:200]}".rstrip())
    counts = Counter(row["status"] for row in rows)
    lines.append("; ".join(f"{count} {status}" for status, count in counts.most_common()) + f"; {len(rows)} in all")
    seconds = [sum(row.get(f"{name}_seconds", 0.0) for row in rows) for name in ("triton", "ttkit")]
    lines.append(f"compiling took Triton {seconds[0]:.1f} s and ttkit {seconds[1]:.1f} s, all processes together")
    return "\n".join(lines)


def current_capability() -> int:
    import torch

    major, minor = torch.cuda.get_device_capability()
    return 10 * major + minor


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="kernels, with or without their folder; all without any")
    parser.add_argument("--how", choices=["call", "compiled", "compile", "interpret"], default="call")
    parser.add_argument("--capability", type=int, help="to compile for; that of the GPU without")
    parser.add_argument("--json", type=Path, help="for the results; what the processes print goes beside it, to .log")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--limit", type=float, default=90.0, help="seconds for one kernel")
    arguments = parser.parse_args()
    capability = arguments.capability or current_capability()
    with tempfile.TemporaryDirectory(prefix="against-triton-") as scratch:
        # Cold: both compile everything.
        os.environ.update(TRITON_CACHE_DIR=f"{scratch}/cache")
        rows = run(arguments.names, arguments.how, capability, arguments.jobs, arguments.limit, Path(scratch))
        if arguments.json:
            arguments.json.with_suffix(".log").write_bytes(Path(scratch, "log").read_bytes())
    print(table(rows))
    if arguments.json:
        about = {"capability": capability, "how": arguments.how, "kernels": rows}
        arguments.json.write_text(json.dumps(about, indent=1) + "\n")
    return 0 if all(row["status"] in GOOD for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
