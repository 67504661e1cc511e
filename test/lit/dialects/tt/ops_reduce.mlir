// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @reduce(
tt.func @reduce(%a: tensor<32x16xf32>) {
  // CHECK:      "tt.reduce"(%{{.*}}) <{axis = 1 : i32}> ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
  // CHECK-NEXT:   %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
  // CHECK-NEXT:   tt.reduce.return %[[SUM]] : f32
  // CHECK-NEXT: }) : (tensor<32x16xf32>) -> tensor<32xf32>
  %0 = "tt.reduce"(%a) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    tt.reduce.return %sum : f32
  }) : (tensor<32x16xf32>) -> tensor<32xf32>
  // CHECK: }) : (tensor<32x16xf32>) -> tensor<16xf32>
  %1 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %max = arith.maxnumf %x, %y : f32
    tt.reduce.return %max : f32
  }) : (tensor<32x16xf32>) -> tensor<16xf32>
  tt.return
}

// The last dimension leaves a scalar.
// CHECK-LABEL: tt.func @reduce_to_scalar(
tt.func @reduce_to_scalar(%a: tensor<16xf32>, %b: tensor<8x!tt.ptr<f32>>) {
  // CHECK: }) : (tensor<16xf32>) -> f32
  %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<16xf32>) -> f32
  // CHECK: }) : (tensor<8x!tt.ptr<f32>>) -> !tt.ptr<f32>
  %1 = "tt.reduce"(%b) <{axis = 0 : i32}> ({
  ^bb0(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>):
    tt.reduce.return %y : !tt.ptr<f32>
  }) : (tensor<8x!tt.ptr<f32>>) -> !tt.ptr<f32>
  tt.return
}

// An argmax, with a layout, and the attribute in the older place.
// CHECK-LABEL: tt.func @reduce_pair(
tt.func @reduce_pair(%a: tensor<32x64xf32, #row>, %i: tensor<32x64xi32, #row>) {
  // CHECK: %{{.*}}:2 = "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 1 : i32}> ({
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK: }) : (tensor<32x64xf32, #blocked>, tensor<32x64xi32, #blocked>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
  %0:2 = "tt.reduce"(%a, %i) ({
  ^bb0(%x: f32, %k: i32, %y: f32, %l: i32):
    %greater = arith.cmpf ogt, %x, %y : f32
    %max = arith.select %greater, %x, %y : f32
    %index = arith.select %greater, %k, %l : i32
    tt.reduce.return %max, %index : f32, i32
  }) {axis = 1 : i32} : (tensor<32x64xf32, #row>, tensor<32x64xi32, #row>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #row}>>)
  tt.return
}

// CHECK-LABEL: tt.func @scan(
tt.func @scan(%a: tensor<32x16xf32>, %b: tensor<32x64xi32, #row>) {
  // CHECK:      "tt.scan"(%{{.*}}) <{axis = 1 : i32, reverse = false}> ({
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32):
  // CHECK-NEXT:   %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : f32
  // CHECK-NEXT:   tt.scan.return %[[SUM]] : f32
  // CHECK-NEXT: }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
  %0 = "tt.scan"(%a) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    %sum = arith.addf %x, %y : f32
    tt.scan.return %sum : f32
  }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
  // CHECK: "tt.scan"(%{{.*}}, %{{.*}}) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: tt.scan.return %{{.*}}, %{{.*}} : i32, i32
  // CHECK: }) : (tensor<32x64xi32, #blocked>, tensor<32x64xi32, #blocked>) -> (tensor<32x64xi32, #blocked>, tensor<32x64xi32, #blocked>)
  %1:2 = "tt.scan"(%b, %b) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%x: i32, %k: i32, %y: i32, %l: i32):
    tt.scan.return %x, %l : i32, i32
  }) : (tensor<32x64xi32, #row>, tensor<32x64xi32, #row>) -> (tensor<32x64xi32, #row>, tensor<32x64xi32, #row>)
  tt.return
}

}
