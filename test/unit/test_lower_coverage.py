"""Every operation that a kernel may hold has a lowering, or a reason why not; and kernels assemble for every target."""

import importlib.util
from pathlib import Path

import pytest
from building import operations_of

import ttkit
from ttkit.compiler.levels import make_cubin, make_llir, make_ptx
from ttkit.options import CompileOptions
from ttkit.passes.infra import PassError
from ttkit.passes.lower.registry import FAMILIES, WITHOUT_LOWERING, handlers

ROOT = Path(__file__).resolve().parents[2]
IR = ROOT / "test" / "data" / "ir"
DIALECTS = {
    **{name: f"ttkit.dialects._{name}_ops" for name in ("tt", "ttg", "ttng")},
    **{name: f"ttkit.dialects._{name}_ops" for name in ("arith", "math", "cf", "ub")},
}
CAPABILITIES = (75, 80, 86, 89, 90, 100, 120)
# Kernels that have operations of most families, each on a few targets; --all-targets takes all of both.
SAMPLE = {
    "axis_reductions.90": (75, 120),
    "bit_patterns.90": (80,),
    "counts.90": (86,),
    "descriptor_ranks.90": (90, 100),
    "diagnostics.90": (75,),
    "fp4_unpacking.90": (75, 89),
    "gathers.90": (100,),
    "library_functions.90": (120,),
    "mapped.80": (80,),
    "mbarrier_ring.90": (90, 120),
    "narrow_floats.90": (75, 90),
    "scans.90": (89,),
    "shared_views.90": (86, 100),
    "spin_lock.90": (75,),
    "warp_roles.90": (90, 100, 120),
}


def compile_for(path: Path, capability: int) -> None:
    """From ttg to a cubin.

    Raises:
        PassError: it has no lowering for this target.
    """
    options = CompileOptions.for_capability(capability)
    with ttkit.Context(), make_llir(ttkit.parse(path.read_text()), {}, options) as module:
        assert make_cubin(make_ptx(module, {}, options, capability), {}, options, capability)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_has_a_lowering_or_a_reason(dialect):
    missing = {name for name in operations_of(DIALECTS[dialect]) if name not in handlers()}
    reasons = {name for name in WITHOUT_LOWERING if name.startswith(f"{dialect}.")}
    advice = "give a lowering, @lowers(name) in passes/lower/<family>.py, or a reason in its registry.py"
    assert missing == reasons, f"{sorted(missing ^ reasons)}: {advice}"


def test_no_reason_for_what_has_a_lowering():
    assert not handlers().keys() & WITHOUT_LOWERING.keys()
    assert all(WITHOUT_LOWERING.values())


# Families whose handler only chooses among modules.
PARTS = {
    "arith": ("arith", "counter_comparison"),
    "async_store": ("async_store", "thread_assembly"),
    "dot": ("dot_fma", "mma", "mma_scaled"),
    "mbarrier": ("mbarrier", "mbarrier_ampere"),
    "tma": ("tma", "store_wait", "tma_to_cta"),
    "warp_specialize": ("warp_specialize", "equal_partitions"),
}


def test_every_family_has_a_lit_test():
    parts = [part for family in FAMILIES for part in PARTS.get(family, (family,))]
    assert sorted(path.stem for path in (ROOT / "test" / "lit" / "lower").glob("*.mlir")) == sorted(parts)


def pytest_generate_tests(metafunc):
    if "kernel" not in metafunc.fixturenames:
        return
    cases = [(kernel, capability) for kernel, capabilities in SAMPLE.items() for capability in capabilities]
    if metafunc.config.getoption("--all-targets"):
        names = sorted(path.name.removesuffix(".ttgir") for path in IR.glob("*.[89]0.ttgir"))
        cases = [(kernel, capability) for kernel in names for capability in CAPABILITIES]
    metafunc.parametrize("kernel, capability", cases)


@pytest.mark.skipif(importlib.util.find_spec("nvidia") is None, reason="needs ptxas of the nvidia-cuda-nvcc wheel")
def test_kernels_assemble(kernel, capability):
    """What has a lowering assembles; with --all-targets what has none says why."""
    try:
        compile_for(IR / f"{kernel}.ttgir", capability)
    except PassError as error:
        if capability in SAMPLE.get(kernel, ()):
            raise
        assert "can't lower '" in str(error)
        assert ";" in str(error) or "need sm_" in str(error), "no remedy"
