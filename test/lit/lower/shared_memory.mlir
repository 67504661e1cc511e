// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#s2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#t = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#pad = #ttg.padded_shared<[32:+4] {order = [0], shape = [64]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The analysis puts a barrier between a store and a load of the same memory.
  // CHECK-LABEL: llvm.func @round
  tt.func public @round(%x: tensor<64xf32, #b>) -> tensor<64xf32, #b> {
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
    // CHECK-NEXT: nvvm.barrier0
    // CHECK-NEXT: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    // CHECK-NEXT: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xf32>
    %m = ttg.local_alloc %x : (tensor<64xf32, #b>) -> !ttg.memdesc<64xf32, #s, #smem>
    %0 = ttg.local_load %m : !ttg.memdesc<64xf32, #s, #smem> -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }

  // Two fp8 are one number, which they are converted from: LLVM would load each to a register of its own.
  // CHECK-LABEL: llvm.func @two_bytes
  tt.func public @two_bytes(%x: tensor<64xf8E4M3FN, #b>) -> tensor<64xf8E4M3FN, #b> {
    // CHECK: llvm.store %{{.*}} : vector<2xi8>, !llvm.ptr<3>
    // CHECK: %[[TWO:.+]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> i16
    // CHECK: %[[KEPT:.+]] = llvm.freeze %[[TWO]] : i16
    // CHECK: llvm.bitcast %[[KEPT]] : i16 to vector<2xi8>
    %m = ttg.local_alloc %x : (tensor<64xf8E4M3FN, #b>) -> !ttg.memdesc<64xf8E4M3FN, #s, #smem>
    %0 = ttg.local_load %m : !ttg.memdesc<64xf8E4M3FN, #s, #smem> -> tensor<64xf8E4M3FN, #b>
    tt.return %0 : tensor<64xf8E4M3FN, #b>
  }

  // Places in a part of a ring, whose address is no constant, are counted in bytes.
  // CHECK-LABEL: llvm.func @part
  tt.func public @part(%part: i32) -> tensor<64xf32, #b> {
    // CHECK: %[[PART:.+]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    // CHECK: llvm.getelementptr %[[PART]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64xf32, #s, #smem, mutable>
    %m = ttg.memdesc_index %ring[%part] : !ttg.memdesc<2x64xf32, #s, #smem, mutable> -> !ttg.memdesc<64xf32, #s, #smem, mutable>
    %0 = ttg.local_load %m : !ttg.memdesc<64xf32, #s, #smem, mutable> -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }

  // TMA copies to multiples of 128 bytes, 64 elements here, though a tile has 32.
  // CHECK-LABEL: llvm.func @small_tiles
  tt.func public @small_tiles(%n: i32) -> tensor<4x8xf16, #t> {
    // CHECK: %[[TILE:.+]] = llvm.mlir.constant(64 : i32)
    // CHECK: %[[BEGIN:.+]] = llvm.mul %arg0, %[[TILE]]
    // CHECK: llvm.getelementptr %{{.*}}[%[[BEGIN]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %m = ttg.local_alloc : () -> !ttg.memdesc<3x4x8xf16, #tile, #smem, mutable>
    %v = ttg.memdesc_index %m[%n] : !ttg.memdesc<3x4x8xf16, #tile, #smem, mutable> -> !ttg.memdesc<4x8xf16, #tile, #smem, mutable>
    %0 = ttg.local_load %v : !ttg.memdesc<4x8xf16, #tile, #smem, mutable> -> tensor<4x8xf16, #t>
    tt.return %0 : tensor<4x8xf16, #t>
  }

  // One of several buffers, and elements at computed places.
  // CHECK-LABEL: llvm.func @computed
  tt.func public @computed(%n: i32, %i: tensor<64xi32, #b>) -> tensor<64xf32, #b> {
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x64xf32, #s2, #smem, mutable>
    // CHECK: llvm.mul
    // CHECK: llvm.getelementptr
    %v = ttg.memdesc_index %m[%n] : !ttg.memdesc<2x64xf32, #s2, #smem, mutable> -> !ttg.memdesc<64xf32, #s, #smem, mutable>
    // CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
    %0 = ttg.local_gather %v[%i] {axis = 0 : i32} : !ttg.memdesc<64xf32, #s, #smem, mutable>, tensor<64xi32, #b> -> tensor<64xf32, #b>
    tt.return %0 : tensor<64xf32, #b>
  }

  // Edge: a gap of 4 elements after every 32.
  // CHECK-LABEL: llvm.func @gaps
  tt.func public @gaps(%x: tensor<64xf32, #b>) {
    // CHECK: %[[BEFORE:.*]] = llvm.lshr
    // CHECK: %[[GAPS:.*]] = llvm.shl %[[BEFORE]]
    // CHECK: %[[WHERE:.*]] = llvm.add %{{.*}}, %[[GAPS]]
    // CHECK: llvm.getelementptr %{{.*}}[%[[WHERE]]]
    %m = ttg.local_alloc %x : (tensor<64xf32, #b>) -> !ttg.memdesc<64xf32, #pad, #smem>
    tt.return
  }
}
