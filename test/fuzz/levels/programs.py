"""Random programs that compute something: the interpreter runs them before and after each pass, down to llvm."""

from __future__ import annotations

import random
import re

from mlir import ir

import ttkit
from fuzz.level import ACCEPTED, REFUSED, refusal
from fuzz.levels.ir import IRLevel
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.interpreter.check.random_programs import RandomProgram, random_program
from ttkit.options import CompileOptions
from ttkit.passes.infra import PassError
from ttkit.passes.registry import PASSES
from ttkit.passes.stages import STAGES, stage_passes

TT_PASSES = """triton-combine triton-reorder-broadcast triton-licm triton-loop-aware-cse triton-loop-unroll canonicalize
    cse loop-invariant-code-motion sccp inline triton-rewrite-tensor-pointer convert-scf-to-cf
    triton-rewrite-tensor-descriptor-to-pointer triton-test-loop-peeling""".split()
TTG_PASSES = [name for name in PASSES if name.startswith(("tritongpu-", "triton-nvidia-", "ttkit-", "nvgpu-"))]
BLOCKS = ("", "", "pointers", "descriptors")
CAPABILITIES = (80, 90, 100)


class Programs(IRLevel):
    """Programs with loads, stores, atomics, products, loops, branches, calls, block pointers and descriptors: through
    one pass alone, or through all stages."""

    name = "programs"
    seconds = 120.0
    share = 3.0

    def make(self, rng: random.Random) -> str:
        capability, blocks, seed = rng.choice(CAPABILITIES), rng.choice(BLOCKS), rng.randrange(1 << 40)
        program = random_program(seed, rng.choice((3, 6, 10, 15)), blocks, capability)
        warps = rng.choice((1, 2, 4, 4, 4, 8))
        options = CompileOptions.for_capability(capability, num_warps=warps)
        stages = [stage_passes(stage, options) for stage in STAGES]
        way = rng.random()
        if way < 0.25:
            stages = [[rng.choice(TT_PASSES)]]
        elif way < 0.5:  # on ttg, as it is at a random place of the stage
            until = rng.randrange(1, len(stages[1]) + 1)
            stages = [stages[0], stages[1][:until], [rng.choice(TTG_PASSES)]]
        passes = ",".join(step for stage in stages for step in stage)
        return f"// seed: {seed}\n// passes: {passes}\n{program.text}"

    def check(self, text: str) -> str:
        seed, pipeline = (re.search(rf"^// {key}: (.*)$", text, re.MULTILINE)[1] for key in ("seed", "passes"))
        program = RandomProgram(text, int(seed), 0)
        skipped: list[str] = []
        checker = Checker(Settings(inputs=lambda _: [program.inputs()]), lambda _, why: skipped.append(why))
        with self.context():
            module = ttkit.parse(text)
            try:
                ttkit.run_passes(module, pipeline, subscribers=[PassChecks(checker)])
            except PassError as error:
                return refusal(error, (PassError,))
            except ir.MLIRError as error:
                return f"pipeline failed: {error}"
        if checker.found is not None:
            return checker.found.message
        if unreadable := next((why for why in skipped if "is invalid" in why), ""):
            return unreadable.splitlines()[0]
        return REFUSED if skipped else ACCEPTED

    def splits(self, text: str) -> list[list[str]]:
        return super().splits(text)[:1]
