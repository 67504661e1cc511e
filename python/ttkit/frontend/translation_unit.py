"""State that the functions of one module share while it is built."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ttkit.language.errors import Unsupported
from ttkit.language.extra.cuda.float8e4b15 import convert
from ttkit.language.record import Operation
from ttkit.language.types import tensor_type
from ttkit.triton_versions import FIRST, Version

if TYPE_CHECKING:
    from ttkit.options import CompileOptions
    from ttkit.target import GPUTarget

_RECURSION = 8  # calls of a function inside of itself: fewer do not fill Python's stack


class TranslationUnit:
    """One module: its target, its options, the functions built so far, how many operations were recorded for it.

    is_gluon: whether its tensors have layouts.
    version: the version of Triton whose rules it follows, see `ttkit.language.versions`.
    """

    def __init__(
        self, target: GPUTarget, options: CompileOptions, is_gluon: bool = False, version: Version = FIRST
    ) -> None:
        self.is_gluon = is_gluon
        self.version = version
        self.target = target
        self.options = options
        self.functions: dict[str, Operation] = {}
        self.return_types: dict[str, Any] = {}
        self.recorded = 0
        self._compiling: list[int] = []
        self._depths: dict[int, int] = {}

    @contextlib.contextmanager
    def compiling(self, fn: Any) -> Iterator[None]:
        """Notes that a function is compiled, for a call in another that is."""
        key = id(fn)
        self._compiling.append(key)
        self._depths[key] = max(self._depths.get(key, 0), self._compiling.count(key))
        try:
            yield
        finally:
            self._compiling.pop()

    def is_outermost_of_recursion(self, fn: Any) -> bool:
        """Whether a function called itself so often that Python ran out of its stack, and these calls have ended."""
        return self._depths[id(fn)] >= _RECURSION and all(self._depths[key] < _RECURSION for key in self._compiling)

    def new_tensor_type(self, element: Any, shape: tuple[int, ...]) -> Any:
        """The type of a tensor that is made of no other; in Gluon with a layout that its uses decide."""
        if not self.is_gluon:
            return tensor_type(element, shape)
        from ttkit.language.distributed import open_type  # which other kernels need not load

        return open_type(element, shape)

    def convert_custom_types(self, value: Any, type: Any, rounding: str | None) -> Any:
        """Conversion from and to fp8e4b15, which no GPU has."""
        return convert(value, type, rounding, has_min_of_pairs=self.options.target.has_min_of_pairs)

    def min_dot_size(self, left: Any, right: Any) -> tuple[int, int, int]:
        """The least M, N and K of `tl.dot`; since Triton 3.8, K of fp32 is 8 and that of fp64 is 4.

        Raises:
            Unsupported: operands of different width.
        """
        bits = left.scalar.primitive_bitwidth
        if bits != right.scalar.primitive_bitwidth:
            raise Unsupported(function="dot", reason=f"lhs and rhs bitwidth must be the same, got {left} and {right}")
        if bits > 16 and self.version >= (3, 8):
            return (1, 1, 256 // bits)
        return (1, 1, 32) if bits == 8 else (1, 1, 16)
