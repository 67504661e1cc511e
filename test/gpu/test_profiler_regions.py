"""Regions inside of kernels on a GPU: their sum is the kernel's time, and what they cost."""

import json

import pytest

import ttkit
import ttkit.language as tl
import ttkit.profiler as proton
import ttkit.profiler.language as pl

torch = pytest.importorskip("torch")

if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)


@ttkit.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    with pl.scope("kernel"):
        with pl.scope("prologue"):
            rows = tl.program_id(0) * BM + tl.arange(0, BM)
            columns = tl.program_id(1) * BN + tl.arange(0, BN)
            inner = tl.arange(0, BK)
            total = tl.zeros((BM, BN), dtype=tl.float32)
        with pl.scope("loop"):
            for k in range(0, K, BK):
                x = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
                y = tl.load(b + columns[None, :] * K + (k + inner)[:, None])
                total = tl.dot(x, y, total)
        with pl.scope("epilogue"):
            tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


def launch(a, b, c):
    (M, K), (N, _) = a.shape, b.shape
    matmul[(M // 128, N // 128)](a, b, c, M, N, K, BM=128, BN=128, BK=64, num_warps=8)


def operands(M, N, K):
    a, b = (torch.randn(shape, device="cuda", dtype=torch.float16) for shape in ((M, K), (N, K)))
    return a, b, torch.empty((M, N), device="cuda", dtype=torch.float16)


def milliseconds(run, times=20):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    run()
    start.record()
    for _ in range(times):
        run()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / times


MODES = [
    "default",
    "default:granularity=warp_group",
    "default:optimizations=clock32,sched_stores",
    "default:buffer_type=global",
]


@pytest.mark.alone
@pytest.mark.parametrize("mode", MODES)
def test_parts_of_a_product_add_up(mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    # One program for each multiprocessor, so that a program's time is the kernel's.
    a, b, c = operands(128, 128 * multiprocessors, 65536)
    launch(a, b, c)
    plain = milliseconds(lambda: launch(a, b, c))
    expected = c.clone()
    proton.start("regions", backend="instrumentation", mode=mode)
    launch(a, b, c)
    proton.finalize()
    assert torch.equal(c, expected)
    root = json.loads((tmp_path / "regions.hatchet").read_text())[0]
    (kernel,) = root["children"]
    (whole,) = kernel["children"]
    parts = {each["frame"]["name"]: each["metrics"]["normalized_cycles"] for each in whole["children"]}
    assert set(parts) == {"prologue", "loop", "epilogue"}
    cycles = whole["metrics"]["normalized_cycles"]
    share = sum(parts.values()) / cycles
    print(f"{mode}: kernel {cycles:.0f} cycles, {parts}, share {share:.4f}; {plain * 1e3:.1f} us without")
    assert abs(share - 1) < 0.03


@pytest.mark.alone
def test_the_whole_region_is_the_kernel(tmp_path, monkeypatch):
    """By the multiprocessors' clock, which is measured beside: cycles of a region against the global time."""
    monkeypatch.chdir(tmp_path)
    from ttkit.profiler import instrumentation_backend as backend

    programs = []
    decode = backend.decode
    monkeypatch.setattr(backend, "decode", lambda *given: programs.append(decode(*given)) or programs[-1])
    multiprocessors = torch.cuda.get_device_properties(0).multi_processor_count
    a, b, c = operands(128, 128 * multiprocessors, 65536)
    launch(a, b, c)
    proton.start("whole", backend="instrumentation")
    for _ in range(3):
        launch(a, b, c)
    proton.finalize()
    launches = programs[1:]
    for found in launches:
        first, last = min(program.begun for program in found), max(program.ended for program in found)
        spans = [program.ended - program.begun for program in found]
        cycles = [max(region.cycles for region in program.regions) for program in found]
        rates = [count / span for count, span in zip(cycles, spans)]
        print(
            f"launch {last - first} ns, programs {min(spans)} to {max(spans)}, {min(rates):.3f} to {max(rates):.3f} GHz"
        )
        assert max(spans) > 0.97 * (last - first)
        assert max(rates) / min(rates) < 1.1


@pytest.mark.alone
def test_cost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a, b, c = operands(4096, 4096, 4096)
    plain = milliseconds(lambda: launch(a, b, c))
    for mode in ("default", "default:optimizations=clock32,sched_stores"):
        number = proton.start("cost", backend="instrumentation", mode=mode)
        timed = milliseconds(lambda: launch(a, b, c), 5)
        proton.finalize(number)
        print(
            f"matmul 4096 {mode}: {plain * 1e3:.1f} us without regions, {timed * 1e3:.1f} us with, {timed / plain:.3f}"
        )


def test_timeline(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a, b, c = operands(256, 256, 512)
    proton.start("line", backend="instrumentation", data="trace")
    launch(a, b, c)
    proton.finalize()
    events = json.loads((tmp_path / "line.chrome_trace").read_text())["traceEvents"]
    regions = [event for event in events if event.get("cat") == "region"]
    assert {event["name"] for event in regions} == {"kernel", "prologue", "loop", "epilogue"}
    assert len(regions) == 4 * 8 * 4 and len({event["tid"] for event in regions}) == 4 * 8
