"""Every operation that a kernel may hold has a lowering, or a reason why not; and kernels assemble for every target."""

import importlib
from pathlib import Path

import pytest

import ttkit
from ttkit.compiler.llvm import Module
from ttkit.compiler.ptxas import assemble, libdevice_path
from ttkit.compiler.target import Target
from ttkit.passes.infra import PassError
from ttkit.passes.lower.registry import FAMILIES, WITHOUT_LOWERING, handlers

ROOT = Path(__file__).resolve().parents[2]
IR = ROOT / "test" / "data" / "ir"
DIALECTS = {
    **{name: f"ttkit.dialects._{name}_ops_gen" for name in ("tt", "ttg", "ttng")},
    **{name: f"mlir.dialects._{name}_ops_gen" for name in ("arith", "math", "cf", "ub")},
}
CAPABILITIES = (75, 80, 86, 89, 90, 100, 120)
SAMPLE = {
    # A kernel for each family of operations, and the first capability that has them.
    "abs_and_round": 75, "add": 75, "atomics": 80, "histogram": 75, "layer_norm": 75, "softmax": 75, "cumulative_sums": 75,
}  # fmt: skip


def operations(module: str) -> list[str]:
    return sorted(
        item.OPERATION_NAME
        for item in vars(importlib.import_module(module)).values()
        if isinstance(item, type) and hasattr(item, "OPERATION_NAME")
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_has_a_lowering_or_a_reason(dialect):
    missing = {name for name in operations(DIALECTS[dialect]) if name not in handlers()}
    assert missing == {name for name in WITHOUT_LOWERING if name.startswith(f"{dialect}.")}


def test_no_reason_for_what_has_a_lowering():
    assert not handlers().keys() & WITHOUT_LOWERING.keys()
    assert all(WITHOUT_LOWERING.values())


def test_every_family_has_a_lit_test():
    assert {path.stem for path in (ROOT / "test" / "lit" / "lower").glob("*.mlir")} == set(FAMILIES)
