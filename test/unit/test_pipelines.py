"""Stages: their options, their passes, and that MLIR knows them."""

import pytest

import ttkit
from ttkit.passes.pipelines import STAGES, Target, parse_target, pipeline_text
from ttkit.passes.registry import PIPELINES


def test_every_stage_is_registered():
    assert list(PIPELINES) == list(STAGES)


@pytest.mark.parametrize(
    ("options", "target"),
    [
        ("", Target()),
        ("capability=80", Target(capability=80)),
        ("num-warps=8 num-stages=5", Target(num_warps=8, num_stages=5)),
    ],
)
def test_options_of_a_stage(options, target):
    assert parse_target(options) == target


@pytest.mark.parametrize("options", ["capability", "capability=", "capability=-80", "capability=sm_90", "cpu=1"])
def test_options_that_make_no_target(options):
    with pytest.raises(ValueError, match="option"):
        parse_target(options)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("capability", [80, 90, 100])
def test_a_stage_runs(stage, capability, context):
    module = ttkit.parse("module {}")
    ttkit.run_passes(module, pipeline_text(stage, f"capability={capability}"))
    ttkit.run_passes(module, f"{stage}{{capability={capability}}}")


def test_descriptors_stay_where_there_is_tma():
    rewrite = "triton-rewrite-tensor-descriptor-to-pointer"
    assert [rewrite in pipeline_text("ttkit-ttir", f"capability={c}") for c in (75, 80, 89, 90, 100)] == (
        [True] * 3 + [False] * 2
    )


def test_a_wrong_option_is_a_value_error(context):
    with pytest.raises(ValueError, match="no option 'warps'"):
        ttkit.run_passes(ttkit.parse("module {}"), "ttkit-ttir{warps=4}")
