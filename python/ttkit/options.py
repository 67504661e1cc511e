"""The options of a kernel, parsed once: what a launch may choose, and the GPU that passes compile for.

    options = CompileOptions.parse({"num_warps": 8}, capability=90)     # of a launch, with the environment's defaults
    options = CompileOptions.for_capability(90, num_warps=8)            # of code, without
    options.target.has_tma, options.num_warps

The front end, the stages and the code generators all take this one object.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from operator import index
from typing import Any

from ttkit.kernel_errors import TritonError
from ttkit.notices import say_once
from ttkit.records import dataclass
from ttkit.target import WITHOUT_CODE, Target, parse_capability

MAX_WARPS = 1024
"""Warps of a program that is compiled.  GPUs run 32; loading a kernel with more raises OutOfResources, as in Triton."""
MAX_CTAS = 16
"""CTAs of a cluster that GPUs run."""
MAX_STAGES = 128
"""Iterations of a loop in flight, at most.  The prologue has a copy of the body for each: 300 take 30 s to compile, and
shared memory has room for far fewer."""
RANGES: dict[str, tuple[int, int | None]] = {
    "num_warps": (1, MAX_WARPS),
    "num_ctas": (1, MAX_CTAS),
    "num_stages": (0, None),
    "maxnreg": (1, 255),
    "ptx_version": (1, None),
}
"""The numbers that commands take for options, the last one included.  Launches take more, as Triton's do."""
PTXAS_REGISTERS = (24, 255)
"""Registers of a thread that ptxas can limit kernels to.  It raises a lower `maxnreg`, and ignores a higher one."""
PLANS = ("ttkit", "triton")
"""Who decides where the operations of loops run; the first is the default."""
TIMES_REGIONS = "proton"
"""`instrumentation_mode` of kernels whose regions are timed; settings follow after semicolons."""
LOOKS_FOR_RACES, CHECKS_ALIGNMENT = "consan", "iisan"
"""Others, which may be listed with commas: the first changes nothing but `debug`, the second asserts alignment."""
# Options of kernels for GPUs of AMD, and of Triton's forks, which scripts pass for all targets.
_OF_OTHER_TARGETS = frozenset(
    "waves_per_eu matrix_instr_nonkdim kpack allow_flush_denorm schedule_hint num_buffers_warp_spec".split()
    + "num_consumer_groups reg_dec_producer reg_inc_consumer cluster_dims".split()
)
# Those that change nothing, as in Triton: the value that kernels have anyway, and why another is ignored.
_WITHOUT_EFFECT = {
    "backend_name": ("cuda", "ttkit compiles for NVIDIA GPUs only"),
    "default_dot_input_precision": ("tf32", "pass input_precision to tl.dot, or set TRITON_F32_DEFAULT"),
}
# Those that Triton got after 3.6, whose effect ttkit does not have, and why.
_OF_LATER_VERSIONS = {
    "fpsan_homomorphic_casts": "floats are not replaced by integers",
}
# Those that older versions of Triton had.
_GONE = {"device_type": "target", "device": "device", "stream": "stream"}


class BadWarps(ValueError, AssertionError):
    """A number of warps that no program can have.  An AssertionError, which programs expect of Triton."""


class BadCTAs(ValueError, RuntimeError, TritonError):
    """A number of CTAs that no cluster can have.  A RuntimeError, which programs expect of Triton."""


class BadRegisters(ValueError, TritonError):
    """A limit of registers that no kernel can meet.  A TritonError, for which tuning skips a configuration."""


class OptionGone(TypeError, AssertionError):
    """An option that launches had once.  An AssertionError, which programs expect of Triton."""


def _suggested(name: str) -> str:
    from ttkit.suggestions import suggestion

    return suggestion(name, CompileOptions.__dataclass_fields__)


