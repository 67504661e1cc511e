// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @atomic_rmw_c1(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @atomic_rmw_c2(%p: !tt.ptr<f32>, %v: i32) {
  // expected-error @+1 {{failed to verify that ptr type matches value type}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<f32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_c2_space(%p: !tt.ptr<i32, 3>, %v: i32) {
  // expected-error @+1 {{failed to verify that ptr type matches value type}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i32, 3>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_c3(%p: !tt.ptr<i32>, %v: i32, %mask: tensor<8xi1>) {
  // expected-error @+1 {{failed to verify that mask type matches value type}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v, %mask : (!tt.ptr<i32>, i32, tensor<8xi1>) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_c4(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{result type must be that of val, 'i32', found 'f32'}}
  %0 = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> f32
  tt.return
}

// -----

tt.func @atomic_rmw_c5(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{fadd needs floating-point values, found 'i32'}}
  %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_c5_float(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>) {
  // expected-error @+1 {{max needs integer values, found 'tensor<8xf32>'}}
  %0 = tt.atomic_rmw max, relaxed, gpu, %p, %v : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @atomic_rmw_sem(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{[relaxed, acquire, release, acq_rel]}}
  %0 = tt.atomic_rmw add, sequential, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_operation(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{Invalid attribute `atomic_rmw_op`}}
  %0 = "tt.atomic_rmw"(%p, %v) <{atomic_rmw_op = 11 : i32, sem = 1 : i32, scope = 1 : i32}> : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_rmw_scope(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{requires attribute 'scope'}}
  %0 = "tt.atomic_rmw"(%p, %v) <{atomic_rmw_op = 4 : i32, sem = 1 : i32}> : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @atomic_cas_c1(%p: tensor<128x!tt.ptr<i32>, #a>, %v: tensor<128xi32, #a>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %v, %v : (tensor<128x!tt.ptr<i32>, #a>, tensor<128xi32, #a>, tensor<128xi32, #a>) -> tensor<128xi32, #b>
  tt.return
}
}

// -----

tt.func @atomic_cas_c2(%p: !tt.ptr<i32>, %cmp: f32, %v: i32) {
  // expected-error @+1 {{failed to verify that ptr type matches cmp type}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %cmp, %v : (!tt.ptr<i32>, f32, i32) -> i32
  tt.return
}

// -----

tt.func @atomic_cas_c3(%p: !tt.ptr<i32>, %cmp: i32, %v: i64) {
  // expected-error @+1 {{failed to verify that ptr type matches value type}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %cmp, %v : (!tt.ptr<i32>, i32, i64) -> i32
  tt.return
}

// -----

tt.func @atomic_cas_c4(%p: !tt.ptr<i32>, %cmp: i32, %v: i32) {
  // expected-error @+1 {{result type must be that of val, 'i32', found 'i64'}}
  %0 = tt.atomic_cas relaxed, gpu, %p, %cmp, %v : (!tt.ptr<i32>, i32, i32) -> i64
  tt.return
}

// -----

tt.func @atomic_load_c2(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{failed to verify that ptr type matches result type}}
  %0 = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i64
  tt.return
}

// -----

tt.func @atomic_load_c1(%p: tensor<128x!tt.ptr<i32>>, %m: tensor<64xi1>) {
  // expected-error @+1 {{failed to verify that mask type matches result type}}
  %0 = tt.atomic_load acquire, gpu, %p, %m : (tensor<128x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<128xi32>
  tt.return
}

// -----

tt.func @atomic_load_c3(%p: tensor<128x!tt.ptr<i32>>, %m: tensor<128xi8>) {
  // expected-error @+1 {{operand #1 must be 1-bit signless integer}}
  %0 = tt.atomic_load acquire, gpu, %p, %m : (tensor<128x!tt.ptr<i32>>, tensor<128xi8>) -> tensor<128xi32>
  tt.return
}

// -----

tt.func @atomic_load_c4(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{sem must be relaxed or acquire, found release}}
  %0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32
  tt.return
}

// -----

tt.func @atomic_store_c1(%p: tensor<128x!tt.ptr<i32>>, %v: tensor<128xi32>, %m: tensor<64xi1>) {
  // expected-error @+1 {{failed to verify that}}
  "tt.atomic_store"(%p, %v, %m) <{sem = 1 : i32, scope = 1 : i32}> : (tensor<128x!tt.ptr<i32>>, tensor<128xi32>, tensor<64xi1>) -> ()
  tt.return
}

// -----

tt.func @atomic_store_c2(%p: !tt.ptr<i32>, %v: i64) {
  // expected-error @+1 {{failed to verify that val type matches ptr type}}
  "tt.atomic_store"(%p, %v) <{sem = 1 : i32, scope = 1 : i32}> : (!tt.ptr<i32>, i64) -> ()
  tt.return
}

// -----

tt.func @atomic_store_c3(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{sem must be relaxed or release, found acq_rel}}
  tt.atomic_store acq_rel, gpu, %p, %v : !tt.ptr<i32>
  tt.return
}

// -----

tt.func @atomic_poll_c1(%p: !tt.ptr<i32>, %v: i64) {
  // expected-error @+1 {{failed to verify that ptr type matches expected type}}
  %0 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i32>, i64 -> i1
  tt.return
}

// -----

tt.func @atomic_poll_c2(%p: tensor<8x!tt.ptr<i32>>, %v: tensor<8xi32>) {
  // expected-error @+1 {{failed to verify that result type matches expected type}}
  %0 = tt.atomic_poll acquire, gpu, %p, %v : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> i1
  tt.return
}

// -----

tt.func @atomic_poll_c3(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{sem must be relaxed or acquire, found release}}
  %0 = tt.atomic_poll release, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
  tt.return
}
