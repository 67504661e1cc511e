"""`ttkit sanitize --device cuda`: planted mistakes are found on the GPU, with their line."""

import numpy as np
import pytest
from launched_kernels import add
from planted_mistakes import PLANTED, line_of

from ttkit.sanitizer import checking

OUTSIDE = [case for case in PLANTED if case[0] == "out-of-bounds"]


@pytest.mark.parametrize(("kind", "kernel", "grid", "make", "constants"), OUTSIDE, ids=[c[1].__name__ for c in OUTSIDE])
def test_planted_mistakes_are_found(kind, kernel, grid, make, constants):
    with checking("asan,device=cuda", prints=False) as found:
        kernel[grid](*make(), **constants)
    assert [(f.kind, f.site[0].line) for f in found.found.values()] == [(kind, line_of(kernel))]


def test_results_and_findings_of_a_correct_kernel():
    x, y, out = (np.arange(1000, dtype=np.float32) for _ in range(3))
    with checking("asan,device=cuda") as found:
        add[(4,)](x, y, out, 1000, BLOCK=256)
    assert (out == 2 * x).all()
    assert not found.found
    assert found.launches == 1


def test_tensors_of_torch_and_their_views():
    torch = pytest.importorskip("torch")
    whole = torch.ones(2000, device="cuda")
    x, out = whole[:1000], torch.zeros(1024, device="cuda")
    with checking("asan,device=cuda", prints=False) as found:
        add[(4,)](x, x, out, 1024, BLOCK=256)
    (first, second) = found.found.values()
    assert (first.argument, first.program, second.argument) == ("x", (3, 0, 0), "y")
    assert "element 1000, behind the last: it has 1000 elements" in first.message
    assert (out[:1000] == 2).all()
