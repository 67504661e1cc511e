// RUN: tt-opt %s | tt-opt | FileCheck %s

// CHECK-LABEL: tt.func @print
tt.func @print(%x: tensor<64xf32>, %n: i32, %p: !tt.ptr<f32>) {
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %{{.*}} : tensor<64xf32>
  tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %x : tensor<64xf32>
  // CHECK: tt.print "n, p" {hex = true, isSigned = array<i32: 1, 0>} : %{{.*}}, %{{.*}} : i32, !tt.ptr<f32>
  tt.print "n, p" {hex = true, isSigned = array<i32: 1, 0>} : %n, %p : i32, !tt.ptr<f32>
  // CHECK: tt.print "here" {hex = false, isSigned = array<i32>}{{$}}
  tt.print "here" {hex = false, isSigned = array<i32>}
  tt.return
}

// CHECK-LABEL: tt.func @assert
tt.func @assert(%c: i1, %t: tensor<64xi1>) {
  // CHECK: tt.assert %{{.*}}, "scalar \22quoted\22" : i1
  tt.assert %c, "scalar \22quoted\22" : i1
  // CHECK: tt.assert %{{.*}}, "index out of bounds" {my.attr} : tensor<64xi1>
  tt.assert %t, "index out of bounds" {my.attr} : tensor<64xi1>
  tt.return
}
