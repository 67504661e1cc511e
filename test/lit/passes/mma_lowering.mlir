// RUN: tt-opt %s --triton-nvidia-mma-lowering | FileCheck %s

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#packed = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// A product that is waited for gets a barrier.
// CHECK-LABEL: @waits
tt.func @waits(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1) {
  // CHECK: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>
  // CHECK: ttng.init_barrier %[[BAR]], 1
  // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %arg2, %true, %arg3, %[[BAR]][%true] {is_async}
  // CHECK: ttng.wait_barrier %[[BAR]], %c0_i32, %arg3
  // CHECK: ttng.inval_barrier %[[BAR]]
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  tt.return
}

// The commit behind it is one of the product's barriers; what makes its barrier moves in front.
// CHECK-LABEL: @commit
tt.func @commit(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1, %bars: !ttg.memdesc<2x1xi64, #bar, #smem, mutable>, %i: i32) {
  // CHECK: %[[BAR:.*]] = ttg.memdesc_index
  // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %arg2, %true, %arg3, %[[BAR]][%arg3] {is_async}
  // CHECK-NOT: ttng.tc_gen5_commit
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred {is_async} : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %bar = ttg.memdesc_index %bars[%i] : !ttg.memdesc<2x1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
  ttng.tc_gen5_commit %bar, %pred : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}

// Left alone: the commit happens where another condition holds.
// CHECK-LABEL: @other_condition
tt.func @other_condition(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %other: i1) {
  // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %arg2, %true, %arg3 {is_async}
  // CHECK-NEXT: ttng.tc_gen5_commit %arg4, %arg5
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred {is_async} : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tc_gen5_commit %bar, %other : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}

// Likewise: it always happens, the product does not.
// CHECK-LABEL: @always
tt.func @always(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %pred: i1, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %other: i1) {
  // CHECK: ttng.tc_gen5_mma %arg0, %arg1, %arg2, %true, %arg3 {is_async}
  // CHECK-NEXT: ttng.tc_gen5_commit %arg4 :
  %true = arith.constant true
  ttng.tc_gen5_mma %a, %b, %d, %true, %pred {is_async} : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  ttng.tc_gen5_commit %bar : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}

// Edge: scales in shared memory are copied to tensor memory.
// CHECK-LABEL: @scales
tt.func @scales(%a: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, %b: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, %d: !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, %s: !ttg.memdesc<128x4xi8, #packed, #smem>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  // CHECK: %[[S:.*]] = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
  // CHECK: ttng.tmem_copy %arg3, %[[S]]
  // CHECK: %[[T:.*]] = ttng.tmem_alloc
  // CHECK: ttng.tmem_copy %arg3, %[[T]]
  // CHECK: ttng.tc_gen5_mma_scaled %arg0, %arg1, %arg2, %[[S]], %[[T]], %true, %true
  %true = arith.constant true
  ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async} : !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem>, !ttg.memdesc<128x128xf32, #wide, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x4xi8, #packed, #smem>, !ttg.memdesc<128x4xi8, #packed, #smem>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.return
}
}
