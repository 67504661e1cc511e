// passes: tritongpu-prefetch

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 8, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @carried(%x: !ttg.memdesc<2x64x64xf16, #s, #smem, mutable>, %y: !ttg.memdesc<2x64x64xf16, #s, #smem, mutable>, %init: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x0 = ttg.memdesc_index %x[%c0] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  %y0 = ttg.memdesc_index %y[%c0] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %p = %x0, %q = %y0) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>) : i32 {
    %l = ttg.local_load %p : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #a>
    %m = ttg.local_load %q : !ttg.memdesc<64x64xf16, #s, #smem, mutable> -> tensor<64x64xf16, #b>
    %d = tt.dot %l, %m, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %j = arith.addi %i, %c1 : i32
    %k = arith.remsi %j, %c1 : i32
    %p1 = ttg.memdesc_index %x[%k] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    %q1 = ttg.memdesc_index %y[%k] : !ttg.memdesc<2x64x64xf16, #s, #smem, mutable> -> !ttg.memdesc<64x64xf16, #s, #smem, mutable>
    scf.yield %d, %p1, %q1 : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>, !ttg.memdesc<64x64xf16, #s, #smem, mutable>
  } {tt.num_stages = 3 : i32}
  tt.return %r#0 : tensor<64x64xf32, #mma>
}
}

