"""The order of a tensor's dimensions, fastest first, that a layout suggests."""

from ttkit.layout.distribution import order, steps
from ttkit.layout.encodings import Ints
from ttkit.layout.linear import LinearLayout


def moving_order(layout: LinearLayout, in_dim: str) -> Ints:
    """The dimensions that lanes or warps are distributed along, then the others in the order of registers."""
    moved = [d for basis in layout.bases(in_dim) for d, value in enumerate(basis) if value]
    return tuple(dict.fromkeys([*moved, *order(layout, "register")]))


def order_for_memory(layout: LinearLayout) -> Ints:
    """The order of dimensions in memory that suits a distributed tensor: that of its registers.

    It is the order of its lanes if each thread has a single element along the first dimension of the lanes.
    """
    lanes = moving_order(layout, "lane")
    no_neighbours = steps(layout, "register", copies=True)[lanes[0]] == 1
    return lanes if no_neighbours else tuple(order(layout, "register"))
