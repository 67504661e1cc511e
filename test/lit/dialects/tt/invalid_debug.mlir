// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @print_c1(%x: f32) {
  // expected-error @+1 {{isSigned needs one number for each argument: there are 2 arguments, but 1 numbers}}
  tt.print "x" {hex = false, isSigned = array<i32: 0>} : %x, %x : f32, f32
  tt.return
}

// -----

tt.func @print_c2(%x: index) {
  // expected-error @+1 {{operand #0 must be variadic of floating-point}}
  tt.print "x" {hex = false, isSigned = array<i32: 0>} : %x : index
  tt.return
}

// -----

tt.func @print_c2_descriptor(%x: !tt.tensordesc<tensor<8xf32>>) {
  // expected-error @+1 {{operand #0 must be variadic of floating-point}}
  tt.print "x" {hex = false, isSigned = array<i32: 0>} : %x : !tt.tensordesc<tensor<8xf32>>
  tt.return
}

// -----

tt.func @print_attributes(%x: f32) {
  // expected-error @+1 {{requires attribute 'hex'}}
  tt.print "x" {isSigned = array<i32: 0>} : %x : f32
  tt.return
}

// -----

tt.func @assert_c1(%x: i32) {
  // expected-error @+1 {{operand #0 must be 1-bit signless integer}}
  tt.assert %x, "message" : i32
  tt.return
}
