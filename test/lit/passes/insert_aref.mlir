// RUN: tt-opt %s --nvws-insert-aref | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Both operands are loaded by partition 2 and read by the product of partition 1.
  // CHECK-LABEL: @mm
  // CHECK:       %[[BUF:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16
  // CHECK-NEXT:  %[[A:.*]] = nvws.aref.create %[[BUF]]
  // CHECK:       %[[B:.*]] = nvws.aref.create
  // CHECK:       scf.for
  // CHECK:         %[[X:.*]], %[[T:.*]] = nvws.aref.put.enter %[[A]] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    nvws.descriptor_load %{{.*}} 16384 %[[X]] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    nvws.aref.put.exit %[[A]], %[[T]] [#nvws.async_op<tma_load>] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         nvws.aref.put.enter %[[B]]
  // CHECK:         %[[Y:.*]], %[[TY:.*]] = nvws.aref.get.enter %[[B]] {{.*}}ttg.partition = array<i32: 1>}
  // CHECK-NEXT:    ttg.memdesc_trans %[[Y]]
  // CHECK-NEXT:    %[[Z:.*]], %[[TZ:.*]] = nvws.aref.get.enter %[[A]] {{.*}}ttg.partition = array<i32: 1>}
  // CHECK-NEXT:    ttng.tc_gen5_mma %[[Z]]
  // CHECK-NEXT:    nvws.aref.get.exit %[[B]], %[[TY]] [#nvws.async_op<tc5mma>]
  // CHECK-NEXT:    nvws.aref.get.exit %[[A]], %[[TZ]] [#nvws.async_op<tc5mma>]
  // CHECK-NOT:     tt.descriptor_load
  tt.func @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
    %false = arith.constant false
    %true = arith.constant true
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #linear>
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
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %11 = ttng.tmem_store %cst, %result[%token], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %12:2 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %11) -> (i1, !ttg.async.token)  : i32 {
      %15 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %16 = tt.descriptor_load %1[%6, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %17 = ttg.local_alloc %16 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %18 = tt.descriptor_load %2[%8, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %19 = ttg.local_alloc %18 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %20 = ttg.memdesc_trans %19 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %21 = ttng.tc_gen5_mma %17, %20, %result[%arg8], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield {ttg.partition = array<i32: 1, 2>} %true, %21 : i1, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    %result_0, %token_1 = ttng.tmem_load %result[%12#1] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %13 = arith.truncf %result_0 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %14 = ttg.convert_layout %13 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked1>
    tt.descriptor_store %4[%6, %8], %14 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked1>
    tt.return
  }

  // The partition that loads a tensor also carries it to the next iteration: it keeps the tensor, and stores it.
  // CHECK-LABEL: @carried
  // CHECK:       %[[BUF:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared,
  // CHECK-NEXT:  %[[A:.*]] = nvws.aref.create %[[BUF]]
  // CHECK:       scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
  // CHECK-NEXT:    nvws.aref.put.enter %[[CARRIED:.*]] {loop.cluster = 1 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    ttg.local_store %[[BEFORE]]
  // CHECK:         %[[LOADED:.*]] = tt.descriptor_load
  // CHECK-NEXT:    %[[X:.*]], %[[T:.*]] = nvws.aref.put.enter %[[A]] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    ttg.local_store %[[LOADED]], %[[X]] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    nvws.aref.put.exit %[[A]], %[[T]] [#nvws.async_op<none>] {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         %[[Y:.*]], %{{.*}} = nvws.aref.get.enter %[[A]] {{.*}}ttg.partition = array<i32: 1>}
  // CHECK-NEXT:    ttng.tc_gen5_mma %[[Y]]
  // CHECK:         scf.yield {{.*}} %[[LOADED]],
  tt.func @carried(%d: !tt.tensordesc<tensor<128x64xf16, #shared>>, %b: !ttg.memdesc<64x128xf16, #shared1, #smem>, %p: tensor<128x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #blocked>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%before = %cst, %t = %token) -> (tensor<128x64xf16, #blocked>, !ttg.async.token) : i32 {
      tt.store %p, %before {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f16>, #blocked>
      %x = tt.descriptor_load %d[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %a = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %m = ttng.tc_gen5_mma %a, %b, %result[%t], %true, %true {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield {ttg.partition = array<i32: 0, 1, 2>} %x, %m : tensor<128x64xf16, #blocked>, !ttg.async.token
    } {tt.scheduled_max_stage = 1 : i32, tt.warp_specialize, ttg.partition = array<i32: 0, 1, 2>, ttg.partition.outputs = [array<i32: 2>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // One of several results is sent.
  // CHECK-LABEL: @one_of_two_results
  // CHECK:       %[[A:.*]] = nvws.aref.create
  // CHECK:         %[[X:.*]], %{{.*}} = ttng.tmem_load
  // CHECK-NEXT:    %[[B:.*]], %{{.*}} = nvws.aref.put.enter %[[A]] {ttg.partition = array<i32: 0>}
  // CHECK-NEXT:    ttg.local_store %[[X]], %[[B]]
  // CHECK:         %[[Y:.*]] = ttg.local_load {{.*}} {ttg.partition = array<i32: 2>}
  // CHECK:         tt.store %{{.*}}, %[[Y]]
  tt.func @one_of_two_results(%p: tensor<128x128x!tt.ptr<f32>, #linear>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %token) -> (!ttg.async.token) : i32 {
      %x, %u = ttng.tmem_load %result[%t] {ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
      tt.store %p, %x {ttg.partition = array<i32: 2>} : tensor<128x128x!tt.ptr<f32>, #linear>
      scf.yield {ttg.partition = array<i32: 0>} %u : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 2>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
