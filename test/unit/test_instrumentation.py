"""`triton._instrumentation`: callbacks that add passes to every compilation."""

import re

import pytest

import ttkit
import ttkit.language as tl
from ttkit import compat, knobs
from ttkit.compat.instrumentation import instrument, is_enabled, register_instrumentation, unregister_instrumentation
from ttkit.compat.pass_bindings import common
from ttkit.frontend.source import ASTSource
from ttkit.options import CompileOptions

POINTS = {
    "ttgpuir-to-llvmir": ("allocate-shared-memory-nv", "convert-triton-gpu-to-llvm"),
    "llvmir-to-llvm": ("convert-triton-gpu-to-llvm", "convert-nv-gpu-to-llvm"),
}


@ttkit.jit
def fill(out, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), 1.0)


def compiled(capfd):
    """The names of the passes that a compilation runs."""
    with knobs.inspection.scope():
        knobs.inspection.dump_passes = True
        ttkit.compile(ASTSource(fill, {"out": "*fp32", "N": "constexpr"}, {"N": 64}), ttkit.GPUTarget("cuda", 90, 32))
    return re.findall(r"^// -----// IR Dump Before \w+ \(([\w-]+)\)", capfd.readouterr().err, re.MULTILINE)


@pytest.fixture(autouse=True)
def clean():
    yield
    for point in (*POINTS, "load-dialects"):
        for backend in ("nvidia", "amd"):
            unregister_instrumentation(point=point, backend=backend)


@pytest.mark.parametrize("point", POINTS)
def test_passes_run_at_their_point(point, capfd):
    before = compiled(capfd)

    def adds(manager):
        common.add_licm(manager)
        manager.passes.append("sccp")

    register_instrumentation(point=point, backend="nvidia", callback=adds)
    found = compiled(capfd)
    first, last = (found.index(name) for name in POINTS[point])
    assert found[first:last].count("loop-invariant-code-motion") == 1
    assert "sccp" in found[found.index("loop-invariant-code-motion") : last]
    unregister_instrumentation(point=point, backend="nvidia")
    assert compiled(capfd) == before


def test_callbacks_of_other_backends_are_kept():
    asked = []
    register_instrumentation(point="llvmir-to-llvm", backend="amd", callback=asked.append)
    assert asked == []
    assert instrument("pm", point="llvmir-to-llvm", backend="amd") and asked == ["pm"]
    assert not instrument("pm", point="llvmir-to-llvm", backend="nvidia")


def test_what_is_refused(capsys):
    with pytest.raises(ValueError, match="there is no point 'ttir'; use one of ttgpuir-to-llvmir, llvmir-to-llvm"):
        register_instrumentation(point="ttir", backend="nvidia", callback=print)
    register_instrumentation(point="llvmir-to-llvm", backend="nvidia", callback=lambda manager: None)
    with pytest.raises(RuntimeError, match="already registered"):
        register_instrumentation(point="llvmir-to-llvm", backend="nvidia", callback=print)
    with pytest.raises(ValueError, match="no-such-pass"):
        register_instrumentation(
            point="ttgpuir-to-llvmir", backend="nvidia", callback=lambda manager: manager.passes.append("no-such-pass")
        )
    register_instrumentation(point="load-dialects", backend="nvidia", callback=print)
    assert "every context has all dialects" in capsys.readouterr().err


def test_modes_of_options():
    assert is_enabled({"instrumentation_mode": "consan, proton"}, "proton")
    assert is_enabled(CompileOptions.for_capability(90, instrumentation_mode="proton"), "proton")
    assert not is_enabled(None, "proton") and not is_enabled({}, "proton")


def test_by_tritons_name():
    compat.install()
    try:
        from triton._instrumentation import register_instrumentation as found
    finally:
        compat.uninstall()
    assert found is register_instrumentation
