tt.func public @dot_in_loop(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x16xf32> : i32 {
    %0 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %1 = arith.addf %acc, %0 : tensor<16x16xf32>
    scf.yield %1 : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

tt.func public @dot_outside_loop(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %n: i32) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<16x16xf32> : i32 {
    %1 = arith.addf %acc, %0 : tensor<16x16xf32>
    scf.yield %1 : tensor<16x16xf32>
  }
  tt.return %r : tensor<16x16xf32>
}

// -----

tt.func public @dot_half_acc(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %d: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf16>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf16>
  %1 = arith.addf %d, %0 : tensor<16x16xf16>
  tt.return %1 : tensor<16x16xf16>
}

// -----

tt.func public @dot_rank3(%a: tensor<2x16x16xf32>, %b: tensor<2x16x16xf32>, %d: tensor<2x16x16xf32>) -> tensor<2x16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x16x16xf32>
  %0 = tt.dot %a, %b, %zero, inputPrecision = tf32x3 : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> tensor<2x16x16xf32>
  %1 = arith.addf %d, %0 : tensor<2x16x16xf32>
  tt.return %1 : tensor<2x16x16xf32>
}

// -----

tt.func public @dot_f64(%a: tensor<16x16xf64>, %b: tensor<16x16xf64>, %d: tensor<16x16xf64>) -> (tensor<16x16xf64>, tensor<16x16xf64>) {
  %c = arith.constant 0.0 : f64
  %zero = tt.splat %c : f64 -> tensor<16x16xf64>
  %0 = tt.dot %a, %b, %zero, inputPrecision = bf16x3 : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  %1 = arith.addf %d, %0 : tensor<16x16xf64>
  %2 = tt.dot %a, %b, %zero : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  %3 = arith.subf %d, %2 : tensor<16x16xf64>
  tt.return %1, %3 : tensor<16x16xf64>, tensor<16x16xf64>
}

// -----

tt.func public @dot_i8_rev(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %d: tensor<16x16xi32>) -> (tensor<16x16xi32>, tensor<16x16xi32>) {
  %zero = arith.constant dense<0> : tensor<16x16xi32>
  %0 = tt.dot %a, %b, %zero : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xi32>
  %1 = arith.addi %d, %0 overflow<nsw, nuw> : tensor<16x16xi32>
  %2 = tt.dot %a, %b, %1 : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xi32>
  %3 = arith.addi %2, %zero : tensor<16x16xi32>
  %4 = arith.addi %3, %d : tensor<16x16xi32>
  tt.return %1, %4 : tensor<16x16xi32>, tensor<16x16xi32>
}

// -----

tt.func public @dot_chain(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %d: tensor<16x16xf32>, %e: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %1 = tt.dot %b, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %2 = arith.addf %0, %d : tensor<16x16xf32>
  %3 = arith.addf %1, %e : tensor<16x16xf32>
  %4 = arith.addf %2, %3 : tensor<16x16xf32>
  %5 = tt.dot %b, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %6 = arith.addf %5, %4 : tensor<16x16xf32>
  tt.return %6 : tensor<16x16xf32>
}

// -----

tt.func public @dot_scaled(%a: tensor<128x64xi8>, %as: tensor<128x4xi8>, %b: tensor<128x128xbf16>, %d: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %0 = tt.dot_scaled %a scale %as, %b, %zero lhs = e2m1 rhs = bf16 {fastMath = false} : tensor<128x64xi8>, tensor<128x4xi8> * tensor<128x128xbf16> -> tensor<128x128xf32>
  %1 = arith.addf %0, %d : tensor<128x128xf32>
  tt.return %1 : tensor<128x128xf32>
}

// -----

