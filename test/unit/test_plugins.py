"""TRITON_PLUGIN_PATHS: files that change the passes of every kernel."""

import os
import subprocess
import sys
import textwrap

import pytest

from ttkit.runtime.plugins import PluginError, load_plugins

SCRIPT = """\
import numpy as np
import ttkit
import ttkit.language as tl


@ttkit.jit
def double(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(x + i, tl.load(x + i) * 2)


x = np.ones(32, np.float32)
double[(1,)](x, 32)
print(x[0])
"""
PASS = """\
from ttkit import pipelines
from ttkit.dialects import arith
from ttkit.passes.infra import MATCHED, NO_MATCH, Pass, apply_greedily, constant_splat


class Triple(Pass):
    \"\"\"Adds where the kernel multiplies by two: x + 2.\"\"\"

    name = "triple"

    def run(self, op):
        apply_greedily(op, {arith.MulFOp: self.added})

    def added(self, op, rewriter):
        if constant_splat(op.rhs) != 2.0:
            return NO_MATCH
        with rewriter.ip, op.location:
            rewriter.replace_op(op, [arith.addf(op.lhs, op.rhs)])
        return MATCHED


pipelines.insert_after("triton-combine", Triple)
"""


def ran(folder, plugins, **more):
    """A script's process with plugins."""
    script = folder / "script.py"
    script.write_text(SCRIPT)
    environment = {
        **os.environ,
        "TTKIT_DEVICE": "interpret:sm_90",
        "TRITON_CACHE_DIR": str(folder / "cache"),
        "TRITON_PLUGIN_PATHS": os.pathsep.join(map(str, plugins)),
        **more,
    }
    return subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_file_changes_every_kernel(tmp_path):
    plugin = tmp_path / "triple.py"
    plugin.write_text(PASS)
    for plugins, result in (([], "2.0"), ([plugin], "3.0"), ([], "2.0"), ([plugin, plugin], "3.0")):  # the cache, too
        done = ran(tmp_path, plugins)
        assert done.stdout == f"{result}\n", done.stderr
        assert done.stderr == ""


def test_libraries_are_refused_with_advice(tmp_path):
    done = ran(tmp_path, [tmp_path / "plugin.so"])
    assert done.stdout == "2.0\n"
    assert "plugin.so is ignored: ttkit loads files of Python" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "plugin.py can't be read: No such file or directory"),
        ("x = 1\n\nraise KeyError('a')", "plugin.py:3: KeyError: 'a'"),
        ("from ttkit import pipelines\npipelines.skip('no-such')", "plugin.py:2: ValueError: .*no-such"),
        ("def f(:", "plugin.py.*SyntaxError"),
    ],
)
def test_a_file_that_fails_is_named(text, message, tmp_path, monkeypatch):
    plugin = tmp_path / "plugin.py"
    if text is not None:
        plugin.write_text(textwrap.dedent(text))
    monkeypatch.setenv("TRITON_PLUGIN_PATHS", str(plugin))
    with pytest.raises(PluginError, match=message):
        load_plugins()
