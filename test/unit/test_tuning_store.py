"""Times and choices that processes share."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import fake_redis
import numpy as np
import pytest
from kernels_to_tune import increment, quick

from ttkit.autotuning import Config, autotune, shared_tuning
from ttkit.autotuning.nearest import distance, keys_of_texts, nearest
from ttkit.autotuning.store import Store, StoreError, Timing
from ttkit.autotuning.store_address import store_at
from ttkit.cuda.device import DeviceArray
from ttkit.notices import NOTICES

ROW = Timing(
    "add", "s", "t", "GPU", "580", "1980 MHz", "(5,)", "x: fp32[5]", '{"BLOCK": 64}', 1.0, 0.9, 1.1, measured=5.0
)


def row(**changed):
    return Timing(**{**ROW.__dict__, **changed})


@pytest.fixture(params=["file", "sqlalchemy", "redis"])
def address(request, tmp_path, monkeypatch):
    """SQLite by itself, through SQLAlchemy (with an address that says so by its driver), and Redis."""
    if request.param == "redis":
        monkeypatch.setitem(sys.modules, "redis", fake_redis)
        return f"redis://{tmp_path.name}"
    if request.param == "file":
        return str(tmp_path / "folder" / "tuning.sqlite")
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed: ttkit[store]")
    return f"sqlite+pysqlite:///{tmp_path}/tuning.sqlite"


# --- the tables -------------------------------------------------------------------------------------------------------


def test_rows(address):
    store = store_at(address)
    failed = row(configuration='{"BLOCK": 32}', ms=None, ms_20=None, ms_80=None, error="too large")
    store.record([ROW, failed, row(kernel="mul", clock=1200, compile_seconds=0.5, worker="host:1")])
    store.record([row(ms=0.5)])  # in place of the first
    store.record([])
    assert [(one.kernel, one.ms) for one in store.timings()] == [("add", 0.5), ("add", None), ("mul", 1.0)]
    assert store_at(address).timings(kernel="mul", device="GPU")[0].clock == 1200
    assert store.timings(error="too large") == [failed] and not store.timings(device="other")


def test_choices_stay(address):
    store = store_at(address)
    choice = {"id": "a", "kernel": "add", "device": "GPU", "tuning_key": "(5,)", "configuration": "{}", "decided": 1.0}
    store.choose([choice])
    store.choose([{**choice, "configuration": '{"BLOCK": 1}'}, {**choice, "id": "b"}])
    assert store.choice("a") == "{}" and store.choice("c") is None and len(store.choices()) == 2


def test_claims(address):
    store = store_at(address)
    assert store.claim("a", "me") and not store.claim("a", "you") and store.claim("b", "you")
    store.beat("a", "me"), store.beat("a", "you")
    assert store.claimed_by("a") == ("me", 1) and store.claimed_by("c") is None
    assert not store.take_over("a", "you", ("me", 0)) and store.take_over("a", "you", ("me", 1))
    store.release("a", "me")
    assert store.claimed_by("a") == ("you", 0)
    store.release("a", "you")
    assert store.claim("a", "me")


def test_export_and_merge(address, tmp_path):
    store, other = store_at(address), Store(str(tmp_path / "other.sqlite"))
    store.record([ROW, row(kernel="mul")])
    choice = {"id": "a", "kernel": "add", "device": "GPU", "tuning_key": "(5,)", "configuration": "{}", "decided": 1.0}
    store.choose([choice])
    other.record([row(ms=0.5, measured=6.0), row(kernel="mul", ms=7.0, measured=4.0)])
    assert other.merge(store.exported()) == (1, 1)  # the newer time of each
    assert [(one.kernel, one.ms) for one in other.timings()] == [("add", 0.5), ("mul", 1.0)]
    assert other.merge(store.exported()) == (0, 0) and other.choices() == [choice]
    exported = json.loads(store.exported())
    damaged = [{"ms": float("nan")}, {"clock": 1 << 80}, {"configuration": "[]"}, {"configuration": "x"}]
    for change in damaged:
        with pytest.raises(ValueError):
            other.merge(json.dumps({**exported, "timings": [{**exported["timings"][0], **change, "measured": 9.0}]}))
    for wrong in (
        "{",
        "[]",
        '{"format": 2, "timings": [], "choices": []}',
        '{"format": 1, "timings": [{}], "choices": []}',
    ):
        with pytest.raises(ValueError):
            other.merge(wrong)


def test_redis_that_is_not_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(StoreError, match="address of Redis, whose package is not installed: pip install redis"):
        store_at("redis://host")
    monkeypatch.setitem(sys.modules, "redis", fake_redis)
    monkeypatch.setattr(fake_redis.Redis, "refuses", True)
    with pytest.raises(StoreError, match="redis://host: connection refused"):
        store_at("redis://host")
    with pytest.raises(StoreError, match="unix://path: Redis URL must specify"):
        store_at("unix://path")


def test_addresses_that_are_none(tmp_path):
    (tmp_path / "text").write_text("no database, but text that is long enough to be one")
    with pytest.raises(StoreError, match="file is not a database"):
        Store(str(tmp_path / "text"))
    with pytest.raises(StoreError):
        Store(str(tmp_path / "text" / "below.sqlite"))
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed: ttkit[store]")
    for wrong in ("nosuchdatabase://host/name", "postgresql+nosuchdriver://host/name"):
        with pytest.raises(StoreError, match=wrong.partition(":")[0].replace("+", ".")):
            Store(wrong)


def test_sqlalchemy_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(StoreError, match=r"install ttkit\[store\], or name a file"):
        Store("postgresql://host/name")


def test_many_threads_write(tmp_path):
    store = Store(str(tmp_path / "tuning.sqlite"))

    def write(number):
        for count in range(20):
            Store(store.address).record([row(configuration=f"{number}.{count % 5}")])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.timings()) == 20


# --- tuning -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(gpu, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    increment.launches.device_caches.clear()


def configs(*warps):
    return [Config({"BLOCK": 128}, num_warps=count) for count in warps]


def tuned(address, *warps, do_bench=quick, **given):
    tuner = autotune(configs(*warps), key=["n"], do_bench=do_bench, store=address, **given)(increment)
    timed = []
    bench = tuner._bench
    tuner._bench = lambda *args, config, **meta: (timed.append(config.num_warps), bench(*args, config=config, **meta))[
        1
    ]
    tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    return tuner, timed


def test_a_choice_is_taken_by_others(cache, tmp_path):
    address = str(tmp_path / "tuning.sqlite")
    first, timed = tuned(address, 4, 2)
    again, not_timed = tuned(address, 4, 2)
    assert timed == [4, 2] and not_timed == []
    assert again.best_config == first.best_config == configs(2)[0] and again.configs_timings == first.configs_timings
    (fast, slow) = Store(address).timings()
    assert (fast.ms, slow.ms, fast.kernel, fast.device, fast.driver) == (2.0, 4.0, "increment", "Fake GPU", "CUDA 13.0")
    assert fast.arguments == "x: fp32[1000], n: 1000" and fast.tuning_key == "(1000, 'float32')"
    assert json.loads(fast.configuration)["num_warps"] == 2 and fast.compile_seconds > 0
    assert not Store(address)._read("SELECT * FROM claims")


def test_a_changed_list_keeps_what_was_timed(cache, tmp_path):
    address = str(tmp_path / "tuning.sqlite")
    tuned(address, 8, 4)
    tuner, timed = tuned(address, 8, 4, 2)
    # The new one, and then all that may be the fastest once more: times of two days are not comparable.
    assert timed == [2, 2, 4, 8] and tuner.best_config.num_warps == 2
    tuner, timed = tuned(address, 8, 2)
    assert timed == [] and tuner.best_config.num_warps == 2
    many = [32, 16, 8, 4, 2, 1]
    tuned(address, *many)
    assert len(Store(address).timings()) == 6


def test_another_source_gpu_or_driver_is_another_kernel(cache, gpu, tmp_path, monkeypatch):
    address = str(tmp_path / "tuning.sqlite")
    tuned(address, 4, 2)
    monkeypatch.setenv("PTXAS_OPTIONS", "--opt-level 3")  # code is another then
    assert tuned(address, 4, 2)[1] == [4, 2]
    facts = {"device": "Other GPU", "driver": "1", "clocks": "", "worker": "w"}
    monkeypatch.setattr(shared_tuning, "device_facts", lambda: facts)
    assert tuned(address, 4, 2)[1] == [4, 2]


def test_errors_are_kept_and_tried_again(cache, tmp_path):
    address = str(tmp_path / "tuning.sqlite")
    with pytest.warns(UserWarning, match="num_warps must be a power of 2"):
        tuned(address, 3, 2)
    assert [one.error for one in Store(address).timings() if one.ms is None] == [
        "num_warps must be a power of 2, up to 1024; found 3"
    ]


def test_a_store_that_can_not_be_used(cache, tmp_path, capsys):
    NOTICES.forget()
    (tmp_path / "text").write_text("no database, but text that is long enough to be one")
    tuner, timed = tuned(str(tmp_path / "text"), 4, 2)
    assert tuner.best_config.num_warps == 2 and timed == [4, 2]
    assert "the store of times can't be used, and processes may choose differently" in capsys.readouterr().err


def test_a_process_that_decides_and_dies_is_replaced(cache, tmp_path, monkeypatch):
    monkeypatch.setattr(shared_tuning, "LEASE", 0.3)
    address = str(tmp_path / "tuning.sqlite")
    claimed = Store.claim

    def claim(store, identity, owner):
        """Somebody was faster, and says nothing more."""
        claimed(store, identity, "host:1:dead")
        return claimed(store, identity, owner)

    monkeypatch.setattr(Store, "claim", claim)
    began = time.monotonic()
    _, timed = tuned(address, 4, 2)
    assert timed == [4, 2] and time.monotonic() - began > 0.3


def test_a_process_that_fails_lets_others_decide(cache, tmp_path):
    address = str(tmp_path / "tuning.sqlite")
    with pytest.raises(ZeroDivisionError):
        tuned(address, 4, 2, do_bench=lambda call, quantiles: 1 / 0)
    assert tuned(address, 4, 2)[1] == [4, 2]


RANK = """
import os, sys
sys.modules["torch"] = None
sys.path.insert(0, {tests!r})
import numpy as np
from kernels_to_tune import by_process, increment
from ttkit.autotuning import Config, autotune
from ttkit.cuda.device import DeviceArray
configs = [Config({{"BLOCK": 128}}, num_warps=count) for count in (1, 2, 4, 8)]
timed = []
def do_bench(call, quantiles):
    timed.append(1)
    return by_process(call, quantiles)
