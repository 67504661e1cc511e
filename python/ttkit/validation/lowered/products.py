"""Products of tensor cores: what each register of the result is, and one form for a product however it is divided.

    row[kind](a...)                       elements of a row or a column that one instruction multiplies
    product[kind](row, column, c)         c plus the sum of the products of their elements
    matrix product[kind](row, column, c)  all products that are added to c, in one order

The kernel's dot gets the last form too: the order in which a product adds up is the hardware's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.lowered.mma import NAME, places_of_result
from ttkit.interpreter.lowered.number_types import NUMBERS
from ttkit.interpreter.lowered.ptx_text import statements
from ttkit.interpreter.lowered.tcgen5 import TYPES
from ttkit.interpreter.lowered.tcgen5 import Instruction as Meaning
from ttkit.validation.integers import add, number, of_sum, sum_of
from ttkit.validation.lowered.bits import bits, bytes_of, cast, joined, split
from ttkit.validation.lowered.numbers_in_words import Tables
from ttkit.validation.lowered.registers import Register, Struct, Value, Vector, collapsed, full, parts_of
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.terms import REBUILD, Term, make
from ttkit.validation.values import NotModelled

SORTS = {
    "f16": "f16", "bf16": "bf16", "tf32": "f32", "f64": "f64", "e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "s8": "i8",
}  # fmt: skip
"""By the type of an instruction's operands, the sort of elements."""
TF32 = 0
"""The precision of a dot whose operands of 32 bits the hardware cuts."""
IN_TF32 = ("tf32", "tf32")


def multiplied(row: Term, column: Term, c: Term, kinds: tuple[str, str]) -> Term:
    """c + row * column; of integers a sum of terms, of floats one product with those that c has."""
    if c.sort[0] == "i":
        return add(make("product", (row, column, number(0, c.sort)), kinds, c.sort), c)
    if c.head == "product" and c.attr == kinds:
        before_row, before_column, c = c.args
        row, column = together(before_row, row), together(before_column, column)
    return make("product", (row, column, c), kinds, c.sort)


def together(before: Term, row: Term) -> Term:
    """The elements of two rows, or of two columns."""
    if before.cache is None:
        before.cache = {}
    found = before.cache.get(row)
    if found is None:
        found = before.cache[row] = make("row", before.args + row.args, row.attr, row.sort)
    return found


def elements_of(word: Term, sort: str) -> list[Term]:
    """The elements that a word has, the lowest first."""
    if word.sort == sort:
        return [word]
    return [cast(part, sort) for part in split(word, bytes_of(sort))]


