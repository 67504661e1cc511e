// RUN: tt-opt %s --gluon-canonicalize | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @masks
  // CHECK: tt.load %arg0 : tensor<128x!tt.ptr<i32>, #blocked>
  // CHECK-NEXT: tt.return
  tt.func @masks(%p: tensor<128x!tt.ptr<i32>, #blocked>) -> tensor<128xi32, #blocked> {
    %yes = arith.constant dense<true> : tensor<128xi1, #blocked>
    %no = arith.constant dense<false> : tensor<128xi1, #blocked>
    %0 = tt.load %p, %yes : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %p, %0, %no : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return %0 : tensor<128xi32, #blocked>
  }

  // CHECK-LABEL: @control_flow_stays
  // CHECK: scf.for
  // CHECK: tt.store
  tt.func @control_flow_stays(%p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %c1 step %c1 : i32 {
      tt.store %p, %i : !tt.ptr<i32>
    }
    tt.return
  }

  // A layout that is asked for stays, whoever uses it.
  // CHECK-LABEL: @asked_for
  // CHECK: gluon.set_auto_layout
  tt.func @asked_for(%x: tensor<128xi32, #gluon.auto_encoding>) {
    %0 = gluon.set_auto_layout %x : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #blocked>
    tt.return
  }

  // canonicalize would make one conversion of the two.
  // CHECK-LABEL: @conversions
  // CHECK-COUNT-2: ttg.convert_layout
  tt.func @conversions(%x: tensor<128xi32, #blocked>) -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>}>> {
    %0 = ttg.convert_layout %x : tensor<128xi32, #blocked> -> tensor<128xi32, #pairs>
    %1 = ttg.convert_layout %0 : tensor<128xi32, #pairs> -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>}>>
    tt.return %1 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>}>>
  }
}
