#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 34832 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32} {
  tt.func public @two_buffers(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %true = arith.constant true
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #blocked>
    %c31_i32 = arith.constant 31 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<32> : tensor<128x32xi32, #blocked1>
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.get_program_id y : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %11 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %12 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %9 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %14 = arith.addi %12, %10 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = arith.addi %13, %11 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %17 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %18 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked1>
    %19 = arith.muli %16, %18 : tensor<128x1xi32, #blocked1>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    %21 = tt.addptr %20, %19 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %22 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %23 = tt.broadcast %21 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x32x!tt.ptr<f16>, #blocked1>
    %24 = tt.broadcast %22 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %25 = tt.addptr %23, %24 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
    %26 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %28 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked1>
    %29 = arith.muli %27, %28 : tensor<32x1xi32, #blocked1>
    %30 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %31 = tt.addptr %30, %29 : tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>
    %32 = tt.expand_dims %14 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %33 = tt.expand_dims %15 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %34 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f16>, #blocked1> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
    %35 = tt.broadcast %32 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %36 = tt.addptr %34, %35 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %37 = arith.addi %arg5, %c31_i32 : i32
    %38 = arith.divsi %37, %c32_i32 : i32
    %39 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked>
    %40 = arith.muli %17, %39 : tensor<128x1xi32, #blocked>
    %41 = tt.broadcast %33 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %42 = arith.muli %arg7, %c32_i32 : i32
    %43 = tt.splat %42 : i32 -> tensor<32x32xi32, #blocked1>
    %44 = ttg.local_alloc {allocation.offset = 34816 : i32} : () -> !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %45 = ttg.memdesc_index %44[%c0_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %45, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %46 = ttg.memdesc_index %44[%c1_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %46, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %47 = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    %48 = ttg.local_alloc {allocation.offset = 24576 : i32} : () -> !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    %49 = arith.cmpi sgt, %38, %c0_i32 : i32
    %50 = ttg.memdesc_index %47[%c0_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %51 = tt.splat %49 : i1 -> tensor<128x32xi1, #blocked1>
    %52 = ttg.async_copy_global_to_local %25, %50 mask %51 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked1> -> <128x32xf16, #shared1, #smem, mutable>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %53 = ttg.async_commit_group tokens %52
    %54 = ttg.memdesc_index %48[%c0_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %55 = tt.splat %49 : i1 -> tensor<32x32xi1, #blocked1>
    %56 = ttg.async_copy_global_to_local %36, %54 mask %55 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %57 = ttg.async_commit_group tokens %56
    %58 = arith.cmpi sgt, %38, %c1_i32 : i32
    %59 = tt.addptr %25, %cst_0 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
    %60 = tt.addptr %36, %43 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %61 = ttg.memdesc_index %47[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %62 = tt.splat %58 : i1 -> tensor<128x32xi1, #blocked1>
    %63 = ttg.async_copy_global_to_local %59, %61 mask %62 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked1> -> <128x32xf16, #shared1, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = ttg.memdesc_index %48[%c1_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %66 = tt.splat %58 : i1 -> tensor<32x32xi1, #blocked1>
    %67 = ttg.async_copy_global_to_local %60, %65 mask %66 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %68 = ttg.async_commit_group tokens %67
    %69 = arith.cmpi sgt, %38, %c2_i32 : i32
    %70 = ttg.async_wait %53, %57 {num = 2 : i32}
    ttng.tc_gen5_mma %50, %54, %result, %false, %49, %45[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %71 = tt.addptr %59, %cst_0 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
    %72 = tt.addptr %60, %43 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %73 = ttg.memdesc_index %47[%c2_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %74 = tt.splat %69 : i1 -> tensor<128x32xi1, #blocked1>
    %75 = ttg.async_copy_global_to_local %71, %73 mask %74 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked1> -> <128x32xf16, #shared1, #smem, mutable>
    %76 = ttg.async_commit_group tokens %75
    %77 = ttg.memdesc_index %48[%c2_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %78 = tt.splat %69 : i1 -> tensor<32x32xi1, #blocked1>
    %79 = ttg.async_copy_global_to_local %72, %77 mask %78 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %80 = ttg.async_commit_group tokens %79
    %81 = arith.subi %38, %c1_i32 : i32
    cf.br ^bb1(%c0_i32, %71, %72, %c0_i32, %c1_i32, %c2_i32, %c0_i32, %45, %c0_i32, %50, %54, %64, %76, %68, %80 : i32, tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<32x32x!tt.ptr<f16>, #blocked1>, i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
  ^bb1(%82: i32, %83: tensor<128x32x!tt.ptr<f16>, #blocked1>, %84: tensor<32x32x!tt.ptr<f16>, #blocked1>, %85: i32, %86: i32, %87: i32, %88: i32, %89: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %90: i32, %91: !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, %92: !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, %93: !ttg.async.token, %94: !ttg.async.token, %95: !ttg.async.token, %96: !ttg.async.token):  // 2 preds: ^bb0, ^bb2
    %97 = arith.cmpi slt, %82, %81 : i32
    cf.cond_br %97, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %98 = arith.subi %38, %c3_i32 : i32
    %99 = arith.cmpi slt, %82, %98 : i32
    %100 = arith.muli %82, %arg4 : i32
    %101 = arith.muli %100, %arg3 : i32
    %102 = tt.addptr %arg2, %101 : !tt.ptr<f32>, i32
    %103 = tt.splat %102 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %104 = tt.addptr %103, %40 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %105 = tt.broadcast %104 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x32x!tt.ptr<f32>, #blocked>
    %106 = tt.addptr %105, %41 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    ttng.wait_barrier %89, %90 deps %91, %92 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %result_1 = ttng.tmem_load %result : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %107 = ttg.convert_layout %result_1 {allocation.offset = 30720 : i32} : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked>
    tt.store %106, %107 : tensor<128x32x!tt.ptr<f32>, #blocked>
    %108 = arith.addi %88, %c1_i32 : i32
    %109 = arith.cmpi sge, %108, %c3_i32 : i32
    %110 = arith.select %109, %c0_i32, %108 : i32
    %111 = ttg.async_wait %93, %95 {num = 2 : i32}
    %112 = ttg.memdesc_index %47[%110] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %113 = ttg.memdesc_index %48[%110] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %114 = ttg.memdesc_index %44[%86] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.tc_gen5_mma %112, %113, %result, %false, %true, %114[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %115 = arith.xori %85, %c1_i32 : i32
    %116 = arith.addi %86, %c1_i32 : i32
    %117 = arith.cmpi sge, %116, %c2_i32 : i32
    %118 = arith.select %117, %c0_i32, %116 : i32
    %119 = arith.select %117, %115, %85 : i32
    %120 = tt.addptr %83, %cst_0 : tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<128x32xi32, #blocked1>
    %121 = tt.addptr %84, %43 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
    %122 = arith.addi %87, %c1_i32 : i32
    %123 = arith.cmpi sge, %122, %c3_i32 : i32
    %124 = arith.select %123, %c0_i32, %122 : i32
    %125 = ttg.memdesc_index %47[%124] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %126 = tt.splat %99 : i1 -> tensor<128x32xi1, #blocked1>
    %127 = ttg.async_copy_global_to_local %120, %125 mask %126 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked1> -> <128x32xf16, #shared1, #smem, mutable>
    %128 = ttg.async_commit_group tokens %127
    %129 = ttg.memdesc_index %48[%124] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %130 = tt.splat %99 : i1 -> tensor<32x32xi1, #blocked1>
    %131 = ttg.async_copy_global_to_local %121, %129 mask %130 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked1> -> <32x32xf16, #shared1, #smem, mutable>
    %132 = ttg.async_commit_group tokens %131
    %133 = arith.addi %82, %c1_i32 : i32
    cf.br ^bb1(%133, %120, %121, %119, %118, %124, %110, %114, %85, %112, %113, %94, %128, %96, %132 : i32, tensor<128x32x!tt.ptr<f16>, #blocked1>, tensor<32x32x!tt.ptr<f16>, #blocked1>, i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
  ^bb3:  // pred: ^bb1
    cf.cond_br %49, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %134 = arith.muli %81, %arg4 : i32
    %135 = arith.muli %134, %arg3 : i32
    %136 = tt.addptr %arg2, %135 : !tt.ptr<f32>, i32
    %137 = tt.splat %136 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %138 = tt.addptr %137, %40 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %139 = tt.broadcast %138 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x32x!tt.ptr<f32>, #blocked>
    %140 = tt.addptr %139, %41 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    ttng.wait_barrier %89, %90 deps %91, %92 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %result_2 = ttng.tmem_load %result : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %141 = ttg.convert_layout %result_2 {allocation.offset = 30720 : i32} : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked>
    tt.store %140, %141 : tensor<128x32x!tt.ptr<f32>, #blocked>
    cf.br ^bb5
  ^bb5:  // 2 preds: ^bb3, ^bb4
    %142 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %48 : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %47 : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    ttng.inval_barrier %45 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %46 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %44 : !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %143 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked>
    %144 = arith.cmpi slt, %17, %143 : tensor<128x1xi32, #blocked>
    %145 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked>
    %146 = arith.cmpi slt, %33, %145 : tensor<1x32xi32, #blocked>
    %147 = tt.broadcast %144 : tensor<128x1xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %148 = tt.broadcast %146 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %149 = arith.andi %147, %148 : tensor<128x32xi1, #blocked>
    %150 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %151 = tt.addptr %150, %40 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %152 = tt.broadcast %151 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x32x!tt.ptr<f32>, #blocked>
    %153 = tt.addptr %152, %41 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    tt.store %153, %cst, %149 : tensor<128x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 30752 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32} {
  tt.func public @two_products(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #linear>
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
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
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst_0, %result, %true : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_1 = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst_0, %result_1, %true : tensor<128x32xf32, #linear> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
    %41 = ttg.local_alloc {allocation.offset = 30720 : i32} : () -> !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %42 = ttg.memdesc_index %41[%c0_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %42, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %43 = ttg.memdesc_index %41[%c1_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %43, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %44 = ttg.local_alloc {allocation.offset = 30736 : i32} : () -> !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %45 = ttg.memdesc_index %44[%c0_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %45, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %46 = ttg.memdesc_index %44[%c1_i32] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %46, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %47 = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    %48 = ttg.local_alloc {allocation.offset = 24576 : i32} : () -> !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    %49 = arith.cmpi sgt, %38, %c0_i32 : i32
    %50 = ttg.memdesc_index %47[%c0_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %51 = tt.splat %49 : i1 -> tensor<128x32xi1, #blocked>
    %52 = ttg.async_copy_global_to_local %25, %50 mask %51 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %53 = ttg.async_commit_group tokens %52
    %54 = ttg.memdesc_index %48[%c0_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %55 = tt.splat %49 : i1 -> tensor<32x32xi1, #blocked>
    %56 = ttg.async_copy_global_to_local %36, %54 mask %55 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared1, #smem, mutable>
    %57 = ttg.async_commit_group tokens %56
    %58 = arith.cmpi sgt, %38, %c1_i32 : i32
    %59 = tt.addptr %25, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %60 = tt.addptr %36, %40 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %61 = ttg.memdesc_index %47[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %62 = tt.splat %58 : i1 -> tensor<128x32xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %59, %61 mask %62 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = ttg.memdesc_index %48[%c1_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %66 = tt.splat %58 : i1 -> tensor<32x32xi1, #blocked>
    %67 = ttg.async_copy_global_to_local %60, %65 mask %66 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared1, #smem, mutable>
    %68 = ttg.async_commit_group tokens %67
    %69 = arith.cmpi sgt, %38, %c2_i32 : i32
    %70 = ttg.async_wait %53, %57 {num = 2 : i32}
    ttng.tc_gen5_mma %50, %54, %result, %false, %49, %42[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.tc_gen5_mma %50, %54, %result_1, %false, %49, %45[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %71 = tt.addptr %59, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %72 = tt.addptr %60, %40 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %73 = ttg.memdesc_index %47[%c2_i32] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %74 = tt.splat %69 : i1 -> tensor<128x32xi1, #blocked>
    %75 = ttg.async_copy_global_to_local %71, %73 mask %74 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %76 = ttg.async_commit_group tokens %75
    %77 = ttg.memdesc_index %48[%c2_i32] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %78 = tt.splat %69 : i1 -> tensor<32x32xi1, #blocked>
    %79 = ttg.async_copy_global_to_local %72, %77 mask %78 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared1, #smem, mutable>
    %80 = ttg.async_commit_group tokens %79
    %81 = arith.subi %38, %c1_i32 : i32
    cf.br ^bb1(%c0_i32, %71, %72, %c0_i32, %c1_i32, %c2_i32, %c0_i32, %64, %76, %68, %80, %42, %c0_i32, %50, %54, %45 : i32, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>)
  ^bb1(%82: i32, %83: tensor<128x32x!tt.ptr<f16>, #blocked>, %84: tensor<32x32x!tt.ptr<f16>, #blocked>, %85: i32, %86: i32, %87: i32, %88: i32, %89: !ttg.async.token, %90: !ttg.async.token, %91: !ttg.async.token, %92: !ttg.async.token, %93: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %94: i32, %95: !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, %96: !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, %97: !ttg.memdesc<1xi64, #shared, #smem, mutable>):  // 2 preds: ^bb0, ^bb2
    %98 = arith.cmpi slt, %82, %81 : i32
    cf.cond_br %98, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %99 = arith.subi %38, %c3_i32 : i32
    %100 = arith.cmpi slt, %82, %99 : i32
    %101 = arith.addi %88, %c1_i32 : i32
    %102 = arith.cmpi sge, %101, %c3_i32 : i32
    %103 = arith.select %102, %c0_i32, %101 : i32
    %104 = ttg.async_wait %89, %91 {num = 2 : i32}
    %105 = ttg.memdesc_index %47[%103] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %106 = ttg.memdesc_index %48[%103] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %107 = ttg.memdesc_index %41[%86] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.tc_gen5_mma %105, %106, %result, %true, %true, %107[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %93, %94 deps %95, %96 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %108 = ttg.memdesc_index %44[%86] : !ttg.memdesc<2x1xi64, #shared, #smem, mutable> -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.tc_gen5_mma %105, %106, %result_1, %true, %true, %108[%true] {is_async} : !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.wait_barrier %97, %94 deps %95, %96 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %109 = arith.xori %85, %c1_i32 : i32
    %110 = arith.addi %86, %c1_i32 : i32
    %111 = arith.cmpi sge, %110, %c2_i32 : i32
    %112 = arith.select %111, %c0_i32, %110 : i32
    %113 = arith.select %111, %109, %85 : i32
    %114 = tt.addptr %83, %cst : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %115 = tt.addptr %84, %40 : tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>
    %116 = arith.addi %87, %c1_i32 : i32
    %117 = arith.cmpi sge, %116, %c3_i32 : i32
    %118 = arith.select %117, %c0_i32, %116 : i32
    %119 = ttg.memdesc_index %47[%118] : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>
    %120 = tt.splat %100 : i1 -> tensor<128x32xi1, #blocked>
    %121 = ttg.async_copy_global_to_local %114, %119 mask %120 {contiguity = 8 : i32} : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared1, #smem, mutable>
    %122 = ttg.async_commit_group tokens %121
    %123 = ttg.memdesc_index %48[%118] : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    %124 = tt.splat %100 : i1 -> tensor<32x32xi1, #blocked>
    %125 = ttg.async_copy_global_to_local %115, %123 mask %124 {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared1, #smem, mutable>
    %126 = ttg.async_commit_group tokens %125
    %127 = arith.addi %82, %c1_i32 : i32
    cf.br ^bb1(%127, %114, %115, %113, %112, %118, %103, %90, %122, %92, %126, %107, %85, %105, %106, %108 : i32, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x32x!tt.ptr<f16>, #blocked>, i32, i32, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared, #smem, mutable>, i32, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>)
  ^bb3:  // pred: ^bb1
    cf.cond_br %49, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    ttng.wait_barrier %93, %94 deps %95, %96 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    ttng.wait_barrier %97, %94 deps %95, %96 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<128x32xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x32xf16, #shared1, #smem, mutable>
    cf.br ^bb5
  ^bb5:  // 2 preds: ^bb3, ^bb4
    %128 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %48 : !ttg.memdesc<3x32x32xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %47 : !ttg.memdesc<3x128x32xf16, #shared1, #smem, mutable>
    ttng.inval_barrier %45 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %46 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %44 : !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %42 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.inval_barrier %43 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %41 : !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
    %129 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %130 = arith.cmpi slt, %17, %129 : tensor<128x1xi32, #blocked1>
    %131 = tt.splat %arg4 : i32 -> tensor<1x32xi32, #blocked1>
    %132 = arith.cmpi slt, %33, %131 : tensor<1x32xi32, #blocked1>
    %133 = tt.broadcast %130 : tensor<128x1xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %134 = tt.broadcast %132 : tensor<1x32xi1, #blocked1> -> tensor<128x32xi1, #blocked1>
    %135 = arith.andi %133, %134 : tensor<128x32xi1, #blocked1>
    %136 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %137 = arith.muli %17, %136 : tensor<128x1xi32, #blocked1>
    %138 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %139 = tt.addptr %138, %137 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %140 = tt.broadcast %139 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x32x!tt.ptr<f32>, #blocked1>
    %141 = tt.broadcast %33 : tensor<1x32xi32, #blocked1> -> tensor<128x32xi32, #blocked1>
    %142 = tt.addptr %140, %141 : tensor<128x32x!tt.ptr<f32>, #blocked1>, tensor<128x32xi32, #blocked1>
    %result_2 = ttng.tmem_load %result : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %result_3 = ttng.tmem_load %result_1 : !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %143 = arith.addf %result_2, %result_3 : tensor<128x32xf32, #linear>
    %144 = ttg.convert_layout %143 {allocation.offset = 0 : i32} : tensor<128x32xf32, #linear> -> tensor<128x32xf32, #blocked1>
    tt.store %142, %144, %135 : tensor<128x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 40992 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32} {
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
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_5 = arith.constant dense<32> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c64_i32 = arith.constant 64 : i32
    %cst_6 = arith.constant dense<64> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c96_i32 = arith.constant 96 : i32
    %cst_7 = arith.constant dense<96> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
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
    %21 = ttg.local_alloc %20 {allocation.offset = 0 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %22 = arith.addi %1, %c128_i32 : i32
    %23 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %24 = tt.broadcast %16 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %25 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %26 = tt.broadcast %11 : tensor<128x1xi32, #linear> -> tensor<128x32xi32, #linear>
    %27 = tt.splat %arg4 : f32 -> tensor<128x32xf32, #linear>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst_4, %result, %true : tensor<128x64xf32, #linear1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %28 = ttg.local_alloc {allocation.offset = 40960 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %29 = ttg.memdesc_index %28[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %29, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %30 = ttg.memdesc_index %28[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %30, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %31 = ttg.local_alloc {allocation.offset = 40976 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %32 = ttg.memdesc_index %31[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %32, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %33 = ttg.memdesc_index %31[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %33, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %34 = ttg.local_alloc {allocation.offset = 16384 : i32} : () -> !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>
    %35 = ttg.local_alloc {allocation.offset = 28672 : i32} : () -> !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>
    %36 = arith.cmpi sgt, %22, %c0_i32 : i32
    %37 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %38 = arith.muli %37, %cst : tensor<32x1xi32, #blocked>
    %39 = tt.addptr %23, %38 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %40 = tt.broadcast %39 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %41 = tt.addptr %40, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %42 = ttg.memdesc_index %34[%c0_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %43 = ttg.memdesc_trans %42 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %44 = tt.splat %36 : i1 -> tensor<32x64xi1, #blocked>
    %45 = ttg.async_copy_global_to_local %41, %42 mask %44 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %result_8 = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable>
    %result_9 = ttng.tmem_alloc : () -> !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %46 = ttg.async_commit_group tokens %45
    %47 = arith.cmpi sgt, %22, %c32_i32 : i32
    %48 = tt.addptr %25, %38 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %49 = tt.broadcast %48 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %50 = tt.addptr %49, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %51 = ttg.memdesc_index %35[%c0_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %52 = ttg.async_copy_global_to_local %50, %51 mask %44 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %53 = ttg.async_commit_group tokens %52
    %54 = arith.addi %8, %cst_5 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %55 = tt.expand_dims %54 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %56 = arith.muli %55, %cst : tensor<32x1xi32, #blocked>
    %57 = tt.addptr %23, %56 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %58 = tt.broadcast %57 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %59 = tt.addptr %58, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %60 = ttg.memdesc_index %34[%c1_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %61 = ttg.memdesc_trans %60 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %62 = tt.splat %47 : i1 -> tensor<32x64xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %59, %60 mask %62 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = arith.cmpi sgt, %22, %c64_i32 : i32
    %66 = ttg.async_wait %46 {num = 2 : i32}
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %21, %43, %result_8, %false, %36, %29[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %67 = tt.addptr %25, %56 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %68 = tt.broadcast %67 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %69 = tt.addptr %68, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %70 = ttg.memdesc_index %35[%c1_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %71 = ttg.async_copy_global_to_local %69, %70 mask %62 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %72 = ttg.async_commit_group tokens %71
    %73 = arith.addi %8, %cst_6 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %74 = tt.expand_dims %73 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %75 = arith.muli %74, %cst : tensor<32x1xi32, #blocked>
    %76 = tt.addptr %23, %75 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %77 = tt.broadcast %76 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %78 = tt.addptr %77, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %79 = ttg.memdesc_index %34[%c2_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %80 = tt.splat %65 : i1 -> tensor<32x64xi1, #blocked>
    %81 = ttg.async_copy_global_to_local %78, %79 mask %80 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %82 = ttg.async_commit_group tokens %81
    %83 = arith.cmpi sgt, %22, %c96_i32 : i32
    %84 = ttg.async_wait %53, %64 {num = 2 : i32}
    %85 = tt.expand_dims %9 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x32xi32, #linear>
    %86 = tt.broadcast %85 : tensor<1x32xi32, #linear> -> tensor<128x32xi32, #linear>
    %87 = arith.cmpi sge, %26, %86 : tensor<128x32xi32, #linear>
    ttng.wait_barrier %29, %c0_i32, %36 deps %21, %43 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %result_10 = ttng.tmem_load %result_8 : !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %88 = arith.mulf %result_10, %27 : tensor<128x32xf32, #linear>
    %89 = arith.select %87, %88, %cst_2 : tensor<128x32xi1, #linear>, tensor<128x32xf32, #linear>
    %90 = "tt.reduce"(%89) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %228 = arith.maxnumf %arg6, %arg7 : f32
      tt.reduce.return %228 : f32
    }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %91 = arith.maxnumf %90, %cst_1 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %92 = tt.expand_dims %91 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %93 = tt.broadcast %92 : tensor<128x1xf32, #linear> -> tensor<128x32xf32, #linear>
    %94 = arith.subf %89, %93 : tensor<128x32xf32, #linear>
    %95 = math.exp2 %94 : tensor<128x32xf32, #linear>
    %96 = arith.subf %cst_1, %91 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %97 = math.exp2 %96 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %99 = ttg.convert_layout %98 : tensor<128x1xf32, #linear> -> tensor<128x1xf32, #linear1>
    %100 = tt.broadcast %99 : tensor<128x1xf32, #linear1> -> tensor<128x64xf32, #linear1>
    %101 = arith.truncf %95 : tensor<128x32xf32, #linear> to tensor<128x32xf16, #linear>
    ttng.tmem_store %101, %result_9, %36 : tensor<128x32xf16, #linear> -> !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %result_11 = ttng.tmem_load %result : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear1>
    %102 = arith.mulf %result_11, %100 : tensor<128x64xf32, #linear1>
    ttng.tmem_store %102, %result, %36 : tensor<128x64xf32, #linear1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %result_9, %51, %result, %true, %36, %32[%true] {is_async} : !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %21, %61, %result_8, %false, %47, %30[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %103 = tt.addptr %25, %75 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %104 = tt.broadcast %103 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %105 = tt.addptr %104, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %106 = ttg.memdesc_index %35[%c2_i32] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %107 = ttg.async_copy_global_to_local %105, %106 mask %80 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %108 = ttg.async_commit_group tokens %107
    %109 = arith.addi %8, %cst_7 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %110 = tt.expand_dims %109 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %111 = arith.muli %110, %cst : tensor<32x1xi32, #blocked>
    %112 = tt.addptr %23, %111 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %113 = tt.broadcast %112 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %114 = tt.addptr %113, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %115 = tt.splat %83 : i1 -> tensor<32x64xi1, #blocked>
    %116 = ttg.async_copy_global_to_local %114, %42 mask %115 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %117 = ttg.async_commit_group tokens %116
    %118 = arith.addi %1, %c96_i32 : i32
    ttng.fence_async_shared {bCluster = false}
    cf.br ^bb1(%c0_i32, %91, %cst_3, %c1_i32, %c0_i32, %c0_i32, %c1_i32, %c0_i32, %c1_i32, %97, %95, %72, %108, %30, %c0_i32, %61, %32, %c0_i32, %51, %82, %117, %111 : i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, i32, i32, i32, i32, i32, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128x32xf32, #linear>, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.async.token, !ttg.async.token, tensor<32x1xi32, #blocked>)
  ^bb1(%119: i32, %120: tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, %121: tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, %122: i32, %123: i32, %124: i32, %125: i32, %126: i32, %127: i32, %128: tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, %129: tensor<128x32xf32, #linear>, %130: !ttg.async.token, %131: !ttg.async.token, %132: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %133: i32, %134: !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, %135: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %136: i32, %137: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %138: !ttg.async.token, %139: !ttg.async.token, %140: tensor<32x1xi32, #blocked>):  // 2 preds: ^bb0, ^bb2
    %141 = arith.cmpi slt, %119, %118 : i32
    cf.cond_br %141, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %142 = arith.cmpi slt, %119, %1 : i32
    %143 = arith.addi %1, %c32_i32 : i32
    %144 = arith.cmpi slt, %119, %143 : i32
    %145 = arith.addi %1, %c64_i32 : i32
    %146 = arith.cmpi slt, %119, %145 : i32
    %147 = arith.mulf %121, %128 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %148 = "tt.reduce"(%129) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %228 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %228 : f32
    }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %149 = arith.addf %147, %148 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %150 = arith.addi %119, %c32_i32 : i32
    %151 = tt.splat %150 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %152 = arith.addi %151, %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %153 = ttg.async_wait %130, %138 {num = 2 : i32}
    %154 = ttg.memdesc_index %35[%127] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %155 = tt.expand_dims %152 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x32xi32, #linear>
    %156 = tt.broadcast %155 : tensor<1x32xi32, #linear> -> tensor<128x32xi32, #linear>
    %157 = arith.cmpi sge, %26, %156 : tensor<128x32xi32, #linear>
    ttng.wait_barrier %132, %133, %true deps %21, %134 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %result_12 = ttng.tmem_load %result_8 : !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<128x32xf32, #linear>
    %158 = arith.mulf %result_12, %27 : tensor<128x32xf32, #linear>
    %159 = arith.select %157, %158, %cst_2 : tensor<128x32xi1, #linear>, tensor<128x32xf32, #linear>
    %160 = "tt.reduce"(%159) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %228 = arith.maxnumf %arg6, %arg7 : f32
      tt.reduce.return %228 : f32
    }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %161 = arith.maxnumf %120, %160 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %162 = tt.expand_dims %161 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %163 = tt.broadcast %162 : tensor<128x1xf32, #linear> -> tensor<128x32xf32, #linear>
    %164 = arith.subf %159, %163 : tensor<128x32xf32, #linear>
    %165 = math.exp2 %164 : tensor<128x32xf32, #linear>
    %166 = arith.subf %120, %161 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %167 = math.exp2 %166 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %168 = tt.expand_dims %167 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %169 = ttg.convert_layout %168 : tensor<128x1xf32, #linear> -> tensor<128x1xf32, #linear1>
    %170 = tt.broadcast %169 : tensor<128x1xf32, #linear1> -> tensor<128x64xf32, #linear1>
    ttng.wait_barrier %135, %136 deps %result_9, %137 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %171 = arith.truncf %165 : tensor<128x32xf32, #linear> to tensor<128x32xf16, #linear>
    ttng.tmem_store %171, %result_9, %true : tensor<128x32xf16, #linear> -> !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %result_13 = ttng.tmem_load %result : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear1>
    %172 = arith.mulf %result_13, %170 : tensor<128x64xf32, #linear1>
    ttng.tmem_store %172, %result, %true : tensor<128x64xf32, #linear1> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %173 = ttg.memdesc_index %31[%125] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %result_9, %154, %result, %true, %true, %173[%true] {is_async} : !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %174 = arith.xori %124, %c1_i32 : i32
    %175 = arith.addi %125, %c1_i32 : i32
    %176 = arith.cmpi sge, %175, %c2_i32 : i32
    %177 = arith.select %176, %c0_i32, %175 : i32
    %178 = arith.select %176, %174, %124 : i32
    %179 = arith.addi %127, %c1_i32 : i32
    %180 = arith.cmpi sge, %179, %c3_i32 : i32
    %181 = arith.select %180, %c0_i32, %179 : i32
    %182 = ttg.memdesc_index %34[%181] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %183 = ttg.memdesc_trans %182 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %184 = ttg.memdesc_index %28[%123] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %21, %183, %result_8, %false, %146, %184[%true] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<128x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %185 = arith.xori %122, %c1_i32 : i32
    %186 = arith.addi %123, %c1_i32 : i32
    %187 = arith.cmpi sge, %186, %c2_i32 : i32
    %188 = arith.select %187, %c0_i32, %186 : i32
    %189 = arith.select %187, %185, %122 : i32
    %190 = tt.addptr %25, %140 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %191 = tt.broadcast %190 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %192 = tt.addptr %191, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %193 = ttg.memdesc_index %35[%126] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %194 = tt.splat %144 : i1 -> tensor<32x64xi1, #blocked>
    %195 = ttg.async_copy_global_to_local %192, %193 mask %194 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %196 = ttg.async_commit_group tokens %195
    %197 = arith.addi %126, %c1_i32 : i32
    %198 = arith.cmpi sge, %197, %c3_i32 : i32
    %199 = arith.select %198, %c0_i32, %197 : i32
    %200 = arith.addi %119, %c128_i32 : i32
    %201 = tt.splat %200 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %202 = arith.addi %201, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %203 = tt.expand_dims %202 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %204 = arith.muli %203, %cst : tensor<32x1xi32, #blocked>
    %205 = tt.addptr %23, %204 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %206 = tt.broadcast %205 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %207 = tt.addptr %206, %24 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %208 = ttg.memdesc_index %34[%199] : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %209 = tt.splat %142 : i1 -> tensor<32x64xi1, #blocked>
    %210 = ttg.async_copy_global_to_local %207, %208 mask %209 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %211 = ttg.async_commit_group tokens %210
    %212 = arith.addi %119, %c32_i32 : i32
    cf.br ^bb1(%212, %161, %149, %189, %188, %178, %177, %199, %181, %167, %165, %131, %196, %184, %122, %183, %173, %124, %154, %139, %211, %204 : i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, i32, i32, i32, i32, i32, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<128x32xf32, #linear>, !ttg.async.token, !ttg.async.token, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.async.token, !ttg.async.token, tensor<32x1xi32, #blocked>)
  ^bb3:  // pred: ^bb1
    cf.cond_br %36, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %213 = arith.mulf %121, %128 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %214 = "tt.reduce"(%129) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %228 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %228 : f32
    }) : (tensor<128x32xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    %215 = arith.addf %213, %214 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    ttng.wait_barrier %135, %136 deps %result_9, %137 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    cf.br ^bb6(%215 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>)
  ^bb5:  // pred: ^bb3
    cf.br ^bb6(%121 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>)
  ^bb6(%216: tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>):  // 2 preds: ^bb4, ^bb5
    cf.br ^bb7
  ^bb7:  // pred: ^bb6
    %217 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %35 : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %34 : !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>
    ttng.inval_barrier %32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %33 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %31 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %29 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %30 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %28 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %218 = tt.expand_dims %216 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xf32, #linear>
    %219 = ttg.convert_layout %218 : tensor<128x1xf32, #linear> -> tensor<128x1xf32, #linear1>
    %220 = tt.broadcast %219 : tensor<128x1xf32, #linear1> -> tensor<128x64xf32, #linear1>
    %221 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %222 = tt.addptr %221, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %223 = tt.broadcast %222 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %224 = tt.addptr %223, %18 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %result_14 = ttng.tmem_load %result : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear1>
    %225 = arith.divf %result_14, %220 : tensor<128x64xf32, #linear1>
    %226 = arith.truncf %225 : tensor<128x64xf32, #linear1> to tensor<128x64xf16, #linear1>
    %227 = ttg.convert_layout %226 {allocation.offset = 0 : i32} : tensor<128x64xf16, #linear1> -> tensor<128x64xf16, #blocked>
    tt.store %224, %227 : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
// -----
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 49216 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32} {
  tt.func public @gradients(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %false = arith.constant false
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #linear>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_3 = arith.constant dense<32> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_4 = arith.constant dense<64> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c96_i32 = arith.constant 96 : i32
    %cst_5 = arith.constant dense<96> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c128_i32 = arith.constant 128 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.get_program_id x : i32
    %3 = arith.muli %2, %c64_i32 : i32
    %4 = tt.splat %3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = arith.addi %4, %0 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %5, %1 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %9 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %10 = arith.muli %8, %cst_1 : tensor<64x1xi32, #blocked>
    %11 = arith.muli %9, %cst_0 : tensor<64x1xi32, #blocked1>
    %12 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %13 = tt.addptr %12, %10 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %14 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %17 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %18 = tt.broadcast %13 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %19 = tt.broadcast %16 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %20 = tt.broadcast %17 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %21 = tt.addptr %18, %19 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %22 = tt.load %21 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %23 = ttg.local_alloc %22 {allocation.offset = 32768 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %24 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %25 = tt.addptr %24, %10 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %26 = tt.broadcast %25 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %27 = tt.addptr %26, %19 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %28 = tt.load %27 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %29 = ttg.local_alloc %28 {allocation.offset = 40960 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %30 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %31 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %32 = tt.broadcast %16 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %33 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %result = ttng.tmem_alloc : () -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst_2, %result, %true : tensor<64x64xf32, #linear> -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %result_6 = ttng.tmem_alloc : () -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ttng.tmem_store %cst_2, %result_6, %true : tensor<64x64xf32, #linear> -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
    %34 = ttg.local_alloc {allocation.offset = 49152 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %35 = ttg.memdesc_index %34[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %35, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %36 = ttg.memdesc_index %34[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %36, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %37 = ttg.local_alloc {allocation.offset = 49168 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %38 = ttg.memdesc_index %37[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %38, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %39 = ttg.memdesc_index %37[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %39, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %40 = ttg.local_alloc {allocation.offset = 49184 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %41 = ttg.memdesc_index %40[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %41, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %42 = ttg.memdesc_index %40[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %42, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %43 = ttg.local_alloc {allocation.offset = 49200 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %44 = ttg.memdesc_index %43[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %44, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %45 = ttg.memdesc_index %43[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %45, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %46 = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable>
    %47 = ttg.local_alloc {allocation.offset = 16384 : i32} : () -> !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable>
    %48 = arith.cmpi sgt, %arg6, %c0_i32 : i32
    %49 = tt.expand_dims %30 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %50 = arith.muli %49, %cst : tensor<32x1xi32, #blocked>
    %51 = tt.addptr %31, %50 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %52 = tt.broadcast %51 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %53 = tt.addptr %52, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %54 = ttg.memdesc_index %46[%c0_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %55 = ttg.memdesc_trans %54 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %56 = tt.splat %48 : i1 -> tensor<32x64xi1, #blocked>
    %57 = ttg.async_copy_global_to_local %53, %54 mask %56 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %result_7 = ttng.tmem_alloc : () -> !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>
    %result_8 = ttng.tmem_alloc : () -> !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>
    %result_9 = ttng.tmem_alloc : () -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %result_10 = ttng.tmem_alloc : () -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %58 = ttg.async_commit_group tokens %57
    %59 = tt.addptr %33, %50 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %60 = tt.broadcast %59 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %61 = tt.addptr %60, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %62 = ttg.memdesc_index %47[%c0_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %63 = ttg.memdesc_trans %62 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %64 = ttg.async_copy_global_to_local %61, %62 mask %56 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %65 = ttg.async_commit_group tokens %64
    %66 = arith.cmpi sgt, %arg6, %c32_i32 : i32
    %67 = arith.addi %30, %cst_3 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %68 = tt.expand_dims %67 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %69 = arith.muli %68, %cst : tensor<32x1xi32, #blocked>
    %70 = tt.addptr %31, %69 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %71 = tt.broadcast %70 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %72 = tt.addptr %71, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %73 = ttg.memdesc_index %46[%c1_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %74 = ttg.memdesc_trans %73 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %75 = tt.splat %66 : i1 -> tensor<32x64xi1, #blocked>
    %76 = ttg.async_copy_global_to_local %72, %73 mask %75 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %77 = ttg.async_commit_group tokens %76
    %78 = tt.addptr %33, %69 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %79 = tt.broadcast %78 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %80 = tt.addptr %79, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %81 = ttg.memdesc_index %47[%c1_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %82 = ttg.memdesc_trans %81 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %83 = ttg.async_copy_global_to_local %80, %81 mask %75 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %84 = ttg.async_commit_group tokens %83
    %85 = arith.cmpi sgt, %arg6, %c64_i32 : i32
    %86 = ttg.async_wait %58, %65 {num = 2 : i32}
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %23, %55, %result_7, %false, %48, %35[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %29, %63, %result_8, %false, %48, %41[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %87 = arith.addi %30, %cst_4 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %88 = tt.expand_dims %87 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %89 = arith.muli %88, %cst : tensor<32x1xi32, #blocked>
    %90 = tt.addptr %31, %89 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %91 = tt.broadcast %90 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %92 = tt.addptr %91, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %93 = ttg.memdesc_index %46[%c2_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %94 = tt.splat %85 : i1 -> tensor<32x64xi1, #blocked>
    %95 = ttg.async_copy_global_to_local %92, %93 mask %94 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %96 = ttg.async_commit_group tokens %95
    %97 = tt.addptr %33, %89 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %98 = tt.broadcast %97 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %99 = tt.addptr %98, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %100 = ttg.memdesc_index %47[%c2_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %101 = ttg.async_copy_global_to_local %99, %100 mask %94 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %102 = ttg.async_commit_group tokens %101
    %103 = arith.cmpi sgt, %arg6, %c96_i32 : i32
    ttng.wait_barrier %35, %c0_i32, %48 deps %23, %55 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %result_11 = ttng.tmem_load %result_7 : !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #linear1>
    %104 = math.exp2 %result_11 : tensor<64x32xf32, #linear1>
    %105 = arith.truncf %104 : tensor<64x32xf32, #linear1> to tensor<64x32xf16, #linear1>
    ttng.tmem_store %105, %result_9, %48 : tensor<64x32xf16, #linear1> -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %result_9, %62, %result, %false, %48, %38[%true] {is_async} : !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %41, %c0_i32, %48 deps %29, %63 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %result_12 = ttng.tmem_load %result_8 : !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #linear1>
    %106 = arith.mulf %104, %result_12 : tensor<64x32xf32, #linear1>
    %107 = arith.truncf %106 : tensor<64x32xf32, #linear1> to tensor<64x32xf16, #linear1>
    ttng.tmem_store %107, %result_10, %48 : tensor<64x32xf16, #linear1> -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %result_10, %54, %result_6, %false, %48, %44[%true] {is_async} : !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %108 = ttg.async_wait %77, %84 {num = 2 : i32}
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %23, %74, %result_7, %false, %66, %36[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %29, %82, %result_8, %false, %66, %42[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %109 = arith.addi %30, %cst_5 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %110 = tt.expand_dims %109 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %111 = arith.muli %110, %cst : tensor<32x1xi32, #blocked>
    %112 = tt.addptr %31, %111 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %113 = tt.broadcast %112 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %114 = tt.addptr %113, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %115 = ttg.memdesc_index %46[%c3_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %116 = tt.splat %103 : i1 -> tensor<32x64xi1, #blocked>
    %117 = ttg.async_copy_global_to_local %114, %115 mask %116 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %118 = ttg.async_commit_group tokens %117
    %119 = tt.addptr %33, %111 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %120 = tt.broadcast %119 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %121 = tt.addptr %120, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %122 = ttg.memdesc_index %47[%c3_i32] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %123 = ttg.async_copy_global_to_local %121, %122 mask %116 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %124 = ttg.async_commit_group tokens %123
    %125 = arith.subi %arg6, %c32_i32 : i32
    ttng.fence_async_shared {bCluster = false}
    cf.br ^bb1(%c0_i32, %c1_i32, %c0_i32, %c0_i32, %c1_i32, %c3_i32, %c1_i32, %36, %c0_i32, %74, %38, %c0_i32, %62, %81, %42, %82, %44, %54, %73, %96, %118, %102, %124 : i32, i32, i32, i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
  ^bb1(%126: i32, %127: i32, %128: i32, %129: i32, %130: i32, %131: i32, %132: i32, %133: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %134: i32, %135: !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, %136: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %137: i32, %138: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %139: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %140: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %141: !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, %142: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %143: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %144: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %145: !ttg.async.token, %146: !ttg.async.token, %147: !ttg.async.token, %148: !ttg.async.token):  // 2 preds: ^bb0, ^bb2
    %149 = arith.cmpi slt, %126, %125 : i32
    cf.cond_br %149, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %150 = arith.subi %arg6, %c128_i32 : i32
    %151 = arith.cmpi slt, %126, %150 : i32
    %152 = arith.subi %arg6, %c64_i32 : i32
    %153 = arith.cmpi slt, %126, %152 : i32
    ttng.wait_barrier %133, %134, %true deps %23, %135 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %result_13 = ttng.tmem_load %result_7 : !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #linear1>
    %154 = math.exp2 %result_13 : tensor<64x32xf32, #linear1>
    %155 = arith.truncf %154 : tensor<64x32xf32, #linear1> to tensor<64x32xf16, #linear1>
    ttng.wait_barrier %136, %137 deps %result_9, %138 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.tmem_store %155, %result_9, %true : tensor<64x32xf16, #linear1> -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %156 = ttg.memdesc_index %37[%130] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %result_9, %139, %result, %true, %true, %156[%true] {is_async} : !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %140, %134, %true deps %29, %141 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    ttng.wait_barrier %142, %137 deps %result_10, %143 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %result_14 = ttng.tmem_load %result_8 : !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #linear1>
    %157 = arith.mulf %154, %result_14 : tensor<64x32xf32, #linear1>
    %158 = arith.truncf %157 : tensor<64x32xf32, #linear1> to tensor<64x32xf16, #linear1>
    ttng.tmem_store %158, %result_10, %true : tensor<64x32xf16, #linear1> -> !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>
    %159 = ttg.memdesc_index %43[%130] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %result_10, %144, %result_6, %true, %true, %159[%true] {is_async} : !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %160 = arith.xori %129, %c1_i32 : i32
    %161 = arith.addi %130, %c1_i32 : i32
    %162 = arith.cmpi sge, %161, %c2_i32 : i32
    %163 = arith.select %162, %c0_i32, %161 : i32
    %164 = arith.select %162, %160, %129 : i32
    %165 = arith.addi %132, %c1_i32 : i32
    %166 = arith.cmpi sge, %165, %c4_i32 : i32
    %167 = arith.select %166, %c0_i32, %165 : i32
    %168 = ttg.async_wait %145, %147 {num = 2 : i32}
    %169 = ttg.memdesc_index %46[%167] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %170 = ttg.memdesc_trans %169 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %171 = ttg.memdesc_index %47[%167] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %172 = ttg.memdesc_trans %171 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %173 = ttg.memdesc_index %34[%128] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %23, %170, %result_7, %false, %153, %173[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %174 = ttg.memdesc_index %40[%128] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.tc_gen5_mma %29, %172, %result_8, %false, %153, %174[%true] {is_async} : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf32, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %175 = arith.xori %127, %c1_i32 : i32
    %176 = arith.addi %128, %c1_i32 : i32
    %177 = arith.cmpi sge, %176, %c2_i32 : i32
    %178 = arith.select %177, %c0_i32, %176 : i32
    %179 = arith.select %177, %175, %127 : i32
    %180 = arith.addi %131, %c1_i32 : i32
    %181 = arith.cmpi sge, %180, %c4_i32 : i32
    %182 = arith.select %181, %c0_i32, %180 : i32
    %183 = arith.addi %126, %c128_i32 : i32
    %184 = tt.splat %183 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %185 = arith.addi %184, %30 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %186 = tt.expand_dims %185 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %187 = arith.muli %186, %cst : tensor<32x1xi32, #blocked>
    %188 = tt.addptr %31, %187 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %189 = tt.broadcast %188 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %190 = tt.addptr %189, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %191 = ttg.memdesc_index %46[%182] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %192 = tt.splat %151 : i1 -> tensor<32x64xi1, #blocked>
    %193 = ttg.async_copy_global_to_local %190, %191 mask %192 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %194 = ttg.async_commit_group tokens %193
    %195 = tt.addptr %33, %187 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %196 = tt.broadcast %195 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %197 = tt.addptr %196, %32 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %198 = ttg.memdesc_index %47[%182] : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %199 = ttg.async_copy_global_to_local %197, %198 mask %192 {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %200 = ttg.async_commit_group tokens %199
    %201 = arith.addi %126, %c32_i32 : i32
    cf.br ^bb1(%201, %179, %178, %164, %163, %182, %167, %173, %127, %170, %156, %129, %139, %171, %174, %172, %159, %144, %169, %146, %194, %148, %200 : i32, i32, i32, i32, i32, i32, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, i32, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
  ^bb3:  // pred: ^bb1
    cf.cond_br %48, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    ttng.wait_barrier %136, %137 deps %result_9, %138 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %142, %137 deps %result_10, %143 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #tmem1, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    cf.br ^bb5
  ^bb5:  // 2 preds: ^bb3, ^bb4
    %202 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %47 : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %46 : !ttg.memdesc<4x32x64xf16, #shared, #smem, mutable>
    ttng.inval_barrier %44 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %45 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %43 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %41 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %42 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %40 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %38 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %39 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %37 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %36 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %34 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %203 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %204 = tt.addptr %203, %11 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %205 = tt.broadcast %204 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %206 = tt.addptr %205, %20 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %result_15 = ttng.tmem_load %result_6 : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
    %207 = ttg.convert_layout %result_15 {allocation.offset = 0 : i32} : tensor<64x64xf32, #linear> -> tensor<64x64xf32, #blocked1>
    tt.store %206, %207 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    %208 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %209 = tt.addptr %208, %11 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %210 = tt.broadcast %209 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %211 = tt.addptr %210, %20 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %result_16 = ttng.tmem_load %result : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
    %212 = ttg.convert_layout %result_16 {allocation.offset = 0 : i32} : tensor<64x64xf32, #linear> -> tensor<64x64xf32, #blocked1>
    tt.store %211, %212 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
