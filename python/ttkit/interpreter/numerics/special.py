"""Special functions that numpy lacks, in float64.

erf and erfc are Python's, one number at a time: SciPy's erfc is off by more than four units in the last
place.  The others are SciPy's, an extra: `pip install 'ttkit[interpreter]'`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ttkit.interpreter.errors import NotInterpretable


def each(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    """A function of one Python float, over float64 arrays."""
    vectorized = np.frompyfunc(function, 1, 1)
    return lambda x: vectorized(x).astype(np.float64)


erf, erfc = each(math.erf), each(math.erfc)


def special(name: str) -> Callable[..., Any]:
    """The function of `scipy.special` of that name, looked up when it is called.

    Raises:
        NotInterpretable: when it is called: SciPy is not installed.
    """

    def call(*operands: Any) -> Any:
        """Calls SciPy's function.  Raises NotInterpretable if SciPy is not installed."""
        try:
            import scipy.special
        except ImportError:
            raise NotInterpretable(f"'{name}' needs SciPy: pip install 'ttkit[interpreter]'") from None
        return getattr(scipy.special, name)(*operands)

    return call
