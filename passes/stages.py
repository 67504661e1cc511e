"""The stages of compilation as lists of passes, in the order in which kernels go through them.

A stage has a name in pipelines: `tt-opt --pass-pipeline='builtin.module(ttkit-ttir{capability=80})'`, or
`--ttkit-ttir="capability=80"`, or `ttkit.run_passes(module, "ttkit-ttir")`.  `OPTIONS` are those that it takes there.

A pass has a name in its stage, by which changes of the stages find it (`ttkit.pipelines`, the option `pipeline` of
kernels).  It is the name of the pass; if the pass occurs several times, each has a name of its own, `named(...)`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mlir import ir

import ttkit.knobs as knobs
from ttkit.layout.hardware import LANES
from ttkit.operation_sets import (
    BLOCK_POINTERS,
    CONVERT_LAYOUT,
    DESCRIPTOR_LOADS,
    DESCRIPTOR_STORES,
    DOTS,
    LOOPS,
    LOOPS_AND_IF,
    REGISTER_DOTS,
    TCGEN5_MMAS,
    TMA_LOADS,
    TMEM_ALLOC,
    UNSCALED_DOTS,
    WARP_SPECIALIZE,
    WGMMA,
)
from ttkit.options import RANGES, CompileOptions
from ttkit.passes.changes import with_changes
from ttkit.passes.infra.retyping import operation_names
from ttkit.passes.infra.steps import FOR, Stage, Step, acting_on, asking, choosing, named, pass_name, when
from ttkit.tuning import switched_off
from ttkit.tuning.passes import SPLIT_ELEMENTS

OPTIONS = ("capability", "ptx-version", "num-warps", "num-ctas", "num-stages", "plan")
"""The options of stages in pipelines: fields of `CompileOptions`, and the GPU."""

OWN_PLANS = frozenset(
    f"ttkit-{name}"
    for name in (
        "advance-addresses-late carry-base-pointers choose-warp-groups convert-once copy-early "
        "divide-large-products end-barriers-late hoist-mbarriers leave-early load-early order-products "
        "overlap-products ping-pong prefetch-loads release-late reuse-carried-layouts run-longest-first "
        "run-persistently scale-maxima split-masked-loops spread-transposed-loads start-copies-early "
        "start-next-product start-products-early sum-within-threads swap-dot-operands synchronize-once"
    ).split()
)
"""Passes that Triton does not have, which decide where operations of loops run: without them for `plan=triton`."""

DEFAULT_CAPABILITY = 90
REMOVE_CONVERSIONS = "tritongpu-remove-layout-conversions"
MADE_BY_CLC = frozenset(("scf.while", "ttng.clc_try_cancel_sync"))
"""The operations that a stage gets by the option `clc`, for passes that act on them."""
CALLS = ("tt.call",)
BLOCK_ACCESSES = (*DESCRIPTOR_LOADS, *DESCRIPTOR_STORES, "tt.make_tensor_descriptor")
MBARRIERS = ("ttng.init_barrier", "ttng.cluster_barrier", *TCGEN5_MMAS)
"""Operations that set up mbarriers, or that ttkit-cluster-barriers-of-groups makes some for."""
BETWEEN_THREADS = ("tt.gather", "tt.reduce", "tt.reshape")


def ttir(options: CompileOptions) -> Stage:
    """tt as the front end writes it -> tt without what the conversion to ttg can't take."""
    return [
        acting_on(CALLS, "inline"),  # first: what follows looks into one function at a time
        acting_on(CALLS, "ttkit-locate-inlined-code"),
        acting_on(BLOCK_POINTERS, "triton-rewrite-tensor-pointer"),
        *when(not options.target.has_tma, "triton-rewrite-tensor-descriptor-to-pointer"),
        "canonicalize",  # after the rewrites, which leave constants and casts to fold
        "triton-combine",  # after canonicalize: zeros that it looks for are constants now
        "triton-reorder-broadcast",  # after combine, which wants the broadcasts of a sum of products in place
        "cse",
        "symbol-dce",  # after inline: functions that nobody calls any more
        asking("tt.loop_unroll_factor", "triton-loop-unroll"),  # last: iterations are copied in their final form
    ]


