// RUN: tt-opt %s --nvgpu-test-taskid-propagate=num-warp-groups=3 | FileCheck %s
// RUN: tt-opt %s --nvgpu-test-taskid-propagate | FileCheck %s --check-prefix=OFF

// Without groups all tasks go.
// OFF-NOT: async_task_id
// OFF:     tt.func @from_uses
// OFF-NOT: async_task_id
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @from_uses
  // CHECK:      arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
  // CHECK:      arith.constant {async_task_id = array<i32: 0>} 64 : i32
  // CHECK:      arith.constant {async_task_id = array<i32: 1, 2>} dense
  // CHECK:      tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>}
  // CHECK:      tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>}
  // CHECK:      tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 1, 2>}
  // CHECK:      tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>}
  // CHECK:      scf.for
  // CHECK-NEXT:   arith.muli {{.*}} {async_task_id = array<i32: 0>}
  // CHECK-NEXT:   tt.descriptor_load {{.*}} {async_task_id = array<i32: 0>}
  // CHECK-NEXT:   ttg.local_alloc {{.*}} {async_task_id = array<i32: 1, 2>}
  // CHECK:        ttg.memdesc_trans {{.*}} {async_task_id = array<i32: 1, 2>, order
  // CHECK:        scf.yield {async_task_id = array<i32: 1, 2>}
  // CHECK-NEXT: } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
  tt.func @from_uses(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
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
      %x = tt.descriptor_load %a[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    } {tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    tt.return
  }

  // Through a branch, a loop that carries it, and a reduction; conditions and bounds belong to all that is inside.
  // CHECK-LABEL: @structures
  // CHECK-NEXT: arith.constant {async_task_id = array<i32: 1, 3>} 0 : i32
  // CHECK-NEXT: arith.constant {async_task_id = array<i32: 1, 3>} 1 : i32
  // CHECK-NEXT: arith.constant 7 : i32
  // CHECK-NEXT: arith.cmpi {{.*}} {async_task_id = array<i32: 1>}
  // CHECK-NEXT: arith.addf {{.*}} {async_task_id = array<i32: 3>}
  // CHECK-NEXT: scf.for
  // CHECK-NEXT:   "tt.reduce"
  // CHECK-NEXT:   ^bb0
  // CHECK-NEXT:     arith.addf {{.*}} {async_task_id = array<i32: 1>}
  // CHECK-NEXT:     tt.reduce.return {{.*}} {async_task_id = array<i32: 1>}
  // CHECK-NEXT:   }) {async_task_id = array<i32: 1>}
  // CHECK-NEXT:   scf.if
  // CHECK-NEXT:     tt.store {{.*}} {async_task_id = array<i32: 1>}
  // CHECK-NEXT:   } {async_task_id = array<i32: 1>}
  // CHECK-NEXT:   scf.yield {async_task_id = array<i32: 3>}
  // CHECK-NEXT: } {async_task_id = array<i32: 1, 3>}
  tt.func @structures(%t: tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>, %p: !tt.ptr<f32>, %q: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %unused = arith.constant 7 : i32
    %some = arith.cmpi slt, %zero, %n : i32
    %u = arith.addf %t, %t : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r = scf.for %i = %zero to %n step %one iter_args(%c = %u) -> (tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>)  : i32 {
      %s = "tt.reduce"(%t) <{axis = 0 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> f32
      scf.if %some {
        tt.store %p, %s {async_task_id = array<i32: 1>} : !tt.ptr<f32>
      }
      scf.yield %c : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    }
    tt.store %q, %r {async_task_id = array<i32: 3>} : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    tt.return
  }

  // Loops that give nothing have the tasks of what is in them; their bounds have both.
  // CHECK-LABEL: tt.func @loops_with_the_same_bounds
  // CHECK-NEXT: arith.constant {async_task_id = array<i32: 0, 1>} 0
  // CHECK: scf.for
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: } {async_task_id = array<i32: 1>}
  // CHECK: scf.for
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: } {async_task_id = array<i32: 0>}
  tt.func @loops_with_the_same_bounds(%p: !tt.ptr<i32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      tt.store %p, %n {async_task_id = array<i32: 1>} : !tt.ptr<i32>
    }
    scf.for %i = %zero to %n step %one : i32 {
      tt.store %p, %n {async_task_id = array<i32: 0>} : !tt.ptr<i32>
    }
    tt.return
  }
}
