// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Consecutive elements move together; without mask as LLVM's own accesses.
  // CHECK-LABEL: llvm.func @copy
  tt.func public @copy(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
    %ib = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    %ob = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    %ip = tt.addptr %ib, %r : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #b>
    %op = tt.addptr %ob, %r : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #b>
    // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
    %x = tt.load %ip : tensor<64x!tt.ptr<f32>, #b>
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
    tt.store %op, %x : tensor<64x!tt.ptr<f32>, #b>
    tt.return
  }

  // Masks and cache hints: PTX with a predicate.
  // CHECK-LABEL: llvm.func @masked
  tt.func public @masked(%p: tensor<64x!tt.ptr<f32>, #b>, %m: tensor<64xi1, #b>, %o: tensor<64xf32, #b>) {
    // CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"mov.u32 $0, $1;\0A\09@$3 ld.global.ca.b32 $0, [ $2 + 0 ];", "=&r,r,l,b"
    // Single elements are converted as elements: LLVM would leave conversions to vectors of one.
    // CHECK-COUNT-2: llvm.bitcast %{{.*}} : i32 to f32
    %x = tt.load %p, %m, %o cacheModifier = ca : tensor<64x!tt.ptr<f32>, #b>
    // CHECK-COUNT-2: llvm.inline_asm has_side_effects {{.*}}"@$2 st.global.b32 [ $1 + 0 ], $0;", "r,l,b"
    tt.store %p, %x, %m : tensor<64x!tt.ptr<f32>, #b>
    tt.return
  }

  // Elements that are consecutive within groups of a dimension move together.
  // CHECK-LABEL: llvm.func @groups
  // CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @groups(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32, #b> {
    %c32 = arith.constant dense<32> : tensor<64xi32, #b>
    %c8 = arith.constant dense<8> : tensor<64xi32, #b>
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
    %half = arith.remsi %r, %c32 : tensor<64xi32, #b>
    %row = arith.divsi %half, %c8 : tensor<64xi32, #b>
    %column = arith.remsi %half, %c8 : tensor<64xi32, #b>
    %begin = arith.muli %row, %c32 : tensor<64xi32, #b>
    %place = arith.addi %begin, %column : tensor<64xi32, #b>
    %ib = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    %ip = tt.addptr %ib, %place : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #b>
    %x = tt.load %ip : tensor<64x!tt.ptr<f32>, #b>
    tt.return %x : tensor<64xf32, #b>
  }

  // Edge case: registers that hold copies of an element share one load.
  // CHECK-LABEL: llvm.func @copies_in_registers
  // CHECK-COUNT-2: @$2 ld.global.b32 $0, [ $1 + 0 ];
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  tt.func public @copies_in_registers(%p: tensor<2x1x!tt.ptr<f32>, #rows>, %m: tensor<2x1xi1, #rows>) -> tensor<2x1xf32, #rows> {
    %x = tt.load %p, %m : tensor<2x1x!tt.ptr<f32>, #rows>
    tt.return %x : tensor<2x1xf32, #rows>
  }

  // Edge: of the threads with copies of a scalar only one stores.
  // CHECK-LABEL: llvm.func @scalar
  tt.func public @scalar(%p: !tt.ptr<i32>, %x: i32) {
    // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"@$2 st.global.b32 [ $1 + 0 ], $0;", "r,l,b" %{{.*}}, %{{.*}}, %[[FIRST]]
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }

  // A prefetch is one instruction for what one load would take.
  // CHECK-LABEL: llvm.func @prefetch
  tt.func public @prefetch(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: tensor<64xi1, #b>) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
    %ib = tt.splat %in : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #b>
    %ip = tt.addptr %ib, %r : tensor<64x!tt.ptr<f32>, #b>, tensor<64xi32, #b>
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"prefetch.global.L1 [ $0 ];", "l"
    // CHECK-NOT: prefetch
    ttg.prefetch %ip : tensor<64x!tt.ptr<f32>, #b>
    // CHECK-COUNT-2: "@$0 prefetch.global.L1 [ $1 ];", "b,l"
    ttg.prefetch %ip, %m : tensor<64x!tt.ptr<f32>, #b>
    // CHECK: "prefetch.global.L1 [ $0 ];", "l"
    ttg.prefetch %in : !tt.ptr<f32>
    // CHECK: llvm.return
    tt.return
  }
}
