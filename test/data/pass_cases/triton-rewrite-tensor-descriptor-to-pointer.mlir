// Matrix product: descriptors of the kernel's arguments and made in it.
tt.func public @matmul(%a: !tt.tensordesc<tensor<16x16xf16>>, %b: !tt.ptr<f16>, %c: !tt.tensordesc<tensor<16x16xf32>>, %n: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %nn = arith.extsi %n : i32 to i64
  %db = tt.make_tensor_descriptor %b, [%k, %n], [%nn, %one] : <f16>, <tensor<16x16xf16>>
  %r = scf.for %i = %c0 to %k step %c16 iter_args(%sum = %zero) -> (tensor<16x16xf32>) : i32 {
    %0 = tt.descriptor_load %a[%c0, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
    %1 = tt.descriptor_load %db[%i, %c0] evictionPolicy = evict_last : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
    %2 = tt.dot %0, %1, %sum : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %2 : tensor<16x16xf32>
  }
  tt.descriptor_store %c[%c0, %c0], %r : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  tt.return
}

// -----

// Outside of the tensor on both sides, padded with NaN or zero depending on where the descriptor comes from.
tt.func public @padded(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1) {
  %before = arith.constant -3 : i32
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c8 = arith.constant 8 : i32
  %c100 = arith.constant 100 : i32
  %one = arith.constant 1 : i64
  %out = tt.make_tensor_descriptor %q, [%c100], [%one] : <f32>, <tensor<8xf32>>
  %from = scf.if %c -> (!tt.tensordesc<tensor<8xf32>>) {
    %0 = tt.make_tensor_descriptor %p, [%c5], [%one] {padding = 2 : i32} : <f32>, <tensor<8xf32>>
    scf.yield %0 : !tt.tensordesc<tensor<8xf32>>
  } else {
    %0 = tt.make_tensor_descriptor %p, [%c5], [%one] {padding = 1 : i32} : <f32>, <tensor<8xf32>>
    scf.yield %0 : !tt.tensordesc<tensor<8xf32>>
  }
  %1 = tt.descriptor_load %from[%before] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  %2 = tt.descriptor_load %from[%c0] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.descriptor_store %out[%c0], %1 : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.descriptor_store %out[%c8], %2 : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.return
}

// -----

// Rows there and back, some of them outside.
tt.func public @rows(%p: !tt.ptr<i16>, %q: !tt.ptr<i16>) {
  %column = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c20 = arith.constant 20 : i32
  %stride = arith.constant 20 : i64
  %one = arith.constant 1 : i64
  %rows = arith.constant dense<[0, 3, 1, -1, 2, 7, 5, 100]> : tensor<8xi32>
  %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %from = tt.make_tensor_descriptor %p, [%c4, %c20], [%stride, %one] : <i16>, <tensor<1x16xi16>>
  %to = tt.make_tensor_descriptor %q, [%c4, %c20], [%stride, %one] : <i16>, <tensor<1x16xi16>>
  %0 = tt.descriptor_gather %from[%rows, %column] : (!tt.tensordesc<tensor<1x16xi16>>, tensor<8xi32>, i32) -> tensor<8x16xi16>
  tt.descriptor_scatter %to[%range, %column], %0 : !tt.tensordesc<tensor<1x16xi16>>, tensor<8xi32>, i32, tensor<8x16xi16>
  tt.return
}

// -----

// Reductions, by several programs at once, of signed and unsigned integers.
tt.func public @reductions(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %v: tensor<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %one = arith.constant 1 : i64
  %pid = tt.get_program_id x : i32
  %signed = tt.make_tensor_descriptor %p, [%c6], [%one] : <i32>, <tensor<8xsi32>>
  %unsigned = tt.make_tensor_descriptor %q, [%c6], [%one] : <i32>, <tensor<8xui32>>
  tt.descriptor_reduce max, %signed[%pid], %v : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
  tt.descriptor_reduce min, %unsigned[%c2], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.return
}

// -----

// Round trip: descriptors change places in a loop, in a function and in a while.
tt.func private @turn(%a: !tt.tensordesc<tensor<4x4xf32>>, %i: i32, %b: !tt.tensordesc<tensor<4x4xf32>>) -> (!tt.tensordesc<tensor<4x4xf32>>, i32, !tt.tensordesc<tensor<4x4xf32>>) attributes {noinline = true} {
  %c0 = arith.constant 0 : i32
  %0 = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<tensor<4x4xf32>> -> tensor<4x4xf32>
  tt.descriptor_store %b[%c0, %i], %0 : !tt.tensordesc<tensor<4x4xf32>>, tensor<4x4xf32>
  tt.return %b, %i, %a : !tt.tensordesc<tensor<4x4xf32>>, i32, !tt.tensordesc<tensor<4x4xf32>>
}
tt.func public @round_trip(%p: !tt.ptr<f32>, %d: !tt.tensordesc<tensor<4x4xf32>>, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %row = arith.constant 8 : i64
  %one = arith.constant 1 : i64
  %e = tt.make_tensor_descriptor %p, [%c8, %c8], [%row, %one] : <f32>, <tensor<4x4xf32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %d, %y = %e) -> (!tt.tensordesc<tensor<4x4xf32>>, !tt.tensordesc<tensor<4x4xf32>>) : i32 {
    %0:3 = tt.call @turn(%x, %i, %y) : (!tt.tensordesc<tensor<4x4xf32>>, i32, !tt.tensordesc<tensor<4x4xf32>>) -> (!tt.tensordesc<tensor<4x4xf32>>, i32, !tt.tensordesc<tensor<4x4xf32>>)
    scf.yield %0#0, %0#2 : !tt.tensordesc<tensor<4x4xf32>>, !tt.tensordesc<tensor<4x4xf32>>
  }
  %chosen = arith.select %c, %r#0, %d : !tt.tensordesc<tensor<4x4xf32>>
  %s:2 = scf.while (%x = %chosen, %i = %c3) : (!tt.tensordesc<tensor<4x4xf32>>, i32) -> (i32, !tt.tensordesc<tensor<4x4xf32>>) {
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %i, %x : i32, !tt.tensordesc<tensor<4x4xf32>>
  } do {
  ^bb0(%i: i32, %x: !tt.tensordesc<tensor<4x4xf32>>):
    %1 = tt.descriptor_load %x[%i, %i] : !tt.tensordesc<tensor<4x4xf32>> -> tensor<4x4xf32>
    tt.descriptor_store %x[%c0, %i], %1 : !tt.tensordesc<tensor<4x4xf32>>, tensor<4x4xf32>
    %2 = arith.subi %i, %c1 : i32
    scf.yield %x, %2 : !tt.tensordesc<tensor<4x4xf32>>, i32
  }
  tt.return
}

// -----

// A load that drops the leading dimension, and blocks that pass descriptors.
// Differs from Triton: it makes IR that it refuses.
tt.func public @blocks(%p: !tt.ptr<f64>, %d: !tt.tensordesc<tensor<1x8xf64>>, %c: i1) -> tensor<8xf64> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c6 = arith.constant 6 : i32
  %one = arith.constant 1 : i64
  %row = arith.constant 6 : i64
  %e = tt.make_tensor_descriptor %p, [%c2, %c6], [%row, %one] {padding = 2 : i32} : <f64>, <tensor<1x8xf64>>
  cf.cond_br %c, ^load(%d, %c0 : !tt.tensordesc<tensor<1x8xf64>>, i32), ^pass
^pass:
  cf.br ^load(%e, %c2 : !tt.tensordesc<tensor<1x8xf64>>, i32)
^load(%x: !tt.tensordesc<tensor<1x8xf64>>, %i: i32):
  %0 = tt.descriptor_load %x[%i, %c0] : !tt.tensordesc<tensor<1x8xf64>> -> tensor<8xf64>
  tt.descriptor_store %x[%c0, %i], %0 : !tt.tensordesc<tensor<1x8xf64>>, tensor<8xf64>
  tt.return %0 : tensor<8xf64>
}
