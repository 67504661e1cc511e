// --- other of an asynchronous copy
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b mask %in other [[%z||%one]] : tensor<16x16x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %u = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %u {num = 0 : i32}
  %l = ttg.local_load %b : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- mask of an asynchronous copy
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b [[mask %in other %z||]] : tensor<16x16x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %u = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %u {num = 0 : i32}
  %l = ttg.local_load %b : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- num of a wait
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b : tensor<16x16x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %u = ttg.async_commit_group tokens %t
  %w = ttg.async_wait %u {num = [[0||1]] : i32}
  %l = ttg.local_load %b : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- groups of two copies are one
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %c = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b : tensor<16x16x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  [[%u = ttg.async_commit_group tokens %t||]]
  %t2 = ttg.async_copy_global_to_local %ay, %c : tensor<16x16x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %u2 = ttg.async_commit_group tokens %t2
  %w = ttg.async_wait %u2 {num = 1 : i32}
  %l = ttg.local_load %b : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- slot of a view in a loop
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %v0 = ttg.memdesc_index %b[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v1 = ttg.memdesc_index %b[%c1] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %one, %v1 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  scf.for %i = %c0 to %n step %c1 : i32 {
  %j = arith.remsi %i, %c2 : i32
  %k = arith.subi %c1, %j : i32
  %v = ttg.memdesc_index %b[ [[%j||%k]] ] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %l = ttg.local_load %v : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  }
  tt.return
}
}
// --- a slot is carried as it was before
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %v0 = ttg.memdesc_index %b[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v1 = ttg.memdesc_index %b[%c1] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %one, %v1 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
  %v = ttg.memdesc_index %b[%s] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %l = ttg.local_load %v : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  %k = arith.subi %c1, %s : i32
  scf.yield [[%k||%s]] : i32
  }
  tt.return
}
}
// --- a store to a slot in a loop is lost
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %v0 = ttg.memdesc_index %b[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v1 = ttg.memdesc_index %b[%c1] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %one, %v1 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  scf.for %i = %c0 to %n step %c1 : i32 {
  %l = ttg.local_load %v1 : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  [[ttg.local_store %l, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>||]]
  }
  %l = ttg.local_load %v0 : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a transposed view
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v = tt.load %ax : tensor<16x16x!tt.ptr<f32>, #blocked>
  ttg.local_store %v, %b : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %t = ttg.memdesc_trans %b {order = array<i32: [[1, 0||0, 1]]>} : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, [[#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>||#shared]], #smem, mutable>
  %l = ttg.local_load %t : !ttg.memdesc<16x16xf32, [[#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>||#shared]], #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- an offset of a part of a buffer
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v = tt.load %ax : tensor<16x16x!tt.ptr<f32>, #blocked>
  ttg.local_store %v, %b : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %p = ttg.memdesc_subslice %b[ [[8||0]], 0] : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16>
  %l = ttg.local_load %p : !ttg.memdesc<8x16xf32, #shared, #smem, mutable, 16x16> -> tensor<8x16xf32, #blocked>
  %s = "tt.reduce"(%l) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %c: f32):
    %d = arith.maxnumf %a, %c : f32
    tt.reduce.return %d : f32
  }) : (tensor<8x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %g = tt.expand_dims %s {axis = 0 : i32} : tensor<16xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xf32, #blocked>
  %h = tt.broadcast %g : tensor<1x16xf32, #blocked> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %h : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a branch stores to the other slot
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %v0 = ttg.memdesc_index %b[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v1 = ttg.memdesc_index %b[%c1] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v1 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %q = arith.cmpi sgt, %n, %c0 : i32
  scf.if %q {
  ttg.local_store %one, [[%v0||%v1]] : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  }
  %l = ttg.local_load %v0 : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- an mbarrier's count
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %b, [[1||2]] : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %z : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- an mbarrier's phase
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.wait_barrier %b, [[%c0||%c1]] : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %z : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- an arrival under no condition
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.arrive_barrier %b, 1[[||, %false]] : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %z : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a group's capture
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  ttg.warp_specialize(%ax, %ay) attributes {requestedRegisters = array<i32: 24>, warpGroupStartIds = array<i32: 4>}
  default {
    ttg.warp_yield
  }
  partition0(%p: tensor<16x16x!tt.ptr<f32>, #blocked>, %q: tensor<16x16x!tt.ptr<f32>, #blocked>) num_warps(4) {
    %l = tt.load [[%p||%q]] : tensor<16x16x!tt.ptr<f32>, #blocked>
    tt.store [[%q||%p]], %l : tensor<16x16x!tt.ptr<f32>, #blocked>
    ttg.warp_return
  } : (tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16x!tt.ptr<f32>, #blocked>) -> ()
  tt.return
}
}
// --- a store of a group in the other group
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  ttg.warp_specialize(%ax, %ay) attributes {requestedRegisters = array<i32: 24>, warpGroupStartIds = array<i32: 4>}
  default {
    [[||tt.store %ax, %one : tensor<16x16x!tt.ptr<f32>, #blocked>]]
    ttg.warp_yield
  }
  partition0(%p: tensor<16x16x!tt.ptr<f32>, #blocked>, %q: tensor<16x16x!tt.ptr<f32>, #blocked>) num_warps(4) {
    %l = tt.load %p : tensor<16x16x!tt.ptr<f32>, #blocked>
    [[%oo = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
    tt.store %p, %oo : tensor<16x16x!tt.ptr<f32>, #blocked>||]]
    tt.store %q, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
    ttg.warp_return
  } : (tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16x!tt.ptr<f32>, #blocked>) -> ()
  tt.return
}
}
// --- a conversion of what is broadcast along the other dimension
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %v = tt.load %ax : tensor<16x16x!tt.ptr<f32>, #blocked>
  %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %c: f32):
    %d = arith.maxnumf %a, %c : f32
    tt.reduce.return %d : f32
  }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %t = ttg.convert_layout %s : tensor<16xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<16xf32, #ttg.slice<{dim = [[0||1]], parent = #blocked}>>
  %g = tt.expand_dims %t {axis = [[0||1]] : i32} : tensor<16xf32, #ttg.slice<{dim = [[0||1]], parent = #blocked}>> -> tensor<[[1x16||16x1]]xf32, #blocked>
  %h = tt.broadcast %g : tensor<[[1x16||16x1]]xf32, #blocked> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %h : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a while loop leaves a view of another slot
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %v0 = ttg.memdesc_index %b[%c0] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %v1 = ttg.memdesc_index %b[%c1] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %z, %v0 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  ttg.local_store %one, %v1 : tensor<16x16xf32, #blocked> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %q:2 = scf.while (%s = %c0, %i = %c0) : (i32, i32) -> (!ttg.memdesc<16x16xf32, #shared, #smem, mutable>, i32) {
  %v = ttg.memdesc_index %b[%s] : !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf32, #shared, #smem, mutable>
  %cc = arith.cmpi slt, %i, [[%n||%c1]] : i32
  %k = arith.subi %c1, %s : i32
  scf.condition(%cc) %v, %k : !ttg.memdesc<16x16xf32, #shared, #smem, mutable>, i32
  } do {
  ^bb0(%w: !ttg.memdesc<16x16xf32, #shared, #smem, mutable>, %k: i32):
  %d = arith.addi %k, %c1 : i32
  scf.yield %k, %d : i32, i32
  }
  %l = ttg.local_load %q#0 : !ttg.memdesc<16x16xf32, #shared, #smem, mutable> -> tensor<16x16xf32, #blocked>
  tt.store %ay, %l : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a view that a loop carries stays
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf32, #shared, #smem, mutable>
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable>
  %v0 = ttg.memdesc_index %a[%c0] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %v1 = ttg.memdesc_index %a[%c1] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %v0, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %v1, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %q:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %v = %v0, %ph = %c0) -> (i32, !ttg.memdesc<1xi64, #sharedb, #smem, mutable>, i32) : i32 {
  ttng.arrive_barrier %v, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %x2 = ttg.memdesc_index %a[%s] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.wait_barrier %x2, %ph : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %k = arith.subi %c1, %s : i32
  %ph2 = arith.xori %ph, %s : i32
  %w = ttg.memdesc_index %a[ [[%k||%s]] ] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  scf.yield %k, %w, %ph2 : i32, !ttg.memdesc<1xi64, #sharedb, #smem, mutable>, i32
  }
  ttng.inval_barrier %v0 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.inval_barrier %v1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %one : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- the view after a loop is the first one
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable>
  %v0 = ttg.memdesc_index %a[%c0] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %v1 = ttg.memdesc_index %a[%c1] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %v0, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %v1, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %v = %v0) -> (i32, !ttg.memdesc<1xi64, #sharedb, #smem, mutable>) : i32 {
  %k = arith.subi %c1, %s : i32
  %w = ttg.memdesc_index %a[%k] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  scf.yield %k, %w : i32, !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  }
  ttng.arrive_barrier [[%q#1||%v0]], 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.wait_barrier %q#1, %c0 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %one : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a view of no buffer where it is used
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#sharedb = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
  %false = arith.constant false
  %r0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %e0 = tt.expand_dims %r0 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
  %e1 = tt.expand_dims %r1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
  %k16 = arith.constant dense<16> : tensor<16x1xi32, #blocked>
  %e2 = arith.muli %e1, %k16 : tensor<16x1xi32, #blocked>
  %b0 = tt.broadcast %e0 : tensor<1x16xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %b1 = tt.broadcast %e2 : tensor<16x1xi32, #blocked> -> tensor<16x16xi32, #blocked>
  %o = arith.addi %b0, %b1 : tensor<16x16xi32, #blocked>
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %o : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
  %ns = tt.splat %n : i32 -> tensor<16x16xi32, #blocked>
  %in = arith.cmpi slt, %o, %ns : tensor<16x16xi32, #blocked>
  %z = arith.constant dense<0.0> : tensor<16x16xf32, #blocked>
  %one = arith.constant dense<1.0> : tensor<16x16xf32, #blocked>
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable>
  %v0 = ttg.memdesc_index %a[%c0] : !ttg.memdesc<2x1xi64, #sharedb, #smem, mutable> -> !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  ttng.init_barrier %v0, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %po = ub.poison : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  %cc = arith.cmpi sgt, %n, %c0 : i32
  %v = scf.if %cc -> (!ttg.memdesc<1xi64, #sharedb, #smem, mutable>) {
  scf.yield %v0 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  } else {
  scf.yield [[%v0||%po]] : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  }
  ttng.arrive_barrier %v, 1 : !ttg.memdesc<1xi64, #sharedb, #smem, mutable>
  tt.store %ay, %one : tensor<16x16x!tt.ptr<f32>, #blocked>
  tt.return
}
}
