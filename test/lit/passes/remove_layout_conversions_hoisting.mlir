// RUN: tt-opt %s --tritongpu-remove-layout-conversions | FileCheck %s

// Conversions that have to stay move to where they cost less.

// CHECK-DAG: #[[A:.*]] = #ttg.blocked<{sizePerThread = [4],
// CHECK-DAG: #[[B:.*]] = #ttg.blocked<{sizePerThread = [1],
// CHECK-DAG: #[[ROW:.*]] = #ttg.blocked<{sizePerThread = [1, 4],
// CHECK-DAG: #[[MMA:.*]] = #ttg.nvidia_mma

#wide = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#a = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// The conversion moves half the bytes in front of the extension.
// CHECK-LABEL: @hoist_above_extension(
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<1024xf16, #[[A]]> -> tensor<1024xf16, #[[B]]>
// CHECK-NEXT: arith.extf
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
tt.func @hoist_above_extension(%p: tensor<1024x!tt.ptr<f16>, #a>, %x: tensor<1024xf32, #b>) -> tensor<1024xf32, #b> {
  %0 = tt.load %p : tensor<1024x!tt.ptr<f16>, #a>
  %1 = arith.extf %0 : tensor<1024xf16, #a> to tensor<1024xf32, #a>
  %2 = math.exp %1 : tensor<1024xf32, #a>
  %3 = ttg.convert_layout %2 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  %4 = arith.addf %3, %x : tensor<1024xf32, #b>
  tt.return %4 : tensor<1024xf32, #b>
}

// Two conversions of half the bytes are no better than one.
// CHECK-LABEL: @two_extensions_left_alone(
// CHECK: arith.addf %{{.*}} : tensor<1024xf32, #[[A]]>
// CHECK-NEXT: ttg.convert_layout
tt.func @two_extensions_left_alone(%p: tensor<1024x!tt.ptr<f16>, #a>,
    %q: tensor<1024x!tt.ptr<f16>, #a>) -> tensor<1024xf32, #b> {
  %0 = tt.load %p : tensor<1024x!tt.ptr<f16>, #a>
  %1 = arith.extf %0 : tensor<1024xf16, #a> to tensor<1024xf32, #a>
  %2 = tt.load %q : tensor<1024x!tt.ptr<f16>, #a>
  %3 = arith.extf %2 : tensor<1024xf16, #a> to tensor<1024xf32, #a>
  %4 = arith.addf %1, %3 : tensor<1024xf32, #a>
  %5 = ttg.convert_layout %4 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  tt.return %5 : tensor<1024xf32, #b>
}

// Only one branch needs the conversion: the other one makes its constant in the wanted layout.
// CHECK-LABEL: @hoist_into_branch(
// CHECK: scf.if %{{.*}} -> (tensor<1024xf32, #[[B]]>)
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} -> tensor<1024xf32, #[[B]]>
// CHECK-NEXT: scf.yield
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.store
tt.func @hoist_into_branch(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #b>, %n: i32, %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #a>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %0 = scf.if %c -> tensor<1024xf32, #a> {
      %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
      scf.yield %1 : tensor<1024xf32, #a>
    } else {
      scf.yield %zero : tensor<1024xf32, #a>
    }
    %2 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
    tt.store %q, %2 : tensor<1024x!tt.ptr<f32>, #b>
  }
  tt.return
}

// Outside of a loop there is no reason to think that the branch runs less often than what follows.
// CHECK-LABEL: @branch_outside_of_loop_left_alone(
// CHECK: scf.if
// CHECK-NOT: ttg.convert_layout
// CHECK: else
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.store
tt.func @branch_outside_of_loop_left_alone(%p: tensor<1024x!tt.ptr<f32>, #a>, %q: tensor<1024x!tt.ptr<f32>, #b>,
    %c: i1) {
  %zero = arith.constant dense<0.0> : tensor<1024xf32, #a>
  %0 = scf.if %c -> tensor<1024xf32, #a> {
    %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #a>
    scf.yield %1 : tensor<1024xf32, #a>
  } else {
    scf.yield %zero : tensor<1024xf32, #a>
  }
  %2 = ttg.convert_layout %0 : tensor<1024xf32, #a> -> tensor<1024xf32, #b>
  tt.store %q, %2 : tensor<1024x!tt.ptr<f32>, #b>
  tt.return
}

// Next to the load, so that a pipeline can take both.
// CHECK-LABEL: @hoist_dot_operand(
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x16xf8E5M2, #[[ROW]]> -> {{.*}}#ttg.dot_op<{opIdx = 0,
// CHECK-NEXT: tt.fp_to_fp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: tt.dot
tt.func @hoist_dot_operand(%p: tensor<64x16x!tt.ptr<f8E5M2>, #row>, %y: tensor<16x64xf16, #right>,
    %acc: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
  %0 = tt.load %p : tensor<64x16x!tt.ptr<f8E5M2>, #row>
  %1 = tt.fp_to_fp %0 : tensor<64x16xf8E5M2, #row> -> tensor<64x16xf16, #row>
  %2 = arith.mulf %1, %1 : tensor<64x16xf16, #row>
  %3 = ttg.convert_layout %2 : tensor<64x16xf16, #row> -> tensor<64x16xf16, #left>
  %4 = tt.dot %3, %y, %acc : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
  tt.return %4 : tensor<64x64xf32, #mma>
}

// A scan whose threads would hold fewer neighbours stays as it is: the conversion does not move before the extension.
// CHECK-LABEL: @scan_keeps_neighbours(
// CHECK-NEXT: tt.load
// CHECK-NEXT: arith.extf
// CHECK-NEXT: tt.scan
// CHECK: arith.truncf
// CHECK-NEXT: ttg.convert_layout
tt.func @scan_keeps_neighbours(%p: tensor<1024x!tt.ptr<bf16>, #wide>, %q: tensor<1024x!tt.ptr<bf16>, #a>) {
  %0 = tt.load %p : tensor<1024x!tt.ptr<bf16>, #wide>
  %1 = arith.extf %0 : tensor<1024xbf16, #wide> to tensor<1024xf32, #wide>
  %2 = "tt.scan"(%1) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tt.scan.return %sum : f32
  }) : (tensor<1024xf32, #wide>) -> tensor<1024xf32, #wide>
  %3 = arith.truncf %2 : tensor<1024xf32, #wide> to tensor<1024xbf16, #wide>
  %4 = ttg.convert_layout %3 : tensor<1024xbf16, #wide> -> tensor<1024xbf16, #a>
  tt.store %q, %4 : tensor<1024x!tt.ptr<bf16>, #a>
  tt.return
}
}
