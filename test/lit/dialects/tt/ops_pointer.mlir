// RUN: tt-opt %s | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// Triton 3.9 has names for address spaces.
// CHECK-LABEL: tt.func @named_address_spaces(
// CHECK-SAME: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32>)
tt.func @named_address_spaces(%0: !tt.ptr<f32, "constant">, %1: !tt.ptr<f32, "global">) {
  tt.return
}

// CHECK-LABEL: tt.func @types(
// CHECK-SAME: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32, 3>, %{{.*}}: !tt.ptr<!tt.ptr<i8>>, %{{.*}}: !tt.ptr<tensor<8x8xf16>>
// CHECK-SAME: !tt.tensordesc<tensor<8x8xsi32>>, %{{.*}}: !tt.tensordesc<tensor<64x64xf16>>
tt.func @types(%0: !tt.ptr<f32>, %1: !tt.ptr<f32, 1>, %2: !tt.ptr<f32, 3>, %3: !tt.ptr<!tt.ptr<i8>>, %4: !tt.ptr<tensor<8x8xf16>>,
               // The second is how later versions of Triton write it.
               %5: !tt.tensordesc<tensor<8x8xsi32>>, %6: !tt.tensordesc<64x64xf16>) {
  tt.return
}

// CHECK-LABEL: tt.func @addptr
tt.func @addptr(%p: !tt.ptr<f32>, %p3: !tt.ptr<f32, 3>, %i: i32, %l: i64, %s: i8, %ps: tensor<128x!tt.ptr<f32>>, %is: tensor<128xi32>,
                %pb: tensor<128x!tt.ptr<f32>, #blocked>, %ib: tensor<128xi64, #blocked>) {
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i32
  %0 = tt.addptr %p, %i : !tt.ptr<f32>, i32
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i64
  %1 = tt.addptr %p, %l : !tt.ptr<f32>, i64
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32, 3>, i8
  %2 = tt.addptr %p3, %s : !tt.ptr<f32, 3>, i8
  // CHECK: tt.addptr %{{.*}}, %{{.*}} {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %3 = tt.addptr %ps, %is {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi64, #blocked>
  %4 = tt.addptr %pb, %ib : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi64, #blocked>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i32
  %5 = "tt.addptr"(%p, %i) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>
  // Only one of the operands has a layout yet: legal while layouts are given out.
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32>
  %6 = tt.addptr %pb, %is : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32>
  tt.return
}

// CHECK-LABEL: tt.func @casts
tt.func @casts(%p: !tt.ptr<f16>, %l: i64, %ps: tensor<4x128x!tt.ptr<f32>>, %lb: tensor<128xi64, #blocked>) {
  // CHECK: tt.ptr_to_int %{{.*}} : !tt.ptr<f16> -> i64
  %0 = tt.ptr_to_int %p : !tt.ptr<f16> -> i64
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<bf16>
  %1 = tt.int_to_ptr %l : i64 -> !tt.ptr<bf16>
  // CHECK: tt.ptr_to_int %{{.*}} : tensor<4x128x!tt.ptr<f32>> -> tensor<4x128xi64>
  %2 = tt.ptr_to_int %ps : tensor<4x128x!tt.ptr<f32>> -> tensor<4x128xi64>
  // CHECK: tt.int_to_ptr %{{.*}} : tensor<128xi64, #blocked> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
  %3 = tt.int_to_ptr %lb : tensor<128xi64, #blocked> -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
  tt.return
}

// CHECK-LABEL: tt.func @block_pointers
tt.func @block_pointers(%p: !tt.ptr<f16>, %q: !tt.ptr<f32, 3>, %l: i64, %i: i32) {
  // CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %0 = tt.make_tensor_ptr %p, [%l, %l], [%l, %l], [%i, %i] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  // CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}], [%{{.*}}], [%{{.*}}] {order = array<i32: 0>} : <tensor<64xf32>, 3>
  %1 = tt.make_tensor_ptr %q, [%l], [%l], [%i] {order = array<i32: 0>} : <tensor<64xf32>, 3>
  // CHECK: tt.make_tensor_ptr %{{.*}} {order = array<i32: 1>} : <tensor<64x32xf16>>
  tt.make_tensor_ptr %p, [%l, %l], [%l, %l], [%i, %i] {order = array<i32: 1>} : <tensor<64x32xf16>>
  // CHECK: tt.make_tensor_ptr %{{.*}}, [], [], [] {order = array<i32>} : <tensor<f16>>
  %2 = tt.make_tensor_ptr %p, [], [], [] {order = array<i32>} : !tt.ptr<tensor<f16>>
  // CHECK: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<64x32xf16>>
  %3 = tt.advance %0, [%i, %i] : <tensor<64x32xf16>>
  // CHECK: tt.advance %{{.*}}, [%{{.*}}] : <tensor<64xf32>, 3>
  %4 = "tt.advance"(%1, %i) : (!tt.ptr<tensor<64xf32>, 3>, i32) -> !tt.ptr<tensor<64xf32>, 3>
  tt.return
}

}
