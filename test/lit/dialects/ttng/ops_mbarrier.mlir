// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @init_barrier
  tt.func @init_barrier(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // CHECK: ttng.init_barrier %{{.*}}, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.init_barrier %{{.*}}, 128 {tag} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %bar, 128 {tag} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @inval_barrier
  tt.func @inval_barrier(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // CHECK: ttng.inval_barrier %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // Attributes stand before the predicate.
  // CHECK-LABEL: @barrier_expect
  tt.func @barrier_expect(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %pred: i1) {
    // CHECK: ttng.barrier_expect %{{.*}}, 8192, %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 8192, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.barrier_expect %{{.*}}, 8192 {tag}, %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 8192 {tag}, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @wait_barrier
  tt.func @wait_barrier(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %phase: i32, %pred: i1,
                        %x: !ttg.memdesc<64x64xf16, #shared1, #smem>) {
    // CHECK: ttng.wait_barrier %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %bar, %phase : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.wait_barrier %{{.*}}, %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %bar, %phase, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.wait_barrier %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} deps %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem>
    ttng.wait_barrier %bar, %phase deps %x
        : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem>
    // CHECK: ttng.wait_barrier %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} deps %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {tag}
    // CHECK-SAME: : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %bar, %phase, %pred deps %x, %bar {tag}
        : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem>,
          !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @arrive_barrier
  tt.func @arrive_barrier(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %pred: i1) {
    // CHECK: ttng.arrive_barrier %{{.*}}, 2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %bar, 2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.arrive_barrier %{{.*}}, 1, %{{.*}} {tag} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %bar, 1, %pred {tag} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @async_copy_mbarrier_arrive
  tt.func @async_copy_mbarrier_arrive(%bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // CHECK: ttng.async_copy_mbarrier_arrive %{{.*}} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.async_copy_mbarrier_arrive %{{.*}} {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }
}

// As Triton writes barriers of clusters since 3.7: one for each CTA.
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @init_barrier_of_each_cta
  tt.func @init_barrier_of_each_cta(%bar: !ttg.memdesc<2xi64, #each, #smem, mutable>) {
    // CHECK: ttng.init_barrier %{{.*}}, 1 : !ttg.memdesc<2xi64, #shared{{[0-9]*}}, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<2xi64, #each, #smem, mutable>
    tt.return
  }
}
