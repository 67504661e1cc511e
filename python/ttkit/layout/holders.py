"""Which CTA of a cluster holds an element: for data that moves through distributed shared memory.

A layout's in-dim `block` is the CTA.  Where another layout wants an element at some place (register, lane, warp, block;
or register and so on plus further in-dims), `holders` says which CTA of the first layout has it.  Elements may have
copies in several CTAs; a CTA that has its own is asked for it itself:

    source, block = [[0]]     both CTAs hold everything             target, block = [[1]]
    holders: block -> block, everything else -> 0                   nothing crosses
    source, block = [[1]]     each holds every second element       target, block = [[0]], register = [[1]]
    holders: register -> block                                      each asks both
"""

from __future__ import annotations

from functools import lru_cache

import ttkit.layout.gf2 as gf2
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import Dims, repack


@lru_cache(maxsize=1024)
def holders(source: LinearLayout, target: LinearLayout) -> LinearLayout:
    """The map from the in-dims of `target` to the CTA (out-dim `block`) of `source` that has the same element.  Cached.

    Raises ValueError if source lacks an element.
    """
    if source.out_dims != target.out_dims or any(source.bits_out(dim) < bits for dim, bits in target.outs):
        raise ValueError(f"a tensor of shape {target.shape} is not part of one of {source.shape}")
    blocks, inside = source.columns_of("block"), columns_inside(source)
    own, everywhere = gf2.Span(inside), gf2.Span([*inside, *blocks])
    columns = []
    for dim in target.in_dims:
        for bit, column in enumerate(repack(target.columns_of(dim), target.outs, source.outs)):
            if dim == "block" and bit < len(blocks) and column ^ blocks[bit] in own:
                columns.append(1 << bit)
            elif column in own:
                columns.append(0)
            else:
                found = everywhere.combination(column)
                if found is None:
                    raise ValueError(f"no CTA holds {source.unpack(column)}: {source}")
                columns.append(found >> len(inside))
    return LinearLayout(target.ins, (("block", len(blocks)),), tuple(columns))


def columns_inside(layout: LinearLayout) -> list[int]:
    """The packed bases of all in-dims but that of the CTA."""
    return [column for dim in layout.in_dims if dim != "block" for column in layout.columns_of(dim)]


def copies_among(source: LinearLayout) -> list[int]:
    """Basis of the differences (xor) between the numbers of CTAs that hold the same elements."""
    blocks, inside = source.columns_of("block"), columns_inside(source)
    dependent = gf2.Span([*inside, *blocks]).dependent
    return gf2.reduced(vector >> len(inside) for vector in dependent if vector >> len(inside))


def along_axis(layout: LinearLayout, axis: int, outs: Dims) -> LinearLayout:
    """Map the places of a layout to lines along dimension number `axis` of a tensor with out-dims `outs`.

    In-dims are those of `layout`, of which only other coordinates than that along the axis count, and `index`: the
    coordinate along the axis.
    """
    name, bits = outs[axis]
    others = layout.sublayout(layout.in_dims, [dim for dim in layout.out_dims if dim != name])
    lines = LinearLayout(others.ins, outs, tuple(repack(others.columns, others.outs, outs)))
    start = sum(before for _, before in outs[:axis])
    return lines.concat_ins(LinearLayout((("index", bits),), outs, tuple(1 << start + bit for bit in range(bits))))


def stays_in_cta(source: LinearLayout, target: LinearLayout) -> bool:
    """Whether every CTA holds, in `source`, all that it wants in `target`, of the same tensor or a part of it."""
    return is_own(holders(source, target))


def is_own(places: LinearLayout) -> bool:
    """Whether the CTA that `holders` names is always the one that asks."""
    if not places.bits_out("block"):
        return True
    asks = tuple(1 << bit for bit in range(places.bits_out("block")))
    return places.columns_of("block") == asks and not any(columns_inside(places))
