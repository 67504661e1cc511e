"""The profiler without a GPU: scopes, sessions, hooks, and what CUPTI's records become."""

import json
import os
import subprocess
import sys
import textwrap
import threading

import launched_kernels as kernels
import pytest
from launched_kernels import Tensor
from profiled import times, tree

import ttkit
import ttkit.profiler as proton
from ttkit import knobs
from ttkit.profiler import activity_records, contexts, cupti, sessions
from ttkit.profiler.hooks import Hook, LaunchHook
from ttkit.profiler.tree import to_msgpack
from ttkit.runtime import driver

profiles = sys.modules[proton.start.__module__]  # the package has a function of the module's name


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    for kernel in (kernels.add, told):  # other tests launched them on GPUs that are gone
        kernel.device_caches.clear()
    yield tmp_path
    sessions.finalize()
    profiles._shared.cache_clear()


@pytest.fixture
def counting(monkeypatch):
    """No GPU: launches are counted."""
    monkeypatch.setenv("TTKIT_DEVICE", "sm_90")
    driver.reset_active()
    yield
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()


# --- scopes -----------------------------------------------------------------------------------------------------------


def test_scopes_and_metrics(counting, folder):
    number = proton.start("scopes")
    with proton.scope("a", {"flops": 4.0}):
        with proton.scope("b", {"bytes": 4}):
            assert proton.context.depth(number) == 2
        with proton.state("state"), proton.scope("c", {"m": 1}):
            pass
    with proton.scope("a", {"flops": 5.0, "x (exc)": 2}):
        pass
    with proton.cpu_timed_scope("timed", {"u": 3}):
        pass
    proton.enter_scope("late")
    assert isinstance(proton.exit_scope("late", metrics={"z": 1.5}), int)
    proton.finalize()
    root, devices = json.loads((folder / "scopes.hatchet").read_text())
    assert devices == {} and root["frame"] == {"name": "ROOT", "type": "function"}
    assert root["metrics"] == {"bytes": 0, "flops": 0, "m": 0, "u": 0, "z": 0}  # not the exclusive ones
    found = tree(folder / "scopes.hatchet")
    assert found["a"][0] == {"flops": 9.0, "x": 2} and found["a"][1]["b"] == ({"bytes": 4}, {})
    assert found["a"][1]["c"] == ({}, {"state": ({"m": 1}, {})})
    assert found["timed"][0]["cpu_time (ns)"] > 0 and found["timed"][0]["u"] == 3
    assert found["late"] == ({"z": 1.5}, {})


def test_scopes_and_states_decorate_functions(counting, folder):
    @proton.scope("outer")
    @proton.state("state")
    def function(value):
        with proton.scope("inner"):
            return value

    @proton.profile(name="decorated")
    def profiled():
        return function(3)

    assert profiled() == 3
    assert tree(folder / "decorated.hatchet") == {"outer": ({}, {"inner": ({}, {"state": ({}, {})})})}


def test_nothing_is_kept_without_a_session(counting):
    assert proton.enter_scope("a") is None and proton.exit_scope("a") is None
    assert proton.context.depth() is None
    with proton.scope("b"), proton.state("c"), proton.cpu_timed_scope("d"):
        assert contexts.thread.place is contexts.ROOT
    proton.finalize()
    proton.finalize(17)


def test_a_scope_ends_under_its_own_name(counting):
    proton.start()
    proton.enter_scope("a")
    with pytest.raises(ValueError, match="the scope that ends is 'a', not 'b'"):
        proton.exit_scope("b")
    proton.exit_scope()


