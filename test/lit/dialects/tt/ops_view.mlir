// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#column1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @splat(
tt.func @splat(%x: f32, %i: i1, %p: !tt.ptr<f32>, %one: tensor<1xf32>) {
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<128x64xf32>
  %0 = tt.splat %x : f32 -> tensor<128x64xf32>
  // CHECK: tt.splat %{{.*}} : i1 -> tensor<1xi1>
  %1 = tt.splat %i : i1 -> tensor<1xi1>
  // CHECK: tt.splat %{{.*}} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %2 = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // CHECK: tt.splat %{{.*}} : tensor<1xf32> -> tensor<4xf32>
  %3 = tt.splat %one : tensor<1xf32> -> tensor<4xf32>
  // CHECK: tt.splat %{{.*}} {tt.divisibility = 16 : i32} : f32 -> tensor<128x64xf32, #blocked>
  %4 = tt.splat %x {tt.divisibility = 16 : i32} : f32 -> tensor<128x64xf32, #row>
  // The older way to write both types.
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<8xf32>
  %5 = tt.splat %x : (f32) -> tensor<8xf32>
  tt.return
}

// CHECK-LABEL: tt.func @unsplat(
tt.func @unsplat(%a: tensor<1xf32>, %b: tensor<1x1x!tt.ptr<i8>>, %c: tensor<1x1xi32, #row>) {
  // CHECK: tt.unsplat %{{.*}} : tensor<1xf32>
  %0 = tt.unsplat %a : tensor<1xf32>
  %1 = arith.addf %0, %0 : f32
  // CHECK: tt.unsplat %{{.*}} : tensor<1x1x!tt.ptr<i8>>
  %2 = tt.unsplat %b : tensor<1x1x!tt.ptr<i8>>
  // CHECK: tt.unsplat %{{.*}} : tensor<1x1xi32, #blocked>
  %3 = tt.unsplat %c : tensor<1x1xi32, #row>
  tt.return
}

