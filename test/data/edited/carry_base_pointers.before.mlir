#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two_loops(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f16>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
      %5 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked>
      %6 = arith.muli %3, %5 : tensor<128x1xi32, #blocked>
      %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %8 = tt.addptr %7, %6 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
      %9 = tt.broadcast %8 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
      %10 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %11 = tt.addptr %9, %10 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %12 = tt.splat %arg2 : i32 -> tensor<128x64xi32, #blocked>
      %13 = tt.addptr %11, %12 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %14 = tt.splat %arg3 : i32 -> tensor<128x64xi32, #blocked>
      %15 = scf.for %arg5 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg6 = %13) -> (tensor<128x64x!tt.ptr<f16>, #blocked>)  : i32 {
        %23 = ttg.async_copy_global_to_local %arg6, %0 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
        %24 = ttg.async_commit_group tokens %23
        %25 = ttg.async_wait %24 {num = 0 : i32}
        %26 = tt.addptr %arg6, %14 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
        scf.yield %26 : tensor<128x64x!tt.ptr<f16>, #blocked>
      }
      %16 = scf.for %arg5 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg6 = %15) -> (tensor<128x64x!tt.ptr<f16>, #blocked>)  : i32 {
        %23 = tt.addptr %arg6, %14 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
        %24 = ttg.async_copy_global_to_local %23, %0 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
        %25 = ttg.async_commit_group tokens %24
        %26 = ttg.async_wait %25 {num = 0 : i32}
        scf.yield %23 : tensor<128x64x!tt.ptr<f16>, #blocked>
      }
      %17 = ttg.local_load %0 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #blocked>
      %18 = tt.splat %arg4 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
      %cst = arith.constant dense<64> : tensor<128x1xi32, #blocked>
      %19 = arith.muli %3, %cst : tensor<128x1xi32, #blocked>
      %20 = tt.broadcast %19 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %21 = tt.addptr %18, %20 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %22 = tt.addptr %21, %10 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      tt.store %22, %17 : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
