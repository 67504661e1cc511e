"""`ttkit sanitize --device cuda`: planted mistakes are found on the GPU, with their line."""

import numpy as np
import pytest
from launched_kernels import add
from planted_mistakes import PLANTED, line_of

import ttkit
import ttkit.language as tl
from ttkit.runtime.tensor_descriptor import TensorDescriptor
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
    assert "element 1000, past the last: it has 1000 elements" in first.message
    assert (out[:1000] == 2).all()


@ttkit.jit
def copy_made(x, out, m, n, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [B, B])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [B, B])
    for column in range(0, n, B):
        target.store([tl.program_id(0) * B, column], source.load([tl.program_id(0) * B, column]))  # !


@ttkit.jit
def copy_passed(source, target, n, B: tl.constexpr):
    for column in range(0, n, B):
        target.store([tl.program_id(0) * B, column], source.load([tl.program_id(0) * B, column]))  # !


@pytest.mark.parametrize("rows", [96, 80])
@pytest.mark.parametrize("kernel", [copy_made, copy_passed], ids=lambda kernel: kernel.fn.__name__)
def test_blocks_by_descriptor(kernel, rows):
    """Descriptors of 96 rows, of tensors that have as many, or 80."""
    torch = pytest.importorskip("torch")
    x, out = (torch.full((96, 72), value, device="cuda") for value in (1.0, 0.0))
    given = x[:rows], out[:rows]
    with checking("asan,device=cuda", prints=False) as found:
        if kernel is copy_made:
            kernel[(3,)](*given, 96, 72, B=32)
        else:
            kernel[(3,)](*(TensorDescriptor(one, (96, 72), (72, 1), (32, 32)) for one in given), 72, B=32)
        torch.cuda.synchronize()
    said = [(f.kind, f.site[0].line, f.argument, f.program) for f in found.found.values()]
    names = ("source", "target") if kernel is copy_passed else ("x", "out")
    expected = [("out-of-bounds", line_of(kernel), name, (2, 0, 0)) for name in names] if rows == 80 else []
    assert said == expected
    assert (out[:64] == 1).all()
    assert (out[64:] == (rows == 96)).all()


def test_launches_of_what_was_launched_before_are_native():
    torch = pytest.importorskip("torch")
    x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
    with checking("asan,device=cuda") as found:
        for size in (1000, 1000, 1000, 992, 992):
            add[(4,)](x, y, out[:size], size, BLOCK=256)
    assert found.launches == 5
    assert not found.found
    assert (out == 2).all()
