"""Random pipelined loops through all passes: results of each level are those of tt, and no wait is missing."""

from __future__ import annotations

import random
from typing import Any

import ttkit
import ttkit.language as tl
from fuzz.level import ACCEPTED, REFUSED, Level, first_line, leak
from fuzz.loop_programs import random_kernel
from fuzz.loop_reduction import LoopKernel
from fuzz.loop_runs import Outcome, difference, evaluate, run_stage, tt_module
from fuzz.loop_texts import BadText, Program, read
from ttkit.frontend.errors import CompilationError
from ttkit.interpreter.decode import decode_module
from ttkit.interpreter.errors import NotInterpretable
from ttkit.passes.infra.base import PassError
from ttkit.passes.lower.unsupported import TooMuchMemory

TARGETS = (90, 80, 100)
WARM = """# num_warps=4 num_stages=3 lowered=1
# n=1
# a: *fp16 4096
# d: tensordesc<fp16[64, 64]> 64 64
# o: *fp32 4096
@triton.jit
def kernel(a, d, o, n):
    r = tl.arange(0, 64)
    acc = tl.zeros([64, 64], tl.float32)
    for i in tl.range(0, n):
        acc = tl.dot(tl.load(a + r[:, None] * 64 + r[None, :]), d.load([0, 0]), acc)
    tl.store(o + r[:, None] * 64 + r[None, :], acc)
"""


class Loops(Level):
    """Kernels with loops as `loop_programs.py` writes them, for sm_90, sm_80 and sm_100."""

    name = "loops"
    seconds = 120.0
    share = 6.0

    def prepare(self) -> None:
        """Has passes and evaluators imported before workers are forked, by a kernel that needs most of them."""
        self.check(WARM)

    def make(self, rng: random.Random) -> str:
        return random_kernel(rng)

    def language(self) -> LoopKernel:
        return LoopKernel()

    def check(self, text: str) -> str:
        try:
            program = read(text, ttkit.jit, tl)
        except BadText:
            return REFUSED
        outcomes: list[Outcome] = []
        for target in [program.target] if program.target else TARGETS:
            try:
                module = tt_module(program, target)
            except CompilationError:
                continue  # a type that the target doesn't have
            outcomes = outcomes or references(program, module)
            if not outcomes:
                return REFUSED
            if reason := run_target(program, module, target, outcomes):
                return f"sm_{target}, {reason}"
        return ACCEPTED if outcomes else REFUSED


def references(program: Program, module: Any) -> list[Outcome]:
    """What a program's tt does in each run; nothing if it does something undefined."""
    try:
        decoded = decode_module(module)
        outcomes = [evaluate(decoded, program, run) for run in program.runs]
    except (NotInterpretable, ValueError):
        return []
    return [] if any(outcome.error for outcome in outcomes) else outcomes


def run_target(program: Program, module: Any, target: int, outcomes: list[Outcome]) -> str:
    """Why a kernel is wrong for a target; nothing if it is not."""
    level = "ttg"
    try:
        run_stage(module, target, program, "ttkit-ttir")
        run_stage(module, target, program, "ttkit-ttgir")
        if found := of_ttg(program, module, outcomes):
            return f"ttg: {found}"
        if program.is_lowered:
            level, function = "lowered", decode_module(module).public_function(None)
            run_stage(module, target, program, "ttkit-llir")
            decoded = decode_module(module)
            # One run only: threads take much longer.
            run, outcome = max(zip(program.runs, outcomes), key=lambda pair: pair[0].get("n", 0) % 4)
            if found := difference(outcome, evaluate(decoded, program, run, function)):
                return f"lowered: {found}"
    except TooMuchMemory:
        return ""  # tiles and stages are the kernel's
    except NotInterpretable as error:
        return f"{level}: not interpretable: {first_line(error)}"
    except (PassError, CompilationError) as error:
        return f"{level}: {type(error).__name__}: {first_line(error)}"
    except Exception as error:
        return f"{level}: {leak(error)}"
    return ""


def of_ttg(program: Program, module: Any, outcomes: list[Outcome]) -> str:
    """What the evaluator says against a program's ttg; nothing if it is right."""
    decoded = decode_module(module)
    for run, outcome in zip(program.runs, outcomes):
        if found := difference(outcome, evaluate(decoded, program, run)):
            return found
    return ""
