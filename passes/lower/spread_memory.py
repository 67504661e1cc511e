"""Loads and stores of buffers whose elements are divided among the CTAs of a cluster, where a CTA needs another's part.

All CTAs synchronize before and after: the other CTA must have written what is loaded, and read what is overwritten.
A CTA whose registers have all elements of its own memory stores those, and nothing goes to other CTAs.
"""

from collections.abc import Callable, Iterator, Sequence

from mlir import ir

from ttkit.layout import LinearLayout, gf2
from ttkit.layout.holders import copies_among, holders, is_own, stays_in_cta
from ttkit.passes.lower.cluster import in_cta, synchronize_ctas
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.thread_index import linear_sum

Accesses = Callable[[ir.Value, int | None], Iterator[tuple[list[int], ir.Value]]]
"""From where a buffer begins and the most elements of an access (None: no limit) to the registers of each, and where
they are."""


def loads(
    low: Lowering, memory: LinearLayout, layout: LinearLayout, base: ir.Value, accesses: Accesses
) -> Iterator[tuple[list[int], ir.Value]]:
    """As `accesses`, in the memory of the CTA that has the elements; all CTAs must have met."""
    return in_ctas(low, holders(memory, layout), base, accesses)


def in_ctas(
    low: Lowering, owners: LinearLayout, base: ir.Value, accesses: Accesses, moved: int = 0
) -> Iterator[tuple[list[int], ir.Value]]:
    """As `accesses`, in the memory of the CTAs that `owners` names, the bits of their numbers in `moved` flipped."""
    steps, thread_cta = owners.values("register"), low.index.of_thread(owners)
    limit = None if all(same(steps, registers) for registers, _ in accesses(base, None)) else 1
    for step in sorted(set(steps)):
        cta = low.emit.flip(thread_cta, step ^ moved)
        for registers, pointer in accesses(in_cta(low, base, cta), limit):
            if steps[registers[0]] == step:
                yield registers, pointer


def same(values: Sequence[int], places: Sequence[int]) -> bool:
    """Whether all places have one value."""
    return len({values[place] for place in places}) == 1


def store(
    low: Lowering,
    memory: LinearLayout,
    layout: LinearLayout,
    base: ir.Value,
    accesses: Accesses,
    write: Callable[[list[int], ir.Value, ir.Value | None], None],
) -> None:
    """Stores to all CTAs that are to have an element.

    Args:
        write: given registers, where they go, and an i1 that says whether they do.
    """
    emit = low.emit
    owners = holders(memory, layout)
    copies = copies_among(memory)
    if stays_in_cta(layout, memory):
        away = reduced_by(owners, copies)
        steps, thread = away.values("register"), low.index.of_thread(away)
        limit = None if all(same(steps, registers) for registers, _ in accesses(base, None)) else 1
        for registers, pointer in accesses(base, limit):
            is_own_part = emit.compare("eq", thread, emit.i32_constant(steps[registers[0]]))
            write(registers, pointer, is_own_part if any(away.columns) else None)
        return
    synchronize_ctas(low)
    for copy in gf2.all_values(copies):
        for registers, pointer in in_ctas(low, owners, base, accesses, copy):
            write(registers, pointer, None)
    synchronize_ctas(low)


def reduced_by(owners: LinearLayout, copies: Sequence[int]) -> LinearLayout:
    """The CTA that is named xor the own one, where CTAs that have the same elements count as one: 0 for the own."""
    columns = [
        column ^ (1 << bit if dim == "block" else 0)
        for dim in owners.in_dims
        for bit, column in enumerate(owners.columns_of(dim))
    ]
    for vector in gf2.reduced(copies):
        top = 1 << vector.bit_length() - 1
        columns = [column ^ vector if column & top else column for column in columns]
    return LinearLayout(owners.ins, owners.outs, tuple(columns))


def own_part(low: Lowering, memory: LinearLayout, layout: LinearLayout) -> bool:
    """Whether each CTA finds in its own memory all that it loads, and has in registers just what that memory holds."""
    if low.num_ctas == 1:
        return True
    return is_own(holders(memory, layout)) and stays_in_cta(layout, memory)


def register_ctas(low: Lowering, owners: LinearLayout, indices: Sequence[ir.Value]) -> list[ir.Value]:
    """For each register the CTA, an i32, that has what its index (in-dim `index` of `owners`) asks for."""
    emit = low.emit
    base, columns = low.index.of_thread(owners), owners.columns_of("index")
    found = []
    for step, index in zip(owners.values("register"), indices, strict=True):
        cta = emit.flip(base, step)
        found.append(emit.xor(cta, linear_sum(emit, [(index, columns)])) if any(columns) else cta)
    return found
