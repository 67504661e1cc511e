// RUN: tt-opt %s | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: tt.func @extern_elementwise
tt.func @extern_elementwise(%x: f32, %t: tensor<128xf32, #blocked>) {
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "lib", libpath = "/path", pure = true, symbol = "f"} : (f32, f32) -> f32
  %0 = tt.extern_elementwise %x, %x {libname = "lib", libpath = "/path", symbol = "f", pure = true} : (f32, f32) -> f32
  // A scalar beside a tensor.
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "", libpath = "", pure = false, symbol = "g"} : (tensor<128xf32, #blocked>, f32) -> tensor<128xi32, #blocked>
  %1 = tt.extern_elementwise %t, %x {libname = "", libpath = "", symbol = "g", pure = false} : (tensor<128xf32, #blocked>, f32) -> tensor<128xi32, #blocked>
  // CHECK: tt.extern_elementwise {{ ?}}{libname = "", libpath = "", pure = true, symbol = "now"} : () -> i64
  %2 = tt.extern_elementwise {libname = "", libpath = "", symbol = "now", pure = true} : () -> i64
  tt.return
}

// CHECK-LABEL: tt.func @inline_asm
tt.func @inline_asm(%x: f32, %t: tensor<128xi8, #blocked>) {
  // CHECK: tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : f32 -> f32
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : f32 -> f32
  // CHECK: tt.elementwise_inline_asm "shl.b32 $0, $0, 3;\0Aret;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %{{.*}} : tensor<128xi8, #blocked> -> tensor<128xi8, #blocked>
  %1 = tt.elementwise_inline_asm "shl.b32 $0, $0, 3;\0Aret;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %t : tensor<128xi8, #blocked> -> tensor<128xi8, #blocked>
  // CHECK: %{{.*}}:2 = tt.elementwise_inline_asm "two" {constraints = "=r,=r", packed_element = 1 : i32, pure = false} -> f32, i32
  %2:2 = tt.elementwise_inline_asm "two" {constraints = "=r,=r", packed_element = 1 : i32, pure = false} -> f32, i32
  tt.return
}

// CHECK-LABEL: tt.func @map_elementwise
tt.func @map_elementwise(%x: tensor<128xf32, #blocked>, %y: tensor<128xi32, #blocked>, %c: i1, %p: !tt.ptr<i32>) {
  // CHECK: %{{.*}}:2 = "tt.map_elementwise"(%{{.*}}, %{{.*}}) <{pack = 2 : i32}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: i32, %[[D:.*]]: i32):
  // CHECK-NEXT: tt.map_elementwise.return %[[C]], %[[D]], %[[A]], %[[B]] : i32, i32, f32, f32
  // CHECK-NEXT: }) : (tensor<128xf32, #blocked>, tensor<128xi32, #blocked>) -> (tensor<128xi32, #blocked>, tensor<128xf32, #blocked>)
  %0:2 = "tt.map_elementwise"(%x, %y) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    tt.map_elementwise.return %i, %j, %a, %b : i32, i32, f32, f32
  }) : (tensor<128xf32, #blocked>, tensor<128xi32, #blocked>) -> (tensor<128xi32, #blocked>, tensor<128xf32, #blocked>)
  // Several blocks, and a load.
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 1 : i32}>
  // CHECK: cf.cond_br
  // CHECK: tt.map_elementwise.return %{{.*}} : i32
  // CHECK: tt.load
  // CHECK: tt.map_elementwise.return %{{.*}} : i32
  %1 = "tt.map_elementwise"(%y) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.map_elementwise.return %i : i32
  ^bb2:
    %v = tt.load %p : !tt.ptr<i32>
    tt.map_elementwise.return %v : i32
  }) : (tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
  tt.return
}

}
