// RUN: tt-opt %s --nvws-assign-stage-phase --verify-diagnostics

// A loop that asks for groups of warps, and has nothing that begins one.
tt.func @no_partitions(%n: i32, %x: f32, %p: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @below {{found 0 partitions of results, and 1 results: name each one's}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) : i32 {
    scf.yield %s : f32
  } {tt.warp_specialize}
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}
