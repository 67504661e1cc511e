"""Programs that touch one place of global memory.

Programs of a launch are unordered, except by atomics: one that releases (the default does) hands on what its program
has done, one that acquires from the same place takes it.  So locks and counters order programs; each program counts its
releases, and knows up to which release of others it comes after them.

Two programs that write the same value do not race: nobody can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.memory.global_memory import Access, Buffer
from ttkit.sanitizer.source_lines import sites

if TYPE_CHECKING:
    from ttkit.sanitizer.memory import CheckedMemory

ACQUIRES, RELEASES = (2, 4), (3, 4)
"""Numbers of MemSemantic."""
SEVERAL = -2
FIX = {
    "write": "let each program write places of its own, or use tl.atomic_add and its kind",
    "read": "read in a second launch what this one writes, or order the programs by an atomic (a lock, a counter)",
    "update": "use atomics for all accesses to this place, or a second launch",
}


@dataclass
class Side:
    """Who touched each unit last in one way: the program (-1: none, SEVERAL), the operation, the program's release."""

    program: np.ndarray
    op: np.ndarray
    release: np.ndarray

    @classmethod
    def empty(cls, units: int) -> Side:
        return cls(np.full(units, -1, np.int32), np.zeros(units, np.int16), np.zeros(units, np.int32))

    def split(self, parts: int) -> Side:
        return Side(*(np.repeat(column, parts) for column in (self.program, self.op, self.release)))


