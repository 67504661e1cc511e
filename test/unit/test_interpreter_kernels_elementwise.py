"""Whole kernels, as Triton 3.6 printed them at the tt and the ttg level, give numpy's results."""

from pathlib import Path

import interpreter_kernels_structure  # noqa: F401, declares more cases
import numpy as np
import pytest
from interpreter_kernels import CASES
from mlir import ir

import ttkit
from ttkit.interpreter import interpret

FOLDER = Path(__file__).parents[1] / "data" / "ir"
FILES = [path for name in CASES for path in sorted(FOLDER.glob(f"{name}.*.tt*ir"))]

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def test_every_case_has_ir():
    assert {path.name.split(".")[0] for path in FILES} == set(CASES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_kernel(path):
    name = path.name.split(".")[0]
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context() as context, ir.Location.unknown():
        if path.suffix == ".ttgir" and not context.is_registered_operation("ttg.convert_layout"):
            pytest.skip("a build without the operations of ttg")
        module = ir.Module.parse(path.read_text())
        interpret(module, case.grid, case.args, **case.options)
    for position, wanted in case.wanted.items():
        found = case.args[position]
        if found.dtype.kind in "iub":
            np.testing.assert_array_equal(found, wanted.reshape(found.shape), err_msg=f"argument {position}")
        else:
            found, wanted = found.astype(float), np.asarray(wanted).astype(float).reshape(found.shape)
            np.testing.assert_allclose(found, wanted, case.tolerance, case.tolerance, err_msg=f"argument {position}")