def test_threads_have_scopes_of_their_own(counting, folder):
    proton.start("threads")

    def work(name):
        for _ in range(100):
            with proton.scope(name), proton.scope("inside", {"runs": 1}):
                pass

    with proton.scope("main"):
        threads = [threading.Thread(target=work, args=(f"t{index}",)) for index in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    proton.finalize()
    found = tree(folder / "threads.hatchet")
    assert sorted(found) == ["main", "t0", "t1", "t2", "t3"]
    assert all(found[f"t{index}"][1] == {"inside": ({"runs": 100}, {})} for index in range(4))


def test_sessions_stop_and_go_on(counting, folder):
    first = proton.start("first")
    with proton.scope("a"):
        pass
    with proton.scope("outside"):
        second = proton.start("second")
        with proton.scope("b"):
            pass
        proton.deactivate(first)
        with proton.scope("c"):
            pass
        proton.activate(first)
        with proton.scope("d"):
            pass
    proton.finalize(second)
    proton.finalize()
    assert tree(folder / "first.hatchet") == {
        "a": ({}, {}),
        "outside": ({}, {"b": ({}, {}), "d": ({}, {})}),
    }
    assert sorted(tree(folder / "second.hatchet")) == ["b", "c", "d"]  # it begins where it was started


def test_context_of_python(counting, folder):
    proton.start("python", context="python")

    def function():
        with proton.scope("a", {"flops": 4.0}):
            pass

    function()
    proton.finalize()
    lines = []
    children = tree(folder / "python.hatchet")
    while children:
        ((name, (metrics, children)),) = children.items()
        lines.append(name)
    assert lines[-1] == "a" and metrics == {"flops": 4.0}
    assert lines[-2].startswith(__file__) and lines[-2].endswith("@function")
    assert not any("profiler/scope.py" in line for line in lines)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"context": "foo"}, "Unknown context source: foo; use shadow or python"),
        ({"data": "foo"}, "Unknown data: foo"),
        ({"backend": "foo"}, "Unknown backend: foo; use cupti, events, instrumentation"),
        ({"backend": "roctracer"}, "it is for AMD's GPUs"),
        ({"hook": "foo"}, "Unknown hook: foo"),
        ({"mode": "foo"}, "Unknown mode: foo"),
        ({"mode": proton.mode.PCSampling()}, "needs a GPU and CUPTI"),
        ({"mode": "pcsampling:interval=0"}, "interval must be a positive number of cycles"),
        ({"mode": "pcsampling:colour=red"}, "'pcsampling' has no option colour"),
        ({"backend": "instrumentation", "mode": "default:granularity=foo"}, "Unknown granularity: foo; use cta, warp"),
        ({"backend": "instrumentation", "mode": "default:colour=red"}, "mode 'default' has no option colour"),
        ({"backend": "instrumentation", "mode": "default:granularity"}, "'granularity' has no value"),
    ],
)
def test_mistakes(counting, arguments, message):
    with pytest.raises(ValueError, match=message):
        proton.start("mistake", **arguments)
    assert not sessions.SESSIONS


def test_more_mistakes(counting):
    proton.start("formats")
    with pytest.raises(ValueError, match="Unknown output format: xml"):
        proton.finalize(output_format="xml")
    with pytest.raises(ValueError, match="there is no session 99"):
        proton.activate(99)
    with pytest.raises(ValueError, match="cpu_time is what cpu_timed_scope measures"):
        proton.cpu_timed_scope("a", {"cpu_time (ns)": 3})


def test_disabled(counting, monkeypatch):
    monkeypatch.setenv("TRITON_PROTON_DISABLE", "1")
    assert proton.start("disabled") is None


def test_names_that_triton_has(counting):
    """Of its flags, modes and hooks; found by walking the package of Triton 3.6."""
    from ttkit.profiler.flags import flags

    assert not flags.profiling_on and not flags.command_line and not flags.instrumentation_on
    number = proton.start("flags")
    assert flags.profiling_on and not flags.instrumentation_on
    proton.finalize(number)
    mode = proton.mode
    assert mode.granularities["warp_group"] is mode.Granularity.WARP_GROUP and "time_shift" in mode.optimizations
    assert set(mode.buffer_types) == {"shared", "global"} and "selective" in mode.sampling_strategies
    hooks = sys.modules[Hook.__module__.rpartition(".")[0] + ".hooks"]
    assert issubclass(hooks.InstrumentationHook, Hook) and issubclass(hooks.LaunchHook, Hook)


def test_phases(counting):
    number = proton.start("phases")
    with proton.scope("a"):
        pass
    assert proton.data.advance_phase(number) == 1 and proton.data.is_phase_complete(number, 0)
    with proton.scope("b"):
        pass
    names = lambda content: [child["frame"]["name"] for child in content[0]["children"]]
    assert names(proton.data.get(number, 0)) == ["a"] and names(proton.data.get(number)) == ["b"]
    assert not proton.data.is_phase_complete(number, 1)
    proton.data.clear(number)
    assert names(proton.data.get(number)) == []
    with pytest.raises(ValueError, match="has no phase 7"):
        proton.data.get(number, 7)
    assert proton.data.get_msgpack(number) == to_msgpack(proton.data.get(number))


