"""Functions of elements: a dialect with a region, several and optional operands, a type and an attribute of its own.

import each

@ttkit.jit
def kernel(...):
    within = each.limits(0.0, None)
    x, y = each.map((x, y), larger_first)
    x = each.clamp(x, within)
"""

from each.kernels import clamp as clamp
from each.kernels import limits as limits
from each.kernels import map as map
