// RUN: tt-opt %s --allow-unregistered-dialect --split-input-file --tritongpu-pipeline | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// Two copies are in flight when the loop begins; each iteration waits for one and starts another, if there is one to
// start.  Nothing of the schedule is left.
// CHECK-LABEL: @sum
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x512xf32
// CHECK: %[[FIRST:.*]] = arith.cmpi sgt, %arg1, %c0_i32
// CHECK: %[[MASK:.*]] = tt.splat %[[FIRST]]
// CHECK: ttg.async_copy_global_to_local %arg0, %{{.*}} mask %[[MASK]]
// CHECK: %[[GROUP0:.*]] = ttg.async_commit_group
// CHECK: arith.cmpi sgt, %arg1, %c1_i32
// CHECK: ttg.async_copy_global_to_local
// CHECK: %[[GROUP1:.*]] = ttg.async_commit_group
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %arg1 step %c1_i32 iter_args({{.*}} = %[[GROUP0]], %[[NEWER:.*]] = %[[GROUP1]])
// CHECK-DAG: %[[END:.*]] = arith.subi %arg1, %c2_i32
// CHECK-DAG: %[[MORE:.*]] = arith.cmpi slt, %[[I]], %[[END]]
// CHECK: %[[DONE:.*]] = ttg.async_wait %{{.*}} {num = 1 : i32}
// CHECK: ttg.local_load %{{.*}} token %[[DONE]]
// CHECK: arith.addf
// CHECK: %[[MASK:.*]] = tt.splat %[[MORE]]
// CHECK: ttg.async_copy_global_to_local %arg0, %{{.*}} mask %[[MASK]]
// CHECK: %[[GROUP:.*]] = ttg.async_commit_group
// CHECK: scf.yield {{.*}} %[[NEWER]], %[[GROUP]]
// CHECK-NOT: loop.stage
// CHECK-NOT: tt.scheduled_max_stage
// CHECK: ttg.async_wait {num = 0 : i32}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @sum(%p: tensor<512x!tt.ptr<f32>, #blocked>, %n: i32) -> tensor<512xf32, #blocked> {
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

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// Loads in registers: the value travels as an argument of the loop.  The pointer is needed after the loop, so it stays
// what it was in the last iteration that exists.
// CHECK-LABEL: @in_registers
// CHECK: %[[X0:.*]] = tt.load %arg0, %{{.*}}
// CHECK: %[[P0:.*]] = tt.addptr %arg0
// CHECK: %[[P:.*]] = arith.select %{{.*}}, %[[P0]], %arg0
// CHECK: scf.for {{.*}} iter_args(%[[Q:.*]] = %[[P]], %[[X:.*]] = %[[X0]])
// CHECK: tt.store %{{.*}}, %[[X]]
// CHECK: %[[X1:.*]] = tt.load %[[Q]], %{{.*}}
// CHECK: %[[Q1:.*]] = tt.addptr %[[Q]]
// CHECK: %[[LAST:.*]] = arith.select %{{.*}}, %[[Q1]], %[[Q]]
// CHECK: scf.yield %[[LAST]], %[[X1]]
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @in_registers(%p: tensor<128x!tt.ptr<f16>, #blocked>, %out: tensor<128x!tt.ptr<f16>, #blocked>, %n: i32)
      -> tensor<128x!tt.ptr<f16>, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant dense<1> : tensor<128xi32, #blocked>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (tensor<128x!tt.ptr<f16>, #blocked>) : i32 {
      %x = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %out, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f16>, #blocked>
      %next = tt.addptr %q, %one {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
      scf.yield %next : tensor<128x!tt.ptr<f16>, #blocked>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %r : tensor<128x!tt.ptr<f16>, #blocked>
  }
}

// -----

