"""Random tt programs that are well typed, end, and access memory within bounds: material for testing passes.

program = random_program(seed=7, size=30)
program.text            # the module
program.inputs(seed)    # what it runs on: `run(decode_module(...), function, program.inputs(0))`
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from ttkit.interpreter.argument_specs import Argument
from ttkit.interpreter.check.generated_inputs import Inputs
from ttkit.interpreter.check.program_writer import MEMORY, PROGRAMS, REGION
from ttkit.interpreter.check.random_blocks import PointerSteps
from ttkit.interpreter.check.random_descriptors import DescriptorSteps
from ttkit.interpreter.check.random_steps import Steps
from ttkit.interpreter.values import DTYPES


@dataclass(frozen=True)
class RandomProgram:
    """text: a module with one function, @random.  seed, size: what it was made from."""

    text: str
    seed: int
    size: int

    def inputs(self, seed: int = 0) -> Inputs:
        """Buffers of small integers, and scalars, for PROGRAMS programs; each reads a part of its own."""
        rng = np.random.default_rng([self.seed, seed])
        given = {}
        for position, element in enumerate(MEMORY):
            array = rng.integers(-8, 9, PROGRAMS * REGION).astype(DTYPES[element])
            given[position] = Argument(array, array)
            zeros = np.zeros(PROGRAMS * REGION, DTYPES[element])
            given[position + len(MEMORY)] = Argument(zeros, zeros)
        last = 2 * len(MEMORY)
        scalars = {last: int(rng.integers(-3, 9)), last + 1: float(rng.integers(-4, 5))}
        return Inputs(seed, (PROGRAMS, 1, 1), scalars, given=given)


def random_program(seed: int, size: int = 30, blocks: str = "", target: int = 0, ctas: int = 1) -> RandomProgram:
    """A program of about `size` steps, the same for the same seed.

    Args:
        blocks: "pointers" or "descriptors": what accesses blocks of memory, if anything.
        target: compute capability of a GPU for which the program can be lowered; 0 for any program that is valid.
        ctas: of the cluster that runs it.
    """
    steps = Steps
    if blocks:
        steps = {"pointers": PointerSteps, "descriptors": DescriptorSteps}[blocks]
    return RandomProgram(steps(random.Random(seed), target, ctas).write(size), seed, size)
