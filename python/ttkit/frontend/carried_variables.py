"""Which variables a loop carries, where several of them begin as one value."""

from __future__ import annotations

from typing import Any

from ttkit.frontend.visitor import flatten
from ttkit.language.base import base_value
from ttkit.language.record import Block, Value


def stand_ins_of(before: dict[str, Any]) -> StandIns:
    """Values for the trial run of a loop's body, in place of those that several variables have.

    After `b = a`, the body may assign `b = a` again, and something else to `a` later.  `b` then changes in the second
    iteration, but a single run with the values from before the loop does not show it.
    """
    owners: dict[Value, str] = {}
    shared: dict[str, list[Value]] = {}
    for name, value in before.items():
        if not isinstance(value, base_value):
            continue
        handles = flatten([value])
        firsts = [owners.setdefault(handle, name) for handle in handles]
        if any(first != name for first in firsts):
            shared[name] = handles
    first = {handle: owners[handle] for handles in shared.values() for handle in handles}
    return StandIns(before, shared, first)


class StandIns:
    """The values that take the place of shared ones in a trial run.

    Attributes:
        values: by the variable's name; other variables keep their values.
    """

    def __init__(self, before: dict[str, Any], shared: dict[str, list[Value]], first: dict[Value, str]) -> None:
        """Makes the values.

        Args:
            before: the variables before the loop.
            shared: the values of those that get others.
            first: the variable that keeps each of these values.
        """
        self.values: dict[str, Any] = {}
        self._owners = first
        self._originals: dict[Value, Value] = {}
        for name, handles in shared.items():
            arguments = Block([handle.type for handle in handles]).arguments
            self.values[name] = before[name].type._unflatten_ir(arguments, 0)[0]
            self._owners.update(dict.fromkeys(arguments, name))
            self._originals.update(zip(arguments, handles))

    def changed(self, before: dict[str, Any], finals: dict[str, list[Value]]) -> set[str]:
        """The variables that an iteration may change.

        Args:
            before: the variables before the loop.
            finals: what variables consist of after the trial run.
        """
        changed = set()
        for name, final in finals.items():
            if [self._originals.get(handle, handle) for handle in final] != flatten([before[name]]):
                changed.add(name)
        while self._owners:
            more = {
                name
                for name, final in finals.items()
                if name not in changed and any(self._owners.get(handle) in changed for handle in final)
            }
            if not more:
                break
            changed |= more
        return changed
