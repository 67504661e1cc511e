// RUN: tt-opt %s --convert-proton-to-protongpu=buffer-size=1024 | FileCheck %s
// RUN: tt-opt %s --convert-proton-to-protongpu="buffer-type=global clock-extension=true" | FileCheck %s --check-prefix=GLOBAL
// RUN: tt-opt %s --convert-proton-to-protongpu="sampling-strategy=selective sampling-options=2,0 granularity=warp buffer-size=64" | FileCheck %s --check-prefix=SOME
// RUN: not tt-opt %s --convert-proton-to-protongpu=buffer-strategy=flush 2>&1 | FileCheck %s --check-prefix=FLUSH
// RUN: not tt-opt %s --convert-proton-to-protongpu=buffer-size=100 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tt-opt %s --convert-proton-to-protongpu="buffer-size=65536" 2>&1 | FileCheck %s --check-prefix=LARGE

// FLUSH: error: pass 'convert-proton-to-protongpu': buffer-strategy 'flush' is not supported; use circular
// SIZE: error: pass 'convert-proton-to-protongpu': buffer-size per segment(25) must be power of 2, 8 at least
// LARGE: needs a buffer of 65536 bytes for times and has 32640 of shared memory left: use buffer-type=global

// CHECK: ttg.proton_parents = array<i32: -1, 0>, ttg.proton_scopes = ["all", "load"]
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 128 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @loop
  // GLOBAL-LABEL: @loop
  // SOME-LABEL: @loop
  tt.func public @loop(%p: !tt.ptr<f32>, %n: i32) {
    // CHECK: %[[SCRATCH:.*]] = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32}
    // CHECK: proton_gpu.initialize %[[SCRATCH]]
    // CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<256xi32, #shared, #smem, mutable>
    // CHECK: %[[SEGMENT:.*]] = proton_gpu.segment_alloc %[[BUFFER]] : {{.*}} -> <1024, #smem, warp>
    // GLOBAL: %[[WORDS:.*]] = arith.constant 14 : i32
    // GLOBAL: %[[AT:.*]] = tt.addptr %{{.*}}, %[[WORDS]]
    // GLOBAL: proton_gpu.segment_alloc %[[AT]] : !tt.ptr<i32> -> <65536, #proton_gpu.global_memory, warp>
    // GLOBAL: proton_gpu.read_counter : i64
    // SOME: proton_gpu.segment_alloc %{{.*}} : !ttg.memdesc<16xi32, {{.*}}> -> <64, #smem, warp, [0, 2]>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[BEGUN:.*]] = proton_gpu.read_counter : i32
    // CHECK-NEXT: proton_gpu.circular_store start %[[SEGMENT]], %[[BEGUN]] {scopeId = 0 : i32}
    proton.record start "all"
    // CHECK-NEXT: scf.for
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: proton_gpu.circular_store start %[[SEGMENT]], %{{.*}} {scopeId = 1 : i32}
      proton.record start "load"
      %x = tt.load %p : !tt.ptr<f32>
      // CHECK: proton_gpu.circular_store end %[[SEGMENT]], %{{.*}} {scopeId = 1 : i32}
      proton.record end "load"
      tt.store %p, %x : !tt.ptr<f32>
    }
    // CHECK: proton_gpu.circular_store end %[[SEGMENT]], %{{.*}} {scopeId = 0 : i32}
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: proton_gpu.finalize %[[SEGMENT]], %[[SCRATCH]]
    // CHECK-NEXT: tt.return
    proton.record end "all"
    tt.return
  }
}
