// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Between any two layouts, of numbers and pointers.
  // CHECK-LABEL: @convert_layout
  tt.func @convert_layout(%x: tensor<64x64xf16, #blocked>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                          %y: tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, %z: tensor<64x64xf16>) {
    // CHECK: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    // CHECK: ttg.convert_layout %{{.*}} {tag} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
    %1 = ttg.convert_layout %x {tag} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
    // CHECK: ttg.convert_layout %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64x64x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %2 = ttg.convert_layout %p : tensor<64x64x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    // CHECK: ttg.convert_layout %{{[a-z0-9_]+}}
    // CHECK-SAME: : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    // CHECK-SAME: -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = ttg.convert_layout %y
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    // CHECK: ttg.convert_layout %{{.*}} : tensor<64x64xf16> -> tensor<64x64xf16, #blocked>
    %4 = ttg.convert_layout %z : tensor<64x64xf16> -> tensor<64x64xf16, #blocked>
    tt.return
  }

  // Along either dimension, with and without layouts.
  // CHECK-LABEL: @fp4_to_fp
  tt.func @fp4_to_fp(%x: tensor<64x32xi8, #blocked>, %y: tensor<64x32xi8>) {
    // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #blocked1>
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #blocked1>
    // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 0 : i32} : tensor<64x32xi8, #blocked> -> tensor<128x32xf16, #blocked2>
    %1 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<64x32xi8, #blocked> -> tensor<128x32xf16, #blocked2>
    // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32} : tensor<64x32xi8> -> tensor<64x64xf16>
    %2 = ttg.fp4_to_fp %y {axis = 1 : i32} : tensor<64x32xi8> -> tensor<64x64xf16>
    tt.return
  }
}
