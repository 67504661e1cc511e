// RUN: tt-opt %s --ttkit-cluster-barriers-of-groups | FileCheck %s

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [0, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1], [0, 0]]}>
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1, CGALayout = [[1, 0], [0, 0]], twoCTAs = true>
#smem = #ttg.shared_memory
!ma = !ttg.memdesc<256x64xf16, #a, #smem, mutable>
!mb = !ttg.memdesc<64x32xf16, #b, #smem, mutable>
!acc = !ttg.memdesc<256x32xf32, #acc, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  // All four CTAs come to the barrier of the group; its number of CTAs arrive.
  // CHECK-LABEL: @barrier
  tt.func public @barrier(%n: i32) {
    // CHECK: %[[ALL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<4xi64,
    // CHECK-NEXT: ttng.init_barrier %[[ALL]], 4
    // CHECK: %[[PHASE:.*]] = ttg.local_alloc %{{.*}} : (tensor<1xi32, {{.*}}>) -> !ttg.memdesc<1xi32,
    // CHECK: ttg.warp_specialize(%{{.*}}, %[[ALL]], %[[PHASE]])
    ttg.warp_specialize(%n)
    default {
      ttg.warp_yield
    }
    // CHECK: partition0(%{{.*}}: i32, %[[OWN:.*]]: !ttg.memdesc<4xi64{{.*}}, %[[NEXT:.*]]: !ttg.memdesc<1xi32
    partition0(%m: i32) num_warps(2) {
      // CHECK: ttg.local_barrier
      // CHECK-NEXT: %[[LOADED:.*]] = ttg.local_load %[[NEXT]]
      // CHECK-NEXT: %[[PARITY:.*]] = tt.unsplat %[[LOADED]]
      // CHECK-NEXT: ttng.arrive_barrier %[[OWN]], 1 {multicastCTA = 3 : i32}
      // CHECK-NEXT: ttng.wait_barrier %[[OWN]], %[[PARITY]]
      // CHECK: arith.xori %[[PARITY]]
      // CHECK: ttg.local_store %{{.*}}, %[[NEXT]]
      // CHECK-NOT: ttng.cluster_barrier
      ttng.cluster_barrier
      // CHECK: ttg.warp_return
      ttg.warp_return
    } : (i32) -> ()
    // CHECK: -> ()
    // CHECK-NEXT: ttng.inval_barrier %[[ALL]]
    tt.return
  }

  // Two CTAs multiply together, and wait for each other before.
  // CHECK-LABEL: @product
  tt.func public @product(%x: !ma, %y: !mb, %d: !acc) {
    // CHECK: ttng.init_barrier %{{.*}}, 2
    ttg.warp_specialize(%x, %y, %d)
    default {
      ttg.warp_yield
    }
    partition0(%a: !ma, %b: !mb, %c: !acc) num_warps(1) {
      %true = arith.constant true
      // CHECK: ttng.arrive_barrier %{{.*}}, 1 {multicastCTA = 1 : i32}
      // CHECK: ttng.tc_gen5_mma
      ttng.tc_gen5_mma %a, %b, %c, %true, %true {two_ctas} : !ma, !mb, !acc
      ttg.warp_return
    } : (!ma, !mb, !acc) -> ()
    tt.return
  }

  // Left alone: all warps come to these.
  // CHECK-LABEL: @outside
  tt.func public @outside(%a: !ma, %b: !mb, %c: !acc) {
    %true = arith.constant true
    // CHECK: ttng.cluster_barrier
    // CHECK-NEXT: ttng.tc_gen5_mma
    ttng.cluster_barrier
    ttng.tc_gen5_mma %a, %b, %c, %true, %true {two_ctas} : !ma, !mb, !acc
    tt.return
  }
}