tuner = autotune(configs, key=["n"], do_bench=do_bench)(increment)
for n in (1000, 2000):
    tuner[(8,)](DeviceArray(np.zeros(n, np.float32)), n)
print(*(tuner.cache[n, "float32"].num_warps for n in (1000, 2000)), len(timed))
"""


def test_all_ranks_of_a_job_take_the_same_choice(fake_driver_library, tmp_path):
    (tmp_path / "rank.py").write_text(RANK.format(tests=str(Path(__file__).parent)))
    environment = {
        **os.environ,
        "TRITON_LIBCUDA_PATH": str(fake_driver_library.path),
        "TRITON_CACHE_DIR": str(tmp_path / "cache"),
        "TTKIT_AUTOTUNING_STORE": str(tmp_path / "tuning.sqlite"),
    }
    command = [sys.executable, tmp_path / "rank.py"]
    ranks = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    said = [rank.communicate()[0].split() for rank in ranks]
    assert len({tuple(one[:2]) for one in said}) == 1, said
    assert sum(int(one[2]) for one in said) == 8  # each key was tuned by one of them


ON_THE_CPU = """
import os, sys
sys.modules["torch"] = None
sys.path.insert(0, {tests!r})
import numpy as np
from kernels_to_tune import increment
from ttkit.autotuning import Config, autotune
rank = int(sys.argv[1])
configs = [Config({{"BLOCK": 128}}, num_warps=count) for count in (1, 2, 4, 8)]
timed = []
def do_bench(call, quantiles):
    call()
    timed.append(1)
    return [float((len(timed) * 5 + rank * 3) % 4) + 1.0] * 3  # each rank finds another one the fastest
