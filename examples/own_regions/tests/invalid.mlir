// RUN: tt-opt %s --load-dialect=%S/../each/dialect.py --split-input-file --verify-diagnostics

// expected-error @+1 {{!each.limits: limits are of floats or integers, found index}}
tt.func private @number(!each.limits<index>)

// -----

// expected-error @+1 {{!each.limits has 1 parameter (number), found 2}}
tt.func private @parameters(!each.limits<f32, 1 : i32>)

// -----

// expected-error @+1 {{#each.times: found 0 times; it must be 1 or more}}
tt.func private @times() attributes {x = #each.times<0 : i32>}

// -----

tt.func @several(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'each.map' op 'srcs' and 'srcs' must have the same type, found tensor<8xf32> and tensor<4xf32>}}
  %0:2 = each.map %x, %y ({
  ^bb0(%a: f32, %b: f32):
    each.yield %a, %b : (f32, f32) -> ()
  }) {times = #each.times<1 : i32>} : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  tt.return
}

// -----

tt.func @arguments(%x: tensor<8xf32>) {
  // expected-error @+1 {{'each.map' op 'body' must take (f32), found (i32)}}
  %0 = each.map %x ({
  ^bb0(%a: i32):
    %1 = arith.sitofp %a : i32 to f32
    each.yield %1 : (f32) -> ()
  }) {times = #each.times<1 : i32>} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @terminator(%x: tensor<8xf32>) {
  // expected-error @+1 {{'each.map' op region 'body' must end in 'each.yield', found 'llvm.unreachable'}}
  %0 = each.map %x ({
  ^bb0(%a: f32):
    llvm.unreachable
  }) {times = #each.times<1 : i32>} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @no_block(%x: tensor<8xf32>) {
  // expected-error @+1 {{'each.map' op region 'body' has no block}}
  %0 = each.map %x ({}) {times = #each.times<1 : i32>} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @no_region(%x: tensor<8xf32>) {
  // expected-error @+1 {{'each.map' op expected 1 region, found 0}}
  %0 = each.map %x {times = #each.times<1 : i32>} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @attribute(%x: tensor<8xf32>) {
  // expected-error @+1 {{'each.map' op attribute 'times' must be a Times, found 2 : i32}}
  %0 = each.map %x ({
  ^bb0(%a: f32):
    each.yield %a : (f32) -> ()
  }) {times = 2 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @segments_missing(%x: f32) {
  // expected-error @+1 {{'each.limits' op attribute 'operandSegmentSizes' must be an array of 2 i32, how many operands each part has; found nothing}}
  %0 = each.limits %x : (f32) -> !each.limits<f32>
  tt.return
}

// -----

tt.func @segments_too_many(%x: f32, %y: f32) {
  // expected-error @+1 {{'each.limits' op operand 'low' must be one value or none, found 2}}
  %0 = each.limits %x, %y {operandSegmentSizes = array<i32: 2, 0>} : (f32, f32) -> !each.limits<f32>
  tt.return
}

// -----

tt.func @segments_sum(%x: f32) {
  // expected-error @+1 {{'each.limits' op operandSegmentSizes has 2 operands, found 1}}
  %0 = each.limits %x {operandSegmentSizes = array<i32: 1, 1>} : (f32) -> !each.limits<f32>
  tt.return
}

// -----

tt.func @own_type(%x: tensor<8xf32>, %y: f32) {
  // expected-error @+1 {{'each.clamp' op operand 'limits' must be of a Limits, found f32}}
  %0 = each.clamp %x, %y : (tensor<8xf32>, f32) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @not_last(%x: f32) {
  // expected-error @+1 {{'each.yield' op must be the last operation in the parent block}}
  each.yield %x : (f32) -> ()
  tt.return
}
