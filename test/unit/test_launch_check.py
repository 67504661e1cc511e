"""Passes checked on the arguments of a live kernel; no GPU is needed to warm kernels up."""

import re

import ml_dtypes
import numpy as np
import pytest
from mlir import ir

import ttkit
import ttkit.language as tl
from ttkit import pipelines
from ttkit.dialects import arith
from ttkit.inspection import collect
from ttkit.passes.infra import remark
from ttkit.runtime.mock_tensors import MockTensor
from ttkit.tracing.recorder import recording

pytestmark = pytest.mark.usefixtures("for_hopper")


@ttkit.jit
def add_up(x, out, n, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    value = tl.load(x + index, mask=index < n, other=0.0)
    tl.store(out + index, value + 3.0, mask=index < n)


@ttkit.jit
def scaled(items, out, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(out + index, tl.load(items[0] + index) * items[1])


@ttkit.jit
def functions_of_16_bits(x, out, N: tl.constexpr):
    index = tl.arange(0, N)
    value = tl.load(x + index)
    results = (value.exp(), value.exp2(), value.log(), value.log2(), value.sin(), value.cos(), value.sqrt(),
               value.rsqrt(), value.erf(), value.floor(), value.ceil())  # fmt: skip
    for row in tl.static_range(len(results)):
        tl.store(out + row * N + index, results[row])


class SumsBecomeProducts(ttkit.Pass):
    """Be wrong."""

    name = "live-wrong"

    def run(self, op):
        for add in collect(op, ["arith.addf"]):
            with ir.InsertionPoint(add), add.location:
                add.results[0].replace_all_uses_with(arith.mulf(*add.operands))
            add.erase()


class Harmless(ttkit.Pass):
    """Say something."""

    name = "live-harmless"

    def run(self, op):
        remark(op, "here")


def arguments(n=200):
    return np.arange(n, dtype=np.float32), np.zeros(n, np.float32), n


def test_passes_that_keep_the_result():
    with pipelines.checked() as checking:
        add_up.warmup(*arguments(), grid=(2,), N=128)
    (found,) = checking.launches
    assert found.kernel == "add_up"
    assert found.skipped == []
    assert "tritongpu-coalesce" in found.passes


@pytest.mark.parametrize("type", [np.float16, ml_dtypes.bfloat16])
def test_methods_of_16_bits_at_all_levels(type):
    x, out = np.linspace(-2, 9, 128).astype(type), np.zeros((11, 128), type)
    with pipelines.checked() as checking:
        kernel = functions_of_16_bits.warmup(x, out, grid=(1,), N=128)
    (found,) = checking.launches
    assert found.skipped == [] and "convert-triton-gpu-to-llvm" in found.passes
    assert len(re.findall(r"= math\.\w+ %\w+ : tensor<128xb?f16>", kernel.asm["ttir"])) == 11


def test_the_pass_that_changes_the_result_is_named_with_the_launch():
    with (
        pipelines.insert_after("tritongpu-coalesce", [Harmless, SumsBecomeProducts, "cse"]),
        pipelines.checked(),
        pytest.raises(ttkit.PassChangedResult, match="pass 'live-wrong' changes what @add_up does: out") as raised,
    ):
        add_up.warmup(*arguments(), grid=lambda meta: (-(-meta["n"] // meta["N"]),), N=128)
    assert "grid (2, 1, 1)" in raised.value.message
    assert "n = 200" in raised.value.message or "n as given" in raised.value.message


def test_every_launch_is_checked_and_nothing_outside_of_the_block():
    with pipelines.checked() as checking:
        for _ in range(2):
            add_up.warmup(*arguments(64), grid=(1,), N=128)
    add_up.warmup(*arguments(64), grid=(1,), N=128)
    assert len(checking.launches) == 2


def test_some_programs_stand_for_all():
    with pipelines.checked(programs=2) as checking:
        add_up.warmup(*arguments(128 * 40), grid=(40,), N=128)
    assert checking.launches[0].skipped == []
    with pytest.raises(ValueError, match="programs is 0"), pipelines.checked(programs=0):
        pass


def test_arguments_stay_as_they_are():
    x, out, n = arguments()
    with pipelines.checked():
        add_up.warmup(x, out, n, grid=(2,), N=128)
    assert not out.any() and x[5] == 5


def test_views_and_tuples():
    base = np.arange(256, dtype=np.float32)
    with pipelines.checked() as checking:
        scaled.warmup((base[64:], 2.5), np.zeros(128, np.float32), grid=(1,), N=128)
    assert checking.launches[0].skipped == []


def test_a_launch_that_the_interpreter_refuses_is_not_checked():
    x, _, n = arguments()
    with pipelines.checked() as checking, pytest.warns(UserWarning, match="is not checked: .*out"):
        add_up.warmup(x, np.zeros(8, np.float32), n, grid=(2,), N=128)
    assert checking.launches[0].passes == []
    with pipelines.checked() as checking, pytest.warns(UserWarning, match="which has no copy on the host"):
        add_up.warmup(MockTensor(tl.float32), MockTensor(tl.float32), 5, grid=(1,), N=128)


def test_the_environment_asks_for_new_kernels(monkeypatch):
    monkeypatch.setenv("TTKIT_CHECK_PASSES", "1")
    with pipelines.insert_after("ttkit-ttgir", SumsBecomeProducts), pytest.raises(ttkit.PassChangedResult):
        add_up.warmup(*arguments(96), grid=(1,), N=32)


def test_the_environment_asks_for_proofs(monkeypatch, capsys):
    monkeypatch.setenv("TTKIT_PROVE_PASSES", "1")
    with recording() as recorder:
        add_up.warmup(*arguments(), N=64, grid=(4,))
    said = capsys.readouterr().err
    assert re.search(r"TTKIT_PROVE_PASSES: add_up: \d+ proved, 0 refuted, 0 open", said)
    (kernel,) = recorder.finish()
    proofs = {one.name: one.proof for stage in kernel.stages for one in stage.passes if one.text is not None}
    assert proofs["convert-triton-to-tritongpu"] == "@add_up: proved"
    with pipelines.insert_after("ttkit-ttgir", SumsBecomeProducts), pytest.raises(ttkit.PassChangedResult) as found:
        add_up.warmup(*arguments(96), grid=(1,), N=32)
    assert "pass 'live-wrong' is refuted: program (0, 0, 0): " in found.value.message
    assert "live-wrong: @add_up: refuted" in capsys.readouterr().err
    monkeypatch.delenv("TTKIT_PROVE_PASSES")
    add_up.warmup(*arguments(), N=128, grid=(4,))
    assert "TTKIT_PROVE_PASSES" not in capsys.readouterr().err


def test_a_trace_shows_what_was_found():
    with recording() as recorder, pipelines.checked():
        add_up.warmup(*arguments(), N=64, grid=(4,))
    (kernel,) = recorder.finish()
    checks = {one.name: one.check for stage in kernel.stages for one in stage.passes}
    assert checks["convert-triton-to-tritongpu"] == "same results" and checks["triton-combine"] == ""


def test_a_trace_shows_the_pass_that_was_wrong():
    pipelines.insert_after("triton-combine", SumsBecomeProducts)
    with recording() as recorder, pipelines.checked(), pytest.raises(ttkit.PassChangedResult):
        add_up.warmup(*arguments(), N=64, grid=(4,))
    (kernel,) = recorder.finish()
    (stage,) = kernel.stages
    (wrong,) = stage.passes
    assert wrong.name == "live-wrong" and wrong.check == kernel.error and "out[" in wrong.check
    assert "arith.addf" in stage.text and "arith.mulf" in (wrong.text or "")
