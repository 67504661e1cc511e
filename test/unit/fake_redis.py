"""As much of the package `redis` as ttkit's store of times asks of it, in this process."""

import threading


class RedisError(Exception):
    """As redis.RedisError."""


class Redis:
    """A server for each address."""

    SERVERS: dict = {}
    refuses = False

    def __init__(self, hashes):
        self.hashes, self.lock = hashes, threading.RLock()

    @classmethod
    def from_url(cls, address, decode_responses, socket_timeout):
        assert decode_responses and socket_timeout
        if not address.startswith("redis://"):
            raise ValueError("Redis URL must specify one of the following schemes")
        return cls(cls.SERVERS.setdefault(address, {}))

    def ping(self):
        if self.refuses:
            raise RedisError("connection refused")

    def hset(self, key, mapping):
        self.hashes.setdefault(key, {}).update({name: str(value) for name, value in mapping.items()})

    def hsetnx(self, key, name, value):
        held = self.hashes.setdefault(key, {})
        return int(held.setdefault(name, value) is value) if name not in held else 0

    def hget(self, key, name):
        return self.hashes.get(key, {}).get(name)

    def hmget(self, key, *names):
        return [self.hget(key, name) for name in names]

    def hvals(self, key):
        return list(self.hashes.get(key, {}).values())

    def hincrby(self, key, name, amount):
        self.hset(key, {name: int(self.hget(key, name) or 0) + amount})

    def delete(self, key):
        self.hashes.pop(key, None)

    def multi(self):
        """Nothing, as `transaction` holds the lock."""

    def transaction(self, change, *_):
        with self.lock:
            change(self)
