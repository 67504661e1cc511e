// RUN: tt-opt %s --nvgpu-warp-specialization 2>&1 | FileCheck %s
// RUN: tt-opt %s --nvgpu-warp-specialization="num-stages=4 dump-intermediate-steps=true" 2>/dev/null | FileCheck %s --check-prefix=SAME

// A loop that asks, one in it that does not.
// CHECK: [[@LINE+8]]:3: remark: found tt.warp_specialize, which is not done yet: all warps run the whole loop
// CHECK-NOT: remark
// SAME-LABEL: @asks
// SAME: } {tt.num_stages = 2 : i32}
// SAME: } {tt.warp_specialize}
tt.func @asks(%q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %q, %j : !tt.ptr<i32>
    } {tt.num_stages = 2 : i32}
  } {tt.warp_specialize}
  tt.return
}

// Left alone, without a word.
// SAME-LABEL: @does_not_ask
tt.func @does_not_ask(%q: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %q, %i : !tt.ptr<i32>
  }
  tt.return
}