def ttgir(options: CompileOptions) -> Stage:
    """tt that `ttir` made -> ttg: every tensor has a layout, conversions are few, products are on tensor cores."""
    return [*layouts(options), *loops(options), *memory(options)]


def may_divide(options: CompileOptions) -> bool:
    """Whether groups of warps may divide loops without being asked: they divide all registers among themselves."""
    return options.target.has_wgmma and options.num_ctas == 1 and options.maxnreg is None


def choice_of_groups(options: CompileOptions) -> str:
    """The pass that chooses these loops."""
    return f"ttkit-choose-warp-groups{{{options_of_groups(options)}}}"


def options_of_groups(options: CompileOptions) -> str:
    """The options of passes that ask what groups of warps may compute, and which buffers fit into shared memory."""
    return f"capability={options.target.capability} num-warps={options.num_warps} {stages_of(options)}"


def layouts(options: CompileOptions) -> Stage:
    """Every tensor gets a layout, and products tensor cores."""
    target = options.target
    tf32 = str(target.has_tf32_products).lower()
    machine = f"target=cuda:{target.capability} num-warps={options.num_warps} num-ctas={options.num_ctas}"
    tcgen05_warps = options.num_warps if 5 in target.mma_versions and options.num_ctas == 1 else 0
    is_own = options.plan != "triton"
    rows = "{divide-axis=true}" if is_own else ""
    wgmmas = "{transposed-a-in-registers=true columns-among-groups=true}" if is_own else ""
    converting = (*DOTS, *BETWEEN_THREADS) if options.num_ctas == 1 else ()
    masked = f"least-elements={SPLIT_ELEMENTS * options.num_warps * LANES} specialized={str(target.has_wgmma).lower()}"
    decompose = f"ttkit-decompose-dot-scaled{{leave-regular={tf32} tcgen05-warps={tcgen05_warps}}}"
    return [
        *when(not options.clc, acting_on(FOR, "ttkit-run-longest-first")),  # first: while bounds of loops tell the work
        *when(target.has_async_copy, acting_on(DOTS, f"ttkit-split-masked-loops{{{masked}}}")),  # after it: adds loops
        acting_on(("tt.dot_scaled",), decompose),  # early: what it makes gets layouts
        *when(
            may_divide(options),
            choosing(choice_of_groups(options), options.num_warps),  # before layouts
            choosing(f"ttkit-run-persistently{{{options_of_groups(options)}}}", options.num_warps),  # after it
        ),
        f"convert-triton-to-tritongpu{{{machine}}}",
        *when(options.clc, "triton-nvidia-gpu-to-clc"),  # right after it: its loop is seen by all that follow
        named("tritongpu-coalesce", f"tritongpu-coalesce{accesses_of(options)}"),  # all other layouts are arbitrary
        acting_on(DOTS, f"tritongpu-F32DotTC{{emu-tf32={tf32}}}"),  # while operands are f32
        named("triton-nvidia-gpu-plan-cta", f"triton-nvidia-gpu-plan-cta{rows}"),  # after coalesce: divides its layouts
        named("remove-first-conversions", REMOVE_CONVERSIONS),  # that the above made
        *when(is_own and options.num_ctas > 1, "triton-nvidia-gpu-optimize-cta-locality"),  # of those that are left
        acting_on(BETWEEN_THREADS, "tritongpu-optimize-thread-locality"),  # after it: looks at what layouts are left
        *when(target.has_wgmma, acting_on(UNSCALED_DOTS, "ttkit-swap-dot-operands")),  # while all dots are tt.dot
        *when(target.has_tf32_products, acting_on(DOTS, f"tritongpu-accelerate-matmul{wgmmas}")),  # makes conversions
        *when(target.has_tma, acting_on(DOTS, "ttkit-spread-transposed-loads")),  # after it: the buffers are there
        acting_on(converting, REMOVE_CONVERSIONS, "remove-chosen-conversions"),  # of the passes above
        acting_on(FOR, "ttkit-reuse-carried-layouts"),  # after it: carried values have copies in other layouts
        acting_on(DOTS, operands_of(options), "turn-operands"),  # after it: what makes an operand is next to its dot
        *when(target.has_tma, "triton-nvidia-optimize-descriptor-encoding"),  # buffers are chosen now
    ]