tt.func public @dot_zero_accumulator_argument(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %1 = arith.addf %0, %d : tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// -----

tt.func public @dot_f8(%a: tensor<32x32xf8E5M2>, %b: tensor<32x32xf8E5M2>, %d: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tt.dot %a, %b, %zero {maxNumImpreciseAcc = 1073741824 : i32} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  %1 = arith.addf %0, %d : tensor<32x32xf32>
  %2 = tt.dot %a, %b, %zero {maxNumImpreciseAcc = 0 : i32} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  %3 = arith.addf %2, %1 : tensor<32x32xf32>
  tt.return %1, %3 : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

tt.func public @addptr_tensor_i64(%p: tensor<16x!tt.ptr<f16>>, %i: tensor<16xi64>, %j: i64) -> tensor<16x!tt.ptr<f16>> {
  %s = tt.splat %j : i64 -> tensor<16xi64>
  %0 = tt.addptr %p, %i : tensor<16x!tt.ptr<f16>>, tensor<16xi64>
  %1 = tt.addptr %0, %s {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<16x!tt.ptr<f16>>, tensor<16xi64>
  %2 = tt.addptr %1, %i {tt.contiguity = dense<16> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>, tt.constancy = dense<1> : tensor<1xi32>} : tensor<16x!tt.ptr<f16>>, tensor<16xi64>
  tt.return %2 : tensor<16x!tt.ptr<f16>>
}

// -----

tt.func public @addptr_limits(%p: !tt.ptr<f32>) -> (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>) {
  %max = arith.constant 2147483646 : i32
  %min = arith.constant -2147483647 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %m1 = arith.constant -1 : i32
  %m2 = arith.constant -2 : i32
  %0 = tt.addptr %p, %max : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %c1 : !tt.ptr<f32>, i32
  %2 = tt.addptr %0, %c2 : !tt.ptr<f32>, i32
  %3 = tt.addptr %p, %min : !tt.ptr<f32>, i32
  %4 = tt.addptr %3, %m1 : !tt.ptr<f32>, i32
  %5 = tt.addptr %3, %m2 : !tt.ptr<f32>, i32
  tt.return %1, %2, %4, %5 : !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>
}

// -----

tt.func public @addptr_narrow(%p: !tt.ptr<f32>, %x: i16) -> (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>) {
  %a = arith.constant 100 : i8
  %b = arith.constant 20 : i8
  %c = arith.constant 30 : i8
  %d = arith.constant 30 : i16
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i8
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i8
  %2 = tt.addptr %0, %c : !tt.ptr<f32>, i8
  %3 = tt.addptr %p, %d : !tt.ptr<f32>, i16
  %4 = tt.addptr %3, %x : !tt.ptr<f32>, i16
  tt.return %1, %2, %4 : !tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>
}

// -----

tt.func public @addptr_inner_used(%p: !tt.ptr<f32>, %i: i64, %j: i64) -> (!tt.ptr<f32>, !tt.ptr<f32>) {
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, i64
  %1 = tt.addptr %0, %j : !tt.ptr<f32>, i64
  tt.return %0, %1 : !tt.ptr<f32>, !tt.ptr<f32>
}

// -----

tt.func public @addptr_in_loop(%p: !tt.ptr<f32>, %n: i64) -> !tt.ptr<f32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c5 = arith.constant 5 : i32
  %q = tt.addptr %p, %n : !tt.ptr<f32>, i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> !tt.ptr<f32> : i64 {
    %0 = tt.addptr %x, %i : !tt.ptr<f32>, i64
    %1 = tt.addptr %0, %c1 : !tt.ptr<f32>, i64
    %2 = tt.addptr %q, %i : !tt.ptr<f32>, i64
    %3 = tt.load %2 : !tt.ptr<f32>
    tt.store %1, %3 : !tt.ptr<f32>
    %4 = tt.addptr %1, %c5 : !tt.ptr<f32>, i32
    scf.yield %4 : !tt.ptr<f32>
  }
  %s = tt.addptr %r, %c5 : !tt.ptr<f32>, i32
  %t = tt.addptr %s, %c5 : !tt.ptr<f32>, i32
  tt.return %t : !tt.ptr<f32>
}

// -----

tt.func public @addptr_nonsplat(%p: tensor<4x!tt.ptr<f32>>) -> tensor<4x!tt.ptr<f32>> {
  %a = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = arith.constant dense<1> : tensor<4xi32>
  %0 = tt.addptr %p, %a : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %1 = tt.addptr %0, %b : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.return %1 : tensor<4x!tt.ptr<f32>>
}

// -----

tt.func public @addptr_zero(%p: !tt.ptr<f32>, %i: i64) -> !tt.ptr<f32> {
  %a = arith.constant 0 : i32
  %b = arith.constant 4 : i64
  %c = arith.constant -4 : i64
  %0 = tt.addptr %p, %a : !tt.ptr<f32>, i32
  %1 = tt.addptr %0, %b : !tt.ptr<f32>, i64
  %2 = tt.addptr %1, %i : !tt.ptr<f32>, i64
  %3 = tt.addptr %2, %c : !tt.ptr<f32>, i64
  tt.return %3 : !tt.ptr<f32>
}

// -----

tt.func public @addptr_splat_of_sum(%p: !tt.ptr<f32>, %i: i64, %r: tensor<8xi32>) -> tensor<8x!tt.ptr<f32>> {
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, i64
  %1 = tt.splat %0 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %2 = tt.addptr %1, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.return %2 : tensor<8x!tt.ptr<f32>>
}

// -----

tt.func public @select_scalar(%p: !tt.ptr<f32>, %c: i1, %other: f32) -> f32 {
  %0 = tt.load %p, %c : !tt.ptr<f32>
  %1 = arith.select %c, %0, %other : f32
  tt.return %1 : f32
}

// -----

tt.func public @select_with_other(%p: tensor<16x!tt.ptr<f32>>, %c: i1, %o: tensor<16xf32>, %other: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %mask = tt.splat %c : i1 -> tensor<16xi1>
  %0 = tt.load %p, %mask, %o {tt.latency = 3 : i32} : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %other : tensor<16xf32>
  tt.return %0, %1 : tensor<16xf32>, tensor<16xf32>
}

// -----

tt.func public @select_volatile(%p: tensor<16x!tt.ptr<f32>>, %c: i1, %other: tensor<16xf32>) -> (tensor<16xf32>) {
  %mask = tt.splat %c : i1 -> tensor<16xi1>
  %0 = tt.load %p, %mask {isVolatile = true} : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %other : tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// -----

tt.func public @select_tensor_cond(%p: tensor<16x!tt.ptr<f32>>, %c: tensor<16xi1>, %d: i1, %other: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = tt.load %p, %c : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %other : tensor<16xi1>, tensor<16xf32>
  %2 = tt.load %p : tensor<16x!tt.ptr<f32>>
  %3 = arith.select %d, %2, %other : tensor<16xf32>
  tt.return %1, %3 : tensor<16xf32>, tensor<16xf32>
}

// -----

tt.func public @select_splat_cond(%p: tensor<16x!tt.ptr<f32>>, %c: i1, %other: tensor<16xf32>) -> (tensor<16xf32>) {
  %mask = tt.splat %c : i1 -> tensor<16xi1>
  %0 = tt.load %p, %mask : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %mask, %0, %other : tensor<16xi1>, tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// -----

// Differs from Triton: it loads after the store.
tt.func public @select_after_store(%p: tensor<16x!tt.ptr<f32>>, %c: i1, %other: tensor<16xf32>) -> (tensor<16xf32>) {
  %mask = tt.splat %c : i1 -> tensor<16xi1>
  %0 = tt.load %p, %mask : tensor<16x!tt.ptr<f32>>
  tt.store %p, %other : tensor<16x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %other : tensor<16xf32>
  tt.return %1 : tensor<16xf32>
}

// -----

tt.func public @f32(%a: tensor<32x64xf32>, %b: tensor<64x16xf32>) -> tensor<32x16xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x64xf32> -> tensor<32x64x1xf32>
  %1 = tt.broadcast %0 : tensor<32x64x1xf32> -> tensor<32x64x16xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<64x16xf32> -> tensor<1x64x16xf32>
  %3 = tt.broadcast %2 : tensor<1x64x16xf32> -> tensor<32x64x16xf32>
  %4 = arith.mulf %1, %3 : tensor<32x64x16xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x64x16xf32>) -> tensor<32x16xf32>
  tt.return %5 : tensor<32x16xf32>
}

// -----

// Differs from Triton: it takes the sum over any axis for a product of matrices.
tt.func public @axis0(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

// Differs from Triton: it takes the sum over any axis for a product of matrices.
tt.func public @axis2(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 2 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @swapped(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %3, %1 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @f64(%a: tensor<32x32xf64>, %b: tensor<32x32xf64>) -> tensor<32x32xf64> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf64> -> tensor<32x32x1xf64>
  %1 = tt.broadcast %0 : tensor<32x32x1xf64> -> tensor<32x32x32xf64>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf64> -> tensor<1x32x32xf64>
  %3 = tt.broadcast %2 : tensor<1x32x32xf64> -> tensor<32x32x32xf64>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf64>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f64, %y: f64):
    %s = arith.addf %x, %y : f64
    tt.reduce.return %s : f64
  }) : (tensor<32x32x32xf64>) -> tensor<32x32xf64>
  tt.return %5 : tensor<32x32xf64>
}

// -----

// Differs from Triton: it ends with a failed assertion for what is not f32.
tt.func public @bf16(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xbf16> -> tensor<32x32x1xbf16>
  %1 = tt.broadcast %0 : tensor<32x32x1xbf16> -> tensor<32x32x32xbf16>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xbf16> -> tensor<1x32x32xbf16>
  %3 = tt.broadcast %2 : tensor<1x32x32xbf16> -> tensor<32x32x32xbf16>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xbf16>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: bf16, %y: bf16):
    %s = arith.addf %x, %y : bf16
    tt.reduce.return %s : bf16
  }) : (tensor<32x32x32xbf16>) -> tensor<32x32xbf16>
  tt.return %5 : tensor<32x32xbf16>
}

