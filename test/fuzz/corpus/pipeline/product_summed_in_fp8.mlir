// passes: 100 4 1
module {
  tt.func public @k(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f8E4M3FN>) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tt.broadcast %1 : tensor<64x1xi32> -> tensor<64x64xi32>
    %3 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %4 = tt.addptr %3, %2 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %5 = tt.load %4 : tensor<64x64x!tt.ptr<f16>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf8E4M3FN>
    %6 = tt.dot %5, %5, %cst, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf8E4M3FN>
    %7 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<64x64x!tt.ptr<f8E4M3FN>>
    tt.store %7, %6 : tensor<64x64x!tt.ptr<f8E4M3FN>>
    tt.return
  }
}
