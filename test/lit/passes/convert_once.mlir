// RUN: tt-opt %s --ttkit-convert-once | FileCheck %s
// RUN: tt-opt %s --ttkit-convert-once --prove-passes=all -o %t

#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#first = #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[16, 0], [32, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#second = #ttg.linear<{register = [[8, 0], [0, 1]], lane = [[16, 0], [32, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#other = #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[32, 0], [16, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The second conversion permutes the registers of the first.
// CHECK-LABEL: @registers
// CHECK: %[[FIRST:.+]] = ttg.convert_layout %arg0
// CHECK: %[[SECOND:.+]] = ttg.convert_layout %[[FIRST]]
// CHECK: tt.return %[[FIRST]], %[[SECOND]]
tt.func @registers(%x: tensor<64x2xi8, #b>) -> (tensor<64x2xi8, #first>, tensor<64x2xi8, #second>) {
  %0 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #first>
  %1 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #second>
  tt.return %0, %1 : tensor<64x2xi8, #first>, tensor<64x2xi8, #second>
}

// Nothing changes where lanes differ.
// CHECK-LABEL: @lanes
// CHECK-COUNT-2: ttg.convert_layout %arg0
tt.func @lanes(%x: tensor<64x2xi8, #b>) -> (tensor<64x2xi8, #first>, tensor<64x2xi8, #other>) {
  %0 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #first>
  %1 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #other>
  tt.return %0, %1 : tensor<64x2xi8, #first>, tensor<64x2xi8, #other>
}

// Nor where another block has the first conversion: it may not have run.
// CHECK-LABEL: @blocks
// CHECK-COUNT-2: ttg.convert_layout %arg0
tt.func @blocks(%x: tensor<64x2xi8, #b>, %c: i1, %p: tensor<64x2x!tt.ptr<i8>, #first>) -> tensor<64x2xi8, #second> {
  scf.if %c {
    %0 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #first>
    tt.store %p, %0 : tensor<64x2x!tt.ptr<i8>, #first>
  }
  %1 = ttg.convert_layout %x : tensor<64x2xi8, #b> -> tensor<64x2xi8, #second>
  tt.return %1 : tensor<64x2xi8, #second>
}

// What stays in a thread anyway keeps its source.
// CHECK-LABEL: @within_threads
// CHECK: ttg.convert_layout %arg0
// CHECK: ttg.convert_layout %arg0
tt.func @within_threads(%x: tensor<64x2xi8, #first>) -> (tensor<64x2xi8, #other>, tensor<64x2xi8, #second>) {
  %0 = ttg.convert_layout %x : tensor<64x2xi8, #first> -> tensor<64x2xi8, #other>
  %1 = ttg.convert_layout %x : tensor<64x2xi8, #first> -> tensor<64x2xi8, #second>
  tt.return %0, %1 : tensor<64x2xi8, #other>, tensor<64x2xi8, #second>
}
}
