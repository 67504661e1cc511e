// RUN: tt-opt %s -test-print-alignment -split-input-file -verify-diagnostics=only-expected -o /dev/null
// RUN: tt-opt %s -test-print-alignment -split-input-file -o /dev/null 2>&1 | FileCheck %s

// Rows of pointers: what is known of numbers adds up to what is known of addresses, in bytes.
// CHECK: %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32> => contiguity = [128],
tt.func @rows(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 8 : i32}) {
  // expected-remark @below {{contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>}}
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  // expected-remark @below {{contiguity = [128, 1], divisibility = [1073741824, 1], constancy = [1, 1], constant_value = <none>}}
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [1, 1], constant_value = <none>}}
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [8, 8], constancy = [128, 1], constant_value = <none>}}
  %strides = tt.splat %stride : i32 -> tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [8, 8], constancy = [1, 1], constant_value = <none>}}
  %offsets = arith.muli %rows, %strides : tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [128, 1], constant_value = <none>}}
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1], constant_value = <none>}}
  %starts = tt.addptr %base, %offsets : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 128], constant_value = <none>}}
  %left = tt.broadcast %starts : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [128, 1], constant_value = <none>}}
  %right = tt.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [2, 16], constancy = [1, 1], constant_value = <none>}}
  %pointers = tt.addptr %left, %right : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
  tt.return
}

// -----

// What a loop carries: its first value and its step agree on a multiple of 4, and all elements stay equal.
tt.func @loop(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32], constant_value = 8}}
  %first = arith.constant dense<8> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32], constant_value = 12}}
  %by = arith.constant dense<12> : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32], constant_value = <none>}}
  %last = scf.for %i = %c0 to %n step %c16 iter_args(%x = %first) -> (tensor<32xi32>) : i32 {
    // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [32], constant_value = <none>}}
    %is = tt.splat %i : i32 -> tensor<32xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [32], constant_value = <none>}}
    %new = arith.addi %x, %by : tensor<32xi32>
    scf.yield %new : tensor<32xi32>
  }
  tt.return
}

// -----

// A function knows what all its callers agree on.
tt.func private @callee(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>}}
  %y = arith.muli %x, %c1 : i32
  tt.return %y : i32
}

tt.func public @calls(%a: i32 {tt.divisibility = 16 : i32}, %b: i32 {tt.divisibility = 24 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %0 = tt.call @callee(%a) : (i32) -> i32
  %1 = tt.call @callee(%b) : (i32) -> i32
  tt.return
}

// -----

// Edge case: stated facts count more than those found; floats have none.
tt.func @hints(%p: !tt.ptr<i32>, %x: f32) {
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>}}
  %i = tt.load %p {tt.divisibility = 8 : i32} : !tt.ptr<i32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %y = arith.addf %x, %x : f32
  // Contiguity 0 states nothing.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %q = tt.addptr %p, %i {tt.contiguity = 0 : i32} : !tt.ptr<i32>, i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>}}
  %r = tt.addptr %q, %i : !tt.ptr<i32>, i32
  tt.return
}

// -----

// Casts on the way between levels: a struct has the facts of the tensor in it, another rank has none.
tt.func @casts(%n: i32, %c: i1) {
  %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [1, 1]}}
  %2 = builtin.unrealized_conversion_cast %1 : tensor<1x128xi32> to !llvm.struct<(i32, i32)>
  // expected-remark @below {{contiguity = [1, 128], divisibility = [1, 1073741824], constancy = [1, 1]}}
  %3 = builtin.unrealized_conversion_cast %2 : !llvm.struct<(i32, i32)> to tensor<1x128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %4 = builtin.unrealized_conversion_cast %2 : !llvm.struct<(i32, i32)> to tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %5 = builtin.unrealized_conversion_cast %2 : !llvm.struct<(i32, i32)> to i32
  // A choice between structs of different ranks.
  %6 = builtin.unrealized_conversion_cast %0 : tensor<128xi32> to !llvm.struct<(i32, i32)>
  %7 = arith.select %c, %2, %6 : !llvm.struct<(i32, i32)>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [1, 1]}}
  %8 = builtin.unrealized_conversion_cast %7 : !llvm.struct<(i32, i32)> to tensor<1x128xi32>
  tt.return
}

// -----

// Groups inside a dimension are not divided by a multiple of their size, where they are at least 0.
tt.func @divisions_in_groups() {
  %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %c512 = arith.constant dense<512> : tensor<1024xi32>
  %c64 = arith.constant dense<64> : tensor<1024xi32>
  %1 = arith.remsi %0, %c512 : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64]}}
  %2 = arith.divsi %1, %c64 : tensor<1024xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
  %3 = arith.remsi %1, %c64 : tensor<1024xi32>
  %4 = arith.subi %1, %c64 : tensor<1024xi32>
  // Edge case: -64 / 64 is -1, and -63 / 64 is 0.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %5 = arith.divsi %4, %c64 : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %6 = arith.remsi %4, %c64 : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64]}}
  %7 = arith.divui %4, %c64 : tensor<1024xi32>
  tt.return
}
