// RUN: tt-opt %s --tritongpu-remove-layout-conversions | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0], CGALayout = [[1, 0], [2, 0]]}>
#cube = #ttg.linear<{register = [[0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]], lane = [[0, 0, 0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]], warp = [], block = [[0, 1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]]}>
#pair = #ttg.linear<{register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = [], block = [[0], [0]]}>
#places = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [], block = [[16, 0], [32, 0]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 1 : i32} {
  // Edge case: the slice before the conversion needs %0 as it is and in another layout, so one copy does not do.
  // CHECK-LABEL: @one_value_in_two_layouts
  // CHECK: tt.reshape %{{.*}} : tensor<2xi32, #[[GIVEN:.*]]> -> tensor<1x1x1x1x1x1x1x1x2x1xi32
  // CHECK: tt.reshape %{{.*}} : tensor<2xi32, #[[GIVEN]]> -> tensor<1x1x1x1x1x1x1x2x1x1xi32
  tt.func @one_value_in_two_layouts(%arg0: tensor<64x16x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<1> : tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube>
    %0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #pair>
    %1 = tt.reshape %0 : tensor<2xi32, #pair> -> tensor<1x1x1x1x1x1x1x1x2x1xi32, #cube>
    %2 = tt.broadcast %1 : tensor<1x1x1x1x1x1x1x1x2x1xi32, #cube> -> tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %3 = tt.reshape %0 : tensor<2xi32, #pair> -> tensor<1x1x1x1x1x1x1x2x1x1xi32, #cube>
    %4 = tt.broadcast %3 : tensor<1x1x1x1x1x1x1x2x1x1xi32, #cube> -> tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %5 = tt.bitcast %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube> -> tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube>
    %6 = arith.cmpi ne, %2, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %7 = arith.select %6, %5, %cst_0 : tensor<2x2x2x2x2x2x2x2x2x2xi1, #cube>, tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube>
    %8 = arith.cmpi ne, %4, %cst : tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %9 = arith.select %8, %cst_0, %7 : tensor<2x2x2x2x2x2x2x2x2x2xi1, #cube>, tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube>
    %10 = tt.bitcast %9 : tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube> -> tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube>
    %11 = tt.bitcast %10 : tensor<2x2x2x2x2x2x2x2x2x2xi32, #cube> -> tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube>
    %26 = tt.reshape %11 : tensor<2x2x2x2x2x2x2x2x2x2xf32, #cube> -> tensor<64x16xf32, #places>
    %27 = ttg.convert_layout %26 : tensor<64x16xf32, #places> -> tensor<64x16xf32, #blocked>
    tt.store %arg0, %27 : tensor<64x16x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
