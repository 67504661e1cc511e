"""Copies of tiles by TMA: each message of lowered code is a box of a block that the kernel copies.

The box of the map gives the elements, its swizzle the bytes where they stand.  Both must be those that the kernel's
buffer has, and the messages together must be the whole block, each element once.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.lowered.ptx_text import Address, Operand
from ttkit.interpreter.lowered.tensor_maps import REPLACED, SWIZZLE_ROWS
from ttkit.validation.booleans import choose
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import subtract
from ttkit.validation.lowered.accesses import place
from ttkit.validation.lowered.assembly import Assembly
from ttkit.validation.lowered.bits import bits, bytes_of
from ttkit.validation.lowered.mbarriers import at_its_place, done, next_signal, same, uses
from ttkit.validation.lowered.meanings import means, ptx
from ttkit.validation.lowered.registers import full, uniform
from ttkit.validation.lowered.signals import Encoded, Map, Signal
from ttkit.validation.lowered.tensor_maps import Written, electable
from ttkit.validation.lowered.tile_memory import begin_tile, claim_store, end_stores
from ttkit.validation.terms import Term, at_place
from ttkit.validation.values import Descriptor, NotModelled

ALIGNMENT = 128
ROWS = 4
"""Rows that a message of chosen rows copies."""
KINDS = {"add": 1, "min": 2, "max": 3, "inc": 4, "dec": 5, "and": 6, "or": 7, "xor": 8}
"""Kinds of an update by their words (tt::DescriptorReduceKind)."""
ORDERED = ("reduce 2", "reduce 3")
"""Updates of which the sign matters."""
WORDS = re.compile(
    r"cp(?P<reduce>\.reduce)?\.async\.bulk\.tensor\.(?P<rank>[1-5])d\."
    r"(?:tile::(?P<rows>gather4|scatter4)\.)?"
    r"(?:shared::(?:cluster|cta)\.global\.mbarrier::complete_tx::bytes|"
    r"global\.shared::cta(?P<kind>\.(?:add|min|max|inc|dec|and|or|xor))?(?P<store>\.bulk_group))(?P<hint>\.L2::cache_hint)?"
)


@ptx("cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor")
def copy_tile(asm: Assembly, words: list[str], target: Operand, source: Operand, *rest: Operand) -> None:
    """Begins to copy a box.

    Raises:
        NotModelled: the kernel does not copy it.
    """
    found = WORDS.fullmatch(".".join(words))
    if found is None or bool(found["reduce"]) != bool(found["kind"]):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    name = "store" if found["store"] else "load"
    rank = int(found["rank"])
    if found["rows"]:
        name, rank = found["rows"][:-1], ROWS + 1
        if (name == "scatter") != bool(found["store"]) or found["rank"] != "2" or found["kind"]:
            raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    if found["kind"]:
        name = f"reduce {KINDS[found['kind'][1:]]}"
    tensor, shared = (target, source) if found["store"] else (source, target)
    if not isinstance(tensor, Address) or len(tensor.coordinates) != rank:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    for thread, (lanes, condition) in electable(asm).items():
        event, signal = next_signal(asm.machine, name, "a copy of a tile")
        same(asm.machine, signal.condition, condition, "the condition of a copy")
        message = Message(asm, thread, lanes, signal, tensor, shared)
        part = asm.machine.tiles.setdefault(event.after, set())
        stores = asm.machine.state.shared.stores
        if not found["store"]:
            message.load(condition, rest[0])
        elif not part and stores.group in stores.pending.values():
            raise NotModelled("a copy to global memory in the group of another one", asm.op)
        else:
            message.store()
        if part & message.elements:
            raise NotModelled("a box of a tile that is copied twice", asm.op)
        part |= message.elements
        asm.machine.tiles[event.after] = part
        if len(part) == message.tile.places.size:
            asm.machine.tiles.pop(event.after)
            done(asm.machine, event)


class Message:
    """A box that one thread copies.

    lanes: of which one may be elected to do it.
    elements: the addresses of the elements in shared memory.
    """

    def __init__(
        self, asm: Assembly, thread: int, lanes: tuple[int, int], signal: Signal, tensor: Address, shared: Operand
    ) -> None:
        assert signal.tile is not None
        self.asm, self.machine, self.lanes, self.signal, self.tile = asm, asm.machine, lanes, signal, signal.tile
        threads = asm.machine.threads
        pointer = full(asm.value(tensor.base), threads)[thread]
        start = place(full(asm.address(shared), threads)[thread])
        given = [full(asm.read(one, 4), threads)[thread] for one in tensor.coordinates]
        box, swizzle = self._map(pointer)
        if signal.name in ("gather", "scatter"):
            self.first = self._places(start, (ROWS, box[1]), swizzle)
            self._rows(given[1:])
            self._coordinate(1, given[0])
        else:
            self.first = self._places(start, box, swizzle)
            if len(given) != len(box):
                raise NotModelled("a message of another rank than its tensor map", asm.op)
            for d, mine in enumerate(given[::-1]):
                self._coordinate(d, mine)
        self.elements = set(self.places.reshape(-1).tolist())

    def _map(self, pointer: Term) -> tuple[tuple[int, ...], int]:
        """The box and the swizzle of a map, which must be of the kernel's tensor."""
        found, descriptor = self.machine.state.maps.get(pointer), self.tile.descriptor
        if isinstance(found, Written) and isinstance(descriptor, Encoded):
            shared = self.machine.state.shared
            seen = found.seen and all(shared.ordered(one, lane) for one in found.seen for lane in self.lanes)
            if not seen:
                raise NotModelled("a copy by a tensor map with no fence of its proxy before", self.asm.op)
            self._same_map(found.map, descriptor.map)
            return tuple(int(one.attr) for one in found.map.box[::-1]), found.map.codes[2]
        if isinstance(found, Descriptor) and found is descriptor and found.block.tensor_map is not None:
            return box_of(found)
        raise NotModelled("a copy by a tensor map that is not the kernel's", self.asm.op)

    def _same_map(self, mine: Map, theirs: Map) -> None:
        """Raises NotModelled unless a map describes the kernel's tensor."""
        if mine.codes != theirs.codes or mine.codes[1] != 0:
            raise NotModelled(f"a tensor map with the codes {mine.codes}, not {theirs.codes}", self.asm.op)
        lists = ("box", "sizes", "strides", "element_strides")
        if any(len(getattr(mine, name)) != len(getattr(theirs, name)) for name in lists):
            raise NotModelled("a tensor map of another rank", self.asm.op)
        same(self.machine, theirs.base, mine.base, "the base of a tensor map")
        for name in lists:
            for one, other in zip(getattr(theirs, name), getattr(mine, name)):
                same(self.machine, one, resized(other, one.sort, signed=True), f"the {name} of a tensor map")
        if not all(one.is_const for one in (*mine.box, *mine.element_strides)):
            raise NotModelled("a box that is not known", self.asm.op)
        if any(one.attr != 1 for one in mine.element_strides):
            raise NotModelled("a tensor map that leaves out elements", self.asm.op)
        element = REPLACED.get(mine.codes[0])
        block = self.tile.descriptor.block
        is_signed = "xsi" in block.text or block.text.startswith("tensor<si")
        combines = self.signal.name.startswith("reduce")
        fits = (
            element is not None
            and element.itemsize == bytes_of(self.tile.sort)
            and mine.codes[0] not in (11, 12)
            and (not combines or element.kind in "ui" or element == block.element)
            and (
                not combines
                or element.kind not in "ui"
                or ((element.kind == "i") == is_signed or self.signal.name not in ORDERED)
            )
        )
        if not fits:
            raise NotModelled("a tensor map of elements of another type", self.asm.op)

    def _places(self, start: int, box: tuple[int, ...], swizzle: int) -> tuple[int, ...]:
        """The index of the first element in the block; each other one stands where the kernel's buffer has it."""
        size, whole = bytes_of(self.tile.sort), self.tile.places
        if start % ALIGNMENT or len(box) != whole.ndim:
            raise NotModelled(f"a message at byte {start} of shared memory, or of another rank", self.asm.op)
        places = start + np.arange(int(np.prod(box))) * size
        places ^= places // 128 % SWIZZLE_ROWS[swizzle] * 16
        self.places = places.reshape(box)
        [*found] = np.argwhere(whole == self.places.flat[0])
        if len(found) != 1:
            raise NotModelled(f"a message at byte {start}, where the kernel's buffer is not", self.asm.op)
        first = tuple(int(one) for one in found[0])
        wanted = whole[tuple(slice(at, at + size) for at, size in zip(first, box))]
        if wanted.shape != self.places.shape or not (wanted == self.places).all():
            raise NotModelled("a box that is not where the kernel's buffer has it, or swizzled otherwise", self.asm.op)
        return first

    def _coordinate(self, d: int, mine: Term) -> None:
        """Raises NotModelled unless the box is at the coordinate of its first element."""
        theirs, moved = self.tile.coordinates[d], self.first[d]
        difference = subtract(mine, theirs)
        if not difference.is_const or difference.attr != moved:
            raise NotModelled(f"coordinate {d} of a message: found {mine}, not {theirs} + {moved}", self.asm.op)

    def _rows(self, given: list[Term]) -> None:
        """Raises NotModelled unless the rows are those that the kernel has chosen."""
        for n, mine in enumerate(given):
            theirs = at_place(self.tile.coordinates[0], [(0, self.first[0] + n)])
            same(self.machine, theirs, mine, f"row {self.first[0] + n} that a copy takes")

    def _each(self) -> Any:
        """Each element: its address and its index in the block."""
        for index in np.ndindex(*self.places.shape):
            yield int(self.places[index]), tuple(enumerate(a + b for a, b in zip(self.first, index)))

    def load(self, condition: Term, barrier: Operand) -> None:
        """The elements are in flight to shared memory until the barrier's phase is over.

        Raises:
            NotModelled: nothing is known of bytes that may stay.
        """
        machine, tile = self.machine, self.tile
        shared = machine.state.shared
        at_its_place(self.asm, self.signal, full(self.asm.address(barrier), machine.threads)[self.lanes[0]])
        for lane in self.lanes:
            uses(self.asm, lane, self.signal)
        size, writes = bytes_of(tile.sort), []
        for address, index in self._each():
            value = bits(at_place(tile.value, index))
            if not condition.is_const:
                old = shared.peek(address, size)
                if old is None:
                    old = bits(at_place(tile.before, index))  # type: ignore[arg-type]
                    if old.head != "undefined":
                        raise NotModelled("a copy under a condition to bytes of which nothing is known", self.asm.op)
                value = choose(condition, value, old)
            writes.append((address, value))
        begin_tile(shared, writes, self.lanes, self.signal.address)

    def store(self) -> None:
        """The elements are read by a group of copies."""
        machine, tile = self.machine, self.tile
        for lane in self.lanes:
            machine.state.order.access(machine.state.shared, lane)
        size = bytes_of(tile.sort)
        for address, index in self._each():
            mine = claim_store(machine.state.shared, address, size, self.lanes)
            theirs = bits(at_place(tile.value, index))
            if mine is not theirs:
                same(machine, theirs, mine, f"element {[at for _, at in index]} of a copy to global memory")


