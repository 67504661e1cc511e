// RUN: tt-opt %s --tritongpu-F32DotTC=emu-tf32=true | FileCheck %s
// RUN: tt-opt %s --tritongpu-F32DotTC | FileCheck %s --check-prefix=BF16

// Three products of tf32 parts, small ones first, if asked for.
// CHECK-LABEL: @tf32x3
// BF16-LABEL: @tf32x3
// BF16: tt.dot {{.*}} inputPrecision = tf32x3
tt.func public @tf32x3(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  // CHECK: %[[A0:.*]] = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %arg0
  // CHECK: %[[A1:.*]] = arith.subf %arg0, %[[A0]]
  // CHECK: %[[B0:.*]] = tt.elementwise_inline_asm {{.*}} %arg1
  // CHECK: %[[B1:.*]] = arith.subf %arg1, %[[B0]]
  // CHECK: %[[D0:.*]] = tt.dot %[[A1]], %[[B0]], %[[ZERO]], inputPrecision = tf32 {maxNumImpreciseAcc = 3 : i32}
  // CHECK: %[[D1:.*]] = tt.dot %[[A0]], %[[B1]], %[[D0]], inputPrecision = tf32 {maxNumImpreciseAcc = 3 : i32}
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[D1]], %[[D1]]
  // CHECK: %[[D2:.*]] = arith.select %[[NAN]], %[[ZERO]], %[[D1]]
  // CHECK: %[[D3:.*]] = tt.dot %[[A0]], %[[B0]], %[[D2]], inputPrecision = tf32 {maxNumImpreciseAcc = 3 : i32}
  // CHECK: arith.addf %[[D3]], %arg2
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 {maxNumImpreciseAcc = 3 : i32} : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Products of two bf16 parts each, and six of three.
// BF16-LABEL: @bf16x3
tt.func public @bf16x3(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // BF16: %[[A0:.*]] = arith.truncf %arg0 : tensor<16x16xf32> to tensor<16x16xbf16>
  // BF16: %[[A0F:.*]] = arith.extf %[[A0]]
  // BF16: %[[REST:.*]] = arith.subf %arg0, %[[A0F]]
  // BF16: arith.truncf %[[REST]]
  // BF16-COUNT-3: tt.dot {{.*}} : tensor<16x16xbf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
  // BF16-NOT: tt.dot
  %d = tt.dot %a, %b, %c, inputPrecision = bf16x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// BF16-LABEL: @bf16x6
tt.func public @bf16x6(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // BF16-COUNT-5: tt.dot {{.*}} : tensor<16x16xbf16> * tensor<16x16xbf16> -> tensor<16x16xf32>
  // BF16: arith.cmpf uno
  // BF16: tt.dot
  // BF16: arith.addf %{{.*}}, %arg2
  %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Left alone: precisions that tensor cores have or nobody asked to split; other types.
// CHECK-LABEL: @left_alone
tt.func public @left_alone(%a: tensor<16x16xf32>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  // CHECK-NEXT: tt.dot %arg0, %arg0, %arg2 : tensor<16x16xf32>
  // CHECK-NEXT: tt.dot %arg0, %arg0, %arg2, inputPrecision = tf32 : tensor<16x16xf32>
  // CHECK-NEXT: tt.dot %arg1, %arg1, %arg2, inputPrecision = bf16x3 : tensor<16x16xf16>
  // CHECK-NEXT: tt.return
  %0 = tt.dot %a, %a, %c : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = tt.dot %a, %a, %c, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %2 = tt.dot %b, %b, %c, inputPrecision = bf16x3 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %0, %1, %2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// Edge: products of one type share the zero.
// CHECK-LABEL: @shared_zero
tt.func public @shared_zero(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  // CHECK-NOT: arith.constant
  %0 = tt.dot %a, %a, %c, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %1 = tt.dot %0, %a, %c, inputPrecision = bf16x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %1 : tensor<16x16xf32>
}
