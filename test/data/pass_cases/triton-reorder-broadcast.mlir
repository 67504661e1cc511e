tt.func @chain(%p: !tt.ptr<f32>, %i: i32, %j: i32, %x: tensor<64x1xf32>) -> (tensor<64x32xf32>, tensor<64x!tt.ptr<f32>>) {
  %c4 = arith.constant dense<4> : tensor<64xi32>
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %1 = tt.splat %i : i32 -> tensor<64xi32>
  %2 = tt.splat %j : i32 -> tensor<64xi32>
  %3 = arith.muli %1, %2 : tensor<64xi32>
  %4 = arith.addi %3, %c4 : tensor<64xi32>
  %5 = tt.addptr %0, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %6 = arith.sitofp %4 : tensor<64xi32> to tensor<64xf32>
  %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %8 = tt.broadcast %7 : tensor<64x1xf32> -> tensor<64x32xf32>
  %9 = tt.broadcast %x : tensor<64x1xf32> -> tensor<64x32xf32>
  %10 = arith.mulf %8, %9 : tensor<64x32xf32>
  %11 = arith.negf %10 : tensor<64x32xf32>
  %12 = math.exp %11 : tensor<64x32xf32>
  tt.return %12, %5 : tensor<64x32xf32>, tensor<64x!tt.ptr<f32>>
}

// -----

tt.func @select_scalar_condition(%c: i1, %a: f32, %b: f32, %x: tensor<1x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
  %true = arith.constant true
  %0 = tt.splat %a : f32 -> tensor<64x32xf32>
  %1 = tt.splat %b : f32 -> tensor<64x32xf32>
  %2 = arith.select %c, %0, %1 : tensor<64x32xf32>
  %3 = tt.splat %c : i1 -> tensor<64x32xi1>
  %4 = arith.select %3, %0, %1 : tensor<64x32xi1>, tensor<64x32xf32>
  %5 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %6 = arith.select %3, %5, %1 : tensor<64x32xi1>, tensor<64x32xf32>
  %7 = arith.cmpf olt, %5, %0 : tensor<64x32xf32>
  %8 = arith.select %7, %5, %1 : tensor<64x32xi1>, tensor<64x32xf32>
  tt.return %2, %4, %6, %8 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

tt.func @casts(%x: tensor<1x32xf32>, %a: i64, %p: !tt.ptr<f16>) -> (tensor<64x32xf8E5M2>, tensor<64x32xi64>, tensor<8x!tt.ptr<f32>>, tensor<8xi64>, tensor<64x32xf16>, tensor<8xf32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %1 = tt.fp_to_fp %0, rounding = rtne : tensor<64x32xf32> -> tensor<64x32xf8E5M2>
  %2 = arith.fptosi %0 : tensor<64x32xf32> to tensor<64x32xi64>
  %3 = tt.splat %a : i64 -> tensor<8xi64>
  %4 = tt.int_to_ptr %3 : tensor<8xi64> -> tensor<8x!tt.ptr<f32>>
  %5 = tt.splat %p : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  %6 = tt.ptr_to_int %5 : tensor<8x!tt.ptr<f16>> -> tensor<8xi64>
  %7 = arith.truncf %0 : tensor<64x32xf32> to tensor<64x32xf16>
  %8 = arith.sitofp %3 : tensor<8xi64> to tensor<8xf32>
  tt.return %1, %2, %4, %6, %7, %8 : tensor<64x32xf8E5M2>, tensor<64x32xi64>, tensor<8x!tt.ptr<f32>>, tensor<8xi64>, tensor<64x32xf16>, tensor<8xf32>
}

// -----

tt.func @externs(%x: tensor<1x32xf32>, %a: f32) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<8xf32>, tensor<64x32xf32>, tensor<64x32xi32>, tensor<64x32xi32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %1 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = false, symbol = "__nv_expf"} : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %3 = tt.splat %a : f32 -> tensor<8xf32>
  %4 = tt.extern_elementwise %3, %3 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = tt.splat %a : f32 -> tensor<64x32xf32>
  %6 = tt.precise_divf %0, %5 : tensor<64x32xf32>
  %7:2 = tt.elementwise_inline_asm "x $0, $1, $2;" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = true} %0 : tensor<64x32xf32> -> tensor<64x32xi32>, tensor<64x32xi32>
  tt.return %1, %2, %4, %6, %7#0, %7#1 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<8xf32>, tensor<64x32xf32>, tensor<64x32xi32>, tensor<64x32xi32>
}

// -----

tt.func @in_loop(%x: tensor<1x32xf32>, %n: i32, %a: f32) -> (tensor<64x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %s = tt.splat %a : f32 -> tensor<64x32xf32>
  %z = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> tensor<64x32xf32> : i32 {
    %1 = tt.splat %i : i32 -> tensor<64x32xi32>
    %2 = arith.sitofp %1 : tensor<64x32xi32> to tensor<64x32xf32>
    %3 = arith.mulf %0, %s : tensor<64x32xf32>
    %4 = arith.mulf %3, %2 : tensor<64x32xf32>
    %5 = arith.addf %acc, %4 : tensor<64x32xf32>
    scf.yield %5 : tensor<64x32xf32>
  }
  tt.return %r : tensor<64x32xf32>
}

// -----

