"""Random programs at the level of IR that a pass takes."""

from __future__ import annotations

from ttkit.interpreter.check.random_programs import RandomProgram, random_program
from ttkit.passes.stages import STAGES, pass_name, stage_passes

BLOCKS = ("", "", "pointers", "descriptors")
"""What programs access blocks of memory by, in turn."""
LEVELS = {"tt": "", "ttg": "convert-triton-to-tritongpu", "llvm": "convert-triton-gpu-to-llvm"}
"""The pass that makes each level."""


def passes_before(name: str, level: str | None = None, capability: int = 90) -> list[str]:
    """The passes of the stages that come before a pass.

    Args:
        name: the pass.
        level: a key of LEVELS, to take what the pass that makes it gives, wherever `name` stands.
        capability: of the GPU that the stages are for.

    Raises:
        ValueError: the level is none.
    """
    from ttkit.options import CompileOptions

    if level is not None and level not in LEVELS:
        raise ValueError(f"a level is one of {', '.join(LEVELS)}; found {level!r}")
    options = CompileOptions.for_capability(capability)
    passes = [one for stage in STAGES for one in stage_passes(stage, options)]
    names = [pass_name(one) for one in passes]
    if level is not None:
        return passes[: names.index(LEVELS[level]) + 1] if LEVELS[level] else []
    return passes[: names.index(name)] if name in names else []


def program(seed: int, size: int) -> RandomProgram:
    """A program: the same for the same numbers."""
    return random_program(seed, size, BLOCKS[seed % len(BLOCKS)])
