"""Places of the elements of a tensor: which register of which thread holds which."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache

from mlir import ir

from ttkit.context import Context
from ttkit.dialects._layouts import linear_layout_of
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.terms import Term, at_place
from ttkit.validation.values import NotModelled

Index = tuple[int, ...]
Places = tuple[tuple[tuple[int, ...], ...], ...]
"""For each register of a thread, and each thread, the index of the element that is there."""


@lru_cache(maxsize=256)
def places(type_text: str, threads: int) -> Places:
    """The elements of a tensor, by register and thread.

    Raises:
        NotModelled: its layout is not one of registers of one CTA.
    """
    with Context() as context:
        layout = linear_layout_of(ir.Type.parse(type_text, context))
    if layout.in_size("block") != 1 or layout.in_size("lane") * layout.in_size("warp") != threads:
        raise NotModelled("a tensor in another number of threads")
    found = []
    for register in range(layout.in_size("register")):
        row = []
        for thread in range(threads):
            at = layout.apply({"register": register, "lane": thread % WARP, "warp": thread // WARP})
            row.append(tuple(int(at[name]) for name in layout.out_dims))
        found.append(tuple(row))
    return tuple(found)


def elements(shape: tuple[int, ...], *terms: Term) -> Iterator[tuple[Index, tuple[Term, ...]]]:
    """The elements of tensors of a shape, by their index."""
    for index in itertools.product(*map(range, shape)):
        at = tuple(enumerate(index))
        yield index, tuple(at_place(term, at) for term in terms)
