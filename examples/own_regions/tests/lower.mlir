// RUN: tt-opt %s --load-dialect=%S/../each/dialect.py --check-passes --convert-scf-to-cf --ttkit-llir=capability=90 | FileCheck %s

// --check-passes runs the kernel before and after the lowering: limits pass from block to block as two numbers.
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @map
  // CHECK: llvm.fadd
  // CHECK: llvm.return
  tt.func public @map(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #b>
    %0 = tt.splat %from : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>
    %1 = tt.addptr %0, %i : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>
    %x = tt.load %1 : tensor<256x!tt.ptr<f32>, #b>
    %one = arith.constant 1.000000e+00 : f32
    %program = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %program, %zero : i32
    %within = scf.if %first -> !each.limits<f32> {
      %2 = each.limits %one {operandSegmentSizes = array<i32: 1, 0>} : (f32) -> !each.limits<f32>
      scf.yield %2 : !each.limits<f32>
    } else {
      %2 = each.limits %one {operandSegmentSizes = array<i32: 0, 1>} : (f32) -> !each.limits<f32>
      scf.yield %2 : !each.limits<f32>
    }
    %clamped = each.clamp %x, %within : (tensor<256xf32, #b>, !each.limits<f32>) -> tensor<256xf32, #b>
    %y:2 = each.map %clamped, %x ({
    ^bb0(%a: f32, %c: f32):
      %sum = arith.addf %a, %one : f32
      each.yield %c, %sum : (f32, f32) -> ()
    }) {times = #each.times<3 : i32>} : (tensor<256xf32, #b>, tensor<256xf32, #b>) -> (tensor<256xf32, #b>, tensor<256xf32, #b>)
    %3 = tt.splat %to : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>
    %4 = tt.addptr %3, %i : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>
    tt.store %4, %y#1 : tensor<256x!tt.ptr<f32>, #b>
    tt.return
  }
}
