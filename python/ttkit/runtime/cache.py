"""The cache, by the names that Triton's has."""

from ttkit.cache.digests import toolkit_key
from ttkit.cache.manager import (
    CacheManager,
    FileCacheManager,
    base32,
    get_cache_manager,
    get_dump_manager,
    get_override_manager,
)
from ttkit.cache.remote import RedisRemoteCacheBackend, RemoteCacheBackend, RemoteCacheManager
from ttkit.runtime.compile import get_cache_key

triton_key = toolkit_key
_base32 = base32

__all__ = [
    "CacheManager",
    "FileCacheManager",
    "RedisRemoteCacheBackend",
    "RemoteCacheBackend",
    "RemoteCacheManager",
    "get_cache_key",
    "get_cache_manager",
    "get_dump_manager",
    "get_override_manager",
    "triton_key",
]
