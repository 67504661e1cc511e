"""On real kernels, in tt and in ttg, correct passes raise no alarm, and broken ones are named."""

import re
from pathlib import Path

import numpy as np
import pytest
from sweeps import every

import ttkit
from ttkit.interpreter.check import check_passes, generated_inputs
from ttkit.interpreter.check.check_passes import may_change
from ttkit.interpreter.check.generated_inputs import find_inputs
from ttkit.interpreter.check.pipelines import CheckReport
from ttkit.interpreter.decode import decode_module

FOLDER = Path(__file__).parents[1] / "data" / "ir"
FILES = sorted(FOLDER.glob("*.tt*ir"))
PIPELINE = (
    "inline,canonicalize,triton-combine,triton-reorder-broadcast,cse,loop-invariant-code-motion,sccp,canonicalize,"
    "symbol-dce"
)
UNDEFINED = {
    "assembly": "inline assembly reads %clock",
    "bit_patterns": "at offset 1 of buffer 'arg0', which is not a multiple of 4",
    "cluster_tiles": "deadlock: .* 8192 bytes are missing",
    "copy_to_tensor_memory": "where nothing has written",
    "mbarrier_ring": "2 arrivals at a barrier whose phase waits for 1 only",
    "pointers_of_pointers": "address .* is in no buffer",
    "tensor_memory_matmul": "deadlock: .* 1 arrivals and 0 bytes are missing",
    "tensor_memory_scaled": "where nothing has written",
    "warpgroup_product": "overwrites .* while the ttng.warp_group_dot .* still reads it",
}
"""Kernels of the corpus that have no defined result, on generated inputs or at all: they are there for their syntax."""


def kernel(path: Path) -> str:
    return path.name.split(".")[0]


def check(path: Path, pipeline: str, runs: int = 1) -> CheckReport:
    with ttkit.Context():
        return ttkit.check_passes(ttkit.parse(path.read_text()), pipeline, runs=runs)


def test_there_are_kernels_at_both_levels():
    levels = ({kernel(path) for path in FILES if path.suffix == suffix} for suffix in (".ttir", ".ttgir"))
    assert len(set.intersection(*levels) - UNDEFINED.keys()) >= 40


@pytest.mark.parametrize(
    "path", every(12, [path for path in FILES if kernel(path) not in UNDEFINED]), ids=lambda path: path.name
)
def test_correct_passes_raise_no_alarm(path):
    assert not check(path, PIPELINE).skipped


@pytest.mark.parametrize("path", [path for path in FILES if kernel(path) in UNDEFINED], ids=lambda path: path.name)
def test_kernels_without_a_defined_result_are_named(path):
    (reason,) = check(path, "canonicalize").skipped
    assert re.search(UNDEFINED[kernel(path)], reason, re.DOTALL)


def test_a_product_of_tf32_may_round_otherwise_where_it_gets_a_layout():
    """Fused multiply-adds come first, which do not round operands."""
    assert not check(FOLDER / "matmul_tf32.90.ttir", "convert-triton-to-tritongpu{target=cuda:90 num-warps=4}").skipped


def test_scales_of_products_are_small_powers_of_two():
    """Others overflow, and where they do so depends on how a product is computed."""
    with ttkit.Context():
        module = decode_module(ttkit.parse((FOLDER / "scaled_matmul.100.ttir").read_text()))
        (kernel,) = module.functions.values()
        inputs = find_inputs(module, kernel, 0, [], (1, 1, 1))
    assert inputs.scales == {1, 3}
    for position in inputs.scales:
        scales = inputs.contents(position, np.dtype(np.int8), 1000)
        assert scales.min() >= 120 and scales.max() < 135


def test_the_run_that_looks_for_races_is_what_others_are_compared_with(monkeypatch):
    """It is not repeated: a pass that changes nothing leaves nothing to run."""
    runs = []
    monkeypatch.setattr(check_passes, "run", lambda *args, **kw: runs.append(args) or generated_inputs.run(*args, **kw))
    assert not check(FOLDER / "row_softmax.90.ttir", "symbol-dce").skipped
    assert not runs


def test_a_sum_of_zeros_may_change_its_sign():
    """0 + -0 is 0, and -0 where a product leaves out the zero."""
    assert may_change("tritongpu-optimize-accumulator-init") == "the sign of sums that are zero"


