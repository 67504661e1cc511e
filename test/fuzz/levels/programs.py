"""Random programs that compute something: the interpreter runs them before and after passes, down to llvm."""

from __future__ import annotations

import random
import re

from mlir import ir

import ttkit
from fuzz.level import ACCEPTED, REFUSED, refusal
from fuzz.levels.ir import IRLevel
from ttkit.interpreter.check.check_passes import Checker, Settings, may_change
from ttkit.interpreter.check.random_programs import RandomProgram, random_program
from ttkit.options import CompileOptions
from ttkit.passes.infra import PassError
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.registry import PASSES
from ttkit.passes.stages import STAGES, stage_passes

TT_PASSES = """triton-combine triton-reorder-broadcast triton-licm triton-loop-aware-cse triton-loop-unroll canonicalize
    cse loop-invariant-code-motion sccp inline triton-rewrite-tensor-pointer convert-scf-to-cf
    triton-rewrite-tensor-descriptor-to-pointer triton-test-loop-peeling""".split()
TTG_PASSES = [name for name in PASSES if name.startswith(("tritongpu-", "triton-nvidia-", "ttkit-", "nvgpu-"))]
BLOCKS = ("", "", "pointers", "descriptors")
CAPABILITIES = (80, 90, 90, 100, 100, 120)
ONE_BY_ONE = 0.15
"""Of the programs that go through all stages: those that run after each pass.  The others do after each stage, and
after each pass only once a stage has changed what they do: running them takes longer than all else."""

SPECULATED = re.compile(r"(?:ttng\.tmem|ttg\.local)_load: reads .* where nothing has written")
"""A pipelined loop that makes no trip reads in its prologue what no product or load has written, and drops it: GPUs and
lowered code allow that."""


class Programs(IRLevel):
    """Programs with loads, stores, atomics, products, loops, branches, calls, block pointers and descriptors: through
    one pass alone, or through all stages."""

    name = "programs"
    seconds = 120.0
    share = 3.0

    def make(self, rng: random.Random) -> str:
        capability, blocks, seed = rng.choice(CAPABILITIES), rng.choice(BLOCKS), rng.randrange(1 << 40)
        size = rng.choice((3, 6, 10, 15))
        warps, ctas = rng.choice((1, 2, 4, 4, 4, 8, 16)), 2 if capability in (90, 100) and rng.random() < 0.1 else 1
        program = random_program(seed, size, blocks, capability, ctas)
        options = CompileOptions.for_capability(
            capability, num_warps=warps, num_ctas=ctas, num_stages=rng.choice((1, 2, 3, 3, 4, 5))
        )
        stages = [stage_passes(stage, options) for stage in STAGES]
        way = rng.random()
        if way < 0.2:
            stages = [[rng.choice(TT_PASSES)]]
        elif way < 0.5:  # on ttg, as it is at a random place of the stage
            until = rng.randrange(1, len(stages[1]) + 1)
            stages = [stages[0], [*stages[1][:until], rng.choice(TTG_PASSES)]]
        elif rng.random() < ONE_BY_ONE:
            stages = [[step] for stage in stages for step in stage]
        return f"// seed: {seed}\n// passes: {'; '.join(map(','.join, stages))}\n{program.text}"

    def check(self, text: str) -> str:
        seed, passes = (re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)[1] for key in ("seed", "passes"))
        parts = passes.split("; ")
        said = self.check_after(parts, text, int(seed))
        if said in (ACCEPTED, REFUSED):
            return said
        each = self.check_after([step for part in parts for step in part.split(",")], text, int(seed))
        return said if each in (ACCEPTED, REFUSED) else each

    def check_after(self, parts: list[str], text: str, seed: int) -> str:
        """What comes of a program that runs before the first of these parts of a pipeline, and after each.

        Args:
            seed: of the program and its inputs.
        """
        program = RandomProgram(text, seed, 0)
        skipped: list[str] = []
        checker = Checker(Settings(inputs=lambda _: [program.inputs()]), lambda _, why: skipped.append(why))
        with self.context():
            module = ttkit.parse(text)
            checker.before(as_text(module))
            for part in parts:
                try:
                    ttkit.run_passes(module, part)
                except PassError as error:
                    return refusal(error, (PassError,))
                except ir.MLIRError as error:
                    return f"pipeline failed: {error}"
                names = [pass_name(step) for step in part.split(",")]
                checker.after(next(filter(may_change, names), names[-1]), as_text(module))
                if checker.found is not None and not SPECULATED.search(checker.found.message):
                    return checker.found.message
                checker.found = None
        if unreadable := next((why for why in skipped if "is invalid" in why), ""):
            return unreadable.splitlines()[0]
        return REFUSED if skipped else ACCEPTED

    def splits(self, text: str) -> list[list[str]]:
        return super().splits(text)[:1]


def as_text(module: ir.Module) -> str:
    """The module in generic form, with locations: as checkers of passes read it."""
    return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)
