"""Bugs of our own stay visible: what neither a pass nor the front end takes for a mistake in the input."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ttkit
import ttkit.language as tl
from ttkit.frontend.errors import CompilationError
from ttkit.passes.infra import PassError
from ttkit.passes.lower import registry, unsupported
from ttkit.target import GPUTarget

FUNCTION = """
module attributes {"ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90"} {
  tt.func public @f(%x: i32) {
    %0 = arith.addi %x, %x : i32
    tt.return
  }
}
"""
BROKEN = """
from ttkit.passes.infra import Pass
from ttkit.passes.lower import registry

def broken(low, op, *operands):
    raise ValueError("out of step")

broken.__module__ = registry.__name__  # as one of ttkit's own
registry.handler_of("arith.addi")
registry.HANDLERS["arith.addi"] = broken

class Nothing(Pass):
    name = "test-nothing"
    def run(self, op): pass
"""


def lower(monkeypatch, error, folder):
    def broken(low, op, *operands):
        raise error

    broken.__module__ = registry.__name__  # as one of ttkit's own
    assert registry.handler_of("arith.addi")
    monkeypatch.setitem(registry.HANDLERS, "arith.addi", broken)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with ttkit.Context():
        ttkit.run_passes(ttkit.parse(FUNCTION), "convert-triton-gpu-to-llvm")


def test_a_bug_of_a_lowering_is_not_a_mistake_in_the_input(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match=r"^out of step$") as raised:
        lower(monkeypatch, ValueError("out of step"), tmp_path)
    assert not isinstance(raised.value, PassError)
    (report,) = tmp_path.iterdir()
    text = report.read_text()
    assert "internal error in pass 'convert-triton-gpu-to-llvm'" in text
    assert "ValueError: out of step" in text and "in broken" in text
    assert "arith.addi" in text.rpartition("at the operation")[2]


def test_what_a_lowering_refuses_names_the_operation(monkeypatch, tmp_path):
    with pytest.raises(unsupported.Unsupported, match=r"can't lower .*found too much"):
        lower(monkeypatch, unsupported.CannotLower("found too much"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_tt_opt_says_where_and_writes_the_traceback(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "k.mlir").write_text(FUNCTION)
    command = [Path(sys.executable).parent / "tt-opt", "k.mlir", "--load-pass", "broken.py"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    made = subprocess.run(
        [*command, "--convert-triton-gpu-to-llvm"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert made.returncode == 1
    expected = "error: internal error in pass 'convert-triton-gpu-to-llvm': ValueError: out of step (broken.py:6)"
    assert f"k.mlir:4:10: {expected}; traceback written to {tmp_path}" in made.stderr
    assert "please report it with that file" in made.stderr
    (report,) = tmp_path.glob("ttkit-internal-error-*.txt")
    assert "ValueError: out of step" in report.read_text()


@ttkit.jit
def kernel(x_ptr):
    tl.store(x_ptr, 1.0)


@pytest.mark.parametrize("debugging", [False, True])
def test_a_bug_of_the_front_end_has_its_traceback(monkeypatch, debugging):
    def broken(*_):
        raise AttributeError("no such thing")

    monkeypatch.setattr("ttkit.frontend.generator.CodeGenerator._visitors", {ast.Constant: broken})
    monkeypatch.setenv("TRITON_FRONT_END_DEBUGGING", str(int(debugging)))
    source = ttkit.ASTSource(kernel, {"x_ptr": "*fp32"})
    with pytest.raises(CompilationError) as raised:
        ttkit.compile(source, GPUTarget("cuda", 90, 32))
    assert isinstance(raised.value.__cause__, AttributeError)
    names = []
    trace = raised.value.__cause__.__traceback__
    while trace is not None:
        names.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert "broken" in names
    assert ("visit" in names) is debugging