def loops(options: CompileOptions) -> Stage:
    """Loops are hoisted out of, and pipelined."""
    target, stages = options.target, stages_of(options)
    return [
        named("merge-before-hoisting", "triton-loop-aware-cse"),
        *when(target.has_async_copy, acting_on(FOR, "tritongpu-fuse-nested-loops")),  # before hoisting out of loops
        named("simplify-before-hoisting", "canonicalize"),
        acting_on(LOOPS, "triton-licm"),
        *(
            pipelining_on_blackwell(stages, accesses_of(options))
            if target.is_blackwell
            else pipelining(stages, options.num_warps, target.has_async_copy)
        ),
        named("simplify-control-flow", "canonicalize"),  # and constants in prologues
        named("merge-after-hoisting", "triton-loop-aware-cse"),
        acting_on(DOTS, "tritongpu-prefetch"),  # after pipeline: loops carry the buffers
        acting_on(DOTS, operands_of(options), "turn-more-operands"),
        acting_on(FOR, "tritongpu-coalesce-async-copy"),  # after pipeline, which makes the copies
    ]


def memory(options: CompileOptions) -> Stage:
    """Accesses of tensor memory and by TMA get what they need, and fences; what is left is simplified."""
    target = options.target
    reduces = options.plan != "triton" and target.has_tensor_memory_reductions
    return [
        *when(target.is_blackwell, acting_on(DOTS, "triton-nvidia-optimize-tmem-layouts")),  # makes conversions
        *when(reduces, acting_on(DOTS, "triton-nvidia-tmem-load-reduce")),  # after it: threads have whole rows
        *when(target.has_tma, acting_on(BLOCK_ACCESSES, "triton-nvidia-tma-lowering")),  # before it: accesses appear
        acting_on(("ttng.clc_try_cancel_sync",), "triton-nvidia-gpu-lower-clc"),  # likewise
        acting_on((*LOOPS, *DOTS, *BLOCK_ACCESSES), REMOVE_CONVERSIONS, "remove-last-conversions"),  # that these make
        *when(target.is_blackwell, acting_on(DOTS, "triton-nvidia-interleave-tmem")),  # after the last removal
        acting_on(DOTS, "tritongpu-reduce-data-duplication"),  # after the last removal: what conversions are left stay
        "tritongpu-reorder-instructions",  # after it: moves the buffers that it made
        acting_on(LOOPS, "triton-loop-aware-cse", "merge-at-the-end"),  # others leave it to cse
        acting_on(CALLS, "symbol-dce"),
        acting_on(DOTS, f"triton-nvidia-gpu-fence-insertion{{compute-capability={target.capability}}}"),  # last
        *when(target.is_blackwell, acting_on(DOTS, "triton-nvidia-mma-lowering")),  # after pipelining made barriers
        *when(target.has_tma, acting_on(DESCRIPTOR_LOADS, "ttkit-hoist-mbarriers")),  # when all barriers are there
        "sccp",
        "cse",
        named("simplify-at-the-end", "canonicalize"),
    ]


def stages_of(options: CompileOptions) -> str:
    """The option of passes that pipeline loops which do not say how many stages they have."""
    return f"num-stages={max(options.num_stages, 1)}"


def accesses_of(options: CompileOptions) -> str:
    """The options of passes that choose how global memory is accessed."""
    return "{by-stride=true count-masks=true scans=true}" if options.plan != "triton" else ""


