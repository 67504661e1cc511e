// What upstream's passes may do with ttg operations, given their memory effects and regions.
// RUN: tt-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tt-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: tt-opt %s --sccp --canonicalize | FileCheck %s --check-prefix=SCCP
// RUN: tt-opt %s --remove-dead-values | FileCheck %s --check-prefix=DEAD

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!t = tensor<64x64xf16, #blocked>
!u = tensor<64x64xf16, #blocked1>
!view = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!const = !ttg.memdesc<64x64xf16, #shared, #smem>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Views and conversions are pure, loads are equal until a store, and each allocation is its own memory.
// CSE-LABEL: tt.func @equal_operations
// CSE-COUNT-1: ttg.convert_layout
// CSE-NOT: ttg.convert_layout
// CSE-COUNT-2: ttg.local_alloc
// CSE-NOT: ttg.local_alloc
// CSE-COUNT-1: ttg.memdesc_index
// CSE-NOT: ttg.memdesc_index
// CSE-COUNT-1: ttg.local_load
// CSE-NOT: ttg.local_load
// CSE: ttg.local_store
// CSE-COUNT-1: ttg.local_load
// CSE-NOT: ttg.local_load
// CSE: tt.return
tt.func @equal_operations(%x: !t, %ring: !ring, %i: i32) -> (!u, !t, !t, !t, !view, !view) {
  %0 = ttg.convert_layout %x : !t -> !u
  %1 = ttg.convert_layout %x : !t -> !u
  %sum = arith.addf %0, %1 : !u
  %a = ttg.local_alloc %x : (!t) -> !view
  %b = ttg.local_alloc %x : (!t) -> !view
  %m0 = ttg.memdesc_index %ring[%i] : !ring -> !view
  %m1 = ttg.memdesc_index %ring[%i] : !ring -> !view
  %l0 = ttg.local_load %m0 : !view -> !t
  %l1 = ttg.local_load %m1 : !view -> !t
  ttg.local_store %x, %a : !t -> !view
  %l2 = ttg.local_load %m1 : !view -> !t
  tt.return %sum, %l0, %l1, %l2, %a, %b : !u, !t, !t, !t, !view, !view
}

// LICM-LABEL: tt.func @invariant
// LICM-DAG: ttg.convert_layout
// LICM-DAG: ttg.memdesc_index
// LICM: scf.for
// LICM-NOT: ttg.convert_layout
// LICM-NOT: ttg.memdesc_index
// LICM: ttg.local_alloc
// LICM: ttg.local_load
// LICM: tt.return
tt.func @invariant(%x: !t, %n: i32, %ring: !ring, %q: tensor<64x64x!tt.ptr<f16>, #blocked1>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = ttg.convert_layout %x : !t -> !u
    %a = ttg.local_alloc %x : (!t) -> !view
    %m = ttg.memdesc_index %ring[%c0] : !ring -> !view
    %l = ttg.local_load %m : !view -> !u
    ttg.local_store %0, %a : !u -> !view
    tt.store %q, %l : tensor<64x64x!tt.ptr<f16>, #blocked1>
  }
  tt.return
}

// Constants pass through what a default region yields, and do not enter partitions.
// SCCP-LABEL: tt.func @constants
// SCCP: %[[SUM:.*]] = arith.constant 12 : i32
// SCCP: ttg.warp_specialize(%{{.*}}, %{{.*}})
// SCCP: default {
// SCCP-NEXT: ttg.warp_yield
// SCCP-NEXT: }
// SCCP-NEXT: partition0(%[[CAPTURE:[a-z0-9]*]]: i32,
// SCCP-NEXT: arith.addi %[[CAPTURE]], %[[CAPTURE]]
// SCCP: } : (i32, !tt.ptr<i32>) -> ()
// SCCP-NEXT: tt.return %[[SUM]]
tt.func @constants(%p: !tt.ptr<i32>) -> i32 {
  %c = arith.constant 4 : i32
  %r = ttg.warp_specialize(%c, %p)
  default {
    %2 = arith.addi %c, %c : i32
    ttg.warp_yield %2 : i32
  }
  partition0(%a: i32, %b: !tt.ptr<i32>) num_warps(4) {
    %2 = arith.addi %a, %a : i32
    tt.store %b, %2 : !tt.ptr<i32>
    ttg.warp_return
  } : (i32, !tt.ptr<i32>) -> i32
  %s = arith.addi %r, %c : i32
  tt.return %s : i32
}

// Partitions run, though nothing in the default region uses what they do.
// DEAD-LABEL: tt.func public @partition
// DEAD: partition0
// DEAD-NEXT: tt.store
tt.func public @partition(%p: !tt.ptr<i32>, %x: i32) {
  ttg.warp_specialize(%p, %x)
  default {
    ttg.warp_yield
  }
  partition0(%q: !tt.ptr<i32>, %y: i32) num_warps(4) {
    tt.store %q, %y : !tt.ptr<i32>
    ttg.warp_return
  } : (!tt.ptr<i32>, i32) -> ()
  tt.return
}
}
