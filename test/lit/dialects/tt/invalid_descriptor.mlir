// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @make_tensor_descriptor_c1(%p: !tt.ptr<f32>, %i: i32, %l: i64) {
  // expected-error @+1 {{base points to 'f32', but the block has elements of 'f16'}}
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%l, %l] : <f32>, <tensor<16x16xf16>>
  tt.return
}

// -----

tt.func @make_tensor_descriptor_c2(%p: !tt.ptr<f16>, %i: i32, %l: i64) {
  // expected-error @+1 {{needs one shape and stride for each of the block's 2 dimensions, found 1}}
  %0 = tt.make_tensor_descriptor %p, [%i], [%l] : <f16>, <tensor<16x16xf16>>
  tt.return
}

// -----

tt.func @make_tensor_descriptor_c2_sizes(%p: !tt.ptr<f16>, %i: i32, %l: i64) {
  // expected-error @+1 {{operand #2 must be variadic of 64-bit signless integer, but got 'i32'}}
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%l] : <f16>, <tensor<16x16xf16>>
  tt.return
}

// -----

tt.func @make_tensor_descriptor_c3(%p: !tt.ptr<i32>, %i: i32, %l: i64) {
  // expected-error @+1 {{NaN padding needs a floating-point element type, found 'i32'}}
  %0 = tt.make_tensor_descriptor %p, [%i], [%l] {padding = 2 : i32} : <i32>, <tensor<16xi32>>
  tt.return
}

// -----

tt.func @make_tensor_descriptor_padding(%p: !tt.ptr<i32>, %i: i32, %l: i64) {
  // expected-error @+1 {{allowed 32-bit signless integer cases: 1, 2}}
  %0 = tt.make_tensor_descriptor %p, [%i], [%l] {padding = 3 : i32} : <i32>, <tensor<16xi32>>
  tt.return
}

// -----

tt.func @descriptor_load_c1(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
  // expected-error @+1 {{needs an index for each of the block's 2 dimensions, found 1}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @descriptor_load_c2(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @descriptor_load_c2_rank(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
  // expected-error @+1 {{ranked reduce load only allowed for unit dimension leading dim.}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16xf16>
  tt.return
}

// -----

tt.func @descriptor_load_c2_more(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<1x16x16xf16>
  tt.return
}

// -----

tt.func @descriptor_load_c3(%d: !tt.tensordesc<tensor<16x16xf16>>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xbf16>
  tt.return
}

// -----

tt.func @descriptor_store_c1(%d: !tt.tensordesc<tensor<16x16xf16>>, %src: tensor<16x16xf16>, %i: i32) {
  // expected-error @+1 {{needs an index for each of the block's 2 dimensions, found 1}}
  tt.descriptor_store %d[%i], %src : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16>
  tt.return
}

// -----

tt.func @descriptor_store_c2(%d: !tt.tensordesc<tensor<16x16xf16>>, %src: tensor<32x16xf16>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  tt.descriptor_store %d[%i, %i], %src : !tt.tensordesc<tensor<16x16xf16>>, tensor<32x16xf16>
  tt.return
}

// -----

tt.func @descriptor_store_c3(%d: !tt.tensordesc<tensor<16x16xf16>>, %src: tensor<16x16xf32>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  tt.descriptor_store %d[%i, %i], %src : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf32>
  tt.return
}

// -----

tt.func @descriptor_reduce_c1(%d: !tt.tensordesc<tensor<16xi32>>, %src: tensor<16xi32>) {
  // expected-error @+1 {{needs an index for each of the block's 1 dimensions, found 0}}
  tt.descriptor_reduce add, %d[], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  tt.return
}

// -----

tt.func @descriptor_reduce_c2(%d: !tt.tensordesc<tensor<16xi32>>, %src: tensor<32xi32>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  tt.descriptor_reduce add, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<32xi32>
  tt.return
}

// -----

tt.func @descriptor_reduce_c3(%d: !tt.tensordesc<tensor<16xi32>>, %src: tensor<16xf32>, %i: i32) {
  // expected-error @+1 {{tensor descriptor block and tensor types must match}}
  tt.descriptor_reduce add, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xf32>
  tt.return
}

