// Matrix product: two pointers through a loop, accumulator between them.
tt.func public @matmul(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %pid = tt.get_program_id x : i32
  %row = arith.muli %pid, %c16 : i32
  %mm = arith.extsi %m : i32 to i64
  %kk = arith.extsi %k : i32 to i64
  %pa = tt.make_tensor_ptr %a, [%mm, %kk], [%kk, %one], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf16>>
  %pb = tt.make_tensor_ptr %b, [%kk, %mm], [%one, %kk], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x16xf16>>
  %r:3 = scf.for %i = %c0 to %k step %c16 iter_args(%x = %pa, %sum = %zero, %y = %pb) -> (!tt.ptr<tensor<16x16xf16>>, tensor<16x16xf32>, !tt.ptr<tensor<16x16xf16>>) : i32 {
    %0 = tt.load %x {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf16>>
    %1 = tt.load %y evictionPolicy = evict_last {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf16>>
    %2 = tt.dot %0, %1, %sum : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %3 = tt.advance %x, [%c0, %c16] : <tensor<16x16xf16>>
    %4 = tt.advance %y, [%c16, %c0] : <tensor<16x16xf16>>
    scf.yield %3, %2, %4 : !tt.ptr<tensor<16x16xf16>>, tensor<16x16xf32>, !tt.ptr<tensor<16x16xf16>>
  } {tt.num_stages = 3 : i32}
  %pc = tt.make_tensor_ptr %c, [%mm, %mm], [%mm, %one], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  tt.store %pc, %r#1 {boundaryCheck = array<i32: 1, 0>} : !tt.ptr<tensor<16x16xf32>>
  tt.return
}

// -----

// A pointer made in a loop, and one that an inner loop moves for the next round of the outer one.
tt.func public @made_in_loop(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %from = tt.make_tensor_ptr %p, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xi32>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %from) -> (!tt.ptr<tensor<8xi32>>) : i32 {
    %start = arith.muli %i, %c8 : i32
    %to = tt.make_tensor_ptr %q, [%n], [%one], [%start] {order = array<i32: 0>} : <tensor<8xi32>>
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> (!tt.ptr<tensor<8xi32>>) : i32 {
      %0 = tt.load %y {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xi32>>
      tt.store %to, %0 {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xi32>>
      %1 = tt.advance %y, [%c8] : <tensor<8xi32>>
      scf.yield %1 : !tt.ptr<tensor<8xi32>>
    }
    scf.yield %s : !tt.ptr<tensor<8xi32>>
  }
  tt.return
}

// -----

// One side of a branch moves the pointer; the other uses it, before the beginning of the tensor.
tt.func public @moved_back(%p: !tt.ptr<bf16>, %q: !tt.ptr<bf16>, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %back = arith.constant -5 : i32
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %from = tt.make_tensor_ptr %p, [%two, %n], [%n, %one], [%c0, %back] {order = array<i32: 1, 0>} : <tensor<4x8xbf16>>
  %to = tt.make_tensor_ptr %q, [%two, %n], [%n, %one], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<4x8xbf16>>
  %0:2 = scf.if %c -> (!tt.ptr<tensor<4x8xbf16>>, tensor<4x8xbf16>) {
    %1 = tt.advance %from, [%c0, %back] : <tensor<4x8xbf16>>
    %2 = tt.load %1 {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<4x8xbf16>>
    scf.yield %1, %2 : !tt.ptr<tensor<4x8xbf16>>, tensor<4x8xbf16>
  } else {
    %1 = tt.load %from {boundaryCheck = array<i32: 1, 0>, padding = 1 : i32} : !tt.ptr<tensor<4x8xbf16>>
    scf.yield %from, %1 : !tt.ptr<tensor<4x8xbf16>>, tensor<4x8xbf16>
  }
  %3 = tt.load %0#0 {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<4x8xbf16>>
  %4 = arith.addf %3, %0#1 : tensor<4x8xbf16>
  tt.store %to, %4 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<4x8xbf16>>
  tt.return
}

// -----

// A transposed view by strides, four dimensions, no check.
tt.func public @transposed(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %from = tt.make_tensor_ptr %p, [%c2, %c2, %c2, %c2], [%c1, %c2, %c4, %c8], [%c0, %c0, %c0, %c0] {order = array<i32: 0, 1, 2, 3>} : <tensor<2x2x2x2xi8>>
  %to = tt.make_tensor_ptr %q, [%c2, %c2, %c2, %c2], [%c8, %c4, %c2, %c1], [%c0, %c0, %c0, %c0] {order = array<i32: 3, 2, 1, 0>} : <tensor<2x2x2x2xi8>>
  %0 = tt.load %from : !tt.ptr<tensor<2x2x2x2xi8>>
  tt.store %to, %0 : !tt.ptr<tensor<2x2x2x2xi8>>
  tt.return
}

// -----

// Another base and size after the first round.
// Differs from Triton: it stays with the first ones, which is another result.
tt.func public @switched(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>, %n: i64, %m: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %first = tt.make_tensor_ptr %p, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %other = tt.make_tensor_ptr %q, [%m], [%one], [%c1] {order = array<i32: 0>} : <tensor<8xf32>>
  %to = tt.make_tensor_ptr %r, [%m], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %s:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %first, %y = %to) -> (!tt.ptr<tensor<8xf32>>, !tt.ptr<tensor<8xf32>>) : i32 {
    %0 = tt.load %x {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
    tt.store %y, %0 {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
    %1 = tt.advance %y, [%c8] : <tensor<8xf32>>
    scf.yield %other, %1 : !tt.ptr<tensor<8xf32>>, !tt.ptr<tensor<8xf32>>
  }
  tt.return
}

// -----

// Through a while, a function that gives one of two pointers by a branch, and a select.
// Differs from Triton: it stops with a failed assertion.
tt.func private @either(%p: !tt.ptr<tensor<8xf32>>, %q: !tt.ptr<tensor<8xf32>>, %i: i32) -> !tt.ptr<tensor<8xf32>> attributes {noinline = true} {
  %c1 = arith.constant 1 : i32
  %odd = arith.andi %i, %c1 : i32
  %c = arith.trunci %odd : i32 to i1
  cf.cond_br %c, ^one(%p : !tt.ptr<tensor<8xf32>>), ^one(%q : !tt.ptr<tensor<8xf32>>)
^one(%r: !tt.ptr<tensor<8xf32>>):
  tt.return %r : !tt.ptr<tensor<8xf32>>
}
tt.func public @wandering(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %0 = tt.make_tensor_ptr %p, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %1 = tt.make_tensor_ptr %q, [%n], [%one], [%c1] {order = array<i32: 0>} : <tensor<8xf32>>
  %to = tt.make_tensor_ptr %out, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<8xf32>>
  %2 = arith.select %c, %0, %1 : !tt.ptr<tensor<8xf32>>
  %3:2 = scf.while (%i = %c5, %x = %2) : (i32, !tt.ptr<tensor<8xf32>>) -> (!tt.ptr<tensor<8xf32>>, i32) {
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %x, %i : !tt.ptr<tensor<8xf32>>, i32
  } do {
  ^bb0(%x: !tt.ptr<tensor<8xf32>>, %i: i32):
    %4 = tt.load %x {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<8xf32>>
    %step = arith.muli %i, %c8 : i32
    %place = tt.advance %to, [%step] : <tensor<8xf32>>
    tt.store %place, %4 {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xf32>>
    %5 = tt.advance %x, [%c1] : <tensor<8xf32>>
    %6 = tt.call @either(%5, %1, %i) : (!tt.ptr<tensor<8xf32>>, !tt.ptr<tensor<8xf32>>, i32) -> !tt.ptr<tensor<8xf32>>
    %7 = arith.subi %i, %c1 : i32
    scf.yield %7, %6 : i32, !tt.ptr<tensor<8xf32>>
  }
  tt.return
}
