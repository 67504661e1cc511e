// RUN: tt-opt %s --split-input-file --tritongpu-schedule-loops | FileCheck %s
// RUN: tt-opt %s --split-input-file --tritongpu-schedule-loops=print-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=TABLE

// TABLE: remark: loop of @sum, line {{[0-9]+}}: 3 stages, 4 clusters
// TABLE-NEXT: cluster  stage  latency  operation
// TABLE-NEXT: {{^}}      0      2           %{{.*}} = arith.addf
// TABLE-NEXT: {{^}}             2           %{{.*}} = arith.addi
// TABLE-NEXT: {{^}}      2      1           %{{.*}} = tt.addptr
// TABLE-NEXT: {{^}}      3      0           %{{.*}} = arith.muli
// TABLE: {{^}}             0        2  %{{.*}} = tt.load
// TABLE: remark: loop of @branches

// Products run before the loads of the same iteration of the pipelined loop, which are two iterations ahead; between
// them what moves the pointer: it is used one iteration later, so is one stage later than the load.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @sum
// CHECK: %[[S:.*]] = arith.muli %{{.*}}, %{{.*}} {loop.cluster = 3 : i32, loop.stage = 0 : i32}
// CHECK: tt.splat %[[S]] {loop.cluster = 3 : i32, loop.stage = 0 : i32}
// CHECK: tt.load {{.*}} {loop.cluster = 3 : i32, loop.stage = 0 : i32}
// CHECK: arith.addf {{.*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: tt.addptr {{.*}} {loop.cluster = 2 : i32, loop.stage = 1 : i32}
// CHECK: arith.addi {{.*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor
// CHECK: } {tt.scheduled_max_stage = 2 : i32}
tt.func @sum(%p: tensor<512x!tt.ptr<f32>, #row>, %step: tensor<512xi32, #row>, %zero: tensor<512xf32, #row>, %n: i32) -> (tensor<512xf32, #row>, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p, %count = %c0) -> (tensor<512xf32, #row>, tensor<512x!tt.ptr<f32>, #row>, i32) : i32 {
    %o = arith.muli %i, %c1 : i32
    %os = tt.splat %o : i32 -> tensor<512xi32, #row>
    %m = arith.cmpi slt, %step, %os : tensor<512xi32, #row>
    %x = tt.load %q, %m {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %acc, %x : tensor<512xf32, #row>
    %next = tt.addptr %q, %step : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %more = arith.addi %count, %c1 : i32
    scf.yield %y, %next, %more : tensor<512xf32, #row>, tensor<512x!tt.ptr<f32>, #row>, i32
  }
  tt.return %r#0, %r#2 : tensor<512xf32, #row>, i32
}
}

// -----

// The scf.if that the load needs comes first; the one that uses the sum last; the one that neither uses nor feeds them
// last as well, in the last stage.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @branches
// CHECK: arith.cmpi {{.*}} {loop.cluster = 0 : i32, loop.stage = 0 : i32}
// CHECK: } {loop.cluster = 0 : i32, loop.stage = 0 : i32}
// CHECK: tt.load {{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: arith.mulf {{.*}} {loop.cluster = 1 : i32, loop.stage = 1 : i32}
// CHECK: } {loop.cluster = 3 : i32, loop.stage = 1 : i32}
// CHECK: } {loop.cluster = 4 : i32, loop.stage = 1 : i32}
// CHECK: } {tt.scheduled_max_stage = 1 : i32}
tt.func @branches(%p: tensor<512x!tt.ptr<f32>, #row>, %o: tensor<512x!tt.ptr<f32>, #row>, %s: !tt.ptr<i32>, %step: tensor<512xi32, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %c = arith.cmpi eq, %i, %c0 : i32
    %offset = scf.if %c -> (tensor<512xi32, #row>) {
      %two = arith.addi %step, %step : tensor<512xi32, #row>
      scf.yield %two : tensor<512xi32, #row>
    } else {
      scf.yield %step : tensor<512xi32, #row>
    }
    %q = tt.addptr %p, %offset : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %x = tt.load %q {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.mulf %x, %x : tensor<512xf32, #row>
    scf.if %c {
      tt.store %o, %y : tensor<512x!tt.ptr<f32>, #row>
    }
    scf.if %c {
      tt.store %s, %c1 : !tt.ptr<i32>
    }
  }
  tt.return
}
}

// -----

// What the load needs of the iteration before is loaded: it goes with the load.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @carried_load
// CHECK: tt.load %arg0, {{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 0 : i32, loop.stage = 1 : i32}
// CHECK: tt.load %arg1 {loop.cluster = 1 : i32, loop.stage = 0 : i32}
tt.func @carried_load(%p: tensor<512x!tt.ptr<f32>, #row>, %masks: tensor<512x!tt.ptr<i1>, #row>, %first: tensor<512xi1, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%mask = %first) -> tensor<512xi1, #row> : i32 {
    %x = tt.load %p, %mask {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
    %next = tt.load %masks : tensor<512x!tt.ptr<i1>, #row>
    scf.yield %next : tensor<512xi1, #row>
  }
  tt.return
}
}

