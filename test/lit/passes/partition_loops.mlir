// RUN: tt-opt %s --tritongpu-partition-loops | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @mm
  // CHECK:       nvws.warp_group
  // CHECK-NEXT:  partition0 num_warps(4) {
  // CHECK-NEXT:    nvws.warp_group.yield
  // CHECK-NEXT:  }
  // CHECK-NEXT:  partition1 num_warps(4) {
  // CHECK-NEXT:    scf.for
  // CHECK-NOT:       async_tma_copy
  // CHECK:           ttng.tc_gen5_mma
  // CHECK-NOT:       async_tma_copy
  // CHECK:           scf.yield
  // CHECK:         ttng.tc_gen5_commit
  // CHECK-NEXT:    nvws.warp_group.return
  // CHECK:       partition2 num_warps(4) {
  // CHECK-NEXT:    scf.for
  // CHECK-NOT:       tc_gen5_mma
  // CHECK:           ttng.async_tma_copy_global_to_local
  // CHECK-NEXT:      ttng.async_tma_copy_global_to_local
  // CHECK:           scf.yield
  // CHECK:         nvws.warp_group.return
  // CHECK-NOT:   scf.for
  tt.func @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) {
    %0 = ub.poison : !ttg.async.token
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #linear>
    %c63_i32 = arith.constant 63 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %true = arith.constant true
    %false = arith.constant false
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
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %12 = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    %13 = ttg.memdesc_index %12[%c0_i32_0] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %13, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %14 = ttg.local_alloc : () -> !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %c0_i32_1 = arith.constant 0 : i32
    %15 = ttg.memdesc_index %14[%c0_i32_1] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %15, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c1_i32_6 = arith.constant 1 : i32
    %16 = arith.addi %c0_i32_4, %c1_i32_6 : i32
    %c1_i32_7 = arith.constant 1 : i32
    %17 = arith.cmpi eq, %16, %c1_i32_7 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %18 = arith.select %17, %c0_i32_8, %16 : i32
    %c1_i32_9 = arith.constant 1 : i32
    %19 = arith.xori %c0_i32_5, %c1_i32_9 : i32
    %20 = arith.select %17, %19, %c0_i32_5 : i32
    %21 = ttg.memdesc_index %12[%18] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %21, %20 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %22 = ttg.memdesc_index %result[%18] : !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %23 = ttng.tmem_store %cst, %22[], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %24 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %25 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %26 = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %c0_i32_10 = arith.constant 0 : i32
    %27 = ttg.memdesc_index %26[%c0_i32_10] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %27, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c1_i32_11 = arith.constant 1 : i32
    %28 = ttg.memdesc_index %26[%c1_i32_11] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %28, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c2_i32 = arith.constant 2 : i32
    %29 = ttg.memdesc_index %26[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %29, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %30 = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %c0_i32_12 = arith.constant 0 : i32
    %31 = ttg.memdesc_index %30[%c0_i32_12] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %31, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c1_i32_13 = arith.constant 1 : i32
    %32 = ttg.memdesc_index %30[%c1_i32_13] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %32, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c2_i32_14 = arith.constant 2 : i32
    %33 = ttg.memdesc_index %30[%c2_i32_14] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %33, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c2_i32_15 = arith.constant 2 : i32
    %c1_i32_16 = arith.constant 1 : i32
    %c2_i32_17 = arith.constant 2 : i32
    %c0_i32_18 = arith.constant 0 : i32
    %34:8 = scf.for %arg6 = %c0_i32 to %11 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %0, %arg9 = %18, %arg10 = %20, %arg11 = %c2_i32_17, %arg12 = %c0_i32_18, %arg13 = %c2_i32_15, %arg14 = %c1_i32_16) -> (i1, !ttg.async.token, i32, i32, i32, i32, i32, i32)  : i32 {
      %54 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %c1_i32_32 = arith.constant {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} 1 : i32
      %55 = arith.addi %arg11, %c1_i32_32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %c3_i32 = arith.constant {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} 3 : i32
      %56 = arith.cmpi eq, %55, %c3_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %c0_i32_33 = arith.constant {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} 0 : i32
      %57 = arith.select %56, %c0_i32_33, %55 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %c1_i32_34 = arith.constant {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} 1 : i32
      %58 = arith.xori %arg12, %c1_i32_34 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %59 = arith.select %56, %58, %arg12 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %60 = ttg.memdesc_index %26[%57] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %60, %59 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %61 = ttg.memdesc_index %24[%57] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %62 = ttg.memdesc_index %25[%57] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %63 = ttg.memdesc_index %30[%57] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %true_35 = arith.constant {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} true
      ttng.barrier_expect %63, 32768 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>}, %true_35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_copy_global_to_local %2[%7, %54] %62, %63, %true_35 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %3[%9, %54] %61, %63, %true_35 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %c1_i32_36 = arith.constant {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} 1 : i32
      %64 = arith.addi %arg13, %c1_i32_36 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : i32
      %c3_i32_37 = arith.constant {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} 3 : i32
      %65 = arith.cmpi eq, %64, %c3_i32_37 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : i32
      %c0_i32_38 = arith.constant {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} 0 : i32
      %66 = arith.select %65, %c0_i32_38, %64 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : i32
      %c1_i32_39 = arith.constant {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} 1 : i32
      %67 = arith.xori %arg14, %c1_i32_39 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : i32
      %68 = arith.select %65, %67, %arg14 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : i32
      %69 = ttg.memdesc_index %30[%66] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %69, %68 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %70 = ttg.memdesc_index %24[%66] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %71 = ttg.memdesc_index %25[%66] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %72 = ttg.memdesc_trans %70 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
      %73 = ttg.memdesc_index %result[%arg9] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %74 = ttng.tc_gen5_mma %71, %72, %73[], %arg7, %true {is_async, loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %75 = ttg.memdesc_index %26[%66] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.tc_gen5_commit %75 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      scf.yield {ttg.partition = array<i32: 1, 2>} %true, %arg8, %arg9, %arg10, %57, %59, %66, %68 : i1, !ttg.async.token, i32, i32, i32, i32, i32, i32
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>, array<i32: 1>, array<i32: 1>, array<i32: 2>, array<i32: 2>, array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    %c0_i32_19 = arith.constant 0 : i32
    %35 = ttg.memdesc_index %26[%c0_i32_19] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c1_i32_20 = arith.constant 1 : i32
    %36 = ttg.memdesc_index %26[%c1_i32_20] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %36 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c2_i32_21 = arith.constant 2 : i32
    %37 = ttg.memdesc_index %26[%c2_i32_21] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %37 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %26 : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %c0_i32_22 = arith.constant 0 : i32
    %38 = ttg.memdesc_index %30[%c0_i32_22] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %38 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c1_i32_23 = arith.constant 1 : i32
    %39 = ttg.memdesc_index %30[%c1_i32_23] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %39 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c2_i32_24 = arith.constant 2 : i32
    %40 = ttg.memdesc_index %30[%c2_i32_24] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %30 : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %41 = ttg.memdesc_index %14[%34#2] {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32} : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_commit %41 {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c1_i32_25 = arith.constant 1 : i32
    %42 = arith.addi %c0_i32_2, %c1_i32_25 : i32
    %c1_i32_26 = arith.constant 1 : i32
    %43 = arith.cmpi eq, %42, %c1_i32_26 : i32
    %c0_i32_27 = arith.constant 0 : i32
    %44 = arith.select %43, %c0_i32_27, %42 : i32
    %c1_i32_28 = arith.constant 1 : i32
    %45 = arith.xori %c1_i32_3, %c1_i32_28 : i32
    %46 = arith.select %43, %45, %c1_i32_3 : i32
    %47 = ttg.memdesc_index %14[%44] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %47, %46 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %48 = ttg.memdesc_index %result[%44] : !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_29, %token = ttng.tmem_load %48[] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %49 = ttg.memdesc_index %12[%44] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.arrive_barrier %49, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_30 = arith.constant 0 : i32
    %50 = ttg.memdesc_index %12[%c0_i32_30] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %50 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %12 : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %c0_i32_31 = arith.constant 0 : i32
    %51 = ttg.memdesc_index %14[%c0_i32_31] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %51 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %14 : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %52 = arith.truncf %result_29 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %53 = ttg.convert_layout %52 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked>
    tt.descriptor_store %5[%7, %9], %53 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked>
    tt.return
  }
}

// A while loop uses, inside, what stands in front of another loop: both are the partition's copies.
module attributes {"ttg.num-warps" = 4 : i32} {
// CHECK-LABEL: @used_inside
tt.func @used_inside(%n: i32, %p: !tt.ptr<i32>, %q: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: partition1
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: scf.if
  // CHECK: scf.while
  // CHECK: arith.cmpi slt, %{{.*}}, %[[X]]
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
    scf.if %q {
      tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
    } {ttg.partition = array<i32: 1>}
    %w = scf.while (%a = %c0) : (i32) -> i32 {
      %less = arith.cmpi slt, %a, %x {ttg.partition = array<i32: 1>} : i32
      scf.condition(%less) {ttg.partition = array<i32: 1>} %a : i32
    } do {
    ^bb0(%a: i32):
      %b = arith.addi %a, %c1 {ttg.partition = array<i32: 1>} : i32
      scf.yield {ttg.partition = array<i32: 1>} %b : i32
    } attributes {ttg.partition = array<i32: 1>}
    tt.store %p, %w {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
  } {ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}
