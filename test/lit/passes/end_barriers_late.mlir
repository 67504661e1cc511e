// RUN: tt-opt %s --ttkit-end-barriers-late | FileCheck %s

#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // The product's arrival at %empty is sure behind the wait; what a later loop's barriers are for stays before it.
  // CHECK-LABEL: tt.func @one_after_the_other
  tt.func @one_after_the_other(%done: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %x: !tt.ptr<i32>) {
    %phase = arith.constant 0 : i32
    %empty = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.init_barrier %empty, 1 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttg.warp_specialize(%empty) attributes {}
    default {
      ttg.warp_yield
    }
    partition0(%e: !ttg.memdesc<1xi64, #bars, #smem, mutable>) num_warps(4) {
      ttng.tc_gen5_commit %e : !ttg.memdesc<1xi64, #bars, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #bars, #smem, mutable>) -> ()
    // CHECK:      ttng.tc_gen5_commit
    // CHECK-NEXT: ttg.warp_return
    // CHECK-NEXT: }
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: ttng.inval_barrier
    // CHECK-NEXT: ttg.local_dealloc
    // CHECK-NEXT: tt.store
    ttng.inval_barrier %empty : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttg.local_dealloc %empty : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.wait_barrier %done, %phase : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    tt.store %x, %phase : !tt.ptr<i32>
    // CHECK:      ttg.warp_specialize
    // CHECK:      ttng.wait_barrier
    ttg.warp_specialize() attributes {}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    ttng.wait_barrier %done, %phase : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    tt.return
  }
  // The last commit is for %empty, which no wait is for: the partition waits for a commit of its own.
  // CHECK-LABEL: tt.func @last_commit_without_wait
  tt.func @last_commit_without_wait(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %done = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.init_barrier %done, 1 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    %empty = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.init_barrier %empty, 1 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttg.warp_specialize(%done, %empty, %n) attributes {}
    default {
      ttg.warp_yield
    }
    // CHECK:      partition0(
    // CHECK:        scf.for
    // CHECK:        }
    // CHECK:        %[[BARS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64
    // CHECK:        ttng.init_barrier
    // CHECK:        %[[BAR:.*]] = ttg.memdesc_index %[[BARS]]
    // CHECK-NEXT:   ttng.tc_gen5_commit %[[BAR]]
    // CHECK:        ttng.wait_barrier %[[BAR]], %c0
    // CHECK-NEXT:   ttng.inval_barrier %[[BAR]]
    // CHECK-NEXT:   ttg.local_dealloc %[[BARS]]
    // CHECK-NEXT:   ttg.warp_return
    partition0(%d: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %e: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %m: i32) num_warps(1) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      scf.for %i = %zero to %m step %one : i32 {
        ttng.tc_gen5_commit %d : !ttg.memdesc<1xi64, #bars, #smem, mutable>
        ttng.tc_gen5_commit %e : !ttg.memdesc<1xi64, #bars, #smem, mutable>
      }
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #bars, #smem, mutable>, !ttg.memdesc<1xi64, #bars, #smem, mutable>, i32) -> ()
    ttng.inval_barrier %empty : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.wait_barrier %done, %c0 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    tt.return
  }
}
