"""Notes of launches: each access to global memory by programs, with the elements, and their warps and lanes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction, Module
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.masks import mask_position
from ttkit.interpreter.memory.global_memory import REGION_BITS, Buffer
from ttkit.interpreter.ops.block_pointer import BlockPointer
from ttkit.interpreter.ops.descriptor import Descriptor
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.run_options import Observer
from ttkit.operation_sets import ATOMICS, BLOCK_STORES, REGISTER_DOTS, SHARED_ACCESSES
from ttkit.sanitizer.source_lines import Site, sites
from ttkit.visualize.coalescing import Owners, Sectors, bank_conflicts, owners, sectors

READS = ("tt.load", "ttg.async_copy_global_to_local", "tt.descriptor_load")
MOST_EVENTS = 20_000
THROUGH = ("ttg.convert_layout", "ttg.local_alloc", "ttg.local_load", "tt.trans", "ttg.memdesc_trans", "tt.fp_to_fp",
           "arith.extf", "arith.truncf", "arith.sitofp", "tt.reshape")  # fmt: skip
"""Operations that hand a tile on to a product."""


@dataclass
class Tensor:
    """name, shape, strides in elements, bytes of an element."""

    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    itemsize: int

    def rows(self, offsets: np.ndarray) -> np.ndarray:
        """Row-major indices of elements, of their offsets from the first; -1 of what is outside."""
        index = np.zeros(offsets.shape, np.int64)
        rest, bad = offsets.copy(), offsets < 0
        steps = sorted(range(len(self.shape)), key=lambda d: -abs(self.strides[d]))
        for d in steps:
            if self.shape[d] == 1 or not self.strides[d]:
                continue
            at = rest // self.strides[d]
            rest -= at * self.strides[d]
            bad |= (at < 0) | (at >= self.shape[d])
            index += at * int(np.prod(self.shape[d + 1 :], dtype=np.int64))
        return np.where(bad | (rest != 0), -1, index)


@dataclass
class Event:
    """One access, product or use of shared memory by one program.

    time: its number among those of the program.
    site: the number of its place in `LaunchRecord.sites`.
    tensor, elements: what it touches: the name, and row-major indices in the order of the block; -1 is masked off.
    sectors: of an access to global memory with a layout.
    operands: of a product, the times of the accesses that it multiplies.
    """

    program: int
    time: int
    site: int
    tensor: str = ""
    elements: np.ndarray | None = None
    sectors: Sectors | None = None
    operands: tuple[int, ...] = ()


@dataclass
class Place:
    """An operation: what it does (reads, writes, updates, multiplies, shared), where, and who holds its elements.

    flops: operations of a product, each multiplication and each addition; 0 where that is not known.
    """

    kind: str
    op: str
    where: tuple[Site, ...]
    owners: Owners | None = None
    conflicts: float | None = None
    flops: int = 0


@dataclass
class LaunchRecord:
    """One launch: the kernel, the grid, its tensors, operations, and events in the order of time."""

    kernel: str
    grid: tuple[int, int, int]
    tensors: dict[str, Tensor] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    left_out: int = 0
    """Programs that are not noted."""

    def accesses(self, tensor: str) -> list[Event]:
        """The events that touch a tensor."""
        return [event for event in self.events if event.tensor == tensor]


def product_flops(op: Instruction) -> int:
    """The operations of a product of [..., m, k] and [..., k, n]: 2 * m * n * k for each; 0 where k is not known."""
    size = math.prod(op.result_types[0].shape) if op.result_types else 0
    found = re.search(r"<((?:\d+x)+)", op.operand_types[0].text)
    inner = int(found[1].split("x")[-2]) if found else 0
    return 2 * size * inner


class Recorder(Observer):
    """Notes a launch while it runs, see `Options.observer`.

    Args:
        record: to fill.
        memory: of the launch, which knows the tensors.
        module: that runs.
        programs: linear indices of those to note.
    """

    def __init__(self, record: LaunchRecord, memory: KernelMemory, module: Module, programs: Sequence[int]) -> None:
        self.record, self.memory = record, memory
        self.programs = set(programs)
        self.numbers: dict[Instruction, int] = {}
        self.times: dict[int, int] = {}
        self.last: dict[tuple[int, Instruction], int] = {}
        self.defined = {slot: op for op in module.public_function().operations() for slot in op.results}

    def before(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        """Notes what an operation is about to do."""
        if op.name in READS or op.name in BLOCK_STORES or op.name in ATOMICS:
            self._access(machine, op, operands)
        elif op.name in REGISTER_DOTS:
            self._each(machine, lambda program, lane: self._product(program, op))
        elif op.name in SHARED_ACCESSES:
            self._each(machine, lambda program, lane: self._event(program, op))

    def _each(self, machine: Machine, note: Any) -> None:
        for lane, program in enumerate(machine.programs.tolist()):
            if program in self.programs and len(self.record.events) < MOST_EVENTS:
                note(program, lane)

    def _event(self, program: int, op: Instruction, **facts: Any) -> None:
        time = self.times.get(program, 0)
        self.times[program] = time + 1
        self.last[program, op] = time
        self.record.events.append(Event(program, time, self._place(op), **facts))

    def _place(self, op: Instruction) -> int:
        if op not in self.numbers:
            self.numbers[op] = len(self.record.places)
            kind = "reads" if op.name in READS else "writes" if op.name in BLOCK_STORES else "updates"
            kind = "multiplies" if op.name in REGISTER_DOTS else "shared" if op.name in SHARED_ACCESSES else kind
            held = owners(op.operand_types[0]) if kind in ("reads", "writes", "updates") else None
            conflicts = bank_conflicts(op) if kind == "shared" else None
            flops = product_flops(op) if kind == "multiplies" else 0
            self.record.places.append(Place(kind, op.name, sites(op.location, op.name), held, conflicts, flops))
        return self.numbers[op]

    # --- accesses

    def _access(self, machine: Machine, op: Instruction, operands: list[Any]) -> None:
        pointer = operands[0]
        if isinstance(pointer, BlockPointer):
            addresses, mask = pointer.elements(op)
        elif isinstance(pointer, Descriptor):
            indices = operands[2:] if op.name == "tt.descriptor_store" else operands[1:]
            addresses, mask = pointer.elements(indices)
        else:
            position = mask_position(op)
            addresses, mask = pointer, None if position is None else operands[position]
        shape = addresses.shape if mask is None else np.broadcast_shapes(addresses.shape, mask.shape)
        addresses = np.broadcast_to(addresses, shape)
        enabled = np.ones(shape, np.bool_) if mask is None else np.broadcast_to(mask, shape)
        held = owners(op.operand_types[0])

        def note(program: int, lane: int) -> None:
            """Notes the access of one program, which may have a row of addresses of its own."""
            row = lane if shape[0] > 1 else 0
            self._note(program, op, addresses[row].reshape(-1), enabled[row].reshape(-1), held)

        self._each(machine, note)

    def _note(self, program: int, op: Instruction, addresses: Any, enabled: Any, held: Owners | None) -> None:
        if not enabled.any():
            self._event(program, op)
            return
        buffer = self.memory.in_region(int(addresses[enabled][0]) >> REGION_BITS)
        tensor = None if buffer is None else self._tensor(buffer)
        if buffer is None or tensor is None:
            self._event(program, op)
            return
        array = self.memory.described[id(buffer)]
        offsets = (addresses - buffer.base - array.offset) // tensor.itemsize
        elements = np.where(enabled, tensor.rows(offsets), -1)
        # Allocators of GPUs align to more than a sector, those of the host need not.
        start = 0 if array.copy_back is None else array.address
        real = addresses - buffer.base + start
        counted = None if held is None else sectors(held, real, enabled, tensor.itemsize)
        self._event(program, op, tensor=tensor.name, elements=elements, sectors=counted)

    def _tensor(self, buffer: Buffer) -> Tensor | None:
        if buffer.name not in self.record.tensors:
            array = self.memory.described.get(id(buffer))
            if array is None:
                return None
            size = max(1, array.element.primitive_bitwidth // 8)
            steps = tuple(step // size for step in array.strides)
            self.record.tensors[buffer.name] = Tensor(buffer.name, tuple(array.shape) or (1,), steps or (1,), size)
        return self.record.tensors[buffer.name]

    # --- products

    def _product(self, program: int, op: Instruction) -> None:
        loads = [self._origin(slot) for slot in op.operands[:2]]
        times = [self.last.get((program, load)) for load in loads if load is not None]
        self._event(program, op, operands=tuple(time for time in times if time is not None))

    def _origin(self, slot: int) -> Instruction | None:
        """The access whose tile an operand of a product is."""
        for _ in range(20):
            op = self.defined.get(slot)
            if op is None or op.name in READS:
                return op
            if op.name not in THROUGH or not op.operands:
                return None
            slot = op.operands[0]
        return None
