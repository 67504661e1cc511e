// passes: 100 1 2
module {
  tt.func public @scaled_matmul(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<128> : tensor<128x1xi32>
    %c16384_i32 = arith.constant 16384 : i32
    %cst_1 = arith.constant dense<4> : tensor<128x1xi32>
    %cst_2 = arith.constant dense<128> : tensor<64x1xi32>
    %cst_3 = arith.constant dense<64> : tensor<128x1xi32>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %2:3 = scf.for %arg5 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg6 = %arg0, %arg7 = %arg2, %arg8 = %cst) -> (!tt.ptr<i8>, !tt.ptr<i8>, tensor<128x128xf32>)  : i32 {
      %11 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %12 = arith.muli %11, %cst_3 : tensor<128x1xi32>
      %13 = tt.splat %arg6 : !tt.ptr<i8> -> tensor<128x1x!tt.ptr<i8>>
      %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<i8>>, tensor<128x1xi32>
      %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %17 = tt.broadcast %14 : tensor<128x1x!tt.ptr<i8>> -> tensor<128x64x!tt.ptr<i8>>
      %18 = tt.broadcast %16 : tensor<1x64xi32> -> tensor<128x64xi32>
      %19 = tt.addptr %17, %18 : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
      %20 = tt.load %19 : tensor<128x64x!tt.ptr<i8>>
      %21 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %22 = arith.muli %21, %cst_2 : tensor<64x1xi32>
      %23 = tt.splat %arg7 : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
      %24 = tt.addptr %23, %22 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
      %25 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %26 = tt.broadcast %24 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x128x!tt.ptr<i8>>
      %27 = tt.broadcast %25 : tensor<1x128xi32> -> tensor<64x128xi32>
      %28 = tt.addptr %26, %27 : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
      %29 = tt.load %28 : tensor<64x128x!tt.ptr<i8>>
      %30 = arith.muli %11, %cst_1 : tensor<128x1xi32>
      %31 = tt.splat %arg3 : !tt.ptr<i8> -> tensor<128x1x!tt.ptr<i8>>
      %32 = tt.addptr %31, %30 : tensor<128x1x!tt.ptr<i8>>, tensor<128x1xi32>
      %33 = tt.expand_dims %1 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %34 = tt.broadcast %32 : tensor<128x1x!tt.ptr<i8>> -> tensor<128x4x!tt.ptr<i8>>
      %35 = tt.broadcast %33 : tensor<1x4xi32> -> tensor<128x4xi32>
      %36 = tt.addptr %34, %35 : tensor<128x4x!tt.ptr<i8>>, tensor<128x4xi32>
      %37 = tt.load %36 : tensor<128x4x!tt.ptr<i8>>
      %38 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<128x1x!tt.ptr<i8>>
      %39 = tt.addptr %38, %30 : tensor<128x1x!tt.ptr<i8>>, tensor<128x1xi32>
      %40 = tt.broadcast %39 : tensor<128x1x!tt.ptr<i8>> -> tensor<128x4x!tt.ptr<i8>>
      %41 = tt.addptr %40, %35 : tensor<128x4x!tt.ptr<i8>>, tensor<128x4xi32>
      %42 = tt.load %41 : tensor<128x4x!tt.ptr<i8>>
      %43 = tt.dot_scaled %20 scale %42, %29 scale %37, %arg8 lhs = e2m1 rhs = e2m1 {fastMath = true} : tensor<128x64xi8>, tensor<128x4xi8> * tensor<64x128xi8>, tensor<128x4xi8> -> tensor<128x128xf32>
      %44 = tt.addptr %arg6, %c16384_i32 : !tt.ptr<i8>, i32
      %45 = tt.addptr %arg7, %c16384_i32 : !tt.ptr<i8>, i32
      scf.yield %44, %45, %43 : !tt.ptr<i8>, !tt.ptr<i8>, tensor<128x128xf32>
    }
    %3 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %4 = arith.muli %3, %cst_0 : tensor<128x1xi32>
    %5 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %7 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %8 = tt.broadcast %6 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %9 = tt.broadcast %7 : tensor<1x128xi32> -> tensor<128x128xi32>
    %10 = tt.addptr %8, %9 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    tt.store %10, %2#2 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
