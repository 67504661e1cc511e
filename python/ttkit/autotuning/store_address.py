"""The store of an address: tables of SQLite or SQLAlchemy, or hashes of Redis."""

from __future__ import annotations

from ttkit.autotuning.store import Store


def store_at(address: str) -> Store:
    """The store at an address: a file for SQLite, one of SQLAlchemy, or `redis://host:6379/0`.

    Raises:
        StoreError: it can't be opened.
    """
    if address.partition("://")[0] in ("redis", "rediss", "unix"):
        from ttkit.autotuning.redis_store import RedisStore

        return RedisStore(address)
    return Store(address)
