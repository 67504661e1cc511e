"""Proofs that accesses are in bounds, and sizes for which they are not."""

import itertools

import numpy as np
import pytest
import warm_commands
from hypothesis import given
from hypothesis import strategies as st
from planted_mistakes import PLANTED

import ttkit
import ttkit.language as tl
from ttkit.runtime.tensor_descriptor import TensorDescriptor
from ttkit.sanitizer.proof import Assumptions, prove, solver
from ttkit.sanitizer.proof.assumptions import expression
from ttkit.sanitizer.proof.launch_proofs import verdicts_of_launch
from ttkit.sanitizer.proof.polynomials import Poly, never_positive

NAMES = ("a", "b", "c")
monomials = st.lists(st.sampled_from(NAMES), max_size=2).map(lambda names: tuple(sorted(names)))
polynomials = st.dictionaries(monomials, st.integers(-3, 3), max_size=3).map(Poly)


@given(polynomials, st.lists(polynomials, max_size=3))
def test_what_is_shown_is_so(poly, facts):
    if never_positive(poly, facts):
        for numbers in itertools.product(range(4), repeat=3):
            values = dict(zip(NAMES, numbers))
            if all(fact.value(values) <= 0 for fact in facts):
                assert poly.value(values) <= 0


def test_products_of_sizes():
    row, column, m, n = map(Poly.of, ("row", "column", "m", "n"))
    facts = [row - m + 1, column - n + 1]
    assert never_positive(row * n + column - m * n + 1, facts)
    assert not never_positive(row * n + column - m * n + 2, facts)


