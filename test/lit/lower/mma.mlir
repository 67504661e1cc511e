// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=80 --convert-triton-gpu-to-llvm="compute-capability=80 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#m = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 2}>
#left4 = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 4}>
#right4 = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 4}>
#left1 = #ttg.dot_op<{opIdx = 0, parent = #m, kWidth = 1}>
#right1 = #ttg.dot_op<{opIdx = 1, parent = #m, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Operands come as matrices, rows of a as they are and those of b transposed; two steps of k for each tile.
  // CHECK-LABEL: llvm.func @from_memory
  tt.func public @from_memory(%a: tensor<16x32xf16, #b>, %b: tensor<32x16xf16, #b>, %c: tensor<16x16xf32, #m>) -> tensor<16x16xf32, #m> {
    %0 = ttg.local_alloc %a : (tensor<16x32xf16, #b>) -> !ttg.memdesc<16x32xf16, #s, #ttg.shared_memory>
    %1 = ttg.local_alloc %b : (tensor<32x16xf16, #b>) -> !ttg.memdesc<32x16xf16, #s, #ttg.shared_memory>
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"(%{{.*}}) : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16"
    %2 = ttg.local_load %0 : !ttg.memdesc<16x32xf16, #s, #ttg.shared_memory> -> tensor<16x32xf16, #left>
    %3 = ttg.local_load %1 : !ttg.memdesc<32x16xf16, #s, #ttg.shared_memory> -> tensor<32x16xf16, #right>
    // The words that matrices came in are those that products take.
    // CHECK-NOT: llvm.extractelement %{{.*}} : vector<4xi32>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"(%{{.*}}) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    // CHECK-COUNT-3: llvm.nvvm.mma.m16n8k16.row.col.f32.f32
    // CHECK-NOT: llvm.nvvm.mma
    // CHECK: llvm.return
    %4 = tt.dot %2, %3, %c, inputPrecision = tf32 : tensor<16x32xf16, #left> * tensor<32x16xf16, #right> -> tensor<16x16xf32, #m>
    tt.return %4 : tensor<16x16xf32, #m>
  }

  // Results in f16 are pairs.
  // CHECK-LABEL: llvm.func @halves
  tt.func public @halves(%a: tensor<16x16xf16, #left>, %b: tensor<16x8xf16, #right>, %c: tensor<16x8xf16, #m>) -> tensor<16x8xf16, #m> {
    // CHECK: llvm.nvvm.mma.m16n8k16.row.col.f16.f16"({{.*}}) : ({{.*}}) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %0 = tt.dot %a, %b, %c : tensor<16x16xf16, #left> * tensor<16x8xf16, #right> -> tensor<16x8xf16, #m>
    tt.return %0 : tensor<16x8xf16, #m>
  }

  // A chained product: registers of a result are those of an operand.
  // CHECK-LABEL: llvm.func @chained
  tt.func public @chained(%a: tensor<16x16xf32, #m>, %b: tensor<16x8xbf16, #right>, %c: tensor<16x8xf32, #m>) -> tensor<16x8xf32, #m> {
    // CHECK-NOT: {{load|store|shfl}}
    // CHECK: llvm.nvvm.mma.m16n8k16.row.col.bf16"
    // CHECK-NOT: {{load|store|shfl}}
    // CHECK: llvm.return
    %0 = arith.truncf %a : tensor<16x16xf32, #m> to tensor<16x16xbf16, #m>
    %1 = ttg.convert_layout %0 : tensor<16x16xbf16, #m> -> tensor<16x16xbf16, #left>
    %2 = tt.dot %1, %b, %c : tensor<16x16xbf16, #left> * tensor<16x8xbf16, #right> -> tensor<16x8xf32, #m>
    tt.return %2 : tensor<16x8xf32, #m>
  }

  // CHECK-LABEL: llvm.func @other_types
  tt.func public @other_types(%a: tensor<16x32xi8, #left4>, %b: tensor<32x8xi8, #right4>, %c: tensor<16x8xi32, #m>,
                              %d: tensor<16x8xf32, #left1>, %e: tensor<8x8xf32, #right1>, %f: tensor<16x8xf32, #m>,
                              %g: tensor<16x4xf64, #left1>, %h: tensor<4x8xf64, #right1>, %i: tensor<16x8xf64, #m>) {
    // CHECK: llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8"
    %0 = tt.dot %a, %b, %c : tensor<16x32xi8, #left4> * tensor<32x8xi8, #right4> -> tensor<16x8xi32, #m>
    // CHECK: llvm.nvvm.mma.m16n8k8.row.col.tf32"
    %1 = tt.dot %d, %e, %f, inputPrecision = tf32 : tensor<16x8xf32, #left1> * tensor<8x8xf32, #right1> -> tensor<16x8xf32, #m>
    // CHECK-COUNT-2: llvm.nvvm.mma.m8n8k4.row.col.f64"({{.*}}) : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
    %2 = tt.dot %g, %h, %i : tensor<16x4xf64, #left1> * tensor<4x8xf64, #right1> -> tensor<16x8xf64, #m>
    tt.return
  }

  // Edge: a smaller instruction where k is small, and zeros where lanes hold copies.
  // CHECK-LABEL: llvm.func @small_k
  tt.func public @small_k(%a: tensor<16x8xf16, #left>, %b: tensor<8x8xf16, #right>, %d: tensor<16x2xf16, #left>, %e: tensor<2x8xf16, #right>, %c: tensor<16x8xf32, #m>) {
    // CHECK-NOT: llvm.select
    // CHECK: llvm.nvvm.mma.m16n8k8.row.col.f32.f32"
    %0 = tt.dot %a, %b, %c : tensor<16x8xf16, #left> * tensor<8x8xf16, #right> -> tensor<16x8xf32, #m>
    // CHECK-COUNT-2: llvm.select
    // CHECK: llvm.nvvm.mma.m16n8k8.row.col.f32.f32"
    %1 = tt.dot %d, %e, %c : tensor<16x2xf16, #left> * tensor<2x8xf16, #right> -> tensor<16x8xf32, #m>
    tt.return
  }
}
