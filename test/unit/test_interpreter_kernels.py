"""Whole kernels, as Triton 3.6 printed them at the tt and the ttg level and between passes, give numpy's results."""

from pathlib import Path

import interpreter_kernels_memory  # noqa: F401, declares more cases
import interpreter_kernels_structure  # noqa: F401
import numpy as np
import pytest
from interpreter_kernels import CASES
from mlir import ir
from sweeps import every

import ttkit
from ttkit.interpreter import TensorDescriptor, interpret

FOLDER = Path(__file__).parents[1] / "data" / "ir"
FILES = [path for name in CASES for path in sorted(FOLDER.glob(f"{name}.*.tt*ir"))]

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def kernels(level: str) -> set[str]:
    return {path.name.split(".")[0] for path in FILES if path.suffix == level}


def test_kernels_at_both_levels():
    assert kernels(".ttir") | kernels(".ttgir") == set(CASES)
    assert len(kernels(".ttir") & kernels(".ttgir")) >= 90


@pytest.mark.parametrize("path", every(5, FILES), ids=lambda path: path.name)
def test_kernel(path):
    name = path.name.split(".")[0]
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context(), ir.Location.unknown():
        interpret(ir.Module.parse(path.read_text()), case.grid, case.args, **case.options)
    for position, wanted in case.wanted.items():
        found = case.args[position]
        found = found.data if isinstance(found, TensorDescriptor) else found
        if found.dtype.kind in "iub":
            np.testing.assert_array_equal(found, wanted.reshape(found.shape), err_msg=f"argument {position}")
        else:
            found, wanted = found.astype(float), np.asarray(wanted).astype(float).reshape(found.shape)
            np.testing.assert_allclose(found, wanted, case.tolerance, case.tolerance, err_msg=f"argument {position}")
