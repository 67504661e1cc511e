"""The leg of suites: packages' own tests by pytest, through Triton and through ttkit, test by test.

A row is a test file: `status` says whether the same tests passed, the detail which ones fail by ttkit alone, and
`seconds` are those of the tests that passed by both, compilations included.  Which tests a package has here, and what
its tests need, is in SUITES.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pairs import Deadline
from rows import COMPILERS, Row, make_row

PLUGIN = Path(__file__).resolve().parent / "plugin"  # a folder of its own: tests find nothing else by it
MOST_SECONDS = 100  # of a test


class Suite(NamedTuple):
    """Where a package's tests are: in `suites/<folder>`, as `pack.py` leaves it."""

    folder: str
    tests: tuple[str, ...]
    path: str = "."  # what Python is to look in
    options: tuple[str, ...] = ()
    stand_ins: dict[str, dict[str, str]] = {}  # {module that is not there: its names}


SUITES = {
    "unsloth": Suite(
        "unsloth",
        ("unsloth/kernels/moe/tests/test_grouped_gemm.py",),
        "unsloth/kernels/moe",
        stand_ins={"unsloth": {"DEVICE_TYPE": "cuda"}},
    ),
    "fla": Suite("flash-linear-attention", ("tests/ops", "tests/modules")),
    "flag_gems": Suite("FlagGems", ("tests",), "src", ("--mode", "quick", "-n", "0")),  # its conftest fails under xdist
}


def environment_of(compiler: str, suite: Suite, where: Path, folder: str, every: int) -> dict[str, str]:
    """Variables of a run; those of ttkit lead `import triton` in all of its processes to it."""
    hook = ""
    if compiler == "ttkit":
        asked = [sys.executable, "-m", "ttkit.compat", "--path"]
        hook = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    paths = [hook, str(PLUGIN), str(where / suite.path), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "OUTSIDERS_OUTCOMES": os.path.join(folder, f"{compiler}.jsonl"),
        "OUTSIDERS_EVERY": str(every),
        **{name: os.path.join(folder, compiler) for name in ("TRITON_CACHE_DIR", "FLAGGEMS_CACHE_DIR")},
        "OUTSIDERS_STAND_INS": json.dumps(suite.stand_ins),
    }


def run_suite(suite: Suite, compiler: str, where: Path, folder: str, options: argparse.Namespace, left: float) -> str:
    """Runs the tests until they or the seconds end; the end of what pytest printed."""
    files = [str(path) for test in suite.tests for path in sorted(found_tests(where / test))]
    files = [file for file in files if re.search(options.only, file)]
    if not files:
        return "no test files"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rN",
        "--no-header",
        "-p",
        "outcomes",
        "--continue-on-collection-errors",
    ]
    command += ["-p", "no:cacheprovider", "-n", str(options.jobs), f"--timeout={MOST_SECONDS}"]
    command += ["-o", "log_cli=false", *suite.options, *files]
    environment = environment_of(compiler, suite, where, folder, options.every)
    with open(os.path.join(folder, f"{compiler}.log"), "w+") as log:
        process = subprocess.Popen(
            command, cwd=where, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            process.wait(max(left, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the group that was started here, and no other
            process.wait()
        log.seek(0)
        return log.read()[-300:]


def found_tests(path: Path) -> Iterable[Path]:
    return path.rglob("test_*.py") if path.is_dir() else [path]


def read(path: str) -> dict[str, dict[str, Any]]:
    """{test: its outcome}; the last line may have been cut off."""
    found = {}
    if os.path.exists(path):
        for line in Path(path).read_text().splitlines():
            try:
                outcome = json.loads(line)
            except json.JSONDecodeError:
                continue
            found[outcome["test"]] = outcome
    return found


def compared(package: str, theirs: dict[str, dict[str, Any]], ours: dict[str, dict[str, Any]]) -> list[Row]:
    """A row for each test file, of the tests that both ran."""
    files: dict[str, list[str]] = {}
    for test in theirs.keys() & ours.keys():
        files.setdefault(test.partition("::")[0], []).append(test)
    rows = []
    for file, tests in sorted(files.items()):
        passed = {c: {t for t in tests if of[t]["outcome"] == "passed"} for c, of in zip(COMPILERS, (theirs, ours))}
        both = passed["triton"] & passed["ttkit"]
        failed = {c: {t for t in tests if of[t]["outcome"] == "failed"} for c, of in zip(COMPILERS, (theirs, ours))}
        ours_alone = sorted(failed["ttkit"] & passed["triton"])
        theirs_alone = sorted(failed["triton"] & passed["ttkit"])
        counts = f"{len(both)} of {len(tests)} pass by both, {len(failed['triton'] & failed['ttkit'])} fail by both"
        named = [f"fails by ttkit alone: {test.partition('::')[2]}: {ours[test]['text']}" for test in ours_alone]
        named += [f"fails by Triton alone: {test.partition('::')[2]}" for test in theirs_alone]
        status = "ttkit fails" if ours_alone else "Triton fails" if theirs_alone else "equal" if both else "both fail"
        seconds = {c: sum(of[t]["seconds"] for t in both) for c, of in zip(COMPILERS, (theirs, ours))}
        rows.append(
            make_row("suites", package, file, status=status, seconds=seconds, detail="; ".join([counts, *named]))
        )
    return rows


def run_suites(options: argparse.Namespace, add: Callable[[list[Row]], None]) -> None:
    """All chosen packages one by one, by both compilers at once; later ones share the seconds that are left."""
    packages = [name for name in SUITES if not options.packages or name in options.packages]
    deadline = Deadline(options.seconds)
    for number, package in enumerate(packages):
        suite, left = SUITES[package], deadline.left / (len(packages) - number)
        where = (options.folder / "suites" / suite.folder).resolve()
        if not where.is_dir():
            add(
                [
                    make_row(
                        "suites", package, "", status="not run", detail=f"no {where.name} in {options.folder}/suites"
                    )
                ]
            )
            continue
        with tempfile.TemporaryDirectory(prefix="outsiders-", ignore_cleanup_errors=True) as folder:
            ends: dict[str, str] = {}

            def run(compiler: str) -> None:
                ends[compiler] = run_suite(suite, compiler, where, folder, options, left)  # noqa: B023 (joined below)

            threads = [threading.Thread(target=run, args=(compiler,)) for compiler in COMPILERS]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            theirs, ours = (read(os.path.join(folder, f"{compiler}.jsonl")) for compiler in COMPILERS)
            rows = compared(package, theirs, ours)
            told = " // ".join(f"{name}: {text}" for name, text in ends.items())
            add(rows or [make_row("suites", package, "", status="not run", detail=told)])
