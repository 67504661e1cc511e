// RUN: tt-opt %s -split-input-file -verify-diagnostics --gluon-infer-coalesced-encodings | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // Four neighbours a thread: 16 bytes.  What the pointers are made of stays open.
  // CHECK-DAG: #[[QUADS:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
  // CHECK-LABEL: @load_and_store
  // CHECK: tt.addptr {{.*}} : tensor<1024x!tt.ptr<f32>, #gluon.auto_encoding>
  // CHECK: gluon.set_auto_layout {{.*}} -> tensor<1024x!tt.ptr<f32>, #[[QUADS]]>
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[QUADS]]>
  // CHECK: arith.addf {{.*}} : tensor<1024xf32, #[[QUADS]]>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f32>, #[[QUADS]]>
  tt.func @load_and_store(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #gluon.auto_encoding>
    %1 = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #gluon.auto_encoding>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #gluon.auto_encoding>, tensor<1024xi32, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %2 : tensor<1024x!tt.ptr<f32>, #gluon.auto_encoding> -> tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %4 = tt.load %3 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %5 = arith.addf %4, %4 : tensor<1024xf32, #gluon.coalesced_encoding>
    tt.store %3, %5 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    tt.return
  }

  // CHECK-LABEL: @other_layouts(
  // CHECK-SAME: %[[P:.*]]: tensor<128x!tt.ptr<f32>, #[[OWN:.*]]>) {
  // CHECK: tt.load %[[P]] : tensor<128x!tt.ptr<f32>, #[[OWN]]>
  tt.func @other_layouts(%p: tensor<128x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @no_access() {
    // expected-error @+1 {{Failed to infer return type}}
    %0 = arith.constant dense<1> : tensor<128xi32, #gluon.coalesced_encoding>
    tt.return
  }
}
