// RUN: tt-opt %s --split-input-file "--tritongpu-coalesce=count-masks=true" | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: #[[ONE:.*]] = #ttg.blocked<{sizePerThread = [1], {{.*}}
// CHECK: #[[FOUR:.*]] = #ttg.blocked<{sizePerThread = [4], {{.*}}
// CHECK: #[[EIGHT:.*]] = #ttg.blocked<{sizePerThread = [8], {{.*}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// The mask decides about each element: an instruction moves one.
// CHECK-LABEL: @each_element
tt.func public @each_element(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
  %e = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
  %m = arith.cmpi slt, %r, %e : tensor<1024xi32, #blocked>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f16>, #[[ONE]]>
  %x = tt.load %q, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f16>, #[[ONE]]>
  tt.store %q, %x, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  tt.return
}
// Four elements are kept or dropped together.  Accesses that are not connected with the mask are as wide as ever.
// CHECK-LABEL: @four
tt.func public @four(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
  %e = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
  %m = arith.cmpi slt, %r, %e : tensor<1024xi32, #blocked>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f16>, #[[FOUR]]>
  %x = tt.load %q, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f16>, #[[FOUR]]>
  tt.store %q, %x, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  tt.return
}
// A thread that scans has neighbours, as wide as the pointer allows; what it stores it stores by the mask.
// CHECK-LABEL: @scanned
tt.func public @scanned(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
  %e = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
  %m = arith.cmpi slt, %r, %e : tensor<1024xi32, #blocked>
  %s = tt.splat %p : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f16>, #[[EIGHT]]>
  %x = tt.load %q, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f16, %b: f16):
    %sum = arith.addf %a, %b : f16
    tt.scan.return %sum : f16
  }) : (tensor<1024xf16, #blocked>) -> tensor<1024xf16, #blocked>
  // CHECK: tt.store {{.*}} : tensor<1024x!tt.ptr<f16>, #[[ONE]]>
  tt.store %q, %y, %m : tensor<1024x!tt.ptr<f16>, #blocked>
  tt.return
}
}
