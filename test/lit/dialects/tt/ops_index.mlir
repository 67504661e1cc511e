// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @make_range(
tt.func @make_range() {
  // CHECK: tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  // The attributes in another order, and from below zero.
  // CHECK: tt.make_range {end = 4 : i32, start = -4 : i32} : tensor<8xi32>
  %1 = tt.make_range {start = -4 : i32, end = 4 : i32} : tensor<8xi32>
  // The largest i32 is the end.
  // CHECK: tt.make_range {end = 2147483647 : i32, start = 2147483646 : i32} : tensor<1xi32>
  %2 = tt.make_range {end = 2147483647 : i32, start = 2147483646 : i32} : tensor<1xi32>
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
  %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>>
  tt.return
}

// CHECK-LABEL: tt.func @gather(
tt.func @gather(%a: tensor<8x16xf32>, %i: tensor<4x16xi32>, %j: tensor<8x32xi8>, %p: tensor<16x!tt.ptr<f32>>,
                %k: tensor<16xi64>, %b: tensor<32x64xf32, #row>, %l: tensor<32x64xi32, #row>) {
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<8x16xf32>, tensor<4x16xi32>) -> tensor<4x16xf32>
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x16xf32>, tensor<4x16xi32>) -> tensor<4x16xf32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x32xi8>) -> tensor<8x32xf32>
  %1 = tt.gather %a[%j] {axis = 1 : i32} : (tensor<8x16xf32>, tensor<8x32xi8>) -> tensor<8x32xf32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<16x!tt.ptr<f32>>, tensor<16xi64>) -> tensor<16x!tt.ptr<f32>>
  %2 = tt.gather %p[%k] {axis = 0 : i32} : (tensor<16x!tt.ptr<f32>>, tensor<16xi64>) -> tensor<16x!tt.ptr<f32>>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32, efficient_layout} : (tensor<32x64xf32, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64xf32, #blocked>
  %3 = tt.gather %b[%l] {axis = 0 : i32, efficient_layout} : (tensor<32x64xf32, #row>, tensor<32x64xi32, #row>) -> tensor<32x64xf32, #row>
  tt.return
}

// CHECK-LABEL: tt.func @histogram(
tt.func @histogram(%a: tensor<512xi32>, %m: tensor<512xi1>, %b: tensor<128xi32, #line>) {
  // CHECK: tt.histogram %{{.*}} : tensor<512xi32> -> tensor<16xi32>
  %0 = tt.histogram %a : tensor<512xi32> -> tensor<16xi32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<512xi32> -> tensor<16xi64>
  %1 = tt.histogram %a, %m : tensor<512xi32> -> tensor<16xi64>
  // CHECK: tt.histogram %{{.*}} : tensor<128xi32, #{{.*}}> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #{{.*}}}>>
  %2 = tt.histogram %b : tensor<128xi32, #line> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>>
  tt.return
}

}