tuner = autotune(configs, key=["n"], do_bench=do_bench, restore_value=[])(increment)
values = np.zeros(500, np.float32)
for n in (100, 200, 300):
    tuner[(8,)](values, n)
tuner = autotune(configs, key=["n"], do_bench=do_bench, nearest=True)(increment)
tuner[(8,)](values, 310)
print(*(config.num_warps for config in (tuner.best_config,)), len(timed))
print(*values[[0, 99, 100, 299, 305, 499]].astype(int))
"""


def test_four_ranks_on_the_interpreter_take_the_same_choice(tmp_path):
    """Each rank would choose otherwise; one decides for each key, and the nearest key's choice is the same on all."""
    (tmp_path / "rank.py").write_text(ON_THE_CPU.format(tests=str(Path(__file__).parent)))
    environment = {
        **os.environ,
        "TTKIT_DEVICE": "interpret:sm_90",
        "TRITON_CACHE_DIR": str(tmp_path / "cache"),
        "TTKIT_AUTOTUNING_STORE": str(tmp_path / "tuning.sqlite"),
    }
    ranks = [
        subprocess.Popen(
            [sys.executable, tmp_path / "rank.py", str(rank)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(4)
    ]
    said = [rank.communicate(timeout=120) for rank in ranks]
    lines = [out.splitlines() for out, _ in said]
    assert all(len(one) == 2 for one in lines), said
    assert len({one[0].split()[0] for one in lines}) == 1, said
    assert sum(int(one[0].split()[1]) for one in lines) == 3 * 4  # each key was tuned by one of them, 310 by none
    choices = {row["tuning_key"]: row["configuration"] for row in Store(str(tmp_path / "tuning.sqlite")).choices()}
    assert len(choices) == 4 and choices["(310, 'float32')"] == choices["(300, 'float32')"]


# --- the nearest key --------------------------------------------------------------------------------------------------


def test_distances_of_keys():
    assert distance((1024, "fp16"), (1024, "fp16")) == 0
    assert distance((1024, 8, "fp16"), (512, 16, "fp16")) == 2
    assert distance((1024, 1.5), (1024, 3.0)) == 1
    for other in ((1024,), (1024, "fp32"), (-1024, "fp16"), (0, "fp16"), (True, "fp16"), (None, "fp16"), ("a", "fp16")):
        assert distance((1024, "fp16"), other) is None
    assert distance((0, True, None), (0, True, None)) == 0 and distance((1,), (True,)) is None
    assert distance((float("inf"),), (2.0,)) is None


def test_the_nearest_key_is_the_same_everywhere():
    known = {(64,): "a", (256,): "b", (1024,): "c", (1024, "x"): "d"}
    assert nearest((100,), known) == ((64,), "a")
    assert nearest((128,), known) == nearest((128,), dict(reversed(known.items()))) == ((256,), "b")  # by its text
    assert nearest((128, "y"), known) is None and nearest((3,), {}) is None
    assert keys_of_texts(["(1, 'a')", "(2.5, True, None)", "(dtype('x'),)", "7", "("]) == {
        (1, "a"): "(1, 'a')",
        (2.5, True, None): "(2.5, True, None)",
    }


def test_a_new_key_takes_the_nearest_choice_of_this_process(cache):
    timed = []

    def by_size(call, quantiles):
        timed.append(1)
        return [float(len(timed))] * 3

    tuner = autotune(configs(4, 2), key=["n"], do_bench=by_size, nearest=True)(increment)
    for n, count in ((1000, 2), (900, 2), (600, 2)):  # none is known, then 1000 is
        tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), n)
        assert len(timed) == count and tuner.best_config == configs(4)[0]
    assert tuner._borrowed == {(900, "float32"), (600, "float32")}
    tuner[(8,)](DeviceArray(np.zeros(1000, np.float16)), 1000)  # of another type: tuned for
    assert len(timed) == 4


def test_a_new_key_takes_the_nearest_choice_of_the_store(cache, tmp_path, monkeypatch):
    address = str(tmp_path / "tuning.sqlite")
    tuned(address, 4, 2)
    monkeypatch.setenv("TTKIT_AUTOTUNING_NEAREST", "1")
    tuner = autotune(configs(4, 2), key=["n"], do_bench=lambda *_, **__: 1 / 0, store=address)(increment)
    tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 700)
    assert tuner.best_config == configs(2)[0] and tuner.configs_timings == {}
    other = autotune(configs(8, 1), key=["n"], do_bench=quick, store=address)(increment)
    other[(8,)](DeviceArray(np.zeros(1000, np.float32)), 700)  # configurations that nobody has timed
    assert other.best_config == configs(1)[0] and len(other.configs_timings) == 2
