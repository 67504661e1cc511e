// RUN: tt-opt %s -split-input-file --triton-nvidia-tma-lowering -verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: #[[$SHARED:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @load
  // CHECK: %[[BUFFER:.+]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #[[$SHARED]], #smem, mutable>
  // CHECK: %[[BARRIER:.+]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64
  // CHECK: ttng.init_barrier %[[BARRIER]], 1
  // CHECK: ttng.barrier_expect %[[BARRIER]], 8192, %true
  // CHECK: ttng.async_tma_copy_global_to_local %{{.+}}[%{{.+}}, %{{.+}}] %[[BUFFER]], %[[BARRIER]], %true
  // CHECK: ttng.wait_barrier %[[BARRIER]], %c0_i32
  // CHECK: ttng.inval_barrier %[[BARRIER]]
  // CHECK: ttg.local_load %[[BUFFER]]
  tt.func public @load(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %p: tensor<64x64x!tt.ptr<f16>, #blocked>) {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    tt.store %p, %x : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // What was loaded in the same layout is stored from the same buffer.
  // CHECK-LABEL: tt.func public @copy
  // CHECK: %[[BUFFER:.+]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK: ttng.async_tma_copy_local_to_global %{{.+}}[%{{.+}}, %{{.+}}] %[[BUFFER]]
  // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
  tt.func public @copy(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32) {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }

  // CHECK-LABEL: tt.func public @reduce
  // CHECK: %[[BUFFER:.+]] = ttg.local_alloc %{{.+}} : (tensor<64x64xf16
  // CHECK: ttng.fence_async_shared
  // CHECK: ttng.async_tma_reduce add, %{{.+}}[%{{.+}}, %{{.+}}] %[[BUFFER]]
  // CHECK: ttng.async_tma_store_wait
  tt.func public @reduce(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %x: tensor<64x64xf16, #blocked>, %i: i32) {
    tt.descriptor_reduce add, %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }

  // The innermost dimension first; strides in bytes; a box as wide as the swizzle.
  // CHECK-LABEL: tt.func public @make
  // CHECK-SAME: %[[BASE:[^:]+]]: !tt.ptr<f16>, %[[ROWS:[^:]+]]: i32, %[[COLUMNS:[^:]+]]: i32, %[[STRIDE:[^:]+]]: i64
  // CHECK: %[[MAP:.+]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
  // CHECK: %[[BYTES:.+]] = arith.muli %[[STRIDE]], %c2_i64
  // CHECK: ttng.tensormap_create %[[MAP]], %[[BASE]], [%c64_i32{{.*}}, %c256_i32], [%[[COLUMNS]], %[[ROWS]]], [%[[BYTES]]],
  // CHECK-SAME: {elem_type = 6 : i32, fill_mode = 1 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}
  // CHECK: ttng.tensormap_fenceproxy_acquire %[[MAP]]
  // CHECK: ttng.reinterpret_tensor_descriptor %[[MAP]]
  tt.func public @make(%p: !tt.ptr<f16>, %rows: i32, %columns: i32, %s: i64) -> !tt.tensordesc<tensor<512x128xf16, #shared>> {
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%rows, %columns], [%s, %c1] {padding = 2 : i32} : <f16>, <tensor<512x128xf16, #shared>>
    tt.return %d : !tt.tensordesc<tensor<512x128xf16, #shared>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @no_layout(%d: !tt.tensordesc<tensor<64x64xf16>>, %x: tensor<64x64xf16, #blocked>, %i: i32) {
    // expected-error@+1 {{the block of the descriptor needs a layout #ttg.nvmma_shared without padding, found none; triton-nvidia-optimize-descriptor-encoding chooses one}}
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// What waits for a product holds the buffer that it reads: that of the load here, too.
// CHECK-LABEL: @held
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, {{.*}}, mutable>
// CHECK: ttng.warp_group_dot_wait %{{.*}}, %[[BUFFER]] {pendings = 0 : i32} : {{.*}}, !ttg.memdesc<64x64xf16, {{.*}}, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @held(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %i: i32, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %p = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %p, %a {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return %w#0 : tensor<64x64xf32, #mma>
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.target" = "cuda:90"} {
  tt.func @apart(%p: !tt.ptr<f16>, %n: i32, %s: i64) -> !tt.tensordesc<tensor<64x64xf16, #shared>> {
    %c2 = arith.constant 2 : i64
    // expected-error@+1 {{TMA needs the last dimension's stride to be 1, found 2; a kernel with pointers takes any strides}}
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c2] : <f16>, <tensor<64x64xf16, #shared>>
    tt.return %d : !tt.tensordesc<tensor<64x64xf16, #shared>>
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.target" = "cuda:90"} {
  tt.func @askew(%p: !tt.ptr<f16>, %n: i32) -> !tt.tensordesc<tensor<64x64xf16, #shared>> {
    %c1 = arith.constant 1 : i64
    %c100 = arith.constant 100 : i64
    // expected-error@+1 {{TMA needs strides that are multiples of 16 bytes, found 200 bytes; a kernel with pointers takes any strides}}
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c100, %c1] : <f16>, <tensor<64x64xf16, #shared>>
    tt.return %d : !tt.tensordesc<tensor<64x64xf16, #shared>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// Dropped: descriptors and loads that nobody needs, be it at the end of a chain of operations.
