// RUN: tt-opt %s --nvgpu-test-ws-task-partition=num-warp-groups=3 | FileCheck %s
// RUN: tt-opt %s --nvgpu-test-ws-task-partition=num-warp-groups=2 | FileCheck %s --check-prefix=TWO
// RUN: tt-opt %s --nvgpu-test-ws-task-partition | FileCheck %s --check-prefix=OFF

// OFF-NOT: async_task_id = array<i32: 1>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @loads_and_products
  // CHECK-NOT: async_task_id
  // CHECK:     tt.descriptor_load {{.*}} {async_task_id = array<i32: 0>}
  // CHECK-NOT: async_task_id
  // CHECK:     tt.descriptor_load {{.*}} {async_task_id = array<i32: 0>}
  // CHECK-NOT: async_task_id
  // CHECK:     ttng.warp_group_dot {{.*}} {async_task_id = array<i32: 1, 2>}
  // CHECK-NOT: async_task_id
  // CHECK:     tt.descriptor_store {{.*}} {async_task_id = array<i32: 1, 2>}
  // TWO-LABEL: @loads_and_products
  // TWO:       ttng.warp_group_dot {{.*}} {async_task_id = array<i32: 1>}
  // TWO:       tt.descriptor_store {{.*}} {async_task_id = array<i32: 1>}
  // OFF-LABEL: @loads_and_products
  // OFF-NOT:   async_task_id
  // OFF:       tt.return
  tt.func @loads_and_products(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
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

  // A load that no product needs, and one with fewer elements than threads: not task 0.
  // CHECK-LABEL: @other_loads
  // CHECK:       tt.load %{{.*}} : tensor<64x!tt.ptr<f32>
  // CHECK-NOT:   async_task_id = array<i32: 0>
  // CHECK:       tt.return
  tt.func @other_loads(%p: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %x = tt.load %p : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %e = tt.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %f = tt.broadcast %e : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %d = ttng.warp_group_dot %q, %q, %f : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } {tt.warp_specialize}
    tt.return
  }
}
