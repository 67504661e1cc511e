// RUN: tt-opt %s | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @make
tt.func @make(%p: !tt.ptr<f16>, %q: !tt.ptr<i32>, %i: i32, %l: i64) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<64x32xf16>>
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%l, %l] : !tt.ptr<f16>, !tt.tensordesc<tensor<64x32xf16>>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] {padding = 2 : i32} : <f16>, <tensor<64xf16>>
  %1 = tt.make_tensor_descriptor %p, [%i], [%l] {padding = 2 : i32} : <f16>, <tensor<64xf16>>
  // The default is not printed; the block may say that its integers are signed.
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] : <i32>, <tensor<64xsi32>>
  %2 = tt.make_tensor_descriptor %q, [%i], [%l] {padding = 1 : i32} : <i32>, <tensor<64xsi32>>
  tt.return
}

// CHECK-LABEL: tt.func @load
tt.func @load(%d: !tt.tensordesc<tensor<16x16xf16>>, %lead: !tt.tensordesc<tensor<1x16x16xf16>>, %s: !tt.tensordesc<tensor<8xui8>>, %i: i32) {
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = ca evictionPolicy = evict_first : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16, #blocked>
  %1 = tt.descriptor_load %d[%i, %i] evictionPolicy = evict_first cacheModifier = ca : !tt.tensordesc<tensor<16x16xf16>> -> tensor<16x16xf16, #blocked>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<1x16x16xf16>> -> tensor<16x16xf16>
  %2 = tt.descriptor_load %lead[%i, %i, %i] : !tt.tensordesc<tensor<1x16x16xf16>> -> tensor<16x16xf16>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}] : !tt.tensordesc<tensor<8xui8>> -> tensor<8xi8>
  %3 = tt.descriptor_load %s[%i] : !tt.tensordesc<tensor<8xui8>> -> tensor<8xi8>
  tt.return
}

// CHECK-LABEL: tt.func @store
tt.func @store(%d: !tt.tensordesc<tensor<16x16xf16>>, %src: tensor<16x16xf16, #blocked>, %i: i32, %lead: !tt.tensordesc<tensor<1x16xsi32>>, %row: tensor<16xi32>) {
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16, #blocked>
  tt.descriptor_store %d[%i, %i], %src : !tt.tensordesc<tensor<16x16xf16>>, tensor<16x16xf16, #blocked>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<1x16xsi32>>, tensor<16xi32>
  tt.descriptor_store %lead[%i, %i], %row : !tt.tensordesc<tensor<1x16xsi32>>, tensor<16xi32>
  tt.return
}

// CHECK-LABEL: tt.func @reduce
tt.func @reduce(%d: !tt.tensordesc<tensor<16xi32>>, %src: tensor<16xi32>, %i: i32) {
  // CHECK-NEXT: tt.descriptor_reduce add, %{{.*}}[%{{.*}}], %{{.*}} : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  tt.descriptor_reduce add, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce min,
  tt.descriptor_reduce min, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce max,
  tt.descriptor_reduce max, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce inc,
  tt.descriptor_reduce inc, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce dec,
  tt.descriptor_reduce dec, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce and,
  tt.descriptor_reduce and, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce or,
  tt.descriptor_reduce or, %d[%i], %src : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  // CHECK-NEXT: tt.descriptor_reduce xor,
  "tt.descriptor_reduce"(%d, %src, %i) <{kind = 8 : i32}> : (!tt.tensordesc<tensor<16xi32>>, tensor<16xi32>, i32) -> ()
  tt.return
}

// CHECK-LABEL: tt.func @rows
tt.func @rows(%d: !tt.tensordesc<tensor<1x64xf16>>, %x: tensor<32xi32>, %y: i32) {
  // CHECK: %[[ROWS:.*]] = tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  %0 = tt.descriptor_gather %d[%x, %y] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %[[ROWS]] : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.descriptor_scatter %d[%x, %y], %0 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.return
}

}
