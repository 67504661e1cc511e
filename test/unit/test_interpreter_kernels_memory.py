"""Whole kernels with matrix products, blocks and atomics, and kernels in ttg, give numpy's results."""

from pathlib import Path

import numpy as np
import pytest
from interpreter_kernels_memory import CASES
from mlir import ir

import ttkit
from ttkit.interpreter import TensorDescriptor, interpret

FOLDER = Path(__file__).parents[1] / "data" / "ir"
FILES = [path for name in CASES for path in sorted(FOLDER.glob(f"{name}.*.tt*ir"))]

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def parse(path: Path) -> ir.Module:
    """The module of a file; skips the test where this build lacks its operations."""
    context = ir.Context.current
    if path.suffix == ".ttgir" and not context.is_registered_operation("ttng.warp_group_dot"):
        pytest.skip("a build without the operations of ttg")
    return ir.Module.parse(path.read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_kernel(path):
    name = path.name.split(".")[0]
    case = CASES[name](np.random.default_rng(20), name)
    with ttkit.Context(), ir.Location.unknown():
        interpret(parse(path), case.grid, case.args, **case.options)
    for position, wanted in case.wanted.items():
        found = case.args[position]
        found = found.data if isinstance(found, TensorDescriptor) else found
        if found.dtype.kind in "iub":
            np.testing.assert_array_equal(found, wanted.reshape(found.shape), err_msg=f"argument {position}")
        else:
            found, wanted = found.astype(float), np.asarray(wanted).astype(float).reshape(found.shape)
            np.testing.assert_allclose(found, wanted, case.tolerance, case.tolerance, err_msg=f"argument {position}")
