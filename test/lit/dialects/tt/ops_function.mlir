// RUN: tt-opt %s | tt-opt | FileCheck %s

// A declaration without a visibility is private: nothing else would be legal.
// CHECK: tt.func private @abort(){{$}}
tt.func @abort()

// CHECK: tt.func private @scribble(i32, i64, memref<128xf32>) -> f64
tt.func @scribble(i32, i64, memref<128xf32>) -> f64

// CHECK: tt.func nested @inner(f32)
tt.func nested @inner(f32)

// CHECK: tt.func private @argument_attribute(i32 {swift.self})
tt.func @argument_attribute(%x: i32 {swift.self = unit})

// CHECK: tt.func private @result_attribute() -> (f64 {dialectName.attrName = 0 : i64})
tt.func @result_attribute() -> (f64 {dialectName.attrName = 0 : i64})

// CHECK: tt.func private @function_attribute() attributes {dialectName.attrName = false}
tt.func @function_attribute() attributes {dialectName.attrName = false}

// CHECK-LABEL: tt.func @count(
// CHECK-SAME: %[[X:.*]]: i64) -> (i64, i64) attributes {fruit = "banana"} {
// CHECK: tt.return %[[X]], %[[X]] : i64, i64
tt.func @count(%x: i64) -> (i64, i64) attributes {fruit = "banana"} {
  tt.return %x, %x : i64, i64
}

// A kernel as Triton prints it.
// CHECK-LABEL: tt.func public @kernel(
// CHECK-SAME: %{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
// CHECK: tt.return{{$}}
tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
  tt.return
}

// Several blocks.
// CHECK-LABEL: tt.func private @least(
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK: tt.return %{{.*}} : i32
// CHECK: ^bb2:
// CHECK: tt.return %{{.*}} : i32
tt.func private @least(%a: i32, %b: i32) -> i32 {
  %less = arith.cmpi slt, %a, %b : i32
  cf.cond_br %less, ^bb1, ^bb2
^bb1:
  tt.return %a : i32
^bb2:
  tt.return %b : i32
}

// CHECK-LABEL: tt.func @calls(
tt.func @calls(%x: i64, %a: i32) -> i64 {
  // CHECK: tt.call @abort() : () -> ()
  tt.call @abort() : () -> ()
  // CHECK: %{{.*}}:2 = tt.call @count(%{{.*}}) : (i64) -> (i64, i64)
  %0:2 = tt.call @count(%x) : (i64) -> (i64, i64)
  // CHECK: tt.call @least(%{{.*}}, %{{.*}}) {arg_attrs = [{a.b = 1 : i32}, {}], my.attr, res_attrs = [{a.c}]} : (i32, i32) -> i32
  %1 = tt.call @least(%a, %a) {my.attr, arg_attrs = [{a.b = 1 : i32}, {}], res_attrs = [{a.c}]} : (i32, i32) -> i32
  tt.return %0#1 : i64
}

// The generic form.
// CHECK-LABEL: tt.func private @generic(
// CHECK-SAME: %[[X:.*]]: i32 {tt.divisibility = 8 : i32}) -> i32 {
// CHECK: tt.return %[[X]] : i32
"tt.func"() <{sym_name = "generic", function_type = (i32) -> i32, sym_visibility = "private", arg_attrs = [{tt.divisibility = 8 : i32}]}> ({
^bb0(%x: i32):
  "tt.return"(%x) : (i32) -> ()
}) : () -> ()

// CHECK-LABEL: tt.func @programs
tt.func @programs() -> i32 {
  // CHECK-NEXT: tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK-NEXT: tt.get_program_id y : i32
  %1 = tt.get_program_id y : i32
  // CHECK-NEXT: tt.get_program_id z : i32
  %2 = "tt.get_program_id"() <{axis = 2 : i32}> : () -> i32
  // CHECK-NEXT: tt.get_num_programs x : i32
  %3 = tt.get_num_programs x : i32
  // CHECK-NEXT: tt.get_num_programs y {foo} : i32
  %4 = tt.get_num_programs y {foo} : i32
  // CHECK-NEXT: tt.get_num_programs z : i32
  %5 = tt.get_num_programs z : i32
  tt.return %0 : i32
}

// CHECK-LABEL: tt.func @dependent_launch
tt.func @dependent_launch() {
  // CHECK: tt.grid_dependency_wait{{$}}
  tt.grid_dependency_wait
  // CHECK: tt.grid_dependency_launch_dependents{{$}}
  tt.grid_dependency_launch_dependents
  tt.return
}
