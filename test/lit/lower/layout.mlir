// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#one = #ttg.linear<{register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[64], [128]], block = []}>
#r = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#half = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [0, 1]}>
#full = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Through shared memory, with a barrier between the stores and the loads, and none before the first.
  // CHECK-LABEL: llvm.func @exchange
  tt.func public @exchange(%x: tensor<64x64xf32, #r>) -> tensor<64x64xf32, #c> {
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
    // CHECK: nvvm.barrier0
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #r> -> tensor<64x64xf32, #c>
    tt.return %0 : tensor<64x64xf32, #c>
  }

  // Elements that are known to be equal are taken from the first of them: here four of a row, and those of other rows.
  // CHECK-LABEL: llvm.func @equal_elements
  tt.func public @equal_elements(%p: !tt.ptr<i32>) -> tensor<64x64xi32, #r> {
    // CHECK: nvvm.barrier0
    // CHECK: llvm.shufflevector %{{.*}} [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12] : vector<32xi32>
    %four = arith.constant dense<4> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>>
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>>
    %fourth = arith.divsi %range, %four : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>>
    %row = tt.expand_dims %fourth {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #c}>> -> tensor<1x64xi32, #c>
    %places = tt.broadcast %row : tensor<1x64xi32, #c> -> tensor<64x64xi32, #c>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<64x64x!tt.ptr<i32>, #c>
    %pointers = tt.addptr %base, %places : tensor<64x64x!tt.ptr<i32>, #c>, tensor<64x64xi32, #c>
    %x = tt.load %pointers : tensor<64x64x!tt.ptr<i32>, #c>
    %0 = ttg.convert_layout %x : tensor<64x64xi32, #c> -> tensor<64x64xi32, #r>
    tt.return %0 : tensor<64x64xi32, #r>
  }

  // Matrices of 2-byte elements have instructions of their own.
  // CHECK-LABEL: llvm.func @matrices
  tt.func public @matrices(%x: tensor<64x64xf16, #mma>) -> tensor<64x64xf16, #wide> {
    // CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #wide>
    tt.return %0 : tensor<64x64xf16, #wide>
  }

  // Within a warp: shuffles.
  // CHECK-LABEL: llvm.func @lanes
  tt.func public @lanes(%x: tensor<256xf32, #b>) -> tensor<256xf32, #one> {
    // CHECK: nvvm.shfl.sync
    // CHECK-NOT: nvvm.barrier0
    // CHECK: llvm.return
    %0 = ttg.convert_layout %x : tensor<256xf32, #b> -> tensor<256xf32, #one>
    tt.return %0 : tensor<256xf32, #one>
  }

  // Edge: two numbers of e2m1 in a byte become neighbours; the product moves the exponent.
  // CHECK-LABEL: llvm.func @fp4
  tt.func public @fp4(%x: tensor<16x64xi8, #half>) -> tensor<16x128xbf16, #full> {
    // CHECK: llvm.zext %{{.*}} : vector<8xi8> to vector<8xi32>
    // CHECK: llvm.bitcast %{{.*}} : vector<8xi32> to vector<16xbf16>
    // CHECK: llvm.fmul %{{.*}} : vector<16xbf16>
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<16x64xi8, #half> -> tensor<16x128xbf16, #full>
    tt.return %0 : tensor<16x128xbf16, #full>
  }

  // Edge: elements of a wide vector, which came in parts, are picked one by one: no shuffle has all of them.
  // CHECK-LABEL: llvm.func @parts_of_many
  tt.func public @parts_of_many(%x: tensor<128x128xf16, #columns>, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    // CHECK-NOT: llvm.shufflevector %{{[0-9]+}}, {{.*}} : vector<128xf16>
    // CHECK: llvm.return
    %0 = ttg.convert_layout %x : tensor<128x128xf16, #columns> -> tensor<128x128xf16, #rows>
    %1 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x128xi32, #rows>
    %3 = tt.splat %p : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #rows>
    %4 = tt.addptr %3, %2 : tensor<1x128x!tt.ptr<f16>, #rows>, tensor<1x128xi32, #rows>
    %5 = tt.broadcast %4 : tensor<1x128x!tt.ptr<f16>, #rows> -> tensor<128x128x!tt.ptr<f16>, #rows>
    tt.store %5, %0 : tensor<128x128x!tt.ptr<f16>, #rows>
    tt.return
  }
}