@dataclass(frozen=True)
class CompileOptions:
    """Options of a kernel, by Triton's names.

    num_warps: warps of a program, a power of two.
    num_ctas: programs of a cluster.
    num_stages: iterations of a loop in flight, where the loop does not say.
    maxnreg: most registers of a thread; None leaves it to ptxas.
    ptx_version: such as 87 for PTX 8.7; None for one that suits the target.
    ptx_options: more options for ptxas, separated by blanks.
    ir_override: a file that takes the place of one level, which its suffix names.
    enable_fp_fusion: a product and a sum may become one fused operation, rounded once.
    enable_reflect_ftz: libdevice's functions, exp2, sqrt and rsqrt flush denormal f32 numbers to zero.
    launch_cooperative_grid, launch_pdl: how it is launched.
    supported_fp8_dtypes: names of the fp8 types that the target has.
    deprecated_fp8_dot_operand_dtypes: those that `tl.dot` multiplies as fp16.
    default_dot_input_precision, allowed_dot_input_precisions: of `tl.dot`.
    max_num_imprecise_acc_default: of `tl.dot` of fp8.
    extern_libs: names and paths of bitcode that the kernel's functions may come from, besides libdevice; or a mapping.
    debug: compile assertions.
    sanitize_overflow: with `debug`, assert that integer arithmetic does not overflow.
    arch: the GPU that passes compile for, such as "sm90"; see `target`.

    Those that Triton 3.6 does not have:

    clc: running programs take over the work of programs that still wait, where GPUs can (sm_100 and later).
    min_shared_mem: bytes of shared memory that a program gets at least; None for what it uses.
    sched4reg: LLVM orders instructions so that few registers are live, whatever the kernel.
    fp32_default: the precision of `tl.dot` where the kernel asks for none, in place of tf32.
    allow_non_constexpr_globals: let kernels read any global variable.
    pipeline: changes of the stages, `ttkit.pipelines.Plan`; None for none.
    plan: who decides where copies, products and stores of loops run: "ttkit", or "triton" for Triton's passes alone.

    Raises:
        TypeError: a value is of another type.
        ValueError: a value is not possible, or there is no such GPU.
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
    arch: str = "sm90"
    clc: bool = False
    min_shared_mem: int | None = None
    sched4reg: bool = False
    fp32_default: str | None = None
    allow_non_constexpr_globals: bool = False
    pipeline: Any = None
    plan: str = PLANS[0]

    def __post_init__(self) -> None:
        given = self.extern_libs.items() if isinstance(self.extern_libs, Mapping) else self.extern_libs or ()
        try:
            libraries = tuple((name, path) for name, path in given)
            if not all(isinstance(part, (str, os.PathLike)) for pair in libraries for part in pair):
                raise TypeError
        except (TypeError, ValueError):
            raise TypeError(f"extern_libs must be {{name: path}} or pairs (name, path), found {given!r}") from None
        object.__setattr__(self, "extern_libs", libraries)
        for field in fields(self):
            self._check_type(field.name, str(field.type))
        if not 1 <= self.num_warps <= MAX_WARPS or self.num_warps & (self.num_warps - 1):
            raise BadWarps(f"num_warps must be a power of 2, up to {MAX_WARPS}; found {self.num_warps}")
        if not 1 <= self.num_ctas <= MAX_CTAS or self.num_ctas & (self.num_ctas - 1):
            raise BadCTAs(f"num_ctas must be a power of 2, up to {MAX_CTAS}; found {self.num_ctas}")
        if self.maxnreg is not None and self.maxnreg < 1:
            limits = " to ".join(map(str, PTXAS_REGISTERS))
            raise BadRegisters(f"maxnreg must be from {limits}, or None for no limit; found {self.maxnreg}")
        if self.warp_size != 32:
            raise ValueError(f"warp_size must be 32 on NVIDIA GPUs, found {self.warp_size}")
        # Triton takes these two as well, and says nothing.
        if self.default_dot_input_precision not in self.allowed_dot_input_precisions:
            allowed = ", ".join(self.allowed_dot_input_precisions)
            raise ValueError(
                f"default_dot_input_precision is '{self.default_dot_input_precision}'; use one of {allowed}"
            )
        if self.pipeline is not None and not hasattr(self.pipeline, "joined"):
            raise TypeError(f"pipeline must be a Plan of ttkit.pipelines, found {self.pipeline!r}")
        if not (self.times_regions or _modes(self.instrumentation_mode) <= {LOOKS_FOR_RACES, CHECKS_ALIGNMENT}):
            found = self.instrumentation_mode
            raise ValueError(f"instrumentation_mode is '{found}'; use '', 'consan', 'iisan' or 'proton'")
        if (self.min_shared_mem or 0) < 0:
            raise ValueError(f"min_shared_mem must be at least 0 bytes, found {self.min_shared_mem}")
        if self.plan not in PLANS:
            raise ValueError(f"plan is '{self.plan}'; use {' or '.join(map(repr, PLANS))}")
        if self.num_ctas > 1 and not self.target.has_clusters:
            name = f"sm_{self.target.capability}"
            raise ValueError(
                f"num_ctas > 1 requires NVIDIA SM90+ (Hopper). Current target is {name}. This configuration will fail. "
                "Please set num_ctas=1 or target an SM90+ GPU."
            )
        if self.clc and not self.target.has_cluster_launch_control:
            name = f"sm_{self.target.capability}"
            raise ValueError(f"clc=True requires NVIDIA SM100+ (Blackwell); current target is {name}: leave it out")

    @property
    def times_regions(self) -> bool:
        """Whether the regions that the kernel names are timed."""
        return self.instrumentation_mode.partition(";")[0] == TIMES_REGIONS

    @property
    def enable_iisan(self) -> bool:
        """Whether kernels assert that tensors and blocks of descriptors are aligned as TMA needs them."""
        return CHECKS_ALIGNMENT in _modes(self.instrumentation_mode)

    @property
    def instrumentation(self) -> dict[str, str]:
        """Its parts: `options` of the pass, `schedules_stores`."""
        _, *parts = self.instrumentation_mode.split(";")
        return dict(part.split(":", 1) for part in parts) if self.times_regions else {}

    def _check_type(self, name: str, type: str) -> None:
        """Refuses a value that is not of the field's type; integers may be of any integral type, flags 0 or 1."""
        value = getattr(self, name)
        if (value is None and type.endswith("None")) or type == "Any":
            return
        wanted = type.removesuffix(" | None")
        if wanted in ("int", "bool") and (number := _index(value)) is not None:
            if wanted == "int" and not isinstance(value, bool):
                if not -(2**31) <= number < 2**31:
                    raise ValueError(f"{name} must be an integer of 32 bits, found {number}")
                object.__setattr__(self, name, number)
                return
            if wanted == "bool" and number in (0, 1):
                object.__setattr__(self, name, bool(number))
                return
        elif wanted == "str" and isinstance(value, str):
            return
        elif wanted.startswith("tuple[tuple"):
            return  # checked where it was made
        elif wanted.startswith("tuple") and isinstance(value, tuple | list) and all(isinstance(x, str) for x in value):
            object.__setattr__(self, name, tuple(value))
            return
        expected = {"int": "an integer", "bool": "True or False", "str": "a text"}.get(wanted, "a tuple of texts")
        raise TypeError(f"{name} must be {expected}, found {value!r}")

    @cached_property
    def target(self) -> Target:
        """The GPU that passes compile for, with the version of PTX to use."""
        return self.target_of(parse_arch(self.arch))

    def target_of(self, capability: int) -> Target:
        """A GPU with the version of PTX to use.

        Raises:
            ValueError: there is no such GPU, or it needs a later version.
        """
        return Target(capability, self.ptx_version or 0)

    @classmethod
    def for_capability(cls, capability: int, **given: Any) -> CompileOptions:
        """The defaults for a GPU, with what is given; None leaves a default.

        Raises:
            ValueError: a value is not possible, or not on this GPU.
            TypeError: there is no option of that name.
        """
        version = given.get("ptx_version") or 0
        if not isinstance(version, int):
            raise TypeError(f"ptx_version must be an integer, found {version!r}")
        target = Target(capability, version)
        defaults = {
            "arch": f"sm{capability}",
            "supported_fp8_dtypes": target.fp8_types,
            "deprecated_fp8_dot_operand_dtypes": target.deprecated_fp8_operands,
            "max_num_imprecise_acc_default": target.max_imprecise_sums,
        }
        given["maxnreg"] = None if (_index(given.get("maxnreg")) or 0) < 0 else given.get("maxnreg")  # as in Triton
        return cls(**{**defaults, **{name: value for name, value in given.items() if value is not None}})

    @classmethod
    def parse(cls, given: Mapping[str, Any], capability: int) -> CompileOptions:
        """The options of a launch, with defaults by the GPU and the environment.

        Args:
            given: by name; None leaves a default.
            capability: of the GPU, where neither `arch` nor TRITON_OVERRIDE_ARCH says what passes compile for.

        Raises:
            ValueError: a value is not possible, or not on this GPU.
        """
        import ttkit.knobs as knobs  # not for tt-opt, whose start it would lengthen by a tenth

        known = cls.__dataclass_fields__
        for name in given:
            if name in _OF_OTHER_TARGETS:
                say_once(f"option {name} is ignored: it belongs to other compilers or GPUs")
            elif name in _OF_LATER_VERSIONS:
                if given[name] not in (None, False, 0):
                    say_once(f"option {name} is ignored: {_OF_LATER_VERSIONS[name]}")
            elif name not in known:  # Triton says nothing
                say_once(f"option {name} is ignored: no option has this name{_suggested(name)}")
        for name, (value, why) in _WITHOUT_EFFECT.items():
            if (found := given.get(name)) not in (None, value):
                say_once(f"option {name} '{found}' is ignored: {why}")
        tell_of_numbers(given)
        modes = _modes(given.get("instrumentation_mode") or "")
        if LOOKS_FOR_RACES in modes:
            say_once("instrumentation_mode 'consan' is ignored: use `ttkit sanitize tsan` to find races")
        chosen = {name: value for name, value in given.items() if name in known and value is not None}
        chosen.setdefault("arch", knobs.runtime.override_arch or f"sm{capability}")
        chosen["enable_fp_fusion"] = knobs.language.fp_fusion_enabled(chosen.get("enable_fp_fusion"))
        chosen.setdefault("ptx_options", knobs.nvidia.ptxas_options)
        chosen.setdefault("fp32_default", knobs.language.fp32_default or None)
        chosen.setdefault("allow_non_constexpr_globals", knobs.compilation.allow_non_constexpr_globals)
        if not knobs.compilation.plan:
            chosen.setdefault("plan", "triton")
        # Triton's sanitizers find assertions compiled, and so do kernels that are run with their modes.
        chosen["debug"] = bool(chosen.get("debug") or modes & {LOOKS_FOR_RACES, CHECKS_ALIGNMENT})
        if CHECKS_ALIGNMENT in modes:
            chosen["sanitize_overflow"] = False
        return cls.for_capability(parse_arch(chosen["arch"]), **chosen)

    @classmethod
    def check_names(cls, given: Mapping[str, Any]) -> None:
        """Checks the names of what a launch gives besides arguments.

        Raises:
            KeyError: there is no option of that name.
            OptionGone: there is no such option any more.
        """
        for name in given:
            if name in _GONE:
                raise OptionGone(f"{name} option is deprecated; current {_GONE[name]} will be used")
            if name not in {*cls.__dataclass_fields__, *_OF_OTHER_TARGETS, *_OF_LATER_VERSIONS}:
                raise KeyError(f"Keyword argument {name} was specified but unrecognised{_suggested(name)}")

    def as_dict(self) -> dict[str, Any]:
        """The options by name; those that Triton 3.6 does not have only where they are set."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("clc", "min_shared_mem", "sched4reg", "fp32_default", "allow_non_constexpr_globals", "pipeline"):
            if not found[name]:
                del found[name]
        if self.plan == PLANS[0]:
            del found["plan"]
        return found

    def hash(self) -> str:
        """Identifies the options and the contents of the libraries, as hexadecimal digits.

        Raises:
            OSError: a library can't be read.
        """
        import hashlib

        from ttkit.cache.digests import file_digest

        try:
            libraries = [(name, file_digest(path)) for name, path in sorted(self.extern_libs)]
        except OSError as error:
            raise type(error)(f"extern_libs: cannot read {error.filename}: {error.strerror}") from None
        found = {**self.as_dict(), "extern_libs": libraries}
        return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def tell_of_numbers(given: Mapping[str, Any]) -> None:
    """Tells of numbers that kernels are compiled with, as by Triton, although they do not do what they say."""
    stages, registers = _index(given.get("num_stages")) or 0, _index(given.get("maxnreg")) or 0
    least, most = PTXAS_REGISTERS
    if stages < 0:
        say_once(f"option num_stages is {stages}: loops are not pipelined, as with num_stages=1")
    elif stages > MAX_STAGES:
        say_once(f"option num_stages is {stages}: a loop that is pipelined has {MAX_STAGES} stages at most")
    if registers < 0:
        say_once(f"option maxnreg {registers} is ignored: limits are from {least} to {most} registers of a thread")
    elif registers > most:
        say_once(f"option maxnreg is {registers}: threads have {most} registers at most")
    elif 0 < registers < least:
        say_once(f"option maxnreg is {registers}: ptxas gives each thread at least {least} registers")


def _modes(text: Any) -> set[str]:
    """The names in an `instrumentation_mode`."""
    return {name.strip() for name in text.split(",") if name.strip()} if isinstance(text, str) else set()


def _index(value: Any) -> int | None:
    """The integer that a value is; None for what is none, as 4.0."""
    try:
        return index(value)
    except TypeError:
        return None


def parse_arch(arch: str) -> int:
    """90 for `sm90`.

    Raises:
        ValueError: it is not spelled like that, or there is no such GPU.
    """
    if not isinstance(arch, str) or not re.fullmatch(r"sm_?\d+a?", arch):
        raise ValueError(f"`arch` and TRITON_OVERRIDE_ARCH have the form sm90, found '{arch}'")
    digits = arch.strip("sm_a")
    return int(digits) if digits.isdecimal() and int(digits) in WITHOUT_CODE else parse_capability(arch)
