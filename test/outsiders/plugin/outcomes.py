"""A plugin of pytest: runs a share of the tests, and writes each one's outcome as a line of JSON.

    python -m pytest -p outcomes ...      with OUTSIDERS_OUTCOMES=FILE, OUTSIDERS_EVERY=N
                                          and perhaps OUTSIDERS_STAND_INS={"module": {"name": "text"}}

Works under pytest-xdist too, where only the process that hands out tests writes.  A test is kept if a hash of its name
divides by N, so that both compilers, and all runs, have the same ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import types
from typing import Any

FILE = os.environ.get("OUTSIDERS_OUTCOMES", "")
EVERY = int(os.environ.get("OUTSIDERS_EVERY", "1"))


for module, names in json.loads(os.environ.get("OUTSIDERS_STAND_INS", "{}")).items():
    sys.modules[module] = types.ModuleType(module)
    vars(sys.modules[module]).update(names)


def place_of(name: str) -> int:
    """The same number for a test in each process."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")


def is_kept(name: str, every: int) -> bool:
    return place_of(name) % every == 0


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """In the order of hashes, so that a run that is ended early has had tests of all files."""
    left_out = [item for item in items if not is_kept(item.nodeid, EVERY)]
    items[:] = sorted((item for item in items if is_kept(item.nodeid, EVERY)), key=lambda item: place_of(item.nodeid))
    config.hook.pytest_deselected(items=left_out)


def pytest_runtest_logreport(report: Any) -> None:
    """The call of a test; or its setup, if that failed or skipped it."""
    if os.environ.get("PYTEST_XDIST_WORKER") or (report.when != "call" and report.outcome == "passed"):
        return
    write({"test": report.nodeid, "outcome": report.outcome, "seconds": report.duration, "text": text_of(report)})


def pytest_collectreport(report: Any) -> None:
    if report.failed and not os.environ.get("PYTEST_XDIST_WORKER"):
        write({"test": report.nodeid, "outcome": "failed", "seconds": 0.0, "text": text_of(report)})


def text_of(report: Any) -> str:
    """The line of an error that says most."""
    if report.outcome != "failed":
        return ""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = [line for line in (crash.message if crash else str(report.longrepr)).splitlines() if line.strip()]
    return " | ".join(lines[:3] if crash else lines[-3:])[:400]


def write(found: dict[str, Any]) -> None:
    if FILE:
        with open(FILE, "a") as file:
            file.write(json.dumps(found) + "\n")
