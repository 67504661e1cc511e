"""Bugs planted in kernels in Gluon are found at their lines, without a GPU."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = Path(__file__).with_name("gluon_bugs.py")
NAMES = re.findall(r"\w+", KERNELS.read_text().split("BUGS = [")[1].split("]")[0])
HELPERS = {"roles_without_barrier": "reader", "divergent_barrier": "waiting"}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What `ttkit sanitize` says of each kernel."""
    cache = str(tmp_path_factory.mktemp("cache"))
    command = [sys.executable, "-m", "ttkit", "sanitize", "all", sys.executable, str(KERNELS)]
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "TRITON_CACHE_DIR": cache, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False
    )
    parts = re.split(r"^--- (\w+)$", done.stdout, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def line_of(name):
    """The number of the line that has the bug of a kernel."""
    lines = KERNELS.read_text().split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith(f"def {name}("))
    return next(number for number in range(start, len(lines)) if "# BUG" in lines[number]) + 1


def test_twenty():
    assert len(NAMES) == 20


@pytest.mark.parametrize("name", NAMES)
def test_found_at_its_line(name, said):
    line = line_of(HELPERS.get(name, name))
    assert re.search(rf"gluon_bugs\.py:{line}\b", said[name]), said[name]
