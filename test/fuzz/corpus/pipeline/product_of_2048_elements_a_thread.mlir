// passes: 80 1 1
module {
  tt.func public @descriptor_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 1 : i32}, %arg3: i32 {tt.divisibility = 4 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<256x64xf16>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<256x64xf16>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<256x256xf16>>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.addi %arg5, %c63_i32 : i32
    %10 = arith.divsi %9, %c64_i32 : i32
    %11 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<256x256xf32>)  : i32 {
      %13 = arith.muli %arg6, %c64_i32 : i32
      %14 = tt.descriptor_load %1[%6, %13] : !tt.tensordesc<tensor<256x64xf16>> -> tensor<256x64xf16>
      %15 = tt.descriptor_load %2[%8, %13] : !tt.tensordesc<tensor<256x64xf16>> -> tensor<256x64xf16>
      %16 = tt.trans %15 {order = array<i32: 1, 0>} : tensor<256x64xf16> -> tensor<64x256xf16>
      %17 = tt.dot %14, %16, %arg7, inputPrecision = tf32 : tensor<256x64xf16> * tensor<64x256xf16> -> tensor<256x256xf32>
      scf.yield %17 : tensor<256x256xf32>
    } {tt.disallow_acc_multi_buffer, tt.num_stages = 2 : i32}
    %12 = arith.truncf %11 : tensor<256x256xf32> to tensor<256x256xf16>
    tt.descriptor_store %4[%6, %8], %12 : !tt.tensordesc<tensor<256x256xf16>>, tensor<256x256xf16>
    tt.return
  }
}
