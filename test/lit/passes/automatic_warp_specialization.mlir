// RUN: tt-opt %s --tritongpu-automatic-warp-specialization --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @asks
// CHECK: } {tt.num_stages = 2 : i32}
// CHECK: } {tt.warp_specialize}
tt.func @asks(%q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{found tt.warp_specialize, which is not done on Blackwell: all warps run the whole loop}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    } {tt.num_stages = 2 : i32}
  } {tt.warp_specialize}
  tt.return
}