// Left alone: a loop without a schedule, and one whose next iteration gets what was computed two iterations ago.
// CHECK-LABEL: @left_alone
// CHECK: scf.for
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.store
// CHECK: scf.for
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.store
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
tt.func @left_alone(%p: !tt.ptr<f16>, %n: i32) -> f16 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f16
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : !tt.ptr<f16>
    tt.store %p, %x : !tt.ptr<f16>
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (f16, f16) : i32 {
    %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>
    tt.store %p, %b {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<f16>
    scf.yield %x, %a : f16, f16
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return %r#1 : f16
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// Products by wgmma go on into the next iteration: the buffers have a part more, and the wait leaves one product.
// Loads of one stage share a barrier.
// CHECK-LABEL: @wgmma
// CHECK: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: %[[BARRIERS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64
// CHECK-COUNT-3: ttng.init_barrier
// CHECK: ttng.barrier_expect %[[BARRIER:.*]], 16384, %
// CHECK: ttng.async_tma_copy_global_to_local {{.*}}, %[[BARRIER]],
// CHECK: ttng.async_tma_copy_global_to_local {{.*}}, %[[BARRIER]],
// CHECK: ttng.barrier_expect
// CHECK: %[[LOOP:.*]]:6 = scf.for
// CHECK: ttng.wait_barrier
// CHECK: %[[D:.*]] = ttng.warp_group_dot %[[X:.*]], %[[Y:.*]], %{{.*}} {inputPrecision = 0 : i32, isAsync = true}
// CHECK: ttng.warp_group_dot_wait %[[D]], %[[X]], %[[Y]] {pendings = 1 : i32}
// CHECK: ttng.barrier_expect
// CHECK: scf.yield
// CHECK: ttng.warp_group_dot_wait %[[LOOP]]#0 {pendings = 0 : i32}
// CHECK-COUNT-3: ttng.inval_barrier
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @wgmma(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !tt.tensordesc<tensor<64x64xf16, #shared>>,
                 %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %x = tt.descriptor_load %a[%c0, %i] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %xs = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %y = tt.descriptor_load %b[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %ys = ttg.local_alloc %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = ttng.warp_group_dot %xs, %ys, %acc {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x64xf32, #mma>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>

// Stores through descriptors share a buffer before the loop and wait for each other; a descriptor made in the loop
// has two tensor maps.
// CHECK-LABEL: @stores
// CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16
// CHECK: %[[RING:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32}
// CHECK: scf.for {{.*}} iter_args(%[[TURN:.*]] = %
// CHECK: %[[OFFSET:.*]] = arith.muli %{{.*}}, %[[TURN]]
// CHECK: %[[MAP:.*]] = tt.addptr %[[RING]], %[[OFFSET]]
// CHECK: ttng.tensormap_create %[[MAP]]
// CHECK: %[[DESC:.*]] = ttng.reinterpret_tensor_descriptor %[[MAP]]
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK-NEXT: ttg.local_store %{{.*}}, %[[BUFFER]]
// CHECK-NEXT: ttng.fence_async_shared
// CHECK-NEXT: ttng.async_tma_copy_local_to_global %[[DESC]]{{.*}} %[[BUFFER]]
// CHECK: ttng.async_tma_store_wait
// CHECK: ttg.local_store
// CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
// CHECK: ttg.local_dealloc
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @stores(%p: !tt.ptr<f16>, %x: tensor<64x64xf16, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    scf.for %i = %c0 to %n step %c1 : i32 {
      %m = arith.extsi %n : i32 to i64
      %d = tt.make_tensor_descriptor %p, [%n, %n], [%m, %one] : <f16>, <tensor<64x64xf16, #shared>>
      tt.descriptor_store %d[%i, %c0], %x : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      tt.descriptor_store %d[%c0, %i], %x : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    }
    tt.return
  }
}

// -----

// An operation without a mask gets into a branch.
// CHECK-LABEL: @branch
// CHECK: scf.if
// CHECK-NEXT: tt.print
// CHECK: scf.for
// CHECK: tt.store
// CHECK: scf.if
// CHECK-NEXT: tt.print
tt.func @branch(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>, loop.cluster = 1 : i32, loop.stage = 0 : i32} : %i : i32
    tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<f32>
  } {tt.scheduled_max_stage = 1 : i32}
  tt.return
}

// -----

// Edge: a loaded row that becomes a number gets a plain buffer.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @row_to_number
  // CHECK: ttg.local_alloc {{.*}}1x512xf32
  // CHECK: ttg.async_copy_global_to_local
  // CHECK: scf.for
  // CHECK: "tt.reduce"
  tt.func public @row_to_number(%rows: tensor<512x!tt.ptr<f32>, #blocked> {tt.contiguity = 512 : i32, tt.divisibility = 16 : i32}, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> (f32)  : i32 {
      %x = tt.load %rows {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
      %y = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        tt.reduce.return %s : f32
      }) {loop.cluster = 0 : i32, loop.stage = 1 : i32} : (tensor<512xf32, #blocked>) -> f32
      %t = arith.addf %total, %y {loop.cluster = 0 : i32, loop.stage = 1 : i32} : f32
      scf.yield %t : f32
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %sum : f32
  }
}
// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1]], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory

// Edge: a product of a cluster with its first operand in registers stays whole, for there are no views of a part of a
// buffer that CTAs share.
// CHECK-LABEL: @cluster
// CHECK: scf.for
// CHECK-NOT: ttg.memdesc_subslice
// CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xf16
// CHECK-NOT: ttng.warp_group_dot %
// CHECK: scf.yield
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster(%a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>,
                   %b: tensor<64x128x!tt.ptr<f16>, #blocked>, %n: i32) -> tensor<64x128xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x128xf32, #mma>) : i32 {
      %y = tt.load %b {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked>
      %ys = ttg.local_alloc %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %d = ttng.warp_group_dot %a, %ys, %acc {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      scf.yield %d : tensor<64x128xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x128xf32, #mma>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
// Registers are divided between two CTAs, the descriptor's block isn't: TMA brings all of it to each, 8192 bytes.
// CHECK-LABEL: @whole_block_for_each_cta
// CHECK: ttng.barrier_expect %{{.*}}, 8192, %
// CHECK-NOT: ttng.barrier_expect %{{.*}}, 4096, %
// CHECK: tt.return
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @whole_block_for_each_cta(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32) -> tensor<64x64xf16, #blocked> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf16, #blocked>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16, #blocked>) : i32 {
      %x = tt.descriptor_load %desc[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %sum = arith.addf %acc, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #blocked>
      scf.yield %sum : tensor<64x64xf16, #blocked>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x64xf16, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#numbers = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 1]]}>}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
// CHECK-DAG: #[[OWN:.+]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = {{\[\[0\]\]}}}>
// CHECK-DAG: #[[ALL:.+]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = {{\[\[0, 0\]\]}}}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Each CTA has its own number.
  // CHECK-LABEL: @number_of_each_cta
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<{{.}}x1xi32, #[[OWN]], #smem, mutable>
  tt.func @number_of_each_cta(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.ptr<i32>
      tt.store %q, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.ptr<i32>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return
  }

  // TMA brings all rows to both CTAs, so both need all of their numbers.
  // CHECK-LABEL: @gathered_by_each_cta
  // CHECK: %[[NUMBERS:.+]] = ttg.convert_layout %{{.+}} -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[ALL]]}>>
  // CHECK: ttng.async_tma_gather %{{.+}}[%[[NUMBERS]], %
  tt.func @gathered_by_each_cta(%d: !tt.tensordesc<tensor<1x64xf16, #shared>>, %rows: tensor<64xi32, #numbers>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %x = tt.descriptor_gather %d[%rows, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : (!tt.tensordesc<tensor<1x64xf16, #shared>>, tensor<64xi32, #numbers>, i32) -> tensor<64x64xf16, #blocked>
      tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// What is added to a product's result, and nothing else, is read from a buffer swizzled like an operand.
// CHECK-DAG: #[[LIKE_OPERAND:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-LABEL: @added_to_result
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #[[LIKE_OPERAND]], #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @added_to_result(%b: tensor<64x64x!tt.ptr<f16>, #blocked> {tt.contiguity = dense<[1, 64]> : tensor<2xi32>, tt.divisibility = dense<16> : tensor<2xi32>}, %n: i32) -> tensor<64x64xf16, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf16, #mma>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf16, #mma>) : i32 {
      %y = tt.load %b {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
      %x = ttg.convert_layout %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
      %d = arith.addf %x, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #mma>
      scf.yield %d : tensor<64x64xf16, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x64xf16, #mma>
  }
}

// -----

#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
// Arrivals at barriers have conditions of their own.
// CHECK-LABEL: @arrivals
// CHECK: %[[FIRST:.*]] = arith.cmpi sgt, %arg1, %c0_i32
// CHECK: ttng.tc_gen5_commit %arg0, %[[FIRST]]
// CHECK: ttng.arrive_barrier %arg0, 1, %[[FIRST]]
// CHECK: scf.for
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: ttng.tc_gen5_commit %arg0, %[[MORE]]
// CHECK: ttng.arrive_barrier %arg0, 1, %[[MORE]]
// CHECK-NOT: scf.if
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @arrivals(%bar: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %n: i32, %p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.tc_gen5_commit %bar {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
      ttng.arrive_barrier %bar, 1 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
      tt.store %p, %i {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<i32>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// The accumulator is read in the product's iteration: that waits in front of the read, whatever the operands are.  The
// last stage waits, so the last iteration runs by itself, here one of a loop with a single stage.
// CHECK-LABEL: @accumulator_in_loop
// CHECK: %[[LESS:.*]] = arith.subi %arg3, %c1_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[LESS]]
// CHECK: ttng.tc_gen5_mma {{.*}} {is_async}
// CHECK: ttng.wait_barrier
// CHECK-NEXT: ttng.tmem_load
// CHECK: scf.if
// CHECK: ttng.tc_gen5_mma {{.*}} {is_async}
// CHECK: ttng.wait_barrier
// CHECK-NEXT: ttng.tmem_load
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @accumulator_in_loop(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<128x64xf32, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<128x64xf32, #rows>)  : i32 {
      %acc, %t = ttng.tmem_alloc %x {loop.cluster = 0 : i32, loop.stage = 0 : i32} : (tensor<128x64xf32, #rows>) -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {loop.cluster = 0 : i32, loop.stage = 0 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %y, %v = ttng.tmem_load %acc[%u] {loop.cluster = 0 : i32, loop.stage = 0 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
      scf.yield %y : tensor<128x64xf32, #rows>
    } {tt.scheduled_max_stage = 0 : i32}
    tt.return %r : tensor<128x64xf32, #rows>
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#lhs = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// An operand is loaded into tensor memory: one buffer for all iterations, which the product of the one before must have
// read, so that is waited for behind the load.
// CHECK-LABEL: @operand_in_tensor_memory
// CHECK: %[[LHS:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf16,
// CHECK: scf.for
// CHECK: %[[A:.*]] = tt.load
// CHECK-NEXT: ttng.wait_barrier {{.*}} deps %[[LHS]]
// CHECK-NEXT: ttng.tmem_store %[[A]], %[[LHS]]
// CHECK: ttng.tc_gen5_mma %[[LHS]]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @operand_in_tensor_memory(%p: tensor<128x64x!tt.ptr<f16>, #rows>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %n: i32) -> tensor<128x64xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %acc, %t = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t0 = %t) -> (!ttg.async.token)  : i32 {
      %x = tt.load %p {loop.cluster = 0 : i32, loop.stage = 0 : i32} : tensor<128x64x!tt.ptr<f16>, #rows>
      %a = ttng.tmem_alloc %x {loop.cluster = 0 : i32, loop.stage = 0 : i32} : (tensor<128x64xf16, #rows>) -> !ttg.memdesc<128x64xf16, #lhs, #ttng.tensor_memory>
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true {loop.cluster = 0 : i32, loop.stage = 0 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #lhs, #ttng.tensor_memory>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable>
      scf.yield %u : !ttg.async.token
    } {tt.scheduled_max_stage = 0 : i32}
    %y, %v = ttng.tmem_load %acc[%r] : !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    tt.return %y : tensor<128x64xf32, #rows>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// Dropped: a loop of products that nobody needs; a wait would be a need.
// CHECK-LABEL: @unused_products
// CHECK-NEXT: tt.return
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @unused_products(%a: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<64x64xf32, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> (tensor<64x64xf32, #mma>)  : i32 {
      %y = ttng.warp_group_dot %a, %a, %x : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %y : tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// What TMA loads is read by a product, and into registers.  Three parts: the product of the iteration before reads one.
// CHECK-LABEL: @read_twice
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// CHECK: scf.for
// CHECK: ttng.wait_barrier
// CHECK: %[[TILE:.*]] = ttg.memdesc_index
// CHECK-NEXT: %[[X:.*]] = ttg.local_load %[[TILE]]
// CHECK: arith.extf %[[X]]
// CHECK: ttng.warp_group_dot %[[TILE]]
// CHECK: ttng.async_tma_copy_global_to_local
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @read_twice(%d: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %init: tensor<64x64xf32, #mma>, %zero: tensor<64x64xf32, #blocked>, %n: i32) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %sum = %zero) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>)  : i32 {
      %x = tt.descriptor_load %d[%i, %c0] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %m = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %w = arith.extf %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #blocked> to tensor<64x64xf32, #blocked>
      %s = arith.addf %sum, %w {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf32, #blocked>
      %y = ttng.warp_group_dot %m, %b, %acc {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %y, %s : tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r#0, %r#1 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// A value that the loop carries and does not change, as partitions of warps leave them, keeps no loop from being expanded.
// CHECK-LABEL: @carries_unchanged
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SAME:[^ ]*]] = %arg1,
// CHECK:   arith.mulf %{{.*}}, %[[SAME]]
// CHECK:   scf.yield %{{[^,]*}}, %[[SAME]],
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @carries_unchanged(%p: tensor<512x!tt.ptr<f32>, #row>, %factor: tensor<512xf32, #row>, %n: i32) -> tensor<512xf32, #row> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32, #row>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %same = %factor) -> (tensor<512xf32, #row>, tensor<512xf32, #row>)  : i32 {
      %off = tt.splat %i {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32 -> tensor<512xi32, #row>
      %q = tt.addptr %p, %off {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
      %x = tt.load %q {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
      %y = arith.mulf %x, %same {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #row>
      %t = arith.addf %sum, %y {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #row>
      scf.yield %t, %same : tensor<512xf32, #row>, tensor<512xf32, #row>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %r#0 : tensor<512xf32, #row>
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[0, 1]], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
// In clusters the buffer is divided among CTAs as what reads it: all of them need all columns of a left operand.
// CHECK: #[[A:.*]] = #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [1, 0], CGALayout = {{\[\[}}0, 0]]}>
// CHECK-LABEL: @operand_of_all_ctas
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<{{.}}x64x16xf32, #[[A]],
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @operand_of_all_ctas(%p: tensor<64x16x!tt.ptr<f32>, #row> {tt.divisibility = dense<[16, 16]> : tensor<2xi32>, tt.contiguity = dense<[1, 16]> : tensor<2xi32>}, %y: tensor<16x32xf32, #b>, %n: i32) -> tensor<64x32xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %zero) -> (tensor<64x32xf32, #mma>)  : i32 {
      %l = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<64x16x!tt.ptr<f32>, #row>
      %x = ttg.convert_layout %l {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x16xf32, #row> -> tensor<64x16xf32, #a>
      %d = tt.dot %x, %y, %c, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x16xf32, #a> * tensor<16x32xf32, #b> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %r : tensor<64x32xf32, #mma>
  }
}

// -----

// A descriptor's block lies otherwise in shared memory than the product reads it, so each iteration stores it once more: in a
// buffer in front of the loop, and not before the product of the iteration before has read that.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @stored_in_another_layout
// CHECK: %[[AGAIN:.*]] = ttg.local_alloc : () -> !ttg.memdesc<32x16xf32, #{{.*}}, #smem, mutable>
// CHECK: scf.for
// CHECK: ttng.wait_barrier
// CHECK: ttng.wait_barrier
// CHECK: ttg.local_store {{.*}}, %[[AGAIN]]
// CHECK: ttng.tc_gen5_mma {{.*}}, %[[AGAIN]], {{.*}} {is_async}
tt.func @stored_in_another_layout(%da: !tt.tensordesc<tensor<128x32xf32, #shared>>, %db: !tt.tensordesc<tensor<32x16xf32, #rows>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %true = arith.constant true
  %d, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
    %k = arith.muli %i, %c32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
    %x = tt.descriptor_load %da[%c0, %k] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x32xf32, #shared>> -> tensor<128x32xf32, #blocked>
    %a = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x32xf32, #blocked>) -> !ttg.memdesc<128x32xf32, #shared, #smem>
    %y = tt.descriptor_load %db[%k, %c0] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<32x16xf32, #rows>> -> tensor<32x16xf32, #blocked>
    %b = ttg.local_alloc %y {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<32x16xf32, #blocked>) -> !ttg.memdesc<32x16xf32, #columns, #smem>
    %u = ttng.tc_gen5_mma %a, %b, %d[%t], %true, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf32, #shared, #smem>, !ttg.memdesc<32x16xf32, #columns, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    scf.yield %u : !ttg.async.token
  } {tt.scheduled_max_stage = 2 : i32}
  %o, %t1 = ttng.tmem_load %d[%r] : !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x16xf32, #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>>
  tt.return
}
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#acc = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The accumulator has two parts, so that one is read while the next product fills the other.  What was stored before the loop
  // is in the first part, and is there behind the loop if that makes no iteration.
  // CHECK-LABEL: @read_behind_the_loop
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[ACC:.*]], %{{.*}} = ttng.tmem_alloc : () -> (!ttg.memdesc<2x128x64xf32,
  // CHECK: %[[FIRST:.*]] = ttg.memdesc_index %[[ACC]][%[[ZERO]]]
  // CHECK: ttng.tmem_store %arg2, %[[FIRST]]
  // CHECK-NOT: arith.constant -1
  // CHECK: scf.for
  // CHECK: tt.return
  tt.func @read_behind_the_loop(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: tensor<128x64xf32, #rows>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %n: i32) -> tensor<128x64xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    %acc, %t = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %s = ttng.tmem_store %v, %acc[%t], %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t0 = %s) -> (!ttg.async.token)  : i32 {
      %u = ttng.tc_gen5_mma %a, %b, %acc[%t0], %false, %true {loop.cluster = 0 : i32, loop.stage = 0 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable>
      %x, %t1 = ttng.tmem_load %acc[%u] {loop.cluster = 1 : i32, loop.stage = 1 : i32} : !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
      tt.store %p, %x {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<128x64x!tt.ptr<f32>, #rows>
      scf.yield %t1 : !ttg.async.token
    } {tt.scheduled_max_stage = 1 : i32}
    %y, %w = ttng.tmem_load %acc[%r] : !ttg.memdesc<128x64xf32, #acc, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
    tt.return %y : tensor<128x64xf32, #rows>
  }
}

// -----

// Operations that nobody knows happen without a condition, in iterations of their stage that there are not too.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unknown_operation
  // CHECK-NOT: scf.if
  // CHECK:     "some.op"
  // CHECK-NOT: scf.if
  // CHECK:     scf.for
  // CHECK-NEXT: tt.store
  // CHECK-NOT: scf.if
  // CHECK:     "some.op"
  // CHECK-NOT: scf.if
  // CHECK:     scf.yield
  tt.func @unknown_operation(%p: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = "some.op"(%i) {loop.cluster = 1 : i32, loop.stage = 0 : i32} : (i32) -> tensor<128xf32, #blocked>
      tt.store %p, %x {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>

// Sums that go back and forth between two accumulators: the iteration of the pipelined loop that starts the second
// product, of stage 1, goes on with stage 0 of the next one, which reads it.  The wait stands between them.
// CHECK-LABEL: @two_accumulators
// CHECK: scf.for
// CHECK: ttng.tmem_store %{{.*}}, %[[SECOND:.*]][%{{.*}}], %{{.*}} : tensor
// CHECK: ttng.tc_gen5_mma %arg0, %arg1, %[[SECOND]][%{{.*}}], {{.*}}, %[[BARRIER:.*]][%true] {is_async}
// CHECK: ttng.wait_barrier %[[BARRIER]],
// CHECK: ttng.tmem_load %[[SECOND]]
// CHECK: scf.yield
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @two_accumulators(%a: !ttg.memdesc<128x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x16xf16, #shared1, #smem>, %n: i32)
      -> tensor<128x16xf32, #linear> {
    %zero = arith.constant dense<0.0> : tensor<128x16xf32, #linear>
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first, %t0 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %second, %t1 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %t2 = ttng.tmem_store %zero, %second[%t1], %true : tensor<128x16xf32, #linear> -> !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t0, %v = %t2) -> (!ttg.async.token, !ttg.async.token) : i32 {
      %x, %t3 = ttng.tmem_load %second[%v] {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x16xf32, #linear>
      %t4 = ttng.tmem_store %x, %first[%u], %true {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x16xf32, #linear> -> !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
      %t5 = ttng.tc_gen5_mma %a, %b, %first[%t4], %true, %true {loop.cluster = 1 : i32, loop.stage = 0 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x16xf16, #shared1, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
      %y, %t6 = ttng.tmem_load %first[%t5] {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x16xf32, #linear>
      %t7 = ttng.tmem_store %y, %second[%t3], %true {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<128x16xf32, #linear> -> !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
      %t8 = ttng.tc_gen5_mma %a, %b, %second[%t7], %true, %true {loop.cluster = 0 : i32, loop.stage = 1 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x16xf16, #shared1, #smem>, !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %t6, %t8 : !ttg.async.token, !ttg.async.token
    } {tt.scheduled_max_stage = 1 : i32}
    %s, %t9 = ttng.tmem_load %second[%r#1] : !ttg.memdesc<128x16xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x16xf32, #linear>
    tt.return %s : tensor<128x16xf32, #linear>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// What is loaded is used a stage before the load: a schedule that can't be.
// CHECK-LABEL: @used_before_it_is_loaded
// CHECK-NOT: ttg.local_alloc
// CHECK: scf.for
// CHECK-NEXT: tt.load %arg1 :
// CHECK-NEXT: arith.addf
// CHECK-NEXT: tt.store
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @used_before_it_is_loaded(%n: i32, %p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
      %y = arith.addf %x, %x {loop.cluster = 0 : i32, loop.stage = 0 : i32} : tensor<128xf32, #blocked>
      tt.store %p, %y {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// A value that the loop carries around unchanged, read by an early stage.
// CHECK-LABEL: @reads_unchanged_early
// CHECK: arith.mulf %{{.*}}, %arg1
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SAME:.*]] = %arg1, %{{.*}})
// CHECK: arith.mulf %{{.*}}, %[[SAME]]
// CHECK: scf.yield %{{.*}}, %[[SAME]], %{{.*}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
  tt.func @reads_unchanged_early(%p: tensor<512x!tt.ptr<f32>, #row>, %factor: tensor<512xf32, #row>, %n: i32) -> tensor<512xf32, #row> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32, #row>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %same = %factor) -> (tensor<512xf32, #row>, tensor<512xf32, #row>) : i32 {
      %x = tt.load %p {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<512x!tt.ptr<f32>, #row>
      %y = arith.mulf %x, %same {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<512xf32, #row>
      %t = arith.addf %sum, %y {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<512xf32, #row>
      scf.yield %t, %same : tensor<512xf32, #row>, tensor<512xf32, #row>
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %r#0 : tensor<512xf32, #row>
  }
}
