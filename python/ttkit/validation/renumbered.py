"""Passes that give CTAs other programs, or several of them, one after the other.

    body(program)          =>     for round in 0 .. count(CTA) { body(place(CTA, round)) }

Three things are looked at:

    the body, once, for the program that the CTA has in a round: it must do what the body before the pass does for it
    the places: in each grid, all CTAs together must run each program as often as before
    what a program may notice: with others before it in place of beside it, none may wait for another one, or print

Places are the terms of the code after the pass, whatever made them.  They are worked out for each CTA of small grids,
and of some larger ones.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ttkit.interpreter.decode import Block, Function, Instruction, Module
from ttkit.validation.integers import number
from ttkit.validation.lowered.program_places import places_of
from ttkit.validation.meanings.memory import along
from ttkit.validation.terms import Term, make, parts_within, rewritten
from ttkit.validation.values import NotModelled
from ttkit.validation.walk import Frame, Outcome, Walk

PROGRAM_ID = "tt.get_program_id"
AXES = range(3)
MOST_PROGRAMS = 12
"""Programs of the grids of which all are tried, with up to MOST_MULTIPROCESSORS."""
MOST_MULTIPROCESSORS = 5
LARGER = (((37, 1, 1), 4), ((5, 7, 1), 8), ((16, 3, 2), 7), ((200, 1, 1), 132), ((1, 17, 9), 132), ((3, 2, 40), 16))
"""Other grids, and multiprocessors: more than one wave of programs too, odd numbers along each axis."""
PRINTS = ("tt.print",)
READS = ("tt.load", "tt.atomic", "tt.descriptor", "tt.call", "ttng.", "ttg.")
"""What names of operations begin with that may see what another program has done."""
WAITING = "a loop that may wait for another program, which may run after it now"
Places = dict[int, Term]


@dataclass
class Rounds:
    """The programs of a CTA, in terms.

    places: by axis, the number of the program of a round; axes that the body does not ask for are left out.
    count: rounds of a CTA.
    """

    places: Places
    count: Term


class Inside(Walk):
    """Follows the first region of one operation in place of the operation.

    arguments: of the region.
    wanted: slots whose terms are kept in `terms`.
    """

    def __init__(
        self, module: Module, op: Instruction | None, wanted: Iterable[int], arguments: tuple[Term, ...] = ()
    ) -> None:
        super().__init__(module)
        self.op, self.wanted, self.arguments = op, frozenset(wanted), list(arguments)
        self.terms: dict[int, Term] = {}
        self.notes_claims, self.is_inside = True, False

    def execute(self, op: Instruction, frame: Frame) -> None:
        """Gives the results of an operation their terms.

        Raises:
            NotModelled: something is done or read outside of the region.
        """
        if op is not self.op:
            before = self.done()
            super().execute(op, frame)
            if not self.is_inside and self.op is not None and self.done() != before:
                raise NotModelled("programs do or read something outside of what they do one after the other", op)
        else:
            self.is_inside = True
            self.region(op.regions[0], frame, list(self.arguments))
            self.is_inside = False
        self.terms.update((slot, frame[slot]) for slot in op.results if slot in self.wanted)

    def done(self) -> tuple[Term, int, int]:
        """Memory, and the numbers of buffers and of reads: all that has been done so far."""
        return self.state.memory, len(self.state.contents), sum(one.args[1].head != "claim" for one in self.reads)


def round_number() -> Term:
    """The number of a round."""
    return make("round", (), None, "i32")


def outcomes(before: Module, after: Module, name: str) -> tuple[Outcome, Outcome, Rounds, Rounds]:
    """The terms of one round on both sides, for the same program, and the programs of a CTA on both sides.

    Raises:
        NotModelled: the code is not of this form, or a program may notice what runs beside it.
    """
    old, new = before.functions[name], after.functions[name]
    for function in before.functions.values():
        must_not_notice(function)
    loop, walk = program_loop(old, new), Walk(before)
    found = ids_in(old, new, loop) if loop is not None else {}
    one = Inside(after, loop, (*found.values(), *(loop.operands if loop else ())), (round_number(),))
    one.places = places_of(after)
    last = one.function(new)
    walk.notes_claims = True
    if loop is None:
        axes = {op.attributes["axis"] for op in old.operations() if op.name == PROGRAM_ID}
        rounds = Rounds({axis: one.places.get(axis, along("program", axis)) for axis in axes}, number(1, "i32"))
    else:
        first, count, step = (one.terms[slot] for slot in loop.operands)
        if first is not number(0, first.sort) or step is not number(1, step.sort):
            raise NotModelled("a loop over programs that does not count from 0 by 1", loop)
        rounds = Rounds({axis: one.terms[slot] for axis, slot in found.items()}, count)
    walk.places = rounds.places
    own = places_of(before)
    return (
        walk.function(old),
        last,
        Rounds({axis: own.get(axis, along("program", axis)) for axis in rounds.places}, number(1, "i32")),
        rounds,
    )


# --- form


def program_loop(old: Function, new: Function) -> Instruction | None:
    """The loop over programs: the only operation with effects or regions of the function; None if it has no more loops.

    Raises:
        NotModelled: there are others.
    """
    counts = [sum(op.name == "scf.for" for op in one.operations()) for one in (old, new)]
    if counts[0] == counts[1]:
        return None
    anchors = anchors_of(only_block(new))
    if counts[1] != counts[0] + 1 or len(anchors) != 1 or anchors[0].name != "scf.for" or anchors[0].results:
        raise NotModelled("what a program does is not one loop over programs")
    return anchors[0]


def only_block(function: Function) -> Block:
    """The block of a function.  Raises NotModelled if it has several."""
    if function.body is None or len(function.body.blocks) != 1:
        raise NotModelled("a function of several blocks")
    return function.body.blocks[0]


def anchors_of(block: Block) -> list[Instruction]:
    """The operations of a block with regions or without results, but for the last one."""
    return [op for op in block.instructions[:-1] if op.regions or not op.results]


def ids_in(old: Function, new: Function, loop: Instruction) -> dict[int, int]:
    """By axis, the slot of what stands for the number of the program: a guess, by operations of the same name.

    Raises:
        NotModelled: the loop has other operations than the function had.
    """
    pairs = list(zip(anchors_of(only_block(old)), anchors_of(loop.regions[0].blocks[0])))
    made = [{slot: op for op in one.operations() for slot in op.results} for one in (old, new)]
    found: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()
    stack = [slots for pair in pairs for slots in slots_of(*pair)]
    while stack:
        pair = stack.pop()
        one, other = (of.get(slot) for of, slot in zip(made, pair))
        if pair in seen or one is None:
            continue
        seen.add(pair)
        if one.name == PROGRAM_ID:
            found.setdefault(one.attributes["axis"], pair[1])
        elif other is not None and one.name == other.name:
            stack += slots_of(one, other)
    return found


def slots_of(one: Instruction, other: Instruction) -> list[tuple[int, int]]:
    """Pairs of the operands of two operations, and of those in their regions.

    Raises:
        NotModelled: these are other operations.
    """
    ours, theirs = ([op, *(each for region in op.regions for each in region.operations())] for op in (one, other))
    if [op.name for op in ours] != [op.name for op in theirs]:
        raise NotModelled("the loop over programs does not do what one program did", other)
    return [pair for two in zip(ours, theirs) for pair in zip(*(op.operands for op in two))]


def must_not_notice(function: Function) -> None:
    """Raises NotModelled if a program may wait for another one, or tell its CTA's number."""
    for op in function.operations():
        loops = op.name == "scf.while" or any(len(region.blocks) > 1 for region in op.regions)
        if loops and any(each.name.startswith(READS) for region in op.regions for each in region.operations()):
            raise NotModelled(WAITING, op)
        if op.name in PRINTS or (op.attributes.get("asm_string") and not op.attributes.get("pure")):
            raise NotModelled("it may tell which CTA a program has", op)
    if function.body is not None and len(function.body.blocks) > 1:
        raise NotModelled(WAITING)


