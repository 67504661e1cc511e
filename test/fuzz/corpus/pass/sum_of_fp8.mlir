// passes: convert-triton-gpu-to-llvm
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @cache_hints(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<256xf8E4M3FN, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<256xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<256xi32, #blocked>
    %5 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %6 = arith.cmpi slt, %4, %5 : tensor<256xi32, #blocked>
    %7 = tt.splat %arg0 : !tt.ptr<f8E4M3FN> -> tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %8 = tt.addptr %7, %4 : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>, tensor<256xi32, #blocked>
    %9 = tt.load %8 cacheModifier = ca : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %10 = tt.load %8, %6 cacheModifier = cg evictionPolicy = evict_first : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %11 = arith.addf %9, %10 : tensor<256xf8E4M3FN, #blocked>
    %12 = tt.load %8, %6, %cst cacheModifier = cv {isVolatile = true} : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %13 = arith.addf %11, %12 : tensor<256xf8E4M3FN, #blocked>
    %14 = tt.load %8 evictionPolicy = evict_last : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %15 = arith.addf %13, %14 : tensor<256xf8E4M3FN, #blocked>
    %16 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %17 = tt.addptr %16, %4 : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>, tensor<256xi32, #blocked>
    tt.store %17, %15 cacheModifier = wb : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %18 = tt.addptr %17, %5 : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>, tensor<256xi32, #blocked>
    tt.store %18, %15, %6 cacheModifier = cg evictionPolicy = evict_first : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %19 = arith.muli %arg2, %c2_i32 : i32
    %20 = tt.splat %19 : i32 -> tensor<256xi32, #blocked>
    %21 = tt.addptr %17, %20 : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>, tensor<256xi32, #blocked>
    tt.store %21, %15 cacheModifier = cs evictionPolicy = evict_last : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    %22 = arith.muli %arg2, %c3_i32 : i32
    %23 = tt.splat %22 : i32 -> tensor<256xi32, #blocked>
    %24 = tt.addptr %17, %23 : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>, tensor<256xi32, #blocked>
    tt.store %24, %15, %6 cacheModifier = wt : tensor<256x!tt.ptr<f8E4M3FN>, #blocked>
    tt.return
  }
}
