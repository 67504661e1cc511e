"""Assumptions about launches: sizes of tensors and grids as expressions of the kernel's integer arguments.

They are given as text, or read off a launch: a size that equals an argument is taken to be that argument.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ttkit.sanitizer.proof.polynomials import Poly


@dataclass
class Assumptions:
    """Facts that are taken to hold.

    sizes: argument -> its elements; grid: programs along x, y, z, None for any number; values: integer argument -> what
    it equals; multiples: integer argument -> a number that divides it; descriptors: argument -> its number and rank, of
    tensors that the host describes, and that have what is described.

    Expressions have +, -, *, cdiv(a, b), names of integer arguments, and numbers.
    """

    sizes: dict[str, str] = field(default_factory=dict)
    grid: tuple[str | None, ...] = (None, None, None)
    values: dict[str, str] = field(default_factory=dict)
    multiples: dict[str, int] = field(default_factory=dict)
    descriptors: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [f"{name} has {size} elements" for name, size in self.sizes.items()]
        parts += [f"{name} has what its descriptor says" for name in self.descriptors]
        parts += [f"{name} = {value}" for name, value in self.values.items()]
        grid = [text or "any number" for text in self.grid]
        while len(grid) > 1 and grid[-1] == "1":
            grid.pop()
        if any(self.grid):
            parts.append(f"the grid is ({', '.join(grid)}{',' if len(grid) == 1 else ''})")
        return "; ".join(parts)

    @classmethod
    def of_launch(
        cls,
        tensors: Mapping[str, tuple[Sequence[int], Sequence[int]]],
        numbers: Mapping[str, int],
        constants: Mapping[str, int],
        grid: Sequence[int],
    ) -> Assumptions:
        """Assumptions that a launch suggests.

        Args:
            tensors: argument -> shape, and strides in elements.
            numbers: the integer arguments.
            constants: the integer constants, such as block sizes.
            grid: programs along x, y, z.
        """
        names: dict[int, str] = {}
        for shape, _ in tensors.values():  # sizes first, then other arguments of the same value
            for name, value in numbers.items():
                if value > 1 and value in shape:
                    names.setdefault(value, name)
        for name, value in numbers.items():
            if value > 1 and any(math.prod(shape) == value for shape, _ in tensors.values()):
                names.setdefault(value, name)

        def named(value: int) -> str:
            """The size's name, or its digits."""
            return names.get(value, str(value))

        sizes = {name: _extent(shape, strides, named) for name, (shape, strides) in tensors.items()}
        chosen = {names[value] for value in names}
        products = {
            math.prod(shape[d:]): " * ".join(named(n) for n in shape[d:] if n != 1) or "1"
            for shape, _ in tensors.values()
            for d in range(len(shape))
        }
        values = {}
        for name, value in numbers.items():
            if name not in chosen:
                values[name] = names.get(value) or products.get(value) or str(value)
        programs: list[str] = []
        for count in grid:  # each axis is of another size
            free = {name: numbers[name] for name in chosen if not any(name in text for text in programs)}
            programs.append(_programs(count, free, constants))
        return cls(sizes, tuple(programs), values)

    def with_multiples(self, numbers: Mapping[str, int], constants: Mapping[str, int]) -> Assumptions:
        """The same, with sizes that are multiples of constants (of the largest, a power of two) as they are here."""
        free = {name: value for name, value in numbers.items() if name not in self.values}
        blocks = sorted(size for size in constants.values() if size > 1 and size & (size - 1) == 0)
        multiples = {name: size for name, value in free.items() for size in blocks if value % size == 0}
        return replace(self, multiples=multiples)

    def of_descriptors(self) -> Assumptions:
        """The same, with sizes and values of what descriptors become without TMA: a pointer, sizes and strides, whether
        padding is NaN, then sizes and strides again."""
        sizes, values = dict(self.sizes), dict(self.values)
        for name, (number, rank) in self.descriptors.items():
            moves = [f"(arg{number + d} - 1) * arg{number + rank + d}" for d in range(1, rank + 1)]
            sizes[name] = " + ".join([*moves, "1"])
            values |= {f"arg{number + 1 + 2 * rank + d}": f"arg{number + d}" for d in range(1, 2 * rank + 1)}
        return replace(self, sizes=sizes, values=values, descriptors={})

    def polynomials(self, names: Sequence[str]) -> dict[str, Poly]:
        """The polynomial that stands for each integer argument.

        Raises:
            ValueError: a value is not an expression of the others.
        """
        found = {name: Poly.of(name) for name in names}
        for name, divisor in self.multiples.items():
            found[name] = Poly.of(name) * divisor
        for name, text in self.values.items():
            found[name] = substituted(expression(text, names)[0], found)
        return found


def _extent(shape: Sequence[int], strides: Sequence[int], named: Any) -> str:
    """Elements from the first to the last, as an expression."""
    if not math.prod(shape):
        return "0"
    row_major = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    if list(strides) == row_major or all(n == 1 for n in shape):
        total = math.prod(shape)
        return named(total) if named(total) != str(total) else " * ".join(named(n) for n in shape if n != 1) or "1"
    moves = [f"({named(n)} - 1) * {named(abs(step))}" for n, step in zip(shape, strides) if n > 1 and step]
    return " + ".join([*moves, "1"])


def _programs(count: int, numbers: Mapping[str, int], constants: Mapping[str, int]) -> str:
    if count == 1:
        return "1"
    for name, value in numbers.items():
        if value == count:
            return name
    for name, value in numbers.items():
        for block in sorted({size for size in constants.values() if size > 1}, reverse=True):
            if -(-value // block) == count:
                return f"cdiv({name}, {block})"
    return str(count)


def substituted(poly: Poly, values: Mapping[str, Poly]) -> Poly:
    """A polynomial with others in place of variables."""
    total = Poly.of(0)
    for monomial, factor in poly.terms.items():
        part = Poly({(): factor})
        for name in monomial:
            part = part * values.get(name, Poly.of(name))
        total = total + part
    return total


def expression(text: str, names: Sequence[str]) -> tuple[Poly, list[Poly]]:
    """An expression as a polynomial, and facts about the variables that it needed.

    Raises:
        ValueError: it is none.
    """
    facts: list[Poly] = []

    def read(node: ast.expr) -> Poly:
        """The polynomial of a part; of each cdiv a new variable, with two facts.

        Raises:
            ValueError: a part is none of these.
        """
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return Poly.of(node.value)
        if isinstance(node, ast.Name) and node.id in names:
            return Poly.of(node.id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            a, b = read(node.left), read(node.right)
            return a + b if isinstance(node.op, ast.Add) else a - b if isinstance(node.op, ast.Sub) else a * b
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cdiv" and len(node.args) == 2:
            a, b = (read(argument) for argument in node.args)
            quotient = Poly.of(f"cdiv.{ast.unparse(node)}")
            facts.extend([a - b * quotient, b * quotient - a - b + 1])
            return quotient
        raise ValueError(
            f"'{ast.unparse(node)}' in '{text}' is not a size: expected numbers, {', '.join(names) or 'no names'}, "
            "+, -, * and cdiv(a, b)"
        )

    try:
        return read(ast.parse(text.strip(), mode="eval").body), facts
    except SyntaxError:
        raise ValueError(f"'{text}' is not an expression") from None
