"""Times of configurations, and the choices made of them, in tables that many processes and machines share.

    timings     a row for each configuration that was tried: of which kernel, where, when, how fast
    choices     the configuration that processes take, for a kernel, a tuning key and a device
    claims      who decides a choice now

An address is a file for SQLite, which Python has; one of SQLAlchemy, such as `postgresql://host/name`; or one of
Redis (`redis_store.py`).
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from ttkit.cache.trust import make_folder
from ttkit.json_shapes import load, natural, number

FORMAT = 1
_PATIENCE = 60.0  # seconds to wait for another process that writes
_TABLES = (
    """CREATE TABLE IF NOT EXISTS timings (
        id VARCHAR(64) PRIMARY KEY, kernel TEXT, source VARCHAR(64), toolkit VARCHAR(64), device TEXT, driver TEXT,
        clocks TEXT, tuning_key TEXT, arguments TEXT, configuration TEXT, ms DOUBLE PRECISION, ms_20 DOUBLE PRECISION,
        ms_80 DOUBLE PRECISION, error TEXT, compile_seconds DOUBLE PRECISION, worker TEXT, clock INTEGER,
        measured DOUBLE PRECISION)""",
    """CREATE TABLE IF NOT EXISTS choices (
        id VARCHAR(64) PRIMARY KEY, kernel TEXT, device TEXT, tuning_key TEXT, configuration TEXT,
        decided DOUBLE PRECISION)""",
    "CREATE TABLE IF NOT EXISTS claims (id VARCHAR(64) PRIMARY KEY, owner VARCHAR(128), beat INTEGER)",
)


class StoreError(RuntimeError):
    """A store that can't be opened, read or written."""


@dataclass(frozen=True)
class Timing:
    """One configuration that was tried.

    kernel, source, toolkit: the kernel's name, and digests of its source and of ttkit.
    device, driver, clocks: of the GPU, see `device_facts`.
    tuning_key: the values that tuning was for; arguments: types and shapes of that launch.
    configuration: as JSON.
    ms, ms_20, ms_80: median, 20th and 80th percentile of its times, in ms; None where it failed.
    error: why it failed, else empty.
    compile_seconds: that compiling took; None where it was in the cache.
    worker: host and process; clock: of the multiprocessors after timing, in MHz.
    measured: when, in seconds since 1970.
    """

    kernel: str
    source: str
    toolkit: str
    device: str
    driver: str
    clocks: str
    tuning_key: str
    arguments: str
    configuration: str
    ms: float | None = None
    ms_20: float | None = None
    ms_80: float | None = None
    error: str = ""
    compile_seconds: float | None = None
    worker: str = ""
    clock: int | None = None
    measured: float = 0.0

    @property
    def id(self) -> str:
        """Identifies what was timed, and where: a second time replaces the first."""
        return digest(*(getattr(self, name) for name in (*_PROBLEM, "configuration")))


_PROBLEM = ("kernel", "source", "toolkit", "device", "driver", "clocks", "tuning_key")
_COLUMNS = tuple(field.name for field in fields(Timing))
_TEXTS = {name: str for name in _COLUMNS if Timing.__annotations__[name] == "str"}
_NUMBERS = {name: (number, None) for name in _COLUMNS if name not in _TEXTS}
_CHOICE = {"id": str, "kernel": str, "device": str, "tuning_key": str, "configuration": str, "decided": number}
_EXPORTED = {
    "format": natural,
    "timings": [{**_TEXTS, **_NUMBERS, "clock": (natural, None), "measured": number}],
    "choices": [_CHOICE],
}


def in_order(timings: Iterable[Timing]) -> list[Timing]:
    """Times by kernel, device and tuning, the fastest of each tuning first, and those that failed last."""
    return sorted(timings, key=lambda one: (one.kernel, one.device, one.tuning_key, one.ms is None, one.ms or 0.0))


