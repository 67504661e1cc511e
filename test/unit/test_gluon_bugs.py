"""Bugs in kernels in Gluon are found at their lines, without a GPU."""

import inspect
import os
import sys
import textwrap

import gluon_bugs
import gluon_tma_bugs
import pytest
import warm_commands

import ttkit
from ttkit.language.jit_function import JITFunction
from ttkit.sanitizer import checking

FILES = (gluon_bugs, gluon_tma_bugs)
CASES = [(file, kind, kernel) for file in FILES for kind, kernels in file.BUGS.items() for kernel in kernels]


def line_of(file, kernel):
    """The marked line of a kernel, or of a function that it calls."""
    for name in (kernel.fn.__name__, *kernel.fn.__code__.co_names):
        function = getattr(file, name, None)
        if isinstance(function, JITFunction):
            lines, first = inspect.getsourcelines(function.fn)
            marked = [number for number, line in enumerate(lines, first) if line.rstrip().endswith("# BUG")]
            if marked:
                return marked[0]
    raise AssertionError(f"{kernel.fn.__name__} has no line that is marked")


@pytest.mark.parametrize(("file", "kind", "kernel"), CASES, ids=[kernel.fn.__name__ for _, _, kernel in CASES])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_bug_is_found_at_its_line(file, kind, kernel, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", f"interpret:sm_{file.CAPABILITIES.get(kernel, 90)}")
    launch = kernel[(2 if kernel is gluon_bugs.racing_programs else 1,)]
    if kind == "error":
        with pytest.raises(ttkit.CompilationError) as error, checking(prints=False):
            launch(*file.arguments())
        name = os.path.basename(file.__file__)
        assert f"{name}:{line_of(file, kernel)}, in {kernel.__name__})" in str(error.value)
        return
    with checking(prints=False) as found:
        launch(*file.arguments())
    assert [(each.kind, each.site[0].line) for each in found.found.values()] == [(kind, line_of(file, kernel))]


def test_there_are_enough():
    assert len(CASES) >= 36


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
import {file} as bugs
bugs.{name}[(1,)](*bugs.arguments())
"""


@pytest.mark.parametrize(
    ("file", "name"),
    [(gluon_tma_bugs, "no_fence_before_a_store"), (gluon_bugs, "wrong_layout")],
    ids=["found", "refused"],
)
def test_the_command_names_the_line(file, name, tmp_path):
    script = SCRIPT.format(folder=os.path.dirname(file.__file__), file=file.__name__, name=name)
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    done = warm_commands.ttkit(tmp_path, "sanitize", "all", sys.executable, "script.py", TTKIT_DEVICE="interpret:sm_90")
    assert done.returncode == 1
    assert f"{file.__name__}.py:{line_of(file, getattr(file, name))}" in done.stderr
