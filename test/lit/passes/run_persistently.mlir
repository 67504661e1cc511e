// RUN: tt-opt %s --split-input-file --ttkit-run-persistently=num-stages=2 --verify-diagnostics | FileCheck %s
// RUN: tt-opt %s --split-input-file --ttkit-run-persistently="num-stages=2 num-warps=8" | FileCheck --check-prefix=EIGHT %s

// Eight warps that ask for groups get none.
// EIGHT-NOT: nsmid

// Programs of the same work: with a grid of any size.
// CHECK-LABEL: @attention
// CHECK-DAG:     %[[X:.+]] = tt.get_program_id x
// CHECK-DAG:     %[[COLUMNS:.+]] = tt.get_num_programs x
// CHECK:         %[[N:.+]] = nvvm.read.ptx.sreg.nsmid
// CHECK:         scf.for %[[ROUND:.+]] = %{{.+}} to %{{.+}} step %{{.+}}  : i32 {
// CHECK:           %[[FIRST:.+]] = arith.muli %[[ROUND]], %[[N]]
// CHECK:           %[[PLACE:.+]] = arith.addi %[[FIRST]], %{{.+}}
// CHECK:           %[[ROW:.+]] = arith.divui %[[PLACE]], %[[COLUMNS]]
// CHECK:           %[[BEFORE:.+]] = arith.muli %[[ROW]], %[[COLUMNS]]
// CHECK:           %[[COLUMN:.+]] = arith.subi %[[PLACE]], %[[BEFORE]]
// CHECK:           %[[M:.+]] = arith.select %{{.+}}, %[[COLUMN]], %[[X]]
// CHECK:           arith.muli %[[M]], %{{.+}}
// CHECK:           tt.descriptor_load
// CHECK:           scf.for
// CHECK:           } {tt.warp_specialize = true}
// CHECK:           tt.descriptor_store
// The tiles of the next program have a slot of their own.
// CHECK:         } {tt.num_stages = 2 : i32}
// expected-remark @below {{a CTA for each multiprocessor runs one program after the other}}
tt.func public @attention(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// An order sorts them by their work; the loop has it, and the module no more.
module attributes {"ttkit.longest-first" = {axes = array<i32: 0>, axis = 0 : i32, shrinks = false, together = 512 : i32}} {
// CHECK-NOT: ttkit.longest-first
// CHECK-LABEL: @sorted
// CHECK: tt.num_stages = 2
// expected-remark @below {{a CTA for each multiprocessor runs one program after the other}}
tt.func public @sorted(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  %one = arith.constant 1 : i32
  %next = arith.addi %m, %one : i32
  %last = arith.muli %next, %step : i32
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %last step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}
}

// -----

// Work that grows without an order.
// CHECK-LABEL: @growing
// CHECK-NOT: nsmid
tt.func public @growing(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  %one = arith.constant 1 : i32
  %next = arith.addi %m, %one : i32
  %last = arith.muli %next, %step : i32
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %last step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// Work that nobody knows before the launch.
// CHECK-LABEL: @of_any_length
// CHECK-NOT: nsmid
tt.func public @of_any_length(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %lengths: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  %place = tt.addptr %lengths, %m : !tt.ptr<i32>, i32
  %last = tt.load %place : !tt.ptr<i32>
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %last step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// It tells the user its number.
// CHECK-LABEL: @printing
// CHECK-NOT: nsmid
tt.func public @printing(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  tt.print "n" {hex = false, isSigned = array<i32: 1>} : %n : i32
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.warp_specialize = true}
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}

// -----

// No loop is divided.
// CHECK-LABEL: @together
// CHECK-NOT: nsmid
tt.func public @together(%q: !tt.tensordesc<tensor<128x128xf16>>, %k: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.tensordesc<tensor<128x128xf16>>, %n: i32) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %m = tt.get_program_id x : i32
  %row = arith.muli %m, %step : i32
  %query = tt.descriptor_load %q[%row, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
  %r = scf.for %i = %zero to %n step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %x = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = tt.dot %query, %t, %none : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    %e = math.exp2 %s : tensor<128x128xf32>
    %p = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xf16>
    %y = tt.descriptor_load %k[%i, %zero] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
    %d = tt.dot %p, %y, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xf16>
  tt.descriptor_store %o[%row, %zero], %h : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
  tt.return
}
