// RUN: tt-opt %s --ttkit-ping-pong | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
!small = !ttg.memdesc<64x64xf16, #shared, #smem>
!tile = !ttg.memdesc<64x128xf16, #shared, #smem>
!wide = !ttg.memdesc<128x128xf16, #shared, #smem>
!sums = tensor<64x128xf32, #mma>
!few = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The second group gives the first turn, the first one takes the last.
// CHECK-LABEL: @two_groups
// CHECK: partition0
// CHECK-DAG: %[[OWN:.*]] = arith.constant 15 : i32
// CHECK-DAG: %[[OTHER:.*]] = arith.constant 14 : i32
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : i32
// CHECK-NOT: barrier_named
// CHECK: scf.for
// CHECK-NEXT: ttng.wait_barrier_named %[[OWN]], %[[THREADS]]
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.arrive_barrier_named %[[OTHER]], %[[THREADS]]
// CHECK-NEXT: ttng.warp_group_dot_wait
// CHECK: ttng.wait_barrier_named %[[OWN]], %[[THREADS]]
// CHECK-NEXT: ttg.warp_return
// CHECK: partition1
// CHECK-DAG: %[[MINE:.*]] = arith.constant 14 : i32
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 15 : i32
// CHECK: ttng.arrive_barrier_named %[[FIRST]]
// CHECK: scf.for
// CHECK-NEXT: ttng.wait_barrier_named %[[MINE]]
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.warp_group_dot
// CHECK-NEXT: ttng.arrive_barrier_named %[[FIRST]]
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @two_groups(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// Each group gives the turn to the next one.
// CHECK-LABEL: @three_groups
// CHECK: partition0
// CHECK: ttng.wait_barrier_named %c15_i32
// CHECK: ttng.arrive_barrier_named %c14_i32
// CHECK: partition1
// CHECK: ttng.wait_barrier_named %c14_i32
// CHECK: ttng.arrive_barrier_named %c13_i32
// CHECK: partition2
// CHECK: ttng.arrive_barrier_named %c15_i32
// CHECK: ttng.wait_barrier_named %c13_i32
// CHECK: ttng.arrive_barrier_named %c15_i32
tt.func @three_groups(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  }
  partition2(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// Bounds that follow from outer loops that correspond.
// CHECK-LABEL: @nested
// CHECK-COUNT-6: barrier_named
tt.func @nested(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    scf.for %j = %c0 to %m step %c64 : i32 {
      %some = arith.cmpi slt, %j, %n : i32
      scf.if %some {
        %end = arith.addi %j, %c64 : i32
        %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
          %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
          scf.yield %w#1 : !sums
        }
      }
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    scf.for %j = %c0 to %m step %c64 : i32 {
      %some = arith.cmpi slt, %j, %n : i32
      scf.if %some {
        %end = arith.addi %j, %c64 : i32
        %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
          %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
          scf.yield %w#1 : !sums
        }
      }
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// One group has more iterations than the other.
// CHECK-LABEL: @other_bounds
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @other_bounds(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %m step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// One group comes to its loop when the other does not.
// CHECK-LABEL: @other_branch
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @other_branch(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    scf.for %j = %c0 to %m step %c64 : i32 {
      %some = arith.cmpi slt, %j, %n : i32
      scf.if %some {
        %end = arith.addi %j, %c64 : i32
        %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
          %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
          scf.yield %w#1 : !sums
        }
      }
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    scf.for %j = %c0 to %m step %c64 : i32 {
      %some = arith.cmpi sgt, %j, %n : i32
      scf.if %some {
        %end = arith.addi %j, %c64 : i32
        %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
          %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
          %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
          scf.yield %w#1 : !sums
        }
      }
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// What loops carry is not compared.
// CHECK-LABEL: @carried_bounds
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @carried_bounds(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %last = scf.for %j = %c0 to %m step %c64 iter_args(%end = %n) -> i32 : i32 {
      %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
        %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
        %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
        %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
        scf.yield %w#1 : !sums
      }
      %more = arith.addi %end, %c64 : i32
      scf.yield %more : i32
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %last = scf.for %j = %c0 to %m step %c64 iter_args(%end = %n) -> i32 : i32 {
      %r = scf.for %i = %c0 to %end step %c64 iter_args(%sum = %zero) -> !sums : i32 {
        %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
        %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
        %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
        scf.yield %w#1 : !sums
      }
      %more = arith.addi %end, %c64 : i32
      scf.yield %more : i32
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// The second product starts when the first one is done.
// CHECK-LABEL: @started_apart
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @started_apart(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %done = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w = ttng.warp_group_dot_wait %o {pendings = 0 : i32} : !sums
      scf.yield %w : !sums
    }
    ttg.warp_return
  }
  partition1(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %done = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w = ttng.warp_group_dot_wait %o {pendings = 0 : i32} : !sums
      scf.yield %w : !sums
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}

// Turns would cost more than they bring.
// CHECK-LABEL: @small_products
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @small_products(%t: !small, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !small, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !few
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !few : i32 {
      %s = ttng.warp_group_dot %a, %a, %zero {inputPrecision = 0 : i32, isAsync = true} : !small * !small -> !few
      %o = ttng.warp_group_dot %a, %a, %sum {inputPrecision = 0 : i32, isAsync = true} : !small * !small -> !few
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !few, !few
      scf.yield %w#1 : !few
    }
    ttg.warp_return
  }
  partition1(%a: !small, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !few
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !few : i32 {
      %s = ttng.warp_group_dot %a, %a, %zero {inputPrecision = 0 : i32, isAsync = true} : !small * !small -> !few
      %o = ttng.warp_group_dot %a, %a, %sum {inputPrecision = 0 : i32, isAsync = true} : !small * !small -> !few
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !few, !few
      scf.yield %w#1 : !few
    }
    ttg.warp_return
  } : (!small, !wide, i32, i32) -> ()
  tt.return
}

// Nobody to take turns with.
// CHECK-LABEL: @one_group
// CHECK-NOT: barrier_named
// CHECK: tt.return
tt.func @one_group(%t: !tile, %u: !wide, %x: i32, %y: i32) {
  ttg.warp_specialize(%t, %u, %x, %y)
  default {
    ttg.warp_yield
  }
  partition0(%a: !tile, %b: !wide, %n: i32, %m: i32) num_warps(4) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : !sums
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> !sums : i32 {
      %s = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %o = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !wide -> !sums
      %w:2 = ttng.warp_group_dot_wait %s, %o {pendings = 0 : i32} : !sums, !sums
      scf.yield %w#1 : !sums
    }
    ttg.warp_return
  } : (!tile, !wide, i32, i32) -> ()
  tt.return
}
}
