"""tt.atomic_rmw and tt.atomic_cas against sequential references."""

import ml_dtypes
import numpy as np
import pytest
from tiles import NAMES, run_text

from ttkit.interpreter.errors import OutOfBounds, Race, Uninitialized
from ttkit.interpreter.memory.global_memory import Buffer

RANDOM = np.random.default_rng(21)
SIZE = 64

RMW = """
tt.func public @kernel(%target: !tt.ptr<{t}>, %places: !tt.ptr<i32>, %values: !tt.ptr<{t}>, %old: !tt.ptr<{t}>) {{
  %i = tt.make_range {{start = 0 : i32, end = 64 : i32}} : tensor<64xi32>
  %0 = tt.splat %places : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %1 = tt.addptr %0, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %place = tt.load %1 : tensor<64x!tt.ptr<i32>>
  %2 = tt.splat %values : !tt.ptr<{t}> -> tensor<64x!tt.ptr<{t}>>
  %3 = tt.addptr %2, %i : tensor<64x!tt.ptr<{t}>>, tensor<64xi32>
  %value = tt.load %3 : tensor<64x!tt.ptr<{t}>>
  %4 = tt.splat %target : !tt.ptr<{t}> -> tensor<64x!tt.ptr<{t}>>
  %5 = tt.addptr %4, %place : tensor<64x!tt.ptr<{t}>>, tensor<64xi32>
  %limit = arith.constant dense<{limit}> : tensor<64xi32>
  %mask = arith.cmpi slt, %place, %limit : tensor<64xi32>
  %6 = tt.atomic_rmw {kind}, acq_rel, gpu, %5, %value, %mask
      : (tensor<64x!tt.ptr<{t}>>, tensor<64x{t}>, tensor<64xi1>) -> tensor<64x{t}>
  %7 = tt.splat %old : !tt.ptr<{t}> -> tensor<64x!tt.ptr<{t}>>
  %8 = tt.addptr %7, %i : tensor<64x!tt.ptr<{t}>>, tensor<64xi32>
  tt.store %8, %6 : tensor<64x!tt.ptr<{t}>>
  tt.return
}}"""

REFERENCES = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "add": lambda a, b: a + b,
    "fadd": lambda a, b: a + b,
    "max": max,
    "min": min,
    "umax": lambda a, b: max(a, b, key=lambda x: int(x) % 2**32),
    "umin": lambda a, b: min(a, b, key=lambda x: int(x) % 2**32),
    "exch": lambda a, b: b,
}


def sequential(kind: str, target: np.ndarray, places: np.ndarray, values: np.ndarray, limit: int) -> np.ndarray:
    old = np.zeros(values.shape, values.dtype)
    for i, place in enumerate(places):
        if place < limit:
            old[i] = target[place]
            target[place] = REFERENCES[kind](old[i], values[i])
    return old


@pytest.mark.parametrize("places", ["distinct", "few", "one"])
@pytest.mark.parametrize(
    ("kind", "dtype"),
    [(kind, np.int32) for kind in REFERENCES if kind != "fadd"]
    + [("add", np.int64), ("exch", np.float32)]
    + [("fadd", dtype) for dtype in (np.float16, ml_dtypes.bfloat16, np.float32, np.float64)]
    + [("and", np.float32), ("or", np.float64), ("xor", np.float32)],
)
@np.errstate(over="ignore")
def test_read_modify_write(kind, dtype, places):
    index = {"distinct": RANDOM.permutation(SIZE), "few": RANDOM.integers(0, 40, SIZE), "one": np.full(SIZE, 3)}[places]
    index = index.astype(np.int32)
    if np.issubdtype(dtype, np.integer):
        target, values = RANDOM.integers(-(2**31), 2**31, (2, SIZE)).astype(dtype)
    else:
        target, values = RANDOM.standard_normal((2, SIZE)).astype(dtype)
    found, old = target.copy(), np.ones(SIZE, dtype)
    seen = np.dtype(f"i{found.itemsize}") if kind in ("and", "or", "xor") else dtype
    expected_old = sequential(kind, target.view(seen), index, values.view(seen), 48)
    run_text(RMW.format(t=NAMES[np.dtype(dtype)], kind=kind, limit=48), 1, [found, index, values, old])
    np.testing.assert_array_equal(found.view(seen), target.view(seen))
    np.testing.assert_array_equal(old.view(seen), expected_old)


COUNT = """
tt.func public @count(%counter: !tt.ptr<i32>, %ticket: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %0 = tt.atomic_rmw add, relaxed, gpu, %counter, %one : (!tt.ptr<i32>, i32) -> i32
  %pid = tt.get_program_id x : i32
  %1 = tt.addptr %ticket, %pid : !tt.ptr<i32>, i32
  tt.store %1, %0 : !tt.ptr<i32>
  tt.return
}"""


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_programs_in_turn(seed):
    counter, tickets = np.zeros(1, np.int32), np.zeros(1000, np.int32)
    run_text(COUNT, 1000, [counter, tickets], seed=seed, race=True)
    assert counter[0] == 1000
    assert sorted(tickets) == list(range(1000))
    assert (tickets == np.arange(1000)).all() == (seed is None)


def test_compare_and_swap():
    text = """
    tt.func public @claim(%owner: !tt.ptr<i32>, %old: !tt.ptr<i32>) {
      %free = arith.constant -1 : i32
      %pid = tt.get_program_id x : i32
      %0 = tt.atomic_cas acq_rel, gpu, %owner, %free, %pid : (!tt.ptr<i32>, i32, i32) -> i32
      %1 = tt.addptr %old, %pid : !tt.ptr<i32>, i32
      tt.store %1, %0 : !tt.ptr<i32>
      tt.return
    }"""
    owner, old = np.full(1, -1, np.int32), np.zeros(8, np.int32)
    run_text(text, 8, [owner, old])
    assert owner[0] == 0
    assert old.tolist() == [-1] + [0] * 7


def test_compare_and_swap_compares_bits():
    text = """
    tt.func public @swap(%p: !tt.ptr<f32>, %expected: f32, %value: f32) {
      %0 = tt.atomic_cas acq_rel, gpu, %p, %expected, %value : (!tt.ptr<f32>, f32, f32) -> f32
      tt.return
    }"""
    for start, expected, result in ((0.0, -0.0, 0.0), (np.nan, np.nan, 5.0)):
        memory = np.full(1, start, np.float32)
        run_text(text, 1, [memory, expected, 5.0])
        assert memory[0] == result


def test_errors():
    places, values, old = np.full(SIZE, 4, np.int32), np.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)
    text = RMW.format(t="i32", kind="add", limit=100)
    with pytest.raises(OutOfBounds, match="updates 4 bytes at offset 16 of buffer 'arg0'"):
        run_text(text, 1, [np.zeros(4, np.int32), places, values, old])
    with pytest.raises(Uninitialized):
        run_text(text, 1, [Buffer("target", size=64), places, values, old])


def test_race_with_a_plain_access():
    text = """
    tt.func public @mixed(%p: !tt.ptr<i32>) {
      %one = arith.constant 1 : i32
      %0 = tt.atomic_rmw add, relaxed, gpu, %p, %one : (!tt.ptr<i32>, i32) -> i32
      tt.store %p, %one : !tt.ptr<i32>
      tt.return
    }"""
    run_text(text, 1, [np.zeros(1, np.int32)], race=True)
    with pytest.raises(Race, match="was updated by"):
        run_text(text, 2, [np.zeros(1, np.int32)], race=True)