def multiply_add(machine: Any, op: Instruction, *operands: Value) -> Struct:
    """mma.sync: the registers of the result, of tiles that the lanes of a warp have together.

    Raises:
        NotModelled: no product of that name is known here.
    """
    machine.together()
    found = NAME.fullmatch(op.attributes["intrin"])
    if found is None:
        raise NotModelled(f"the intrinsic {op.attributes['intrin']} is not modelled", op)
    m, n, k = map(int, found.groups()[:3])
    both = found["both"] or "f16"
    kinds = found["a"] or both, found["b"] or both
    if not set(kinds) <= SORTS.keys():
        raise NotModelled(f"products of {' and '.join(kinds)}", op)
    size = NUMBERS[kinds[0]].itemsize
    counts = [max(1, rows * k * size // (WARP * max(4, size))) for rows in (m, n)]
    words = [whole(operand, machine.threads) for operand in operands[: sum(counts)]]
    rows = tiles(words[: counts[0]], kinds[0], m, k)
    columns = tiles(words[counts[0] :], kinds[1], n, k)
    given = operands[sum(counts) :]
    sums = [register for operand in given for register in parts_of(operand)]
    row, column = places_of_result(len(sums))
    results = []
    for place, c in enumerate(full(one, machine.threads) for one in sums):
        results.append(
            collapsed(
                multiplied(
                    rows[thread // WARP][row[thread % WARP, place]],
                    columns[thread // WARP][column[thread % WARP, place]],
                    c[thread],
                    kinds,
                )
                for thread in range(machine.threads)
            )
        )
    fields: list[Value] = []
    for operand in given:
        count = len(parts_of(operand))
        fields.append(Vector(tuple(results[:count])) if isinstance(operand, Vector) else results[0])
        del results[:count]
    return Struct(tuple(fields))


def whole(value: Value, threads: int) -> Register:
    """An operand as words of bits of all threads."""
    parts = [full(part, threads) for part in parts_of(value)]
    if len(parts) == 1:
        return tuple(bits(term) for term in parts[0])
    return tuple(joined([bits(term) for term in terms]) for terms in zip(*parts))


def tiles(words: list[Register], kind: str, rows: int, k: int) -> list[list[Term]]:
    """For each warp the rows of its tile (PTX ISA, "Matrix Fragments for mma")."""
    sort, found = SORTS[kind], []
    halves = rows // 8
    per_word = bytes_of(words[0][0].sort) // bytes_of(sort)
    for first in range(0, len(words[0]), WARP):
        tile: list[list[Any]] = [[None] * k for _ in range(rows)]
        for lane in range(WARP):
            for place, word in enumerate(words):
                row = lane // 4 + 8 * (place % halves)
                step = (place // halves * 4 + lane % 4) * per_word
                tile[row][step : step + per_word] = elements_of(word[first + lane], sort)
        found.append([make("row", row, kind, sort) for row in tile])
    return found


WARP_GROUP = re.compile(r"wgmma\.mma_async\.sync\.aligned\.\w+\.\w+\.(\w+)\.(\w+)")


def kinds_in(function: Function) -> set[tuple[str, str]]:
    """The types of the operands of all products in lowered code."""
    found: set[tuple[str, str]] = set()
    numbers = {op.results[0]: op.attributes["value"] for op in function.operations() if op.name == CONSTANT}
    for op in function.operations():
        if TENSOR_CORE in op.attributes.get("asm_string", ""):
            found |= kinds_of_instructions(op, numbers)
        name = NAME.fullmatch(op.attributes.get("intrin", ""))
        if name is not None:
            both = name["both"] or "f16"
            found.add((name["a"] or both, name["b"] or both))
        found.update(WARP_GROUP.findall(op.attributes.get("asm_string", "")))
    return found


TENSOR_CORE, CONSTANT = "tcgen05.mma", "llvm.mlir.constant"


def kinds_of_instructions(op: Instruction, numbers: dict[int, Any]) -> set[tuple[str, str]]:
    """The types of operands of the products of tcgen05 in inline assembly, with the numbers of constants by slot."""
    found = set()
    for statement in statements(op.attributes["asm_string"]):
        if statement.name.startswith(TENSOR_CORE) and isinstance(operand := statement.operands[3], str):
            number = numbers.get(op.operands[int(operand[1:])]) if operand[0] == "$" else operand
            kind = statement.words[3].removeprefix("kind::")
            meaning = Meaning.of(int(number), kind) if number is not None and kind in TYPES else None
            if meaning is not None:
                found.add(meaning.types)
    return found


# --- one form


@dataclass
class Products:
    """Brings products into one form.

    kinds: of the products of lowered code.
    """

    kinds: set[tuple[str, str]] = field(default_factory=set)
    rows: dict[Any, tuple[tuple[int, ...] | None, Term]] = field(default_factory=dict)
    columns: dict[Any, Term] = field(default_factory=dict)
    tables: Tables = field(default_factory=Tables)

    def of_lowered(self, term: Term, args: tuple[Term, ...]) -> Term | None:
        """A product of lowered code."""
        if term.head == "product":
            row, column, c = args
            return self.joined(row, column, c, term.attr, term.sort)
        if term.head == "poly":
            return self._of_sum(term, args)
        return None

    def _of_sum(self, term: Term, args: tuple[Term, ...]) -> Term | None:
        """A sum of integers, with its products as one."""
        if not any(arg.head == "matrix product" for arg in args):
            return None
        place, rest = 0, number(0, term.sort)
        total = None
        for factor, count in term.attr:
            factors = args[place : place + count]
            place += count
            if factor == 1 and count == 1 and factors[0].head == "matrix product":
                row, column, c = factors[0].args
                base = number(0, term.sort) if total is None else total
                total = self.joined(row, column, base, factors[0].attr, term.sort)
                rest = add(rest, c)
            else:
                product = number(factor, term.sort)
                for one in factors:
                    product = of_sum({tuple(sorted((*key, one), key=lambda t: t.number)): times for key, times in
                                      sum_of(product).items()}, term.sort)  # fmt: skip
                rest = add(rest, product)
        return rest if total is None else add(rest, total)

    def joined(self, row: Term, column: Term, c: Term, kinds: Any, sort: str) -> Term:
        """c + row * column, with the products that c has already."""
        row, column = self.tables.row(row), self.tables.row(column)
        before_row = before_column = None
        if c.head == "matrix product" and c.attr == kinds:
            before_row, before_column, c = c.args
        order, all_rows = self._rows(before_row, row, before_column, column)
        key = (before_column, column, order)
        if key not in self.columns:
            given = [*(before_column.args if before_column is not None else ()), *column.args]
            self.columns[key] = make("row", [given[n] for n in order], "all", column.sort)
        return make("matrix product", (all_rows, self.columns[key], c), kinds, sort)

    def _rows(
        self, before: Term | None, row: Term, before_column: Term | None, column: Term
    ) -> tuple[tuple[int, ...], Term]:
        """The order of all products, by the elements of the row; by those of the column where these are equal."""
        known = self.rows.get((before, row))
        if known is not None and known[0] is not None:
            return known[0], known[1]
        given = [*(before.args if before is not None else ()), *row.args]
        if known is None and len({term.number for term in given}) == len(given):
            order = tuple(sorted(range(len(given)), key=lambda n: given[n].number))
            made = self.rows[before, row] = order, make("row", [given[n] for n in order], "all", row.sort)
            return made
        others = [*(before_column.args if before_column is not None else ()), *column.args]
        order = tuple(sorted(range(len(given)), key=lambda n: (given[n].number, others[n].number)))
        all_rows = make("row", [given[n] for n in order], "all", row.sort)
        self.rows[before, row] = None, all_rows
        return order, all_rows


def in_order(row: Term, column: Term, c: Term, kinds: Any, sort: str) -> Term:
    """The products once more in one order, after their elements have changed."""
    caches: list[dict[Any, Any]] = []
    for side in (row, column):
        side.cache = {} if side.cache is None else side.cache
        caches.append(side.cache)
    order = caches[0].get("order")
    if order is None:
        numbers = [term.number for term in row.args]
        order = tuple(sorted(range(len(numbers)), key=numbers.__getitem__))
        if len(set(numbers)) == len(numbers):
            caches[0]["order"] = order
        else:
            order = tuple(sorted(order, key=lambda n: (numbers[n], column.args[n].number)))
    sides = []
    for side, cache in zip((row, column), caches):
        if order not in cache:
            cache[order] = make("row", [side.args[n] for n in order], side.attr, side.sort)
        sides.append(cache[order])
    return make("matrix product", (*sides, c), kinds, sort)


REBUILD["matrix product"] = lambda args, attr, sort: in_order(args[0], args[1], args[2], attr, sort)


def kinds_of_dot(term: Term) -> tuple[str, str] | None:
    """The types of the operands of a dot of the kernel, as instructions have them; None if none has them."""
    row, column, _ = term.args
    names = {sort: name for name, sort in SORTS.items() if name != "tf32"}
    if row.sort == column.sort == "f32":
        return IN_TF32 if term.attr[1] == TF32 else None
    found = names.get(row.sort), names.get(column.sort)
    return None if None in found else found  # type: ignore[return-value]
