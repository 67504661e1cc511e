#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16], [0, 1, 0]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 16, 0], [0, 0, 1]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#linear4 = #ttg.linear<{register = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 1, 0]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}>
#linear5 = #ttg.linear<{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 1]], lane = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [16, 0, 0]], warp = [[32, 0, 0], [64, 0, 0]], block = []}>
#linear6 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @halves(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32768_i32 = arith.constant 32768 : i32
    %c64_i32 = arith.constant 64 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #linear>
    %true = arith.constant true
    %c16384_i32 = arith.constant 16384 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %cst_1 = arith.constant dense<512> : tensor<128x1xi32, #blocked1>
    %cst_2 = arith.constant dense<512> : tensor<128x1xi32, #blocked2>
    %cst_3 = arith.constant dense<512> : tensor<32x1xi32, #blocked3>
    %cst_4 = arith.constant dense<16> : tensor<128x16xi32, #blocked2>
    %cst_5 = arith.constant dense<32> : tensor<128x32xi32, #blocked1>
    %false = arith.constant false
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %2 = arith.muli %1, %cst_0 : tensor<128x1xi32, #blocked>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.broadcast %4 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %8 = arith.muli %7, %cst_3 : tensor<32x1xi32, #blocked3>
    %9 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %10 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %11 = tt.broadcast %10 : tensor<1x64xi32, #blocked3> -> tensor<32x64xi32, #blocked3>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst, %result, %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %12 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %13 = ttg.memdesc_index %12[%c0_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %13, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %14 = ttg.memdesc_index %12[%c1_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %14, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %15 = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    %16 = ttg.local_alloc : () -> !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable>
    %17 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %18 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %19 = tt.addptr %18, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %20 = tt.broadcast %19 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %22 = ttg.memdesc_index %15[%c0_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %23 = tt.splat %17 : i1 -> tensor<128x32xi1, #blocked>
    %24 = ttg.async_copy_global_to_local %21, %22 mask %23 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %25 = ttg.async_commit_group tokens %24
    %26 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked3>
    %27 = tt.addptr %26, %8 : tensor<32x1x!tt.ptr<f16>, #blocked3>, tensor<32x1xi32, #blocked3>
    %28 = tt.broadcast %27 : tensor<32x1x!tt.ptr<f16>, #blocked3> -> tensor<32x64x!tt.ptr<f16>, #blocked3>
    %29 = tt.addptr %28, %11 : tensor<32x64x!tt.ptr<f16>, #blocked3>, tensor<32x64xi32, #blocked3>
    %30 = ttg.memdesc_index %16[%c0_i32] : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
    %31 = tt.splat %17 : i1 -> tensor<32x64xi1, #blocked3>
    %32 = ttg.async_copy_global_to_local %29, %30 mask %31 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked3> -> <32x64xf16, #shared2, #smem, mutable>
    %33 = ttg.async_commit_group tokens %32
    %34 = arith.cmpi sgt, %arg3, %c1_i32 : i32
    %35 = tt.addptr %arg0, %c32_i32 : !tt.ptr<f16>, i32
    %36 = tt.splat %35 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %37 = tt.addptr %36, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %38 = tt.broadcast %37 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %39 = tt.addptr %38, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %40 = ttg.memdesc_index %15[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %41 = tt.splat %34 : i1 -> tensor<128x32xi1, #blocked>
    %42 = ttg.async_copy_global_to_local %39, %40 mask %41 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %43 = ttg.async_commit_group tokens %42
    %44 = tt.addptr %arg1, %c16384_i32 : !tt.ptr<f16>, i32
    %45 = tt.splat %44 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked3>
    %46 = tt.addptr %45, %8 : tensor<32x1x!tt.ptr<f16>, #blocked3>, tensor<32x1xi32, #blocked3>
    %47 = tt.broadcast %46 : tensor<32x1x!tt.ptr<f16>, #blocked3> -> tensor<32x64x!tt.ptr<f16>, #blocked3>
    %48 = tt.addptr %47, %11 : tensor<32x64x!tt.ptr<f16>, #blocked3>, tensor<32x64xi32, #blocked3>
    %49 = ttg.memdesc_index %16[%c1_i32] : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
    %50 = tt.splat %34 : i1 -> tensor<32x64xi1, #blocked3>
    %51 = ttg.async_copy_global_to_local %48, %49 mask %50 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked3> -> <32x64xf16, #shared2, #smem, mutable>
    %52 = ttg.async_commit_group tokens %51
    %53 = arith.cmpi sgt, %arg3, %c2_i32 : i32
    %54 = ttg.async_wait %25, %33 {num = 2 : i32}
    ttng.tc_gen5_mma %22, %30, %result, %false, %17, %13[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %55 = tt.addptr %arg0, %c64_i32 : !tt.ptr<f16>, i32
    %56 = tt.splat %55 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %57 = tt.addptr %56, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %58 = tt.broadcast %57 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %59 = tt.addptr %58, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %60 = ttg.memdesc_index %15[%c2_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %61 = tt.splat %53 : i1 -> tensor<128x32xi1, #blocked>
    %62 = ttg.async_copy_global_to_local %59, %60 mask %61 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = tt.addptr %arg1, %c32768_i32 : !tt.ptr<f16>, i32
    %65 = tt.splat %64 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked3>
    %66 = tt.addptr %65, %8 : tensor<32x1x!tt.ptr<f16>, #blocked3>, tensor<32x1xi32, #blocked3>
    %67 = tt.broadcast %66 : tensor<32x1x!tt.ptr<f16>, #blocked3> -> tensor<32x64x!tt.ptr<f16>, #blocked3>
    %68 = tt.addptr %67, %11 : tensor<32x64x!tt.ptr<f16>, #blocked3>, tensor<32x64xi32, #blocked3>
    %69 = ttg.memdesc_index %16[%c2_i32] : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
    %70 = tt.splat %53 : i1 -> tensor<32x64xi1, #blocked3>
    %71 = ttg.async_copy_global_to_local %68, %69 mask %70 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked3> -> <32x64xf16, #shared2, #smem, mutable>
    %72 = ttg.async_commit_group tokens %71
    %73 = arith.subi %arg3, %c1_i32 : i32
    %74:12 = scf.for %arg4 = %c0_i32 to %73 step %c1_i32 iter_args(%arg5 = %c0_i32, %arg6 = %c1_i32, %arg7 = %c2_i32, %arg8 = %c0_i32, %arg9 = %43, %arg10 = %63, %arg11 = %52, %arg12 = %72, %arg13 = %13, %arg14 = %c0_i32, %arg15 = %22, %arg16 = %30) -> (i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>)  : i32 {
      %105 = arith.subi %arg3, %c3_i32 : i32
      %106 = arith.cmpi slt, %arg4, %105 : i32
      %107 = arith.addi %arg8, %c1_i32 : i32
      %108 = arith.cmpi sge, %107, %c3_i32 : i32
      %109 = arith.select %108, %c0_i32, %107 : i32
      %110 = ttg.async_wait %arg9, %arg11 {num = 2 : i32}
      %111 = ttg.memdesc_index %15[%109] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
      %112 = ttg.memdesc_index %16[%109] : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
      %113 = ttg.memdesc_index %12[%arg6] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
      ttng.tc_gen5_mma %111, %112, %result, %true, %true, %113[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
      ttng.wait_barrier %arg13, %arg14 deps %arg15, %arg16 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
      %114 = arith.xori %arg5, %c1_i32 : i32
      %115 = arith.addi %arg6, %c1_i32 : i32
      %116 = arith.cmpi sge, %115, %c2_i32 : i32
      %117 = arith.select %116, %c0_i32, %115 : i32
      %118 = arith.select %116, %114, %arg5 : i32
      %119 = arith.addi %arg7, %c1_i32 : i32
      %120 = arith.cmpi sge, %119, %c3_i32 : i32
      %121 = arith.select %120, %c0_i32, %119 : i32
      %122 = arith.addi %arg4, %c3_i32 : i32
      %123 = arith.muli %122, %c32_i32 : i32
      %124 = tt.addptr %arg0, %123 : !tt.ptr<f16>, i32
      %125 = tt.splat %124 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %126 = tt.addptr %125, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %127 = tt.broadcast %126 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %128 = tt.addptr %127, %5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %129 = ttg.memdesc_index %15[%121] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
      %130 = tt.splat %106 : i1 -> tensor<128x32xi1, #blocked>
      %131 = ttg.async_copy_global_to_local %128, %129 mask %130 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
      %132 = ttg.async_commit_group tokens %131
      %133 = arith.muli %122, %c16384_i32 : i32
      %134 = tt.addptr %arg1, %133 : !tt.ptr<f16>, i32
      %135 = tt.splat %134 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked3>
      %136 = tt.addptr %135, %8 : tensor<32x1x!tt.ptr<f16>, #blocked3>, tensor<32x1xi32, #blocked3>
      %137 = tt.broadcast %136 : tensor<32x1x!tt.ptr<f16>, #blocked3> -> tensor<32x64x!tt.ptr<f16>, #blocked3>
      %138 = tt.addptr %137, %11 : tensor<32x64x!tt.ptr<f16>, #blocked3>, tensor<32x64xi32, #blocked3>
      %139 = ttg.memdesc_index %16[%121] : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
      %140 = tt.splat %106 : i1 -> tensor<32x64xi1, #blocked3>
      %141 = ttg.async_copy_global_to_local %138, %139 mask %140 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked3> -> <32x64xf16, #shared2, #smem, mutable>
      %142 = ttg.async_commit_group tokens %141
      scf.yield %118, %117, %121, %109, %arg10, %132, %arg12, %142, %113, %arg5, %111, %112 : i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
    }
    scf.if %17 {
      ttng.wait_barrier %74#8, %74#9 deps %74#10, %74#11 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared2, #smem, mutable>
    }
    %75 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %16 : !ttg.memdesc<3x32x64xf16, #shared2, #smem, mutable>
    ttg.local_dealloc %15 : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    ttng.inval_barrier %13 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %14 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %12 : !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %result_6 = ttng.tmem_load %result : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
    %76 = tt.reshape %result_6 : tensor<128x64xf32, #linear> -> tensor<128x2x32xf32, #linear1>
    %77 = tt.trans %76 {order = array<i32: 0, 2, 1>} : tensor<128x2x32xf32, #linear1> -> tensor<128x32x2xf32, #linear2>
    %outLHS, %outRHS = tt.split %77 : tensor<128x32x2xf32, #linear2> -> tensor<128x32xf32, #linear3>
    %78 = ttg.convert_layout %outRHS : tensor<128x32xf32, #linear3> -> tensor<128x32xf32, #blocked1>
    %79 = tt.reshape %outLHS : tensor<128x32xf32, #linear3> -> tensor<128x2x16xf32, #linear4>
    %80 = tt.trans %79 {order = array<i32: 0, 2, 1>} : tensor<128x2x16xf32, #linear4> -> tensor<128x16x2xf32, #linear5>
    %outLHS_7, %outRHS_8 = tt.split %80 : tensor<128x16x2xf32, #linear5> -> tensor<128x16xf32, #linear6>
    %81 = ttg.convert_layout %outRHS_8 : tensor<128x16xf32, #linear6> -> tensor<128x16xf32, #blocked2>
    %82 = ttg.convert_layout %outLHS_7 : tensor<128x16xf32, #linear6> -> tensor<128x16xf32, #blocked2>
    %83 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %84 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %85 = tt.expand_dims %83 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
    %86 = tt.expand_dims %84 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %87 = arith.muli %85, %cst_2 : tensor<128x1xi32, #blocked2>
    %88 = arith.muli %86, %cst_1 : tensor<128x1xi32, #blocked1>
    %89 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked2>
    %90 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %91 = tt.addptr %89, %87 : tensor<128x1x!tt.ptr<f32>, #blocked2>, tensor<128x1xi32, #blocked2>
    %92 = tt.addptr %90, %88 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %93 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %94 = tt.expand_dims %93 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x16xi32, #blocked2>
    %95 = tt.broadcast %91 : tensor<128x1x!tt.ptr<f32>, #blocked2> -> tensor<128x16x!tt.ptr<f32>, #blocked2>
    %96 = tt.broadcast %94 : tensor<1x16xi32, #blocked2> -> tensor<128x16xi32, #blocked2>
    %97 = tt.addptr %95, %96 : tensor<128x16x!tt.ptr<f32>, #blocked2>, tensor<128x16xi32, #blocked2>
    tt.store %97, %82 : tensor<128x16x!tt.ptr<f32>, #blocked2>
    %98 = tt.addptr %97, %cst_4 : tensor<128x16x!tt.ptr<f32>, #blocked2>, tensor<128x16xi32, #blocked2>
    tt.store %98, %81 : tensor<128x16x!tt.ptr<f32>, #blocked2>
    %99 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %100 = tt.expand_dims %99 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %101 = tt.broadcast %92 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %102 = tt.broadcast %100 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %103 = tt.addptr %101, %102 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %104 = tt.addptr %103, %cst_5 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    tt.store %104, %78 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 16]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row_maxima(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32768_i32 = arith.constant 32768 : i32
    %c64_i32 = arith.constant 64 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<512> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<512> : tensor<32x1xi32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16384_i32 = arith.constant 16384 : i32
    %c512_i32 = arith.constant 512 : i32
    %c32_i32 = arith.constant 32 : i32
    %true = arith.constant true
    %false = arith.constant false
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked2>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<128x1xi32, #blocked>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %7 = tt.expand_dims %5 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %8 = tt.broadcast %6 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %9 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %11 = arith.muli %10, %cst_0 : tensor<32x1xi32, #blocked1>
    %12 = tt.broadcast %7 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %13 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %14 = ttg.memdesc_index %13[%c0_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %14, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %15 = ttg.memdesc_index %13[%c1_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %15, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %16 = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    %17 = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    %18 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %19 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %20 = tt.addptr %19, %3 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %21 = tt.broadcast %20 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %22 = tt.addptr %21, %8 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %23 = ttg.memdesc_index %16[%c0_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %24 = tt.splat %18 : i1 -> tensor<128x32xi1, #blocked>
    %25 = ttg.async_copy_global_to_local %22, %23 mask %24 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %26 = ttg.async_commit_group tokens %25
    %27 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %28 = tt.addptr %27, %11 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %29 = tt.broadcast %28 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
    %30 = tt.addptr %29, %12 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %31 = ttg.memdesc_index %17[%c0_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %32 = tt.splat %18 : i1 -> tensor<32x32xi1, #blocked1>
    %33 = ttg.async_copy_global_to_local %30, %31 mask %32 {contiguity = 4 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %34 = ttg.async_commit_group tokens %33
    %35 = arith.cmpi sgt, %arg3, %c1_i32 : i32
    %36 = tt.addptr %arg0, %c32_i32 : !tt.ptr<f16>, i32
    %37 = tt.splat %36 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %38 = tt.addptr %37, %3 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %39 = tt.broadcast %38 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %40 = tt.addptr %39, %8 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %41 = ttg.memdesc_index %16[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %42 = tt.splat %35 : i1 -> tensor<128x32xi1, #blocked>
    %43 = ttg.async_copy_global_to_local %40, %41 mask %42 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %44 = ttg.async_commit_group tokens %43
    %45 = tt.addptr %arg1, %c16384_i32 : !tt.ptr<f16>, i32
    %46 = tt.splat %45 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %47 = tt.addptr %46, %11 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %48 = tt.broadcast %47 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
    %49 = tt.addptr %48, %12 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %50 = ttg.memdesc_index %17[%c1_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %51 = tt.splat %35 : i1 -> tensor<32x32xi1, #blocked1>
    %52 = ttg.async_copy_global_to_local %49, %50 mask %51 {contiguity = 4 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %53 = ttg.async_commit_group tokens %52
    %54 = arith.cmpi sgt, %arg3, %c2_i32 : i32
    %55 = ttg.async_wait %26, %34 {num = 2 : i32}
    ttng.tc_gen5_mma %23, %31, %result, %false, %18, %14[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %56 = tt.addptr %arg0, %c64_i32 : !tt.ptr<f16>, i32
    %57 = tt.splat %56 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %58 = tt.addptr %57, %3 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %59 = tt.broadcast %58 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %60 = tt.addptr %59, %8 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %61 = ttg.memdesc_index %16[%c2_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %62 = tt.splat %54 : i1 -> tensor<128x32xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %60, %61 mask %62 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = tt.addptr %arg1, %c32768_i32 : !tt.ptr<f16>, i32
    %66 = tt.splat %65 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %67 = tt.addptr %66, %11 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %68 = tt.broadcast %67 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
    %69 = tt.addptr %68, %12 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %70 = ttg.memdesc_index %17[%c2_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %71 = tt.splat %54 : i1 -> tensor<32x32xi1, #blocked1>
    %72 = ttg.async_copy_global_to_local %69, %70 mask %71 {contiguity = 4 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %73 = ttg.async_commit_group tokens %72
    %74 = arith.subi %arg3, %c1_i32 : i32
    %75:12 = scf.for %arg4 = %c0_i32 to %74 step %c1_i32 iter_args(%arg5 = %c0_i32, %arg6 = %c1_i32, %arg7 = %c2_i32, %arg8 = %c0_i32, %arg9 = %14, %arg10 = %c0_i32, %arg11 = %23, %arg12 = %31, %arg13 = %44, %arg14 = %64, %arg15 = %53, %arg16 = %73) -> (i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)  : i32 {
      %77 = arith.subi %arg3, %c3_i32 : i32
      %78 = arith.cmpi slt, %arg4, %77 : i32
      %79 = arith.muli %arg4, %c512_i32 : i32
      %80 = tt.addptr %arg2, %79 : !tt.ptr<f32>, i32
      %81 = tt.splat %80 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked2>
      %82 = tt.addptr %81, %0 : tensor<128x!tt.ptr<f32>, #blocked2>, tensor<128xi32, #blocked2>
      ttng.wait_barrier %arg9, %arg10 deps %arg11, %arg12 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
      %result_1 = ttng.tmem_load %result : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %83 = math.exp %result_1 : tensor<128x32xf32, #linear>
      %84 = "tt.reduce"(%83) <{axis = 1 : i32}> ({
      ^bb0(%arg17: f32, %arg18: f32):
        %122 = arith.maxnumf %arg17, %arg18 : f32
        tt.reduce.return %122 : f32
      }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %85 = ttg.convert_layout %84 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128xf32, #blocked2>
      tt.store %82, %85 : tensor<128x!tt.ptr<f32>, #blocked2>
      %86 = arith.addi %arg8, %c1_i32 : i32
      %87 = arith.cmpi sge, %86, %c3_i32 : i32
      %88 = arith.select %87, %c0_i32, %86 : i32
      %89 = ttg.async_wait %arg13, %arg15 {num = 2 : i32}
      %90 = ttg.memdesc_index %16[%88] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
      %91 = ttg.memdesc_index %17[%88] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
      %92 = ttg.memdesc_index %13[%arg6] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
      ttng.tc_gen5_mma %90, %91, %result, %false, %true, %92[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
      %93 = arith.xori %arg5, %c1_i32 : i32
      %94 = arith.addi %arg6, %c1_i32 : i32
      %95 = arith.cmpi sge, %94, %c2_i32 : i32
      %96 = arith.select %95, %c0_i32, %94 : i32
      %97 = arith.select %95, %93, %arg5 : i32
      %98 = arith.addi %arg7, %c1_i32 : i32
      %99 = arith.cmpi sge, %98, %c3_i32 : i32
      %100 = arith.select %99, %c0_i32, %98 : i32
      %101 = arith.addi %arg4, %c3_i32 : i32
      %102 = arith.muli %101, %c32_i32 : i32
      %103 = tt.addptr %arg0, %102 : !tt.ptr<f16>, i32
      %104 = tt.splat %103 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %105 = tt.addptr %104, %3 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %106 = tt.broadcast %105 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %107 = tt.addptr %106, %8 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %108 = ttg.memdesc_index %16[%100] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
      %109 = tt.splat %78 : i1 -> tensor<128x32xi1, #blocked>
      %110 = ttg.async_copy_global_to_local %107, %108 mask %109 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
      %111 = ttg.async_commit_group tokens %110
      %112 = arith.muli %101, %c16384_i32 : i32
      %113 = tt.addptr %arg1, %112 : !tt.ptr<f16>, i32
      %114 = tt.splat %113 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
      %115 = tt.addptr %114, %11 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
      %116 = tt.broadcast %115 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
      %117 = tt.addptr %116, %12 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
      %118 = ttg.memdesc_index %17[%100] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
      %119 = tt.splat %78 : i1 -> tensor<32x32xi1, #blocked1>
      %120 = ttg.async_copy_global_to_local %117, %118 mask %119 {contiguity = 4 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
      %121 = ttg.async_commit_group tokens %120
      scf.yield %97, %96, %100, %88, %92, %arg5, %90, %91, %arg14, %111, %arg16, %121 : i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token
    }
    scf.if %18 {
      %77 = arith.muli %74, %c512_i32 : i32
      %78 = tt.addptr %arg2, %77 : !tt.ptr<f32>, i32
      %79 = tt.splat %78 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked2>
      %80 = tt.addptr %79, %0 : tensor<128x!tt.ptr<f32>, #blocked2>, tensor<128xi32, #blocked2>
      ttng.wait_barrier %75#4, %75#5 deps %75#6, %75#7 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
      %result_1 = ttng.tmem_load %result : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
      %81 = math.exp %result_1 : tensor<128x32xf32, #linear>
      %82 = "tt.reduce"(%81) <{axis = 1 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %84 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %84 : f32
      }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
      %83 = ttg.convert_layout %82 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128xf32, #blocked2>
      tt.store %80, %83 : tensor<128x!tt.ptr<f32>, #blocked2>
    }
    %76 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %17 : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %16 : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    ttng.inval_barrier %14 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %15 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %13 : !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    tt.return
  }
}
