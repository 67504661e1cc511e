"""Races on shared and tensor memory, found by vector clocks.

*Agents* access memory without waiting for each other: the groups of warps of ttg.warp_specialize, or all warps one by
one.  Each counts its own steps, and knows up to which step it comes after the others:

    clocks[a][b]   agent a comes after what b did up to this step
    known[a]       the transfers (bits) of whose end agent a knows

Rule ORDER: of two accesses to one unit, one of them a write, the later agent must come after the earlier access.

A barrier makes its agents know what any of them knew.  An arrival at an mbarrier leaves there what the arriving agent
knows, and a transfer its end; whoever waits for the phase takes it all.  A transfer that its own agents wait for
(copies, products of warp groups, stores) becomes an access of theirs at that time.

Rule FENCE: what the asynchronous units read in shared memory was not stored there by threads, unless the reading agent
comes after a ttng.fence_async_shared that comes after the store.  So agents also know which steps of others a fence has
made visible.  (Triton puts no fence after copies, ttg.async_copy_global_to_local.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttkit.interpreter.errors import Race
from ttkit.interpreter.memory.knowledge import Knowledge, MBarrier, later
from ttkit.interpreter.memory.running import RunningInBatch
from ttkit.interpreter.memory.storages import Place, Storage, Transfer
from ttkit.interpreter.memory.warp_layouts import crosses_warps, elements_of_warps, tensor_of

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction

Array = np.ndarray

TENSOR_CORE = ("ttng.tc_gen5_", "ttng.tmem_copy")
IN_ORDER = (TENSOR_CORE, ("ttg.async_copy_",))
"""Kinds of transfers, by the start of their names, that happen in order if one agent starts them."""
ASYNCHRONOUS = ("ttng.async_tma_", "ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tmem_copy")
"""Operations whose accesses are those of their transfers, not of threads."""


@dataclass
class Shadow:
    """Who accessed each unit of a storage last; of writes, only those after which no other was.

    wrote, read: the agents' steps at that time, int64 [units, agents], 0 for none; write_op, read_op: the operation.
    wrote_by, read_by: the number of a transfer, and of a set of transfers.  threads: 1 where a thread stored last:
    the asynchronous units need a fence to see that.
    """

    wrote: Array
    read: Array
    write_op: Array
    read_op: Array
    wrote_by: Array
    read_by: Array
    threads: Array


Accesses = list[tuple[int, Storage, Array, bool]]
"""The accesses of a transfer: agent, storage, units, and whether it writes them."""


class SharedRaces:
    """The race detector of one program.

    Args:
        warps: warps of the program outside of ttg.warp_specialize.
        kinds: "warps" to tell single warps apart, or "groups"; "fences" to check those.
    """

    def __init__(self, warps: int, kinds: Iterable[str]) -> None:
        self.single = "warps" in kinds
        self.order = self.single or "groups" in kinds
        self.fences = "fences" in kinds
        count = warps if self.single else 1
        self.agents = range(count)
        self.names = [f"warp {n}" for n in self.agents] if self.single else ["the default group"]
        self.known = [Knowledge(np.zeros(count, np.int64)) for _ in self.agents]
        for agent in self.agents:
            self.known[agent].steps[agent] = 1
        self.shadows: dict[Storage, Shadow] = {}
        self.barriers: dict[tuple[Storage | None, int], MBarrier] = {}
        """mbarriers by allocation and place; those of the hardware, by number, have no allocation."""
        self.started: dict[int, Accesses] = {}
        """Transfers that no one has waited for."""
        self.transfers: dict[int, Instruction] = {}
        self.sets: list[int] = [0]
        self.ops: dict[Instruction, int] = {}
        self.runs: dict[Instruction, int] = {}
        """Transfers that each operation has started."""

    # --- accesses

    def read(
        self, machine: RunningInBatch, op: Instruction, storage: Storage, units: Array, shape: tuple[int, ...]
    ) -> None:
        """Threads read `units`, those of the elements of a tensor of `shape` in order."""
        if not self.order or op.name.startswith(ASYNCHRONOUS):
            return
        parts = list(self._parts(machine, op, units, shape))
        for agent, mine in parts:
            self._check(machine, op, storage, agent, mine, writes=False)
        for agent, mine in parts:
            self._note_read(op, storage, agent, mine)

    def write(
        self, machine: RunningInBatch, op: Instruction, storage: Storage, units: Array, shape: tuple[int, ...]
    ) -> None:
        """Threads write `units`."""
        shadow = self._shadow(storage)
        parts = list(self._parts(machine, op, units, shape))
        for agent, mine in parts:
            self._check(machine, op, storage, agent, mine, writes=True)
        self._forget(shadow, units)
        for agent, mine in parts:
            self._note_write(op, storage, agent, mine)
        shadow.threads[units] = 1

    def transfer(self, machine: RunningInBatch, transfer: Transfer, place: Place, writes: bool) -> None:
        """A transfer starts to read or write a place."""
        op, storage, units = transfer.op, place.view.storage, place.units()
        self.runs[op] = self.runs.get(op, 0) + (transfer.number not in self.transfers)
        self.transfers[transfer.number] = op
        shadow = self._shadow(storage)
        if self.fences and not writes and storage.op.name != "ttng.tmem_alloc":
            self._check_fence(machine, op, storage, machine.agents[0], units)
        if op.name == "ttg.async_copy_global_to_local":
            parts = list(self._parts(machine, op, units, place.view.shape))
        elif op.name == "ttng.warp_group_dot":
            parts = [(agent, units) for agent in machine.agents]
        else:
            parts = [(machine.agents[0], units)]
        for agent, mine in parts:
            self._check(machine, op, storage, agent, mine, writes)
        accesses = self.started.setdefault(transfer.number, [])
        accesses += [(agent, storage, mine, writes) for agent, mine in parts]
        if writes:
            self._forget(shadow, units)
            shadow.wrote_by[units] = transfer.number
        else:
            self._add_reader(shadow, units, transfer.number)

    def waited(self, transfers: Iterable[Transfer]) -> None:
        """The agents that started these transfers have waited for their end."""
        for transfer in transfers:
            accesses = self.started.pop(transfer.number, [])
            for agent, storage, units, writes in accesses:
                self.known[agent].transfers |= 1 << transfer.number
                if writes:
                    mine = units[self._shadow(storage).wrote_by[units] == transfer.number]
                    self._note_write(transfer.op, storage, agent, mine)
                else:
                    self._note_read(transfer.op, storage, agent, units)
            for _, storage, units, writes in accesses:
                wrote_by = self._shadow(storage).wrote_by
                if writes:
                    wrote_by[units] = np.where(wrote_by[units] == transfer.number, 0, wrote_by[units])

    # --- synchronization

    def barrier(self, machine: RunningInBatch) -> None:
        """All agents of the group wait for each other."""
        together = Knowledge(np.zeros(len(self.known), np.int64))
        for agent in machine.agents:
            together.learn(self.known[agent])
        for agent in machine.agents:
            self.known[agent].learn(together)
            self._step(agent)

    def arrive(
        self, machine: RunningInBatch, place: tuple[Storage, int], transfers: Iterable[Transfer], op: Instruction | None
    ) -> None:
        """The group's first agent, by an operation, or the ends of transfers (None) arrive at the mbarrier of a place.

        A commit of the tensor core tells the end of all its work before, also of what another barrier has told.
        """
        left = self._barrier(*place).left
        for transfer in transfers:
            left.transfers |= 1 << transfer.number
        if op is not None:
            if op.name.startswith(TENSOR_CORE):
                left.transfers |= self._issued_in_order(machine.agents[0], op)
            agent = machine.agents[0]
            left.learn(self.known[agent])
            self._step(agent)

    def come(self, machine: RunningInBatch, number: int) -> None:
        """All agents of the group come to a barrier of the hardware."""
        for agent in machine.agents:
            self._barrier(None, number).left.learn(self.known[agent])
            self._step(agent)

    def phase_over(self, storage: Storage | None, slot: int) -> None:
        """Ends a barrier's phase: who waits for it learns what all who arrived knew."""
        barrier = self._barrier(storage, slot)
        barrier.given.learn(barrier.left)

    def wait(self, machine: RunningInBatch, storage: Storage | None, slot: int) -> None:
        """All agents of the group have waited for a phase of a barrier."""
        for agent in machine.agents:
            self.known[agent].learn(self._barrier(storage, slot).given)

    def fence(self, machine: RunningInBatch) -> None:
        """The group's warps fence: the asynchronous units see all stores that they come after."""
        for agent in machine.agents:
            known = self.known[agent]
            known.fenced = later(known.fenced, known.steps)
            self._step(agent)

    def fork(self, machine: RunningInBatch, sizes: Sequence[int]) -> list[range]:
        """Agents for further groups of `sizes` warps, which come after what the current one did."""
        ranges, start = [], self.agents.stop
        del self.names[start:]
        for group, size in enumerate(sizes):
            count = size if self.single else 1
            ranges.append(range(start, start + count))
            for n in range(count):
                name = f"partition {group}"
                self.names.append(f"warp {n} of {name}" if self.single else name)
            start += count
        while len(self.known) < start:
            self.known.append(Knowledge(np.zeros(start, np.int64)))
        together = Knowledge(np.zeros(start, np.int64))
        for agent in machine.agents:
            together.learn(self.known[agent])
            self._step(agent)
        for agents in ranges:
            for agent in agents:
                self.known[agent].learn(together)
                self._step(agent)
        return ranges

    def join(self, machine: RunningInBatch, ranges: Sequence[range]) -> None:
        """The current group comes after all that others did."""
        for agents in ranges:
            for other in agents:
                for agent in machine.agents:
                    self.known[agent].learn(self.known[other])

    def synchronizes(self, machine: RunningInBatch, op: Instruction) -> None:
        """An operation that exchanges data between warps is a barrier among them."""
        if len(machine.agents) > 1 and crosses_warps(op):
            self.barrier(machine)

    def _step(self, agent: int) -> None:
        """Begins a step of the agent, which is not known to those who have learned from it so far."""
        steps = self.known[agent].steps
        if steps.size <= agent:
            steps = self.known[agent].steps = np.pad(steps, (0, agent + 1 - steps.size))
        steps[agent] += 1

    def _barrier(self, storage: Storage | None, slot: int) -> MBarrier:
        empty = np.zeros(0, np.int64)
        return self.barriers.setdefault((storage, slot), MBarrier(Knowledge(empty), Knowledge(empty)))

    # --- shadows

    def _shadow(self, storage: Storage) -> Shadow:
        count = len(self.known)
        shadow = self.shadows.get(storage)
        if shadow is None:
            size = storage.state.shape[1]
            tables = (np.zeros((size, count), np.int64) for _ in range(2))
            shadow = self.shadows[storage] = Shadow(*tables, *(np.zeros(size, np.int64) for _ in range(5)))
        more = count - shadow.wrote.shape[1]
        if more > 0:
            shadow.wrote, shadow.read = (np.pad(t, ((0, 0), (0, more))) for t in (shadow.wrote, shadow.read))
        return shadow

    def _parts(self, machine: RunningInBatch, op: Instruction, units: Array, shape: tuple[int, ...]):
        """(agent, the units that it accesses)"""
        if len(machine.agents) == 1:
            return [(machine.agents[0], units)]
        rows = units.reshape(int(np.prod(shape, dtype=np.int64)), -1)
        elements = elements_of_warps(tensor_of(op, shape), len(machine.agents))
        return [(agent, rows[mine].reshape(-1)) for agent, mine in zip(machine.agents, elements)]

    def _forget(self, shadow: Shadow, units: Array) -> None:
        """A write takes the place of what was before it: whoever comes after it comes after that too."""
        shadow.wrote[units] = shadow.read[units] = 0
        shadow.wrote_by[units] = shadow.read_by[units] = shadow.threads[units] = 0

    def _note_read(self, op: Instruction, storage: Storage, agent: int, units: Array) -> None:
        shadow = self._shadow(storage)
        shadow.read[units, agent] = self.known[agent].steps[agent]
        shadow.read_op[units] = self._number(op)

    def _note_write(self, op: Instruction, storage: Storage, agent: int, units: Array) -> None:
        shadow = self._shadow(storage)
        shadow.wrote[units, agent] = self.known[agent].steps[agent]
        shadow.write_op[units] = self._number(op)

    def _add_reader(self, shadow: Shadow, units: Array, number: int) -> None:
        old = shadow.read_by[units]
        for value in np.unique(old):
            bits = self.sets[value] | 1 << number
            if bits not in self.sets:
                self.sets.append(bits)
            old = np.where(shadow.read_by[units] == value, self.sets.index(bits), old)
        shadow.read_by[units] = old

    def _number(self, op: Instruction) -> int:
        return self.ops.setdefault(op, len(self.ops))

    def _op(self, number: int) -> Instruction:
        return list(self.ops)[number]

    # --- rules

    def _check(
        self, machine: RunningInBatch, op: Instruction, storage: Storage, agent: int, units: Array, writes: bool
    ) -> None:
        """Rule ORDER.  A reader needs to know only one of the agents that together wrote the same value to a unit."""
        if not self.order:
            return
        shadow, known = self._shadow(storage), self.known[agent]
        steps = np.pad(known.steps, (0, len(self.known) - known.steps.size))
        wrote = shadow.wrote[units]
        late = wrote > steps
        if not writes:
            late &= ~((wrote > 0) & ~late).any(1, keepdims=True)
        if late.any():
            unit, other = np.argwhere(late)[0]
            earlier = self._op(shadow.write_op[units[unit]])
            self._fail(machine, op, storage, agent, int(units[unit]), writes, f"{self.names[other]} wrote", earlier)
        transfers = known.transfers | self._issued_in_order(agent, op)
        for number in np.unique(shadow.wrote_by[units]):
            if number and not transfers >> int(number) & 1:
                unit = int(units[np.argmax(shadow.wrote_by[units] == number)])
                self._fail(machine, op, storage, agent, unit, writes, "a transfer wrote", self.transfers[int(number)])
        if not writes:
            return
        late = shadow.read[units] > steps
        if late.any():
            unit, other = np.argwhere(late)[0]
            earlier = self._op(shadow.read_op[units[unit]])
            self._fail(machine, op, storage, agent, int(units[unit]), writes, f"{self.names[other]} read", earlier)
        for value in np.unique(shadow.read_by[units]):
            unknown = self.sets[value] & ~transfers
            if unknown:
                unit = int(units[np.argmax(shadow.read_by[units] == value)])
                earlier = self.transfers[unknown.bit_length() - 1]
                self._fail(machine, op, storage, agent, unit, writes, "a transfer read", earlier)

    def _issued_in_order(self, agent: int, op: Instruction) -> int:
        """The transfers (bits) after which one of this agent comes anyway."""
        kind = next((names for names in IN_ORDER if op.name.startswith(names)), None)
        if kind is None:
            return 0
        return sum(
            1 << number
            for number, accesses in self.started.items()
            if self.transfers[number].name.startswith(kind) and any(starter == agent for starter, *_ in accesses)
        )

    def _check_fence(
        self, machine: RunningInBatch, op: Instruction, storage: Storage, agent: int, units: Array
    ) -> None:
        """Rule FENCE."""
        shadow, fenced = self._shadow(storage), self.known[agent].fenced
        late = (shadow.wrote[units] > np.pad(fenced, (0, len(self.known) - fenced.size))).any(1)
        late &= shadow.threads[units] > 0
        if late.any():
            unit = int(units[np.argmax(late)])
            earlier = self._op(shadow.write_op[unit])
            text = f"reads byte {unit * storage.unit} of {storage}, which {earlier.name} at {earlier.location} wrote"
            when = f", in run {self.runs[op]} of the operation" if self.runs.get(op, 0) > 1 else ""
            self._raise(machine, op, f"{text}, with no ttng.fence_async_shared between{when}")

    def _fail(
        self,
        machine: RunningInBatch,
        op: Instruction,
        storage: Storage,
        agent: int,
        unit: int,
        writes: bool,
        what: str,
        earlier: Instruction,
    ) -> None:
        verb = "writes" if writes else "reads"
        text = f"{self.names[agent]} {verb} byte {unit * storage.unit} of {storage}, which {what}"
        self._raise(machine, op, f"{text} in {earlier.name} at {earlier.location}, with no barrier between")

    def _raise(self, machine: RunningInBatch, op: Instruction, text: str) -> None:
        raise Race(text, op, machine.coordinates(int(machine.programs[0])))