@ttkit.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@ttkit.jit
def product(a, b, c, m, n, k, am, bk, cm, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = (tl.program_id(0) * M + tl.arange(0, M)) % m
    columns = (tl.program_id(1) * N + tl.arange(0, N)) % n
    inner = tl.arange(0, K)
    left, right = a + rows[:, None] * am + inner[None, :], b + inner[:, None] * bk + columns[None, :]
    total = tl.zeros((M, N), tl.float32)
    for step in range(tl.cdiv(k, K)):
        x = tl.load(left, mask=inner[None, :] < k - step * K, other=0.0)
        y = tl.load(right, mask=inner[:, None] < k - step * K, other=0.0)
        total = tl.dot(x, y, total)
        left += K
        right += K * bk
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    tl.store(c + rows[:, None] * cm + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


@ttkit.jit
def unmasked(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, 0.0)


@ttkit.jit
def through_a_table(x, table, n, B: tl.constexpr):
    i = tl.arange(0, B)
    where = tl.load(table + i, mask=i < n, other=0)
    tl.store(x + where, 0.0, mask=i < n)


@ttkit.jit
def clamped(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + tl.minimum(i, n - 1), 0.0, mask=n > 0)


class Source:
    """A function with types and constants, as a launch has them."""

    def __init__(self, fn, types, **constants):
        self.fn = fn
        self.signature = dict(zip(fn.arg_names, [*types.split(), *["constexpr"] * len(constants)]))
        self.constants = {(fn.arg_names.index(name),): value for name, value in constants.items()}


def outcomes(source, sizes, grid=(None, None, None), values=None):
    from ttkit.compiler.compilation import Compilation
    from ttkit.options import CompileOptions

    made = ttkit.ASTSource(source.fn, source.signature, source.constants)
    options = CompileOptions.for_capability(80, sanitize_overflow=False)
    module = Compilation(made, ttkit.GPUTarget("cuda", 80, 32), options, until="ttir").run().asm["ttir"]
    with ttkit.Context():
        return prove(ttkit.parse(module), Assumptions(sizes, grid, values or {}))


def test_masked_elementwise():
    found = outcomes(Source(add, "*fp32 *fp32 *fp32 i32", B=128), {"x": "n", "y": "n", "out": "n - 1"})
    assert [each.outcome for each in found] == ["proved", "proved", "outside"]
    assert str(found[0]).endswith("load of x: cannot be out of bounds (by bounds)")
    assert "store of out: is out of bounds for n = 1" in str(found[2])


def test_a_product_with_strides_and_wrapped_rows():
    found = outcomes(
        Source(product, "*fp16 *fp16 *fp32 i32 i32 i32 i32 i32 i32", M=32, N=32, K=32),
        {"a": "(m - 1) * am + k", "b": "(k - 1) * bk + n", "c": "(m - 1) * cm + n"},
    )
    assert [(each.outcome, each.by) for each in found] == [("proved", "bounds")] * 3


def test_a_grid_in_place_of_a_mask():
    source = Source(unmasked, "*fp32 i32", B=128)
    assert [each.outcome for each in outcomes(source, {"x": "n"}, ("cdiv(n, 128)", "1", "1"))] == ["outside"]
    assert [each.outcome for each in outcomes(source, {"x": "128 * n"}, ("n", "1", "1"))] == ["proved"]


def test_what_comes_from_memory_is_not_known():
    found = outcomes(Source(through_a_table, "*fp32 *i32 i32", B=64), {"x": "n", "table": "n"})
    assert [each.outcome for each in found] == ["proved", "unknown"]
    assert "values from memory" in found[1].reason


def test_cases_are_left_to_z3():
    pytest.importorskip("z3")
    (found,) = outcomes(Source(clamped, "*fp32 i32", B=64), {"x": "n"})
    assert found.outcome == "proved"


def test_without_z3(monkeypatch):
    monkeypatch.setattr(solver, "is_installed", lambda: False)
    (found,) = outcomes(Source(unmasked, "*fp32 i32", B=128), {"x": "n"})
    assert (found.outcome, "pip install ttkit[prove]" in found.reason) == ("unknown", True)


def test_planted_mistakes_are_not_proved():
    """The line of a mistake in bounds is never said to be in bounds, under what its own launch suggests."""
    for kind, kernel, grid, make, constants in PLANTED:
        if kind != "out-of-bounds":
            continue
        arguments = make()
        types = {"float32": "*fp32", "int32": "*i32", "int64": "*i64"}
        signature = " ".join(types[a.dtype.name] if hasattr(a, "dtype") else "i32" for a in arguments)
        source = Source(kernel, signature, **constants)
        _, verdicts = verdicts_of_launch(source, (*grid, 1, 1)[:3], arguments)
        assert any(verdict.outcome != "proved" for verdict in verdicts), kernel


def test_assumptions_of_a_launch():
    found = Assumptions.of_launch(
        {"x": ((60, 200), (256, 1)), "out": ((60,), (1,))}, {"n": 200, "stride": 256, "rows": 60}, {"B": 64}, (60, 4, 1)
    )
    assert found.sizes == {"x": "(rows - 1) * 256 + (n - 1) * 1 + 1", "out": "rows"}
    assert found.values == {"stride": "256"}
    assert found.grid == ("rows", "cdiv(n, 64)", "1")


@pytest.mark.parametrize("text", ["n +", "m", "n / 2", "f(n)", "1.5"])
def test_expressions_that_are_none(text):
    with pytest.raises(ValueError):
        expression(text, ["n"])


KERNEL = """
tt.func public @fill(%x: !tt.ptr<f32> loc("x"), %n: i32 loc("n")) {
  %c128 = arith.constant 128 : i32
  %0 = tt.get_program_id x : i32
  %1 = arith.muli %0, %c128 : i32
  %2 = tt.splat %1 : i32 -> tensor<128xi32>
  %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %4 = arith.addi %2, %3 : tensor<128xi32>
  %5 = tt.splat %n : i32 -> tensor<128xi32>
  %6 = arith.cmpi slt, %4, %5 : tensor<128xi32>
  %7 = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %9 = arith.constant dense<1.0> : tensor<128xf32>
  tt.store %8, %9, %6 : tensor<128x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["--size", "x=n"], 0, "store of x: cannot be out of bounds (by bounds)\n1 of 1 accesses proved"),
        (["--size", "x=100"], 1, "is out of bounds for n = 101"),
        ([], 2, "the size of x is not given"),
        (["--size", "x=m"], 1, "'m' in 'm' is not a size"),
        (["--size", "x"], 1, "--size takes NAME=EXPR"),
        (["--size", "y=n"], 1, "the kernel has no argument 'y', whose size is given; it takes x, n"),
        ([], 2, "fill.ttir:"),
    ],
)
def test_the_command(tmp_path, words, code, text):
    path = tmp_path / "fill.ttir"
    path.write_text(KERNEL)
    done = warm_commands.ttkit(tmp_path, "prove", path, *words)
    assert done.returncode == code, done.stderr
    assert text in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_proofs_of_a_script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(
        """
import numpy as np, triton, triton.language as tl

@triton.jit
def double(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n, other=0.0) * 2, mask=i < n)

double[(4,)](np.ones(100, np.float32), 100, B=32)
"""
    )
    done = warm_commands.ttkit(tmp_path, "sanitize", "asan", "--prove", path)
    assert done.returncode == 0
    assert "kernel double, if x has n elements; the grid is (cdiv(n, 32),)" in done.stderr
    assert "2 of 2 accesses proved for all such sizes" in done.stderr


@ttkit.jit
def add_blocks(x, n, out, B: tl.constexpr):
    place = [tl.program_id(0) * B, tl.program_id(1) * B]
    out.store(place, x.load(place) + n)


@pytest.mark.parametrize("rows", [40, 30])
def test_descriptors_of_the_host_are_within_what_they_describe(rows):
    """Of 40 rows, of tensors that have as many, or 30."""
    x, out = (np.zeros((rows, 72), np.float32) for _ in range(2))
    passed = [TensorDescriptor(one, [40, 72], [72, 1], [16, 32]) for one in (x, out)]
    types = {"x": "tensordesc<fp32[16,32]>", "n": "i32", "out": "tensordesc<fp32[16,32]>", "B": "constexpr"}
    source = ttkit.ASTSource(add_blocks, types, {"B": 16}, {})
    assumptions, verdicts = verdicts_of_launch(source, (3, 3), [passed[0], 5, passed[1], 16])
    assert [verdict.outcome for verdict in verdicts] == ["proved" if rows == 40 else "unknown"] * 2
    assert ("x has what its descriptor says; out has what its descriptor says" in str(assumptions)) == (rows == 40)
