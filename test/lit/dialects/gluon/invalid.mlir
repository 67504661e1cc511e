// RUN: tt-opt %s -split-input-file -verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @set_auto_layout_c1(%x: tensor<128xf32, #blocked>) {
  // expected-error @+1 {{'gluon.set_auto_layout' op input tensor must have an auto layout type}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked>
  tt.return
}

// -----

tt.func @set_auto_layout_c1_none(%x: tensor<128xf32>) {
  // expected-error @+1 {{input tensor must have an auto layout type}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32> -> tensor<128xf32>
  tt.return
}

// -----

tt.func @set_auto_layout_c2(%x: tensor<128xf32, #gluon.auto_encoding>) {
  // expected-error @+1 {{result type must not be auto layout}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32, #gluon.auto_encoding>
  tt.return
}

// -----

tt.func @set_auto_layout_c2_none(%x: tensor<128xf32, #gluon.auto_encoding>) {
  // expected-error @+1 {{result tensor must have an encoding}}
  %0 = gluon.set_auto_layout %x : tensor<128xf32, #gluon.auto_encoding> -> tensor<128xf32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @an_open_layout_stays_open(%x: tensor<32x32xf32, #gluon.auto_encoding>) {
    // expected-error @+2 {{'tt.trans' op inferred type(s) 'tensor<32x32xf32, #gluon.auto_encoding>' are incompatible}}
    // expected-error @+1 {{failed to infer returned types}}
    %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x32xf32, #gluon.auto_encoding> -> tensor<32x32xf32, #blocked>
    tt.return
  }
}
