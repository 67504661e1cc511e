"""`ttkit.testing` on a made-up GPU whose clock is counted, and its reports."""

import sys

import numpy as np
import pytest

from ttkit import testing
from ttkit.runtime.driver import driver
from ttkit.runtime.timing import summarize
from ttkit.testing.reports import Table


class Clock:
    """A GPU on which each run takes as long as the next of `durations`, over and over, in milliseconds."""

    def __init__(self, *durations):
        self.durations, self.now, self.runs, self.flushes = durations, 0.0, 0, 0
        clock = self

        class Event:
            def __init__(self, enable_timing=False):
                assert enable_timing

            def record(self):
                self.time = clock.now

            def elapsed_time(self, end):
                return end.time - self.time

        self.Event = Event

    def run(self):
        self.now += self.durations[self.runs % len(self.durations)]
        self.runs += 1

    def get_device_interface(self):
        return self

    def synchronize(self):
        pass

    def get_empty_cache_for_benchmark(self):
        return self

    def clear_cache(self, cache):
        assert cache is self
        self.flushes += 1

    def get_current_device(self):
        return 0

    capability = (9, 0)

    def get_device_capability(self, device):
        return self.capability

    @property
    def utils(self):
        return self

    def get_device_properties(self, device):
        return {"multiprocessor_count": 132, "mem_clock_rate": 3201000, "mem_bus_width": 6144}


@pytest.fixture
def clock(monkeypatch):
    def start(*durations):
        made = Clock(*durations)
        monkeypatch.setattr(driver, "_active", made)
        return made

    return start


def test_do_bench_times_for_as_long_as_it_is_told(clock):
    gpu = clock(2.0)
    assert testing.do_bench(gpu.run, warmup=20, rep=50) == 2.0
    assert gpu.runs == 1 + 5 + 10 + 25 and gpu.flushes == 5 + 25


def test_do_bench_runs_at_least_once_and_not_forever(clock):
    gpu = clock(500.0)
    assert testing.do_bench(gpu.run, warmup=1, rep=1) == 500.0
    assert gpu.runs == 8
    gpu = clock(0.0)
    testing.do_bench(gpu.run)
    assert gpu.runs == 6 + 2000


@pytest.mark.parametrize("mode, expected", [("min", 1.0), ("max", 3.0), ("median", 2.0), ("mean", 2.2)])
def test_return_modes(clock, mode, expected):
    assert testing.do_bench(clock(1.0, 2.0, 3.0).run, warmup=0, rep=12, return_mode=mode) == expected


def test_all_times(clock):
    assert sorted(testing.do_bench(clock(1.0, 3.0).run, warmup=2, rep=8, return_mode="all")) == [1.0, 3.0, 3.0]


def test_quantiles():
    times = [4.0, 1.0, 3.0, 2.0, 5.0]
    assert summarize(times, (0.5, 0.2, 0.8), "mean") == pytest.approx([3.0, 1.8, 4.2])
    assert summarize(times, [0.5], "mean") == 3.0
    assert summarize(times, [0.0, 1.0], "mean") == [1.0, 5.0]
    assert summarize([2.0], [0.3], "mean") == 2.0


@pytest.mark.parametrize("given", [{"return_mode": "best"}, {"quantiles": [1.5]}])
def test_what_there_is_not(clock, given):
    with pytest.raises(ValueError, match=r"return_mode must be one of|quantiles must be from 0 to 1"):
        testing.do_bench(clock(1.0).run, **given)


def test_gradients_are_dropped(clock):
    class Tensor:
        grad = 1

    tensor = Tensor()
    testing.do_bench(clock(1.0).run, warmup=1, rep=1, grad_to_none=[tensor])
    assert tensor.grad is None


def test_cudagraph_needs_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(RuntimeError, match="torch is not installed"):
        testing.do_bench_cudagraph(lambda: None)


def test_assert_close():
    testing.assert_close([1.0, float("nan")], [1.005, float("nan")])
    testing.assert_close(1, 1.009)
    testing.assert_close(np.float32([100, 1]), np.float32([101, 1]), rtol=0.02)
    testing.assert_close(np.float16([1.5]), [1.0], atol=lambda dtype: 0.6 if dtype == np.float16 else 0)
    with pytest.raises(AssertionError, match="here 1 is not close to 2"):
        testing.assert_close(1, 2, err_msg="here")
    with pytest.raises(AssertionError):
        testing.assert_close(float("nan"), float("nan"))
    with pytest.raises(AssertionError, match="there"):
        testing.assert_close([1.0, 2.0], [1.0, 2.1], err_msg="there")
    with pytest.raises(AssertionError):
        testing.assert_close([1.0, 2.0], [1.0, 2.0, 3.0])


def test_assert_close_of_other_types():
    import ml_dtypes

    testing.assert_close(np.array([1, 2], ml_dtypes.bfloat16), [1.0, 2.0])
    testing.assert_close(np.array([1, 2], ml_dtypes.float8_e5m2), [1.0, 2.0])


def test_peaks_of_an_h100(clock):
    clock(1.0)
    assert testing.get_dram_gbps() == pytest.approx(4917, abs=1)
    kilohertz = 1830e3
    assert testing.get_max_tensorcore_tflops("float16", kilohertz) == pytest.approx(989.4, abs=0.1)
    assert testing.get_max_tensorcore_tflops(np.float32, kilohertz) == pytest.approx(494.7, abs=0.1)
    assert testing.get_max_tensorcore_tflops("float8e4nv", kilohertz, 0) == pytest.approx(1978.8, abs=0.1)
    assert testing.get_max_simd_tflops("float32", 1980e3) == pytest.approx(66.9, abs=0.1)
    assert testing.get_max_simd_tflops("torch.bfloat16", 1980e3) == pytest.approx(133.8, abs=0.1)


