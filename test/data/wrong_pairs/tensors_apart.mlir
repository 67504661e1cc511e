// --- a load moves before a store through the same argument
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %f = arith.constant 1.0 : f32
  %p = tt.addptr %x, %n : !tt.ptr<f32>, i32
  [[||%v = tt.load %p : !tt.ptr<f32>]]
  tt.store %x, %f : !tt.ptr<f32>
  [[%v = tt.load %p : !tt.ptr<f32>||]]
  tt.store %y, %v : !tt.ptr<f32>
  tt.return
}
// --- a load moves before an update through another argument that acquires
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<i32>, %z: !tt.ptr<f32>, %n: i32) {
  %t = arith.constant true
  [[||%v = tt.load %x : !tt.ptr<f32>]]
  %old = tt.atomic_rmw add, acquire, gpu, %y, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[%v = tt.load %x : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load moves before a compare and swap through another argument
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<i32>, %z: !tt.ptr<f32>, %n: i32) {
  [[||%v = tt.load %x : !tt.ptr<f32>]]
  %old = tt.atomic_cas acq_rel, gpu, %y, %n, %n : (!tt.ptr<i32>, i32, i32) -> i32
  [[%v = tt.load %x : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load through a loaded pointer moves before a store
tt.func public @k(%x: !tt.ptr<i64>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  %f = arith.constant 1.0 : f32
  %a = tt.load %x : !tt.ptr<i64>
  %p = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
  [[||%v = tt.load %p : !tt.ptr<f32>]]
  tt.store %y, %f : !tt.ptr<f32>
  [[%v = tt.load %p : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load moves before a store through a loaded pointer
tt.func public @k(%x: !tt.ptr<i64>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  %f = arith.constant 1.0 : f32
  %a = tt.load %x : !tt.ptr<i64>
  %p = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
  [[||%v = tt.load %y : !tt.ptr<f32>]]
  tt.store %p, %f : !tt.ptr<f32>
  [[%v = tt.load %y : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load through one of two arguments moves before a store
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %c: i1) {
  %f = arith.constant 1.0 : f32
  %p = arith.select %c, %x, %y : !tt.ptr<f32>
  [[||%v = tt.load %p : !tt.ptr<f32>]]
  tt.store %y, %f : !tt.ptr<f32>
  [[%v = tt.load %p : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load at a difference of arguments moves before a store
tt.func public @k(%x: !tt.ptr<i8>, %y: !tt.ptr<i8>, %z: !tt.ptr<i8>) {
  %f = arith.constant 1 : i8
  %a = tt.ptr_to_int %x : !tt.ptr<i8> -> i64
  %b = tt.ptr_to_int %y : !tt.ptr<i8> -> i64
  %d = arith.subi %b, %a : i64
  %p = tt.addptr %x, %d : !tt.ptr<i8>, i64
  [[||%v = tt.load %p : !tt.ptr<i8>]]
  tt.store %y, %f : !tt.ptr<i8>
  [[%v = tt.load %p : !tt.ptr<i8>||]]
  tt.store %z, %v : !tt.ptr<i8>
  tt.return
}
// --- a load at an offset of another argument moves before a store
tt.func public @k(%x: !tt.ptr<i8>, %y: !tt.ptr<i8>, %z: !tt.ptr<i8>) {
  %f = arith.constant 1 : i8
  %b = tt.ptr_to_int %y : !tt.ptr<i8> -> i64
  %p = tt.addptr %x, %b : !tt.ptr<i8>, i64
  [[||%v = tt.load %p : !tt.ptr<i8>]]
  tt.store %y, %f : !tt.ptr<i8>
  [[%v = tt.load %p : !tt.ptr<i8>||]]
  tt.store %z, %v : !tt.ptr<i8>
  tt.return
}
// --- a load moves before a barrier
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  [[||%v = tt.load %x : !tt.ptr<f32>]]
  gpu.barrier
  [[%v = tt.load %x : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load moves before a wait for another grid
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  [[||%v = tt.load %x : !tt.ptr<f32>]]
  "tt.grid_dependency_wait"() : () -> ()
  [[%v = tt.load %x : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load moves before an assembly with effects
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  [[||%v = tt.load %x : !tt.ptr<f32>]]
  %a = tt.elementwise_inline_asm "st.global.f32 [$1], 1.0; mov.u32 $0, 0;" {constraints = "=r,l", packed_element = 1 : i32, pure = false} %x : !tt.ptr<f32> -> i32
  [[%v = tt.load %x : !tt.ptr<f32>||]]
  tt.store %z, %v : !tt.ptr<f32>
  tt.return
}
// --- a load leaves a loop that stores through its argument
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  scf.for %i = %c0 to %n step %c1 : i32 {
    [[%v = tt.load %x : !tt.ptr<i32>||]]
    %q = tt.addptr %y, %i : !tt.ptr<i32>, i32
    tt.store %q, %v : !tt.ptr<i32>
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}
// --- a load leaves a loop of updates that acquire
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %f: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = arith.cmpi sgt, %n, %c0 : i32
  [[||%v = tt.load %x, %g : !tt.ptr<i32>]]
  scf.for %i = %c0 to %n step %c1 : i32 {
    %old = tt.atomic_rmw add, acq_rel, gpu, %f, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
    [[%v = tt.load %x : !tt.ptr<i32>||]]
    %q = tt.addptr %y, %i : !tt.ptr<i32>, i32
    tt.store %q, %v : !tt.ptr<i32>
  }
  tt.return
}
// --- a load moves before a loop that may store through its argument
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  scf.for %i = %c0 to %n step %c1 : i32 {
    %g = arith.cmpi sgt, %i, %c1 : i32
    scf.if %g {
      tt.store %x, %i : !tt.ptr<i32>
    }
  }
  [[%v = tt.load %x : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- stores through two arguments change places
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  [[tt.store %x, %n : !tt.ptr<i32>||]]
  tt.store %y, %n : !tt.ptr<i32>
  [[||tt.store %x, %n : !tt.ptr<i32>]]
  tt.return
}
// --- a loop that waits for a flag reads a value before it
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %f: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  scf.while : () -> () {
    %old = tt.atomic_cas acquire, gpu, %f, %c1, %c0 : (!tt.ptr<i32>, i32, i32) -> i32
    %g = arith.cmpi ne, %old, %c1 : i32
    scf.condition(%g)
  } do {
    scf.yield
  }
  [[%v = tt.load %x : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- a value is loaded before a volatile load
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %f: !tt.ptr<i32>) {
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  %w = tt.load %f {isVolatile = true} : !tt.ptr<i32>
  [[%v = tt.load %x : !tt.ptr<i32>||]]
  %s = arith.addi %v, %w : i32
  tt.store %y, %s : !tt.ptr<i32>
  tt.return
}
// --- a load moves before an update of its own tensor
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %p = tt.addptr %x, %n : !tt.ptr<i32>, i32
  [[||%v = tt.load %p : !tt.ptr<i32>]]
  %old = tt.atomic_rmw add, relaxed, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[%v = tt.load %p : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- an offset that is loaded after it has been stored
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %z: !tt.ptr<i32>, %n: i32) {
  [[||%o = tt.load %y : !tt.ptr<i32>]]
  tt.store %y, %n : !tt.ptr<i32>
  [[%o = tt.load %y : !tt.ptr<i32>||]]
  %p = tt.addptr %x, %o : !tt.ptr<i32>, i32
  %v = tt.load %p : !tt.ptr<i32>
  tt.store %z, %v : !tt.ptr<i32>
  tt.return
}
// --- a pointer that a loop carries comes to another tensor
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %l, %m = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!tt.ptr<i32>, !tt.ptr<i32>) : i32 {
    scf.yield %q, %p : !tt.ptr<i32>, !tt.ptr<i32>
  }
  [[||%v = tt.load %l : !tt.ptr<i32>]]
  tt.store %x, %n : !tt.ptr<i32>
  [[%v = tt.load %l : !tt.ptr<i32>||]]
  %q = tt.addptr %y, %c1 : !tt.ptr<i32>, i32
  tt.store %q, %v : !tt.ptr<i32>
  tt.return
}
// --- a block is loaded before a store through the same descriptor
tt.func public @k(%d: !tt.tensordesc<tensor<16x16xf32>>, %y: !tt.tensordesc<tensor<16x16xf32>>, %n: i32) {
  %z = arith.constant dense<1.0> : tensor<16x16xf32>
  [[||%v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>]]
  tt.descriptor_store %d[%n, %n], %z : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  [[%v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>||]]
  tt.descriptor_store %y[%n, %n], %v : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  tt.return
}
// --- a copy in the background while its tensor is stored to
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>) {
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
  %one = arith.constant 1.0 : f32
  %px = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  [[||tt.store %x, %one : !tt.ptr<f32>]]
  %w = ttg.async_wait %g {num = 0 : i32}
  [[tt.store %x, %one : !tt.ptr<f32>||]]
  %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
  tt.store %ay, %v : tensor<128x!tt.ptr<f32>, #blocked>
  tt.return
}
}
// --- a copy of what one of two pointers points to while it is stored to
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %z: !tt.ptr<f32>, %c: i1) {
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
  %one = arith.constant 1.0 : f32
  %u = arith.select %c, %x, %z : !tt.ptr<f32>
  %px = tt.splat %u : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
  %ax = tt.addptr %px, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
  %py = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
  %ay = tt.addptr %py, %r : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
  %b = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %ax, %b : tensor<128x!tt.ptr<f32>, #blocked> -> <128xf32, #shared, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  [[||tt.store %x, %one : !tt.ptr<f32>]]
  %w = ttg.async_wait %g {num = 0 : i32}
  [[tt.store %x, %one : !tt.ptr<f32>||]]
  %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
  tt.store %ay, %v : tensor<128x!tt.ptr<f32>, #blocked>
  tt.return
}
}
