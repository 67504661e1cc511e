// --- a load moves before a store through another argument
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %f = arith.constant 1.0 : f32
  %p = tt.addptr %x, %n : !tt.ptr<f32>, i32
  [[||%v = tt.load %p : !tt.ptr<f32>]]
  tt.store %y, %f : !tt.ptr<f32>
  [[%v = tt.load %p : !tt.ptr<f32>||]]
  %q = tt.addptr %y, %n : !tt.ptr<f32>, i32
  tt.store %q, %v : !tt.ptr<f32>
  tt.return
}
// --- a load leaves a loop that stores through another argument
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %g = arith.cmpi sgt, %n, %c0 : i32
  [[||%v = tt.load %x, %g : !tt.ptr<i32>]]
  scf.for %i = %c0 to %n step %c1 : i32 {
    [[%v = tt.load %x : !tt.ptr<i32>||]]
    %q = tt.addptr %y, %i : !tt.ptr<i32>, i32
    tt.store %q, %v : !tt.ptr<i32>
  }
  tt.return
}
// --- a load moves before a relaxed update through another argument
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  %old = tt.atomic_rmw add, relaxed, gpu, %y, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[%v = tt.load %x : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- a copy in the background while another tensor is stored to
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
  [[||tt.store %z, %one : !tt.ptr<f32>]]
  %w = ttg.async_wait %g {num = 0 : i32}
  [[tt.store %z, %one : !tt.ptr<f32>||]]
  %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
  tt.store %ay, %v : tensor<128x!tt.ptr<f32>, #blocked>
  tt.return
}
}
