#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @integer_operators(%arg0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<7> : tensor<32xi64, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<32xi64, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<32xi16, #blocked>
    %cst_2 = arith.constant dense<1> : tensor<32xi16, #blocked>
    %cst_3 = arith.constant dense<2> : tensor<32xi64, #blocked>
    %cst_4 = arith.constant dense<-1> : tensor<32xi64, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<32xi32, #blocked1> -> tensor<32xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<i64> -> tensor<32x!tt.ptr<i64>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<32x!tt.ptr<i64>, #blocked>, tensor<32xi32, #blocked>
    %4 = tt.load %3 : tensor<32x!tt.ptr<i64>, #blocked>
    %5 = tt.splat %arg1 : !tt.ptr<i16> -> tensor<32x!tt.ptr<i16>, #blocked>
    %6 = ttg.convert_layout %5 : tensor<32x!tt.ptr<i16>, #blocked> -> tensor<32x!tt.ptr<i16>, #blocked1>
    %7 = ttg.convert_layout %1 : tensor<32xi32, #blocked> -> tensor<32xi32, #blocked1>
    %8 = tt.addptr %6, %7 : tensor<32x!tt.ptr<i16>, #blocked1>, tensor<32xi32, #blocked1>
    %9 = ttg.convert_layout %8 : tensor<32x!tt.ptr<i16>, #blocked1> -> tensor<32x!tt.ptr<i16>, #blocked>
    %10 = tt.load %9 : tensor<32x!tt.ptr<i16>, #blocked>
    %11 = ttg.convert_layout %10 : tensor<32xi16, #blocked> -> tensor<32xi16, #blocked1>
    %12 = arith.extsi %11 : tensor<32xi16, #blocked1> to tensor<32xi64, #blocked1>
    %13 = ttg.convert_layout %12 : tensor<32xi64, #blocked1> -> tensor<32xi64, #blocked>
    %14 = arith.addi %4, %13 : tensor<32xi64, #blocked>
    %15 = arith.muli %4, %13 : tensor<32xi64, #blocked>
    %16 = ttg.convert_layout %14 : tensor<32xi64, #blocked> -> tensor<32xi64, #blocked1>
    %17 = ttg.convert_layout %15 : tensor<32xi64, #blocked> -> tensor<32xi64, #blocked1>
    %18 = arith.subi %16, %17 : tensor<32xi64, #blocked1>
    %19 = ttg.convert_layout %18 : tensor<32xi64, #blocked1> -> tensor<32xi64, #blocked>
    %20 = arith.andi %4, %13 : tensor<32xi64, #blocked>
    %21 = arith.xori %4, %cst_4 : tensor<32xi64, #blocked>
    %22 = arith.ori %20, %21 : tensor<32xi64, #blocked>
    %23 = arith.xori %19, %22 : tensor<32xi64, #blocked>
    %24 = arith.shli %4, %cst_3 : tensor<32xi64, #blocked>
    %25 = arith.shrsi %10, %cst_2 : tensor<32xi16, #blocked>
    %26 = arith.extsi %25 : tensor<32xi16, #blocked> to tensor<32xi64, #blocked>
    %27 = arith.addi %24, %26 : tensor<32xi64, #blocked>
    %28 = arith.addi %23, %27 : tensor<32xi64, #blocked>
    %29 = arith.divsi %4, %13 : tensor<32xi64, #blocked>
    %30 = arith.remsi %4, %13 : tensor<32xi64, #blocked>
    %31 = arith.addi %29, %30 : tensor<32xi64, #blocked>
    %32 = arith.addi %28, %31 : tensor<32xi64, #blocked>
    %33 = arith.cmpi slt, %4, %13 : tensor<32xi64, #blocked>
    %34 = arith.cmpi ne, %4, %cst_0 : tensor<32xi64, #blocked>
    %35 = arith.andi %33, %34 : tensor<32xi1, #blocked>
    %36 = arith.subi %cst_1, %10 : tensor<32xi16, #blocked>
    %37 = arith.extsi %36 : tensor<32xi16, #blocked> to tensor<32xi64, #blocked>
    %38 = arith.select %35, %32, %37 : tensor<32xi1, #blocked>, tensor<32xi64, #blocked>
    %39 = ttg.convert_layout %4 : tensor<32xi64, #blocked> -> tensor<32xi64, #blocked1>
    %40 = ttg.convert_layout %13 : tensor<32xi64, #blocked> -> tensor<32xi64, #blocked1>
    %41 = arith.cmpi sge, %39, %40 : tensor<32xi64, #blocked1>
    %42 = ttg.convert_layout %41 : tensor<32xi1, #blocked1> -> tensor<32xi1, #blocked>
    %43 = arith.cmpi eq, %4, %cst : tensor<32xi64, #blocked>
    %44 = arith.ori %42, %43 : tensor<32xi1, #blocked>
    %45 = math.absi %4 : tensor<32xi64, #blocked>
    %46 = arith.select %44, %38, %45 : tensor<32xi1, #blocked>, tensor<32xi64, #blocked>
    %47 = arith.minsi %4, %13 : tensor<32xi64, #blocked>
    %48 = arith.maxsi %4, %13 : tensor<32xi64, #blocked>
    %49 = arith.muli %47, %48 : tensor<32xi64, #blocked>
    %50 = arith.addi %46, %49 : tensor<32xi64, #blocked>
    %51 = tt.splat %arg2 : !tt.ptr<i64> -> tensor<32x!tt.ptr<i64>, #blocked1>
    %52 = ttg.convert_layout %51 : tensor<32x!tt.ptr<i64>, #blocked1> -> tensor<32x!tt.ptr<i64>, #blocked>
    %53 = tt.addptr %52, %1 : tensor<32x!tt.ptr<i64>, #blocked>, tensor<32xi32, #blocked>
    tt.store %53, %50 : tensor<32x!tt.ptr<i64>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @float_operators(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32, #blocked>
    %cst_0 = arith.constant dense<-1.000000e+00> : tensor<128xf32, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<bf16>, #blocked>, tensor<128xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<bf16>, #blocked> -> tensor<128x!tt.ptr<bf16>, #blocked1>
    %4 = tt.load %3 : tensor<128x!tt.ptr<bf16>, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<128xbf16, #blocked1> -> tensor<128xbf16, #blocked>
    %6 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked1>
    %7 = ttg.convert_layout %6 : tensor<128x!tt.ptr<f16>, #blocked1> -> tensor<128x!tt.ptr<f16>, #blocked>
    %8 = tt.addptr %7, %0 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %9 = ttg.convert_layout %8 : tensor<128x!tt.ptr<f16>, #blocked> -> tensor<128x!tt.ptr<f16>, #blocked1>
    %10 = tt.load %9 : tensor<128x!tt.ptr<f16>, #blocked1>
    %11 = ttg.convert_layout %10 : tensor<128xf16, #blocked1> -> tensor<128xf16, #blocked>
    %12 = arith.extf %5 : tensor<128xbf16, #blocked> to tensor<128xf32, #blocked>
    %13 = arith.extf %11 : tensor<128xf16, #blocked> to tensor<128xf32, #blocked>
    %14 = arith.divf %12, %13 : tensor<128xf32, #blocked>
    %15 = arith.remf %12, %13 : tensor<128xf32, #blocked>
    %16 = arith.subf %14, %15 : tensor<128xf32, #blocked>
    %17 = arith.truncf %12 : tensor<128xf32, #blocked> to tensor<128xf16, #blocked>
    %18 = arith.cmpf ogt, %17, %11 : tensor<128xf16, #blocked>
    %19 = arith.subf %cst_1, %16 : tensor<128xf32, #blocked>
    %20 = arith.select %18, %16, %19 : tensor<128xi1, #blocked>, tensor<128xf32, #blocked>
    %21 = ttg.convert_layout %17 : tensor<128xf16, #blocked> -> tensor<128xf16, #blocked1>
    %22 = ttg.convert_layout %11 : tensor<128xf16, #blocked> -> tensor<128xf16, #blocked1>
    %23 = arith.cmpf ole, %21, %22 : tensor<128xf16, #blocked1>
    %24 = ttg.convert_layout %23 : tensor<128xi1, #blocked1> -> tensor<128xi1, #blocked>
    %25 = arith.cmpf une, %17, %11 : tensor<128xf16, #blocked>
    %26 = arith.andi %24, %25 : tensor<128xi1, #blocked>
    %27 = math.absf %20 : tensor<128xf32, #blocked>
    %28 = arith.select %26, %20, %27 : tensor<128xi1, #blocked>, tensor<128xf32, #blocked>
    %29 = arith.minnumf %12, %13 : tensor<128xf32, #blocked>
    %30 = ttg.convert_layout %12 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %31 = ttg.convert_layout %13 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %32 = arith.maximumf %30, %31 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %33 = ttg.convert_layout %32 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<128xf32, #blocked>
    %34 = arith.addf %29, %33 : tensor<128xf32, #blocked>
    %35 = arith.addf %28, %34 : tensor<128xf32, #blocked>
    %36 = ttg.convert_layout %12 : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    %37 = ttg.convert_layout %35 : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    %38 = arith.minimumf %36, %37 : tensor<128xf32, #blocked1>
    %39 = ttg.convert_layout %38 : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
    %40 = arith.addf %35, %39 : tensor<128xf32, #blocked>
    %41 = tt.clampf %12, %cst_0, %cst, propagateNan = none : tensor<128xf32, #blocked>
    %42 = arith.addf %40, %41 : tensor<128xf32, #blocked>
    %43 = tt.clampf %13, %12, %42, propagateNan = all : tensor<128xf32, #blocked>
    %44 = arith.addf %42, %43 : tensor<128xf32, #blocked>
    %45 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %46 = ttg.convert_layout %45 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<128x!tt.ptr<f32>, #blocked>
    %47 = tt.addptr %46, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %47, %44 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x128xf16>>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.addi %arg5, %c63_i32 : i32
    %10 = arith.divsi %9, %c64_i32 : i32
    %11 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<128x128xf32, #blocked>)  : i32 {
      %14 = arith.muli %arg6, %c64_i32 : i32
      %15 = tt.descriptor_load %1[%6, %14] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
      %16 = tt.descriptor_load %2[%8, %14] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
      %17 = tt.trans %16 {order = array<i32: 1, 0>} : tensor<128x64xf16, #blocked1> -> tensor<64x128xf16, #blocked2>
      %18 = ttg.convert_layout %15 : tensor<128x64xf16, #blocked1> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %19 = ttg.convert_layout %17 : tensor<64x128xf16, #blocked2> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
      %20 = ttg.convert_layout %arg7 : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #mma>
      %21 = ttg.convert_layout %18 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %22 = ttg.convert_layout %19 : tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %23 = tt.dot %21, %22, %20, inputPrecision = tf32 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      %24 = ttg.convert_layout %23 : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #blocked>
      scf.yield %24 : tensor<128x128xf32, #blocked>
    } {tt.disallow_acc_multi_buffer, tt.num_stages = 2 : i32}
    %12 = arith.truncf %11 : tensor<128x128xf32, #blocked> to tensor<128x128xf16, #blocked>
    %13 = ttg.convert_layout %12 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #blocked3>
    tt.descriptor_store %4[%6, %8], %13 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16, #blocked3>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @join_and_split(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<f32>, #blocked1> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = ttg.convert_layout %1 : tensor<128xi32, #blocked1> -> tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = ttg.convert_layout %5 : tensor<128x!tt.ptr<f32>, #blocked> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %7 = tt.load %6 : tensor<128x!tt.ptr<f32>, #blocked1>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %9 = tt.addptr %8, %1 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %10 = tt.load %9 : tensor<128x!tt.ptr<f32>, #blocked1>
    %11 = tt.join %7, %10 : tensor<128xf32, #blocked1> -> tensor<128x2xf32, #blocked2>
    %outLHS, %outRHS = tt.split %11 : tensor<128x2xf32, #blocked2> -> tensor<128xf32, #blocked1>
    %12 = tt.join %outLHS, %outRHS : tensor<128xf32, #blocked1> -> tensor<128x2xf32, #blocked2>
    %13 = ttg.convert_layout %12 : tensor<128x2xf32, #blocked2> -> tensor<128x2xf32, #blocked3>
    %14 = tt.reshape %13 : tensor<128x2xf32, #blocked3> -> tensor<256xf32, #blocked1>
    %15 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %16 = ttg.convert_layout %15 : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %18 = tt.addptr %17, %16 : tensor<256x!tt.ptr<f32>, #blocked1>, tensor<256xi32, #blocked1>
    tt.store %18, %14 : tensor<256x!tt.ptr<f32>, #blocked1>
    %19 = tt.cat %7, %10 : tensor<128xf32, #blocked1> -> tensor<256xf32, #blocked>
    %20 = ttg.convert_layout %19 : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    tt.store %18, %20 : tensor<256x!tt.ptr<f32>, #blocked1>
    %21 = tt.load %arg0 : !tt.ptr<f32>
    %22 = tt.load %arg1 : !tt.ptr<f32>
    %23 = tt.splat %21 : f32 -> tensor<1xf32, #blocked1>
    %24 = tt.splat %22 : f32 -> tensor<1xf32, #blocked1>
    %25 = tt.join %23, %24 : tensor<1xf32, #blocked1> -> tensor<1x2xf32, #blocked2>
    %26 = tt.reshape %25 : tensor<1x2xf32, #blocked2> -> tensor<2xf32, #blocked>
    %27 = ttg.convert_layout %26 : tensor<2xf32, #blocked> -> tensor<2xf32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %28 = tt.expand_dims %27 {axis = 0 : i32} : tensor<2xf32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x2xf32, #blocked2>
    %outLHS_0, %outRHS_1 = tt.split %28 : tensor<1x2xf32, #blocked2> -> tensor<1xf32, #blocked1>
    %29 = tt.unsplat %outLHS_0 : tensor<1xf32, #blocked1>
    %30 = tt.unsplat %outRHS_1 : tensor<1xf32, #blocked1>
    %31 = arith.subf %29, %30 : f32
    tt.store %arg2, %31 : !tt.ptr<f32>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @integer_operators(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<7> : tensor<256xi32, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<256xi8, #blocked>
    %cst_1 = arith.constant dense<0> : tensor<256xi32, #blocked>
    %cst_2 = arith.constant dense<1> : tensor<256xi8, #blocked>
    %cst_3 = arith.constant dense<2> : tensor<256xi8, #blocked>
    %cst_4 = arith.constant dense<-1> : tensor<256xi8, #blocked>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<i8>, #blocked>, tensor<256xi32, #blocked>
    %3 = tt.load %2 : tensor<256x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>, #blocked>
    %5 = tt.addptr %4, %0 : tensor<256x!tt.ptr<i8>, #blocked>, tensor<256xi32, #blocked>
    %6 = tt.load %5 : tensor<256x!tt.ptr<i8>, #blocked>
    %7 = arith.addi %3, %6 : tensor<256xi8, #blocked>
    %8 = arith.muli %3, %6 : tensor<256xi8, #blocked>
    %9 = arith.subi %7, %8 : tensor<256xi8, #blocked>
    %10 = arith.andi %3, %6 : tensor<256xi8, #blocked>
    %11 = arith.xori %3, %cst_4 : tensor<256xi8, #blocked>
    %12 = arith.ori %10, %11 : tensor<256xi8, #blocked>
    %13 = arith.xori %9, %12 : tensor<256xi8, #blocked>
    %14 = arith.shli %3, %cst_3 : tensor<256xi8, #blocked>
    %15 = arith.shrui %6, %cst_2 : tensor<256xi8, #blocked>
    %16 = arith.addi %14, %15 : tensor<256xi8, #blocked>
    %17 = arith.addi %13, %16 : tensor<256xi8, #blocked>
    %18 = arith.divui %3, %6 : tensor<256xi8, #blocked>
    %19 = ttg.convert_layout %3 : tensor<256xi8, #blocked> -> tensor<256xi8, #blocked1>
    %20 = ttg.convert_layout %6 : tensor<256xi8, #blocked> -> tensor<256xi8, #blocked1>
    %21 = arith.remui %19, %20 : tensor<256xi8, #blocked1>
    %22 = ttg.convert_layout %21 : tensor<256xi8, #blocked1> -> tensor<256xi8, #blocked>
    %23 = arith.addi %18, %22 : tensor<256xi8, #blocked>
    %24 = arith.addi %17, %23 : tensor<256xi8, #blocked>
    %25 = arith.cmpi ult, %3, %6 : tensor<256xi8, #blocked>
    %26 = arith.extui %3 : tensor<256xi8, #blocked> to tensor<256xi32, #blocked>
    %27 = arith.cmpi ne, %26, %cst_1 : tensor<256xi32, #blocked>
    %28 = ttg.convert_layout %25 : tensor<256xi1, #blocked> -> tensor<256xi1, #blocked1>
    %29 = ttg.convert_layout %27 : tensor<256xi1, #blocked> -> tensor<256xi1, #blocked1>
    %30 = arith.andi %28, %29 : tensor<256xi1, #blocked1>
    %31 = ttg.convert_layout %30 : tensor<256xi1, #blocked1> -> tensor<256xi1, #blocked>
    %32 = arith.subi %cst_0, %6 : tensor<256xi8, #blocked>
    %33 = ttg.convert_layout %31 : tensor<256xi1, #blocked> -> tensor<256xi1, #blocked1>
    %34 = ttg.convert_layout %24 : tensor<256xi8, #blocked> -> tensor<256xi8, #blocked1>
    %35 = ttg.convert_layout %32 : tensor<256xi8, #blocked> -> tensor<256xi8, #blocked1>
    %36 = arith.select %33, %34, %35 : tensor<256xi1, #blocked1>, tensor<256xi8, #blocked1>
    %37 = ttg.convert_layout %36 : tensor<256xi8, #blocked1> -> tensor<256xi8, #blocked>
    %38 = arith.cmpi uge, %3, %6 : tensor<256xi8, #blocked>
    %39 = arith.cmpi eq, %26, %cst : tensor<256xi32, #blocked>
    %40 = arith.ori %38, %39 : tensor<256xi1, #blocked>
    %41 = arith.select %40, %37, %3 : tensor<256xi1, #blocked>, tensor<256xi8, #blocked>
    %42 = arith.minui %3, %6 : tensor<256xi8, #blocked>
    %43 = arith.maxui %3, %6 : tensor<256xi8, #blocked>
    %44 = arith.muli %42, %43 : tensor<256xi8, #blocked>
    %45 = arith.addi %41, %44 : tensor<256xi8, #blocked>
    %46 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %47 = tt.addptr %46, %0 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %48 = arith.extui %45 : tensor<256xi8, #blocked> to tensor<256xi32, #blocked>
    %49 = ttg.convert_layout %47 : tensor<256x!tt.ptr<i32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked1>
    %50 = ttg.convert_layout %48 : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    tt.store %49, %50 : tensor<256x!tt.ptr<i32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mapped(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: f32) attributes {noinline = false} {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = ttg.convert_layout %0 : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<256x!tt.ptr<f32>, #blocked1> -> tensor<256x!tt.ptr<f32>, #blocked>
    %4 = ttg.convert_layout %1 : tensor<256xi32, #blocked1> -> tensor<256xi32, #blocked>
    %5 = tt.addptr %3, %4 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %6 = ttg.convert_layout %5 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %7 = tt.load %6 : tensor<256x!tt.ptr<f32>, #blocked1>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %9 = tt.addptr %8, %1 : tensor<256x!tt.ptr<f32>, #blocked1>, tensor<256xi32, #blocked1>
    %10 = ttg.convert_layout %9 : tensor<256x!tt.ptr<f32>, #blocked1> -> tensor<256x!tt.ptr<f32>, #blocked>
    %11 = tt.load %10 : tensor<256x!tt.ptr<f32>, #blocked>
    %12 = ttg.convert_layout %11 : tensor<256xf32, #blocked> -> tensor<256xf32, #blocked1>
    %13:2 = "tt.map_elementwise"(%7, %12) <{pack = 2 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32, %arg6: f32, %arg7: f32):
      %19:4 = tt.call @mathematics.order_pair__fp32_fp32_fp32_fp32__(%arg4, %arg5, %arg6, %arg7) : (f32, f32, f32, f32) -> (f32, f32, f32, f32)
      tt.map_elementwise.return %19#0, %19#1, %19#2, %19#3 : f32, f32, f32, f32
    }) : (tensor<256xf32, #blocked1>, tensor<256xf32, #blocked1>) -> (tensor<256xf32, #blocked1>, tensor<256xf32, #blocked1>)
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %1 : tensor<256x!tt.ptr<f32>, #blocked1>, tensor<256xi32, #blocked1>
    %16 = tt.splat %arg3 : f32 -> tensor<256xf32, #blocked1>
    %17 = "tt.map_elementwise"(%13#0, %16) <{pack = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %19 = tt.call @mathematics.leaky__fp32_fp32__(%arg4, %arg5) : (f32, f32) -> f32
      tt.map_elementwise.return %19 : f32
    }) : (tensor<256xf32, #blocked1>, tensor<256xf32, #blocked1>) -> tensor<256xf32, #blocked1>
    %18 = arith.addf %17, %13#1 : tensor<256xf32, #blocked1>
    tt.store %15, %18 : tensor<256x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func private @mathematics.order_pair__fp32_fp32_fp32_fp32__(%arg0: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg1: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg2: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg3: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}) -> (f32, f32, f32, f32) attributes {noinline = false} {
    %0 = arith.minnumf %arg0, %arg2 : f32
    %1 = arith.minnumf %arg1, %arg3 : f32
    %2 = arith.maxnumf %arg0, %arg2 : f32
    %3 = arith.maxnumf %arg1, %arg3 : f32
    tt.return %0, %1, %2, %3 : f32, f32, f32, f32
  }
  tt.func private @mathematics.leaky__fp32_fp32__(%arg0: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg1: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}) -> f32 attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = arith.cmpf ogt, %arg0, %cst : f32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return %arg0 : f32
  ^bb2:  // pred: ^bb0
    %1 = arith.mulf %arg0, %arg1 : f32
    tt.return %1 : f32
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @casts(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<f64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.load %3 : tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #blocked>
    %6 = tt.addptr %5, %0 : tensor<128x!tt.ptr<i8>, #blocked>, tensor<128xi32, #blocked>
    %7 = arith.fptosi %4 : tensor<128xf32, #blocked> to tensor<128xi8, #blocked>
    tt.store %6, %7 : tensor<128x!tt.ptr<i8>, #blocked>
    %8 = tt.splat %arg2 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>, #blocked>
    %9 = ttg.convert_layout %8 : tensor<128x!tt.ptr<i64>, #blocked> -> tensor<128x!tt.ptr<i64>, #blocked1>
    %10 = tt.addptr %9, %1 : tensor<128x!tt.ptr<i64>, #blocked1>, tensor<128xi32, #blocked1>
    %11 = arith.fptosi %4 : tensor<128xf32, #blocked> to tensor<128xi64, #blocked>
    %12 = ttg.convert_layout %11 : tensor<128xi64, #blocked> -> tensor<128xi64, #blocked1>
    tt.store %10, %12 : tensor<128x!tt.ptr<i64>, #blocked1>
    %13 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %14 = tt.addptr %13, %0 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %15 = arith.truncf %4 : tensor<128xf32, #blocked> to tensor<128xf16, #blocked>
    tt.store %14, %15 : tensor<128x!tt.ptr<f16>, #blocked>
    %16 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %17 = tt.addptr %16, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %17, %4 : tensor<128x!tt.ptr<f32>, #blocked>
    %18 = tt.splat %arg5 : !tt.ptr<i1> -> tensor<128x!tt.ptr<i1>, #blocked>
    %19 = tt.addptr %18, %0 : tensor<128x!tt.ptr<i1>, #blocked>, tensor<128xi32, #blocked>
    %20 = arith.cmpf une, %4, %cst : tensor<128xf32, #blocked>
    %21 = tt.bitcast %19 : tensor<128x!tt.ptr<i1>, #blocked> -> tensor<128x!tt.ptr<i8>, #blocked>
    %22 = arith.extui %20 : tensor<128xi1, #blocked> to tensor<128xi8, #blocked>
    %23 = ttg.convert_layout %21 : tensor<128x!tt.ptr<i8>, #blocked> -> tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %24 = ttg.convert_layout %22 : tensor<128xi8, #blocked> -> tensor<128xi8, #ttg.slice<{dim = 1, parent = #blocked2}>>
    tt.store %23, %24 : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %25 = tt.splat %arg6 : !tt.ptr<i16> -> tensor<128x!tt.ptr<i16>, #blocked>
    %26 = tt.addptr %25, %0 : tensor<128x!tt.ptr<i16>, #blocked>, tensor<128xi32, #blocked>
    %27 = arith.fptoui %4 : tensor<128xf32, #blocked> to tensor<128xi16, #blocked>
    %28 = ttg.convert_layout %26 : tensor<128x!tt.ptr<i16>, #blocked> -> tensor<128x!tt.ptr<i16>, #blocked1>
    %29 = ttg.convert_layout %27 : tensor<128xi16, #blocked> -> tensor<128xi16, #blocked1>
    tt.store %28, %29 : tensor<128x!tt.ptr<i16>, #blocked1>
    %30 = tt.splat %arg7 : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>, #blocked1>
    %31 = tt.addptr %30, %1 : tensor<128x!tt.ptr<f64>, #blocked1>, tensor<128xi32, #blocked1>
    %32 = ttg.convert_layout %4 : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    %33 = arith.extf %32 : tensor<128xf32, #blocked1> to tensor<128xf64, #blocked1>
    tt.store %31, %33 : tensor<128x!tt.ptr<f64>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @layer_norm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<2048xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<2048xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %4 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %5 = tt.splat %arg4 : i32 -> tensor<2048xi32, #blocked>
    %6 = arith.cmpi slt, %4, %5 : tensor<2048xi32, #blocked>
    %7 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i64
    %8 = tt.splat %7 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %9 = tt.addptr %8, %4 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %10 = tt.load %9, %6, %cst_0 : tensor<2048x!tt.ptr<f16>, #blocked>
    %11 = arith.extf %10 : tensor<2048xf16, #blocked> to tensor<2048xf32, #blocked>
    %12 = tt.reshape %11 allow_reorder : tensor<2048xf32, #blocked> -> tensor<2048xf32, #blocked1>
    %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %45 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %45 : f32
    }) : (tensor<2048xf32, #blocked1>) -> f32
    %14 = arith.sitofp %arg4 : i32 to f32
    %15 = arith.divf %13, %14 : f32
    %16 = tt.splat %15 : f32 -> tensor<2048xf32, #blocked>
    %17 = arith.subf %11, %16 : tensor<2048xf32, #blocked>
    %18 = arith.select %6, %17, %cst_1 : tensor<2048xi1, #blocked>, tensor<2048xf32, #blocked>
    %19 = arith.mulf %18, %18 : tensor<2048xf32, #blocked>
    %20 = tt.reshape %19 allow_reorder : tensor<2048xf32, #blocked> -> tensor<2048xf32, #blocked1>
    %21 = "tt.reduce"(%20) <{axis = 0 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %45 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %45 : f32
    }) : (tensor<2048xf32, #blocked1>) -> f32
    %22 = arith.divf %21, %14 : f32
    %23 = arith.addf %22, %arg5 : f32
    %24 = math.rsqrt %23 : f32
    %25 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %26 = tt.addptr %25, %4 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %27 = tt.load %26, %6, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
    %28 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %29 = ttg.convert_layout %28 : tensor<2048x!tt.ptr<f32>, #blocked> -> tensor<2048x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %30 = ttg.convert_layout %4 : tensor<2048xi32, #blocked> -> tensor<2048xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %31 = tt.addptr %29, %30 : tensor<2048x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked2}>>, tensor<2048xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %32 = ttg.convert_layout %31 : tensor<2048x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %33 = tt.load %32, %6, %cst_1 : tensor<2048x!tt.ptr<f32>, #blocked>
    %34 = tt.addptr %arg1, %3 : !tt.ptr<f16>, i64
    %35 = tt.splat %34 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %36 = tt.addptr %35, %4 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %37 = tt.splat %24 : f32 -> tensor<2048xf32, #blocked>
    %38 = arith.mulf %18, %37 : tensor<2048xf32, #blocked>
    %39 = arith.mulf %38, %27 : tensor<2048xf32, #blocked>
    %40 = arith.addf %39, %33 : tensor<2048xf32, #blocked>
    %41 = arith.truncf %40 : tensor<2048xf32, #blocked> to tensor<2048xf16, #blocked>
    %42 = ttg.convert_layout %36 : tensor<2048x!tt.ptr<f16>, #blocked> -> tensor<2048x!tt.ptr<f16>, #blocked1>
    %43 = ttg.convert_layout %41 : tensor<2048xf16, #blocked> -> tensor<2048xf16, #blocked1>
    %44 = ttg.convert_layout %6 : tensor<2048xi1, #blocked> -> tensor<2048xi1, #blocked1>
    tt.store %42, %43, %44 : tensor<2048x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @diagnostics(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %0 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<i32>, #blocked> -> tensor<128x!tt.ptr<i32>, #blocked2>
    %4 = ttg.convert_layout %1 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked2>
    %5 = tt.addptr %3, %4 : tensor<128x!tt.ptr<i32>, #blocked2>, tensor<128xi32, #blocked2>
    %6 = ttg.convert_layout %5 : tensor<128x!tt.ptr<i32>, #blocked2> -> tensor<128x!tt.ptr<i32>, #blocked>
    %7 = tt.load %6 : tensor<128x!tt.ptr<i32>, #blocked>
    %8 = ttg.convert_layout %7 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked2>
    %9 = ttg.convert_layout %8 : tensor<128xi32, #blocked2> -> tensor<128xi32, #blocked3>
    %10 = arith.cmpi sge, %7, %cst : tensor<128xi32, #blocked>
    tt.assert %10, "negative value" : tensor<128xi1, #blocked>
    %11 = arith.cmpi sgt, %arg1, %c0_i32 : i32
    tt.assert %11, "" : i1
    tt.print " value: " {hex = false, isSigned = array<i32: 1>} : %9 : tensor<128xi32, #blocked3>
    tt.print " hex: " {hex = true, isSigned = array<i32: 1, 1>} : %9, %arg1 : tensor<128xi32, #blocked3>, i32
    tt.print " reached" {hex = false, isSigned = array<i32>}
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_gather_scatter(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c1_i64 = arith.constant 1 : i64
    %c4096_i32 = arith.constant 4096 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<i32>, #blocked>, tensor<32xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<32x!tt.ptr<i32>, #blocked> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = ttg.convert_layout %3 : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<32x!tt.ptr<i32>, #blocked>
    %5 = tt.load %4 : tensor<32x!tt.ptr<i32>, #blocked>
    %6 = arith.extsi %arg3 : i32 to i64
    %7 = tt.make_tensor_descriptor %arg0, [%c4096_i32, %arg3], [%6, %c1_i64] : <bf16>, <tensor<1x128xbf16>>
    %8 = tt.make_tensor_descriptor %arg1, [%c4096_i32, %arg3], [%6, %c1_i64] : <bf16>, <tensor<1x128xbf16>>
    %9 = tt.get_program_id x : i32
    %10 = arith.muli %9, %c128_i32 : i32
    %11 = ttg.convert_layout %5 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.descriptor_gather %7[%11, %10] : (!tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, i32) -> tensor<32x128xbf16, #blocked2>
    %13 = ttg.convert_layout %12 : tensor<32x128xbf16, #blocked2> -> tensor<32x128xbf16, #blocked3>
    %14 = ttg.convert_layout %5 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = ttg.convert_layout %13 : tensor<32x128xbf16, #blocked3> -> tensor<32x128xbf16, #blocked2>
    %16 = ttg.convert_layout %15 : tensor<32x128xbf16, #blocked2> -> tensor<32x128xbf16, #blocked2>
    tt.descriptor_scatter %8[%14, %10], %16 : !tt.tensordesc<tensor<1x128xbf16>>, tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, i32, tensor<32x128xbf16, #blocked2>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @assembly(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<256x!tt.ptr<i32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked1>
    %4 = tt.load %3 : tensor<256x!tt.ptr<i32>, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<256xi32, #blocked1> -> tensor<256xi32, #blocked>
    %6 = tt.elementwise_inline_asm "shl.b32 $0, $1, 1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %5 : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked>
    %7:2 = tt.elementwise_inline_asm "{ add.u32 $0, $2, $3; sub.u32 $1, $2, $3; } // \22quoted\22 and\09tabbed" {constraints = "=r,=r,r,r", packed_element = 1 : i32, pure = false} %5, %6 : tensor<256xi32, #blocked>, tensor<256xi32, #blocked> -> tensor<256xi32, #blocked>, tensor<256xi32, #blocked>
    %8 = arith.trunci %7#0 : tensor<256xi32, #blocked> to tensor<256xi8, #blocked>
    %9 = tt.elementwise_inline_asm "and.b32 $0, $1, 0x0F0F0F0F;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %8 : tensor<256xi8, #blocked> -> tensor<256xi8, #blocked>
    %10 = tt.elementwise_inline_asm "mov.u32 $0, %clock;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked1>
    %12 = ttg.convert_layout %11 : tensor<256x!tt.ptr<i32>, #blocked1> -> tensor<256x!tt.ptr<i32>, #blocked>
    %13 = ttg.convert_layout %12 : tensor<256x!tt.ptr<i32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked1>
    %14 = ttg.convert_layout %0 : tensor<256xi32, #blocked> -> tensor<256xi32, #blocked1>
    %15 = tt.addptr %13, %14 : tensor<256x!tt.ptr<i32>, #blocked1>, tensor<256xi32, #blocked1>
    %16 = ttg.convert_layout %15 : tensor<256x!tt.ptr<i32>, #blocked1> -> tensor<256x!tt.ptr<i32>, #blocked>
    %17 = arith.extsi %9 : tensor<256xi8, #blocked> to tensor<256xi32, #blocked>
    %18 = arith.addi %7#1, %17 : tensor<256xi32, #blocked>
    %19 = tt.splat %10 : i32 -> tensor<256xi32, #blocked>
    %20 = arith.addi %18, %19 : tensor<256xi32, #blocked>
    tt.store %16, %20 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathers(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<16x1xi32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %2 = arith.muli %1, %cst : tensor<16x1xi32, #blocked>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %6 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %7 = arith.addi %5, %6 : tensor<16x32xi32, #blocked>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked1>
    %9 = ttg.convert_layout %8 : tensor<16x32x!tt.ptr<f32>, #blocked1> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %7 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    %11 = tt.load %10 : tensor<16x32x!tt.ptr<f32>, #blocked>
    %12 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>, #blocked>
    %13 = tt.addptr %12, %7 : tensor<16x32x!tt.ptr<i32>, #blocked>, tensor<16x32xi32, #blocked>
    %14 = tt.load %13 : tensor<16x32x!tt.ptr<i32>, #blocked>
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %7 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    %17 = ttg.convert_layout %11 : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #blocked1>
    %18 = ttg.convert_layout %14 : tensor<16x32xi32, #blocked> -> tensor<16x32xi32, #blocked1>
    %19 = tt.gather %17[%18] {axis = 0 : i32, efficient_layout} : (tensor<16x32xf32, #blocked1>, tensor<16x32xi32, #blocked1>) -> tensor<16x32xf32, #blocked1>
    %20 = ttg.convert_layout %19 : tensor<16x32xf32, #blocked1> -> tensor<16x32xf32, #blocked2>
    %21 = ttg.convert_layout %11 : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #blocked2>
    %22 = ttg.convert_layout %14 : tensor<16x32xi32, #blocked> -> tensor<16x32xi32, #blocked2>
    %23 = tt.gather %21[%22] {axis = 1 : i32, efficient_layout} : (tensor<16x32xf32, #blocked2>, tensor<16x32xi32, #blocked2>) -> tensor<16x32xf32, #blocked2>
    %24 = ttg.convert_layout %20 : tensor<16x32xf32, #blocked2> -> tensor<16x32xf32, #blocked1>
    %25 = ttg.convert_layout %23 : tensor<16x32xf32, #blocked2> -> tensor<16x32xf32, #blocked1>
    %26 = arith.addf %24, %25 : tensor<16x32xf32, #blocked1>
    %27 = ttg.convert_layout %26 : tensor<16x32xf32, #blocked1> -> tensor<16x32xf32, #blocked2>
    %28 = ttg.convert_layout %27 : tensor<16x32xf32, #blocked2> -> tensor<16x32xf32, #blocked>
    tt.store %16, %28 : tensor<16x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @integer_atomics(%arg0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<128xi1, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>, #blocked>
    %2 = ttg.convert_layout %1 : tensor<128x!tt.ptr<i64>, #blocked> -> tensor<128x!tt.ptr<i64>, #blocked1>
    %3 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked1>
    %4 = tt.addptr %2, %3 : tensor<128x!tt.ptr<i64>, #blocked1>, tensor<128xi32, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<128x!tt.ptr<i64>, #blocked1> -> tensor<128x!tt.ptr<i64>, #blocked>
    %6 = tt.load %5 : tensor<128x!tt.ptr<i64>, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
    %8 = arith.cmpi slt, %0, %7 : tensor<128xi32, #blocked>
    %9 = tt.splat %arg1 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>, #blocked>
    %10 = ttg.convert_layout %9 : tensor<128x!tt.ptr<i64>, #blocked> -> tensor<128x!tt.ptr<i64>, #blocked1>
    %11 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked1>
    %12 = tt.addptr %10, %11 : tensor<128x!tt.ptr<i64>, #blocked1>, tensor<128xi32, #blocked1>
    %13 = ttg.convert_layout %12 : tensor<128x!tt.ptr<i64>, #blocked1> -> tensor<128x!tt.ptr<i64>, #blocked>
    %14 = tt.atomic_rmw add, acq_rel, gpu, %13, %6, %cst : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %15 = tt.atomic_rmw umax, acq_rel, gpu, %13, %6, %8 : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %16 = arith.addi %14, %15 : tensor<128xi64, #blocked>
    %17 = tt.atomic_rmw umin, relaxed, gpu, %13, %6, %8 : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %18 = arith.addi %16, %17 : tensor<128xi64, #blocked>
    %19 = tt.atomic_rmw and, acquire, cta, %13, %6, %cst : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %20 = arith.addi %18, %19 : tensor<128xi64, #blocked>
    %21 = tt.atomic_rmw or, release, gpu, %13, %6, %cst : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %22 = arith.addi %20, %21 : tensor<128xi64, #blocked>
    %23 = tt.atomic_rmw xor, acq_rel, sys, %13, %6, %cst : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %24 = arith.addi %22, %23 : tensor<128xi64, #blocked>
    %25 = tt.atomic_rmw exch, relaxed, sys, %13, %6, %8 : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi64, #blocked>
    %26 = arith.addi %24, %25 : tensor<128xi64, #blocked>
    %27 = tt.atomic_cas acq_rel, gpu, %13, %6, %26 : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>, tensor<128xi64, #blocked>) -> tensor<128xi64, #blocked>
    %28 = arith.addi %26, %27 : tensor<128xi64, #blocked>
    %29 = ttg.convert_layout %5 : tensor<128x!tt.ptr<i64>, #blocked> -> tensor<128x!tt.ptr<i64>, #blocked1>
    %30 = ttg.convert_layout %28 : tensor<128xi64, #blocked> -> tensor<128xi64, #blocked1>
    tt.store %29, %30 : tensor<128x!tt.ptr<i64>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bit_patterns(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.500000e+00> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<f32>, #blocked1> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.load %4 : tensor<128x!tt.ptr<f32>, #blocked>
    %6 = tt.bitcast %5 : tensor<128xf32, #blocked> -> tensor<128xi32, #blocked>
    %7 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %8 = arith.extsi %1 : tensor<128xi32, #blocked1> to tensor<128xi64, #blocked1>
    %9 = arith.extsi %0 : tensor<128xi32, #blocked> to tensor<128xi64, #blocked>
    %10 = tt.splat %7 : i64 -> tensor<128xi64, #blocked1>
    %11 = tt.splat %7 : i64 -> tensor<128xi64, #blocked>
    %12 = ttg.convert_layout %10 : tensor<128xi64, #blocked1> -> tensor<128xi64, #blocked>
    %13 = ttg.convert_layout %8 : tensor<128xi64, #blocked1> -> tensor<128xi64, #blocked>
    %14 = arith.addi %12, %13 : tensor<128xi64, #blocked>
    %15 = ttg.convert_layout %14 : tensor<128xi64, #blocked> -> tensor<128xi64, #blocked1>
    %16 = arith.addi %11, %9 : tensor<128xi64, #blocked>
    %17 = tt.splat %arg2 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>, #blocked1>
    %18 = tt.addptr %17, %1 : tensor<128x!tt.ptr<i64>, #blocked1>, tensor<128xi32, #blocked1>
    tt.store %18, %15 : tensor<128x!tt.ptr<i64>, #blocked1>
    %19 = tt.int_to_ptr %16 : tensor<128xi64, #blocked> -> tensor<128x!tt.ptr<f32>, #blocked>
    %20 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked1>
    %21 = ttg.convert_layout %20 : tensor<128x!tt.ptr<i32>, #blocked1> -> tensor<128x!tt.ptr<i32>, #blocked>
    %22 = ttg.convert_layout %21 : tensor<128x!tt.ptr<i32>, #blocked> -> tensor<128x!tt.ptr<i32>, #blocked2>
    %23 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked2>
    %24 = tt.addptr %22, %23 : tensor<128x!tt.ptr<i32>, #blocked2>, tensor<128xi32, #blocked2>
    %25 = ttg.convert_layout %24 : tensor<128x!tt.ptr<i32>, #blocked2> -> tensor<128x!tt.ptr<i32>, #blocked>
    %26 = ttg.convert_layout %19 : tensor<128x!tt.ptr<f32>, #blocked> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %27 = tt.load %26 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %28 = ttg.convert_layout %27 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<128xf32, #blocked>
    %29 = ttg.convert_layout %28 : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked2>
    %30 = tt.bitcast %29 : tensor<128xf32, #blocked2> -> tensor<128xi32, #blocked2>
    %31 = ttg.convert_layout %30 : tensor<128xi32, #blocked2> -> tensor<128xi32, #blocked>
    %32 = arith.xori %6, %31 : tensor<128xi32, #blocked>
    tt.store %25, %32 : tensor<128x!tt.ptr<i32>, #blocked>
    %33 = tt.bitcast %arg1 : !tt.ptr<i32> -> !tt.ptr<f32>
    %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked2>
    %35 = ttg.convert_layout %34 : tensor<128x!tt.ptr<f32>, #blocked2> -> tensor<128x!tt.ptr<f32>, #blocked>
    %36 = tt.addptr %35, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %37 = ttg.convert_layout %36 : tensor<128x!tt.ptr<f32>, #blocked> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %38 = ttg.convert_layout %cst : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    tt.store %37, %38 : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @old_eight_bits(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<i8>, #blocked>, tensor<128xi32, #blocked>
    %3 = tt.load %2 : tensor<128x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %5 = tt.addptr %4, %0 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.elementwise_inline_asm "{                                      \0A.reg .b32 a<2>, b<2>;                  \0Aprmt.b32 a0, 0, $2, 0x5746;            \0Aand.b32 b0, a0, 0x7f007f00;            \0Aand.b32 b1, a0, 0x00ff00ff;            \0Aand.b32 a1, a0, 0x00800080;            \0Ashr.b32  b0, b0, 1;                    \0Aadd.u32 b1, b1, a1;                    \0Alop3.b32 $0, b0, 0x80008000, a0, 0xf8; \0Ashl.b32 $1, b1, 7;                     \0A}                                      \0A" {constraints = "=r,=r,r", packed_element = 4 : i32, pure = true} %3 : tensor<128xi8, #blocked> -> tensor<128xf16, #blocked>
    tt.store %5, %6 : tensor<128x!tt.ptr<f16>, #blocked>
    %7 = tt.splat %arg1 : !tt.ptr<f8E5M2> -> tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = ttg.convert_layout %7 : tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %9 = ttg.convert_layout %8 : tensor<128x!tt.ptr<f8E5M2>, #blocked> -> tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %11 = tt.addptr %9, %10 : tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = ttg.convert_layout %11 : tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %13 = tt.load %5 : tensor<128x!tt.ptr<f16>, #blocked>
    %14 = tt.fp_to_fp %13, rounding = rtne : tensor<128xf16, #blocked> -> tensor<128xf8E5M2, #blocked>
    %15 = ttg.convert_layout %12 : tensor<128x!tt.ptr<f8E5M2>, #blocked> -> tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = ttg.convert_layout %14 : tensor<128xf8E5M2, #blocked> -> tensor<128xf8E5M2, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.store %15, %16 : tensor<128x!tt.ptr<f8E5M2>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @branch_on_tile(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<128xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_0 = arith.constant dense<1> : tensor<128xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    %3 = tt.load %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    %5 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %19 = arith.maxsi %arg3, %arg4 : i32
      tt.reduce.return %19 : i32
    }) : (tensor<128xi32, #blocked>) -> i32
    %6 = arith.cmpi sgt, %5, %c0_i32 : i32
    %7 = arith.andi %4, %6 : i1
    %8:2 = scf.if %7 -> (i32, tensor<128xi32, #blocked>) {
      %19 = arith.addi %3, %cst_0 : tensor<128xi32, #blocked>
      %20 = arith.muli %arg2, %c2_i32 : i32
      scf.yield %20, %19 : i32, tensor<128xi32, #blocked>
    } else {
      %19 = arith.subi %3, %cst_0 : tensor<128xi32, #blocked>
      scf.yield %arg2, %19 : i32, tensor<128xi32, #blocked>
    }
    %9 = arith.cmpi sgt, %8#0, %c3_i32 : i32
    %10 = scf.if %9 -> (tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) {
      %19 = ttg.convert_layout %3 : tensor<128xi32, #blocked> -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      scf.yield %19 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    } else {
      %19 = arith.subi %cst, %3 : tensor<128xi32, #blocked>
      %20 = ttg.convert_layout %19 : tensor<128xi32, #blocked> -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      scf.yield %20 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    }
    %11 = ttg.convert_layout %10 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<128xi32, #blocked>
    %12 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %13 = tt.addptr %12, %0 : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.splat %8#0 : i32 -> tensor<128xi32, #blocked>
    %15 = arith.addi %8#1, %14 : tensor<128xi32, #blocked>
    %16 = arith.addi %15, %11 : tensor<128xi32, #blocked>
    %17 = ttg.convert_layout %13 : tensor<128x!tt.ptr<i32>, #blocked> -> tensor<128x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %18 = ttg.convert_layout %16 : tensor<128xi32, #blocked> -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    tt.store %17, %18 : tensor<128x!tt.ptr<i32>, #ttg.slice<{dim = 0, parent = #blocked2}>>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row_softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %3 = ttg.convert_layout %1 : tensor<1024xi32, #blocked> -> tensor<1024xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = ttg.convert_layout %2 : tensor<1024xi32, #blocked> -> tensor<1024xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = arith.cmpi slt, %3, %4 : tensor<1024xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = ttg.convert_layout %5 : tensor<1024xi1, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<1024xi1, #blocked>
    %7 = arith.muli %0, %arg3 : i32
    %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
    %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %1 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %11 = tt.load %10, %6, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
    %12 = tt.addptr %arg1, %7 : !tt.ptr<f32>, i32
    %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %14 = ttg.convert_layout %13 : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked2>
    %15 = ttg.convert_layout %1 : tensor<1024xi32, #blocked> -> tensor<1024xi32, #blocked2>
    %16 = tt.addptr %14, %15 : tensor<1024x!tt.ptr<f32>, #blocked2>, tensor<1024xi32, #blocked2>
    %17 = ttg.convert_layout %16 : tensor<1024x!tt.ptr<f32>, #blocked2> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %18 = "tt.reduce"(%11) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %29 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %29 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %19 = tt.splat %18 : f32 -> tensor<1024xf32, #blocked>
    %20 = arith.subf %11, %19 : tensor<1024xf32, #blocked>
    %21 = math.exp %20 : tensor<1024xf32, #blocked>
    %22 = "tt.reduce"(%21) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %29 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %29 : f32
    }) : (tensor<1024xf32, #blocked>) -> f32
    %23 = tt.splat %22 : f32 -> tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %24 = ttg.convert_layout %23 : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<1024xf32, #blocked>
    %25 = arith.divf %21, %24 : tensor<1024xf32, #blocked>
    %26 = ttg.convert_layout %17 : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %27 = ttg.convert_layout %25 : tensor<1024xf32, #blocked> -> tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = ttg.convert_layout %6 : tensor<1024xi1, #blocked> -> tensor<1024xi1, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.store %26, %27, %28 : tensor<1024x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_reductions(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %c32_i64 = arith.constant 32 : i64
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %arg0, [%arg1, %c32_i32], [%c32_i64, %c1_i64] : <i32>, <tensor<16x32xsi32>>
    %1 = tt.descriptor_load %0[%c0_i32, %c0_i32] : !tt.tensordesc<tensor<16x32xsi32>> -> tensor<16x32xi32, #blocked>
    %2 = ttg.convert_layout %1 : tensor<16x32xi32, #blocked> -> tensor<16x32xi32, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<16x32xi32, #blocked1> -> tensor<16x32xi32, #blocked>
    tt.descriptor_reduce and, %0[%c0_i32, %c0_i32], %3 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32, #blocked>
    %4 = ttg.convert_layout %2 : tensor<16x32xi32, #blocked1> -> tensor<16x32xi32, #blocked>
    tt.descriptor_reduce or, %0[%c0_i32, %c0_i32], %4 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32, #blocked>
    %5 = ttg.convert_layout %2 : tensor<16x32xi32, #blocked1> -> tensor<16x32xi32, #blocked>
    %6 = ttg.convert_layout %5 : tensor<16x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    tt.descriptor_reduce xor, %0[%c0_i32, %c0_i32], %6 : !tt.tensordesc<tensor<16x32xsi32>>, tensor<16x32xi32, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scans(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<5.000000e-01> : tensor<16x32xf32, #blocked>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<32> : tensor<16x1xi32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<16xi32, #blocked1> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<16x1xi32, #blocked> -> tensor<16x1xi32, #blocked2>
    %4 = ttg.convert_layout %cst_1 : tensor<16x1xi32, #blocked> -> tensor<16x1xi32, #blocked2>
    %5 = arith.muli %3, %4 : tensor<16x1xi32, #blocked2>
    %6 = ttg.convert_layout %5 : tensor<16x1xi32, #blocked2> -> tensor<16x1xi32, #blocked>
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %9 = tt.broadcast %6 : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %10 = tt.broadcast %8 : tensor<1x32xi32, #blocked> -> tensor<16x32xi32, #blocked>
    %11 = arith.addi %9, %10 : tensor<16x32xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    %14 = ttg.convert_layout %13 : tensor<16x32x!tt.ptr<f32>, #blocked> -> tensor<16x32x!tt.ptr<f32>, #blocked3>
    %15 = tt.load %14 : tensor<16x32x!tt.ptr<f32>, #blocked3>
    %16 = ttg.convert_layout %15 : tensor<16x32xf32, #blocked3> -> tensor<16x32xf32, #blocked>
    %17 = "tt.scan"(%16) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %24 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %24 : f32
    }) : (tensor<16x32xf32, #blocked>) -> tensor<16x32xf32, #blocked>
    %18 = "tt.scan"(%17) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %24 = arith.mulf %arg2, %arg3 : f32
      tt.scan.return %24 : f32
    }) : (tensor<16x32xf32, #blocked>) -> tensor<16x32xf32, #blocked>
    %19 = "tt.scan"(%18) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %24 = arith.cmpf une, %arg3, %cst_0 : f32
      %25 = arith.select %24, %arg3, %arg2 : f32
      tt.scan.return %25 : f32
    }) : (tensor<16x32xf32, #blocked>) -> tensor<16x32xf32, #blocked>
    %20 = arith.mulf %19, %cst : tensor<16x32xf32, #blocked>
    %21:2 = "tt.scan"(%20, %19) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32, %arg4: f32, %arg5: f32):
      %24 = arith.mulf %arg2, %arg4 : f32
      %25 = arith.mulf %arg3, %arg4 : f32
      %26 = arith.addf %25, %arg5 : f32
      tt.scan.return %24, %26 : f32, f32
    }) : (tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>) -> (tensor<16x32xf32, #blocked>, tensor<16x32xf32, #blocked>)
    %22 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %23 = tt.addptr %22, %11 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
    tt.store %23, %21#1 : tensor<16x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @counts(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<3> : tensor<512xi32, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<512x!tt.ptr<i32>, #blocked> -> tensor<512x!tt.ptr<i32>, #blocked1>
    %4 = tt.load %3 : tensor<512x!tt.ptr<i32>, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<512xi32, #blocked1> -> tensor<512xi32, #blocked>
    %6 = tt.histogram %5 : tensor<512xi32, #blocked> -> tensor<16xi32, #blocked>
    %7 = arith.cmpi sgt, %5, %cst : tensor<512xi32, #blocked>
    %8 = tt.histogram %5, %7 : tensor<512xi32, #blocked> -> tensor<16xi32, #blocked>
    %9 = arith.addi %6, %8 : tensor<16xi32, #blocked>
    %10 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked>
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #blocked2>
    %12 = ttg.convert_layout %11 : tensor<16x!tt.ptr<i32>, #blocked2> -> tensor<16x!tt.ptr<i32>, #blocked>
    %13 = tt.addptr %12, %10 : tensor<16x!tt.ptr<i32>, #blocked>, tensor<16xi32, #blocked>
    %14 = ttg.convert_layout %13 : tensor<16x!tt.ptr<i32>, #blocked> -> tensor<16x!tt.ptr<i32>, #blocked>
    %15 = ttg.convert_layout %9 : tensor<16xi32, #blocked> -> tensor<16xi32, #blocked>
    tt.store %14, %15 : tensor<16x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @casts(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<f64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0> : tensor<128xi8, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<i8>, #blocked>, tensor<128xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<i8>, #blocked> -> tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = tt.load %3 : tensor<128x!tt.ptr<i8>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = ttg.convert_layout %4 : tensor<128xi8, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<128xi8, #blocked>
    %6 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>, #blocked>
    %7 = tt.addptr %6, %0 : tensor<128x!tt.ptr<i8>, #blocked>, tensor<128xi32, #blocked>
    tt.store %7, %5 : tensor<128x!tt.ptr<i8>, #blocked>
    %8 = tt.splat %arg2 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>, #blocked>
    %9 = tt.addptr %8, %0 : tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi32, #blocked>
    %10 = arith.extui %5 : tensor<128xi8, #blocked> to tensor<128xi64, #blocked>
    tt.store %9, %10 : tensor<128x!tt.ptr<i64>, #blocked>
    %11 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %12 = ttg.convert_layout %11 : tensor<128x!tt.ptr<f16>, #blocked> -> tensor<128x!tt.ptr<f16>, #blocked2>
    %13 = ttg.convert_layout %0 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked2>
    %14 = tt.addptr %12, %13 : tensor<128x!tt.ptr<f16>, #blocked2>, tensor<128xi32, #blocked2>
    %15 = ttg.convert_layout %14 : tensor<128x!tt.ptr<f16>, #blocked2> -> tensor<128x!tt.ptr<f16>, #blocked>
    %16 = arith.uitofp %5 : tensor<128xi8, #blocked> to tensor<128xf16, #blocked>
    tt.store %15, %16 : tensor<128x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %19 = arith.uitofp %5 : tensor<128xi8, #blocked> to tensor<128xf32, #blocked>
    tt.store %18, %19 : tensor<128x!tt.ptr<f32>, #blocked>
    %20 = tt.splat %arg5 : !tt.ptr<i1> -> tensor<128x!tt.ptr<i1>, #blocked>
    %21 = tt.addptr %20, %0 : tensor<128x!tt.ptr<i1>, #blocked>, tensor<128xi32, #blocked>
    %22 = arith.cmpi ne, %5, %cst : tensor<128xi8, #blocked>
    %23 = tt.bitcast %21 : tensor<128x!tt.ptr<i1>, #blocked> -> tensor<128x!tt.ptr<i8>, #blocked>
    %24 = arith.extui %22 : tensor<128xi1, #blocked> to tensor<128xi8, #blocked>
    tt.store %23, %24 : tensor<128x!tt.ptr<i8>, #blocked>
    %25 = tt.splat %arg6 : !tt.ptr<i16> -> tensor<128x!tt.ptr<i16>, #blocked>
    %26 = tt.addptr %25, %0 : tensor<128x!tt.ptr<i16>, #blocked>, tensor<128xi32, #blocked>
    %27 = arith.extui %5 : tensor<128xi8, #blocked> to tensor<128xi16, #blocked>
    tt.store %26, %27 : tensor<128x!tt.ptr<i16>, #blocked>
    %28 = tt.splat %arg7 : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>, #blocked>
    %29 = tt.addptr %28, %0 : tensor<128x!tt.ptr<f64>, #blocked>, tensor<128xi32, #blocked>
    %30 = arith.uitofp %5 : tensor<128xi8, #blocked> to tensor<128xf64, #blocked>
    tt.store %29, %30 : tensor<128x!tt.ptr<f64>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @calls(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<128x!tt.ptr<f32>, #blocked> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<128x!tt.ptr<f32>, #blocked1> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %5 = tt.load %4 : tensor<128x!tt.ptr<f32>, #blocked1>
    %6 = ttg.convert_layout %5 : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
    %7 = tt.load %arg0 : !tt.ptr<f32>
    %8 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %9 = tt.load %8 : !tt.ptr<f32>
    %10:2 = tt.call @control.line_through__fp32_fp32__(%7, %9) : (f32, f32) -> (f32, f32)
    %11 = tt.call @control.distance__fp32_fp32_i32__(%10#0, %10#1, %arg2) : (f32, f32, i32) -> f32
    tt.call @control.remember__Pfp32_fp32__(%arg1, %11) : (!tt.ptr<f32>, f32) -> ()
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.splat %10#0 : f32 -> tensor<128xf32, #blocked>
    %15 = arith.mulf %6, %14 : tensor<128xf32, #blocked>
    %16 = tt.splat %10#1 : f32 -> tensor<128xf32, #blocked>
    %17 = arith.addf %15, %16 : tensor<128xf32, #blocked>
    %18 = arith.mulf %17, %17 : tensor<128xf32, #blocked>
    %19 = arith.addf %18, %cst : tensor<128xf32, #blocked>
    %20 = tt.splat %11 : f32 -> tensor<128xf32, #blocked>
    %21 = arith.addf %19, %20 : tensor<128xf32, #blocked>
    %22 = ttg.convert_layout %13 : tensor<128x!tt.ptr<f32>, #blocked> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %23 = ttg.convert_layout %21 : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
    %24 = ttg.convert_layout %22 : tensor<128x!tt.ptr<f32>, #blocked1> -> tensor<128x!tt.ptr<f32>, #blocked>
    %25 = ttg.convert_layout %23 : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
    tt.store %24, %25 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func private @control.line_through__fp32_fp32__(%arg0: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg1: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}) -> (f32, f32) attributes {noinline = true} {
    %cst = arith.constant 5.000000e-01 : f32
    %0 = arith.subf %arg1, %arg0 : f32
    %1 = arith.mulf %0, %cst : f32
    %2 = arith.subf %arg0, %1 : f32
    tt.return %1, %2 : f32, f32
  }
  tt.func private @control.distance__fp32_fp32_i32__(%arg0: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg1: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}, %arg2: i32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}) -> f32 attributes {noinline = true} {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.cmpi sgt, %arg2, %c4_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = arith.mulf %arg0, %arg0 : f32
    %2 = arith.mulf %arg1, %arg1 : f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.sqrt %3 : f32
    tt.return %4 : f32
  ^bb2:  // pred: ^bb0
    %5 = arith.subf %arg0, %arg1 : f32
    %6 = math.absf %5 : f32
    tt.return %6 : f32
  }
  tt.func private @control.remember__Pfp32_fp32__(%arg0: !tt.ptr<f32> {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 16 : i64}, %arg1: f32 {tt.constancy = 1 : i64, tt.contiguity = 1 : i64, tt.divisibility = 1 : i64}) attributes {noinline = true} {
    tt.store %arg0, %arg1 : !tt.ptr<f32>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @persistent_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c132_i32 = arith.constant 132 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %5 = arith.addi %arg4, %c63_i32 : i32
    %6 = arith.divsi %5, %c64_i32 : i32
    %7 = tt.get_program_id x : i32
    %8 = arith.addi %arg3, %c127_i32 : i32
    %9 = arith.divsi %8, %c128_i32 : i32
    %10 = arith.muli %9, %6 : i32
    scf.for %arg6 = %7 to %10 step %c132_i32  : i32 {
      %11 = arith.divsi %arg6, %6 : i32
      %12 = arith.muli %11, %c128_i32 : i32
      %13 = arith.remsi %arg6, %6 : i32
      %14 = arith.muli %13, %c64_i32 : i32
      %15 = arith.addi %arg5, %c63_i32 : i32
      %16 = arith.divsi %15, %c64_i32 : i32
      %17 = scf.for %arg7 = %c0_i32 to %16 step %c1_i32 iter_args(%arg8 = %cst) -> (tensor<128x64xf32, #blocked>)  : i32 {
        %20 = arith.muli %arg7, %c64_i32 : i32
        %21 = tt.descriptor_load %1[%12, %20] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
        %22 = ttg.local_alloc %21 : (tensor<128x64xf16, #blocked1>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
        %23 = tt.descriptor_load %2[%14, %20] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked1>
        %24 = tt.trans %23 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked2>
        %25 = ttg.local_alloc %24 : (tensor<64x64xf16, #blocked2>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
        %26 = ttg.convert_layout %arg8 : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #mma>
        %27 = ttng.warp_group_dot %22, %25, %26 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<128x64xf32, #mma>
        %28 = ttg.convert_layout %27 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
        scf.yield %28 : tensor<128x64xf32, #blocked>
      }
      %18 = arith.truncf %17 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
      %19 = ttg.convert_layout %18 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #blocked1>
      tt.descriptor_store %4[%12, %14], %19 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16, #blocked1>
    } {tt.flatten}
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @persistent_matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c148_i32 = arith.constant 148 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c127_i32 = arith.constant 127 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #blocked>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg4, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %3 = arith.extsi %arg4 : i32 to i64
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%3, %c1_i64] : <f16>, <tensor<128x128xf16>>
    %5 = arith.addi %arg4, %c127_i32 : i32
    %6 = arith.divsi %5, %c128_i32 : i32
    %7 = tt.get_program_id x : i32
    %8 = arith.addi %arg3, %c127_i32 : i32
    %9 = arith.divsi %8, %c128_i32 : i32
    %10 = arith.muli %9, %6 : i32
    scf.for %arg6 = %7 to %10 step %c148_i32  : i32 {
      %11 = arith.divsi %arg6, %6 : i32
      %12 = arith.muli %11, %c128_i32 : i32
      %13 = arith.remsi %arg6, %6 : i32
      %14 = arith.muli %13, %c128_i32 : i32
      %15 = arith.addi %arg5, %c63_i32 : i32
      %16 = arith.divsi %15, %c64_i32 : i32
      %17 = scf.for %arg7 = %c0_i32 to %16 step %c1_i32 iter_args(%arg8 = %cst) -> (tensor<128x128xf32, #blocked>)  : i32 {
        %20 = arith.muli %arg7, %c64_i32 : i32
        %21 = tt.descriptor_load %1[%12, %20] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
        %22 = ttg.local_alloc %21 : (tensor<128x64xf16, #blocked1>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
        %23 = tt.descriptor_load %2[%14, %20] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
        %24 = tt.trans %23 {order = array<i32: 1, 0>} : tensor<128x64xf16, #blocked1> -> tensor<64x128xf16, #blocked2>
        %25 = ttg.local_alloc %24 : (tensor<64x128xf16, #blocked2>) -> !ttg.memdesc<64x128xf16, #shared1, #smem>
        %26 = ttg.convert_layout %arg8 : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #linear>
        %result, %token = ttng.tmem_alloc %26 : (tensor<128x128xf32, #linear>) -> (!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
        %27 = ttng.tc_gen5_mma %22, %25, %result[%token], %true, %true : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
        %result_0, %token_1 = ttng.tmem_load %result[%27] : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #linear>
        %28 = ttg.convert_layout %result_0 : tensor<128x128xf32, #linear> -> tensor<128x128xf32, #blocked>
        scf.yield %28 : tensor<128x128xf32, #blocked>
      }
      %18 = arith.truncf %17 : tensor<128x128xf32, #blocked> to tensor<128x128xf16, #blocked>
      %19 = ttg.convert_layout %18 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #blocked3>
      tt.descriptor_store %4[%12, %14], %19 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16, #blocked3>
    } {tt.flatten, tt.warp_specialize}
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @descriptor_attention(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<1.250000e-01> : tensor<128x64xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.make_tensor_descriptor %arg0, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %1 = tt.make_tensor_descriptor %arg1, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %2 = tt.make_tensor_descriptor %arg2, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %3 = tt.make_tensor_descriptor %arg3, [%arg4, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %4 = tt.get_program_id x : i32
    %5 = arith.muli %4, %c128_i32 : i32
    %6 = tt.descriptor_load %0[%5, %c0_i32] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16, #blocked1>
    %7 = ttg.local_alloc %6 : (tensor<128x64xf16, #blocked1>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %8:3 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst_2, %arg7 = %cst_1, %arg8 = %cst_0) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128x64xf32, #blocked>)  : i32 {
      %14 = tt.descriptor_load %1[%arg5, %c0_i32] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked1>
      %15 = tt.trans %14 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked2>
      %16 = ttg.local_alloc %15 : (tensor<64x64xf16, #blocked2>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %17 = tt.descriptor_load %2[%arg5, %c0_i32] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked1>
      %18 = ttg.local_alloc %17 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %19 = ttg.convert_layout %cst_0 : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #mma>
      %20 = ttng.warp_group_dot %7, %16, %19 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<128x64xf32, #mma>
      %21 = ttg.convert_layout %20 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
      %22 = arith.mulf %21, %cst : tensor<128x64xf32, #blocked>
      %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg9: f32, %arg10: f32):
        %43 = arith.maxnumf %arg9, %arg10 : f32
        tt.reduce.return %43 : f32
      }) : (tensor<128x64xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %24 = arith.maxnumf %arg6, %23 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
      %26 = tt.broadcast %25 : tensor<128x1xf32, #blocked> -> tensor<128x64xf32, #blocked>
      %27 = arith.subf %22, %26 : tensor<128x64xf32, #blocked>
      %28 = math.exp2 %27 : tensor<128x64xf32, #blocked>
      %29 = arith.subf %arg6, %24 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %30 = math.exp2 %29 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %31 = arith.mulf %arg7, %30 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = "tt.reduce"(%28) <{axis = 1 : i32}> ({
      ^bb0(%arg9: f32, %arg10: f32):
        %43 = arith.addf %arg9, %arg10 : f32
        tt.reduce.return %43 : f32
      }) : (tensor<128x64xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %33 = arith.addf %31, %32 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = arith.truncf %28 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
      %35 = tt.expand_dims %30 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
      %36 = tt.broadcast %35 : tensor<128x1xf32, #blocked> -> tensor<128x64xf32, #blocked>
      %37 = arith.mulf %arg8, %36 : tensor<128x64xf32, #blocked>
      %38 = ttg.convert_layout %34 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
      %39 = ttg.convert_layout %37 : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #mma>
      %40 = ttg.convert_layout %38 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %41 = ttng.warp_group_dot %40, %18, %39 {inputPrecision = 0 : i32} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %42 = ttg.convert_layout %41 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
      scf.yield %24, %33, %42 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128x64xf32, #blocked>
    }
    %9 = tt.expand_dims %8#1 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
    %10 = tt.broadcast %9 : tensor<128x1xf32, #blocked> -> tensor<128x64xf32, #blocked>
    %11 = arith.divf %8#2, %10 : tensor<128x64xf32, #blocked>
    %12 = arith.truncf %11 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    %13 = ttg.convert_layout %12 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #blocked1>
    tt.descriptor_store %3[%5, %c0_i32], %13 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tiles(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<128> : tensor<64x64xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64xi32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %cst_2 = arith.constant dense<2> : tensor<1x64xi32, #blocked>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked1>
    %1 = scf.for %arg6 = %c0_i32 to %arg3 step %c64_i32 iter_args(%arg7 = %0) -> (tensor<64xi32, #blocked1>)  : i32 {
      %2 = ttg.convert_layout %arg7 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
      %4 = ttg.convert_layout %3 : tensor<64x1xi32, #blocked2> -> tensor<64x1xi32, #blocked3>
      %5 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked3>
      %6 = arith.muli %4, %5 : tensor<64x1xi32, #blocked3>
      %7 = ttg.convert_layout %0 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
      %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
      %9 = ttg.convert_layout %8 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
      %10 = arith.muli %9, %cst_2 : tensor<1x64xi32, #blocked>
      %11 = tt.broadcast %6 : tensor<64x1xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
      %12 = ttg.convert_layout %11 : tensor<64x64xi32, #blocked3> -> tensor<64x64xi32, #blocked>
      %13 = tt.broadcast %10 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
      %14 = arith.addi %12, %13 : tensor<64x64xi32, #blocked>
      %15:2 = scf.for %arg8 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg9 = %0, %arg10 = %14) -> (tensor<64xi32, #blocked1>, tensor<64x64xi32, #blocked>)  : i32 {
        %17 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked3>
        %18 = arith.cmpi slt, %4, %17 : tensor<64x1xi32, #blocked3>
        %19 = ttg.convert_layout %arg9 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
        %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
        %21 = ttg.convert_layout %20 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
        %22 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
        %23 = arith.cmpi slt, %21, %22 : tensor<1x64xi32, #blocked>
        %24 = tt.broadcast %18 : tensor<64x1xi1, #blocked3> -> tensor<64x64xi1, #blocked3>
        %25 = ttg.convert_layout %24 : tensor<64x64xi1, #blocked3> -> tensor<64x64xi1, #blocked>
        %26 = tt.broadcast %23 : tensor<1x64xi1, #blocked> -> tensor<64x64xi1, #blocked>
        %27 = arith.andi %25, %26 : tensor<64x64xi1, #blocked>
        %28 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
        %29 = tt.addptr %28, %arg10 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
        %30 = ttg.convert_layout %29 : tensor<64x64x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked5>
        %31 = ttg.convert_layout %27 : tensor<64x64xi1, #blocked> -> tensor<64x64xi1, #blocked5>
        %32 = ttg.convert_layout %cst_1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked5>
        %33 = tt.load %30, %31, %32 : tensor<64x64x!tt.ptr<f32>, #blocked5>
        %34 = ttg.convert_layout %33 : tensor<64x64xf32, #blocked5> -> tensor<64x64xf32, #blocked>
        %35 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
        %36 = tt.addptr %35, %arg10 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
        %37 = ttg.convert_layout %36 : tensor<64x64x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked5>
        %38 = ttg.convert_layout %27 : tensor<64x64xi1, #blocked> -> tensor<64x64xi1, #blocked5>
        %39 = ttg.convert_layout %cst_1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked5>
        %40 = tt.load %37, %38, %39 : tensor<64x64x!tt.ptr<f32>, #blocked5>
        %41 = ttg.convert_layout %40 : tensor<64x64xf32, #blocked5> -> tensor<64x64xf32, #blocked>
        %42 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
        %43 = tt.addptr %42, %arg10 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
        %44 = arith.mulf %34, %41 : tensor<64x64xf32, #blocked>
        %45 = ttg.convert_layout %43 : tensor<64x64x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked5>
        %46 = ttg.convert_layout %44 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked5>
        %47 = ttg.convert_layout %27 : tensor<64x64xi1, #blocked> -> tensor<64x64xi1, #blocked5>
        tt.store %45, %46, %47 : tensor<64x64x!tt.ptr<f32>, #blocked5>
        %48 = arith.addi %arg9, %cst_0 : tensor<64xi32, #blocked1>
        %49 = arith.addi %arg10, %cst : tensor<64x64xi32, #blocked>
        scf.yield %48, %49 : tensor<64xi32, #blocked1>, tensor<64x64xi32, #blocked>
      }
      %16 = arith.addi %arg7, %cst_0 : tensor<64xi32, #blocked1>
      scf.yield %16 : tensor<64xi32, #blocked1>
    }
    tt.return
  }
}
