// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // What no partition uses is not captured.
  // CHECK-LABEL: @unused_capture
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}})
  // CHECK: default {
  // CHECK: ttg.warp_yield
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> ()
  // CHECK: tt.return
  tt.func @unused_capture(%x: i32, %y: f32, %p: !tt.ptr<i32>) {
    ttg.warp_specialize(%x, %y, %p)
    default { ttg.warp_yield }
    partition0(%a: i32, %b: f32, %c: !tt.ptr<i32>) num_warps(4) {
      tt.store %c, %a : !tt.ptr<i32>
      ttg.warp_return } : (i32, f32, !tt.ptr<i32>) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // What is captured twice is captured once.
  // CHECK-LABEL: @duplicate_capture
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}})
  // CHECK: default {
  // CHECK: ttg.warp_yield
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: partition1(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(2) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> ()
  // CHECK: tt.return
  tt.func @duplicate_capture(%x: i32, %p: !tt.ptr<i32>) {
    ttg.warp_specialize(%x, %p, %x)
    default { ttg.warp_yield }
    partition0(%a: i32, %b: !tt.ptr<i32>, %c: i32) num_warps(4) {
      %0 = arith.addi %a, %c : i32
      tt.store %b, %0 : !tt.ptr<i32>
      ttg.warp_return }
    partition1(%a: i32, %b: !tt.ptr<i32>, %c: i32) num_warps(2) {
      tt.store %b, %c : !tt.ptr<i32>
      ttg.warp_return } : (i32, !tt.ptr<i32>, i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_result
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}}) attributes {requestedRegisters = array<i32: 24>}
  // CHECK: default {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_yield %{{.*}} : f32
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> f32
  // CHECK: tt.return %{{.*}} : f32
  tt.func @unused_result(%x: i32, %y: f32, %p: !tt.ptr<i32>) -> f32 {
    %0:3 = ttg.warp_specialize(%x, %p) attributes {requestedRegisters = array<i32: 24>}
    default {
      tt.store %p, %x : !tt.ptr<i32>
      ttg.warp_yield %x, %y, %x : i32, f32, i32 }
    partition0(%a: i32, %c: !tt.ptr<i32>) num_warps(4) {
      tt.store %c, %a : !tt.ptr<i32>
      ttg.warp_return } : (i32, !tt.ptr<i32>) -> (i32, f32, i32)
    tt.return %0#1 : f32
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_result_of_several_yields
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}})
  // CHECK: default {
  // CHECK: cf.cond_br %{{.*}}, ^bb1, ^bb2
  // CHECK: ^bb1:  // pred: ^bb0
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_yield
  // CHECK: ^bb2:  // pred: ^bb0
  // CHECK: ttg.warp_yield
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> ()
  // CHECK: tt.return
  tt.func @unused_result_of_several_yields(%q: i1, %x: i32, %p: !tt.ptr<i32>) {
    %0 = ttg.warp_specialize(%x, %p)
    default {
      cf.cond_br %q, ^bb1, ^bb2
    ^bb1:
      tt.store %p, %x : !tt.ptr<i32>
      ttg.warp_yield %x : i32
    ^bb2:
      ttg.warp_yield %x : i32
    }
    partition0(%a: i32, %c: !tt.ptr<i32>) num_warps(4) {
      tt.store %c, %a : !tt.ptr<i32>
      ttg.warp_return } : (i32, !tt.ptr<i32>) -> i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @no_effects
  // CHECK: tt.return
  tt.func @no_effects(%x: i32) {
    %0 = ttg.warp_specialize(%x)
    default {
      ttg.warp_yield %x : i32 }
    partition0(%a: i32) num_warps(4) {
      %1 = arith.addi %a, %a : i32
      ttg.warp_return } : (i32) -> i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @left_alone
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}})
  // CHECK: default {
  // CHECK: tt.load %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_yield %{{.*}} : i32
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> i32
  // CHECK: tt.return %{{.*}} : i32
  tt.func @left_alone(%x: i32, %p: !tt.ptr<i32>) -> i32 {
    %0 = ttg.warp_specialize(%x, %p)
    default {
      %1 = tt.load %p : !tt.ptr<i32>
      ttg.warp_yield %1 : i32 }
    partition0(%a: i32, %c: !tt.ptr<i32>) num_warps(4) {
      tt.store %c, %a : !tt.ptr<i32>
      ttg.warp_return } : (i32, !tt.ptr<i32>) -> i32
    tt.return %0 : i32
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @constant_capture_left_alone
  // CHECK: arith.constant 1 : i32
  // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}})
  // CHECK: default {
  // CHECK: ttg.warp_yield
  // CHECK: partition0(%{{.*}}: i32, %{{.*}}: !tt.ptr<i32>) num_warps(4) {
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
  // CHECK: ttg.warp_return
  // CHECK: } : (i32, !tt.ptr<i32>) -> ()
  // CHECK: tt.return
  tt.func @constant_capture_left_alone(%p: !tt.ptr<i32>) {
    %c = arith.constant 1 : i32
    ttg.warp_specialize(%c, %p)
    default { ttg.warp_yield }
    partition0(%a: i32, %b: !tt.ptr<i32>) num_warps(4) {
      %1 = arith.addi %a, %a : i32
      tt.store %b, %1 : !tt.ptr<i32>
      ttg.warp_return } : (i32, !tt.ptr<i32>) -> ()
    tt.return
  }
}
