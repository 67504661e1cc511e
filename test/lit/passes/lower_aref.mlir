// RUN: tt-opt %s --split-input-file --nvws-lower-aref=num-stages=3 | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Both loads share a ring of three parts: one pair of barriers, one wait for both.
  // CHECK-LABEL: @mm
  // CHECK-NOT:   nvws.
  // CHECK:       ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16
  // CHECK:       ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16
  // CHECK:       %[[EMPTY:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
  // CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1
  // CHECK:       %[[FULL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
  // CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1
  // CHECK:       scf.for
  // CHECK:         %[[E:.*]] = ttg.memdesc_index %[[EMPTY]]
  // CHECK-NEXT:    ttng.wait_barrier %[[E]]
  // CHECK:         %[[F:.*]] = ttg.memdesc_index %[[FULL]]
  // CHECK:         ttng.barrier_expect %[[F]], 32768
  // CHECK-NEXT:    ttng.async_tma_copy_global_to_local {{.*}}, %[[F]],
  // CHECK-NEXT:    ttng.async_tma_copy_global_to_local {{.*}}, %[[F]],
  // CHECK:         %[[G:.*]] = ttg.memdesc_index %[[FULL]]
  // CHECK-NEXT:    ttng.wait_barrier %[[G]]
  // CHECK:         ttng.tc_gen5_mma
  // CHECK:         %[[D:.*]] = ttg.memdesc_index %[[EMPTY]]
  // CHECK-NEXT:    ttng.tc_gen5_commit %[[D]]
  // CHECK-NOT:   nvws.
  // CHECK:       tt.return
  tt.func @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #linear>
    %c63_i32 = arith.constant 63 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %true = arith.constant true
    %false = arith.constant false
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x128xf16, #shared>>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.addi %arg5, %c63_i32 : i32
    %10 = arith.divsi %9, %c64_i32 : i32
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %11 = nvws.aref.create %result : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>
    %buffers, %token = nvws.aref.put.enter %11 : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>, !ttg.async.token
    %12 = nvws.aref.buffer %11, %token : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>, !ttg.async.token -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>
    %13 = ttng.tmem_store %cst, %12[], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>
    %14 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
    %15 = nvws.aref.create %14 : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>
    %16 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
    %17 = nvws.aref.create %16 : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>
    %18:2 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %token) -> (i1, !ttg.async.token)  : i32 {
      %22 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %buffers_4, %token_5 = nvws.aref.put.enter %15 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
      nvws.descriptor_load %1[%6, %22] 16384 %buffers_4 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, i32, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
      nvws.aref.put.exit %15, %token_5 [#nvws.async_op<tma_load>] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      %buffers_6, %token_7 = nvws.aref.put.enter %17 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
      nvws.descriptor_load %2[%8, %22] 16384 %buffers_6 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, i32, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
      nvws.aref.put.exit %17, %token_7 [#nvws.async_op<tma_load>] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      %buffers_8, %token_9 = nvws.aref.get.enter %17 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.async.token
      %23 = ttg.memdesc_trans %buffers_8 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64> -> !ttg.memdesc<64x128xf16, #shared1, #smem, 1x64x128>
      %buffers_10, %token_11 = nvws.aref.get.enter %15 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.async.token
      %24 = nvws.aref.buffer %11, %arg8 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>, !ttg.async.token -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>
      %25 = ttng.tc_gen5_mma %buffers_10, %23, %24[], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.memdesc<64x128xf16, #shared1, #smem, 1x64x128>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>
      nvws.aref.get.exit %17, %token_9 [#nvws.async_op<tc5mma>] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      nvws.aref.get.exit %15, %token_11 [#nvws.async_op<tc5mma>] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      scf.yield {ttg.partition = array<i32: 1, 2>} %true, %arg8 : i1, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    nvws.aref.put.exit %11, %18#1 [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32} : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>, !ttg.async.token
    %buffers_0, %token_1 = nvws.aref.get.enter %11 : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>, !ttg.async.token
    %19 = nvws.aref.buffer %11, %token_1 : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>, !ttg.async.token -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128>
    %result_2, %token_3 = ttng.tmem_load %19[] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable, 1x128x128> -> tensor<128x128xf32, #linear>
    nvws.aref.get.exit %11, %token_1 [#nvws.async_op<none>] : <[!ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>]>, !ttg.async.token
    %20 = arith.truncf %result_2 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %21 = ttg.convert_layout %20 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked>
    tt.descriptor_store %4[%6, %8], %21 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
// Each CTA of a cluster has barriers of its own.
// CHECK: #[[OWN:.*]] = #ttg.swizzled_shared<{{.*}}order = [0], CGALayout = {{\[\[}}0]]}>
// CHECK-LABEL: @cluster
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #[[OWN]], #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster() {
    %b = ttg.local_alloc : () -> !ttg.memdesc<1x256xf32, #shared, #smem, mutable>
    %a = nvws.aref.create %b : <[!ttg.memdesc<1x256xf32, #shared, #smem, mutable>]>
    %in, %t = nvws.aref.put.enter %a : <[!ttg.memdesc<1x256xf32, #shared, #smem, mutable>]> -> !ttg.memdesc<256xf32, #shared, #smem, mutable, 1x256>, !ttg.async.token
    nvws.aref.put.exit %a, %t [#nvws.async_op<none>] : <[!ttg.memdesc<1x256xf32, #shared, #smem, mutable>]>, !ttg.async.token
    %out, %u = nvws.aref.get.enter %a : <[!ttg.memdesc<1x256xf32, #shared, #smem, mutable>]> -> !ttg.memdesc<256xf32, #shared, #smem, mutable, 1x256>, !ttg.async.token
    nvws.aref.get.exit %a, %u [#nvws.async_op<none>] : <[!ttg.memdesc<1x256xf32, #shared, #smem, mutable>]>, !ttg.async.token
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
!ring = !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
!filled = !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
!read = !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>
!turned = !ttg.memdesc<64x128xf16, #shared1, #smem, 1x64x128>
!sums = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A reference's exit has the token of the other's access: each keeps its own barriers.
  // CHECK-LABEL: @token_of_another
  // CHECK-NOT:   nvws.
  // CHECK:       tt.return
  tt.func @token_of_another(%sums: !sums, %n: i32) {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ring
    %1 = nvws.aref.create %0 : <[!ring]>
    %2 = ttg.local_alloc : () -> !ring
    %3 = nvws.aref.create %2 : <[!ring]>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b0, %t0 = nvws.aref.put.enter %3 {ttg.partition = array<i32: 2>} : <[!ring]> -> !filled, !ttg.async.token
      nvws.aref.put.exit %3, %t0 [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 2>} : <[!ring]>, !ttg.async.token
      %b1, %t1 = nvws.aref.get.enter %3 {ttg.partition = array<i32: 1>} : <[!ring]> -> !read, !ttg.async.token
      %b2 = ttg.memdesc_trans %b1 {order = array<i32: 1, 0>, ttg.partition = array<i32: 1>} : !read -> !turned
      %b3, %t3 = nvws.aref.get.enter %1 {ttg.partition = array<i32: 1>} : <[!ring]> -> !read, !ttg.async.token
      %t4 = ttng.tc_gen5_mma %b3, %b2, %sums[], %true, %true {ttg.partition = array<i32: 1>} : !read, !turned, !sums
      nvws.aref.get.exit %1, %t0 [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>} : <[!ring]>, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!ring = !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
!filled = !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
!read = !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>
!own = !ttg.memdesc<64x64xf16, #shared, #smem>
!sums = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The partition of the second product fills one of its buffers in each iteration: only the first one, whose buffer
  // is filled before the loop, runs in the background.
  // CHECK-LABEL: @own_operand
  // CHECK:       scf.for
  // CHECK:         ttng.tc_gen5_mma {{.*}} {is_async, ttg.partition = array<i32: 1>}
  // CHECK:         ttng.tc_gen5_mma {{.*}} {ttg.partition = array<i32: 1>}
  tt.func @own_operand(%sums: !sums, %x: tensor<64x64xf16, #blocked>, %n: i32) {
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ring
    %1 = nvws.aref.create %0 : <[!ring]>
    %before = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !own
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b0, %t0 = nvws.aref.put.enter %1 {ttg.partition = array<i32: 2>} : <[!ring]> -> !filled, !ttg.async.token
      nvws.aref.put.exit %1, %t0 [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 2>} : <[!ring]>, !ttg.async.token
      %b1, %t1 = nvws.aref.get.enter %1 {ttg.partition = array<i32: 1>} : <[!ring]> -> !read, !ttg.async.token
      %t2 = ttng.tc_gen5_mma %b1, %before, %sums[], %true, %true {ttg.partition = array<i32: 1>} : !read, !own, !sums
      %own = ttg.local_alloc %x {ttg.partition = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !own
      %t3 = ttng.tc_gen5_mma %b1, %own, %sums[], %true, %true {ttg.partition = array<i32: 1>} : !read, !own, !sums
      nvws.aref.get.exit %1, %t1 [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>} : <[!ring]>, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Partition 0 enters for iteration i + 3 before it leaves for iteration i: four slots, more than the option's three.
  // CHECK-LABEL: @held_for_three_iterations
  // CHECK:       ttg.local_alloc : () -> !ttg.memdesc<4x16x32xf32
  // CHECK:       ttg.local_alloc : () -> !ttg.memdesc<4x1xi64
  tt.func @held_for_three_iterations(%p: tensor<16x32x!tt.ptr<f32>, #row>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<16x32x!tt.ptr<f32>, #row>
    %memory = ttg.local_alloc : () -> !ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>
    %a = nvws.aref.create %memory : <[!ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>]>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b, %t = nvws.aref.put.enter %a {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>]> -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable, 1x16x32>, !ttg.async.token
      ttg.local_store %x, %b {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : tensor<16x32xf32, #row> -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable, 1x16x32>
      nvws.aref.put.exit %a, %t [#nvws.async_op<none>] {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>]>, !ttg.async.token
      %c, %u = nvws.aref.get.enter %a {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 0>} : <[!ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>]> -> !ttg.memdesc<16x32xf32, #tile, #smem, 1x16x32>, !ttg.async.token
      %y = ttg.local_load %c {loop.cluster = 1 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<16x32xf32, #tile, #smem, 1x16x32> -> tensor<16x32xf32, #row>
      nvws.aref.get.exit %a, %u [#nvws.async_op<none>] {loop.cluster = 1 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 0>} : <[!ttg.memdesc<1x16x32xf32, #tile, #smem, mutable>]>, !ttg.async.token
      tt.store %p, %y {loop.cluster = 1 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 0>} : tensor<16x32x!tt.ptr<f32>, #row>
    } {tt.warp_specialize, tt.scheduled_max_stage = 3 : i32, ttg.partition = array<i32: 0, 2>, ttg.partition.outputs = [], ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

// An answer of cluster launch control comes by the same barriers as blocks by TMA.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @launch_control
  tt.func @launch_control(%n: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1x2xi64, #shared, #smem, mutable>
    %1 = nvws.aref.create %0 : <[!ttg.memdesc<1x2xi64, #shared, #smem, mutable>]>
    scf.for %i = %c0_i32 to %n step %c1_i32 : i32 {
      // CHECK: ttng.wait_barrier
      // CHECK: ttng.barrier_expect %[[FULL:[0-9]+]], 16
      // CHECK: ttng.clc_try_cancel %{{[0-9]+}}, %[[FULL]] 
      // CHECK: ttng.wait_barrier
      %buffers, %token = nvws.aref.put.enter %1 {ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x2xi64, #shared, #smem, mutable>]> -> !ttg.memdesc<2xi64, #shared, #smem, mutable, 1x2>, !ttg.async.token
      nvws.clc_try_cancel %buffers {ttg.partition = array<i32: 1>} : !ttg.memdesc<2xi64, #shared, #smem, mutable, 1x2>
      nvws.aref.put.exit %1, %token [#nvws.async_op<clc>] {ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x2xi64, #shared, #smem, mutable>]>, !ttg.async.token
      %buffers_0, %token_1 = nvws.aref.get.enter %1 {ttg.partition = array<i32: 0>} : <[!ttg.memdesc<1x2xi64, #shared, #smem, mutable>]> -> !ttg.memdesc<2xi64, #shared, #smem, 1x2>, !ttg.async.token
      %2 = ttng.clc_load_result %buffers_0 {ttg.partition = array<i32: 0>} : !ttg.memdesc<2xi64, #shared, #smem, 1x2> -> i128
      nvws.aref.get.exit %1, %token_1 [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : <[!ttg.memdesc<1x2xi64, #shared, #smem, mutable>]>, !ttg.async.token
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
