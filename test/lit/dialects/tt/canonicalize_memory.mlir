// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

// A mask of true goes, and so does the value for masked-off elements; everything else stays.
// CHECK-LABEL: tt.func @load_all_true(
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: %[[A:.*]] = tt.load %[[P]] : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: %[[B:.*]] = tt.load %[[P]] cacheModifier = ca evictionPolicy = evict_last {isVolatile = true, my.attr} : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: %[[C:.*]] = tt.load %[[P]] : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: tt.return %[[A]], %[[B]], %[[C]]
tt.func @load_all_true(%p: tensor<8x!tt.ptr<f32>>, %other: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %mask = arith.constant dense<true> : tensor<8xi1>
  %true = arith.constant true
  %splat = tt.splat %true : i1 -> tensor<8xi1>
  %0 = tt.load %p, %mask : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p, %mask, %other cacheModifier = ca evictionPolicy = evict_last {isVolatile = true, my.attr} : tensor<8x!tt.ptr<f32>>
  %2 = tt.load %p, %splat : tensor<8x!tt.ptr<f32>>
  tt.return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: tt.func @load_all_false(
// CHECK-SAME: %{{.*}}: tensor<8x!tt.ptr<f32>>, %[[OTHER:.*]]: tensor<8xf32>)
// CHECK-NEXT: tt.return %[[OTHER]]
tt.func @load_all_false(%p: tensor<8x!tt.ptr<f32>>, %other: tensor<8xf32>) -> tensor<8xf32> {
  %mask = arith.constant dense<false> : tensor<8xi1>
  %0 = tt.load %p, %mask, %other : tensor<8x!tt.ptr<f32>>
  tt.return %0 : tensor<8xf32>
}

// -----

// Left alone: no value to replace it with, a mixed mask, scalar masks.
// CHECK-LABEL: tt.func @load_left_alone
// CHECK-DAG: %[[FALSE:.*]] = arith.constant dense<false>
// CHECK-DAG: %[[MIXED:.*]] = arith.constant dense<[true, false]>
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: tt.load %{{.*}}, %[[FALSE]] : tensor<2x!tt.ptr<f32>>
// CHECK: tt.load %{{.*}}, %[[MIXED]] : tensor<2x!tt.ptr<f32>>
// CHECK: tt.load %{{.*}}, %[[TRUE]] : !tt.ptr<f32>
tt.func @load_left_alone(%p: tensor<2x!tt.ptr<f32>>, %q: !tt.ptr<f32>) -> (tensor<2xf32>, tensor<2xf32>, f32) {
  %false = arith.constant dense<false> : tensor<2xi1>
  %mixed = arith.constant dense<[true, false]> : tensor<2xi1>
  %true = arith.constant true
  %0 = tt.load %p, %false : tensor<2x!tt.ptr<f32>>
  %1 = tt.load %p, %mixed : tensor<2x!tt.ptr<f32>>
  %2 = tt.load %q, %true : !tt.ptr<f32>
  tt.return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, f32
}

// -----

// CHECK-LABEL: tt.func @store(
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[V:.*]]: tensor<8xf32>
// CHECK-NEXT: tt.store %[[P]], %[[V]] cacheModifier = wb : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: tt.return
tt.func @store(%p: tensor<8x!tt.ptr<f32>>, %v: tensor<8xf32>) {
  %true = arith.constant dense<true> : tensor<8xi1>
  %false = arith.constant dense<false> : tensor<8xi1>
  tt.store %p, %v, %true cacheModifier = wb : tensor<8x!tt.ptr<f32>>
  tt.store %p, %v, %false : tensor<8x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: tt.func @store_left_alone
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x!tt.ptr<f32>>
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x!tt.ptr<f32>>
tt.func @store_left_alone(%p: tensor<2x!tt.ptr<f32>>, %v: tensor<2xf32>, %mask: tensor<2xi1>) {
  %mixed = arith.constant dense<[true, false]> : tensor<2xi1>
  tt.store %p, %v, %mixed : tensor<2x!tt.ptr<f32>>
  tt.store %p, %v, %mask : tensor<2x!tt.ptr<f32>>
  tt.return
}

// -----

// What goes when nobody uses the result.
// CHECK-LABEL: tt.func @unused
// CHECK-NEXT: tt.return
tt.func @unused(%p: !tt.ptr<f16>, %v: f16, %t: tensor<8xf16>, %d: !tt.tensordesc<tensor<16x16xf16>>, %rows: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %i: i32) {
  %0 = tt.load %p : !tt.ptr<f16>
  %1 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = true} : (f16) -> f16
  %2 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %t : tensor<8xf16> -> tensor<8xf16>
  %3 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: f16):
    %b = tt.load %p : !tt.ptr<f16>
    tt.map_elementwise.return %b : f16
  }) : (tensor<8xf16>) -> tensor<8xf16>
  %4 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  %5 = tt.descriptor_gather %rows[%x, %i] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

// What stays nevertheless.
// CHECK-LABEL: tt.func @effects
// CHECK: tt.load %{{.*}} {isVolatile = true}
// CHECK: tt.atomic_rmw
// CHECK: tt.atomic_cas
// CHECK: tt.extern_elementwise
// CHECK: tt.elementwise_inline_asm
// CHECK: tt.descriptor_store
// CHECK: tt.descriptor_reduce
// CHECK: tt.assert
// CHECK: tt.print
// CHECK: tt.call
tt.func @effects(%p: !tt.ptr<f16>, %v: f16, %d: !tt.tensordesc<tensor<16xf16>>, %s: tensor<16xf16>, %i: i32) {
  %true = arith.constant true
  %0 = tt.load %p {isVolatile = true} : !tt.ptr<f16>
  %1 = tt.atomic_rmw fadd, relaxed, gpu, %p, %v : (!tt.ptr<f16>, f16) -> f16
  %2 = tt.atomic_cas relaxed, gpu, %p, %v, %v : (!tt.ptr<f16>, f16, f16) -> f16
  %3 = tt.extern_elementwise %v {libname = "", libpath = "", symbol = "f", pure = false} : (f16) -> f16
  %4 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %v : f16 -> f16
  tt.descriptor_store %d[%i], %s : !tt.tensordesc<tensor<16xf16>>, tensor<16xf16>
  tt.descriptor_reduce add, %d[%i], %s : !tt.tensordesc<tensor<16xf16>>, tensor<16xf16>
  tt.assert %true, "holds" : i1
  tt.print "here" {hex = false, isSigned = array<i32>}
  %5 = tt.call @callee(%i) : (i32) -> f32
  tt.return
}
tt.func private @callee(i32) -> f32

// -----

// Cache policies of Triton 3.9 become the properties.
// CHECK-LABEL: tt.func @cache_policy(
// CHECK-NEXT: %[[X:.*]] = tt.load %{{.*}} cacheModifier = cg : !tt.ptr<f32>
// CHECK-NEXT: tt.store %{{.*}}, %[[X]] cacheModifier = wt evictionPolicy = evict_last {my.attr} : !tt.ptr<f32>
tt.func @cache_policy(%p: !tt.ptr<f32>) {
  %0 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} : !tt.ptr<f32>
  tt.store %p, %0 {my.attr, cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_last>} : !tt.ptr<f32>
  tt.return
}