def box_of(descriptor: Descriptor) -> tuple[tuple[int, ...], int]:
    """The box and the swizzle of a map that a launch encodes: by the type of the argument."""
    found = descriptor.block.tensor_map
    return tuple(found["block_size"]), int(found["swizzle"])


@means("nvvm.cp.async.bulk.commit.group")
def commit(machine: Any, op: Instruction) -> tuple:
    """The open group of copies to global memory is closed."""
    machine.together()
    machine.state.shared.stores.close()
    return ()


@ptx("cp.async.bulk.commit_group", rest=("",))
def commit_of_some(asm: Assembly, words: list[str]) -> None:
    """A group of some threads, which makes their waits stronger only."""
    if len(asm.guard) == 1:
        commit(asm.machine, asm.op)


@ptx("cp.async.bulk.wait_group", rest=("", "read"))
def wait(asm: Assembly, words: list[str], groups: Operand) -> None:
    """All groups but the newest ones have read shared memory; a wait of some threads is not counted.

    Raises:
        NotModelled: the kernel waits for others.
    """
    if len(asm.guard) != 1:
        return
    machine, count = asm.machine, uniform(asm.value(groups)).attr
    machine.all_here("a wait for copies to global memory")
    event, signal = next_signal(machine, "store wait", "a wait for copies to global memory")
    pending, reads_alone = signal.numbers
    if pending != count:
        raise NotModelled(f"a wait for all groups but {count}, not {pending}", asm.op)
    if "read" in words and not reads_alone:
        raise NotModelled("a wait for reads alone, where the kernel waits for writes", asm.op)
    end_stores(machine.state.shared, count)
    done(machine, event)
