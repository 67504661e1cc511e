// RUN: tt-opt %s -split-input-file -verify-diagnostics

tt.func @func_c1() {
  // expected-error @+1 {{'tt.func' op expects parent op 'builtin.module'}}
  tt.func private @inner()
  tt.return
}

// -----

// expected-error @+1 {{entry block must have 1 arguments to match function signature}}
"tt.func"() <{sym_name = "func_c2", function_type = (i32) -> ()}> ({
  "tt.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"tt.func"() <{sym_name = "func_c2_type", function_type = i32}> ({
}) : () -> ()

// -----

// expected-error @+1 {{arguments may only have dialect attributes}}
tt.func @func_c3(%p: !tt.ptr<f32> {divisibility = 16 : i32}) {
  tt.return
}

// -----

// expected-error @+1 {{symbol declaration cannot have public visibility}}
tt.func public @func_c4()

// -----

// expected-note @+1 {{see existing symbol definition here}}
tt.func @twice() {
  tt.return
}
// expected-error @+1 {{redefinition of symbol named 'twice'}}
tt.func @twice() {
  tt.return
}

// -----

// expected-error @+1 {{expected SSA identifier}}
tt.func @variadic(%x: i32, ...) {
  tt.return
}

// -----

tt.func @call_c1(%x: i32) {
  // expected-error @+1 {{'nobody' does not reference a valid function}}
  tt.call @nobody(%x) : (i32) -> ()
  tt.return
}

// -----

func.func private @other(i32)
tt.func @call_c1_other_op(%x: i32) {
  // expected-error @+1 {{'other' does not reference a valid function}}
  tt.call @other(%x) : (i32) -> ()
  tt.return
}

// -----

tt.func private @callee(i32) -> f32
tt.func @call_c2() {
  // expected-error @+1 {{incorrect number of operands for callee @callee: expected 1, but provided 0}}
  %0 = tt.call @callee() : () -> f32
  tt.return
}

// -----

tt.func private @callee(i32) -> f32
tt.func @call_c2_type(%x: i64) {
  // expected-error @+1 {{operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0}}
  %0 = tt.call @callee(%x) : (i64) -> f32
  tt.return
}

// -----

tt.func private @callee(i32) -> f32
tt.func @call_c3(%x: i32) {
  // expected-error @+1 {{incorrect number of results for callee @callee: expected 1, but provided 0}}
  tt.call @callee(%x) : (i32) -> ()
  tt.return
}

// -----

tt.func private @callee(i32) -> f32
tt.func @call_c3_type(%x: i32) {
  // expected-error @+1 {{result type mismatch at index 0: the callee gives 'f32', the call 'f16'}}
  %0 = tt.call @callee(%x) : (i32) -> f16
  tt.return
}

// -----

tt.func @return_c1(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{'tt.return' op expects parent op 'tt.func'}}
    tt.return
  }
  tt.return
}

// -----

tt.func @return_c2() -> i32 {
  // expected-error @+1 {{has 0 operands, but enclosing function (@return_c2) returns 1}}
  tt.return
}

// -----

tt.func @return_c2_type(%x: f32) -> i32 {
  // expected-error @+1 {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @return_c2_type}}
  tt.return %x : f32
}

// -----

tt.func @get_program_id_c1() {
  // expected-error @+1 {{[x, y, z]}}
  %0 = tt.get_program_id w : i32
  tt.return
}

// -----

tt.func @get_program_id_type() {
  // expected-error @+1 {{result #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = tt.get_program_id x : i64
  tt.return
}

// -----

tt.func @get_num_programs_c1() {
  // expected-error @+1 {{Invalid attribute `axis`}}
  %0 = "tt.get_num_programs"() <{axis = 3 : i32}> : () -> i32
  tt.return
}

// -----

// expected-error @+1 {{unknown type `pointer` in dialect `tt`}}
tt.func private @unknown_type(!tt.pointer<f32>)

// -----

// expected-error @+1 {{unknown address space 'near': use "global", "constant" or a number}}
tt.func private @named_space(!tt.ptr<f32, "near">)

// -----

// expected-error @+1 {{address space must not be negative}}
tt.func private @negative_address_space(!tt.ptr<f32, -1>)

// -----

// expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
tt.func private @scalar_descriptor(!tt.tensordesc<f32>)
