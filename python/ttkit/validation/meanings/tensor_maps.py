"""Tensor maps in global memory: descriptors that a kernel writes for copies by TMA, and reads again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from mlir import ir

from ttkit.analysis.tensor_map_facts import tensor_map
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import truth
from ttkit.validation.integers import number, of_sum, sum_of
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, make
from ttkit.validation.values import Descriptor, NotModelled

MAP_BYTES = 128
"""The size of a tensor map, and what its address must be a multiple of."""
FIELDS = ("elem_type", "interleave_layout", "swizzle_mode")


@dataclass(frozen=True)
class Written:
    """A tensor map that the kernel has written: dimensions are innermost first, strides in bytes.

    codes: of FIELDS.
    is_seen: whether a fence has made it visible to copies.
    """

    base: Term
    box: tuple[Term, ...]
    sizes: tuple[Term, ...]
    strides: tuple[Term, ...]
    steps: tuple[Term, ...]
    codes: tuple[int, ...]
    nan: Term
    is_seen: bool = False


@means("ttg.global_scratch_alloc")
def global_scratch_alloc(walk: Any, op: Instruction) -> Term:
    """Memory that nothing else has."""
    walk.scratches += 1
    size = tuple(int(op.attributes.get(name, 1)) for name in ("nbytes", "alignment"))
    return make("scratch", (), (walk.scratches, *size), "i64")


@means("ttng.tensormap_create")
def tensormap_create(walk: Any, op: Instruction, *operands: Term) -> tuple:
    """Remembers a map at a pointer.

    Raises:
        NotModelled: scratch memory that is too small for it, or not aligned.
    """
    pointer, base, box, sizes, strides, steps = op.segments(operands)
    check_place(op, pointer[0])
    codes = tuple(int(op.attributes[name]) for name in FIELDS)
    nan = truth(bool(op.attributes["fill_mode"]))
    walk.state.maps[pointer[0]] = Written(base[0], box, sizes, strides, steps, codes, nan)
    return ()


def check_place(op: Instruction, pointer: Term) -> None:
    """Raises NotModelled if a map is not inside of its scratch memory, or not at a multiple of its size."""
    parts = sum_of(pointer)
    bases = [key[0] for key in parts if len(key) == 1 and key[0].head == "scratch"]
    if len(bases) != 1 or any(key not in ((), (bases[0],)) for key in parts):
        return  # the slot of a loop
    _, size, alignment = bases[0].attr
    offset = parts.get((), 0)
    if offset % MAP_BYTES or alignment % MAP_BYTES or not 0 <= offset <= size - MAP_BYTES:
        raise NotModelled("a tensor map outside of its scratch memory, or not at a multiple of 128 bytes", op)


@means("ttng.tensormap_fenceproxy_acquire")
def acquire(walk: Any, op: Instruction, pointer: Term) -> tuple:
    """Copies that come later see the map."""
    if pointer in walk.state.maps:
        walk.state.maps[pointer] = replace(walk.state.maps[pointer], is_seen=True)
    return ()


@means("ttng.reinterpret_tensor_descriptor")
def reinterpret(walk: Any, op: Instruction, pointer: Term) -> Descriptor:
    """The descriptor at a pointer.

    Raises:
        NotModelled: nothing has written one there that fits the type, or no fence has made it visible.
    """
    kind = op.result_types[0]
    block = kind.pointee
    found: Written | None = walk.state.maps.get(pointer)
    if found is None:
        raise NotModelled("a descriptor that another part of the program has written", op)
    if len(found.sizes) != block.rank or len(found.strides) != block.rank - 1:
        raise NotModelled("a descriptor of another rank", op)
    if not found.is_seen:
        raise NotModelled("a tensor map with no fence after it that makes it visible to copies", op)
    check_fields(op, found, kind)
    strides = [divided(op, stride, block.element.itemsize) for stride in found.strides[::-1]]
    return Descriptor(found.base, found.sizes[::-1], (*strides, number(1, "i64")), found.nan, block)


def check_fields(op: Instruction, found: Written, kind: ValueType) -> None:
    """Raises NotModelled if a map does not describe the blocks of a descriptor's type."""
    expected = facts_of(kind.text)
    if expected is None:
        return
    codes, box = expected
    for name, code, wanted in zip(FIELDS, found.codes, codes):
        if code != wanted:
            raise NotModelled(f"a tensor map whose {name} is {code}, where its descriptor needs {wanted}", op)
    if [one.attr if one.is_const else None for one in found.box] != list(box):
        raise NotModelled(f"a tensor map whose box is not {' x '.join(map(str, box))}, innermost first", op)
    if any(not one.is_const or one.attr != 1 for one in found.steps):
        raise NotModelled("a tensor map with steps between elements", op)


@cache
def facts_of(kind: str) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Codes of FIELDS and the box, innermost first, of the maps for a descriptor's type; None without a layout."""
    from ttkit.context import Context

    with Context():
        found = tensor_map(ir.Type.parse(kind))
    if found is None:
        return None
    return (found["elem_type"], 0, found["swizzle"]), tuple(found["block_size"][::-1])


def divided(op: Instruction, term: Term, by: int) -> Term:
    """A number that is a multiple, divided.

    Raises:
        NotModelled: it does not show that it is one.
    """
    parts = sum_of(term)
    if any(factor % by for factor in parts.values()):
        raise NotModelled("strides that do not show that they are multiples of an element", op)
    return of_sum({key: factor // by for key, factor in parts.items()}, term.sort)
