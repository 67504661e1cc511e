// RUN: tt-opt %s --split-input-file --nvgpu-warp-specialization --verify-diagnostics | FileCheck %s
// RUN: tt-opt %s --split-input-file --nvgpu-warp-specialization="num-stages=2 dump-intermediate-steps=true" 2>&1 | FileCheck %s --check-prefix=STEPS

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // STEPS: IR Dump After: doTaskPartition
  // STEPS: IR Dump After: doTaskIdPropagate
  // STEPS: IR Dump After: doDataPartition
  // STEPS: IR Dump After: doCodePartition
  // STEPS: !ttg.memdesc<2x64x64xf16
  // CHECK-LABEL: @two_halves
  // CHECK-NOT:  nvws
  // CHECK:      ttg.warp_specialize
  // CHECK-SAME: requestedRegisters = array<i32: 232, 232>
  // CHECK:      default {
  // CHECK:        scf.for
  // CHECK-COUNT-4: ttng.wait_barrier
  // CHECK:        } {async_task_id = array<i32: 0>, tt.num_stages = 0 : i32}
  // CHECK:      partition0({{.*}} num_warps(4)
  // CHECK:        ttng.warp_group_dot {{.*}} -> tensor<64x128xf32
  // CHECK:        ttng.arrive_barrier %{{.*}}, 128
  // CHECK:        ttng.arrive_barrier %{{.*}}, 128
  // CHECK:      partition1({{.*}} num_warps(4)
  // CHECK:        ttng.warp_group_dot {{.*}} -> tensor<64x128xf32
  tt.func @two_halves(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %inner = arith.constant 64 : i32
    %long = arith.constant 64 : i64
    %unit = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner : i32
      %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    } {tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
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
  // Too few rows for two groups that compute.
  // CHECK-LABEL: @one_group
  // CHECK:       requestedRegisters = array<i32: 232>
  // CHECK:       partition0
  // CHECK-NOT:   partition1
  // CHECK:       tt.return
  tt.func @one_group(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %inner = arith.constant 64 : i32
    %long = arith.constant 64 : i64
    %unit = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<64x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] : <f32>, <tensor<64x128xf32, #shared>>
    %row = tt.get_program_id x : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner : i32
      %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<64x128xf32, #mma>
      scf.yield %d : tensor<64x128xf32, #mma>
    } {tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r : !tt.tensordesc<tensor<64x128xf32, #shared>>, tensor<64x128xf32, #mma>
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
  // CHECK-LABEL: @does_not_ask
  // CHECK-NOT:   warp_specialize
  // CHECK-NOT:   tt.num_stages
  // CHECK:       tt.return
  tt.func @does_not_ask(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %inner = arith.constant 64 : i32
    %long = arith.constant 64 : i64
    %unit = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner : i32
      %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.descriptor_store %c[%row, %row], %r : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    tt.return
  }

  // No products: nothing to divide, and Triton turns the pipeliner off too.
  // CHECK-LABEL: @no_products
  // CHECK:       } {tt.num_stages = 0 : i32, tt.warp_specialize}
  tt.func @no_products(%q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.store %q, %i : !tt.ptr<i32>
    } {tt.warp_specialize}
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
  // Stays as it is.
  // CHECK-LABEL: @atomics
  // CHECK-NOT:   async_task_id
  // CHECK:       } {tt.warp_specialize}
  // CHECK-NOT:   async_task_id
  // CHECK:       tt.return
  tt.func @atomics(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32, %float: f32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %inner = arith.constant 64 : i32
    %long = arith.constant 64 : i64
    %unit = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner : i32
      %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    } {tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    %true = arith.constant true
    // expected-remark @below {{tt.atomic_rmw has effects that must happen once: all warps run the whole loop, which is pipelined}}
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %o, %float, %true : (!tt.ptr<f32>, f32, i1) -> f32
    tt.return
  }
}
