// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @inline_asm
  tt.func @inline_asm(%x: tensor<256xf32, #b>, %y: f32, %m: !ttg.memdesc<256xi32, #shared, #smem, mutable>) {
    // CHECK: ttg.inline_asm "add.f32 $0, $2, $4; add.f32 $1, $3, $4;" {constraints = "=&f,=&f,f,f,f", pure = true} %{{.*}}, %{{.*}} : (tensor<256xf32, #blocked>, f32) -> tensor<256xf32, #blocked>
    %0 = ttg.inline_asm "add.f32 $0, $2, $4; add.f32 $1, $3, $4;" {constraints = "=&f,=&f,f,f,f", pure = true} %x, %y : (tensor<256xf32, #b>, f32) -> tensor<256xf32, #b>
    // CHECK: ttg.inline_asm "st.shared.b32 [$0], 0;" {constraints = "r", pure = false} %{{.*}} : (!ttg.memdesc<256xi32, #shared, #smem, mutable>) -> ()
    ttg.inline_asm "st.shared.b32 [$0], 0;" {constraints = "r", pure = false} %m : (!ttg.memdesc<256xi32, #shared, #smem, mutable>) -> ()
    tt.return
  }
}
