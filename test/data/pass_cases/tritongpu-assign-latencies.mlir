// Differs from Triton: it starts loads early of a tensor that the loop writes.
// Loops written at random: branches, addresses that are loaded, values that are carried.
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_22(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, i32, i32) : i32 {
  %v1 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v2 = arith.mulf %f0, %v1 : tensor<128xf32, #b>
  %v3 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v4 = arith.addf %af0, %v2 : tensor<128xf32, #b>
  tt.store %p, %v1 : tensor<128x!tt.ptr<f32>, #b>
  %v6 = arith.fptosi %v3 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v7 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v9 = arith.cmpi slt, %as0, %n : i32
  %v8 = scf.if %v9 -> (tensor<128xi32, #b>) {
  tt.store %p, %v4 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v6 : tensor<128xi32, #b>
  } else {
  tt.store %p, %v4 : tensor<128x!tt.ptr<f32>, #b>
  tt.store %p, %v7 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v6 : tensor<128xi32, #b>
  }
  %v13 = arith.mulf %v7, %v7 : tensor<128xf32, #b>
  tt.store %p, %v13 : tensor<128x!tt.ptr<f32>, #b>
  %v15 = arith.addf %v4, %v13 : tensor<128xf32, #b>
  scf.yield %v3, %c1, %c1 : tensor<128xf32, #b>, i32, i32
} {tt.num_stages = 2 : i32}
tt.return %r#0, %r#1, %r#2 : tensor<128xf32, #b>, i32, i32
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_36(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %as0 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, i32) : i32 {
  %v1 = arith.mulf %af1, %af0 : tensor<128xf32, #b>
  %v3 = arith.cmpi slt, %c1, %n : i32
  %v2 = scf.if %v3 -> (i32) {
  scf.yield %as0 : i32
  } else {
  %v4 = tt.splat %c1 : i32 -> tensor<128xi32, #b>
  scf.yield %c1 : i32
  }
  %v5 = tt.addptr %p, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v6 = arith.addi %v2, %as0 : i32
  %v7 = arith.addi %v6, %v2 : i32
  %v8 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  tt.store %p, %af1 : tensor<128x!tt.ptr<f32>, #b>
  %v11 = arith.cmpi slt, %v7, %n : i32
  scf.if %v11 {
  %v12 = tt.splat %i : i32 -> tensor<128xi32, #b>
  %v13 = tt.addptr %p, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v14 = arith.fptosi %af0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  }
  %v16 = arith.cmpi slt, %v7, %n : i32
  scf.if %v16 {
  %v17 = arith.addi %v6, %v7 : i32
  %v18 = tt.addptr %v5, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  }
  %v19 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v20 = tt.splat %as0 : i32 -> tensor<128xi32, #b>
  %v21 = arith.addi %v20, %i0 : tensor<128xi32, #b>
  %v22 = arith.addi %v21, %v21 : tensor<128xi32, #b>
  %v23 = arith.mulf %v19, %v8 : tensor<128xf32, #b>
  %v24 = tt.addptr %v5, %v20 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v25 = arith.mulf %v19, %v23 : tensor<128xf32, #b>
  %v26 = arith.addf %v25, %v8 : tensor<128xf32, #b>
  %v27 = arith.fptosi %v23 : tensor<128xf32, #b> to tensor<128xi32, #b>
  scf.yield %v23, %v19, %v2 : tensor<128xf32, #b>, tensor<128xf32, #b>, i32
} {tt.num_stages = 5 : i32}
tt.return %r#0, %r#1, %r#2 : tensor<128xf32, #b>, tensor<128xf32, #b>, i32
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_5(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:7 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ai0 = %i0, %ai1 = %i0, %ap0 = %p, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) : i32 {
  %v2 = arith.cmpi slt, %c1, %n : i32
  %v1 = scf.if %v2 -> (tensor<128xf32, #b>) {
  scf.yield %f0 : tensor<128xf32, #b>
  } else {
  scf.yield %af0 : tensor<128xf32, #b>
  }
  %v3 = tt.splat %as1 : i32 -> tensor<128xi32, #b>
  %v4 = arith.addi %c1, %c1 : i32
  tt.store %ap0, %f0 : tensor<128x!tt.ptr<f32>, #b>
  %v6 = tt.load %ap0 : tensor<128x!tt.ptr<f32>, #b>
  %v7 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v8 = tt.addptr %p, %ai1 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v9 = arith.fptosi %v6 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v11 = arith.cmpi slt, %as0, %n : i32
  %v10 = scf.if %v11 -> (tensor<128xi32, #b>) {
  %v12 = arith.addi %v9, %ai1 : tensor<128xi32, #b>
  %v13 = arith.addi %v9, %v9 : tensor<128xi32, #b>
  %v14 = arith.addf %v6, %v6 : tensor<128xf32, #b>
  scf.yield %v13 : tensor<128xi32, #b>
  } else {
  %v15 = tt.splat %as0 : i32 -> tensor<128xi32, #b>
  scf.yield %v3 : tensor<128xi32, #b>
  }
  %v16 = tt.splat %i : i32 -> tensor<128xi32, #b>
  %v17 = arith.addi %i0, %ai1 : tensor<128xi32, #b>
  tt.store %ap0, %af1 : tensor<128x!tt.ptr<f32>, #b>
  %v19 = tt.splat %as0 : i32 -> tensor<128xi32, #b>
  %v21 = arith.cmpi slt, %c1, %n : i32
  scf.if %v21 {
  %v22 = tt.addptr %ap0, %v17 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  }
  %v23 = arith.addi %v4, %as1 : i32
  %v24 = arith.addi %v10, %v17 : tensor<128xi32, #b>
  %v25 = tt.load %v8 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v7, %v7, %v3, %v19, %v8, %v4, %v23 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
} {tt.num_stages = 2 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_12(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:7 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ai0 = %i0, %ap0 = %p, %ap1 = %p, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) : i32 {
  %v1 = arith.fptosi %f0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v2 = arith.fptosi %af1 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v3 = tt.splat %c1 : i32 -> tensor<128xi32, #b>
  %v4 = arith.addi %c1, %as0 : i32
  %v5 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v6 = arith.addf %af0, %af1 : tensor<128xf32, #b>
  %v8 = arith.cmpi slt, %i, %n : i32
  %v7 = scf.if %v8 -> (i32) {
  scf.yield %i : i32
  } else {
  %v9 = arith.addi %v4, %i : i32
  tt.store %ap1, %af1 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v9 : i32
  }
  %v11 = arith.addf %af0, %v6 : tensor<128xf32, #b>
  %v13 = arith.cmpi slt, %v7, %n : i32
  %v12 = scf.if %v13 -> (i32) {
  scf.yield %v7 : i32
  } else {
  %v14 = arith.mulf %v11, %v6 : tensor<128xf32, #b>
  tt.store %p, %v11 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %as0 : i32
  }
  %v16 = arith.fptosi %v5 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v17 = arith.addf %v11, %af1 : tensor<128xf32, #b>
  %v18 = tt.addptr %p, %v1 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v19 = arith.addi %as1, %as1 : i32
  tt.store %ap1, %v5 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v11, %v11, %v16, %v18, %v18, %v7, %v4 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
} {tt.num_stages = 4 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_28(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %ai0 = %i0, %ai1 = %i0, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32) : i32 {
  %v1 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  tt.store %p, %f0 : tensor<128x!tt.ptr<f32>, #b>
  %v4 = arith.cmpi slt, %i, %n : i32
  scf.if %v4 {
  %v5 = tt.addptr %p, %ai0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v6 = tt.load %v5 : tensor<128x!tt.ptr<f32>, #b>
  %v7 = tt.addptr %v5, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v8 = arith.addi %ai0, %ai1 : tensor<128xi32, #b>
  }
  %v9 = arith.addi %ai1, %i0 : tensor<128xi32, #b>
  %v10 = tt.addptr %p, %v9 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v11 = arith.fptosi %af0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  tt.store %p, %af0 : tensor<128x!tt.ptr<f32>, #b>
  %v14 = arith.cmpi slt, %as1, %n : i32
  scf.if %v14 {
  %v15 = tt.addptr %v10, %v11 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  }
  %v16 = arith.mulf %f0, %v1 : tensor<128xf32, #b>
  %v17 = tt.addptr %v10, %ai1 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v19 = arith.cmpi slt, %as0, %n : i32
  %v18 = scf.if %v19 -> (i32) {
  %v20 = tt.addptr %p, %v11 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v21 = arith.addi %c1, %i : i32
  %v22 = tt.splat %as1 : i32 -> tensor<128xi32, #b>
  scf.yield %i : i32
  } else {
  scf.yield %as1 : i32
  }
  %v23 = tt.addptr %v17, %v9 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v24 = arith.addi %v18, %as0 : i32
  scf.yield %v1, %v11, %v11, %v24, %v24 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32
} {tt.num_stages = 2 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_39(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %ai0 = %i0, %ap0 = %p) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>) : i32 {
  %v1 = tt.addptr %p, %ai0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v3 = arith.cmpi slt, %i, %n : i32
  %v2 = scf.if %v3 -> (tensor<128x!tt.ptr<f32>, #b>) {
  %v4 = arith.mulf %f0, %af0 : tensor<128xf32, #b>
  %v5 = arith.mulf %v4, %af0 : tensor<128xf32, #b>
  scf.yield %v1 : tensor<128x!tt.ptr<f32>, #b>
  } else {
  scf.yield %ap0 : tensor<128x!tt.ptr<f32>, #b>
  }
  tt.store %v1, %f0 : tensor<128x!tt.ptr<f32>, #b>
  %v8 = arith.cmpi slt, %c1, %n : i32
  %v7 = scf.if %v8 -> (tensor<128xi32, #b>) {
  %v9 = arith.fptosi %af0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  tt.store %v2, %af0 : tensor<128x!tt.ptr<f32>, #b>
  %v11 = arith.mulf %af0, %f0 : tensor<128xf32, #b>
  scf.yield %ai0 : tensor<128xi32, #b>
  } else {
  %v12 = tt.splat %i : i32 -> tensor<128xi32, #b>
  tt.store %v2, %af0 : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %v12 : tensor<128xi32, #b>
  }
  %v14 = tt.load %ap0 : tensor<128x!tt.ptr<f32>, #b>
  %v15 = arith.mulf %v14, %f0 : tensor<128xf32, #b>
  %v16 = tt.addptr %p, %ai0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  scf.yield %v15, %v7, %v1 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>
} {tt.num_stages = 6 : i32}
tt.return %r#0, %r#1, %r#2 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>
}
}
// -----
// Differs from Triton: it starts loads early of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_48(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ap0 = %p, %ap1 = %p, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) : i32 {
  %v1 = arith.addi %i0, %i0 : tensor<128xi32, #b>
  %v2 = tt.load %ap1 : tensor<128x!tt.ptr<f32>, #b>
  %v3 = arith.mulf %af0, %af0 : tensor<128xf32, #b>
  %v4 = tt.splat %i : i32 -> tensor<128xi32, #b>
  tt.store %ap0, %af1 : tensor<128x!tt.ptr<f32>, #b>
  %v6 = arith.addf %v2, %af1 : tensor<128xf32, #b>
  %v7 = arith.mulf %af1, %af1 : tensor<128xf32, #b>
  %v9 = arith.cmpi slt, %c1, %n : i32
  scf.if %v9 {
  tt.store %ap0, %v7 : tensor<128x!tt.ptr<f32>, #b>
  %v11 = arith.addi %i0, %v1 : tensor<128xi32, #b>
  %v12 = tt.splat %i : i32 -> tensor<128xi32, #b>
  }
  %v13 = tt.addptr %ap0, %v4 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v14 = arith.fptosi %f0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v15 = arith.addf %v2, %v6 : tensor<128xf32, #b>
  %v16 = arith.addf %v7, %v7 : tensor<128xf32, #b>
  scf.yield %v6, %v15, %v13, %v13, %c1, %c1 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
} {tt.num_stages = 6 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
