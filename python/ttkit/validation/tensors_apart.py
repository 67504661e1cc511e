"""The tensors that pointer arguments point to, where a pass takes these to be different ones.

What is in each of them is followed by itself, as what is in a buffer is.  A read through an argument is a function of
what has been done through this argument, and of effects that may do anything.  Barriers and atomic updates that acquire
are such effects.  The order of all that is done to memory stays a term of its own, which a pass must keep.
"""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Function
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.validation.integers import sum_of
from ttkit.validation.terms import MEMORY, Term, make
from ttkit.validation.values import Buffer, Descriptor

Tensors = dict[Term, Buffer]
"""What is in each tensor is in `State.contents`; by the argument that points to it."""


def follow_tensors(walk: Any, function: Function, arguments: list[Any]) -> None:
    """Begins to follow the tensors of the arguments of a kernel."""
    for kind, value in zip(function.argument_types, arguments):
        is_pointer = kind.pointee is not None and not kind.shape
        base = value.base if isinstance(value, Descriptor) else value
        if isinstance(base, Term) and (is_pointer or is_descriptor(kind)):
            walk.tensors[base] = Buffer((), MEMORY)
            walk.state.contents[walk.tensors[base]] = walk.state.memory


def forget_tensors(walk: Any) -> None:
    """Takes pointers to point anywhere from now on, as where others write at the same time."""
    for tensor in walk.tensors.values():
        walk.state.contents.pop(tensor, None)
    walk.tensors = {}


def tensor_of(walk: Any, address: Term | None) -> Buffer | None:
    """The tensor that an address points into: that of the one pointer that it is an offset from; None if unknown."""
    if address is None or not walk.tensors:
        return None
    if address.head == "closed":
        (address,) = address.args
    found = [part for part in pointers_in(address) if part in walk.tensors]
    if len(found) != 1 or sum_of(address).get((found[0],)) != 1:
        return None
    return walk.tensors[found[0]]


def are_apart(walk: Any, address: Term, other: Term) -> bool:
    """Whether two addresses are known to point into different tensors."""
    ours, theirs = tensor_of(walk, address), tensor_of(walk, other)
    return ours is not None and theirs is not None and ours is not theirs


def pointers_in(address: Term) -> set[Term]:
    """The arguments in an address, outside of what is read from memory."""
    found, stack, seen = set(), [address], set()
    while stack:
        part = stack.pop()
        if part in seen or part.sort == MEMORY or part.head == "read":
            continue
        seen.add(part)
        if part.head == "argument":
            found.add(part)
        stack.extend(part.args)
    return found


def memory_at(walk: Any, address: Term) -> Term:
    """The term of all that has been done to the memory that an address points to."""
    tensor = tensor_of(walk, address)
    return walk.state.memory if tensor is None else walk.state.contents[tensor]


def written_at(walk: Any, address: Term | None, head: str, args: tuple[Term, ...], attr: Any) -> None:
    """Something is done to memory: to the tensor that an address points into, to all of them if that is not known.

    args: the operands of the term besides memory.
    """
    tensor = tensor_of(walk, address)
    state = walk.state
    state.memory = make(head, (state.memory, *args), attr, MEMORY)
    if tensor is not None:
        state.contents[tensor] = make(head, (state.contents[tensor], *args), attr, MEMORY)
    for one in walk.tensors.values() if tensor is None else ():
        state.contents[one] = state.memory


def may_read(walk: Any, term: Term, tensor: Buffer | None) -> bool:
    """Whether a copy in the background may read a tensor; None stands for any memory."""
    if term.head == "ite":
        return any(may_read(walk, side, tensor) for side in term.args[1:])
    if term.is_const or term.head == "undefined":
        return False
    other = tensor_of(walk, term.args[1]) if term.head == "read" else None
    return other is None or tensor is None or other is tensor
