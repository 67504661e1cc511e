"""Random programs at the level of IR that a pass takes."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import collect
from ttkit.interpreter.check.random_programs import RandomProgram, random_program
from ttkit.options import CompileOptions
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.stages import STAGES, stage_passes

BLOCKS = ("", "", "pointers", "descriptors")
"""The ways in which programs access blocks of memory; each program takes the next one."""
LEVELS = {"tt": "", "ttg": "convert-triton-to-tritongpu", "llvm": "convert-triton-gpu-to-llvm"}
"""The pass that makes each level."""


def in_stages(name: str, level: str | None = None, capability: int = 90) -> tuple[list[str], str]:
    """The passes of the stages that come before a pass, and the pass with the options that it has there.

    Args:
        name: the pass.
        level: a key of LEVELS, to take what the pass that makes it gives, wherever `name` stands.
        capability: of the GPU that the stages are for.

    Raises:
        ValueError: there is no such level.
    """
    if level is not None and level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}; found {level!r}")
    options = CompileOptions.for_capability(capability)
    passes = [one for stage in STAGES for one in stage_passes(stage, options)]
    names = [pass_name(one) for one in passes]
    if level is not None:
        return (passes[: names.index(LEVELS[level]) + 1] if LEVELS[level] else []), name
    return (passes[: names.index(name)], passes[names.index(name)]) if name in names else ([], name)


def program(seed: int, size: int, before: Sequence[str] = ()) -> RandomProgram:
    """A program: the same for the same numbers.

    Args:
        before: passes that it goes through; none that wants more of descriptors than programs know.
    """
    blocks = BLOCKS[seed % len(BLOCKS)]
    is_checked = any(pass_name(one) == "triton-nvidia-tma-lowering" for one in before)
    return random_program(seed, size, "" if blocks == "descriptors" and is_checked else blocks)


def ask_of_loops(module: ir.Module, seed: int) -> None:
    """Gives loops what kernels may ask for: to be unrolled, or how many stages they are pipelined in."""
    i32 = ir.IntegerType.get_signless(32, module.context)
    for number, loop in enumerate(collect(module.operation, ["scf.for"])):
        choice = (seed + number) % 3
        if choice:
            name = "tt.loop_unroll_factor" if choice == 1 else "tt.num_stages"
            loop.attributes[name] = ir.IntegerAttr.get(i32, 2 + number % 3)
