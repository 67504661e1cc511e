"""Branches, calls, and the loops of `loops`."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.comparisons import equal, less
from ttkit.validation.facts import note_arguments
from ttkit.validation.integers import number
from ttkit.validation.loops import for_loop
from ttkit.validation.registry import means
from ttkit.validation.steady import many_iterations
from ttkit.validation.values import NotModelled
from ttkit.validation.while_loops import while_loop


@means("scf.if")
def scf_if(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The results of the first region where the condition holds, of the second elsewhere."""

    def run(region: Any) -> tuple:
        """A region's results; none of one that is missing."""
        return walk.region(region, frame, []) if region is not None and region.blocks else ()

    regions = [*op.regions, None][:2]
    return walk.branch(frame[op.operands[0]], lambda: run(regions[0]), lambda: run(regions[1]))


@means("scf.index_switch")
def index_switch(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The region of the case; the first without one."""
    flag = frame[op.operands[0]]
    cases = [int(case) for case in op.attributes["cases"]]

    def from_case(place: int) -> tuple:
        """The results if no case before is the flag's."""
        if place == len(cases):
            return walk.region(op.regions[0], frame, [])
        condition = equal(flag, number(cases[place], flag.sort))
        return walk.branch(
            condition, lambda: walk.region(op.regions[place + 1], frame, []), lambda: from_case(place + 1)
        )

    return from_case(0)


@means("scf.execute_region")
def execute_region(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The region's results."""
    return walk.region(op.regions[0], frame, [])


@means("tt.call", "func.call")
def call(walk: Any, op: Instruction, *arguments: Any) -> tuple:
    """The results of the function.

    Raises:
        NotModelled: there is no such function.
    """
    callee = walk.module.functions.get(op.attributes["callee"])
    if callee is None:
        raise NotModelled("the function is missing", op)
    note_arguments(walk, op, callee, list(arguments))
    return walk.call(callee, list(arguments))


@means("scf.for")
def scf_for(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """See `loops`; of loops that have many iterations `steady`.

    Raises:
        NotModelled: bounds are compared without sign, and may be negative.
    """
    if op.compares_unsigned:
        for bound in (frame[slot] for slot in op.operands[:3]):
            negative = less(bound, number(0, bound.sort))
            if not negative.is_const or negative.attr:
                raise NotModelled("bounds that are compared without sign, and may be negative", op)
    many = many_iterations(walk, op, frame)
    return many if many is not None else for_loop(walk, op, frame)


@means("scf.while")
def scf_while(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """See `while_loops`."""
    return while_loop(walk, op, frame)
