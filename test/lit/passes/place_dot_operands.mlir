// RUN: tt-opt %s --ttkit-place-dot-operands | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#l = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#st = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #b}>
#o = #ttg.dot_op<{opIdx = 1, parent = #b}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#t = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 4, maxPhase = 8, order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The load goes to the product; lanes that read different rows read from different banks.
  // CHECK-LABEL: tt.func @into_the_loop
  tt.func @into_the_loop(%x: tensor<128x64xf16, #l>, %b: tensor<64x16xf16, #o>, %c: tensor<128x16xf32, #b>, %n: i32) -> tensor<128x16xf32, #b> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: %[[M:.*]] = ttg.local_alloc %{{.*}} -> !ttg.memdesc<128x64xf16, #[[ROWS]], #smem>
    // CHECK-NEXT: scf.for
    // CHECK-NEXT: %[[A:.*]] = ttg.local_load %[[M]] {ttg.read_by_products}
    // CHECK-NEXT: tt.dot %[[A]]
    %m = ttg.local_alloc %x : (tensor<128x64xf16, #l>) -> !ttg.memdesc<128x64xf16, #s, #smem>
    %a = ttg.local_load %m : !ttg.memdesc<128x64xf16, #s, #smem> -> tensor<128x64xf16, #a>
    %r = scf.for %i = %zero to %n step %one iter_args(%t = %c) -> (tensor<128x16xf32, #b>) : i32 {
      %d = tt.dot %a, %b, %t : tensor<128x64xf16, #a> * tensor<64x16xf16, #o> -> tensor<128x16xf32, #b>
      scf.yield %d : tensor<128x16xf32, #b>
    }
    tt.return %r : tensor<128x16xf32, #b>
  }

  // Left alone: memory that is written later.
  // CHECK-LABEL: tt.func @changes
  tt.func @changes(%x: tensor<128x64xf16, #l>, %b: tensor<64x16xf16, #o>, %c: tensor<128x16xf32, #b>) -> tensor<128x16xf32, #b> {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #[[PLAIN]], #smem, mutable>
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: ttg.local_load %{{[0-9a-z]*}} :
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: tt.dot
    %m = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #s, #smem, mutable>
    ttg.local_store %x, %m : tensor<128x64xf16, #l> -> !ttg.memdesc<128x64xf16, #s, #smem, mutable>
    %a = ttg.local_load %m : !ttg.memdesc<128x64xf16, #s, #smem, mutable> -> tensor<128x64xf16, #a>
    ttg.local_store %x, %m : tensor<128x64xf16, #l> -> !ttg.memdesc<128x64xf16, #s, #smem, mutable>
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x16xf16, #o> -> tensor<128x16xf32, #b>
    tt.return %d : tensor<128x16xf32, #b>
  }

  // Edge: a load that something else uses too, and one for tensor cores.
  // CHECK-LABEL: tt.func @other_uses
  tt.func @other_uses(%x: tensor<128x64xf16, #l>, %b: tensor<64x16xf16, #o>, %c: tensor<128x16xf32, #b>) -> (tensor<128x16xf32, #b>, tensor<128x64xf16, #a>, tensor<128x64xf16, #t>) {
    // CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<128x64xf16, #[[PLAIN]], #smem>
    // CHECK-NEXT: ttg.local_load %{{[0-9a-z]*}} :
    // CHECK-NEXT: ttg.local_load %{{[0-9a-z]*}} :
    // CHECK-NEXT: tt.dot
    %m = ttg.local_alloc %x : (tensor<128x64xf16, #l>) -> !ttg.memdesc<128x64xf16, #s, #smem>
    %a = ttg.local_load %m : !ttg.memdesc<128x64xf16, #s, #smem> -> tensor<128x64xf16, #a>
    %t = ttg.local_load %m : !ttg.memdesc<128x64xf16, #s, #smem> -> tensor<128x64xf16, #t>
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x16xf16, #o> -> tensor<128x16xf32, #b>
    tt.return %d, %a, %t : tensor<128x16xf32, #b>, tensor<128x64xf16, #a>, tensor<128x64xf16, #t>
  }

  // A view is read by its dot too.  The buffer of the other operand, which is allocated in between, can't have its memory.
  // CHECK-LABEL: tt.func @transposed
  tt.func @transposed(%x: tensor<64x128xf16, #l>, %y: tensor<64x16xf16, #l>, %c: tensor<128x16xf32, #b>) -> tensor<128x16xf32, #b> {
    // CHECK: ttg.memdesc_trans
    // CHECK-NEXT: ttg.local_alloc
    // CHECK-NEXT: ttg.local_load %{{[0-9a-z]*}} {ttg.read_by_products}
    // CHECK-NEXT: ttg.local_load %{{[0-9a-z]*}} {ttg.read_by_products}
    // CHECK-NEXT: tt.dot
    %m = ttg.local_alloc %x : (tensor<64x128xf16, #l>) -> !ttg.memdesc<64x128xf16, #s, #smem>
    %v = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xf16, #s, #smem> -> !ttg.memdesc<128x64xf16, #st, #smem>
    %a = ttg.local_load %v : !ttg.memdesc<128x64xf16, #st, #smem> -> tensor<128x64xf16, #a>
    %n = ttg.local_alloc %y : (tensor<64x16xf16, #l>) -> !ttg.memdesc<64x16xf16, #s, #smem>
    %b = ttg.local_load %n : !ttg.memdesc<64x16xf16, #s, #smem> -> tensor<64x16xf16, #o>
    %d = tt.dot %a, %b, %c : tensor<128x64xf16, #a> * tensor<64x16xf16, #o> -> tensor<128x16xf32, #b>
    tt.return %d : tensor<128x16xf32, #b>
  }
}
