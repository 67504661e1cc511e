"""`roll`: a dialect with one operation, in a package of its own.

import roll

@ttkit.jit
def kernel(...):
    y = roll.rotate(x, shift=1, axis=0)
"""

from roll.kernels import rotate as rotate
