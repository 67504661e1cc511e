// RUN: tt-opt %s -split-input-file --allocate-shared-memory | FileCheck %s
// RUN: tt-opt %s -split-input-file --test-print-allocation -verify-diagnostics=only-expected -o /dev/null

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory

// Buffers that live together lie apart; what comes after one of them is dead takes its place.
// CHECK: module attributes {{.*}}ttg.shared = 1536 : i32
// CHECK-LABEL: @reuse
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-remark @below {{size = 1536}}
  tt.func public @reuse(%x: tensor<16x16xf16, #blocked>) {
    // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
    // expected-remark @below {{offset = 0, size = 1024}}
    %first = ttg.local_alloc : () -> !ttg.memdesc<2x16x16xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc {allocation.offset = 1024 : i32}
    // expected-remark @below {{offset = 1024, size = 512}}
    %second = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    %c0 = arith.constant 0 : i32
    %view = ttg.memdesc_index %first[%c0] : !ttg.memdesc<2x16x16xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttg.local_store %x, %second : tensor<16x16xf16, #blocked> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttg.local_store %x, %view : tensor<16x16xf16, #blocked> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
    // expected-remark @below {{offset = 0, size = 512}}
    %third = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    ttg.local_store %x, %third : tensor<16x16xf16, #blocked> -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>

// Conversions and reductions across warps need scratch memory, and a call all that the function called needs.
// CHECK: module attributes {{.*}}ttg.shared = 16384 : i32
// CHECK-LABEL: @scratch
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-remark @below {{size = 16384}}
  tt.func private @scratch(%x: tensor<64x64xf32, #blocked>) {
    // CHECK: ttg.convert_layout {{.*}} {allocation.offset = 0 : i32}
    // expected-remark @below {{scratch offset = 0, size = 16384}}
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #columns>
    // CHECK: {{tt.reduce.* <{axis = 0 : i32}> }}
    // expected-remark @below {{scratch offset = 0, size = 1024}}
    %1 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64x64xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    tt.return
  }
  // CHECK-LABEL: @caller
  // expected-remark @below {{size = 16384}}
  tt.func public @caller(%x: tensor<64x64xf32, #blocked>) {
    // CHECK: tt.call @scratch({{.*}}) {allocation.offset = 0 : i32}
    // expected-remark @below {{virtual offset = 0, size = 16384}}
    tt.call @scratch(%x) : (tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>

// Left alone: a reduction within warps, and a function without shared memory; the module still says how much: none.
// CHECK: module attributes {{.*}}ttg.shared = 0 : i32
// CHECK-LABEL: @nothing
// CHECK-NOT: allocation.offset
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-remark @below {{size = 0}}
  tt.func public @nothing(%x: tensor<64x64xf32, #blocked>) {
    %1 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64x64xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory

// Edge case: warps that run beside each other never share, though their buffers live one after the other in the text;
// the memory of specialized warps' state and of their captures counts too.
// CHECK-LABEL: @warps
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-SAME: allocation.offset = 1024 : i32
  tt.func public @warps(%n: i32) attributes {noinline = false} {
    ttg.warp_specialize(%n)
    default {
      // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
      %a = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
      ttg.warp_yield
    }
    partition0(%m: i32) num_warps(4) {
      // CHECK: ttg.local_alloc {allocation.offset = 512 : i32}
      %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory

// Edge case: TMA copies to multiples of 128 bytes, so buffers of 64 bytes do not follow each other at once.
// CHECK: ttg.shared = 448 : i32
// CHECK-LABEL: @small_tiles
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-remark @below {{size = 448}}
  tt.func public @small_tiles() {
    // CHECK: ttg.local_alloc {allocation.offset = 0 : i32}
    // expected-remark @below {{offset = 0, size = 384}}
    %slots = ttg.local_alloc : () -> !ttg.memdesc<3x4x8xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc {allocation.offset = 384 : i32}
    // expected-remark @below {{offset = 384, size = 64}}
    %one = ttg.local_alloc : () -> !ttg.memdesc<4x8xf16, #shared, #smem, mutable>
    ttg.local_dealloc %slots : !ttg.memdesc<3x4x8xf16, #shared, #smem, mutable>
    ttg.local_dealloc %one : !ttg.memdesc<4x8xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory

// Edge case: a predicate takes a byte.
// CHECK: ttg.shared = 1024 : i32
// CHECK-LABEL: @predicates
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-remark @below {{size = 1024}}
  tt.func public @predicates() {
    // expected-remark @below {{offset = 0, size = 1024}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x16xi1, #shared, #smem, mutable>
    tt.return
  }
}
