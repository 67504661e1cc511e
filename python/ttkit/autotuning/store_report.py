"""The times of a store as text: a table for each tuning, with a bar for the speed of each configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ttkit.autotuning.store import Timing

_BAR = 20


def report(timings: Iterable[Timing], choices: Iterable[Mapping[str, Any]]) -> str:
    """Tables of times.

    Args:
        timings: as `Store.timings` orders them.
        choices: as `Store.choices` has them; the configuration that was chosen is marked.
    """
    chosen = {(one["kernel"], one["device"], one["tuning_key"], one["configuration"]) for one in choices}
    of_tuning = lambda one: (one.kernel, one.source, one.device, one.driver, one.clocks, one.tuning_key)
    tables = [
        "\n".join(_table(list(rows), chosen))
        for _, rows in groupby(sorted(timings, key=lambda one: (*of_tuning(one), one.ms is None, one.ms)), of_tuning)
    ]
    return "\n\n".join(tables)


def _table(rows: list[Timing], chosen: set[tuple[Any, ...]]) -> Iterator[str]:
    first = rows[0]
    where = ", ".join(text for text in (first.device, first.driver, first.clocks) if text)
    yield f"{first.kernel}({first.arguments}), key {first.tuning_key}, on {where}"
    for row in rows:
        is_chosen = (row.kernel, row.device, row.tuning_key, row.configuration) in chosen
        mark = "*" if is_chosen else " "
        if row.ms is None:
            yield f" {mark} {'-':>12} {'':>{_BAR + 26}}  {_configuration(row)}: {row.error}"
            continue
        speed = (first.ms or row.ms) / row.ms if row.ms else 1.0
        spread = f"{_milliseconds(row.ms_20)} to {_milliseconds(row.ms_80)}"
        bar = "=" * max(1, round(_BAR * speed))
        yield f" {mark} {_milliseconds(row.ms):>9} ms  {spread:<20} {speed:4.2f} {bar:<{_BAR}} {_configuration(row)}"


def _milliseconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _configuration(row: Timing) -> str:
    return ", ".join(f"{name}={value}" for name, value in json.loads(row.configuration).items())
