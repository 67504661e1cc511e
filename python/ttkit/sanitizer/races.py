"""Programs that touch one place of global memory.

Programs of a launch are unordered, except by atomics: one that releases (the default does) hands on what its program
has done, one that acquires from the same place takes it.  So locks and counters order programs; each program counts its
releases, and knows up to which release of others it comes after them.

Threads of a program are unordered too, except by a barrier, and by what exchanges values between them (a reduction, a
product).  An element of a tensor is taken to be one thread's, the same one in each operation.  All threads load a
scalar, and the one of element 0 stores it; what a program does with scalars alone is not a race.

Two programs that write the same value do not race: nobody can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.memory.global_memory import Access, Buffer
from ttkit.interpreter.memory.running import Running
from ttkit.interpreter.memory.warp_layouts import EXCHANGES
from ttkit.operation_sets import ATOMICS
from ttkit.sanitizer.atomic_orders import ACQUIRE_RELEASE, ACQUIRES, RELEASES, order_of
from ttkit.sanitizer.source_lines import sites

if TYPE_CHECKING:
    from ttkit.sanitizer.checked_memory import CheckedMemory

SEVERAL = -2
SCALAR_LOAD, SCALAR_STORE = -1, -3
MEETS = EXCHANGES | frozenset("gpu.barrier tt.dot tt.dot_scaled tt.trans tt.reshape tt.join tt.split tt.cat".split())
"""Operations between whose sides the threads of a program are ordered, or may be."""
FIX = {
    "write": "let each program write places of its own, or use tl.atomic_add and its kind",
    "read": "read in a second launch what this one writes, or order the programs by an atomic (a lock, a counter)",
    "update": "use atomics for all accesses to this place, or a second launch",
    "thread": "put tl.debug_barrier() between the two lines: it synchronizes the threads of a program",
}


@dataclass
class Side:
    """Who touched each unit last in one way: the program (-1: none, SEVERAL), the operation, the program's release; the
    element (SEVERAL), and how often the program's threads had met."""

    program: np.ndarray
    op: np.ndarray
    release: np.ndarray
    element: np.ndarray
    met: np.ndarray

    @classmethod
    def empty(cls, units: int) -> Side:
        """One for so many units of memory, none of which was accessed."""
        numbers = (np.zeros(units, np.int32) for _ in range(3))
        return cls(np.full(units, -1, np.int32), np.zeros(units, np.int16), *numbers)

    def split(self, parts: int) -> Side:
        """The same for units that are smaller by a factor."""
        return Side(*(np.repeat(column, parts) for column in vars(self).values()))


@dataclass
class Touch:
    """An access to one buffer: for each unit that it touches the program, the element (or SCALAR_LOAD, SCALAR_STORE),
    and how often the program's threads have synchronized.

    parts: units of an element.
    """

    access: Access
    buffer: Buffer
    where: Any
    units: np.ndarray
    programs: np.ndarray
    elements: np.ndarray
    met: np.ndarray
    parts: int


