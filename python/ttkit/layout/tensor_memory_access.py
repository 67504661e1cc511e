"""Messages between registers and tensor memory: which tcgen05.ld or .st moves which registers of a thread.

A message has a *shape*, a pattern of 32-bit words that the 32 lanes of a warp take, and repeats it along the columns.
As bits of lane and register -> (row, column), fastest bit first (PTX ISA, "Data movement shape"):

    32x32b     lane (1,0) (2,0) (4,0) (8,0) (16,0)
    16x64b     lane (8,0) (0,1) (1,0) (2,0) (4,0)
    16x128b    lane (0,1) (0,2) (1,0) (2,0) (4,0)      register (8,0)
    16x256b    lane (0,2) (0,4) (1,0) (2,0) (4,0)      register (0,1) (8,0)
    16x32bx2   lane (1,0) (2,0) (4,0) (8,0)            lanes 16 to 31 take a second place, at a fixed distance

Further registers are further columns.  Warps 0 to 3 of a group have 32 rows each; what else moves a place (more
registers, more warps) is added to the address of the message.  An address is `row << 16 | column`.

Narrower elements are neighbours in a word, and then move as one.  16-bit elements may have a column each instead
(`spread`): the instruction takes them apart, two registers' worth a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import log2
from ttkit.records import dataclass

WARP_ROWS = 32
MOST_WORDS = 128
"""Words of a thread that a message moves at most."""

Place = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True)
class Shape:
    """A pattern: places of the bits of lanes and, within a repetition, of a thread's words."""

    name: str
    lanes: tuple[Place, ...]
    words: tuple[Place, ...] = ()

    @property
    def columns(self) -> int:
        """Columns of one repetition."""
        return 1 << sum(column > 0 for _, column in (*self.lanes, *self.words))


HALVES = Shape("16x32bx2", ((1, 0), (2, 0), (4, 0), (8, 0)))
SHAPES = (
    Shape("32x32b", (*HALVES.lanes, (16, 0))),
    Shape("16x256b", ((0, 2), (0, 4), (1, 0), (2, 0), (4, 0)), ((0, 1), (8, 0))),
    Shape("16x128b", ((0, 1), (0, 2), (1, 0), (2, 0), (4, 0)), ((8, 0),)),
    Shape("16x64b", ((8, 0), (0, 1), (1, 0), (2, 0), (4, 0))),
    HALVES,
)
"""In the order in which they are tried; at most one of the first four fits."""


@dataclass(frozen=True)
class Messages:
    """The messages by which a warp moves its registers.

    shape: name of the pattern; repeat: how often a message has it.
    spread: whether each word is two 16-bit elements that have a column each.
    second: for 16x32bx2, the distance of the second place, as an address; else None.
    words: for each message for each of its words the registers that it consists of, lowest bits first.
    addresses: of each message, relative to the warp's.
    warps: for each bit of a warp's number, from the third on, what it adds to the address.
    """

    shape: str
    repeat: int
    spread: bool
    second: int | None
    words: tuple[tuple[tuple[int, ...], ...], ...]
    addresses: tuple[int, ...]
    warps: tuple[int, ...]


