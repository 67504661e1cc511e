// RUN: tt-opt %s --ttkit-compare-bits | FileCheck %s
// RUN: tt-opt %s --ttkit-compare-bits --prove-passes=all -o %t

#row = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#slice = #ttg.slice<{dim = 0, parent = #row}>
!bools = tensor<2x2xi1, #row>
!numbers = tensor<2x2xi32, #row>
!few = tensor<1x2xi32, #row>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// What asks for an order is compared before it is broadcast, once for all elements that share it.
// CHECK-LABEL: @order
// CHECK: %[[RANGE:.*]] = tt.make_range {end = 2 : i32, start = 0 : i32}
// CHECK: %[[ROW:.*]] = tt.expand_dims %[[RANGE]]
// CHECK: %[[FLIP:.*]] = arith.xori %[[ROW]], %{{.*}} : tensor<1x2xi32
// CHECK: %[[SET:.*]] = arith.cmpi ne, %[[FLIP]], %{{.*}} : tensor<1x2xi32
// CHECK: %[[SETS:.*]] = tt.broadcast %[[SET]] : tensor<1x2xi1, {{.*}}> -> tensor<2x2xi1
// CHECK: %[[WHICH:.*]] = arith.xori %arg0, %[[SETS]] : tensor<2x2xi1
// CHECK: tt.return %[[WHICH]]
tt.func @order(%greater: !bools) -> !bools {
  %one = arith.constant dense<1> : !few
  %range = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32, #slice>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<2xi32, #slice> -> !few
  %flip = arith.xori %row, %one : !few
  %flips = tt.broadcast %flip : !few -> !numbers
  %number = arith.extui %greater : !bools to !numbers
  %which = arith.cmpi ne, %number, %flips : !numbers
  tt.return %which : !bools
}

// Equal numbers are bits that differ from whether the other one is not zero; the operands may be in either order.
// CHECK-LABEL: @equal
// CHECK: %[[BIT:.*]] = arith.andi %arg1, %{{.*}} : tensor<2x2xi32
// CHECK: %[[CLEAR:.*]] = arith.cmpi eq, %[[BIT]], %{{.*}} : tensor<2x2xi32
// CHECK: arith.xori %arg0, %[[CLEAR]] : tensor<2x2xi1
tt.func @equal(%bools: !bools, %any: !numbers) -> !bools {
  %one = arith.constant dense<1> : !numbers
  %bit = arith.andi %any, %one : !numbers
  %number = arith.extui %bools : !bools to !numbers
  %same = arith.cmpi eq, %bit, %number : !numbers
  tt.return %same : !bools
}

// Two bools need no number at all.
// CHECK-LABEL: @both
// CHECK: %[[DIFFER:.*]] = arith.xori %arg0, %arg1 : tensor<2x2xi1
// CHECK: tt.return %[[DIFFER]]
tt.func @both(%a: !bools, %b: !bools) -> !bools {
  %x = arith.extui %a : !bools to !numbers
  %y = arith.extui %b : !bools to !numbers
  %differ = arith.cmpi ne, %x, %y : !numbers
  tt.return %differ : !bools
}

// A number that may be 2, a comparison for an order and numbers that were extended from more bits stay.
// CHECK-LABEL: @kept
// CHECK: arith.cmpi ne, %{{.*}}, %arg1 : tensor<2x2xi32
// CHECK: arith.cmpi slt,
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : tensor<2x2xi32
// CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i32
tt.func @kept(%bools: !bools, %any: !numbers, %bytes: tensor<2x2xi8, #row>, %flag: i1) -> (!bools, !bools, !bools, i1) {
  %one = arith.constant dense<1> : !numbers
  %two = arith.constant 2 : i32
  %x = arith.extui %bools : !bools to !numbers
  %differ = arith.cmpi ne, %x, %any : !numbers
  %less = arith.cmpi slt, %x, %one : !numbers
  %wide = arith.extui %bytes : tensor<2x2xi8, #row> to !numbers
  %equal = arith.cmpi eq, %wide, %one : !numbers
  %number = arith.extui %flag : i1 to i32
  %never = arith.cmpi ne, %number, %two : i32
  tt.return %differ, %less, %equal, %never : !bools, !bools, !bools, i1
}

// Two steps of a sort, the second of what the first exchanged.
// CHECK-LABEL: @two_steps
// CHECK: arith.xori %{{.*}} : tensor<128xi1
// CHECK: arith.xori %{{.*}} : tensor<128xi1
// CHECK: tt.return
tt.func public @two_steps(%p: tensor<128x!tt.ptr<f32>, #line>, %bit: tensor<128xi32, #line>, %c: tensor<128xf32, #line>) {
  %one = arith.constant dense<1> : tensor<128xi32, #line>
  %low = arith.andi %bit, %one : tensor<128xi32, #line>
  %x = tt.load %p : tensor<128x!tt.ptr<f32>, #line>
  %greater = arith.cmpf ogt, %x, %c : tensor<128xf32, #line>
  %n = arith.extui %greater : tensor<128xi1, #line> to tensor<128xi32, #line>
  %which = arith.cmpi ne, %n, %low : tensor<128xi32, #line>
  %s = arith.select %which, %c, %x : tensor<128xi1, #line>, tensor<128xf32, #line>
  %again = arith.cmpf ogt, %s, %x : tensor<128xf32, #line>
  %m = arith.extui %again : tensor<128xi1, #line> to tensor<128xi32, #line>
  %other = arith.xori %low, %one : tensor<128xi32, #line>
  %exchange = arith.cmpi ne, %m, %other : tensor<128xi32, #line>
  %t = arith.select %exchange, %x, %s : tensor<128xi1, #line>, tensor<128xf32, #line>
  tt.store %p, %t : tensor<128x!tt.ptr<f32>, #line>
  tt.return
}
}
