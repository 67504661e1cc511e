#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @nodot_sum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1024_i32 = arith.constant 1024 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %3 = arith.muli %0, %arg2 : i32
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
    %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %6 = scf.for %arg3 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg4 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %10 = tt.splat %arg3 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<1024xi32, #blocked>
      %11 = arith.addi %10, %1 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1024xi32, #blocked>
      %12 = arith.cmpi slt, %11, %2 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1024xi32, #blocked>
      %13 = tt.addptr %5, %11 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %14 = tt.load %13, %12, %cst {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg4, %14 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<1024xf32, #blocked>
      scf.yield %15 : tensor<1024xf32, #blocked>
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32}
    %7 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %8 = tt.reshape %6 allow_reorder : tensor<1024xf32, #blocked> -> tensor<1024xf32, #blocked1>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %10 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<1024xf32, #blocked1>) -> f32
    tt.store %7, %9 : !tt.ptr<f32>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @nodot_scale(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<1024xf32, #blocked>
    %c1024_i32 = arith.constant 1024 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked1>
    %3 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %4 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked1>
    %5 = arith.muli %0, %arg3 : i32
    %6 = tt.addptr %arg0, %5 : !tt.ptr<f32>, i32
    %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %9 = tt.addptr %arg2, %5 : !tt.ptr<f32>, i32
    %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked1>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1024_i32  : i32 {
      %11 = tt.splat %arg4 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32 -> tensor<1024xi32, #blocked>
      %12 = tt.splat %arg4 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32 -> tensor<1024xi32, #blocked1>
      %13 = arith.addi %11, %1 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024xi32, #blocked>
      %14 = arith.addi %12, %2 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024xi32, #blocked1>
      %15 = arith.cmpi slt, %13, %3 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024xi32, #blocked>
      %16 = arith.cmpi slt, %14, %4 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024xi32, #blocked1>
      %17 = tt.addptr %7, %13 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %18 = tt.load %17, %15, %cst {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
      %19 = tt.addptr %8, %13 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %20 = tt.load %19, %15 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
      %21 = tt.addptr %10, %14 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024x!tt.ptr<f32>, #blocked1>, tensor<1024xi32, #blocked1>
      %22 = arith.mulf %18, %20 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024xf32, #blocked>
      %23 = arith.addf %22, %18 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024xf32, #blocked>
      %24 = ttg.convert_layout %23 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024xf32, #blocked> -> tensor<1024xf32, #blocked1>
      tt.store %21, %24, %16 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : tensor<1024x!tt.ptr<f32>, #blocked1>
    } {tt.num_stages = 2 : i32, tt.scheduled_max_stage = 1 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gather_mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = arith.addi %11, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = arith.addi %arg5, %c31_i32 : i32
    %14 = arith.divsi %13, %c32_i32 : i32
    %15 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %16 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %17 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %18 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %19 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked>
    %20 = arith.muli %18, %19 : tensor<64x1xi32, #blocked>
    %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %22 = tt.addptr %21, %20 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %23 = tt.broadcast %22 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %24 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %25 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %26 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %27 = tt.broadcast %26 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %28 = scf.for %arg6 = %c0_i32 to %14 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %40 = arith.muli %arg6, %c32_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %41 = tt.splat %40 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %42 = tt.splat %40 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %43 = arith.addi %41, %15 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %44 = arith.addi %42, %16 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %45 = tt.addptr %17, %44 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %46 = tt.load %45 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %47 = tt.expand_dims %43 {axis = 0 : i32, loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %48 = tt.broadcast %47 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
      %49 = tt.addptr %23, %48 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %50 = tt.load %49 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>
      %51 = tt.expand_dims %46 {axis = 1 : i32, loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
      %52 = arith.muli %51, %24 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32x1xi32, #blocked1>
      %53 = tt.addptr %25, %52 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
      %54 = tt.broadcast %53 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %55 = tt.addptr %54, %27 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      %56 = tt.load %55 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %57 = ttg.convert_layout %50 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %58 = ttg.convert_layout %56 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %59 = tt.dot %57, %58, %arg7, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %59 : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    %29 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %30 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked1>
    %31 = arith.muli %29, %30 : tensor<64x1xi32, #blocked1>
    %32 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %33 = tt.addptr %32, %31 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %34 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %35 = tt.broadcast %33 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %34 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %38 = arith.truncf %28 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %39 = ttg.convert_layout %38 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked1>
    tt.store %37, %39 : tensor<64x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @dot_in_if(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %4 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked>
    %5 = arith.muli %3, %4 : tensor<64x1xi32, #blocked>
    %6 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %7 = tt.addptr %6, %5 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %8 = tt.broadcast %7 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %9 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %10 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %11 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.expand_dims %11 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %14 = scf.for %arg6 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %27 = tt.splat %arg6 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %28 = tt.splat %arg6 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %29 = arith.addi %27, %0 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %30 = arith.addi %28, %1 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %31 = tt.expand_dims %29 {axis = 0 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %32 = tt.broadcast %31 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
      %33 = tt.addptr %8, %32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %34 = tt.load %33 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>
      %35 = tt.expand_dims %30 {axis = 1 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
      %36 = arith.muli %35, %9 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1xi32, #blocked1>
      %37 = tt.addptr %10, %36 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
      %38 = tt.broadcast %37 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %39 = tt.addptr %38, %13 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      %40 = tt.load %39 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %41 = ttg.convert_layout %34 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %42 = ttg.convert_layout %40 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %43 = tt.dot %41, %42, %arg7, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %44 = tt.addptr %arg3, %arg6 {loop.cluster = 3 : i32, loop.stage = 2 : i32} : !tt.ptr<i32>, i32
      %45 = tt.load %44 {loop.cluster = 3 : i32, loop.stage = 2 : i32} : !tt.ptr<i32>
      %46 = arith.cmpi sgt, %45, %c0_i32 {loop.cluster = 3 : i32, loop.stage = 2 : i32} : i32
      %47 = scf.if %46 -> (tensor<64x64xf32, #mma>) {
        %48 = arith.mulf %43, %cst_0 : tensor<64x64xf32, #mma>
        tt.store %44, %c0_i32 : !tt.ptr<i32>
        scf.yield %48 : tensor<64x64xf32, #mma>
      } else {
        scf.yield %43 : tensor<64x64xf32, #mma>
      } {loop.cluster = 3 : i32, loop.stage = 2 : i32}
      scf.yield %47 : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %17 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked2>
    %18 = arith.muli %16, %17 : tensor<64x1xi32, #blocked2>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked2>
    %20 = tt.addptr %19, %18 : tensor<64x1x!tt.ptr<f32>, #blocked2>, tensor<64x1xi32, #blocked2>
    %21 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %22 = tt.expand_dims %21 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %23 = tt.broadcast %20 : tensor<64x1x!tt.ptr<f32>, #blocked2> -> tensor<64x64x!tt.ptr<f32>, #blocked2>
    %24 = tt.broadcast %22 : tensor<1x64xi32, #blocked2> -> tensor<64x64xi32, #blocked2>
    %25 = tt.addptr %23, %24 : tensor<64x64x!tt.ptr<f32>, #blocked2>, tensor<64x64xi32, #blocked2>
    %26 = ttg.convert_layout %14 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked2>
    tt.store %25, %26 : tensor<64x64x!tt.ptr<f32>, #blocked2>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<64x32xf16, #blocked>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<32x64xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = arith.addi %11, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %14 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %15 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %16 = arith.muli %13, %15 : tensor<64x1xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %19 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %21 = tt.broadcast %18 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %22 = tt.broadcast %20 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %23 = tt.addptr %21, %22 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %24 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %26 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked1>
    %27 = arith.muli %25, %26 : tensor<32x1xi32, #blocked1>
    %28 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %29 = tt.addptr %28, %27 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %30 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %31 = tt.broadcast %29 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %32 = tt.broadcast %30 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %33 = tt.addptr %31, %32 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %34 = arith.addi %arg5, %c31_i32 : i32
    %35 = arith.divsi %34, %c32_i32 : i32
    %36 = arith.muli %arg7, %c32_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<32x64xi32, #blocked1>
    %38:3 = scf.for %arg9 = %c0_i32 to %35 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %23, %arg12 = %33) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %55 = arith.muli %arg9, %c32_i32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %56 = arith.subi %arg5, %55 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %57 = tt.splat %56 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32 -> tensor<1x32xi32, #blocked>
      %58 = arith.cmpi slt, %20, %57 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<1x32xi32, #blocked>
      %59 = tt.broadcast %58 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
      %60 = tt.load %arg11, %59, %cst_0 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>
      %61 = tt.splat %56 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32 -> tensor<32x1xi32, #blocked1>
      %62 = arith.cmpi slt, %25, %61 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<32x1xi32, #blocked1>
      %63 = tt.broadcast %62 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %64 = tt.load %arg12, %63, %cst_1 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %65 = ttg.convert_layout %60 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %66 = ttg.convert_layout %64 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x64xf16, #blocked1> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %67 = tt.dot %65, %66, %arg10, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %68 = tt.addptr %arg11, %cst {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %69 = tt.addptr %arg12, %37 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %67, %68, %69 : tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    } {tt.scheduled_max_stage = 2 : i32}
    %39 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked1>
    %40 = arith.cmpi slt, %14, %39 : tensor<64x1xi32, #blocked1>
    %41 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %42 = arith.cmpi slt, %30, %41 : tensor<1x64xi32, #blocked1>
    %43 = tt.broadcast %40 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %44 = tt.broadcast %42 : tensor<1x64xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %45 = arith.andi %43, %44 : tensor<64x64xi1, #blocked1>
    %46 = tt.splat %arg8 : i32 -> tensor<64x1xi32, #blocked1>
    %47 = arith.muli %14, %46 : tensor<64x1xi32, #blocked1>
    %48 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %49 = tt.addptr %48, %47 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %50 = tt.broadcast %49 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %51 = tt.broadcast %30 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %52 = tt.addptr %50, %51 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %53 = arith.truncf %38#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %54 = ttg.convert_layout %53 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked1>
    tt.store %52, %54, %45 : tensor<64x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm_tma(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = arith.extsi %arg5 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg3, %arg5], [%0, %c1_i64] : <f16>, <tensor<128x64xf16, #shared>>
    %2 = arith.extsi %arg4 : i32 to i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg5, %arg4], [%2, %c1_i64] : <f16>, <tensor<64x128xf16, #shared>>
    %4 = tt.make_tensor_descriptor %arg2, [%arg3, %arg4], [%2, %c1_i64] : <f16>, <tensor<128x128xf16, #shared>>
    %5 = tt.get_program_id x : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.get_program_id y : i32
    %8 = arith.muli %7, %c128_i32 : i32
    %9 = arith.addi %arg5, %c63_i32 : i32
    %10 = arith.divsi %9, %c64_i32 : i32
    %11 = scf.for %arg6 = %c0_i32 to %10 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %14 = arith.muli %arg6, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %15 = tt.descriptor_load %1[%6, %14] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %16 = ttg.local_alloc %15 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %17 = tt.descriptor_load %3[%14, %8] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x128xf16, #shared>> -> tensor<64x128xf16, #blocked1>
      %18 = ttg.local_alloc %17 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x128xf16, #blocked1>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %19 = ttng.warp_group_dot %16, %18, %arg7 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %19 : tensor<128x128xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    %12 = arith.truncf %11 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %13 = ttg.convert_layout %12 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
    tt.descriptor_store %4[%6, %8], %13 : !tt.tensordesc<tensor<128x128xf16, #shared>>, tensor<128x128xf16, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chained_dots(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<1x64xi32, #blocked1>
    %cst_1 = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.addi %3, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %8 = arith.muli %7, %cst_1 : tensor<128x1xi32, #blocked>
    %9 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %10 = tt.addptr %9, %8 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %11 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.expand_dims %11 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %13 = tt.broadcast %10 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %14 = tt.broadcast %12 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %15 = tt.addptr %13, %14 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %16 = tt.load %15 : tensor<128x64x!tt.ptr<f16>, #blocked>
    %17 = ttg.local_alloc %16 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %18 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %20 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %22 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %23 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %12 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %25 = scf.for %arg6 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg7 = %cst_2) -> (tensor<128x64xf32, #mma>)  : i32 {
      %32 = tt.splat %arg6 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %33 = tt.splat %arg6 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = arith.addi %32, %5 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %35 = arith.addi %33, %6 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = tt.expand_dims %34 {axis = 0 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %37 = arith.muli %36, %cst_0 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1x64xi32, #blocked1>
      %38 = tt.broadcast %37 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
      %39 = tt.addptr %22, %38 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %40 = tt.load %39 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>
      %41 = ttg.local_alloc %40 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %42 = tt.expand_dims %35 {axis = 1 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
      %43 = arith.muli %42, %cst {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x1xi32, #blocked>
      %44 = tt.addptr %23, %43 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
      %45 = tt.broadcast %44 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
      %46 = tt.addptr %45, %24 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %47 = tt.load %46 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
      %48 = ttg.local_alloc %47 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %49 = ttng.warp_group_dot %17, %41, %cst_2 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<128x64xf32, #mma>
      %50 = math.exp %49 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
      %51 = arith.truncf %50 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %52 = ttg.convert_layout %51 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %53 = ttng.warp_group_dot %52, %48, %arg7 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %53 : tensor<128x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    %26 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %27 = tt.addptr %26, %8 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %28 = tt.broadcast %27 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %29 = tt.addptr %28, %14 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %30 = arith.truncf %25 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    %31 = ttg.convert_layout %30 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #blocked>
    tt.store %29, %31 : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tma_load_elementwise(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #blocked>
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <tensor<64x64xf16, #shared>>
    %2 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%0, %c1_i64] : <f16>, <tensor<64x64xf16, #shared>>
    %3 = tt.get_program_id x : i32
    %4 = arith.muli %3, %c64_i32 : i32
    %5 = arith.addi %arg3, %c63_i32 : i32
    %6 = arith.divsi %5, %c64_i32 : i32
    scf.for %arg4 = %c0_i32 to %6 step %c1_i32  : i32 {
      %7 = arith.muli %arg4, %c64_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %8 = tt.descriptor_load %1[%4, %7] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %9 = arith.mulf %8, %cst {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<64x64xf16, #blocked>
      tt.descriptor_store %2[%4, %7], %9 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    } {tt.num_stages = 3 : i32, tt.scheduled_max_stage = 2 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @several_dots(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = arith.addi %11, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %15 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %16 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %17 = arith.muli %15, %16 : tensor<64x1xi32, #blocked>
    %18 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %19 = tt.addptr %18, %17 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %20 = tt.broadcast %19 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %21 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked1>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %23 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %24 = tt.broadcast %23 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %25 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %26:2 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %cst_0, %arg9 = %cst_0) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>)  : i32 {
      %43 = arith.muli %arg7, %c32_i32 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32
      %44 = tt.splat %43 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %45 = tt.splat %43 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %46 = arith.addi %44, %13 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %47 = arith.addi %45, %14 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %48 = tt.expand_dims %46 {axis = 0 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %49 = tt.broadcast %48 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
      %50 = tt.addptr %20, %49 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %51 = tt.load %50 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked>
      %52 = ttg.local_alloc %51 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %53 = tt.expand_dims %47 {axis = 1 : i32, loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
      %54 = arith.muli %53, %21 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1xi32, #blocked1>
      %55 = tt.addptr %22, %54 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
      %56 = tt.broadcast %55 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %57 = tt.addptr %56, %24 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      %58 = tt.load %57 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %59 = ttg.local_alloc %58 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<32x64xf16, #blocked1>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %60 = tt.addptr %25, %54 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
      %61 = tt.broadcast %60 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %62 = tt.addptr %61, %24 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      %63 = tt.load %62 {loop.cluster = 2 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1>
      %64 = ttg.local_alloc %63 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<32x64xf16, #blocked1>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %65 = ttng.warp_group_dot %52, %59, %arg8 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %66 = ttng.warp_group_dot %52, %64, %arg9 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %65, %66 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    %27 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %28 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %29 = arith.muli %27, %28 : tensor<64x1xi32, #blocked1>
    %30 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %31 = tt.addptr %30, %29 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %32 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %33 = tt.broadcast %31 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %34 = tt.broadcast %32 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %35 = tt.addptr %33, %34 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %36 = arith.subf %cst_0, %26#1 : tensor<64x64xf32, #mma>
    %37 = math.exp %36 : tensor<64x64xf32, #mma>
    %38 = arith.addf %37, %cst : tensor<64x64xf32, #mma>
    %39 = arith.divf %cst, %38 : tensor<64x64xf32, #mma>
    %40 = arith.mulf %26#0, %39 : tensor<64x64xf32, #mma>
    %41 = arith.truncf %40 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %42 = ttg.convert_layout %41 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked1>
    tt.store %35, %42 : tensor<64x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @softmax_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %3 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %4 = arith.cmpi slt, %2, %3 : tensor<1024xi32, #blocked>
    scf.for %arg4 = %0 to %arg2 step %1  : i32 {
      %5 = arith.muli %arg4, %arg3 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %6 = tt.addptr %arg0, %5 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f32>, i32
      %7 = tt.splat %6 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %2 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %9 = tt.load %8, %4, %cst {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
      %10 = "tt.reduce"(%9) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %20 = arith.maxnumf %arg5, %arg6 : f32
        tt.reduce.return %20 : f32
      }) {loop.cluster = 0 : i32, loop.stage = 3 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %11 = tt.splat %10 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : f32 -> tensor<1024xf32, #blocked>
      %12 = arith.subf %9, %11 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<1024xf32, #blocked>
      %13 = math.exp %12 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<1024xf32, #blocked>
      %14 = tt.addptr %arg1, %5 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !tt.ptr<f32>, i32
      %15 = tt.splat %14 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %15, %2 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %17 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %20 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %20 : f32
      }) {loop.cluster = 0 : i32, loop.stage = 3 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %18 = tt.splat %17 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : f32 -> tensor<1024xf32, #blocked>
      %19 = arith.divf %13, %18 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<1024xf32, #blocked>
      tt.store %16, %19, %4 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
    } {tt.num_stages = 4 : i32, tt.scheduled_max_stage = 3 : i32}
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @stored_each_time(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %true = arith.constant true
    %c31_i32 = arith.constant 31 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %false = arith.constant false
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = arith.addi %12, %10 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = arith.addi %13, %11 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %18 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<128x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %22 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %23 = tt.broadcast %21 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %25 = tt.addptr %23, %24 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %26 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %28 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked>
    %29 = arith.muli %27, %28 : tensor<32x1xi32, #blocked>
    %30 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %31 = tt.addptr %30, %29 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %32 = tt.expand_dims %14 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %33 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %34 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %35 = tt.broadcast %32 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %36 = tt.addptr %34, %35 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %37 = arith.addi %arg5, %c31_i32 : i32
    %38 = arith.divsi %37, %c32_i32 : i32
    %39 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %40 = arith.muli %17, %39 : tensor<128x1xi32, #blocked1>
    %41 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %42 = arith.muli %arg7, %c32_i32 : i32
    %43 = tt.splat %42 : i32 -> tensor<32x32xi32, #blocked>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %44 = ttng.tmem_store %cst, %result[%token], %true : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %45:4 = scf.for %arg9 = %c0_i32 to %38 step %c1_i32 iter_args(%arg10 = %25, %arg11 = %36, %arg12 = %false, %arg13 = %44) -> (tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1, !ttg.async.token)  : i32 {
      %58 = tt.load %arg10 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>
      %59 = ttg.local_alloc %58 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %60 = tt.load %arg11 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>
      %61 = ttg.local_alloc %60 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %62 = ttng.tc_gen5_mma %59, %61, %result[%arg13], %arg12, %true {loop.cluster = 0 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %63 = arith.muli %arg9, %arg4 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : i32
      %64 = arith.muli %63, %arg3 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : i32
      %65 = tt.addptr %arg2, %64 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.ptr<f32>, i32
      %66 = tt.splat %65 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
      %67 = tt.addptr %66, %40 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
      %68 = tt.broadcast %67 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
      %69 = tt.addptr %68, %41 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
      %result_3, %token_4 = ttng.tmem_load %result[%62] {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %70 = ttg.convert_layout %result_3 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
      tt.store %69, %70 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked1>
      %71 = tt.addptr %arg10, %cst_0 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %72 = tt.addptr %arg11, %43 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %71, %72, %true, %token_4 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1, !ttg.async.token
    } {tt.scheduled_max_stage = 2 : i32}
    %result_1, %token_2 = ttng.tmem_load %result[%45#3] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %46 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %47 = arith.cmpi slt, %17, %46 : tensor<128x1xi32, #blocked1>
    %48 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %49 = arith.cmpi slt, %33, %48 : tensor<1x32xi32, #blocked1>
    %50 = tt.broadcast %47 : tensor<128x1xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %51 = tt.broadcast %49 : tensor<1x32xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %52 = arith.andi %50, %51 : tensor<128x32xi1, #blocked1>
    %53 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %54 = tt.addptr %53, %40 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %55 = tt.broadcast %54 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %56 = tt.addptr %55, %41 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %57 = ttg.convert_layout %result_1 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %56, %57, %52 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two_buffers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %true = arith.constant true
    %false = arith.constant false
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = arith.addi %12, %10 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = arith.addi %13, %11 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %18 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<128x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %22 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %23 = tt.broadcast %21 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %25 = tt.addptr %23, %24 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %26 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %28 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked>
    %29 = arith.muli %27, %28 : tensor<32x1xi32, #blocked>
    %30 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %31 = tt.addptr %30, %29 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %32 = tt.expand_dims %14 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %33 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %34 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %35 = tt.broadcast %32 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %36 = tt.addptr %34, %35 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %37 = arith.addi %arg5, %c31_i32 : i32
    %38 = arith.divsi %37, %c32_i32 : i32
    %39 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %40 = arith.muli %17, %39 : tensor<128x1xi32, #blocked1>
    %41 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %42 = arith.muli %arg7, %c32_i32 : i32
    %43 = tt.splat %42 : i32 -> tensor<32x32xi32, #blocked>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %44:3 = scf.for %arg9 = %c0_i32 to %38 step %c1_i32 iter_args(%arg10 = %25, %arg11 = %36, %arg12 = %token) -> (tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, !ttg.async.token)  : i32 {
      %56 = tt.load %arg10 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>
      %57 = ttg.local_alloc %56 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %58 = tt.load %arg11 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>
      %59 = ttg.local_alloc %58 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %60 = ttng.tc_gen5_mma %57, %59, %result[%arg12], %false, %true {loop.cluster = 1 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %61 = arith.muli %arg9, %arg4 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : i32
      %62 = arith.muli %61, %arg3 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : i32
      %63 = tt.addptr %arg2, %62 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !tt.ptr<f32>, i32
      %64 = tt.splat %63 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
      %65 = tt.addptr %64, %40 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
      %66 = tt.broadcast %65 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
      %67 = tt.addptr %66, %41 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
      %result_1, %token_2 = ttng.tmem_load %result[%60] {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %68 = ttg.convert_layout %result_1 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
      tt.store %67, %68 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked1>
      %69 = tt.addptr %arg10, %cst {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %70 = tt.addptr %arg11, %43 {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %69, %70, %token_2 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, !ttg.async.token
    } {tt.scheduled_max_stage = 3 : i32}
    %45 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %46 = arith.cmpi slt, %17, %45 : tensor<128x1xi32, #blocked1>
    %47 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %48 = arith.cmpi slt, %33, %47 : tensor<1x32xi32, #blocked1>
    %49 = tt.broadcast %46 : tensor<128x1xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %50 = tt.broadcast %48 : tensor<1x32xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %51 = arith.andi %49, %50 : tensor<128x32xi1, #blocked1>
    %52 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %53 = tt.addptr %52, %40 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %54 = tt.broadcast %53 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %55 = tt.addptr %54, %41 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    tt.store %55, %cst_0, %51 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product_changed_at_times(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %true = arith.constant true
    %c16384_i32 = arith.constant 16384 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %cst_1 = arith.constant dense<512> : tensor<128x1xi32, #blocked1>
    %cst_2 = arith.constant dense<512> : tensor<32x1xi32, #blocked>
    %false = arith.constant false
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %2 = arith.muli %1, %cst_0 : tensor<128x1xi32, #blocked>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %8 = arith.muli %7, %cst_2 : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %10 = ttng.tmem_store %cst, %result[%token], %true : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %11:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %false, %arg6 = %10) -> (i1, !ttg.async.token)  : i32 {
      %23 = arith.muli %arg4, %c32_i32 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : i32
      %24 = tt.addptr %arg0, %23 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>, i32
      %25 = tt.splat %24 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %26 = tt.addptr %25, %2 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %27 = tt.broadcast %26 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %28 = tt.addptr %27, %5 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %29 = tt.load %28 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>
      %30 = ttg.local_alloc %29 {loop.cluster = 3 : i32, loop.stage = 2 : i32} : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %31 = arith.muli %arg4, %c16384_i32 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : i32
      %32 = tt.addptr %arg1, %31 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>, i32
      %33 = tt.splat %32 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
      %34 = tt.addptr %33, %8 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %35 = tt.broadcast %34 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
      %36 = tt.addptr %35, %9 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      %37 = tt.load %36 {loop.cluster = 5 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>
      %38 = ttg.local_alloc %37 {loop.cluster = 3 : i32, loop.stage = 2 : i32} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %39 = ttng.tc_gen5_mma %30, %38, %result[%arg6], %arg5, %true {loop.cluster = 3 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %40 = arith.remsi %arg4, %c5_i32 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : i32
      %41 = arith.cmpi eq, %40, %c2_i32 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : i32
      %result_5, %token_6 = ttng.tmem_load %result[%39] {loop.cluster = 1 : i32, loop.stage = 3 : i32} : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %42 = scf.if %41 -> (tensor<128x32xf32, #linear>) {
        %44 = math.exp %result_5 : tensor<128x32xf32, #linear>
        scf.yield %44 : tensor<128x32xf32, #linear>
      } else {
        scf.yield %result_5 : tensor<128x32xf32, #linear>
      } {loop.cluster = 1 : i32, loop.stage = 3 : i32}
      %43 = ttng.tmem_store %42, %result[%token_6], %true {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %true, %43 : i1, !ttg.async.token
    } {tt.scheduled_max_stage = 3 : i32}
    %result_3, %token_4 = ttng.tmem_load %result[%11#1] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %12 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %13 = tt.expand_dims %12 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %14 = arith.muli %13, %cst_1 : tensor<128x1xi32, #blocked1>
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %16 = tt.addptr %15, %14 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %17 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %19 = tt.broadcast %16 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %20 = tt.broadcast %18 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %21 = tt.addptr %19, %20 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %22 = ttg.convert_layout %result_3 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %21, %22 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product_chained(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #linear>
    %true = arith.constant true
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32768_i32 = arith.constant 32768 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %cst_1 = arith.constant dense<512> : tensor<128x1xi32, #blocked1>
    %cst_2 = arith.constant dense<512> : tensor<64x1xi32, #blocked>
    %false = arith.constant false
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %2 = arith.muli %1, %cst_0 : tensor<128x1xi32, #blocked>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %8 = arith.muli %7, %cst_2 : tensor<64x1xi32, #blocked>
    %9 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %result_3, %token_4 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %10 = ttng.tmem_store %cst, %result_3[%token_4], %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %11:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %false, %arg6 = %token, %arg7 = %10) -> (i1, !ttg.async.token, !ttg.async.token)  : i32 {
      %23 = arith.muli %arg4, %c64_i32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %24 = tt.addptr %arg0, %23 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>, i32
      %25 = tt.splat %24 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %26 = tt.addptr %25, %2 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %27 = tt.broadcast %26 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
      %28 = tt.addptr %27, %5 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %29 = tt.load %28 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
      %30 = ttg.local_alloc %29 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %31 = arith.muli %arg4, %c32768_i32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %32 = tt.addptr %arg1, %31 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>, i32
      %33 = tt.splat %32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
      %34 = tt.addptr %33, %8 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
      %35 = tt.broadcast %34 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
      %36 = tt.addptr %35, %9 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %37 = tt.load %36 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
      %38 = ttg.local_alloc %37 {loop.cluster = 1 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %39 = ttng.tc_gen5_mma %30, %38, %result[%arg6], %false, %true {loop.cluster = 1 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_7, %token_8 = ttng.tmem_load %result[%39] {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
      %40 = arith.truncf %result_7 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : tensor<128x64xf32, #linear> to tensor<128x64xf16, #linear>
      %result_9 = ttng.tmem_alloc %40 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : (tensor<128x64xf16, #linear>) -> !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>
      %41 = ttg.memdesc_trans %38 {loop.cluster = 0 : i32, loop.stage = 3 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %42 = ttng.tc_gen5_mma %result_9, %41, %result_3[%arg7], %arg5, %true {loop.cluster = 0 : i32, loop.stage = 3 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>, !ttg.memdesc<64x64xf16, #shared1, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      scf.yield %true, %token_8, %42 : i1, !ttg.async.token, !ttg.async.token
    } {tt.scheduled_max_stage = 3 : i32}
    %result_5, %token_6 = ttng.tmem_load %result_3[%11#2] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
    %12 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %13 = tt.expand_dims %12 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %14 = arith.muli %13, %cst_1 : tensor<128x1xi32, #blocked1>
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %16 = tt.addptr %15, %14 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %17 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %19 = tt.broadcast %16 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x64x!tt.ptr<f32>, #blocked1>
    %20 = tt.broadcast %18 : tensor<1x64xi32, #blocked1> -> tensor<128x64xi32, #blocked1>
    %21 = tt.addptr %19, %20 : tensor<128x64x!tt.ptr<f32>, #blocked1>, tensor<128x64xi32, #blocked1>
    %22 = ttg.convert_layout %result_5 : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked1>
    tt.store %21, %22 : tensor<128x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @persistent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %c31_i32 = arith.constant 31 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c127_i32 = arith.constant 127 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<0> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_1 = arith.constant dense<0> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #blocked1>
    %false = arith.constant false
    %0 = arith.addi %arg3, %c127_i32 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = arith.addi %arg4, %c31_i32 : i32
    %3 = arith.divsi %2, %c32_i32 : i32
    %4 = arith.muli %1, %3 : i32
    %5 = tt.get_program_id x : i32
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %10 = arith.addi %arg5, %c31_i32 : i32
    %11 = arith.divsi %10, %c32_i32 : i32
    %12 = tt.splat %arg4 : i32 -> tensor<128x1xi32, #blocked1>
    %13 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %14 = arith.cmpi eq, %11, %c0_i32 : i32
    scf.if %14 {
      scf.for %arg6 = %5 to %4 step %c4_i32  : i32 {
        %15 = arith.remsi %arg6, %1 : i32
        %16 = arith.muli %15, %c128_i32 : i32
        %17 = arith.divsi %arg6, %1 : i32
        %18 = arith.muli %17, %c32_i32 : i32
        %19 = tt.splat %16 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
        %20 = arith.addi %19, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
        %21 = tt.splat %18 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %22 = arith.addi %21, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %23 = tt.expand_dims %20 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
        %24 = arith.muli %23, %12 : tensor<128x1xi32, #blocked1>
        %25 = tt.addptr %13, %24 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
        %26 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
        %27 = tt.broadcast %25 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
        %28 = tt.broadcast %26 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
        %29 = tt.addptr %27, %28 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
        tt.store %29, %cst_2 : tensor<128x32x!tt.ptr<f32>, #blocked1>
      } {tt.flatten}
    } else {
      %15 = arith.subi %4, %5 : i32
      %16 = arith.ceildivsi %15, %c4_i32 : i32
      %17 = arith.maxsi %11, %c1_i32 : i32
      %18 = arith.muli %16, %17 : i32
      %19 = arith.subi %5, %c4_i32 : i32
      %20 = tt.splat %arg5 : i32 -> tensor<128x1xi32, #blocked>
      %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %24 = tt.broadcast %23 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
      %25 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked>
      %26 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
      %27 = tt.broadcast %23 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
      %28 = arith.subi %17, %c1_i32 : i32
      %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %29 = ttng.tmem_store %cst, %result[%token], %true : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %30:9 = scf.for %arg6 = %c0_i32 to %18 step %c1_i32 iter_args(%arg7 = %c0_i32, %arg8 = %19, %arg9 = %c0_i32, %arg10 = %c0_i32, %arg11 = %cst_0, %arg12 = %c0_i32, %arg13 = %cst_1, %arg14 = %false, %arg15 = %29) -> (i32, i32, i32, i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i1, !ttg.async.token)  : i32 {
        %31 = arith.cmpi eq, %arg7, %c0_i32 {loop.cluster = 1 : i32, loop.stage = 0 : i32} : i32
        %32 = arith.select %31, %c0_i32, %arg9 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : i32
        %33:5 = scf.if %31 -> (i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32) {
          %62 = arith.addi %arg8, %c4_i32 : i32
          %63 = arith.remsi %62, %1 : i32
          %64 = arith.muli %63, %c128_i32 : i32
          %65 = tt.splat %64 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          %66 = arith.addi %65, %6 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          %67 = arith.divsi %62, %1 : i32
          %68 = arith.muli %67, %c32_i32 : i32
          %69 = tt.splat %68 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          %70 = arith.addi %69, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          scf.yield %64, %66, %68, %70, %62 : i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32
        } else {
          scf.yield %arg10, %arg11, %arg12, %arg13, %arg8 : i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32
        } {loop.cluster = 1 : i32, loop.stage = 0 : i32}
        %34 = tt.expand_dims %33#1 {axis = 1 : i32, loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
        %35 = arith.muli %34, %20 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x1xi32, #blocked>
        %36 = tt.addptr %21, %35 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
        %37 = tt.broadcast %36 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
        %38 = tt.addptr %37, %24 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
        %39 = arith.muli %32, %c32_i32 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : i32
        %40 = tt.splat %39 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : i32 -> tensor<128x32xi32, #blocked>
        %41 = tt.addptr %38, %40 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
        %42 = tt.load %41 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked>
        %43 = ttg.local_alloc %42 {loop.cluster = 4 : i32, loop.stage = 2 : i32} : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
        %44 = tt.expand_dims %33#3 {axis = 1 : i32, loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
        %45 = arith.muli %44, %25 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x1xi32, #blocked>
        %46 = tt.addptr %26, %45 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
        %47 = tt.broadcast %46 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
        %48 = tt.addptr %47, %27 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
        %49 = tt.splat %39 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : i32 -> tensor<32x32xi32, #blocked>
        %50 = tt.addptr %48, %49 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
        %51 = tt.load %50 {loop.cluster = 7 : i32, loop.stage = 0 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked>
        %52 = ttg.local_alloc %51 {loop.cluster = 4 : i32, loop.stage = 2 : i32} : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
        %53 = ttg.memdesc_trans %52 {loop.cluster = 4 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared1, #smem>
        %54 = ttng.tc_gen5_mma %43, %53, %result[%arg15], %arg14, %true {loop.cluster = 4 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared1, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
        %55 = arith.addi %32, %c1_i32 {loop.cluster = 6 : i32, loop.stage = 1 : i32} : i32
        %56 = arith.cmpi eq, %arg7, %28 {loop.cluster = 3 : i32, loop.stage = 3 : i32} : i32
        %57 = arith.select %56, %false, %true {loop.cluster = 3 : i32, loop.stage = 3 : i32} : i1
        %58 = scf.if %56 -> (!ttg.async.token) {
          %62 = tt.splat %33#0 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          %63 = arith.addi %62, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          %64 = tt.splat %33#2 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
          %65 = arith.addi %64, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
          %66 = tt.expand_dims %63 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
          %67 = arith.muli %66, %12 : tensor<128x1xi32, #blocked1>
          %68 = tt.addptr %13, %67 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
          %69 = tt.expand_dims %65 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
          %70 = tt.broadcast %68 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
          %71 = tt.broadcast %69 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
          %72 = tt.addptr %70, %71 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
          %result_3, %token_4 = ttng.tmem_load %result[%54] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
          %73 = ttg.convert_layout %result_3 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
          tt.store %72, %73 : tensor<128x32x!tt.ptr<f32>, #blocked1>
          scf.yield %token_4 : !ttg.async.token
        } else {
          scf.yield %54 : !ttg.async.token
        } {loop.cluster = 8 : i32, loop.stage = 3 : i32}
        %59 = arith.addi %arg7, %c1_i32 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32
        %60 = arith.cmpi eq, %arg7, %28 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32
        %61 = arith.select %60, %c0_i32, %59 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : i32
        scf.yield %61, %33#4, %55, %33#0, %33#1, %33#2, %33#3, %57, %58 : i32, i32, i32, i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i1, !ttg.async.token
      } {tt.scheduled_max_stage = 3 : i32}
    }
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scores(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #linear>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %cst_1 = arith.constant dense<0xFF800000> : tensor<128x32xf32, #linear1>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %true = arith.constant true
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_3 = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %cst_4 = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %false = arith.constant false
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear1}>>
    %10 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %11 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear1}>> -> tensor<128x1xi32, #linear1>
    %12 = arith.muli %10, %cst_3 : tensor<128x1xi32, #blocked>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %17 = tt.broadcast %14 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %18 = tt.broadcast %16 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %19 = tt.addptr %17, %18 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %20 = tt.load %19 : tensor<128x64x!tt.ptr<f16>, #blocked>
    %21 = ttg.local_alloc %20 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %22 = arith.addi %1, %c128_i32 : i32
    %23 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %16 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %25 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %26 = tt.broadcast %11 : tensor<128x1xi32, #linear1> -> tensor<128x32xi32, #linear1>
    %27 = tt.splat %arg4 : f32 -> tensor<128x32xf32, #linear1>
    %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %result_5, %token_6 = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.async.token)
    %28 = ttng.tmem_store %cst, %result_5[%token_6], %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>
    %29:4 = scf.for %arg6 = %c0_i32 to %22 step %c32_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_0, %arg9 = %token, %arg10 = %28) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>, !ttg.async.token, !ttg.async.token)  : i32 {
      %40 = tt.splat %arg6 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %41 = tt.splat %arg6 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear1}>>
      %42 = arith.addi %40, %8 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %43 = arith.addi %41, %9 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear1}>>
      %44 = tt.expand_dims %42 {axis = 1 : i32, loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %45 = arith.muli %44, %cst_4 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x1xi32, #blocked>
      %46 = tt.addptr %23, %45 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %47 = tt.broadcast %46 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %48 = tt.addptr %47, %24 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      %49 = tt.load %48 {loop.cluster = 4 : i32, loop.stage = 0 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked>
      %50 = tt.addptr %25, %45 {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %51 = tt.broadcast %50 {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %52 = tt.addptr %51, %24 {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      %53 = tt.load %52 {loop.cluster = 3 : i32, loop.stage = 1 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked>
      %54 = ttg.local_alloc %53 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %55 = ttg.local_alloc %49 {loop.cluster = 2 : i32, loop.stage = 2 : i32} : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %56 = ttg.memdesc_trans %55 {loop.cluster = 2 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared1, #smem>
      %57 = ttng.tc_gen5_mma %21, %56, %result[%arg9], %false, %true {loop.cluster = 2 : i32, loop.stage = 2 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared1, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %58 = tt.expand_dims %43 {axis = 0 : i32, loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear1}>> -> tensor<1x32xi32, #linear1>
      %59 = tt.broadcast %58 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<1x32xi32, #linear1> -> tensor<128x32xi32, #linear1>
      %60 = arith.cmpi sge, %26, %59 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xi32, #linear1>
      %result_9, %token_10 = ttng.tmem_load %result[%57] {loop.cluster = 1 : i32, loop.stage = 3 : i32} : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear1>
      %61 = arith.mulf %result_9, %27 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear1>
      %62 = arith.select %60, %61, %cst_1 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xi1, #linear1>, tensor<128x32xf32, #linear1>
      %63 = "tt.reduce"(%62) <{axis = 1 : i32}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        %81 = arith.maxnumf %arg11, %arg12 : f32
        tt.reduce.return %81 : f32
      }) {loop.cluster = 1 : i32, loop.stage = 3 : i32} : (tensor<128x32xf32, #linear1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %64 = arith.maxnumf %arg7, %63 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %65 = tt.expand_dims %64 {axis = 1 : i32, loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>> -> tensor<128x1xf32, #linear1>
      %66 = tt.broadcast %65 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x1xf32, #linear1> -> tensor<128x32xf32, #linear1>
      %67 = arith.subf %62, %66 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear1>
      %68 = math.exp2 %67 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear1>
      %69 = arith.subf %arg7, %64 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %70 = math.exp2 %69 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %71 = arith.mulf %arg8, %70 {loop.cluster = 0 : i32, loop.stage = 4 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %72 = "tt.reduce"(%68) <{axis = 1 : i32}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        %81 = arith.addf %arg11, %arg12 : f32
        tt.reduce.return %81 : f32
      }) {loop.cluster = 0 : i32, loop.stage = 4 : i32} : (tensor<128x32xf32, #linear1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %73 = arith.addf %71, %72 {loop.cluster = 0 : i32, loop.stage = 4 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>
      %74 = tt.expand_dims %70 {axis = 1 : i32, loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>> -> tensor<128x1xf32, #linear1>
      %75 = ttg.convert_layout %74 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x1xf32, #linear1> -> tensor<128x1xf32, #linear>
      %76 = tt.broadcast %75 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x1xf32, #linear> -> tensor<128x64xf32, #linear>
      %result_11, %token_12 = ttng.tmem_load %result_5[%arg10] {loop.cluster = 1 : i32, loop.stage = 3 : i32} : !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
      %77 = arith.mulf %result_11, %76 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x64xf32, #linear>
      %78 = arith.truncf %68 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x32xf32, #linear1> to tensor<128x32xf16, #linear1>
      %result_13 = ttng.tmem_alloc %78 {loop.cluster = 1 : i32, loop.stage = 3 : i32} : (tensor<128x32xf16, #linear1>) -> !ttg.memdesc<128x32xf16, #tmem, #ttng.tensor_memory>
      %79 = ttng.tmem_store %77, %result_5[%token_12], %true {loop.cluster = 1 : i32, loop.stage = 3 : i32} : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>
      %80 = ttng.tc_gen5_mma %result_13, %54, %result_5[%79], %true, %true {loop.cluster = 1 : i32, loop.stage = 3 : i32, tt.self_latency = 1 : i32} : !ttg.memdesc<128x32xf16, #tmem, #ttng.tensor_memory>, !ttg.memdesc<32x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>
      scf.yield %64, %73, %token_10, %80 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>>, !ttg.async.token, !ttg.async.token
    } {tt.scheduled_max_stage = 4 : i32}
    %result_7, %token_8 = ttng.tmem_load %result_5[%29#3] : !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
    %30 = tt.expand_dims %29#1 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear1}>> -> tensor<128x1xf32, #linear1>
    %31 = ttg.convert_layout %30 : tensor<128x1xf32, #linear1> -> tensor<128x1xf32, #linear>
    %32 = tt.broadcast %31 : tensor<128x1xf32, #linear> -> tensor<128x64xf32, #linear>
    %33 = arith.divf %result_7, %32 : tensor<128x64xf32, #linear>
    %34 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %35 = tt.addptr %34, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %36 = tt.broadcast %35 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %37 = tt.addptr %36, %18 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %38 = arith.truncf %33 : tensor<128x64xf32, #linear> to tensor<128x64xf16, #linear>
    %39 = ttg.convert_layout %38 : tensor<128x64xf16, #linear> -> tensor<128x64xf16, #blocked>
    tt.store %37, %39 : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @product_with_itself(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %a, %a, %acc : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %r : tensor<64x64xf32, #mma>
  }
}
