// RUN: tt-opt %s | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @load_scalar
tt.func @load_scalar(%p: !tt.ptr<f32>, %q: !tt.ptr<!tt.ptr<f32>>, %mask: i1, %other: f32) {
  // CHECK: tt.load %{{.*}} : !tt.ptr<f32>
  %0 = tt.load %p : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}}, %{{.*}} : !tt.ptr<f32>
  %1 = tt.load %p, %mask : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32>
  %2 = tt.load %p, %mask, %other : !tt.ptr<f32>
  // CHECK: %[[P:.*]] = tt.load %{{.*}} : !tt.ptr<!tt.ptr<f32>>
  %3 = tt.load %q : !tt.ptr<!tt.ptr<f32>>
  // CHECK: tt.load %[[P]] : !tt.ptr<f32>
  %4 = tt.load %3 : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: tt.func @load_modifiers
tt.func @load_modifiers(%p: !tt.ptr<f32>) {
  // CHECK: tt.load %{{.*}} cacheModifier = ca : !tt.ptr<f32>
  %0 = tt.load %p cacheModifier = ca : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}} cacheModifier = cg evictionPolicy = evict_first : !tt.ptr<f32>
  %1 = tt.load %p evictionPolicy = evict_first cacheModifier = cg : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}} evictionPolicy = evict_last {isVolatile = true, my.attr} : !tt.ptr<f32>
  %2 = tt.load %p evictionPolicy = evict_last {isVolatile = true, my.attr} : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}} cacheModifier = cs : !tt.ptr<f32>
  %3 = tt.load %p cacheModifier = cs : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}} cacheModifier = cv : !tt.ptr<f32>
  %4 = tt.load %p cacheModifier = cv : !tt.ptr<f32>
  // Defaults are not printed.
  // CHECK: tt.load %{{.*}} : !tt.ptr<f32>
  %5 = tt.load %p cacheModifier = none evictionPolicy = evict_normal {isVolatile = false} : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: tt.func @load_tensor
tt.func @load_tensor(%p: tensor<128x!tt.ptr<f32>>, %mask: tensor<128xi1>, %other: tensor<128xf32>,
                     %pb: tensor<128x!tt.ptr<f32>, #blocked>, %mb: tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked> {
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
  %0 = tt.load %p, %mask, %other evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
  // CHECK: %[[V:.*]] = tt.load %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>
  %1 = tt.load %pb, %mb : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: tt.return %[[V]] : tensor<128xf32, #blocked>
  tt.return %1 : tensor<128xf32, #blocked>
}

// CHECK-LABEL: tt.func @load_block
tt.func @load_block(%p: !tt.ptr<tensor<16x16xf16>>) -> tensor<16x16xf16> {
  // CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x16xf16>>
  %0 = tt.load %p : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x16xf16>>
  %1 = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.load %{{.*}} cacheModifier = ca {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf16>>
  %2 = tt.load %p cacheModifier = ca {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf16>>
  tt.return %2 : tensor<16x16xf16>
}

// Older spellings: everything as attributes, and operand_segment_sizes.
// CHECK-LABEL: tt.func @load_older
tt.func @load_older(%p: tensor<128x!tt.ptr<f32>>, %mask: tensor<128xi1>, %other: tensor<128xf32>) {
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>>
  %0 = tt.load %p, %mask, %other {cache = 1 : i32, evict = 1 : i32, isVolatile = false} : tensor<128x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} cacheModifier = ca evictionPolicy = evict_first : tensor<128x!tt.ptr<f32>>
  %1 = tt.load %p {cache = 2 : i32, evict = 2 : i32, isVolatile = false} : tensor<128x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}} evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
  %2 = "tt.load"(%p, %mask) {cache = 1 : i32, evict = 3 : i32, isVolatile = false, operand_segment_sizes = array<i32: 1, 1, 0>}
      : (tensor<128x!tt.ptr<f32>>, tensor<128xi1>) -> tensor<128xf32>
  // CHECK: tt.load %{{.*}} {isVolatile = true} : tensor<128x!tt.ptr<f32>>
  %3 = "tt.load"(%p) <{cache = 1 : i32, evict = 1 : i32, isVolatile = true, operandSegmentSizes = array<i32: 1, 0, 0>}>
      : (tensor<128x!tt.ptr<f32>>) -> tensor<128xf32>
  tt.return
}

// CHECK-LABEL: tt.func @store
tt.func @store(%p: !tt.ptr<f32>, %v: f32, %m: i1, %ps: tensor<128x!tt.ptr<f32>, #blocked>, %vs: tensor<128xf32, #blocked>,
               %ms: tensor<128xi1, #blocked>, %bp: !tt.ptr<tensor<16x16xf16>>, %b: tensor<16x16xf16>) {
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<f32>
  tt.store %p, %v : !tt.ptr<f32>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wb : !tt.ptr<f32>
  tt.store %p, %v, %m cacheModifier = wb : !tt.ptr<f32>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt evictionPolicy = evict_first : tensor<128x!tt.ptr<f32>, #blocked>
  tt.store %ps, %vs, %ms evictionPolicy = evict_first cacheModifier = wt : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x16xf16>>
  tt.store %bp, %b {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} evictionPolicy = evict_last : !tt.ptr<f32>
  "tt.store"(%p, %v) {cache = 1 : i32, evict = 3 : i32} : (!tt.ptr<f32>, f32) -> ()
  tt.return
}

}

// Other pointers ignore boundaryCheck, as in Triton.
// CHECK-LABEL: @load_c4_tensor
tt.func @load_c4_tensor(%p: tensor<8x!tt.ptr<f16>>, %q: !tt.ptr<f16>, %x: f16) {
  // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0>} : tensor<8x!tt.ptr<f16>>
  %0 = tt.load %p {boundaryCheck = array<i32: 0>} : tensor<8x!tt.ptr<f16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0>} : !tt.ptr<f16>
  tt.store %q, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<f16>
  tt.return
}