def digest(*parts: str) -> str:
    """Identifies texts, as hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Store:
    """The tables at an address.

    Raises:
        StoreError: they can't be opened.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        scheme, separator, rest = address.partition("://")
        self._path = rest.removeprefix("/") if separator and scheme == "sqlite" else "" if separator else address
        self._engine: Any = None if self._path else _engine(address)
        if self._path:
            try:
                make_folder(os.path.dirname(os.path.abspath(self._path)))
            except OSError as error:
                raise StoreError(f"{address}: {error}") from None
        for text in _TABLES:
            self._change(text)

    # --- timings ------------------------------------------------------------------------------------------------------

    def record(self, timings: Iterable[Timing]) -> None:
        """Keeps times, in place of earlier ones of the same."""
        names = ("id", *_COLUMNS)
        insert = f"INSERT INTO timings ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
        rows = {one.id: {"id": one.id, **asdict(one)} for one in timings}
        self._change_all(
            [
                statement
                for row in rows.values()
                for statement in (("DELETE FROM timings WHERE id = :id", row), (insert, row))
            ]
        )

    def timings(self, **wanted: str) -> list[Timing]:
        """Times whose columns have these values, the fastest of each tuning first."""
        where = " AND ".join(f"{name} = :{name}" for name in wanted if name in _COLUMNS)
        text = f"SELECT {', '.join(_COLUMNS)} FROM timings {'WHERE ' + where if where else ''}"
        return in_order(Timing(*row) for row in self._read(text, wanted))

    # --- choices ------------------------------------------------------------------------------------------------------

    def choice(self, identity: str) -> str | None:
        """The configuration that was chosen, as JSON; None where none was."""
        found = self._read("SELECT configuration FROM choices WHERE id = :id", {"id": identity})
        return found[0][0] if found else None

    def choices(self) -> list[dict[str, Any]]:
        """All choices, as `_CHOICE`."""
        names = list(_CHOICE)
        return [dict(zip(names, row)) for row in self._read(f"SELECT {', '.join(names)} FROM choices")]

    def choose(self, choices: Iterable[Mapping[str, Any]]) -> None:
        """Keeps choices; one that was made before stays."""
        names = ", ".join(f":{name}" for name in _CHOICE)
        for choice in choices:
            self._insert(f"INSERT INTO choices ({', '.join(_CHOICE)}) VALUES ({names})", choice)

    # --- claims -------------------------------------------------------------------------------------------------------

    def claim(self, identity: str, owner: str) -> bool:
        """Whether `owner` may decide: no other does."""
        text = "INSERT INTO claims (id, owner, beat) VALUES (:id, :owner, 0)"
        return self._insert(text, {"id": identity, "owner": owner})

    def claimed_by(self, identity: str) -> tuple[str, int] | None:
        """Who decides, and how often it said that it still does; None where nobody does."""
        found = self._read("SELECT owner, beat FROM claims WHERE id = :id", {"id": identity})
        return tuple(found[0]) if found else None

    def beat(self, identity: str, owner: str) -> None:
        """Says that `owner` still decides."""
        self._change(
            "UPDATE claims SET beat = beat + 1 WHERE id = :id AND owner = :owner", {"id": identity, "owner": owner}
        )

    def take_over(self, identity: str, owner: str, last: tuple[str, int]) -> bool:
        """Whether `owner` decides from now on, in place of one that said nothing since `last`."""
        given = {"id": identity, "owner": owner, "last": last[0], "beat": last[1]}
        text = "UPDATE claims SET owner = :owner, beat = 0 WHERE id = :id AND owner = :last AND beat = :beat"
        return self._change(text, given) == 1

    def release(self, identity: str, owner: str) -> None:
        """Ends a claim."""
        self._change("DELETE FROM claims WHERE id = :id AND owner = :owner", {"id": identity, "owner": owner})

    # --- in files -----------------------------------------------------------------------------------------------------

    def exported(self) -> str:
        """All times and choices, as JSON."""
        contents = {
            "format": FORMAT,
            "timings": [asdict(one) for one in self.timings()],
            "choices": sorted(self.choices(), key=lambda one: one["id"]),
        }
        return json.dumps(contents, indent=1) + "\n"

    def merge(self, text: str | bytes) -> tuple[int, int]:
        """Adds what `exported` gave: times that are newer than its own, choices where it has none.

        Returns:
            how many times, and how many choices, are new.

        Raises:
            ValueError: it is not such a text.
        """
        data = text.encode() if isinstance(text, str) else text
        found = load(data, _EXPORTED)
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']}, and this ttkit reads {FORMAT}")
        known = {one.id: one.measured for one in self.timings()}
        timings = [_timing_of(row) for row in found["timings"]]
        newer = [one for one in timings if one.measured > known.get(one.id, float("-inf"))]
        self.record(newer)
        chosen = {choice["id"] for choice in self.choices()}
        added = [{**one, "decided": float(one["decided"])} for one in found["choices"] if one["id"] not in chosen]
        self.choose(added)
        return len(newer), len(added)

    # --- SQL ----------------------------------------------------------------------------------------------------------

    def _read(self, text: str, given: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        return self._run([(text, given or {})])[1]

    def _change(self, text: str, given: Mapping[str, Any] | None = None) -> int:
        return self._run([(text, given or {})])[0]

    def _change_all(self, statements: list[tuple[str, Mapping[str, Any]]]) -> None:
        if statements:
            self._run(statements)

    def _insert(self, text: str, given: Mapping[str, Any]) -> bool:
        """Whether a row could be inserted: there was none of its id."""
        try:
            self._run([(text, given)])
        except _AlreadyThere:
            return False
        return True

    def _run(self, statements: list[tuple[str, Mapping[str, Any]]]) -> tuple[int, list[Sequence[Any]]]:
        """Runs statements in one transaction; rows that the last one changed, and rows that it found.

        A connection for each: a store may be used by threads, and after a fork.
        """
        return self._run_sqlite(statements) if self._path else self._run_engine(statements)

    def _run_sqlite(self, statements: list[tuple[str, Mapping[str, Any]]]) -> tuple[int, list[Sequence[Any]]]:
        try:
            connection = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None)
            try:
                connection.execute("BEGIN" if statements[0][0].startswith("SELECT") else "BEGIN IMMEDIATE")
                for text, given in statements:
                    cursor = connection.execute(text, dict(given))
                found = cursor.fetchall()
                connection.execute("COMMIT")
                return cursor.rowcount, found
            finally:
                connection.close()
        except sqlite3.IntegrityError as error:
            raise _AlreadyThere(str(error)) from None
        except sqlite3.Error as error:
            raise StoreError(f"{self.address}: {error}") from None

    def _run_engine(self, statements: list[tuple[str, Mapping[str, Any]]]) -> tuple[int, list[Sequence[Any]]]:
        import sqlalchemy  # type: ignore[import-not-found, unused-ignore]

        try:
            with self._engine.begin() as connection:
                for text, given in statements:
                    result = connection.execute(sqlalchemy.text(text), dict(given))
                return result.rowcount, list(map(tuple, result)) if result.returns_rows else []
        except sqlalchemy.exc.IntegrityError as error:
            raise _AlreadyThere(str(error)) from None
        except sqlalchemy.exc.SQLAlchemyError as error:
            raise StoreError(f"{self.address}: {error}") from None


def _timing_of(row: Mapping[str, Any]) -> Timing:
    """A row of an exported file.  Raises ValueError: it has no configuration."""
    values = dict(row)
    for name in _NUMBERS.keys() - {"clock"}:
        if values[name] is not None:
            values[name] = float(values[name])  # an integer may be too large for a database
    if not isinstance(json.loads(values["configuration"]), dict):
        raise ValueError(f"{values['configuration'][:40]} is not a configuration")
    return Timing(**{name: values[name] for name in _COLUMNS})


class _AlreadyThere(StoreError):
    """A row has the id of another."""


def _engine(address: str) -> Any:
    try:
        import sqlalchemy  # type: ignore[import-not-found, unused-ignore]
        from sqlalchemy.pool import NullPool  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise StoreError(
            f"{address} is an address of SQLAlchemy, which is not installed: install ttkit[store], or name a file"
        ) from None
    try:
        return sqlalchemy.create_engine(address, poolclass=NullPool)
    except (sqlalchemy.exc.SQLAlchemyError, ImportError) as error:  # ImportError: of the database's own package
        raise StoreError(f"{address}: {error}") from None
