"""Expansion of scheduled loops: results stay, whatever the stages, the clusters and the number of iterations."""

import random

import numpy as np
import pytest
from mlir import ir
from tiles import run_text

import ttkit
from ttkit.inspection import collect
from ttkit.passes.pipelining.expansion import expand
from ttkit.passes.pipelining.schedule import Schedule

# Each line is an operation, which needs values of lines before it and what the loop carries: %a, %b, %p, and %d, which
# is another number in the first iteration than in all others.
BODY = [
    "%q = tt.addptr %in, %i : !tt.ptr<f32>, i32",
    "%x = tt.load %q : !tt.ptr<f32>",
    "%y = arith.mulf %x, %a : f32",
    "%v = arith.mulf %x, %d : f32",
    "%w = tt.load %p : !tt.ptr<f32>",
    "%s = arith.addf %y, %v : f32",
    "%z = arith.addf %s, %w : f32",
    "%next_p = tt.addptr %p, %one : !tt.ptr<f32>, i32",
    "%next_a = arith.addf %z, %b : f32",
    "%next_b = arith.subf %b, %x : f32",
    "%o = tt.addptr %out, %i : !tt.ptr<f32>, i32",
    "tt.store %o, %z : !tt.ptr<f32>",
]
SEEDS = range(32)
TEXT = """
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func public @kernel(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %last: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%a = %start, %b = %start, %p = %in, %d = %start)
        -> (f32, f32, !tt.ptr<f32>, f32) : i32 {
      BODY
      scf.yield %next_a, %next_b, %next_p, %two : f32, f32, !tt.ptr<f32>, f32
    } {tt.scheduled_max_stage = STAGE : i32}
    tt.store %last, %r#0 : !tt.ptr<f32>
    tt.return
  }
}"""


def scheduled(rng: random.Random, stages: int) -> str:
    """The kernel with a random schedule, which the order of definitions allows."""
    lines, stage_of = [], {}
    for line in BODY:
        name = line.split()[0]
        needed = [stage_of[other] for other in stage_of if other in line.partition("=")[2] + line]
        stage = rng.randint(max(needed, default=0), stages - 1)
        cluster = stages - 1 - stage if rng.random() < 0.8 else rng.randrange(stages)
        stage_of[name] = stage
        text, _, type = line.partition(" : ")
        lines.append(f"{text} {{loop.stage = {stage} : i32, loop.cluster = {cluster} : i32}} : {type}")
    return TEXT.replace("BODY", "\n      ".join(lines)).replace("STAGE", str(stages - 1))


def run(text: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    values, out, last = np.arange(1, n + 2, dtype=np.float32) / 4, np.zeros(n + 1, np.float32), np.zeros(1, np.float32)
    run_text(text, 1, [values, out, last, n])
    return out, last


@pytest.mark.parametrize("seed", SEEDS)
def test_results_stay(seed):
    """Also if there are fewer iterations than stages, or none; schedules that can't be kept leave the loop alone."""
    rng = random.Random(seed)
    text = scheduled(rng, rng.randint(2, 4))
    with ttkit.Context():
        module = ttkit.parse(text)
        ttkit.run_passes(module, "tritongpu-pipeline")
        after = str(module)
    assert "loop.stage" not in after
    for n in (0, 1, 2, 3, 7):
        for expected, found in zip(run(text, n), run(after, n)):
            np.testing.assert_array_equal(found, expected)


def test_most_of_these_schedules_are_kept():
    kept = 0
    for seed in SEEDS:
        rng = random.Random(seed)
        with ttkit.Context(), ir.Location.unknown():
            module = ttkit.parse(scheduled(rng, rng.randint(2, 4)))
            (loop,) = collect(module.operation, ["scf.for"])
            kept += expand(loop, Schedule.read(loop).in_order(loop)) is not None
    assert kept >= len(SEEDS) // 4
