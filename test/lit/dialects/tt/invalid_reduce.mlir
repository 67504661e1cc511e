// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @reduce_c1() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  "tt.reduce"() <{axis = 1 : i32}> ({
  ^bb0:
    "tt.reduce.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @reduce_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{must have the same number of inputs as outputs, found 2 and 1}}
  %0 = "tt.reduce"(%a, %a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %i: f32, %y: f32, %j: f32):
    tt.reduce.return %x, %i : f32, f32
  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c2(%a: tensor<4x8xf32>, %b: tensor<4x16xf32>) {
  // expected-error @+1 {{requires the same shape for all operands}}
  %0:2 = "tt.reduce"(%a, %b) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %i: f32, %y: f32, %j: f32):
    tt.reduce.return %x, %i : f32, f32
  }) : (tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  tt.return
}

// -----

tt.func @reduce_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 2, found 2}}
  %0 = "tt.reduce"(%a) <{axis = 2 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 2, found -1}}
  %0 = "tt.reduce"(%a) <{axis = -1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c3(%a: tensor<f32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 0, found 0}}
  %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<f32>) -> f32
  tt.return
}

// -----

tt.func @reduce_c4(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{operand types and result types must agree, found 'tensor<4x8xf32>' and 'tensor<4xi32>'}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xi32>
  tt.return
}

// -----

tt.func @reduce_c5(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @reduce_c5(%a: tensor<8xf32>) {
  // expected-error @+2 {{inferred type(s) 'f32' are incompatible with return type(s) of operation 'tensor<f32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<8xf32>) -> tensor<f32>
  tt.return
}

// -----

tt.func @reduce_c6(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{nested block must take 2 arguments, but given block with 1 arguments}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32):
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

// The arguments are two tuples, not pairs.
tt.func @reduce_c6(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  // expected-error @+1 {{type mismatch on combine operation. Expected argument 1 to have type 'i32' but got 'f32'}}
  %0:2 = "tt.reduce"(%a, %b) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32, %i: i32, %j: i32):
    tt.reduce.return %x, %i : f32, i32
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  tt.return
}

// -----

tt.func @reduce_c7(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected combine operation to return 1 values but got 2}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x, %y : f32, f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c7(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected combine operation to return 1 values but got 0}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    "tt.reduce.return"() : () -> ()
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c7(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{type mismatch on combine operation. Expected argument 0 to have type 'f32' but got 'i32'}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %i = arith.bitcast %x : f32 to i32
    tt.reduce.return %i : i32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_c7(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{combine operation must be terminated with tt.reduce.return}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    ub.unreachable
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    cf.br ^bb1
  ^bb1:
    tt.reduce.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{region #0 ('combineOp') failed to verify constraint: region with 1 blocks}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires one region}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_region(%a: tensor<4x8xf32>) {
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    // expected-error @+1 {{block with no terminator}}
    %sum = arith.addf %x, %y : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  tt.return
}

// -----

tt.func @reduce_return_c1(%x: f32) {
  // expected-error @+1 {{'tt.reduce.return' op expects parent op 'tt.reduce'}}
  tt.reduce.return %x : f32
}

// -----

tt.func @scan_c1() {
  // expected-error @+1 {{expected 1 or more operands, but found 0}}
  "tt.scan"() <{axis = 1 : i32, reverse = false}> ({
  ^bb0:
    "tt.scan.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @scan_c1(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{must have the same number of inputs as outputs, found 2 and 1}}
  %0 = "tt.scan"(%a, %a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %i: f32, %y: f32, %j: f32):
    tt.scan.return %x, %i : f32, f32
  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c2(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires the same shape for all operands and results}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x16xf32>
  tt.return
}

// -----

tt.func @scan_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 2, found 3}}
  %0 = "tt.scan"(%a) <{axis = 3 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c3(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 2, found -1}}
  %0 = "tt.scan"(%a) <{axis = -1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c3(%a: tensor<f32>) {
  // expected-error @+1 {{axis out of bounds for operand rank 0, found 1}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<f32>) -> tensor<f32>
  tt.return
}

// -----

tt.func @scan_c4(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{operand types and result types must agree, found 'tensor<4x8xf32>' and 'tensor<4x8xi32>'}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  tt.return
}

// -----

tt.func @scan_c5(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{nested block must take 2 arguments, but given block with 1 arguments}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32):
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

// The arguments are two tuples, not pairs.
tt.func @scan_c5(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>) {
  // expected-error @+1 {{type mismatch on combine operation. Expected argument 1 to have type 'i32' but got 'f32'}}
  %0:2 = "tt.scan"(%a, %b) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32, %i: i32, %j: i32):
    tt.scan.return %x, %i : f32, i32
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  tt.return
}

// -----

tt.func @scan_c6(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected combine operation to return 1 values but got 2}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x, %y : f32, f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c6(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expected combine operation to return 1 values but got 0}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    "tt.scan.return"() : () -> ()
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c6(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{type mismatch on combine operation. Expected argument 0 to have type 'f32' but got 'i32'}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %i = arith.bitcast %x : f32 to i32
    tt.scan.return %i : i32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_c6(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{combine operation must be terminated with tt.scan.return}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    ub.unreachable
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    cf.br ^bb1
  ^bb1:
    tt.scan.return %x : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{region #0 ('combineOp') failed to verify constraint: region with 1 blocks}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_region(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{requires one region}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_region(%a: tensor<4x8xf32>) {
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    // expected-error @+1 {{block with no terminator}}
    %sum = arith.addf %x, %y : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @scan_return_c1(%x: f32) {
  // expected-error @+1 {{'tt.scan.return' op expects parent op 'tt.scan'}}
  tt.scan.return %x : f32
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reduce_c2(%a: tensor<32x64xf32, #row>, %b: tensor<32x64xf32, #column>) {
  // expected-error @+1 {{requires the same encoding for all operands}}
  %0:2 = "tt.reduce"(%a, %b) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %i: f32, %y: f32, %j: f32):
    tt.reduce.return %x, %i : f32, f32
  }) : (tensor<32x64xf32, #row>, tensor<32x64xf32, #column>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>)
  tt.return
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @reduce_c5(%a: tensor<32x64xf32, #row>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<32x64xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #column}>>
  tt.return
}
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @scan_c2(%a: tensor<32x64xf32, #row>) {
  // expected-error @+1 {{requires the same encoding for all operands and results}}
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<32x64xf32, #row>) -> tensor<32x64xf32, #column>
  tt.return
}
}

// -----

tt.func @scan_attributes(%a: tensor<8xf32>) {
  // expected-error @+1 {{requires attribute 'reverse'}}
  %0 = "tt.scan"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %x : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}
