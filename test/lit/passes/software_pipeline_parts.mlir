// RUN: tt-opt %s --split-input-file --verify-diagnostics --tritongpu-pipeline | FileCheck %s

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// The branch reads behind the copy of the iteration two ahead: its buffer has a part more than there are stages between.
// CHECK-LABEL: @read_behind_the_copy
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x512xf32
// CHECK: scf.for
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_wait {{.*}} {num = 2 : i32}
// CHECK: ttg.local_load
// CHECK: scf.if
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @read_behind_the_copy(%p: tensor<512x!tt.ptr<f32>, #row>, %q: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {loop.cluster = 0 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
      %even = arith.cmpi eq, %i, %c0 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : i32
      scf.if %even {
        tt.store %q, %x : tensor<512x!tt.ptr<f32>, #row>
      } {loop.cluster = 1 : i32, loop.stage = 2 : i32}
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// Data comes to registers with the first use: later ones need no parts.
// CHECK-LABEL: @read_once
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<1x512xf32
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @read_once(%p: tensor<512x!tt.ptr<f32>, #row>, %q: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
      %y = arith.addf %x, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #row>
      tt.store %q, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// A view with two uses: the wgmma of the iteration before reads the buffer still when a copy starts, so it has three parts.
// CHECK-LABEL: @view_with_two_users
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: ttng.warp_group_dot {{.*}} {isAsync = true}
// CHECK: ttng.warp_group_dot_wait {{.*}} {pendings = 1 : i32}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @view_with_two_users(%p: tensor<64x64x!tt.ptr<f16>, #row> {tt.divisibility = dense<16> : tensor<2xi32>, tt.contiguity = dense<[1, 64]> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #row>
      %a = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #row>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %t = ttg.memdesc_trans %a {order = array<i32: 1, 0>, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #turned, #smem>
      %d = ttng.warp_group_dot %t, %t, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #turned, #smem> * !ttg.memdesc<64x64xf16, #turned, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x64xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#operand = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {

// A product with an operand in registers may go on behind its own wait; the branch waits for all of it.
// CHECK-LABEL: @registers_and_branch
// CHECK: ttng.warp_group_dot {{.*}} {isAsync = true}
// CHECK: %[[D:.*]]:2 = ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// CHECK: scf.if
// CHECK-NEXT: %[[DONE:.*]]:2 = ttng.warp_group_dot_wait %[[D]]#0, %arg1 {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[DONE]]#0
tt.func @registers_and_branch(%a: tensor<64x16xf16, #operand>, %b: !ttg.memdesc<16x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f32>, #mma>, %cond: i1, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %x = %a) -> (tensor<64x64xf32, #mma>, tensor<64x16xf16, #operand>) : i32 {
    %y = arith.addf %x, %x : tensor<64x16xf16, #operand>
    %d = ttng.warp_group_dot %y, %b, %acc : tensor<64x16xf16, #operand> * !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.if %cond {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    scf.yield %d, %y : tensor<64x64xf32, #mma>, tensor<64x16xf16, #operand>
  }
  tt.return %r#0 : tensor<64x64xf32, #mma>
}

// The wait for the first product comes before the second one starts; the branch waits for that.
// CHECK-LABEL: @second_product_and_branch
// CHECK: %[[FIRST:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true}
// CHECK: ttng.warp_group_dot_wait %[[FIRST]], %{{.*}}, %{{.*}} {pendings = 0 : i32}
// CHECK: %[[SECOND:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true}
// CHECK-NEXT: scf.if
// CHECK-NEXT: %[[DONE:.*]]:3 = ttng.warp_group_dot_wait %[[SECOND]], %{{.*}}, %{{.*}} {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[DONE]]#0
tt.func @second_product_and_branch(%a: !ttg.memdesc<64x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f32>, #mma>, %cond: i1, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %c = ttng.warp_group_dot %a, %b, %acc : !ttg.memdesc<64x16xf16, #shared, #smem> * !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x16xf16, #shared, #smem> * !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    scf.if %cond {
      tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    scf.yield %d : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}

// Two branches: the second one may get the value as the product left it.  The value that it holds is that of the first.
// CHECK-LABEL: @by_way_of_a_branch
// CHECK: %[[D:.*]] = ttng.warp_group_dot {{.*}} {isAsync = true}
// CHECK: %[[WAIT:.*]]:3 = ttng.warp_group_dot_wait %[[D]], %{{.*}}, %{{.*}} {pendings = 1 : i32}
// CHECK: %[[VALUE:.*]] = scf.if
// CHECK: ttng.warp_group_dot_wait %[[WAIT]]#0, %{{.*}}, %{{.*}} {pendings = 0 : i32}
// CHECK: scf.if
// CHECK-NEXT: %[[DONE:.*]]:3 = ttng.warp_group_dot_wait %[[VALUE]], %{{.*}}, %{{.*}} {pendings = 0 : i32}
// CHECK-NEXT: tt.store %{{.*}}, %[[DONE]]#0
tt.func @by_way_of_a_branch(%a: !ttg.memdesc<64x16xf16, #shared, #smem>, %b: !ttg.memdesc<16x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f32>, #mma>, %cond: i1, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
    %d = ttng.warp_group_dot %a, %b, %acc : !ttg.memdesc<64x16xf16, #shared, #smem> * !ttg.memdesc<16x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = scf.if %cond -> (tensor<64x64xf32, #mma>) {
      %f = arith.mulf %d, %d : tensor<64x64xf32, #mma>
      scf.yield %f : tensor<64x64xf32, #mma>
    } else {
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    %odd = arith.cmpi eq, %i, %c0 : i32
    scf.if %odd {
      tt.store %p, %e : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    scf.yield %e : tensor<64x64xf32, #mma>
  }
  tt.return %r : tensor<64x64xf32, #mma>
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {

// Stages above the highest one that the loop has noted count, as in Triton.
// CHECK-LABEL: @more_stages
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x512xf32
// CHECK-COUNT-2: ttg.async_commit_group
// CHECK: scf.for
tt.func @more_stages(%p: tensor<512x!tt.ptr<f32>, #row>, %q: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %q, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}

// CHECK-LABEL: @kept_predicates
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %arg2 step %c1_i32
// CHECK: ttg.predicate_stage %[[I]], %arg2, %c1_i32 maxStage 2 stage 0 : i32 -> i1
// CHECK: ttg.predicate_stage %[[I]], %arg2, %c1_i32 maxStage 2 stage 1 : i32 -> i1
// CHECK: } {__test_keep_predicate_stage}
tt.func @kept_predicates(%p: tensor<512x!tt.ptr<f32>, #row>, %q: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %p, %x {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %q, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
  } {tt.scheduled_max_stage = 2 : i32, __test_keep_predicate_stage}
  tt.return
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func @negative_stage(%p: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{found loop.stage = -1; use a stage from 0 to 128}}
    %x = tt.load %p {loop.cluster = 0 : i32, loop.stage = -1 : i32} : tensor<512x!tt.ptr<f32>, #row>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#numbers = #ttg.slice<{dim = 0, parent = #rows}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {

// A buffer has the layout of its descriptor's block, whatever its kind, in the dimensions of what is stored.
// CHECK: #[[SHARED:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK-LABEL: @swizzled
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #[[SHARED]]
// CHECK: ttng.async_tma_gather
tt.func @swizzled(%d: !tt.tensordesc<tensor<1x64xf16, #shared>>, %i: tensor<64xi32, #numbers>, %p: tensor<64x64x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.descriptor_gather %d[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : (!tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<64xi32, #numbers>, i32) -> tensor<64x64xf16, #rows>
    tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64x!tt.ptr<f16>, #rows>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}

// CHECK-LABEL: @swizzled_store
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16,
// CHECK: ttng.async_tma_copy_local_to_global
tt.func @swizzled_store(%d: !tt.tensordesc<tensor<1x64x64xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>>>, %x: tensor<64x64xf16, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    tt.descriptor_store %d[%k, %c0, %c0], %x : !tt.tensordesc<tensor<1x64x64xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>>>, tensor<64x64xf16, #rows>
  } {tt.num_stages = 3 : i32}
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
tt.func @swizzled_load(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{the block of the descriptor needs a layout #ttg.nvmma_shared, found #ttg.swizzled_shared}}
    %x = tt.descriptor_load %d[%k, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #rows>
    tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64x!tt.ptr<f16>, #rows>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {

// The map of an iteration is read until its copy has been waited for, in the last stage behind the next map but one.
// CHECK-LABEL: @maps
// CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 384 : i32}
tt.func @maps(%a: !tt.ptr<f16>, %size: i32, %step: i64, %p: tensor<64x64x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  scf.for %k = %c0 to %n step %c1 : i32 {
    %d = tt.make_tensor_descriptor %a, [%size, %size], [%step, %one] {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>, !tt.tensordesc<tensor<64x64xf16, #shared>>
    %x = tt.descriptor_load %d[%k, %c0] {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #rows>
    tt.store %p, %x {loop.cluster = 1 : i32, loop.stage = 2 : i32} : tensor<64x64x!tt.ptr<f16>, #rows>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {

// Addresses behind a block pointer are not known: the load stays in registers.
// CHECK-LABEL: @block_pointer
// CHECK-NOT: ttg.async_copy_global_to_local
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<64x32xf16, #{{.*}}>, tensor<64x32xf16, #{{.*}}>)
tt.func @block_pointer(%a: !tt.ptr<tensor<64x32xf16, #rows>>, %p: tensor<64x32x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-remark @+1 {{Pipelining load that cannot use vectorized copy}}
    %x = tt.load %a {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<tensor<64x32xf16, #rows>>
    tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32x!tt.ptr<f16>, #rows>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {

// A loop that hands on a token as it is adds nothing to the groups behind it.
// CHECK-LABEL: @token_handed_on
// CHECK: ttg.async_wait %{{.*}} {num = 1 : i32}
tt.func @token_handed_on(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = ttg.async_commit_group
  %second = ttg.async_commit_group
  %t = scf.for %k = %c0 to %n step %c1 iter_args(%token = %first) -> (!ttg.async.token) : i32 {
    %w = ttg.async_wait %token {num = 0 : i32}
    tt.store %p, %k : !tt.ptr<i32>
    scf.yield %token : !ttg.async.token
  }
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {

tt.func @use_without_a_stage(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %p: tensor<64x64x!tt.ptr<f16>, #rows>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{nothing that has a stage (loop.stage) in the loop uses what it loads}}
    %x = tt.descriptor_load %d[%k, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #rows>
    %y = ttg.local_alloc %x {loop.cluster = 0 : i32} : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %z = ttg.local_load %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #rows>
    tt.store %p, %z {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64x!tt.ptr<f16>, #rows>
  } {tt.scheduled_max_stage = 2 : i32}
  tt.return
}
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {

// A product with a latency and no stage overlaps nothing.
// CHECK-LABEL: @product_without_a_stage
// CHECK: ttng.tc_gen5_mma
// CHECK-NOT: ttng.wait_barrier
tt.func @product_without_a_stage(%n: i32, %yes: i1, %a: !ttg.memdesc<128x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x32xf16, #shared1, #smem>) {
  %c, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
  scf.for %k = %n to %n step %n : i32 {
    %d = ttng.tc_gen5_mma %a, %b, %c[], %yes, %yes {tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared1, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
  } {tt.scheduled_max_stage = 3 : i32}
  tt.return
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
// Another partition reads %buffer: an iteration that does not exist stores nothing there.  It may store to %own.
// CHECK-LABEL: @store_for_others
// CHECK:      scf.for
// CHECK:        %[[EXISTS:.*]] = arith.cmpi slt
// CHECK:        ttng.wait_barrier %{{.*}}, %{{.*}}, %[[EXISTS]]
// CHECK-NEXT:   scf.if %[[EXISTS]] {
// CHECK-NEXT:     ttg.local_store
// CHECK-NEXT:   }
// CHECK-NEXT:   ttg.local_store
// CHECK-NEXT:   ttng.arrive_barrier %{{.*}}, 1, %[[EXISTS]]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @store_for_others(%p: !tt.ptr<f32>, %x: tensor<16x32xf32, #row>, %q: tensor<16x32x!tt.ptr<f32>, #row>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable>
    %own = ttg.local_alloc : () -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable>
    %empty = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.init_barrier %empty, 1 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #bars, #smem, mutable>
    ttg.warp_specialize(%buffer, %empty, %full, %n) attributes {}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.remsi %i, %c2 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32
        ttng.wait_barrier %empty, %phase {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<1xi64, #bars, #smem, mutable>
        ttg.local_store %x, %buffer {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<16x32xf32, #row> -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable>
        ttg.local_store %x, %own {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<16x32xf32, #row> -> !ttg.memdesc<16x32xf32, #tile, #smem, mutable>
        ttng.arrive_barrier %full, 1 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<1xi64, #bars, #smem, mutable>
        tt.store %q, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<16x32x!tt.ptr<f32>, #row>
      } {tt.num_stages = 2 : i32, tt.scheduled_max_stage = 1 : i32, tt.warp_specialize}
      ttg.warp_yield
    }
    partition0(%b: !ttg.memdesc<16x32xf32, #tile, #smem, mutable>, %e: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %f: !ttg.memdesc<1xi64, #bars, #smem, mutable>, %m: i32) num_warps(4) {
      ttg.warp_return
    } : (!ttg.memdesc<16x32xf32, #tile, #smem, mutable>, !ttg.memdesc<1xi64, #bars, #smem, mutable>, !ttg.memdesc<1xi64, #bars, #smem, mutable>, i32) -> ()
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// Edge case: a schedule that has a load, and not its user.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @load_without_its_user(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      // expected-error @+1 {{found a load in the schedule without any of its users}}
      %x = tt.descriptor_load %a[%c0, %i] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %xs = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %ys = ttg.local_alloc %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %xs, %ys, %acc {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x64xf32, #mma>
  }
}
