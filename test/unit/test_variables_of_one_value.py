"""Loops carry variables that begin as one value and then differ, which Triton 3.6 takes to be one for ever."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl

N = 16


@ttkit.jit
def delayed(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    newest = tl.zeros((N,), tl.int32)
    before = newest
    oldest = before
    total = newest
    for q in range(n):
        total += oldest
        oldest = before
        before = newest
        newest = tl.load(x + q * N + i)
    tl.store(out + i, total)


@ttkit.jit
def delayed_by_while(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    newest = tl.zeros((N,), tl.int32)
    before = newest
    oldest = before
    total = newest
    q = 0
    while q < n:
        total += oldest
        oldest = before
        before = newest
        newest = tl.load(x + q * N + i)
        q += 1
    tl.store(out + i, total)


@ttkit.jit
def delayed_in_branches(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    newest = tl.zeros((N,), tl.int32)
    before = newest
    oldest = newest
    total = tl.zeros((N,), tl.int32)
    for q in range(n):
        total += oldest
        if n > 1:
            oldest = before
            before = newest
        newest = tl.load(x + q * N + i)
    tl.store(out + i, total)


@ttkit.jit
def delayed_in_tuple(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    newest = tl.zeros((N,), tl.int32)
    older = (newest, newest)
    total = tl.zeros((N,), tl.int32)
    for q in range(n):
        total += older[1]
        older = (newest, older[0])
        newest = tl.load(x + q * N + i)
    tl.store(out + i, total)


@ttkit.jit
def same_for_ever(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    first = tl.load(x + i)
    second = first
    third = first
    total = tl.zeros((N,), tl.int32)
    for _ in range(n):
        second = third
        total += second
    tl.store(out + i, total)


def module_of(kernel):
    signature = {"x": "*i32", "out": "*i32", "n": "i32", "N": "constexpr"}
    return ttkit.ASTSource(kernel, signature, {"N": N}).make_ir(ttkit.GPUTarget("cuda", 90, 32))


@pytest.mark.parametrize("kernel", (delayed, delayed_by_while, delayed_in_branches, delayed_in_tuple))
@pytest.mark.parametrize("n", (0, 1, 4, 6))
def test_values_move_on_by_one_variable_an_iteration(kernel, n):
    x = np.arange(8 * N, dtype=np.int32).reshape(8, N)
    out = np.zeros(N, np.int32)
    with ttkit.Context():
        ttkit.interpret(module_of(kernel), 1, {"x": x, "out": out, "n": n})
    np.testing.assert_array_equal(out, x[: max(n - 3, 0)].sum(0))


def test_variables_that_stay_one_value_are_not_carried():
    with ttkit.Context():
        text = str(module_of(same_for_ever))
    assert text.count("iter_args(") == 1 and "-> (tensor<16xi32>)" in text, text
