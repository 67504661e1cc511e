// Loops written at random: branches, addresses that are loaded, values that are carried.
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
  %v6 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v7 = arith.addf %f0, %af1 : tensor<128xf32, #b>
  %v8 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v9 = arith.addi %c1, %as0 : i32
  tt.store %ap0, %v6 : tensor<128x!tt.ptr<f32>, #b>
  %v11 = arith.addi %ai1, %i0 : tensor<128xi32, #b>
  %v13 = arith.cmpi slt, %v4, %n : i32
  scf.if %v13 {
  %v14 = arith.addi %v3, %v3 : tensor<128xi32, #b>
  }
  %v15 = tt.load %p {tt.latency = 1 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v16 = arith.fptosi %f0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v17 = arith.addi %as0, %as0 : i32
  %v18 = tt.splat %v4 : i32 -> tensor<128xi32, #b>
  %v20 = arith.cmpi slt, %c1, %n : i32
  scf.if %v20 {
  %v21 = tt.addptr %ap0, %v16 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  }
  %v22 = arith.addi %v17, %v9 : i32
  scf.yield %v1, %v1, %v16, %v16, %p, %v4, %v17 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_9(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ai0 = %i0, %ai1 = %i0, %ap0 = %p, %as0 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32) : i32 {
  %v1 = tt.load %ap0 : tensor<128x!tt.ptr<f32>, #b>
  %v3 = arith.cmpi slt, %as0, %n : i32
  scf.if %v3 {
  tt.store %ap0, %v1 : tensor<128x!tt.ptr<f32>, #b>
  }
  %v5 = tt.load %p {tt.latency = 0 : i32} : tensor<128x!tt.ptr<f32>, #b>
  tt.store %p, %af0 : tensor<128x!tt.ptr<f32>, #b>
  %v8 = arith.cmpi slt, %c1, %n : i32
  %v7 = scf.if %v8 -> (tensor<128xi32, #b>) {
  scf.yield %ai0 : tensor<128xi32, #b>
  } else {
  scf.yield %ai0 : tensor<128xi32, #b>
  }
  %v9 = arith.addi %i0, %i0 : tensor<128xi32, #b>
  scf.yield %v1, %v5, %v7, %v7, %p, %c1 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32
}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32
}
}
// -----
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
  %v5 = tt.load %p {tt.latency = 1 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v6 = arith.mulf %af1, %f0 : tensor<128xf32, #b>
  %v7 = arith.addf %v6, %v6 : tensor<128xf32, #b>
  %v8 = tt.splat %v4 : i32 -> tensor<128xi32, #b>
  %v9 = tt.load %p {tt.latency = 1 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v10 = arith.addi %c1, %v4 : i32
  %v12 = arith.cmpi slt, %v10, %n : i32
  %v11 = scf.if %v12 -> (i32) {
  scf.yield %v10 : i32
  } else {
  %v13 = arith.mulf %v9, %v7 : tensor<128xf32, #b>
  %v14 = arith.fptosi %v9 : tensor<128xf32, #b> to tensor<128xi32, #b>
  scf.yield %v10 : i32
  }
  %v15 = arith.addi %v2, %v3 : tensor<128xi32, #b>
  %v16 = arith.addi %v4, %v11 : i32
  %v17 = arith.addf %v6, %v5 : tensor<128xf32, #b>
  scf.yield %v17, %v17, %v1, %p, %p, %v11, %v4 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
// Differs from Triton: it moves accesses past others of a tensor that the loop writes.
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_13(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:7 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ai0 = %i0, %ap0 = %p, %ap1 = %p, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) : i32 {
  %v1 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  %v3 = arith.cmpi slt, %c1, %n : i32
  %v2 = scf.if %v3 -> (tensor<128xi32, #b>) {
  %v4 = arith.addf %f0, %af0 : tensor<128xf32, #b>
  %v5 = arith.mulf %af1, %v1 : tensor<128xf32, #b>
  scf.yield %i0 : tensor<128xi32, #b>
  } else {
  %v6 = arith.fptosi %v1 : tensor<128xf32, #b> to tensor<128xi32, #b>
  scf.yield %v6 : tensor<128xi32, #b>
  }
  %v8 = arith.cmpi slt, %as0, %n : i32
  scf.if %v8 {
  %v9 = arith.fptosi %af1 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v10 = arith.addi %ai0, %v9 : tensor<128xi32, #b>
  %v11 = arith.addi %c1, %as0 : i32
  %v12 = arith.addi %v9, %v10 : tensor<128xi32, #b>
  }
  %v13 = tt.load %p {tt.latency = 1 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v14 = arith.fptosi %v13 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v16 = arith.cmpi slt, %as1, %n : i32
  %v15 = scf.if %v16 -> (i32) {
  scf.yield %c1 : i32
  } else {
  scf.yield %as1 : i32
  }
  %v17 = tt.splat %as0 : i32 -> tensor<128xi32, #b>
  tt.store %ap0, %af1 : tensor<128x!tt.ptr<f32>, #b>
  %v19 = tt.addptr %ap1, %v2 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v21 = arith.cmpi slt, %v15, %n : i32
  scf.if %v21 {
  %v22 = arith.addf %af0, %v1 : tensor<128xf32, #b>
  %v23 = tt.load %ap0 : tensor<128x!tt.ptr<f32>, #b>
  }
  %v25 = arith.cmpi slt, %c1, %n : i32
  %v24 = scf.if %v25 -> (tensor<128xf32, #b>) {
  scf.yield %v1 : tensor<128xf32, #b>
  } else {
  %v26 = arith.addi %i, %as0 : i32
  %v27 = arith.mulf %af1, %f0 : tensor<128xf32, #b>
  scf.yield %v1 : tensor<128xf32, #b>
  }
  %v28 = arith.addi %v17, %ai0 : tensor<128xi32, #b>
  %v29 = tt.splat %c1 : i32 -> tensor<128xi32, #b>
  %v30 = arith.addf %v1, %v24 : tensor<128xf32, #b>
  %v31 = tt.addptr %ap1, %v14 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v32 = arith.addi %c1, %as0 : i32
  scf.yield %v13, %v13, %v14, %v31, %v31, %v32, %v15 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
} {tt.num_stages = 2 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_27(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %af1 = %f0, %ai0 = %i0, %ai1 = %i0, %ap0 = %p, %as0 = %c0) -> (tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32) : i32 {
  %v1 = arith.mulf %af1, %af0 : tensor<128xf32, #b>
  tt.store %p, %f0 : tensor<128x!tt.ptr<f32>, #b>
  %v4 = arith.cmpi slt, %c1, %n : i32
  %v3 = scf.if %v4 -> (tensor<128xf32, #b>) {
  %v5 = arith.addf %af1, %v1 : tensor<128xf32, #b>
  %v6 = arith.addi %ai0, %i0 : tensor<128xi32, #b>
  %v7 = arith.addi %c1, %as0 : i32
  scf.yield %f0 : tensor<128xf32, #b>
  } else {
  %v8 = arith.addi %c1, %c1 : i32
  %v9 = arith.addi %c1, %i : i32
  scf.yield %v1 : tensor<128xf32, #b>
  }
  %v10 = tt.load %ap0 {tt.latency = 3 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v11 = tt.splat %c1 : i32 -> tensor<128xi32, #b>
  %v12 = tt.load %ap0 : tensor<128x!tt.ptr<f32>, #b>
  %v13 = arith.addi %i, %as0 : i32
  scf.yield %v1, %v1, %v11, %v11, %p, %v13 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32
}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<128xf32, #b>, tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, i32
}
}
// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_28(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %ai0 = %i0, %ai1 = %i0, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32) : i32 {
  %v1 = tt.load %p {tt.latency = 3 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v2 = tt.addptr %p, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v4 = arith.cmpi slt, %i, %n : i32
  scf.if %v4 {
  %v5 = tt.addptr %v2, %ai0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v6 = tt.load %v5 : tensor<128x!tt.ptr<f32>, #b>
  %v7 = arith.addi %as0, %as1 : i32
  %v8 = tt.load %v2 : tensor<128x!tt.ptr<f32>, #b>
  }
  %v10 = arith.cmpi slt, %as0, %n : i32
  %v9 = scf.if %v10 -> (tensor<128x!tt.ptr<f32>, #b>) {
  scf.yield %v2 : tensor<128x!tt.ptr<f32>, #b>
  } else {
  scf.yield %p : tensor<128x!tt.ptr<f32>, #b>
  }
  %v11 = arith.fptosi %af0 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v12 = tt.splat %as1 : i32 -> tensor<128xi32, #b>
  %v13 = arith.addi %v11, %ai0 : tensor<128xi32, #b>
  %v14 = tt.addptr %v9, %v13 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v15 = arith.addf %f0, %af0 : tensor<128xf32, #b>
  %v16 = arith.fptosi %v15 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v17 = arith.mulf %af0, %af0 : tensor<128xf32, #b>
  %v18 = arith.addi %as1, %as1 : i32
  %v19 = tt.addptr %v9, %v12 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  scf.yield %f0, %v13, %v11, %v18, %v18 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32
} {tt.num_stages = 5 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128xi32, #b>, i32, i32
}
}
// -----
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_29(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %ai0 = %i0, %ap0 = %p, %ap1 = %p, %as0 = %c0, %as1 = %c0) -> (tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32) : i32 {
  %v1 = arith.mulf %af0, %f0 : tensor<128xf32, #b>
  %v2 = arith.addf %af0, %af0 : tensor<128xf32, #b>
  %v3 = arith.mulf %v1, %v2 : tensor<128xf32, #b>
  %v4 = tt.addptr %p, %ai0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v6 = arith.cmpi slt, %as1, %n : i32
  %v5 = scf.if %v6 -> (tensor<128xi32, #b>) {
  %v7 = arith.addi %i0, %ai0 : tensor<128xi32, #b>
  %v8 = arith.addi %as0, %as1 : i32
  scf.yield %ai0 : tensor<128xi32, #b>
  } else {
  %v9 = arith.mulf %v1, %v1 : tensor<128xf32, #b>
  %v10 = tt.load %p : tensor<128x!tt.ptr<f32>, #b>
  scf.yield %ai0 : tensor<128xi32, #b>
  }
  %v11 = tt.load %ap0 {tt.latency = 3 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v12 = arith.fptosi %v11 : tensor<128xf32, #b> to tensor<128xi32, #b>
  %v14 = arith.cmpi slt, %i, %n : i32
  %v13 = scf.if %v14 -> (tensor<128xi32, #b>) {
  scf.yield %v12 : tensor<128xi32, #b>
  } else {
  %v15 = arith.addi %c1, %i : i32
  scf.yield %i0 : tensor<128xi32, #b>
  }
  scf.yield %v3, %v13, %v4, %v4, %c1, %as0 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
} {tt.num_stages = 2 : i32}
tt.return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<128xf32, #b>, tensor<128xi32, #b>, tensor<128x!tt.ptr<f32>, #b>, tensor<128x!tt.ptr<f32>, #b>, i32, i32
}
}
// -----
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
tt.func @random_32(%p: tensor<128x!tt.ptr<f32>, #b> {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>}, %i0: tensor<128xi32, #b>, %f0: tensor<128xf32, #b>, %n: i32) -> (tensor<128xf32, #b>, i32) {
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%af0 = %f0, %as0 = %c0) -> (tensor<128xf32, #b>, i32) : i32 {
  %v1 = tt.addptr %p, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v2 = arith.addf %af0, %f0 : tensor<128xf32, #b>
  %v3 = arith.addi %i, %c1 : i32
  %v4 = tt.addptr %p, %i0 : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
  %v5 = arith.mulf %v2, %f0 : tensor<128xf32, #b>
  %v6 = tt.splat %i : i32 -> tensor<128xi32, #b>
  %v7 = arith.addf %af0, %v2 : tensor<128xf32, #b>
  %v8 = tt.splat %as0 : i32 -> tensor<128xi32, #b>
  %v10 = arith.cmpi slt, %i, %n : i32
  scf.if %v10 {
  %v11 = arith.addi %v6, %v8 : tensor<128xi32, #b>
  }
  tt.store %v1, %af0 : tensor<128x!tt.ptr<f32>, #b>
  %v13 = tt.splat %c1 : i32 -> tensor<128xi32, #b>
  %v14 = tt.splat %i : i32 -> tensor<128xi32, #b>
  %v15 = arith.addf %v5, %v5 : tensor<128xf32, #b>
  %v16 = tt.load %v1 {tt.latency = 1 : i32} : tensor<128x!tt.ptr<f32>, #b>
  %v17 = arith.addf %v15, %v5 : tensor<128xf32, #b>
  scf.yield %v5, %v3 : tensor<128xf32, #b>, i32
} {tt.num_stages = 5 : i32}
tt.return %r#0, %r#1 : tensor<128xf32, #b>, i32
}
}
