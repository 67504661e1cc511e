// RUN: tt-opt %s --split-input-file --verify-diagnostics --tritongpu-partition-scheduling | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @mm
  // CHECK:       scf.for
  // CHECK:         arith.muli {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         tt.descriptor_load {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         ttg.local_alloc {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         tt.descriptor_load {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         ttg.local_alloc {{.*}}ttg.partition = array<i32: 2>}
  // CHECK:         ttg.memdesc_trans {{.*}}ttg.partition = array<i32: 1>}
  // CHECK:         ttng.tc_gen5_mma {{.*}}ttg.partition = array<i32: 1>}
  // CHECK:         scf.yield {ttg.partition = array<i32: 1, 2>}
  // CHECK-NEXT:  } {{.*}}ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
  // CHECK-NOT:   ttg.partition
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

  // Each result of a branch belongs to the partitions that compute it.
  // CHECK-LABEL: @branch
  // CHECK:       ttng.tc_gen5_mma {{.*}}ttg.partition = array<i32: 1>}
  // CHECK:       scf.if
  // CHECK-NEXT:    ttng.tmem_store {{.*}}ttg.partition = array<i32: 0>}
  // CHECK:       } {{.*}}ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 1>]}
  tt.func @branch(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
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

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The partitions of a branch's result are those of the operations that define its values.
  // CHECK-LABEL: @branch
  // CHECK:       scf.for
  // CHECK:         scf.if
  // CHECK-NEXT:      arith.addi {{.*}}ttg.partition = array<i32: 2>}
  // CHECK-NEXT:      scf.yield {ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      scf.yield {ttg.partition = array<i32: 2>}
  // CHECK-NEXT:    } {ttg.partition = array<i32: 2>, ttg.partition.outputs = [array<i32: 2>]}
  tt.func @branch(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
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
      %flag = arith.cmpi slt, %arg6, %arg5 : i32
      %row = scf.if %flag -> (i32) {
        %next = arith.addi %15, %arg3 : i32
        scf.yield %next : i32
      } else {
        scf.yield %6 : i32
      }
      %16 = tt.descriptor_load %1[%row, %15] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
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
  tt.func @nested(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error @below {{a loop with another one in it can't be divided; tl.range(flatten=True) makes one of both}}
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

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A reduction that gives one of its arguments keeps its partition.
  // CHECK-LABEL: @first_of_rows
  // CHECK:       tt.reduce.return %{{.*}} {ttg.partition = array<i32: 0>}
  // CHECK-NEXT:  ttg.partition = array<i32: 0>, ttg.partition.outputs = [array<i32: 0>]}
  tt.func @first_of_rows(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32, %arg2: tensor<64xf32, #blocked>, %arg3: i32, %arg4: tensor<64x64xf32, #blocked1>, %arg5: tensor<64x64xf16, #blocked1>, %arg6: tensor<64x!tt.ptr<f32>, #blocked>) {
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc %arg5 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.convert_layout %arg2 : tensor<64xf32, #blocked> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %2 = ttg.convert_layout %arg4 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #linear>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %3:2 = scf.for %arg7 = %arg3 to %arg1 step %c1_i32 iter_args(%arg8 = %1, %arg9 = %token) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>>, !ttg.async.token)  : i32 {
      %5 = tt.descriptor_load %arg0[%arg7, %arg3] {loop.cluster = 4 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked2>
      %6 = ttg.local_alloc %5 {loop.cluster = 2 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked2>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %7 = ttng.tmem_store %2, %result[%arg9], %true {loop.cluster = 2 : i32, loop.stage = 2 : i32} : tensor<64x64xf32, #linear> -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %8 = ttng.tc_gen5_mma %0, %6, %result[%7], %true, %true {loop.cluster = 2 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_0, %token_1 = ttng.tmem_load %result[%8] {loop.cluster = 0 : i32, loop.stage = 4 : i32} : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
      %9 = "tt.reduce"(%result_0) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        tt.reduce.return %arg10 : f32
      }) {loop.cluster = 0 : i32, loop.stage = 4 : i32} : (tensor<64x64xf32, #linear>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %10 = arith.addf %arg8, %9 {loop.cluster = 0 : i32, loop.stage = 4 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      scf.yield %10, %token_1 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>>, !ttg.async.token
    } {tt.scheduled_max_stage = 4 : i32, tt.warp_specialize}
    %4 = ttg.convert_layout %3#0 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<64xf32, #blocked>
    tt.store %arg6, %4 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
