// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @grid
  tt.func public @grid() -> (i32, i32) {
    // CHECK: nvvm.read.ptx.sreg.ctaid.y
    %0 = tt.get_program_id y : i32
    // CHECK: nvvm.read.ptx.sreg.nctaid.x
    %1 = tt.get_num_programs x : i32
    tt.return %0, %1 : i32, i32
  }

  // The number of the warp is the same in all of its threads: an operation that says so, until convert-nv-gpu-to-llvm.
  // CHECK-LABEL: llvm.func @warps
  tt.func public @warps() -> (i32, i32) {
    // CHECK: nvg.warp_id
    %0 = ttg.warp_id
    // Edge: without the hint.
    // CHECK-NOT: nvg.warp_id
    // CHECK: llvm.udiv
    %1 = ttg.warp_id {omitUniformHint}
    tt.return %0, %1 : i32, i32
  }

  // CHECK-LABEL: llvm.func @dependent_launch
  tt.func public @dependent_launch() {
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.wait;", "~{memory}"
    tt.grid_dependency_wait
    // CHECK: llvm.inline_asm has_side_effects {{.*}}"griddepcontrol.launch_dependents;", "~{memory}"
    tt.grid_dependency_launch_dependents
    tt.return
  }

  // Scratch memory of this program: as far into the buffer as the programs before take.
  // CHECK-LABEL: llvm.func @scratch
  tt.func public @scratch() -> !tt.ptr<i8> {
    // CHECK: nvvm.read.ptx.sreg.ctaid.x
    // CHECK: %[[OWN:.*]] = llvm.getelementptr
    // CHECK: llvm.getelementptr %[[OWN]][128]
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 64 : i32, ttg.global_scratch_memory_offset = 128 : i32} : !tt.ptr<i8>
    tt.return %0 : !tt.ptr<i8>
  }
}

// -----

// Programs with the most work start first: the last CTA of a column of the grid has the first place.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttkit.longest-first" = {axes = array<i32: 0, 1>, axis = 0 : i32, shrinks = false, together = 64 : i32}} {
  // CHECK-LABEL: llvm.func @longest_first
  tt.func public @longest_first() -> (i32, i32) {
    // CHECK: %[[LEFT:.*]] = llvm.and
    // CHECK: %[[LAST:.*]] = llvm.icmp "ult" %[[LEFT]]
    // CHECK: llvm.select %[[LAST]], %[[LEFT]]
    // CHECK: %[[FITS:.*]] = llvm.icmp "ule"
    // CHECK: llvm.select %[[FITS]]
    %0 = tt.get_program_id x : i32
    // The kernel does not ask for z, so that axis has the numbers of the CTAs.
    // CHECK: nvvm.read.ptx.sreg.ctaid.z
    %1 = tt.get_program_id z : i32
    tt.return %0, %1 : i32, i32
  }
}