// CHECK-LABEL: @unused
// CHECK-NEXT: tt.return
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @unused(%p: !tt.ptr<f16>, %n: i32, %s: i64, %e: !tt.tensordesc<tensor<64x64xf16, #shared>>) {
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : <f16>, <tensor<64x64xf16, #shared>>
    %x = tt.descriptor_load %e[%n, %n] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %y = arith.addf %x, %x : tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

// CTAs divide the numbers of rows otherwise than the rows in the buffer, of which each has all: each then needs all numbers.
#p = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 1]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[0, 0]]}>
// CHECK: #[[ALL:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = {{\[\[}}0, 0]]}>
// CHECK-LABEL: @numbers_of_rows
// CHECK: %[[N:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<8xi32, #ttg.slice<{dim = 0, parent = #[[ALL]]}>>
// CHECK: ttng.async_tma_gather %arg0[%[[N]], %arg2]
// CHECK: %[[M:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<8xi32, #ttg.slice<{dim = 0, parent = #[[ALL]]}>>
// CHECK: ttng.async_tma_scatter %arg0[%[[M]], %arg2]
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  tt.func public @numbers_of_rows(%d: !tt.tensordesc<tensor<1x16xf32, #shared>>, %x: tensor<8xi32, #ttg.slice<{dim = 0, parent = #p}>>, %y: i32) -> tensor<8x16xf32, #rows> {
    %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x16xf32, #shared>>, tensor<8xi32, #ttg.slice<{dim = 0, parent = #p}>>, i32) -> tensor<8x16xf32, #rows>
    tt.descriptor_scatter %d[%x, %y], %0 : !tt.tensordesc<tensor<1x16xf32, #shared>>, tensor<8xi32, #ttg.slice<{dim = 0, parent = #p}>>, i32, tensor<8x16xf32, #rows>
    tt.return %0 : tensor<8x16xf32, #rows>
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Constants stand in Triton's order: those of the descriptor, its strides in bytes last of them, behind those of copies.
  // CHECK-LABEL: @constant_stride
  // CHECK-NEXT: %c0_i32 = arith.constant
  // CHECK-NEXT: %true = arith.constant
  // CHECK-NEXT: %c256_i64 = arith.constant
  // CHECK-NEXT: %c1_i32 = arith.constant
  tt.func public @constant_stride(%p: !tt.ptr<f32>, %m: i32, %n: i32) {
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %0 = tt.make_tensor_descriptor %p, [%m, %n], [%c64_i64, %c1_i64] : <f32>, <tensor<32x32xf32, #s>>
    %1 = tt.descriptor_load %0[%m, %n] : !tt.tensordesc<tensor<32x32xf32, #s>> -> tensor<32x32xf32, #b>
    tt.descriptor_store %0[%n, %m], %1 : !tt.tensordesc<tensor<32x32xf32, #s>>, tensor<32x32xf32, #b>
    tt.return
  }
}
