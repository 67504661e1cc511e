"""Cycles of an iteration in each unit of a multiprocessor (analysis/unit_cycles.py), against counts by hand."""

from pathlib import Path

import pytest
from specialized_loops import Loop, attention

import ttkit
from ttkit.analysis.unit_cycles import Units, unit_cycles
from ttkit.inspection import collect
from ttkit.passes.pipelining.by_hand import by_hand
from ttkit.passes.pipelining.described import units_of
from ttkit.target import RATES, Target

ROOT = Path(__file__).parents[2]
LOOP = """
#rows = #ttg.blocked<{{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}}>
#other = #ttg.blocked<{{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}}>
#sums = #ttg.slice<{{dim = 1, parent = #rows}}>
#flat = #ttg.blocked<{{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}}>
#mma = #ttg.nvidia_mma<{{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}}>
#a = #ttg.dot_op<{{opIdx = 0, parent = #mma, kWidth = 2}}>
#b = #ttg.dot_op<{{opIdx = 1, parent = #mma, kWidth = 2}}>
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90"}} {{
tt.func @f(%p: tensor<512x!tt.ptr<i32>, #flat>, %q: tensor<512x!tt.ptr<f16>, #flat>, %n: i32, %c: i1,
           %x: tensor<16x128xf32, #rows>, %h: tensor<16x128xf16, #rows>, %i: tensor<512xi32, #flat>,
           %l: tensor<64x64xf16, #a>, %r: tensor<64x64xf16, #b>, %acc: tensor<64x64xf32, #mma>, %e: f32) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {{
    {body}
  }}
  tt.return
}}
}}
"""
ADDITION = "%y = arith.addf %x, %x : tensor<16x128xf32, #rows>"
SUM = """%s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%u: f32, %v: f32):
        %w = arith.addf %u, %v : f32
        tt.reduce.return %w : f32
    }) : (tensor<16x128xf32, #rows>) -> tensor<16xf32, #sums>"""
# A body -> cycles on sm_90.
BODIES = {
    # 2,048 elements, 128 in a cycle.
    ADDITION: Units(arithmetic=16),
    # Two in an instruction.
    "%y = arith.addf %h, %h : tensor<16x128xf16, #rows>": Units(arithmetic=8),
    # A multiply-add.
    "%m = arith.mulf %x, %x : tensor<16x128xf32, #rows>\n%y = arith.addf %m, %x : tensor<16x128xf32, #rows>": Units(
        arithmetic=16
    ),
    "%y = arith.mulf %x, %x : tensor<16x128xf32, #rows>": Units(arithmetic=16),
    "%y = math.exp2 %x : tensor<16x128xf32, #rows>": Units(special=128),
    "%y = arith.divf %x, %x : tensor<16x128xf32, #rows>": Units(special=128),
    # Numbers, which a thread computes once, are free.
    "%y = arith.divf %e, %e : f32\n%z = arith.addf %y, %e : f32": Units(),
    # Indices are free; what is loaded is not, nor what follows from it.
    "%y = arith.addi %i, %i : tensor<512xi32, #flat>": Units(),
    "%j = tt.load %p : tensor<512x!tt.ptr<i32>, #flat>\n%y = arith.addi %j, %i : tensor<512xi32, #flat>\n"
    "%z = arith.muli %y, %i : tensor<512xi32, #flat>": Units(arithmetic=8, l2=32),
    "%y = tt.load %q : tensor<512x!tt.ptr<f16>, #flat>": Units(l2=16),
    # A thread of a row combines 4 elements, and lanes in five steps: 4 rows each.
    SUM: Units(arithmetic=16, shared=5 * 4 * 128 * 4 / 128),
    # Through shared memory, 8,192 bytes, all of which each warp reads.
    "%y = ttg.convert_layout %x : tensor<16x128xf32, #rows> -> tensor<16x128xf32, #other>": Units(shared=64 + 4 * 64),
    "%y = ttg.convert_layout %x : tensor<16x128xf32, #rows> -> tensor<16x128xf32, #rows>": Units(),
    # mma.sync has half of the rate of wgmma, 2,048 multiply-adds.
    "%y = tt.dot %l, %r, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>": Units(
        tensor=256
    ),
    # The longer branch.
    f"scf.if %c {{\n{ADDITION}\n%z = arith.addf %y, %x : tensor<16x128xf32, #rows>\n}} else {{\n{ADDITION}\n}}": Units(
        arithmetic=32
    ),
}


@pytest.mark.parametrize("body", BODIES)
def test_an_iteration(context, body):
    (loop,) = collect(ttkit.parse(LOOP.format(body=body)).operation, ["scf.for"])
    assert unit_cycles(loop, Target(90)) == BODIES[body]


@pytest.mark.parametrize(
    "capability, cycles",
    {
        # Each warp loads the operands that it multiplies: a quarter of a and all of b, or half of each.
        80: Units(tensor=1024, shared=768, l2=512),
        # Each half of the rows reads all of b.
        90: Units(tensor=512, shared=640, l2=512),
        # One instruction reads both operands once.
        100: Units(tensor=256, shared=512, l2=512),
    }.items(),
)
def test_a_loop_of_products(context, capability, cycles):
    module = ttkit.parse((ROOT / "examples" / "kernels" / "matmul_loop.ttir").read_text())
    options = f"capability={capability} num-warps=4 num-stages=1 plan=triton"
    ttkit.run_passes(module, f"ttkit-ttgir{{{options}}}")
    (loop,) = collect(module.operation, ["scf.for"])
    assert unit_cycles(loop, Target(capability)) == cycles


def test_two_ctas_share_a_program(context):
    module = ttkit.parse((ROOT / "examples" / "kernels" / "matmul_loop.ttir").read_text())
    ttkit.run_passes(module, "ttkit-ttgir{capability=90 num-warps=4 num-ctas=2 num-stages=1 plan=triton}")
    (loop,) = collect(module.operation, ["scf.for"])
    cycles = unit_cycles(loop, Target(90))
    assert cycles.tensor == 256 and cycles.l2 == 256


def test_groups_of_warps_share_the_units(context):
    """Two groups that multiply 64 rows each by 128 columns, twice, and one that loads two tiles of 128x64."""
    loop = Loop("full", attention, (256,), 3, {"N": 128})
    text = ttkit.compile(loop.source(), ttkit.GPUTarget("cuda", 90, 32), {"num_warps": 4, "num_stages": 2}).asm["ttgir"]
    programs, loading, *computing = by_hand(ttkit.parse(text))
    assert programs.units == () and len(computing) == 2
    units = dict(loading.units)
    assert (units["tensor cores"], units["L2 cache"]) == (1024, 512)
    assert units["special functions"] >= 128 * 128 / 16
    assert {one.units for one in computing} == {loading.units}


def test_loops_with_loops_inside_have_no_bound(context):
    """Nobody knows how often the inner one runs."""
    inner = f"scf.for %j = %c0 to %n step %c1 : i32 {{\n{ADDITION}\n}}"
    loops = collect(ttkit.parse(LOOP.format(body=inner)).operation, ["scf.for"])
    assert [units_of(loop) for loop in loops] == [(), (("arithmetic", 16),)]


def test_all_gpus_have_rates():
    for capability, rates in RATES.items():
        assert Target(capability).rates is rates
        assert min(rates) > 0
