"""Times of configurations and choices in Redis: `redis://host:6379/0`, as `Store` has them in tables.

ttkit:timings    a hash: the id of a time, and its row as JSON
ttkit:choices    likewise
ttkit:claim:ID   a hash: who decides a choice, and how often it said so
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from ttkit.autotuning.store import Store, StoreError, Timing, in_order

_TIMINGS, _CHOICES, _CLAIM = "ttkit:timings", "ttkit:choices", "ttkit:claim:"
_SECONDS = 60.0  # for an answer of the server


class RedisStore(Store):
    """The hashes of a server.  A claim of a process that has ended is taken over as in a table.

    Raises:
        StoreError: the package `redis` is not installed, or the server does not answer.
    """

    def __init__(self, address: str) -> None:
        try:
            import redis  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise StoreError(
                f"{address} is an address of Redis, whose package is not installed: pip install redis"
            ) from None
        self.address, self._failure = address, redis.RedisError
        try:
            self._redis: Any = redis.Redis.from_url(address, decode_responses=True, socket_timeout=_SECONDS)
        except ValueError as error:
            raise StoreError(f"{address}: {error}") from None
        self._asked(self._redis.ping)

    def record(self, timings: Iterable[Timing]) -> None:
        """Keeps times, in place of earlier ones of the same."""
        rows = {one.id: json.dumps(asdict(one)) for one in timings}
        if rows:
            self._asked(lambda: self._redis.hset(_TIMINGS, mapping=rows))

    def timings(self, **wanted: str) -> list[Timing]:
        """Times whose columns have these values, the fastest of each tuning first."""
        found = [Timing(**json.loads(text)) for text in self._asked(lambda: self._redis.hvals(_TIMINGS))]
        return in_order(one for one in found if all(getattr(one, name) == value for name, value in wanted.items()))

    def choice(self, identity: str) -> str | None:
        """The configuration that was chosen, as JSON; None where none was."""
        text = self._asked(lambda: self._redis.hget(_CHOICES, identity))
        return None if text is None else str(json.loads(text)["configuration"])

    def choices(self) -> list[dict[str, Any]]:
        """All choices."""
        return [json.loads(text) for text in self._asked(lambda: self._redis.hvals(_CHOICES))]

    def choose(self, choices: Iterable[Mapping[str, Any]]) -> None:
        """Keeps choices; one that was made before stays."""
        for choice in choices:
            self._asked(partial(self._redis.hsetnx, _CHOICES, choice["id"], json.dumps(dict(choice))))

    def claim(self, identity: str, owner: str) -> bool:
        """Whether `owner` may decide: no other does."""
        return bool(self._asked(lambda: self._redis.hsetnx(_CLAIM + identity, "owner", owner)))

    def claimed_by(self, identity: str) -> tuple[str, int] | None:
        """Who decides, and how often it said that it still does; None where nobody does."""
        owner, beat = self._asked(lambda: self._redis.hmget(_CLAIM + identity, "owner", "beat"))
        return None if owner is None else (owner, int(beat or 0))

    def beat(self, identity: str, owner: str) -> None:
        """Says that `owner` still decides."""
        self._if_same(identity, owner, None, lambda key, change: change.hincrby(key, "beat", 1))

    def take_over(self, identity: str, owner: str, last: tuple[str, int]) -> bool:
        """Whether `owner` decides from now on, in place of one that said nothing since `last`."""
        now = {"owner": owner, "beat": 0}
        return self._if_same(identity, last[0], last[1], lambda key, change: change.hset(key, mapping=now))

    def release(self, identity: str, owner: str) -> None:
        """Ends a claim."""
        self._if_same(identity, owner, None, lambda key, change: change.delete(key))

    def _if_same(self, identity: str, owner: str, beat: int | None, act: Callable[[str, Any], Any]) -> bool:
        """Changes a claim if it is that of `owner` when it is changed, with that number of beats; whether it was."""
        key = _CLAIM + identity
        same: list[bool] = []

        def change(pipe: Any) -> None:
            """One try; Redis tries again where another process came between."""
            found, beats = pipe.hmget(key, "owner", "beat")
            same[:] = [found == owner and beat in (None, int(beats or 0))]
            pipe.multi()
            if same[0]:
                act(key, pipe)

        self._asked(lambda: self._redis.transaction(change, key))
        return same[0]

    def _asked(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except self._failure as error:
            raise StoreError(f"{self.address}: {error}") from None