def scopes_of(path):
    return [child["frame"]["name"] for child in json.loads(path.read_text())[0]["children"]]


def test_each_phase_has_a_file(counting, folder):
    number = proton.start("phases")
    for name in "abc":
        with proton.scope(name):
            pass
        if name != "c":
            proton.data.advance_phase(number)
    assert not list(folder.glob("phases*"))
    proton.data.clear(number, 0)
    proton.finalize()
    found = {path.name: scopes_of(path) for path in folder.glob("phases*")}
    assert found == {"phases.part_1.hatchet": ["b"], "phases.part_2.hatchet": ["c"]}


@pytest.mark.parametrize("mode", ["PERIODIC_FLUSHING", proton.mode.PeriodicFlushing()])
def test_periodic_flushing_writes_phases_as_they_end(counting, folder, mode):
    number = proton.start("phases", mode=mode)
    for name in "ab":
        with proton.scope(name):
            pass
        proton.data.advance_phase(number)
        assert scopes_of(folder / f"phases.part_{ord(name) - ord('a')}.hatchet") == [name]
    with pytest.raises(ValueError, match="has no phase 0"):
        proton.data.get(number, 0)
    proton.finalize()
    assert scopes_of(folder / "phases.part_2.hatchet") == []


def test_periodic_flushing_has_a_format(counting, folder):
    number = proton.start("phases", data="trace", mode="periodic_flushing:format=chrome_trace")
    with proton.scope("a"):
        pass
    proton.data.advance_phase(number)
    events = json.loads((folder / "phases.part_0.chrome_trace").read_text())["traceEvents"]
    assert "a" in [event["name"] for event in events]
    with pytest.raises(ValueError, match="Unknown output format: csv"):
        proton.start("phases", mode="periodic_flushing:format=csv")


def test_a_profile_on_the_standard_output(counting, folder, capfd):
    proton.start("-")
    with proton.scope("a"):
        pass
    proton.finalize()
    assert json.loads(capfd.readouterr().out)[0]["children"][0]["frame"]["name"] == "a"
    assert not list(folder.glob("-*"))


def test_msgpack():
    value = {"a": [1, -1, 300, 2**63, 1.5, None, True, "é"], "b": {}}
    data = to_msgpack(value)
    assert data[0] == 0xDF and data[1:5] == (2).to_bytes(4, "big")
    assert b"\xcb\x3f\xf8" in data and "é".encode() in data and b"\xcf\x80" in data


# --- launches ---------------------------------------------------------------------------------------------------------


def described(grid, metadata, arguments):
    return {"name": f"scaled {arguments['n']}", "flops32": 2.0 * arguments["n"], "bytes": 8 * arguments["n"]}


@ttkit.jit(launch_metadata=described)
def told(x, n, BLOCK: "ttkit.language.constexpr"):
    at = ttkit.language.arange(0, BLOCK)
    ttkit.language.store(x + at, at + n)


def test_launches_are_counted_where_there_is_no_gpu(counting, folder, capfd):
    proton.start("counted", hook="triton")
    with proton.scope("a"):
        for _ in range(3):
            kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)
        told[(1,)](Tensor("torch.int32"), 16, BLOCK=16)
    proton.finalize()
    inside = tree(folder / "counted.hatchet")["a"][1]
    assert inside["add"][0]["count"] == 3
    assert inside["scaled 16"][0] == {
        "bytes": 128,
        "count": 1,
        "device_id": "0",
        "device_type": "NONE",
        "flops32": 32.0,
    }
    assert not knobs.runtime.launch_enter_hook and not knobs.runtime.launch_exit_hook


def test_events_where_there_is_no_cupti(no_cupti, folder):
    """The stand-in for the driver takes a millisecond a warp."""
    proton.start("events", hook="triton", data="tree")
    with proton.scope("a"):
        for _ in range(3):
            kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)
    told[(1,)](Tensor("torch.int32"), 16, BLOCK=16)
    proton.finalize()
    assert times(folder / "events.hatchet") == {"a": {"add": 12_000_000}, "scaled 16": 4_000_000}
    devices = json.loads((folder / "events.hatchet").read_text())[1]
    assert devices["CUDA"]["0"]["arch"] == "90" and devices["CUDA"]["0"]["num_sms"] == 1016


