"""Regions inside of kernels: the code for them, run thread by thread, and what it wrote, read back."""

import json

import launched_kernels as kernels
import numpy as np
import pytest
from launched_kernels import Tensor
from profiled import tree

import ttkit
import ttkit.language as tl
import ttkit.profiler as proton
import ttkit.profiler.language as pl
from ttkit import knobs
from ttkit.interpreter.memory.global_memory import Memory
from ttkit.passes.stages import pipeline_text
from ttkit.profiler import instrumentation_backend, sessions
from ttkit.profiler.instrumentation_backend import mode_text
from ttkit.profiler.mode import MMA, Default
from ttkit.profiler.regions import decode, writing_warps
from ttkit.runtime import driver
from ttkit.target import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)


@ttkit.jit
def summed(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    pl.enter_scope("all")
    total = tl.zeros((BLOCK,), tl.float32)
    for _ in range(n):
        with pl.scope("load"):
            total += tl.load(x + at)
    with pl.scope("store"):
        tl.store(y + at, total)
    pl.exit_scope("all")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    summed.device_caches.clear()
    kernels.add.device_caches.clear()
    driver.reset_active()
    yield tmp_path
    sessions.finalize()


def compiled(mode=None, **options):
    source = ttkit.ASTSource(summed, {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {(3,): 128})
    text = "" if mode is None else mode_text(mode)
    return ttkit.compile(source, TARGET, {"instrumentation_mode": text, **options})


def run(kernel, monkeypatch, n=3, programs=2):
    """Runs the lowered kernel; its programs' scratch memory."""
    made = []
    add = Memory.add
    monkeypatch.setattr(Memory, "add", lambda self, buffer: made.append(add(self, buffer)) or buffer)
    mode = kernel.metadata.instrumentation_mode
    x, y = np.arange(128 * programs, dtype=np.float32), np.zeros(128 * programs, np.float32)
    options = ttkit.options.CompileOptions.parse({"instrumentation_mode": mode}, 90)
    with ttkit.Context():
        module = ttkit.parse(kernel.asm["ttgir"])
        from ttkit.passes.stages import stage_passes

        ttkit.run_passes(module, ",".join(stage_passes("ttkit-llir", options)))
        ttkit.interpret(module, programs, (x, y, n))
    assert (y == n * x).all()
    (scratch,) = (buffer for buffer in made if buffer.name == "profile scratch memory")
    return scratch.bytes.tobytes()


def test_regions_are_code_only_where_they_are_timed():
    plain, timed = compiled(), compiled(Default())
    assert "proton" not in plain.asm["ttir"] and "clock" not in plain.asm["ptx"]
    assert plain.metadata.profile_scratch_size == 0 and not hasattr(plain.metadata, "proton_scopes")
    assert timed.asm["ttir"].count("proton.record") == 6 and timed.asm["ptx"].count("%clock64") == 6
    assert timed.metadata.profile_scratch_size > timed.metadata.shared > 0
    assert timed.metadata.proton_scopes == ["all", "load", "store"] and timed.metadata.proton_parents == [-1, 0, 0]
    assert "local" not in timed.asm["ptx"]  # places in rings are registers
    short = compiled(MMA(optimizations="clock32,sched_stores"))
    assert short.asm["ptx"].count("%clock;") == 6


@pytest.mark.parametrize(
    "mode, warps",
    [
        (Default(), [0, 1, 2, 3]),
        (Default(optimizations=["clock32", "sched_stores"]), [0, 1, 2, 3]),
        (Default(granularity="warp_2"), [0, 2]),
        (Default(granularity="warp_group"), [0]),
        (Default(granularity="cta", buffer_type="global"), [0]),
        (Default(buffer_type="global"), [0, 1, 2, 3]),
        (Default(sampling_strategy="selective", sampling_options="1,3"), [1, 3]),
        (Default(sampling_strategy="selective", sampling_options="2", buffer_type="global"), [2]),
    ],
)
def test_what_lowered_kernels_write(mode, warps, monkeypatch):
    kernel = compiled(mode)
    selected = [int(text) for text in mode.sampling_options.split(",") if text]
    parts = writing_warps(4, mode.granularity.value, selected)
    assert parts == warps
    programs = decode(run(kernel, monkeypatch), kernel.metadata.profile_scratch_size, 4, parts)
    assert [program.number for program in programs] == [0, 1] and not any(program.lost for program in programs)
    for program in programs:
        assert program.ended > program.begun
        for warp in warps:
            found = [region for region in program.regions if region.warp == warp]
            assert sorted(region.scope for region in found) == [0, 1, 1, 1, 2]
            (whole,) = (region for region in found if region.scope == 0)
            inside = [region for region in found if region.scope]
            assert all(whole.start < region.start < region.end < whole.end for region in inside)
        assert {region.warp for region in program.regions} == set(warps)


def test_full_rings_keep_what_came_last(monkeypatch):
    kernel = compiled(Default(buffer_size=4 * 64, optimizations="clock32"))  # eight entries a warp
    data = run(kernel, monkeypatch, n=20)
    programs = decode(data, kernel.metadata.profile_scratch_size, 4, [0, 1, 2, 3])
    for program in programs:
        assert program.lost == 4 * (2 * 22 - 8)
        of_warp = [region for region in program.regions if region.warp == 0]
        # The beginning of "all" is gone, so its end has no partner.
        assert sorted(region.scope for region in of_warp) == [1, 1, 2]


WARP_SPECIALIZED = """
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
                   "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%x: !tt.ptr<i32>) {
    proton.record start "all"
    ttg.warp_specialize(%x)
    default {
      proton.record start "default"
      proton.record end "default"
      ttg.warp_yield
    }
    partition0(%y: !tt.ptr<i32>) num_warps(4) {
      proton.record start "partition"
      proton.record start "inside"
      proton.record end "inside"
      proton.record end "partition"
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    proton.record end "all"
    tt.return
  }
}
"""


def test_specialized_warps(monkeypatch):
    made = []
    add = Memory.add
    monkeypatch.setattr(Memory, "add", lambda self, buffer: made.append(add(self, buffer)) or buffer)
    with ttkit.Context():
        module = ttkit.parse(WARP_SPECIALIZED)
        ttkit.run_passes(module, pipeline_text("ttkit-llir"))
        attributes = module.operation.attributes
        size = attributes["ttg.profile_scratch_memory_size"].value
        names = [text.value for text in attributes["ttg.proton_scopes"]]
        ttkit.interpret(module, 1, (np.zeros(1, np.int32),))
    (scratch,) = (buffer for buffer in made if buffer.name == "profile scratch memory")
    (program,) = decode(scratch.bytes.tobytes(), size, 8, list(range(8)))
    found = {(names[region.scope], region.warp) for region in program.regions}
    assert found == {
        *(("all", warp) for warp in range(4)),
        *(("default", warp) for warp in range(4)),
        *(("partition", warp) for warp in range(4, 8)),
        *(("inside", warp) for warp in range(4, 8)),
    }


def test_clocks_that_wrap_around():
    words = np.zeros(10 + 1 + 4, "<u4")
    words[[0, 3, 10]] = 0xDEADBEEF, 16, 4
    words[11:] = [0 | 5, 0xFFFFFFF0, 1 << 31 | 6, 0x10]  # the high bits go from 5 to 6
    (program,) = decode(words.tobytes(), words.nbytes, 1, [0])
    assert [region.cycles for region in program.regions] == [0x20]
    words[[11, 13]] = 0, 1 << 31  # without high bits
    (program,) = decode(words.tobytes(), words.nbytes, 1, [0])
    assert [region.cycles for region in program.regions] == [0x20]


def test_what_entries_cost_is_taken_off():
    """An outer region of 100 cycles with one of 30 in it, of a warp whose entries take 10; an empty one tells."""
    words = np.zeros(10 + 1 + 12, "<u4")
    words[[0, 3, 10]] = 0xDEADBEEF, 48, 12
    begins = lambda scope: scope << 23
    ends = lambda scope: 1 << 31 | scope << 23
    words[11:] = [begins(0), 50, begins(1), 90, ends(1), 130, begins(2), 150, ends(2), 160, ends(0), 200]
    (program,) = decode(words.tobytes(), words.nbytes, 1, [0])
    assert {region.scope: region.cycles for region in program.regions} == {0: 150, 1: 40, 2: 10}
    (program,) = decode(words.tobytes(), words.nbytes, 1, [0], takes_off_cost=True)
    assert {region.scope: region.cycles for region in program.regions} == {0: 100, 1: 30, 2: 0}
    words[11:] = [begins(1), 90, ends(1), 130, begins(2), 150, ends(2), 160, begins(0), 50, ends(0), 200]
    (program,) = decode(words.tobytes(), words.nbytes, 1, [0], takes_off_cost=True)  # written at the regions' ends
    assert {region.scope: region.cycles for region in program.regions} == {0: 100, 1: 30, 2: 0}


def test_a_launch(gpu, folder, monkeypatch):
    """The fake driver runs nothing: what the kernel would have written comes from the interpreter."""
    written = run(compiled(Default()), monkeypatch)
    size = compiled(Default()).metadata.profile_scratch_size
    sizes = []

    def read(memory):
        sizes.append(memory.nbytes)
        return written

    monkeypatch.setattr(instrumentation_backend.Memory, "read", read)
    x, y = Tensor(), Tensor()
    summed[(2,)](x, y, 3, BLOCK=128)
    proton.start("regions", backend="instrumentation")
    with proton.scope("a"):
        for _ in range(2):
            summed[(2,)](x, y, 3, BLOCK=128)
        kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)  # has no regions
    proton.finalize()
    summed[(2,)](x, y, 3, BLOCK=128)
    assert sizes == [2 * size] * 2 and not knobs.compilation.instrumentation_mode
    ((name, (_, inside)),) = tree(folder / "regions.hatchet")["a"][1].items()
    assert name == "summed"
    metrics, children = inside["all"]
    assert metrics["count"] == 16 and metrics["cycles"] > 0
    assert (metrics["device_id"], metrics["device_type"]) == ("0", "CUDA")
    assert metrics["normalized_cycles"] == pytest.approx(metrics["cycles"] / 8)
    assert children["load"][0]["count"] == 48 and children["store"][0]["count"] == 16

    proton.start("line", backend="instrumentation", data="trace")
    summed[(2,)](x, y, 3, BLOCK=128)
    proton.finalize()
    events = json.loads((folder / "line.chrome_trace").read_text())["traceEvents"]
    loads = [event for event in events if event.get("cat") == "region" and event["name"] == "load"]
    assert len(loads) == 24 and len({event["tid"] for event in loads}) == 8
    assert loads[0]["args"]["call_stack"] == ["ROOT", "summed", "all", "load"]


def test_mistakes():
    with pytest.raises(ValueError, match="buffer_strategy 'flush' is not supported"):
        proton.start("flush", backend="instrumentation", mode="default:buffer_strategy=flush")

    @ttkit.jit
    def nameless(x):
        with pl.scope(""):
            tl.store(x, 1)

    with pytest.raises(ttkit.CompilationError, match="the name of a region must be a text that is not empty"):
        ttkit.compile(ttkit.ASTSource(nameless, {"x": "*i32"}), TARGET)

    @ttkit.jit
    def unfinished(x):
        pl.enter_scope("open")
        tl.store(x, 1)

    with pytest.raises(Exception, match="The scope name 'open' is not properly closed"):
        ttkit.compile(
            ttkit.ASTSource(unfinished, {"x": "*i32"}), TARGET, {"instrumentation_mode": mode_text(Default())}
        )
    with pytest.raises(ValueError, match="there is no language 'gluon' here"):
        pl.enable_semantic("gluon")
    pl.enable_semantic("triton")


def test_kernels_that_run_as_python(monkeypatch):
    """Regions change nothing there."""
    monkeypatch.setenv("TRITON_INTERPRET", "1")

    @ttkit.jit
    def doubled(x, BLOCK: tl.constexpr):
        with pl.scope("all"):
            at = tl.arange(0, BLOCK)
            tl.store(x + at, tl.load(x + at) * 2)

    x = np.arange(16, dtype=np.float32)
    doubled[(1,)](x, BLOCK=16)
    assert (x == 2 * np.arange(16)).all()
