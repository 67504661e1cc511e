// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: @make_range_of_one
tt.func @make_range_of_one() -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<5> : tensor<1xi32>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<-1> : tensor<1xi32>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<2147483646> : tensor<1xi32>
  %0 = tt.make_range {start = 5 : i32, end = 6 : i32} : tensor<1xi32>
  %1 = tt.make_range {start = -1 : i32, end = 0 : i32} : tensor<1xi32>
  %2 = tt.make_range {start = 2147483646 : i32, end = 2147483647 : i32} : tensor<1xi32>
  // CHECK: tt.return %[[A]], %[[B]], %[[C]]
  tt.return %0, %1, %2 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}

// -----

// CHECK-LABEL: @make_range_left_alone
tt.func @make_range_left_alone() -> tensor<2xi32> {
  // CHECK: tt.make_range
  %0 = tt.make_range {start = 4 : i32, end = 6 : i32} : tensor<2xi32>
  tt.return %0 : tensor<2xi32>
}

// -----

// CHECK-LABEL: @gather_histogram_left_alone
tt.func @gather_histogram_left_alone(%i: tensor<4xi32>) -> (tensor<4xi32>, tensor<8xi32>) {
  %a = arith.constant dense<1> : tensor<8xi32>
  %m = arith.constant dense<true> : tensor<8xi1>
  // CHECK: tt.gather
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} :
  %1 = tt.histogram %a, %m : tensor<8xi32> -> tensor<8xi32>
  tt.return %0, %1 : tensor<4xi32>, tensor<8xi32>
}
