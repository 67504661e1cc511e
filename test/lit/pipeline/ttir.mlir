// RUN: tt-opt %s --split-input-file --ttkit-ttir | FileCheck %s --check-prefixes=ALL,TMA
// RUN: tt-opt %s --split-input-file --pass-pipeline='builtin.module(ttkit-ttir{capability=80})' | FileCheck %s --check-prefixes=ALL,POINTERS
// RUN: not tt-opt %s --ttkit-ttir="warps=4" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tt-opt %s --ttkit-ttir="capability=0" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not tt-opt %s --ttkit-ttgir="num-ctas=32" 2>&1 | FileCheck %s --check-prefix=CTAS

// OPTION: error: pipeline 'ttkit-ttir': no option 'warps'; there are capability, ptx-version, num-warps, num-ctas, num-stages
// VALUE: error: pipeline 'ttkit-ttir': option capability: found '0', use a positive number
// CTAS: error: pipeline 'ttkit-ttgir': option num-ctas: found '32', use a number from 1 to 16

// The callee is inlined and removed, the zero that it makes becomes the accumulator of a dot.
// ALL-LABEL: @dot_add
// ALL-NEXT: tt.dot %arg0, %arg1, %arg2
// ALL-NEXT: tt.return
// ALL-NOT: @zeros
tt.func public @dot_add(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = tt.call @zeros() : () -> tensor<16x16xf32>
  %1 = tt.dot %a, %b, %0 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %2 = arith.addf %1, %c : tensor<16x16xf32>
  tt.return %2 : tensor<16x16xf32>
}
tt.func private @zeros() -> tensor<16x16xf32> attributes {noinline = false} {
  %0 = arith.constant 0.0 : f32
  %1 = tt.splat %0 : f32 -> tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}

// -----

// Pointers to blocks are gone, and descriptors where the GPU can't copy blocks itself: then both ask for the same load.
// ALL-LABEL: @blocks
// ALL-NOT: tt.make_tensor_ptr
// TMA: tt.descriptor_load
// POINTERS-NOT: tt.make_tensor_descriptor
// POINTERS: %[[LOAD:.*]] = tt.load
// POINTERS-NEXT: tt.return %[[LOAD]], %[[LOAD]]
tt.func public @blocks(%p: !tt.ptr<f32>, %m: i32, %n: i32) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %rows = arith.extsi %m : i32 to i64
  %columns = arith.extsi %n : i32 to i64
  %0 = tt.make_tensor_ptr %p, [%rows, %columns], [%columns, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf32>>
  %1 = tt.load %0 {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf32>>
  %2 = tt.make_tensor_descriptor %p, [%m, %n], [%columns, %c1] : <f32>, <tensor<16x32xf32>>
  %3 = tt.descriptor_load %2[%c0, %c0] : !tt.tensordesc<tensor<16x32xf32>> -> tensor<16x32xf32>
  tt.return %1, %3 : tensor<16x32xf32>, tensor<16x32xf32>
}

// -----

// Left alone: nothing here is for this level.
// ALL-LABEL: @left_alone
// ALL-NEXT: tt.get_program_id x
// ALL-NEXT: tt.addptr
// ALL-NEXT: tt.store
// ALL-NEXT: tt.return
tt.func public @left_alone(%p: !tt.ptr<i32>) {
  %0 = tt.get_program_id x : i32
  %1 = tt.addptr %p, %0 : !tt.ptr<i32>, i32
  tt.store %1, %0 : !tt.ptr<i32>
  tt.return
}
