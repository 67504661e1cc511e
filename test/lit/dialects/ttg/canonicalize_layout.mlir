// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A conversion to the same layout is none.
  // CHECK-LABEL: @convert_to_same
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_to_same(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return %0 : tensor<64x64xf16, #blocked>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Also without layouts.
  // CHECK-LABEL: @convert_without_layouts
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16>
  tt.func @convert_without_layouts(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16> -> tensor<64x64xf16>
    tt.return %0 : tensor<64x64xf16>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The last of several conversions counts.
  // CHECK-LABEL: @convert_of_convert
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @convert_of_convert(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #wide> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #wide>
    tt.return %1 : tensor<64x64xf16, #wide>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_there_and_back
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_there_and_back(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>
    tt.return %1 : tensor<64x64xf16, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Discardable attributes go with the conversion that goes.
  // CHECK-LABEL: @convert_attributes
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @convert_attributes(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #wide> {
    %0 = ttg.convert_layout %x {a} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.convert_layout %0 {b} : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #wide>
    tt.return %1 : tensor<64x64xf16, #wide>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_unused
  // CHECK-NEXT: tt.return
  tt.func @convert_unused(%x: tensor<64x64xf16, #blocked>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Producers that can give any layout give the wanted one.
  // CHECK-LABEL: @convert_of_splat
  // CHECK-NEXT: tt.splat %{{.*}} : f16 -> tensor<64x64xf16, #blocked>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_of_splat(%x: f16) -> tensor<64x64xf16, #blocked1> {
    %0 = tt.splat %x : f16 -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_splat_with_other_users
  // CHECK-NEXT: tt.splat %{{.*}} : f16 -> tensor<64x64xf16, #blocked>
  // CHECK-NEXT: tt.splat %{{.*}} : f16 -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}}, %{{.*}} : tensor<64x64xf16, #blocked>, tensor<64x64xf16, #blocked1>
  tt.func @convert_of_splat_with_other_users(%x: f16) -> (tensor<64x64xf16, #blocked>, tensor<64x64xf16, #blocked1>) {
    %0 = tt.splat %x : f16 -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %0, %1 : tensor<64x64xf16, #blocked>, tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_constant
  // CHECK-NEXT: arith.constant dense<1.000000e+00> : tensor<64x64xf16, #blocked>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_of_constant() -> tensor<64x64xf16, #blocked1> {
    %0 = arith.constant dense<1.0> : tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_range
  // CHECK-NEXT: tt.make_range {end = 64 : i32, start = 0 : i32}
  // CHECK-SAME: : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.func @convert_of_range() -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> {
    %0 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = ttg.convert_layout %0
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return %1 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_histogram
  // CHECK-NEXT: tt.histogram %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-SAME: -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  tt.func @convert_of_histogram(%x: tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>,
                                %m: tensor<64xi1, #ttg.slice<{dim = 1, parent = #blocked}>>)
      -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> {
    %1 = tt.histogram %x, %m
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = ttg.convert_layout %1
        : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The new load stands where the old one was: the store may write the same memory.
  // CHECK-LABEL: @convert_of_load
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: ttg.local_store %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #blocked1> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_of_load(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                           %c: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) -> tensor<64x64xf16, #blocked1> {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttg.local_store %0, %c : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_load_with_token
  // CHECK-NEXT: ttg.local_load %{{.*}} token %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @convert_of_load_with_token(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                                      %t: !ttg.async.token) -> tensor<64x64xf16, #blocked1> {
    %0 = ttg.local_load %b token %t : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_cat
  // CHECK-NEXT: tt.cat %{{.*}}, %{{.*}} : tensor<32x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @convert_of_cat(%x: tensor<32x64xf16, #blocked>,
                          %y: tensor<32x64xf16, #blocked>) -> tensor<64x64xf16, #blocked1> {
    %0 = tt.cat %x, %y : tensor<32x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_of_reshape
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<4096xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @convert_of_reshape(%x: tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
      -> tensor<64x64xf16, #blocked1> {
    %0 = tt.reshape %x allow_reorder
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Constants of different elements stay where they are.
  // CHECK-LABEL: @mixed_constant_left_alone
  // CHECK-NEXT: arith.constant dense<[1, 2]> : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-SAME: -> tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.func @mixed_constant_left_alone() -> tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> {
    %0 = arith.constant dense<[1, 2]> : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = ttg.convert_layout %0
        : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return %1 : tensor<2xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @cat_to_fewer_registers_left_alone
  // CHECK-NEXT: tt.cat %{{.*}}, %{{.*}} : tensor<64x1xf16, #blocked> -> tensor<128x1xf16, #blocked2>
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<128x1xf16, #blocked2> -> tensor<128x1xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<128x1xf16, #blocked1>
  tt.func @cat_to_fewer_registers_left_alone(%x: tensor<64x1xf16, #blocked>,
                                             %y: tensor<64x1xf16, #blocked>) -> tensor<128x1xf16, #blocked1> {
    %0 = tt.cat %x, %y
        : tensor<64x1xf16, #blocked>
          -> tensor<128x1xf16, #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>>
    %1 = ttg.convert_layout %0
        : tensor<128x1xf16, #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<128x1xf16, #blocked1>
    tt.return %1 : tensor<128x1xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_to_chosen_layout_left_alone
  // CHECK-NEXT: tt.reshape %{{[a-z0-9_]+}} allow_reorder efficient_layout
  // CHECK-SAME: : tensor<4096xf16, #blocked> -> tensor<64x64xf16, #blocked2>
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked2> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @reshape_to_chosen_layout_left_alone(%x: tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
      -> tensor<64x64xf16, #blocked1> {
    %0 = tt.reshape %x allow_reorder efficient_layout
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_to_dot_operand_left_alone
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<4096xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #blocked1>
  // CHECK-SAME: -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  tt.func @reshape_to_dot_operand_left_alone(%x: tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
      -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>> {
    %0 = tt.reshape %x allow_reorder
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0
        : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.return %1 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
  }
}

// -----

#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Not even of a constant: later passes look for the pair.
  // CHECK-LABEL: @mma_to_dot_operand_left_alone
  // CHECK-NEXT: arith.constant dense<0.000000e+00> : tensor<64x64xf16, #mma>
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #mma>
  // CHECK-SAME: -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  tt.func @mma_to_dot_operand_left_alone()
      -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>> {
    %x = arith.constant dense<0.0> : tensor<64x64xf16, #mma2>
    %2 = ttg.convert_layout %x
        : tensor<64x64xf16, #mma2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.return %2 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert_to_mma_and_to_dot_operand
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #mma>
  // CHECK-SAME: -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  tt.func @convert_to_mma_and_to_dot_operand(%x: tensor<64x64xf16, #mma2>)
      -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #mma2> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma2>
    %2 = ttg.convert_layout %1
        : tensor<64x64xf16, #mma2> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.return %2 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Consumers that take any layout take the unconverted value.
  // CHECK-LABEL: @reshape_of_convert
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<64x64xf16, #blocked> -> tensor<4096xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<4096xf16, #blocked1>
  tt.func @reshape_of_convert(%x: tensor<64x64xf16, #blocked>)
      -> tensor<4096xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = tt.reshape %0 allow_reorder
        : tensor<64x64xf16, #blocked1>
          -> tensor<4096xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %1
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Both layouts give each thread one element, but other threads hold copies: of a slice lanes, of the other warps.
  // CHECK-LABEL: @reshape_of_other_copies_left_alone
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: tt.reshape
  tt.func @reshape_of_other_copies_left_alone(%x: tensor<32xf16, #ttg.slice<{dim = 1, parent = #blocked}>>)
      -> tensor<32xf16, #blocked1> {
    %0 = ttg.convert_layout %x : tensor<32xf16, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32xf16, #blocked1>
    %1 = tt.reshape %0 allow_reorder : tensor<32xf16, #blocked1> -> tensor<32xf16, #blocked1>
    tt.return %1 : tensor<32xf16, #blocked1>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_of_trivial_convert
  // CHECK-NEXT: tt.reshape %{{.*}} : tensor<4xf16, #blocked> -> tensor<2x2xf16, #linear>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<2x2xf16, #linear>
  tt.func @reshape_of_trivial_convert(%x: tensor<4xf16, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
      -> tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>> {
    %0 = ttg.convert_layout %x
        : tensor<4xf16, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
          -> tensor<4xf16, #ttg.linear<{register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}>>
    %1 = tt.reshape %0
        : tensor<4xf16, #ttg.linear<{register = [[1], [2]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}>> -> tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
    tt.return %1
        : tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_of_convert_of_reshape
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<4096xf16, #blocked> -> tensor<4096xf16, #blocked>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<4096xf16, #blocked>
  tt.func @reshape_of_convert_of_reshape(%x: tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>)
      -> tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> {
    %0 = tt.reshape %x allow_reorder
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> -> tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %2 = tt.reshape %1 allow_reorder
        : tensor<64x64xf16, #blocked1>
          -> tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %2
        : tensor<4096xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_across_threads_left_alone
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x2xf16, #blocked> -> tensor<64x2xf16, #blocked2>
  // CHECK-NEXT: tt.reshape %{{.*}} allow_reorder : tensor<64x2xf16, #blocked2> -> tensor<128xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<128xf16, #blocked1>
  tt.func @reshape_across_threads_left_alone(%x: tensor<64x2xf16, #blocked>)
      -> tensor<128xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>> {
    %0 = ttg.convert_layout %x
        : tensor<64x2xf16, #blocked>
          -> tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>>
    %1 = tt.reshape %0 allow_reorder
        : tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<128xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %1
        : tensor<128xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_of_trivial_convert
  // CHECK-NEXT: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<2x2xf16, #blocked> -> tensor<2x2xf16, #linear>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<2x2xf16, #linear>
  tt.func @trans_of_trivial_convert(%x: tensor<2x2xf16, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>)
      -> tensor<2x2xf16, #ttg.linear<{register = [[1, 0], [0, 1]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>> {
    %0 = ttg.convert_layout %x
        : tensor<2x2xf16, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
    %1 = tt.trans %0 {order = array<i32: 1, 0>}
        : tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>> -> tensor<2x2xf16, #ttg.linear<{register = [[1, 0], [0, 1]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
    tt.return %1
        : tensor<2x2xf16, #ttg.linear<{register = [[1, 0], [0, 1]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_identity
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @trans_identity(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %1 = tt.trans %x {order = array<i32: 0, 1>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return %1 : tensor<64x64xf16, #blocked>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_identity_under_another_name
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<2x2xf16, #blocked> -> tensor<2x2xf16, #linear>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<2x2xf16, #linear>
  tt.func @trans_identity_under_another_name(%x: tensor<2x2xf16, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>)
      -> tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>> {
    %1 = tt.trans %x {order = array<i32: 0, 1>}
        : tensor<2x2xf16, #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
    tt.return %1
        : tensor<2x2xf16, #ttg.linear<{register = [[0, 1], [1, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]], block = []}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_of_convert_left_alone
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.trans %{{[a-z0-9_]+}} {order = array<i32: 1, 0>}
  // CHECK-SAME: : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked>
  tt.func @trans_of_convert_left_alone(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>
    tt.return %1 : tensor<64x64xf16, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @gather_of_convert
  // CHECK-NEXT: tt.gather %{{.*}}[%{{[a-z0-9_]+}}] {axis = 0 : i32}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked>, tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @gather_of_convert(%x: tensor<64x64xf16, #blocked>,
                             %i: tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = tt.gather %0[%i] {axis = 0 : i32}
        : (tensor<64x64xf16, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @gather_with_chosen_layout_left_alone
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.gather %{{.*}}[%{{[a-z0-9_]+}}] {axis = 0 : i32, efficient_layout}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked1>
  tt.func @gather_with_chosen_layout_left_alone(%x: tensor<64x64xf16, #blocked>,
                                                %i: tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = tt.gather %0[%i] {axis = 0 : i32, efficient_layout}
        : (tensor<64x64xf16, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64xf16, #blocked1>
    tt.return %1 : tensor<64x64xf16, #blocked1>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @histogram_of_convert
  // CHECK-NEXT: tt.histogram %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-SAME: -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  tt.func @histogram_of_convert(%x: tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
      -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> {
    %0 = ttg.convert_layout %x
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.histogram %0
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return %1 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @histogram_of_convert_with_mask
  // CHECK-NEXT: ttg.convert_layout %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64xi1, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-SAME: -> tensor<64xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-NEXT: tt.histogram %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK-SAME: -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  tt.func @histogram_of_convert_with_mask(%x: tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>,
                                          %m: tensor<64xi1, #ttg.slice<{dim = 1, parent = #blocked1}>>)
      -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> {
    %0 = ttg.convert_layout %x
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
          -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.histogram %0, %m
        : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
          -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return %1 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @split_of_convert
  // CHECK-NEXT: tt.split %{{.*}} : tensor<64x2xf16, #blocked> -> tensor<64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64xf16, #blocked1>
  tt.func @split_of_convert(%x: tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>)
      -> (tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) {
    %0 = ttg.convert_layout %x
        : tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    %1, %2 = tt.split %0
        : tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>> -> tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %1
        : tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @split_to_another_layout_left_alone
  // CHECK-NEXT: ttg.convert_layout %{{.*}} : tensor<64x2xf16, #blocked> -> tensor<64x2xf16, #blocked2>
  // CHECK-NEXT: tt.split %{{.*}} : tensor<64x2xf16, #blocked2> -> tensor<64xf16, #blocked1>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64xf16, #blocked1>
  tt.func @split_to_another_layout_left_alone(%x: tensor<64x2xf16, #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>>)
      -> (tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>) {
    %0 = ttg.convert_layout %x
        : tensor<64x2xf16, #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>> -> tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    %1, %2 = tt.split %0
        : tensor<64x2xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>> -> tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return %1
        : tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @alloc_of_convert
  // CHECK-NEXT: ttg.local_alloc %{{.*}} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x64xf16, #shared, #smem>
  tt.func @alloc_of_convert(%x: tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem> {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x64xf16, #shared, #smem>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @store_of_convert
  // CHECK-NEXT: ttg.local_store %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK-NEXT: tt.return
  tt.func @store_of_convert(%x: tensor<64x64xf16, #blocked>, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    ttg.local_store %0, %b : tensor<64x64xf16, #blocked1> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @store_of_several_converts
  // CHECK-NEXT: ttg.local_store %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  // CHECK-NEXT: tt.return
  tt.func @store_of_several_converts(%x: tensor<64x64xf16, #blocked>,
                                     %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #wide>
    ttg.local_store %1, %b {tag} : tensor<64x64xf16, #wide> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

// A module's body is a graph: its operations may be their own sources, and rewriting them ends.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
// CHECK-LABEL: module @cycles
module @cycles attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK: ttg.convert_layout
  %0 = ttg.convert_layout %0 : tensor<8x8xf32, #blocked> -> tensor<8x8xf32, #blocked>
  %1 = ttg.convert_layout %0 : tensor<8x8xf32, #blocked> -> tensor<8x8xf32, #turned>
  %2 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<8x8xf32, #blocked> -> tensor<8x8xf32, #turned>
  %3 = ttg.convert_layout %4 : tensor<8x8xf32, #blocked> -> tensor<8x8xf32, #turned>
  %4 = ttg.convert_layout %3 : tensor<8x8xf32, #turned> -> tensor<8x8xf32, #blocked>
  %5 = tt.trans %6 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
  %6 = tt.trans %5 {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
  tt.print "" {hex = false, isSigned = array<i32: 0, 0, 0>} : %1, %2, %4 : tensor<8x8xf32, #turned>, tensor<8x8xf32, #turned>, tensor<8x8xf32, #blocked>
}