// -----

tt.func @descriptor_reduce_kind(%d: !tt.tensordesc<tensor<16xi32>>, %src: tensor<16xi32>, %i: i32) {
  // expected-error @+1 {{[add, min, max, inc, dec, and, or, xor]}}
  tt.descriptor_reduce none, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  tt.return
}

// -----

tt.func @descriptor_gather_c1(%d: !tt.tensordesc<tensor<2x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{block must have exactly 1 row, but got 'tensor<2x64xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<2x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c1_rank(%d: !tt.tensordesc<tensor<64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{block must be a 2D tensor, but got 'tensor<64xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c2(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32x1xi32>, %y: i32) {
  // expected-error @+1 {{x offsets must be a 1D tensor, but got 'tensor<32x1xi32>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32x1xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c3(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{result tensor must have as many rows as indices (32), but got 'tensor<16x64xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<16x64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c3_columns(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{result tensor number of columns must match block (64), but got 'tensor<32x32xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x32xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c3_rank(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{result must be a 2D tensor, but got 'tensor<64xf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c4(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<4xi32>, %y: i32) {
  // expected-error @+1 {{gather must have at least 8 rows, but got 4}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<4xi32>, i32) -> tensor<4x64xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c4_columns(%d: !tt.tensordesc<tensor<1x8xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{gather of 'f16' must have at least 16 columns, but got 8}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x8xf16>>, tensor<32xi32>, i32) -> tensor<32x8xf16>
  tt.return
}

// -----

tt.func @descriptor_gather_c4_bits(%d: !tt.tensordesc<tensor<1x64xf64>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{TMA dtype cannot be greater than 32 bits}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf64>>, tensor<32xi32>, i32) -> tensor<32x64xf64>
  tt.return
}

// -----

tt.func @descriptor_gather_c4_pointers(%d: !tt.tensordesc<tensor<1x64x!tt.ptr<f32>>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{TMA dtype cannot be greater than 32 bits}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64x!tt.ptr<f32>>>, tensor<32xi32>, i32) -> tensor<32x64x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func @descriptor_gather_c5(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // expected-error @+1 {{result tensor element type must match block ('f16'), but got 'tensor<32x64xbf16>'}}
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xbf16>
  tt.return
}

// -----

tt.func @descriptor_scatter_c1(%d: !tt.tensordesc<tensor<2x64xf16>>, %x: tensor<32xi32>, %y: i32, %src: tensor<32x64xf16>) {
  // expected-error @+1 {{block must have exactly 1 row, but got 'tensor<2x64xf16>'}}
  tt.descriptor_scatter %d[%x, %y], %src : !tt.tensordesc<tensor<2x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.return
}

// -----

tt.func @descriptor_scatter_c2(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<1x32xi32>, %y: i32, %src: tensor<32x64xf16>) {
  // expected-error @+1 {{x offsets must be a 1D tensor, but got 'tensor<1x32xi32>'}}
  tt.descriptor_scatter %d[%x, %y], %src : !tt.tensordesc<tensor<1x64xf16>>, tensor<1x32xi32>, i32, tensor<32x64xf16>
  tt.return
}

// -----

tt.func @descriptor_scatter_c3(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32, %src: tensor<16x64xf16>) {
  // expected-error @+1 {{result tensor must have as many rows as indices (32), but got 'tensor<16x64xf16>'}}
  tt.descriptor_scatter %d[%x, %y], %src : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<16x64xf16>
  tt.return
}

// -----

tt.func @descriptor_scatter_c4(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<2xi32>, %y: i32, %src: tensor<2x64xf16>) {
  // expected-error @+1 {{gather must have at least 8 rows, but got 2}}
  tt.descriptor_scatter %d[%x, %y], %src : !tt.tensordesc<tensor<1x64xf16>>, tensor<2xi32>, i32, tensor<2x64xf16>
  tt.return
}

// -----

tt.func @descriptor_scatter_c5(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32, %src: tensor<32x64xi16>) {
  // expected-error @+1 {{result tensor element type must match block ('f16'), but got 'tensor<32x64xi16>'}}
  tt.descriptor_scatter %d[%x, %y], %src : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xi16>
  tt.return
}