def test_peaks_of_others(clock):
    gpu = clock(1.0)
    gpu.capability = (7, 0)
    assert testing.get_max_tensorcore_tflops("float16", 1e6) == pytest.approx(132 * 4 * 256e-3)
    for dtype in ("float32", "bfloat16", "int8"):
        with pytest.raises(ValueError, match="don't multiply"):
            testing.get_max_tensorcore_tflops(dtype, 1e6)
    with pytest.raises(ValueError, match="not supported"):
        testing.get_max_simd_tflops("bfloat16", 1e6)
    with pytest.raises(ValueError, match="not supported"):
        testing.get_max_simd_tflops("complex64", 1e6)


def test_nvidia_smi_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="NVIDIA's driver"):
        testing.nvsmi(["clocks.max.sm"])
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\necho '1980, 2619'\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    assert testing.nvsmi(["clocks.max.sm", "clocks.max.mem"]) == [1980, 2619]


def test_memcheck_only_of_the_cases_asked_for():
    ran = []

    @testing.cuda_memcheck(n=3)
    def case(n, request=None):
        ran.append(n)

    case(n=2)
    assert ran == [2]
    with pytest.raises(TypeError, match="request"):
        case(n=3)


# --- reports ----------------------------------------------------------------------------------------------------------


def benchmark(**given):
    fields = {
        "x_names": ["M", "N"],
        "x_vals": [1, (2, 3)],
        "line_arg": "provider",
        "line_vals": ["a", "b"],
        "line_names": ["A", "B"],
        "plot_name": "sizes",
        "args": {"K": 10},
        "ylabel": "GB/s",
    }
    return testing.Benchmark(**{**fields, **given})


def measure(M, N, K, provider, scale=1):
    value = float(scale * (M * 100 + N * 10 + K))
    return value if provider == "a" else (value / 2, value / 4, value)


@pytest.fixture
def plain(monkeypatch):
    """Neither pandas nor matplotlib, installed or not."""
    for module in ("pandas", "matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, module, None)


def test_report_without_pandas(plain, capsys):
    table = testing.perf_report(benchmark())(measure).run(print_data=True, return_df=True)
    assert isinstance(table, Table) and table.columns == ["M", "N", "A (GB/s)", "B (GB/s)"]
    assert table.rows == [[1, 1, 120.0, 60.0], [2, 3, 240.0, 120.0]] and table["B (GB/s)"] == [60.0, 120.0]
    assert capsys.readouterr().out.splitlines() == [
        "sizes:",
        "   M  N    A (GB/s)    B (GB/s)",
        "0  1  1  120.000000   60.000000",
        "1  2  3  240.000000  120.000000",
    ]


def test_report_files(plain, tmp_path, capsys):
    folder = tmp_path / "new" / "reports"
    mark = testing.perf_report([benchmark(), benchmark(plot_name="more", x_vals=[4])])(measure)
    assert mark.run(save_path=str(folder), save_precision=1, scale=2) is None
    assert (folder / "sizes.csv").read_text().splitlines() == [
        "M,N,A (GB/s),B (GB/s)",
        "1,1,240.0,120.0",
        "2,3,480.0,240.0",
    ]
    assert (folder / "more.csv").exists()
    assert '<img src="more.png"/>' in (folder / "results.html").read_text()
    assert "matplotlib is not installed" in capsys.readouterr().err


def test_report_of_several_returns_a_list(plain):
    tables = testing.perf_report([benchmark()])(measure).run(return_df=True)
    assert isinstance(tables, list) and len(tables[0]) == 2


def test_points_have_a_value_for_each_name(plain):
    with pytest.raises(ValueError, match="Expected 2 values"):
        testing.perf_report(benchmark(x_vals=[(1, 2, 3)]))(measure).run()


def test_difference_column(plain):
    mark = testing.perf_report(
        benchmark(x_names=["M"], x_vals=[5], line_vals=["a"], line_names=["A"], args={"N": 0, "K": 0})
    )
    table = mark(measure).run(return_df=True, diff_col=True)
    assert table.columns == ["M", "A (GB/s)", "Diff"] and table.rows == [[5, 500.0, 495.0]]


def test_plot(monkeypatch, tmp_path):
    """What is drawn, with a matplotlib that notes it."""
    from types import ModuleType

    drawn = []

    class Axes:
        def __getattr__(self, name):
            return lambda *args, **kwargs: drawn.append((name, args, kwargs))

    pyplot = ModuleType("matplotlib.pyplot")
    pyplot.figure, pyplot.subplot = lambda: None, Axes
    pyplot.savefig = lambda path: drawn.append(("savefig", path))
    pyplot.show = lambda: drawn.append(("show",))
    package = ModuleType("matplotlib")
    package.pyplot = pyplot
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    report = benchmark(x_log=True, styles=[("blue", "-"), ("green", "--")])
    testing.perf_report(report)(measure).run(save_path=str(tmp_path), show_plots=True)
    assert drawn[0] == ("plot", ([1, 2], [120.0, 240.0]), {"label": "A (GB/s)", "color": "blue", "ls": "-"})
    assert drawn[2] == ("fill_between", ([1, 2], [30.0, 60.0], [120.0, 240.0]), {"alpha": 0.15, "color": "green"})
    assert ("set_xscale", ("log",), {}) in drawn and ("set_xlabel", ("M",), {}) in drawn
    assert drawn[-2:] == [("show",), ("savefig", str(tmp_path / "sizes.png"))]
