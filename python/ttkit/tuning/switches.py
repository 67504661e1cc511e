"""Switches of the tuning table; the other files make them, with a row for each threshold of a switch."""

from __future__ import annotations

from typing import TypeVar

import ttkit.knobs as knobs
from ttkit.records import dataclass
from ttkit.suggestions import suggestion

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """A threshold.

    unit: what the value counts.
    measured, date: kernels, GPU or CPU, result; year and month at least.
    switch: a word for TTKIT_TUNING_OFF.
    """

    name: str
    value: object
    unit: str
    measured: str
    date: str
    switch: str


SWITCHES: dict[str, Switch] = {}
"""Every switch by its name."""
TABLE: list[Row] = []


class Switch:
    """A mechanism that measurements speak for; on unless TTKIT_TUNING_OFF names it.

    Args:
        name: in TTKIT_TUNING_OFF; of a pass where taking it out of its stage is all that the switch does.
        measured, date: of the rows.
    """

    def __init__(self, name: str, measured: str, date: str) -> None:
        self.name, self.measured, self.date = name, measured, date
        SWITCHES[name] = self

    def threshold(self, name: str, value: T, unit: str) -> T:
        """Adds a row to the table.  Returns the value."""
        TABLE.append(Row(name, value, unit, self.measured, self.date, self.name))
        return value

    @property
    def on(self) -> bool:
        """Whether the mechanism is in use.  Raises ValueError: TTKIT_TUNING_OFF names no switch."""
        return self.name not in switched_off()


def switched_off() -> tuple[str, ...]:
    """The names of the switches that are off.

    Raises:
        ValueError: TTKIT_TUNING_OFF has a word that is not a switch.
    """
    names = knobs.compilation.tuning_off
    for name in names:
        if name not in SWITCHES:
            raise ValueError(
                f"TTKIT_TUNING_OFF: '{name}' is not a switch{suggestion(name, SWITCHES)}; "
                f"there are {', '.join(sorted(SWITCHES))}"
            )
    return names
