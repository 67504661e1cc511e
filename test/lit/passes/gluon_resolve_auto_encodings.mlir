// RUN: tt-opt %s -split-input-file -verify-diagnostics --gluon-resolve-auto-encodings | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // To operands, and from them to their other users; constants too.
  // CHECK-LABEL: @elementwise
  // CHECK: tt.make_range {{.*}} : tensor<128xi32, #blocked>
  // CHECK: arith.constant dense<7> : tensor<128xi32, #blocked>
  // CHECK: arith.addi {{.*}} : tensor<128xi32, #blocked>
  // CHECK: arith.muli {{.*}} : tensor<128xi32, #blocked>
  // CHECK-NOT: gluon
  tt.func @elementwise() -> tensor<128xi32, #blocked> {
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #gluon.auto_encoding>
    %1 = arith.constant dense<7> : tensor<128xi32, #gluon.auto_encoding>
    %2 = arith.addi %0, %1 : tensor<128xi32, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %2 : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #blocked>
    %4 = arith.muli %1, %1 : tensor<128xi32, #gluon.auto_encoding>
    tt.return %3 : tensor<128xi32, #blocked>
  }

  // Through changes of shape, back and forth.
  // CHECK-LABEL: @shapes
  // CHECK: tt.make_range {{.*}} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #[[ROWS:.*]]}>>
  // CHECK: tt.expand_dims {{.*}} -> tensor<1x32xi32, #[[ROWS]]>
  // CHECK: tt.broadcast {{.*}} -> tensor<32x32xi32, #[[ROWS]]>
  // CHECK: tt.reduce
  // CHECK: (tensor<32x32xi32, #[[ROWS]]>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #[[ROWS]]}>>
  tt.func @shapes() -> tensor<32x32xi32, #rows> {
    %0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #gluon.auto_encoding>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #gluon.auto_encoding> -> tensor<1x32xi32, #gluon.auto_encoding>
    %2 = tt.broadcast %1 : tensor<1x32xi32, #gluon.auto_encoding> -> tensor<32x32xi32, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %2 : tensor<32x32xi32, #gluon.auto_encoding> -> tensor<32x32xi32, #rows>
    %4 = "tt.reduce"(%2) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %5 = arith.addi %a, %b : i32
      tt.reduce.return %5 : i32
    }) : (tensor<32x32xi32, #gluon.auto_encoding>) -> tensor<32xi32, #gluon.auto_encoding>
    tt.return %3 : tensor<32x32xi32, #rows>
  }

  // Around loops and branches; what the loop hands on and what it gives may be different values.
  // CHECK-LABEL: @structures
  // CHECK: %[[X:.*]] = arith.constant dense<1> : tensor<128xi32, #blocked>
  // CHECK: %[[FOR:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[X]]) -> (tensor<128xi32, #blocked>)
  // CHECK: arith.addi {{.*}} : tensor<128xi32, #blocked>
  // CHECK: %[[WHILE:.*]] = scf.while (%{{.*}} = %[[FOR]]) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
  // CHECK: scf.if %{{.*}} -> (tensor<128xi32, #blocked>)
  tt.func @structures(%n: i32, %more: i1) -> tensor<128xi32, #blocked> {
    %x = arith.constant dense<1> : tensor<128xi32, #gluon.auto_encoding>
    %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (tensor<128xi32, #gluon.auto_encoding>) : i32 {
      %3 = arith.addi %a, %a : tensor<128xi32, #gluon.auto_encoding>
      scf.yield %3 : tensor<128xi32, #gluon.auto_encoding>
    }
    %1 = scf.while (%a = %0) : (tensor<128xi32, #gluon.auto_encoding>) -> tensor<128xi32, #gluon.auto_encoding> {
      scf.condition(%more) %a : tensor<128xi32, #gluon.auto_encoding>
    } do {
    ^bb0(%b: tensor<128xi32, #gluon.auto_encoding>):
      scf.yield %b : tensor<128xi32, #gluon.auto_encoding>
    }
    %2 = scf.if %more -> tensor<128xi32, #gluon.auto_encoding> {
      scf.yield %1 : tensor<128xi32, #gluon.auto_encoding>
    } else {
      scf.yield %x : tensor<128xi32, #gluon.auto_encoding>
    }
    %4 = gluon.set_auto_layout %2 : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #blocked>
    tt.return %4 : tensor<128xi32, #blocked>
  }

  // Where several layouts would do, the one that is asked for counts.
  // CHECK-LABEL: @reshape
  // CHECK: arith.constant dense<1> : tensor<32x32xi32, #[[ROWS]]>
  // CHECK: tt.reshape {{.*}} -> tensor<1024xi32, #blocked>
  // CHECK: arith.addi {{.*}} : tensor<1024xi32, #blocked>
  tt.func @reshape() -> (tensor<32x32xi32, #rows>, tensor<1024xi32, #blocked>) {
    %0 = arith.constant dense<1> : tensor<32x32xi32, #gluon.auto_encoding>
    %1 = tt.reshape %0 : tensor<32x32xi32, #gluon.auto_encoding> -> tensor<1024xi32, #gluon.auto_encoding>
    %2 = arith.addi %1, %1 : tensor<1024xi32, #gluon.auto_encoding>
    %3 = gluon.set_auto_layout %0 : tensor<32x32xi32, #gluon.auto_encoding> -> tensor<32x32xi32, #rows>
    %4 = gluon.set_auto_layout %2 : tensor<1024xi32, #gluon.auto_encoding> -> tensor<1024xi32, #blocked>
    tt.return %3, %4 : tensor<32x32xi32, #rows>, tensor<1024xi32, #blocked>
  }

  // CHECK-LABEL: @nothing_open
  // CHECK: tt.make_range {{.*}} : tensor<128xi32, #blocked>
  tt.func @nothing_open() {
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @two_layouts() {
    // expected-error @+1 {{found conflicting encodings for value:}}
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #gluon.auto_encoding>
    %1 = gluon.set_auto_layout %0 : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #blocked>
    %2 = gluon.set_auto_layout %0 : tensor<128xi32, #gluon.auto_encoding> -> tensor<128xi32, #pairs>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @nobody_asks() {
    // expected-error @+1 {{Failed to infer return type}}
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #gluon.auto_encoding>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // expected-error @+1 {{Functions taking auto encoding must be fully inlined}}
  tt.func @argument(%x: tensor<128xi32, #gluon.auto_encoding>) {
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  // expected-error @+1 {{Functions returning auto encoding must be fully inlined}}
  tt.func @result() -> (tensor<128xi32, #gluon.auto_encoding>) {
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #gluon.auto_encoding>
    tt.return %0 : tensor<128xi32, #gluon.auto_encoding>
  }
}
