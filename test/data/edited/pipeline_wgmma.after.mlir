#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c-1_i32 = arith.constant -1 : i32
    %cst = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x128xf16, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.get_program_id y : i32
    %10 = arith.muli %9, %c128_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = arith.addi %11, %4 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %14 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %15 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %16 = arith.muli %13, %15 : tensor<128x1xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %19 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %21 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %22 = tt.broadcast %20 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %23 = tt.addptr %21, %22 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %24 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %25 = tt.expand_dims %24 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %26 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked1>
    %27 = arith.muli %25, %26 : tensor<32x1xi32, #blocked1>
    %28 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %29 = tt.addptr %28, %27 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %30 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %31 = tt.broadcast %29 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x128x!tt.ptr<f16>, #blocked1>
    %32 = tt.broadcast %30 : tensor<1x128xi32, #blocked1> -> tensor<32x128xi32, #blocked1>
    %33 = tt.addptr %31, %32 : tensor<32x128x!tt.ptr<f16>, #blocked1>, tensor<32x128xi32, #blocked1>
    %34 = arith.addi %arg5, %c31_i32 : i32
    %35 = arith.divsi %34, %c32_i32 : i32
    %36 = arith.muli %arg7, %c32_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<32x128xi32, #blocked1>
    %38 = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
    %39 = ttg.local_alloc : () -> !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable>
    %40 = arith.cmpi sgt, %35, %c0_i32 : i32
    %41 = tt.splat %arg5 : i32 -> tensor<1x32xi32, #blocked>
    %42 = arith.cmpi slt, %20, %41 : tensor<1x32xi32, #blocked>
    %43 = tt.broadcast %42 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %44 = ttg.memdesc_index %38[%c0_i32] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
    %45 = tt.splat %40 : i1 -> tensor<128x32xi1, #blocked>
    %46 = arith.andi %45, %43 : tensor<128x32xi1, #blocked>
    %47 = ttg.async_copy_global_to_local %23, %44 mask %46 other %cst_0 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared, #smem, mutable>
    %48 = ttg.async_commit_group tokens %47
    %49 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked1>
    %50 = arith.cmpi slt, %25, %49 : tensor<32x1xi32, #blocked1>
    %51 = tt.broadcast %50 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
    %52 = ttg.memdesc_index %39[%c0_i32] : !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable>
    %53 = tt.splat %40 : i1 -> tensor<32x128xi1, #blocked1>
    %54 = arith.andi %53, %51 : tensor<32x128xi1, #blocked1>
    %55 = ttg.async_copy_global_to_local %33, %52 mask %54 other %cst_1 {contiguity = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked1> -> <32x128xf16, #shared1, #smem, mutable>
    %56 = ttg.async_commit_group tokens %55
    %57 = arith.cmpi sgt, %35, %c1_i32 : i32
    %58 = tt.addptr %23, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %59 = tt.addptr %33, %37 : tensor<32x128x!tt.ptr<f16>, #blocked1>, tensor<32x128xi32, #blocked1>
    %60 = arith.subi %arg5, %c32_i32 : i32
    %61 = tt.splat %60 : i32 -> tensor<1x32xi32, #blocked>
    %62 = arith.cmpi slt, %20, %61 : tensor<1x32xi32, #blocked>
    %63 = tt.broadcast %62 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %64 = ttg.memdesc_index %38[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
    %65 = tt.splat %57 : i1 -> tensor<128x32xi1, #blocked>
    %66 = arith.andi %65, %63 : tensor<128x32xi1, #blocked>
    %67 = ttg.async_copy_global_to_local %58, %64 mask %66 other %cst_0 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared, #smem, mutable>
    %68 = ttg.async_commit_group tokens %67
    %69 = tt.splat %60 : i32 -> tensor<32x1xi32, #blocked1>
    %70 = arith.cmpi slt, %25, %69 : tensor<32x1xi32, #blocked1>
    %71 = tt.broadcast %70 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
    %72 = ttg.memdesc_index %39[%c1_i32] : !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable>
    %73 = tt.splat %57 : i1 -> tensor<32x128xi1, #blocked1>
    %74 = arith.andi %73, %71 : tensor<32x128xi1, #blocked1>
    %75 = ttg.async_copy_global_to_local %59, %72 mask %74 other %cst_1 {contiguity = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked1> -> <32x128xf16, #shared1, #smem, mutable>
    %76 = ttg.async_commit_group tokens %75
    %77:11 = scf.for %arg9 = %c0_i32 to %35 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %58, %arg12 = %59, %arg13 = %c1_i32, %arg14 = %c-1_i32, %arg15 = %c3_i32, %arg16 = %c3_i32, %arg17 = %48, %arg18 = %68, %arg19 = %56, %arg20 = %76) -> (tensor<128x128xf32, #mma>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x128x!tt.ptr<f16>, #blocked1>, i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)  : i32 {
      %96 = arith.subi %35, %c2_i32 : i32
      %97 = arith.cmpi slt, %arg9, %96 : i32
      %98 = arith.addi %arg14, %c1_i32 : i32
      %99 = arith.cmpi sge, %98, %arg15 : i32
      %100 = arith.select %99, %c0_i32, %98 : i32
      %101 = ttg.async_wait %arg17, %arg19 {num = 2 : i32}
      %102 = ttg.memdesc_index %38[%100] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %103 = ttg.memdesc_index %39[%100] : !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable>
      %104 = ttng.warp_group_dot %102, %103, %arg10 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable> * !ttg.memdesc<32x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %105:3 = ttng.warp_group_dot_wait %104, %102, %103 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x128xf16, #shared1, #smem, mutable>
      %106 = tt.addptr %arg11, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
      %107 = tt.addptr %arg12, %37 : tensor<32x128x!tt.ptr<f16>, #blocked1>, tensor<32x128xi32, #blocked1>
      %108 = arith.addi %arg13, %c1_i32 : i32
      %109 = arith.cmpi sge, %108, %c3_i32 : i32
      %110 = arith.select %109, %c0_i32, %108 : i32
      %111 = arith.addi %arg9, %c2_i32 : i32
      %112 = arith.muli %111, %c32_i32 : i32
      %113 = arith.subi %arg5, %112 : i32
      %114 = tt.splat %113 : i32 -> tensor<1x32xi32, #blocked>
      %115 = arith.cmpi slt, %20, %114 : tensor<1x32xi32, #blocked>
      %116 = tt.broadcast %115 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
      %117 = ttg.memdesc_index %38[%110] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %118 = tt.splat %97 : i1 -> tensor<128x32xi1, #blocked>
      %119 = arith.andi %118, %116 : tensor<128x32xi1, #blocked>
      %120 = ttg.async_copy_global_to_local %106, %117 mask %119 other %cst_0 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared, #smem, mutable>
      %121 = ttg.async_commit_group tokens %120
      %122 = tt.splat %113 : i32 -> tensor<32x1xi32, #blocked1>
      %123 = arith.cmpi slt, %25, %122 : tensor<32x1xi32, #blocked1>
      %124 = tt.broadcast %123 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
      %125 = ttg.memdesc_index %39[%110] : !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable>
      %126 = tt.splat %97 : i1 -> tensor<32x128xi1, #blocked1>
      %127 = arith.andi %126, %124 : tensor<32x128xi1, #blocked1>
      %128 = ttg.async_copy_global_to_local %107, %125 mask %127 other %cst_1 {contiguity = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked1> -> <32x128xf16, #shared1, #smem, mutable>
      %129 = ttg.async_commit_group tokens %128
      scf.yield %105#0, %106, %107, %110, %100, %arg16, %c3_i32, %arg18, %121, %arg20, %129 : tensor<128x128xf32, #mma>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x128x!tt.ptr<f16>, #blocked1>, i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token
    }
    %78 = ttng.warp_group_dot_wait %77#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %79 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %39 : !ttg.memdesc<3x32x128xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %38 : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
    %80 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %81 = arith.cmpi slt, %14, %80 : tensor<128x1xi32, #blocked1>
    %82 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked1>
    %83 = arith.cmpi slt, %30, %82 : tensor<1x128xi32, #blocked1>
    %84 = tt.broadcast %81 : tensor<128x1xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %85 = tt.broadcast %83 : tensor<1x128xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %86 = arith.andi %84, %85 : tensor<128x128xi1, #blocked1>
    %87 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %88 = arith.muli %14, %87 : tensor<128x1xi32, #blocked1>
    %89 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    %90 = tt.addptr %89, %88 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %91 = tt.broadcast %90 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %92 = tt.broadcast %30 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %93 = tt.addptr %91, %92 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %94 = arith.truncf %78 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %95 = ttg.convert_layout %94 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
    tt.store %93, %95, %86 : tensor<128x128x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}
