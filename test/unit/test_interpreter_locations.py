"""Errors of memory name the line of the kernel's source, at both levels."""

import re
from pathlib import Path

import numpy as np
import pytest
from mlir import ir

import ttkit
from ttkit.interpreter import Buffer, interpret
from ttkit.interpreter.errors import AssertionFailed, Misaligned, OutOfBounds, Race, Uninitialized

DATA = Path(__file__).parents[1] / "data"
LEVELS = ("ttir", "ttgir")


def failing_line(error: type, file: str, grid, args, **options) -> str:
    """The line of source that the error of a kernel names."""
    with ttkit.Context(), ir.Location.unknown(), pytest.raises(error) as found:
        interpret(ir.Module.parse((DATA / "ir" / file).read_text()), grid, args, **options)
    at = re.search(r'\n  at       .*"(\w+\.py)":(\d+):\d+\)*\n  program  \(\d+, \d+, \d+\)', str(found.value))
    assert at, str(found.value)
    return (DATA / "kernels" / at[1]).read_text().splitlines()[int(at[2]) - 1]


def vectors(count: int, size: int = 256) -> list[np.ndarray]:
    return [np.ones(size, np.float32) for _ in range(count)]


@pytest.mark.parametrize("level", LEVELS)
def test_load_out_of_bounds(level):
    line = failing_line(OutOfBounds, f"mapped.90.loc.{level}", 1, [*vectors(1), *vectors(2, 100), 0.1])
    assert "tl.load(" in line


@pytest.mark.parametrize("level", LEVELS)
def test_store_out_of_bounds(level):
    line = failing_line(OutOfBounds, f"mapped.90.loc.{level}", 1, [*vectors(2), *vectors(1, 100), 0.1])
    assert "tl.store(" in line


@pytest.mark.parametrize("level", LEVELS)
def test_uninitialized(level):
    args = [*vectors(1), Buffer("right", size=1024), *vectors(1), 0.1]
    assert "tl.load(" in failing_line(Uninitialized, f"mapped.90.loc.{level}", 1, args)


@pytest.mark.parametrize("level", LEVELS)
def test_race(level):
    line = failing_line(Race, f"mapped.90.loc.{level}", 2, [*vectors(3), 0.1], race=True)
    assert "tl.store(" in line


@pytest.mark.parametrize("level", LEVELS)
def test_atomic_out_of_bounds(level):
    args = [np.zeros(128, np.int32), np.zeros(60, np.int32), 128]
    assert "tl.atomic_" in failing_line(OutOfBounds, f"integer_atomics.90.loc.{level}", 1, args)


def test_wait_in_shared_memory():
    with ttkit.Context(), ir.Location.unknown(), pytest.raises(Exception, match="2 arrivals") as found:
        module = ir.Module.parse((DATA / "ir" / "mbarrier_ring.90.loc.ttgir").read_text())
        interpret(module, 1, [np.ones((320, 64), np.float16), np.ones((320, 64), np.float16), 5])
    assert '"explicit_layouts.py":' in str(found.value)


KERNEL = """
#at = loc("kernel.py":7:3)
tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %address = tt.ptr_to_int %p : !tt.ptr<i32> -> i64
  %odd = arith.addi %address, %one : i64
  %q = tt.int_to_ptr %odd : i64 -> !tt.ptr<i32>
  BODY
  tt.return
}"""


@pytest.mark.parametrize(
    ("error", "body"),
    [
        (Misaligned, "tt.store %q, %n : !tt.ptr<i32> loc(#at)"),
        (AssertionFailed, '%c = arith.cmpi eq, %n, %zero : i32\n tt.assert %c, "n" : i1 loc(#at)'),
    ],
)
def test_other_errors(error, body):
    with ttkit.Context(), ir.Location.unknown(), pytest.raises(error) as found:
        interpret(ir.Module.parse(KERNEL.replace("BODY", body)), 3, [np.zeros(4, np.int32), 5])
    assert '\n  at       "kernel.py":7:3\n  program  (0, 0, 0)' in str(found.value)


def test_an_argument_that_becomes_a_variable_keeps_its_name():
    text = """
    tt.func public @k(%out: !tt.ptr<i32> loc("out"), %limit: i32 loc("limit"("n"("k.py":3:0)))) {
      tt.store %out, %limit : !tt.ptr<i32>
      tt.return
    }"""
    out = np.zeros(1, np.int32)
    with ttkit.Context():
        interpret(ttkit.parse(text), 1, {"out": out, "n": 7})
    assert out[0] == 7
