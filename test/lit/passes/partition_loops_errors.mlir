// RUN: tt-opt %s --split-input-file --verify-diagnostics --tritongpu-partition-loops

// Partition 7 has no warps: its store would be lost.
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @index_too_large(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{invalid partition index 7; the loop's 'ttg.partition.stages' has 2 partitions, from 0}}
    tt.store %p, %i {ttg.partition = array<i32: 7>} : !tt.ptr<i32>
  } {ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @index_below_zero(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-error @+1 {{invalid partition index -3}}
    tt.store %p, %i {ttg.partition = array<i32: -3>} : !tt.ptr<i32>
  } {ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @no_number(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{partition stages attribute 'ttg.partition.stages' has invalid element "first"; give a list with the stage of each, from 0}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
  } {ttg.partition.stages = [0 : i32, "first"], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @below_zero(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{partition stages attribute 'ttg.partition.stages' has invalid element -1 : i32}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
  } {ttg.partition.stages = [0 : i32, -1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @no_list(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{partition stages attribute 'ttg.partition.stages' has invalid element 2 : i32}}
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
  } {ttg.partition.stages = 2 : i32, ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

// The loop was erased with a use of it left: the process ended.
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @value_of_another(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
    // expected-error @+1 {{partition 0 uses a value that only another partition computes; run nvws-insert-aref before, which gives it a buffer}}
    tt.store %p, %x {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
  } {ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @bound_of_another(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
    // expected-error @+1 {{partition 0 uses a value that only another partition computes}}
    scf.for %j = %c0 to %x step %c1 : i32 {
      tt.store %p, %j {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
    } {ttg.partition = array<i32: 0>}
  } {ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 1 : i32], ttg.warp_specialize.tag = 0 : i32}
  tt.return
}
}
