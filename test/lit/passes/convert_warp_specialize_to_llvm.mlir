// RUN: tt-opt %s --split-input-file --allow-unregistered-dialect --convert-warp-specialize-to-llvm --verify-diagnostics | FileCheck %s

// Warps of the kernel go on, the others wait for a task, which is a byte for each of them.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: llvm.func @two_partitions
  // CHECK:       %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK:       %[[OWN:.*]] = llvm.icmp "ult" %[[WARP]]
  // CHECK-NEXT:  llvm.cond_br %[[OWN]], ^[[BODY:.*]], ^[[WAIT:bb[0-9]+]]
  // CHECK:       ^[[WAIT]]:
  // CHECK:         "llvm.nvvm.barrier.cta.sync.all"
  // CHECK:         %[[TASK:.*]] = llvm.load {{.*}} -> i8
  // CHECK-NEXT:    llvm.switch %[[TASK]] : i8, ^[[IDLE:bb[0-9]+]] [
  // CHECK-NEXT:      0: ^[[FIRST:bb[0-9]+]],
  // CHECK-NEXT:      1: ^[[SECOND:bb[0-9]+]],
  // CHECK-NEXT:      2: ^[[EXIT:bb[0-9]+]]
  // CHECK:       ^[[IDLE]]:
  // CHECK-COUNT-2: "llvm.nvvm.barrier.cta.sync.all"
  // CHECK-NEXT:    llvm.br ^[[WAIT]] {loop_annotation
  // CHECK:       ^[[EXIT]]:
  // CHECK-NEXT:    llvm.return
  // Each partition has the barrier of its warps; one warp alone needs none of the CTA's.
  // CHECK:       ^[[FIRST]]:
  // CHECK:         %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK-NEXT:    %[[THREADS:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[TWO]], %[[THREADS]])
  // CHECK-NEXT:    "first"
  // CHECK:         "llvm.nvvm.barrier.cta.sync.all"
  // CHECK-NEXT:    llvm.br ^[[WAIT]]
  // CHECK:       ^[[SECOND]]:
  // CHECK:         nvvm.bar.warp.sync
  // CHECK:       ^[[BODY]]:
  // CHECK-NEXT:    "before"
  // The tasks of warps 4 to 7: 0, 0, 1 and none.
  // CHECK:         llvm.mlir.constant(0 : i8)
  // CHECK:         llvm.mlir.constant(0 : i8)
  // CHECK:         llvm.mlir.constant(1 : i8)
  // CHECK:         llvm.mlir.constant(-1 : i8)
  // CHECK-COUNT-2: "llvm.nvvm.barrier.cta.sync.all"
  // CHECK:         %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK-NEXT:    %[[ALL:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[ZERO]], %[[ALL]])
  // CHECK-NEXT:    %[[X:.*]] = "default"
  // CHECK:         "llvm.nvvm.barrier.cta.sync.all"
  // CHECK-NEXT:    llvm.br ^[[AFTER:bb[0-9]+]](%[[X]] : i32)
  // CHECK:       ^[[AFTER]](%[[Y:.*]]: i32):
  // CHECK-NEXT:    "after"(%[[Y]])
  // CHECK:         llvm.mlir.constant(2 : i8)
  // CHECK:         "llvm.nvvm.barrier.cta.sync.all"
  // CHECK-NEXT:    llvm.return
  llvm.func @two_partitions() attributes {allocation.offset = 32 : i32} {
    "before"() : () -> ()
    %0 = ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 6>}
    default {
      nvvm.barrier0
      %x = "default"() : () -> i32
      ttg.warp_yield %x : i32
    }
    partition0() num_warps(2) {
      nvvm.barrier0
      "first"() : () -> ()
      ttg.warp_return
    }
    partition1() num_warps(1) {
      nvvm.barrier0
      ttg.warp_return
    } : () -> i32
    "after"(%0) : (i32) -> ()
    llvm.return
  }

  // Left alone: no warps are specialized.
  // CHECK-LABEL: llvm.func @plain
  // CHECK-NEXT: nvvm.barrier0
  // CHECK-NEXT: llvm.return
  llvm.func @plain() {
    nvvm.barrier0
    llvm.return
  }
}

// -----

