// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @bitcast(
tt.func @bitcast(%a: tensor<64xf32>, %x: f8E5M2, %p: !tt.ptr<f32>, %q: tensor<4x!tt.ptr<f32>>, %b: tensor<128xf16, #line>) {
  // CHECK: tt.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %0 = tt.bitcast %a : tensor<64xf32> -> tensor<64xi32>
  // CHECK: tt.bitcast %{{.*}} : f8E5M2 -> i8
  %1 = tt.bitcast %x : f8E5M2 -> i8
  // CHECK: tt.bitcast %{{.*}} : !tt.ptr<f32> -> !tt.ptr<i8>
  %2 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
  // CHECK: tt.bitcast %{{.*}} : tensor<4x!tt.ptr<f32>> -> tensor<4x!tt.ptr<i1>>
  %3 = tt.bitcast %q : tensor<4x!tt.ptr<f32>> -> tensor<4x!tt.ptr<i1>>
  // CHECK: tt.bitcast %{{.*}} : tensor<128xf16, #blocked> -> tensor<128xbf16, #blocked>
  %4 = tt.bitcast %b : tensor<128xf16, #line> -> tensor<128xbf16, #line>
  tt.return
}

// CHECK-LABEL: tt.func @fp_to_fp(
tt.func @fp_to_fp(%a: tensor<64xf32>, %b: tensor<64xf8E4M3FN>, %x: f16, %c: tensor<128xf64, #line>) {
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
  %0 = tt.fp_to_fp %a, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
  // CHECK: tt.fp_to_fp %{{.*}} {some.attribute}, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
  %1 = tt.fp_to_fp %a {some.attribute}, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E4M3FN> -> tensor<64xf16>
  %2 = tt.fp_to_fp %b : tensor<64xf8E4M3FN> -> tensor<64xf16>
  // Of the same width: no rounding needed.
  // CHECK: tt.fp_to_fp %{{.*}} : f16 -> bf16
  %3 = tt.fp_to_fp %x : f16 -> bf16
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : tensor<128xf64, #blocked> -> tensor<128xf8E5M2FNUZ, #blocked>
  %4 = tt.fp_to_fp %c, rounding = rtz : tensor<128xf64, #line> -> tensor<128xf8E5M2FNUZ, #line>
  tt.return
}

// CHECK-LABEL: tt.func @clampf(
tt.func @clampf(%a: tensor<64xf32>, %x: bf16, %b: tensor<128xf16, #line>) {
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<64xf32>
  %0 = tt.clampf %a, %a, %a, propagateNan = none : tensor<64xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : bf16
  %1 = tt.clampf %x, %x, %x, propagateNan = all : bf16
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all {some.attribute} : tensor<128xf16, #blocked>
  %2 = tt.clampf %b, %b, %b, propagateNan = all {some.attribute} : tensor<128xf16, #line>
  tt.return
}

// CHECK-LABEL: tt.func @precise(
tt.func @precise(%a: tensor<64xf32>, %x: f64, %b: tensor<128xf32, #line>) {
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<64xf32>
  %0 = tt.precise_sqrt %a : tensor<64xf32>
  // CHECK: tt.precise_sqrt %{{.*}} : f64
  %1 = tt.precise_sqrt %x : f64
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<128xf32, #blocked>
  %2 = tt.precise_divf %b, %b : tensor<128xf32, #line>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : f64
  %3 = tt.precise_divf %x, %x : f64
  // CHECK: tt.approx_divf %{{.*}}, %{{.*}} : tensor<128xf32, #blocked>
  %approximate = tt.approx_divf %b, %b : tensor<128xf32, #line>
  tt.return
}

// CHECK-LABEL: tt.func @mulhiui(
tt.func @mulhiui(%a: tensor<64xi32>, %x: i64, %b: tensor<128xi16, #line>) {
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
  %0 = tt.mulhiui %a, %a : tensor<64xi32>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : i64
  %1 = tt.mulhiui %x, %x : i64
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<128xi16, #blocked>
  %2 = tt.mulhiui %b, %b : tensor<128xi16, #line>
  tt.return
}

}
