"""No false alarm: on real kernels correct pipelines change no result, and every kernel is checked."""

from pathlib import Path

import pytest

import ttkit

FOLDER = Path(__file__).parents[1] / "data" / "ir"
KERNELS = {file.name.split(".")[0]: file for file in sorted(FOLDER.glob("*.source.ttir"))}
PIPELINE = (
    "inline,canonicalize,triton-combine,triton-reorder-broadcast,cse,loop-invariant-code-motion,sccp,canonicalize,"
    "symbol-dce"
)


def test_there_are_kernels():
    assert len(KERNELS) >= 40


@pytest.mark.parametrize("name", KERNELS)
def test_correct_passes_raise_no_alarm(name):
    with ttkit.Context():
        module = ttkit.parse(KERNELS[name].read_text())
        report = ttkit.check_passes(module, PIPELINE, runs=1)
    assert not report.skipped
    assert report.checked
