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
    // CHECK:      ttg.warp_return
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
}
