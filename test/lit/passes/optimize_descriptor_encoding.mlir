// RUN: tt-opt %s --split-input-file --triton-nvidia-optimize-descriptor-encoding | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[$WIDE:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$NARROW:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$PLAIN:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A row of 128 bytes fills the widest swizzle.
  // CHECK-LABEL: tt.func public @copy
  // CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #[[$WIDE]]>>
  tt.func public @copy(%d: !tt.tensordesc<tensor<64x64xf16>>, %i: i32) {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #blocked>
    tt.return
  }

  // Nothing repeats in fewer than 8 rows.
  // CHECK-LABEL: tt.func public @few_rows
  // CHECK-SAME: !tt.tensordesc<tensor<4x64xf16, #[[$PLAIN]]>>
  tt.func public @few_rows(%d: !tt.tensordesc<tensor<4x64xf16>>, %i: i32) {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<4x64xf16>> -> tensor<4x64xf16, #blocked>
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<4x64xf16>>, tensor<4x64xf16, #blocked>
    tt.return
  }

  // What is loaded lies in shared memory in this layout anyway; the descriptor of the loop is the one before it.
  // CHECK-LABEL: tt.func public @loop
  // CHECK: tt.make_tensor_descriptor {{.*}} <tensor<64x64xf16, #[[$NARROW]]>>
  // CHECK: scf.for {{.*}} -> (!tt.tensordesc<tensor<64x64xf16, #[[$NARROW]]>>)
  tt.func public @loop(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
    %c1_i64 = arith.constant 1 : i64
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%e = %d) -> (!tt.tensordesc<tensor<64x64xf16>>) : i32 {
      %x = tt.descriptor_load %e[%k, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16, #blocked>
      %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #narrow, #smem>
      scf.yield %e : !tt.tensordesc<tensor<64x64xf16>>
    }
    tt.return
  }

  // A layout that only loads and stores know of gives way; one that copies by TMA rely on stays.
  // CHECK-LABEL: tt.func public @chosen_before
  // CHECK-SAME: %arg0: !tt.tensordesc<tensor<64x64xf16, #[[$WIDE]]>>, %arg1: !tt.tensordesc<tensor<64x64xf16, #[[$NARROW]]>>
  tt.func public @chosen_before(%d: !tt.tensordesc<tensor<64x64xf16, #narrow>>, %e: !tt.tensordesc<tensor<64x64xf16, #narrow>>, %m: !ttg.memdesc<64x64xf16, #narrow, #smem>, %i: i32) {
    %x = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xf16, #narrow>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16, #narrow>>, tensor<64x64xf16, #blocked>
    ttng.async_tma_copy_local_to_global %e[%i, %i] %m : !tt.tensordesc<tensor<64x64xf16, #narrow>>, !ttg.memdesc<64x64xf16, #narrow, #smem>
    tt.return
  }
}

// -----

// Edge: CTAs divide what is stored in two ways.  Each has the whole block: another part of it comes from the other CTA.
#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
// CHECK-DAG: #[[$WHOLE:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 0]]}>
// CHECK-DAG: #[[$LINE:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16, CGALayout = {{\[\[}}0]]}>
// CHECK-DAG: #[[$HALVES:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16, CGALayout = {{\[\[}}1]]}>
// CHECK-DAG: #[[$WHOLE_ROW:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 0]]}>
// CHECK-DAG: #[[$HALF_ROWS:.+]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @two_divisions
  // CHECK-SAME: !tt.tensordesc<tensor<64x64xf16, #[[$WHOLE]]>>
  tt.func public @two_divisions(%d: !tt.tensordesc<tensor<64x64xf16>>, %x: tensor<64x64xf16, #rows>, %y: tensor<64x64xf16, #columns>, %i: i32) {
    tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #rows>
    tt.descriptor_store %d[%i, %i], %y : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16, #columns>
    tt.return
  }

  // Half of 8 elements is less than the 16 bytes that TMA moves; half of 16 is not.
  // CHECK-LABEL: tt.func public @short_rows
  // CHECK-SAME: !tt.tensordesc<tensor<8xf16, #[[$LINE]]>>, %arg1: !tt.tensordesc<tensor<16xf16, #[[$HALVES]]>>
  tt.func public @short_rows(%d: !tt.tensordesc<tensor<8xf16>>, %e: !tt.tensordesc<tensor<16xf16>>, %x: tensor<8xf16, #line>, %y: tensor<16xf16, #line>, %i: i32) {
    tt.descriptor_store %d[%i], %x : !tt.tensordesc<tensor<8xf16>>, tensor<8xf16, #line>
    tt.descriptor_store %e[%i], %y : !tt.tensordesc<tensor<16xf16>>, tensor<16xf16, #line>
    tt.return
  }

  // TMA moves four chosen rows to a multiple of 128 bytes: half of 16 elements is too little, half of 32 is not.
  // CHECK-LABEL: tt.func public @short_chosen_rows
  // CHECK-SAME: !tt.tensordesc<tensor<1x16xf16, #[[$WHOLE_ROW]]>>, %arg1: !tt.tensordesc<tensor<1x32xf16, #[[$HALF_ROWS]]>>
  tt.func public @short_chosen_rows(%d: !tt.tensordesc<tensor<1x16xf16>>, %e: !tt.tensordesc<tensor<1x32xf16>>, %x: tensor<8x16xf16, #columns>, %y: tensor<8x32xf16, #columns>, %r: tensor<8xi32, #ttg.slice<{dim = 1, parent = #columns}>>, %i: i32) {
    tt.descriptor_scatter %d[%r, %i], %x : !tt.tensordesc<tensor<1x16xf16>>, tensor<8xi32, #ttg.slice<{dim = 1, parent = #columns}>>, i32, tensor<8x16xf16, #columns>
    tt.descriptor_scatter %e[%r, %i], %y : !tt.tensordesc<tensor<1x32xf16>>, tensor<8xi32, #ttg.slice<{dim = 1, parent = #columns}>>, i32, tensor<8x32xf16, #columns>
    tt.return
  }
}