// -----

// Left alone: no latencies; a barrier; a loop in the loop; a value of the iteration before the last.  The latencies go.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @left_alone
// CHECK-NOT: tt.latency
// CHECK-NOT: loop.stage
// CHECK-NOT: tt.scheduled_max_stage
tt.func @left_alone(%p: tensor<512x!tt.ptr<f32>, #row>, %zero: tensor<512xf32, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    gpu.barrier
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    scf.for %j = %c0 to %n step %c1 : i32 {
      tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
    }
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%last = %zero, %before = %zero) -> (tensor<512xf32, #row>, tensor<512xf32, #row>) : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.addf %x, %before : tensor<512xf32, #row>
    scf.yield %y, %last : tensor<512xf32, #row>, tensor<512xf32, #row>
  }
  tt.return
}
}

// -----

// The inner loop of a nest.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @nested
// CHECK: tt.load {{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 0 : i32, loop.stage = 1 : i32}
// CHECK: } {tt.scheduled_max_stage = 1 : i32}
// CHECK-NOT: tt.scheduled_max_stage
tt.func @nested(%p: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
      tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
    }
  }
  tt.return
}
}

// -----

// The next iteration's address comes from before the loop: there is nothing to schedule.  A cluster stays free for it, as
// in Triton.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @carried_from_outside
// CHECK: tt.load {{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 0 : i32, loop.stage = 1 : i32}
tt.func @carried_from_outside(%p: tensor<512x!tt.ptr<f32>, #row>, %other: tensor<512x!tt.ptr<f32>, #row>, %steps: tensor<512xi32, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %next = tt.addptr %other, %steps : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> tensor<512x!tt.ptr<f32>, #row> : i32 {
    %x = tt.load %q {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
    scf.yield %next : tensor<512x!tt.ptr<f32>, #row>
  }
  tt.return
}
}

// -----

