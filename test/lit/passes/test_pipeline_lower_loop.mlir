// RUN: tt-opt %s --split-input-file --tritongpu-test-pipeline-lower-loop | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// A load two stages before its use goes through a buffer for two tensors; what counts its parts is scheduled too.
// CHECK: #[[SHARED:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK-LABEL: @sum
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x512xf32, #[[SHARED]], #smem, mutable>
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[I:.*]] = %c-1_i32, %[[E:.*]] = %c-1_i32)
// CHECK: %[[LIMIT:.*]] = arith.constant {loop.cluster = 1 : i32, loop.stage = 0 : i32} 2 : i32
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: %[[OVER:.*]] = arith.cmpi sge, %[[NEXT]], %[[LIMIT]]
// CHECK: %[[INSERT:.*]] = arith.select %[[OVER]], %{{.*}}, %[[NEXT]]
// CHECK: arith.addi %[[E]], %{{.*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: %[[EXTRACT:.*]] = arith.select
// CHECK: %[[PART:.*]] = ttg.memdesc_index %[[BUFFER]][%[[INSERT]]]
// CHECK: %[[COPY:.*]] = ttg.async_copy_global_to_local %{{.*}}, %[[PART]] {contiguity = 4 : i32, loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: %[[GROUP:.*]] = ttg.async_commit_group tokens %[[COPY]] {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: %[[DONE:.*]] = ttg.async_wait %[[GROUP]] {loop.cluster = 0 : i32, loop.stage = 2 : i32, num = 0 : i32}
// CHECK: %[[READ:.*]] = ttg.memdesc_index %[[BUFFER]][%[[EXTRACT]]]
// CHECK: %[[X:.*]] = ttg.local_load %[[READ]] token %[[DONE]]
// CHECK: arith.addf %[[ACC]], %[[X]]
// CHECK: scf.yield %{{.*}}, %[[INSERT]], %[[EXTRACT]]
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK: ttg.local_dealloc %[[BUFFER]]
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @sum(%p: tensor<512x!tt.ptr<f32>, #blocked> {tt.divisibility = dense<16> : tensor<1xi32>, tt.contiguity = dense<512> : tensor<1xi32>},
               %n: i32) -> tensor<512xf32, #blocked> {
    %zero = arith.constant dense<0.0> : tensor<512xf32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #blocked>) : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
      %y = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<512xf32, #blocked>
      scf.yield %y : tensor<512xf32, #blocked>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<512xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// The hardware fills what the mask leaves out with zeros; other numbers are chosen after the wait.
// CHECK-LABEL: @other
// CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %arg1 other %[[ONE:[^ ]*]]
// CHECK: %[[X:.*]] = ttg.local_load
// CHECK: arith.select %arg1, %[[X]], %[[ONE]]
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @other(%p: tensor<512x!tt.ptr<f32>, #blocked>, %mask: tensor<512xi1, #blocked>, %n: i32) -> tensor<512xf32, #blocked> {
    %zero = arith.constant dense<0.0> : tensor<512xf32, #blocked>
    %one = arith.constant dense<1.0> : tensor<512xf32, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<512xf32, #blocked>) : i32 {
      %x = tt.load %p, %mask, %one {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
      %y = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #blocked>
      scf.yield %y : tensor<512xf32, #blocked>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %r : tensor<512xf32, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// Left alone: elements of two bytes, one at a time, are too small for cp.async; a load in the stage of its use; a loop
// without a schedule.
// CHECK-LABEL: @left_alone
// CHECK-NOT: ttg.async_copy_global_to_local
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @left_alone(%p: tensor<128x!tt.ptr<f16>, #blocked>, %q: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
      %y = tt.load %q {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %q, %y {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    } {tt.scheduled_max_stage = 1 : i32}
    scf.for %i = %c0 to %n step %c1 : i32 {
      %y = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %q, %y {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}
