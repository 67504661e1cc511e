"""Users' classes whose special methods are jitted functions, and conditional expressions of calls, by their results."""

import numpy as np
import pytest

import ttkit.language as tl
from ttkit import Context, constexpr_function, jit
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.interpreter import interpret
from ttkit.target import GPUTarget


@tl.core._aggregate
class Vector:
    start: tl.tensor
    size: tl.constexpr

    @constexpr_function
    def __init__(self, start, size):
        self.start = start
        self.size = tl.constexpr(size)

    @jit
    def __getitem__(self, index):
        return tl.load(self.start + index)

    @jit
    def __add__(self, other):
        return Vector(self.start + other, self.size)

    @jit
    def __radd__(self, other):
        return Vector(self.start + 2 * other, self.size)

    @jit
    def __matmul__(self, other):
        return tl.load(self.start) * other

    @jit
    def __lt__(self, other):
        return tl.load(self.start) < other

    @jit
    def __eq__(self, other):
        return tl.load(self.start) == other

    @jit
    def __neg__(self):
        return -tl.load(self.start)

    @jit
    def __not__(self):
        return tl.load(self.start) == 0

    @jit
    def __call__(self, x, y=3):
        return tl.load(self.start) + 10 * x + 100 * y

    @jit
    def __len__(self):
        return tl.load(self.start) + self.size

    @property
    @jit
    def first(self):
        return tl.load(self.start)

    @property
    def twice(self):
        return self.size * 2


@jit
def operators(p, q):
    vector, one = Vector(p, 8), tl.load(p + 1)
    tl.store(q, vector[2])
    tl.store(q + 1, (vector + 3)[1])
    tl.store(q + 2, (3 + vector)[0])
    tl.store(q + 3, (vector + one)[0])
    tl.store(q + 4, (one + vector)[0])
    tl.store(q + 5, vector @ 7)
    tl.store(q + 6, vector < 6)
    tl.store(q + 7, 5 > vector)  # noqa: SIM300
    tl.store(q + 8, vector == 5)
    tl.store(q + 9, -vector)
    tl.store(q + 10, not vector)
    tl.store(q + 11, vector(1))
    tl.store(q + 12, vector(x=1, y=2))
    tl.store(q + 13, len(vector))
    tl.store(q + 14, vector.first)
    tl.store(q + 15, vector.twice)


@jit
def counts_itself(p, q):
    tl.store(q, len(tl.atomic_add(p + tl.arange(0, 4), 1).shape))
    tl.store(q + 1, len((tl.atomic_add(p, 1), 2)))
    tl.store(q + 2, tl.load(p))


@jit
def slices(p, q):
    tl.store(q, Vector(p, 8)[1:2])


@jit
def multiplies(p, q):
    tl.store(q, Vector(p, 8) * 2)


def ran(kernel, numbers, count=16):
    """What a kernel, compiled, has stored in `count` numbers."""
    source = ASTSource(kernel, {"p": "*i32", "q": "*i32"})
    out = np.full(count, -1, np.int32)
    with Context():
        interpret(source.make_ir(GPUTarget("cuda", 90, 32)), 1, [np.array(numbers, np.int32), out])
    return out.tolist()


def test_operators_of_classes():
    expected = [7, 9, 11, 11, 17, 35, 1, 0, 1, -5, 0, 315, 215, 13, 5, 16]
    assert ran(operators, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]) == expected


def test_the_argument_of_len_is_evaluated_once():
    assert ran(counts_itself, [0] * 4, 3) == [1, 2, 2]


def test_what_classes_do_not_have():
    with pytest.raises(CompilationError, match=r"__getitem__\(\) can't take a slice"):
        ran(slices, [0] * 4)
    with pytest.raises(CompilationError, match=r"unsupported operand type\(s\) for \*"):
        ran(multiplies, [0] * 4)


# --- conditional expressions ------------------------------------------------------------------------------------------


@jit
def store(q, x):
    tl.store(q, x)


@jit
def two(p):
    return tl.load(p), tl.load(p + 1)


@jit
def chooses_calls(p, q):
    n = tl.load(p)
    store(q, 1) if n > 1 else store(q, 2)
    store(q + 1, 1) if n > 2 else tl.store(q + 1, 2)
    (store(q + 2, 1) if n > 1 else store(q + 2, 2)) if n > 2 else store(q + 2, 3)
    store(q + 3, 1) if n > 1 else None
    a, b = two(p) if n > 2 else two(p + 1)
    tl.store(q + 4, 10 * a + b)
    tl.store(q + 5, (Vector(p, 4) if n > 1 else Vector(p + 1, 4))[0])


@jit
def chooses_nothing_or_a_number(p, q):
    store(q, 1) if tl.load(p) > 1 else tl.load(q)


def test_calls_that_give_nothing_are_chosen():
    assert ran(chooses_calls, [2, 3, 4], 6) == [1, 2, 3, 1, 34, 2]
    assert ran(chooses_calls, [3, 4, 5], 6) == [1, 1, 1, 1, 34, 3]
    assert ran(chooses_calls, [0, 4, 5], 6) == [2, 2, 3, -1, 45, 4]


def test_nothing_and_a_number_are_not_chosen():
    with pytest.raises(CompilationError, match="inconsistent types void and int32"):
        ran(chooses_nothing_or_a_number, [0])
