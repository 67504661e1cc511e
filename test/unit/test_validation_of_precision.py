"""Products by threads are exact: what they have in place of TF32 is rounding, and nothing may lower a precision."""

import pytest

from ttkit.context import Context
from ttkit.validation.functions import OPEN, PROVED, REFUTED, validate
from ttkit.validation.proofs import decoded
from ttkit.validation.rounding import PRECISION

TT = """
tt.func public @k(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %o: tensor<16x16x!tt.ptr<f32>>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tt.dot %a, %b, %zero, inputPrecision = PRECISION : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.store %o, %d : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""
TTG = """
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#x = #ttg.dot_op<{opIdx = 0, parent = LAYOUTWIDTH}>
#y = #ttg.dot_op<{opIdx = 1, parent = LAYOUTWIDTH}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%a: tensor<16x16xf32, #b>, %b: tensor<16x16xf32, #b>, %o: tensor<16x16x!tt.ptr<f32>, #b>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32, LAYOUT>
  %x = ttg.convert_layout %a : tensor<16x16xf32, #b> -> tensor<16x16xf32, #x>
  %y = ttg.convert_layout %b : tensor<16x16xf32, #b> -> tensor<16x16xf32, #y>
  %d = tt.dot %x, %y, %zero, inputPrecision = PRECISION : tensor<16x16xf32, #x> * tensor<16x16xf32, #y> -> tensor<16x16xf32, LAYOUT>
  %r = ttg.convert_layout %d : tensor<16x16xf32, LAYOUT> -> tensor<16x16xf32, #b>
  tt.store %o, %r : tensor<16x16x!tt.ptr<f32>, #b>
  tt.return
}
}
"""  # noqa: E501


def dot(level, precision):
    """The kernel with its dot in tt, by threads, or by tensor cores."""
    width = ", kWidth = 1" if level == "cores" else ""
    text = (
        TT if level == "tt" else TTG.replace("WIDTH", width).replace("LAYOUT", {"threads": "#b", "cores": "#m"}[level])
    )
    return decoded(text.replace("PRECISION", precision), Context())


@pytest.mark.parametrize(
    ("before", "after", "outcome", "rounding"),
    [
        (("tt", "tf32"), ("threads", "tf32"), PROVED, (PRECISION,)),
        (("threads", "tf32"), ("cores", "tf32"), PROVED, (PRECISION,)),
        (("tt", "ieee"), ("threads", "ieee"), PROVED, ()),
        (("tt", "tf32"), ("cores", "tf32"), PROVED, ()),
        (("tt", "tf32x3"), ("threads", "tf32x3"), PROVED, (PRECISION,)),
        (("threads", "ieee"), ("cores", "tf32"), OPEN, ()),
        (("threads", "ieee"), ("threads", "tf32"), OPEN, ()),  # a later pass would use the precision
        (("tt", "ieee"), ("threads", "tf32"), OPEN, ()),
        (("threads", "tf32x3"), ("cores", "tf32"), OPEN, ()),
    ],
)
def test_a_dot_by_threads_is_exact(before, after, outcome, rounding):
    found = validate(dot(*before), dot(*after), "k", searches=False)
    assert (found.outcome, found.rounding) == (outcome, rounding)


def test_a_lost_precision_is_refuted():
    """The two sides of the proof and the interpreter agree on what a dot is."""
    found = validate(dot("tt", "ieee"), dot("cores", "tf32"), "k")
    assert found.outcome == REFUTED
