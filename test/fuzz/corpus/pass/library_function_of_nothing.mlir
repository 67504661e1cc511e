// passes: convert-triton-gpu-to-llvm

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @extern_elementwise(%x: f32, %t: tensor<128xf32, #blocked>) {
  %0 = tt.extern_elementwise %x, %x {libname = "lib", libpath = "/path", symbol = "f", pure = true} : (f32, f32) -> f32
  %1 = tt.extern_elementwise %t, %x {libname = "", libpath = "", symbol = "g", pure = false} : (tensor<128xf32, #blocked>, f32) -> tensor<128xi32, #blocked>
  %2 = tt.extern_elementwise {libname = "", libpath = "", symbol = "now", pure = true} : () -> i64
  tt.return
}
tt.func @inline_asm(%x: f32, %t: tensor<128xi8, #blocked>) {
  %0 = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : f32 -> f32
  %1 = tt.elementwise_inline_asm "shl.b32 $0, $0, 3;\0Aret;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %t : tensor<128xi8, #blocked> -> tensor<128xi8, #blocked>
  %2:2 = tt.elementwise_inline_asm "two" {constraints = "=r,=r", packed_element = 1 : i32, pure = false} -> f32, i32
  tt.return
}
tt.func @map_elementwise(%x: tensor<128xf32, #blocked>, %y: tensor<128xi32, #blocked>, %c: i1, %p: !tt.ptr<i32>) {
  %0:2 = "tt.map_elementwise"(%x, %y) <{pack = 2 : i32}> ({
  ^bb0(%a: f32, %b: f32, %i: i32, %j: i32):
    tt.map_elementwise.return %i, %j, %a, %b : i32, i32, f32, f32
  }) : (tensor<128xf32, #blocked>, tensor<128xi32, #blocked>) -> (tensor<128xi32, #blocked>, tensor<128xf32, #blocked>)
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