def test_events_of_two_devices(no_cupti, gpu, folder):
    """An event can only be recorded where it was made."""
    number = proton.start("devices")
    for device in (0, 1, 0):
        gpu.lib.fake_set_context(0xC000 + device)
        with proton.scope(f"on {device}"):
            kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)
        proton.data.get(number)  # the events are free again
    proton.finalize()
    found = {name: children["add"][0] for name, (_, children) in tree(folder / "devices.hatchet").items()}
    assert {name: (metrics["device_id"], metrics["count"]) for name, metrics in found.items()} == {
        "on 0": ("0", 2),
        "on 1": ("1", 1),
    }


def test_kernels_are_asked_by_their_names(counting, folder, monkeypatch):
    for name in ("_include", "_exclude"):
        monkeypatch.setattr(LaunchHook, name, None)
    for number, (given, asked) in enumerate([({"include": "to"}, True), ({"include": "to", "exclude": ".*d$"}, False)]):
        LaunchHook.configure(**given)
        proton.start(f"names{number}", hook="triton")
        told[(1,)](Tensor("torch.int32"), 16, BLOCK=16)
        proton.finalize()
        assert list(tree(folder / f"names{number}.hatchet")) == ["scaled 16" if asked else "told"]


def test_hooks_of_ones_own(counting):
    calls = []

    class Mine(Hook):
        def __init__(self, name, priority):
            self.name, self.priority = name, priority

        def activate(self):
            calls.append(f"activate {self.name}")

        def deactivate(self):
            calls.append(f"deactivate {self.name}")

        def enter(self, metadata):
            calls.append(f"enter {self.name} {metadata.get()['name']}")

        def exit(self, metadata):
            calls.append(f"exit {self.name}")

    first, second = proton.start("one", hook=Mine("low", 1)), proton.start("two", hook=Mine("high", 2))
    kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)
    proton.deactivate(second)
    proton.finalize(first)
    proton.finalize(second)
    assert calls == [
        *("activate low", "activate high", "enter high add", "enter low add", "exit low", "exit high"),
        *("deactivate high", "deactivate low"),
    ]


# --- CUPTI ------------------------------------------------------------------------------------------------------------


def test_kernels_are_where_they_were_launched(fake_cupti, folder):
    proton.start("kernels", backend="cupti")
    fake_cupti.kernel("first", 10)
    with proton.scope("a"):
        fake_cupti.kernel("second", 20)
        with proton.scope("b"), proton.state("s"):
            for _ in range(1000):
                fake_cupti.kernel("third", 3)
        fake_cupti.kernel("second", 21, device=1)
    proton.finalize()
    fake_cupti.kernel("after", 10)
    assert times(folder / "kernels.hatchet") == {"a": {"b": {"s": {"third": 3000}}, "second": 41}, "first": 10}
    metrics = tree(folder / "kernels.hatchet")["a"][1]["b"][1]["s"][1]["third"][0]
    assert metrics == {"count": 1000, "device_id": "0", "device_type": "CUDA", "time (ns)": 3000}


def test_operations_have_the_time_of_their_kernels(fake_cupti, folder):
    proton.start("operations", hook="triton")

    def hook(metadata):
        fake_cupti.kernel("told", 50)

    knobs.runtime.launch_enter_hook.add(hook)  # after the profiler's
    try:
        told[(1,)](Tensor("torch.int32"), 16, BLOCK=16)
    finally:
        knobs.runtime.launch_enter_hook.remove(hook)
    proton.finalize()
    ((name, (metrics, children)),) = tree(folder / "operations.hatchet").items()
    assert name == "scaled 16" and children == {} and metrics["time (ns)"] == 50 and metrics["flops32"] == 32.0


def test_more_kernels_than_a_buffer_holds(fake_cupti, folder):
    proton.start("many")
    for _ in range(30):
        with proton.scope("a"):
            for _ in range(1000):
                fake_cupti.kernel("one", 1)
        fake_cupti.kernel("two", 2)
    proton.finalize()
    assert times(folder / "many.hatchet") == {"a": {"one": 30_000}, "two": 60}


def test_sessions_see_what_runs_while_they_are_active(fake_cupti, folder):
    first = proton.start("first")
    fake_cupti.kernel("one", 1)
    second = proton.start("second")
    fake_cupti.kernel("two", 2)
    proton.deactivate(first)
    fake_cupti.kernel("three", 3)
    proton.finalize(second)
    fake_cupti.kernel("four", 4)
    proton.activate(first)
    fake_cupti.kernel("five", 5)
    proton.finalize()
    assert times(folder / "first.hatchet") == {"five": 5, "one": 1, "two": 2}
    assert times(folder / "second.hatchet") == {"three": 3, "two": 2}


