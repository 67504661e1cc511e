#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled_before(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<64x32xf32, #linear>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #linear>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = arith.addi %4, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = arith.addi %12, %10 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = arith.addi %13, %11 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %18 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %19 = arith.muli %16, %18 : tensor<64x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %22 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %23 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %25 = tt.addptr %23, %24 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
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
    %39 = arith.muli %arg7, %c32_i32 : i32
    %40 = tt.splat %39 : i32 -> tensor<32x32xi32, #blocked>
    %41:3 = scf.for %arg9 = %c0_i32 to %38 step %c1_i32 iter_args(%arg10 = %cst_1, %arg11 = %25, %arg12 = %36) -> (tensor<64x32xf32, #linear>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>)  : i32 {
      %57 = tt.load %arg11 : tensor<64x32x!tt.ptr<f16>, #blocked>
      %58 = ttg.local_alloc %57 : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %59 = tt.load %arg12 : tensor<32x32x!tt.ptr<f16>, #blocked>
      %60 = ttg.local_alloc %59 : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %61 = arith.mulf %arg10, %cst_0 : tensor<64x32xf32, #linear>
      %result, %token = ttng.tmem_alloc %61 : (tensor<64x32xf32, #linear>) -> (!ttg.memdesc<64x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %62 = ttng.tc_gen5_mma %58, %60, %result[%token], %true, %true : !ttg.memdesc<64x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<64x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_2, %token_3 = ttng.tmem_load %result[%62] : !ttg.memdesc<64x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #linear>
      %63 = tt.addptr %arg11, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %64 = tt.addptr %arg12, %40 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %result_2, %63, %64 : tensor<64x32xf32, #linear>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>
    }
    %42 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked1>
    %43 = arith.cmpi slt, %17, %42 : tensor<64x1xi32, #blocked1>
    %44 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x32xi32, #blocked1>
    %46 = tt.broadcast %43 : tensor<64x1xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
    %47 = tt.broadcast %45 : tensor<1x32xi1, #blocked1> -> tensor<64x32xi1, #blocked1>
    %48 = arith.andi %46, %47 : tensor<64x32xi1, #blocked1>
    %49 = tt.splat %arg8 : i32 -> tensor<64x1xi32, #blocked1>
    %50 = arith.muli %17, %49 : tensor<64x1xi32, #blocked1>
    %51 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %52 = tt.addptr %51, %50 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %53 = tt.broadcast %52 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x32x!tt.ptr<f32>, #blocked1>
    %54 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %55 = tt.addptr %53, %54 : tensor<64x32x!tt.ptr<f32>, #blocked1>, tensor<64x32xi32, #blocked1>
    %56 = ttg.convert_layout %41#0 : tensor<64x32xf32, #linear> -> tensor<64x32xf32, #blocked1>
    tt.store %55, %56, %48 : tensor<64x32x!tt.ptr<f32>, #blocked1>
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
  tt.func public @stored_at_times(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
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
    %39 = arith.muli %arg7, %c32_i32 : i32
    %40 = tt.splat %39 : i32 -> tensor<32x32xi32, #blocked>
    %41:4 = scf.for %arg9 = %c0_i32 to %38 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %25, %arg12 = %36, %arg13 = %false) -> (tensor<128x32xf32, #linear>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1)  : i32 {
      %57 = tt.load %arg11 : tensor<128x32x!tt.ptr<f16>, #blocked>
      %58 = ttg.local_alloc %57 : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %59 = tt.load %arg12 : tensor<32x32x!tt.ptr<f16>, #blocked>
      %60 = ttg.local_alloc %59 : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %result, %token = ttng.tmem_alloc %arg10 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %61 = ttng.tc_gen5_mma %58, %60, %result[%token], %arg13, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_1, %token_2 = ttng.tmem_load %result[%61] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %62 = arith.remsi %arg9, %c4_i32 : i32
      %63 = arith.cmpi eq, %62, %c3_i32 : i32
      %64 = arith.select %63, %false, %true : i1
      scf.if %63 {
        %67 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
        %68 = arith.muli %17, %67 : tensor<128x1xi32, #blocked1>
        %69 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
        %70 = tt.addptr %69, %68 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
        %71 = tt.broadcast %70 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
        %72 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
        %73 = tt.addptr %71, %72 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
        %74 = ttg.convert_layout %result_1 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
        tt.store %73, %74 : tensor<128x32x!tt.ptr<f32>, #blocked1>
      }
      %65 = tt.addptr %arg11, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %66 = tt.addptr %arg12, %40 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %result_1, %65, %66, %64 : tensor<128x32xf32, #linear>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1
    }
    %42 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %43 = arith.cmpi slt, %17, %42 : tensor<128x1xi32, #blocked1>
    %44 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %45 = arith.cmpi slt, %33, %44 : tensor<1x32xi32, #blocked1>
    %46 = tt.broadcast %43 : tensor<128x1xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %47 = tt.broadcast %45 : tensor<1x32xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %48 = arith.andi %46, %47 : tensor<128x32xi1, #blocked1>
    %49 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %50 = arith.muli %17, %49 : tensor<128x1xi32, #blocked1>
    %51 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %52 = tt.addptr %51, %50 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %53 = tt.broadcast %52 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %54 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %55 = tt.addptr %53, %54 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %56 = ttg.convert_layout %41#0 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %55, %56, %48 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @read_at_times(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked2>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.splat %1 : i32 -> tensor<128xi32, #blocked2>
    %8 = arith.addi %5, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = arith.addi %6, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = arith.addi %7, %4 : tensor<128xi32, #blocked2>
    %11 = tt.get_program_id y : i32
    %12 = arith.muli %11, %c32_i32 : i32
    %13 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = tt.splat %12 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %16 = tt.splat %12 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %17 = arith.addi %15, %13 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %18 = arith.addi %16, %14 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %19 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %20 = tt.expand_dims %9 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %21 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %22 = arith.muli %19, %21 : tensor<128x1xi32, #blocked>
    %23 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %24 = tt.addptr %23, %22 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %25 = tt.expand_dims %13 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %26 = tt.broadcast %24 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %27 = tt.broadcast %25 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %28 = tt.addptr %26, %27 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %29 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %31 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked>
    %32 = arith.muli %30, %31 : tensor<32x1xi32, #blocked>
    %33 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %34 = tt.addptr %33, %32 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %35 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %36 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %37 = tt.broadcast %34 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %38 = tt.broadcast %35 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %39 = tt.addptr %37, %38 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %40 = arith.addi %arg5, %c31_i32 : i32
    %41 = arith.divsi %40, %c32_i32 : i32
    %42 = arith.muli %arg7, %c32_i32 : i32
    %43 = tt.splat %42 : i32 -> tensor<32x32xi32, #blocked>
    %44:4 = scf.for %arg9 = %c0_i32 to %41 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %28, %arg12 = %39, %arg13 = %false) -> (tensor<128x32xf32, #linear>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1)  : i32 {
      %60 = tt.load %arg11 : tensor<128x32x!tt.ptr<f16>, #blocked>
      %61 = ttg.local_alloc %60 : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %62 = tt.load %arg12 : tensor<32x32x!tt.ptr<f16>, #blocked>
      %63 = ttg.local_alloc %62 : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %result, %token = ttng.tmem_alloc %arg10 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %64 = ttng.tc_gen5_mma %61, %63, %result[%token], %arg13, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_1, %token_2 = ttng.tmem_load %result[%64] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %65 = arith.remsi %arg9, %c4_i32 : i32
      %66 = arith.cmpi eq, %65, %c3_i32 : i32
      scf.if %66 {
        %69 = tt.addptr %arg2, %arg9 : !tt.ptr<f32>, i32
        %70 = tt.splat %69 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked2>
        %71 = tt.addptr %70, %10 : tensor<128x!tt.ptr<f32>, #blocked2>, tensor<128xi32, #blocked2>
        %72 = "tt.reduce"(%result_1) <{axis = 1 : i32}> ({
        ^bb0(%arg14: f32, %arg15: f32):
          %74 = arith.addf %arg14, %arg15 : f32
          tt.reduce.return %74 : f32
        }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
        %73 = ttg.convert_layout %72 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128xf32, #blocked2>
        tt.store %71, %73 : tensor<128x!tt.ptr<f32>, #blocked2>
      }
      %67 = tt.addptr %arg11, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %68 = tt.addptr %arg12, %43 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      scf.yield %result_1, %67, %68, %true : tensor<128x32xf32, #linear>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i1
    }
    %45 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %46 = arith.cmpi slt, %20, %45 : tensor<128x1xi32, #blocked1>
    %47 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %48 = arith.cmpi slt, %36, %47 : tensor<1x32xi32, #blocked1>
    %49 = tt.broadcast %46 : tensor<128x1xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %50 = tt.broadcast %48 : tensor<1x32xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %51 = arith.andi %49, %50 : tensor<128x32xi1, #blocked1>
    %52 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %53 = arith.muli %20, %52 : tensor<128x1xi32, #blocked1>
    %54 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %55 = tt.addptr %54, %53 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %56 = tt.broadcast %55 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %57 = tt.broadcast %36 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %58 = tt.addptr %56, %57 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %59 = ttg.convert_layout %44#0 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %58, %59, %51 : tensor<128x32x!tt.ptr<f32>, #blocked1>
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
  tt.func public @product_either(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<512> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<512> : tensor<128x1xi32, #blocked1>
    %cst_1 = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16384_i32 = arith.constant 16384 : i32
    %true = arith.constant true
    %cst_2 = arith.constant dense<2.000000e+00> : tensor<128x32xf32, #linear>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %2 = arith.muli %1, %cst_1 : tensor<128x1xi32, #blocked>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %8 = arith.muli %7, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %10 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_3) -> (tensor<128x32xf32, #linear>)  : i32 {
      %22 = arith.muli %arg4, %c32_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f16>, i32
      %24 = tt.splat %23 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %25 = tt.addptr %24, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %26 = tt.broadcast %25 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %27 = tt.addptr %26, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %28 = tt.load %27 : tensor<128x32x!tt.ptr<f16>, #blocked>
      %29 = ttg.local_alloc %28 : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %30 = arith.muli %arg4, %c16384_i32 : i32
      %31 = tt.addptr %arg1, %30 : !tt.ptr<f16>, i32
      %32 = tt.splat %31 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
      %33 = tt.addptr %32, %8 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %34 = tt.broadcast %33 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
      %35 = tt.addptr %34, %9 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x32x!tt.ptr<f16>, #blocked>
      %37 = ttg.local_alloc %36 : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %38 = arith.remsi %arg4, %c3_i32 : i32
      %39 = arith.cmpi eq, %38, %c0_i32 : i32
      %40 = scf.if %39 -> (tensor<128x32xf32, #linear>) {
        %result, %token = ttng.tmem_alloc %arg5 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
        %41 = ttng.tc_gen5_mma %29, %37, %result[%token], %true, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
        %result_4, %token_5 = ttng.tmem_load %result[%41] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
        scf.yield %result_4 : tensor<128x32xf32, #linear>
      } else {
        %41 = arith.mulf %arg5, %cst_2 : tensor<128x32xf32, #linear>
        %result, %token = ttng.tmem_alloc %41 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
        %42 = ttng.tc_gen5_mma %29, %37, %result[%token], %true, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
        %result_4, %token_5 = ttng.tmem_load %result[%42] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
        scf.yield %result_4 : tensor<128x32xf32, #linear>
      }
      scf.yield %40 : tensor<128x32xf32, #linear>
    }
    %11 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %13 = arith.muli %12, %cst_0 : tensor<128x1xi32, #blocked1>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %13 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %16 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %17 = tt.expand_dims %16 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %18 = tt.broadcast %15 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %19 = tt.broadcast %17 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %20 = tt.addptr %18, %19 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %21 = ttg.convert_layout %10 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %20, %21 : tensor<128x32x!tt.ptr<f32>, #blocked1>
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
  tt.func public @product_kept(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<512> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<512> : tensor<128x1xi32, #blocked1>
    %cst_1 = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c16384_i32 = arith.constant 16384 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %2 = arith.muli %1, %cst_1 : tensor<128x1xi32, #blocked>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %8 = arith.muli %7, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %10:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_2, %arg6 = %false) -> (tensor<128x32xf32, #linear>, i1)  : i32 {
      %22 = arith.muli %arg4, %c32_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f16>, i32
      %24 = tt.splat %23 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %25 = tt.addptr %24, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %26 = tt.broadcast %25 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %27 = tt.addptr %26, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %28 = tt.load %27 : tensor<128x32x!tt.ptr<f16>, #blocked>
      %29 = ttg.local_alloc %28 : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
      %30 = arith.muli %arg4, %c16384_i32 : i32
      %31 = tt.addptr %arg1, %30 : !tt.ptr<f16>, i32
      %32 = tt.splat %31 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
      %33 = tt.addptr %32, %8 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %34 = tt.broadcast %33 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x32x!tt.ptr<f16>, #blocked>
      %35 = tt.addptr %34, %9 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x32x!tt.ptr<f16>, #blocked>
      %37 = ttg.local_alloc %36 : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
      %result, %token = ttng.tmem_alloc %arg5 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %38 = ttng.tc_gen5_mma %29, %37, %result[%token], %arg6, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_3, %token_4 = ttng.tmem_load %result[%38] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %39 = arith.remsi %arg4, %c2_i32 : i32
      %40 = arith.cmpi eq, %39, %c0_i32 : i32
      %41 = tt.splat %40 : i1 -> tensor<128x32xi1, #linear>
      %42 = arith.select %41, %result_3, %cst_2 : tensor<128x32xi1, #linear>, tensor<128x32xf32, #linear>
      scf.yield %42, %true : tensor<128x32xf32, #linear>, i1
    }
    %11 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %13 = arith.muli %12, %cst_0 : tensor<128x1xi32, #blocked1>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %13 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %16 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %17 = tt.expand_dims %16 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %18 = tt.broadcast %15 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %19 = tt.broadcast %17 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %20 = tt.addptr %18, %19 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %21 = ttg.convert_layout %10#0 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %20, %21 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @persistent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %cst_1 = arith.constant dense<0> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %true = arith.constant true
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %0 = arith.addi %arg3, %c127_i32 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = arith.addi %arg4, %c31_i32 : i32
    %3 = arith.divsi %2, %c32_i32 : i32
    %4 = arith.muli %1, %3 : i32
    %5 = tt.get_program_id x : i32
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %10 = arith.addi %arg5, %c31_i32 : i32
    %11 = arith.divsi %10, %c32_i32 : i32
    %12 = tt.splat %arg4 : i32 -> tensor<128x1xi32, #blocked>
    %13 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %14 = arith.cmpi eq, %11, %c0_i32 : i32
    scf.if %14 {
      scf.for %arg6 = %5 to %4 step %c4_i32  : i32 {
        %15 = arith.remsi %arg6, %1 : i32
        %16 = arith.muli %15, %c128_i32 : i32
        %17 = arith.divsi %arg6, %1 : i32
        %18 = arith.muli %17, %c32_i32 : i32
        %19 = tt.splat %16 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %20 = arith.addi %19, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %21 = tt.splat %18 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
        %22 = arith.addi %21, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
        %23 = tt.expand_dims %20 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
        %24 = arith.muli %23, %12 : tensor<128x1xi32, #blocked>
        %25 = tt.addptr %13, %24 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
        %26 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
        %27 = tt.broadcast %25 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x32x!tt.ptr<f32>, #blocked>
        %28 = tt.broadcast %26 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
        %29 = tt.addptr %27, %28 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
        tt.store %29, %cst : tensor<128x32x!tt.ptr<f32>, #blocked>
      } {tt.flatten}
    } else {
      %15 = arith.subi %4, %5 : i32
      %16 = arith.ceildivsi %15, %c4_i32 : i32
      %17 = arith.maxsi %11, %c1_i32 : i32
      %18 = arith.muli %16, %17 : i32
      %19 = arith.subi %5, %c4_i32 : i32
      %20 = tt.splat %arg5 : i32 -> tensor<128x1xi32, #blocked1>
      %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
      %22 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
      %24 = tt.broadcast %23 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
      %25 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked1>
      %26 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
      %27 = tt.broadcast %23 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
      %28 = arith.subi %17, %c1_i32 : i32
      %29 = arith.subi %17, %c1_i32 : i32
      %30:9 = scf.for %arg6 = %c0_i32 to %18 step %c1_i32 iter_args(%arg7 = %c0_i32, %arg8 = %19, %arg9 = %c0_i32, %arg10 = %cst_2, %arg11 = %c0_i32, %arg12 = %cst_1, %arg13 = %c0_i32, %arg14 = %cst_0, %arg15 = %false) -> (i32, i32, i32, tensor<128x32xf32, #linear>, i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i1)  : i32 {
        %31 = arith.cmpi eq, %arg7, %c0_i32 : i32
        %32 = arith.select %31, %c0_i32, %arg9 : i32
        %33:5 = scf.if %31 -> (i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32) {
          %61 = arith.addi %arg8, %c4_i32 : i32
          %62 = arith.remsi %61, %1 : i32
          %63 = arith.muli %62, %c128_i32 : i32
          %64 = tt.splat %63 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          %65 = arith.addi %64, %6 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          %66 = arith.divsi %61, %1 : i32
          %67 = arith.muli %66, %c32_i32 : i32
          %68 = tt.splat %67 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          %69 = arith.addi %68, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          scf.yield %63, %65, %67, %69, %61 : i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32
        } else {
          scf.yield %arg11, %arg12, %arg13, %arg14, %arg8 : i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32
        }
        %34 = tt.expand_dims %33#1 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
        %35 = arith.muli %34, %20 : tensor<128x1xi32, #blocked1>
        %36 = tt.addptr %21, %35 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
        %37 = tt.broadcast %36 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x32x!tt.ptr<f16>, #blocked1>
        %38 = tt.addptr %37, %24 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
        %39 = arith.muli %32, %c32_i32 : i32
        %40 = tt.splat %39 : i32 -> tensor<128x32xi32, #blocked1>
        %41 = tt.addptr %38, %40 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
        %42 = tt.load %41 : tensor<128x32x!tt.ptr<f16>, #blocked1>
        %43 = ttg.local_alloc %42 : (tensor<128x32xf16, #blocked1>) -> !ttg.memdesc<128x32xf16, #shared, #smem>
        %44 = tt.expand_dims %33#3 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
        %45 = arith.muli %44, %25 : tensor<32x1xi32, #blocked1>
        %46 = tt.addptr %26, %45 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
        %47 = tt.broadcast %46 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
        %48 = tt.addptr %47, %27 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
        %49 = tt.splat %39 : i32 -> tensor<32x32xi32, #blocked1>
        %50 = tt.addptr %48, %49 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
        %51 = tt.load %50 : tensor<32x32x!tt.ptr<f16>, #blocked1>
        %52 = ttg.local_alloc %51 : (tensor<32x32xf16, #blocked1>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
        %53 = ttg.memdesc_trans %52 {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared1, #smem>
        %result, %token = ttng.tmem_alloc %arg10 : (tensor<128x32xf32, #linear>) -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
        %54 = ttng.tc_gen5_mma %43, %53, %result[%token], %arg15, %true : !ttg.memdesc<128x32xf16, #shared, #smem>, !ttg.memdesc<32x32xf16, #shared1, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
        %result_3, %token_4 = ttng.tmem_load %result[%54] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
        %55 = arith.addi %32, %c1_i32 : i32
        %56 = arith.cmpi eq, %arg7, %28 : i32
        %57 = arith.select %56, %false, %true : i1
        scf.if %56 {
          %61 = tt.splat %33#0 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          %62 = arith.addi %61, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          %63 = tt.splat %33#2 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
          %64 = arith.addi %63, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
          %65 = tt.expand_dims %62 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
          %66 = arith.muli %65, %12 : tensor<128x1xi32, #blocked>
          %67 = tt.addptr %13, %66 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
          %68 = tt.expand_dims %64 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
          %69 = tt.broadcast %67 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x32x!tt.ptr<f32>, #blocked>
          %70 = tt.broadcast %68 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
          %71 = tt.addptr %69, %70 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
          %72 = ttg.convert_layout %result_3 : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked>
          tt.store %71, %72 : tensor<128x32x!tt.ptr<f32>, #blocked>
        }
        %58 = arith.addi %arg7, %c1_i32 : i32
        %59 = arith.cmpi eq, %arg7, %29 : i32
        %60 = arith.select %59, %c0_i32, %58 : i32
        scf.yield %60, %33#4, %55, %result_3, %33#0, %33#1, %33#2, %33#3, %57 : i32, i32, i32, tensor<128x32xf32, #linear>, i32, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i32, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, i1
      }
    }
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scores(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128x32xf32, #linear>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #linear1>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %10 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %11 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xi32, #linear>
    %12 = arith.muli %10, %cst_0 : tensor<128x1xi32, #blocked>
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
    %26 = tt.broadcast %11 : tensor<128x1xi32, #linear> -> tensor<128x32xi32, #linear>
    %27 = tt.splat %arg4 : f32 -> tensor<128x32xf32, #linear>
    %28:3 = scf.for %arg6 = %c0_i32 to %22 step %c32_i32 iter_args(%arg7 = %cst_1, %arg8 = %cst_3, %arg9 = %cst_4) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128x64xf32, #linear1>)  : i32 {
      %39 = tt.splat %arg6 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %40 = tt.splat %arg6 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>>
      %41 = arith.addi %39, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %42 = arith.addi %40, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>>
      %43 = tt.expand_dims %41 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %44 = arith.muli %43, %cst : tensor<32x1xi32, #blocked>
      %45 = tt.addptr %23, %44 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %46 = tt.broadcast %45 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %47 = tt.addptr %46, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      %48 = tt.load %47 : tensor<32x64x!tt.ptr<f16>, #blocked>
      %49 = tt.addptr %25, %44 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %50 = tt.broadcast %49 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %51 = tt.addptr %50, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
      %52 = tt.load %51 : tensor<32x64x!tt.ptr<f16>, #blocked>
      %53 = ttg.local_alloc %52 : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %54 = ttg.local_alloc %48 : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
      %55 = ttg.memdesc_trans %54 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared1, #smem>
      %result, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %56 = ttng.tc_gen5_mma %21, %55, %result[%token], %false, %true : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared1, #smem>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_5, %token_6 = ttng.tmem_load %result[%56] : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %57 = tt.expand_dims %42 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x32xi32, #linear>
      %58 = tt.broadcast %57 : tensor<1x32xi32, #linear> -> tensor<128x32xi32, #linear>
      %59 = arith.cmpi sge, %26, %58 : tensor<128x32xi32, #linear>
      %60 = arith.mulf %result_5, %27 : tensor<128x32xf32, #linear>
      %61 = arith.select %59, %60, %cst_2 : tensor<128x32xi1, #linear>, tensor<128x32xf32, #linear>
      %62 = "tt.reduce"(%61) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %80 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %80 : f32
      }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %63 = arith.maxnumf %arg7, %62 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %64 = tt.expand_dims %63 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
      %65 = tt.broadcast %64 : tensor<128x1xf32, #linear> -> tensor<128x32xf32, #linear>
      %66 = arith.subf %61, %65 : tensor<128x32xf32, #linear>
      %67 = math.exp2 %66 : tensor<128x32xf32, #linear>
      %68 = arith.subf %arg7, %63 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %69 = math.exp2 %68 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %70 = arith.mulf %arg8, %69 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %71 = "tt.reduce"(%67) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %80 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %80 : f32
      }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %72 = arith.addf %70, %71 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %73 = tt.expand_dims %69 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
      %74 = ttg.convert_layout %73 : tensor<128x1xf32, #linear> -> tensor<128x1xf32, #linear1>
      %75 = tt.broadcast %74 : tensor<128x1xf32, #linear1> -> tensor<128x64xf32, #linear1>
      %76 = arith.mulf %arg9, %75 : tensor<128x64xf32, #linear1>
      %77 = arith.truncf %67 : tensor<128x32xf32, #linear> to tensor<128x32xf16, #linear>
      %78 = ttg.local_alloc %77 : (tensor<128x32xf16, #linear>) -> !ttg.memdesc<128x32xf16, #shared2, #smem>
      %result_7, %token_8 = ttng.tmem_alloc %76 : (tensor<128x64xf32, #linear1>) -> (!ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.async.token)
      %79 = ttng.tc_gen5_mma %78, %53, %result_7[%token_8], %true, %true : !ttg.memdesc<128x32xf16, #shared2, #smem>, !ttg.memdesc<32x64xf16, #shared, #smem>, !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable>
      %result_9, %token_10 = ttng.tmem_load %result_7[%79] : !ttg.memdesc<128x64xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear1>
      scf.yield %63, %72, %result_9 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128x64xf32, #linear1>
    }
    %29 = tt.expand_dims %28#1 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %30 = ttg.convert_layout %29 : tensor<128x1xf32, #linear> -> tensor<128x1xf32, #linear1>
    %31 = tt.broadcast %30 : tensor<128x1xf32, #linear1> -> tensor<128x64xf32, #linear1>
    %32 = arith.divf %28#2, %31 : tensor<128x64xf32, #linear1>
    %33 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %34 = tt.addptr %33, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %35 = tt.broadcast %34 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %36 = tt.addptr %35, %18 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %37 = arith.truncf %32 : tensor<128x64xf32, #linear1> to tensor<128x64xf16, #linear1>
    %38 = ttg.convert_layout %37 : tensor<128x64xf16, #linear1> -> tensor<128x64xf16, #blocked>
    tt.store %36, %38 : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
