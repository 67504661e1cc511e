// RUN: tt-opt %s --set-minimum-shared-memory=bytes=4096 | FileCheck %s
// RUN: tt-opt %s --set-minimum-shared-memory=bytes=512 | FileCheck %s --check-prefix=ENOUGH
// RUN: tt-opt %s --allocate-shared-memory-nv --set-minimum-shared-memory=bytes=512 | FileCheck %s --check-prefix=NONE

// CHECK: ttg.shared = 4096 : i32
// Left alone: the kernel uses more.
// ENOUGH: ttg.shared = 1024 : i32
// The kernel here has no buffers.
// NONE: ttg.shared = 512 : i32
module attributes {ttg.shared = 1024 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func public @kernel() {
    tt.return
  }
}