def test_kernels_of_graphs_are_where_they_were_captured(fake_cupti, folder):
    proton.start("graph")
    with proton.scope("capture"):
        fake_cupti.node(5)
    fake_cupti.node(15, original=5)
    with proton.scope("replay"):
        fake_cupti.kernel("one", 10, node=15)
        fake_cupti.kernel("one", 10, node=15)
        fake_cupti.kernel("unknown", 7, node=99)
    proton.finalize()
    assert times(folder / "graph.hatchet")["replay"] == {"<captured_at>": {"capture": {"one": 20}, "unknown": 7}}


def test_timeline(fake_cupti, folder):
    proton.start("timeline", data="trace")
    with proton.scope("a"):
        fake_cupti.kernel("one", 1000)
        fake_cupti.kernel("two", 500)
    proton.finalize()
    events = json.loads((folder / "timeline.chrome_trace").read_text())["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert [(each["name"], each["ts"], each["dur"], each["pid"], each["tid"]) for each in kernels] == [
        ("one", 0.0, 1.0, 1, 7),
        ("two", 1.0, 0.5, 1, 7),
    ]
    assert kernels[0]["args"]["call_stack"] == ["ROOT", "a", "one"]
    assert {event["args"]["name"] for event in events if event["ph"] == "M"} >= {"GPU 0", "stream 7", "CPU"}


def test_samples_are_at_lines_of_the_kernel(fake_cupti, folder):
    number = proton.start("samples", mode="pcsampling:interval=100")
    with proton.scope("a"):
        kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)
        fake_cupti.kernel("add", 10)
    with pytest.raises(cupti.CuptiError, match="end the other sessions"):
        other = proton.start("plain")
        proton.deactivate(number)
        proton.activate(number)
    proton.finalize(other)
    proton.finalize(number)
    assert not fake_cupti.lib.fake_cupti_sampled()
    metrics, lines = tree(folder / "samples.hatchet")["a"][1]["add"]
    assert metrics["time (ns)"] == 10 and set(lines) == {"/src/add.py:1@add", "/src/add.py:2@add"}
    assert lines["/src/add.py:2@add"][0] == {
        "num_samples": 6,
        "num_stalled_samples": 4,
        "stalled_selected": 2,
        "stalled_wait": 4,
    }


def test_cupti_forgets_what_it_traced_before_it_samples(fake_cupti, folder):
    before = fake_cupti.lib.fake_cupti_finalized()
    for name, mode in (("plain", None), ("samples", "pcsampling"), ("again", "pcsampling"), ("end", None)):
        proton.start(name, mode=mode)
        for scope in ("a", "b", name):
            with proton.scope(scope):
                fake_cupti.kernel("add", 10)
        proton.finalize()
        found = times(folder / f"{name}.hatchet")
        assert {each: found[each]["add"] for each in ("a", "b", name)} == {"a": 10, "b": 10, name: 10}
    assert fake_cupti.lib.fake_cupti_finalized() - before == 2


def test_samples_of_a_kernel_in_several_places_are_beside_them(fake_cupti, folder):
    proton.start("samples", mode=proton.mode.PCSampling(interval=1))
    for name in ("a", "b"):
        with proton.scope(name):
            fake_cupti.kernel("add", 10)
    proton.finalize()
    found = tree(folder / "samples.hatchet")
    assert found["add"][0]["num_samples"] == 9 and found["a"][1]["add"][0]["time (ns)"] == 10


def test_a_sampler_without_samples_says_so(fake_cupti, folder, capfd):
    proton.start("samples", mode="pcsampling:interval=32")
    fake_cupti.lib.fake_cupti_forget_samples()
    fake_cupti.kernel("long", 1_000_000)
    proton.finalize()
    assert "long" in tree(folder / "samples.hatchet")
    assert "no samples of program counters, though kernels ran" in capfd.readouterr().err


def test_sampling_that_is_not_allowed(fake_cupti, folder):
    fake_cupti.lib.fake_cupti_forbid_sampling(35)
    try:
        with pytest.raises(cupti.CuptiError, match="only administrators"):
            proton.start("samples", mode="pcsampling")
    finally:
        fake_cupti.lib.fake_cupti_forbid_sampling(0)
    assert not sessions.SESSIONS


