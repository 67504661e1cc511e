"""`tt-opt --help`: ttkit first, and no more than one can read."""

import subprocess
import sys
from pathlib import Path

import pytest

from ttkit.drivers.opt_help import OF_MLIR, OWN
from ttkit.passes.registry import PASSES, PIPELINES, UPSTREAM

PROBE = Path(__file__).parents[2] / "examples" / "passes" / "strength_reduction.py"


def tt_opt(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ttkit.drivers.opt", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def page() -> str:
    done = tt_opt("--help", f"--load-pass={PROBE}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_on_the_page(page: str) -> None:
    names = (*OWN, *OF_MLIR, *PASSES, *PIPELINES, *UPSTREAM, "strength-reduction")
    for name in names:
        assert f"\n  -{'' if name == 'o' else '-'}{name}" in page, name
    assert page.index("--load-pass") < page.index("--triton-combine") < page.index("--canonicalize")
    assert len(page.splitlines()) < 1.75 * len(names)
    assert "aarch64" not in page and "--help-hidden" in page


def test_options_of_passes(page: str) -> None:
    assert "\n    --max-shift=" in page and "\n    --num-stages=" in page


def test_everything_is_behind_help_hidden() -> None:
    full = tt_opt("--help-hidden").stdout
    assert len(full.splitlines()) > 1000


def test_a_file_that_is_not_there() -> None:
    done = tt_opt("--help", "--load-pass=nosuch.py")
    assert done.returncode == 1 and done.stderr == "error: --load-pass: no such file: nosuch.py\n"
