// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s
// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 flush-denormals=false" | FileCheck %s --check-prefix=EXACT

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Instructions where the hardware has them, libdevice where it has not.
  // CHECK-LABEL: llvm.func @functions
  tt.func public @functions(%x: tensor<64xf32, #b>, %d: f64) -> (tensor<64xf32, #b>, f64) {
    // CHECK: llvm.intr.fabs(%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
    %0 = math.absf %x : tensor<64xf32, #b>
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"
    %1 = math.sqrt %0 : tensor<64xf32, #b>
    // CHECK: llvm.fmul
    // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ex2.approx"
    %2 = math.exp %1 : tensor<64xf32, #b>
    // CHECK-COUNT-2: llvm.call @__nv_erff(
    %3 = math.erf %2 : tensor<64xf32, #b>
    // CHECK: llvm.call @__nv_exp(%{{.*}}) : (f64) -> f64
    %4 = math.exp %d : f64
    tt.return %3, %4 : tensor<64xf32, #b>, f64
  }

  // Instructions flush denormal numbers as libdevice does, unless an option says otherwise; f64 has none that do.
  // CHECK-LABEL: llvm.func @denormals
  // EXACT-LABEL: llvm.func @denormals
  tt.func public @denormals(%x: f32, %d: f64) -> (f32, f64) {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(
    // EXACT: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(
    %0 = math.exp2 %x : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"(
    // EXACT: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(
    %1 = math.sqrt %0 : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(
    // EXACT: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(
    %2 = math.rsqrt %1 : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"(
    // EXACT: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"(
    %3 = math.sqrt %d : f64
    tt.return %2, %3 : f32, f64
  }

  // Numbers of 16 bits are computed with as f32.
  // CHECK-LABEL: llvm.func @half
  tt.func public @half(%x: tensor<64xf16, #b>) -> tensor<64xf16, #b> {
    // CHECK: llvm.fpext %{{.*}} : vector<2xf16> to vector<2xf32>
    // CHECK-COUNT-2: llvm.call @__nv_logf(
    // CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xf16>
    %0 = math.log %x : tensor<64xf16, #b>
    tt.return %0 : tensor<64xf16, #b>
  }

  // Edge: what happens to NaN is said by the operation.
  // CHECK-LABEL: llvm.func @clamp
  tt.func public @clamp(%x: f32, %a: f32, %b: f32) -> (f32, f32) {
    // CHECK: llvm.intr.maximum
    // CHECK: llvm.intr.minimum
    %0 = tt.clampf %x, %a, %b, propagateNan = all : f32
    // CHECK: llvm.intr.maxnum
    // CHECK: llvm.intr.minnum
    %1 = tt.clampf %x, %a, %b, propagateNan = none : f32
    tt.return %0, %1 : f32, f32
  }

  // Quotients by how well they are rounded.
  // CHECK-LABEL: llvm.func @quotients
  tt.func public @quotients(%x: f32, %y: f32, %d: f64) -> (f32, f32, f32, f64) {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.div.approx.f"(
    %0 = tt.approx_divf %x, %y : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"(
    %1 = arith.divf %x, %y : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.div.rn.f"(
    %2 = tt.precise_divf %x, %y : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.div.rn.d"(
    %3 = tt.approx_divf %d, %d : f64
    tt.return %0, %1, %2, %3 : f32, f32, f32, f64
  }

  // CHECK-LABEL: llvm.func @absolute_of_bytes
  tt.func public @absolute_of_bytes(%x: tensor<64xf8E5M2, #b>) -> tensor<64xf8E5M2, #b> {
    // CHECK: llvm.and %{{.*}}, %{{.*}} : vector<2xi8>
    %0 = math.absf %x : tensor<64xf8E5M2, #b>
    tt.return %0 : tensor<64xf8E5M2, #b>
  }
}
