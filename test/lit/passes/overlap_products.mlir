// RUN: tt-opt %s --split-input-file --ttkit-overlap-products | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
!bar = !ttg.memdesc<1xi64, #bars, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The second product of an iteration starts behind the first one of the next.
// CHECK-LABEL: @attention
// CHECK: partition0(%[[K:.*]]: {{.*}}, %[[V:.*]]: {{.*}}, %[[KEYS:[a-z0-9]*]]: {{.*}}, %[[VALUES:[a-z0-9]*]]: {{.*}}, %[[N:[a-z0-9]*]]: i32
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %[[N]]
// CHECK: %[[ALL:.*]]:2 = scf.if %[[ANY]]
// CHECK: ttng.wait_barrier %[[K]], %c0_i32
// CHECK: %[[S0:.*]] = ttng.warp_group_dot %[[KEYS]], %[[KEYS]]
// CHECK: ttng.arrive_barrier %[[K]], 128
// CHECK: %[[W0:.*]] = math.exp2 %[[S0]]
// CHECK: %[[P0:.*]] = arith.truncf %[[W0]]
// CHECK: %[[L0:.*]] = ttg.convert_layout %[[P0]]
// CHECK: %[[M0:.*]] = arith.mulf
// CHECK: %[[FROM:.*]] = arith.addi %c0_i32, %c64_i32
// CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:.*]] = %[[FROM]] to %[[N]] step %c64_i32 iter_args(%{{.*}} = %{{.*}}, %[[BEFORE:.*]] = %c0_i32, %[[L:.*]] = %[[L0]], %[[M:.*]] = %[[M0]])
// CHECK: ttng.wait_barrier %[[K]], %[[I]]
// CHECK: %[[S:.*]] = ttng.warp_group_dot %[[KEYS]], %[[KEYS]], %{{.*}} {{{.*}}isAsync = true
// CHECK: ttng.wait_barrier %[[V]], %[[BEFORE]]
// CHECK: %[[O:.*]] = ttng.warp_group_dot %[[L]], %[[VALUES]], %[[M]] {{{.*}}isAsync = true
// CHECK: %[[THERE:.*]]:2 = ttng.warp_group_dot_wait %[[S]], %[[KEYS]] {pendings = 1 : i32}
// CHECK: ttng.arrive_barrier %[[K]], 128
// CHECK: %[[W:.*]] = math.exp2 %[[THERE]]#0
// CHECK: %[[DONE:.*]]:4 = ttng.warp_group_dot_wait %[[O]], %[[W]], %[[VALUES]], %[[KEYS]] {pendings = 0 : i32}
// CHECK: ttng.arrive_barrier %[[V]], 128
// CHECK: %[[P:.*]] = arith.truncf %[[DONE]]#1
// CHECK: %[[NEXT:.*]] = ttg.convert_layout %[[P]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[DONE]]#0
// CHECK: scf.yield %{{.*}}, %[[I]], %[[NEXT]], %[[SCALED]]
// CHECK: ttng.wait_barrier %[[V]], %[[LOOP]]#1
// CHECK: %[[LAST:.*]] = ttng.warp_group_dot %[[LOOP]]#2, %[[VALUES]], %[[LOOP]]#3
// CHECK: ttng.arrive_barrier %[[V]], 128
// CHECK: scf.yield %[[LAST]], %[[LOOP]]#0
// CHECK: } else {
tt.func @attention(%k: !bar, %v: !bar, %keys: !tile, %values: !tile, %n: i32) {
  ttg.warp_specialize(%k, %v, %keys, %values, %n)
  default {
    ttg.warp_yield
  }
  partition0(%pk: !bar, %pv: !bar, %pkeys: !tile, %pvalues: !tile, %pn: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %half = arith.constant dense<0.5> : !sums
    %r:2 = scf.for %i = %c0 to %pn step %c64 iter_args(%sum = %zero, %all = %zero) -> (!sums, !sums) : i32 {
      ttng.wait_barrier %pk, %i : !bar
      %s = ttng.warp_group_dot %pkeys, %pkeys, %zero {inputPrecision = 0 : i32} : !tile * !tile -> !sums
      ttng.arrive_barrier %pk, 128 : !bar
      %w = math.exp2 %s : !sums
      %next = arith.addf %all, %w : !sums
      %m = arith.mulf %sum, %half : !sums
      %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
      ttng.wait_barrier %pv, %i : !bar
      %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
      %o = ttng.warp_group_dot %l, %pvalues, %m {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !tile -> !sums
      ttng.arrive_barrier %pv, 128 : !bar
      scf.yield %o, %next : !sums, !sums
    }
    ttg.warp_return
  } : (!bar, !bar, !tile, !tile, i32) -> ()
  tt.return
}

// Both operands are released together: the next iteration's first one would never come.
// CHECK-LABEL: @released_together
// CHECK-NOT: isAsync
// CHECK: tt.return
tt.func @released_together(%k: !bar, %keys: !tile, %values: !tile, %n: i32) {
  ttg.warp_specialize(%k, %keys, %values, %n)
  default {
    ttg.warp_yield
  }
  partition0(%pk: !bar, %pkeys: !tile, %pvalues: !tile, %pn: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %pn step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      ttng.wait_barrier %pk, %i : !bar
      %s = ttng.warp_group_dot %pkeys, %pkeys, %zero {inputPrecision = 0 : i32} : !tile * !tile -> !sums
      %p = arith.truncf %s : !sums to tensor<64x64xf16, #mma>
      %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
      %o = ttng.warp_group_dot %l, %pvalues, %sum {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !tile -> !sums
      ttng.arrive_barrier %pk, 128 : !bar
      scf.yield %o : !sums
    }
    ttg.warp_return
  } : (!bar, !tile, !tile, i32) -> ()
  tt.return
}

// The sum serves something else too.
// CHECK-LABEL: @sum_is_used
// CHECK-NOT: isAsync
// CHECK: tt.return
tt.func @sum_is_used(%k: !bar, %v: !bar, %keys: !tile, %values: !tile, %n: i32) {
  ttg.warp_specialize(%k, %v, %keys, %values, %n)
  default {
    ttg.warp_yield
  }
  partition0(%pk: !bar, %pv: !bar, %pkeys: !tile, %pvalues: !tile, %pn: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %pn step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      ttng.wait_barrier %pk, %i : !bar
      %s = ttng.warp_group_dot %pkeys, %pkeys, %zero {inputPrecision = 0 : i32} : !tile * !tile -> !sums
      ttng.arrive_barrier %pk, 128 : !bar
      %w = arith.addf %s, %sum : !sums
      %p = arith.truncf %w : !sums to tensor<64x64xf16, #mma>
      ttng.wait_barrier %pv, %i : !bar
      %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
      %o = ttng.warp_group_dot %l, %pvalues, %sum {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !tile -> !sums
      ttng.arrive_barrier %pv, 128 : !bar
      scf.yield %o : !sums
    }
    ttg.warp_return
  } : (!bar, !bar, !tile, !tile, i32) -> ()
  tt.return
}

// Outside of partitions nothing changes.
// CHECK-LABEL: @all_warps
// CHECK-NOT: isAsync
// CHECK: tt.return
tt.func @all_warps(%pk: !bar, %pv: !bar, %pkeys: !tile, %pvalues: !tile, %pn: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : !sums
  %r = scf.for %i = %c0 to %pn step %c64 iter_args(%sum = %zero) -> !sums : i32 {
    ttng.wait_barrier %pk, %i : !bar
    %s = ttng.warp_group_dot %pkeys, %pkeys, %zero {inputPrecision = 0 : i32} : !tile * !tile -> !sums
    ttng.arrive_barrier %pk, 128 : !bar
    %p = arith.truncf %s : !sums to tensor<64x64xf16, #mma>
    ttng.wait_barrier %pv, %i : !bar
    %l = ttg.convert_layout %p : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #left>
    %o = ttng.warp_group_dot %l, %pvalues, %sum {inputPrecision = 0 : i32} : tensor<64x64xf16, #left> * !tile -> !sums
    ttng.arrive_barrier %pv, 128 : !bar
    scf.yield %o : !sums
  }
  tt.return
}
}
