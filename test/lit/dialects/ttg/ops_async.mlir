// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @async_copy_global_to_local
  tt.func @async_copy_global_to_local(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %mask: tensor<64x64xi1, #blocked>,
                                      %other: tensor<64x64xf16, #blocked>,
                                      %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // CHECK: ttg.async_copy_global_to_local %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %0 = ttg.async_copy_global_to_local %p, %b
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.async_copy_global_to_local %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} mask %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %p, %b mask %mask
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.async_copy_global_to_local %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} other %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %p, %b other %other
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.async_copy_global_to_local %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} mask %{{[a-z0-9_]+}} other %{{[a-z0-9_]+}} cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32, isVolatile = true}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %3 = ttg.async_copy_global_to_local %p, %b mask %mask other %other cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32, isVolatile = true}
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @prefetch
  tt.func @prefetch(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %mask: tensor<64x64xi1, #blocked>, %q: !tt.ptr<f32>) {
    // CHECK: ttg.prefetch %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : tensor<64x64x!tt.ptr<f16>, #blocked>
    ttg.prefetch %p, %mask : tensor<64x64x!tt.ptr<f16>, #blocked>
    // CHECK: ttg.prefetch %{{[a-z0-9_]+}} : !tt.ptr<f32>
    ttg.prefetch %q : !tt.ptr<f32>
    tt.return
  }

  // CHECK-LABEL: @async_commit_group
  tt.func @async_commit_group(%t: !ttg.async.token) {
    // CHECK: ttg.async_commit_group
    %0 = ttg.async_commit_group
    // CHECK: ttg.async_commit_group tokens %{{.*}}
    %1 = ttg.async_commit_group tokens %t
    // CHECK: ttg.async_commit_group tokens %{{.*}}, %{{.*}}
    %2 = ttg.async_commit_group tokens %0, %1
    tt.return
  }

  // CHECK-LABEL: @async_wait
  tt.func @async_wait(%t: !ttg.async.token) {
    // CHECK: ttg.async_wait {num = 0 : i32}
    %0 = ttg.async_wait {num = 0 : i32}
    // CHECK: ttg.async_wait %{{.*}} {num = 2 : i32}
    %1 = ttg.async_wait %t {num = 2 : i32}
    // CHECK: ttg.async_wait %{{.*}}, %{{.*}} {num = 1 : i32}
    %2 = ttg.async_wait %0, %1 {num = 1 : i32}
    tt.return
  }

  // CHECK-LABEL: @local_barrier
  tt.func @local_barrier() {
    // CHECK: ttg.local_barrier
    ttg.local_barrier
    tt.return
  }

  // All five kinds of accesses are called all.
  // CHECK-LABEL: @barrier
  tt.func @barrier() {
    // CHECK: ttg.barrier local
    ttg.barrier local
    // CHECK: ttg.barrier none
    ttg.barrier none
    // CHECK: ttg.barrier all
    ttg.barrier all
    // CHECK: ttg.barrier global_read|global_write {tag}
    ttg.barrier global_read|global_write {tag}
    // CHECK: ttg.barrier tensor_read|tensor_write
    ttg.barrier tensor_read|tensor_write
    // CHECK: ttg.barrier all
    ttg.barrier tensor_write|tensor_read|global_write|global_read|local
    tt.return
  }
}
