// RUN: tt-opt %s --load-dialect=%S/../roll/dialect.py --split-input-file --verify-diagnostics

tt.func @type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'roll.rotate' op 'src' and 'result' must have the same type, found tensor<8xf32> and tensor<4xf32>}}
  %0 = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @axis(%x: tensor<8xf32>) {
  // expected-error @+1 {{'roll.rotate' op axis must be less than the rank of tensor<8xf32>, found 1}}
  %0 = roll.rotate %x {axis = 1 : i32, shift = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @shift(%x: tensor<8xf32>) {
  // expected-error @+1 {{'roll.rotate' op attribute 'shift' must be an integer of type i32, found 1 : i64}}
  %0 = roll.rotate %x {axis = 0 : i32, shift = 1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}
