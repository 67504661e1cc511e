// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 5}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // Of rank 2, with cache hints, and of rank 5 to a matrix.
  // CHECK-LABEL: @async_tma_copy_global_to_local
  tt.func @async_tma_copy_global_to_local(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %pred: i1,
                                          %desc5: !tt.tensordesc<tensor<1x1x1x64x64xf16, #shared2>>,
                                          %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                                          %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%i, %i] %buffer, %bar, %pred
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} cacheModifier = ca evictionPolicy = evict_last {isVolatile = true}
    // CHECK-SAME: : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%i, %i] %buffer, %bar, %pred cacheModifier = ca evictionPolicy = evict_last {isVolatile = true}
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<1x1x1x64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>
    // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc5[%i, %i, %i, %i, %i] %buffer, %bar, %pred
        : !tt.tensordesc<tensor<1x1x1x64x64xf16, #shared2>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // Of images: an offset of each dimension of space; as Triton spells the type, with and without `tensor`.
  // CHECK-LABEL: @async_tma_copy_of_images
  // CHECK-SAME: %{{[a-z0-9_]+}}: !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>, im2col>, %{{[a-z0-9_]+}}: !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>, im2col>
  tt.func @async_tma_copy_of_images(%desc: !ttng.tensordesc_im2col<64x64xf16, #shared>, %same: !ttng.tensordesc_im2col<tensor<64x64xf16, #shared>>,
                                    %i: i32, %o: i16, %pred: i1, %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                                    %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] offsets = [%{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} evictionPolicy = evict_first : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>, im2col>,
    ttng.async_tma_copy_global_to_local %desc[%i, %i, %i] offsets = [%o] %buffer, %bar, %pred evictionPolicy = evict_first
        : !ttng.tensordesc_im2col<64x64xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // CHECK: ttng.async_tma_copy_global_to_local %{{[a-z0-9_]+}}[{{.*}}] offsets = [%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}]
    ttng.async_tma_copy_global_to_local %same[%i, %i, %i, %i, %i] offsets = [%o, %o, %o] %buffer, %bar, %pred
        : !tt.tensordesc<tensor<64x64xf16, #shared>, im2col>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
          -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }

  // CHECK-LABEL: @async_tma_copy_local_to_global
  tt.func @async_tma_copy_local_to_global(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32,
                                          %buffer: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // CHECK: ttng.async_tma_copy_local_to_global %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    ttng.async_tma_copy_local_to_global %desc[%i, %i] %buffer
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }

  // CHECK-LABEL: @async_tma_reduce
  tt.func @async_tma_reduce(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32,
                            %buffer: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // CHECK: ttng.async_tma_reduce add, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    ttng.async_tma_reduce add, %desc[%i, %i] %buffer
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    // CHECK: ttng.async_tma_reduce max, %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}} {tag}
    // CHECK-SAME: : !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
    ttng.async_tma_reduce max, %desc[%i, %i] %buffer {tag}
        : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }

  // CHECK-LABEL: @async_tma_gather
  tt.func @async_tma_gather(%desc: !tt.tensordesc<tensor<1x64xf16, #shared>>,
                            %x: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, %y: i32, %pred: i1,
                            %buffer: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>,
                            %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) {
    // CHECK: ttng.async_tma_gather %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<1x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32,
    // CHECK-SAME: !ttg.memdesc<1xi64, #shared{{[0-9]*}}, #smem, mutable>,
    // CHECK-SAME: !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem, mutable>, i1
    ttng.async_tma_gather %desc[%x, %y] %buffer, %bar, %pred
        : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32,
          !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, i1
    tt.return
  }

  // CHECK-LABEL: @async_tma_scatter
  tt.func @async_tma_scatter(%desc: !tt.tensordesc<tensor<1x64xf16, #shared>>,
                             %x: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, %y: i32,
                             %buffer: !ttg.memdesc<32x64xf16, #shared, #smem>) {
    // CHECK: ttng.async_tma_scatter %{{[a-z0-9_]+}}[%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.tensordesc<tensor<1x64xf16, #shared{{[0-9]*}}>>,
    // CHECK-SAME: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32,
    // CHECK-SAME: !ttg.memdesc<32x64xf16, #shared{{[0-9]*}}, #smem>
    ttng.async_tma_scatter %desc[%x, %y] %buffer
        : !tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, i32,
          !ttg.memdesc<32x64xf16, #shared, #smem>
    tt.return
  }

  // CHECK-LABEL: @async_tma_store_wait
  tt.func @async_tma_store_wait() {
    // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // CHECK-LABEL: @reinterpret_tensor_descriptor
  tt.func @reinterpret_tensor_descriptor(%p: !tt.ptr<i8>) {
    // CHECK: ttng.reinterpret_tensor_descriptor %{{[a-z0-9_]+}}
    // CHECK-SAME: : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared{{[0-9]*}}>>
    %0 = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    // CHECK: ttng.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xui8>>
    %1 = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xui8>>
    tt.return
  }

  // CHECK-LABEL: @tensormap_create
  tt.func @tensormap_create(%map: !tt.ptr<i8>, %base: !tt.ptr<f16>, %i: i32, %stride: i64) {
    // CHECK: ttng.tensormap_create %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, [%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}], [%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}], [%{{[a-z0-9_]+}}], [%{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
    // CHECK-SAME: : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %map, %base, [%i, %i], [%i, %i], [%stride], [%i, %i] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
        : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // CHECK: ttng.tensormap_create %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}, [%{{[a-z0-9_]+}}], [%{{[a-z0-9_]+}}], [], [%{{[a-z0-9_]+}}] {elem_type = 15 : i32, fill_mode = 1 : i32, interleave_layout = 2 : i32, swizzle_mode = 0 : i32}
    // CHECK-SAME: : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
    ttng.tensormap_create %map, %base, [%i], [%i], [], [%i] {elem_type = 15 : i32, fill_mode = 1 : i32, interleave_layout = 2 : i32, swizzle_mode = 0 : i32}
        : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32) -> ()
    tt.return
  }

  // CHECK-LABEL: @tensormap_fenceproxy_acquire
  tt.func @tensormap_fenceproxy_acquire(%map: !tt.ptr<i8>) {
    // CHECK: ttng.tensormap_fenceproxy_acquire %{{.*}} : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    tt.return
  }
}
