// RUN: tt-opt %s --split-input-file --nvgpu-test-ws-data-partition=num-warp-groups=3 --verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#blocks = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each half of the rows has its own descriptors, loads and products; both use all of the other factor.
  // CHECK-LABEL: @rows
  // CHECK:      %[[CST:.*]] = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<64x128xf32
  // CHECK:      %[[A0:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>} : <f16>, <tensor<64x64xf16
  // CHECK:      %[[A1:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>} : <f16>, <tensor<64x64xf16
  // CHECK:      tt.make_tensor_descriptor {{.*}} : <f16>, <tensor<128x64xf16
  // CHECK:      %[[C0:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 1>} : <f32>, <tensor<64x128xf32
  // CHECK:      %[[C1:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 2>} : <f32>, <tensor<64x128xf32
  // CHECK:      %[[ROW:.*]] = tt.get_program_id
  // CHECK:      %[[STORED:.*]] = arith.addi %[[ROW]], %{{.*}} {async_task_id = array<i32: 2>}
  // CHECK:      %[[LOADED:.*]] = arith.addi %[[ROW]], %{{.*}} {async_task_id = array<i32: 0>}
  // CHECK:      scf.for {{.*}} iter_args(%[[S0:.*]] = %[[CST]], %[[S1:.*]] = %[[CST]])
  // CHECK:        tt.descriptor_load %[[A0]][%[[ROW]], %{{.*}}] {async_task_id = array<i32: 0>}
  // CHECK:        tt.descriptor_load %[[A1]][%[[LOADED]], %{{.*}}] {async_task_id = array<i32: 0>}
  // CHECK:        %[[X0:.*]] = ttg.local_alloc {{.*}} {async_task_id = array<i32: 1>}
  // CHECK:        %[[X1:.*]] = ttg.local_alloc {{.*}} {async_task_id = array<i32: 2>}
  // CHECK:        %[[Y:.*]] = ttg.memdesc_trans {{.*}} {async_task_id = array<i32: 1, 2>
  // CHECK:        ttng.warp_group_dot %[[X0]], %[[Y]], %[[S0]] {async_task_id = array<i32: 1>
  // CHECK:        ttng.warp_group_dot %[[X1]], %[[Y]], %[[S1]] {async_task_id = array<i32: 2>
  // CHECK:      tt.descriptor_store %[[C0]][%[[ROW]], %[[ROW]]], %{{.*}} {async_task_id = array<i32: 1>}
  // CHECK:      tt.descriptor_store %[[C1]][%[[STORED]], %[[ROW]]], %{{.*}} {async_task_id = array<i32: 2>}
  tt.func @rows(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i32
    %inner = arith.constant {async_task_id = array<i32: 0>} 64 : i32
    %long = arith.constant {async_task_id = array<i32: 0>} 64 : i64
    %unit = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i64
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] {async_task_id = array<i32: 1, 2>} : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>} : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %a[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield {async_task_id = array<i32: 1, 2>} %d : tensor<128x128xf32, #mma>
    } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    tt.return
  }

  // The offset of the second half, which task 0 adds, is equal to the step of the loop of all tasks.
  // CHECK-LABEL: @step
  // CHECK:      %[[STEP:.*]] = arith.constant {async_task_id = array<i32: 0, 1, 2>} 64 : i32
  // CHECK:      scf.for {{.*}} step %[[STEP]] iter_args
  tt.func @step(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %long = arith.constant {async_task_id = array<i32: 0>} 64 : i64
    %unit = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i64
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] {async_task_id = array<i32: 1, 2>} : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>} : i32
    %step = arith.constant {async_task_id = array<i32: 0, 1, 2>} 64 : i32
    %r = scf.for %i = %zero to %n step %step iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %zero {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %a[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield {async_task_id = array<i32: 1, 2>} %d : tensor<128x128xf32, #mma>
    } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    tt.return
  }

  // Blocks with a dimension of one element in front are cut along the dimension of the tensors.
  // CHECK-LABEL: @leading_dimension
  // CHECK:      %[[A0:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>} : <f16>, <tensor<1x64x64xf16
  // CHECK:      %[[A1:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 0>} : <f16>, <tensor<1x64x64xf16
  // CHECK:      %[[C0:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 1>} : <f32>, <tensor<1x64x128xf32
  // CHECK:      %[[C1:.*]] = tt.make_tensor_descriptor {{.*}} {async_task_id = array<i32: 2>} : <f32>, <tensor<1x64x128xf32
  // CHECK:      %[[ROW:.*]] = tt.get_program_id
  // CHECK:      %[[STORED:.*]] = arith.addi %[[ROW]], %{{.*}} {async_task_id = array<i32: 2>}
  // CHECK:      %[[LOADED:.*]] = arith.addi %[[ROW]], %{{.*}} {async_task_id = array<i32: 0>}
  // CHECK:        tt.descriptor_load %[[A0]][%[[ZERO:.*]], %[[ROW]], %{{.*}}] {async_task_id = array<i32: 0>}
  // CHECK:        tt.descriptor_load %[[A1]][%[[ZERO]], %[[LOADED]], %{{.*}}] {async_task_id = array<i32: 0>}
  // CHECK:      tt.descriptor_store %[[C0]][%[[ZERO]], %[[ROW]], %[[ROW]]], %{{.*}} {async_task_id = array<i32: 1>}
  // CHECK:      tt.descriptor_store %[[C1]][%[[ZERO]], %[[STORED]], %[[ROW]]], %{{.*}} {async_task_id = array<i32: 2>}
  tt.func @leading_dimension(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i32
    %inner = arith.constant {async_task_id = array<i32: 0>} 64 : i32
    %long = arith.constant {async_task_id = array<i32: 0>} 64 : i64
    %unit = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i64
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%one, %m, %k], [%long, %long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<1x128x64xf16, #blocks>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%one, %m, %k], [%long, %unit, %unit] {async_task_id = array<i32: 1, 2>} : <f32>, <tensor<1x128x128xf32, #blocks>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>} : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %a[%zero, %row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<1x128x64xf16, #blocks>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield {async_task_id = array<i32: 1, 2>} %d : tensor<128x128xf32, #mma>
    } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
    tt.descriptor_store %c[%zero, %row, %row], %r {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<1x128x128xf32, #blocks>>, tensor<128x128xf32, #mma>
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
  // A row that a descriptor and pointers use is moved for the descriptor alone: the range moves the pointers.
  // CHECK-LABEL: @pointers
  // CHECK: %[[ROW:.*]] = tt.get_program_id
  // CHECK: "tt.reduce"
  // CHECK: "tt.reduce"
  // CHECK: tt.make_range {async_task_id = array<i32: 1>, end = 64 : i32, start = 0 : i32}
  // CHECK: tt.make_range {async_task_id = array<i32: 2>, end = 128 : i32, start = 64 : i32}
  // CHECK: tt.splat %[[ROW]] {async_task_id = array<i32: 1>}
  // CHECK: tt.splat %[[ROW]] {async_task_id = array<i32: 2>}
  // CHECK: tt.store {{.*}} {async_task_id = array<i32: 1>} : tensor<64x!tt.ptr<f32>
  // CHECK: tt.store {{.*}} {async_task_id = array<i32: 2>} : tensor<64x!tt.ptr<f32>
  tt.func @pointers(%p: !tt.ptr<f16>, %q: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %o: !tt.ptr<f32>, %y: !ttg.memdesc<64x128xf16, #shared1, #smem>, %m: i32) {
    %unit = arith.constant 1 : i64
    %zero = arith.constant {async_task_id = array<i32: 0>} 0 : i32
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %m], [%unit, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>} : i32
    %x = tt.descriptor_load %a[%row, %zero] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
    %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %xs, %y, %cst {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
    %s = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%v: f32, %w: f32):
      %z = arith.addf %v, %w {async_task_id = array<i32: 1, 2>} : f32
      tt.reduce.return %z {async_task_id = array<i32: 1, 2>} : f32
    }) {async_task_id = array<i32: 1, 2>} : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %r = tt.make_range {async_task_id = array<i32: 1, 2>, end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %base = tt.splat %row {async_task_id = array<i32: 1, 2>} : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %rows = arith.addi %base, %r {async_task_id = array<i32: 1, 2>} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %ptr = tt.splat %o {async_task_id = array<i32: 1, 2>} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %at = tt.addptr %ptr, %rows {async_task_id = array<i32: 1, 2>} : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.store %at, %s {async_task_id = array<i32: 1, 2>} : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
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
  tt.func @too_small(%x: !ttg.memdesc<64x64xf16, #shared, #smem>, %y: !ttg.memdesc<64x128xf16, #shared1, #smem>) {
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<64x128xf32, #mma>
    // expected-error @below {{can't be divided among 2 tasks: 64 rows and 128 columns are too few for 2 warp groups}}
    %d = ttng.warp_group_dot %x, %y, %cst {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<64x128xf32, #mma>
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
  // All users of a descriptor that is an argument read slices: its blocks become smaller.
  // CHECK-LABEL: @descriptor_of_the_host
  // CHECK-SAME:  (%[[A:.*]]: !tt.tensordesc<tensor<64x64xf16, #shared>>
  // CHECK-SAME:  !tt.tensordesc<tensor<64x128xf32, #shared>>
  tt.func @descriptor_of_the_host(%a: !tt.tensordesc<tensor<128x64xf16, #shared>>, %c: !tt.tensordesc<tensor<128x128xf32, #shared>>, %y: !ttg.memdesc<64x128xf16, #shared1, #smem>, %row: i32) {
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    // CHECK: tt.descriptor_load %[[A]][%{{.*}}, %{{.*}}] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>>
    // CHECK: tt.descriptor_load %[[A]][%{{.*}}, %{{.*}}] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<64x64xf16, #shared>>
    %x = tt.descriptor_load %a[%row, %row] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
    %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %xs, %y, %cst {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
    tt.descriptor_store %c[%row, %row], %d {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
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
  tt.func @whole_blocks_too(%a: !tt.tensordesc<tensor<128x64xf16, #shared>>, %row: i32) {
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %x = tt.descriptor_load %a[%row, %row] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
    %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    // expected-error @below {{can't be divided among 2 tasks: it uses whole blocks of a descriptor of which others use slices}}
    %y = tt.descriptor_load %a[%row, %row] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
    %ys = ttg.local_alloc %y {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
    %d = ttng.warp_group_dot %xs, %yt, %cst {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
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
  // What has no tasks is in the slices of none, and stays as it is for the passes behind.
  // CHECK-LABEL: @loads_without_tasks
  // CHECK: ttng.warp_group_dot
  // CHECK: ttng.warp_group_dot
  tt.func @loads_without_tasks(%p: !tt.ptr<f16>, %o: !tt.ptr<f32>, %m: i32, %k: i32, %n: i32) {
    %zero = arith.constant {async_task_id = array<i32: 0, 1, 2>} 0 : i32
    %one = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i32
    %inner = arith.constant {async_task_id = array<i32: 0>} 64 : i32
    %long = arith.constant {async_task_id = array<i32: 0>} 64 : i64
    %unit = arith.constant {async_task_id = array<i32: 0, 1, 2>} 1 : i64
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %a = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %b = tt.make_tensor_descriptor %p, [%m, %k], [%long, %unit] {async_task_id = array<i32: 0>} : <f16>, <tensor<128x64xf16, #shared>>
    %c = tt.make_tensor_descriptor %o, [%m, %k], [%unit, %unit] {async_task_id = array<i32: 1, 2>} : <f32>, <tensor<128x128xf32, #shared>>
    %row = tt.get_program_id x {async_task_id = array<i32: 0, 1, 2>} : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %at = arith.muli %i, %inner {async_task_id = array<i32: 0>} : i32
      %x = tt.descriptor_load %a[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %xs = ttg.local_alloc %x {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%row, %at] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %ys = ttg.local_alloc %y {async_task_id = array<i32: 1, 2>} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %yt = ttg.memdesc_trans %ys {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
      %d = ttng.warp_group_dot %xs, %yt, %acc {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield {async_task_id = array<i32: 1, 2>} %d : tensor<128x128xf32, #mma>
    } {async_task_id = array<i32: 0, 1, 2>, tt.warp_specialize}
    tt.descriptor_store %c[%row, %row], %r {async_task_id = array<i32: 1, 2>} : !tt.tensordesc<tensor<128x128xf32, #shared>>, tensor<128x128xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Half of a row of 128 bytes is not as wide as the swizzling of the descriptor's blocks.
  tt.func @narrow_rows(%a: !tt.tensordesc<tensor<32x128xi8, #shared>>, %y: !ttg.memdesc<32x64xi8, #shared2, #smem>, %row: i32) {
    %cst = arith.constant {async_task_id = array<i32: 1, 2>} dense<0> : tensor<128x64xi32, #mma>
    %x = tt.descriptor_load %a[%row, %row] {async_task_id = array<i32: 0>} : !tt.tensordesc<tensor<32x128xi8, #shared>> -> tensor<32x128xi8, #blocked>
    %t = tt.trans %x {async_task_id = array<i32: 1, 2>, order = array<i32: 1, 0>} : tensor<32x128xi8, #blocked> -> tensor<128x32xi8, #blocked1>
    %xs = ttg.local_alloc %t {async_task_id = array<i32: 1, 2>} : (tensor<128x32xi8, #blocked1>) -> !ttg.memdesc<128x32xi8, #shared1, #smem>
    // expected-error @below {{can't be divided among 2 tasks: the rows of a slice would be narrower than the swizzling in shared memory}}
    %d = ttng.warp_group_dot %xs, %y, %cst {async_task_id = array<i32: 1, 2>} : !ttg.memdesc<128x32xi8, #shared1, #smem> * !ttg.memdesc<32x64xi8, #shared2, #smem> -> tensor<128x64xi32, #mma>
    tt.return
  }
}
