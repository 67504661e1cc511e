"""Loads from tensor memory that also give the largest or smallest element of each row."""

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import interpret
from ttkit.language import PropagateNan, gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia import blackwell


@gluon.jit
def of_rows(x, out, ABS: gl.constexpr, NAN: gl.constexpr, LEAST: gl.constexpr):
    memory: gl.constexpr = blackwell.TensorMemoryLayout([128, 64], col_stride=1)
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 64], memory)
    layout: gl.constexpr = acc.get_reg_layout()
    i = gl.arange(0, 128, gl.SliceLayout(1, layout))
    place = x + i[:, None] * 64 + gl.arange(0, 64, gl.SliceLayout(0, layout))[None, :]
    acc.store(gl.load(place))
    if LEAST:
        loaded, found = acc.load_min(layout, abs=ABS, propagate_nan=NAN)
    else:
        loaded, found = acc.load_max(abs=ABS, propagate_nan=NAN)
    gl.store(out + i, found)
    gl.store(place, loaded + 1.0)


def compiled(**constants):
    signature = {"x": "*fp32", "out": "*fp32", **dict.fromkeys(("ABS", "NAN", "LEAST"), "constexpr")}
    return ttkit.compile(ttkit.ASTSource(of_rows, signature, constants), target=ttkit.GPUTarget("cuda", 100, 32))


@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("nan", [PropagateNan.NONE, PropagateNan.ALL])
def test_rows(least, absolute, nan):
    made = compiled(ABS=absolute, NAN=nan, LEAST=least)
    x = np.random.default_rng(0).standard_normal((128, 64)).astype(np.float32)
    x[3, 5] = np.nan
    given, out = x.copy().reshape(-1), np.zeros(128, np.float32)
    with ttkit.Context():
        interpret(ttkit.parse(made.asm["ttgir"]), (1,), [given, out])
    compared = np.abs(x) if absolute else x
    functions = {
        (False, PropagateNan.NONE): np.nanmax,
        (True, PropagateNan.NONE): np.nanmin,
        (False, PropagateNan.ALL): np.max,
        (True, PropagateNan.ALL): np.min,
    }
    np.testing.assert_array_equal(out, functions[least, nan](compared, axis=1))
    np.testing.assert_array_equal(given.reshape(x.shape), x + 1)


def test_other_types_are_refused():
    @gluon.jit
    def halves(out):
        memory: gl.constexpr = blackwell.TensorMemoryLayout([128, 64], col_stride=1)
        acc = blackwell.allocate_tensor_memory(gl.float16, [128, 64], memory)
        acc.load_max()

    with pytest.raises(ttkit.CompilationError, match="expected a buffer of fp32, found fp16"):
        ttkit.compile(ttkit.ASTSource(halves, {"out": "*fp32"}), target=ttkit.GPUTarget("cuda", 100, 32))
