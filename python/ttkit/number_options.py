"""Options of commands that take numbers, with the range that each allows."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


class OutOfRange(Exception):
    """A number that an option does not take.  No ValueError, which argparse would tell as a malformed command line."""


def check_range(name: str, number: float, least: float | None, most: float | None = None) -> None:
    """Checks a number that was given for an option.

    Raises:
        OutOfRange: it is less, more, or not a number.
    """
    if (least is None or number >= least) and (most is None or number <= most) and number == number:
        return
    allowed = "a number" if least is None else f"at least {least}"
    raise OutOfRange(f"{name} must be {allowed if most is None else f'from {least} to {most}'}, found {number}")


def between(least: float | None, most: float | None = None) -> type[argparse.Action]:
    """An action of argparse that stores a number, or several, of a range; None leaves a side open.

    The command ends with exit code 1 for others: its `main` tells `OutOfRange`.
    """

    class Number(argparse.Action):
        """Stores numbers that are in the range."""

        def __call__(
            self,
            parser: argparse.ArgumentParser,
            namespace: argparse.Namespace,
            values: Any,
            option_string: str | None = None,
        ) -> None:
            for number in values if isinstance(values, Sequence) else [values]:
                check_range(option_string or self.dest, number, least, most)
            setattr(namespace, self.dest, values)

    return Number


def add_number(
    parser: argparse.ArgumentParser, *flags: str, limits: tuple[float | None, float | None], **more: Any
) -> None:
    """Declares an option that takes a number, or several.

    Args:
        limits: the least and the most that it takes; None leaves a side open.
        more: for argparse; without `type` and `metavar` the number is an integer, N.
    """
    parser.add_argument(*flags, **{"action": between(*limits), "type": int, "metavar": "N", **more})
