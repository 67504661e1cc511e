// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // To fp8: two numbers in one instruction, the first in the lower byte.
  // CHECK-LABEL: llvm.func @to_fp8
  tt.func public @to_fp8(%x: tensor<64xf32, #b>, %h: tensor<64xf16, #b>) -> (tensor<64xf8E4M3FN, #b>, tensor<64xf8E5M2, #b>) {
    // CHECK: %[[A:.*]] = llvm.extractelement
    // CHECK: %[[B:.*]] = llvm.extractelement
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%[[B]], %[[A]]) : (f32, f32) -> i16
    // CHECK: llvm.bitcast %{{.*}} : i16 to vector<2xi8>
    %0 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32, #b> -> tensor<64xf8E4M3FN, #b>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%{{.*}}) : (vector<2xf16>) -> i16
    %1 = tt.fp_to_fp %h, rounding = rtne : tensor<64xf16, #b> -> tensor<64xf8E5M2, #b>
    tt.return %0, %1 : tensor<64xf8E4M3FN, #b>, tensor<64xf8E5M2, #b>
  }

  // From fp8: f16 holds them all; bf16 is reached by way of f32.
  // CHECK-LABEL: llvm.func @from_fp8
  tt.func public @from_fp8(%x: tensor<64xf8E4M3FN, #b>) -> tensor<64xbf16, #b> {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.*}}) : (i16) -> vector<2xf16>
    // CHECK: llvm.fpext %{{.*}} : vector<2xf16> to vector<2xf32>
    // CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
    %0 = tt.fp_to_fp %x : tensor<64xf8E4M3FN, #b> -> tensor<64xbf16, #b>
    tt.return %0 : tensor<64xbf16, #b>
  }

  // Toward zero there is no instruction for fp8: e5m2 is the upper byte of f16.
  // CHECK-LABEL: llvm.func @cut
  tt.func public @cut(%h: tensor<64xf16, #b>, %x: tensor<64xf32, #b>) -> (tensor<64xf8E5M2, #b>, tensor<64xf16, #b>) {
    // CHECK-NOT: e5m2x2
    // CHECK: llvm.intr.umin
    // CHECK: llvm.lshr %{{.*}} : vector<2xi16>
    %0 = tt.fp_to_fp %h, rounding = rtz : tensor<64xf16, #b> -> tensor<64xf8E5M2, #b>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rz"
    %1 = tt.fp_to_fp %x, rounding = rtz : tensor<64xf32, #b> -> tensor<64xf16, #b>
    tt.return %0, %1 : tensor<64xf8E5M2, #b>, tensor<64xf16, #b>
  }

  // Integers to f16: bytes four at a time, i32 two at a time by way of f32.
  // CHECK-LABEL: llvm.func @integers
  tt.func public @integers(%x: tensor<128xi8, #four>, %y: tensor<64xi32, #b>) -> (tensor<128xf16, #four>, tensor<64xf16, #b>) {
    // CHECK: llvm.xor
    // CHECK: prmt.b32 $0, $1, 0x64646464, 0x4140;
    // CHECK: prmt.b32 $0, $1, 0x64646464, 0x4342;
    // CHECK: llvm.fsub %{{.*}} : vector<4xf16>
    %0 = arith.sitofp %x : tensor<128xi8, #four> to tensor<128xf16, #four>
    // CHECK: llvm.uitofp %{{.*}} : vector<2xi32> to vector<2xf32>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"
    %1 = arith.uitofp %y : tensor<64xi32, #b> to tensor<64xf16, #b>
    tt.return %0, %1 : tensor<128xf16, #four>, tensor<64xf16, #b>
  }

  // Edge: a scalar takes half of an instruction.
  // CHECK-LABEL: llvm.func @scalar
  tt.func public @scalar(%x: f32) -> f8E5M2 {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
    // CHECK: llvm.extractelement %{{.*}} : vector<2xi8>
    %0 = tt.fp_to_fp %x, rounding = rtne : f32 -> f8E5M2
    tt.return %0 : f8E5M2
  }
}
