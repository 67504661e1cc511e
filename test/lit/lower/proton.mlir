// RUN: tt-opt %s --ttkit-llir | FileCheck %s
// RUN: not tt-opt %s --convert-triton-gpu-to-llvm 2>&1 | FileCheck %s --check-prefix=EARLY

// EARLY: error: {{.*}}it does not say where its times go; run convert-proton-to-protongpu first

// CHECK: ttg.profile_scratch_memory_size
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @timed
  tt.func public @timed(%p: !tt.ptr<f32>, %x: f32) {
    // The head, by the first thread.
    // CHECK-DAG: %[[MAGIC:.*]] = llvm.mlir.constant(-559038737 : i32)
    // CHECK-DAG: nvvm.read.ptx.sreg.smid
    // CHECK-DAG: nvvm.read.ptx.sreg.globaltimer
    // An entry: what, and when.
    // CHECK: %[[CLOCK:.*]] = nvvm.read.ptx.sreg.clock : i32
    // CHECK: llvm.inline_asm {{.*}}st.shared.v2.b32
    proton.record start "store"
    // CHECK: st.global.b32
    tt.store %p, %x : !tt.ptr<f32>
    // CHECK: nvvm.read.ptx.sreg.clock : i32
    // CHECK: llvm.inline_asm {{.*}}st.shared.v2.b32
    proton.record end "store"
    // Each warp copies its part.
    // CHECK: nvvm.bar.warp.sync
    // CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> i32
    // CHECK: llvm.store {{.*}} : i32, !llvm.ptr<1>
    // CHECK: nvvm.read.ptx.sreg.globaltimer
    // CHECK: llvm.return
    tt.return
  }
}
