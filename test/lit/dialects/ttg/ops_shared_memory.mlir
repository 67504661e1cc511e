// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Empty and filled, with an alignment, in every kind of shared-memory layout.
  // CHECK-LABEL: @local_alloc
  tt.func @local_alloc(%x: tensor<64x64xf16, #blocked>, %y: tensor<64x64xf16>) {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc {alignment = 128 : i32} : () -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %1 = ttg.local_alloc {alignment = 128 : i32} : () -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    // CHECK: ttg.local_alloc %{{.*}} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    // CHECK: ttg.local_alloc %{{[a-z0-9_]+}} {alignment = 16 : i32, allocation.offset = 0 : i32}
    // CHECK-SAME: : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %3 = ttg.local_alloc %x {alignment = 16 : i32, allocation.offset = 0 : i32}
        : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    // CHECK: ttg.local_alloc %{{.*}} : (tensor<64x64xf16>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %4 = ttg.local_alloc %y : (tensor<64x64xf16>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }

  // CHECK-LABEL: @local_dealloc
  tt.func @local_dealloc(%b: !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>) {
    // CHECK: ttg.local_dealloc %{{.*}} : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %b : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @local_load
  tt.func @local_load(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %v: !ttg.memdesc<32x64xf16, #shared, #smem, 64x64>,
                      %token: !ttg.async.token) {
    // CHECK: ttg.local_load %{{.*}} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    // CHECK: ttg.local_load %{{[a-z0-9_]+}} token %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_load %b token %token
        : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    // CHECK: ttg.local_load %{{.*}} : !ttg.memdesc<32x64xf16, #shared, #smem, 64x64> -> tensor<32x64xf16>
    %2 = ttg.local_load %v : !ttg.memdesc<32x64xf16, #shared, #smem, 64x64> -> tensor<32x64xf16>
    tt.return
  }

  // CHECK-LABEL: @local_store
  tt.func @local_store(%x: tensor<64x64xf16, #blocked>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                       %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                       %q: !ttg.memdesc<64x64x!tt.ptr<f16>, #shared, #smem, mutable>) {
    // CHECK: ttg.local_store %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_store %x, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_store %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked>
    // CHECK-SAME: -> !ttg.memdesc<64x64x!tt.ptr<f16>, #shared, #smem, mutable>
    ttg.local_store %p, %q
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> !ttg.memdesc<64x64x!tt.ptr<f16>, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @local_gather
  tt.func @local_gather(%b: !ttg.memdesc<128x64xf16, #shared, #smem>, %i: tensor<64x64xi32, #blocked>,
                        %token: !ttg.async.token) {
    // CHECK: ttg.local_gather %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] {axis = 0 : i32}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem>, tensor<64x64xi32, #blocked>
    // CHECK-SAME: -> tensor<64x64xf16, #blocked>
    %0 = ttg.local_gather %b[%i] {axis = 0 : i32}
        : !ttg.memdesc<128x64xf16, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
    // CHECK: ttg.local_gather %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}] token %{{[a-z0-9_]+}} {axis = 1 : i32}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem>, tensor<64x64xi32, #blocked>
    // CHECK-SAME: -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_gather %b[%i] token %token {axis = 1 : i32}
        : !ttg.memdesc<128x64xf16, #shared, #smem>, tensor<64x64xi32, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return
  }

  // CHECK-LABEL: @local_scatter
  tt.func @local_scatter(%b: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %i: tensor<64x64xi32, #blocked>,
                         %x: tensor<64x64xf16, #blocked>, %token: !ttg.async.token) {
    // CHECK: ttg.local_scatter %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}} {axis = 0 : i32}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>,
    // CHECK-SAME: tensor<64x64xf16, #blocked>
    ttg.local_scatter %b[%i], %x {axis = 0 : i32}
        : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf16, #blocked>
    // CHECK: ttg.local_scatter %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}} token %{{[a-z0-9_]+}} {axis = 1 : i32}
    // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>,
    // CHECK-SAME: tensor<64x64xf16, #blocked>
    ttg.local_scatter %b[%i], %x token %token {axis = 1 : i32}
        : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xf16, #blocked>
    tt.return
  }

  // CHECK-LABEL: @local_atomic_scatter_rmw
  tt.func @local_atomic_scatter_rmw(%b: !ttg.memdesc<128x64xi32, #shared, #smem, mutable>, %i: tensor<64x64xi32, #blocked>,
                                    %x: tensor<64x64xi32, #blocked>, %m: tensor<64x64xi1, #blocked>) {
    // CHECK: ttg.local_atomic_scatter_rmw add, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}} {axis = 0 : i32}
    // CHECK-SAME: : (!ttg.memdesc<128x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>)
    // CHECK-SAME: -> tensor<64x64xi32, #blocked>
    %0 = ttg.local_atomic_scatter_rmw add, %b[%i], %x {axis = 0 : i32}
        : (!ttg.memdesc<128x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>)
        -> tensor<64x64xi32, #blocked>
    // CHECK: ttg.local_atomic_scatter_rmw exch, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}], %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} {axis = 1 : i32}
    %1 = ttg.local_atomic_scatter_rmw exch, %b[%i], %x, %m {axis = 1 : i32}
        : (!ttg.memdesc<128x64xi32, #shared, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>,
           tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
    tt.return
  }

  // CHECK-LABEL: @global_scratch_alloc
  tt.func @global_scratch_alloc() {
    // CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 1024 : i32} : !tt.ptr<i8>
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 1024 : i32} : !tt.ptr<i8>
    tt.return
  }
}
