// RUN: tt-opt %s -split-input-file -verify-diagnostics

// Discardable attributes of ttg: where they may be, and what partitions must satisfy.

// expected-error @+1 {{has unexpected attribute "ttg.num-ctas" which is expected only on `module` ops}}
tt.func @ctas() attributes {"ttg.num-ctas" = 1 : i32} { tt.return }

// -----

tt.func @warps() {
  // expected-error @+1 {{has unexpected attribute "ttg.num-warps" which is expected only on `module` or `tt.func` ops}}
  %c = arith.constant {"ttg.num-warps" = 4 : i32} 1 : i32
  tt.return
}

// -----

tt.func @partition_type() {
  // expected-error @+1 {{expects partition ids as array<i32: ...> in attribute "ttg.partition", found 0 : i32}}
  %c = arith.constant {ttg.partition = 0 : i32} 1 : i32
  tt.return
}

// -----

tt.func @partition_order() {
  // expected-error @+1 {{partition ids not in sorted order in attribute "ttg.partition"}}
  %c = arith.constant {ttg.partition = array<i32: 1, 0>} 1 : i32
  tt.return
}

// -----

tt.func @partition_twice() {
  // expected-error @+1 {{has duplicated partition ids in attribute "ttg.partition"}}
  %c = arith.constant {ttg.partition = array<i32: 1, 1>} 1 : i32
  tt.return
}

// -----

tt.func @partition_none() {
  // expected-error @+1 {{has no partition ids in attribute "ttg.partition"}}
  %c = arith.constant {ttg.partition = array<i32>} 1 : i32
  tt.return
}

// -----

tt.func @outputs_place() {
  // expected-error @+1 {{has unexpected attribute "ttg.partition.outputs"}}
  %c = arith.constant {ttg.partition.outputs = [array<i32: 0>]} 1 : i32
  tt.return
}

// -----

tt.func @child_without_partition(%b: i1) {
  scf.if %b {
    // expected-error @+1 {{does not have expected attribute ttg.partition which is expected for ops whose parent has partitions}}
    %c = arith.constant 1 : i32
  } {ttg.partition = array<i32: 0>}
  tt.return
}

// -----

tt.func @child_in_more_partitions(%b: i1) {
  // expected-error @+1 {{does not contain partition ids of all child ops: 1 is missing}}
  scf.if %b {
    %c = arith.constant {ttg.partition = array<i32: 0, 1>} 1 : i32
  } {ttg.partition = array<i32: 0>}
  tt.return
}