@dataclass(frozen=True)
class _Access:
    """Places of the bits of registers, lanes and warps; of registers their numbers too.  Columns are `bits` wide."""

    bits: int
    numbers: tuple[int, ...]
    registers: tuple[Place, ...]
    lanes: tuple[Place, ...]
    warps: tuple[Place, ...]
    packed: tuple[int, ...] = ()
    """Numbers of the registers' bits that choose an element in a word."""

    def leave_columns(self, below: int, first: int = 0) -> bool:
        """Whether no bit but the `first` registers' moves by less than `below` columns."""
        rest = (*self.registers[first:], *self.lanes, *self.warps)
        return not any(column & below - 1 for _, column in rest)

    def divided(self, columns: int) -> _Access:
        """With columns that are `columns` times as wide."""

        def divide(places: tuple[Place, ...]) -> tuple[Place, ...]:
            """The places in wider columns."""
            return tuple((row, column // columns) for row, column in places)

        return replace(
            self,
            bits=self.bits * columns,
            registers=divide(self.registers),
            lanes=divide(self.lanes),
            warps=divide(self.warps),
        )

    def without_first(self, count: int) -> _Access:
        """The first registers' bits choose elements of a word."""
        packed = (*self.packed, *self.numbers[:count])
        return replace(self, numbers=self.numbers[count:], registers=self.registers[count:], packed=packed)


@lru_cache(maxsize=256)
def plan_messages(
    registers: LinearLayout, memory: LinearLayout, element_bits: int, most_words: int = MOST_WORDS
) -> Messages:
    """The messages that move a tensor between registers and tensor memory.  Cached.

    Args:
        registers: register, lane, warp (and block) -> the two dimensions of the tensor.
        memory: row, col -> the two dimensions of the buffer; a column is one element's place.
        most_words: words of a thread that a message may move.

    Raises UnsuitableLayout if there are none.
    """
    access = _places(registers, memory, element_bits)
    access, spread = _in_words(access)
    stride = 2 if spread else 1
    for shape in SHAPES:
        own = _own_registers(access, shape, stride)
        if own is not None:
            return _messages(access, shape, own, spread, most_words)
    raise UnsuitableLayout("found a tensor in a layout that no instruction moves to or from tensor memory")


def _places(registers: LinearLayout, memory: LinearLayout, element_bits: int) -> _Access:
    warps, rows = registers.bases("warp"), memory.bases("row")
    if len(warps) < 2 or len(rows) < 7 or warps[:2] != rows[5:7]:
        raise UnsuitableLayout("found a tensor whose warps do not have 32 rows of tensor memory each")
    part = registers.sublayout(["register", "lane", "warp"], registers.out_dims)
    if any(part.bits_out(dim) > memory.bits_out(dim) for dim in memory.out_dims):
        raise UnsuitableLayout("found a tensor that is larger than the buffer in tensor memory")
    try:
        cast = part.invert_and_compose(memory)
    except ValueError as error:
        raise UnsuitableLayout("found a tensor of which tensor memory does not hold all") from error
    cast = cast.transpose_outs(["row", "col"])

    def places(dim: str) -> tuple[Place, ...]:
        """Row and column that each bit of a dimension moves by."""
        return tuple((basis[0], basis[1]) for basis in cast.bases(dim))

    numbered = [(1 << bit, place) for bit, place in enumerate(places("register")) if any(place)]
    # Where rows repeat for the warps, the warps still have a quarter of them each.
    of_warps = ((WARP_ROWS, 0), (2 * WARP_ROWS, 0), *places("warp")[2:])
    return _Access(
        element_bits,
        tuple(number for number, _ in numbered),
        tuple(place for _, place in numbered),
        places("lane"),
        of_warps,
    )


def _in_words(access: _Access) -> tuple[_Access, bool]:
    """The access of words that neighbours are packed in, and whether these are spread over two columns."""
    spread = False
    while access.bits < REGISTER_BITS:
        count = 0
        while (
            access.bits << count + 1 <= REGISTER_BITS
            and access.registers[count : count + 1] == ((0, 1 << count),)
            and access.leave_columns(2 << count, count + 1)
        ):
            count += 1
        if count:
            access = access.without_first(count).divided(1 << count)
            continue
        per_word = REGISTER_BITS // access.bits
        if not access.leave_columns(per_word):
            raise UnsuitableLayout(
                f"found elements of {access.bits} bits that neither fill words of tensor memory nor have one each"
            )
        pair = access.bits == REGISTER_BITS // 2 and access.registers[:1] == ((0, 2),) and access.leave_columns(4, 1)
        access = access.divided(per_word)
        if pair:
            access, spread = access.without_first(1), True
    return access, spread


def _own_registers(access: _Access, shape: Shape, stride: int) -> list[int] | None:
    """Positions of the registers' bits that are a repetition of `shape`; None if the pattern does not fit."""
    lanes = tuple((row, column * stride) for row, column in shape.lanes)
    if access.lanes[: len(lanes)] != lanes:
        return None
    own = []
    for row, column in shape.words:
        if (row, column * stride) not in access.registers:
            return None
        own.append(access.registers.index((row, column * stride)))
    return own if _is_apart(access, shape, own, stride * shape.columns) else None


def _is_apart(access: _Access, shape: Shape, own: Sequence[int], columns: int) -> bool:
    """Whether nothing else moves by less than `columns`, or by a row of the pattern."""
    rows = sum({row for row, _ in (*shape.lanes, *shape.words)}) | 3 * WARP_ROWS
    others = [place for position, place in enumerate(access.registers) if position not in own]
    others += [*access.lanes[len(shape.lanes) :], *access.warps[2:]]
    return not any(row & rows or column & columns - 1 for row, column in others)


def _messages(access: _Access, shape: Shape, own: list[int], spread: bool, most_words: int) -> Messages:
    columns = shape.columns * (2 if spread else 1)
    repeat = 1
    while 2 << len(own) <= most_words:
        wanted = (0, columns * repeat)
        further = [*own, access.registers.index(wanted)] if wanted in access.registers else []
        if not further or not _is_apart(access, shape, further, 2 * columns * repeat):
            break
        own, repeat = further, 2 * repeat
    rest = [position for position in range(len(access.registers)) if position not in own]
    in_word = gf2.all_values(access.packed)
    in_message = gf2.all_values([access.numbers[position] for position in own])
    starts = gf2.all_values([access.numbers[position] for position in rest])
    words = tuple(
        tuple(tuple(start | word | element for element in in_word) for word in in_message) for start in starts
    )
    second = None
    if shape is HALVES:
        second = _address(access.lanes[log2(WARP_ROWS) - 1])
    return Messages(
        shape.name,
        repeat,
        spread,
        second,
        words,
        tuple(gf2.all_values([_address(access.registers[position]) for position in rest])),
        tuple(map(_address, access.warps[2:])),
    )


def _address(place: Place) -> int:
    return place[0] << 16 | place[1]