// -----

tt.func public @smallm(%a: tensor<8x32xf32>, %b: tensor<32x32xf32>) -> tensor<8x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<8x32xf32> -> tensor<8x32x1xf32>
  %1 = tt.broadcast %0 : tensor<8x32x1xf32> -> tensor<8x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<8x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<8x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<8x32x32xf32>) -> tensor<8x32xf32>
  tt.return %5 : tensor<8x32xf32>
}

// -----

tt.func public @smalln(%a: tensor<32x32xf32>, %b: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x8xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x8xf32> -> tensor<1x32x8xf32>
  %3 = tt.broadcast %2 : tensor<1x32x8xf32> -> tensor<32x32x8xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x8xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x8xf32>) -> tensor<32x8xf32>
  tt.return %5 : tensor<32x8xf32>
}

// -----

tt.func public @smallk(%a: tensor<32x8xf32>, %b: tensor<8x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x8xf32> -> tensor<32x8x1xf32>
  %1 = tt.broadcast %0 : tensor<32x8x1xf32> -> tensor<32x8x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<8x32xf32> -> tensor<1x8x32xf32>
  %3 = tt.broadcast %2 : tensor<1x8x32xf32> -> tensor<32x8x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x8x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x8x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @k1(%a: tensor<32x1xf32>, %b: tensor<1x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x1xf32> -> tensor<32x1x1xf32>
  %1 = tt.broadcast %0 : tensor<32x1x1xf32> -> tensor<32x1x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<1x32xf32> -> tensor<1x1x32xf32>
  %3 = tt.broadcast %2 : tensor<1x1x32xf32> -> tensor<32x1x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x1x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x1x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @max(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.maxnumf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @same(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %1 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

// Differs from Triton: it makes a dot of operands whose sizes don't match.
tt.func public @extra_broadcast(%a: tensor<1x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<1x32xf32> -> tensor<1x32x1xf32>
  %1 = tt.broadcast %0 : tensor<1x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

// Differs from Triton: it takes any region with one arith.addf for a sum.
tt.func public @returns_argument(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
  %1 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
  %3 = tt.broadcast %2 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf32>
  %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @sum_of_extended(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>) -> tensor<32x32xf32> {
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<32x32xf16> -> tensor<32x32x1xf16>
  %1 = tt.broadcast %0 : tensor<32x32x1xf16> -> tensor<32x32x32xf16>
  %2 = tt.expand_dims %b {axis = 0 : i32} : tensor<32x32xf16> -> tensor<1x32x32xf16>
  %3 = tt.broadcast %2 : tensor<1x32x32xf16> -> tensor<32x32x32xf16>
  %4 = arith.mulf %1, %3 : tensor<32x32x32xf16>
  %e = arith.extf %4 : tensor<32x32x32xf16> to tensor<32x32x32xf32>
  %5 = "tt.reduce"(%e) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
  tt.return %5 : tensor<32x32xf32>
}

// -----

tt.func public @descriptor_unit_dims(%d: !tt.tensordesc<tensor<1x1x16x32xf16>>, %i: i32) -> (tensor<16x32xf16>, tensor<1x16x32xf16>, tensor<512xf16>, tensor<1x1x1x16x32xf16>) {
  %0 = tt.descriptor_load %d[%i, %i, %i, %i] {kept} : !tt.tensordesc<tensor<1x1x16x32xf16>> -> tensor<1x1x16x32xf16>
  %1 = tt.reshape %0 : tensor<1x1x16x32xf16> -> tensor<16x32xf16>
  %2 = tt.descriptor_load %d[%i, %i, %i, %i] evictionPolicy = evict_first : !tt.tensordesc<tensor<1x1x16x32xf16>> -> tensor<1x1x16x32xf16>
  %3 = tt.reshape %2 : tensor<1x1x16x32xf16> -> tensor<1x16x32xf16>
  %4 = tt.descriptor_load %d[%i, %i, %i, %i] : !tt.tensordesc<tensor<1x1x16x32xf16>> -> tensor<1x1x16x32xf16>
  %5 = tt.reshape %4 : tensor<1x1x16x32xf16> -> tensor<512xf16>
  %6 = tt.descriptor_load %d[%i, %i, %i, %i] : !tt.tensordesc<tensor<1x1x16x32xf16>> -> tensor<1x1x16x32xf16>
  %7 = tt.reshape %6 : tensor<1x1x16x32xf16> -> tensor<1x1x1x16x32xf16>
  tt.return %1, %3, %5, %7 : tensor<16x32xf16>, tensor<1x16x32xf16>, tensor<512xf16>, tensor<1x1x1x16x32xf16>
}

// -----

tt.func public @descriptor_used_twice(%d: !tt.tensordesc<tensor<1x16x32xf16>>, %i: i32) -> (tensor<16x32xf16>, tensor<1x16x32xf16>) {
  %0 = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<tensor<1x16x32xf16>> -> tensor<1x16x32xf16>
  %1 = tt.reshape %0 : tensor<1x16x32xf16> -> tensor<16x32xf16>
  tt.return %1, %0 : tensor<16x32xf16>, tensor<1x16x32xf16>
}

// -----

tt.func public @descriptor_1d(%d: !tt.tensordesc<tensor<1x32xf32>>, %i: i32) -> f32 {
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<1x32xf32>> -> tensor<1x32xf32>
  %1 = tt.reshape %0 : tensor<1x32xf32> -> tensor<32xf32>
  %5 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<32xf32>) -> f32
  tt.return %5 : f32
}

// -----

tt.func public @reshape_reorder(%a: tensor<32x64xf32>, %b: tensor<32x64xi32>) -> (f32, f32, f32, f32) {
  %0 = tt.reshape %a efficient_layout : tensor<32x64xf32> -> tensor<2048xf32>
  %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<2048xf32>) -> f32
  %2 = tt.reshape %a allow_reorder efficient_layout : tensor<32x64xf32> -> tensor<2048xf32>
  %3 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<2048xf32>) -> f32
  %4 = tt.reshape %a {kept} : tensor<32x64xf32> -> tensor<2048xf32>
  %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.maxnumf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<2048xf32>) -> f32
  %6 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.reduce.return %s : f32
  }) : (tensor<2048xf32>) -> f32
  tt.return %1, %3, %5, %6 : f32, f32, f32, f32
}

