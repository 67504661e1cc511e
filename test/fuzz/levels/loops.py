"""Random pipelined loops through all passes: results of each level are those of tt, and no wait is missing."""

from __future__ import annotations

import random
from typing import Any

from fuzz.level import ACCEPTED, REFUSED, Level, first_line, leak
from fuzz.loop_programs import random_kernel
from fuzz.loop_reduction import LoopKernel
from fuzz.loop_runs import BadText, Outcome, Program, compiled, decode_module, difference, evaluate, read
from ttkit.frontend.errors import CompilationError
from ttkit.interpreter.errors import NotInterpretable
from ttkit.passes.infra.base import PassError

TARGETS = (90, 80)


class Loops(Level):
    """Kernels with loops as `loop_programs.py` writes them, for sm_90 and sm_80."""

    name = "loops"
    suffix = ".py"
    seconds = 120.0
    share = 12.0

    def make(self, rng: random.Random) -> str:
        return random_kernel(rng)

    def language(self) -> LoopKernel:
        return LoopKernel()

    def check(self, text: str) -> str:
        try:
            program = read(text)
        except BadText:
            return REFUSED
        lowers = program.options.pop("lowered", 0)
        outcomes: list[Outcome] = []
        for target in [program.options.pop("target")] if "target" in program.options else TARGETS:
            try:
                module = program.module(target)
            except CompilationError:
                if not outcomes:
                    return REFUSED
                continue  # a type that the target doesn't have
            if not outcomes:
                try:
                    decoded = decode_module(module)
                    outcomes = [evaluate(decoded, program, run) for run in program.runs]
                except (NotInterpretable, ValueError):
                    return REFUSED
                if not outcomes or any(outcome.error for outcome in outcomes):
                    return REFUSED
            if reason := self.run_target(program, module, target, outcomes, bool(lowers)):
                return f"sm_{target}, {reason}"
        return ACCEPTED

    def run_target(self, program: Program, module: Any, target: int, outcomes: list[Outcome], lowers: bool) -> str:
        """Why the kernel is wrong for a target; nothing if it is not."""
        level = "ttg"
        try:
            compiled(module, target, program, "ttkit-ttir")
            compiled(module, target, program, "ttkit-ttgir")
            decoded = decode_module(module)
            for run, outcome in zip(program.runs, outcomes):
                if found := difference(outcome, evaluate(decoded, program, run)):
                    return f"ttg: {found}"
            if not lowers:
                return ""
            level, function = "lowered", decoded.public_function(None)
            compiled(module, target, program, "ttkit-llir")
            decoded = decode_module(module)
            chosen = max(range(len(outcomes)), key=lambda at: program.runs[at].get("n", 0) % 4)
            if found := difference(outcomes[chosen], evaluate(decoded, program, program.runs[chosen], function)):
                return f"lowered: {found}"
        except NotInterpretable as error:
            return f"{level}: not interpretable: {first_line(error)}"
        except (PassError, CompilationError) as error:
            return f"{level}: {type(error).__name__}: {first_line(error)}"
        except Exception as error:
            return f"{level}: {leak(error)}"
        return ""



