"""Let a running program take over the work of programs that still wait (cluster launch control, sm_100).

    %p = tt.get_program_id x
    body(%p)
  =>
    %first = tt.get_program_id x
    scf.while (%p = %first, %more = %true) {
      scf.condition(%more) %p, %more
    } do {
      %x = ttng.clc_try_cancel_sync                   // asks early: the answer arrives while the body runs
      %answer = ttg.local_alloc %x
      body(%p)
      %r = ttng.clc_load_result %answer
      %taken = ttng.clc_is_canceled %r
      %next = scf.if %taken { yield clc_get_program_id %r, x } else { yield %p }
      scf.yield %next, %taken
    }

Input:  ttg.      Output: ttg; `triton-nvidia-gpu-lower-clc` lowers the request.
Order:  right after convert-triton-to-tritongpu, after all calls are inlined: other passes see the loop.
Skips:  functions that are called.
Test:   test/lit/passes/to_clc.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import _layouts, arith, scf, tt, ttg, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import is_public, terminator
from ttkit.layout.blocked import blocked
from ttkit.passes.infra import Pass, PassError, collect
from ttkit.passes.infra.mbarriers import one_element
from ttkit.passes.layouts.thread_counts import regular_machine_of

ANSWER = [2]
"""The shape of an answer, two i64."""
ANSWER_BYTES = 16
PROGRAM_ID = tt.GetProgramIdOp


class ToCLC(Pass):
    """Let a running program take over the work of programs that still wait"""

    name = "triton-nvidia-gpu-to-clc"
    dependent_dialects = ("arith", "scf", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Puts the body of each kernel into a loop.

        Raises:
            PassError: a function that is called asks for its program, or a kernel has several blocks or results.
        """
        for function in collect(op, ["tt.func"]):
            if not is_public(function):
                for place in collect(function, [PROGRAM_ID])[:1]:
                    why = "only kernels may ask for their program here: inline the functions that they call, before"
                    raise PassError(place, f"found tt.get_program_id in a function that is called; {why}")
            elif blocks := list(function.regions[0].blocks):
                check_is_a_body(function, blocks)
                loop_over_programs(function)


def check_is_a_body(kernel: ir.Operation, blocks: Sequence[ir.Block]) -> None:
    """Raises PassError for a kernel that can't run again and again: it has several blocks, or results."""
    if len(blocks) > 1:
        raise PassError(kernel, "found a kernel of several blocks; one block becomes the body of a loop")
    if len(terminator(blocks[0]).operation.operands):
        raise PassError(kernel, "found a kernel with results; one that runs for several programs has none")


def loop_over_programs(kernel: ir.Operation) -> None:
    """Runs the body for the first program, then for each that is taken over."""
    block = kernel.regions[0].blocks[0]
    body = [op.operation for op in block.operations][:-1]
    asked = [place.opview for place in collect(kernel, [PROGRAM_ID])]
    axes = sorted({place.axis for place in asked})
    with kernel.location, ir.InsertionPoint(terminator(block)):
        inits = [tt.get_program_id(axis) for axis in axes]
        carried = [*inits, arith.true()]
        types = [value.type for value in carried]
        loop = scf.while_(types, carried).operation
        before, after = (region.blocks.append(*types, arg_locs=[loop.location] * len(types)) for region in loop.regions)
        with ir.InsertionPoint(before):
            scf.condition(before.arguments[-1], before.arguments)
        *programs, _ = after.arguments
        with ir.InsertionPoint(after):
            answer = request(kernel)
            last = scf.yield_([])
    for op in body:
        op.move_before(last.operation)
    for place in asked:
        place.result.replace_all_uses_with(programs[axes.index(place.axis)])
        place.operation.erase()
    with kernel.location, ir.InsertionPoint(last):
        scf.yield_(next_program(answer, axes, programs))
    last.operation.erase()


def request(kernel: ir.Operation) -> ir.Value:
    """Asks for a program; the buffer of the answer.

    Raises:
        PassError: warps, threads of a warp or CTAs are not a power of two.
    """
    layout = blocked(ANSWER, ANSWER, [0], *regular_machine_of(kernel))
    i64 = ir.IntegerType.get_signless(64)
    response = ttng.clc_try_cancel_sync(ir.RankedTensorType.get(ANSWER, i64, _layouts.attribute(layout)))
    type = MemDescType.get(ANSWER, i64, one_element(kernel), mutable=True)
    return ttg.local_alloc(type, src=response, alignment=ANSWER_BYTES)


def next_program(answer: ir.Value, axes: Sequence[int], programs: Sequence[ir.Value]) -> list[ir.Value]:
    """Its place in the grid, the old one where there is none, and whether there is one."""
    result = ttng.clc_load_result(answer)
    taken = ttng.clc_is_canceled(result)
    if not axes:
        return [taken]
    branch = scf.if_(taken, [program.type for program in programs], has_else=True)
    with ir.InsertionPoint(branch.then_block):
        scf.yield_([ttng.clc_get_program_id(result, axis) for axis in axes])
    with ir.InsertionPoint(branch.else_block):
        scf.yield_(programs)
    return [*branch.operation.results, taken]
