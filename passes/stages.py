"""The stages of compilation as lists of passes, in the order in which kernels go through them.

A stage has a name in pipelines: `tt-opt --pass-pipeline='builtin.module(ttkit-ttir{capability=80})'`, or
`--ttkit-ttir="capability=80"`, or `ttkit.run_passes(module, "ttkit-ttir")`.  Its options are the fields of
`StageOptions`.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

from ttkit.lazy_dataclass import dataclass


@dataclass(frozen=True)
class StageOptions:
    """What kernels are compiled for, and how: the options of every stage."""

    capability: int = 90
    """Compute capability of the GPU: 90 for sm_90."""
    ptx_version: int = 87
    """Version of PTX: 87 for 8.7."""
    num_warps: int = 4
    """Warps that run a program."""
    num_ctas: int = 1
    """Programs in a cluster."""
    num_stages: int = 3
    """Iterations of a loop in flight, where the loop does not say."""


def ttir(options: StageOptions) -> list[str]:
    """tt as the front end writes it -> tt without what the conversion to ttg can't take."""
    return [
        "inline",  # first: what follows looks into one function at a time
        "triton-rewrite-tensor-pointer",
        *when(options.capability < 90, "triton-rewrite-tensor-descriptor-to-pointer"),  # TMA is of sm_90
        "canonicalize",  # after the rewrites, which leave constants and casts to fold
        "triton-combine",  # after canonicalize: zeros that it looks for are constants now
        "triton-reorder-broadcast",  # after combine, which wants the broadcasts of a sum of products in place
        "cse",
        "symbol-dce",  # after inline: functions that nobody calls any more
        "triton-loop-unroll",  # last: iterations are copied in their final form
    ]


def ttgir(options: StageOptions) -> list[str]:
    """tt that `ttir` made -> ttg: every tensor has a layout, conversions are few.  Without what is about products."""
    machine = f"target=cuda:{options.capability} num-warps={options.num_warps} num-ctas={options.num_ctas}"
    return [
        "ttkit-decompose-dot-scaled",  # first: what it makes needs layouts
        f"convert-triton-to-tritongpu{{{machine}}}",
        "tritongpu-coalesce",  # right after, while all other layouts are arbitrary
        f"tritongpu-F32DotTC{{emu-tf32={str(options.capability >= 80).lower()}}}",  # while operands are f32
        "triton-nvidia-gpu-plan-cta",  # after coalesce, whose layouts it divides among CTAs
        "tritongpu-remove-layout-conversions",  # of all those that the passes above put around operations
        "tritongpu-optimize-thread-locality",  # after it: looks at the layouts that are left
        "tritongpu-remove-layout-conversions",  # after the passes that chose layouts for single operations
        *when(options.capability >= 90, "triton-nvidia-optimize-descriptor-encoding"),  # buffers are chosen now
        "triton-loop-aware-cse",
        "canonicalize",
        "triton-licm",
        "canonicalize",
        "tritongpu-combine-tensor-select-and-if",  # after canonicalize: selects that choose nothing are gone
        "canonicalize",
        "triton-loop-aware-cse",
        *when(options.capability >= 90, "triton-nvidia-tma-lowering"),  # before it: loads and stores of buffers appear
        "tritongpu-remove-layout-conversions",
        "tritongpu-reduce-data-duplication",  # after the last removal: the conversions that are left stay
        "tritongpu-reorder-instructions",  # after it: moves the buffers that it made
        "triton-loop-aware-cse",
        "symbol-dce",
        "sccp",
        "cse",
        "canonicalize",
    ]


def llir(options: StageOptions) -> list[str]:
    """ttg -> the llvm and nvvm dialects: what one thread does."""
    machine = f"compute-capability={options.capability} ptx-version={options.ptx_version}"
    return [
        "tritongpu-combine-tensor-select-and-if",  # while control flow has regions
        "tritongpu-allocate-warp-groups",  # likewise
        "convert-scf-to-cf",  # before allocation, which then sees the final order of everything
        "inline",
        "ttkit-place-dot-operands",  # before allocation: buffers live as long as products read them
        f"allocate-shared-memory-nv{{{machine}}}",
        "tritongpu-global-scratch-memory-allocation",
        f"convert-triton-gpu-to-llvm{{{machine}}}",  # after allocation: it puts barriers by what shares memory
        "canonicalize",
        "cse",
        "symbol-dce",
        "ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}",  # the kernel's lines, for profilers
    ]


STAGES: dict[str, Callable[[StageOptions], list[str]]] = {
    "ttkit-ttir": ttir,
    "ttkit-ttgir": ttgir,
    "ttkit-llir": llir,
}


def when(condition: bool, *passes: str) -> tuple[str, ...]:
    """`passes` of a stage if the condition holds."""
    return passes if condition else ()


adjust: Callable[[str, StageOptions, str | None, Any], list[str]] | None = None
"""What changes stages, once there is something (`ttkit.pipelines`): (stage, options, kernel, plan) -> its passes."""


def stage_passes(stage: str, options: StageOptions, kernel: str | None = None, plan: Any = None) -> list[str]:
    """The passes of a stage, with what users have changed.

    Args:
        stage: a name of STAGES.
        kernel: what is compiled, for changes that are for one kernel alone.
        plan: more changes, `ttkit.pipelines.Plan`.

    Raises:
        ValueError: a change can't be made.
    """
    return STAGES[stage](options) if adjust is None else adjust(stage, options, kernel, plan)


def pipeline_text(stage: str, options: str = "") -> str:
    """The passes of a stage as pipeline text.

    Args:
        stage: a name of STAGES.
        options: as in a pipeline, `capability=80 num-warps=8`.

    Raises:
        ValueError: the options are not those of a stage, or a change can't be made.
    """
    return ",".join(stage_passes(stage, parse_options(options)))


def parse_options(options: str) -> StageOptions:
    """The options of `capability=80 num-warps=8`.

    Raises:
        ValueError: there is no such option, or its value is no positive number.
    """
    names = [field.name.replace("_", "-") for field in dataclasses.fields(StageOptions)]
    values: dict[str, int] = {}
    for item in options.split():
        name, _, value = item.partition("=")
        if name not in names:
            raise ValueError(f"no option '{name}'; there are {', '.join(names)}")
        if not value.isdecimal() or int(value) == 0:
            raise ValueError(f"option {name}: found '{value}', use a positive number")
        values[name.replace("-", "_")] = int(value)
    return StageOptions(**values)
