// Columns of Python's files count from 0, in its syntax trees and so in Triton's IR; what is shown counts from 1.
// RUN: cd %S && tt-opt %s --tritongpu-accelerate-matmul -o /dev/null 2>&1 | FileCheck %s --strict-whitespace
// CHECK:      Inputs/probe.py:48:9: remark: MMA version 3 acceleration not applied
// CHECK-NEXT: {{^}}        returns = collect(op, ["func.return"])
// CHECK-NEXT: {{^}}        ^
// CHECK-NEXT: Inputs/probe.py:48:9: note: Target compute capability (90)

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #blocked>) -> tensor<16x16xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<16x16xf16, #a> * tensor<16x16xf16, #b> -> tensor<16x16xf32, #blocked> loc("Inputs/probe.py":48:8)
    tt.return %d : tensor<16x16xf32, #blocked>
  }
}
