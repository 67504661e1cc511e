// RUN: tt-opt %s --ttkit-ttgir | FileCheck %s
// RUN: tt-opt %s --pass-pipeline='builtin.module(ttkit-ttgir{capability=80 num-warps=8})' | FileCheck %s --check-prefix=WARPS

// One layout for all: no conversion is left.  A thread takes 16 bytes.
// CHECK: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: ttg.target = "cuda:90"
// WARPS: #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
// WARPS: ttg.target = "cuda:80"
// CHECK-LABEL: @double
// CHECK-NOT: ttg.convert_layout
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
// CHECK: tt.store %{{.*}} : tensor<1024x!tt.ptr<f32>, #[[WIDE]]>
tt.func public @double(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %q : tensor<1024x!tt.ptr<f32>>
  %y = arith.addf %x, %x : tensor<1024xf32>
  tt.store %q, %y : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// Rows are summed in the layout in which they were loaded; only the sums are converted, to be stored.
// CHECK-LABEL: @row_sums
// CHECK: tt.load
// CHECK-NOT: ttg.convert_layout
// CHECK: "tt.reduce"
// CHECK: ttg.convert_layout {{.*}} : tensor<16xf32, #ttg.slice<{{.*}}>> -> tensor<16xf32, #{{.*}}>
// CHECK-NEXT: tt.store
tt.func public @row_sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %c64 = arith.constant dense<64> : tensor<16x1xi32>
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %rows = arith.muli %r1, %c64 : tensor<16x1xi32>
  %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x64xi32>
  %cb = tt.broadcast %c1 : tensor<1x64xi32> -> tensor<16x64xi32>
  %o = arith.addi %rb, %cb : tensor<16x64xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  %q = tt.addptr %s, %o : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
  %x = tt.load %q : tensor<16x64x!tt.ptr<f32>>
  %t = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<16x64xf32>) -> tensor<16xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %oq = tt.addptr %os, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %oq, %t : tensor<16x!tt.ptr<f32>>
  tt.return
}
