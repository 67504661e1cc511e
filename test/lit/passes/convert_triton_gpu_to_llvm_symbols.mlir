// RUN: not tt-opt %s -split-input-file --convert-triton-gpu-to-llvm=compute-capability=90 2>&1 | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: [[@LINE+1]]:3: error: {{.*}}can't lower 'tt.func': the lowering has a symbol @global_smem of its own; rename this one
  tt.func public @global_smem() {
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: [[@LINE+1]]:3: error: {{.*}}can't lower 'tt.func': the lowering has a symbol @vprintf of its own; rename this one
  tt.func public @vprintf() {
    tt.print " x" {hex = false, isSigned = array<i32>}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  module {
    // CHECK: [[@LINE+1]]:5: error: {{.*}}can't lower 'tt.func': it is in a module inside of another one; move it to the outer module
    tt.func public @inner() {
      tt.return
    }
  }
}

// -----

// Symbols that are there already are used, and new names are found for texts.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: llvm.mlir.global internal constant @printfFormat_1(
  // CHECK-NOT: @global_smem()
  // CHECK: llvm.mlir.global external @global_smem()
  // CHECK-NOT: @global_smem()
  // CHECK: llvm.func @printfFormat_0()
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @printfFormat_0()
  tt.func public @prints() {
    tt.print " x" {hex = false, isSigned = array<i32>}
    tt.return
  }
}
