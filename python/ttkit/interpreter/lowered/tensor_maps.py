"""Tensor maps, and the copies of tiles that they describe (PTX ISA, "Tensor-map" and "cp.async.bulk.tensor")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from dataclasses import replace as with_fields

import ml_dtypes
import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, Misaligned, NotInterpretable
from ttkit.interpreter.lowered.barriers import Barriers, Mbarrier
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.copies import start_store
from ttkit.interpreter.lowered.cta_shared_memory import END_OF_SHARED, SharedMemories
from ttkit.interpreter.lowered.ptx import Assembly, Operand, ptx
from ttkit.interpreter.lowered.ptx_text import Address
from ttkit.interpreter.lowered.threads import WARP, Threads
from ttkit.interpreter.memory.global_memory import Access
from ttkit.interpreter.numerics.rounding import round_to_tf32
from ttkit.interpreter.ops.atomic import COMBINE, in_turn
from ttkit.interpreter.tma_limits import check_tensor

Array = np.ndarray

MAP_BYTES = 128
ELEMENTS: dict[int, np.dtype] = {
    **{code: np.dtype(name) for code, name in enumerate(("u1", "u2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"))},
    9: np.dtype(ml_dtypes.bfloat16),
    **{code: np.dtype(np.float32) for code in (10, 11, 12)},
}
"""Codes of element types -> how their elements are added and compared (CUDA driver API, CUtensorMapDataType)."""
REPLACED: dict[int, np.dtype] = {
    **{code: ELEMENTS[code] for code in range(8)},
    8: np.dtype(np.float32),
    9: np.dtype(np.float64),
    10: np.dtype(ml_dtypes.bfloat16),
    **{code: np.dtype(np.float32) for code in (11, 12)},
}
"""The same in tensormap.replace, which has others from 8 on (PTX ISA, "tensormap.replace", .elemtype)."""
SWIZZLE_ROWS = {0: 1, 1: 2, 2: 4, 3: 8}
"""Mode of swizzling -> rows of 128 bytes after which the pattern repeats."""


@dataclass
class TensorMap:
    """A tensor in global memory and the box of a message; the innermost dimension first.

    address: of the tensor; strides: in bytes, of all dimensions but the first; swizzle: 0 to 3; nan: whether elements
    outside are NaN; tf32: whether what is loaded is rounded to that;
    steps: from one element that is copied to the next, 1 unless said otherwise; interleave: the mode;
    seen_by: of a map that the kernel has written, the CTAs whose copies see it.
    """

    address: int = 0
    element: np.dtype = ELEMENTS[0]
    rank: int = 0
    box: dict[int, int] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    strides: dict[int, int] = field(default_factory=dict)
    swizzle: int = 0
    nan: bool = False
    tf32: bool = False
    steps: dict[int, int] = field(default_factory=dict)
    interleave: int = 0
    seen_by: dict[int, Array] | None = None

    def copy(self) -> TensorMap:
        """A map of its own with the same fields."""
        parts = {name: dict(getattr(self, name)) for name in ("box", "sizes", "strides", "steps")}
        return with_fields(self, **parts)

    def check(self) -> None:
        """Raises InterpreterError if a field is missing, or if the hardware takes no such map."""
        for name, fields, count in (
            ("box_dim", self.box, self.rank), ("global_dim", self.sizes, self.rank),
            ("global_stride", self.strides, self.rank - 1),
            ("element_stride", self.steps, 0 if self.seen_by is None else self.rank),
        ):  # fmt: skip
            if missing := set(range(count)) - fields.keys():
                raise InterpreterError(f"a copy by a tensor map whose {name} {min(missing)} nobody has set")
        if self.interleave and self.rank < 3:
            raise InterpreterError(f"a tensor map of {self.rank} dimensions with interleaving, which needs 3")
        if self.interleave:
            raise NotInterpretable("a tensor map with interleaving has no meaning here")

    def set(self, name: str, position: int, value: int) -> None:
        """A field as tensormap.replace names it.

        Raises:
            NotInterpretable: a size is negative; hardware takes it as a number without sign.
        """
        if name == "global_dim" and not 0 <= value < 1 << 31:
            raise NotInterpretable(f"a tensor map of a tensor with a negative size, {value}, has no meaning here")
        fields = {"box_dim": self.box, "global_dim": self.sizes, "global_stride": self.strides}
        fields["element_stride"] = self.steps
        if name in fields:
            fields[name][position] = value
        elif name == "interleave_layout":
            self.interleave = value
        elif name == "global_address":
            self.address = value
        elif name == "rank":
            self.rank = value + 1
        elif name == "elemtype":
            self.element = REPLACED[value]
        elif name == "swizzle_mode":
            self.swizzle = value
        elif name == "fill_mode":
            self.nan = bool(value)

    def positions(self, place: list[int], rows: list[int] | None = None) -> list[Array]:
        """The coordinates of each element of the box at `place`, in the order in which they lie in shared memory; with
        `rows` of the rows chosen instead of a box of neighbours."""
        shape = [self.box[d] for d in range(self.rank)]
        if rows is not None:
            shape[1] = len(rows)
        steps = [self.steps.get(d, 1) if d else 1 for d in range(self.rank)]  # the hardware has none along the first
        ranges = [np.arange(0, n, step) for n, step in zip(shape, steps)]
        grids = np.meshgrid(*reversed(ranges), indexing="ij")[::-1]
        found = [place[d] + grid.reshape(-1) for d, grid in enumerate(grids) if rows is None or d != 1]
        if rows is not None:
            found.insert(1, np.array(rows)[grids[1].reshape(-1)])
        return found

    def elements(self, positions: list[Array], shared: int) -> tuple[Array, Array, Array]:
        """For each element whether it is in the tensor, its address there, and its byte in shared memory, where the
        message begins at `shared`.

        Raises:
            Misaligned: `shared` is not a multiple of 128.
        """
        inside = np.ones(positions[0].shape, np.bool_)
        address = np.full(positions[0].shape, self.address, np.int64)
        size = self.element.itemsize
        for d, at in enumerate(positions):
            inside &= (at >= 0) & (at < self.sizes[d])
            address += at * (size if d == 0 else self.strides[d - 1])
        if shared % 128:
            raise Misaligned(f"a message begins at byte {shared} of shared memory, which is not a multiple of 128")
        where = shared + np.arange(inside.size) * size
        where ^= where // 128 % SWIZZLE_ROWS[self.swizzle] * 16
        return inside, address, where


@dataclass
class Message:
    """One copy by a tensor map: by which thread, the elements that are in the tensor, addresses, bytes in shared
    memory [elements, bytes of one]."""

    threads: Threads
    op: Instruction
    map: TensorMap
    inside: Array
    address: Array
    byte: Array

    def access(self, verb: str) -> Access:
        """The access to global memory, with bounds checked."""
        return Access(self.threads, self.op, self.address[None], self.inside[None], verb)

    def from_global(self) -> Array:
        """The bytes of the elements, padding outside the tensor: uint8 [elements, bytes of one]."""
        kind = self.map.element
        found = np.zeros(self.inside.shape, kind)
        if self.map.nan and kind.kind not in "iu":
            found[:] = np.nan
        access = self.access("reads")
        values = self.threads.memory.load(access, np.dtype(f"u{kind.itemsize}")).view(kind)
        found[self.inside] = round_to_tf32(values, ties_to_even=True) if self.map.tf32 else values
        return found.view(np.uint8).reshape(len(found), -1)

    def to_global(self, value: Array, reduce: str | None) -> None:
        """Writes bytes of the elements to the tensor, or combines them with what is there."""
        kind = self.map.element
        elements = np.ascontiguousarray(value).view(kind).reshape(-1)[self.inside]
        memory = self.threads.memory
        if reduce is None:
            memory.store(self.access("writes"), elements.view(f"u{kind.itemsize}"))
            return

        def combine(view: Array, index: Array, where: Array) -> Array:
            """Combines elements one after the other, as duplicates demand."""
            return in_turn(view, index, None, COMBINE[reduce], [elements[where]])

        memory.update(self.access("updates"), kind, combine)


@ptx("tensormap.replace.tile")
def replace(asm: Assembly, words: list[str], address: Operand, *values: Operand) -> None:
    """Sets a field of a map in shared memory; of an array of fields the one of that number."""
    position = asm.uniform(values[0]) if len(values) == 2 else 0
    threads = asm.threads
    # The rest of the map stays as lanes have stored it.
    shared = threads.batch.the(SharedMemories)
    shared.load(threads, threads.full(asm.address(address)), MAP_BYTES, asm.mask)
    for row in asm.executing():
        cta, at = int(threads.cta[row]), asm.of(address, row)
        if not (shared.wrote[cta, at : at + MAP_BYTES] > 0).any(-1).all():
            raise InterpreterError("a tensor map is made in memory that no thread has cleared")
    for row in asm.executing():
        found = asm.threads.batch.memory.lowered_maps.setdefault(map_key(asm, address, row), TensorMap())
        found.set(words[3], position, asm.of(values[-1], row))


@ptx("tensormap.cp_fenceproxy")
def copy_map(asm: Assembly, words: list[str], target: Operand, source: Operand, size: str) -> None:
    """Copies a map from shared to global memory.

    Raises:
        InterpreterError: nobody has written it, or it is not copied as a whole.
    """
    if int(size, 0) != MAP_BYTES:
        raise InterpreterError(f"{size} bytes of a tensor map are copied, which has {MAP_BYTES}")
    maps = asm.threads.batch.memory.lowered_maps
    for row in asm.executing():
        key = map_key(asm, source, row)
        if key not in maps:
            raise InterpreterError("a tensor map is copied that nobody has written")
        maps[asm.of(target, row)] = with_fields(maps[key].copy(), seen_by={})
    for key in {map_key(asm, source, row) for row in asm.executing()}:
        del maps[key]  # its bytes are cleared for the next one


@ptx("fence.proxy.tensormap::generic.acquire")
def see_map(asm: Assembly, words: list[str], address: Operand, size: str) -> None:
    """Copies of the CTA that come after it see a map that was written to global memory."""
    known = asm.threads.batch.the(SharedMemories).known
    for row in asm.executing():
        found = asm.threads.batch.memory.lowered_maps.get(map_key(asm, address, row))
        if found is not None and found.seen_by is not None:
            warp = int(asm.threads.rows[row]) // WARP
            steps = found.seen_by.setdefault(int(asm.threads.cta[row]), np.zeros_like(known[warp]))
            steps[warp % steps.size] = known[warp, warp % steps.size]


def map_key(asm: Assembly, operand: Operand, row: int) -> object:
    """The key for the address of a map that a thread gives: in shared memory with the CTA."""
    pointer = asm.of(operand, row)
    return (int(asm.threads.cta[row]), pointer) if pointer < END_OF_SHARED else pointer


def message_of(asm: Assembly, words: list[str], row: int, tensor: Address, shared: int) -> Message:
    """The message that a thread starts.

    Raises:
        InterpreterError: there is no tensor map.
    """
    threads = asm.threads
    found = threads.batch.memory.lowered_maps.get(map_key(asm, tensor, row))
    if found is None:
        raise InterpreterError("a copy of a tile by a tensor map that nobody has written")
    found.check()
    if threads.batch.options.tma is not False:
        sizes, strides = [found.sizes[d] for d in range(found.rank)], [found.strides[d] for d in range(found.rank - 1)]
        check_tensor(found.address, sizes, strides, found.box[0] * found.element.itemsize)
    known = threads.batch.the(SharedMemories).known[int(threads.rows[row]) // WARP]
    steps = known if found.seen_by is None else found.seen_by.get(int(threads.cta[row]), 0 * known)
    if not ((steps > 0) & (steps <= known)).any():
        raise InterpreterError(
            "a copy of a tile by a tensor map that was written with no fence.proxy.tensormap between"
        )
    place = [int(threads.full(asm.read(one, "s32"))[row]) for one in tensor.coordinates]
    gathers = any("gather4" in word or "scatter4" in word for word in words)
    if len(place) != (5 if gathers else found.rank):
        raise InterpreterError(f"{len(place)} coordinates of a tensor of {found.rank} dimensions")
    positions = found.positions([place[0], 0], place[1:]) if gathers else found.positions(place)
    inside, address, where = found.elements(positions, shared)
    alone = threads.part(np.arange(threads.count) == row)
    return Message(alone, asm.op, found, inside, address, where[:, None] + np.arange(found.element.itemsize))


@ptx("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")
def copy_tile(asm: Assembly, words: list[str], target: Operand, source: Operand, *rest: Operand) -> None:
    """Starts a copy of a tile: to shared memory, where its bytes count at an mbarrier (of all CTAs of a mask), or back,
    or into a sum, minimum... with what is there."""
    if isinstance(target, Address) and target.coordinates:
        kinds = [word for word in words if word in COMBINE]
        if words[1] == "reduce" and not kinds:
            raise asm.unknown(words)
        for row in asm.executing():
            _start_to_global(asm, words, row, target, source, kinds[0] if kinds else None)
        return
    if not isinstance(source, Address) or not any("mbarrier" in word for word in words):
        raise asm.unknown(words)
    for row in asm.executing():
        _start_to_shared(asm, words, row, target, source, rest)


def _start_to_global(
    asm: Assembly, words: list[str], row: int, tensor: Address, source: Operand, reduce: str | None
) -> None:
    threads = asm.threads
    shared, cta = threads.batch.the(SharedMemories), int(threads.cta[row])
    message = message_of(asm, words, row, tensor, asm.of(source, row))
    warps = threads.rows[row : row + 1] // WARP
    shared.check_visible(warps, cta, message.byte, "a copy to global memory")
    shared.begin_read(cta, message.byte)

    def work() -> None:
        """Writes the bytes to global memory; then shared memory may be written again."""
        message.to_global(shared.data[cta, message.byte], reduce)
        shared.end(cta, message.byte)
        shared.note_read(warps, cta, message.byte)

    start_store(threads, row, work)


def _start_to_shared(
    asm: Assembly, words: list[str], row: int, target: Operand, tensor: Address, rest: tuple[Operand, ...]
) -> None:
    threads = asm.threads
    batch, own = threads.batch, int(threads.cta[row])
    first = own - own % batch.ctas_of_program
    message = message_of(asm, words, row, tensor, asm.of(target, row))
    barrier = asm.of(rest[0], row)
    ctas = [own]
    if any("multicast" in word for word in words):
        mask = asm.of(rest[1], row)
        ctas = [first + number for number in range(batch.ctas_of_program) if mask >> number & 1]
    warps = threads.rows[row : row + 1] // WARP
    for cta in ctas:
        batch.the(SharedMemories).begin_write(warps, cta, message.byte, "a copy from global memory")
        mbarrier = batch.the(Barriers).use(int(threads.rows[row]), cta, barrier)
        batch.later.append(_arrival(batch, cta, message.byte, message.from_global, mbarrier))


@ptx("clusterlaunchcontrol.try_cancel")
def try_cancel(asm: Assembly, words: list[str], target: Operand, address: Operand) -> None:
    """Takes a program that is still waiting, if there is one; the 16 bytes of the answer count at an mbarrier."""
    threads, batch = asm.threads, asm.threads.batch
    for row in asm.executing():
        taken = batch.memory.start_programs(1).tolist()
        answer = np.array([[1, taken[0]] if taken else [0, 0]], np.int64).view(np.uint8).reshape(-1)
        own = int(threads.cta[row])
        first = own - own % batch.ctas_of_program
        ctas = range(first, first + batch.ctas_of_program) if any("multicast" in word for word in words) else [own]
        byte = asm.of(target, row) + np.arange(answer.size)
        for cta in ctas:
            batch.the(SharedMemories).begin_write(
                threads.rows[row : row + 1] // WARP, cta, byte, "a request for more work"
            )
            mbarrier = batch.the(Barriers).use(int(threads.rows[row]), cta, asm.of(address, row))
            batch.later.append(_arrival(batch, cta, byte, answer.copy, mbarrier))


def _arrival(batch: Batch, cta: int, byte: Array, made: Callable[[], Array], barrier: Mbarrier) -> Callable[[], None]:
    """The end of a copy to shared memory: it writes the bytes that `made` gives, and counts them."""

    def work() -> None:
        """Writes, and lets the mbarrier's phase end if it has all bytes."""
        batch.the(SharedMemories).written(cta, byte, made())
        barrier.bytes -= byte.size
        barrier.settle()

    return work