class Tables:
    """Accesses to one allocation: a row for each unit, which is the smallest access so far."""

    def __init__(self, size: int, unit: int) -> None:
        self.size, self.unit = size, unit
        self.sides: dict[str, Side] = {}
        self.silent: np.ndarray | None = None
        """Units whose last write changed nothing."""

    def side(self, name: str) -> Side:
        if name not in self.sides:
            self.sides[name] = Side.empty(-(-self.size // self.unit))
        return self.sides[name]

    def refine(self, unit: int) -> None:
        """Units become as small as an access."""
        if unit < self.unit:
            parts = self.unit // unit
            self.sides = {name: side.split(parts) for name, side in self.sides.items()}
            self.silent = None if self.silent is None else np.repeat(self.silent, parts)
            self.unit = unit

    def silence(self) -> np.ndarray:
        if self.silent is None:
            self.silent = np.zeros(-(-self.size // self.unit), np.bool_)
        return self.silent


class ProgramRaces:
    """The races of one launch."""

    def __init__(self, memory: CheckedMemory) -> None:
        self.memory = memory
        self.tables: dict[int, Tables] = {}
        self.ops: list[Instruction] = []
        self.numbers: dict[int, int] = {}
        self.clocks: dict[int, dict[int, int]] = {}
        self.left: dict[tuple[int, int], dict[int, int]] = {}
        """Knowledge that releases left at a place: program -> its release."""
        self.releases: dict[int, int] = {}

    # --- accesses

    def read(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> None:
        """Notes reads, and looks for races with them.  Volatile ones poll, as atomics do."""
        if access.op.attributes.get("isVolatile"):
            return
        tables, units, programs = self._prepare(access, buffer, where, offsets, size)
        writer = tables.side("write")
        self._check(access, buffer, where, units, programs, writer, "read", tables.silence()[units])
        if "update" in tables.sides:
            self._check(access, buffer, where, units, programs, tables.side("update"), "read")
        self._note(tables.side("read"), access, units, programs)

    def write(
        self,
        access: Access,
        buffer: Buffer,
        where: Any,
        offsets: np.ndarray,
        size: int,
        old: np.ndarray | None,
        new: np.ndarray,
        stays: np.ndarray,
    ) -> None:
        """Notes writes.

        Args:
            old, new: values before, and those that each element writes.
            stays: the values afterwards: another one than `new` where elements wrote different ones to one place.
        """
        tables, units, programs = self._prepare(access, buffer, where, offsets, size)
        parts = units.size // max(1, offsets.size)
        silent = np.repeat(_same(old, new), parts)
        for name in ("write", "read", "update"):
            if name in tables.sides:
                self._check(access, buffer, where, units, programs, tables.side(name), "write", silent, parts)
        self._note(tables.side("write"), access, units, programs, last=True)
        tables.silence()[units] = silent
        lost = np.repeat(~_same(stays, new), parts)
        if lost.any():
            self._report_lost(access, buffer, where, units, programs, tables.side("write"), lost, parts)

    def update(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> None:
        """Notes atomic updates: they race with plain accesses only, and order programs."""
        tables, units, programs = self._prepare(access, buffer, where, offsets, size)
        if access.op.result_types and not access.op.result_types[0].rank:
            self._synchronize(access, buffer, offsets, access.lanes(where))
        for name in ("write", "read"):
            if name in tables.sides:
                self._check(access, buffer, where, units, programs, tables.side(name), "update")
        self._note(tables.side("update"), access, units, programs, last=True)

    def _prepare(
        self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int
    ) -> tuple[Tables, np.ndarray, np.ndarray]:
        """The tables, the units that are touched, and the program of each."""
        key = buffer.bytes.__array_interface__["data"][0]
        if key not in self.tables:
            self.tables[key] = Tables(buffer.size, size)
        tables = self.tables[key]
        tables.refine(size)
        programs = access.lanes(where)
        units = offsets // tables.unit
        if (parts := size // tables.unit) > 1:
            units = (units[:, None] + np.arange(parts)).reshape(-1)
            programs = np.repeat(programs, parts)
        return tables, units, programs

    def _number(self, op: Instruction) -> int:
        if id(op) not in self.numbers:
            self.numbers[id(op)] = len(self.ops)
            self.ops.append(op)
        return self.numbers[id(op)]

    def _note(self, side: Side, access: Access, units: np.ndarray, programs: np.ndarray, last: bool = False) -> None:
        if last:
            side.program[units] = programs
        else:
            old = side.program[units]
            side.program[units] = np.where((old == -1) | (old == programs), programs, SEVERAL)
            mixed = side.program[units] != programs
            side.program[units[mixed]] = SEVERAL
        side.op[units] = self._number(access.op)
        if self.releases:
            side.release[units] = self._releases_of(programs)

    # --- order by atomics

    def _releases_of(self, programs: np.ndarray) -> np.ndarray:
        alone, which = np.unique(programs, return_inverse=True)
        return np.array([self.releases.get(int(program), 0) for program in alone], np.int32)[which]

    def _synchronize(self, access: Access, buffer: Buffer, offsets: np.ndarray, programs: np.ndarray) -> None:
        """Notes what programs know after they have updated a place, one after the other."""
        order = access.op.attributes.get("sem", 4)
        for offset, program in zip(offsets.tolist(), programs.tolist()):
            place = buffer.bytes.__array_interface__["data"][0], offset
            clock = self.clocks.setdefault(program, {})
            left = self.left.setdefault(place, {}) if order in RELEASES else self.left.get(place, {})
            if order in ACQUIRES:
                for other, release in left.items():
                    clock[other] = max(clock.get(other, -1), release)
            if order in RELEASES:
                mine = self.releases.get(program, 0)
                for other, release in {**clock, program: mine}.items():
                    left[other] = max(left.get(other, -1), release)
                self.releases[program] = mine + 1

    def _ordered(self, program: int, other: int, release: int) -> bool:
        """Whether what another program did before its release is before what this one does now."""
        return self.clocks.get(program, {}).get(other, -1) >= release

    # --- findings

    def _check(
        self,
        access: Access,
        buffer: Buffer,
        where: Any,
        units: np.ndarray,
        programs: np.ndarray,
        side: Side,
        does: str,
        harmless: np.ndarray | None = None,
        parts: int | None = None,
    ) -> None:
        """Looks for places that another program touched.

        harmless: units where that is no race.
        """
        other = side.program[units]
        clash = (other != -1) & (other != programs)
        if harmless is not None:
            clash &= ~harmless
        if clash.any() and self.releases:
            clash &= ~self._all_ordered(programs, other, side.release[units], clash)
        if not clash.any():
            return
        bad = int(np.argmax(clash))
        count = access.addresses[where].size
        parts = parts or max(1, units.size // max(1, count))
        before = self.ops[side.op[units[bad]]]
        self._tell(access, buffer, where, bad // parts, int(other[bad]), before, does, int(clash.sum()) // parts or 1)

    def _all_ordered(self, programs: np.ndarray, other: np.ndarray, release: np.ndarray, clash: np.ndarray) -> Any:
        """Which clashes are ordered by atomics.  Of several readers only the last release is known: no claim."""
        ordered = other == SEVERAL
        rows = np.stack([programs, other, release], axis=1)[clash]
        alone, which = np.unique(rows, axis=0, return_inverse=True)
        answers = np.array([self._ordered(*map(int, row)) for row in alone])
        ordered[clash] |= answers[which.reshape(-1)]
        return ordered

    def _report_lost(
        self,
        access: Access,
        buffer: Buffer,
        where: Any,
        units: np.ndarray,
        programs: np.ndarray,
        side: Side,
        lost: np.ndarray,
        parts: int,
    ) -> None:
        """Elements of one store that write different values to one place."""
        bad = int(np.argmax(lost))
        other = int(side.program[units[bad]])
        self._tell(access, buffer, where, bad // parts, other, access.op, "write", int(lost.sum()) // parts)

    def _tell(
        self, access: Access, buffer: Buffer, where: Any, bad: int, other: int, before: Instruction, does: str, n: int
    ) -> None:
        memory = self.memory
        program, _ = memory.place_of(access, where, bad)
        did = {"tt.load": "read", "tt.store": "wrote"}.get(
            before.name, "updated" if "atomic" in before.name else "touched"
        )
        if before.name.startswith("tt.descriptor"):
            did = "read" if before.name.endswith(("load", "gather")) else "wrote"
        if other == SEVERAL:
            who = "several programs"
        else:
            x, y, _ = access.machine.grid
            who = f"program {(other % x, other // x % y, other // (x * y))}"
        if who == f"program {program}":
            who = "another element of the same program"
        offset = int(access.addresses[where][bad] - buffer.base)
        index = buffer.bounds.index(offset) if hasattr(buffer, "bounds") else None
        text = f"{access.verb} an element of {buffer.name} that {who} {did}, with nothing that orders them"
        fix = FIX[
            "update"
            if "updated" in (did,) or does == "update"
            else "read"
            if did == "read" or does == "read"
            else "write"
        ]
        others = [(f"{did} by {who} at", list(sites(before.location, before.name)))]
        memory._report(access, "race", text, where, bad, buffer=buffer, index=index, count=n, others=others, fix=fix)


def _same(first: np.ndarray | None, second: np.ndarray) -> np.ndarray:
    """Which values have the same bits."""
    if first is None:
        return np.zeros(second.shape, np.bool_)
    kind = f"u{second.dtype.itemsize}"
    return np.ascontiguousarray(first).view(kind) == np.ascontiguousarray(second).view(kind)
