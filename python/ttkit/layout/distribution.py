"""Properties of a distributed layout: elements per register, lane, warp and block, their order, and copies.

All functions take the linear layout of a tensor (`to_linear_layout`) with in-dims register, lane, warp and block.
Per-dimension results are lists indexed by the tensor's dimensions.
"""

from __future__ import annotations

from ttkit.layout.linear import LinearLayout
from ttkit.layout.tile import matrix_order


def order(layout: LinearLayout, in_dim: str = "register") -> list[int]:
    """The dimensions along which `in_dim` moves, fastest first, then the others, innermost first."""
    moved = [dim for basis in layout.bases(in_dim) for dim, value in enumerate(basis) if value]
    return list(dict.fromkeys([*moved, *matrix_order(len(layout.outs))]))


def steps(layout: LinearLayout, in_dim: str, copies: bool = False) -> list[int]:
    """Number of values of `in_dim` along each dimension of the tensor.

    copies: a broadcasting bit counts for the dimension that the bit before it moves in; without one, for the first.
    """
    counts = [1] * len(layout.outs)
    last = 0
    for basis in layout.bases(in_dim):
        moved = next((dim for dim, value in enumerate(basis) if value), None)
        if moved is None and not copies:
            continue
        last = last if moved is None else moved
        if counts:
            counts[last] *= 2
    return counts


def elements_per_thread(layout: LinearLayout) -> int:
    """Registers of one thread, in elements; copies count."""
    return layout.in_size("register")


def distinct_elements_per_thread(layout: LinearLayout) -> int:
    """Different elements that one thread holds."""
    return 1 << layout.sublayout(["register"], layout.out_dims).span.rank


def contiguous_per_thread(layout: LinearLayout) -> list[int]:
    """Along each dimension, how many neighbours consecutive registers hold from register 0 on."""
    counts, bases, position = [1] * len(layout.outs), layout.bases("register"), 0
    for dim in order(layout):
        while position < len(bases) and bases[position] == _along(dim, counts[dim], len(counts)):
            counts[dim] *= 2
            position += 1
    return counts


def _along(dim: int, value: int, rank: int) -> tuple[int, ...]:
    return tuple(value if other == dim else 0 for other in range(rank))


def shape_per_cta(layout: LinearLayout) -> list[int]:
    """The tensor's shape divided by the CTAs along each dimension."""
    return [size // parts for size, parts in zip(layout.shape, steps(layout, "block"))]


def places_in_cta(layout: LinearLayout) -> LinearLayout:
    """The place of each element among those that its CTA holds, as an array without gaps.

    Returns:
        register, lane, warp, block -> place: bits of the coordinates that tell elements of a CTA apart, the first
        dimension's lowest.  CTAs that hold the same elements have them at the same places.
    """
    blocks, free = layout.columns_of("block"), layout.free_variable_masks().get("block", 0)
    first = len(layout.columns) - len(blocks)
    assert layout.columns[first:] == blocks, "block is not the last dimension"
    used = 0
    for column in layout.columns[:first]:
        used |= column
    bits = [bit for bit in range(used.bit_length()) if used >> bit & 1]
    kept = layout.columns[:first] + tuple(column if free >> bit & 1 else 0 for bit, column in enumerate(blocks))
    columns = tuple(sum((column >> bit & 1) << place for place, bit in enumerate(bits)) for column in kept)
    return LinearLayout(layout.ins, (("place", len(bits)),), columns)


def size_per_thread(layout: LinearLayout) -> list[int]:
    """Elements that a thread holds along each dimension before registers start over beyond all lanes and warps.

    The `sizePerThread` of a blocked layout.
    """
    shape = shape_per_cta(layout)
    bases = list(layout.bases("register"))
    repeated: list[int] = []
    while bases:
        dim = next((dim for dim, value in enumerate(bases[-1]) if value), None)
        if dim is None:
            break
        if dim not in repeated:
            repeated.append(dim)
        if dim != repeated[-1] or 2 * bases[-1][dim] != shape[dim]:
            break
        shape[dim] //= 2
        bases.pop()
    counts = [1] * len(layout.outs)
    for basis in filter(any, bases):
        counts[next(dim for dim, value in enumerate(basis) if value)] *= 2
    return counts


def threads_per_warp(layout: LinearLayout) -> list[int]:
    """Lanes along each dimension; copies count for the dimension of the bit before."""
    return steps(layout, "lane", copies=True)


def warps_per_cta(layout: LinearLayout) -> list[int]:
    """Warps along each dimension; copies count for the dimension of the bit before."""
    return steps(layout, "warp", copies=True)


def copies_per_element(layout: LinearLayout) -> int:
    """Number of places (register, lane, warp, block) that hold each element."""
    return 1 << layout.in_bits - layout.span.rank


# --- Global memory ---------------------------------------------------------------------------------------------------
def memory_vector(layout: LinearLayout, memory_order: list[int] | None = None) -> int:
    """Elements that a thread can move with one instruction to a tensor stored densely in `memory_order`.

    memory_order: dimensions, fastest first; default is row-major.  The hardware's limit (16 bytes) is not applied.
    """
    return _row_major(layout, memory_order).num_consecutive_in_out()


def bytes_per_transaction(layout: LinearLayout, element_bits: int, memory_order: list[int] | None = None) -> float:
    """Useful bytes of each 32-byte sector that a warp's accesses to a dense tensor touch: 32 is perfect coalescing.

    One instruction moves `memory_vector` elements of each lane, at most 16 bytes.  The tensor starts at a multiple of
    its sector.
    """
    flat = _row_major(layout, memory_order)
    vector = min(flat.num_consecutive_in_out(), max(1, 128 // element_bits))
    lanes = flat.columns_of("lane")
    words = [1 << bit for bit in range(vector.bit_length() - 1)]
    sector = max(1, 256 // element_bits)  # elements in 32 bytes
    touched = LinearLayout((("lane", len(lanes) + len(words)),), flat.outs, (*words, *lanes))
    useful = 1 << touched.span.rank
    sectors = touched.with_columns("lane", [column // sector for column in touched.columns]).span.rank
    return useful * element_bits / 8 / (1 << sectors)


def _row_major(layout: LinearLayout, memory_order: list[int] | None) -> LinearLayout:
    """Indices to the element's number in memory."""
    dims = memory_order if memory_order is not None else matrix_order(len(layout.outs))
    return layout.transpose_outs(f"dim{dim}" for dim in dims).flatten_outs()
