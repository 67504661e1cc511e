// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Products that nobody waits for go.
  // CHECK-LABEL: @unused_products
  // CHECK-NEXT: ttng.warp_group_dot %{{.*}}, %{{.*}}, %{{[a-z0-9_]+}} {isAsync = true}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: * !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem> -> tensor<64x64xf32, #mma>
  // CHECK-NEXT: ttng.warp_group_dot_wait %{{.*}} {pendings = 0 : i32} : tensor<64x64xf32, #mma>
  // CHECK-NEXT: tt.return
  tt.func @unused_products(%a: !ttg.memdesc<64x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                           %c: tensor<64x64xf32, #mma>) {
    %0 = ttng.warp_group_dot %a, %b, %c
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    %1 = ttng.warp_group_dot %a, %b, %c {isAsync = true}
        : !ttg.memdesc<64x64xf16, #nv, #smem> * !ttg.memdesc<64x64xf16, #nv, #smem> -> tensor<64x64xf32, #mma>
    %2 = ttng.warp_group_dot_wait %1 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Tensor memory takes the unconverted tensor if it can.
  // CHECK-LABEL: @store_of_convert
  // CHECK-NEXT: ttng.tmem_store %{{.*}}, %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}>
  // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
  // CHECK-NEXT: tt.return
  tt.func @store_of_convert(%x: tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>,
                            %p: i1, %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %0 = ttg.convert_layout %x
        : tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>> -> tensor<128x64xf32, #ttg.linear<{register = [[0, 2], [0, 1], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>>
    ttng.tmem_store %0, %d, %p
        : tensor<128x64xf32, #ttg.linear<{register = [[0, 2], [0, 1], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @store_of_convert_left_alone
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}> -> tensor<128x64xf32, #blocked{{[0-9]*}}>
  // CHECK-NEXT: ttng.tmem_store %{{.*}}, %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<128x64xf32, #blocked{{[0-9]*}}>
  // CHECK-SAME: -> !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
  // CHECK-NEXT: tt.return
  tt.func @store_of_convert_left_alone(%x: tensor<128x64xf32, #blocked>, %p: i1,
                                       %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %0 = ttg.convert_layout %x
        : tensor<128x64xf32, #blocked>
          -> tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    ttng.tmem_store %0, %d, %p
        : tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#half = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = [[0, 32]]}>
#whole = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = [[0, 0]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each CTA stores the whole tensor; unconverted it has half of it.
  // CHECK-LABEL: @store_in_each_cta
  // CHECK-NEXT: %[[WHOLE:.*]] = ttg.convert_layout
  // CHECK-NEXT: ttng.tmem_store %[[WHOLE]],
  tt.func @store_in_each_cta(%x: tensor<128x64xf32, #half>, %p: i1, %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %0 = ttg.convert_layout %x : tensor<128x64xf32, #half> -> tensor<128x64xf32, #whole>
    ttng.tmem_store %0, %d, %p : tensor<128x64xf32, #whole> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_tensor_memory
  // CHECK-NEXT: tt.return
  tt.func @unused_tensor_memory(%x: tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>) {
    %0 = ttng.tmem_alloc %x
        : (tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>) -> !ttg.memdesc<128x64xf32, #tmem, #tm>
    %1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    %2, %t = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.async.token)
    %3, %t2 = ttng.tmem_load %2[%t]
        : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
          -> tensor<128x64xf32, #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A product is an effect, whatever its predicate.
  // CHECK-LABEL: @product_left_alone
  // CHECK-NEXT: arith.constant true
  // CHECK-NEXT: arith.constant false
  // CHECK-NEXT: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared{{[0-9]*}}, #smem>,
  // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>,
  // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
  // CHECK-NEXT: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<128x64xf16, #shared{{[0-9]*}}, #smem>,
  // CHECK-SAME: !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>,
  // CHECK-SAME: !ttg.memdesc<128x64xf32, #tmem{{[0-9]*}}, #ttng.tensor_memory, mutable>
  // CHECK-NEXT: tt.return
  tt.func @product_left_alone(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                              %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) {
    %true = arith.constant true
    %false = arith.constant false
    ttng.tc_gen5_mma %a, %b, %d, %false, %true
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    ttng.tc_gen5_mma %a, %b, %d, %false, %false
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}
