// RUN: tt-opt %s -split-input-file --tritongpu-allocate-warp-groups | FileCheck %s

// Partitions are numbered largest first and filled up to whole groups; the default region gets the registers left over.
// CHECK: module attributes {ttg.maxnreg = 168 : i32, "ttg.num-warps" = 4 : i32, {{.*}}"ttg.total-num-warps" = 12 : i32}
// CHECK-LABEL: @groups
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @groups(%x: i32) {
    // CHECK: ttg.warp_specialize(%arg0) attributes
    // CHECK-SAME: actualRegisters = array<i32: 432, 24, 48, 24, 24>
    // CHECK-SAME: requestedRegisters = array<i32: 24, 48, 16, 16>
    // CHECK-SAME: warpGroupStartIds = array<i32: 10, 4, 8, 11>
    ttg.warp_specialize(%x) attributes {requestedRegisters = array<i32: 24, 48>}
    default {
      ttg.warp_yield
    }
    partition0(%a: i32) num_warps(1) {
      ttg.warp_return
    }
    partition1(%a: i32) num_warps(4) {
      ttg.warp_return
    // CHECK: partition2(%arg1: i32) num_warps(2) {
    // CHECK: partition3(%arg1: i32) num_warps(1) {
    } : (i32) -> ()
    tt.return
  }
}

// -----

// The second one is padded with a group that only returns: it gets the fewest registers that setmaxnreg takes.
// CHECK-LABEL: @idle_group
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @idle_group() {
    // CHECK: ttg.warp_specialize() attributes {actualRegisters = array<i32: {{[0-9]+}}, 88, 88>
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 88, 88>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    }
    partition1() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    // CHECK: ttg.warp_specialize() attributes {actualRegisters = array<i32: {{[0-9]+}}, 88, 24>
    // CHECK-SAME: requestedRegisters = array<i32: 88, 16>
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 88>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

// No registers are requested: only the warps are numbered.
// CHECK: module attributes {"ttg.num-warps" = 4 : i32, {{.*}}"ttg.total-num-warps" = 8 : i32}
// CHECK-LABEL: @numbers
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @numbers() {
    // CHECK: ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

// Left alone, edge case: a kernel whose warps all do the same.
// CHECK: module attributes {"ttg.num-warps" = 8 : i32, {{.*}}"ttg.total-num-warps" = 8 : i32}
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @plain
  tt.func public @plain() {
    tt.return
  }
}