def operands_of(options: CompileOptions) -> str:
    """The pass that brings operands of products into their layouts."""
    tf32 = str(options.target.has_tf32_products).lower()
    return f"tritongpu-optimize-dot-operands{{hoist-layout-conversion={tf32}}}"


def gluon(options: CompileOptions) -> Stage:
    """ttg of Gluon, whose layouts the kernel gives or leaves open -> ttg: each tensor has one, none has changed."""
    return [
        "gluon-inline",  # first: open layouts do not cross calls
        "gluon-infer-coalesced-encodings",  # before: these layouts lead to others
        "gluon-resolve-auto-encodings",
        "triton-nvidia-tma-lowering",  # after: blocks of descriptors have layouts now
        "gluon-canonicalize",  # not canonicalize, which would change layouts
        "sccp",
        "triton-loop-aware-cse",
        named("simplify-at-the-end", "gluon-canonicalize"),
        "tritongpu-combine-tensor-select-and-if",
    ]


def pipelining(stages: str, num_warps: int, has_async_copy: bool) -> Stage:
    """The part of `ttgir` about loops."""
    return [
        named("simplify-after-hoisting", "canonicalize"),
        acting_on(LOOPS_AND_IF, "tritongpu-combine-tensor-select-and-if"),  # after it: idle selects are gone
        *when(
            has_async_copy,
            choosing(f"nvgpu-warp-specialization{{{stages}}}", num_warps),
            choosing("ttkit-leave-early", num_warps),  # after it: nothing else is in the kernel's own block
            acting_on(FOR, f"tritongpu-assign-latencies{{{stages}}}"),  # after it: schedules what is left
            acting_on(FOR, "tritongpu-schedule-loops"),
            acting_on(FOR, f"tritongpu-pipeline{{{stages}}}"),
        ),
    ]


def pipelining_on_blackwell(stages: str, accesses: str) -> Stage:
    """The same where products may be in tensor memory.  accesses: the options of the passes that choose layouts."""
    hoist = "tritongpu-hoist-tmem-alloc"
    return [
        acting_on(DOTS, "tritongpu-optimize-accumulator-init"),  # while accumulators are filled in loops
        acting_on(DOTS, f"{hoist}{{hoist-out-of-if=false}}", "hoist-accumulators"),  # products of loops can overlap
        acting_on(DOTS, "tritongpu-promote-lhs-to-tmem"),  # before operands are pipelined
        acting_on(FOR, f"tritongpu-assign-latencies{{{stages}}}"),
        acting_on(FOR, "tritongpu-schedule-loops"),
        asking("tt.warp_specialize", f"tritongpu-automatic-warp-specialization{{{stages}}}"),  # after it: by its stages
        acting_on(FOR, f"tritongpu-pipeline{{{stages}}}"),
        acting_on((*FOR, WARP_SPECIALIZE), f"tritongpu-optimize-partition-warps{accesses}"),  # partitions are final
        "tritongpu-combine-tensor-select-and-if",
        acting_on(DOTS, f"{hoist}{{hoist-out-of-if=true}}", "hoist-accumulators-of-branches"),  # of fused loops
        acting_on(DOTS, "triton-nvidia-gpu-remove-tmem-tokens"),  # last that needs the order of accesses is done
    ]


