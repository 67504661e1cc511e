"""Pipelined loops compute what they computed before, in ttg, where copies and products are under way, and lowered."""

import numpy as np
import pytest
from pipelined_loops import IN_ORDER, LOOPS, Loop
from sweeps import every

import ttkit
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.generated_inputs import Inputs, find_inputs
from ttkit.interpreter.decode import Module, decode_module
from ttkit.options import CompileOptions
from ttkit.passes.stages import stage_passes

CASES = [(loop, capability, 3) for loop in LOOPS for capability in loop.capabilities]
CASES += [(loop, loop.capabilities[0], stages) for loop in LOOPS[:2] for stages in (2, 5)]
TRIPS = (1, 2, 5)


class SmallIntegers(Inputs):
    """Of which sums and products are exact in any order."""

    def contents(self, position: int, element: np.dtype, size: int) -> np.ndarray:
        numbers = np.random.default_rng(position).integers(-2, 3, -(-size // element.itemsize))
        return numbers.astype(element).view(np.uint8)[:size].copy()


@pytest.mark.parametrize(
    "loop, capability, stages", every(4, CASES), ids=[f"{one[0].name}-{one[1]}-{one[2]}" for one in CASES]
)
def test_results_stay(loop: Loop, capability: int, stages: int):
    check(loop, capability, stages)


@pytest.mark.parametrize(
    "loop, capability", [(loop, capability) for loop in IN_ORDER for capability in loop.capabilities]
)
def test_accesses_of_a_tensor_stay_in_order(loop: Loop, capability: int):
    check(loop, capability, 3)


def check(loop: Loop, capability: int, stages: int) -> None:
    """Compares results after each stage with those of tt."""
    options = CompileOptions.for_capability(capability, num_stages=stages)
    constants = {**loop.constants, "STAGES": stages}
    types = {**loop.types, "n": "i32", **dict.fromkeys(constants, "constexpr")}
    aligned = {(n,): [["tt.divisibility", 16]] for n, type in enumerate(loop.types.values()) if type.startswith("*")}
    with ttkit.Context():
        source = ttkit.ASTSource(loop.function, types, constants, aligned)
        module = source.make_ir(ttkit.GPUTarget("cuda", capability, 32))
        ttkit.run_passes(module, ",".join(stage_passes("ttkit-ttir", options)))
        text = module.operation.get_asm(enable_debug_info=True)
        runs = inputs(decode_module(ttkit.parse(text)))
        warnings: list[tuple[str, str]] = []
        checker = Checker(Settings(inputs=lambda _: runs), lambda *warning: warnings.append(warning))
        checker.before(text)
        for stage in ("ttkit-ttgir", "ttkit-llir"):
            ttkit.run_passes(module, ",".join(stage_passes(stage, options)))
            checker.after(stage, str(module))
            assert checker.found is None, checker.found.message
    assert not warnings


def inputs(module: Module) -> list[Inputs]:
    """One program, for each number of trips."""
    (function,) = module.functions.values()
    found = [find_inputs(module, function, 0, [f"n={trips}"], (1, 1, 1)) for trips in TRIPS]
    return [SmallIntegers(one.seed, one.grid, one.scalars, one.sizes, one.given) for one in found]