@pytest.mark.parametrize("name", ["nvgpu-warp-specialization", "nvgpu-test-ws-data-partition"])
def test_slices_of_products_may_round_otherwise(name):
    """numpy may sum the rows of a slice in another order than those of the whole."""
    with ttkit.Context():
        assert may_change(name) == "the order of floating-point sums"


def test_passes_may_change_the_blocks_of_a_descriptor():
    """The array that it describes stays as it is."""

    def decoded(rows: int):
        block = f"tensor<{rows}x64xf16>"
        return decode_module(
            ttkit.parse(f"""tt.func @f(%d: !tt.tensordesc<{block}>) {{
              %c0 = arith.constant 0 : i32
              %x = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<{block}> -> {block}
              tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<{block}>, {block}
              tt.return }}""")
        )

    with ttkit.Context():
        before, after = decoded(64), decoded(32)
        inputs = find_inputs(before, before.functions["f"], 0, [])
        sizes = [
            generated_inputs.run(module, module.functions["f"], inputs).buffers["arg0"].size
            for module in (before, after)
        ]
    assert sizes[0] == sizes[1] == 128 * 128


def test_lowered_code_with_tensors_as_arguments_is_not_checked():
    """Each thread takes its part of one; the whole tensor is no argument of it."""
    layout = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
    machine = '"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32'
    text = f"""module attributes {{{machine}}} {{
      tt.func @f(%x: tensor<256xf16, {layout}>, %out: tensor<256x!tt.ptr<f16>, {layout}>) {{
        tt.store %out, %x : tensor<256x!tt.ptr<f16>, {layout}>
        tt.return }} }}"""
    with ttkit.Context():
        report = ttkit.check_passes(ttkit.parse(text), "ttkit-llir{capability=90}", runs=1)
    assert "lowered code takes divided among the threads" in str(report.skipped)


BROKEN = (
    (
        "drop-mask",
        "scale_and_shift.80.ttir",
        "it fails after the pass and not before it: tt.store: writes 4 bytes at",
    ),
    (
        "drop-mask",
        "scale_and_shift.80.ttgir",
        "it fails after the pass and not before it: tt.store: writes 4 bytes at",
    ),
    ("swap-operands", "row_softmax.90.ttir", r"arg1\[0\] is"),
    ("swap-operands", "row_softmax.90.ttgir", r"arg1\[0\] is"),
    ("shift-index", "row_softmax.90.ttir", r"arg1\[0\] is"),
    ("shift-index", "layer_norm.80.ttgir", r"arg1\[0\] is"),
    ("swap-factors", "batched_matmul.90.ttir", "arg2"),
    ("drop-async-wait", "asynchronous_copies.80.ttgir", r"ttg.local_load: reads .* has been waited for"),
    ("drop-async-wait", "matmul_f16.80.ttgir", r"ttg.local_load: reads .* has been waited for"),
    ("drop-async-wait", "matmul_tf32.90.ttgir", r"has been waited for"),
    ("drop-barrier-wait", "warp_roles.90.ttgir", r"nothing has written|has been waited for|still (reads|writes) it"),
    ("drop-barrier-wait", "descriptor_matmul.90.ttgir", r"before the ttng.async_tma_copy_global_to_local"),
    ("drop-barrier-wait", "attention.100.remove-tmem-tokens.ttgir", r"before the ttng.tc_gen5_mma at"),
    ("drop-product-wait", "matmul_tf32.90.ttgir", r"uses the result of the ttng.warp_group_dot|still reads it"),
    ("drop-product-wait", "attention.90.ttgir", r"uses the result of the ttng.warp_group_dot|still reads it"),
    ("wrong-slot", "matmul_f16.80.ttgir", r"has been waited for|is .* before and .* after"),
    ("wrong-slot", "descriptor_matmul.90.ttgir", r"still writes it"),
    ("wrong-slot", "persistent_matmul.90.ttgir", r"still writes it"),
)


@pytest.mark.parametrize(("name", "file", "difference"), BROKEN, ids=[f"{n}:{f}" for n, f, _ in BROKEN])
def test_broken_passes_are_named(broken_passes, name, file, difference):
    """Between correct ones that change the IR too."""
    with pytest.raises(ttkit.PassChangedResult, match=difference) as found:
        check(FOLDER / file, f"canonicalize,cse,{name},canonicalize", runs=3)
    assert found.value.pass_name == name
    assert f"pass '{name}' changes what @" in str(found.value)
