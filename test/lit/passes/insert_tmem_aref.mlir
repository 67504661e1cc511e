// RUN: tt-opt %s --nvws-insert-tmem-aref | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The code before the loop fills the sums, partition 1 adds to them, the code after the loop reads them.
  // CHECK-LABEL: @mm
  // CHECK:       %[[BUF:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<1x128x128xf32
  // CHECK-NEXT:  %[[R:.*]] = nvws.aref.create %[[BUF]]
  // CHECK:       %{{.*}}, %[[T:.*]] = nvws.aref.put.enter %[[R]]
  // CHECK:       %[[V:.*]] = nvws.aref.buffer %[[R]], %[[T]]
  // CHECK-NEXT:  ttng.tmem_store %{{.*}}, %[[V]][]
  // CHECK:       %[[L:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}}, %[[C:.*]] = %[[T]]) -> (i1, !ttg.async.token)
  // CHECK:         %[[W:.*]] = nvws.aref.buffer %[[R]], %[[C]] {{.*}}ttg.partition = array<i32: 1>}
  // CHECK:         ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[W]][]
  // CHECK:       nvws.aref.put.exit %[[R]], %[[L]]#1 [#nvws.async_op<tc5mma>]
  // CHECK-NEXT:  %{{.*}}, %[[H:.*]] = nvws.aref.get.enter %[[R]]
  // CHECK-NEXT:  %[[G:.*]] = nvws.aref.buffer %[[R]], %[[H]]
  // CHECK-NEXT:  %{{.*}}, %{{.*}} = ttng.tmem_load %[[G]][]
  // CHECK-NEXT:  nvws.aref.get.exit %[[R]], %[[H]] [#nvws.async_op<none>]
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
    %12 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
    %13 = nvws.aref.create %12 : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>
    %14 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
    %15 = nvws.aref.create %14 : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>
    %16:2 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %false, %arg8 = %11) -> (i1, !ttg.async.token)  : i32 {
      %19 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : i32
      %buffers, %token_2 = nvws.aref.put.enter %13 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
      nvws.descriptor_load %1[%6, %19] 16384 %buffers {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, i32, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
      nvws.aref.put.exit %13, %token_2 [#nvws.async_op<tma_load>] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      %buffers_3, %token_4 = nvws.aref.put.enter %15 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
      nvws.descriptor_load %2[%8, %19] 16384 %buffers_3 {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : !tt.tensordesc<tensor<128x64xf16, #shared>>, i32, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>
      nvws.aref.put.exit %15, %token_4 [#nvws.async_op<tma_load>] {loop.cluster = 2 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 2>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      %buffers_5, %token_6 = nvws.aref.get.enter %15 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.async.token
      %20 = ttg.memdesc_trans %buffers_5 {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64> -> !ttg.memdesc<64x128xf16, #shared1, #smem, 1x64x128>
      %buffers_7, %token_8 = nvws.aref.get.enter %13 {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.async.token
      %21 = ttng.tc_gen5_mma %buffers_7, %20, %result[%arg8], %arg7, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.memdesc<64x128xf16, #shared1, #smem, 1x64x128>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      nvws.aref.get.exit %15, %token_6 [#nvws.async_op<tc5mma>] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      nvws.aref.get.exit %13, %token_8 [#nvws.async_op<tc5mma>] {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : <[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
      scf.yield {ttg.partition = array<i32: 1, 2>} %true, %21 : i1, !ttg.async.token
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32, tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    %result_0, %token_1 = ttng.tmem_load %result[%16#1] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
    %17 = arith.truncf %result_0 : tensor<128x128xf32, #linear> to tensor<128x128xf16, #linear>
    %18 = ttg.convert_layout %17 : tensor<128x128xf16, #linear> -> tensor<128x128xf16, #blocked>
    tt.descriptor_store %4[%6, %8], %18 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked>
    tt.return
  }
  // A branch reads the sums.  The partition of the mma hands them over, and takes them back, in the stage of the mma:
  // in an earlier stage, the branch of one iteration would run before the mma of that iteration.
  // CHECK-LABEL: @late_branch
  // CHECK:       ttng.tc_gen5_mma {{.*}}{loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>}
  // CHECK-NEXT:  scf.if
  // CHECK-NEXT:    nvws.aref.put.exit
  // CHECK-NEXT:  } {loop.cluster = 3 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>}
  // CHECK:       scf.if
  // CHECK:         nvws.aref.put.enter
  // CHECK:       } {loop.cluster = 3 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>,
  tt.func @late_branch(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared1, #smem>, %c: !ttg.memdesc<128x128xf32, #plain, #smem, mutable>, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #linear>
    %acc, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %first = ttng.tmem_store %cst, %acc[%token], %true : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> (!ttg.async.token)  : i32 {
      %rest = arith.remsi %i, %c3 {loop.cluster = 2 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 0, 1>} : i32
      %stores = arith.cmpi eq, %rest, %c0 {loop.cluster = 2 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 0, 1>} : i32
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %v = scf.if %stores -> (!ttg.async.token) {
        %x, %w = ttng.tmem_load %acc[%u] {ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
        ttg.local_store %x, %c {ttg.partition = array<i32: 0>} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #plain, #smem, mutable>
        scf.yield {ttg.partition = array<i32: 0, 1>} %w : !ttg.async.token
      } else {
        scf.yield {ttg.partition = array<i32: 0, 1>} %u : !ttg.async.token
      } {loop.cluster = 3 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>]}
      scf.yield {ttg.partition = array<i32: 0, 1>} %v : !ttg.async.token
    } {tt.scheduled_max_stage = 2 : i32, tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
  // Partition 0 gets %acc2 of two iterations more before it reads %acc.  So partition 1 waits for room in %acc not after
  // its mma, but before the mma of the next iteration: the one that fills %acc2 comes between.
  // CHECK-LABEL: @entered_late
  // CHECK:       %[[FIRST:.*]] = nvws.aref.create
  // CHECK:       %[[SECOND:.*]] = nvws.aref.create
  // CHECK:       scf.for
  // CHECK-DAG:     nvws.aref.put.enter %[[FIRST]] {loop.cluster = 0 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 1>}
  // CHECK-DAG:     nvws.aref.put.enter %[[SECOND]] {loop.cluster = 4 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 1>}
  // CHECK:         scf.yield
  tt.func @entered_late(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared1, #smem>, %c: !ttg.memdesc<128x128xf32, #plain, #smem, mutable>, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %acc2, %t1 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0, %s = %t1) -> (!ttg.async.token, !ttg.async.token)  : i32 {
      %u2 = ttng.tc_gen5_mma %a, %b, %acc2[%s], %true, %true {loop.cluster = 4 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %y, %w2 = ttng.tmem_load %acc2[%u2] {loop.cluster = 4 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
      ttg.local_store %y, %c {loop.cluster = 4 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 0>} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #plain, #smem, mutable>
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {loop.cluster = 2 : i32, loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %x, %w = ttng.tmem_load %acc[%u] {loop.cluster = 0 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
      ttg.local_store %x, %c {loop.cluster = 0 : i32, loop.stage = 3 : i32, ttg.partition = array<i32: 0>} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #plain, #smem, mutable>
      scf.yield {ttg.partition = array<i32: 0, 1>} %w, %w2 : !ttg.async.token, !ttg.async.token
    } {tt.scheduled_max_stage = 3 : i32, tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
  // The sums start anew after each read: the mma may fill another buffer meanwhile.
  // CHECK-LABEL: @starts_anew_when_read
  // CHECK:       ttng.tmem_alloc : () -> !ttg.memdesc<2x128x128xf32
  tt.func @starts_anew_when_read(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared1, #smem>, %c: !ttg.memdesc<128x128xf32, #plain, #smem, mutable>, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %acc, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %token, %adds = %false) -> (!ttg.async.token, i1)  : i32 {
      %rest = arith.remsi %i, %c3 {ttg.partition = array<i32: 0, 1>} : i32
      %reads = arith.cmpi eq, %rest, %c0 {ttg.partition = array<i32: 0, 1>} : i32
      %other = arith.cmpi eq, %rest, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %v = scf.if %reads -> (!ttg.async.token) {
        %x, %w = ttng.tmem_load %acc[%u] {ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
        ttg.local_store %x, %c {ttg.partition = array<i32: 0>} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #plain, #smem, mutable>
        scf.yield {ttg.partition = array<i32: 0, 1>} %w : !ttg.async.token
      } else {
        scf.yield {ttg.partition = array<i32: 0, 1>} %u : !ttg.async.token
      } {ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>]}
      %next = arith.select %reads, %false, %true {ttg.partition = array<i32: 1>} : i1
      scf.yield {ttg.partition = array<i32: 0, 1>} %v, %next : !ttg.async.token, i1
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // The mma adds to sums that have been read: another buffer has not got them.
  // CHECK-LABEL: @adds_to_what_was_read
  // CHECK:       ttng.tmem_alloc : () -> !ttg.memdesc<1x128x128xf32
  tt.func @adds_to_what_was_read(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared1, #smem>, %c: !ttg.memdesc<128x128xf32, #plain, #smem, mutable>, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %acc, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %token, %adds = %false) -> (!ttg.async.token, i1)  : i32 {
      %rest = arith.remsi %i, %c3 {ttg.partition = array<i32: 0, 1>} : i32
      %reads = arith.cmpi eq, %rest, %c0 {ttg.partition = array<i32: 0, 1>} : i32
      %other = arith.cmpi eq, %rest, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
      %v = scf.if %reads -> (!ttg.async.token) {
        %x, %w = ttng.tmem_load %acc[%u] {ttg.partition = array<i32: 0>} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
        ttg.local_store %x, %c {ttg.partition = array<i32: 0>} : tensor<128x128xf32, #linear> -> !ttg.memdesc<128x128xf32, #plain, #smem, mutable>
        scf.yield {ttg.partition = array<i32: 0, 1>} %w : !ttg.async.token
      } else {
        scf.yield {ttg.partition = array<i32: 0, 1>} %u : !ttg.async.token
      } {ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>]}
      %next = arith.select %other, %false, %true {ttg.partition = array<i32: 1>} : i1
      scf.yield {ttg.partition = array<i32: 0, 1>} %v, %next : !ttg.async.token, i1
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
