// RUN: tt-opt %s --tritongpu-coalesce --verify-diagnostics

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 8 : i32} {
  tt.func @open(%p: tensor<128x!tt.ptr<i32>, #gluon.auto_encoding>, %x: tensor<128xi32, #gluon.auto_encoding>) {
    // expected-error @+1 {{the layout of pointers is open: gluon-resolve-auto-encodings finds it, before}}
    tt.store %p, %x : tensor<128x!tt.ptr<i32>, #gluon.auto_encoding>
    tt.return
  }
}