def llir(options: CompileOptions) -> Stage:
    """ttg -> the llvm and nvvm dialects: what one thread does."""
    capability = f"compute-capability={options.target.capability}"
    machine = f"{capability} ptx-version={options.target.ptx_version}"
    denormals = "" if options.enable_reflect_ftz else " flush-denormals=false"
    has_variables = knobs.compilation.dump_ir_extract_di_local_variables
    kind = "Full" if has_variables else "LineTablesOnly"
    return [
        acting_on((WGMMA,), "ttkit-divide-large-products"),  # first: loops are final
        acting_on((WARP_SPECIALIZE,), "ttkit-overlap-products"),  # likewise
        acting_on((WARP_SPECIALIZE,), "ttkit-release-late"),  # likewise
        acting_on((WARP_SPECIALIZE,), "ttkit-start-products-early"),  # after them: they know wgmmas that end at once
        acting_on((WARP_SPECIALIZE,), "ttkit-carry-base-pointers"),  # when groups have their loops
        acting_on((WGMMA,), "ttkit-start-copies-early"),  # before: groups synchronize elsewhere then
        acting_on((WGMMA,), "ttkit-start-next-product"),  # after it: looks at whole iterations
        acting_on((WGMMA,), "ttkit-synchronize-once"),  # before allocation: groups synchronize elsewhere then
        acting_on((WGMMA,), "ttkit-order-products"),  # while loops have regions
        acting_on(UNSCALED_DOTS, "ttkit-sum-within-threads"),  # likewise
        acting_on((WGMMA,), "ttkit-scale-maxima"),  # after them: they know loops without branches
        acting_on((WGMMA,), "ttkit-advance-addresses-late"),  # after them: they move products
        *when(options.target.has_async_copy, acting_on(REGISTER_DOTS, "ttkit-copy-early")),  # likewise
        acting_on(("tt.load",), "ttkit-load-early"),  # likewise
        acting_on(FOR, "ttkit-prefetch-loads"),  # after it: no load moves over a prefetch
        acting_on(("arith.extui",), "ttkit-compare-bits"),
        acting_on(("arith.truncf",), "ttkit-narrow-products"),
        acting_on(LOOPS_AND_IF, "tritongpu-combine-tensor-select-and-if"),  # while control flow has regions
        "tritongpu-allocate-warp-groups",  # likewise
        acting_on((WARP_SPECIALIZE,), "ttkit-ping-pong"),  # after it: no partitions are added any more
        acting_on(("ttng.tc_gen5_commit", *TCGEN5_MMAS), "ttkit-end-barriers-late"),  # likewise
        acting_on((WARP_SPECIALIZE,), "ttkit-cluster-barriers-of-groups"),  # likewise; before allocation: adds buffers
        acting_on(LOOPS_AND_IF, "ttkit-divide-long-blocks"),  # right before the conversion, which is slow for long ones
        "convert-scf-to-cf",  # before allocation, which then sees the final order of everything
        acting_on((*CALLS, *LOOPS_AND_IF), "inline"),  # it simplifies branches too
        acting_on(CALLS, "ttkit-locate-inlined-code"),
        acting_on(("ttg.local_load",), "ttkit-place-dot-operands"),  # before allocation: buffers then live longer
        acting_on((CONVERT_LAYOUT,), "ttkit-convert-once"),  # before allocation; canonicalize would undo it
        f"allocate-shared-memory-nv{{{machine}}}",
        *when(bool(options.min_shared_mem), f"set-minimum-shared-memory{{bytes={options.min_shared_mem}}}"),
        acting_on((TMEM_ALLOC,), "triton-tensor-memory-allocation"),  # after it: the address needs some bytes of it
        acting_on(("ttng.tc_gen5_mma", TMEM_ALLOC), "triton-nvidia-check-matmul-two-cta"),
        "tritongpu-global-scratch-memory-allocation",
        *timing(options),
        acting_on(MBARRIERS, "ttkit-cluster-barrier-insertion"),  # after allocation: by bytes of buffers
        acting_on(TMA_LOADS, f"triton-nvidia-gpu-proxy-fence-insertion{{{capability}}}"),  # after allocation
        f"convert-triton-gpu-to-llvm{{{machine}{denormals}}}",  # after allocation, which its barriers follow
        "convert-nv-gpu-to-llvm",
        "canonicalize",
        "cse",
        acting_on(CALLS, "symbol-dce"),
        f"ensure-debug-info-scope-on-llvm-func{{emission-kind={kind}}}",  # the kernel's lines, for profilers
        *when(has_variables, "extract-variable-info"),  # after it, which makes the scope of variables
    ]


