#row = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// Two slices; the buffers change places.  What follows the product uses its result.
tt.func @swapped(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pc: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x32xf32, #mma>
  %half = arith.constant dense<0.5> : tensor<64x32xf32, #mma>
  %r32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>>
  %rows = tt.expand_dims %r32 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<64x1xi32, #row>
  %c32 = arith.constant dense<32> : tensor<64x1xi32, #row>
  %scaled = arith.muli %rows, %c32 : tensor<64x1xi32, #row>
  %k32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
  %ks = tt.expand_dims %k32 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
  %ra = tt.broadcast %scaled : tensor<64x1xi32, #row> -> tensor<64x32xi32, #row>
  %ka = tt.broadcast %ks : tensor<1x32xi32, #row> -> tensor<64x32xi32, #row>
  %offsets = arith.addi %ra, %ka : tensor<64x32xi32, #row>
  %base = tt.splat %pa : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #row>
  %at = tt.addptr %base, %offsets : tensor<64x32x!tt.ptr<f16>, #row>, tensor<64x32xi32, #row>
  %x = tt.load %at : tensor<64x32x!tt.ptr<f16>, #row>
  %x2 = arith.addf %x, %x : tensor<64x32xf16, #row>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #column}>>
  %kr = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #column}>> -> tensor<32x1xi32, #column>
  %d32 = arith.constant dense<32> : tensor<32x1xi32, #column>
  %kscaled = arith.muli %kr, %d32 : tensor<32x1xi32, #column>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #column}>>
  %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #column}>> -> tensor<1x32xi32, #column>
  %kb = tt.broadcast %kscaled : tensor<32x1xi32, #column> -> tensor<32x32xi32, #column>
  %cb = tt.broadcast %columns : tensor<1x32xi32, #column> -> tensor<32x32xi32, #column>
  %boffsets = arith.addi %kb, %cb : tensor<32x32xi32, #column>
  %bbase = tt.splat %pb : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #column>
  %bat = tt.addptr %bbase, %boffsets : tensor<32x32x!tt.ptr<f16>, #column>, tensor<32x32xi32, #column>
  %y = tt.load %bat : tensor<32x32x!tt.ptr<f16>, #column>
  %m0 = ttg.local_alloc %x : (tensor<64x32xf16, #row>) -> !ttg.memdesc<64x32xf16, #s, #smem>
  %m1 = ttg.local_alloc %x2 : (tensor<64x32xf16, #row>) -> !ttg.memdesc<64x32xf16, #s, #smem>
  %q0 = ttg.local_alloc %y : (tensor<32x32xf16, #column>) -> !ttg.memdesc<32x32xf16, #s, #smem>
  %l:4 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %m = %m0, %next = %m1, %q = %q0) -> (tensor<64x32xf32, #mma>, !ttg.memdesc<64x32xf16, #s, #smem>, !ttg.memdesc<64x32xf16, #s, #smem>, !ttg.memdesc<32x32xf16, #s, #smem>) : i32 {
    %al = ttg.local_load %m : !ttg.memdesc<64x32xf16, #s, #smem> -> tensor<64x32xf16, #a>
    %an = arith.negf %al : tensor<64x32xf16, #a>
    %bl = ttg.local_load %q : !ttg.memdesc<32x32xf16, #s, #smem> -> tensor<32x32xf16, #b>
    %d = tt.dot %an, %bl, %acc : tensor<64x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<64x32xf32, #mma>
    %e = arith.mulf %d, %half : tensor<64x32xf32, #mma>
    scf.yield %e, %next, %m, %q : tensor<64x32xf32, #mma>, !ttg.memdesc<64x32xf16, #s, #smem>, !ttg.memdesc<64x32xf16, #s, #smem>, !ttg.memdesc<32x32xf16, #s, #smem>
  } {tt.num_stages = 2 : i32}
  %out = ttg.convert_layout %l#0 : tensor<64x32xf32, #mma> -> tensor<64x32xf32, #row>
  %obase = tt.splat %pc : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #row>
  %oat = tt.addptr %obase, %offsets : tensor<64x32x!tt.ptr<f32>, #row>, tensor<64x32xi32, #row>
  tt.store %oat, %out : tensor<64x32x!tt.ptr<f32>, #row>
  tt.return
}
}
