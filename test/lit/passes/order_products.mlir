// RUN: tt-opt %s --split-input-file --ttkit-order-products | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#few = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#words = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
!rows = !ttg.memdesc<128x128xf16, #shared, #smem>
!half = !ttg.memdesc<128x64xf16, #shared, #smem>
!part = !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
!filled = !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #words, #smem, mutable>
!columns = !ttg.memdesc<64x128xf16, #shared, #smem>
!sums = tensor<128x128xf32, #mma>
!scores = tensor<128x64xf32, #few>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The first product of an iteration has an order, the second one follows its group.
// CHECK-LABEL: @attention
// CHECK: scf.for
// CHECK: ttng.warp_group_dot {{.*}}ttkit.in_turn = 15 : i32
// CHECK: ttng.warp_group_dot_wait
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @attention(%q: !rows, %k: !rows, %v: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    scf.yield %o : !sums
  }
  tt.return
}

// The groups meet before TMA fills again what they have multiplied; not where it fills other memory.
// CHECK-LABEL: @tma
// CHECK: ttng.warp_group_dot {{.*}}ttkit.in_turn = 15 : i32
// CHECK-LABEL: @tma_elsewhere
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @tma(%q: !rows, %k: !filled, %v: !rows, %d: !tt.tensordesc<tensor<128x128xf16, #shared>>, %m: !barrier, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %yes = arith.constant true
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %part = ttg.memdesc_index %k[%c0] : !filled -> !part
    %s = ttng.warp_group_dot %q, %part, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    %next = ttg.memdesc_index %k[%c0] : !filled -> !part
    ttng.async_tma_copy_global_to_local %d[%c0, %i] %next, %m, %yes : !tt.tensordesc<tensor<128x128xf16, #shared>>, !barrier -> !part
    scf.yield %o : !sums
  }
  tt.return
}
tt.func @tma_elsewhere(%q: !rows, %k: !rows, %v: !rows, %other: !part, %d: !tt.tensordesc<tensor<128x128xf16, #shared>>, %m: !barrier, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %yes = arith.constant true
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    ttng.async_tma_copy_global_to_local %d[%c0, %i] %other, %m, %yes : !tt.tensordesc<tensor<128x128xf16, #shared>>, !barrier -> !part
    scf.yield %o : !sums
  }
  tt.return
}

// Small products are done before the other group could start.
// CHECK-LABEL: @few_columns
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @few_columns(%q: !rows, %k: !half, %v: !columns, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !scores
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !half -> !scores
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !scores
    %e = math.exp2 %w : !scores
    %p = arith.truncf %e : !scores to tensor<128x64xf16, #few>
    %l = ttg.convert_layout %p : tensor<128x64xf16, #few> -> tensor<128x64xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #left> * !columns -> !sums
    scf.yield %o : !sums
  }
  tt.return
}

// Nothing takes long between the products.
// CHECK-LABEL: @no_exponentials
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @no_exponentials(%q: !rows, %k: !rows, %v: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = arith.negf %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    scf.yield %o : !sums
  }
  tt.return
}

// Threads that wait for no copies of their own.
// CHECK-LABEL: @by_tma
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @by_tma(%q: !rows, %k: !rows, %v: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    scf.yield %o : !sums
  }
  tt.return
}

// The product is done before anything else starts.
// CHECK-LABEL: @at_once
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @at_once(%q: !rows, %k: !rows, %v: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = false} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    scf.yield %o : !sums
  }
  tt.return
}
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#few = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
!rows = !ttg.memdesc<128x128xf16, #shared, #smem>
!half = !ttg.memdesc<128x64xf16, #shared, #smem>
!columns = !ttg.memdesc<64x128xf16, #shared, #smem>
!sums = tensor<128x128xf32, #mma>
!scores = tensor<128x64xf32, #few>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// More warps than the products have.
// CHECK-LABEL: @specialized
// CHECK-NOT: in_turn
// CHECK: tt.return
tt.func @specialized(%q: !rows, %k: !rows, %v: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : !sums
  %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
  %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %none {inputPrecision = 0 : i32, isAsync = true} : !rows * !rows -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %p = arith.truncf %e : !sums to tensor<128x128xf16, #mma>
    %l = ttg.convert_layout %p : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #left>
    %o = ttng.warp_group_dot %l, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #left> * !rows -> !sums
    scf.yield %o : !sums
  }
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(4) {
    ttg.warp_return
  } : () -> ()
  tt.return
}
}
