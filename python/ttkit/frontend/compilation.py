"""What the functions of one module share while it is built."""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import Any

from ttkit.frontend.record import Operation
from ttkit.lazy_dataclass import dataclass


class Language(enum.Enum):
    """What kernels are written in."""

    TRITON = 0
    GLUON = 1


@dataclass(frozen=True)
class GPUTarget:
    """What is compiled for: `GPUTarget("cuda", 90, 32)` is an H100."""

    backend: str
    arch: Any
    warp_size: int


@dataclass(frozen=True)
class LanguageOptions:
    """The options that change what the language means.  Any object with these attributes serves.

    Attributes:
        debug: compile assertions.
        sanitize_overflow: with `debug`, assert that integer arithmetic does not overflow.
        supported_fp8_dtypes: names of the fp8 types that the target has.
        deprecated_fp8_dot_operand_dtypes: those that `tl.dot` multiplies as fp16.
        allowed_dot_input_precisions, default_dot_input_precision: of `tl.dot`.
        fp32_default: the precision of `tl.dot` where the kernel asks for none, in place of tf32.
        max_num_imprecise_acc_default: of `tl.dot` of fp8.
        allow_non_constexpr_globals: let kernels read any global variable.
    """

    num_warps: int = 4
    debug: bool = False
    sanitize_overflow: bool = True
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4b15", "fp8e5")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    allowed_dot_input_precisions: tuple[str, ...] = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
    default_dot_input_precision: str = "tf32"
    fp32_default: str | None = None
    max_num_imprecise_acc_default: int = 0
    allow_non_constexpr_globals: bool = False

    @classmethod
    def for_target(cls, target: GPUTarget, **given: Any) -> LanguageOptions:
        """The defaults for `target`, with what is given; names that are no fields here are left out."""
        options = cls()
        if target.arch >= 89:
            options = replace(options, supported_fp8_dtypes=("fp8e4b15", "fp8e4nv", "fp8e5"))
        if target.arch >= 90:
            deprecated = ("fp8e4b15",)
            imprecise = 2**30 if target.arch == 90 else 0
            options = replace(
                options, deprecated_fp8_dot_operand_dtypes=deprecated, max_num_imprecise_acc_default=imprecise
            )
        known = {name: value for name, value in given.items() if name in cls.__dataclass_fields__ and value is not None}
        return replace(options, **known)


class Compilation:
    """One module: its target, its options, the functions built so far."""

    def __init__(self, target: GPUTarget, options: Any) -> None:
        self.target = target
        self.options = options
        self.functions: dict[str, Operation] = {}
        self.return_types: dict[str, Any] = {}

    def target_is_at_least(self, capability: int) -> bool:
        return self.target.backend == "cuda" and self.target.arch >= capability

    def convert_custom_types(self, value: Any, type: Any, rounding: str | None) -> Any:
        """Conversion from and to fp8e4b15, which no GPU has."""
        from ttkit.language.extra.cuda.float8e4b15 import convert

        return convert(value, type, rounding, has_min_of_pairs=self.target.arch >= 80)

    def min_dot_size(self, left: Any, right: Any) -> tuple[int, int, int]:
        """The least M, N and K of `tl.dot`.

        Raises:
            Unsupported: operands of different width.
        """
        from ttkit.language.errors import Unsupported

        bits = left.scalar.primitive_bitwidth
        if bits != right.scalar.primitive_bitwidth:
            raise Unsupported(function="dot", reason=f"lhs and rhs bitwidth must be the same, got {left} and {right}")
        return (1, 1, 32) if bits == 8 else (1, 1, 16)
