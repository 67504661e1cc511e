"""Operations as effects: in the order of the program, of equal operands, they do the same.

Such an operation may change every buffer that any of them gets, at any time.  So what these buffers hold is a function
of all that has been done so far: of the term of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.operation_sets import ALLOCATIONS, BUFFER_VIEWS
from ttkit.validation.integers import number
from ttkit.validation.terms import Term, indices, make
from ttkit.validation.values import Buffer, Descriptor, NotModelled, Token, View, parts_of, sort_of

OPAQUE = tuple(
    """
    ttng.async_copy_mbarrier_arrive ttng.tmem_copy ttng.cluster_arrive ttng.cluster_wait
    """.split()
)
"""Effects of which nothing is known but that they depend on their operands and on what was done before."""

PARALLEL = "ttg.warp_specialize"
"""Groups of warps: each has effects of its own (meanings/groups.py)."""


def shared_buffers(function: Function, is_opaque: Callable[[Instruction], bool], in_groups: bool) -> set[int]:
    """The results of allocations that operations which are effects get.

    Args:
        in_groups: whether buffers that groups of warps get are such.
    """
    made_by = {op.results[0]: op for op in function.operations() if op.results}
    found: set[int] = set()
    for op in function.operations():
        if op.name == PARALLEL and in_groups:  # its operands are those of its groups
            return {one for one, op in made_by.items() if op.name in ALLOCATIONS}
        if not is_opaque(op):
            continue
        for slot, kind in zip(op.operands, op.operand_types):
            if not kind.text.startswith("!ttg.memdesc"):
                continue
            while slot in made_by and made_by[slot].name in BUFFER_VIEWS:
                slot = made_by[slot].operands[0]
            if slot not in made_by or made_by[slot].name not in ALLOCATIONS:
                return {one for one, op in made_by.items() if op.name in ALLOCATIONS}
            found.add(slot)
    return found


def opaque(walk: Any, op: Instruction, operands: list[Any]) -> tuple[Any, ...]:
    """Does the effect; gives results that are functions of it.

    Raises:
        NotModelled: it has regions.
    """
    if op.regions:
        raise NotModelled("it has regions", op)
    done = walk.effect(op, op.name, *(term for value in operands for term in terms_of(walk, op, value)))
    results: list[Any] = []
    for place, kind in enumerate(op.result_types):
        if kind.text.startswith("!ttg.memdesc"):
            results.append(View(Buffer(kind.shape, str(kind.element), walk.level, True), kind.shape))
        elif is_descriptor(kind):
            sorts = ["i64"] * (1 + 2 * kind.pointee.rank)
            made = [make("call", (done, number(n, "i32")), "part", sort) for n, sort in enumerate([*sorts, "i1"])]
            rank = kind.pointee.rank
            sizes, strides = tuple(made[1 : 1 + rank]), tuple(made[1 + rank : -1])
            results.append(Descriptor(made[0], sizes, strides, made[-1], kind.pointee))
        elif not kind.has_arrays:
            results.append(Token())
        else:
            args = (done, number(place, "i32"), *indices(kind.shape))
            results.append(make("call", args, "result", sort_of(kind)))
    return tuple(results)


def terms_of(walk: Any, op: Instruction, value: Any) -> list[Term]:
    """Terms that say what an operand is.

    Raises:
        NotModelled: it is a buffer outside of the memory's term.
    """
    if not isinstance(value, View):
        return list(parts_of(value))
    if not value.buffer.is_shared:
        raise NotModelled("a buffer that is followed by itself", op)
    places = [make("closed", (place,), value.shape, "i32") for place in value.places(indices(value.shape))]
    return [number(walk.name(value.buffer), "i32"), *places]
