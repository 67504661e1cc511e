// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Captures, results, attributes; a tensor in a partition has a layout for the partition's warps.
  // CHECK-LABEL: @warp_specialize
  tt.func @warp_specialize(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %x: i32) {
    // CHECK: ttg.warp_specialize(%{{.*}}, %{{.*}}) attributes {actualRegisters = array<i32: 152, 24, 40>, requestedRegisters = array<i32: 24, 40>, warpGroupStartIds = array<i32: 4, 8>}
    %0 = ttg.warp_specialize(%b, %x) attributes {actualRegisters = array<i32: 152, 24, 40>, requestedRegisters = array<i32: 24, 40>, warpGroupStartIds = array<i32: 4, 8>}
    // CHECK: default {
    default {
      // CHECK: ttg.warp_yield %{{.*}} : i32
      ttg.warp_yield %x : i32
    }
    // CHECK: partition0(%{{.*}}: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %{{.*}}: i32) num_warps(4) {
    partition0(%arg2: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg3: i32) num_warps(4) {
      // CHECK: ttg.warp_return
      ttg.warp_return
    }
    // CHECK: partition1(%{{.*}}: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %{{.*}}: i32) num_warps(1) {
    partition1(%arg2: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg3: i32) num_warps(1) {
      // CHECK: ttg.local_load %{{[a-z0-9_]+}}
      // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
      %1 = ttg.local_load %arg2 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
      // CHECK: ttg.warp_return
      ttg.warp_return
    } : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>, i32) -> i32
    tt.return
  }

  // CHECK-LABEL: @no_partitions
  tt.func @no_partitions() {
    // CHECK: ttg.warp_specialize()
    ttg.warp_specialize()
    // CHECK: default {
    default {
      // CHECK: ttg.warp_yield
      ttg.warp_yield
    } : () -> ()
    tt.return
  }

  // CHECK-LABEL: @several_results
  tt.func @several_results(%x: i32, %y: f32) -> (i32, f32) {
    // CHECK: ttg.warp_specialize() attributes {tag}
    %0:2 = ttg.warp_specialize() attributes {tag}
    // CHECK: default {
    default {
      // CHECK: ttg.warp_yield %{{.*}}, %{{.*}} : i32, f32
      ttg.warp_yield %x, %y : i32, f32
    }
    // CHECK: partition0() num_warps(2) {
    partition0() num_warps(2) {
      // CHECK: ttg.warp_return
      ttg.warp_return
    } : () -> (i32, f32)
    tt.return %0#0, %0#1 : i32, f32
  }

  // The default region and partitions may have several blocks.
  // CHECK-LABEL: @several_blocks
  tt.func @several_blocks(%p: i1, %x: i32) {
    // CHECK: ttg.warp_specialize(%{{.*}})
    %0 = ttg.warp_specialize(%p)
    // CHECK: default {
    default {
      cf.cond_br %p, ^bb1, ^bb2
    ^bb1:
      // CHECK: ttg.warp_yield %{{.*}} : i32
      ttg.warp_yield %x : i32
    ^bb2:
      // CHECK: ttg.warp_yield %{{.*}} : i32
      ttg.warp_yield %x : i32
    }
    // CHECK: partition0(%{{.*}}: i1) num_warps(4) {
    partition0(%arg2: i1) num_warps(4) {
      cf.br ^bb1
    ^bb1:
      // CHECK: ttg.warp_return
      ttg.warp_return
    } : (i1) -> i32
    tt.return
  }

  // CHECK-LABEL: @warp_id
  tt.func @warp_id() {
    // CHECK: ttg.warp_id
    %0 = ttg.warp_id
    // CHECK: ttg.warp_id {omitUniformHint}
    %1 = ttg.warp_id {omitUniformHint}
    tt.return
  }
}
