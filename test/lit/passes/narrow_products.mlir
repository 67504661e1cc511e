// RUN: tt-opt %s --split-input-file --ttkit-narrow-products | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The factors are multiplied as they were before they were extended; views between are made of what is narrow.
// CHECK-LABEL: @scaled_rows
// CHECK: %[[COLUMN:.+]] = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<64xbf16, {{.*}}> -> tensor<64x1xbf16, #blocked>
// CHECK: %[[SCALES:.+]] = tt.broadcast %[[COLUMN]] : tensor<64x1xbf16, #blocked> -> tensor<64x64xbf16, #blocked>
// CHECK: %[[PRODUCT:.+]] = arith.mulf %arg0, %[[SCALES]] : tensor<64x64xbf16, #blocked>
// CHECK-NOT: arith.mulf
// CHECK: tt.return %[[PRODUCT]]
tt.func @scaled_rows(%x: tensor<64x64xbf16, #b>, %scale: tensor<64xbf16, #rows>) -> tensor<64x64xbf16, #b> {
  %wide = arith.extf %x : tensor<64x64xbf16, #b> to tensor<64x64xf32, #b>
  %scales = arith.extf %scale : tensor<64xbf16, #rows> to tensor<64xf32, #rows>
  %column = tt.expand_dims %scales {axis = 1 : i32} : tensor<64xf32, #rows> -> tensor<64x1xf32, #b>
  %each = tt.broadcast %column : tensor<64x1xf32, #b> -> tensor<64x64xf32, #b>
  %product = arith.mulf %wide, %each : tensor<64x64xf32, #b>
  %0 = arith.truncf %product : tensor<64x64xf32, #b> to tensor<64x64xbf16, #b>
  tt.return %0 : tensor<64x64xbf16, #b>
}

// What a conversion of layouts has moved is truncated after it: a second one would move it again.
// CHECK-LABEL: @converted
// CHECK: %[[MOVED:.+]] = ttg.convert_layout
// CHECK: %[[NARROW:.+]] = arith.truncf %[[MOVED]] : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
// CHECK: arith.mulf %arg0, %[[NARROW]] : tensor<64x64xf16, #blocked>
tt.func @converted(%x: tensor<64x64xf16, #b>, %y: tensor<64x64xf16, #c>) -> tensor<64x64xf16, #b> {
  %wide = arith.extf %x : tensor<64x64xf16, #b> to tensor<64x64xf32, #b>
  %other = arith.extf %y : tensor<64x64xf16, #c> to tensor<64x64xf32, #c>
  %moved = ttg.convert_layout %other : tensor<64x64xf32, #c> -> tensor<64x64xf32, #b>
  %product = arith.mulf %wide, %moved : tensor<64x64xf32, #b>
  %0 = arith.truncf %product : tensor<64x64xf32, #b> to tensor<64x64xf16, #b>
  tt.return %0 : tensor<64x64xf16, #b>
}

// Factors of another type, products with other uses, and those that are rounded toward zero stay wide.
// CHECK-LABEL: @wide
// CHECK-COUNT-3: arith.mulf {{.*}} : tensor<64x64xf32, #blocked>
// CHECK-NOT: arith.mulf
tt.func @wide(%x: tensor<64x64xbf16, #b>, %y: tensor<64x64xf16, #b>) -> (tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>, tensor<64x64xf32, #b>) {
  %a = arith.extf %x : tensor<64x64xbf16, #b> to tensor<64x64xf32, #b>
  %b = arith.extf %y : tensor<64x64xf16, #b> to tensor<64x64xf32, #b>
  %mixed = arith.mulf %a, %b : tensor<64x64xf32, #b>
  %0 = arith.truncf %mixed : tensor<64x64xf32, #b> to tensor<64x64xbf16, #b>
  %shared = arith.mulf %a, %a : tensor<64x64xf32, #b>
  %1 = arith.truncf %shared : tensor<64x64xf32, #b> to tensor<64x64xbf16, #b>
  %down = arith.mulf %a, %a : tensor<64x64xf32, #b>
  %2 = arith.truncf %down toward_zero : tensor<64x64xf32, #b> to tensor<64x64xbf16, #b>
  tt.return %0, %1, %2, %shared : tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>, tensor<64x64xf32, #b>
}
}

// -----

// An sm_80 multiplies bf16 in f32.
#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @older
// CHECK: arith.mulf {{.*}} : tensor<64xf32, #blocked>
// CHECK: arith.mulf {{.*}} : tensor<64xf16, #blocked>
tt.func @older(%x: tensor<64xbf16, #b>, %y: tensor<64xf16, #b>) -> (tensor<64xbf16, #b>, tensor<64xf16, #b>) {
  %a = arith.extf %x : tensor<64xbf16, #b> to tensor<64xf32, #b>
  %p = arith.mulf %a, %a : tensor<64xf32, #b>
  %0 = arith.truncf %p : tensor<64xf32, #b> to tensor<64xbf16, #b>
  %b = arith.extf %y : tensor<64xf16, #b> to tensor<64xf32, #b>
  %q = arith.mulf %b, %b : tensor<64xf32, #b>
  %1 = arith.truncf %q : tensor<64xf32, #b> to tensor<64xf16, #b>
  tt.return %0, %1 : tensor<64xbf16, #b>, tensor<64xf16, #b>
}
}
