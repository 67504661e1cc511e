// RUN: tt-opt %s -split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#m = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Registers, as a scalar, then lanes: five shuffles.
  // CHECK-LABEL: llvm.func @warp
  tt.func public @warp(%x: tensor<64xf32, #b>) -> f32 {
    // CHECK: llvm.fadd %{{.*}} : f32
    // CHECK-COUNT-5: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #b>) -> f32
    tt.return %0 : f32
  }

  // Edge: an axis in the registers of a thread takes no shuffle.
  // CHECK-LABEL: llvm.func @thread
  tt.func public @thread(%x: tensor<32x4xi32, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>> {
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-COUNT-3: llvm.intr.smax(%{{.*}}, %{{.*}}) : (vector<1xi32>, vector<1xi32>)
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %c: i32):
      %s = arith.maxsi %a, %c : i32
      tt.reduce.return %s : i32
    }) : (tensor<32x4xi32, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
    tt.return %0 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
  }

  // Integers stay in vectors of one, each made of a loaded element: nothing takes it from the vector of all.
  // CHECK-LABEL: llvm.func @loaded
  tt.func public @loaded(%p: tensor<32x4x!tt.ptr<i32>, #m>, %c: tensor<32x4xi1, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>> {
    // CHECK: llvm.inline_asm {{.*}}ld.global
    // CHECK-NOT: llvm.shufflevector
    // CHECK-COUNT-3: llvm.intr.smax(%{{.*}}, %{{.*}}) : (vector<1xi32>, vector<1xi32>)
    %x = tt.load %p, %c : tensor<32x4x!tt.ptr<i32>, #m>
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %s = arith.maxsi %a, %b : i32
      tt.reduce.return %s : i32
    }) : (tensor<32x4xi32, #m>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
    tt.return %0 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #m}>>
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [16], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Many warps: after one barrier each lane loads what one warp has found, and four shuffles combine the sixteen.
  // CHECK-LABEL: llvm.func @warps
  tt.func public @warps(%x: tensor<1024xf32, #b>) -> f32 {
    // CHECK-COUNT-5: nvvm.shfl.sync  bfly
    // CHECK: st.shared
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
    // CHECK-NOT: llvm.load
    // CHECK-COUNT-4: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<1024xf32, #b>) -> f32
    tt.return %0 : f32
  }
}

// -----

#t = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A lane has sums of eight rows: it keeps half of them in each of three steps, 4 + 2 + 1 + 1 + 1 shuffles, and stores one.
  // CHECK-LABEL: llvm.func @divided
  tt.func public @divided(%x: tensor<16x64xf32, #t>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>> {
    // CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, vector<4xf32>
    // CHECK-COUNT-9: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x64xf32, #t>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>>
    tt.return %0 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>>
  }

  // Where the order of two values may matter, each lane combines all: 5 x 8 shuffles.
  // CHECK-LABEL: llvm.func @kept
  tt.func public @kept(%x: tensor<16x64xf32, #t>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>> {
    // CHECK-COUNT-40: nvvm.shfl.sync  bfly
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.subf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x64xf32, #t>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>>
    tt.return %0 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #t}>>
  }
}

// -----

#w = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A warp has whole rows: lanes divide eight sums once, and get them back: 4 + 4 x 4 + 4 shuffles.
  // CHECK-LABEL: llvm.func @returned
  tt.func public @returned(%x: tensor<32x32xf32, #w>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #w}>> {
    // CHECK-COUNT-24: nvvm.shfl.sync  bfly
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32xf32, #w>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #w}>>
    tt.return %0 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #w}>>
  }
}
