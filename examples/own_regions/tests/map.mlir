// RUN: tt-opt %s --load-dialect=%S/../each/dialect.py | tt-opt --load-dialect=%S/../each/dialect.py | FileCheck %s
// RUN: tt-opt %s --load-dialect=%S/../each/dialect.py --mlir-print-op-generic | tt-opt --load-dialect=%S/../each/dialect.py | FileCheck %s

// CHECK-LABEL: @map
tt.func @map(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: each.map %{{.*}}, %{{.*}} ({
  // CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK:   each.yield %[[B]], %[[A]] : (f32, f32) -> ()
  // CHECK: }) {times = #each.times<3 : i32>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %0:2 = each.map %x, %y ({
  ^bb0(%a: f32, %b: f32):
    each.yield %b, %a : (f32, f32) -> ()
  }) {times = #each.times<3 : i32>} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  tt.return %0#0 : tensor<8xf32>
}

// CHECK-LABEL: @limits
tt.func @limits(%x: tensor<8xf32>, %most: f32) -> tensor<8xf32> {
  // CHECK: each.limits %{{.*}} {operandSegmentSizes = array<i32: 0, 1>} : (f32) -> !each.limits<f32>
  %0 = each.limits %most {operandSegmentSizes = array<i32: 0, 1>} : (f32) -> !each.limits<f32>
  %1 = each.clamp %x, %0 : (tensor<8xf32>, !each.limits<f32>) -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}