// CHECK-LABEL: tt.func @expand_dims(
tt.func @expand_dims(%a: tensor<64xf32>, %b: tensor<4x8x!tt.ptr<f32>>,
                     %c: tensor<32xi32, #ttg.slice<{dim = 1, parent = #row}>>) {
  // CHECK: tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %0 = tt.expand_dims %a {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %1 = tt.expand_dims %a {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 2 : i32} : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8x1x!tt.ptr<f32>>
  %2 = tt.expand_dims %b {axis = 2 : i32} : tensor<4x8x!tt.ptr<f32>> -> tensor<4x8x1x!tt.ptr<f32>>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
  %3 = tt.expand_dims %c {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<32x1xi32, #row>
  // CHECK: tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %4 = tt.expand_dims %a {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
  tt.return
}

// CHECK-LABEL: tt.func @broadcast(
tt.func @broadcast(%a: tensor<1x32x1xf32>, %b: tensor<32x1xi1, #row>) {
  // CHECK: tt.broadcast %{{.*}} : tensor<1x32x1xf32> -> tensor<2x32x4xf32>
  %0 = tt.broadcast %a : tensor<1x32x1xf32> -> tensor<2x32x4xf32>
  // CHECK: tt.broadcast %{{.*}} : tensor<1x32x1xf32> -> tensor<1x32x1xf32>
  %1 = tt.broadcast %a : tensor<1x32x1xf32> -> tensor<1x32x1xf32>
  // CHECK: tt.broadcast %{{.*}} : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
  %2 = tt.broadcast %b : tensor<32x1xi1, #row> -> tensor<32x64xi1, #row>
  // CHECK: tt.broadcast %{{.*}} : tensor<1x32x1xf32> -> tensor<8x32x1xf32>
  %3 = tt.broadcast %a : (tensor<1x32x1xf32>) -> tensor<8x32x1xf32>
  tt.return
}

// CHECK-LABEL: tt.func @reshape(
tt.func @reshape(%a: tensor<32x16xf32>, %s: tensor<1xf32>, %b: tensor<128xf32, #line>, %c: tensor<32x64xf32, #row>) {
  // CHECK: tt.reshape %{{.*}} : tensor<32x16xf32> -> tensor<512xf32>
  %0 = tt.reshape %a : tensor<32x16xf32> -> tensor<512xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<32x16xf32> -> tensor<2x256xf32>
  %1 = tt.reshape %a allow_reorder : tensor<32x16xf32> -> tensor<2x256xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<32x16xf32> -> tensor<8x64xf32>
  %2 = tt.reshape %a allow_reorder efficient_layout : tensor<32x16xf32> -> tensor<8x64xf32>
  // CHECK: tt.reshape %{{.*}} efficient_layout {some.attribute} : tensor<32x16xf32> -> tensor<16x32xf32>
  %3 = tt.reshape %a efficient_layout {some.attribute} : tensor<32x16xf32> -> tensor<16x32xf32>
  // CHECK: tt.reshape %{{.*}} : tensor<1xf32> -> tensor<f32>
  %4 = tt.reshape %s : tensor<1xf32> -> tensor<f32>
  // An equivalent layout, and one that follows.
  // CHECK: tt.reshape %{{.*}} : tensor<128xf32, #{{.*}}> -> tensor<128xf32, #linear>
  %5 = tt.reshape %b : tensor<128xf32, #line> -> tensor<128xf32, #linear>
  // CHECK: tt.reshape %{{.*}} : tensor<128xf32, #{{.*}}> -> tensor<128x1xf32, #{{.*}}>
  %6 = tt.reshape %b : tensor<128xf32, #line> -> tensor<128x1xf32, #column1>
  // Any layout, if elements may be reordered.
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<32x64xf32, #{{.*}}> -> tensor<2048xf32, #{{.*}}>
  %7 = tt.reshape %c allow_reorder : tensor<32x64xf32, #row> -> tensor<2048xf32, #line>
  tt.return
}

// CHECK-LABEL: tt.func @trans(
tt.func @trans(%a: tensor<1x2x4xf32>, %b: tensor<32x64xf32, #row>, %c: tensor<128xf32, #line>) {
  // CHECK: tt.trans %{{.*}} {order = array<i32: 2, 0, 1>} : tensor<1x2x4xf32> -> tensor<4x1x2xf32>
  %0 = tt.trans %a {order = array<i32: 2, 0, 1>} : tensor<1x2x4xf32> -> tensor<4x1x2xf32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<32x64xf32, #{{.*}}> -> tensor<64x32xf32, #{{.*}}>
  %1 = tt.trans %b {order = array<i32: 1, 0>} : tensor<32x64xf32, #row> -> tensor<64x32xf32, #column>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 0>} : tensor<128xf32, #{{.*}}> -> tensor<128xf32, #linear>
  %2 = tt.trans %c {order = array<i32: 0>} : tensor<128xf32, #line> -> tensor<128xf32, #linear>
  tt.return
}

// CHECK-LABEL: tt.func @join(
tt.func @join(%a: tensor<4x8xf32>, %s: tensor<f32>, %b: tensor<128xi8, #line>, %c: tensor<128xi8, #linear>) {
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<4x8xf32> -> tensor<4x8x2xf32>
  %0 = tt.join %a, %a : tensor<4x8xf32> -> tensor<4x8x2xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<f32> -> tensor<2xf32>
  %1 = tt.join %s, %s : tensor<f32> -> tensor<2xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<128xi8, #{{.*}}> -> tensor<128x2xi8, #{{.*}}>
  %2 = tt.join %b, %b : tensor<128xi8, #line> -> tensor<128x2xi8, #pairs>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<128xi8, #linear> -> tensor<128x2xi8, #{{.*}}>
  %3 = tt.join %c, %c : tensor<128xi8, #linear> -> tensor<128x2xi8, #pairs>
  tt.return
}

// CHECK-LABEL: tt.func @split(
tt.func @split(%a: tensor<4x8x2xf32>, %b: tensor<2xi64>, %c: tensor<128x2xi8, #pairs>) {
  // CHECK: %{{.*}}, %{{.*}} = tt.split %{{.*}} : tensor<4x8x2xf32> -> tensor<4x8xf32>
  %0, %1 = tt.split %a : tensor<4x8x2xf32> -> tensor<4x8xf32>
  // CHECK: tt.split %{{.*}} : tensor<2xi64> -> tensor<i64>
  %2, %3 = tt.split %b : tensor<2xi64> -> tensor<i64>
  // CHECK: tt.split %{{.*}} : tensor<128x2xi8, #{{.*}}> -> tensor<128xi8, #{{.*}}>
  %4, %5 = tt.split %c : tensor<128x2xi8, #pairs> -> tensor<128xi8, #line>
  // CHECK: tt.split %{{.*}} : tensor<128x2xi8, #{{.*}}> -> tensor<128xi8, #linear>
  %6, %7 = tt.split %c : tensor<128x2xi8, #pairs> -> tensor<128xi8, #linear>
  tt.return
}

// CHECK-LABEL: tt.func @cat(
tt.func @cat(%a: tensor<32xf32>, %b: tensor<2x4x!tt.ptr<f16>>, %c: tensor<128xi8, #line>) {
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<32xf32> -> tensor<64xf32>
  %0 = tt.cat %a, %a : tensor<32xf32> -> tensor<64xf32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<2x4x!tt.ptr<f16>> -> tensor<4x4x!tt.ptr<f16>>
  %1 = tt.cat %b, %b : tensor<2x4x!tt.ptr<f16>> -> tensor<4x4x!tt.ptr<f16>>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<128xi8, #{{.*}}> -> tensor<256xi8, #{{.*}}>
  %2 = tt.cat %c, %c : tensor<128xi8, #line> -> tensor<256xi8, #linear>
  tt.return
}

}