def timing(options: CompileOptions) -> Stage:
    """The part of `llir` about regions that are timed."""
    given = options.instrumentation
    regions = ("proton.record",)
    place = f"max-shared-mem-size={options.target.shared_bytes} {given.get('options', '')}".strip()
    return [
        acting_on(regions, f"convert-proton-to-protongpu{{{place}}}"),  # after allocation: takes what is left
        *when(given.get("schedules_stores") == "true", acting_on(regions, "proton-schedule-buffer-store")),
        acting_on(regions, "allocate-proton-shared-memory"),  # after it: places its buffer
        acting_on(regions, "allocate-proton-global-scratch-buffer"),  # likewise
    ]


STAGES: dict[str, Callable[[CompileOptions], Stage]] = {
    "ttkit-ttir": ttir,
    "ttkit-ttgir": ttgir,
    "ttkit-gluon": gluon,
    "ttkit-llir": llir,
}


def steps(stage: str, options: CompileOptions) -> list[Step]:
    """The passes of a stage with their places, as nobody has changed them."""
    return list(_steps(STAGES[stage], options, knobs.compilation.dump_ir_extract_di_local_variables))


@functools.lru_cache(64)  # kernels of a program have few options, and the lists take a third of a millisecond
def _steps(stage: Callable[[CompileOptions], Stage], options: CompileOptions, _has_variables: bool) -> list[Step]:
    """The same for options and what else a stage looks at."""
    made = [Step(pass_name(one), one) if isinstance(one, str) else one for one in stage(options)]
    return [step for step in made if options.plan != "triton" or pass_name(step.text) not in OWN_PLANS]


def stage_passes(stage: str, options: CompileOptions, module: ir.Module | None = None) -> list[str]:
    """The passes of a stage, with the changes that the options ask for, and without those that are switched off.

    Args:
        stage: a name of STAGES.
        module: what they will run on.  Passes that have nothing to do there are left out, and not even imported: a
            third of those of ttgir for a kernel without loops and products.  Changed stages keep all: passes that
            users add may make any operation.

    Raises:
        ValueError: a change can't be made, or TTKIT_TUNING_OFF names no switch.
    """
    off = switched_off()
    if options.pipeline is not None:
        made = options.pipeline.applied(stage, options)
    else:
        made = steps(stage, options)
        if module is not None:
            root, names = module.operation, frozenset(operation_names(module.operation))
            names |= MADE_BY_CLC if options.clc else frozenset()
            made = [step for step in made if step.may_act(root, names)]
    return [step.text for step in made if not off or pass_name(step.text) not in off]


def pipeline_text(stage: str, options: str = "") -> str:
    """The passes of a stage as pipeline text, with the changes that are in force.

    Args:
        stage: a name of STAGES.
        options: as in a pipeline, `capability=80 num-warps=8`.

    Raises:
        ValueError: the options are not those of a stage, or a change can't be made.
    """
    return ",".join(stage_passes(stage, parse_options(options)))


def parse_options(options: str) -> CompileOptions:
    """The options of `capability=80 num-warps=8`, with the changes that are in force.

    Raises:
        ValueError: there is no such option, or its value is not possible.
    """
    values: dict[str, Any] = {}
    for item in options.split():
        name, _, value = item.partition("=")
        if name not in OPTIONS:
            raise ValueError(f"no option '{name}'; there are {', '.join(OPTIONS)}")
        if name == "plan":
            values[name] = value
            continue
        field = name.replace("-", "_")
        least, most = RANGES.get(field, (1, None))
        if not value.isdecimal() or int(value) < least or (most is not None and int(value) > most):
            use = "a positive number" if most is None else f"a number from {least} to {most}"
            raise ValueError(f"option {name}: found '{value}', use {use}")
        values[field] = int(value)
    capability = values.pop("capability", DEFAULT_CAPABILITY)
    return with_changes(CompileOptions.for_capability(capability, **values), None)
