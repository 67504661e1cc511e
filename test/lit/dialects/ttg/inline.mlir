// RUN: tt-opt %s --inline | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func private @set_up(%b: !barrier) {
    ttng.init_barrier %b, 1 : !barrier
    tt.return
  }

  tt.func private @twice(%x: i32) -> i32 {
    %0 = arith.addi %x, %x : i32
    tt.return %0 : i32
  }

  tt.func private @split(%x: i32) -> i32 {
    %0 = ttg.warp_specialize(%x)
    default {
      ttg.warp_yield %x : i32
    }
    partition0(%y: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> i32
    tt.return %0 : i32
  }

  // Calls in the regions of a warp specialization, of operations of ttng too.
  // CHECK-NOT: tt.func private
  // CHECK-LABEL: tt.func public @regions
  // CHECK:      ttg.warp_specialize
  // CHECK-NEXT: default {
  // CHECK-NEXT:   ttng.init_barrier
  // CHECK:      partition0
  // CHECK-NEXT:   ttng.init_barrier
  // CHECK-NEXT:   arith.addi
  // CHECK-NOT:  tt.call
  tt.func public @regions(%b: !barrier, %x: i32, %p: !tt.ptr<i32>) {
    ttg.warp_specialize(%b, %x, %p)
    default {
      tt.call @set_up(%b) : (!barrier) -> ()
      ttg.warp_yield
    }
    partition0(%c: !barrier, %y: i32, %q: !tt.ptr<i32>) num_warps(4) {
      tt.call @set_up(%c) : (!barrier) -> ()
      %z = tt.call @twice(%y) : (i32) -> i32
      tt.store %q, %z : !tt.ptr<i32>
      ttg.warp_return
    } : (!barrier, i32, !tt.ptr<i32>) -> ()
    tt.return
  }

  // A warp specialization that is inlined itself.
  // CHECK-LABEL: tt.func public @whole
  // CHECK-NEXT: %[[R:.*]] = ttg.warp_specialize
  // CHECK: tt.store %{{.*}}, %[[R]]
  tt.func public @whole(%x: i32, %p: !tt.ptr<i32>) {
    %0 = tt.call @split(%x) : (i32) -> i32
    tt.store %p, %0 : !tt.ptr<i32>
    tt.return
  }
}
