"""AMD's GPUs as targets, `triton.backends.amd`: options, specialization, and kernels as far as tt.

What is below tt is for NVIDIA's GPUs alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields
from typing import Any, NoReturn

import ttkit.knobs as knobs
from ttkit.compat.backends import BaseBackend
from ttkit.options import CompileOptions
from ttkit.records import dataclass
from ttkit.target import GPUTarget, Target

_OLDEST = 80
"""The GPU of NVIDIA as which the language sees them: without TMA."""


@dataclass(frozen=True)
class HIPOptions:
    """Options of a kernel for AMD's GPUs, as Triton 3.6 names them.

    arch: such as "gfx942".
    """

    num_warps: int = 4
    waves_per_eu: int = 0
    num_stages: int = 2
    num_ctas: int = 1
    extern_libs: Any = None
    debug: bool = False
    sanitize_overflow: bool = True
    arch: str = ""
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5", "fp8e5b16", "fp8e4b8")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "bf16x3", "bf16x6")
    enable_fp_fusion: bool = True
    launch_cooperative_grid: bool = False
    matrix_instr_nonkdim: int = 0
    kpack: int = 1
    allow_flush_denorm: bool = False
    max_num_imprecise_acc_default: int = 0
    backend_name: str = "hip"
    instrumentation_mode: str = ""
    schedule_hint: str = "none"

    def __post_init__(self) -> None:
        assert self.num_warps > 0 and self.num_warps & (self.num_warps - 1) == 0, "num_warps must be a power of 2"

    @property
    def warp_size(self) -> int:
        """Lanes of a wave: 64 before gfx10, 32 from there on."""
        return 32 if int(self.arch[3:-2]) >= 10 else 64

    def hash(self) -> str:
        """Identifies them."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    # What the language asks of options.

    @property
    def target(self) -> Target:
        """The oldest GPU of NVIDIA: passes down to ttir ask for it."""
        return CompileOptions.for_capability(_OLDEST).target

    @property
    def fp32_default(self) -> str | None:
        """The precision of f32 products that the environment asks for."""
        return knobs.language.fp32_default

    @property
    def allow_non_constexpr_globals(self) -> bool:
        """Whether kernels may read any global variable."""
        return knobs.compilation.allow_non_constexpr_globals


class HIPBackend(BaseBackend):
    """Options, specialization and tt for AMD's GPUs."""

    instrumentation = None
    supports_native_tensor_specialization = False
    binary_ext = "hsaco"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        """Whether the target is a GPU of AMD."""
        return target.backend == "hip"

    def get_target_name(self, options: HIPOptions) -> str:
        """`hip:gfx942`, as `ttg.target` has it."""
        return f"hip:{options.arch}"

    def parse_options(self, opts: dict[str, Any]) -> HIPOptions:
        """The options of a kernel, without those that AMD's back end does not know."""
        arch = knobs.runtime.override_arch or str(self.target.arch)
        given: dict[str, Any] = {"arch": arch, "enable_fp_fusion": knobs.language.default_fp_fusion}
        given["supported_fp8_dtypes"] = tuple(sorted(HIPOptions.supported_fp8_dtypes))
        if arch == "gfx942":
            given["allowed_dot_input_precisions"] = (*sorted((*HIPOptions.allowed_dot_input_precisions, "tf32")),)
        if arch == "gfx950":
            given["deprecated_fp8_dot_operand_dtypes"] = ("fp8e4b8", "fp8e5b16")
        names = [field.name for field in fields(HIPOptions)]
        return HIPOptions(**{**given, **{name: opts[name] for name in names if opts.get(name) is not None}})

    def add_stages(self, stages: dict[str, Any], options: HIPOptions, language: Any = None) -> None:
        """Fills in the stages: `ttir` works, those below it say that they don't."""
        stages["ttir"] = lambda source, metadata: self.make_ttir(source, metadata, options)
        for level in ("ttgir", "llir", "amdgcn", "hsaco"):
            stages[level] = _refusal(level)

    @staticmethod
    def make_ttir(mod: Any, metadata: dict[str, Any], options: HIPOptions) -> Any:
        """tt as it is written -> tt that can be given layouts; in place."""
        from ttkit.compiler.levels import make_ttir

        make_ttir(getattr(mod, "module", mod), metadata, CompileOptions.for_capability(_OLDEST))
        return mod

    @staticmethod
    def is_within_2gb(arg: Any) -> bool:
        """Whether 32 bits are enough for every offset into a tensor."""
        if hasattr(arg, "ptr_range"):
            return bool(arg.ptr_range() < 2**31)
        return hasattr(arg, "untyped_storage") and bool(arg.untyped_storage().size() < 2**31)

    @staticmethod
    def parse_attr(desc: str) -> list[list[Any]]:
        """Attributes of an argument, from the key of its specialization."""
        return BaseBackend.parse_attr(desc) + ([["tt.pointer_range", 32]] if "S" in desc else [])

    @staticmethod
    def get_tensor_specialization(arg: Any, **kwargs: Any) -> str:
        """The key of a tensor, with "S" if 32 bits are enough for offsets."""
        small = knobs.amd.use_buffer_ops and HIPBackend.is_within_2gb(arg)
        return BaseBackend.get_tensor_specialization(arg, **kwargs) + ("S" if small else "")

    def get_codegen_implementation(self, options: Any) -> dict[str, Any]:
        """Functions that the language leaves to a target: none."""
        return {}

    def hash(self) -> str:
        """Identifies the target."""
        return str(self.target)


class HIPDriver:
    """The driver of AMD's GPUs: there is none."""

    @staticmethod
    def is_active() -> bool:
        """Whether there is a GPU of AMD that ttkit can use: never."""
        return False

    def __init__(self) -> None:
        raise RuntimeError("ttkit launches kernels on NVIDIA's GPUs alone")


def _refusal(level: str) -> Callable[[Any, Any], NoReturn]:
    def refuse(source: Any, metadata: Any) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(f"ttkit makes no {level} for AMD's GPUs, only ttir; its targets are NVIDIA's")

    return refuse