def test_another_profiler_has_the_callbacks(fake_cupti, folder, capfd):
    fake_cupti.lib.fake_cupti_fail_subscribe(39)
    try:
        proton.start("without")
        assert "kernels will not be in their scopes" in capfd.readouterr().err
        with pytest.raises(cupti.CuptiError, match="which another profiler has"):
            proton.start("python", context="python")
        fake_cupti.kernel("one", 10)
        proton.finalize()
    finally:
        fake_cupti.lib.fake_cupti_fail_subscribe(0)
    assert times(folder / "without.hatchet") == {"one": 10}


def test_records_of_both_versions():
    """The fields end before the records of CUPTI 12 do: 13's are larger at their end."""
    for size in activity_records.KERNEL_SIZES.values():
        layout = activity_records.layout(size)
        assert layout.itemsize == size and layout.fields["graph"][1] + 4 <= 208


def test_records_of_other_kinds_are_left_out(fake_cupti, folder):
    fake_cupti.lib.fake_cupti_others(1)
    try:
        proton.start("others")
        for _ in range(3):
            with proton.scope("a"):
                fake_cupti.kernel("one", 10)
        proton.finalize()
    finally:
        fake_cupti.lib.fake_cupti_others(0)
    assert times(folder / "others.hatchet") == {"a": {"one": 30}}


def test_lines_of_python_that_launch(fake_cupti, folder):
    proton.start("lines", context="python")

    def launch():
        fake_cupti.kernel("one", 10)

    launch()
    proton.finalize()
    way, children = [], tree(folder / "lines.hatchet")
    while children:
        ((name, (_, children)),) = children.items()
        way.append(name)
    assert way[-1] == "one" and any(line.startswith(__file__) and line.endswith("@launch") for line in way)


def test_lines_of_the_package_are_left_out(counting, folder):
    """So that a first launch, which Python starts, stands where the next ones do, which the native launcher starts."""
    inside: dict[str, object] = {"__name__": "ttkit.runtime.launches"}
    exec("def started_by_python(function): function()", inside)
    proton.start("python", context="python")

    def launch():
        with proton.scope("a", {"flops": 4.0}):
            pass

    for start in (inside["started_by_python"], lambda function: function()):
        start(launch)
    proton.finalize()
    text = (folder / "python.hatchet").read_text()
    assert "@started_by_python" not in text and "@launch" in text


def test_scopes_that_were_open_before(fake_cupti, folder):
    first = proton.start("first")
    with proton.scope("open"):
        second = proton.start("second")
        fake_cupti.kernel("one", 10)
        proton.finalize(first)
        fake_cupti.kernel("two", 10)
    proton.finalize(second)
    assert times(folder / "first.hatchet") == {"open": {"one": 10}}
    assert times(folder / "second.hatchet") == {"one": 10, "two": 10}


# --- the command ------------------------------------------------------------------------------------------------------


def test_command(folder):
    (folder / "script.py").write_text(
        textwrap.dedent(
            """
            import sys
            import ttkit.profiler as proton
            assert proton.start("ignored") is None
            with proton.scope(sys.argv[1]):
                pass
            proton.finalize()
            sys.exit(int(sys.argv[2]))
            """
        )
    )
    run = lambda *arguments: subprocess.run(
        [sys.executable, "-m", "ttkit.drivers.proton", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "TTKIT_DEVICE": "sm_90"},
    )
    done = run("-n", "out", "-k", "triton", "script.py", "name", "3")
    assert done.returncode == 3, done.stderr
    assert tree(folder / "out.hatchet") == {"name": ({}, {})} and not (folder / "ignored.hatchet").exists()
    for arguments, code, text in (
        (["nothing.py"], 1, "error: no such script: nothing.py"),
        ([], 2, "a script is missing"),
        (["-m", "foo", "script.py"], 1, "error: Unknown mode: foo"),
        (["--help"], 0, "usage"),
    ):
        done = run(*arguments)
        assert done.returncode == code and text in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_a_script_without_finalize_has_its_file(folder):
    code = "import ttkit.profiler as p; p.start('left'); p.enter_scope('a')"
    environment = {**os.environ, "TTKIT_DEVICE": "sm_90"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert tree(folder / "left.hatchet") == {"a": ({}, {})}
