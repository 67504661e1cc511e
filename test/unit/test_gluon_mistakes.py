"""Planted bugs in Gluon kernels: each is found at its line, without a GPU."""

import inspect
import os
import subprocess
import sys
import textwrap

import planted_gluon_mistakes as mistakes
import pytest

import ttkit
from ttkit.language.jit_function import JITFunction
from ttkit.sanitizer import checking

CASES = [(family, kernel) for family, kernels in mistakes.PLANTED.items() for kernel in kernels]
FOUND = {"missing wait": "undefined", "wrong phase": "undefined", "missing fence": "race"}
"""The kind of finding; slots and divergent barriers are found by the waits that they break."""


def line_of(kernel):
    """The marked line of a kernel, or of a function that it calls."""
    names = {kernel.fn.__name__, *kernel.fn.__code__.co_names}
    for name in names:
        function = getattr(mistakes, name, None)
        if isinstance(function, JITFunction):
            lines, first = inspect.getsourcelines(function.fn)
            for number, line in enumerate(lines, first):
                if line.rstrip().endswith("# !"):
                    return number
    raise AssertionError(f"{kernel.fn.__name__} has no line that is marked")


@pytest.mark.parametrize(("family", "kernel"), CASES, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_planted_bug_is_found_at_its_line(family, kernel, monkeypatch):
    capability = 100 if kernel is mistakes.accumulator_not_waited_for else 90
    monkeypatch.setenv("TTKIT_DEVICE", f"interpret:sm_{capability}")
    if family == "wrong layout":
        with pytest.raises(ttkit.CompilationError) as error, checking(prints=False):
            kernel[(1,)](*mistakes.arguments_of(kernel))
        assert f"planted_gluon_mistakes.py:{line_of(kernel)}, in {kernel.__name__})" in str(error.value)
        return
    with checking(prints=False) as found:
        kernel[(1,)](*mistakes.arguments_of(kernel))
    findings = [(each.kind, each.site[0].line) for each in found.found.values()]
    assert findings == [(FOUND.get(family, "undefined"), line_of(kernel))]


def test_twenty_are_planted():
    assert len(CASES) == 20 and len(mistakes.PLANTED) == 6


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
import planted_gluon_mistakes as mistakes
kernel = mistakes.{name}
kernel[(1,)](*mistakes.arguments_of(kernel))
"""


@pytest.mark.parametrize("name", ["no_fence_before_a_store", "two_layouts"])
def test_the_command_names_the_line(name, tmp_path):
    folder = os.path.dirname(mistakes.__file__)
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT).format(folder=folder, name=name))
    command = [sys.executable, "-m", "ttkit", "sanitize", "all", sys.executable, "script.py"]
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "TRITON_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"planted_gluon_mistakes.py:{line_of(getattr(mistakes, name))}" in done.stderr
