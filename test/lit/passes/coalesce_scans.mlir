// RUN: tt-opt %s --split-input-file "--tritongpu-coalesce=scans=true" | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #blocked}>
#column = #ttg.slice<{dim = 1, parent = #blocked}>
// CHECK: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [8, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #[[EACH:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Rows are scanned: a thread has 8 neighbouring ones of its 4 columns.
// CHECK-LABEL: @rows
tt.func public @rows(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #column> -> tensor<64x1xi32, #blocked>
  %je = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #row> -> tensor<1x64xi32, #blocked>
  %s = tt.splat %stride : i32 -> tensor<64x1xi32, #blocked>
  %is = arith.muli %ie, %s : tensor<64x1xi32, #blocked>
  %ib = tt.broadcast %is : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %jb = tt.broadcast %je : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #blocked>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
  %q = tt.addptr %b, %o : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[ROWS]]>
  %x = tt.load %q : tensor<64x64x!tt.ptr<f32>, #blocked>
  %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %c: f32):
    %sum = arith.addf %a, %c : f32
    tt.scan.return %sum : f32
  }) : (tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked>
  // CHECK: tt.store {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[ROWS]]>
  tt.store %q, %y : tensor<64x64x!tt.ptr<f32>, #blocked>
  tt.return
}
// Columns are scanned, which a thread has neighbours of already.
// CHECK-LABEL: @columns
tt.func public @columns(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
  %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #column> -> tensor<64x1xi32, #blocked>
  %je = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #row> -> tensor<1x64xi32, #blocked>
  %s = tt.splat %stride : i32 -> tensor<64x1xi32, #blocked>
  %is = arith.muli %ie, %s : tensor<64x1xi32, #blocked>
  %ib = tt.broadcast %is : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %jb = tt.broadcast %je : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %o = arith.addi %ib, %jb : tensor<64x64xi32, #blocked>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
  %q = tt.addptr %b, %o : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<64x64x!tt.ptr<f32>, #[[EACH]]>
  %x = tt.load %q : tensor<64x64x!tt.ptr<f32>, #blocked>
  %y = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %c: f32):
    %sum = arith.addf %a, %c : f32
    tt.scan.return %sum : f32
  }) : (tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked>
  tt.store %q, %y : tensor<64x64x!tt.ptr<f32>, #blocked>
  tt.return
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #blocked}>
#column = #ttg.slice<{dim = 1, parent = #blocked}>
// CHECK: #[[EACH:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// Two rows of 16 bytes may be in one sector: neighbouring lanes keep neighbouring rows.
// CHECK-LABEL: @narrow
tt.func public @narrow(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #column>
  %j = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #row>
  %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<1024xi32, #column> -> tensor<1024x1xi32, #blocked>
  %je = tt.expand_dims %j {axis = 0 : i32} : tensor<4xi32, #row> -> tensor<1x4xi32, #blocked>
  %s = arith.constant dense<4> : tensor<1024x1xi32, #blocked>
  %is = arith.muli %ie, %s : tensor<1024x1xi32, #blocked>
  %ib = tt.broadcast %is : tensor<1024x1xi32, #blocked> -> tensor<1024x4xi32, #blocked>
  %jb = tt.broadcast %je : tensor<1x4xi32, #blocked> -> tensor<1024x4xi32, #blocked>
  %o = arith.addi %ib, %jb : tensor<1024x4xi32, #blocked>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<1024x4x!tt.ptr<f32>, #blocked>
  %q = tt.addptr %b, %o : tensor<1024x4x!tt.ptr<f32>, #blocked>, tensor<1024x4xi32, #blocked>
  // CHECK: tt.load {{.*}} : tensor<1024x4x!tt.ptr<f32>, #[[EACH]]>
  %x = tt.load %q : tensor<1024x4x!tt.ptr<f32>, #blocked>
  %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %c: f32):
    %sum = arith.addf %a, %c : f32
    tt.scan.return %sum : f32
  }) : (tensor<1024x4xf32, #blocked>) -> tensor<1024x4xf32, #blocked>
  tt.store %q, %y : tensor<1024x4x!tt.ptr<f32>, #blocked>
  tt.return
}
}
