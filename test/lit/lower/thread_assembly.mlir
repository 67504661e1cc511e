// RUN: tt-opt %s --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @registers
  tt.func public @registers(%x: tensor<256xf32, #b>, %y: f32) -> tensor<256xf32, #b> {
    // CHECK: llvm.inline_asm {{.*}}"add.f32 $0, $2, $4; add.f32 $1, $3, $4;", "=&f,=&f,f,f,f" %{{.*}}, %{{.*}}, %{{.*}} : (f32, f32, f32) -> !llvm.struct<(f32, f32)>
    %0 = ttg.inline_asm "add.f32 $0, $2, $4; add.f32 $1, $3, $4;" {constraints = "=&f,=&f,f,f,f", pure = true} %x, %y : (tensor<256xf32, #b>, f32) -> tensor<256xf32, #b>
    tt.return %0 : tensor<256xf32, #b>
  }

  // CHECK-LABEL: llvm.func @address
  tt.func public @address(%x: tensor<256xi32, #b>) {
    %m = ttg.local_alloc %x : (tensor<256xi32, #b>) -> !ttg.memdesc<256xi32, #shared, #smem, mutable>
    // CHECK: %[[PLACE:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"st.shared.b32 [$0], 0;", "r" %[[PLACE]]
    ttg.inline_asm "st.shared.b32 [$0], 0;" {constraints = "r", pure = false} %m : (!ttg.memdesc<256xi32, #shared, #smem, mutable>) -> ()
    tt.return
  }
}
