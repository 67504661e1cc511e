"""tt.reduce and tt.scan with regions of any kind, against loops in Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiles import run_text, run_tiles


def reduction(kinds, region, axis=0, name="reduce", shape=None, more=""):
    """The text of a reduction of %a_tile, %b_tile, ... with elements `kinds`."""
    operands = ", ".join(f"%{letter}_tile" for letter, _ in zip("ab", kinds))
    source = "x".join(map(str, shape))
    rest = [size for d, size in enumerate(shape) if d != axis] if name == "reduce" else list(shape)
    tensors = ", ".join(f"tensor<{source}x{kind}>" for kind in kinds)
    target = "x".join(map(str, rest))
    results = ", ".join(f"tensor<{target}x{kind}>" for kind in kinds)
    arguments = ", ".join(f"%{side}{n}: {kind}" for side in "xy" for n, kind in enumerate(kinds))
    return f"""%r:{len(kinds)} = "tt.{name}"({operands}) <{{axis = {axis} : i32{more}}}> ({{
        ^bb0({arguments}):
          {region}
          tt.{name}.return {", ".join(f"%z{n}" for n in range(len(kinds)))} : {", ".join(kinds)}
        }}) : ({tensors}) -> ({results})"""


def copies(kinds, shape):
    """%r#0, %r#1 as %out_tile, %out1_tile."""
    kind = "x".join(map(str, shape))
    return "\n".join(
        f"%{name}_tile = tt.reshape %r#{n} : tensor<{kind}x{element}> -> tensor<{kind}x{element}>"
        for n, (name, element) in enumerate(zip(("out", "out1"), kinds))
    )


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name, function", [("addi", np.add), ("maxsi", np.maximum), ("xori", np.bitwise_xor)])
def test_reduce(name, function, axis):
    a = np.random.default_rng(1).integers(-(2**31), 2**31, (4, 8, 16)).astype(np.int32)
    shape = tuple(size for d, size in enumerate(a.shape) if d != axis)
    out = np.zeros(shape, np.int32)
    body = reduction(["i32"], f"%z0 = arith.{name} %x0, %y0 : i32", axis, shape=a.shape)
    run_tiles(body + "\n" + copies(["i32"], shape), a=a, out=out)
    assert (out == function.reduce(a, axis=axis, dtype=np.int32)).all()


def test_reduce_of_pairs():
    """The largest element and the first index that has it."""
    rng = np.random.default_rng(2)
    a = rng.integers(0, 9, (8, 64)).astype(np.float32)
    b = np.broadcast_to(np.arange(64, dtype=np.int32), (8, 64)).copy()
    region = """%more = arith.cmpf ogt, %x0, %y0 : f32
      %same = arith.cmpf oeq, %x0, %y0 : f32
      %before = arith.cmpi slt, %x1, %y1 : i32
      %tie = arith.andi %same, %before : i1
      %left = arith.ori %more, %tie : i1
      %z0 = arith.select %left, %x0, %y0 : f32
      %z1 = arith.select %left, %x1, %y1 : i32"""
    out, out1 = np.zeros(8, np.float32), np.zeros(8, np.int32)
    kinds = ["f32", "i32"]
    body = reduction(kinds, region, 1, shape=(8, 64)) + "\n" + copies(kinds, (8,))
    run_tiles(body, ("out", "out1"), a=a, b=b, out=out, out1=out1)
    assert (out == a.max(1)).all() and (out1 == a.argmax(1)).all()


def test_reduce_of_one_element_runs_nothing():
    a, out = np.array([[5], [6]], np.int32), np.zeros(2, np.int32)
    body = reduction(["i32"], "%z0 = arith.addi %x0, %x0 : i32", 1, shape=(2, 1))
    run_tiles(body + "\n" + copies(["i32"], (2,)), a=a, out=out)
    assert list(out) == [5, 6]


