// RUN: tt-opt %s --split-input-file --verify-diagnostics --tritongpu-automatic-warp-specialization=num-stages=3 | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @mm
  // CHECK:       ttg.warp_specialize(
  // CHECK-NEXT:  default {
  // CHECK-NEXT:    ttg.warp_yield
  // CHECK:       partition0({{.*}}) num_warps(4) {
  // CHECK:         scf.for
  // CHECK:           ttng.wait_barrier
  // CHECK:           ttng.tc_gen5_mma
  // CHECK-NOT:       async_tma_copy
  // CHECK:         ttg.warp_return
  // CHECK:       partition1({{.*}}) num_warps(4) {
  // CHECK:         scf.for
  // CHECK:           ttng.wait_barrier {{.*}}loop.stage = 0
  // CHECK:           ttng.async_tma_copy_global_to_local
  // CHECK-NOT:       tc_gen5_mma
  // CHECK:         ttg.warp_return
  // CHECK-COUNT-6: ttng.inval_barrier
  // CHECK:       ttng.wait_barrier
  // CHECK:       ttng.tmem_load
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
      %15 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %16 = tt.descriptor_load %1[%6, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %17 = ttg.local_alloc %16 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %18 = tt.descriptor_load %2[%8, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %19 = ttg.local_alloc %18 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %20 = ttg.memdesc_trans %19 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %21 = ttng.tc_gen5_mma %17, %20, %result[%arg8], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %true, %21 : i1, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
    %result_0, %token_1 = ttng.tmem_load %result[%12#1] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %13 = arith.truncf %result_0 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %14 = ttg.convert_layout %13 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked1>
    tt.descriptor_store %4[%6, %8], %14 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked1>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @nested
  // CHECK-NOT:   ttg.warp_specialize
  // CHECK:       tt.return
  tt.func @nested(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-remark @below {{a loop with another one in it can't be divided; tl.range(flatten=True) makes one of both: all warps run the whole loop, which is pipelined}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>
      scf.for %j = %c0 to %n step %c1 : i32 {
        tt.descriptor_store %d[%j, %c0], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>
      }
    } {tt.warp_specialize}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// What a product reads is read by the warps that compute, too: a buffer and barriers for each operand, and two arrivals
// that set the first one's free.
// CHECK-LABEL: @read_twice
// CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 2
// CHECK: ttg.warp_specialize(
// CHECK: default {
// CHECK: ttg.local_load
// CHECK: partition0
// CHECK-COUNT-2: ttng.wait_barrier
// CHECK: ttng.tc_gen5_mma
// CHECK: partition1
// CHECK-COUNT-2: ttng.async_tma_copy_global_to_local
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @read_twice(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32) {
    %false = arith.constant false
    %true = arith.constant true
    %zeros = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #linear>
    %1 = arith.extsi %arg5 : i32 to i64
    %2 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%1, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %3 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%1, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %4 = arith.extsi %arg4 : i32 to i64
    %5 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%4, %c1_i64] : <f16>, <tensor<128x128xf16, #shared>>
    %6 = tt.get_program_id x : i32
    %7 = arith.muli %6, %c128_i32 : i32
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c128_i32 : i32
    %10 = arith.addi %arg5, %c63_i32 : i32
    %11 = arith.divsi %10, %c64_i32 : i32
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %12 = ttng.tmem_store %cst, %result[%token], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %13:3 = scf.for %arg6 = %c0_i32 to %11 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %12, %sum = %zeros) -> (i1, !ttg.async.token, tensor<128x64xf32, #blocked>)  : i32 {
      %16 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %17 = tt.descriptor_load %2[%7, %16] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %18 = ttg.local_alloc %17 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %19 = tt.descriptor_load %3[%9, %16] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %20 = ttg.local_alloc %19 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %21 = ttg.memdesc_trans %20 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %wide = arith.extf %17 : tensor<128x64xf16, #blocked> to tensor<128x64xf32, #blocked>
      %more = arith.addf %sum, %wide : tensor<128x64xf32, #blocked>
      %22 = ttng.tc_gen5_mma %18, %21, %result[%arg8], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %true, %22, %more : i1, !ttg.async.token, tensor<128x64xf32, #blocked>
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
    %result_0, %token_1 = ttng.tmem_load %result[%13#1] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %sums = arith.truncf %13#2 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    tt.descriptor_store %2[%7, %9], %sums : !tt.tensordesc<tensor<128x64xf16, #shared>>, tensor<128x64xf16, #blocked>
    %14 = arith.truncf %result_0 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %15 = ttg.convert_layout %14 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked1>
    tt.descriptor_store %5[%7, %9], %15 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A branch stays in all partitions of its results.  Here one needs what another one computes: the loop is not divided.
  // CHECK-LABEL: @flag_beside_the_accumulator
  // CHECK-NOT: ttg.warp_specialize
  // CHECK: tt.return
  tt.func @flag_beside_the_accumulator(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
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
    // expected-remark @+1 {{partition 0 uses a value that only another partition computes}}
    %12:2 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %11) -> (i1, !ttg.async.token)  : i32 {
      %15 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %16 = tt.descriptor_load %1[%6, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %17 = ttg.local_alloc %16 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #shared1>
      %18 = tt.descriptor_load %2[%8, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %19 = ttg.local_alloc %18 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #shared1>
      %20 = ttg.memdesc_trans %19 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #shared1> -> !ttg.memdesc<64x128xf16, #smem, #shared1>
      %21 = ttng.tc_gen5_mma %17, %20, %result[%arg8], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #shared1>, !ttg.memdesc<64x128xf16, #smem, #shared1>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %22 = arith.cmpi slt, %arg6, %arg4 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : i32
      %23:2 = scf.if %22 -> (i1, !ttg.async.token) {
        %24 = ttng.tmem_store %cst, %result[%21], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
        scf.yield %true, %24 : i1, !ttg.async.token
      } else {
        scf.yield %false, %21 : i1, !ttg.async.token
      } {loop.cluster = 1 : i32, loop.stage = 2 : i32}
      scf.yield %23#0, %23#1 : i1, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize}
    %result_0, %token_1 = ttng.tmem_load %result[%12#1] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %13 = arith.truncf %result_0 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %14 = ttg.convert_layout %13 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked1>
    tt.descriptor_store %4[%6, %8], %14 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked1>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
// All warps run both loops: the inner one gets the stages of a loop that nobody wants divided.  With
// warps of their own, users of a product may run two stages after it.
// CHECK-LABEL: @scheduled_anew
// CHECK: ttng.tc_gen5_mma {{.*}}loop.stage = 0 : i32, tt.self_latency = 1 : i32}
// CHECK: ttng.tmem_load {{.*}}loop.stage = 1 : i32}
// CHECK: tt.scheduled_max_stage = 1 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @scheduled_anew(%d: !tt.tensordesc<tensor<128x64xf16, #shared>>, %b: !ttg.memdesc<64x128xf16, #shared, #smem>, %p: tensor<128x128x!tt.ptr<f32>, #linear>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %false = arith.constant false
    %true = arith.constant true
    %acc, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // expected-remark @below {{a loop with another one in it can't be divided; tl.range(flatten=True) makes one of both: all warps run the whole loop, which is pipelined}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      %t = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #rows>
      %a = ttg.local_alloc %t : (tensor<128x64xf16, #rows>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      scf.for %j = %c0 to %n step %c1 : i32 {
        %u = ttng.tc_gen5_mma %a, %b, %acc[%token], %false, %true {loop.cluster = 2 : i32, loop.stage = 0 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
        %x, %w = ttng.tmem_load %acc[%u] {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
        tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x128x!tt.ptr<f32>, #linear>
      } {tt.scheduled_max_stage = 2 : i32}
    } {tt.warp_specialize}
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>

// Edge case: two operations take one token, so the function as a whole can't be divided.
module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @token_taken_twice
  // CHECK-NOT: ttg.warp_specialize
  tt.func @token_taken_twice(%n: i32, %a: !ttg.memdesc<64x64xf16, #shared, #smem>, %use: i1) {
    %buffer, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    // expected-remark @+1 {{the order of accesses to tensor memory is not a chain: all warps run the whole loop}}
    %0 = scf.for %i = %n to %n step %n iter_args(%last = %token) -> (!ttg.async.token) : i32 {
      %1 = ttng.tc_gen5_mma %a, %a, %buffer[%last], %use, %use : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %1 : !ttg.async.token
    } {tt.warp_specialize}
    %x, %next = ttng.tmem_load %buffer[%0] : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
    %y, %last = ttng.tmem_load %buffer[%0] : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
    tt.return
  }
}
