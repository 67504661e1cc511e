"""torch's remote caches and its Mega cache, served by ours: with stand-ins for the modules of torch that are asked."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from ttkit.cache import layered, torch_caches
from ttkit.notices import NOTICES


class RemoteCacheBackend:
    """As torch has it: what asks `_get` and `_put`, and counts."""

    def __init__(self):
        self.asked = []

    def get(self, key):
        self.asked.append(key)
        return self._get(key)

    def put(self, key, data):
        self._put(key, data)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder, and a layer that others share."""
    NOTICES.forget()
    layered._PAUSED.clear()
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "here"))
    monkeypatch.setenv("TTKIT_CACHE_LAYERS", str(tmp_path / "shared"))
    return tmp_path


@pytest.fixture
def torch(monkeypatch):
    made = {name: ModuleType(name) for name in ("torch", "torch._inductor", "torch._inductor.config")}
    remote = ModuleType("torch._inductor.remote_cache")
    remote.RemoteCacheBackend, remote.RedisRemoteCacheBackend = RemoteCacheBackend, None
    found, kept = made["torch"], []
    found._inductor, found._inductor.config = made["torch._inductor"], made["torch._inductor.config"]
    found._inductor.remote_cache = remote
    found._inductor.config.fx_graph_remote_cache = found._inductor.config.autotune_remote_cache = None
    found.cuda = SimpleNamespace(is_available=lambda: found.has_gpu)
    found.compiler = SimpleNamespace(save_cache_artifacts=lambda: found.made, load_cache_artifacts=kept.append)
    found.has_gpu, found.made, found.loaded = False, (b"artifacts", "info"), kept
    for name, module in {**made, "torch._inductor.remote_cache": remote}.items():
        monkeypatch.setitem(sys.modules, name, module)
    return found


def on_another_machine(cache, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(cache / "there"))


def test_bytes_by_key(cache, monkeypatch):
    assert torch_caches.get("pt2:fx-graph-v1::abc:c1") is None
    torch_caches.put("pt2:fx-graph-v1::abc:c1", b"graph")
    on_another_machine(cache, monkeypatch)
    assert torch_caches.get("pt2:fx-graph-v1::abc:c1") == b"graph" and torch_caches.get("another") is None


@pytest.mark.parametrize("has_gpu", [False, True])
def test_remote_caches(cache, torch, monkeypatch, has_gpu):
    torch.has_gpu = has_gpu
    torch_caches.serve()
    made = torch._inductor.remote_cache.RedisRemoteCacheBackend("fx-graph-v1")
    made.put("key", b"graph")
    on_another_machine(cache, monkeypatch)
    assert made.get("key") == b"graph" and made.asked == ["key"]
    config = torch._inductor.config
    assert config.fx_graph_remote_cache is True and config.autotune_remote_cache is (True if has_gpu else None)
    assert not hasattr(config, "bundled_autotune_remote_cache")  # which this torch does not have


def test_the_mega_cache(cache, torch, monkeypatch):
    assert torch_caches.load_artifacts("model") is None and torch.loaded == []
    assert torch_caches.keep_artifacts("model") == "info"
    on_another_machine(cache, monkeypatch)
    torch_caches.load_artifacts("model")
    assert torch.loaded == [b"artifacts"]
    torch.made = None
    assert torch_caches.keep_artifacts("nothing") is None and torch_caches.load_artifacts("nothing") is None


def test_signed_entries(cache, monkeypatch, capsys):
    for name, text in {"ours": "0123456789abcdef0123", "theirs": "abcdef0123456789abcd"}.items():
        (cache / name).write_text(text)
        (cache / name).chmod(0o600)
    monkeypatch.setenv("TTKIT_REMOTE_CACHE_KEY", str(cache / "ours"))
    torch_caches.put("key", b"graph")
    on_another_machine(cache, monkeypatch)
    monkeypatch.setenv("TTKIT_REMOTE_CACHE_KEY", str(cache / "theirs"))
    assert torch_caches.get("key") is None and "is not signed with TTKIT_REMOTE_CACHE_KEY" in capsys.readouterr().err
