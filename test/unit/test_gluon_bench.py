"""Kernels that bench/gluon_bench.py times compute what they should, in small sizes without a GPU."""

import sys
from pathlib import Path

import pytest

from ttkit.runtime import driver

sys.path.append(str(Path(__file__).parents[2] / "bench"))
import gluon_bench
from gluon_cases import small_cases

CHECKED = {case.subject[0]: case.name for case in small_cases()}
"""The last case of each subject."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CHECKED.values(), ids=CHECKED)
def test_small_sizes(name, tmp_path, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    driver.reset_active()
    assert gluon_bench.check_all([f"^{name}$"]) == 0
    driver.reset_active()
