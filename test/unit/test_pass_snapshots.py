"""Live kernels between their passes: snapshots, layouts, ledgers."""

import os

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit import pipelines
from ttkit.passes.changes import IN_FORCE


@pytest.fixture(autouse=True)
def for_hopper(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRITON_OVERRIDE_ARCH", "sm90")
    transpose.device_caches.clear()


@ttkit.jit
def transpose(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tile = tl.load(x + i[:, None] * N + i[None, :])
    tl.store(out + i[:, None] * N + i[None, :], tile.T)


def warm_up():
    x = np.zeros((32, 32), np.float32)
    return transpose.warmup(x, np.zeros_like(x), grid=(1,), N=32)


def test_snapshots_show_the_module_after_each_pass():
    warm_up()  # so that the cache has it
    with pipelines.snapshots() as found:
        warm_up()
    assert {shot.kernel for shot in found} == {"transpose"}
    assert [shot.stage for shot in found if shot.pass_name == "(input)"] == ["ttir", "ttgir", "llir"]
    assert "#ttg" not in found.after("triton-combine").text
    assert "#ttg.blocked" in found.after("tritongpu-coalesce", "transpose").text
    cleanups = [found.after("cse", occurrence=n) for n in (1, -1)]
    assert [shot.stage for shot in cleanups] == ["ttir", "llir"]
    assert "llvm.func" in found.after("convert-triton-gpu-to-llvm").text


def test_layouts_of_live_kernels():
    with pipelines.snapshots() as found:
        warm_up()
    shot = found.after("tritongpu-remove-layout-conversions", occurrence=-1)
    listing = shot.layouts()
    assert "@transpose\n" in listing
    value = next(line.split(":")[0].strip() for line in listing.splitlines() if "32x32xf32" in line)
    assert "warps" in shot.layouts(value) or "lane" in shot.layouts(value)
    assert "T0" in shot.layouts(value, table=True)
    assert shot.layouts(value, format="svg").startswith("<svg")
    assert "<html" in shot.layouts(value, format="html").lower()


def test_what_did_not_run():
    with pipelines.snapshots() as found:
        warm_up()
    with pytest.raises(LookupError, match="'triton-test-loop-peeling' did not run; these did: "):
        found.after("triton-test-loop-peeling")
    with pytest.raises(LookupError, match="ran 1 times"):
        found.after("tritongpu-coalesce", occurrence=2)


def test_ledgers_of_live_kernels():
    with pipelines.ledgers() as found:
        warm_up()
    names = [entry.pass_name for entry in found["transpose"].entries]
    assert names[0] == "(input)" and "tritongpu-coalesce" in names
    entries = found["transpose"].entries
    assert entries[-1].count.conversions < entries[names.index("tritongpu-coalesce")].count.conversions
    assert "conversions" in found["transpose"].table()


def test_passes_of_users_are_seen_too():
    with pipelines.insert_after("tritongpu-coalesce", "sccp", occurrence="last"), pipelines.snapshots() as found:
        warm_up()
    names = [shot.pass_name for shot in found]
    assert names[names.index("tritongpu-coalesce") + 1] == "sccp"


def test_the_cache_is_left_alone():
    plain = warm_up()
    folder = os.environ["TRITON_CACHE_DIR"]
    before = sorted(os.listdir(folder))
    with pipelines.snapshots():
        watched = warm_up()
    assert sorted(os.listdir(folder)) == before
    assert watched.hash != plain.hash and watched.asm["cubin"] == plain.asm["cubin"]
    assert warm_up().hash == plain.hash


def test_launches_can_tell_whether_anybody_watches():
    assert not IN_FORCE
    with pipelines.snapshots():
        assert IN_FORCE
    assert not IN_FORCE


def test_a_failure_while_looking_is_raised_at_the_end(monkeypatch):
    def fail(self, name, module):
        raise KeyError("no")

    monkeypatch.setattr("ttkit.analysis.ledger.Ledger.add", fail)
    with pytest.raises(KeyError), pipelines.ledgers():
        warm_up()
