"""Operations of the nvvm dialect, and intrinsics: special registers, shuffles, barriers, functions of the hardware."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ttkit.validation.floats as floats
from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import truth
from ttkit.validation.integers import number, width
from ttkit.validation.lowered.accesses import load_shared, whole_address
from ttkit.validation.lowered.bits import bits, cast, join, split
from ttkit.validation.lowered.conversions import cut, number_converted, of_eight_bits, to_eight_bits
from ttkit.validation.lowered.elementwise import check_promises, each, element_sort, without_definition
from ttkit.validation.lowered.gathers import of_lane
from ttkit.validation.lowered.groups import gather, meet, named
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.normal_forms import APPROXIMATION
from ttkit.validation.lowered.products import multiply_add
from ttkit.validation.lowered.registers import (
    Register,
    Struct,
    Value,
    Vector,
    collapsed,
    full,
    mapped,
    numbers,
    parts_of,
    uniform,
)
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.meanings.elementwise import RULES
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

# --- special registers


@means(
    *(f"nvvm.read.ptx.sreg.{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"),
    "nvvm.read.ptx.sreg.laneid",
    "nvvm.read.ptx.sreg.warpid",
    "nvvm.read.ptx.sreg.nsmid",
    "nvg.warp_id",
)
def special_register(machine: Any, op: Instruction) -> Register:
    """Which thread or program this is, or how many there are."""
    return register_of(machine, op.name.rpartition("sreg.")[2] if "sreg" in op.name else "warpid")


def register_of(machine: Any, name: str) -> Register:
    """A special register by PTX's name.

    Raises:
        NotModelled: it is another one.
    """
    base, _, axis = name.partition(".")
    place = "xyz".find(axis)
    if base in ("ctaid", "nctaid"):
        return (make("program" if base == "ctaid" else "programs", (), place, "i32"),)
    if name == "nsmid":
        return (make("multiprocessors", (), None, "i32"),)
    if name == "tid.x":
        return tuple(number(machine.first + thread, "i32") for thread in range(machine.threads))
    if name in ("laneid", "warpid"):
        first = machine.first
        values = (t % WARP if name == "laneid" else t // WARP for t in range(first, first + machine.threads))
        return collapsed(number(value, "i32") for value in values)
    if base == "ntid" and axis == "x" and machine.group is not None:
        raise NotModelled("the number of threads of all groups")
    if base in ("tid", "ntid"):
        return (number(0 if base == "tid" else machine.threads if axis == "x" else 1, "i32"),)
    raise NotModelled(f"the register %{name}")


@means("nvvm.elect.sync")
def elect(machine: Any, op: Instruction, *mask: Register) -> Register:
    """One lane of each warp: the first here.  What it does must be right for another one too (`tiles.py`)."""
    machine.together()
    return tuple(truth(thread % WARP == 0) for thread in range(machine.threads))


# --- barriers


@means("nvvm.barrier0", "nvvm.barrier")
def barrier(machine: Any, op: Instruction, *operands: Value) -> tuple:
    """All threads of the program synchronize.

    Raises:
        NotModelled: only some of them do.
    """
    if operands:
        raise NotModelled("a barrier of some threads", op)
    if machine.group is not None:
        gather(machine, op)
        return ()
    synchronize(machine)
    return ()


def synchronize(machine: Any) -> None:
    """Notes that all threads have synchronized.

    Raises:
        NotModelled: some do not reach the barrier.
    """
    machine.all_here("a barrier")
    machine.state.shared.synchronize()
    machine.effects.pass_barrier(machine.state, machine.path)


@means("nvvm.bar.warp.sync")
def warp_barrier(machine: Any, op: Instruction, mask: Register) -> tuple:
    """The threads of each warp synchronize."""
    whole_warps(machine, op, mask)
    shared, here = machine.state.shared, machine.running()
    for warp in range(machine.threads // WARP):
        if here[warp * WARP]:
            shared.synchronize(warp)
    return ()


def whole_warps(machine: Any, op: Instruction, mask: Register) -> None:
    """Raises NotModelled unless an operation is of all threads of each warp."""
    machine.together()
    term = uniform(mask)
    if not term.is_const or term.attr & 0xFFFFFFFF != 0xFFFFFFFF:
        raise NotModelled("an operation of some threads of a warp", op)


# --- what threads of a warp do together


@means("nvvm.shfl.sync")
def shuffle(
    machine: Any, op: Instruction, mask: Register, value: Register, argument: Register, clamp: Register
) -> Register:
    """The value of another lane.

    Raises:
        NotModelled: lanes are not known, or one is outside.
    """
    whole_warps(machine, op, mask)
    if op.result_types[0].element is None:
        raise NotModelled("a shuffle that says whether there was a lane", op)
    kind = re.sub(r".*shfl_kind (\w+).*", r"\1", str(op.attributes["kind"]))
    limit, given = numbers(clamp, machine.threads), full(value, machine.threads)
    if kind == "idx" and not all(term.is_const for term in argument) and set(limit) == {WARP - 1}:
        lanes = [given[thread // WARP * WARP :][:WARP] for thread in range(machine.threads)]
        return collapsed([of_lane(*one) for one in zip(full(argument, machine.threads), lanes)])
    by = numbers(argument, machine.threads)
    found = []
    for thread in range(machine.threads):
        lane = thread % WARP
        segment = limit[thread] >> 8 & 31
        lowest = lane & segment
        highest = lowest | limit[thread] & 31 & ~segment
        source, inside = lane_of(kind, lane, by[thread], lowest, highest, segment)
        found.append(given[thread - lane + (source if inside else lane)])
    return collapsed(found)


def lane_of(kind: str, lane: int, by: int, lowest: int, highest: int, segment: int) -> tuple[int, bool]:
    """The lane that a lane gets its value from, and whether there is one."""
    if kind == "up":
        return lane - by, lane - by >= highest
    if kind == "down":
        return lane + by, lane + by <= highest
    if kind == "bfly":
        return lane ^ by, (lane ^ by) <= highest
    source = lowest | by & ~segment & 31
    return source, source <= highest


def over_warps(machine: Any, op: Instruction, value: Register, combine: Any) -> Register:
    """The values of all lanes of a warp, combined."""
    given = full(value, machine.threads)
    found: list[Term] = []
    for first in range(0, machine.threads, WARP):
        total = given[first]
        for term in given[first + 1 : first + WARP]:
            total = combine(total, term)
        found += [total] * WARP
    return collapsed(found)


REDUX = {"add": "addi", "and": "andi", "or": "ori", "xor": "xori", "max": "maxsi", "min": "minsi", "umax": "maxui",
         "umin": "minui"}  # fmt: skip


def redux(machine: Any, op: Instruction, value: Register, mask: Register) -> Register:
    """llvm.nvvm.redux.sync.*

    Raises:
        NotModelled: it reduces floats.
    """
    whole_warps(machine, op, mask)
    name = REDUX.get(op.attributes["intrin"].rpartition(".")[2])
    if name is None:
        raise NotModelled("a reduction of floats by one instruction", op)

    def combine(a: Term, b: Term) -> Term:
        """By the rules of arith, else as a function."""
        found = RULES[name](a, b)
        if found is not None:
            return found
        first, second = sorted((a, b), key=lambda term: term.number)
        return make("call", (first, second), (f"arith.{name}", ()), a.sort)

    return over_warps(machine, op, value, combine)


def ldmatrix(machine: Any, op: Instruction, pointer: Register) -> Value:
    """8x8 matrices of 16 bits: each word has two neighbours of a row, or with trans of a column."""
    machine.together()
    count, transposed = re.fullmatch(r".*\.x(\d)(\.trans)?\.b16", op.attributes["intrin"]).groups()  # type: ignore
    rows = full(pointer, machine.threads)
    words = []
    for matrix in range(int(count)):
        halves = []
        for half in (0, 1):
            addresses = []
            for thread in range(machine.threads):
                lane = thread % WARP
                row, column = lane // 4, lane % 4 * 2 + half
                if transposed:
                    row, column = column, row
                start = rows[thread - lane + 8 * matrix + row]
                whole_address(start, 16)
                addresses.append(number(start.attr + 2 * column, "i64"))
            [register] = load_shared(machine, tuple(addresses), 2, 1, (truth(True),))
            halves.append(register)
        words.append(mapped(lambda low, high: join([low, high]), *halves))
    return words[0] if len(words) == 1 else Struct(tuple(words))


FUNCTIONS = {
    "ex2.approx": "ex2",
    "ex2.approx.ftz": "ex2",
    "sqrt.approx.f": "sqrt",
    "sqrt.approx.ftz.f": "sqrt",
    "rsqrt.approx.f": "rsqrt",
    "rsqrt.approx.ftz.f": "rsqrt",
    "rsqrt.approx.d": "rsqrt",
    "sqrt.rn.f": "precise sqrt",
    "sqrt.rn.d": "precise sqrt",
    "div.rn.f": "precise division",
    "div.rn.d": "precise division",
}
"""Functions of the hardware by their names here; whether denormal numbers count as zero is left open."""


@means("llvm.call_intrinsic")
def intrinsic(machine: Any, op: Instruction, *values: Value) -> Value:
    """The intrinsic of that name.

    Raises:
        NotModelled: it has no meaning here.
    """
    check_promises(op)
    name = op.attributes["intrin"].removeprefix("llvm.nvvm.")
    if name.startswith("redux.sync."):
        return redux(machine, op, *values)  # type: ignore[arg-type]
    if name.startswith("mma."):
        return multiply_add(machine, op, *values)
    if re.fullmatch(r"ldmatrix\.sync\.aligned\.m8n8\.x\d(\.trans)?\.b16", name):
        return ldmatrix(machine, op, *values)  # type: ignore[arg-type]
    if name == "barrier.cta.sync.aligned.all":
        if machine.group is not None or uniform(values[0]).attr != 0:  # type: ignore[arg-type]
            raise NotModelled("a barrier with a name", op)
        synchronize(machine)
        return ()
    if name == "barrier.cta.sync.all":
        return meet(machine, op, *values)  # type: ignore[arg-type]
    if name == "barrier.cta.sync.aligned.count":
        named(machine, op, *values)  # type: ignore[arg-type]
        synchronize(machine)
        return ()
    if name.startswith("read.ptx.sreg."):
        return register_of(machine, name.removeprefix("read.ptx.sreg."))
    sort = element_sort(op.result_types[0]) if op.result_types else ""
    if name == "div.full":
        return each(lambda a, b: without_definition((a, b), sort) or quotient(machine, a, b), *values)
    if name in ("e4m3x2.to.f16x2.rn", "e5m2x2.to.f16x2.rn"):
        eight = "f8E4M3FN" if name[1] == "4" else "f8E5M2"
        [pair] = parts_of(values[0])
        halves = [mapped(lambda term, n=n: of_eight_bits(cast(split(bits(term), 1)[n], eight), "f16"), pair)
                  for n in (0, 1)]  # fmt: skip
        return Vector(tuple(halves))
    if name == "d2f.rz":
        return each(lambda term: without_definition((term,), sort) or cut(term, sort), values[0])
    if (found := NARROWING.fullmatch(name)) is not None:
        return narrowed(found, *values)
    if name in ("mulhi.ui", "mulhi.ull"):
        return each(upper_half, *values)
    function = FUNCTIONS.get(name)
    if function is None:
        raise NotModelled(f"the intrinsic {name} is not modelled", op)
    return each(
        lambda *terms: without_definition(terms, sort) or make("call", terms, ("hardware", function), sort), *values
    )


NARROWING = re.compile(
    r"ff\.to\.(?P<eight>e4m3|e5m2)x2\.rn|f16x2\.to\.(?P<half>e4m3|e5m2)x2\.rn|ff2(?P<wide>b?f16)x2\.(?P<mode>rn|rz)"
)


def narrowed(found: re.Match[str], *values: Value) -> Value:
    """Two numbers rounded to narrower ones: of two operands the second comes first."""
    parts = [part for value in reversed(values) for part in parts_of(value)]
    eight = found["eight"] or found["half"]
    if eight:
        sort = "f8E4M3FN" if eight == "e4m3" else "f8E5M2"
        return mapped(lambda *terms: join([bits(to_eight_bits(term, sort)) for term in terms]), *parts)  # type: ignore
    sort = found["wide"]
    if found["mode"] == "rn":
        nearest = of_nearest(sort)
        return Vector(tuple(mapped(nearest, part) for part in parts))
    return Vector(tuple(mapped(lambda term: cut(term, sort), part) for part in parts))


def of_nearest(sort: str) -> Callable[[Term], Term]:
    """Rounds f32 to the nearest number of a narrower type."""

    def rounded(term: Term) -> Term:
        """The number, if it is known."""
        if term.is_const:
            return number_converted("arith.truncf", term, sort)
        return make("call", (term,), ("arith.truncf", ()), sort)

    return rounded


def quotient(machine: Any, a: Term, b: Term) -> Term:
    """a / b, almost."""
    if a.is_const and b.is_const and floats.value_of(b) != 0:
        machine.relation.equality.rounding.add(APPROXIMATION)
        return floats.constant(floats.value_of(a) / floats.value_of(b), a.sort)
    return floats.binary("divf", a, b)


def upper_half(a: Term, b: Term) -> Term:
    """The upper half of a product of unsigned numbers."""
    if without_definition((a, b), a.sort) is None and a.is_const and b.is_const:
        bits = width(a)
        mask = (1 << bits) - 1
        return number((a.attr & mask) * (b.attr & mask) >> bits, a.sort)
    return without_definition((a, b), a.sort) or make("call", (a, b), ("hardware", "mulhiui"), a.sort)