// The scf.if fills the same memory each time.  It runs after the addition of the iteration before has read that; with a
// load two stages ahead, the next iteration would fill it too early, and the loop stays as it is.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @fills_memory
// CHECK: scf.if
// CHECK: } {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: tt.load {{.*}} {loop.cluster = 3 : i32, loop.stage = 0 : i32}
// CHECK: ttg.local_load {{.*}} {loop.cluster = 1 : i32, loop.stage = 1 : i32}
// CHECK: } {tt.scheduled_max_stage = 1 : i32}
// CHECK-LABEL: @fills_memory_too_early
// CHECK-NOT: loop.stage
tt.func @fills_memory(%p: tensor<512x!tt.ptr<f32>, #row>, %zero: tensor<512xf32, #row>, %first: !ttg.memdesc<512xf32, #shared, #smem>, %n: i32) -> tensor<512xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %first, %o = %c0) -> (tensor<512xf32, #row>, !ttg.memdesc<512xf32, #shared, #smem>, i32) : i32 {
    %c = arith.cmpi eq, %i, %c0 : i32
    %tile:2 = scf.if %c -> (!ttg.memdesc<512xf32, #shared, #smem>, i32) {
      %t = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
      %b = ttg.local_alloc %t : (tensor<512xf32, #row>) -> !ttg.memdesc<512xf32, #shared, #smem>
      %one = arith.addi %o, %c1 : i32
      scf.yield %b, %one : !ttg.memdesc<512xf32, #shared, #smem>, i32
    } else {
      scf.yield %before, %o : !ttg.memdesc<512xf32, #shared, #smem>, i32
    }
    %os = tt.splat %tile#1 : i32 -> tensor<512xi32, #row>
    %q = tt.addptr %p, %os : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %x = tt.load %q {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = ttg.local_load %tile#0 : !ttg.memdesc<512xf32, #shared, #smem> -> tensor<512xf32, #row>
    %xy = arith.mulf %x, %y : tensor<512xf32, #row>
    %sum = arith.addf %acc, %xy : tensor<512xf32, #row>
    scf.yield %sum, %tile#0, %tile#1 : tensor<512xf32, #row>, !ttg.memdesc<512xf32, #shared, #smem>, i32
  }
  tt.return %r#0 : tensor<512xf32, #row>
}
tt.func @fills_memory_too_early(%p: tensor<512x!tt.ptr<f32>, #row>, %zero: tensor<512xf32, #row>, %first: !ttg.memdesc<512xf32, #shared, #smem>, %n: i32) -> tensor<512xf32, #row> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %before = %first, %o = %c0) -> (tensor<512xf32, #row>, !ttg.memdesc<512xf32, #shared, #smem>, i32) : i32 {
    %c = arith.cmpi eq, %i, %c0 : i32
    %tile:2 = scf.if %c -> (!ttg.memdesc<512xf32, #shared, #smem>, i32) {
      %t = tt.load %p : tensor<512x!tt.ptr<f32>, #row>
      %b = ttg.local_alloc %t : (tensor<512xf32, #row>) -> !ttg.memdesc<512xf32, #shared, #smem>
      %one = arith.addi %o, %c1 : i32
      scf.yield %b, %one : !ttg.memdesc<512xf32, #shared, #smem>, i32
    } else {
      scf.yield %before, %o : !ttg.memdesc<512xf32, #shared, #smem>, i32
    }
    %os = tt.splat %tile#1 : i32 -> tensor<512xi32, #row>
    %q = tt.addptr %p, %os : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %x = tt.load %q {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = ttg.local_load %tile#0 : !ttg.memdesc<512xf32, #shared, #smem> -> tensor<512xf32, #row>
    %xy = arith.mulf %x, %y : tensor<512xf32, #row>
    %sum = arith.addf %acc, %xy : tensor<512xf32, #row>
    scf.yield %sum, %tile#0, %tile#1 : tensor<512xf32, #row>, !ttg.memdesc<512xf32, #shared, #smem>, i32
  }
  tt.return %r#0 : tensor<512xf32, #row>
}
}

// -----

// Accesses of one tensor keep their order: the branch comes last, so the store after it does as well, and the load that
// needs what an atomic operation gives.  Stores to another tensor stay in the first cluster.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @same_tensor
// CHECK: tt.load {{.*}} {loop.cluster = 2 : i32, loop.stage = 0 : i32}
// CHECK: } {loop.cluster = 3 : i32, loop.stage = 2 : i32}
// CHECK: tt.addptr {{.*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 3 : i32, loop.stage = 2 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 0 : i32, loop.stage = 2 : i32}
// CHECK: tt.atomic_rmw {{.*}} {loop.cluster = 3 : i32, loop.stage = 2 : i32}
// CHECK: arith.addf {{.*}} {loop.cluster = 3 : i32, loop.stage = 2 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 3 : i32, loop.stage = 2 : i32}
tt.func @same_tensor(%p: tensor<512x!tt.ptr<f32>, #row>, %out: tensor<512x!tt.ptr<f32>, #row>, %other: tensor<512x!tt.ptr<f32>, #row>,
                     %third: tensor<512x!tt.ptr<f32>, #row>, %step: tensor<512xi32, #row>, %yes: tensor<512xi1, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %y = arith.mulf %x, %x : tensor<512xf32, #row>
    %c = arith.cmpi eq, %i, %c0 : i32
    scf.if %c {
      tt.store %out, %x : tensor<512x!tt.ptr<f32>, #row>
    }
    %q = tt.addptr %out, %step : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    tt.store %q, %y : tensor<512x!tt.ptr<f32>, #row>
    tt.store %other, %y : tensor<512x!tt.ptr<f32>, #row>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %out, %y, %yes : (tensor<512x!tt.ptr<f32>, #row>, tensor<512xf32, #row>, tensor<512xi1, #row>) -> tensor<512xf32, #row>
    %z = arith.addf %old, %y : tensor<512xf32, #row>
    tt.store %third, %z : tensor<512x!tt.ptr<f32>, #row>
  }
  tt.return
}
}

// -----

// Not scheduled: the load would run two iterations ahead of the store to its tensor, in a loop that carries the pointer
// and in one that has it from a table.  With one stage the store still comes first.
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @stored_for_next
// CHECK-NOT: loop.stage
// CHECK: tt.return
// CHECK-LABEL: @one_stage
// CHECK: tt.load {{.*}} {loop.cluster = 1 : i32, loop.stage = 0 : i32}
// CHECK: tt.store {{.*}} {loop.cluster = 0 : i32, loop.stage = 1 : i32}
tt.func @stored_for_next(%p: tensor<512x!tt.ptr<f32>, #row>, %table: !tt.ptr<i64>, %step: tensor<512xi32, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> tensor<512x!tt.ptr<f32>, #row> : i32 {
    %x = tt.load %q {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    %next = tt.addptr %q, %step : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    tt.store %next, %x : tensor<512x!tt.ptr<f32>, #row>
    scf.yield %next : tensor<512x!tt.ptr<f32>, #row>
  }
  %first = tt.load %table : !tt.ptr<i64>
  %a = tt.int_to_ptr %first : i64 -> !tt.ptr<f32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #row>
  %place = tt.addptr %table, %c1 : !tt.ptr<i64>, i32
  %second = tt.load %place : !tt.ptr<i64>
  %b = tt.int_to_ptr %second : i64 -> !tt.ptr<f32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %as {tt.latency = 2 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %bs, %x : tensor<512x!tt.ptr<f32>, #row>
  }
  tt.return
}
tt.func @one_stage(%p: tensor<512x!tt.ptr<f32>, #row>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {tt.latency = 1 : i32} : tensor<512x!tt.ptr<f32>, #row>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #row>
  }
  tt.return
}
}
