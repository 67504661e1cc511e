"""Division of a tensor among the CTAs of a cluster."""

from collections.abc import Sequence

from ttkit.layout.encoding_base import bits_per_dimension
from ttkit.layout.encodings import Bases, DotOperand, Layout, Linear, Slice
from ttkit.layout.mma_to_linear import k_dim, operand_cga
from ttkit.layout.tile import part_of_cta


def cga_bases(ctas: Sequence[int], splits: Sequence[int], order: Sequence[int]) -> Bases:
    """The layout of `ctas[d]` CTAs along dimension d, divided among `splits[d]` of them; fastest first in `order`."""
    bases = []
    for d in order:
        for bit in range((ctas[d] - 1).bit_length()):
            step = 1 << bit if 1 << bit < splits[d] else 0
            bases.append(tuple(step if i == d else 0 for i in range(len(order))))
    return tuple(bases)


def cga_layout(layout: Layout) -> Bases:
    """The layout of the CTAs in a cluster that a layout of a tensor implies."""
    if isinstance(layout, Slice):
        return tuple((*basis[: layout.dim], *basis[layout.dim + 1 :]) for basis in cga_layout(layout.parent))
    if isinstance(layout, DotOperand):
        return operand_cga(cga_layout(layout.parent), k_dim(layout.op_idx, layout.rank))
    if isinstance(layout, Linear):
        return _in_ctas(layout.block)
    bases: Bases = getattr(layout, "cga_layout", ())
    return bases


def _in_ctas(bases: Bases) -> Bases:
    """Bases that count elements as ones that count CTAs: the smallest step along each dimension becomes 1."""
    steps = [sorted({basis[d] for basis in bases if basis[d]}) for d in range(len(bases[0]) if bases else 0)]
    return tuple(tuple(1 << steps[d].index(size) if size else 0 for d, size in enumerate(basis)) for basis in bases)


def cta_splits(bases: Bases, rank: int) -> tuple[int, ...]:
    """Among how many CTAs each dimension is divided."""
    return tuple(1 << bits for bits in bits_per_dimension(bases, rank))


def shape_per_cta(shape: Sequence[int], layout: Layout) -> tuple[int, ...]:
    """The part of the shape that one CTA holds."""
    return part_of_cta(shape, cga_layout(layout))
