"""torch.compile's remote caches and its Mega cache, kept where compiled kernels are: TRITON_CACHE_DIR and the layers of
TTKIT_CACHE_LAYERS, with their digests, signatures and read-only layers.

    from ttkit.cache import torch_caches

    torch_caches.serve()                  # graphs and choices of torch.compile come from our cache, and go there
    torch_caches.keep_artifacts("model")  # all that torch.compile has made in this process, under a name
    torch_caches.load_artifacts("model")  # in another process, before the model is compiled
"""

from __future__ import annotations

import hashlib
from typing import Any

from ttkit.cache.manager import get_cache_manager
from ttkit.whole_files import read_file

_FILE = "torch.bin"
_GRAPHS = ("fx_graph_remote_cache",)
_CHOICES = ("autotune_remote_cache", "bundled_autotune_remote_cache")


def get(key: str) -> bytes | None:
    """The bytes of a key; None if neither the folder nor a layer has them."""
    path = _manager(key).get_file(_FILE)
    return None if path is None else read_file(path)


def put(key: str, data: bytes) -> None:
    """Keeps bytes in the folder and in the layers.

    Raises:
        OSError: the folder can't be written.
    """
    _manager(key).put(data, _FILE)


def serve() -> None:
    """From now on, the remote caches of torch.compile in this process are this cache, in place of a server of Redis.

    Those of inductor are turned on: graphs, and where torch sees a GPU the choices of its autotuner.  That of
    AOTAutograd follows TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE, as without ttkit.

    Raises:
        ImportError: torch is not installed, or has no remote caches.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]
    import torch._inductor.config as config  # type: ignore[import-not-found, unused-ignore]
    from torch._inductor import remote_cache  # type: ignore[import-not-found, unused-ignore]

    class CacheBackend(remote_cache.RemoteCacheBackend):  # type: ignore[misc, unused-ignore]
        """Bytes by key, for the `RemoteCache` classes of torch, which make their own keys and texts."""

        def __init__(self, cache_id: str = "") -> None:
            super().__init__()

        def _get(self, key: str) -> bytes | None:
            return get(key)

        def _put(self, key: str, data: bytes) -> None:
            put(key, data)

    remote_cache.RedisRemoteCacheBackend = CacheBackend
    for name in (*_GRAPHS, *(_CHOICES if torch.cuda.is_available() else ())):
        if hasattr(config, name):  # names differ between versions of torch
            setattr(config, name, True)


def keep_artifacts(name: str) -> Any:
    """Keeps what `torch.compiler.save_cache_artifacts` gives, under a name.

    Returns:
        torch's `CacheInfo`, or None if torch.compile has made nothing that can be kept.

    Raises:
        ImportError: torch is not installed.
        OSError: the cache can't be written.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    saved = torch.compiler.save_cache_artifacts()
    if saved is None:
        return None
    data, info = saved
    put(_of_name(name), data)
    return info


def load_artifacts(name: str) -> Any:
    """Gives `torch.compiler.load_cache_artifacts` what was kept under a name.

    Returns:
        torch's `CacheInfo`, or None if nothing was kept.

    Raises:
        ImportError: torch is not installed.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    data = get(_of_name(name))
    return None if data is None else torch.compiler.load_cache_artifacts(data)


def _of_name(name: str) -> str:
    return f"mega cache: {name}"


def _manager(key: str) -> Any:
    return get_cache_manager(hashlib.sha256(f"torch: {key}".encode()).hexdigest())
