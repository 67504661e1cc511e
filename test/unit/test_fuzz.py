"""No damaged input may crash, hang, raise a traceback or fail in silence: 5,000 of them, always the same ones."""

import os
import sys
import time
from pathlib import Path

import pytest

TEST_DIR = Path(__file__).parents[1]
SEED, INPUTS = 20260101, 5000

sys.path.insert(0, str(TEST_DIR))
import fuzz  # noqa: E402


def test_damaged_inputs():
    print(f"seed {SEED}, {INPUTS} inputs: test/fuzz.py --seed {SEED} --only N shows one")
    failures, _ = fuzz.fuzz(INPUTS, SEED, min(4, os.cpu_count() or 1))
    assert not failures, "\n".join(f"input {failure.index}: {failure.reason}" for failure in failures[:20])


def test_a_crash_is_caught_and_named():
    """The harness itself: a worker that dies is reported with its input, and the others are still checked."""
    parent = os.getpid()

    def text_of(index):
        if index == 3 and os.getpid() != parent:
            os.abort()
        return "module {}"

    failures = fuzz.finish([fuzz.Worker(0, 6, 1, text_of)])
    assert [(failure.index, failure.reason[:7]) for failure in failures] == [(3, "SIGABRT")]


def test_a_hang_is_caught(monkeypatch):
    monkeypatch.setattr(fuzz, "TIME_LIMIT", 0.2)
    monkeypatch.setattr(fuzz.Checker, "check", lambda *_: time.sleep(5))
    assert fuzz.run_one("module {}").startswith("hang")


@pytest.mark.parametrize("path", sorted(fuzz.KNOWN_CRASHES.glob("*.mlir")), ids=lambda path: path.name)
def test_known_crashes_are_still_there(path):
    """An entry that no longer fails has to go, or it would hide a new failure with its signature."""
    first, text = path.read_text().split("\n", 1)
    assert fuzz.signature(fuzz.run_one(text) or "") == first.removeprefix("// signature: ")
