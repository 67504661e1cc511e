"""Configurations ranked before they are compiled, and tuning with those that are kept."""

import json
from dataclasses import replace

import numpy as np
import pytest
from kernels_to_tune import increment, quick, scaled

from ttkit.analysis.program_work import Work
from ttkit.autotuning import Config, autotune, choosing, heuristics
from ttkit.autotuning.prediction import FILE, Forest, Launch, compared, facts_of, fitted, ranked
from ttkit.compiler.compilation import Compilation
from ttkit.context import Context, parse_text
from ttkit.cuda.device import DeviceArray
from ttkit.options import CompileOptions
from ttkit.runtime.tensor_descriptor import TensorDescriptor

WORK = Work(loaded=1e6, stored=1e4, requests=100, instructions=1000, iterations=16, trips=16, live=65536)
WORK = replace(WORK, slots=32768, direct=32768)  # bytes that a loop loads ahead


def facts(work=WORK, warps=4, stages=3, programs=1024, capability=90):
    return facts_of(work, Launch(warps, stages, programs), capability, 132)


def test_facts():
    """Ratios are differences; slots take shared memory, and so limit what runs at once."""
    few, many = facts(stages=2), facts(stages=6)
    assert many["shared"] - few["shared"] == pytest.approx(np.log2(3), abs=1e-3)
    assert many["at_once"] < few["at_once"] and many["waves"] > few["waves"]
    assert facts(programs=2048)["programs"] - facts()["programs"] == pytest.approx(1, abs=1e-3)
    assert facts(replace(WORK, loaded=2e6))["estimate"] > facts()["estimate"]
    assert facts(capability=89)["at_once"] <= facts()["at_once"]
    with_registers = facts_of(replace(WORK, live=1 << 18), Launch(4, 1, 64, registers=64), 90, 132)
    assert with_registers["registers"] == pytest.approx(6, abs=0.01)


def test_what_the_estimate_waits_for():
    """Functions of libdevice, one after the other in each thread; loads, of which few are on their way."""
    calls = [facts(replace(WORK, calls=64.0 / warps), warps=warps, programs=16) for warps in (1, 8)]
    assert calls[0]["cycles_latency"] > calls[1]["cycles_latency"] > facts()["cycles_latency"]
    small = replace(WORK, slots=1024, loaded=16 * 1024)
    few, many = (facts(small, stages=stages, programs=64) for stages in (2, 4))
    assert few["in_flight"] < many["in_flight"] and few["cycles_memory"] > many["cycles_memory"]


def test_programs_one_after_the_other():
    """Three programs of a multiprocessor that holds two: two at once, and one alone, which takes less."""
    two, three, four = (facts(programs=132 * count) for count in (2, 3, 4))
    assert 2 ** two["at_once"] == pytest.approx(2, abs=0.01)
    assert two["estimate"] < three["estimate"] < four["estimate"] == pytest.approx(two["estimate"] + 1)


def test_registers_that_do_not_fit():
    large = replace(WORK, live=4 * 32 * 4 * 600.0, instructions=4000)
    assert facts(large)["cycles_spills"] > facts()["cycles_spills"] == pytest.approx(np.log2(1e-3))
    assert facts(large, warps=16)["cycles_spills"] == pytest.approx(np.log2(1e-3))


def test_loads_without_a_second_slot():
    """Dots wait for them."""
    work = replace(WORK, flops=1e8)
    assert facts(work, stages=1)["cycles_latency"] > facts(work, stages=2)["cycles_latency"]
    assert facts(stages=1)["shared"] == facts(replace(WORK, slots=0, direct=0, operands=32768))["shared"]


def test_groups_that_divide_a_loop():
    """Two groups hold the accumulators of a program with 4 warps, and a third one loads."""
    work = replace(WORK, flops=1e8, accumulated=128 * 256 * 4, live=128 * 256 * 4)
    plain, divided = (facts_of(work, Launch(4, 3, 1024, divides=given), 90, 132) for given in (False, True))
    assert plain["cycles_spills"] > divided["cycles_spills"] and plain["divides"] < divided["divides"]
    assert 2 ** divided["at_once"] == pytest.approx(1, abs=0.01)


PRODUCT = """
tt.func public @product(%a: !tt.tensordesc<tensor<128x64xf16>>, %b: !tt.tensordesc<tensor<64x256xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<128x256xf32>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x256xf32>) : i32 {
    %x = tt.descriptor_load %a[%zero, %i] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %y = tt.descriptor_load %b[%i, %zero] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
    %d = tt.dot %x, %y, %acc : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  tt.return
}
"""


@pytest.mark.parametrize(
    ("capability", "options", "divides"),
    [(90, {}, True), (90, {"num_warps": 8}, False), (90, {"maxnreg": 128}, False), (80, {}, False)],
)
def test_the_compiler_says_whether_groups_divide_a_loop(capability, options, divides):
    parsed = CompileOptions.for_capability(capability, **options)
    with Context() as context:
        launch = choosing.launch_of(parse_text(f"module {{{PRODUCT}}}", context), parsed, 64)
    assert launch == Launch(parsed.num_warps, parsed.num_stages, 64, parsed.maxnreg, divides)


