// RUN: tt-opt %s --pass-pipeline='builtin.module(ensure-debug-info-scope-on-llvm-func{emission-kind=Full},extract-variable-info)' --mlir-print-debuginfo | FileCheck %s
// RUN: tt-opt %s --extract-variable-info --mlir-print-debuginfo | FileCheck %s --check-prefix=UNSCOPED

// CHECK-DAG: #[[INT:.+]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
// CHECK-DAG: #[[VECTOR:.+]] = #llvm.di_composite_type<tag = DW_TAG_array_type, name = "vector", {{.*}}flags = Vector, sizeInBits = 64{{.*}}>
// CHECK-DAG: #[[N:.+]] = #llvm.di_local_variable<{{.*}}name = "n", file = #{{.*}}, line = 1, arg = 1, type = #[[INT]]>
// CHECK-DAG: #[[OFFSET:.+]] = #llvm.di_local_variable<{{.*}}name = "offset", file = #{{.*}}, line = 2, type = #[[INT]]>
// CHECK-DAG: #[[X:.+]] = #llvm.di_local_variable<{{.*}}name = "x", file = #{{.*}}, line = 2, type = #[[VECTOR]]>

// Parameters have numbers; what a line computes last is its variable.
// CHECK-LABEL: llvm.func @scalars
// CHECK-NEXT: llvm.intr.dbg.value #[[N]] = %arg0 : i32
// CHECK-NEXT: %[[TWICE:.*]] = llvm.add
// CHECK-NEXT: %[[SUM:.*]] = llvm.add %[[TWICE]], %arg0
// CHECK-NEXT: llvm.intr.dbg.value #[[OFFSET]] = %[[SUM]] : i32
// CHECK-NEXT: llvm.add
// CHECK-NEXT: llvm.return
// UNSCOPED-LABEL: llvm.func @scalars
// UNSCOPED-NOT: dbg.value
llvm.func @scalars(%n: i32 loc("n"("k.py":1:0))) -> i32 {
  %0 = llvm.add %n, %n : i32 loc("offset"("k.py":2:4))
  %1 = llvm.add %0, %n : i32 loc("offset"("k.py":2:4))
  %2 = llvm.add %1, %n : i32 loc("k.py":3:4)
  llvm.return %2 : i32 loc("k.py":3:0)
} loc("k.py":1:0)

// Elements of a vector are parts of the variable.
// CHECK-LABEL: llvm.func @vector
// CHECK: %[[SUM:.*]] = llvm.fadd
// CHECK: %[[FIRST:.*]] = llvm.extractelement %[[SUM]]
// CHECK-NEXT: llvm.intr.dbg.value #[[X]] #llvm.di_expression<[DW_OP_LLVM_fragment(0, 32)]> = %[[FIRST]] : f32
// CHECK: %[[SECOND:.*]] = llvm.extractelement %[[SUM]]
// CHECK-NEXT: llvm.intr.dbg.value #[[X]] #llvm.di_expression<[DW_OP_LLVM_fragment(32, 32)]> = %[[SECOND]] : f32
llvm.func @vector(%a: vector<2xf32>) -> vector<2xf32> {
  %0 = llvm.fadd %a, %a : vector<2xf32> loc("x"("k.py":2:4))
  llvm.return %0 : vector<2xf32>
} loc("k.py":1:0)

// The counter of a loop has its location, and is none of its results.
// CHECK-LABEL: llvm.func @loop
// CHECK-NOT: dbg.value
llvm.func @loop(%n: i32) {
  %0 = llvm.mlir.constant(0 : i32) : i32 loc("zero"("k.py":2:4))
  llvm.br ^head(%0 : i32) loc("acc"("k.py":3:4))
^head(%i: i32):
  %1 = llvm.add %i, %n : i32 loc("acc"("k.py":3:4))
  %2 = llvm.icmp "slt" %1, %n : i32 loc("acc"("k.py":3:4))
  llvm.cond_br %2, ^head(%1 : i32), ^end loc("acc"("k.py":3:4))
^end:
  llvm.return
} loc("k.py":1:0)
