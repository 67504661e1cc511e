"""Give latencies to the loads and the tcgen05.mmas of loops: the stages from their start to their use.

    scf.for ... {                                         scf.for ... {
      %a = tt.load %p                                       %a = tt.load %p {tt.latency = 2 : i32}
      %b = tt.load %q                           =>          %b = tt.load %q {tt.latency = 2 : i32}
      %d = tt.dot %a, %b, %acc                              %d = tt.dot %a, %b, %acc
    }                                                     }           // with num-stages=3

With a latency of 2, the value is used two stages after the operation starts, that is two iterations later in time.  The
stages of a loop are divided evenly among the loads on the path to a dot, each of which loads the addresses of the next.
A loop without dots counts if it asks for stages itself (tt.num_stages).

Input:  ttg.      Output: ttg; tt.latency, tt.self_latency on operations in loops.
Order:  after the passes that choose layouts, which determine the loads that can be copies to shared memory; before
        schedule-loops.
Skips:  loops with one stage, with loops in them, or that use a value of the iteration before the last one; loops where
        an operation has a latency already; loads of less than 4 bytes a thread, and of scalars.
Test:   test/lit/passes/assign_latencies.mlir
"""

from collections.abc import Iterable

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.inspection import address_of
from ttkit.passes.infra import Pass, collect, option
from ttkit.passes.infra.loop_attributes import LATENCY, NUM_STAGES, SELF_LATENCY, num_stages, write_latencies
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.pipelining.loads import load_levels
from ttkit.passes.pipelining.memory_order import loads_in_order
from ttkit.passes.pipelining.pipelinable_loops import is_outer_loop, reaches_past_one_iteration
from ttkit.passes.pipelining.tcgen5_overlap import mma_latencies
from ttkit.records import dataclass


@dataclass(frozen=True)
class AssignLatencies(Pass):
    """Say how long before their use the loads of loops have to start"""

    name = "tritongpu-assign-latencies"
    num_stages: int = option(3, "iterations in flight of loops that do not say")

    def run(self, op: ir.Operation) -> None:
        """Assigns latencies in loops of more than one stage without inner loops, whose values go one iteration far."""
        assign_in(collect(op, ["scf.for"]), self.num_stages)


def assign_in(loops: Iterable[ir.Operation], default_stages: int) -> None:
    """Assigns latencies in those of some loops that can be pipelined."""
    analysis = AxisInfoAnalysis()
    for loop in loops:
        stages = num_stages(loop, default_stages)
        if stages > 1 and not reaches_past_one_iteration(loop) and not is_outer_loop(loop):
            assign(loop, stages, analysis)


def assign(loop: ir.Operation, stages: int, analysis: AxisInfoAnalysis) -> None:
    """Gives the loads and products of a loop latencies, in stages, for `stages` iterations in flight; a loop that has
    some stays."""
    body = body_operations(loop)
    if any(LATENCY in op.attributes for op in body):
        return
    loads = load_latencies(loop, body, stages, analysis)
    products, self_latencies = mma_latencies(loop, body, loads)
    write_latencies(body, {**loads, **products})
    write_latencies(body, self_latencies, SELF_LATENCY)


def load_latencies(
    loop: ir.Operation, body: list[ir.Operation], stages: int, analysis: AxisInfoAnalysis
) -> dict[int, int]:
    """Address of each load that starts early -> its latency: the stages divided by the loads in a row."""
    levels = load_levels(body, stages, NUM_STAGES in loop.attributes, analysis)
    in_order = loads_in_order(body) if levels else set()
    levels = [(load, level) for load, level in levels if address_of(load) not in in_order]
    if not levels:
        return {}
    latency = (stages - 1) // (max(level for _, level in levels) + 1)
    return {address_of(load): latency for load, _ in levels}
