"""Which program a kernel that runs as Python runs for, by the names of Triton's interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.python_mode.eager import Concrete, Runner
from ttkit.language.building import active
from ttkit.language.constants import ir_type
from ttkit.language.types import block_type


class InterpreterBuilder:
    """Stand-in for `triton.runtime.interpreter.interpreter_builder`, for tools that look into kernels.

    Both are None outside of a kernel.
    """

    @property
    def grid_idx(self) -> tuple[int, int, int] | None:
        """The program, (x, y, z); of several that run together, the first."""
        runner = self._runner()
        if runner is None:
            return None
        x, y, z = runner.machine.coordinates(int(runner.machine.programs[0]))
        return x, y, z

    @property
    def grid_dim(self) -> tuple[int, int, int] | None:
        """The number of programs along x, y, z."""
        runner = self._runner()
        return None if runner is None else runner.grid

    @staticmethod
    def _runner() -> Runner | None:
        return getattr(getattr(active.builder, "run", None), "__self__", None)


interpreter_builder = InterpreterBuilder()


class TensorHandle(Concrete):
    """The numbers of a tensor, to make one of: `tl.tensor(TensorHandle(array, tl.int32), type)`.

    Args:
        data: an array of the tensor's shape; (1,) for a scalar, as in Triton.
        dtype: the element type of the language.
    """

    def __init__(self, data: Any, dtype: Any) -> None:
        array = np.asarray(data)
        scalar = array.shape in ((), (1,))
        type = dtype if scalar else block_type(dtype, list(array.shape))
        super().__init__(ir_type(type), array.reshape(1) if scalar else array[None])
