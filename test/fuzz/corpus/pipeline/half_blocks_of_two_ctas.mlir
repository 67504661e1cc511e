// passes: 100 4 2
module {
  tt.func public @matmul(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf8E4M3FN>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf8E4M3FN>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<64> : tensor<128x64xi32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %12 = arith.muli %10, %11 : tensor<128x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
    %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
    %15 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %16 = tt.broadcast %14 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x64x!tt.ptr<f8E4M3FN>>
    %17 = tt.broadcast %15 : tensor<1x64xi32> -> tensor<128x64xi32>
    %18 = tt.addptr %16, %17 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xi32>
    %19 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %20 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %21 = arith.muli %19, %20 : tensor<64x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<64x1x!tt.ptr<f8E4M3FN>>
    %23 = tt.addptr %22, %21 : tensor<64x1x!tt.ptr<f8E4M3FN>>, tensor<64x1xi32>
    %24 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %25 = tt.broadcast %23 : tensor<64x1x!tt.ptr<f8E4M3FN>> -> tensor<64x64x!tt.ptr<f8E4M3FN>>
    %26 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<64x64xi32>
    %27 = tt.addptr %25, %26 : tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<64x64xi32>
    %28 = arith.addi %arg5, %c63_i32 : i32
    %29 = arith.divsi %28, %c64_i32 : i32
    %30:3 = scf.for %arg9 = %c0_i32 to %29 step %c1_i32 iter_args(%arg10 = %18, %arg11 = %27, %arg12 = %cst) -> (tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xf32>)  : i32 {
      %46 = arith.muli %arg9, %c64_i32 : i32
      %47 = arith.subi %arg5, %46 : i32
      %48 = tt.splat %47 : i32 -> tensor<1x64xi32>
      %49 = arith.cmpi slt, %15, %48 : tensor<1x64xi32>
      %50 = tt.broadcast %49 : tensor<1x64xi1> -> tensor<128x64xi1>
      %51 = tt.load %arg10, %50, %cst_1 : tensor<128x64x!tt.ptr<f8E4M3FN>>
      %52 = tt.splat %47 : i32 -> tensor<64x1xi32>
      %53 = arith.cmpi slt, %19, %52 : tensor<64x1xi32>
      %54 = tt.broadcast %53 : tensor<64x1xi1> -> tensor<64x64xi1>
      %55 = tt.load %arg11, %54, %cst_0 : tensor<64x64x!tt.ptr<f8E4M3FN>>
      %56 = tt.dot %51, %55, %arg12, inputPrecision = tf32 : tensor<128x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<128x64xf32>
      %57 = tt.addptr %arg10, %cst_2 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xi32>
      %58 = arith.muli %arg7, %c64_i32 : i32
      %59 = tt.splat %58 : i32 -> tensor<64x64xi32>
      %60 = tt.addptr %arg11, %59 : tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<64x64xi32>
      scf.yield %57, %60, %56 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xf32>
    }
    %31 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %32 = arith.cmpi slt, %10, %31 : tensor<128x1xi32>
    %33 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %34 = arith.cmpi slt, %24, %33 : tensor<1x64xi32>
    %35 = tt.broadcast %32 : tensor<128x1xi1> -> tensor<128x64xi1>
    %36 = tt.broadcast %34 : tensor<1x64xi1> -> tensor<128x64xi1>
    %37 = arith.andi %35, %36 : tensor<128x64xi1>
    %38 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %39 = arith.muli %10, %38 : tensor<128x1xi32>
    %40 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %41 = tt.addptr %40, %39 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %42 = tt.broadcast %41 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %43 = tt.broadcast %24 : tensor<1x64xi32> -> tensor<128x64xi32>
    %44 = tt.addptr %42, %43 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %45 = arith.truncf %30#2 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.store %44, %45, %37 : tensor<128x64x!tt.ptr<f16>>
    tt.return
  }
}
