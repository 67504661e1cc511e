// RUN: tt-opt %s --triton-nvidia-interleave-tmem | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
// The second load waits until the first half is stored.
// CHECK-LABEL: @halves
tt.func @halves(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %y: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: tensor<128x64x!tt.ptr<f32>, #rows>) {
  // CHECK-NEXT: %[[X:.*]] = ttng.tmem_load %arg0
  // CHECK-NEXT: tt.store %arg2, %[[X]]
  // CHECK-NEXT: %[[Y:.*]] = ttng.tmem_load %arg1
  // CHECK-NEXT: tt.store %arg2, %[[Y]]
  %a = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %b = ttng.tmem_load %y : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  tt.store %p, %a : tensor<128x64x!tt.ptr<f32>, #rows>
  tt.store %p, %b : tensor<128x64x!tt.ptr<f32>, #rows>
  tt.return
}

// A branch that has no effects is passed.
// CHECK-LABEL: @behind_a_branch
tt.func @behind_a_branch(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %c: i1, %v: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
  // CHECK-NEXT: %[[B:.*]] = scf.if
  // CHECK: ttng.tmem_load
  // CHECK-NEXT: arith.addf
  %a = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %b = scf.if %c -> tensor<128x64xf32, #rows> {
    %d = arith.mulf %v, %v : tensor<128x64xf32, #rows>
    scf.yield %d : tensor<128x64xf32, #rows>
  } else {
    scf.yield %v : tensor<128x64xf32, #rows>
  }
  %e = arith.addf %a, %b : tensor<128x64xf32, #rows>
  tt.return %e : tensor<128x64xf32, #rows>
}

// Left alone: the buffer is written, or handed to others, in between.
// CHECK-LABEL: @written
tt.func @written(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: tensor<128x64x!tt.ptr<f32>, #rows>, %v: tensor<128x64xf32, #rows>, %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
  // CHECK: ttng.tmem_load
  // CHECK-NEXT: ttng.tmem_store
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: ttng.arrive_barrier
  %true = arith.constant true
  %a = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  ttng.tmem_store %v, %x, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
  %b = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  ttng.arrive_barrier %bar, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
  tt.store %p, %a : tensor<128x64x!tt.ptr<f32>, #rows>
  tt.store %p, %b : tensor<128x64x!tt.ptr<f32>, #rows>
  tt.return
}

// Edge: other columns of the same allocation are written; the cast that follows goes along.
// CHECK-LABEL: @other_columns
tt.func @other_columns(%p: tensor<128x64x!tt.ptr<f16>, #rows>, %v: tensor<128x64xf32, #rows>, %true: i1) {
  // CHECK: ttng.tmem_store
  // CHECK-NEXT: %[[A:.*]] = ttng.tmem_load
  // CHECK-NEXT: %[[H:.*]] = arith.truncf %[[A]]
  // CHECK-NEXT: tt.store %arg0, %[[H]]
  %all = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable>
  %left = ttng.tmem_subslice %all {N = 0 : i32} : !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
  %right = ttng.tmem_subslice %all {N = 64 : i32} : !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
  %a = ttng.tmem_load %left : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128> -> tensor<128x64xf32, #rows>
  %h = arith.truncf %a : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  ttng.tmem_store %v, %right, %true : tensor<128x64xf32, #rows> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable, 128x128>
  tt.store %p, %h : tensor<128x64x!tt.ptr<f16>, #rows>
  tt.return
}

// A buffer that is filled goes down by itself, without the load that it is made of.
// CHECK-LABEL: @filled
tt.func @filled(%x: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %p: tensor<128x64x!tt.ptr<f16>, #rows>, %v: tensor<128x64xf16, #rows>) {
  // CHECK-NEXT: ttng.tmem_load %arg0
  // CHECK-NEXT: arith.truncf
  // CHECK-NEXT: tt.store %arg1, %arg2
  // CHECK-NEXT: ttng.tmem_alloc
  // CHECK-NEXT: ttng.tmem_load
  %a = ttng.tmem_load %x : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #rows>
  %h = arith.truncf %a : tensor<128x64xf32, #rows> to tensor<128x64xf16, #rows>
  %m = ttng.tmem_alloc %h : (tensor<128x64xf16, #rows>) -> !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory>
  tt.store %p, %v : tensor<128x64x!tt.ptr<f16>, #rows>
  %b = ttng.tmem_load %m : !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory> -> tensor<128x64xf16, #rows>
  tt.store %p, %b : tensor<128x64x!tt.ptr<f16>, #rows>
  tt.return
}
}
