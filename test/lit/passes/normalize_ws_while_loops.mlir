// RUN: tt-opt %s --tritongpu-normalize-ws-while-loops | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // The loop over programs is specialized in place of the loop in it, and passes on both values that it carries.
  // CHECK-LABEL: @programs
  tt.func public @programs(%n: i32, %o: !tt.ptr<i32>) {
    // CHECK:      %[[R:.*]]:2 = scf.while (%[[M:.*]] = %true, %[[Q:.*]] = %{{.*}}) : (i1, i32) -> (i1, i32) {
    // CHECK-NEXT:   scf.condition(%[[M]]) %[[M]], %[[Q]] : i1, i32
    // CHECK-NEXT: } do {
    // CHECK-NEXT: ^bb0(%{{.*}}: i1, %[[P:.*]]: i32):
    // CHECK-NEXT:   ttng.clc_try_cancel_sync
    // CHECK-NEXT:   scf.for
    // CHECK-NEXT:     tt.store %{{.*}}, %[[P]]
    // CHECK-NEXT:   }{{$}}
    // CHECK:        scf.yield %{{.*}}, %[[P]] : i1, i32
    // CHECK-NEXT: } attributes {tt.disallow_acc_multi_buffer, tt.warp_specialize}
    // CHECK-NEXT: tt.store %{{.*}}, %[[R]]#1
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = tt.get_program_id x : i32
    %last = scf.while (%more = %true, %q = %first) : (i1, i32) -> i32 {
      scf.condition(%more) %q : i32
    } do {
    ^bb0(%p: i32):
      %asked = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
      scf.for %i = %c0 to %n step %c1 : i32 {
        tt.store %o, %p : !tt.ptr<i32>
      } {tt.disallow_acc_multi_buffer, tt.warp_specialize}
      %more = arith.cmpi slt, %p, %n : i32
      scf.yield %more, %p : i1, i32
    }
    tt.store %o, %last : !tt.ptr<i32>
    tt.return
  }

  // A while loop in a specialized loop asks for nothing, and passes on everything.
  // CHECK-LABEL: @inner
  tt.func public @inner(%n: i32, %o: !tt.ptr<i32>) {
    // CHECK: scf.for
    // CHECK:   scf.while {{.*}} : (i32) -> i32 {
    // CHECK:     scf.condition(%{{.*}}) %{{.*}} : i32
    // CHECK:   }{{$}}
    // CHECK: } {tt.warp_specialize}
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.while (%k = %i) : (i32) -> () {
        %more = arith.cmpi slt, %k, %n : i32
        scf.condition(%more)
      } do {
        tt.store %o, %i : !tt.ptr<i32>
        scf.yield %n : i32
      }
    } {tt.warp_specialize}
    tt.return
  }

  // Left alone: loops over programs in which nothing is specialized, and loops that pass on what they compute.
  // CHECK-LABEL: @left_alone
  tt.func public @left_alone(%n: i32, %o: !tt.ptr<i32>) {
    // CHECK: scf.while {{.*}} : (i1) -> () {
    // CHECK:   scf.condition(%{{.*}}){{$}}
    // CHECK: }{{$}}
    // CHECK: scf.while {{.*}} : (i32) -> i32 {
    // CHECK:   %[[MADE:.*]] = arith.addi
    // CHECK:   scf.condition(%{{.*}}) %[[MADE]] : i32
    %true = arith.constant true
    %false = arith.constant false
    %c1 = arith.constant 1 : i32
    scf.while (%more = %true) : (i1) -> () {
      scf.condition(%more)
    } do {
      %asked = ttng.clc_try_cancel_sync : tensor<2xi64, #blocked>
      scf.for %i = %c1 to %n step %c1 : i32 {
        tt.store %o, %i : !tt.ptr<i32>
      }
      scf.yield %false : i1
    }
    %end = scf.while (%k = %n) : (i32) -> i32 {
      %made = arith.addi %k, %c1 : i32
      %more = arith.cmpi slt, %k, %n : i32
      scf.condition(%more) %made : i32
    } do {
    ^bb0(%p: i32):
      scf.yield %p : i32
    } attributes {tt.warp_specialize}
    tt.return
  }
}