// -----

tt.func public @reshape_scan(%a: tensor<32x64xf32>, %b: tensor<32x64xi32>, %m: tensor<2048xi1>) -> (tensor<2048xf32>, tensor<2048xf32>) {
  %0 = tt.reshape %a : tensor<32x64xf32> -> tensor<2048xf32>
  %1 = "tt.scan"(%0) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    tt.scan.return %s : f32
  }) : (tensor<2048xf32>) -> tensor<2048xf32>
  tt.return %1, %1 : tensor<2048xf32>, tensor<2048xf32>
}

// -----

// Differs from Triton: elements in another order no longer meet their mask.
tt.func public @masked_histogram(%b: tensor<32x64xi32>, %m: tensor<2048xi1>) -> (tensor<8xi32>) {
  %2 = tt.reshape %b : tensor<32x64xi32> -> tensor<2048xi32>
  %3 = tt.histogram %2, %m : tensor<2048xi32> -> tensor<8xi32>
  tt.return %3 : tensor<8xi32>
}

// -----

tt.func public @second_dot_has_accumulator(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %1 = tt.dot %b, %a, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %2 = arith.addf %0, %1 : tensor<16x16xf32>
  %3 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %4 = tt.dot %b, %a, %zero {maxNumImpreciseAcc = 32 : i32} : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %5 = arith.addf %3, %4 : tensor<16x16xf32>
  %6 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %7 = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %8 = arith.addf %6, %7 : tensor<16x16xf32>
  %9 = arith.addf %8, %7 : tensor<16x16xf32>
  tt.return %2, %5, %9 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

tt.func public @integer_dots(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>, %c: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %zero = arith.constant dense<0> : tensor<16x16xi32>
  %0 = tt.dot %a, %b, %zero : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xi32>
  %1 = tt.dot %a, %b, %c : tensor<16x32xi8> * tensor<32x16xi8> -> tensor<16x16xi32>
  %2 = arith.addi %0, %1 : tensor<16x16xi32>
  tt.return %2 : tensor<16x16xi32>
}
