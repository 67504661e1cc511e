// passes: 100 4 2
module {
  tt.func public @descriptor_attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.250000e-01> : tensor<128x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c128_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %7:3 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_2, %arg7 = %cst_1, %arg8 = %cst_0) -> (tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>)  : i32 {
      %12 = tt.descriptor_load %1[%arg5, %c0_i32] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %13 = tt.trans %12 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %14 = tt.descriptor_load %2[%arg5, %c0_i32] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %15 = tt.dot %6, %13, %cst_0, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %16 = arith.mulf %15, %cst : tensor<128x64xf32>
      %17 = "tt.reduce"(%16) <{axis = 1 : i32}> ({
      ^bb0(%arg9: f32, %arg10: f32):
        %33 = arith.maxnumf %arg9, %arg10 : f32
        tt.reduce.return %33 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %18 = arith.maxnumf %arg6, %17 : tensor<128xf32>
      %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %20 = tt.broadcast %19 : tensor<128x1xf32> -> tensor<128x64xf32>
      %21 = arith.subf %16, %20 : tensor<128x64xf32>
      %22 = math.exp2 %21 : tensor<128x64xf32>
      %23 = arith.subf %arg6, %18 : tensor<128xf32>
      %24 = math.exp2 %23 : tensor<128xf32>
      %25 = arith.mulf %arg7, %24 : tensor<128xf32>
      %26 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg9: f32, %arg10: f32):
        %33 = arith.addf %arg9, %arg10 : f32
        tt.reduce.return %33 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %27 = arith.addf %25, %26 : tensor<128xf32>
      %28 = arith.truncf %22 : tensor<128x64xf32> to tensor<128x64xf16>
      %29 = tt.expand_dims %24 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %30 = tt.broadcast %29 : tensor<128x1xf32> -> tensor<128x64xf32>
      %31 = arith.mulf %arg8, %30 : tensor<128x64xf32>
      %32 = tt.dot %28, %14, %31, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %18, %27, %32 : tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    }
    %8 = tt.expand_dims %7#1 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %9 = tt.broadcast %8 : tensor<128x1xf32> -> tensor<128x64xf32>
    %10 = arith.divf %7#2, %9 : tensor<128x64xf32>
    %11 = arith.truncf %10 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.descriptor_store %3[%5, %c0_i32], %11 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
    tt.return
  }
}