def test_ranking_by_trees():
    found = [facts(warps=warps) for warps in (1, 2, 4, 8)]
    tree = [["warps", 1.5, 1, 2], ["warps:", -1.0, 3, 4], 0.5, 0.25, -0.25]
    assert ranked(found, Forest([tree, [0.0]])) == [1, 0, 2, 3]
    assert ranked(found[:1]) == [0]
    assert [one["warps:"] for one in compared(found)] == pytest.approx([-1.5, -0.5, 0.5, 1.5], abs=0.01)
    assert [one["warps<"] for one in compared(found)] == pytest.approx([0, 1, 2, 3], abs=0.01)
    assert [one["warps>"] for one in compared(found)] == pytest.approx([-3, -2, -1, 0], abs=0.01)


def test_without_trees_the_estimate_ranks():
    found = [facts(replace(WORK, loaded=size)) for size in (3e6, 1e6, 2e6)]
    assert ranked(found, Forest([])) == [1, 2, 0]


def test_the_trees_of_this_version():
    """They ask for facts that there are."""
    known = compared([facts(), facts(warps=8)])[0]
    for tree in json.loads(FILE.read_text())["trees"]:
        assert all(node[0] in known for node in tree if isinstance(node, list))
    assert isinstance(fitted().value(known), float | int)


# --- tuning -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    for kernel in (increment, scaled):
        kernel.launches.device_caches.clear()


@pytest.fixture
def by_warps(monkeypatch):
    """Few warps are predicted to be fast."""
    monkeypatch.setattr(choosing, "ranked", lambda facts: sorted(range(len(facts)), key=lambda n: facts[n]["warps"]))


def configs(*warps, **kwargs):
    return [Config({"BLOCK": 128, **kwargs}, num_warps=count) for count in warps]


def array():
    return DeviceArray(np.zeros(1000, np.float32))


@pytest.mark.parametrize(("prune", "kept"), [(2, [2, 1]), (0.25, [1]), (0.3, [2, 1]), (9, [4, 2, 1, 8])])
def test_only_some_are_compiled(gpu, cache, by_warps, prune, kept, monkeypatch):
    compiled = []
    run = Compilation.run

    def noted(self, *given):
        if self.until == "cubin":
            compiled.append(self.options.num_warps)
        return run(self, *given)

    monkeypatch.setattr(Compilation, "run", noted)
    tuner = autotune(configs(4, 2, 1, 8), key=["n"], do_bench=quick, prune=prune, jobs=1)(increment)
    tuner[lambda given: (1000 // given["BLOCK"] + 1,)](array(), 1000)
    assert [config.num_warps for config in tuner.configs_timings] == kept
    assert tuner.best_config.num_warps == 1 and (len(kept) == 4 or compiled == kept)


def test_the_variable(gpu, cache, by_warps, monkeypatch):
    monkeypatch.setenv("TTKIT_AUTOTUNING_PRUNE", "1")
    tuner = autotune(configs(4, 2), key=["n"], do_bench=quick)(increment)
    tuner[(8,)](array(), 1000)
    assert [config.num_warps for config in tuner.configs_timings] == [2]


def test_what_the_front_end_refuses_is_left_out_first(gpu, cache, by_warps):
    found = [*configs(1, BLOCK=64), *configs(2, 4)]
    tuner = autotune(found, key=["n"], do_bench=quick, prune=2)(increment)
    tuner[(8,)](array(), 1000)
    assert list(tuner.configs_timings) == found[1:] and not tuner.skipped


def test_if_nothing_is_known_all_are_tried(gpu, cache, capsys):
    found = configs(1, 2, BLOCK=64)
    tuner = autotune(found, key=["n"], do_bench=quick, prune=1)(increment)
    with pytest.raises(Exception, match="BLOCK must not be 64"):
        tuner[(8,)](array(), 1000)
    assert "no configuration of increment is left out: nothing can be predicted" in capsys.readouterr().err


def test_below_heuristics(gpu, cache, by_warps):
    kernel = heuristics({"EVEN": lambda given: True})(scaled)
    tuner = autotune(configs(4, 1), key=[], do_bench=quick, prune=1)(kernel)
    tuner[(8,)](array(), array(), 2.0)
    assert tuner.best_config.num_warps == 1


def test_numbers_among_arguments(gpu):
    described = TensorDescriptor(array(), [80, 10], [12, 1], [16, 16])
    kinds = ["*fp32", "i32", "constexpr", ("fp32", "constexpr"), "tensordesc<fp32[16,16]>", "u1"]
    values = [array(), 7, 3, (2.5, 1), described, True]
    assert choosing.numbers_of(kinds, values) == [None, 7, 2.5, None, 80, 10, 12, 1, True]


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "10", True])
def test_numbers_that_are_none(wrong):
    with pytest.raises((TypeError, ValueError), match="prune is a number of configurations"):
        autotune(configs(1, 2), key=[], prune=wrong)(increment)


def test_what_is_loaded_again():
    """It is near if it fits into the first cache with the programs that run at once, else in that of the GPU."""
    work = replace(WORK, slots=0.0, direct=0.0, loaded=2e6, again=1e6)
    found = (facts(replace(work, kept=kept), programs=50)["cycles_memory"] for kept in (1e3, 3e5, 1e6))
    near, far, farthest = found
    assert near < far < farthest


def test_atomics_on_one_address():
    assert facts(replace(WORK, rivals=1e6))["estimate"] == pytest.approx(np.log2(8e7))
    assert facts(replace(WORK, atomics=1e5))["cycles_memory"] > facts()["cycles_memory"]


def test_registers_of_what_a_loop_keeps():
    work = replace(WORK, live=1e5)
    assert facts(replace(work, carried=1e5))["needed"] > facts(work)["needed"]
    assert facts(replace(work, fragments=1e5))["needed"] > facts(work)["needed"]
