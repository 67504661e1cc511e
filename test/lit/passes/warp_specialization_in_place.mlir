// RUN: tt-opt %s --nvgpu-warp-specialization=num-stages=2 | FileCheck %s
// RUN: tt-opt %s --nvgpu-warp-specialization=num-stages=2 --check-passes --check-runs=1 --check-grid=1 --check-arg=7=3 -o /dev/null

// Every element is doubled in place: two groups of warps would do it twice, so one computes.
// CHECK-LABEL: @in_place
// CHECK: tt.store %{{.*}} : tensor<256x!tt.ptr<f32>
// CHECK-NOT: tt.store %{{.*}} : tensor<256x!tt.ptr<f32>

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @in_place(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg7: i32, %arg8: i32 {tt.divisibility = 16 : i32}, %arg9: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<128x1xi64, #blocked1>
    %cst_1 = arith.constant dense<128> : tensor<128x1xi64, #blocked1>
    %cst_2 = arith.constant dense<0> : tensor<1x64xi64, #blocked1>
    %cst_3 = arith.constant dense<384> : tensor<1x64xi64, #blocked1>
    %c64_i64 = arith.constant 64 : i64
    %cst_4 = arith.constant -1.000000e+00 : f32
    %c64_i32 = arith.constant 64 : i32
    %c6_i32 = arith.constant 6 : i32
    %cst_5 = arith.constant 1.000000e+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %c0_i64 = arith.constant 0 : i64
    %c8192_i32 = arith.constant 8192 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<256xf32, #blocked2>
    %cst_7 = arith.constant dense<1.000000e+00> : tensor<256xf32, #blocked2>
    %cst_8 = arith.constant dense<1.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = arith.extsi %arg8 : i32 to i64
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %6 = tt.splat %arg9 : i32 -> tensor<64x1xi32, #blocked1>
    %7 = arith.muli %5, %6 : tensor<64x1xi32, #blocked1>
    %8 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>, #blocked1>
    %9 = tt.addptr %8, %7 : tensor<64x1x!tt.ptr<bf16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %12 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %13 = tt.broadcast %9 : tensor<64x1x!tt.ptr<bf16>, #blocked1> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %15 = tt.addptr %13, %14 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %16 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked2>
    %17 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>, #blocked1>
    %18 = arith.extsi %1 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> to tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi64, #blocked1>
    %20 = tt.splat %3 : i64 -> tensor<128x1xi64, #blocked1>
    %21 = arith.muli %19, %20 : tensor<128x1xi64, #blocked1>
    %22 = tt.broadcast %21 : tensor<128x1xi64, #blocked1> -> tensor<128x64xi64, #blocked1>
    %23 = arith.extsi %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %24 = arith.cmpi sge, %19, %cst_0 : tensor<128x1xi64, #blocked1>
    %25 = arith.cmpi slt, %19, %cst_1 : tensor<128x1xi64, #blocked1>
    %26 = arith.andi %24, %25 : tensor<128x1xi1, #blocked1>
    %27 = tt.broadcast %26 : tensor<128x1xi1, #blocked1> -> tensor<128x64xi1, #blocked1>
    %28:2 = scf.for %arg10 = %c0_i32 to %arg7 step %c1_i32 iter_args(%arg11 = %c0_i64, %arg12 = %cst_9) -> (i64, tensor<128x64xf32, #mma>)  : i32 {
      %40 = arith.muli %arg10, %c256_i32 : i32
      %41 = tt.addptr %arg6, %40 : !tt.ptr<f32>, i32
      %42 = tt.splat %41 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked2>
      %43 = tt.addptr %42, %16 : tensor<256x!tt.ptr<f32>, #blocked2>, tensor<256xi32, #blocked2>
      %44 = tt.load %43 : tensor<256x!tt.ptr<f32>, #blocked2>
      %45 = arith.mulf %44, %cst_6 : tensor<256xf32, #blocked2>
      %46 = arith.addf %45, %cst_7 : tensor<256xf32, #blocked2>
      tt.store %43, %46 : tensor<256x!tt.ptr<f32>, #blocked2>
      %47 = tt.splat %arg11 : i64 -> tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %48 = arith.addi %47, %23 : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi64, #blocked1>
      %50 = tt.broadcast %49 : tensor<1x64xi64, #blocked1> -> tensor<128x64xi64, #blocked1>
      %51 = arith.addi %22, %50 : tensor<128x64xi64, #blocked1>
      %52 = tt.addptr %17, %51 : tensor<128x64x!tt.ptr<bf16>, #blocked1>, tensor<128x64xi64, #blocked1>
      %53 = arith.cmpi sge, %49, %cst_2 : tensor<1x64xi64, #blocked1>
      %54 = arith.cmpi slt, %49, %cst_3 : tensor<1x64xi64, #blocked1>
      %55 = arith.andi %53, %54 : tensor<1x64xi1, #blocked1>
      %56 = tt.broadcast %55 : tensor<1x64xi1, #blocked1> -> tensor<128x64xi1, #blocked1>
      %57 = arith.andi %27, %56 : tensor<128x64xi1, #blocked1>
      %58 = tt.load %52, %57 : tensor<128x64x!tt.ptr<bf16>, #blocked1>
      %59 = ttg.local_alloc %58 : (tensor<128x64xbf16, #blocked1>) -> !ttg.memdesc<128x64xbf16, #shared, #smem>
      %60 = tt.addptr %arg2, %arg10 : !tt.ptr<i32>, i32
      %61 = tt.load %60 : !tt.ptr<i32>
      %62 = math.absi %61 : i32
      %63 = arith.remsi %62, %c6_i32 : i32
      %64 = arith.muli %63, %c64_i32 : i32
      %65 = arith.muli %64, %arg9 : i32
      %66 = tt.splat %65 : i32 -> tensor<64x64xi32, #blocked1>
      %67 = tt.addptr %15, %66 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %68 = tt.load %67 : tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %69 = arith.extf %68 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
      %70 = arith.addf %69, %cst_8 : tensor<64x64xf32, #blocked1>
      %71 = arith.truncf %70 : tensor<64x64xf32, #blocked1> to tensor<64x64xbf16, #blocked1>
      %72 = ttg.local_alloc %71 : (tensor<64x64xbf16, #blocked1>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
      %73 = arith.remsi %arg10, %c2_i32 : i32
      %74 = arith.cmpi eq, %73, %c0_i32 : i32
      %75 = arith.select %74, %cst_5, %cst_4 : f32
      %76 = tt.splat %75 : f32 -> tensor<128x64xf32, #mma>
      %77 = arith.mulf %arg12, %76 : tensor<128x64xf32, #mma>
      %78 = ttng.warp_group_dot %59, %72, %77 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %79 = arith.addi %arg11, %c64_i64 : i64
      scf.yield %79, %78 : i64, tensor<128x64xf32, #mma>
    } {tt.num_stages = 2 : i32, tt.warp_specialize}
    %29 = arith.muli %0, %c8192_i32 : i32
    %30 = tt.addptr %arg4, %29 : !tt.ptr<f32>, i32
    %31 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %33 = arith.muli %32, %cst : tensor<128x1xi32, #blocked>
    %34 = tt.splat %30 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %35 = tt.addptr %34, %33 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %36 = tt.broadcast %35 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x64x!tt.ptr<f32>, #blocked>
    %37 = tt.broadcast %12 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %38 = tt.addptr %36, %37 : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
    %39 = ttg.convert_layout %28#1 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
    tt.store %38, %39 : tensor<128x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

