// RUN: tt-opt %s --split-input-file --ttkit-gluon | FileCheck %s
// RUN: not tt-opt %s --ttkit-gluon="warps=4" 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: pipeline 'ttkit-gluon': no option 'warps'

// The callee is inlined, which leaves its layout to the caller; the access decides its own.
// CHECK-DAG: #[[LINE:.*]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[FOUR:.*]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-LABEL: @open_layouts
// CHECK: tt.make_range {{.*}} : tensor<1024xi32, #[[FOUR]]>
// CHECK: tt.load {{.*}} : tensor<1024x!tt.ptr<f32>, #[[FOUR]]>
// CHECK: ttg.convert_layout {{.*}} : tensor<1024xf32, #[[FOUR]]> -> tensor<1024xf32, #[[LINE]]>
// CHECK: tt.make_range {{.*}} : tensor<1024xi32, #[[LINE]]>
// CHECK-NOT: gluon.
// CHECK-NOT: @numbers
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @open_layouts(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #gluon.coalesced_encoding>
    %1 = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>, tensor<1024xi32, #gluon.coalesced_encoding>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<f32>, #gluon.coalesced_encoding>
    %4 = ttg.convert_layout %3 : tensor<1024xf32, #gluon.coalesced_encoding> -> tensor<1024xf32, #line>
    %5 = tt.call @numbers() : () -> tensor<1024xi32, #gluon.auto_encoding>
    %6 = gluon.set_auto_layout %5 : tensor<1024xi32, #gluon.auto_encoding> -> tensor<1024xi32, #line>
    %7 = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #line>
    %8 = tt.addptr %7, %6 : tensor<1024x!tt.ptr<f32>, #line>, tensor<1024xi32, #line>
    tt.store %8, %4 : tensor<1024x!tt.ptr<f32>, #line>
    tt.return
  }
  tt.func private @numbers() -> tensor<1024xi32, #gluon.auto_encoding> attributes {noinline = false} {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #gluon.auto_encoding>
    tt.return %0 : tensor<1024xi32, #gluon.auto_encoding>
  }
}

// -----

// A conversion that the kernel asks for stays, also where it could be moved or left out.
// CHECK-LABEL: @layouts_stay
// CHECK: tt.load
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: ttg.convert_layout
// CHECK-NEXT: tt.store
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @layouts_stay(%x: tensor<256x!tt.ptr<f32>, #one>) {
    %0 = tt.load %x : tensor<256x!tt.ptr<f32>, #one>
    %1 = ttg.convert_layout %0 : tensor<256xf32, #one> -> tensor<256xf32, #two>
    %2 = ttg.convert_layout %1 : tensor<256xf32, #two> -> tensor<256xf32, #one>
    tt.store %x, %2 : tensor<256x!tt.ptr<f32>, #one>
    tt.return
  }
}
