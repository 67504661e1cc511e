// RUN: tt-opt %s --split-input-file --nvgpu-test-ws-code-partition=num-buffers=3 --verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both loads have one reader: they share barriers.
  // CHECK-LABEL: @one_consumer
  // CHECK:      %[[FULL:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
  // CHECK-COUNT-3: ttng.init_barrier %{{.*}}, 1
  // CHECK:      %[[T:.*]] = nvws.create_token {loadType = 2 : i32, numBuffers = 3 : i32}
  // CHECK:      %[[X:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
  // CHECK:      %[[Y:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16
  // CHECK:      ttg.warp_specialize(%{{.*}}%[[FULL]], %[[X]], %[[Y]], %[[T]], %{{.*}}) attributes {requestedRegisters = array<i32: 232>}
  // CHECK-NEXT: default {
  // CHECK:        scf.for {{.*}} iter_args(%[[N:.*]] = %{{.*}}) -> (i64)
  // CHECK:          arith.divui %[[N]]
  // CHECK:          nvws.producer_acquire %[[T]], %[[PART:.*]], %{{.*}} {async_task_id = array<i32: 0>}
  // CHECK:          ttng.barrier_expect %{{.*}}, 24576
  // CHECK:          ttng.async_tma_copy_global_to_local
  // CHECK:          ttng.async_tma_copy_global_to_local
  // CHECK-NOT:      warp_group_dot
  // CHECK:        ttg.warp_yield
  // CHECK:      partition0(
  // CHECK:        scf.for {{.*}} -> (tensor<64x128xf32{{.*}}, i64)
  // CHECK:          ttng.wait_barrier
  // CHECK:          %[[XS:.*]] = ttg.memdesc_index {{.*}} -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem>
  // CHECK:          %[[YS:.*]] = ttg.memdesc_index {{.*}} -> !ttg.memdesc<128x64xf16, #{{.*}}, #smem>
  // CHECK:          %[[YT:.*]] = ttg.memdesc_trans %[[YS]]
  // CHECK-NEXT:     ttng.warp_group_dot %[[XS]], %[[YT]]
  // CHECK-NEXT:     nvws.consumer_release
  // CHECK:        tt.descriptor_store
  // CHECK-NEXT:   ttg.warp_return
  tt.func @one_consumer(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i32
    %inner = arith.constant {async_task_id = array<i32: 0>} 64 : i32
    %long = arith.constant {async_task_id = array<i32: 0>} 64 : i64
    %unit = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i64
    %cst = arith.constant {async_task_id = array<i32: 1>} dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<64x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] {async_task_id = array<i32: 1>} : <f32>, <tensor<64x128xf32, #shared>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1>} : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %a[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<64x128xf32, #mma>
      scf.yield {async_task_id = array<i32: 1>} %d : tensor<64x128xf32, #mma>
    } {async_task_id = array<i32: 0, 1>, tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r {async_task_id = array<i32: 1>} : !tt.tensordesc<tensor<64x128xf32, #shared>>, tensor<64x128xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @through_pointers(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %y: !ttg.memdesc<64x128xf16, #shared1, #smem>) {
    %cst = arith.constant {async_task_id = array<i32: 1>} dense<0.000000e+00> : tensor<64x128xf32, #mma>
    // expected-error @below {{can't be divided among tasks: only loads in loops, and those by TMA, can be sent to other tasks}}
    %x = tt.load %p {async_task_id = array<i32: 0>} : tensor<64x64x!tt.ptr<f16>, #blocked>
    %xs = ttg.local_alloc %x {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %xs, %y, %cst {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<64x128xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @task_without_the_loop(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i32
    // expected-error @below {{task 2 uses a value of arith.constant, which it does not compute}}
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.descriptor_load %d[%i, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 2>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %y = ttg.local_load %xs {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
      tt.store %p, %y {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<f16>, #blocked>
    } {async_task_id = array<i32: 0, 1>, tt.warp_specialize}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two loops with the same tiles share buffers, barriers and the counter.  The store passes through the buffer of the
  // tile that is loaded once.
  // CHECK-LABEL: @two_loops
  // CHECK:      %[[X:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x64x64xf16
  // CHECK-NEXT: %[[Y:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
  // CHECK-NOT:  ttg.local_alloc
  // CHECK:      default {
  // CHECK:        %[[N:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i64{{.*}}) -> (i64)
  // CHECK:        scf.for {{.*}} iter_args(%{{.*}} = %[[N]]) -> (i64)
  // CHECK:      partition0(
  // CHECK:        %[[R:.*]]:2 = scf.for {{.*}} -> (tensor<64x64xf32{{.*}}, i64)
  // CHECK:        scf.for {{.*}} iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1)
  // CHECK:        ttg.local_store %{{.*}}, %[[VIEW:.*]] {async_task_id = array<i32: 1>}
  // CHECK-NEXT:   ttng.fence_async_shared
  // CHECK-NEXT:   ttng.async_tma_copy_local_to_global %{{.*}} %[[VIEW]]
  // CHECK-NEXT:   ttng.async_tma_store_wait
  tt.func @two_loops(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !tt.tensordesc<tensor<64x64xf16, #shared>>, %o: !tt.tensordesc<tensor<64x64xf16, #shared>>, %m: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i32
    %cst = arith.constant {async_task_id = array<i32: 1>} dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %x = tt.descriptor_load %a[%zero, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    %xs = ttg.local_alloc %x {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r = scf.for %i = %zero to %m step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %y = tt.descriptor_load %b[%i, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %xs, %ys, %acc {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield {async_task_id = array<i32: 1>} %d : tensor<64x64xf32, #mma>
    } {async_task_id = array<i32: 0, 1>, tt.warp_specialize}
    %s = scf.for %i = %m to %n step %one iter_args(%acc = %r) -> (tensor<64x64xf32, #mma>)  : i32 {
      %y = tt.descriptor_load %b[%i, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %xs, %ys, %acc {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield {async_task_id = array<i32: 1>} %d : tensor<64x64xf32, #mma>
    } {async_task_id = array<i32: 0, 1>, tt.warp_specialize}
    %h = arith.truncf %s {async_task_id = array<i32: 1>} : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    tt.descriptor_store %o[%zero, %zero], %h {async_task_id = array<i32: 1>} : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Threads of the task that loads arrive at the barrier, each after its own copies.
  // CHECK-LABEL: @by_threads
  // CHECK:      ttng.init_barrier %{{.*}}, 128
  // CHECK:      requestedRegisters = array<i32: 224>
  // CHECK:      default {
  // CHECK:          nvws.producer_acquire
  // CHECK:          %[[BAR:.*]] = ttg.memdesc_index
  // CHECK:          ttg.async_copy_global_to_local %{{.*}} mask %{{.*}} {async_task_id = array<i32: 0>, contiguity = 8 : i32}
  // CHECK-NEXT:     ttng.async_copy_mbarrier_arrive %[[BAR]] {async_task_id = array<i32: 0>, noIncrement}
  // CHECK:      partition0(
  // CHECK:          ttng.wait_barrier
  // CHECK-NEXT:     ttng.fence_async_shared
  // CHECK:          ttng.warp_group_dot
  // CHECK-NEXT:     nvws.consumer_release
  tt.func @by_threads(%base: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %ys: !ttg.memdesc<64x64xf16, #shared, #smem>, %o: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1>} 1 : i32
    %cst = arith.constant {async_task_id = array<i32: 1>} dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %sixty_four = arith.constant {async_task_id = array<i32: 0>} dense<64> : tensor<64x1xi32, #blocked>
    %i = tt.make_range {async_task_id = array<i32: 0>, end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %j = tt.make_range {async_task_id = array<i32: 0>, end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %ie = tt.expand_dims %i {async_task_id = array<i32: 0>, axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %je = tt.expand_dims %j {async_task_id = array<i32: 0>, axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %row = arith.muli %ie, %sixty_four {async_task_id = array<i32: 0>} : tensor<64x1xi32, #blocked>
    %rows = tt.broadcast %row {async_task_id = array<i32: 0>} : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %columns = tt.broadcast %je {async_task_id = array<i32: 0>} : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offsets = arith.addi %rows, %columns {async_task_id = array<i32: 0>} : tensor<64x64xi32, #blocked>
    %bases = tt.splat %base {async_task_id = array<i32: 0>} : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %bases, %offsets {async_task_id = array<i32: 0>} : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %limit = tt.splat %n {async_task_id = array<i32: 0>} : i32 -> tensor<64x1xi32, #blocked>
    %few = arith.cmpi slt, %ie, %limit {async_task_id = array<i32: 0>} : tensor<64x1xi32, #blocked>
    %mask = tt.broadcast %few {async_task_id = array<i32: 0>} : tensor<64x1xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %r = scf.for %k = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %x = tt.load %p, %mask {async_task_id = array<i32: 0>} : tensor<64x64x!tt.ptr<f16>, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %xs, %ys, %acc {async_task_id = array<i32: 1>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield {async_task_id = array<i32: 1>} %d : tensor<64x64xf32, #mma>
    } {async_task_id = array<i32: 0, 1>, tt.warp_specialize}
    tt.store %o, %r {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two loads need one coordinate.  Loads for one task come first, and what loads need stays before them.
  // CHECK-LABEL: @needed_twice
  // CHECK:      default {
  // CHECK:        scf.for
  // CHECK:          ttng.async_tma_copy_global_to_local %arg2
  // CHECK:          %[[AT:.*]] = arith.muli %{{.*}} {async_task_id = array<i32: 0>} : i32
  // CHECK:          ttng.async_tma_copy_global_to_local %arg0[%[[AT]], %{{.*}}]
  // CHECK:          ttng.async_tma_copy_global_to_local %arg1[%[[AT]], %{{.*}}]
  // CHECK:          ttng.async_tma_copy_global_to_local %arg3
  tt.func @needed_twice(%k: !tt.tensordesc<tensor<64x64xf16, #shared>>, %v: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !tt.tensordesc<tensor<64x64xf16, #shared>>, %c: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i32
    %size = arith.constant {async_task_id = array<i32: 0>} 64 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %at = arith.muli %i, %size {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %k[%at, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %y = tt.descriptor_load %v[%at, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %z = tt.descriptor_load %b[%i, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %w = tt.descriptor_load %c[%i, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %s = arith.addf %x, %y {async_task_id = array<i32: 1, 2>} : tensor<64x64xf16, #blocked>
      %t = arith.addf %s, %z {async_task_id = array<i32: 1>} : tensor<64x64xf16, #blocked>
      %u = arith.addf %s, %w {async_task_id = array<i32: 2>} : tensor<64x64xf16, #blocked>
      tt.store %p, %t {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<f16>, #blocked>
      tt.store %p, %u {async_task_id = array<i32: 2>} : tensor<64x64x!tt.ptr<f16>, #blocked>
    } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A load, and an operation above it, need one coordinate, which stays above both.
  // CHECK-LABEL: @needed_above
  // CHECK:      default {
  // CHECK:        scf.for
  // CHECK:          arith.muli %{{.*}} {async_task_id = array<i32: 0>} : i32
  // CHECK:          ttng.async_tma_copy_global_to_local %arg1
  // CHECK:      partition0
  // CHECK:        scf.for
  // CHECK:          %[[AT:.*]] = arith.muli %{{.*}} {async_task_id = array<i32: 1>} : i32
  // CHECK:          tt.splat %[[AT]] {async_task_id = array<i32: 1>}
  tt.func @needed_above(%k: !tt.tensordesc<tensor<64x64xf16, #shared>>, %v: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<i32>, #blocked>, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i32
    %size = arith.constant {async_task_id = array<i32: 0, 1>} 64 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %at = arith.muli %i, %size {async_task_id = array<i32: 0, 1>} : i32
      %all = tt.splat %at {async_task_id = array<i32: 1>} : i32 -> tensor<64x64xi32, #blocked>
      %x = tt.descriptor_load %k[%at, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %y = tt.descriptor_load %v[%at, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      tt.store %q, %all {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<i32>, #blocked>
      tt.store %p, %x {async_task_id = array<i32: 2>} : tensor<64x64x!tt.ptr<f16>, #blocked>
      tt.store %p, %y {async_task_id = array<i32: 1>} : tensor<64x64x!tt.ptr<f16>, #blocked>
      scf.yield {async_task_id = array<i32: 0, 1, 2>}
    } {async_task_id = array<i32: 0, 1, 2>}
    tt.return
  }
}