class Tables:
    """Accesses to one allocation: a row for each unit, which is the smallest access so far."""

    def __init__(self, size: int, unit: int) -> None:
        self.size, self.unit = size, unit
        self.sides: dict[str, Side] = {}
        self.silent: np.ndarray | None = None
        """Units whose last write changed nothing."""

    def side(self, name: str) -> Side:
        """The table of one kind of access, made when it is first asked for."""
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
        """Marks of the units whose races are not told again."""
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
        self.met: np.ndarray | None = None
        """Barriers that the threads have passed, by program."""
        self.has_fences = False
        """Whether the module has fences, beside which relaxed atomics order programs."""

    # --- accesses

    def read(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> None:
        """Notes reads, and looks for races with them.  Volatile ones poll, as atomics do."""
        if access.op.attributes.get("isVolatile"):
            return
        tables, touch = self._prepare(access, buffer, where, offsets, size)
        writer = tables.side("write")
        self._check(touch, writer, "read", tables.silence()[touch.units])
        if "update" in tables.sides:
            self._check(touch, tables.side("update"), "read")
        self._note(tables.side("read"), touch)

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
        tables, touch = self._prepare(access, buffer, where, offsets, size)
        silent = np.repeat(_same(old, new), touch.parts)
        for name in ("write", "read", "update"):
            if name in tables.sides:
                self._check(touch, tables.side(name), "write", silent)
        self._note(tables.side("write"), touch, last=True)
        tables.silence()[touch.units] = silent
        lost = np.repeat(~_same(stays, new), touch.parts)
        if lost.any():  # elements of one store that write different values to one place
            bad = int(np.argmax(lost))
            other = int(tables.side("write").program[touch.units[bad]])
            self._tell(touch, bad, other, access.op, "write", int(lost.sum()))

    def update(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> None:
        """Notes atomic updates: they race with plain accesses only, and order programs."""
        tables, touch = self._prepare(access, buffer, where, offsets, size)
        if access.op.result_types and not access.op.result_types[0].rank:
            self._synchronize(access, buffer, offsets, access.lanes(where))
        for name in ("write", "read"):
            if name in tables.sides:
                self._check(touch, tables.side(name), "update")
        self._note(tables.side("update"), touch, last=True)

    def after(self, machine: Running, op: Instruction) -> None:
        """Notes that the threads of each program that runs may have waited for each other in an operation."""
        scalar = (
            op.name in ATOMICS and op.result_types and not op.result_types[0].rank
        )  # its result goes to all threads
        if scalar or op.name in MEETS or op.name.startswith(("ttg.", "ttng.")):
            self._met_in(machine)[machine.programs] += 1

    def _met_in(self, machine: Running) -> np.ndarray:
        if self.met is None:
            self.met = np.zeros(int(np.prod(machine.grid)), np.int32)
        return self.met

    def _prepare(
        self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int
    ) -> tuple[Tables, Touch]:
        """The tables, and what is touched of them."""
        key = buffer.bytes.__array_interface__["data"][0]
        if key not in self.tables:
            self.tables[key] = Tables(buffer.size, size)
        tables = self.tables[key]
        tables.refine(size)
        programs, elements = access.lanes(where), access.elements(where)
        if not access.op.name.startswith("tt"):  # of lowered code, whose barriers nobody tells of
            elements = np.full(elements.size, SCALAR_LOAD)
        elif access.shape[1:].count(1) == len(access.shape) - 1:
            elements = np.full(elements.size, SCALAR_LOAD if access.verb == "reads" else SCALAR_STORE)
        units = offsets // tables.unit
        if (parts := size // tables.unit) > 1:
            units = (units[:, None] + np.arange(parts)).reshape(-1)
            programs, elements = np.repeat(programs, parts), np.repeat(elements, parts)
        met = self._met_in(access.machine)[programs]
        return tables, Touch(access, buffer, where, units, programs, elements, met, max(1, parts))

    def _number(self, op: Instruction) -> int:
        if id(op) not in self.numbers:
            self.numbers[id(op)] = len(self.ops)
            self.ops.append(op)
        return self.numbers[id(op)]

    def _note(self, side: Side, touch: Touch, last: bool = False) -> None:
        units, programs = touch.units, touch.programs
        if last:
            side.program[units], side.element[units] = programs, touch.elements
        else:
            old, again = side.program[units], side.element[units]
            side.program[units] = np.where((old == -1) | (old == programs), programs, SEVERAL)
            mixed = side.program[units] != programs
            side.program[units[mixed]] = SEVERAL
            new = (old != programs) | (side.met[units] != touch.met)
            side.element[units] = np.where(new | (again == touch.elements), touch.elements, SEVERAL)
            mixed = side.element[units] != touch.elements
            side.element[units[mixed]] = SEVERAL
        side.op[units], side.met[units] = self._number(touch.access.op), touch.met
        if self.releases:
            side.release[units] = self._releases_of(programs)

    # --- order by atomics

    def _releases_of(self, programs: np.ndarray) -> np.ndarray:
        alone, which = np.unique(programs, return_inverse=True)
        return np.array([self.releases.get(int(program), 0) for program in alone], np.int32)[which]

    def _synchronize(self, access: Access, buffer: Buffer, offsets: np.ndarray, programs: np.ndarray) -> None:
        """Notes what programs know after they have updated a place, one after the other: nothing by atomics
        that say that only their own program takes part."""
        order = order_of(access.op)
        if not order:
            return
        if self.has_fences:
            order = ACQUIRE_RELEASE
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

    def _check(self, touch: Touch, side: Side, does: str, harmless: np.ndarray | None = None) -> None:
        """Looks for places that another program touched, or another thread of the same one.

        harmless: units where that is not a race.
        """
        other = side.program[touch.units]
        clash = (other != -1) & (other != touch.programs)
        among = (other == touch.programs) & (side.met[touch.units] == touch.met)
        among &= _other_threads(side.element[touch.units], touch.elements)
        if harmless is not None:
            clash &= ~harmless
            among &= ~harmless
        if clash.any() and self.releases:
            clash &= ~self._all_ordered(touch.programs, other, side.release[touch.units], clash)
        for found in (clash, among):
            if found.any():
                bad = int(np.argmax(found))
                before = self.ops[side.op[touch.units[bad]]]
                self._tell(touch, bad, int(other[bad]), before, does, int(found.sum()))

    def _all_ordered(self, programs: np.ndarray, other: np.ndarray, release: np.ndarray, clash: np.ndarray) -> Any:
        """Which clashes are ordered by atomics.  Several readers are not judged: only the last release is known."""
        ordered = other == SEVERAL
        rows = np.stack([programs, other, release], axis=1)[clash]
        alone, which = np.unique(rows, axis=0, return_inverse=True)
        answers = np.array([self._ordered(*map(int, row)) for row in alone])
        ordered[clash] |= answers[which.reshape(-1)]
        return ordered

    def _tell(self, touch: Touch, bad: int, other: int, before: Instruction, does: str, count: int) -> None:
        """Reports a race.

        Args:
            bad: the position among the units.
            other, before: the program and the operation that touched it before.
            count: how many units there are like it.
        """
        memory, access, buffer = self.memory, touch.access, touch.buffer
        bad, count = bad // touch.parts, count // touch.parts or 1
        program, _ = access.place(touch.where, bad)
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
        offset = int(access.addresses[touch.where][bad] - buffer.base)
        index = buffer.bounds.index(offset) if hasattr(buffer, "bounds") else None
        text = f"{access.verb} an element of {buffer.name} that {who} {did}, with nothing that orders them"
        if who.startswith("another") and before is not access.op:
            fix = FIX["thread"]
        else:
            fix = FIX["update" if "updated" in (did, does + "d") else "read" if "read" in (did, does) else "write"]
        others = [(f"{did} by {who} at", list(sites(before.location, before.name)))]
        where = touch.where
        memory._report(
            access, "race", text, where, bad, buffer=buffer, index=index, count=count, others=others, fix=fix
        )


def _other_threads(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Which of two elements of a program are of different threads."""
    scalars = (first < 0) & (second < 0) & (first != SEVERAL)
    leader = ((first == SCALAR_STORE) & (second == 0)) | ((first == 0) & (second == SCALAR_STORE))
    return (first != second) & ~scalars & ~leader


def _same(first: np.ndarray | None, second: np.ndarray) -> np.ndarray:
    """Which values have the same bits."""
    if first is None:
        return np.zeros(second.shape, np.bool_)
    kind = f"u{second.dtype.itemsize}"
    return np.ascontiguousarray(first).view(kind) == np.ascontiguousarray(second).view(kind)