def test_region_with_branch():
    """An scf.if in the region parts the elements, not the programs."""
    a = np.random.default_rng(3).integers(-50, 50, (4, 32)).astype(np.int32)
    region = """%less = arith.cmpi slt, %x0, %y0 : i32
      %z0 = scf.if %less -> i32 {
        scf.yield %x0 : i32
      } else {
        scf.yield %y0 : i32
      }"""
    out = np.zeros(4, np.int32)
    run_tiles(reduction(["i32"], region, 1, shape=(4, 32)) + "\n" + copies(["i32"], (4,)), a=a, out=out)
    assert (out == a.min(1)).all()


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_scan_keeps_the_order(axis, reverse, seed):
    """Composition of x -> g x + v is associative and does not commute."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-5, 5, (2, 8, 16)).astype(np.int64)
    region = """%z0 = arith.muli %x0, %y0 : i64
      %t = arith.muli %x1, %y0 : i64
      %z1 = arith.addi %t, %y1 : i64"""
    kinds, shape = ["i64", "i64"], (8, 16)
    out, out1 = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    more = f", reverse = {str(reverse).lower()}"
    body = reduction(kinds, region, axis, "scan", shape, more) + "\n" + copies(kinds, shape)
    run_tiles(body, ("out", "out1"), a=a, b=b, out=out, out1=out1)
    gains, values = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    found = np.moveaxis(out, axis, 0), np.moveaxis(out1, axis, 0)
    order = list(range(gains.shape[0]))[:: -1 if reverse else 1]
    gain, value = gains[order[0]], values[order[0]]
    for position in order:
        if position != order[0]:
            gain, value = gain * gains[position], value * gains[position] + values[position]
        assert (found[0][position] == gain).all() and (found[1][position] == value).all()


def test_scan_along_an_axis_behind_the_last() -> None:
    """Each element stands alone."""
    a, out = np.arange(32, dtype=np.int32).reshape(4, 8), np.zeros((4, 8), np.int32)
    body = reduction(["i32"], "%z0 = arith.addi %x0, %y0 : i32", 2, "scan", (4, 8), ", reverse = true")
    run_tiles(body + "\n" + copies(["i32"], (4, 8)), a=a, out=out)
    assert (out == a).all()


def test_programs_that_capture_different_values():
    """Each program reduces with its own factor, which the region captures."""
    src, out = np.arange(1, 9, dtype=np.int32), np.zeros(5, np.int32)
    run_text(
        """tt.func public @kernel(%src: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
        %program = tt.get_program_id x : i32
        %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
        %p = tt.splat %src : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
        %pointers = tt.addptr %p, %range : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
        %values = tt.load %pointers : tensor<8x!tt.ptr<i32>>
        %total = "tt.reduce"(%values) <{axis = 0 : i32}> ({
        ^bb0(%x: i32, %y: i32):
          %sum = arith.addi %x, %y : i32
          %more = arith.addi %sum, %program : i32
          tt.reduce.return %more : i32
        }) : (tensor<8xi32>) -> i32
        %cell = tt.addptr %out, %program : !tt.ptr<i32>, i32
        tt.store %cell, %total : !tt.ptr<i32>
        tt.return
        }""",
        5,
        [src, out],
    )
    assert list(out) == [36 + 7 * program for program in range(5)]


def test_long_axis_takes_few_runs():
    """1024 elements: ten runs of the region."""
    src, out, runs = np.ones(1024, np.float32), np.zeros(1, np.float32), []

    def trace(machine, op, results):
        runs.append(op.name)

    run_text(
        """tt.func public @kernel(%src: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
        %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
        %p = tt.splat %src : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
        %pointers = tt.addptr %p, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
        %values = tt.load %pointers : tensor<1024x!tt.ptr<f32>>
        %total = "tt.reduce"(%values) <{axis = 0 : i32}> ({
        ^bb0(%x: f32, %y: f32):
          %sum = arith.addf %x, %y : f32
          tt.reduce.return %sum : f32
        }) : (tensor<1024xf32>) -> f32
        tt.store %out, %total : !tt.ptr<f32>
        tt.return
        }""",
        1,
        [src, out],
        trace=trace,
    )
    assert out[0] == 1024 and runs.count("arith.addf") == 10
