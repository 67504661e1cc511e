// RUN: tt-opt %s --split-input-file --ttkit-synchronize-once | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!q = !ttg.memdesc<128x64xf16, #shared, #smem>
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!pointers = tensor<64x64x!tt.ptr<f16>, #rows>
!sums = tensor<128x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The wait stands in front of the copies, where one group of copies less is in flight; the first one before the loop.
// CHECK-LABEL: @attention
// CHECK: ttg.async_wait {num = 1 : i32}
// CHECK-NEXT: scf.for
// CHECK-NEXT: ttng.warp_group_dot
// CHECK: math.exp2
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttg.async_wait {num = 0 : i32}
// CHECK-NEXT: ttg.async_copy_global_to_local
tt.func @attention(%q: !q, %k: !part, %to: !part, %from: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 1 : i32}
    %s = ttng.warp_group_dot %q, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !q * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %e = math.exp2 %w : !sums
    %o = ttng.warp_group_dot %q, %k, %e {inputPrecision = 0 : i32, isAsync = true} : !q * !part -> !sums
    %c = ttg.async_copy_global_to_local %from, %to : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %o : !sums
  }
  tt.return
}

// A product that runs on while copies start: they would start later.
// CHECK-LABEL: @product
// CHECK-NOT: ttg.async_wait
// CHECK: scf.for
// CHECK-NEXT: ttg.async_wait {num = 1 : i32}
tt.func @product(%q: !q, %k: !part, %to: !part, %from: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 1 : i32}
    %s = ttng.warp_group_dot %q, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !q * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 1 : i32} : !sums
    %c = ttg.async_copy_global_to_local %from, %to : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %w : !sums
  }
  tt.return
}

// The wait is for all copies: those of the iteration before, too, are needed now.
// CHECK-LABEL: @all
// CHECK: scf.for
// CHECK-NEXT: ttg.async_wait {num = 0 : i32}
tt.func @all(%q: !q, %k: !part, %to: !part, %from: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 0 : i32}
    %s = ttng.warp_group_dot %q, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !q * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %o = ttng.warp_group_dot %q, %k, %w {inputPrecision = 0 : i32, isAsync = true} : !q * !part -> !sums
    %c = ttg.async_copy_global_to_local %from, %to : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %o : !sums
  }
  tt.return
}
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!part = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!pointers = tensor<64x64x!tt.ptr<f16>, #rows>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// One warp group.
// CHECK-LABEL: @one_group
// CHECK: scf.for
// CHECK-NEXT: ttg.async_wait {num = 1 : i32}
tt.func @one_group(%k: !part, %to: !part, %from: !pointers, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> !sums : i32 {
    %t = ttg.async_wait {num = 1 : i32}
    %s = ttng.warp_group_dot %k, %k, %sum {inputPrecision = 0 : i32, isAsync = true} : !part * !part -> !sums
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
    %o = ttng.warp_group_dot %k, %k, %w {inputPrecision = 0 : i32, isAsync = true} : !part * !part -> !sums
    %c = ttg.async_copy_global_to_local %from, %to : !pointers -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    scf.yield %o : !sums
  }
  tt.return
}
}