# --- places


@dataclass
class Mistake:
    """A program that does not run as often as before, in a grid.

    program: its number by axis.
    count, expected: how often it runs, and should.
    """

    grid: tuple[int, int, int]
    multiprocessors: int
    program: dict[int, int]
    count: int
    expected: int

    def __str__(self) -> str:
        where = ", ".join(f"{'xyz'[axis]} = {place}" for axis, place in self.program.items())
        runs = f"the program {where} runs {self.count} times, not {self.expected}"
        return f"in a grid of {self.grid} CTAs on {self.multiprocessors} multiprocessors {runs}"


def wrong_place(before: Rounds, after: Rounds) -> Mistake | None:
    """The first grid in which CTAs do not run each program as often as before the pass."""
    for grid, multiprocessors in grids():
        expected, found = (programs(rounds, grid, multiprocessors) for rounds in (before, after))
        for program in sorted({*expected, *found}):
            if expected[program] != found[program]:
                where = dict(zip(before.places, program))
                return Mistake(grid, multiprocessors, where, found[program], expected[program])
    return None


def grids() -> Iterator[tuple[tuple[int, int, int], int]]:
    """Grids, the smaller first, with numbers of multiprocessors."""
    sizes = range(1, MOST_PROGRAMS + 1)
    small = [(x, y, z) for x, y, z in itertools.product(sizes, repeat=3) if x * y * z <= MOST_PROGRAMS]
    for multiprocessors in (2, *(n for n in range(1, MOST_MULTIPROCESSORS + 1) if n != 2)):
        for grid in sorted(small, key=lambda grid: grid[0] * grid[1] * grid[2]):
            yield grid, multiprocessors
    yield from LARGER


def programs(rounds: Rounds, grid: tuple[int, int, int], multiprocessors: int) -> Counter[tuple[int, ...]]:
    """Programs that run, and how often.

    Raises:
        NotModelled: that depends on more than the grid.
    """
    known = {make("multiprocessors", (), None, "i32"): number(multiprocessors, "i32")}
    known |= {along("programs", axis): number(size, "i32") for axis, size in enumerate(grid)}
    here = with_numbers([rounds.count, *rounds.places.values()], known)
    found: Counter[tuple[int, ...]] = Counter()
    for place in itertools.product(*map(range, grid)):
        cta = {along("program", axis): number(value, "i32") for axis, value in enumerate(place)}
        count, *places = with_numbers(here, cta)
        for done in range(value_of(count)):
            found[tuple(map(value_of, with_numbers(places, {round_number(): number(done, "i32")})))] += 1
    return found


def with_numbers(terms: list[Term], known: dict[Term, Term]) -> list[Term]:
    """Terms with numbers in place of symbols."""
    memo = dict(known)
    return [rewritten(term, lambda part, args: None, lambda part: False, memo) for term in terms]


def value_of(term: Term) -> int:
    """The number that a term is.  Raises NotModelled if it depends on an argument, or on memory."""
    if not term.is_const:
        unknown = next((part for part in parts_within(term) if not part.args and not part.is_const), term)
        raise NotModelled(f"which program a CTA runs depends on {unknown}")
    return int(term.attr)
