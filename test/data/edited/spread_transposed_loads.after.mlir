#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @matmul(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    %c63_i32 = arith.constant 63 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf8E4M3FN, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf8E4M3FN, #blocked1>
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_2 = arith.constant dense<64> : tensor<128x64xi32, #blocked1>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c64_i32 : i32
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %11 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %12 = tt.splat %9 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %9 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %14 = arith.addi %12, %10 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %11 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
    %18 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked1>
    %19 = arith.muli %16, %18 : tensor<128x1xi32, #blocked1>
    %20 = tt.splat %arg0 : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>, #blocked1>
    %21 = tt.addptr %20, %19 : tensor<128x1x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<128x1xi32, #blocked1>
    %22 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %24 = tt.broadcast %21 : tensor<128x1x!tt.ptr<f8E4M3FN>, #blocked1> -> tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>
    %25 = tt.broadcast %23 : tensor<1x64xi32, #blocked1> -> tensor<128x64xi32, #blocked1>
    %26 = tt.addptr %24, %25 : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<128x64xi32, #blocked1>
    %27 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %28 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %29 = tt.expand_dims %27 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %30 = tt.expand_dims %28 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %31 = tt.splat %arg7 : i32 -> tensor<64x1xi32, #blocked1>
    %32 = arith.muli %29, %31 : tensor<64x1xi32, #blocked1>
    %33 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<64x1x!tt.ptr<f8E4M3FN>, #blocked1>
    %34 = tt.addptr %33, %32 : tensor<64x1x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<64x1xi32, #blocked1>
    %35 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %36 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %37 = tt.broadcast %34 : tensor<64x1x!tt.ptr<f8E4M3FN>, #blocked1> -> tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1>
    %38 = tt.broadcast %35 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %39 = tt.addptr %37, %38 : tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<64x64xi32, #blocked1>
    %40 = arith.addi %arg5, %c63_i32 : i32
    %41 = arith.divsi %40, %c64_i32 : i32
    %42:3 = scf.for %arg9 = %c0_i32 to %41 step %c1_i32 iter_args(%arg10 = %cst, %arg11 = %26, %arg12 = %39) -> (tensor<128x64xf32, #blocked>, tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1>)  : i32 {
      %59 = arith.muli %arg9, %c64_i32 : i32
      %60 = arith.subi %arg5, %59 : i32
      %61 = tt.splat %60 : i32 -> tensor<1x64xi32, #blocked1>
      %62 = arith.cmpi slt, %23, %61 : tensor<1x64xi32, #blocked1>
      %63 = tt.broadcast %62 : tensor<1x64xi1, #blocked1> -> tensor<128x64xi1, #blocked1>
      %64 = tt.load %arg11, %63, %cst_1 : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>
      %65 = ttg.local_alloc %64 : (tensor<128x64xf8E4M3FN, #blocked1>) -> !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem>
      %66 = tt.splat %60 : i32 -> tensor<64x1xi32, #blocked1>
      %67 = arith.cmpi slt, %30, %66 : tensor<64x1xi32, #blocked1>
      %68 = tt.broadcast %67 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
      %69 = ttg.convert_layout %arg12 : tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1> -> tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked3>
      %70 = ttg.convert_layout %68 : tensor<64x64xi1, #blocked1> -> tensor<64x64xi1, #blocked3>
      %71 = ttg.convert_layout %cst_0 : tensor<64x64xf8E4M3FN, #blocked1> -> tensor<64x64xf8E4M3FN, #blocked3>
      %72 = tt.load %69, %70, %71 : tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked3>
      %73 = ttg.convert_layout %72 : tensor<64x64xf8E4M3FN, #blocked3> -> tensor<64x64xf8E4M3FN, #blocked1>
      %74 = ttg.local_alloc %73 : (tensor<64x64xf8E4M3FN, #blocked1>) -> !ttg.memdesc<64x64xf8E4M3FN, #shared1, #smem>
      %75 = ttg.convert_layout %arg10 : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #mma>
      %76 = ttng.warp_group_dot %65, %74, %75 {inputPrecision = 0 : i32, maxNumImpreciseAcc = 1073741824 : i32} : !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem> * !ttg.memdesc<64x64xf8E4M3FN, #shared1, #smem> -> tensor<128x64xf32, #mma>
      %77 = ttg.convert_layout %76 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
      %78 = tt.addptr %arg11, %cst_2 : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<128x64xi32, #blocked1>
      %79 = arith.muli %arg7, %c64_i32 : i32
      %80 = tt.splat %79 : i32 -> tensor<64x64xi32, #blocked1>
      %81 = tt.addptr %arg12, %80 : tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<64x64xi32, #blocked1>
      scf.yield %77, %78, %81 : tensor<128x64xf32, #blocked>, tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked1>, tensor<64x64x!tt.ptr<f8E4M3FN>, #blocked1>
    }
    %43 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked2>
    %44 = arith.cmpi slt, %17, %43 : tensor<128x1xi32, #blocked2>
    %45 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked2>
    %46 = arith.cmpi slt, %36, %45 : tensor<1x64xi32, #blocked2>
    %47 = tt.broadcast %44 : tensor<128x1xi1, #blocked2> -> tensor<128x64xi1, #blocked2>
    %48 = tt.broadcast %46 : tensor<1x64xi1, #blocked2> -> tensor<128x64xi1, #blocked2>
    %49 = arith.andi %47, %48 : tensor<128x64xi1, #blocked2>
    %50 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked2>
    %51 = arith.muli %17, %50 : tensor<128x1xi32, #blocked2>
    %52 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked2>
    %53 = tt.addptr %52, %51 : tensor<128x1x!tt.ptr<f16>, #blocked2>, tensor<128x1xi32, #blocked2>
    %54 = tt.broadcast %53 : tensor<128x1x!tt.ptr<f16>, #blocked2> -> tensor<128x64x!tt.ptr<f16>, #blocked2>
    %55 = tt.broadcast %36 : tensor<1x64xi32, #blocked2> -> tensor<128x64xi32, #blocked2>
    %56 = tt.addptr %54, %55 : tensor<128x64x!tt.ptr<f16>, #blocked2>, tensor<128x64xi32, #blocked2>
    %57 = arith.truncf %42#0 : tensor<128x64xf32, #blocked> to tensor<128x64xf16, #blocked>
    %58 = ttg.convert_layout %57 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #blocked2>
    tt.store %56, %58, %49 : tensor<128x64x!tt.ptr<f16>, #blocked2>
    tt.return
  }
}
