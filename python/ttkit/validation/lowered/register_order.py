"""Operations whose elements come in the order that registers have: it is left open, or says which are neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose
from ttkit.validation.comparisons import equal
from ttkit.validation.integers import number
from ttkit.validation.lowered.bits import bits, bytes_of, cast, integer_sort, joined, split
from ttkit.validation.lowered.places import Index, places
from ttkit.validation.meanings.elementwise import element_of
from ttkit.validation.terms import Term, at_index, indices, make
from ttkit.validation.values import NotModelled, row_major, sort_of


def in_place(op: Instruction, source: Term, threads: int) -> Term:
    """A reshape in any order: each register keeps what it has.

    Raises:
        NotModelled: registers differ in number, or have several elements in one place.
    """
    return moved(source, op.operand_types[0].shape, order_of_reshape(op, threads), op.result_types[0].shape)


def order_of_reshape(op: Instruction, threads: int) -> list[int]:
    """By the number of an element of the result that of the source; raises as `in_place`."""
    kind, result = op.operand_types[0], op.result_types[0]
    before, after = places(kind.text, threads), places(result.text, threads)
    if len(before) != len(after):
        raise NotModelled("a reshape in any order between different numbers of registers", op)
    order: dict[int, int] = {}
    for sources, targets in zip(before, after):
        for one, other in zip(sources, targets):
            note(op, order, row_number(other, result.shape), row_number(one, kind.shape))
    if sorted(order) != sorted(order.values()):
        raise NotModelled("a reshape in any order that loses elements", op)
    return [order[n] for n in range(result.size)]


def concatenated(op: Instruction, a: Term, b: Term, threads: int) -> Term:
    """tt.cat: the registers of both operands, one after the other.

    Raises:
        NotModelled: registers differ in number, or have several elements in one place, or elements are lost.
    """
    kind, result, table = op.operand_types[0], op.result_types[0], order_of_cat(op, threads)
    sides = [moved(side, kind.shape, [n % kind.size for n in table], result.shape) for side in (a, b)]
    return choose(equal(looked_up([n // kind.size for n in table], result.shape), number(0, "i32")), *sides)


def order_of_cat(op: Instruction, threads: int) -> list[int]:
    """By the number of an element of the result that of both sources; raises as `concatenated`."""
    kind, result = op.operand_types[0], op.result_types[0]
    before, after = places(kind.text, threads), places(result.text, threads)
    if 2 * len(before) != len(after):
        raise NotModelled("a concatenation of other numbers of registers", op)
    order: dict[int, int] = {}
    for number_, targets in enumerate(after):
        second = number_ // len(before)
        for one, other in zip(before[number_ % len(before)], targets):
            note(op, order, row_number(other, result.shape), second * kind.size + row_number(one, kind.shape))
    if sorted(order.values()) != list(range(2 * kind.size)):
        raise NotModelled("a concatenation that loses elements", op)
    return [order[n] for n in range(result.size)]


def in_packs(
    op: Instruction,
    pack: int,
    sources: Sequence[Term],
    threads: int,
    region: Callable[[list[Term]], Sequence[Term]],
    pads: bool = False,
) -> tuple[Term, ...]:
    """A function of `pack` elements together: those that are neighbours in registers.

    Args:
        pads: whether the last register stands for those that a thread lacks.

    Raises:
        NotModelled: registers have several elements in one place, or are too few.
    """
    if pack == 1:
        return tuple(region(list(sources)))
    kind = op.operand_types[0]
    rows = places(kind.text, threads)
    if len(rows) % pack and not pads:
        raise NotModelled(f"{len(rows)} registers, which {pack} does not divide", op)
    partners: list[dict[int, int]] = [{} for _ in range(pack)]
    position: dict[int, int] = {}
    for register, row in enumerate(rows):
        for thread, index in enumerate(row):
            here = row_number(index, kind.shape)
            note(op, position, here, register % pack)
            for place in range(pack):
                other = rows[min(register - register % pack + place, len(rows) - 1)][thread]
                note(op, partners[place], here, row_number(other, kind.shape))
    tables = [[partner[n] for n in range(kind.size)] for partner in partners]
    found = region([moved(source, kind.shape, table, kind.shape) for source in sources for table in tables])
    where = looked_up([position[n] for n in range(kind.size)], kind.shape)
    results = []
    for first in range(0, len(found), pack):
        chosen = found[first]
        for place in range(1, pack):
            chosen = choose(equal(where, number(place, "i32")), found[first + place], chosen)
        results.append(chosen)
    return tuple(results)


def assembled(op: Instruction, sources: Sequence[Term], threads: int) -> tuple[Term, ...]:
    """The user's inline assembly: a function of words, each of which has as many elements as fit into 32 bits."""
    pack = op.attributes.get("packed_element", 1)
    sorts = [sort_of(kind) for kind in op.result_types]

    def of_words(elements: list[Term]) -> list[Term]:
        """The elements of all results."""
        words = [
            joined([bits(term) for term in elements[first : first + in_word(elements[first].sort, pack)]])
            for start in range(0, len(elements), pack)
            for first in range(start, start + pack, in_word(elements[start].sort, pack))
        ]
        found: list[Term] = []
        place = 0
        for sort in sorts:
            count = in_word(sort, pack)
            for _ in range(pack // count):
                word = function_of(op, place, words, count * bytes_of(sort))
                found += [cast(part, sort) for part in split(word, bytes_of(sort))]
                place += 1
        return found

    return in_packs(op, pack, sources, threads, of_words, pads=True)


def in_word(sort: str, pack: int) -> int:
    """Elements that share a word of assembly."""
    return min(max(1, 4 // bytes_of(sort)), pack)


def function_of(op: Instruction, place: int, words: Sequence[Term], size: int) -> Term:
    """One result of inline assembly, `size` bytes."""
    return make("call", words, ("assembly", *text_of_assembly(op), place), integer_sort(size))


def text_of_assembly(op: Instruction) -> tuple[str, str]:
    """The text and the constraints of assembly, which say which it is."""
    return op.attributes["asm_string"], "".join(op.attributes["constraints"].split())


def note(op: Instruction, order: dict[int, int], place: int, value: int) -> None:
    """Notes what is at a place.

    Raises:
        NotModelled: something else is there.
    """
    if order.setdefault(place, value) != value:
        raise NotModelled("an operation in the order of registers that have several elements in one place", op)


def looked_up(table: list[int], shape: tuple[int, ...]) -> Term:
    """A tensor of known numbers, row by row."""
    [flat] = row_major(indices(shape), shape, (len(table),))
    return element_of((flat,), ((len(table),), np.array(table, np.int32).tobytes()), "i32")


def moved(source: Term, source_shape: tuple[int, ...], table: list[int], shape: tuple[int, ...]) -> Term:
    """A tensor whose element n, counted row by row, is that element of the source that the table has there."""
    place = looked_up(table, shape)
    size = int(np.prod(source_shape))
    return at_index(source, dict(enumerate(row_major([place], (size,), source_shape))))


def row_number(index: Index, shape: tuple[int, ...]) -> int:
    """The number of an element, row by row."""
    found = 0
    for at, size in zip(index, shape):
        found = found * size + at
    return found