tt.func @two_shapes(%x: tensor<1x32xf32>, %y: tensor<64x1xf32>, %z: tensor<1x1xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %1 = tt.broadcast %y : tensor<64x1xf32> -> tensor<64x32xf32>
  %2 = tt.broadcast %z : tensor<1x1xf32> -> tensor<64x32xf32>
  %3 = arith.addf %0, %1 : tensor<64x32xf32>
  %4 = arith.addf %0, %2 : tensor<64x32xf32>
  tt.return %3, %4 : tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

tt.func @broadcast_of_broadcast(%x: tensor<1x1x8xf32>) -> (tensor<4x2x8xf32>, tensor<1x1x4x8xf32>) {
  %0 = tt.broadcast %x : tensor<1x1x8xf32> -> tensor<1x2x8xf32>
  %1 = math.exp %0 : tensor<1x2x8xf32>
  %2 = tt.broadcast %1 : tensor<1x2x8xf32> -> tensor<4x2x8xf32>
  %3 = math.log %2 : tensor<4x2x8xf32>
  %4 = tt.expand_dims %x {axis = 2 : i32} : tensor<1x1x8xf32> -> tensor<1x1x1x8xf32>
  %5 = tt.broadcast %4 : tensor<1x1x1x8xf32> -> tensor<1x1x4x8xf32>
  %6 = math.sqrt %5 : tensor<1x1x4x8xf32>
  tt.return %3, %6 : tensor<4x2x8xf32>, tensor<1x1x4x8xf32>
}

// -----

tt.func @constants(%a: i32) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<4xi32>, tensor<8xf32>) {
  %c0 = arith.constant dense<0> : tensor<8xi32>
  %c5 = arith.constant dense<5> : tensor<8xi32>
  %d = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %s4 = tt.splat %a : i32 -> tensor<4xi32>
  %s = tt.splat %a : i32 -> tensor<8xi32>
  %f = arith.constant dense<2.5> : tensor<8xf32>
  %0 = arith.divsi %c5, %c0 : tensor<8xi32>
  %1 = arith.addi %c5, %c5 : tensor<8xi32>
  %2 = arith.remsi %s, %c5 : tensor<8xi32>
  %3 = arith.addi %s4, %d : tensor<4xi32>
  %4 = math.sin %f : tensor<8xf32>
  tt.return %0, %1, %2, %3, %4 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<4xi32>, tensor<8xf32>
}

// -----

tt.func @used_elsewhere(%x: tensor<1x32xf32>, %a: f32, %p: tensor<64x32x!tt.ptr<f32>>) -> (tensor<64x32xf32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  tt.store %p, %0 : tensor<64x32x!tt.ptr<f32>>
  %1 = math.exp %0 : tensor<64x32xf32>
  %2 = arith.addf %1, %0 : tensor<64x32xf32>
  %3 = arith.addf %2, %2 : tensor<64x32xf32>
  tt.return %3 : tensor<64x32xf32>
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @layouts(%x: tensor<1x32xf32, #blocked>, %a: f32) -> (tensor<64x32xf32, #blocked>) {
  %c = arith.constant dense<2.0> : tensor<64x32xf32, #blocked>
  %0 = tt.broadcast %x : tensor<1x32xf32, #blocked> -> tensor<64x32xf32, #blocked>
  %1 = math.exp %0 : tensor<64x32xf32, #blocked>
  %2 = arith.addf %1, %c : tensor<64x32xf32, #blocked>
  %3 = tt.splat %a : f32 -> tensor<64x32xf32, #blocked>
  %4 = arith.mulf %2, %3 : tensor<64x32xf32, #blocked>
  tt.return %4 : tensor<64x32xf32, #blocked>
}
}

// -----

tt.func @clamp_fma(%x: tensor<1x32xf32>, %a: f32, %b: f32) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<8xi32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %1 = tt.splat %a : f32 -> tensor<64x32xf32>
  %2 = tt.splat %b : f32 -> tensor<64x32xf32>
  %3 = tt.clampf %0, %1, %2, propagateNan = none : tensor<64x32xf32>
  %4 = math.fma %0, %1, %2 : tensor<64x32xf32>
  %i = arith.fptosi %a : f32 to i32
  %5 = tt.splat %i : i32 -> tensor<8xi32>
  %6 = tt.mulhiui %5, %5 : tensor<8xi32>
  tt.return %3, %4, %6 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<8xi32>
}

// -----

tt.func @atomics_and_loads(%p: !tt.ptr<f32>, %v: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %1 = tt.load %0 : tensor<8x!tt.ptr<f32>>
  %2 = tt.splat %v : f32 -> tensor<8xf32>
  %t = arith.constant dense<true> : tensor<8xi1>
  %3 = tt.atomic_rmw fadd, acq_rel, gpu, %0, %2, %t : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
  tt.store %0, %2 : tensor<8x!tt.ptr<f32>>
  tt.return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

tt.func @convert_bitcast(%x: tensor<1x32xf32>, %a: i32) -> (tensor<64x32xi32>, tensor<64x32xi32>, tensor<8xf32>) {
  %0 = tt.broadcast %x : tensor<1x32xf32> -> tensor<64x32xf32>
  %1 = tt.bitcast %0 : tensor<64x32xf32> -> tensor<64x32xi32>
  %2 = arith.bitcast %0 : tensor<64x32xf32> to tensor<64x32xi32>
  %3 = tt.splat %a : i32 -> tensor<8xi32>
  %4 = tt.bitcast %3 : tensor<8xi32> -> tensor<8xf32>
  tt.return %1, %2, %4 : tensor<64x32xi32>, tensor<64x32xi32>, tensor<8xf32>
}

// -----

tt.func @map(%a: f32) -> tensor<8xf32> {
  %0 = tt.splat %a : f32 -> tensor<8xf32>
  %1 = "tt.map_elementwise"(%0) <{pack = 1 : i32}> ({
  ^bb0(%x: f32):
    %y = math.exp %x : f32
    tt.map_elementwise.return %y : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}