// What follows from parameters is computed again, anything else goes through memory; registers move.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32, ttg.maxnreg = 168 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: llvm.func @captures
  // CHECK-SAME:  %[[N:arg0]]: i32
  // CHECK:       nvvm.setmaxregister decrease 80
  // CHECK:       nvvm.setmaxregister decrease 24
  // CHECK:       %[[PLACE:.*]] = llvm.getelementptr %{{.*}}[0, 0] {{.*}} !llvm.struct<packed (i64)>
  // CHECK-NEXT:  %[[LOADED:.*]] = llvm.load %[[PLACE]] {alignment = 1 : i64} : !llvm.ptr<3> -> i64
  // CHECK:       %[[SUM:.*]] = llvm.add %[[N]], %[[N]] : i32
  // CHECK-NEXT:  "partition"(%[[N]], %[[SUM]], %[[LOADED]])
  // CHECK:       nvvm.setmaxregister increase 80
  // CHECK:       nvvm.setmaxregister increase 256
  // CHECK-NEXT:  llvm.add
  // CHECK:       llvm.store %{{.*}} {alignment = 1 : i64} : i64, !llvm.ptr<3>
  // CHECK:       nvvm.setmaxregister decrease 200
  // CHECK:       "default"
  // CHECK:       nvvm.setmaxregister increase 256
  llvm.func @captures(%n: i32, %p: !llvm.ptr<1>) attributes {allocation.offset = 32 : i32, nvvm.kernel} {
    %sum = llvm.add %n, %n : i32
    %x = llvm.load %p : !llvm.ptr<1> -> i64
    ttg.warp_specialize(%n, %sum, %x) attributes {allocation.offset = 8 : i32, actualRegisters = array<i32: 200, 24>, requestedRegisters = array<i32: 24>, warpGroupStartIds = array<i32: 4>}
    default {
      "default"() : () -> ()
      ttg.warp_yield
    }
    partition0(%a: i32, %b: i32, %c: i64) num_warps(4) {
      "partition"(%a, %b, %c) : (i32, i32, i64) -> ()
      ttg.warp_return
    } : (i32, i32, i64) -> ()
    llvm.return
  }
}

// -----

// Edge case: a default region that does not end, and no warps beyond those of partitions.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 5 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: llvm.func @forever
  // CHECK:      "default"
  // CHECK-NEXT: llvm.br
  // CHECK-NEXT: ^{{bb[0-9]+}}(%[[X:.*]]: i32): // no predecessors
  // CHECK-NEXT: "after"(%[[X]])
  llvm.func @forever() attributes {allocation.offset = 0 : i32} {
    %0 = ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      llvm.br ^loop
    ^loop:
      "default"() : () -> ()
      llvm.br ^loop
    }
    partition0() num_warps(1) {
      ttg.warp_return
    } : () -> i32
    "after"(%0) : (i32) -> ()
    llvm.return
  }
}

// -----

// As Triton's lowering leaves it: captures and results have types of ttg, cast from those of llvm and back.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
!buffer = !ttg.memdesc<8xi64, #shared, #smem, mutable>
!lowered = !llvm.struct<(ptr<3>, i32)>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: llvm.func @casts
  // CHECK:       %[[LOADED:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<3> -> !llvm.struct<(ptr<3>, i32)>
  // CHECK:       "partition"(%[[LOADED]]) : (!llvm.struct<(ptr<3>, i32)>) -> ()
  // CHECK:       %[[X:.*]] = "default"() : () -> !llvm.struct<(f32)>
  // CHECK:       llvm.br ^[[AFTER:bb[0-9]+]](%[[X]] : !llvm.struct<(f32)>)
  // CHECK:       ^[[AFTER]](%[[Y:.*]]: !llvm.struct<(f32)>):
  // CHECK-NEXT:  "after"(%[[Y]])
  // CHECK-NOT:   unrealized_conversion_cast
  llvm.func @casts(%p: !llvm.ptr<1>) attributes {allocation.offset = 32 : i32, nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr<1> -> !lowered
    %1 = builtin.unrealized_conversion_cast %0 : !lowered to !buffer
    %2 = ttg.warp_specialize(%1) attributes {allocation.offset = 8 : i32, warpGroupStartIds = array<i32: 4>}
    default {
      %x = "default"() : () -> !llvm.struct<(f32)>
      %t = builtin.unrealized_conversion_cast %x : !llvm.struct<(f32)> to tensor<128xf32, #blocked>
      ttg.warp_yield %t : tensor<128xf32, #blocked>
    }
    partition0(%b: !buffer) num_warps(4) {
      %l = builtin.unrealized_conversion_cast %b : !buffer to !lowered
      "partition"(%l) : (!lowered) -> ()
      ttg.warp_return
    } : (!buffer) -> tensor<128xf32, #blocked>
    %3 = builtin.unrealized_conversion_cast %2 : tensor<128xf32, #blocked> to !llvm.struct<(f32)>
    "after"(%3) : (!llvm.struct<(f32)>) -> ()
    llvm.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  // expected-error @below {{has no 'ttg.total-num-warps': run tritongpu-allocate-warp-groups}}
  llvm.func @no_groups() {
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(1) {
      ttg.warp_return
    } : () -> ()
    llvm.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @other_warps() attributes {allocation.offset = 0 : i32} {
    // expected-error @below {{found warps 6 to 9 for a partition; 4 to 7 are there}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 6>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    llvm.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32} {
  tt.func @not_lowered() {
    // expected-error @below {{convert-triton-gpu-to-llvm lowers ttg.warp_specialize, together with its kernel}}
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

module attributes {"ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 8 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  // expected-error @below {{needs an llvm.mlir.global @global_smem with addr_space 3}}
  llvm.func @memory_elsewhere() attributes {allocation.offset = 0 : i32} {
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    llvm.return
  }
}
