"""Products that accumulate in tensor memory, and commits (tcgen05): in the background until threads wait for a commit.

One thread issues a product.  It reads shared memory by descriptors, or tensor memory, and each element of the result is
what the product adds up (`products.py`).  Products come one after the other; what threads do is ordered with them by
barriers before, and by mbarriers after (`background_reads.py`, Works).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ttkit.interpreter.lowered.ptx_text import Address, Operand
from ttkit.interpreter.lowered.tcgen5 import Instruction as Meaning
from ttkit.interpreter.lowered.tcgen5 import result_cells, rows_of
from ttkit.interpreter.lowered.wgmma import matrix_places
from ttkit.layout.matrix_descriptor import K_BYTES
from ttkit.layout.tcgen5 import FP4 as FP4_KIND
from ttkit.layout.tcgen5 import FP4_BY_FP8, KINDS, MIXED, instruction_descriptor, scaled_descriptor
from ttkit.validation.booleans import choose
from ttkit.validation.integers import number
from ttkit.validation.lowered.assembly import Assembly
from ttkit.validation.lowered.bits import as_flag, bits, bytes_of, cast, integer_sort, joined, split
from ttkit.validation.lowered.groups import take
from ttkit.validation.lowered.mbarriers import by_one, uses
from ttkit.validation.lowered.meanings import ptx
from ttkit.validation.lowered.products import SORTS, multiplied
from ttkit.validation.lowered.registers import full
from ttkit.validation.lowered.scaled_operands import SCALES, sides_of
from ttkit.validation.lowered.scaled_products import FP4
from ttkit.validation.lowered.shared_memory import NOBODY, TENSOR_MEMORY, WORD, Cell, SharedMemory
from ttkit.validation.lowered.tensor_maps import electable
from ttkit.validation.lowered.tensor_memory import cell, offset_of
from ttkit.validation.meanings.asynchronous import zero
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

PLAIN_FIELDS = (1 << 46, 0x3FFF | 0x3FFF << 16 | 0x3FFF << 32 | 3 << 62)
"""The version of a descriptor of shared memory, and the bits of its address, its distances and its swizzle."""


@dataclass
class Issue:
    """One tcgen05.mma of one thread.

    lanes: of which one may be elected to issue it; condition: under which it is issued.
    """

    asm: Assembly
    thread: int
    lanes: tuple[int, ...]
    condition: Term
    what: Meaning

    @property
    def shared(self) -> SharedMemory:
        """The memory."""
        found: SharedMemory = self.asm.machine.state.shared
        return found

    def descriptor(self, operand: Operand) -> int:
        """The descriptor that the thread gives.

        Raises:
            NotModelled: it is not known, or says more than is known here.
        """
        term = full(self.asm.value(operand), self.asm.machine.threads)[self.thread]
        if not term.is_const:
            raise NotModelled("a descriptor of a product's operand that is not known", self.asm.op)
        number, (version, known) = int(term.attr) & (1 << 64) - 1, PLAIN_FIELDS
        if number & ~known != version:
            raise NotModelled(f"a descriptor of a product's operand with other fields: {number:#x}", self.asm.op)
        return number

    def first(self, operand: Operand, rows: int) -> list[Term]:
        """The rows of the first operand, from either memory."""
        if not isinstance(operand, Address):
            return self.second(operand, rows, 0)
        row, column = offset_of(self.asm, operand, self.thread)
        kind = self.what.types[0]
        size = bytes_of(SORTS[kind])
        at = cell(rows_of(rows)[:, None] + row, np.arange(K_BYTES // WORD) + column)
        places = (at[..., None] + size * np.arange(WORD // size)).reshape(rows, -1)
        return self.rows(places, kind)

    def second(self, operand: Operand, rows: int, side: int) -> list[Term]:
        """The rows of an operand in shared memory."""
        kind = self.what.types[side]
        size = bytes_of(SORTS[kind])
        places = matrix_places(self.descriptor(operand), rows, K_BYTES // size, size, int(self.what.turned[side]))[
            ..., 0
        ]
        return self.rows(places, kind)

    def rows(self, places: np.ndarray, kind: str) -> list[Term]:
        """The elements at some places, which the product reads until it is over."""
        sort = SORTS[kind]
        size = bytes_of(sort)
        return [make("row", [cast(self.read(at, size), sort) for at in row], kind, sort) for row in places.tolist()]

    def read(self, address: int, size: int) -> Term:
        """A value that the product reads.

        Raises:
            NotModelled: a race, or a fence or a wait is missing.
        """
        shared, found = self.shared, []
        for at in range(address, address + size):
            old = shared.cells.get(at)
            if old is None:
                raise NotModelled("a product reads what nothing has written", self.asm.op)
            if old.group is not None or at & -WORD in shared.stores_begun:
                raise NotModelled("a product reads what is not there yet: nobody has waited", self.asm.op)
            if at < TENSOR_MEMORY and old.fence >= shared.fence:
                raise NotModelled("a product reads what threads stored in shared memory, with no fence between")
            if not all(shared.ordered(old.writer, lane) for lane in self.lanes):
                raise NotModelled("a product reads what another thread wrote, with no barrier between", self.asm.op)
            shared.works.reads[at] = frozenset()
            if shared.log is not None:
                shared.log.note(shared.log.read, at)
            found.append(old)
        whole = found[0]
        is_whole = all(one.term is whole.term and one.place == n for n, one in enumerate(found))
        if is_whole and bytes_of(whole.term.sort) == size:
            return bits(whole.term)
        return joined([split(one.term, 1)[one.place] for one in found])

    def write(self, address: int, term: Term) -> None:
        """A value of the result.

        Raises:
            NotModelled: a race.
        """
        shared = self.shared
        for place in range(bytes_of(term.sort)):
            at = address + place
            shared.check_inside(at, 1)
            if at & -WORD in shared.stores_begun:
                raise NotModelled("a product writes where a thread stores, before that has waited", self.asm.op)
            for lane in self.lanes:
                shared.check_write(shared.cells.get(at), lane)
            shared.cells[at] = Cell(term, place, (NOBODY, 0, 0), [], None, shared.owner)
            shared.works.writes[at] = frozenset()
            if shared.log is not None:
                shared.log.note(shared.log.stored, at)
                shared.since.add(at)

    def before(self, address: int, size: int) -> Term:
        """The contents of memory where the result is written.

        Raises:
            NotModelled: a race.
        """
        shared = self.shared
        found = shared.peek(address, size)
        if found is None:
            return make("unknown", (), "tensor memory", integer_sort(size))
        for at in range(address, address + size):
            if at & -WORD in shared.stores_begun or not all(
                shared.ordered(shared.cells[at].writer, lane) for lane in self.lanes
            ):
                raise NotModelled("a product adds to what another thread stored, and nothing orders them", self.asm.op)
        return bits(found)


@ptx("tcgen05.mma")
def product(
    asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, kind: Operand, *rest: Operand
) -> None:
    """target = a * b, plus target if the last operand holds.

    Raises:
        NotModelled: several threads issue it, or it is of another kind.
    """
    here = electable(asm)
    if not here:
        return
    if len(here) != 1:
        raise NotModelled(f"{len(here)} threads issue a product", asm.op)
    [(thread, (lanes, condition))] = here.items()
    bits_of_kind = full(asm.value(kind), asm.machine.threads)[thread]
    name = words[3].removeprefix("kind::")
    if words[:3] != ["tcgen05", "mma", "cta_group::1"] or not bits_of_kind.is_const:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    *scales, last = rest
    what = meaning_of(asm, int(bits_of_kind.attr) & 0xFFFFFFFF, name)
    form = ["block_scale", f"scale_vec::{SCALES[name]}X"] if name in SCALES else []
    if words[4:] != form or len(scales) != len(form):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    issue = Issue(asm, thread, lanes, condition, what)
    keeps = as_flag(full(asm.value(last), asm.machine.threads)[thread])
    if scales:
        rows, columns, kinds = sides_of(issue, name, a, b, tuple(scales))
        accumulate(issue, target, rows, columns, kinds, keeps)
    else:
        accumulate(issue, target, issue.first(a, what.m), issue.second(b, what.n, 1), what.types, keeps)


def meaning_of(asm: Assembly, number: int, kind: str) -> Meaning:
    """The meaning of an instruction descriptor.

    Raises:
        NotModelled: something else than is known here.
    """
    found = Meaning.of(number, kind) if kind in {*KINDS.values(), *SCALES} else None
    if found is None or not set(found.types) <= {*SORTS, *([FP4] if kind in SCALES else [])}:
        raise NotModelled(f"an instruction descriptor that is not modelled: {number:#x}", asm.op)
    if kind in SCALES:
        how = next(one for one in (MIXED, FP4_KIND, FP4_BY_FP8) if one.kind == kind)
        steps = [n for n in range(4) if how.byte(n) == found.scales[0]]
        again = {scaled_descriptor(how, *found.types, found.scales_are_fp8, found.m, found.n, found.turned, n)
                 for n in steps}  # fmt: skip
    else:
        again = {instruction_descriptor(*found.types, sort_of_sums(found), found.m, found.n, found.turned)}
    if number not in again:
        raise NotModelled(f"an instruction descriptor with other fields: {number:#x}", asm.op)
    return found


def sort_of_sums(what: Meaning) -> str:
    """The sort of the elements of the result."""
    return np.dtype(what.result).name.replace("float", "f").replace("int", "i")


def accumulate(
    issue: Issue, target: Operand, rows: list[Term], columns: list[Term], kinds: tuple[str, str], keeps: Term
) -> None:
    """The result of a product: each element is what stands there, or zero, and a row times a column.

    Raises:
        NotModelled: the result is not in whole words.
    """
    what, sort = issue.what, sort_of_sums(issue.what)
    if bytes_of(sort) != WORD:
        raise NotModelled("sums of 16 bits in tensor memory", issue.asm.op)
    row, column = offset_of(issue.asm, target, issue.thread)
    at = cell(*(one + more for one, more in zip(result_cells(what.m, what.n, 1), (row, column))))
    fresh = keeps.is_const and not keeps.attr and issue.condition.is_const
    for m, line in enumerate(at.tolist()):
        for n, address in enumerate(line):
            old = number(0, "i32") if fresh else issue.before(address, WORD)
            c = cast(where(issue.condition, old), sort)
            found = multiplied(rows[m], columns[n], choose(keeps, c, zero(sort)), kinds)
            issue.write(address, choose(issue.condition, bits(found), old))


def where(condition: Term, term: Term) -> Term:
    """A term where a condition holds."""
    plain, side = (condition.args[0], 2) if condition.head == "not" else (condition, 1)
    return term.args[side] if term.head == "ite" and term.args[0] is plain else term


@ptx("tcgen05.commit")
def commit(asm: Assembly, words: list[str], address: Operand) -> None:
    """An mbarrier tells of the end of all that the thread has begun.

    Raises:
        NotModelled: it is of another form, or not the kernel's next event.
    """
    if ".".join(words) != "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64":
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    found = by_one(asm, "commit", address, None)
    if found is not None:
        uses(asm, *found)
        asm.machine.state.shared.works.commit(found[1].place)
        take(asm.machine, found[1])
