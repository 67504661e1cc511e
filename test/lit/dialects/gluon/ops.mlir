// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK-LABEL: @set_auto_layout
// CHECK: gluon.set_auto_layout %arg0 : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #blocked>
// CHECK: gluon.set_auto_layout %arg0 : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #gluon.coalesced_encoding>
tt.func @set_auto_layout(%x: tensor<128xf32, #gluon.auto_encoding>) {
  %0 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #blocked>
  %1 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #gluon.coalesced_encoding>
  tt.return
}

// An open layout stays open under changes of shape, and suits all modules.
// CHECK-LABEL: @shapes
// CHECK: tt.trans {{.*}} : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<64x32xi32, #gluon.auto_encoding>
// CHECK: tt.reshape {{.*}} -> tensor<2048xi32, #gluon.auto_encoding>
// CHECK: tt.join {{.*}} -> tensor<32x64x2xi32, #gluon.auto_encoding>
// CHECK: tt.split {{.*}} -> tensor<32x64xi32, #gluon.auto_encoding>
// CHECK: tt.expand_dims {{.*}} -> tensor<1x32x64xi32, #gluon.auto_encoding>
// CHECK: tt.reduce
// CHECK: -> tensor<64xi32, #gluon.auto_encoding>
tt.func @shapes(%x: tensor<32x64xi32, #gluon.auto_encoding>) {
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<64x32xi32, #gluon.auto_encoding>
  %1 = tt.reshape %x : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<2048xi32, #gluon.auto_encoding>
  %2 = tt.join %x, %x : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<32x64x2xi32, #gluon.auto_encoding>
  %3, %4 = tt.split %2 : tensor<32x64x2xi32, #gluon.auto_encoding> -> tensor<32x64xi32, #gluon.auto_encoding>
  %5 = tt.expand_dims %x {axis = 0 : i32} : tensor<32x64xi32, #gluon.auto_encoding> -> tensor<1x32x64xi32, #gluon.auto_encoding>
  %6 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %7 = arith.addi %a, %b : i32
    tt.reduce.return %7 : i32
  }) : (tensor<32x64xi32, #gluon.auto_encoding>) -> tensor<64xi32, #gluon.auto_encoding>
  tt.return
}
