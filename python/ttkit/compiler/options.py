"""How a kernel is compiled: what a launch may choose, but for the GPU itself (`target.py`)."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any

from ttkit.cache.digests import file_digest
from ttkit.lazy_dataclass import dataclass
from ttkit.passes.stages import StageOptions
from ttkit.target import FIRST_PTX, Target

MAX_WARPS = 32


@dataclass(frozen=True)
class CompileOptions:
    """Options of a kernel, by Triton's names.

    num_warps: warps of a program, a power of two.
    num_ctas: programs of a cluster.
    num_stages: iterations of a loop in flight, where the loop does not say.
    maxnreg: most registers of a thread; None leaves it to ptxas.
    ptx_version: such as 87 for PTX 8.7; None for one that suits the target.
    ptx_options: more options for ptxas, separated by blanks.
    enable_fp_fusion: a product and a sum may become one fused operation, rounded once.
    enable_reflect_ftz: libdevice's functions flush denormal f32 numbers to zero.
    launch_cooperative_grid, launch_pdl: how it is launched.
    extern_libs: names and paths of bitcode that the kernel's functions may come from, besides libdevice; or a mapping.
    ir_override: a file that takes the place of one level, which its suffix names.
    arch: the GPU that passes compile for, such as "sm90"; None for the target's.
    pipeline: changes of the pipeline, `ttkit.pipelines.Plan`; None for none but those that hold anyway.
    The others say what the language means (`frontend.compilation.LanguageOptions`); they are kept with the metadata.
    """

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 32
    maxnreg: int | None = None
    ptx_version: int | None = None
    ptx_options: str | None = None
    ir_override: str | None = None
    enable_fp_fusion: bool = True
    enable_reflect_ftz: bool = True
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4b15", "fp8e5")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "tf32"
    allowed_dot_input_precisions: tuple[str, ...] = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    extern_libs: tuple[tuple[str, str], ...] = ()
    debug: bool = False
    backend_name: str = "cuda"
    sanitize_overflow: bool = True
    instrumentation_mode: str = ""
    arch: str | None = None
    pipeline: Any = None

    def __post_init__(self) -> None:
        libraries = self.extern_libs.items() if isinstance(self.extern_libs, Mapping) else self.extern_libs
        object.__setattr__(self, "extern_libs", tuple((name, path) for name, path in libraries or ()))
        if self.num_warps not in (1, 2, 4, 8, 16, MAX_WARPS):
            raise ValueError(f"num_warps is {self.num_warps}; use a power of two up to {MAX_WARPS}")
        if self.num_ctas not in (1, 2, 4, 8, 16):
            raise ValueError(f"num_ctas is {self.num_ctas}; use a power of two up to 16")
        if self.num_stages < 1:
            raise ValueError(f"num_stages is {self.num_stages}; use 1 or more")
        if self.warp_size != 32:
            raise ValueError(f"warp_size is {self.warp_size}; NVIDIA's GPUs have 32")
        if self.maxnreg is not None and not 1 <= self.maxnreg <= 255:
            raise ValueError(f"maxnreg is {self.maxnreg}; use 1 to 255")

    @classmethod
    def for_capability(cls, capability: int, **given: Any) -> CompileOptions:
        """The defaults for a GPU, with what is given; None leaves a default.

        Raises:
            ValueError: a value is not possible, or not on this GPU.
            TypeError: there is no option of that name.
        """
        defaults: dict[str, Any] = {"max_num_imprecise_acc_default": 2**30 if capability == 90 else 0}
        if capability >= 89:
            defaults["supported_fp8_dtypes"] = ("fp8e4b15", "fp8e4nv", "fp8e5")
        if capability >= 90:
            defaults["deprecated_fp8_dot_operand_dtypes"] = ("fp8e4b15",)
        options = cls(**{**defaults, **{name: value for name, value in given.items() if value is not None}})
        target = options.target(capability)
        if options.num_ctas > 1 and not target.has_clusters:
            raise ValueError(f"num_ctas is {options.num_ctas}, but sm_{capability} has no clusters: use 1, or sm_90a")
        return options

    def target(self, capability: int) -> Target:
        """The GPU with the version of PTX to use.

        Raises:
            ValueError: there is no such GPU, or it needs a later version.
        """
        return Target(capability, self.ptx_version or 0)

    def stage_options(self, target: Target) -> StageOptions:
        """What the stages that are lists of passes need."""
        return StageOptions(target.capability, target.ptx_version, self.num_warps, self.num_ctas, self.num_stages)

    def as_dict(self) -> dict[str, Any]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        if self.pipeline is None:  # which Triton's kernels don't have
            del fields["pipeline"]
        return fields

    def hash(self) -> str:
        """Identifies the options and the contents of the libraries, as hexadecimal digits.

        Raises:
            OSError: a library can't be read.
        """
        libraries = [(name, file_digest(path)) for name, path in sorted(self.extern_libs)]
        fields = {**self.as_dict(), "extern_libs": libraries}
        return hashlib.sha256(repr(sorted(fields.items())).encode()).hexdigest()


def parse_capability(text: str) -> int:
    """The compute capability that `sm_90a`, `sm90`, `cuda:90` or `90` names; code for 90 is always for sm_90a.

    Raises:
        ValueError: there is no such GPU.
    """
    digits = text.removeprefix("cuda:").removeprefix("sm_").removeprefix("sm").removesuffix("a")
    if not digits.isdecimal() or int(digits) not in FIRST_PTX:
        known = ", ".join(Target(capability, FIRST_PTX[capability]).arch for capability in FIRST_PTX)
        raise ValueError(f"unknown target '{text}'; known are {known}")
    return int(digits)
